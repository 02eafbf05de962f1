"""Look up words that players use in five languages, and their meaning in the notation of a game.

They come from two TOML tables: words.toml for every game, and words.toml of one game. A term is a
word or phrase of a line with its meaning. A phrase is a tuple of up to four words.

Not allowed here: whether an order is legal; a View.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from pbem.notation.tokens import canonical_name, normalize_line, strip_accents, tokenize

#: Kinds of terms: a word of the notation; a name (of a place); a number; a small word, which changes
#: nothing (`the`); any other word; a sign that no order has.
WORD, NAME, NUMBER, SMALL, UNKNOWN, SIGN = "word", "name", "number", "small", "unknown", "sign"
_SIGNS = re.compile(r"[^\w\s.,;:!&+'`\"“”„«»*_-]")
_ELIDED = re.compile(r"\b([cdjlmnst]|qu|un)'(?=\w)")  #: French and Italian: the `l'` of `l'eau`
_ENDING = re.compile(
    r"([a-z]{1,2}\d{1,2})-(?:r[eaő]|b[eaő][nl]?|[aeoö]n|n|[aeoö]?t|i)|([a-z]{1,2}\d{1,2})'s"
)  #: Hungarian and English endings of a place: `A5-re`, `S1-be`, `A5's`
_NUMBER = re.compile(r"[+-]?\d{1,3}")
_GLUE = frozenset({",", ";", ".", ":", "&", "+"})  #: separators that are not terms
_MAX_PHRASE_WORDS = 4
_MAX_NAME_WORDS, _MAX_LAYOUT_WORDS = 3, 8
_CONTACT = re.compile(r"[\s\d()+./:-]*\d{3}[\s\d()+./:-]*|\S+@\S+\.\w+|(?:https?://|www\.)\S+")


class Term(NamedTuple):
    """A word of a line, or a phrase of several words."""

    kind: str
    text: str  #: as written, in small letters; a name in canonical spelling
    words: tuple[str, ...] = ()  #: the words of the notation that it may mean, if its kind is WORD
    is_plural: bool = False  #: it means more than one


class Lexicon(NamedTuple):
    """The words of every game, and of one game. All are in small letters."""

    phrases: dict[tuple[str, ...], Term]
    layout_phrases: frozenset[tuple[str, ...]]  #: of greetings and farewells
    greetings: frozenset[tuple[str, ...]]
    program_prefixes: tuple[str, ...]  #: the beginnings of lines that mail programs write
    yes: frozenset[str]
    no: frozenset[str]
    range_words: frozenset[str]  #: small words that may make a range of two places: `A5 to A8`
    changing_phrases: frozenset[tuple[str, ...]]  #: lines that change the orders directly below
    withdraw_phrases: frozenset[tuple[str, ...]]
    is_name: Callable[[str], bool]

    def find_terms(self, text: str) -> list[Term]:
        """Return the terms of a line in order, then its signs. The longest phrase at each word is one term."""
        line = normalize_line(text)
        sign_terms = [Term(SIGN, sign) for sign in dict.fromkeys(_SIGNS.findall(line))]
        written_words = [word for word in _tokenize_elided(line, self.is_name) if word not in _GLUE]
        words = [strip_accents(word) for word in written_words]
        terms: list[Term] = []
        index = 0
        while index < len(words):
            for end in range(min(index + _MAX_PHRASE_WORDS, len(words)), index, -1):
                term = self.phrases.get(tuple(written_words[index:end])) or self.phrases.get(tuple(words[index:end]))
                if term:
                    break
            else:  # no phrase begins here
                term = self._single_term(words[index])
                end = index + 1
            terms.append(term)
            index = end
        return terms + sign_terms

    def has_range(self, terms: list[Term]) -> bool:
        """Return whether a word between two places may make them a range: `A5 to A8`."""
        triples = zip(terms, terms[1:], terms[2:], strict=False)
        return any(a.kind == b.kind == NAME and middle.text in self.range_words for a, middle, b in triples)

    def _single_term(self, word: str) -> Term:
        """Return the term of a word that is not in the tables: a name, number or unknown word."""
        ending_match = _ENDING.fullmatch(word)
        name = (ending_match[1] or ending_match[2]) if ending_match else word
        if self.is_name(name):
            return Term(NAME, canonical_name(name))
        return Term(NUMBER if _NUMBER.fullmatch(word) else UNKNOWN, word)

    def is_layout(self, text: str, names: frozenset[str] = frozenset()) -> bool:
        """Return whether a line says nothing about the game. It may greet, say goodbye, address one of these
        ``names``, introduce the lines below it, give an address or phone number, or come from a mail program.
        """
        if self.is_from_program(text):
            return True
        line = _bare_line(text)
        words = [word for word in _bare_words(line, self.is_name) if word not in _GLUE]
        if len(words) > _MAX_LAYOUT_WORDS or _SIGNS.search(line):
            return False
        last_word = text.rstrip(" ,.!-").rpartition(" ")[2]
        may_end_with_name = not last_word.islower() or last_word.endswith(":")  # `Rita`, `orders:`
        return self._is_greeting(words, names, may_end_with_name)

    def is_from_program(self, text: str) -> bool:
        """Return whether a line says nothing to anybody: it has no words, only an address, or is a mail program's."""
        line = _bare_line(text)
        has_words = any(c.isalnum() for c in line) and not line.startswith(self.program_prefixes)
        return not has_words or bool(_CONTACT.fullmatch(line))

    def _is_greeting(self, words: list[str], names: frozenset[str], may_end_with_name: bool) -> bool:
        """Return whether the words are only greetings, names and small words: `Hi Rita`."""
        index = 0
        has_greeted = False
        while index < len(words):
            size = next((n for n in range(4, 0, -1) if tuple(words[index : index + n]) in self.layout_phrases), 0)
            term = self.phrases.get((words[index],))
            is_small = term is not None and term.kind == SMALL
            is_last_name = has_greeted and may_end_with_name and index + 1 == len(words)
            if size or words[index] in names:
                has_greeted = True
            elif not (is_small or is_last_name):
                return False
            index += size or 1
        return True

    def find_salutation(self, text: str) -> str:
        """Return the salutation before the orders of a line, such as `Hi Rita,`; "" if there is none."""
        match = re.match(r"\s*([^,!:]{2,40}[,!:])\s*(?=\S)", text)
        if not match:
            return ""
        words = [word for word in _bare_words(normalize_line(match[1]), self.is_name) if word not in _GLUE]
        size = next((n for n in range(3, 0, -1) if tuple(words[:n]) in self.greetings), 0)
        name_words = words[size:]
        if not size or len(name_words) > _MAX_NAME_WORDS:
            return ""
        has_order_word = any(self.phrases.get((word,), Term(UNKNOWN, "")).kind == WORD for word in name_words)
        return "" if has_order_word else match[0]


