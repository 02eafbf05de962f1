"""The words that players use in five languages, and their meaning in the notation of a game.

Two tables of data bring them: words.toml of every game, and that of one game.

What must never be here: whether an order is legal; a View.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from pbem.notation.tokens import canonical_name, normalize_line, strip_accents, tokenize

#: Kinds of terms: a word of the notation, a name of the game, a number; a word without effect; any
#: other word; a sign that no order has.
WORD, NAME, NUMBER, SMALL, UNKNOWN, SIGN = "word", "name", "number", "small", "unknown", "sign"
_SIGNS = re.compile(r"[^\w\s.,;:!&+'`\"“”„«»*_-]")
_ELIDED = re.compile(r"\b([cdjlmnst]|qu|un)'(?=\w)")
_ENDING = re.compile(
    r"([a-z]{1,2}\d{1,2})-(?:r[eaő]|b[eaő][nl]?|[aeoö]n|n|[aeoö]?t|i)|([a-z]{1,2}\d{1,2})'s"
)  #: A5-re, S1-be
_NUMBER = re.compile(r"[+-]?\d{1,3}")
_GLUE = frozenset({",", ";", ".", ":", "&", "+"})
_MAX_PHRASE_WORDS = 4
_MAX_NAME_WORDS, _MAX_LAYOUT_WORDS = 3, 8
_CONTACT = re.compile(r"[\s\d()+./:-]*\d{3}[\s\d()+./:-]*|\S+@\S+\.\w+|(?:https?://|www\.)\S+")


class Term(NamedTuple):
    """A word of a line, or a phrase of several words."""

    kind: str
    text: str  #: as written, in small letters; a name in canonical spelling
    words: tuple[str, ...] = ()  #: the words of the notation that it may mean
    is_plural: bool = False  #: it means more than one


class Lexicon(NamedTuple):
    """The words of every game, and of one game."""

    phrases: dict[tuple[str, ...], Term]
    layout_phrases: frozenset[tuple[str, ...]]  #: of greetings and farewells
    greetings: frozenset[tuple[str, ...]]
    program_prefixes: tuple[str, ...]  #: the beginnings of lines that mail programs write
    yes: frozenset[str]
    no: frozenset[str]
    range_words: frozenset[str]  #: words without effect, except between two places
    changing_phrases: frozenset[tuple[str, ...]]  #: lines that change the orders directly below
    withdraw_phrases: frozenset[tuple[str, ...]]
    is_name: Callable[[str], bool]

    def find_terms(self, text: str) -> list[Term]:
        """The terms of a line in order, without separators. Linear time."""
        line = normalize_line(text)
        sign_terms = [Term(SIGN, sign) for sign in dict.fromkeys(_SIGNS.findall(line))]
        written_words = [
            written_word for written_word in _tokenize_elided(line, self.is_name) if written_word not in _GLUE
        ]
        words = [strip_accents(word) for word in written_words]
        terms, index = list[Term](), 0
        while index < len(words):
            for end in range(min(index + _MAX_PHRASE_WORDS, len(words)), index, -1):
                exact_term = self.phrases.get(tuple(written_words[index:end]))
                if term := exact_term or self.phrases.get(tuple(words[index:end])):
                    index = end
                    break
            else:
                term, index = self._single_term(words[index]), index + 1
            terms.append(term)
        return terms + sign_terms

    def has_range(self, terms: list[Term]) -> bool:
        """Whether a word between two places may make them a range: `A5 to A8`."""
        triples = zip(terms, terms[1:], terms[2:], strict=False)
        return any(a.kind == b.kind == NAME and middle.text in self.range_words for a, middle, b in triples)

    def _single_term(self, word: str) -> Term:
        ending_match = _ENDING.fullmatch(word)
        name = (ending_match[1] or ending_match[2]) if ending_match else word
        if self.is_name(name):
            return Term(NAME, canonical_name(name))
        return Term(NUMBER if _NUMBER.fullmatch(word) else UNKNOWN, word)

    def is_layout(self, text: str, names: frozenset[str] = frozenset()) -> bool:
        """Whether a line says nothing about the game.

        It only greets, takes leave, contains one of these ``names``, introduces what is below, or
        comes from a mail program.
        """
        line = strip_accents(normalize_line(text)).strip(" *_-.,!:;|>~=")
        if not any(c.isalnum() for c in line) or line.startswith(self.program_prefixes):
            return True
        if _CONTACT.fullmatch(line):
            return True
        words = [word for word in _bare_words(line, self.is_name) if word not in _GLUE]
        if len(words) > _MAX_LAYOUT_WORDS or _SIGNS.search(line):
            return False
        last_word = text.rstrip(" ,.!-").rpartition(" ")[2]  # a name, or the end of an introduction
        return self._is_greeting(words, names, ends_with_name=not last_word.islower() or last_word.endswith(":"))

    def _is_greeting(self, words: list[str], names: frozenset[str], ends_with_name: bool) -> bool:
        index, has_greeted = 0, False
        while index < len(words):
            size = next((n for n in range(4, 0, -1) if tuple(words[index : index + n]) in self.layout_phrases), 0)
            term = self.phrases.get((words[index],))
            if size or words[index] in names:
                has_greeted = True
            elif not (term and term.kind == SMALL) and not (has_greeted and ends_with_name and index + 1 >= len(words)):
                return False  # a single unknown word at the end may be a name: `Hi Rita`
            index += size or 1
        return True

    def find_salutation(self, text: str) -> str:
        """The salutation before the orders of a line, such as `Hi Rita,`; "" if there is none."""
        match = re.match(r"\s*([^,!:]{2,40}[,!:])\s*(?=\S)", text)
        words = _bare_words(normalize_line(match[1]), self.is_name) if match else []
        words = [word for word in words if word not in _GLUE]
        size = next((n for n in range(3, 0, -1) if tuple(words[:n]) in self.greetings), 0)
        is_short = size and len(words) <= size + _MAX_NAME_WORDS
        has_order_word = any(self.phrases.get((word,), Term(UNKNOWN, "")).kind == WORD for word in words[size:])
        return match[0] if match and is_short and not has_order_word else ""


def is_signature(text: str) -> bool:
    """Whether a line is nothing but a name: `Ann`, `Ann M. Miller`."""
    words = text.strip(" -*_,.~").split()
    return 0 < len(words) <= _MAX_NAME_WORDS and all(
        word[0].isupper() and word.strip(".,'-").replace("-", "").isalpha() for word in words
    )


def _tokenize_elided(line: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """The words of a plain line, with `l'` and the like as separate words."""
    return tokenize(_ELIDED.sub(r"\1 ", line), is_name)


def _bare_words(line: str, is_name: Callable[[str], bool]) -> list[str]:
    """The same words without accents."""
    return [strip_accents(word) for word in _tokenize_elided(line, is_name)]


@lru_cache(maxsize=8)
def build_lexicon(
    common_toml: str,
    game_toml: str,
    head_words: frozenset[str],
    other_words: frozenset[str],
    is_name: Callable[[str], bool],
) -> Lexicon:
    """The lexicon of two TOML tables: of every game, and of one ("" if it has none).

    ``head_words`` are the first words of orders in the notation of the game, ``other_words`` all
    its other words.
    """
    table, game_table = tomllib.loads(common_toml), tomllib.loads(game_toml)
    rows = [(Term(SMALL, ""), written_phrases) for written_phrases in table["small"].values()]
    rows += [(Term(NUMBER, number), written_phrases) for number, written_phrases in table["numbers"].items()]
    for language in game_table.values():
        for meaning, written_phrases in language.items():
            word = meaning.removesuffix("+")
            kind = NAME if word.isupper() else WORD if word else SMALL
            words = tuple(word.split("|")) if kind == WORD else ()
            rows.append((Term(kind, word, words, word != meaning), written_phrases))
    phrases = dict[tuple[str, ...], Term]()
    for (term, _), spellings in zip(
        rows, _split_spellings([written_phrases for _, written_phrases in rows]), strict=True
    ):
        phrases |= {spelling: term if term.text else Term(SMALL, " ".join(spelling)) for spelling in spellings}
    for word in head_words | other_words:
        known_term = phrases.get((word,))
        if known_term is None or (word in head_words and known_term.kind == SMALL):
            phrases[word,] = Term(WORD, word, (word,))
    layout, answers = table["layout"], table["answers"]
    phrase_lists = [layout["greetings"], layout["farewells"], table["turns"]["alone"]]
    phrase_lists += [table["commands"]["withdraw"], answers["yes"], answers["no"]]
    phrase_sets = [frozenset(phrase) for phrase in _split_spellings([*phrase_lists, table["ranges"]["words"]])]
    greetings, farewells, turns, withdraws, yes, no, ranges = phrase_sets
    programs = strip_accents(layout["programs"]).split()
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


def _split_spellings(rows: list[str]) -> list[list[tuple[str, ...]]]:
    """The phrases of each row, each as a tuple of words.

    They have no accents unless marked so, and also occur with `ae` in place of `ä`.
    """
    text = _ELIDED.sub(r"\1_", "\n".join(" ".join(row.split()) for row in rows))
    without_umlauts = text.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    variants = (text, strip_accents(text), strip_accents(without_umlauts))
    return [
        [
            tuple(word.removeprefix("=").split("_"))
            for number, spelled in enumerate(row_variants)
            for word in spelled.split()
            if word.startswith("=") == (number == 0)
        ]
        for row_variants in zip(*(spelling.split("\n") for spelling in variants), strict=True)
    ]
