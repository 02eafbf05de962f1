"""The headers of a mail, as fetching looks at them: what is ours, when it came, whether it came
before.

What must never be here: what a mail says, who may play.
Laws: what is not ours is told from the headers alone; a mail's own Date never says when it came.
Source: docs/decisions/0014-the-post.md; RFC 5321 (Received), RFC 5322, RFC 5233 (plus addresses).
"""

import re
from datetime import UTC
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from email.utils import getaddresses, parsedate_to_datetime
from hashlib import sha256
from typing import NamedTuple

from pbem.chain.clock import written
from pbem.mail.identity import find_codes
from pbem.mail.parsed import LIMIT
from pbem.mail.parts import header, payload
from pbem.report.message_ids import ours

#: the headers by which a mail is known as ours
HEADERS = (
    "subject", "from", "to", "cc", "delivered-to", "x-original-to", "envelope-to", "message-id",
    "in-reply-to", "references", "content-type", "return-path",
)  # fmt: skip
_TO = HEADERS[2:7]
PLUS = "pbem"  #: what follows `+` in an address of ours


class Wanted(NamedTuple):
    """What makes a mail ours. Secret: it holds the desks' secrets."""

    address: str  #: of the account
    players: frozenset[str]  #: their registered addresses, in small letters
    secrets: tuple[bytes, ...]


def heading(data: bytes) -> Message:
    """The headers at the beginning of these bytes."""
    head = re.sub(rb"\r\n?", b"\n", data[:LIMIT]).lstrip().partition(b"\n\n")[0]
    return BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n")


def address_in(mail: Message, name: str) -> str:
    """The first address in a header, such as that of who says to have written it."""
    found = _addresses(mail, name)
    return found[0][:320] if found else ""


def _addresses(mail: Message, *names: str) -> list[str]:
    """All addresses in these headers; none where the library cannot find them."""
    try:
        return [one for _, one in getaddresses([header(mail, name) for name in names])]
    except Exception:  # noqa: BLE001 - it calls itself for every bracket, and raises anything
        return []


def is_wanted(mail: Message, wanted: Wanted) -> bool:
    """Whether it is ours to read."""
    if ours(header(mail, "message-id"), wanted.secrets):
        return False  # we wrote it
    if find_codes(header(mail, "subject")) or address_in(mail, "from").lower() in wanted.players:
        return True
    answered = f"{header(mail, 'in-reply-to')} {header(mail, 'references', end=True)}"
    return ours(answered, wanted.secrets) or _is_to_plus(mail, wanted.address)


def is_report(mail: Message) -> bool:
    """Whether a server may say what became of some email: whose, only the whole of it tells."""
    nobody = header(mail, "return-path").strip() == "<>"  # it must not come back itself
    daemon = address_in(mail, "from").lower().startswith(("mailer-daemon@", "postmaster@"))
    return nobody or daemon or mail.get_content_type() == "multipart/report"


def tells_of_ours(data: bytes, wanted: Wanted) -> bool:
    """Whether a server's report is about an email of ours, which it gives back."""
    return ours(data[: 256 << 10].decode("ascii", "replace"), wanted.secrets)


def _is_to_plus(mail: Message, address: str) -> bool:
    local, _, domain = address.lower().rpartition("@")
    found = (one.lower() for one in _addresses(mail, *_TO))
    return any(one.startswith(f"{local}+{PLUS}") and one.endswith(f"@{domain}") for one in found)


def received(data: bytes, trusted: tuple[str, ...]) -> str:
    """When the topmost host says that it took a mail, if that host is trusted; else "".

    What a stranger's host wrote below does not count.
    """
    by, _, when = header(heading(data), "received").rpartition(";")
    words = by.lower().split()
    host = words[words.index("by") + 1] if "by" in words[:-1] else ""
    if host not in trusted:
        return ""
    return moment(when)


def moment(text: str) -> str:
    """A server's date as a state has it; "" if it is none, or from before there was email."""
    try:
        found = parsedate_to_datetime(text.strip())
        seconds = found.replace(tzinfo=found.tzinfo or UTC).timestamp()
    except (ValueError, TypeError, OverflowError):
        return ""
    return written(seconds) if seconds > 0 else ""


def same_mail(data: bytes) -> str:
    """The same for a mail that comes once more, on whatever way: of its Message-ID and what its
    parts hold when they are decoded.
    """
    text = re.sub(rb"\r\n?", b"\n", data).lstrip()
    try:
        mail = BytesParser(policy=compat32).parsebytes(text)
        ids = [header(mail, name) for name in ("message-id", "from", "subject")]
        parts = [_content(part) for part in mail.walk() if not part.is_multipart()]
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails: then its bytes count
        return sha256(text).hexdigest()
    marks = [sha256(one).digest() for one in ("\n".join(ids).encode("utf-8", "replace"), *parts)]
    return sha256(b"".join(marks)).hexdigest()


def _content(part: Message) -> bytes:
    kind = part.get_content_type().encode()
    return kind + b"\n" + re.sub(rb"\r\n?", b"\n", payload(part)).rstrip(b"\n")
