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
from pbem.chain.loaded_game import Made, LoadedGame, Seals, opened
from pbem.chain.plausible import settled
from pbem.chain.referees import in_force
from pbem.chain.signed_state import head_of
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import unwrap
from pbem.crypto.tokens import commit_secret
from pbem.disk.folder import CODES, FORMER, PLAYERS, SECRET, GameFolder
from pbem.disk.games import refuse_no_folder
from pbem.disk.home import Home
from pbem.engine.rulebook import first_sentence, paragraph
from pbem.errors import BadInput, PbemError, Refused, naming
from pbem.mail.set_apart import passes_for_ours
from pbem.play.pending_file import (
    HAND_LOST,
    decode_hand,
    decode_values,
    encode_hand,
    encode_values,
    hand_values,
)
from pbem.play.pending_orders import Hand, after_link
from pbem.play.reply_codes import code_of
from pbem.report import players
from pbem.report.players import Players
from pbem.services.session.keys import the_home, the_key
from pbem.services.session.newest import Newest, newest, not_dealt, playing

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: in a chain, time never falls
BEHIND = (
    "the clock of this machine says {now}, but state {n} was saved at {then}: set the clock right. "
    "Until then, what you save has the time of that state"
)
MOST_FORMER = 4  #: times that a game went on from an older state, of which the codes are known


HANDED_OVER = "key/handed-over"  #: code of a refusal: another key has the game, from ours


