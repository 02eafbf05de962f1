"""Each phrase of the tables of words counts: read as text, it is one word of its class.

Found by one who read the tables, 26 November 2026: 129 phrases could never be heard, since another
class has the same spelling, they have more words than are looked at, or no email is cut like that.
"""

from typing import get_args

import pytest

from pbem import catalog
from pbem.files.language.classes import Kind
from pbem.files.language.talk import NUMBERS
from pbem.files.language.tokens import plain
from pbem.files.language.words import TABLES, Word, looked_up, meanings
from pbem.services.intake.message import grammar_of

KINDS = ("chang-cheng", "great-wall")


@pytest.mark.parametrize("table", [*TABLES, NUMBERS])
def test_a_phrase_of_all_games_is_one_word_of_its_class(table: dict[Kind, str]) -> None:
    grammar, known = grammar_of(catalog.load(KINDS[0])), meanings((), frozenset())
    for kind, said in table.items():
        word = Word("num", kind) if table is NUMBERS else Word(kind)
        phrases = said.split("|")
        assert len({*phrases}) == len(phrases), kind
        for phrase in phrases:
            heard = looked_up(plain(phrase.removeprefix("=")), grammar, known)
            assert heard == [word], phrase


def test_each_class_has_a_table_or_is_made_in_reading() -> None:
    made = {"word", "name", "num", "unknown", "deed"}
    assert {*get_args(Kind)} == made | {kind for table in TABLES for kind in table}


@pytest.mark.parametrize("kind", KINDS)
def test_a_phrase_of_a_game_is_one_word_of_its_meaning(kind: str) -> None:
    grammar = grammar_of(catalog.load(kind))
    known = meanings(grammar.spoken, grammar.words | grammar.vocabulary)
    for meant, said in grammar.spoken:
        for phrase in said.split("|"):
            (heard,) = looked_up(plain(phrase.removeprefix("=")), grammar, known)
            if meant.endswith(":"):
                assert meant[:-1] in heard.deed.split("|"), phrase
            else:
                assert heard.text == (meant.lower().removeprefix("?") or "game"), phrase
