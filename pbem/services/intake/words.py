"""Emails in words: who reads them, at which position; and what pbem proposes where one is held.

What must never be here: whether a proposal is confirmed (confirm.py).
Law: a proposal is a function of the seat's View and of its own email (P2).
Source: docs/decisions/0023-notation-is-played.md.
"""

from pbem import catalog
from pbem.engine.game import Game
from pbem.files.language.lexicon import Lexicon, lexicon
from pbem.files.language.tokens import bare
from pbem.files.orders.lines import Sheet
from pbem.moderator.turn.judging import Asked
from pbem.moderator.words.proposals import proposal
from pbem.moderator.words.prose import Reader
from pbem.services.intake.message import grammar_of
from pbem.services.session.session import Session


def lexicon_of(game: Game) -> Lexicon:
    """The words of players for a game; made once."""
    tables = catalog.word_tables(game.kind)
    return lexicon(*tables, frozenset(game.words), frozenset(game.vocabulary), game.is_name)


def reader_of(session: Session, seat: str, guarded: bool) -> Reader:
    """Who reads the emails of a seat."""
    game, link, people = session.game, session.link, session.players
    names = [people.referee.name, link.player(seat).name]
    others = [one.name for one in link.people if one.seat != seat]
    return Reader(
        game,
        game.view(session.position.state, seat),
        grammar_of(game, guarded),
        lexicon_of(game),
        _words(names),
        _words(others),
        timed=link.clock.on,
    )


def _words(names: list[str]) -> frozenset[str]:
    return frozenset(bare(word) for name in names for word in name.casefold().split())


def proposed(session: Session, seat: str, asked: Asked, sheet: Sheet, guarded: bool) -> list[str]:
    """What a player may have meant by an email, in notation, line by line; [] where nobody can
    tell: the orders of one that is held, and the commands that its words may mean.
    """
    reader = reader_of(session, seat, guarded)
    return [*proposal(reader, asked, sheet), *sheet.offers]
