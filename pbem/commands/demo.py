"""``pbem demo``: bots play a whole game through real files and emails."""

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer import Option

from pbem import catalog
from pbem.bots.player import STRATEGIES
from pbem.chain.clock import format_instant
from pbem.clock import now
from pbem.commands.arguments import GameOptions
from pbem.disk.system import refuse_in_use
from pbem.engine.row import join_with_and
from pbem.errors import BadInput, Refused
from pbem.play.deadlines.options import split_options
from pbem.result import Result
from pbem.services.demo import DemoGame, DemoSettings, draw_randomness, randomness_from_seed
from pbem.services.open.plan import parse_options

if TYPE_CHECKING:
    from pbem.engine.game import Game

SEED_WARNING = "NOT SECRET: deal, keys and bots come from --seed {seed}. Anyone who knows it knows every hidden card."
#: what happened to a bot's email, by verdict of ``receive``
VERDICT_WORDS = {
    "kept": "accepted",
    "refused": "refused",
    "stale": "sent to a settled question",
    "answered": "without orders",
    "unfinished": "not finished",
    "not known": "not authenticated",
    "ended": "after the end",
    "not read": "unreadable",
    "unreadable": "unreadable",
    "unknown": "without a good code",
    "repeated": "sent twice",
}


def run(
    game: Annotated[str, Option(metavar="GAME", help="Which game; see pbem games.")] = "chang-cheng",
    players: Annotated[int | None, Option(metavar="N", help="How many bots. Default: 4, if they fit.")] = None,
    dir_: Annotated[Path | None, Option("--dir", metavar="NEW", help="A new folder. Default: pbem-demo.")] = None,
    option: GameOptions = None,
    bots: Annotated[str, Option(metavar="KIND", help="random, or sensible (slower).")] = "random",
    seed: Annotated[
        int | None, Option(metavar="N", min=0, help="Replay the same game. Its deal is not secret.")
    ] = None,
) -> Result:
    """Play a whole game with bots, through the files and emails of a real game.

    The demo has its own keys, changes nothing outside its folder, and sends no email.
    """
    game_module = catalog.load(game)
    player_count = _choose_player_count(game_module, players)
    if bots not in STRATEGIES:
        message = f"there are no {bots!r} bots"
        raise BadInput("demo/bots", message, f"the bots are {' and '.join(STRATEGIES)}")
    demo_plan = DemoSettings(player_count, parse_options(option or []), bots)
    _check_options(game_module, demo_plan)
    root = dir_ or _free_folder()
    try:
        refuse_in_use(root)
    except Refused as error:
        raise Refused(error.code, error.message, "pbem demo --dir OTHER") from None
    randomness = draw_randomness() if seed is None else randomness_from_seed(seed)
    demo = DemoGame(root, game_module, demo_plan, randomness, format_time=_format_time)
    _play(demo)
    return _demo_result(demo, root, seed)


def _format_time(demo_time: int | None) -> str:
    """Return a time of the demo's own clock in the format of a state, or the present time for None."""
    return now() if demo_time is None else format_instant(demo_time)


def _check_options(game: "Game", demo_plan: DemoSettings) -> None:
    """Raise BadInput for wrong options before any file is written."""
    own_options, _ = split_options(demo_plan.options, [option.name for option in game.options])
    game.configure(game.seats[: demo_plan.player_count], own_options)


def _free_folder() -> Path:
    """Return ``pbem-demo``, or ``pbem-demo-2`` and so on if that exists."""
    folder, number = Path("pbem-demo"), 1
    while folder.exists():
        number += 1
        folder = Path(f"pbem-demo-{number}")
    return folder


def _choose_player_count(game: "Game", requested: int | None) -> int:
    """Return the number of bots: as requested, or 4 if they fit. Raises BadInput ``players/number``."""
    fewest, most = game.players
    number = min(4, most) if requested is None else requested
    if not fewest <= number <= most:
        problem = f"{game.title} is for {fewest} to {most} players, not {number}"
        raise BadInput("players/number", problem, f"pbem demo --players {min(4, most)}")
    return number


