"""What a mail server says it could not deliver: whose address failed, and why.

What must never be here: which game, whether it is to be believed.
Law: any bytes give an answer, in bounded time; what is not understood names nobody.
Source: RFC 3464 (delivery status), RFC 3463 (codes); flufl.bounce, if it is installed, for servers
that write words of their own.
"""

import re
from contextlib import suppress
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from importlib import import_module

from pbem.mail.parts import header, payload

MOST = 50  #: recipients and parts that are looked at
_STATUS = re.compile(r"[45]\.\d{1,3}\.\d{1,3}")
_NAMED = re.compile(r"(?m)^<([^\s<>]{3,320})>:")  #: by qmail and Postfix; behind it, why
_COPY = re.compile(r"(?m)^(?:-{2}|(?:Received|Return-Path|Message-ID):)")  #: there ours begins
_DELAY = re.compile(r"(?i)warning|delay|retr(?:y|ied)|not (?:yet )?been delivered|keep trying")


def refused(data: bytes) -> dict[str, str]:
    """The addresses that failed for good, in small letters, and the code of each, "" for none."""
    try:
        mail = BytesParser(policy=compat32).parsebytes(re.sub(rb"\r\n?", b"\n", data))
        parts = [part for part, _ in zip(mail.walk(), range(MOST), strict=False)]
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        return {}
    reports = [p for p in parts if p.get_content_type() == "message/delivery-status"]
    if not reports:
        return _by_words(mail)
    found = dict[str, str]()
    for report in reports:
        groups = report.get_payload()
        for group in groups[:MOST] if isinstance(groups, list) else ():
            if isinstance(group, Message) and header(group, "action").lower() == "failed":
                status = _STATUS.search(header(group, "status"))
                for name in ("final-recipient", "original-recipient"):
                    address = header(group, name).rpartition(";")[2].strip(" <>").lower()
                    found[address] = status[0] if status else ""
    found.pop("", None)
    return found


def _by_words(mail: Message) -> dict[str, str]:
    named = list[str]()
    with suppress(Exception):  # it may not be installed, and raises anything on broken mails
        found = import_module("flufl.bounce").scan_message(mail)
        named = [one.decode("ascii", "replace") for one in found]
    with suppress(Exception):  # so does the library
        texts = (payload(p) for p in mail.walk() if p.get_content_type() == "text/plain")
        words = _COPY.split(next(texts, b"").decode("ascii", "replace"), maxsplit=1)[0]
        named = named or ([] if _DELAY.search(words) else _NAMED.findall(words))
    return {one.lower(): "" for one in named[:MOST]}
