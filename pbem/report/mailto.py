"""Links that write an answer: ``mailto:``, with the code in the subject and an order as the body.

What must never be here: HTML, a sentence, which orders are legal.
Law: nothing in a link can end it, or add a header to the email that it writes.
Source: RFC 6068; docs/decisions/0022-faces.md.
"""

from pbem.chain.sources import IdentificationMethod

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_MOST_LABEL_LETTERS = 24  #: letters of the game's name: it stands in each link


def answer_link_ends(
    address: str, label: str, code: str, methods: IdentificationMethod, is_dealt: bool = True
) -> dict[str, str]:
    """``begins`` and ``ends``: what stands before and behind an order, percent-encoded, in a link.

    ``address``: the referee's. Both are "" where an answer by link would not count, or nothing is
    asked. Before the deal the referee types for nobody.
    """
    can_answer_by_link = methods.code or methods.password or not (methods.key or is_dealt)
    if not (address and code and can_answer_by_link):
        return {"begins": "", "ends": ""}
    user, _, host = address.rpartition("@")
    subject = _percent_encode(f"{label[:_MOST_LABEL_LETTERS]} [pbem {code}]")
    begins = f"mailto:{_percent_encode(user)}@{_percent_encode(host)}?subject={subject}&body="
    return {"begins": begins, "ends": _percent_encode("\r\npassword ") if methods.password else ""}


def _percent_encode(text: str) -> str:
    return "".join(chr(b) if b in _UNRESERVED else f"%{b:02X}" for b in text.encode("utf-8", "replace"))
