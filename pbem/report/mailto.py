"""Links that write an answer: ``mailto:``, with the code in the subject and an order as the body.

What must never be here: HTML, a sentence, which orders are legal.
Law: nothing in a link can end it, or add a header to the email that it writes.
Source: RFC 6068; docs/decisions/0022-faces.md.
"""

from pbem.chain.sources import Way

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_LONGEST = 24  #: letters of the game's name: it stands in each link


def tapping(address: str, label: str, code: str, way: Way, dealt: bool = True) -> dict[str, str]:
    """``begins`` and ``ends``: what stands before and behind an order, percent-encoded, in a link.

    ``address``: the referee's. Both are "" where an answer by link would not count, or nothing is
    asked. Before the deal the referee types for nobody.
    """
    counts = way.code or way.password or not (way.key or dealt)
    if not (address and code and counts):
        return {"begins": "", "ends": ""}
    user, _, host = address.rpartition("@")
    subject = _encoded(f"{label[:_LONGEST]} [pbem {code}]")
    begins = f"mailto:{_encoded(user)}@{_encoded(host)}?subject={subject}&body="
    return {"begins": begins, "ends": _encoded("\r\npassword ") if way.password else ""}


def _encoded(text: str) -> str:
    return "".join(chr(b) if b in _PLAIN else f"%{b:02X}" for b in text.encode("utf-8", "replace"))
