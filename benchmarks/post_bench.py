"""A turn of 50 games by real servers on this machine: whole processes, over a bare interpreter.

What lives here: 100 emails fetched and taken, 50 games resolved, what came of it sent. What must
never be here: a goal that fails. The servers are those of the tests; without Dovecot, not run.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import many_games

from pbem.clock import now
from pbem.disk.home import Home
from pbem.services.session.session import Session, open_session

GAMES, GOAL = 50, 800
Clocked = Callable[[list[str | Path], Path], float]


def lines(root: Path, clocked: Clocked) -> Iterator[str]:
    """A row for each of the three commands, and one for all."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from transport import servers

    if servers.DOVECOT is None:
        yield f"{'a turn of 50 games by email':40}  not run: needs Dovecot: {servers.INSTALL}"
        return
    folder = root / "turn"
    (folder / "ca").mkdir(parents=True)
    found = servers.authority(folder / "ca")
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    os.environ["SSL_CERT_FILE"] = str(found.ca)
    with servers.dovecot(found.good) as imap, servers.smtp(found.good, "smtps") as smtp:
        where = f"{servers.USER}@{servers.HOST}"
        fetch = f"imaps://{where}:{imap.port}/INBOX"
        many_games.make(folder, GAMES, fetch, f"smtps://{where}:{smtp.port}")
        pbem = Path(sys.executable).with_name("pbem")
        clocked([pbem, "fetch", "games"], folder)  # notes where the mailbox ends
        for path in sorted((folder / "games").iterdir()):
            for data in _answers(open_session(path, now(), Home(folder / "home"))):
                imap.deliver(data)
        bare = min(clocked([sys.executable, "-c", "pass"], folder) for _ in range(9))
        took = {what: clocked([pbem, what, "games"], folder) for what in ("fetch", "resolve", "send")}
        sent = len(smtp.inbox.mails)
    for what, time in took.items():
        yield f"{f'{what}, {GAMES} games, bare starts':40}{time / bare:>12,.0f}"
    all_of_it = sum(took.values()) / bare
    late = "  over" if all_of_it > GOAL else ""
    yield f"{f'all of it ({2 * GAMES} in, {sent} out)':40}{all_of_it:>12,.0f}{GOAL:>12}{late}"


def _answers(session: Session) -> Iterator[bytes]:
    """Of each of the two players: an order, and a question."""
    game, state = session.game, session.position.state
    asked = game.questions(game.view(state, None))[0].seat
    for seat in session.record.setup.seats:
        line = game.legal(game.view(state, seat))[0] if seat == asked else "help"
        rows = [f"From: {session.players.seats[seat].address}", "To: rita@example.org"]
        rows += [f"Subject: Re: [pbem {session.code(seat)}]", f"Message-ID: <{session.code(seat)}@x>"]
        yield "\n".join([*rows, "", line, ""]).encode()
