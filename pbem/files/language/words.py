"""What words mean: those of a game and those around them, looked up longest phrase first.

What must never be here: what a sentence of them is (speech.py); the words themselves.
Law: linear in the text; accents and their spellings without them are one.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.files.language.chat import CHAT
from pbem.files.language.classes import Kind
from pbem.files.language.doubts import DOUBTS
from pbem.files.language.filler import FILLER
from pbem.files.language.grammar import Grammar
from pbem.files.language.stops import STOPS
from pbem.files.language.talk import NUMBERS, TALK
from pbem.files.language.tokens import POLITE, bare, tokens

_ELIDED = re.compile(r"(c|d|j|l|m|n|qu|s|t|un|all|dall|dell|nell|quest|sull)'(?=\w)")
_COMPARED = re.compile(r"[<>=%|]")
#: S1-re, AP2-be; not A1O, and not `from` and `to`
_ENDED = re.compile(
    r"([a-z]{1,2}\d{1,2})"
    r"(?:-?(?:[rbnt][ae]|[bn][ae]n|[aeo]n|[aeo]t|n[ae]l|h[oe]z|v[ae]l|i)|-(?!ig|tol)[a-z]{1,4})"
)
_ARROW = re.compile(r"[-=]{1,2}>|<[-=]{1,2}")  #: `flood -> BP2`
_NUMBER = re.compile(r"(\d{1,3})(?:-?(?:er|es|est|as|ast|os|ost|esre|asra|re|ra))?")
_TIMES = re.compile(
    r"(?<!\w)([1-9]\d?)\s?[x×](?!\w)|(?:(?<!\w)x|×)\s?([1-9]\d?)(?!\w)"
)  #: how often
_OFTEN = re.compile(r"[1-9]\d?x")
_SIGNED = re.compile(r"[+-]\d{1,4}")
_SEPARATORS = frozenset("&/+")
TABLES = (CHAT, FILLER, TALK, STOPS, DOUBTS)  #: of all games; a later one comes before
_LONGEST = 7  #: words of a phrase


class Word(NamedTuple):
    """A word as understood. ``whole`` may have a text too, ``fill`` has one if a game brings it,
    and ``keep`` what it says where a place is named.
    """

    kind: Kind
    text: str = ""
    #: words of orders, apart by `|`: what is said beside one of these is only what that does
    deed: str = ""


Meanings = Mapping[tuple[str, ...], Word]
Spoken = tuple[tuple[str, str], ...]  #: a game's table: what is meant, and how it is said


def _spellings(phrase: str) -> set[tuple[str, ...]]:
    """A phrase without its accents, also with ae for ä; one marked `=` as it stands."""
    if phrase.startswith("="):
        return {(phrase[1:],)}
    phrase = _ELIDED.sub(r"\1 ", phrase)
    long = phrase.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return {tuple(bare(one).split()) for one in (phrase, long)}


@lru_cache(maxsize=8)
def meanings(spoken: Spoken, own: frozenset[str]) -> Meanings:
    """Every phrase that is known: of all games, the game's ``own`` words, and as they are said."""
    known: dict[tuple[str, ...], Word] = {}
    tables = {Word(kind): said for table in TABLES for kind, said in table.items()}
    for word, said in (
        {Word("num", text): said for text, said in NUMBERS.items()} | tables
    ).items():
        known |= {spelling: word for one in said.split("|") for spelling in _spellings(one)}
    known |= {(word,): Word("word", word) for word in own if (word,) not in known}
    for meant, said in (pair for pair in spoken if not pair[0].endswith(":")):
        kind: Kind = "num" if meant.lstrip("+-")[:1].isdigit() else "word" if meant else "fill"
        kind = "name" if meant.isupper() else "whole" if meant[:1] == "?" else kind
        phrases = [*said.split("|"), *([meant] if meant and not {*"|?"} & {*meant} else [])]
        text = meant.lower().removeprefix("?") or "game"
        for spelling in (spelling for one in phrases for spelling in _spellings(one)):
            keeps = kind == "word" and known.get(spelling, Word("unknown")).kind == "keep"
            known[spelling] = Word("keep" if keeps else kind, text)
    for meant, said in (pair for pair in spoken if pair[0].endswith(":")):
        for spelling in (spelling for one in said.split("|") for spelling in _spellings(one)):
            before = known.get(spelling, Word("unknown", " ".join(spelling)))
            of = f"{before.deed}|{meant[:-1]}" if before.deed else meant[:-1]
            known[spelling] = before._replace(deed=of)
    return known


def without_deeds(clauses: Sequence[list[Word]]) -> list[list[Word]]:
    """With what a card does as its ``deed``, where the card is named in the clause, or alone in the
    one before: `warrior: kill the mandarin`.
    """
    found, before = list[list[Word]](), frozenset[str]()
    for clause in clauses:
        words = [word.text for word in clause if word.kind == "word"]
        there = frozenset(text for word in words for text in word.split("|"))
        near = there | before
        found.append([Word("deed") if near & {*x.deed.split("|")} else x for x in clause])
        before = there if len(words) == 1 else frozenset()
    return found


def looked_up(text: str, grammar: Grammar, known: Meanings) -> list[Word]:
    """The words of a plain text, in order."""
    text = _ARROW.sub(" to ", text)
    text = _COMPARED.sub(" versus ", _TIMES.sub(r" \1\2x ", text))
    text = _ELIDED.sub(r"\1 ", text)
    written = tokens(text, grammar.is_name)
    said = tuple(map(bare, written))
    found, at = [], 0
    while at < len(said):
        for end in range(min(at + _LONGEST, len(said)), at, -1):
            if word := known.get(written[at:end]) or known.get(said[at:end]):
                at = end
                break
        else:
            word, at = _alone(said[at], grammar), at + 1
        found.append(word)
    return found


def _alone(token: str, grammar: Grammar) -> Word:
    ended = _ENDED.fullmatch(token)
    if grammar.is_name(token) or (ended and grammar.is_name(ended[1])):
        return Word("name", ended[1] if ended and not grammar.is_name(token) else token)
    if _SIGNED.fullmatch(token) or _OFTEN.fullmatch(token):
        return Word("num", token)
    if number := _NUMBER.fullmatch(token):
        return Word("num", number[1])
    if POLITE.fullmatch(token):
        return Word("fill")
    return Word("and") if token in _SEPARATORS else Word("unknown", token)
