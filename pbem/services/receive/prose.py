"""Emails in words: who reads them, and at which position.

What must never be here: what they mean (play/proposals); whether a proposal is confirmed.
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections.abc import Iterable

from pbem import catalog
from pbem.engine.game import Game
from pbem.notation.lexicon import Lexicon, is_signature, lexicon
from pbem.notation.tokens import bare
from pbem.play.proposals.prose import Reader
from pbem.services.receive.message import grammar_of
from pbem.services.session.session import Session


def lexicon_of(game: Game) -> Lexicon:
    """The words of players for a game; made once."""
    tables = catalog.word_tables(game.kind)
    return lexicon(*tables, frozenset(game.words), frozenset(game.vocabulary), game.is_name)


def reader_of(session: Session, seat: str, guarded: bool) -> Reader:
    """Who reads the emails of a seat."""
    game, record, people = session.game, session.link, session.players
    names = [people.referee.name, record.player(seat).name]
    others = [one.name for one in record.people if one.seat != seat]
    return Reader(
        game,
        game.view(session.position.state, seat),
        grammar_of(game, guarded),
        lexicon_of(game),
        _words(names),
        _words(others),
        timed=record.clock.on,
        waiting=bool(session.hands[seat].lines),
    )


def _words(names: list[str]) -> frozenset[str]:
    return frozenset(bare(word) for name in names for word in name.casefold().split())


def without_layout(session: Session, lines: Iterable[str]) -> list[str]:
    """The lines but those that only greet, take leave, or name somebody."""
    people, words = session.link.people, lexicon_of(session.game)
    names = _words([session.players.referee.name, *(person.name for person in people)])
    return [line for line in lines if not (words.is_layout(line, names) or is_signature(line))]
