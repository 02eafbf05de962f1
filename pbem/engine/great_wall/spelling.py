"""Turns the words of an order into its canonical line, and a line into an Order.

Not allowed here: which orders are legal (legal.py).
A ``take`` may omit what leaves no choice: ``take S1 7``, ``take S1``. ``complete`` adds the rest once
the question is known. The functions ``…spell…`` get lower-case words and return None if the words
are not an order. Source: FORMAT.md "Notation".
"""

import re
from functools import lru_cache
from typing import NamedTuple

from pbem.engine.great_wall import sentences
from pbem.engine.great_wall.parts import DECK_COUNTS, DRAGON, HORSEMAN, KINDS, SITE_NAMES
from pbem.engine.great_wall.state import Public, View
from pbem.engine.row import Sentence, say

SITE_NUMBER = {name: i for i, name in enumerate(SITE_NAMES)}
KIND_NUMBER = {word: kind for kind, word in enumerate(KINDS)}


class Order(NamedTuple):
    """An order in numbers; -1 for a part that it does not have."""

    word: str
    site: int = -1
    kind: int = -1
    number: int = 0  #: of cards to play
    marker: int = -1
    card: int = -1  #: the card that gets the marker or is covered


DRAW = Order("draw")


@lru_cache(maxsize=4096)  # the lines of a game occur many times
def parse_order(line: str) -> Order | None:
    """Parse a canonical line; None for any other text."""
    if line == "draw":
        return DRAW
    word, *parts = line.split(" ")
    site = SITE_NUMBER.get(parts[0]) if parts else None
    if site is None:
        return None
    if word == "play":
        return _parse_play(site, parts[1:])
    if word == "horseman" and len(parts) == 1:
        return Order(word, site, HORSEMAN, 1)
    if word == "take" and len(parts) == 4 and parts[2] == "on":
        marker, card = _parse_order_number(parts[1]), _parse_order_number(parts[3])
        return Order(word, site, marker=marker, card=card - 1) if marker and card else None
    return None


def _parse_play(site: int, words: list[str]) -> Order | None:
    """Parse what follows ``play S1``: ``wall wall`` or ``dragon over 2``; None for other words."""
    kind = KIND_NUMBER.get(words[0], -1) if words else -1
    if kind == DRAGON and len(words) == 3 and words[1] == "over":
        card = _parse_order_number(words[2])
        return Order("play", site, kind, 1, card=card - 1) if card else None
    if kind < 0 or words.count(words[0]) != len(words):
        return None
    return Order("play", site, kind, len(words))


def _parse_order_number(text: str) -> int:
    """Read a number from 1 to 999, without zeros in front; 0 for any other text."""
    return int(text) if re.fullmatch("[1-9][0-9]{0,2}", text) else 0


def complete(view: View, line: str) -> str:
    """Return the legal ``take`` that an incomplete one means, if there is exactly one; else the line itself.

    For example, ``take S1 7`` with one card in play, or ``take S1 on 3`` with equal markers.
    """
    public = view.public
    if public.site < 0 or public.asked.seat != view.seat or line in public.asked.lines:
        return line
    prefix = f"take {SITE_NAMES[public.site]}"
    if line.startswith(f"{prefix} on "):
        card = line[len(prefix) :]
        matching_orders = [order for order in public.asked.lines if order.endswith(card)]
    elif line == prefix or line.startswith(f"{prefix} "):
        matching_orders = [order for order in public.asked.lines if order.startswith(f"{line} ")]
    else:
        matching_orders = []
    return matching_orders[0] if len(matching_orders) == 1 else line


def no_site_sentence(public: Public, name: str) -> Sentence:
    return say(sentences.NO_SITE, site=name, first=SITE_NAMES[0], last=SITE_NAMES[len(public.sites) - 1])


SITE = re.compile(r"s0*[1-4]")
NAME = re.compile(r"s[0-9]{1,2}")
NUMBER = re.compile(r"0*[1-9][0-9]{0,2}")