def _play(demo: "DemoGame") -> None:
    """Play the game to its end, with a progress bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        for _ in demo.play():
            pass
        return
    bar = typer.progressbar(length=1000, label="Playing", file=sys.stderr, show_eta=False)
    with bar as progress:
        for share in _completed_shares(demo):
            progress.update(max(0, int(1000 * share) - progress.pos))
        progress.update(1000 - progress.pos)


def _completed_shares(demo: "DemoGame") -> Iterator[float]:
    """Play the game. After each email, yield the share that is over, 0 to 1, estimated from built squares."""
    for email_number, _ in enumerate(demo.play(), 1):
        position = demo.session.record.position
        taken_squares, boards = position.get("squares"), position.get("boards", [])
        if taken_squares is None or not boards:
            yield email_number / (email_number + 40)  # unknown length: slows down, and never reaches 1
            continue
        _, province_sizes, *_ = str(boards[0]).split(":")
        board_size = sum(map(int, province_sizes.split(",")))
        yield len(taken_squares) / (board_size * int(position["boards_allowed"]))


def _demo_result(demo: "DemoGame", root: Path, seed: int | None) -> Result:
    session = demo.session
    setup, folder = session.record.setup, session.folder.root
    spectator_view = session.game.watch(session.position.config, session.record.position)
    outcome = session.game.outcome(spectator_view)
    names = dict(zip(setup.seats, demo.session.record.names, strict=True))
    winners = outcome.winners if outcome else ()
    look_first = _files_to_look_at(demo)
    data = {
        "dir": str(root),
        "game_dir": str(folder),
        "home": str(demo.home.path),
        "inbox": str(demo.inbox),
        "game": session.record.game,
        "kind": setup.kind,
        "seed": seed,
        "seats": names,
        "winners": list(winners),
        "scores": dict(outcome.scores) if outcome else {},
        "states": session.record.n + 1,
        "answers": demo.verdict_counts,
        "look_first": [file.path for file in look_first],
        "try_next": _commands_to_try(demo),
    }
    return Result(data, "\n".join(_demo_lines(demo, data, look_first)))


class FileToShow(NamedTuple):
    """A file that the user should look at first."""

    path: str
    description: str


def _demo_lines(demo: "DemoGame", data: dict[str, Any], look_first: list[FileToShow]) -> list[str]:
    names, folder = data["seats"], Path(data["game_dir"])
    winners = join_with_and([f"{names[seat]} ({seat})" for seat in data["winners"]])
    scores = ", ".join(f"{names[seat]} {points}" for seat, points in data["scores"].items())
    answer_counts = ", ".join(f"{n} {VERDICT_WORDS[verdict]}" for verdict, n in data["answers"].items())
    lines = [SEED_WARNING.format(seed=data["seed"]), ""] if data["seed"] is not None else []
    lines += [
        f"{demo.game.title} is over: {winners} won. Points: {scores}.",
        f"The bots sent {sum(data['answers'].values())} emails: {answer_counts}.",
        "",
        "What the demo wrote:",
        f"  {folder / 'states'}: {data['states']} signed states; game.toml is the newest",
        f"  {folder / 'desk' / 'reports'}: each player's report after each state",
        f"  {folder / 'desk' / 'outbox'}: the emails to the players: reports and receipts",
        f"  {data['inbox']}: the emails of the bots",
        "",
        "Look first at:",
        *(f"  {file.path}: {file.description}" for file in look_first),
        "",
        "Then try:",
        *(f"  {line}" for line in data["try_next"]),
    ]
    return lines


def _files_to_look_at(demo: "DemoGame") -> list[FileToShow]:
    """Return the newest report of the player who moved last, the spectators' report, and a receipt."""
    session = demo.session
    desk = session.folder.root / "desk"
    reports = desk / "reports" / f"{session.record.n:04d}"
    entries = session.record.entries
    seat = entries[-1].seat if entries else session.record.setup.seats[0]
    name = session.position.player_name(seat)
    return [
        FileToShow(str(reports / f"{seat}.txt"), f"{name}'s last report"),
        FileToShow(str(reports / "spectators.txt"), "what everybody may know"),
        _receipt_to_show(demo, desk / "receipts"),
    ]


def _receipt_to_show(demo: "DemoGame", folder: Path) -> FileToShow:
    """Return the first receipt with a refusal, or else the most interesting other receipt."""
    descriptions = {
        "refused": "the answer to a bot's mistake",
        "stale": "the answer to an email that came too late",
        "kept": "the answer to a bot",
    }
    verdict = next(kind for kind in descriptions if kind in demo.first_receipts)
    return FileToShow(str(folder / f"{demo.first_receipts[verdict]}.txt"), descriptions[verdict])


def _commands_to_try(demo: "DemoGame") -> list[str]:
    folder, home = str(demo.session.folder.root), str(demo.home.path)
    if os.name == "nt":
        folder, home_setting = f'"{folder}"', f'set "PBEM_HOME={home}" && '
    else:
        folder, home_setting = shlex.quote(folder), f"PBEM_HOME={shlex.quote(home)} "
    return [
        f"pbem show {folder}",
        f"pbem verify {folder} --game {demo.session.record.game}",
        f"{home_setting}pbem status {folder}",
    ]
