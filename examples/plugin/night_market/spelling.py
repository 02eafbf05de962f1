"""Turns the words of an order into its canonical line, legal or not."""

import re

LOT = re.compile(r"l[0-9]{1,2}")
TOKEN = re.compile(r"[0-9]{1,2}")
MOST = {"high": "high", "highest": "high", "low": "low", "lowest": "low"}


def is_name(token: str) -> bool:
    """Whether a lower-case word has the form of a lot's name: ``l3``."""
    return LOT.fullmatch(token) is not None


def spell(tokens: tuple[str, ...]) -> str | None:
    """``bid 3``, ``bid 03``, ``bid my highest``; None if these words are not an order."""
    if len(tokens) < 2 or tokens[0] != "bid":
        return None
    rest = tokens[2:] if tokens[1] in ("the", "my") else tokens[1:]
    if len(rest) != 1:
        return None
    if TOKEN.fullmatch(rest[0]):
        return f"bid {int(rest[0])}"
    return f"bid {MOST[rest[0]]}" if rest[0] in MOST else None
