"""Emails as people write them, what pbem makes of them, and what a sensible referee would do.

Not allowed here: a wish about how a line is read.
Source: docs/decisions/0023-notation-is-played.md.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem.chain.state_record import StateRecord, read_record
from pbem.disk.folder import GameFolder
from pbem.engine.game import Game
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.notation.tokens import strip_accents
from pbem.play.pending_orders import NOW, PendingOrders, format_signed_line
from pbem.play.proposals.proposals import find_proposal
from pbem.play.proposals.prose import Reader, read_prose
from pbem.play.validate_email import validate_orders
from pbem.play.validation import EmailContext
from pbem.proof.audit.audit import TrustAnchors
from pbem.services.prove.audit import audit_archive, read_contents
from pbem.services.receive.message import (
    grammar_of,
    lines_for_referee,
    parse_orders,
    read_message,
    referee_message_lines,
)
from pbem.services.receive.prose import lexicon_of

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples" / "games"
GAMES = {
    "cc2": "chang-cheng-2-plain",
    "cc2c": "chang-cheng-2-two-colour",
    "cc2n": "chang-cheng-2-neutral",
    "cc4": "chang-cheng-4",
    "gw3": "great-wall-3",
}


class Email(NamedTuple):
    """What a person wrote, and what a sensible referee does with it."""

    id: str
    context: str  #: ``cc4-red-20``: the game, the seat, the state of the report that it answers
    body: str
    referee: str  #: play, ask, nothing
    orders: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    withdraw: bool = False

    @property
    def data(self) -> bytes:
        head = f"From: a@example.org\nSubject: Re\nMessage-ID: <{self.id}@x>\n"
        kind = "html" if self.body.startswith("<") else "plain"
        return f"{head}Content-Type: text/{kind}; charset=utf-8\n\n{self.body}".encode()


class Read(NamedTuple):
    """What pbem makes of an email."""

    what: str  #: play, held, words
    orders: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  #: for the referee
    why: tuple[str, ...] = ()
    proposal: tuple[str, ...] = ()


def emails() -> list[Email]:
    """The emails in emails.toml."""
    rows = tomllib.loads((HERE / "emails.toml").read_text("utf-8"))["email"]
    lists = ("orders", "later")
    return [Email(**(row | {key: tuple(row.get(key, ())) for key in lists})) for row in rows]


def written(context: str, body: str) -> Email:
    """An email with only this text."""
    return Email("x", context, body, "nothing")


class Place(NamedTuple):
    """The position that an email answers."""

    game: Game
    link: StateRecord
    view: Any
    seat: str


@cache
def _played(name: str) -> Any:
    return audit_archive(read_contents(GameFolder(EXAMPLES / GAMES[name])), TrustAnchors())


@cache
def place_of(context: str) -> Place:
    """The position that a context names."""
    game, seat, number = context.split("-")
    record, n = _played(game), int(number)
    rules = record.replay.game
    link = read_record(state_file.parse(record.states[n].body))
    return Place(rules, link, rules.view(record.replay.past_states[n].state, seat), seat)


def reader_at(place: Place) -> Reader:
    """The reader of the seat's emails."""
    mine, others = frozenset[str](), frozenset[str]()
    for person in place.link.people:
        words = frozenset(strip_accents(word) for word in person.name.casefold().split())
        mine, others = (words, others) if person.seat == place.seat else (mine, others | words)
    grammar, lexicon = grammar_of(place.game), lexicon_of(place.game)
    return Reader(place.game, place.view, grammar, lexicon, mine, others, has_deadlines=True)


@cache
def read(email: Email) -> Read:
    """What pbem makes of an email, as ``receive`` reads one of a player identified by the code."""
    place = place_of(email.context)
    try:
        message = read_message(email.data)
    except BadInput as error:
        return Read("held", why=(error.as_line(),))
    game, reader = place.game, reader_at(place)
    sheet = read_prose(reader, parse_orders(message, grammar_of(game)))
    asked = EmailContext(place.view, bool(game.legal(place.view)), "")
    result = validate_orders(game, asked, PendingOrders(), sheet)
    words = referee_message_lines(lines_for_referee(message, sheet), place.link.player(place.seat).name)
    why = tuple(f"{v.outcome}: {v.text}: {v.why}" for v in result.verdicts if not v.is_accepted)
    proposed = (*find_proposal(reader, asked, sheet), *sheet.proposed_commands)
    if not result.is_accepted:
        return Read("held", words=words, why=why, proposal=proposed)
    parts = result.pending.groups
    now = tuple(x.order for part in parts if part.name == NOW for x in part.playable_orders)
    waits = (format_signed_line(part, x) for part in parts if part.name != NOW for x in part.playable_orders)
    later = tuple(sorted(waits))
    played = now or later or any(ask.startswith("withdraw") for ask in result.commands)
    return Read("play" if played else "words", now, later, words, why, proposed)


def wanted(email: Email) -> Read:
    """The referee's orders, in pbem's spelling."""
    if email.referee != "play":
        return Read(email.referee)
    waits = (x if x.startswith(("when ", "later: ")) else f"later: {x}" for x in email.later)
    return Read("play", email.orders, tuple(sorted(waits)))


def is_proposed(email: Email) -> bool:
    """Whether pbem proposes the referee's orders, one by one."""
    lines, want = read(email).proposal, wanted(email)
    if email.withdraw and not (want.orders or want.later):
        return lines == ("withdraw",)
    now = tuple(line for line in lines if not line.startswith(("when ", "later")))
    later = tuple(sorted(line for line in lines if line.startswith("when ")))
    return (now, later) == (want.orders, want.later)
