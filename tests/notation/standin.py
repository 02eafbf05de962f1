"""A small grammar like that of Chang Cheng, for tests without a game."""

import re

from pbem.notation.lines import Grammar

CARDS = ("warrior", "traitor", "flood", "builder", "master-builder", "mandarin")
SQUARE = r"[a-z][0-9]{1,2}"
SHAPES = (
    rf"wall ({SQUARE})",
    rf"card ({'|'.join(CARDS)}) (ap\d)",
    rf"double ({SQUARE}) ({SQUARE})",
    rf"tower ({SQUARE})(?: reserve ({SQUARE}))?",
    rf"neutral ({SQUARE}|none)",
    "pass",
    "draw",
    r"take (s\d) \d+ on \d+",
    "colour (red|blue|green|yellow)",
    "board (left|right)",
    rf"warrior ({'|'.join(CARDS)})",
    rf"traitor (?:break ({SQUARE})|counter (am\d)|none)",
    r"flood [+-]2",
    "builder (value|wall)",
    rf"mandarin (?:{SQUARE} {SQUARE}|none)",
)
WORDS = frozenset(shape.split()[0] for shape in SHAPES)


def is_name(token: str) -> bool:
    return re.fullmatch(r"[a-f][0-9]{1,2}|a[pm][0-9]{1,2}|s[0-9]", token) is not None


def spell(tokens: tuple[str, ...]) -> str | None:
    line = " ".join(tokens)
    if not any(re.fullmatch(shape, line) for shape in SHAPES):
        return None
    return " ".join(token.upper() if is_name(token) else token for token in tokens)


GRAMMAR = Grammar(WORDS, spell, is_name, frozenset({"flood", "left", "right"}))
