"""Reading an order: words to the canonical line. Which orders are legal is not asked here.

Source: docs/NOTATION.md.
"""

import re

from pbem.engine.chang_cheng.layout import COLOURS, KINDS

SQUARE = re.compile(r"[a-z][0-9]{1,2}")
PROVINCE = re.compile(r"[a-z]p[0-9]{1,2}")
REGION = re.compile(r"[a-z]m[0-9]{1,2}")
NAME = re.compile(r"[a-z][pm]?[0-9]{1,2}")

ALIASES = {"masterbuilder": "master-builder"}
#: words of orders but the first
VOCABULARY = frozenset(
    (
        *KINDS, *COLOURS, *ALIASES, "master", "left", "right", "none", "in", "on", "at", "to",
        "reserve", "reserves", "reserving", "plus", "minus", "value", "break", "counter", "with",
    )
)  # fmt: skip


def is_name(token: str) -> bool:
    return NAME.fullmatch(token) is not None


def _name(token: str, shape: re.Pattern[str]) -> str | None:
    """``a05`` and ``a5`` are ``A5``."""
    letters = token.rstrip("0123456789")
    number = int(token[len(letters) :]) if shape.fullmatch(token) else 0
    return f"{letters.upper()}{number}" if number else None


def _kind(tokens: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """A card's name at the start of ``tokens``, and the rest."""
    if tokens[:2] == ("master", "builder"):
        return "master-builder", tokens[2:]
    word = ALIASES.get(tokens[0], tokens[0]) if tokens else ""
    return (word, tokens[1:]) if word in KINDS else None


def spell(tokens: tuple[str, ...]) -> str | None:
    if not tokens:
        return None
    word, rest = tokens[0], tokens[1:]
    if word == "card":
        return _card(rest)
    if word in ("wall", "double", "tower"):
        return _piece(word, rest)
    if word == "pass" and not rest:
        return "pass"
    if word == "board" and rest in (("left",), ("right",)):
        return f"board {rest[0]}"
    if word == "neutral":
        return "neutral none" if rest == ("none",) else _piece(word, rest)
    if word == "colour" and len(rest) == 1 and rest[0] in COLOURS:
        return f"colour {rest[0]}"
    return _effect(word, rest)


def _card(rest: tuple[str, ...]) -> str | None:
    kind, after = _kind(rest) or ("", ())
    if after[:1] in (("in",), ("on",), ("at",), ("to",)):
        after = after[1:]
    province = _name(after[0], PROVINCE) if len(after) == 1 else None
    return f"card {kind} {province}" if province else None


def _piece(word: str, rest: tuple[str, ...]) -> str | None:
    rest = tuple(token for token in rest if token not in ("on", "at", "in"))
    if word == "tower" and len(rest) == 3 and rest[1] in ("reserve", "reserves", "reserving"):
        names = [_name(rest[0], SQUARE), _name(rest[2], SQUARE)]
        return f"tower {names[0]} reserve {names[1]}" if all(names) else None
    found = [_name(token, SQUARE) for token in rest]
    if not all(found) or len(found) != (2 if word == "double" else 1):
        return None
    if word == "double" and str(found[0])[0] == str(found[1])[0]:
        found.sort(key=lambda name: int(str(name)[1:]))  # from left to right, on one board
    return f"{word} {' '.join(str(name) for name in found)}"


def _effect(word: str, rest: tuple[str, ...]) -> str | None:
    """What a card does when it resolves."""
    if word == "warrior":
        found = _kind(rest)
        return f"warrior {found[0]}" if found and not found[1] else None
    if word == "flood" and rest in (("+2",), ("-2",), ("2",), ("plus", "2"), ("minus", "2")):
        return "flood -2" if rest[0] in ("-2", "minus") else "flood +2"
    if word == "builder" and rest in (("value",), ("wall",)):
        return f"builder {rest[0]}"
    if word in ("traitor", "mandarin") and rest == ("none",):
        return f"{word} none"
    if word == "traitor" and len(rest) == 2 and rest[0] in ("break", "counter"):
        name = _name(rest[1], SQUARE if rest[0] == "break" else REGION)
        return f"traitor {rest[0]} {name}" if name else None
    if word == "mandarin":
        names = [_name(word, SQUARE) for word in rest if word != "with"]
        return f"mandarin {names[0]} {names[1]}" if len(names) == 2 and all(names) else None
    return None
