"""Read what fetching needs from an email: whether it is ours, when it arrived, whether it is a copy.

An email is ours if it has a code of a game, is from a player, or answers an email that pbem sent.

Not allowed here: what an email says; who may play.
Laws: the headers alone show whether an email is ours; its own Date never counts as its arrival.
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

from pbem.chain.clock import format_instant
from pbem.errors import CannotRead
from pbem.mail.identity import find_codes
from pbem.mail.mime import decode_payload, header_value
from pbem.mail.parsed import HEADING_LIMIT
from pbem.report.message_ids import has_our_id
from pbem.services.session.session import Session
from pbem.transport.accounts import Account

#: the headers that show whether an email is ours
HEADERS = (
    "subject", "from", "to", "cc", "delivered-to", "x-original-to", "envelope-to", "message-id",
    "in-reply-to", "references", "content-type", "return-path",
)  # fmt: skip
_RECIPIENT_HEADERS = HEADERS[2:7]
PLUS = "pbem"  #: what follows `+` in our addresses


class MailFilter(NamedTuple):
    """What shows that an email is ours. Secret: it has the secrets of reply codes."""

    address: str  #: of the account
    players: frozenset[str]  #: their addresses, in lower case
    secrets: tuple[bytes, ...]


def build_mail_filter(account: Account, sessions: list[Session]) -> tuple[MailFilter, list[str]]:
    """Return what shows that an email is ours, and a line for each game that cannot be read."""
    addresses = set[str]()
    secrets = list[bytes]()
    unread = list[str]()
    for session in sessions:
        try:
            secrets += session.known_codes
            addresses |= {player.address.lower() for player in session.players.seats.values()}
        except CannotRead as error:
            unread.append(f"{session.label}: {error.as_line()}")
    return MailFilter(account.address, frozenset(addresses - {""}), tuple(secrets)), unread


def parse_headers(data: bytes) -> Message:
    """Parse the headers at the beginning of an email."""
    header_bytes = re.sub(rb"\r\n?", b"\n", data[:HEADING_LIMIT]).lstrip().partition(b"\n\n")[0]
    return BytesHeaderParser(policy=compat32).parsebytes(header_bytes + b"\n\n")


def first_address(mail: Message, name: str) -> str:
    """Return the first address in a header, or "" if there is none."""
    addresses = _addresses(mail, name)
    return addresses[0][:320] if addresses else ""  # no valid address is longer


def _addresses(mail: Message, *names: str) -> list[str]:
    """Return all addresses in these headers, or none if the library cannot read them."""
    try:
        return [address for _, address in getaddresses([header_value(mail, name) for name in names])]
    except Exception:  # noqa: BLE001 - the library recurses for every bracket, and raises anything
        return []


def is_wanted(mail: Message, mail_filter: MailFilter) -> bool:
    """Return whether the headers show that an email is ours."""
    if has_our_id(header_value(mail, "message-id"), mail_filter.secrets):
        return False  # pbem wrote it
    if find_codes(header_value(mail, "subject")) or first_address(mail, "from").lower() in mail_filter.players:
        return True
    referenced_ids = f"{header_value(mail, 'in-reply-to')} {header_value(mail, 'references', keep_end=True)}"
    return has_our_id(referenced_ids, mail_filter.secrets) or _is_to_plus_address(mail, mail_filter.address)


def is_report(mail: Message) -> bool:
    """Return whether an email may be a server's delivery report. Only its body shows about which email."""
    has_null_sender = header_value(mail, "return-path").strip() == "<>"  # a bounce
    is_from_daemon = first_address(mail, "from").lower().startswith(("mailer-daemon@", "postmaster@"))
    return has_null_sender or is_from_daemon or mail.get_content_type() == "multipart/report"


def quotes_our_mail(data: bytes, mail_filter: MailFilter) -> bool:
    """Return whether a delivery report quotes an email that pbem sent."""
    return has_our_id(data[: 256 << 10].decode("ascii", "replace"), mail_filter.secrets)


def _is_to_plus_address(mail: Message, address: str) -> bool:
    """Return whether an email is to ``rita+pbem…@example.org``, if the address is ``rita@example.org``."""
    local_part, _, domain = address.lower().rpartition("@")
    beginning, end = f"{local_part}+{PLUS}", f"@{domain}"
    recipients = (recipient.lower() for recipient in _addresses(mail, *_RECIPIENT_HEADERS))
    return any(recipient.startswith(beginning) and recipient.endswith(end) for recipient in recipients)


def received_time(data: bytes, trusted: tuple[str, ...]) -> str:
    """Return when the last host received an email, or "" if that host is not trusted.

    Only the first Received line counts: ``from a.example by mx.example.org with ESMTP; DATE``.
    """
    trace, _, date = header_value(parse_headers(data), "received").rpartition(";")
    words = trace.lower().split()
    host = words[words.index("by") + 1] if "by" in words[:-1] else ""
    if host not in trusted:
        return ""
    return parse_date(date)


def parse_date(text: str) -> str:
    """Return a server's date in the format of a state, or "" if it is not valid."""
    try:
        date = parsedate_to_datetime(text.strip())
        timestamp = date.replace(tzinfo=date.tzinfo or UTC).timestamp()
    except (ValueError, TypeError, OverflowError):
        return ""
    return format_instant(timestamp) if timestamp > 0 else ""


def content_digest(data: bytes) -> str:
    """Return a digest of an email that is the same for a copy that took another route."""
    text = re.sub(rb"\r\n?", b"\n", data).lstrip()
    try:
        mail = BytesParser(policy=compat32).parsebytes(text)
        identifying_headers = [header_value(mail, name) for name in ("message-id", "from", "subject")]
        parts = [_content(part) for part in mail.walk() if not part.is_multipart()]
    except Exception:  # noqa: BLE001 - the library raises anything on a broken email: then its bytes count
        return sha256(text).hexdigest()
    digests = [
        sha256(content).digest() for content in ("\n".join(identifying_headers).encode("utf-8", "replace"), *parts)
    ]
    return sha256(b"".join(digests)).hexdigest()


def _content(part: Message) -> bytes:
    """Return the type and the decoded bytes of a part, whatever its line ends were."""
    kind = part.get_content_type().encode()
    return kind + b"\n" + re.sub(rb"\r\n?", b"\n", decode_payload(part)).rstrip(b"\n")
