"""Who signs, who sits where, what each is identified by, and what each gave to the deal.

What lives here: rows of a state; the two tables of how a player is identified and how an order
came. It is the only place that knows a way by its name: code reads a switch of ``Seated.way`` or of
``SOURCES``, and what players read of a way is in ``templates/identified.txt``.
What must never be here: an address, a password, anything that a stranger may not read.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md sections 6 and 9.
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, may_sign, may_wrap, sign, verify
from pbem.engine.settings import SPECTATORS
from pbem.errors import BadInput, Refused
from pbem.moderator.chain.clock import instant
from pbem.moderator.chain.rows import (
    AGAIN,
    BYTES_32,
    BYTES_64,
    NAME,
    NUMBER,
    WORD,
    Cell,
    Shape,
    among,
    or_dash,
    words,
)


class Source(NamedTuple):
    """How an order came into a state. All may know it."""

    name: str  #: in a state
    proof: str  #: in a transcript: whose word there is for it
    counted: str = ""  #: in an audit, behind a number; "" for what is not the referee's word
    screen: str = ""  #: for the referee, when it is played; "" where nothing is said of it
    given: bool = False  #: it was answered for the player, by the rules
    missed: bool = False  #: it was answered because the turn was missed
    answered: str = ""  #: the ruling by which it was answered for the player

    @property
    def own(self) -> bool:
        """Whether it is the player's doing; of some that is the referee's word."""
        return not self.given and not self.missed


SIGNED: Final = Source("signed", "signed by the player", screen="signed")
REPLIED: Final = Source("reply", "by reply, the referee's word", "by reply")
WITH_PASSWORD: Final = Source(
    "password", "by password, the referee's word", "by password", "by password"
)
BY_REFEREE: Final = Source(
    "typed", "typed by the referee, their word", "typed by the referee", "typed by you"
)
_ONLY, _MISSED = "nothing else was possible", "the turn was missed"
FORCED: Final = Source("forced", _ONLY, screen=_ONLY, given=True, answered="R-1")
DEFAULT: Final = Source(
    "default", _MISSED, screen="by default", given=True, missed=True, answered="R-2"
)
RULED: Final = Source("ruling", "by a ruling", given=True)

BY_BOT: Final = Source("bot", "chosen by a bot", "chosen by a bot", "by a bot", missed=True)

SOURCES: Final = {
    source.name: source
    for source in (SIGNED, REPLIED, WITH_PASSWORD, BY_REFEREE, FORCED, DEFAULT, RULED)
}
#: ``bot:NAME:VERSION``
BOT_SOURCE: Final = re.compile(r"bot:[A-Za-z0-9._-]{1,60}:[A-Za-z0-9.+!-]{1,30}")


def source_of(name: str) -> Source:
    """That of an entry; KeyError where there is none of that name."""
    return BY_BOT if BOT_SOURCE.fullmatch(name) else SOURCES[name]


class Way(NamedTuple):
    """What a player is identified by."""

    name: str  #: in a state, and behind ``--known``
    by: str  #: for all to read: "identified by …"
    sources: tuple[str, ...]  #: how an order of its player may come; their own email first
    key: bool = False  #: they join with a key, and only what they sign counts
    password: bool = False  #: it needs an address for the password, and counts before the deal too
    code: bool = False  #: from the deal on, the code of an email is proof enough

    @property
    def said(self) -> str:
        """For all to read."""
        return f"identified by {self.by}"


KEY: Final = Way("key", "a key", (SIGNED.name,), key=True)
REPLY: Final = Way("reply", "the code in each email", (REPLIED.name, BY_REFEREE.name), code=True)
PASSWORD: Final = Way(
    "password", "a password", (WITH_PASSWORD.name, BY_REFEREE.name), password=True
)
TYPED: Final = Way("typed", "the referee's word", (BY_REFEREE.name,))

WAYS: Final = {way.name: way for way in (KEY, REPLY, PASSWORD, TYPED)}


def read_time(text: str, n: int) -> str:
    """The time of state ``n``, if it is one; BadInput ``document/time``."""
    try:
        return instant(text)
    except ValueError:
        wrong = f"state {n}: its time is not like 2026-11-21T09:45:00Z"
        raise BadInput("document/time", wrong, AGAIN) from None


ACTING, RECOVERY = "acting", "recovery"
#: who appointed a referee, in words
APPOINTED = {ACTING: "by the referee before", RECOVERY: "by the recovery key"}


class Referees(NamedTuple):
    """The keys from state ``since`` on: of each referee the Ed25519 and the X25519 half."""

    since: int
    acting: bytes
    acting_wrap: bytes
    recovery: bytes
    recovery_wrap: bytes
    by: str = ""  #: which key of the row before signed it; "" in the genesis
    sig: bytes = b""

    def signed_by(self, by: str, key: PrivateKey, game: str) -> "Referees":
        """The row with its signature; ``key`` is that which ``by`` names."""
        return self._replace(by=by, sig=sign(key, "keys", *self._parts(game)))

    def _parts(self, game: str) -> tuple[str | int | bytes, ...]:
        keys = (self.acting, self.acting_wrap, self.recovery, self.recovery_wrap)
        return (game, self.since, *keys)

    def follows(self, before: "Referees", game: str) -> bool:
        """Whether this row may come after that one: later, signed, and no more than it may.

        A recovery may be of the state for which the row before was made: else whoever has stolen an
        acting key, and hands over in each state, could never be stopped.
        """
        later = self.since >= before.since + (self.by == ACTING)
        if not later or self.by not in (ACTING, RECOVERY):
            return False
        kept = (before.recovery, before.recovery_wrap)
        if self.by == ACTING and (self.recovery, self.recovery_wrap) != kept:
            return False
        signer = before.acting if self.by == ACTING else before.recovery
        return verify(signer, "keys", self.sig, *self._parts(game))


def _key(good: Callable[[bytes], bool]) -> Cell:
    """A public key, and none that is anybody's."""

    def read(text: str) -> bytes:
        if not good(key := unb64(text, 32)):
            raise ValueError(text)
        return key

    return Cell(b64, read)


