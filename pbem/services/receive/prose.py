"""Prepare the reading of emails in prose: the vocabulary of a game, and the reader for a seat.

Not allowed here: what prose means (play/proposals); whether a proposal is confirmed.
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections.abc import Iterable

from pbem import catalog
from pbem.engine.game import Game
from pbem.notation.lexicon import Lexicon, build_lexicon, is_signature
from pbem.notation.lines import Grammar
from pbem.notation.tokens import strip_accents
from pbem.play.proposals.prose import Reader
from pbem.services.session.session import Session


def lexicon_of(game: Game) -> Lexicon:
    """Return the words in which players write about a game."""
    tables = catalog.read_word_tables(game.kind)
    return build_lexicon(*tables, frozenset(game.words), frozenset(game.vocabulary), game.is_name)


def make_reader(session: Session, seat: str, grammar: Grammar) -> Reader:
    """Make the reader of prose in a player's email. It knows their View, and the words and names they may use."""
    game, record, people = session.game, session.record, session.players
    names = [people.referee.name, record.player(seat).name]
    other_names = [person.name for person in record.people if person.seat != seat]
    return Reader(
        game,
        game.view(session.position.state, seat),
        grammar,
        lexicon_of(game),
        _words(names),
        _words(other_names),
        has_deadlines=record.clock.has_deadlines,
        has_pending_orders=bool(session.pending_by_seat[seat].orders),
    )


def _words(names: list[str]) -> frozenset[str]:
    return frozenset(strip_accents(word) for name in names for word in name.casefold().split())


def without_layout(session: Session, lines: Iterable[str]) -> list[str]:
    """Return the lines without greetings, signatures and bare names."""
    people, words = session.record.people, lexicon_of(session.game)
    names = _words([session.players.referee.name, *(person.name for person in people)])
    return [line for line in lines if not (words.is_layout(line, names) or is_signature(line))]
