"""What a hidden thing is called in words: for an audit, which knows it by its slot.

Source: codec.py, for the slots and the rows; construction.md "Slot".
"""

from collections.abc import Mapping
from typing import Any


def slot_words(public: Mapping[str, Any], slot: str) -> str:
    """``the threat counter of AM1``, ``red's card in AP2``; by the position's own rows."""
    maker, _, rest = slot.partition("/")
    kind, _, place = rest.rpartition("/")
    number = int(place) if place.isdecimal() else 0
    if kind == "threat":
        rows = (str(row).split(" ") for row in public.get("regions", ()))
        where = [row[0] for row in rows if row[-1] == str(number)]
        return f"the threat counter of {where[0]}" if where else f"threat counter {number + 1}"
    if kind == "reputation":
        provinces = [str(row).split(" ")[0] for row in public.get("provinces", ())]
        if number < len(provinces):
            return f"the counter of {provinces[number]}"
        return f"reputation counter {number + 1} of the pile"
    if kind == "card":
        for row in public.get("cards", ()):
            found, colour, province = str(row).split(" ")
            if found == slot:
                return f"{colour}'s card in {province}"
        return f"a card laid in state {maker}"
    return ""