SIGNS, WRAPS_TO = _key(may_sign), _key(may_wrap)
REFEREES = Shape(
    "referees",
    Referees,
    ("since", NUMBER),
    ("acting-sign", SIGNS),
    ("acting-wrap", WRAPS_TO),
    ("recovery-sign", SIGNS),
    ("recovery-wrap", WRAPS_TO),
    ("by", or_dash(WORD, "")),
    ("sig", or_dash(BYTES_64, b"")),
    # a recovery key that is used each day recovers nothing
    check=lambda row: row.acting != row.recovery and row.acting_wrap != row.recovery_wrap,
)


def in_force(rows: tuple[Referees, ...], n: int) -> Referees:
    """The row by which state ``n`` is signed: of two that began together, the later one."""
    return max((row for row in reversed(rows) if row.since <= n), key=lambda row: row.since)


def wrong_succession(
    rows: tuple[Referees, ...], before: tuple[Referees, ...] | None, game: str, n: int
) -> str:
    """What is wrong with the rows of state ``n``, after those of the state before; "" if nothing.

    Without the state before (None), each row must follow the one above it from the genesis on.
    """
    known = rows[:1] if before is None else before
    if not rows or rows[: len(known)] != known or rows[0].since or rows[0].by:
        return "changes the referees of the past"
    if before is not None and len(rows) > len(known) + 1:
        return "appoints two referees at once"
    last = known[-1]
    for row in rows[len(known) :]:
        if not row.follows(last, game):
            return "names a referee whom no referee before him appointed"
        if before is not None and row.since != n + (row.by == ACTING):
            return "appoints a referee for another state than the next"
        last = row
    return ""


def refuse_wrong(rows: tuple[Referees, ...], game: str, n: int) -> None:
    """Refused ``state/referees`` where a state names referees that nobody appointed."""
    wrong = wrong_succession(rows, None, game, n)
    if not n and rows[1:]:
        wrong = "names more than its first referees"
    if wrong:
        hint = "somebody else wrote it; compare it with the copies of others"
        raise Refused("state/referees", f"state {n} {wrong}", hint)


SEALED, PLAIN, NONE = "key", "plain", "none"  #: what a seat gave, in the roster
OPENED = "opened"  #: what was sealed, from the deal on
CLASSES = (OPENED, PLAIN, NONE)  #: of contributions, from the deal on
#: all of these in words
GAVE = {
    SEALED: "sealed, not opened",
    OPENED: "bound and opened",
    PLAIN: "a plain line",
    NONE: "nothing",
}


class Seated(NamedTuple):
    """The player at a seat; ``key`` is b"" where they are not identified by one."""

    seat: str
    identified: str  #: by what: the name of a way
    key: bytes  #: b"" too in the genesis, for a seat whose player must join with a key
    since: int  #: orders count that were written for this state or a later one
    name: str

    @property
    def way(self) -> Way:
        return WAYS[self.identified]

    @property
    def shown(self) -> str:
        """Name and colour, as the referee reads them: ``Ann (red)``."""
        return f"{self.name} ({self.seat})"


LONGEST_NAME = 60
#: letters and marks that nobody sees, places of more of them, and what is no character for good
_NO_LETTERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    f"\U000e0080-\U000e0fff{''.join(chr(0x10000 * n - i) for n in range(1, 18) for i in (1, 2))}]"
)
#: whom else than a player an email or a report may name
NOT_NAMES = ("all", "referee", "neutral", SPECTATORS)


def _unknown(name: str) -> set[str]:
    """Its characters that are none yet in the Unicode of this Python."""
    return {letter for letter in name if unicodedata.category(letter) == "Cn"}


