"""The one way out: every email to a player goes through ``send``.

What lives here: rendering a message, its headers, its place in the outbox. What must never be here:
when a message is due, what it says, an email that came in.
Laws: nobody else composes an email or writes into desk/outbox (tests/house/test_post.py); a player
without an address gets none; the code alone decides whether the subject begins with it.
Source: docs/DESIGN.md "Email", "One game's folder"; FORMAT.md section 5; P8.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.disk.folder import Desk
from pbem.moderator.report.mail import compose_mail
from pbem.moderator.report.players import Person
from pbem.render import render
from pbem.services.session.session import Session


class Post(NamedTuple):
    """A game as its messages need it."""

    desk: Desk
    game: str
    referee: Person
    templates: tuple[str, ...] = ()  #: the folders of templates that the game brings along


class Template(NamedTuple):
    """A text still to be rendered."""

    name: str
    values: Mapping[str, Any]


class Message(NamedTuple):
    """One email, before it has any bytes. Messages of one game differ in ``file`` or in ``id``."""

    to: Person | None  #: None, or somebody without an address: no email
    words: Template | str  #: the text, or how it is rendered
    about: str  #: the subject, but for the code
    file: str  #: its name in the outbox
    id: str  #: its own part of the Message-ID: an email program drops an id that it has seen
    time: str
    code: str = ""  #: "" where no answer is expected
    files: tuple[tuple[str, bytes], ...] = ()  #: attached, by name
    durable: bool = True  #: waited for until it is on the drive


def post_of(session: Session) -> Post:
    """The post of the game that is open here."""
    return Post(
        session.folder, session.link.game, session.players.referee, tuple(session.templates)
    )


def send(post: Post, message: Message) -> str:
    """Puts a message into the outbox, if there is an address. Its text, either way."""
    text, to = worded(post, message.words), message.to
    if to is not None and to.address:
        subject = with_code(message.code, message.about)
        data = compose_mail(
            to, post.referee, subject, text, post.game, message.id, message.time, message.files
        )
        post.desk.put_outbox(message.file, data, message.durable)
    return text


def worded(post: Post, words: Template | str) -> str:
    """The text of a message: for who must keep it before the message goes out."""
    return words if isinstance(words, str) else render(words.name, *post.templates, **words.values)


def with_code(code: str, about: str) -> str:
    """A whole subject."""
    return f"[pbem {code}] {about}" if code else about
