"""Games played by bots, and the emails in them as their players have them.

Not allowed here: a comparison.
"""

import email
import email.policy
from collections.abc import Iterator
from email.message import EmailMessage
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote

from sizes import size

from pbem import catalog
from pbem.chain.clock import format_instant
from pbem.formats import state_file
from pbem.services.demo import DemoGame, DemoSettings, randomness_from_seed

#: kind, players, options, seed
GAMES: dict[str, tuple[str, int, dict[str, str], int]] = {
    "four": ("chang-cheng", 4, {"events": "A,C"}, 1),
    "neutral": ("chang-cheng", 2, {"variant": "neutral", "edition": "it", "events": "D"}, 3),
    "two-colour": ("chang-cheng", 2, {"variant": "two-colour", "edition": "hu", "events": "A,B"}, 4),
    "great-wall": ("great-wall", size("players of a browser's game"), {}, 2),
}


class Face(NamedTuple):
    """One email: its parts as a player sees them."""

    name: str
    raw: bytes
    to: str
    subject: str
    text: str
    html: str
    view: dict[str, Any]  #: the document of its view file; {} where it has none


class Link(NamedTuple):
    """A ``mailto:`` link, taken apart as an email program does."""

    to: str
    subject: str
    body: str
    shown: str


def face_of(path: Path) -> Face:
    return opened(path.stem, path.read_bytes())


def opened(name: str, raw: bytes) -> Face:
    """An email, taken apart."""
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    view: dict[str, Any] = {}
    for part in mail.iter_attachments():
        if str(part.get_filename()).endswith(".view.toml"):
            view = state_file.parse(part.get_content())
    to, subject = str(mail["To"]), str(mail["Subject"])
    return Face(name, raw, to, subject, _body(mail, "plain"), _body(mail, "html"), view)


def _body(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    return str(part.get_content()) if part else ""


#: what a tag becomes in the text, if not a blank
BETWEEN = {"b": "", "a": "", "span": "", "code": "`"}


class _Reader(HTMLParser):
    """The text that a person reads on a page, and its links."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[Link] = []
        self.tags: set[str] = set()
        self._to, self._shown, self._off = "", "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._off = tag in ("style", "title") or self._off
        if tag == "a":
            self._to, self._shown = dict(attrs).get("href") or "", ""
        self.words.append(BETWEEN.get(tag, " "))

    def handle_endtag(self, tag: str) -> None:
        self._off = self._off and tag not in ("style", "title")
        if tag == "a":
            self.links.append(link_of(self._to, self._shown))
        self.words.append(BETWEEN.get(tag, " "))

    def handle_data(self, data: str) -> None:
        self._shown += data
        self.words.append("" if self._off else data)


def link_of(href: str, shown: str) -> Link:
    scheme, _, rest = href.partition(":")
    assert scheme == "mailto", href
    to, _, query = rest.partition("?")
    fields = parse_qs(query.replace("+", "%2B"), keep_blank_values=True, strict_parsing=True)
    return Link(unquote(to), fields["subject"][0], fields["body"][0], shown)


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader


def plain(text: str) -> str:
    """The text on one line, in lower case."""
    return " ".join(text.lower().split())


def outbox(played: DemoGame) -> list[Path]:
    return sorted((played.session.folder.root / "desk" / "outbox").glob("*.eml"))


def faces(
    root: Path, kind: str, players: int, options: dict[str, str], seed: int, answers: int = 10_000
) -> Iterator[Face]:
    """The emails of a game of bots, after a number of answers or at its end."""
    wish = DemoSettings(players, options, "random")
    played = DemoGame(
        root, catalog.load(kind), wish, randomness_from_seed(seed), lambda when: format_instant(when or 0)
    )
    for _ in islice(played.play(), answers):
        pass
    yield from map(face_of, outbox(played))


def view_in(face: Face) -> tuple[Any, Any]:
    """The game and the View of an email's view file."""
    game = catalog.load(face.view["kind"])
    seats = [row.partition(" ")[0] for row in face.view["seats"]]
    options = dict(row.partition("=")[::2] for row in face.view["options"])
    config = game.configure(seats, options, face.view["rulings"])
    return game, game.decode_view(config, face.view["view"])


def asked_in(face: Face) -> list[Link]:
    """The links that answer the question of an email; links with `when` answer a later one."""
    return [link for link in read(face.html).links if not link.body.startswith("when ")]