def not_checked(names: Iterable[str]) -> str:
    """What is to be said of names that have such a character; "" where none has."""
    odd = next(filter(_unknown, names), "")
    version = unicodedata.unidata_version
    return (
        f"the name {odd!r} is not checked: it is of a newer Unicode than {version}" if odd else ""
    )


def fits_as_name(name: str, unknown: bool = False) -> bool:
    """Letters, marks, numbers and punctuation, apart by single blanks, and not punctuation alone.

    What cannot be seen would make two names of one. ``unknown``: with characters that may be such.
    """
    seen = "".join(name.split(" "))
    odd = _unknown(name) if unknown else ""
    kinds = {"L" if letter in odd else unicodedata.category(letter)[0] for letter in seen}
    whole = "  " not in name and name.strip(" ") == name and not _NO_LETTERS.search(seen)
    fits = kinds <= {*"LMNP"} and bool(kinds & {*"LN"})
    return fits and whole and len(name) <= LONGEST_NAME and unicodedata.is_normalized("NFC", name)


@functools.lru_cache(8)  # a chain has the same players in every state
def wrong_names(names: tuple[str, ...], seats: tuple[str, ...]) -> str:
    """What is wrong with the names of the players of these ``seats``; "" if nothing."""
    taken = {alike(name): name for name in (*NOT_NAMES, *seats)}
    for name in names:
        if not fits_as_name(name, unknown=True):
            return f"a player cannot be called {name[:LONGEST_NAME]!r}"
        if alike(name) in taken:
            other = taken[alike(name)]
            if other == name:
                return f"two players are called {name!r}"
            return f"a player cannot be called {name!r}: it reads like {other!r}"
        taken[alike(name)] = name
    return ""


def alike(name: str) -> str:
    """The same for all names that differ in capitals alone."""
    return unicodedata.normalize("NFC", name.casefold())


def meant(given: str, names: Iterable[str]) -> list[str]:
    """The names that somebody may mean: the one that reads the same, else all that have these whole
    words in a row: "Ann" for "Ann Lee". A name as people type it is told by this alone.
    """
    words = " ".join(alike(given).split())
    found = {name: alike(name) for name in names}
    same = [name for name, read in found.items() if read == words]
    return same or [name for name, read in found.items() if words and f" {words} " in f" {read} "]


def seat_among(people: Mapping[str, str], given: str, *others: str) -> str:
    """The seat that is meant by its colour or by its player's name; or one of ``others``.

    ``people``: the names of those who may be named, by seat. BadInput ``players/seat``.
    """
    word = given.strip().lower()
    if word in (*people, *others):
        return word
    fit = meant(given, people.values())
    seats = [seat for seat, name in people.items() if name in fit]
    if len(seats) == 1:
        return seats[0]
    shown = ", ".join(f"{people[seat]} ({seat})" for seat in seats or people)
    if seats:
        why = f"{given[:60]!r} may be {' or '.join(shown.split(', '))}"
        raise BadInput("players/seat", why, "give the colour, or the whole name")
    why = f"there is no seat {given[:20]!r} in this game"
    raise BadInput("players/seat", why, f"the seats are {', '.join((shown, *others))}")


PEOPLE = Shape(
    "people",
    Seated,
    ("seat", WORD),
    ("known", among(WAYS)),
    ("key", or_dash(SIGNS, b"")),
    ("since", NUMBER),
    ("name", NAME),
    check=lambda player: player.way.key or not player.key,
)


class Joined(NamedTuple):
    """What a seat answered to the invitation: a key with a commitment, a plain line, or nothing."""

    seat: str
    gave: str
    key: bytes = b""
    commitment: bytes = b""
    sig: bytes = b""
    text: str = ""

    @property
    def sealed(self) -> bool:
        """Whether they joined with a key, and what they gave is sealed."""
        return self.gave == SEALED

    @property
    def given(self) -> str:
        """The class of the contribution that a deal has of it."""
        return OPENED if self.sealed else self.gave

    def row(self) -> str:
        if self.sealed:
            parts = b64(self.key), b64(self.commitment), b64(self.sig)
            return " ".join((self.seat, self.gave, *parts))
        return f"{self.seat} {self.gave} {self.text}".rstrip(" ")


def read_joined(row: str) -> Joined:
    """Read it back; ValueError or BadInput where it is none."""
    seat, gave, *rest = row.split(" ", 2)
    if gave == SEALED:
        key, commitment, sig = rest[0].split(" ")
        return Joined(seat, gave, unb64(key, 32), unb64(commitment, 32), unb64(sig, 64))
    if gave not in (PLAIN, NONE) or (gave == PLAIN) != bool(rest):
        raise ValueError(row)
    return Joined(seat, gave, text=words(rest[0]) if rest else "")


class Opened(NamedTuple):
    """A contribution, opened: 32 bytes, signed with the key of its seat."""

    seat: str
    r: bytes
    sig: bytes


OPENED_ROW = Shape("opened", Opened, ("seat", WORD), ("r", BYTES_32), ("sig", BYTES_64))
