"""Makes a game in its middle, with orders in hand: ``python midgame.py FOLDER ORDERS [GAME]``.

What lives here: playing at random through the functions that receive and resolve are made of.
Not allowed here: a clock. The folder gets ``home`` (keys, marks) and ``game``.
"""

import sys
from pathlib import Path
from random import Random

from pbem.clock import now
from pbem.commands import new
from pbem.services.lock import open_for_writing
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import read_message
from pbem.services.receive.receive import receive_email
from pbem.services.resolve.resolve import resolve_now
from pbem.services.session.keys import open_home
from pbem.services.session.session import Session, open_session

PLAYERS = [
    "Ann,ann@example.org",
    "Bob,bob@example.org",
    "Cid,cid@example.org",
    "Dot,dot@example.org",
    "Eve,eve@example.org",
]
SEATS = {"chang-cheng": ("red", "green", "blue", "violet"), "great-wall": ("red", "green", "blue", "grey", "yellow")}
OPTIONS = {"chang-cheng": ["boards=1a,2b,3a,4b"], "great-wall": []}


def make(folder: Path, orders: int, game: str = "chang-cheng") -> None:
    """Play ``orders`` mails of as many players as can be; one more is received, not resolved.

    All of them want every report by email.
    """
    import os

    os.environ["PBEM_HOME"] = str(folder / "home")
    from pbem.commands.key import run_new

    run_new()
    new.run(
        folder / "game",
        game=game,
        player=[f"{seat}={one}" for seat, one in zip(SEATS[game], PLAYERS, strict=False)],
        option=OPTIONS[game],
        referee="Rita,rita@example.org",
        deal_now=True,
    )
    session = open_session(folder / "game", now(), open_home())
    chance = Random(5)
    for seat in session.record.setup.seats:  # an email for each at every resolve
        wish = f"mails every\n\n[pbem {session.code(seat)}]\n".encode()
        receive_email(Games([session]), "-", read_message(wish))
    session = open_session(folder / "game", now(), open_home())
    for number in range(orders + 1):
        if session.game.outcome(session.game.view(session.position.state, None)):
            return  # chance may end a long game early
        send(session, chance)
        if number < orders:
            with open_for_writing(session) as session:
                session = resolve_now(session).session


def send(session: Session, chance: Random) -> None:
    """A random answer of whoever is asked, as a plain text with its code."""
    game, state = session.game, session.position.state
    seat = game.questions(game.view(state, None))[0].seat
    line = chance.choice(game.legal(game.view(state, seat)))
    data = f"{line}\n\n[pbem {session.code(seat)}]\n".encode()
    receive_email(Games([session]), "-", read_message(data))


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
