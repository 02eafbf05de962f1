"""A mail from the referee, read as a player reads it.

What lives here: Mail, ``subject_of``, ``read_mail``, ``view_in``. What must never be here:
choosing, writing. Read by the standard library alone: a mail that only we can read is found out.
"""

import re
from email.parser import BytesParser
from email.policy import default
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.settings import Config
from pbem.files import state_file

if TYPE_CHECKING:
    from pbem.engine.game import Game

_CODE = re.compile(r"\[pbem ([0-9A-Z]{4}-[0-9A-Z]{4})\]")
_STANDING = re.compile(r"(?m)^when [A-Z0-9]+: .+$")


class Mail(NamedTuple):
    """What a player has of a mail."""

    code: str
    subject: str
    sender: str  #: with the name, as it stands in the mail
    to: str
    date: str
    message_id: str
    text: str
    files: dict[str, bytes]

    @property
    def standing(self) -> tuple[str, ...]:
        """The player's waiting orders for a card of his own, as a report lists them."""
        _, _, rest = self.text.partition("YOUR WAITING ORDERS")
        return tuple(_STANDING.findall(rest.partition("\n\n")[0]))

    @property
    def kept(self) -> tuple[str, ...]:
        """The player's waiting orders, as a receipt lists them."""
        _, _, rest = self.text.partition("Your waiting orders:\n")
        return tuple(rest.splitlines())


def subject_of(data: bytes) -> tuple[str, str]:
    """To whom a mail goes and its subject: all that most mails are looked at for."""
    head = BytesParser(policy=default).parsebytes(data, headersonly=True)
    return str(head["To"]), str(head["Subject"])


def read_mail(data: bytes) -> Mail:
    """One mail of ours; KeyError and the like if it is not as promised."""
    message = BytesParser(policy=default).parsebytes(data)
    body = message.get_body(("plain",))
    subject = str(message["Subject"])
    code = _CODE.search(subject)
    if body is None or code is None:
        raise LookupError("a mail without a text or without a code")
    return Mail(
        code[1],
        subject,
        str(message["From"]),
        str(message["To"]),
        str(message["Date"]),
        str(message["Message-ID"]),
        str(body.get_content()),
        {part.get_filename() or "": part.get_content() for part in message.iter_attachments()},
    )


def view_in(mail: Mail, game: "Game") -> Any:
    """The View in the mail's view file; None if it has none."""
    data = next((d for name, d in mail.files.items() if name.endswith(".view.toml")), None)
    if data is None:
        return None
    document = state_file.parse(data)
    seats = tuple(row.partition(" ")[0] for row in document["seats"])
    options = tuple(_pair(row) for row in document["options"])
    return game.decode_view(Config(seats, options, document["rulings"]), document["view"])


def _pair(row: str) -> tuple[str, str]:
    name, _, value = row.partition("=")
    return name, value
