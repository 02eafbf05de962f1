"""A game that its referee has open: read it, and save its next state.

Not allowed here: rules, printing, parsing of what players send.
Laws: no other module saves a state; bytes are verified before they are parsed; the newest state
decides, and game.toml is a copy; a command that may write first completes an interrupted save (P8).
Source: docs/DESIGN.md "One game's folder", "One turn"; docs/SPECIFICATION.md section 5 (saving).
"""

import os
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict, Unpack

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
from pbem.disk.folder import CODES_FILE, SECRET_FILE, GameFolder
from pbem.disk.games import refuse_no_folder
from pbem.disk.home import Home
from pbem.engine.rulebook import find_first_sentence, find_paragraph
from pbem.errors import BadInput, Refused
from pbem.mail.identity import looks_like_ours
from pbem.play.pending_file import committed_values, encode_committed_values, encode_pending
from pbem.play.pending_orders import PendingOrders, after_new_state
from pbem.play.reply_codes import code_of
from pbem.report.players import Players
from pbem.services.session.desk import (
    decode_desk_value,
    encode_codes,
    read_codes_secret,
    read_former_codes,
    read_pending,
    read_pending_before,
    read_players,
)
from pbem.services.session.keys import load_acting_key, open_home
from pbem.services.session.newest import NewestState, game_of, not_dealt_error, read_newest

if TYPE_CHECKING:
    from pbem.engine.game import Game

CLOCK_BEHIND = (
    "the clock of this machine says {now}, but state {n} was saved at {then}: set the clock right. "
    "Until then, what you save has the time of that state"
)
HANDED_OVER = "key/handed-over"  #: error code: this referee has handed the game over to another one


class Remembered(NamedTuple):
    """The values that a session has read or computed so far; None: not yet. Secret."""

    position: LoadedGame | None = None
    seals: Seals | None = None
    pending: dict[str, PendingOrders] | None = None
    codes_secret: bytes | None = None
    players: Players | None = None


class SessionFacts(TypedDict, total=False):
    """The facts that `Session.replace` can change."""

    folder: GameFolder
    time: str
    trusted_key: bytes
    label: str
    secret: bytes
    restore_undecided: bool
    completed_interrupted_save: bool
    newest: NewestState
    remembered: Remembered


