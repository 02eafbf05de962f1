"""``pbem new``: open a game and deal."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pbem.commands.board_file import with_boards
from pbem.commands.result import Result
from pbem.errors import BadInput, PbemError, Refused

if TYPE_CHECKING:
    from pbem.commands.session import Session
    from pbem.disk.folder import GameFolder
    from pbem.disk.home import Home
    from pbem.files.strict import Reader


class Secrets(NamedTuple):
    """What nobody may guess of a game that is being opened; ``wraps`` None: made here."""

    game: bytes
    codes: bytes
    wraps: tuple[tuple[str, bytes], ...] | None = None


def run(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the game.")],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="Which game; see pbem games.")
    ] = "",
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=NAME[,ADDRESS]", help="A player, in turn order: red=Ann,ann@example.org."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the game; see pbem games."),
    ] = None,
    referee: Annotated[
        str, typer.Option(metavar="NAME[,ADDRESS]", help="You: players reply to this address.")
    ] = "",
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="All of this from a file (TOML).")
    ] = None,
    boards: Annotated[
        Path | None,
        typer.Option("--boards", metavar="FILE", help="Boards and counters of your own (TOML)."),
    ] = None,
) -> Result:
    """Open a game: genesis, roster and deal, and a report for everybody in desk/outbox.

    The deal is made from your own secret alone, and every report says so.
    """
    plan = _from_file(from_) if from_ else {"game": "", "players": {}, "options": {}, "referee": ""}
    wanted = _merged(plan, game, player or [], option or [], referee)
    wanted["options"] = with_boards(wanted["options"], boards)
    from pbem.commands.newest import the_home
    from pbem.crypto.secret import new_secret

    return _answer(open_game_in(directory, wanted, the_home(), Secrets(new_secret(), new_secret())))


def _merged(
    plan: dict[str, Any], game: str, player: list[str], option: list[str], referee: str
) -> dict[str, Any]:
    """What stands on the command line goes before what stands in the file."""
    players = dict(plan["players"]) if not player else {}
    for text in player:
        seat, sign, who = text.partition("=")
        seat = seat.strip().lower()
        if not sign or not seat or not who.strip():
            raise BadInput(
                "players/shape",
                f"--player {text[:80]!r} is not SEAT=NAME",
                "such as --player red=Ann,ann@example.org",
            )
        if seat in players:
            raise BadInput(
                "players/twice", f"two players sit at {seat}", "give each a seat of his own"
            )
        players[seat] = who
    options = {**plan["options"], **options_from(option)}
    kind = game or plan["game"]
    if not kind:
        raise BadInput("game/missing", "which game?", "add --game NAME; pbem games lists them")
    return {
        "game": kind,
        "players": players,
        "options": options,
        "referee": referee or plan["referee"],
    }


def options_from(given: list[str]) -> dict[str, str]:
    """``NAME=VALUE`` of the command line, by name; BadInput ``option/shape``."""
    options = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            raise BadInput(
                "option/shape",
                f"--option {text[:80]!r} is not NAME=VALUE",
                "such as --option edition=en",
            )
        options[name.strip().lower()] = value.strip()
    return options


def _from_file(path: Path) -> dict[str, Any]:
    """A game's plan: ``game``, ``referee``, tables ``players`` and ``options`` (FORMAT.md)."""
    from pbem.commands.naming import naming
    from pbem.disk.reading import read_input
    from pbem.files import toml_text
    from pbem.files.charset import decode
    from pbem.files.strict import Reader

    text = decode(read_input(str(path), 64 * 1024)).replace("\r\n", "\n")
    with naming(path, "a plan has: game, referee, and the tables [players] and [options]"):
        return _plan(Reader(toml_text.load(text, "plan"), ""))


def _plan(reader: "Reader") -> dict[str, Any]:
    plan: dict[str, Any] = {
        "game": reader.text("game"),
        "referee": reader.maybe_text("referee") or "",
    }
    for key in ("players", "options"):
        table = reader.maybe_table(key)
        names = table.keys() if table else ()
        plan[key] = {name.lower(): table.text(name) for name in names} if table else {}
    reader.done()
    return plan


