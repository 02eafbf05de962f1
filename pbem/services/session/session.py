"""A game's folder, opened: what every command on a game begins with, and the one way to save.

What lives here: Session (disk, keys and moderator put together), opening, settling, saving.
What must never be here: rules, printing, parsing of what players send.
Laws: bytes are verified before anything else; what a killed command left undone is done by the next
one that may write (P8); the newest state decides, game.toml is a copy of it.
Source: docs/DESIGN.md "One game's folder", "One turn"; docs/SPECIFICATION.md section 5 (saving).
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pbem import catalog
from pbem.chain.loaded_game import LoadedGame, check_config, open_record
from pbem.chain.next_record import NewState
from pbem.chain.referees import keys_in_force
from pbem.chain.seals import Seals
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import unwrap
from pbem.crypto.tokens import commit_secret
from pbem.disk.folder import CODES_FILE, FORMER_CODES_FILE, PLAYERS_FILE, SECRET_FILE, GameFolder
from pbem.disk.games import refuse_no_folder
from pbem.disk.home import Home
from pbem.engine.rulebook import find_first_sentence, find_paragraph
from pbem.errors import BadInput, PbemError, Refused, naming_file
from pbem.mail.set_apart import looks_like_ours
from pbem.play.pending_file import (
    PENDING_LOST_HINT,
    committed_values,
    decode_committed_values,
    decode_pending,
    encode_committed_values,
    encode_pending,
)
from pbem.play.pending_orders import PendingOrders, after_new_state
from pbem.play.reply_codes import code_of
from pbem.report import players
from pbem.report.players import Players
from pbem.services.session.keys import load_acting_key, open_home
from pbem.services.session.newest import NewestState, game_of, not_dealt_error, read_newest

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: in a chain, time never falls
CLOCK_BEHIND = (
    "the clock of this machine says {now}, but state {n} was saved at {then}: set the clock right. "
    "Until then, what you save has the time of that state"
)
MOST_FORMER_CODES = 4  #: times that a game went on from an older state, of which the codes are known


HANDED_OVER = "key/handed-over"  #: code of a refusal: another key has the game, from ours


class Session:
    """One game as its referee has it open, at one moment. Holds its secrets: never printed whole.

    Nothing is written into it: what changes the game gives another Session, and the one before
    stays what it was. What it is asked for is found once.
    """

    def __init__(
        self, folder: GameFolder, home: Home, key: RefereeKey, time: str, trusted_key: bytes | None = None
    ) -> None:
        """``time``: of the command, as in a state. ``trusted_key``: the public key of a referee of this
        game, now or once; else that of ``key``.
        """
        self.folder: Final = folder
        self.home: Final = home
        self.key: Final = key
        self.time = time
        self.trusted_key: Final = trusted_key or key.public
        #: what the referee should know: lost things, a new machine; shared by all that come of it
        self.notes: Final[list[str]] = []
        #: whether the newest state was told by this command alone, for the one before was cut short
        self.completed_interrupted_save: Final = False
        #: whether it was restored, and the referee has not said whether newer states are lost
        self.restore_undecided: Final = False
        self.label: Final = label_of(folder.root)
        self.newest: Final = self._read_newest()
        self.record: Final = self.newest.record
        if time < self.record.time:
            self.notes.append(CLOCK_BEHIND.format(now=time, n=self.record.n, then=self.record.time))
            self.time = self.record.time

    def replace(self, **facts: Any) -> "Session":
        """The same game with other facts, by name; what follows from ``newest`` is found again."""
        changed_session = copy(self)
        if "newest" in facts:
            facts["record"] = facts["newest"].record
            # while this command waited, another one may have saved a state
            facts.setdefault("time", max(self.time, facts["record"].time))
            for name in ("position", "pending_by_seat", "seals"):
                changed_session.__dict__.pop(name, None)
        changed_session.__dict__.update(facts)
        return changed_session

    def reread(self) -> "Session":
        """The game and its desk as they are now; what follows from the newest state stays known."""
        # no other name than its own and the next: what this costs does not grow with the game
        n, raw, folder = self.record.n, self.newest.raw, self.folder
        is_unchanged = folder.read_newest() == raw and folder.read_state(n) == raw
        has_changed = not is_unchanged or folder.has_state(n + 1)
        reread_session = self.replace(newest=self._read_newest()) if has_changed else self.replace()
        for name in ("pending_by_seat", "codes_secret", "players"):
            reread_session.__dict__.pop(name, None)
        return reread_session

    def _read_newest(self) -> NewestState:
        try:
            return read_newest(self.folder, self.trusted_key)
        except Refused as error:
            if error.code != "state/other-key" or self.trusted_key != self.key.public:
                raise
            hint = (
                "run this where that key is (PBEM_HOME); if it is lost: "
                f"pbem amend {self.folder.root} keys --recover FILE, with the recovery key's file"
            )
            raise Refused(error.code, error.message, hint) from None

    @cached_property
    def game(self) -> "Game":
        return check_config(game_of(self.record), self.record)

    @cached_property
    def secret(self) -> bytes:
        """The game's secret S: the copy in desk/, or unwrapped with our key (then kept again)."""
        data = self.folder.read_desk_file(SECRET_FILE)
        if data is not None:
            secret = decode_desk_value(data, SECRET_FILE)
            if commit_secret(secret) == self.record.setup.commit:
                return secret
            self.notes.append("desk/secret was not this game's secret; pbem restored it from the state")
        if self.key.id not in dict(self.record.wrapped_secrets):
            why = "the game's secret is not wrapped to this key"
            raise Refused("secret/not-ours", why, "use the key of the game's referee")
        return unwrap_secret(self.record, self.key)

    @cached_property
    def position(self) -> LoadedGame:
        if not self.record.is_dealt:
            raise not_dealt_error(self.record)
        return open_record(self.record, state_hash_of(self.newest.raw), self.seals, self.game)

    @cached_property
    def rules(self) -> str:
        """RULES.md of the game."""
        return catalog.read_rules(self.game.kind)

    def rule(self, number: str) -> str:
        """The whole paragraph of a ruling, "" if there is none of this number."""
        return find_paragraph(self.rules, number) or ""

    def rule_summary(self, number: str) -> str:
        """Its first sentence: its line at a report's foot."""
        return find_first_sentence(self.rules, number) or ""

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The folders of templates that the game brings along, if it is a plug-in."""
        return catalog.template_folders(self.game.kind)

    @cached_property
    def seals(self) -> Seals:
        """The Seals of the newest link."""
        return self.seals_of(self.record)

    def seals_of(self, record: StateRecord) -> Seals:
        """Those of any link of the game."""
        return Seals(self.secret, record.game, record.n, unb64(record.previous_hash, 32))

    @cached_property
    def codes_secret(self) -> bytes:
        data = self.folder.read_desk_file(CODES_FILE)
        return decode_desk_value(data.partition(b" ")[0], CODES_FILE) if data is not None else b""

    @property
    def needs_new_codes(self) -> bool:
        """Whether the reply codes are lost, or known to a referee before: where this key signs the
        next state and did not make them. A thief of an old backup has those too.
        """
        data = self.folder.read_desk_file(CODES_FILE)
        return data is None or (self.is_acting_referee and data.split()[1:] != [self.key.id.encode()])

    @property
    def is_acting_referee(self) -> bool:
        """Whether our key signs the next state."""
        return keys_in_force(self.record.referees, self.record.n + 1).acting == self.key.public

    @property
    def was_handed_over(self) -> bool:
        """Whether another key does, to which ours, or one after ours, gave the game."""
        return not self.is_acting_referee and any(row.acting == self.key.public for row in self.record.referees)

    @property
    def former_codes(self) -> tuple[bytes, ...]:
        """The secrets of codes that are void, for nothing but to know a mail that has one."""
        rows = (self.folder.read_desk_file(FORMER_CODES_FILE) or b"").splitlines()
        return tuple(decode_desk_value(row, FORMER_CODES_FILE) for row in rows)

    @property
    def known_codes(self) -> tuple[bytes, ...]:
        """The secrets of all codes that may stand in an email, the newest first."""
        return tuple(filter(None, (self.codes_secret, *self.former_codes)))

    @cached_property
    def players(self) -> Players:
        data = self.folder.read_desk_file(PLAYERS_FILE)
        if data is None:
            setup = self.record.setup
            return players.players_without_addresses(dict(zip(setup.seats, self.record.names, strict=True)))
        return players.decode(data, self.record.setup.seats)

    @cached_property
    def pending_by_seat(self) -> dict[str, PendingOrders]:
        """Orders in hand by seat. Each is its player's secret."""
        files = self.folder.read_pending(self.record.n)
        pending_by_seat = {seat: PendingOrders() for seat in self.record.setup.seats}
        for seat in pending_by_seat.keys() & files.keys():
            with naming_file(f"desk/hand/{self.record.n}/{seat}.toml", PENDING_LOST_HINT):
                pending_by_seat[seat] = decode_pending(files[seat], seat)
        return pending_by_seat

    @property
    def pending_before(self) -> dict[str, str]:
        """By seat what waited before the newest state, as far as the desk has it. Secret."""
        return read_pending_before(self.folder, self.record.n) or {}

    def code(self, seat: str) -> str:
        """The code of the question now open (or next to be open) to a seat."""
        question = dict(self.record.answer_counts)[seat] if self.record.is_dealt else self.record.phase
        return code_of(self.codes_secret, self.record.game, seat, question)

    def make_new_codes(self) -> tuple["Session", dict[str, bytes]]:
        """Void every reply code there is: the next reports bring new ones, which count when these
        files are in the desk: their secret and by whose key it was made, and the void ones, so that
        an email that has one can be told so.
        """
        rows = [b64(secret) for secret in (*self.former_codes, self.codes_secret) if secret]
        former_secrets = [*dict.fromkeys(rows)][-MOST_FORMER_CODES:]
        former_files = (
            {FORMER_CODES_FILE: "".join(f"{row}\n" for row in former_secrets).encode()} if former_secrets else {}
        )
        new_session = self.replace(codes_secret=os.urandom(32))
        return new_session, {CODES_FILE: f"{b64(new_session.codes_secret)} {self.key.id}\n".encode(), **former_files}

    def store_pending(self, seat: str, pending: PendingOrders) -> "Session":
        """Keep a seat's orders, durably."""
        dated_pending = self._with_question(self.record, seat, pending)
        self.folder.put_pending(self.record.n, seat, encode_pending(dated_pending))
        return self.replace(pending_by_seat={**self.pending_by_seat, seat: dated_pending})

    @staticmethod
    def _with_question(record: StateRecord, seat: str, pending: PendingOrders) -> PendingOrders:
        """A hand says at which question of its seat it was written, where lines are counted."""
        if not record.is_dealt or not record.player(seat).method.key:
            return pending
        return pending._replace(answered=dict(record.answer_counts)[seat])

    def save(
        self,
        new_state: NewState,
        pending_by_seat: Mapping[str, PendingOrders],
        desk_files: Mapping[str, bytes] = MappingProxyType({}),
        force_mark: bool = False,
    ) -> "Session":
        """The next state, with the orders then in hand, and what becomes of the ``desk_files`` with it:
        the commit (P8).

        ``force_mark`` is for the ruling `restore` alone: the mark goes back with the game.
        """
        pending_after = {
            seat: self._with_question(new_state.record, seat, after_new_state(pending))
            for seat, pending in pending_by_seat.items()
        }
        self.folder.store_orders_before(
            new_state.record.n, encode_committed_values(committed_values(self.pending_by_seat))
        )
        self._commit(new_state.record.n, new_state.raw, pending_after, force_mark, desk_files)
        new_session = self.replace(newest=NewestState(new_state.raw, new_state.record))
        if desk_files:
            new_session.__dict__.pop("players", None)
        return new_session.replace(position=new_state.position, pending_by_seat=pending_after)

    def save_before_play(self, raw: bytes, force_mark: bool = False) -> "Session":
        """The next state of a game that had no position yet.

        What the seats were answered is remembered; their answers stand in the state.
        """
        pending_after = {
            seat: PendingOrders(handled=pending.handled, receipts=pending.receipts)
            for seat, pending in self.pending_by_seat.items()
        }
        self._commit(self.record.n + 1, raw, pending_after, force_mark)
        return self.reread().replace(codes_secret=self.codes_secret)  # they may not be kept yet

    def _commit(
        self,
        n: int,
        raw: bytes,
        pending_by_seat: Mapping[str, PendingOrders],
        force_mark: bool,
        desk_files: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        state_hash, game_id = b64(state_hash_of(raw)), self.record.game
        files = {seat: encode_pending(pending) for seat, pending in pending_by_seat.items()}
        self.folder.commit(n, raw, files, lambda: self.home.write_mark(game_id, n, state_hash, force_mark), desk_files)


def unwrap_secret(record: StateRecord, key: RefereeKey) -> bytes:
    """The game's secret, as it is wrapped to a key; Refused ``secret/…``."""
    secret = unwrap(dict(record.wrapped_secrets).get(key.id, b""), key.wrapping)
    if commit_secret(secret) != record.setup.commit:
        why = "the wrapped secret is not the one the genesis names"
        raise Refused("secret/wrong", why, "get the state file again from where it came")
    return secret


def read_pending_before(folder: GameFolder, n: int) -> dict[str, str] | None:
    """By seat what waited before a state; None where it is lost, or damaged. Secret."""
    data = folder.read_orders_before(n)
    with suppress(BadInput):
        return decode_committed_values(data) if data is not None else None
    return None


def label_of(root: Path) -> str:
    """A game's folder's name, fit for a mail's subject."""
    name = "".join(c for c in root.resolve().name if c.isprintable())[:40]
    return name if name and not looks_like_ours(name) else "game"


def decode_desk_value(data: bytes, name: str) -> bytes:
    try:
        return unb64(data.decode("ascii").strip(), 32)
    except (UnicodeDecodeError, PbemError):
        hint = "put it back from a backup, or delete it; pbem makes it again"
        raise BadInput(f"desk/{name}", f"desk/{name} is damaged", hint) from None


def open_session(path: Path, time: str, opened_home: Home | None = None) -> Session:
    """Open the game in a folder as its referee; ``time``: of the command, as in a state."""
    folder = GameFolder(path)
    refuse_no_folder(path)
    home = opened_home or open_home()
    return Session(folder, home, load_key(home, [folder]), time)


def load_key(home: Home, folders: Sequence[GameFolder]) -> RefereeKey:
    """The key of this machine. Where it is missing, games beside it say that there was another."""
    try:
        return load_acting_key(home)
    except BadInput as error:
        if error.code != "key/none" or not any(folder.is_game() for folder in folders):
            raise
        message = f"{error.message}, and the games here were signed with another key"
        hint = "set PBEM_HOME to the folder that holds their key"
        raise BadInput(error.code, message, hint) from None
