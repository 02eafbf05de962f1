"""``pbem new``: open a game: invite the players, or deal at once."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.arguments import GameOptions
from pbem.crypto.secret import new_secret
from pbem.disk.folder import NOT_KEPT, Mark
from pbem.play.joining import opening
from pbem.play.waiting import Waits, waits_for
from pbem.result import Result
from pbem.services.open.new_game import Secrets, open_game_in
from pbem.services.open.plan import EMPTY_PLAN, merged_plan, next_round, read_plan, with_boards
from pbem.services.session.keys import the_home
from pbem.services.session.session import Session
from pbem.transport.accounts import referee_of

Directory = Annotated[Path, typer.Argument(metavar="NEW", help="A new folder for the game.")]
Game = Annotated[str, typer.Option("--game", metavar="GAME", help="Which game; see pbem games.")]
Seated = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=NAME[,ADDRESS]",
        help="A player, in turn order: red=Ann,ann@example.org, or red=Ann if pbem people has her.",
    ),
]
Referee = Annotated[
    str,
    typer.Option(
        metavar="NAME[,ADDRESS]",
        help="You, and the address that players reply to; without it, those of your only account.",
    ),
]
From = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="Read all of this from a file (TOML).")
]
Boards = Annotated[
    Path | None,
    typer.Option("--boards", metavar="FILE", help="A file of your own boards and counters (TOML)."),
]
Deal = Annotated[
    bool, typer.Option("--deal", help="Deal at once, by yourself alone. Every report says so.")
]
After = Annotated[
    Path | None,
    typer.Option(
        "--after",
        metavar="OLD",
        help="Open the next round of OLD, which you cancelled. You may add --player and --known.",
    ),
]
Known = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=HOW",
        help="How a player is identified: reply (default), key, password or typed.",
    ),
]


def run(
    directory: Directory,
    game: Game = "",
    player: Seated = None,
    option: GameOptions = None,
    referee: Referee = "",
    from_: From = None,
    boards: Boards = None,
    deal: Deal = False,
    after: After = None,
    known: Known = None,
) -> Result:
    """Open a game and invite its players. When all have answered, `pbem resolve` deals.

    Each player may give a contribution, so that nobody can rig the deal. With --deal there is no
    invitation: you deal alone, and every report says so.
    """
    time, home = now(), the_home()
    if after is not None:
        wanted = next_round(
            after, time, player or (), known or (), home, game, option, referee, from_, boards
        )
    else:
        plan = read_plan(from_) if from_ else EMPTY_PLAN
        wanted = merged_plan(plan, game, player or [], option or [], referee, known or (), home)
        wanted["options"] = with_boards(wanted["options"], boards)
    wanted["referee"] = referee_of(home, wanted["referee"])
    secrets = Secrets(new_secret(), new_secret())
    session = open_game_in(directory, wanted, home, secrets, time, deal)
    with session.folder.telling_saved():
        return _answer(session) if deal else _invited(session)


def _answer(session: Session) -> Result:
    desk = session.folder.root / "desk"
    questions = session.game.questions(session.game.view(session.position.state, None))
    waits = waits_for(session.link, questions)
    said = [
        f"The reports are in {desk / 'reports' / '0002'}{_outbox(session)}.",
        f"It waits for {_named(session, [one['seat'] for one in waits])}.",
        "You dealt alone. Players must trust you for that, and every report says so.",
    ]
    return _told(session, waits, "dealt", said)


def _invited(session: Session) -> Result:
    desk, seats = session.folder.root / "desk", list(session.link.setup.seats)
    said = [
        f"The invitations are in {desk / 'reports' / '0000'}{_outbox(session)}.",
        f"It waits for the answers of {_named(session, seats)}.",
        f"When you have received them, pbem resolve {session.folder.root} goes on to the deal.",
    ]
    return _told(session, opening.waits_for(session.link, seats), "opened", said)


def _outbox(session: Session) -> str:
    """Where the emails are, if there is any: who has no address gets none."""
    if not session.folder.messages(Mark.WAITING):
        return ""
    return f", the emails to send in {session.folder.root / 'desk' / 'outbox'}"


def _named(session: Session, seats: list[str]) -> str:
    return ", ".join(session.link.player(seat).shown for seat in seats)


def _in_order(session: Session) -> str:
    """The players as they sit; where their order is drawn, that it is (R-3)."""
    named = _named(session, list(session.link.setup.seats))
    if dict(session.link.setup.options).get("seats") != "drawn":
        return f"Players in turn order: {named}."
    when = "was drawn: the reports have it" if session.link.dealt else "is drawn at the deal"
    return f"Players: {named}; the turn order {when}."


def _told(session: Session, waits: tuple[Waits, ...], what: str, said: list[str]) -> Result:
    setup, people = session.link.setup, session.players.seats
    desk, root = session.folder.root / "desk", session.folder.root
    data = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "kind": setup.kind,
        "seats": dict(zip(setup.seats, session.link.names, strict=True)),
        "options": session.link.options,
        "waits_for": list(waits),
    }
    lines = [
        f"{session.game.title} is {what} in {session.folder.root} (game {session.link.game}).",
        _in_order(session),
        *said,
        "You may share game.toml and states/ with anyone, but never desk/.",
    ]
    if not session.players.referee.address:
        lines.append(
            f"note: your address is missing, so nobody can reply to the emails. Write it into "
            f"{desk / 'players.toml'} under [referee], type `pbem adopt {root}`, then for each "
            f"player: pbem report {root} --player SEAT"
        )
    lines += [
        f"note: send {desk / 'outbox' / f'{NOT_KEPT}{seat}.eml'}, then delete it: only this email "
        f"has the password of {one.name} ({seat})"
        for seat, one in people.items()
        if one.password
    ]
    missing = [f"{one.name} ({seat})" for seat, one in people.items() if not one.address]
    if missing:
        kind = "reports" if session.link.dealt else "invitations"
        lines.append(
            f"note: no email address for {', '.join(missing)}. Give them their {kind} by hand."
        )
    return Result(data, "\n".join(lines))
