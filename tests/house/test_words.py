"""Each phrase of the tables of words counts: read as text, it is one word of its class.

Found by one who read the tables, 26 November 2026: 129 phrases could never be heard, since another
class has the same spelling, they have more words than are looked at, or no email is cut like that.
"""

import pytest

from pbem import catalog
from pbem.files.language.chat import CHAT
from pbem.files.language.doubts import DOUBTS
from pbem.files.language.filler import FILLER
from pbem.files.language.stops import STOPS
from pbem.files.language.talk import TALK
from pbem.files.language.tokens import plain
from pbem.files.language.words import Word, meanings, understood
from pbem.services.intake.message import grammar_of

KINDS = ("chang-cheng", "great-wall")


@pytest.mark.parametrize("table", [CHAT, FILLER, TALK, STOPS, DOUBTS])
def test_a_phrase_of_all_games_is_one_word_of_its_class(table: dict[str, str]) -> None:
    grammar, known = grammar_of(catalog.load(KINDS[0])), meanings((), frozenset())
    for kind, said in table.items():
        word = Word("num", kind) if kind[0].isdigit() else Word(kind)
        phrases = said.split("|")
        assert len({*phrases}) == len(phrases), kind
        for phrase in phrases:
            heard = understood(plain(phrase.removeprefix("=")), grammar, known)
            assert heard == [word], phrase


@pytest.mark.parametrize("kind", KINDS)
def test_a_phrase_of_a_game_is_one_word_of_its_meaning(kind: str) -> None:
    grammar = grammar_of(catalog.load(kind))
    known = meanings(grammar.spoken, grammar.words | grammar.vocabulary)
    for meant, said in grammar.spoken:
        for phrase in said.split("|"):
            (heard,) = understood(plain(phrase.removeprefix("=")), grammar, known)
            if meant.endswith(":"):
                assert meant[:-1] in heard.deed.split("|"), phrase
            else:
                assert heard.text == (meant.lower().removeprefix("?") or "game"), phrase
