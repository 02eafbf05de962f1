"""Emails as people write them, read as pbem reads them; and what a sensible referee would do.

What lives here: the emails (*.toml, written by people who had seen reports, rules and notation, and
nothing of pbem's code), the positions that they answer, what pbem makes of each. What must never be
here: a wish about how a line is read.
Source: docs/decisions/0016-what-a-mail-says.md.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem.disk.folder import GameFolder
from pbem.engine.game import Game
from pbem.errors import BadInput
from pbem.files import state_file
from pbem.moderator.audit.audit import TrustAnchors
from pbem.moderator.chain.link import Link, read_link
from pbem.moderator.opening.answers import to_invitation
from pbem.moderator.turn.hand import NOW, Hand, as_signed
from pbem.moderator.turn.judging import Asked
from pbem.moderator.words.meant import Language, offered, take_meant
from pbem.services.intake.message import (
    as_letter,
    below_of,
    grammar_of,
    read_message,
    sheet_of,
    with_answers,
    words_in,
)
from pbem.services.proof.audits import contents_of, look_into

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "games"
GAMES = {
    "cc2": "chang-cheng-2-plain",
    "cc2c": "chang-cheng-2-two-colour",
    "cc2n": "chang-cheng-2-neutral",
    "cc4": "chang-cheng-4",
    "gw3": "great-wall-3",
}
INVITATION = "invitation"


class Mail(NamedTuple):
    """An email, and what a sensible referee does with it."""

    id: str
    context: str  #: ``cc4-red-20``: the game, the seat, the state of the report that it answers
    subject: str
    body: str
    referee: str  #: play, ask, nothing; of an invitation yes, no, ask
    orders: tuple[str, ...]
    later: tuple[str, ...]
    withdraw: bool
    words: bool  #: whether there is something for a person to read

    @property
    def data(self) -> bytes:
        head = f"From: a@example.org\nSubject: {self.subject}\nMessage-ID: <{self.id}@x>\n"
        kind = "html" if self.body.startswith("<") else "plain"
        return f"{head}Content-Type: text/{kind}; charset=utf-8\n\n{self.body}".encode()


class Read(NamedTuple):
    """What pbem makes of it."""

    what: str  #: play, ask, nothing, yes, no
    orders: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    letter: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()  #: what its receipt offers


def mails(name: str) -> list[Mail]:
    """Those of a file."""
    rows = tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))["mail"]
    return [_mail(row) for row in rows]


def _mail(row: dict[str, Any]) -> Mail:
    lists = {"orders": tuple(row.get("orders", ())), "later": tuple(row.get("later", ()))}
    flags = {"withdraw": row.get("withdraw", False), "words": row.get("words", False)}
    return Mail(**{key: row[key] for key in Mail._fields[:5]} | lists | flags)


class Place(NamedTuple):
    """Where an email comes to."""

    game: Game
    link: Link
    head: bytes
    view: Any
    seat: str
    report: str


@cache
def _played(name: str) -> Any:
    return look_into(contents_of(GameFolder(EXAMPLES / GAMES[name])), TrustAnchors())


@cache
def place_of(context: str) -> Place:
    """The position that a context names."""
    game, seat, number = ("cc4", "red", "0") if context == INVITATION else context.split("-")
    found, n = _played(game), int(number)
    raw = found.states[n]
    link, rules = read_link(state_file.parse(raw.body)), found.replay.game
    if not n:
        return Place(rules, link, raw.head, None, seat, "")
    view = rules.view(found.replay.past[n].state, seat)
    report = EXAMPLES / GAMES[game] / "reports" / f"{n:04d}" / f"{seat}.txt"
    return Place(rules, link, raw.head, view, seat, report.read_text("utf-8"))


@cache
def read(mail: Mail) -> Read:
    """What pbem makes of an email, as ``receive`` does it for a player known by the code."""
    place = place_of(mail.context)
    try:
        message = read_message(mail.data)
    except BadInput as error:  # its player is told, but for a machine
        return Read("nothing" if error.code == "mail/automatic" else "ask", why=(error.line(),))
    if mail.context == INVITATION:
        own = [line.text for line in message.lines]
        below = [] if any(map(str.strip, own)) else [line.text for line in message.below]
        said = to_invitation(place.link, place.head, place.seat, own, below)
        return Read("yes" if said.row else "no" if said.no else "ask", why=(str(said.why),))
    game, message = place.game, with_answers(message, place.report)
    sheet = sheet_of(message, game)
    names = {one.name: one.seat for one in place.link.people if one.seat != place.seat}
    asked, language = (
        Asked(place.view, bool(game.legal(place.view)), ""),
        Language(grammar_of(game), names),
    )
    below_lines = below_of(message, game, place.report)
    taken = take_meant(game, asked, Hand(), sheet, language, below_lines)
    known = sheet._replace(unread=tuple(sorted({*sheet.unread, *taken.read.unread})))
    letter = as_letter(words_in(message, known), place.link.player(place.seat).name)
    why = tuple(f"{v.what}: {v.text}: {v.why}" for v in taken.verdicts if v.what != "kept")
    if not taken.accepted:
        offers = offered(game, asked, Hand(), taken.read, language)
        return Read("ask", letter=letter, why=why, meant=offers)
    parts = taken.hand.parts
    now = tuple(x.line for part in parts if part.name == NOW for x in part.lines)
    waits = (as_signed(part, x) for part in parts if part.name != NOW for x in part.lines)
    later = tuple(sorted(waits))
    done = now or later or any(ask.startswith("withdraw") for ask in taken.asks)
    return Read("play" if done else "nothing", now, later, letter, why)


def wanted(mail: Mail) -> Read:
    """What the referee does, spelt as pbem spells it."""
    if mail.referee != "play":
        return Read(mail.referee)
    waits = (x if x.startswith(("when ", "later: ")) else f"later: {x}" for x in mail.later)
    return Read("play", mail.orders, tuple(sorted(waits)))
