"""One part of a mail: its bytes, its name, its text without soft breaks.

What lives here: transfer encodings, format=flowed.
What must never be here: which of the parts is read (parts.py); quoting rules.
Law: a part that breaks off is told, not read as if it were whole.
Source: RFC 2045, 2183, 3676 (flowed).
"""

import binascii
import quopri
import re
from email.message import Message  # this module is imported only when a mail is read

from pbem.errors import BadInput
from pbem.files.mail.headers import header


def unfolded(texts: list[str], delsp: bool) -> list[str]:
    """RFC 3676: a line that ends in a blank goes on in the next, at the same depth of `>`.

    Only where the next word would not have fitted: phones leave a blank after each word, and
    `wall A5 ` is an order, not half a paragraph.
    """
    joined: list[str] = []
    soft = False
    depth = -1
    for raw in texts:
        quotes = re.match(">*", raw)
        marks = quotes[0] if quotes else ""
        body = raw[len(marks) :].removeprefix(" ")
        word = body.split(" ", 1)[0]
        if soft and depth == len(marks) and body != "-- " and len(joined[-1]) + len(word) >= 50:
            joined[-1] = (joined[-1][:-1] if delsp else joined[-1]) + body
        else:
            joined.append(f"{marks} {body}" if marks else body)
        soft = body.endswith(" ") and body != "-- "
        depth = len(marks)
    return joined


def payload(part: Message) -> bytes:
    """The bytes of a part. BadInput ``mail/cut-short`` if base64 breaks off within a letter."""
    how = header(part, "content-transfer-encoding").lower()
    del part["content-transfer-encoding"]  # so that the library gives the bytes as they came
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    if how == "quoted-printable":
        return quopri.decodestring(re.sub(rb"=[ \t]+\n", b"=\n", data))
    if how != "base64":
        return data
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    over = len(letters) % 4
    # Whole base64 is filled up with `=`; one letter over can be no byte at all.
    if over == 1 or (over and b"=" not in data):
        hint = "ask for the mail again"
        raise BadInput("mail/cut-short", "the mail breaks off in the middle", hint)
    return binascii.a2b_base64(letters + b"=" * (-over % 4))


def disposition(part: Message) -> str:
    """`attachment`, `inline`, or nothing."""
    return header(part, "content-disposition").split(";")[0].strip().lower()


def file_name(part: Message) -> str:
    """The name of an attached file without its folders; empty if it has none."""
    try:
        name = part.get_filename("") or ""
    except Exception:  # noqa: BLE001 - the library's decoder of RFC 2231 raises anything on broken names
        name = ""
    last = re.split(r"[/\\]", str(name))[-1]
    return "".join(c for c in last if c.isprintable())[:80]
