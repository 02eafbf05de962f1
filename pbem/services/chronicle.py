"""A game turn by turn, as its referee or one player knows it: ``chronicle``.

What must never be here: printing; a change of the game.
Laws: what a player is shown is what their reports have told them, and no more (P2); a state that is
lost is named.
Source: docs/DESIGN.md "Command line" (``history``).
"""

from typing import Any

from pbem.chain.loaded_game import LoadedGame, Seals
from pbem.chain.sources import source_of
from pbem.chain.state_record import DEAL
from pbem.report.game_rows import happened
from pbem.services import sentences
from pbem.services.session.history import at, in_full, link_at, order_whole
from pbem.services.session.session import Session

LOST = "this state is lost"


def chronicle(session: Session, seat: str) -> list[dict[str, Any]]:
    """A row for each state from the deal on, oldest first: ``n``, ``turn``, ``time``, ``orders``,
    ``events`` and ``rulings``, each a line in words; of a state that is lost ``n`` and ``lost``.

    ``seat``: as that player may know it; "": as the referee does, with every order whole. Secret.
    """
    game, found, turn = session.game, list[dict[str, Any]](), 0
    for n in range(DEAL, session.link.n + 1):
        record = link_at(session, n)
        if record is None:
            found.append({"n": n, "lost": LOST})
            continue
        position, seals = at(session, record), session.seals_of(record)
        view = game.view(position.state, seat or None)
        rows = happened(game, record.events, view)
        found.append(
            {
                "n": n,
                "turn": turn or game.turn(view),  # that in which it was made
                "time": record.time,
                "orders": _orders(position, seals, seat),
                "events": sentences.said(game, rows),
                "rulings": list(in_full(session, record)),
            }
        )
        turn = game.turn(view)
    return found


def _orders(position: LoadedGame, seals: Seals, seat: str) -> list[dict[str, str]]:
    record = position.record
    return [
        {
            "seat": entry.seat,
            "player": position.name(entry.seat),
            "order": order_whole(record, number, entry, seals)
            if seat in ("", entry.seat)
            else entry.words,
            "how": source_of(entry.source).screen,
        }
        for number, entry in enumerate(record.entries, 1)
    ]
