"""``pbem new``: opens a game and invites the players, or deals at once."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pbem.clock import now
from pbem.commands.arguments import GameOptions
from pbem.crypto.secret import new_secret
from pbem.disk.folder import PASSWORD_PREFIX, MessageStatus
from pbem.play.joining import opening
from pbem.play.waiting import AwaitedRow, list_awaited_seats
from pbem.result import Result
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.open.plan import EMPTY_PLAN, add_board_options, merge_plan, plan_next_round, read_plan
from pbem.services.session.keys import open_home
from pbem.services.session.session import Session
from pbem.transport.accounts import complete_referee, describe_foreign_address

Directory = Annotated[Path, Argument(metavar="NEW", help="A new folder for the game.")]
Game = Annotated[str, Option("--game", metavar="GAME", help="Which game; see pbem games.")]
SeatedPlayers = Annotated[
    list[str] | None,
    Option(
        metavar="SEAT=NAME[,ADDRESS]",
        help="A player, in turn order: red=Ann,ann@example.org. Your address book may have the address.",
    ),
]
Referee = Annotated[str, Option(metavar="NAME[,ADDRESS]", help="You, and where players reply. Default: your account.")]
PlanFile = Annotated[Path | None, Option("--from", metavar="FILE", help="Read all of this from a file (TOML).")]
BoardsFile = Annotated[Path | None, Option("--boards", metavar="FILE", help="Your own boards and counters (TOML).")]
DealNow = Annotated[bool, Option("--deal", help="Deal at once, without the players. Every report says so.")]
PreviousRound = Annotated[
    Path | None,
    Option(
        "--after",
        metavar="OLD",
        help="Open the next round of OLD, which you cancelled. You may add --player and --auth.",
    ),
]
AuthMethods = Annotated[
    list[str] | None, Option(metavar="SEAT=HOW", help="Authentication: reply (default), key, password, typed.")
]

#: where what was written is: without emails, and with them
REPORTS_PLACE = ("The reports are in {reports}.", "The reports are in {reports}, the emails to send in {outbox}.")
INVITATIONS_PLACE = (
    "The invitations are in {reports}.",
    "The invitations are in {reports}, the emails to send in {outbox}.",
)


def run(
    directory: Directory,
    game: Game = "",
    player: SeatedPlayers = None,
    option: GameOptions = None,
    referee: Referee = "",
    plan_file: PlanFile = None,
    boards_file: BoardsFile = None,
    deal_now: DealNow = False,
    previous_round: PreviousRound = None,
    auth: AuthMethods = None,
) -> Result:
    """Open a game and invite its players. When all have answered, `pbem resolve` deals.

    Each player can add to the shuffle, so that nobody can rig the deal. With --deal there is no
    invitation. You deal alone, and every report says so.
    """
    time, home = now(), open_home()
    if previous_round is not None:
        game_plan = plan_next_round(
            previous_round, time, player or (), auth or (), home, game, option, referee, plan_file, boards_file
        )
    else:
        plan = read_plan(plan_file) if plan_file else EMPTY_PLAN
        game_plan = merge_plan(plan, game, player or [], option or [], referee, auth or (), home)
        game_plan["options"] = add_board_options(game_plan["options"], boards_file)
    game_plan["referee"] = complete_referee(home, game_plan["referee"])
    secrets = Secrets(new_secret(), new_secret())
    session = create_game(directory, game_plan, home, secrets, time, deal_now)
    with session.folder.reporting_saved_state():
        result = _dealt_result(session) if deal_now else _invited_result(session)
        note = describe_foreign_address(home, session.players.referee.address)
        return result._replace(text=f"{result.text}\nnote: {note}") if note else result


def _dealt_result(session: Session) -> Result:
    questions = session.game.questions(session.game.view(session.position.state, None))
    waits = list_awaited_seats(session.record, questions)
    next_steps = [
        _place_line(session, REPORTS_PLACE, "0002"),
        f"It waits for {_player_names(session, [wait['seat'] for wait in waits])}.",
        "You dealt alone. The players must trust you, and every report says so.",
    ]
    return _new_game_result(session, waits, "dealt", next_steps)


def _invited_result(session: Session) -> Result:
    seats = list(session.record.setup.seats)
    next_steps = [
        _place_line(session, INVITATIONS_PLACE, "0000"),
        f"It waits for the answers of {_player_names(session, seats)}.",
        f"When you have received them, `pbem resolve {session.folder.root}` deals.",
    ]
    return _new_game_result(session, opening.list_awaited_before_deal(session.record, seats), "opened", next_steps)


def _place_line(session: Session, sentences: tuple[str, str], number: str) -> str:
    """Return where the reports of a state are, and the emails unless no player has an address."""
    desk = session.folder.root / "desk"
    sentence = sentences[bool(session.folder.list_messages(MessageStatus.WAITING))]
    return sentence.format(reports=desk / "reports" / number, outbox=desk / "outbox")


def _player_names(session: Session, seats: list[str]) -> str:
    return ", ".join(session.record.player(seat).label for seat in seats)


def _turn_order_line(session: Session) -> str:
    """Return a line with the players in turn order. If that is drawn (rule R-3), the line says so."""
    names = _player_names(session, list(session.record.setup.seats))
    if dict(session.record.setup.options).get("seats") != "drawn":
        return f"Players in turn order: {names}."
    if session.record.is_dealt:
        return f"Players: {names}; the turn order was drawn and is in the reports."
    return f"Players: {names}; the turn order is drawn at the deal."


def _new_game_result(session: Session, waits: tuple[AwaitedRow, ...], status: str, next_steps: list[str]) -> Result:
    setup, players, root = session.record.setup, session.players.seats, session.folder.root
    desk = root / "desk"
    data = {
        "dir": str(root),
        "game": session.record.game,
        "kind": setup.kind,
        "seats": dict(zip(setup.seats, session.record.names, strict=True)),
        "options": session.record.options,
        "waits_for": list(waits),
    }
    lines = [
        f"{session.game.title} is {status} in {root} (game {session.record.game}).",
        _turn_order_line(session),
        *next_steps,
        "You may share game.toml and states/ with anyone, but never desk/.",
    ]
    if not session.players.referee.address:
        lines.append(
            f"note: your address is missing, so nobody can reply to the emails. Write it into "
            f"{desk / 'players.toml'} under [referee], type `pbem adopt {root}`, then for each "
            f"player: pbem report {root} --player SEAT"
        )
    lines += [
        f"note: send {desk / 'outbox' / f'{PASSWORD_PREFIX}{seat}.eml'}, then delete it. Only this email "
        f"has the password of {player.name} ({seat})"
        for seat, player in players.items()
        if player.password
    ]
    missing = [f"{player.name} ({seat})" for seat, player in players.items() if not player.address]
    if missing:
        names = ", ".join(missing)
        lines.append(
            f"note: no email address for {names}. Give them their reports yourself."
            if session.record.is_dealt
            else f"note: no email address for {names}. Give them their invitations yourself."
        )
    return Result(data, "\n".join(lines))