def open_game_in(
    directory: Path, wanted: dict[str, Any], place: "Home", secrets: Secrets
) -> "Session":
    """Open and deal; ``wanted`` has game, players, options and referee, as ``--from`` has them."""
    from pbem import catalog
    from pbem.commands.clock import now
    from pbem.commands.newest import the_key
    from pbem.commands.session import Session
    from pbem.commands.settling import settle
    from pbem.crypto.encoding import b64
    from pbem.disk.finding import create_folder
    from pbem.moderator import chain, players
    from pbem.moderator.hand import Hand
    from pbem.moderator.hand import encode as encode_hand
    from pbem.moderator.opening import Plan, open_game

    game = catalog.load(wanted["game"])
    config = game.configure(tuple(wanted["players"]), wanted["options"])
    people = {seat: players.person(text, seat) for seat, text in wanted["players"].items()}
    _names_apart(people)
    referee = players.person(wanted["referee"] or "Referee", "referee")
    key = the_key(place)
    secret = secrets.game
    recovery, wraps = _recovery(place, key, secrets)
    names = tuple(people[seat].name for seat in config.seats)
    plan = Plan(config, names, *recovery, wraps, catalog.distribution(game.kind)[1], now())
    files = open_game(plan, game, key, secret)
    there = directory.is_dir()
    folder = create_folder(directory)
    with (
        _no_empty_folders(folder, there),
        folder.lock(),
        _first_here(folder),
        _whole_or_not_at_all(folder),
    ):
        folder.put_desk_file("secret", f"{b64(secret)}\n".encode())
        folder.put_desk_file("codes", f"{b64(secrets.codes)}\n".encode())
        folder.put_desk_file("players.toml", players.encode(players.Players(referee, people)))
        from pbem.crypto.encoding import game_id

        name = game_id(files[0])
        empty = {seat: encode_hand(Hand()) for seat in config.seats}
        for n, raw in enumerate(files):
            head = b64(chain.head_of(raw))
            folder.commit(n, raw, empty, lambda n=n, head=head: place.write_mark(name, n, head))  # type: ignore[misc]
        session = Session(folder, place, key)
        settle(session)
    return session


@contextmanager
def _first_here(folder: "GameFolder") -> Iterator[None]:
    """Another `pbem new` may have been in this folder while we waited for the lock."""
    if folder.is_game() or folder.desk_file("secret") is not None:
        raise Refused(
            "game/folder-in-use",
            f"{folder.root} is there already and is not empty",
            "name a folder that is not there yet",
        )
    yield


@contextmanager
def _no_empty_folders(folder: "GameFolder", there: bool) -> Iterator[None]:
    """What fails leaves no folder that was not there before (and none that is in use is
    removed).
    """
    try:
        yield
    except PbemError:
        with suppress(OSError):
            if os.path.lexists(folder.root / "desk"):
                os.rmdir(folder.root / "desk")
            if not there:
                os.rmdir(folder.root)
        raise


@contextmanager
def _whole_or_not_at_all(folder: "GameFolder") -> Iterator[None]:
    """What fails before the deal is saved leaves nothing."""
    from pbem.disk import tree

    try:
        yield
    except PbemError as error:
        if 2 in folder.numbers():
            hint = f"see to that, then: pbem resolve {folder.root}; it writes what is missing"
            raise Refused(
                "new/unfinished", f"the game is dealt, but {error.message}", hint
            ) from error
        with suppress(OSError):
            for name in ("game.toml", "states", "desk"):
                tree.remove_tree(folder.root / name)
        raise


def _names_apart(people: dict[str, Any]) -> None:
    names = [one.name.lower() for one in people.values()]
    if len(set(names)) != len(names):
        raise BadInput(
            "players/names",
            "two players have the same name",
            "add an initial: names tell them apart in reports",
        )


def _recovery(
    place: Any, key: Any, secrets: Secrets
) -> tuple[tuple[bytes, bytes], tuple[tuple[str, bytes], ...]]:
    """The recovery referee's public keys, and the secret wrapped to both referees."""
    from pbem.commands.key import recovery_publics
    from pbem.crypto.secret import new_wrap
    from pbem.crypto.signing import key_id

    public, wrap_public = recovery_publics(place)
    if secrets.wraps is not None:
        return (public, wrap_public), secrets.wraps
    both = ((key.id, key.wrap_public), (key_id(public), wrap_public))
    return (public, wrap_public), tuple((name, new_wrap(secrets.game, wrap)) for name, wrap in both)


def _answer(session: "Session") -> Result:
    setup, people = session.link.setup, session.players.seats
    waits = [
        question.seat
        for question in session.game.questions(session.game.view(session.position.state, None))
    ]
    desk = session.folder.root / "desk"
    data = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "kind": setup.kind,
        "seats": dict(zip(setup.seats, session.link.names, strict=True)),
        "options": dict(setup.options),
        "waits_for": waits,
    }
    lines = [
        f"{session.game.title} is dealt in {session.folder.root} (game {session.link.game}).",
        f"Players in turn order: {', '.join(f'{people[s].name} ({s})' for s in setup.seats)}.",
        f"Reports lie in {desk / 'reports' / '0002'}, mails to send in {desk / 'outbox'}.",
        f"It waits for {', '.join(f'{people[s].name} ({s})' for s in waits)}.",
        "Dealt by you alone: a player must trust you for that (a deal together comes later).",
        "game.toml and states/ may be shared with anybody; desk/ never.",
    ]
    lines += (
        []
        if session.players.referee.address
        else [
            "note: without your address (--referee NAME,ADDRESS) players cannot reply to the mails"
        ]
    )
    missing = [one.name for one in people.values() if not one.address]
    lines += (
        [f"note: no mail address for {', '.join(missing)}: give them their reports by hand"]
        if missing
        else []
    )
    return Result(data, "\n".join(lines))
