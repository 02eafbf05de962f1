"""``pbem demo``: a whole game through real files, bots playing."""

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import catalog
from pbem.bots.player import NAMED
from pbem.chain.clock import written
from pbem.clock import now
from pbem.commands.arguments import GameOptions
from pbem.disk.system import refuse_in_use
from pbem.engine.row import all_of
from pbem.errors import BadInput, Refused
from pbem.play.deadlines.options import apart
from pbem.result import Result
from pbem.services.demo import DemoGame, Wanted, fresh, from_seed
from pbem.services.open.plan import options_from

if TYPE_CHECKING:
    from pbem.engine.game import Game

LOUD = (
    "NOT SECRET: deal, keys and bots come from --seed {seed}. Anyone who knows it knows every "
    "hidden card."
)
VERDICTS = {
    "kept": "accepted",
    "refused": "refused",
    "stale": "sent to a settled question",
    "answered": "without orders",
    "unfinished": "not finished",
    "not known": "not shown to be the player's",
    "ended": "after the end",
    "not read": "unreadable",
    "unreadable": "unreadable",
    "unknown": "without a good code",
    "repeated": "sent twice",
}


def run(
    game: Annotated[
        str, typer.Option(metavar="GAME", help="Which game; see pbem games.")
    ] = "chang-cheng",
    players: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many bots; without it 4, or as many as fit."),
    ] = None,
    dir_: Annotated[
        Path | None,
        typer.Option(
            "--dir", metavar="NEW", help="A new folder for everything; without it, pbem-demo."
        ),
    ] = None,
    option: GameOptions = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="KIND", help="random, or sensible (these look ahead and take longer)."
        ),
    ] = "random",
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Play the same game again. Its deal is not secret."),
    ] = None,
) -> Result:
    """Play a whole game with bots, through the files and emails of a real game.

    Nothing outside the folder is touched. It has keys of its own, and no email is sent.
    """
    kind = catalog.load(game)
    number = _number_of_players(kind, players)
    if bots not in NAMED:
        why = f"there are no {bots!r} bots"
        raise BadInput("demo/bots", why, f"the bots are {' and '.join(NAMED)}")
    wish = Wanted(number, options_from(option or []), bots)
    # what is wrong is said before anything is made
    kind.configure(kind.seats[:number], apart(wish.options, [one.name for one in kind.options])[0])
    place = dir_ or _free_folder()
    try:
        refuse_in_use(place)
    except Refused as error:
        raise Refused(error.code, error.message, "pbem demo --dir OTHER") from None
    chances = fresh() if seed is None else from_seed(seed)
    played = DemoGame(
        place, kind, wish, chances, lambda ours: now() if ours is None else written(ours)
    )
    _play(played)
    return _answer(played, place, seed)


def _free_folder() -> Path:
    """``pbem-demo``, or the next number of it: a second demo leaves the first alone."""
    number = 1
    while (place := Path("pbem-demo" if number == 1 else f"pbem-demo-{number}")).exists():
        number += 1
    return place


def _number_of_players(game: "Game", wanted: int | None) -> int:
    fewest, most = game.players
    number = min(4, most) if wanted is None else wanted
    if not fewest <= number <= most:
        problem = f"{game.title} is for {fewest} to {most} players, not {number}"
        raise BadInput("players/number", problem, f"pbem demo --players {min(4, most)}")
    return number