class Session:
    """One game as its referee has it open, at one moment. Secret: never print it whole.

    A session does not change: methods that change the game return a new session. Values are read
    from the folder when they are first needed, and remembered.
    """

    def __init__(
        self, folder: GameFolder, home: Home, key: RefereeKey, time: str, trusted_key: bytes | None = None
    ) -> None:
        """Read the newest state. ``time``: when the command started.

        ``trusted_key``: the public key of a past or present referee of this game, if that is not ``key``.
        """
        self.folder: Final = folder
        self.home: Final = home
        self.key: Final = key
        self.time = time
        self.remembered = Remembered()
        self.trusted_key: Final = trusted_key or key.public
        #: what the referee should know, such as lost files; shared with all copies of this session
        self.notes: Final[list[str]] = []
        #: whether this command wrote reports that an interrupted command had not written
        self.completed_interrupted_save: Final = False
        #: whether the game was restored and the referee has not said yet if newer states are lost
        self.restore_undecided: Final = False
        self.label: Final = label_of(folder.root)
        self.newest: Final = self._read_newest()
        if time < self.record.time:
            self.notes.append(CLOCK_BEHIND.format(now=time, n=self.record.n, then=self.record.time))
            self.time = self.record.time

    def replace(self, **facts: Unpack[SessionFacts]) -> "Session":
        """Return the same game with these facts changed."""
        copied_session = copy(self)
        copied_session.__dict__.update(facts)
        return copied_session

    def _with_newest(self, newest: NewestState) -> "Session":
        """Return the same game at another newest state. Values that followed from the old state are forgotten."""
        remembered = self.remembered._replace(position=None, seals=None, pending=None)
        # another command may have saved a state while this one waited
        time = max(self.time, newest.record.time)
        return self.replace(newest=newest, time=time, remembered=remembered)

    def reread(self) -> "Session":
        """Return the game and its desk as they are on the drive now."""
        # this compares two states only, so its cost does not grow with the game
        n, raw = self.record.n, self.newest.raw
        is_same_state = self.folder.read_newest() == raw and self.folder.read_state(n) == raw
        is_unchanged = is_same_state and not self.folder.has_state(n + 1)
        session = self if is_unchanged else self._with_newest(self._read_newest())
        remembered = session.remembered._replace(pending=None, codes_secret=None, players=None)
        return session.replace(remembered=remembered)

    def _read_newest(self) -> NewestState:
        """Read the newest state. The error says what to do if another key signed it."""
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

    @property
    def record(self) -> StateRecord:
        return self.newest.record

    @cached_property
    def game(self) -> "Game":
        return check_config(game_of(self.record), self.record)

    @cached_property
    def secret(self) -> bytes:
        """The game's secret, from desk/ or, if it is lost there, decrypted from the state with our key."""
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

    @property
    def position(self) -> LoadedGame:
        """The game at its newest state. Raises Refused if it is not dealt."""
        position = self.remembered.position
        if position is None:
            if not self.record.is_dealt:
                raise not_dealt_error(self.record)
            position = open_record(self.record, state_hash_of(self.newest.raw), self.seals, self.game)
            self.remembered = self.remembered._replace(position=position)
        return position

    @cached_property
    def rules(self) -> str:
        """The text of the game's RULES.md."""
        return catalog.read_rules(self.game.kind)

    def rule(self, number: str) -> str:
        """Return the full paragraph of a numbered rule; "" if there is none."""
        return find_paragraph(self.rules, number) or ""

    def rule_summary(self, number: str) -> str:
        """Return the first sentence of a numbered rule, as reports quote it; "" if there is none."""
        return find_first_sentence(self.rules, number) or ""

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The template folders of the game if it is a plug-in; else ()."""
        return catalog.template_folders(self.game.kind)

    @property
    def seals(self) -> Seals:
        """What seals and opens the hidden values of the newest state."""
        seals = self.remembered.seals
        if seals is None:
            seals = self.seals_of(self.record)
            self.remembered = self.remembered._replace(seals=seals)
        return seals

    def seals_of(self, record: StateRecord) -> Seals:
        """Return what seals and opens the hidden values of any state of this game."""
        return Seals(self.secret, record.game, record.n, unb64(record.previous_hash, 32))

    @property
    def codes_secret(self) -> bytes:
        """The secret from which the valid reply codes are derived; b"" if it is lost."""
        secret = self.remembered.codes_secret
        if secret is None:
            secret = read_codes_secret(self.folder)
            self.remembered = self.remembered._replace(codes_secret=secret)
        return secret

    @property
    def needs_new_codes(self) -> bool:
        """Whether the reply codes are lost, or another referee of this game made them, who may still
        have them in a backup.
        """
        data = self.folder.read_desk_file(CODES_FILE)
        return data is None or (self.is_acting_referee and data.split()[1:] != [self.key.id.encode()])

    @property
    def is_acting_referee(self) -> bool:
        """Whether our key signs the next state."""
        return keys_in_force(self.record.referees, self.record.n + 1).acting == self.key.public

    @property
    def was_handed_over(self) -> bool:
        """Whether our key was in force once, and another key signs the next state."""
        return not self.is_acting_referee and any(row.acting == self.key.public for row in self.record.referees)

    @property
    def former_codes(self) -> tuple[bytes, ...]:
        """The secrets of void reply codes, which pbem only uses to recognise an old email."""
        return read_former_codes(self.folder)

    @property
    def known_codes(self) -> tuple[bytes, ...]:
        """The secrets of all reply codes that an email may have, valid ones first."""
        return tuple(filter(None, (self.codes_secret, *self.former_codes)))

    @property
    def players(self) -> Players:
        """The players and the referee, with their addresses, from desk/players.toml."""
        people = self.remembered.players
        if people is None:
            people = read_players(self.folder, self.record)
            self.remembered = self.remembered._replace(players=people)
        return people

    @property
    def pending_by_seat(self) -> dict[str, PendingOrders]:
        """The pending orders of every seat. Only their player may see them."""
        pending_by_seat = self.remembered.pending
        if pending_by_seat is None:
            pending_by_seat = read_pending(self.folder, self.record)
            self.remembered = self.remembered._replace(pending=pending_by_seat)
        return pending_by_seat

    @property
    def pending_before(self) -> dict[str, str]:
        """The pending orders of every seat before the newest state; {} if they are lost. Secret."""
        return read_pending_before(self.folder, self.record.n) or {}

    def code(self, seat: str) -> str:
        """Return the reply code of a seat's question, or of its next question if it is asked nothing now."""
        question = dict(self.record.answer_counts)[seat] if self.record.is_dealt else self.record.phase
        return code_of(self.codes_secret, self.record.game, seat, question)

    def make_new_codes(self) -> tuple["Session", dict[str, bytes]]:
        """Void every reply code. Returns the session with new codes, and the desk files to write.

        The new codes count once those files are written. The files hold the void codes too, so that
        pbem recognises an email with a void code.
        """
        new_secret = os.urandom(32)
        files = encode_codes(new_secret, self.key.id, (*self.former_codes, self.codes_secret))
        return self.replace(remembered=self.remembered._replace(codes_secret=new_secret)), files

    def store_pending(self, seat: str, pending: PendingOrders) -> "Session":
        """Write a seat's pending orders, and return the session with them. They are on the drive then."""
        dated_pending = _with_question(self.record, seat, pending)
        self.folder.put_pending(self.record.n, seat, encode_pending(dated_pending))
        pending_by_seat = {**self.pending_by_seat, seat: dated_pending}
        return self.replace(remembered=self.remembered._replace(pending=pending_by_seat))

    def save(
        self,
        new_state: NewState,
        pending_by_seat: Mapping[str, PendingOrders],
        desk_files: Mapping[str, bytes] = MappingProxyType({}),
        force_mark: bool = False,
    ) -> "Session":
        """Save the next state, its pending orders and ``desk_files`` in one commit (P8).

        ``force_mark``: this machine's note of the newest state may go back, as the ruling `restore` does.
        """
        pending_after = {
            seat: _with_question(new_state.record, seat, after_new_state(pending))
            for seat, pending in pending_by_seat.items()
        }
        self.folder.store_orders_before(
            new_state.record.n, encode_committed_values(committed_values(self.pending_by_seat))
        )
        self._commit(new_state.record.n, new_state.raw, pending_after, force_mark, desk_files)
        new_session = self._with_newest(NewestState(new_state.raw, new_state.record))
        remembered = new_session.remembered._replace(position=new_state.position, pending=pending_after)
        if desk_files:
            remembered = remembered._replace(players=None)
        return new_session.replace(remembered=remembered)

    def save_before_play(self, raw: bytes, force_mark: bool = False) -> "Session":
        """Save the next state of a game that was not dealt before.

        The answers of the seats are in the state. Only what was already handled stays pending.
        """
        pending_after = {
            seat: PendingOrders(handled_marks=pending.handled_marks, receipt_count=pending.receipt_count)
            for seat, pending in self.pending_by_seat.items()
        }
        self._commit(self.record.n + 1, raw, pending_after, force_mark)
        codes_secret = self.codes_secret  # new codes may not be on the drive yet
        new_session = self.reread()
        return new_session.replace(remembered=new_session.remembered._replace(codes_secret=codes_secret))

    def _commit(
        self,
        n: int,
        raw: bytes,
        pending_by_seat: Mapping[str, PendingOrders],
        force_mark: bool,
        desk_files: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        """Write state ``n`` with these files, and note in the home that this machine has seen it."""
        state_hash = b64(state_hash_of(raw))
        game_id = self.record.game
        files = {seat: encode_pending(pending) for seat, pending in pending_by_seat.items()}
        self.folder.commit(n, raw, files, lambda: self.home.write_mark(game_id, n, state_hash, force_mark), desk_files)


def _with_question(record: StateRecord, seat: str, pending: PendingOrders) -> PendingOrders:
    """Return pending orders that note how many questions the seat had answered, if its player has a key."""
    if not record.is_dealt or not record.player(seat).method.key:
        return pending
    return pending._replace(answered_count=dict(record.answer_counts)[seat])


def unwrap_secret(record: StateRecord, key: RefereeKey) -> bytes:
    """Decrypt the game's secret with a referee's key. Raises Refused ``secret/wrong`` if it does not fit the game."""
    secret = unwrap(dict(record.wrapped_secrets).get(key.id, b""), key.wrapping)
    if commit_secret(secret) != record.setup.commit:
        why = "the wrapped secret is not the one the genesis names"
        raise Refused("secret/wrong", why, "get the state file again from where it came")
    return secret


def label_of(root: Path) -> str:
    """Return the name of a game's folder as the subject of an email can hold it, or "game"."""
    name = "".join(c for c in root.resolve().name if c.isprintable())[:40]
    return name if name and not looks_like_ours(name) else "game"


def open_session(path: Path, time: str, opened_home: Home | None = None) -> Session:
    """Open the game in a folder as its referee. ``time``: when the command started."""
    folder = GameFolder(path)
    refuse_no_folder(path)
    home = opened_home or open_home()
    return Session(folder, home, load_key(home, [folder]), time)


def load_key(home: Home, folders: Sequence[GameFolder]) -> RefereeKey:
    """Return the acting key of this home. Raises BadInput ``key/none`` if there is none. It says that another
    key signed the games, if there are any in these folders.
    """
    try:
        return load_acting_key(home)
    except BadInput as error:
        if error.code != "key/none" or not any(folder.is_game() for folder in folders):
            raise
        message = f"{error.message}, and the games here were signed with another key"
        raise BadInput(error.code, message, "set PBEM_HOME to the folder that holds their key") from None
