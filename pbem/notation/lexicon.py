"""The words of players in five languages: what each is in the notation of a game, if anything.

What lives here: ``Lexicon``, made of two tables of data (words.toml, of every game and of one), and
a line looked up in it. What must never be here: whether an order is legal; a View.
Law: total and linear: any line gives terms; accents and spellings without them are one.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from pbem.notation.tokens import bare, canonical_name, plain, tokens

#: of a term: a word of the notation, a name of the game, a number; a word that turns nothing; any
#: other word; a sign that no order has
WORD, NAME, NUMBER, SMALL, UNKNOWN, SIGN = "word", "name", "number", "small", "unknown", "sign"
_SIGNS = re.compile(r"[^\w\s.,;:!&+'`\"“”„«»*_-]")
_ELIDED = re.compile(r"\b([cdjlmnst]|qu|un)'(?=\w)")
_ENDING = re.compile(
    r"([a-z]{1,2}\d{1,2})-(?:r[eaő]|b[eaő][nl]?|[aeoö]n|n|[aeoö]?t|i)|([a-z]{1,2}\d{1,2})'s"
)  #: A5-re, S1-be
_NUMBER = re.compile(r"[+-]?\d{1,3}")
_GLUE = frozenset({",", ";", ".", ":", "&", "+"})
_LONGEST = 4  #: words of a phrase
_MOST_NAMES, _MOST_LAYOUT = 3, 8  #: words of a name below a line, and of a line of layout
_CONTACT = re.compile(r"[\s\d()+./:-]*\d{3}[\s\d()+./:-]*|\S+@\S+\.\w+|(?:https?://|www\.)\S+")


class Term(NamedTuple):
    """A word of a line, or a phrase of several."""

    kind: str
    text: str  #: as written, in small letters; of a name canonical
    words: tuple[str, ...] = ()  #: the words of the notation that it may be
    several: bool = False  #: it says that there is more than one


class Lexicon(NamedTuple):
    """The words of everybody, and of one game."""

    phrases: dict[tuple[str, ...], Term]
    layout: frozenset[tuple[str, ...]]  #: of greetings and farewells
    greetings: frozenset[tuple[str, ...]]
    programs: tuple[str, ...]  #: how lines of mail programs begin
    yes: frozenset[str]
    no: frozenset[str]
    ranges: frozenset[str]  #: words that turn nothing, but between two places
    turns: frozenset[tuple[str, ...]]  #: lines that turn the orders right below
    withdraws: frozenset[tuple[str, ...]]
    is_name: Callable[[str], bool]

    def terms(self, text: str) -> list[Term]:
        """What stands on a line, in order; separators are left out."""
        line = plain(text)
        signs = [Term(SIGN, sign) for sign in dict.fromkeys(_SIGNS.findall(line))]
        written = [w for w in _tokens(line, self.is_name) if w not in _GLUE]
        words = [bare(word) for word in written]
        found, at = list[Term](), 0
        while at < len(words):
            for end in range(min(at + _LONGEST, len(words)), at, -1):
                before = self.phrases.get(tuple(written[at:end]))
                if term := before or self.phrases.get(tuple(words[at:end])):
                    at = end
                    break
            else:
                term, at = self._single(words[at]), at + 1
            found.append(term)
        return found + signs

    def has_range(self, terms: list[Term]) -> bool:
        """Whether two places have a word between them that may tie them: `A5 to A8`."""
        three = zip(terms, terms[1:], terms[2:], strict=False)
        return any(a.kind == b.kind == NAME and x.text in self.ranges for a, x, b in three)

    def _single(self, word: str) -> Term:
        ending = _ENDING.fullmatch(word)
        name = (ending[1] or ending[2]) if ending else word
        if self.is_name(name):
            return Term(NAME, canonical_name(name))
        return Term(NUMBER if _NUMBER.fullmatch(word) else UNKNOWN, word)

    def is_layout(self, text: str, names: frozenset[str] = frozenset()) -> bool:
        """Whether a line only greets, takes leave, names somebody (of these ``names``), introduces
        what is below in words that turn nothing, or is of a mail program.
        """
        line = bare(plain(text)).strip(" *_-.,!:;|>~=")
        if not any(c.isalnum() for c in line) or line.startswith(self.programs):
            return True
        if _CONTACT.fullmatch(line):
            return True
        words = [w for w in _words(line, self.is_name) if w not in _GLUE]
        if len(words) > _MOST_LAYOUT or _SIGNS.search(line):
            return False
        last = text.rstrip(" ,.!-").rpartition(" ")[2]  # a name, or before what is introduced
        return self._greets(words, names, named=not last.islower() or last.endswith(":"))

    def _greets(self, words: list[str], names: frozenset[str], named: bool) -> bool:
        at, greeted = 0, False
        while at < len(words):
            size = next((n for n in range(4, 0, -1) if tuple(words[at : at + n]) in self.layout), 0)
            term = self.phrases.get((words[at],))
            if size or words[at] in names:
                greeted = True
            elif not (term and term.kind == SMALL) and not (
                greeted and named and at + 1 >= len(words)
            ):
                return False  # one unknown word at the end may be a name: `Hi Rita`
            at += size or 1
        return True

    def salutation(self, text: str) -> str:
        """What a line begins with before its orders, `Hi Rita,`; "" where it begins with none."""
        match = re.match(r"\s*([^,!:]{2,40}[,!:])\s*(?=\S)", text)
        words = _words(plain(match[1]), self.is_name) if match else []
        words = [word for word in words if word not in _GLUE]
        size = next((n for n in range(3, 0, -1) if tuple(words[:n]) in self.greetings), 0)
        short = size and len(words) <= size + _MOST_NAMES
        known = any(self.phrases.get((w,), Term(UNKNOWN, "")).kind == WORD for w in words[size:])
        return match[0] if match and short and not known else ""


def is_signature(text: str) -> bool:
    """Whether a line is nothing but a name: `Ann`, `Ann M. Miller`."""
    words = text.strip(" -*_,.~").split()
    return 0 < len(words) <= _MOST_NAMES and all(
        w[0].isupper() and w.strip(".,'-").replace("-", "").isalpha() for w in words
    )


def _tokens(line: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """The words of a plain line; `l'` and its like on their own."""
    return tokens(_ELIDED.sub(r"\1 ", line), is_name)


def _words(line: str, is_name: Callable[[str], bool]) -> list[str]:
    """The same without accents."""
    return [bare(word) for word in _tokens(line, is_name)]


@lru_cache(maxsize=8)
def lexicon(
    common: str,
    game: str,
    heads: frozenset[str],
    others: frozenset[str],
    is_name: Callable[[str], bool],
) -> Lexicon:
    """The two tables read: TOML, of every game and of one ("" where it has none); ``heads``: the
    first words of orders in its notation, and all ``others``.
    """
    table, own = tomllib.loads(common), tomllib.loads(game)
    rows = [(Term(SMALL, ""), said) for said in table["small"].values()]
    rows += [(Term(NUMBER, number), said) for number, said in table["numbers"].items()]
    for language in own.values():
        for meant, said in language.items():
            word = meant.removesuffix("+")
            kind = NAME if word.isupper() else WORD if word else SMALL
            words = tuple(word.split("|")) if kind == WORD else ()
            rows.append((Term(kind, word, words, word != meant), said))
    phrases = dict[tuple[str, ...], Term]()
    for (term, _), spellings in zip(rows, _spellings([said for _, said in rows]), strict=True):
        phrases |= {x: term if term.text else Term(SMALL, " ".join(x)) for x in spellings}
    for word in heads | others:
        before = phrases.get((word,))
        if before is None or (word in heads and before.kind == SMALL):
            phrases[word,] = Term(WORD, word, (word,))
    layout, answers = table["layout"], table["answers"]
    lists = [layout["greetings"], layout["farewells"], table["turns"]["alone"]]
    lists += [table["commands"]["withdraw"], answers["yes"], answers["no"]]
    sets = [frozenset(phrase) for phrase in _spellings([*lists, table["ranges"]["words"]])]
    greetings, farewells, turns, withdraws, yes, no, ranges = sets
    programs = bare(layout["programs"]).split()
    return Lexicon(
        phrases,
        greetings | farewells,
        greetings,
        tuple(program.replace("_", " ") for program in programs),
        frozenset(word for (word,) in yes),
        frozenset(word for (word,) in no),
        frozenset(word for (word,) in ranges),
        turns,
        withdraws,
        is_name,
    )


def _spellings(rows: list[str]) -> list[list[tuple[str, ...]]]:
    """By row its phrases, each in its words: without accents (but where it is marked), and with
    `ae` in place of `ä`.
    """
    text = _ELIDED.sub(r"\1_", "\n".join(" ".join(row.split()) for row in rows))
    long = text.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    three = (text, bare(text), bare(long))
    return [
        [
            tuple(word.removeprefix("=").split("_"))
            for number, spelled in enumerate(same)
            for word in spelled.split()
            if word.startswith("=") == (number == 0)
        ]
        for same in zip(*(spelling.split("\n") for spelling in three), strict=True)
    ]