class Session:
    """One game as its referee has it open, at one moment. Holds its secrets: never printed whole.

    Nothing is written into it: what changes the game gives another Session, and the one before
    stays what it was. What it is asked for is found once.
    """

    def __init__(
        self,
        folder: GameFolder,
        home: Home,
        key: RefereeKey,
        time: str,
        trusted: bytes | None = None,
    ) -> None:
        """``time``: of the command, as in a state. ``trusted``: the public key of a referee of this
        game, now or once; else that of ``key``.
        """
        self.folder: Final = folder
        self.home: Final = home
        self.key: Final = key
        self.time = time
        self.trusted: Final = trusted or key.public
        #: what the referee should know: lost things, a new machine; shared by all that come of it
        self.notes: Final[list[str]] = []
        #: whether the newest state was told by this command alone, for the one before was cut short
        self.cut_short: Final = False
        #: whether it was restored, and the referee has not said whether newer states are lost
        self.undecided: Final = False
        self.label: Final = label_of(folder.root)
        self.newest: Final = self._read_newest()
        self.link: Final = self.newest.link
        if time < self.link.time:
            self.notes.append(BEHIND.format(now=time, n=self.link.n, then=self.link.time))
            self.time = self.link.time

    def replace(self, **facts: Any) -> "Session":
        """The same game with other facts, by name; what follows from ``newest`` is found again."""
        fresh = copy(self)
        if "newest" in facts:
            facts["link"] = facts["newest"].link
            # while this command waited, another one may have saved a state
            facts.setdefault("time", max(self.time, facts["link"].time))
            for name in ("position", "hands", "seals"):
                fresh.__dict__.pop(name, None)
        fresh.__dict__.update(facts)
        return fresh

    def reread(self) -> "Session":
        """The game and its desk as they are now; what follows from the newest state stays known."""
        # no other name than its own and the next: what this costs does not grow with the game
        n, raw, folder = self.link.n, self.newest.raw, self.folder
        same = folder.newest_file() == raw and folder.state(n) == raw
        changed = not same or folder.has_state(n + 1)
        fresh = self.replace(newest=self._read_newest()) if changed else self.replace()
        for name in ("hands", "codes_secret", "players"):
            fresh.__dict__.pop(name, None)
        return fresh

    def _read_newest(self) -> Newest:
        try:
            return newest(self.folder, self.trusted)
        except Refused as error:
            if error.code != "state/other-key" or self.trusted != self.key.public:
                raise
            way = (
                "run this where that key is (PBEM_HOME); if it is lost: "
                f"pbem amend {self.folder.root} keys --recover FILE, with the recovery key's file"
            )
            raise Refused(error.code, error.message, way) from None

    @cached_property
    def game(self) -> "Game":
        return settled(playing(self.link), self.link)

    @cached_property
    def secret(self) -> bytes:
        """The game's secret S: the copy in desk/, or unwrapped with our key (then kept again)."""
        data = self.folder.desk_file(SECRET)
        if data is not None:
            secret = encoded(data, SECRET)
            if commit_secret(secret) == self.link.setup.commit:
                return secret
            self.notes.append(
                "desk/secret was not this game's secret; pbem restored it from the state"
            )
        if self.key.id not in dict(self.link.wraps):
            why = "the game's secret is not wrapped to this key"
            raise Refused("secret/not-ours", why, "use the key of the game's referee")
        return unwrapped(self.link, self.key)

    @cached_property
    def position(self) -> LoadedGame:
        if not self.link.dealt:
            raise not_dealt(self.link)
        return opened(self.link, head_of(self.newest.raw), self.seals, self.game)

    @cached_property
    def rules(self) -> str:
        """RULES.md of the game."""
        return catalog.rules(self.game.kind)

    def rule(self, number: str) -> str:
        """The whole paragraph of a ruling, "" if there is none of this number."""
        return paragraph(self.rules, number) or ""

    def rule_in_short(self, number: str) -> str:
        """Its first sentence: its line at a report's foot."""
        return first_sentence(self.rules, number) or ""

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The folders of templates that the game brings along, if it is a plug-in."""
        return catalog.templates(self.game.kind)

    @cached_property
    def seals(self) -> Seals:
        """The Seals of the newest link."""
        return self.seals_of(self.link)

    def seals_of(self, record: StateRecord) -> Seals:
        """Those of any link of the game."""
        return Seals(self.secret, record.game, record.n, unb64(record.prev, 32))

    @cached_property
    def codes_secret(self) -> bytes:
        data = self.folder.desk_file(CODES)
        return encoded(data.partition(b" ")[0], CODES) if data is not None else b""

    @property
    def void_codes(self) -> bool:
        """Whether the reply codes are lost, or known to a referee before: where this key signs the
        next state and did not make them. A thief of an old backup has those too.
        """
        data = self.folder.desk_file(CODES)
        return data is None or (self.acts and data.split()[1:] != [self.key.id.encode()])

    @property
    def acts(self) -> bool:
        """Whether our key signs the next state."""
        return in_force(self.link.referees, self.link.n + 1).acting == self.key.public

    @property
    def handed_over(self) -> bool:
        """Whether another key does, to which ours, or one after ours, gave the game."""
        return not self.acts and any(x.acting == self.key.public for x in self.link.referees)

    @property
    def former_codes(self) -> tuple[bytes, ...]:
        """The secrets of codes that are void, for nothing but to know a mail that has one."""
        rows = (self.folder.desk_file(FORMER) or b"").splitlines()
        return tuple(encoded(row, FORMER) for row in rows)

    @property
    def known_codes(self) -> tuple[bytes, ...]:
        """The secrets of all codes that may stand in an email, the newest first."""
        return tuple(filter(None, (self.codes_secret, *self.former_codes)))

    @cached_property
    def players(self) -> Players:
        data = self.folder.desk_file(PLAYERS)
        if data is None:
            setup = self.link.setup
            return players.unknown(dict(zip(setup.seats, self.link.names, strict=True)))
        return players.decode(data, self.link.setup.seats)

    @cached_property
    def hands(self) -> dict[str, Hand]:
        """Orders in hand by seat. Each is its player's secret."""
        found = self.folder.hand(self.link.n)
        hands = {seat: Hand() for seat in self.link.setup.seats}
        for seat in hands.keys() & found.keys():
            with naming(f"desk/hand/{self.link.n}/{seat}.toml", HAND_LOST):
                hands[seat] = decode_hand(found[seat], seat)
        return hands

    @property
    def had(self) -> dict[str, str]:
        """By seat what waited before the newest state, as far as the desk has it. Secret."""
        return values_kept(self.folder, self.link.n) or {}

    def code(self, seat: str) -> str:
        """The code of the question now open (or next to be open) to a seat."""
        question = dict(self.link.answered)[seat] if self.link.dealt else self.link.phase
        return code_of(self.codes_secret, self.link.game, seat, question)

    def with_new_codes(self) -> tuple["Session", dict[str, bytes]]:
        """Void every reply code there is: the next reports bring new ones, which count when these
        files are in the desk: their secret and by whose key it was made, and the void ones, so that
        an email that has one can be told so.
        """
        rows = [b64(secret) for secret in (*self.former_codes, self.codes_secret) if secret]
        kept = [*dict.fromkeys(rows)][-MOST_FORMER:]
        former = {FORMER: "".join(f"{row}\n" for row in kept).encode()} if kept else {}
        fresh = self.replace(codes_secret=os.urandom(32))
        return fresh, {CODES: f"{b64(fresh.codes_secret)} {self.key.id}\n".encode(), **former}

    def with_hand(self, seat: str, orders: Hand) -> "Session":
        """Keep a seat's orders, durably."""
        dated = self._dated(self.link, seat, orders)
        self.folder.put_hand(self.link.n, seat, encode_hand(dated))
        return self.replace(hands={**self.hands, seat: dated})

    @staticmethod
    def _dated(record: StateRecord, seat: str, orders: Hand) -> Hand:
        """A hand says at which question of its seat it was written, where lines are counted."""
        if not record.dealt or not record.player(seat).way.key:
            return orders
        return orders._replace(answered=dict(record.answered)[seat])

    def saved(
        self,
        made: Made,
        hands: Mapping[str, Hand],
        desk: Mapping[str, bytes] = MappingProxyType({}),
        force_mark: bool = False,
    ) -> "Session":
        """The next state, with the orders then in hand, and what becomes of the ``desk`` with it:
        the commit (P8).

        ``force_mark`` is for the ruling `restore` alone: the mark goes back with the game.
        """
        kept = {
            seat: self._dated(made.link, seat, after_link(orders)) for seat, orders in hands.items()
        }
        self.folder.keep_hands(made.link.n, encode_values(hand_values(self.hands)))
        self._commit(made.link.n, made.raw, kept, force_mark, desk)
        fresh = self.replace(newest=Newest(made.raw, made.link))
        if desk:
            fresh.__dict__.pop("players", None)
        return fresh.replace(position=made.position, hands=kept)

    def saved_before_play(self, raw: bytes, force_mark: bool = False) -> "Session":
        """The next state of a game that had no position yet.

        What the seats were answered is remembered; their answers stand in the state.
        """
        kept = {
            seat: Hand(handled=orders.handled, receipts=orders.receipts)
            for seat, orders in self.hands.items()
        }
        self._commit(self.link.n + 1, raw, kept, force_mark)
        return self.reread().replace(codes_secret=self.codes_secret)  # they may not be kept yet

    def _commit(
        self,
        n: int,
        raw: bytes,
        hands: Mapping[str, Hand],
        force_mark: bool,
        desk: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        head, game = b64(head_of(raw)), self.link.game
        data = {seat: encode_hand(orders) for seat, orders in hands.items()}
        self.folder.commit(
            n, raw, data, lambda: self.home.write_mark(game, n, head, force_mark), desk
        )


def unwrapped(record: StateRecord, key: RefereeKey) -> bytes:
    """The game's secret, as it is wrapped to a key; Refused ``secret/…``."""
    secret = unwrap(dict(record.wraps).get(key.id, b""), key.wrapping)
    if commit_secret(secret) != record.setup.commit:
        why = "the wrapped secret is not the one the genesis names"
        raise Refused("secret/wrong", why, "get the state file again from where it came")
    return secret


def values_kept(folder: GameFolder, n: int) -> dict[str, str] | None:
    """By seat what waited before a state; None where it is lost, or damaged. Secret."""
    data = folder.kept_hands(n)
    with suppress(BadInput):
        return decode_values(data) if data is not None else None
    return None


def label_of(root: Path) -> str:
    """A game's folder's name, fit for a mail's subject."""
    name = "".join(c for c in root.resolve().name if c.isprintable())[:40]
    return name if name and not passes_for_ours(name) else "game"


def encoded(data: bytes, name: str) -> bytes:
    try:
        return unb64(data.decode("ascii").strip(), 32)
    except (UnicodeDecodeError, PbemError):
        way = "put it back from a backup, or delete it; pbem makes it again"
        raise BadInput(f"desk/{name}", f"desk/{name} is damaged", way) from None


def open_session(path: Path, time: str, place: Home | None = None) -> Session:
    """Open the game in a folder as its referee; ``time``: of the command, as in a state."""
    folder = GameFolder(path)
    refuse_no_folder(path)
    home = place or the_home()
    return Session(folder, home, key_for(home, [folder]), time)


def key_for(place: Home, folders: Sequence[GameFolder]) -> RefereeKey:
    """The key of this machine. Where it is missing, games beside it say that there was another."""
    try:
        return the_key(place)
    except BadInput as error:
        if error.code != "key/none" or not any(folder.is_game() for folder in folders):
            raise
        message = f"{error.message}, and the games here were signed with another key"
        way = "set PBEM_HOME to the folder that holds their key"
        raise BadInput(error.code, message, way) from None