def _bare_line(text: str) -> str:
    return strip_accents(normalize_line(text)).strip(" *_-.,!:;|>~=")


def is_signature(text: str) -> bool:
    """Return whether a line is nothing but a name: `Ann`, `Ann M. Miller`."""
    words = text.strip(" -*_,.~").split()
    return 0 < len(words) <= _MAX_NAME_WORDS and all(
        word[0].isupper() and word.strip(".,'-").replace("-", "").isalpha() for word in words
    )


def _tokenize_elided(line: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the tokens of a plain line, with `l'` and the like as separate words."""
    return tokenize(_ELIDED.sub(r"\1 ", line), is_name)


def _bare_words(line: str, is_name: Callable[[str], bool]) -> list[str]:
    """Return the tokens of a plain line, as ``_tokenize_elided`` does, without accents."""
    return [strip_accents(word) for word in _tokenize_elided(line, is_name)]


@lru_cache(maxsize=8)
def build_lexicon(
    common_toml: str,
    game_toml: str,
    head_words: frozenset[str],
    other_words: frozenset[str],
    is_name: Callable[[str], bool],
) -> Lexicon:
    """Build a lexicon from two TOML tables: for every game, and of one game ("" if it has none).

    ``head_words`` are the first words of orders in the notation of the game, ``other_words`` all
    its other words. In the table of a game, a key such as `gate` is the meaning of its phrases:
    `gate+` means several, `a|b` either word, an upper-case key a name, and "" a small word.
    """
    table = tomllib.loads(common_toml)
    game_table = tomllib.loads(game_toml)
    rows = [(Term(SMALL, ""), written_phrases) for written_phrases in table["small"].values()]
    rows += [(Term(NUMBER, number), written_phrases) for number, written_phrases in table["numbers"].items()]
    for language in game_table.values():
        for meaning, written_phrases in language.items():
            rows.append((_term_of_meaning(meaning), written_phrases))
    phrases: dict[tuple[str, ...], Term] = {}
    spellings_by_row = _split_spellings([written_phrases for _, written_phrases in rows])
    for (term, _), spellings in zip(rows, spellings_by_row, strict=True):
        # a small word has no meaning, so its text is the phrase itself
        phrases |= {spelling: term if term.text else Term(SMALL, " ".join(spelling)) for spelling in spellings}
    for word in head_words | other_words:
        known_term = phrases.get((word,))
        if known_term is None or (word in head_words and known_term.kind == SMALL):
            phrases[(word,)] = Term(WORD, word, (word,))
    layout, answers = table["layout"], table["answers"]
    phrase_lists = [layout["greetings"], layout["farewells"], table["turns"]["alone"]]
    phrase_lists += [table["commands"]["withdraw"], answers["yes"], answers["no"]]
    phrase_sets = [frozenset(phrase) for phrase in _split_spellings([*phrase_lists, table["ranges"]["words"]])]
    greetings, farewells, turns, withdraws, yes, no, ranges = phrase_sets
    programs = strip_accents(layout["programs"]).split()
    return Lexicon(
        phrases=phrases,
        layout_phrases=greetings | farewells,
        greetings=greetings,
        program_prefixes=tuple(program.replace("_", " ") for program in programs),
        yes=frozenset(word for (word,) in yes),
        no=frozenset(word for (word,) in no),
        range_words=frozenset(word for (word,) in ranges),
        changing_phrases=turns,
        withdraw_phrases=withdraws,
        is_name=is_name,
    )


def _term_of_meaning(meaning: str) -> Term:
    """Return the term that a key of a game's table stands for, as ``build_lexicon`` describes it."""
    word = meaning.removesuffix("+")
    is_plural = word != meaning
    if not word:
        return Term(SMALL, "", (), is_plural)
    if word.isupper():
        return Term(NAME, word, (), is_plural)
    return Term(WORD, word, tuple(word.split("|")), is_plural)


def _split_spellings(rows: list[str]) -> list[list[tuple[str, ...]]]:
    """Return the phrases of each row as tuples of words: ("of", "course") for `of_course`. Each phrase occurs without
    accents, and also with `ae` in place of `ä`. A phrase that is marked by `=` occurs only as it is written.
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
