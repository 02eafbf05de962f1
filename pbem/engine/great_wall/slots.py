"""What a hidden thing is called in words: for an audit, which knows it by its slot.

Source: codec.py, for the slots; construction.md "Slot".
"""

from collections.abc import Mapping
from typing import Any


def slot_words(_public: Mapping[str, Any], slot: str) -> str:
    """``card 6 of red's deck``, ``marker 12 of the reserve``, in the order they are drawn."""
    _maker, kind, *rest = slot.split("/")
    if not rest or not rest[-1].isdecimal():
        return ""
    number = int(rest[-1]) + 1
    if kind == "deck":
        return f"card {number} of {rest[0]}'s deck"
    return f"marker {number} of the reserve" if kind == "reserve" else ""