def _play(played: "DemoGame") -> None:
    """To the end, with a bar on a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        for _ in played.play():
            pass
        return
    bar = typer.progressbar(length=1000, label="Playing", file=sys.stderr, show_eta=False)
    with bar as shown:
        for share in _shares(played):
            shown.update(max(0, int(1000 * share) - shown.pos))
        shown.update(1000 - shown.pos)


def _shares(played: "DemoGame") -> Iterator[float]:
    """How much of the game is over, after every mail: squares taken, where a game has squares."""
    for number, _ in enumerate(played.play(), 1):
        position = played.session.link.position
        taken, boards = position.get("squares"), position.get("boards", [])
        if taken is None or not boards:
            yield number / (number + 40)  # nobody knows how long: ever slower, never full
            continue
        board = str(boards[0]).split(":")[1].split(",")
        yield len(taken) / (sum(map(int, board)) * int(position["boards_allowed"]))


def _answer(played: "DemoGame", root: Path, seed: int | None) -> Result:
    session = played.session
    setup, folder = session.link.setup, session.folder.root
    watcher = session.game.watch(session.position.config, session.link.position)
    outcome = session.game.outcome(watcher)
    names = dict(zip(setup.seats, played.session.link.names, strict=True))
    winners = outcome.winners if outcome else ()
    look, tries = _look_first(played), _try_next(played)
    data = {
        "dir": str(root),
        "game_dir": str(folder),
        "home": str(played.home.path),
        "inbox": str(played.inbox),
        "game": session.link.game,
        "kind": setup.kind,
        "seed": seed,
        "seats": names,
        "winners": list(winners),
        "scores": dict(outcome.scores) if outcome else {},
        "states": session.link.n + 1,
        "answers": played.verdicts,
        "look_first": [path for path, _ in look],
        "try_next": tries,
    }
    return Result(data, "\n".join(_text(played, data, look)))


def _text(played: "DemoGame", data: dict[str, Any], look: list[tuple[str, str]]) -> list[str]:
    names, folder = data["seats"], Path(data["game_dir"])
    who = all_of([f"{names[seat]} ({seat})" for seat in data["winners"]])
    scores = ", ".join(f"{names[seat]} {points}" for seat, points in data["scores"].items())
    counted = ", ".join(f"{n} {VERDICTS[what]}" for what, n in data["answers"].items())
    lines = [LOUD.format(seed=data["seed"]), ""] if data["seed"] is not None else []
    lines += [
        f"{played.game.title} is over: {who} won. Points: {scores}.",
        f"{sum(data['answers'].values())} answers from the bots: {counted}.",
        "",
        "What came of it:",
        f"  {folder / 'states'}: {data['states']} signed states; game.toml is the last",
        f"  {folder / 'desk' / 'reports'}: each player's report after each of them",
        f"  {folder / 'desk' / 'outbox'}: what went out as emails, and the receipts",
        f"  {data['inbox']}: what the bots sent, as it came",
        "",
        "Look first at:",
        *(f"  {path}: {what}" for path, what in look),
        "",
        "Then try:",
        *(f"  {line}" for line in data["try_next"]),
    ]
    return lines


def _look_first(played: "DemoGame") -> list[tuple[str, str]]:
    """The last report of the player who moved last, the spectators', and a telling receipt."""
    session = played.session
    desk = session.folder.root / "desk"
    reports = desk / "reports" / f"{session.link.n:04d}"
    entries = session.link.entries
    seat = entries[-1].seat if entries else session.link.setup.seats[0]
    name = session.position.name(seat)
    receipt, says = _receipt(played)
    return [
        (str(reports / f"{seat}.txt"), f"{name}'s last report"),
        (str(reports / "spectators.txt"), "what everybody may know"),
        (str(desk / "receipts" / receipt), says),
    ]


def _receipt(played: "DemoGame") -> tuple[str, str]:
    """The first receipt that refused something, or what comes nearest to it."""
    says = {
        "refused": "the answer to a bot's mistake",
        "stale": "the answer to an email that came too late",
        "kept": "the answer to a bot",
    }
    verdict = next(one for one in says if one in played.receipts)
    return f"{played.receipts[verdict]}.txt", says[verdict]


def _try_next(played: "DemoGame") -> list[str]:
    folder = shlex.quote(str(played.session.folder.root))
    home = shlex.quote(str(played.home.path))
    own_home = f"set PBEM_HOME={home}&& " if os.name == "nt" else f"PBEM_HOME={home} "
    return [
        f"pbem show {folder}",
        f"pbem verify {folder} --game {played.session.link.game}",
        f"{own_home}pbem status {folder}",
    ]
