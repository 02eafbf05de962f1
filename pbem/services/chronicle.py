"""List the history of a game turn by turn, as its referee or one player knows it.

Not allowed here: printing; a change of the game.
Laws: a player sees only what their reports have told them (P2). Lost states are named.
Source: docs/DESIGN.md "Command line" (``history``).
"""

from typing import Any

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.seals import Seals
from pbem.chain.sources import source_of
from pbem.chain.state_record import DEAL
from pbem.report.game_rows import event_rows, to_plain
from pbem.services import sentences
from pbem.services.session.history import game_at, read_full_order, record_at, rulings_in_words
from pbem.services.session.session import Session

LOST_STATE_TEXT = "this state is lost"


def list_history(session: Session, seat: str, shows_hidden: bool) -> list[dict[str, Any]]:
    """Return a row for each state from the deal on, oldest first: ``n``, ``turn``, ``time``, ``orders``,
    ``events`` and ``rulings`` in words. The row of a lost state has ``n`` and ``lost``.

    ``seat``: the player as whom it is told; "" for a spectator. ``shows_hidden``: for the referee, with every order
    in full. Secret then.
    """
    game = session.game
    history = list[dict[str, Any]]()
    turn = 0  # to which the last state led; 0 before the deal
    for state_number in range(DEAL, session.record.n + 1):
        record = record_at(session, state_number)
        if record is None:
            history.append({"n": state_number, "lost": LOST_STATE_TEXT})
            continue
        position, seals = game_at(session, record), session.seals_of(record)
        view = game.view(position.state, seat or None)
        events = event_rows(game, record.events, view)
        history.append(
            {
                "n": state_number,
                "turn": turn or game.turn(view),  # the turn in which the state was made
                "time": record.time,
                "orders": _order_rows(position, seals, seat, shows_hidden),
                "events": sentences.render_sentences(game, to_plain(events)),
                "rulings": list(rulings_in_words(session, record)),
            }
        )
        turn = game.turn(view)
    return history


def _order_rows(position: LoadedGame, seals: Seals, seat: str, shows_hidden: bool) -> list[dict[str, str]]:
    """Return a row for each order of a state, in full if ``shows_hidden`` or if ``seat`` gave it."""
    record = position.record
    return [
        {
            "seat": entry.seat,
            "player": position.player_name(entry.seat),
            "order": read_full_order(record, number, entry, seals)
            if shows_hidden or seat == entry.seat
            else entry.public_words,
            "how": source_of(entry.source).screen_label,
        }
        for number, entry in enumerate(record.entries, 1)
    ]
