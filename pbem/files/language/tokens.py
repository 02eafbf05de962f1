"""A line of a mail as lower-case tokens: bullets, dashes, quotes and odd blanks made plain; what
may be quoted of it, and what was probably meant. All of spelling that is the same for every game.

What must never be here: which words are orders; the names of any game's places (``is_name`` says).
Law: total and linear: any text gives tokens.
Source: FORMAT.md section 3 ("Lines"); docs/NOTATION.md.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

from pbem.engine.row import Sentence, say
from pbem.files import sentences
from pbem.files.characters import folded
from pbem.files.identity import speaks_of_password

# Words after an order word that make it a sentence: "pass the salt", "draw a breath".
_ARTICLE = re.compile("the|an?|my|your|his|her|our|their|its|this|that|is|are|was|were")
_MEANS_ME = re.compile("i|i'll|i'd|ill|we|we'll|so|my|just|then|ok|okay|let|let's")
POLITE = re.compile(
    "please|pls|plz|thanks|thank|thx|ty|you|cheers|danke|bitte|merci|grazie|prego"
    "|kösz|köszi|köszönöm"
)
_NUMBER = re.compile(r"[+-]?\d{1,4}")
_COUNT = re.compile(r"\d{1,2}x?|x\d{0,2}|twice|thrice|times|time|once|two|three|both")
_MOST_TOKENS = 16
#: words of all games (docs/NOTATION.md)
_OF_ALL = frozenset(
    ["later", "when", "then", "withdraw", "resend", "help", "rules", "yes", "no", "password"]
).union(["absent", "message", "leave"])
_LONGEST_SHOWN = 200


class Grammar(NamedTuple):
    """What a game brings: its orders' first words, its spellings, its names, and all its words.

    ``guarded``: the mail is of a seat with a password, and nothing else of it may be quoted.
    ``spoken``: how its words are said in plain words; with none, notation alone is read.
    """

    words: frozenset[str]
    spell: Callable[[tuple[str, ...]], str | None]
    is_name: Callable[[str], bool]
    vocabulary: frozenset[str] = frozenset()
    guarded: bool = False
    spoken: tuple[tuple[str, str], ...] = ()

    def quoted(self, text: str, most: int = _LONGEST_SHOWN) -> str:
        """What may be quoted of a line or of a part: fit to be printed, not endless. Of a guarded
        mail, and where a password is spoken of, its known words alone; for others "…".
        """
        if self.guarded or speaks_of_password(text):
            text = self._known_words(text)
        shown = "".join(c if c.isprintable() else " " for c in text).strip()
        return shown if len(shown) <= most else shown[: most - 1] + "…"

    def _known_words(self, text: str) -> str:
        """Built from what is known, so that nothing else is left."""
        known = self.words | self.vocabulary | _OF_ALL
        found: list[str] = []
        for token in tokens(plain(text), self.is_name):
            if token in (",", ":", ";") and found:
                found[-1] += token
            elif self.is_name(token):
                found.append(token.upper())
            elif token in known or _NUMBER.fullmatch(token):
                found.append(token)
            elif token not in SEPARATORS and found[-1:] != ["…"]:
                found.append("…")
        return " ".join(found)

    def named(self, tokens: tuple[str, ...]) -> bool:
        """Whether a name, or a number with its sign, stands among the tokens."""
        return any(self.is_name(token) or token[0] in "+-" for token in tokens)


def why_suspicious(tokens: tuple[str, ...], grammar: Grammar) -> Sentence | None:
    """Why these tokens hold the mail back though they are no order; None if they are prose."""
    if not tokens:
        return None
    words, head, rest = grammar.words, tokens[0], tokens[1:]
    named = grammar.named(tokens)
    numbered = any(_NUMBER.fullmatch(token) for token in tokens)
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
    return known or grammar.is_name(token) or _NUMBER.fullmatch(token) is not None


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
    """What was probably meant, in well-formed spelling (several joined by commas), or None."""
    tokens = tokens[:_MOST_TOKENS]
    for attempt in _attempts(tokens, grammar):
        spelt = [grammar.spell(part) if part else None for part in attempt]
        if spelt and all(spelt):
            return ", ".join(dict.fromkeys(part for part in spelt if part))
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
        core = tuple(t for t in first[1:] if _NUMBER.fullmatch(t) or grammar.is_name(t))
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
        (p[0], *(t for t in p[1:] if grammar.is_name(t) or _NUMBER.fullmatch(t))) for p in pieces
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


def canonical_name(name: str) -> str:
    """``ap02`` is ``AP2``, as in every order."""
    parts = _PLACE.fullmatch(name)
    return f"{parts[1].upper()}{parts[2].lstrip('0') or '0'}" if parts else name.upper()


_PLACE = re.compile("([a-z]+)([0-9]+)")
SEPARATORS = frozenset({",", ";", ".", ":", "&", "/", "+", "and"})
_DASHES = re.compile("[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d\u00ad]")
_BULLET = re.compile(r"\s*(?:[*•·‣◦▪+-]\s+|[•·‣◦▪]|\(?\d{1,3}[.)]\s*(?=[^\W\d])|\(?[a-z][.)]\s*)")
_SIGN = re.compile(r"(?<![\w])([+-])\s+(?=\d)")
_GLUED_SIGN = re.compile(r"(?<=[a-z]{3})([+-])(?=\d)")
_NAME = re.compile(r"(?<![\w+-])((?!um)[a-z]{1,2})\s{0,3}-?\s{0,3}([0-9]{1,2})(?!\w)")
_BETWEEN = re.compile(r"(?<=\d)\s*[-+/&]\s*(?=[a-z]{1,2}\s?\d)")
_TOKEN = re.compile(r"[+-]\d+|[^\W_](?:[\w'-]*[^\W_])?|[,;.:&/+]")
_KISS = re.compile(r"\b(please|pls|thanks|thx|cheers|ta)\s+x{1,3}$")
_SMILE = re.compile(r"(?<!\S)(?:[:;=]-?[()dp]+|<3+)(?!\S)")
_ARROW = re.compile(r" ?[-=]> ?(?=[^\W\d_]{3})")  #: `AP1 -> warrior mandarin`
_LONGEST = 2000


def plain(text: str) -> str:
    """The line in lower case, comment cut, one kind of dash, blank and quote."""
    text = folded(_DASHES.sub("-", text.split("#", 1)[0][:_LONGEST]))
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) not in ("Mn", "Me"))
    text = re.sub("[’‘ʼ]", "'", text).lower()
    text = _ARROW.sub(": ", re.sub(r"\s+", " ", _SMILE.sub(" ", text)))
    return _KISS.sub(r"\1", text.strip())


def bare(text: str) -> str:
    """Without accents: the letters that a keyboard has everywhere."""
    if text.isascii():
        return text
    marked = unicodedata.normalize("NFD", text.replace("ß", "ss").replace("œ", "oe"))
    return "".join(c for c in marked if not unicodedata.combining(c))


def tokens(line: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """The tokens of a plain line: words, names (``a 5`` is ``a5``), numbers with their sign, and
    the separators ``, ; . : & / +``. ``is_name`` says whether two parts make one name.
    """
    for _ in range(2):
        line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    line = _NAME.sub(lambda m: m[1] + m[2] if is_name(m[1] + m[2]) else m[0], line)
    line = _BETWEEN.sub(" ", line)
    line = _GLUED_SIGN.sub(r" \1", line)
    line = _SIGN.sub(r" \1", line)
    return tuple(_TOKEN.findall(line))


def segments(line: tuple[str, ...], words: frozenset[str]) -> list[tuple[str, ...]]:
    """The line split at separators that an order word follows; other separators are blanks."""
    found: list[list[str]] = [[]]
    for before, token in zip((" ", *line), line, strict=False):
        if before in SEPARATORS and token in words:
            found.append([])
        if token not in SEPARATORS:
            found[-1].append(token)
    return [tuple(segment) for segment in found if segment]
