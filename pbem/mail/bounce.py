"""Read from a bounce which addresses failed, and why.

Not allowed here: which game it is about; whether to believe it.
Source: RFC 3464 (delivery status), RFC 3463 (codes); flufl.bounce, if installed, for servers with
their own wording.
"""

import re
from contextlib import suppress
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from importlib import import_module

from pbem.mail.mime import decode_payload, header_value

MOST_PARTS = 50  #: recipients and parts that are read
_STATUS = re.compile(r"[45]\.\d{1,3}\.\d{1,3}")
_FAILED_ADDRESS = re.compile(r"(?m)^<([^\s<>]{3,320})>:")  #: by qmail and Postfix; the reason follows
_COPY_START = re.compile(r"(?m)^(?:-{2}|(?:Received|Return-Path|Message-ID):)")  #: the copy of our email begins here
_DELAY = re.compile(r"(?i)warning|delay|retr(?:y|ied)|not (?:yet )?been delivered|keep trying")


def find_failed_addresses(data: bytes) -> dict[str, str]:
    """The addresses that failed for good, in small letters, with the status code of each ("" if
    unknown). Any bytes give an answer; unclear bounces name no address.
    """
    try:
        mail = BytesParser(policy=compat32).parsebytes(re.sub(rb"\r\n?", b"\n", data))
        parts = [part for part, _ in zip(mail.walk(), range(MOST_PARTS), strict=False)]
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        return {}
    reports = [p for p in parts if p.get_content_type() == "message/delivery-status"]
    if not reports:
        return _find_in_text(mail)
    status_by_address = dict[str, str]()
    for report in reports:
        groups = report.get_payload()
        for group in groups[:MOST_PARTS] if isinstance(groups, list) else ():
            if isinstance(group, Message) and header_value(group, "action").lower() == "failed":
                status = _STATUS.search(header_value(group, "status"))
                for name in ("final-recipient", "original-recipient"):
                    address = header_value(group, name).rpartition(";")[2].strip(" <>").lower()
                    status_by_address[address] = status[0] if status else ""
    status_by_address.pop("", None)
    return status_by_address


def _find_in_text(mail: Message) -> dict[str, str]:
    addresses = list[str]()
    with suppress(Exception):  # it may be missing, and raises various errors on broken emails
        scan_results = import_module("flufl.bounce").scan_message(mail)
        addresses = [address.decode("ascii", "replace") for address in scan_results]
    with suppress(Exception):  # the library does so too
        texts = (decode_payload(p) for p in mail.walk() if p.get_content_type() == "text/plain")
        notice = _COPY_START.split(next(texts, b"").decode("ascii", "replace"), maxsplit=1)[0]
        addresses = addresses or ([] if _DELAY.search(notice) else _FAILED_ADDRESS.findall(notice))
    return {address.lower(): "" for address in addresses[:MOST_PARTS]}