KIND_OF = {word: word for word in KINDS} | {f"{word}s": word for word in KINDS}
KIND_OF["horsemen"] = KINDS[HORSEMAN]
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
#: words that add nothing to an order
FILLER_WORDS = frozenset(("a", "an", "the", "my", "card", "cards", "marker", "at", "in", "to", "with", "of"))
#: words of orders after the first word
VOCABULARY = FILLER_WORDS.union(
    KIND_OF, COUNTS, ("on", "over", "from", "watch", "watch-tower", "watch-towers", "tower", "towers")
)

Tokens = tuple[str, ...]


def is_name(token: str) -> bool:
    return NAME.fullmatch(token) is not None


def spell(tokens: Tokens) -> str | None:
    if not tokens:
        return None
    first, *words = tokens
    arguments = _join_watchtower(tuple(word for word in words if word not in FILLER_WORDS))
    if first == "draw" and arguments in ((), ("1",), ("one",)):
        return "draw"
    if first == "play":
        return _spell_play(arguments)
    if first == "horseman":
        sites, other_words = _split_sites(tuple(word for word in arguments if word != "on"))
        return f"horseman {sites[0]}" if len(sites) == 1 and not other_words else None
    return _spell_take(arguments) if first == "take" else None


def _join_watchtower(tokens: Tokens) -> Tokens:
    """Write ``watch tower`` and ``watch-tower`` as one word."""
    words: list[str] = []
    for token in tokens:
        if words and words[-1] == "watch" and token in ("tower", "towers"):
            words[-1] = "watchtower"
        else:
            words.append(token.replace("watch-tower", "watchtower"))
    return tuple(words)


def _split_sites(tokens: Tokens) -> tuple[list[str], Tokens]:
    """Split ``2 walls s1`` into the names of sites, ``S1``, and the other words, ``2 walls``."""
    sites = [f"S{int(token[1:])}" for token in tokens if SITE.fullmatch(token)]
    return sites, tuple(token for token in tokens if not SITE.fullmatch(token))


def _parse_number(token: str) -> int:
    """Read a number as a player may write it, such as ``07``; 0 if it is not a number from 1 to 999."""
    return int(token) if NUMBER.fullmatch(token) else 0


def _spell_play(tokens: Tokens) -> str | None:
    """Spell ``2 guards on s1`` as ``play S1 guard guard``, and ``dragon on s1 over 4`` as ``play S1 dragon over 4``."""
    sites, words = _split_sites(tokens)
    words = tuple(word for word in words if word != "on")
    if len(sites) != 1 or not words:
        return None
    if "over" in words:
        card = _parse_number(words[2]) if len(words) == 3 and words[:2] == (KINDS[DRAGON], "over") else 0
        return f"play {sites[0]} dragon over {card}" if card else None
    kinds = [KIND_OF.get(word) for word in words]
    if len(words) == 2 and kinds[0] is None and kinds[1] is not None:  # a number, then a kind: 2 guards
        number = COUNTS.get(words[0], _parse_number(words[0]))
        if not 0 < number <= max(DECK_COUNTS):
            return None
        kinds = [kinds[1]] * number
    elif any(kind != word for kind, word in zip(kinds, words, strict=True)):
        return None  # a word is not a kind of card, or is a plural without a number
    if len(set(kinds)) != 1 or len(kinds) > max(DECK_COUNTS):
        return None
    return f"play {sites[0]} {' '.join(str(kind) for kind in kinds)}"


def _spell_take(tokens: Tokens) -> str | None:
    """Spell ``s1 7 on 3`` as ``take S1 7 on 3``. The marker, or ``on`` and the card, may be left out."""
    sites, words = _split_sites(tokens)
    if len(sites) != 1:
        return None
    words = tuple(word for word in words if word != "from")
    marker = card = 0
    if len(words) >= 2 and words[-2] == "on":
        card = _parse_number(words[-1])
        if not card:
            return None
        words = words[:-2]
    if words:
        marker = _parse_number(words[0])
        if not marker or len(words) > 1:
            return None
    parts = [f"take {sites[0]}", str(marker) if marker else "", f"on {card}" if card else ""]
    return " ".join(part for part in parts if part)
