"""Turns the words of an order, in any of their spellings, into its canonical line.

The functions get lower-case words and return None if the words are not an order.

Not allowed here: which orders are legal (legal.py).
Source: FORMAT.md "Notation".
"""

import re

from pbem.engine.chang_cheng.layout import COLOURS, KINDS

SQUARE = re.compile(r"[a-z][0-9]{1,2}")
PROVINCE = re.compile(r"[a-z]p[0-9]{1,2}")
REGION = re.compile(r"[a-z]m[0-9]{1,2}")
NAME = re.compile(r"[a-z][pm]?[0-9]{1,2}")

ALIASES = {"masterbuilder": "master-builder"}
#: words of orders after the first word
VOCABULARY = frozenset(
    (
        *KINDS, *COLOURS, *ALIASES, "master", "left", "right", "none", "in", "on", "at", "to",
        "reserve", "reserves", "reserving", "plus", "minus", "value", "break", "counter", "with",
    )
)  # fmt: skip


def is_name(token: str) -> bool:
    return NAME.fullmatch(token) is not None


def _canonical_name(token: str, shape: re.Pattern[str]) -> str | None:
    """Return the canonical form of a name, ``A5`` for ``a05`` or ``a5``; None if it does not have this shape."""
    letters = token.rstrip("0123456789")
    number = int(token[len(letters) :]) if shape.fullmatch(token) else 0
    return f"{letters.upper()}{number}" if number else None


def _split_kind(tokens: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """Split ``master builder ap1`` into ``master-builder`` and ``(ap1)``; None if no card comes first."""
    if tokens[:2] == ("master", "builder"):
        return "master-builder", tokens[2:]
    word = ALIASES.get(tokens[0], tokens[0]) if tokens else ""
    return (word, tokens[1:]) if word in KINDS else None


def spell(tokens: tuple[str, ...]) -> str | None:
    if not tokens:
        return None
    word, arguments = tokens[0], tokens[1:]
    if word == "card":
        return _spell_card(arguments)
    if word in ("wall", "double", "tower"):
        return _spell_piece(word, arguments)
    if word == "pass" and not arguments:
        return "pass"
    if word == "board" and arguments in (("left",), ("right",)):
        return f"board {arguments[0]}"
    if word == "neutral":
        return "neutral none" if arguments == ("none",) else _spell_piece(word, arguments)
    if word == "colour" and len(arguments) == 1 and arguments[0] in COLOURS:
        return f"colour {arguments[0]}"
    return _spell_effect(word, arguments)


def _spell_card(tokens: tuple[str, ...]) -> str | None:
    """Spell ``flood in ap1`` as ``card flood AP1``."""
    kind, remaining = _split_kind(tokens) or ("", ())
    if remaining[:1] in (("in",), ("on",), ("at",), ("to",)):
        remaining = remaining[1:]
    province = _canonical_name(remaining[0], PROVINCE) if len(remaining) == 1 else None
    return f"card {kind} {province}" if province else None


def _spell_piece(word: str, tokens: tuple[str, ...]) -> str | None:
    """Spell wall, double, tower and neutral: ``on a5 reserves a6`` of a tower as ``tower A5 reserve A6``."""
    tokens = tuple(token for token in tokens if token not in ("on", "at", "in"))
    if word == "tower" and len(tokens) == 3 and tokens[1] in ("reserve", "reserves", "reserving"):
        names = [_canonical_name(tokens[0], SQUARE), _canonical_name(tokens[2], SQUARE)]
        return f"tower {names[0]} reserve {names[1]}" if all(names) else None
    squares = [_canonical_name(token, SQUARE) for token in tokens]
    if not all(squares) or len(squares) != (2 if word == "double" else 1):
        return None
    if word == "double" and str(squares[0])[0] == str(squares[1])[0]:  # both on one board
        squares.sort(key=lambda name: int(str(name)[1:]))  # from left to right
    return f"{word} {' '.join(str(name) for name in squares)}"


def _spell_effect(word: str, arguments: tuple[str, ...]) -> str | None:
    """Spell an order that says what a card does when it takes effect, such as ``flood plus 2``."""
    if word == "warrior":
        kind, remaining = _split_kind(arguments) or ("", ())
        return f"warrior {kind}" if kind and not remaining else None
    if word == "flood" and arguments in (("+2",), ("-2",), ("2",), ("plus", "2"), ("minus", "2")):
        return "flood -2" if arguments[0] in ("-2", "minus") else "flood +2"
    if word == "builder" and arguments in (("value",), ("wall",)):
        return f"builder {arguments[0]}"
    if word in ("traitor", "mandarin") and arguments == ("none",):
        return f"{word} none"
    if word == "traitor" and len(arguments) == 2 and arguments[0] in ("break", "counter"):
        name = _canonical_name(arguments[1], SQUARE if arguments[0] == "break" else REGION)
        return f"traitor {arguments[0]} {name}" if name else None
    if word == "mandarin":
        names = [_canonical_name(word, SQUARE) for word in arguments if word != "with"]
        return f"mandarin {names[0]} {names[1]}" if len(names) == 2 and all(names) else None
    return None
