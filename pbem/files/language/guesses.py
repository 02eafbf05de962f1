"""A line that is no order: whether it looks like one, and which was probably meant.

What must never be here: what a sentence in plain words means (speech.py, the moderator).
Law: total, and linear in the line.
Source: FORMAT.md section 3 ("Lines"); docs/NOTATION.md.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import pairwise

from pbem.engine.row import Sentence, say
from pbem.files import sentences
from pbem.files.language.grammar import NUMBER, Grammar

# Words after an order word that make it a sentence: "pass the salt", "draw a breath".
_ARTICLE = re.compile("the|an?|my|your|his|her|our|their|its|this|that|is|are|was|were")
_MEANS_ME = re.compile("i|i'll|i'd|ill|we|we'll|so|my|just|then|ok|okay|let|let's")
_COUNT = re.compile(r"\d{1,2}x?|x\d{0,2}|twice|thrice|times|time|once|two|three|both")
_MOST_TOKENS = 16


def why_suspicious(tokens: tuple[str, ...], grammar: Grammar) -> Sentence | None:
    """Why these tokens hold the mail back though they are no order; None if they are prose."""
    if not tokens:
        return None
    words, head, rest = grammar.words, tokens[0], tokens[1:]
    named = grammar.named(tokens)
    numbered = any(NUMBER.fullmatch(token) for token in tokens)
    if head in words:
        return _begins_like_one(head, rest, grammar, named, numbered)
    near = near_word(head, words)
    if near and rest and (named or (numbered and len(tokens) <= 3)):
        return say(sentences.NO_ORDER_BEGINS, word=grammar.quoted(head, 20))
    # an order word, or one with an ending: walls, walled
    if named and any(t.startswith(w) and len(t) - len(w) <= 3 for t in tokens for w in words):
        return say(sentences.OTHER_WORDS)
    if _counted(tokens, grammar):
        return say(sentences.COUNTED)
    if any(near_word(t, words) and grammar.is_name(name) for t, name in pairwise(tokens)):
        return say(sentences.OTHER_WORDS)
    if named and (len(tokens) <= 3 or all(_of_orders(token, grammar) for token in tokens)):
        return say(sentences.LOOKS_LIKE, word=grammar.quoted(head, 20))
    if near and grammar.spell((near, *rest)) is not None:  # `bord left`, `pas`: one letter mended
        return say(sentences.NO_ORDER_BEGINS, word=grammar.quoted(head, 20))
    return _bare(tokens, grammar)


def _begins_like_one(
    head: str, rest: tuple[str, ...], grammar: Grammar, named: bool, numbered: bool
) -> Sentence | None:
    """The same of a line whose first word is the first word of an order."""
    odd = next((t for t in rest if not t.isascii() and t[-1:].isdigit()), None)
    if odd is not None and not named:
        return say(sentences.LETTERS, word=grammar.quoted(odd, 20))
    if named or (numbered and len(rest) <= 11):
        return say(sentences.NOT_SO, word=head)
    if len(rest) > 2 or (rest and _ARTICLE.fullmatch(rest[0])):
        return None
    return say(sentences.NOT_WHOLE, word=head)


def _of_orders(token: str, grammar: Grammar) -> bool:
    """Whether a token can stand in an order of this game."""
    known = token in grammar.words or token in grammar.vocabulary
    return known or grammar.is_name(token) or NUMBER.fullmatch(token) is not None


def _counted(tokens: tuple[str, ...], grammar: Grammar) -> bool:
    """`2x draw`, `draw twice`: an order, and how often."""
    kept = tuple(token for token in tokens if not _COUNT.fullmatch(token))
    return kept != tokens and bool(kept) and grammar.spell(kept) is not None


def _bare(tokens: tuple[str, ...], grammar: Grammar) -> Sentence | None:
    """`I pass`: one-word orders said as a sentence."""
    bare = (t for t in tokens[1:] if t in grammar.words and grammar.spell((t,)) is not None)
    means_me = len(tokens) <= 3 and _MEANS_ME.fullmatch(tokens[0])
    return say(sentences.OTHER_WORDS) if means_me and any(bare) else None


def suggestion(tokens: tuple[str, ...], grammar: Grammar) -> str | None:
    """What was probably meant, in well-formed spelling (several joined by commas), or None: also
    where a place, or a number with its sign, would be left out (but what `when` waits for).
    """
    tokens = tokens[:_MOST_TOKENS]
    own = tokens[2:] if tokens[:1] == ("when",) else tokens
    told = {token for token in own if grammar.is_name(token) or token[0] in "+-"}
    for attempt in _attempts(tokens, grammar):
        spelt = [grammar.spell(part) if part else None for part in attempt]
        if spelt and all(spelt):
            whole = told <= {token for part in attempt for token in part}
            return ", ".join(dict.fromkeys(part for part in spelt if part)) if whole else None
    return None


def _attempts(tokens: tuple[str, ...], grammar: Grammar) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Readings of the tokens, the most faithful first; each a tuple of orders."""
    corrected = tuple(_correct(token, grammar) for token in tokens)
    yield (tokens,)
    yield (corrected,)
    for line in dict.fromkeys((tokens, corrected)):
        starts = [i for i, token in enumerate(line) if token in grammar.words]
        if not starts:
            continue
        first = line[starts[0] :]
        ends = [*starts[1:], len(line)]
        pieces = tuple(line[a:b] for a, b in zip(starts, ends, strict=True))
        yield pieces
        yield from _with_numbers(pieces, grammar)
        yield tuple((p[0], *(t for t in p if grammar.is_name(t))) for p in pieces)
        core = tuple(t for t in first[1:] if NUMBER.fullmatch(t) or grammar.is_name(t))
        kept = tuple(t for t in first if t in grammar.words or t in core)
        names = tuple(t for t in core if grammar.is_name(t))
        if core == first[1:] == names:
            yield tuple((first[0], name) for name in names)
        for end in range(len(first), 0, -1):
            yield (first[:end],) if end > 1 or len(line) <= 3 else ()
        yield (kept,)
        yield (first[:1] + core,)
        yield (first[:1] + names[:1],)


def _with_numbers(
    pieces: tuple[tuple[str, ...], ...], grammar: Grammar
) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Each order with its names and numbers alone; of two numbers the last may say `on` what."""
    cores = [
        (p[0], *(t for t in p[1:] if grammar.is_name(t) or NUMBER.fullmatch(t))) for p in pieces
    ]
    yield tuple(cores)
    if all(len(core) > 3 for core in cores):
        yield tuple((*core[:3], "on", core[3]) for core in cores)


def _correct(token: str, grammar: Grammar) -> str:
    """The word of an order that this token misspells, or the token itself."""
    known = grammar.words | grammar.vocabulary
    if token in known or grammar.is_name(token) or not token.isalpha() or len(token) < 3:
        return token
    near = near_word(token, known)
    return near or next(iter(get_close_matches(token[:40], sorted(known), 1, cutoff=0.7)), token)


def near_word(token: str, words: frozenset[str]) -> str | None:
    """The first of these words within one slip of the finger, if there is one."""
    return next((w for w in sorted(words) if one_slip(token, w)), None) if len(token) > 2 else None


def one_slip(a: str, b: str) -> bool:
    """Whether one letter too many, too few, wrong, or two swapped make a into b."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    shorter = min(len(a), len(b))
    start = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    rest_a, rest_b = a[start:], b[start:]
    if len(a) != len(b):
        return rest_a[1:] == rest_b or rest_a == rest_b[1:]
    swapped = rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:]
    return rest_a[1:] == rest_b[1:] or swapped
