"""Each phrase of the tables of words counts: looked up, it is the term that its row says.

Found by one who read the tables, 26 November 2026: 129 phrases could never be heard.
"""

import tomllib

import pytest

from pbem import catalog
from pbem.notation.lexicon import NAME, NUMBER, SMALL, WORD
from pbem.notation.tokens import strip_accents
from pbem.services.receive.prose import lexicon_of

KINDS = ("chang-cheng", "great-wall")
MOST_SMALL = 40  #: of one language
#: words that turn an order in one of the languages; none may be small in another
TURN = (
    "not no never or if but instead except unless without nicht kein keine nie oder wenn falls aber"
    " sondern statt pas jamais ou si mais sans aucun non mai o oppure se ma senza invece nem soha"
    " vagy ha de hanem nélkül"
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_phrase_is_one_term_of_its_meaning(kind: str) -> None:
    lexicon = lexicon_of(catalog.load(kind))
    for language in tomllib.loads(catalog.read_word_tables(kind)[1]).values():
        for meant, phrases in language.items():
            for phrase in phrases.split():
                (term,) = lexicon.find_terms(phrase.removeprefix("=").replace("_", " "))
                word = meant.removesuffix("+")
                if not word:
                    assert term.kind == SMALL, phrase
                elif word.isupper():
                    assert (term.kind, term.text) == (NAME, word), phrase
                else:
                    assert (term.kind, term.is_plural) == (WORD, meant.endswith("+")), phrase
                    assert term.words == tuple(word.split("|")), phrase


def test_small_words_turn_nothing_and_are_few() -> None:
    table = tomllib.loads(catalog.read_word_tables(KINDS[0])[0])
    turning = {strip_accents(word) for word in TURN.split()}
    for language, words in table["small"].items():
        assert len(words.split()) <= MOST_SMALL, language
        assert turning.isdisjoint(map(strip_accents, words.split())), language


@pytest.mark.parametrize("kind", KINDS)
def test_a_number_and_a_small_word_are_known(kind: str) -> None:
    lexicon, table = (lexicon_of(catalog.load(kind)), tomllib.loads(catalog.read_word_tables(kind)[0]))
    for number, words in table["numbers"].items():
        for word in words.split():
            assert [(x.kind, x.text) for x in lexicon.find_terms(word)] == [(NUMBER, number)], word
    heads = catalog.load(kind).words
    for word in " ".join(table["small"].values()).split():
        kinds = {term.kind for term in lexicon.find_terms(word.replace("_", " "))}
        assert kinds == {SMALL} or word in heads, word
