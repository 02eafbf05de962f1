"""``pbem new``: open a game: invite the players, or deal at once."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from pbem import catalog
from pbem.clock import now
from pbem.commands.key import recovery_publics
from pbem.crypto.encoding import b64, game_id
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import new_secret, new_wrap
from pbem.crypto.signing import key_id
from pbem.disk.finding import create_folder
from pbem.disk.folder import GameFolder
from pbem.disk.home import Home
from pbem.errors import BadInput
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening.opening import Plan, open_game, open_round
from pbem.moderator.report import players
from pbem.moderator.report.players import Players
from pbem.moderator.turn.hand import Hand, encode_hand
from pbem.result import Result
from pbem.services.opening import passwords
from pbem.services.opening import plan as planning
from pbem.services.opening.board_file import with_boards
from pbem.services.session.newest import the_home, the_key
from pbem.services.session.session import Session
from pbem.services.session.whole_folder import first_here, no_empty_folders, whole_or_not_at_all
from pbem.services.writing import AT_ONCE, settle


class Secrets(NamedTuple):
    """What nobody may guess of a game that is being opened; ``wraps`` None: made here."""

    game: bytes
    codes: bytes
    wraps: tuple[tuple[str, bytes], ...] | None = None


Directory = Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the game.")]
Game = Annotated[str, typer.Option("--game", metavar="GAME", help="Which game; see pbem games.")]
Seated = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=NAME[,ADDRESS]", help="A player, in turn order: red=Ann,ann@example.org."
    ),
]
Choices = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of the game; see pbem games."),
]
Referee = Annotated[
    str, typer.Option(metavar="NAME[,ADDRESS]", help="You: players reply to this address.")
]
From = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="All of this from a file (TOML).")
]
Boards = Annotated[
    Path | None,
    typer.Option("--boards", metavar="FILE", help="Boards and counters of your own (TOML)."),
]
Deal = Annotated[
    bool, typer.Option("--deal", help="Deal at once, by yourself alone; every report says so.")
]
After = Annotated[
    Path | None,
    typer.Option(
        "--after",
        metavar="OLD",
        help="The next round of one given up; with another --player or --known at most.",
    ),
]
Known = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=HOW", help="How a player is known: key, reply (default), password, typed."
    ),
]


def run(
    directory: Directory,
    game: Game = "",
    player: Seated = None,
    option: Choices = None,
    referee: Referee = "",
    from_: From = None,
    boards: Boards = None,
    deal: Deal = False,
    after: After = None,
    known: Known = None,
) -> Result:
    """Open a game and invite its players, in desk/outbox; pbem resolve deals when all answered.

    Each may give something to the deal, so that nobody chooses it. With --deal there is no
    invitation: the deal is made from your own secret alone, and every report says so.
    """
    time = now()
    if after is not None:
        wanted = planning.after(
            after, time, player or (), known or (), game, option, referee, from_, boards
        )
    else:
        plan = planning.from_file(from_) if from_ else planning.EMPTY
        wanted = planning.merged(plan, game, player or [], option or [], referee, known or ())
        wanted["options"] = with_boards(wanted["options"], boards)
    secrets = Secrets(new_secret(), new_secret())
    session = open_game_in(directory, wanted, the_home(), secrets, time, deal)
    return _answer(session) if deal else _invited(session)


def open_game_in(
    directory: Path,
    wanted: dict[str, Any],
    place: Home,
    secrets: Secrets,
    time: str,
    deal: bool = True,
) -> "Session":
    """Open and deal, or invite; ``wanted`` has game, players, options and referee, as ``--from``
    has them, and round and previous where a round was given up before.
    """
    game = catalog.load(wanted["game"])
    config = game.configure(tuple(wanted["players"]), wanted["options"])
    people = {seat: players.person(wanted["players"][seat], seat) for seat in config.seats}
    _names_apart(people)
    referee = players.person(wanted["referee"] or "Referee", "referee")
    key = the_key(place)
    recovery, wraps = _recovery(place, key, secrets)
    names = tuple(people[seat].name for seat in config.seats)
    how = passwords.checked(wanted.get("known", {}), people, deal)
    people, words = passwords.made(people, how)
    plan = Plan(config, names, *recovery, wraps, catalog.distribution(game.kind)[1], time, how)
    if "previous" in wanted:
        plan = plan._replace(round=wanted["round"], previous=wanted["previous"])
    files: tuple[bytes, ...]
    if deal:
        files = open_game(plan, game, key, secrets.game)
    else:
        files = (open_round(plan, game, key, secrets.game)[1],)
    there = directory.is_dir()
    folder = create_folder(directory)
    with (
        no_empty_folders(folder, there),
        folder.lock(),
        first_here(folder),
        whole_or_not_at_all(folder, len(files) - 1),
    ):
        seated = players.Players(referee, people)
        passwords.tell(folder, files[0], seated, words, time)
        return _saved(folder, files, seated, place, key, secrets, time)


def _saved(
    folder: GameFolder,
    files: tuple[bytes, ...],
    people: Players,
    place: Home,
    key: RefereeKey,
    secrets: Secrets,
    time: str,
) -> "Session":
    """The desk, then every state made, then the reports of the newest."""
    folder.put_desk_file("secret", f"{b64(secrets.game)}\n".encode())
    folder.put_desk_file("codes", f"{b64(secrets.codes)}\n".encode())
    folder.put_desk_file("players.toml", players.encode(people))
    if files[1:]:  # whoever is killed between two of them has it finished by the next command
        folder.put_desk_file(AT_ONCE, b"deal\n")
    name = game_id(files[0])
    empty = {seat: encode_hand(Hand()) for seat in people.seats}
    for n, raw in enumerate(files):
        head = b64(head_of(raw))
        folder.commit(n, raw, empty, lambda n=n, head=head: place.write_mark(name, n, head))  # type: ignore[misc]
    return settle(Session(folder, place, key, time))


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
    public, wrap_public = recovery_publics(place)
    if secrets.wraps is not None:
        return (public, wrap_public), secrets.wraps
    both = ((key.id, key.wrap_public), (key_id(public), wrap_public))
    return (public, wrap_public), tuple((name, new_wrap(secrets.game, wrap)) for name, wrap in both)


def _answer(session: "Session") -> Result:
    desk = session.folder.root / "desk"
    questions = session.game.questions(session.game.view(session.position.state, None))
    waits = [question.seat for question in questions]
    said = [
        f"Reports lie in {desk / 'reports' / '0002'}, mails to send in {desk / 'outbox'}.",
        f"It waits for {_named(session, waits)}.",
        "Dealt by you alone: a player must trust you for that, and every report says so.",
    ]
    return _told(session, waits, "dealt", said)


def _invited(session: "Session") -> Result:
    desk, seats = session.folder.root / "desk", list(session.link.setup.seats)
    said = [
        f"Invitations lie in {desk / 'reports' / '0000'}, mails to send in {desk / 'outbox'}.",
        f"It waits for the answers of {_named(session, seats)}.",
        f"When they are received, pbem resolve {session.folder.root} goes on to the deal.",
    ]
    return _told(session, seats, "opened", said)


def _named(session: "Session", seats: list[str]) -> str:
    return ", ".join(f"{session.link.player(seat).name} ({seat})" for seat in seats)


def _in_order(session: "Session") -> str:
    """The players as they sit; where their order is drawn, that it is (R-3)."""
    named = _named(session, list(session.link.setup.seats))
    if dict(session.link.setup.options).get("seats") != "drawn":
        return f"Players in turn order: {named}."
    when = "was drawn: the reports have it" if session.link.dealt else "is drawn at the deal"
    return f"Players: {named}; the turn order {when}."


def _told(session: "Session", waits: list[str], what: str, said: list[str]) -> Result:
    setup, people = session.link.setup, session.players.seats
    desk = session.folder.root / "desk" / "outbox"
    data = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "kind": setup.kind,
        "seats": dict(zip(setup.seats, session.link.names, strict=True)),
        "options": dict(setup.options),
        "waits_for": waits,
    }
    lines = [
        f"{session.game.title} is {what} in {session.folder.root} (game {session.link.game}).",
        _in_order(session),
        *said,
        "game.toml and states/ may be shared with anybody; desk/ never.",
    ]
    if not session.players.referee.address:
        lines.append(
            "note: without your address (--referee NAME,ADDRESS) players cannot reply to the mails"
        )
    lines += [
        f"note: the password of {one.name} stands in {desk / f'password-{seat}.eml'} and nowhere "
        "else: send that mail, then delete it"
        for seat, one in people.items()
        if one.password
    ]
    missing = [one.name for one in people.values() if not one.address]
    if missing:
        kind = "reports" if session.link.dealt else "invitations"
        lines.append(
            f"note: no mail address for {', '.join(missing)}: give them their {kind} by hand"
        )
    return Result(data, "\n".join(lines))
