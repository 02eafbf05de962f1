"""A game turn by turn, as its referee or one player knows it: ``chronicle``.

What must never be here: printing; a change of the game.
Laws: what a player is shown is what their reports have told them, and no more (P2); a state that is
lost is named.
Source: docs/DESIGN.md "Command line" (``history``).
"""

from typing import Any

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.seals import Seals
from pbem.chain.sources import source_of
from pbem.chain.state_record import DEAL
from pbem.report.game_rows import event_rows
from pbem.services import sentences
from pbem.services.session.history import game_at, read_full_order, record_at, rulings_in_words
from pbem.services.session.session import Session

LOST_STATE_TEXT = "this state is lost"


def list_history(session: Session, seat: str) -> list[dict[str, Any]]:
    """A row for each state from the deal on, oldest first: ``state_number``, ``turn``, ``time``, ``orders``,
    ``events`` and ``rulings``, each a line in words; of a state that is lost ``state_number`` and ``lost``.

    ``seat``: as that player may know it; "": as the referee does, with every order whole. Secret.
    """
    game, history, turn = session.game, list[dict[str, Any]](), 0
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
                "turn": turn or game.turn(view),  # that in which it was made
                "time": record.time,
                "orders": _order_rows(position, seals, seat),
                "events": sentences.render_sentences(game, events),
                "rulings": list(rulings_in_words(session, record)),
            }
        )
        turn = game.turn(view)
    return history


def _order_rows(position: LoadedGame, seals: Seals, seat: str) -> list[dict[str, str]]:
    record = position.record
    return [
        {
            "seat": entry.seat,
            "player": position.player_name(entry.seat),
            "order": read_full_order(record, number, entry, seals) if seat in ("", entry.seat) else entry.public_words,
            "how": source_of(entry.source).screen_label,
        }
        for number, entry in enumerate(record.entries, 1)
    ]
