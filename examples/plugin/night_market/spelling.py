"""Reading an order: words to the canonical line. Which bids are legal is not asked here."""

import re

LOT = re.compile(r"l[0-9]{1,2}")
TOKEN = re.compile(r"[0-9]{1,2}")
MOST = {"high": "high", "highest": "high", "low": "low", "lowest": "low"}


def is_name(token: str) -> bool:
    """Whether a lower-case word has the shape of a lot's name: ``l3``."""
    return LOT.fullmatch(token) is not None


def spell(tokens: tuple[str, ...]) -> str | None:
    """``bid 3``, ``bid 03``, ``bid my highest``; None if these words are no order."""
    if len(tokens) < 2 or tokens[0] != "bid":
        return None
    rest = tokens[2:] if tokens[1] in ("the", "my") else tokens[1:]
    if len(rest) != 1:
        return None
    if TOKEN.fullmatch(rest[0]):
        return f"bid {int(rest[0])}"
    return f"bid {MOST[rest[0]]}" if rest[0] in MOST else None
