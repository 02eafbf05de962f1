"""What is asked for with `pbem new`: from the command line, from a file, or from the round before.

What must never be here: a secret, a folder that is made. Source: FORMAT.md "Plan of a game";
decision 0005 (``--after``).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pbem.chain.clock_words import written
from pbem.chain.names import seat_among
from pbem.chain.signed_state import head_of, self_signed_link
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import b64
from pbem.disk.folder import NEXT
from pbem.disk.home import Home
from pbem.disk.whole import read_input
from pbem.errors import BadInput, Refused, naming, notices
from pbem.formats import toml
from pbem.formats.toml import TableReader
from pbem.mail.text import decode
from pbem.report.players import Person
from pbem.services.session.address_book import with_address
from pbem.services.session.folders import check_folder
from pbem.services.session.session import open_session

HINT = "a board file has: [[side]] with id, provinces and regions; and [counters] (docs/BOARDS.md)"
MOST = 100  # of one counter, squares of a province: enough to be refused in the game's words
NAMES = ("reputation", "threat")


def with_boards(options: dict[str, str], path: Path | None) -> dict[str, str]:
    """The options with those of a board file: ``--boards FILE``, or ``boards=@FILE``.

    BadInput where the file is none, or boards are given twice.
    """
    named = options.get("boards", "")
    if named.startswith("@"):
        if path is not None:
            why = f"two board files, {path} and {named[1:]}"
            raise BadInput("boards/twice", why, "name only one")
        path = Path(named[1:])
        options = {name: value for name, value in options.items() if name != "boards"}
    if path is None:
        return options
    found = _read(path)
    twice = sorted(found.keys() & options.keys())
    if twice:
        text = f"{path} gives {twice[0]}, and so does an option of that name"
        raise BadInput("boards/twice", text, "give it once")
    return {**options, **found}


def _read(path: Path) -> dict[str, str]:
    text = decode(read_input(str(path), 64 * 1024)).replace("\r\n", "\n")
    with naming(path, HINT):
        reader = TableReader(toml.load(text, "board file"), "")
        options = {"sides": " ".join(_side(side) for side in reader.tables("side"))}
        counters = reader.maybe_table("counters")
        reader.done()
        if counters is not None:
            options["counters"] = "/".join(_counters(counters.table(name)) for name in NAMES)
            counters.done()
    return options


def _side(reader: "TableReader") -> str:
    """One side as a word: ``4b:3,4,4:4,3,4``."""
    name = reader.text("id")
    rows = [reader.numbers(key, 0, MOST) for key in ("provinces", "regions")]
    reader.done()
    return ":".join((name.strip(), *(",".join(map(str, row)) for row in rows)))


def _counters(reader: "TableReader") -> str:
    """``{ 0 = 3, 1 = 2 }`` as ``00011``."""
    values = reader.keys()
    return "".join(value * reader.number(value, 0, MOST) for value in values)


MOST_ROUNDS = 999
EMPTY_PLAN: dict[str, Any] = {"game": "", "players": {}, "options": {}, "known": {}, "referee": ""}


def merged_plan(
    plan: dict[str, Any],
    game: str,
    player: list[str],
    option: list[str],
    referee: str,
    known: Sequence[str],
    place: Home,
) -> dict[str, Any]:
    """What stands on the command line goes before what stands in the file.

    ``place``: of the address book.
    """
    players = _found(_players_from(player) or plan["players"], place)
    options = {**plan["options"], **options_from(option)}
    kind, names = game or plan["game"], _names(players)
    if not kind:
        why = "no game was named"
        raise BadInput("game/missing", why, "add --game GAME; `pbem games` lists them")
    return {
        "game": kind,
        "players": players,
        "options": options,
        "known": _by_seat({**plan["known"], **_known_from(known)}, names),
        "referee": referee or plan["referee"],
    }


def _players_from(given: Sequence[str]) -> dict[str, str]:
    """``SEAT=NAME,ADDRESS`` of the command line, by seat; BadInput ``players/…``."""
    players: dict[str, str] = {}
    for text in given:
        seat, sign, who = text.partition("=")
        seat = seat.strip().lower()
        if not sign or not seat or not who.strip():
            why = f"--player {text[:80]!r} is not SEAT=NAME"
            raise BadInput("players/shape", why, "for example --player red=Ann,ann@example.org")
        if seat in players:
            why = f"two players sit at {seat}"
            raise BadInput("players/twice", why, "give each a seat of their own")
        players[seat] = who
    return players


def _found(players: dict[str, str], place: Home) -> dict[str, str]:
    """The players with the addresses that the referee's book has."""
    ways = {
        seat: f"{seat}='{who.strip()},' for a player without email" for seat, who in players.items()
    }
    return {seat: with_address(place, who, ways[seat]) for seat, who in players.items()}


def _names(players: dict[str, str]) -> dict[str, str]:
    return {seat: who.partition(",")[0].strip() for seat, who in players.items()}


def _by_seat(given: dict[str, str], names: dict[str, str]) -> dict[str, str]:
    """What is said of seats, each named by its colour or its player; BadInput ``players/…``."""
    found = dict[str, str]()
    for who, what in given.items():
        seat = seat_among(names, who) if names else who  # without players there is no game
        if seat in found:
            raise BadInput("players/twice", f"{seat} is named twice", "name each seat once")
        found[seat] = what
    return found


def options_from(given: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` of the command line, by name; BadInput ``option/shape``."""
    return dict(_pairs(given, "option", "NAME=VALUE", "edition=en"))


def _known_from(given: Sequence[str]) -> dict[str, str]:
    """``SEAT=HOW`` of the command line, by seat; BadInput ``known/shape``."""
    return {seat: how.lower() for seat, how in _pairs(given, "known", "SEAT=HOW", "red=key")}


def _pairs(
    given: Sequence[str], option: str, shape: str, example: str
) -> Iterator[tuple[str, str]]:
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            why = f"--{option} {text[:80]!r} is not {shape}"
            raise BadInput(f"{option}/shape", why, f"for example --{option} {example}")
        yield name.strip().lower(), value.strip()


def read_plan(path: Path) -> dict[str, Any]:
    """A game's plan: ``game``, ``referee``, tables ``players`` and ``options`` (FORMAT.md)."""
    text = decode(read_input(str(path), 64 * 1024)).replace("\r\n", "\n")
    with naming(path, "a plan has: game, referee, and the tables [players], [options] and [known]"):
        reader = TableReader(toml.load(text, "plan"), "")
        plan: dict[str, Any] = {"game": reader.maybe_text("game") or ""}
        plan["referee"] = reader.maybe_text("referee") or ""
        for key in ("players", "options", "known"):
            table = reader.maybe_table(key)
            names = table.keys() if table else ()
            plan[key] = {name.lower(): table.text(name) for name in names} if table else {}
        reader.done()
    return plan


def next_round(
    directory: Path,
    time: str,
    player: Sequence[str],
    known: Sequence[str],
    place: Home,
    *others: object,
) -> dict[str, Any]:
    """The plan of a round that was given up, for the next one, which names it.

    ``time``: of the command. ``player``, ``known``: who is another person, or known in another way;
    the rest stays. ``place``: of the address book.
    BadInput ``new/either`` where any of ``others`` was asked for as well.
    """
    if any(others):
        why = "the next round has the plan of the one before"
        raise BadInput("new/either", why, "give only --player and --known with --after")

    old = open_session(directory, time)
    check_folder(old)
    record, genesis = old.link, old.folder.state(0)
    if record.dealt:  # never told to close it: that would end a game people play
        way = "use `pbem new` without --after to open another game"
        raise Refused("new/not-given-up", f"{directory} was dealt, so it has no next round", way)
    if record.phase != CLOSED:
        why = f"{directory} is not a round that was cancelled before its deal"
        raise Refused("new/not-given-up", why, f'pbem amend {directory} close --reason "…"')
    if genesis is None:
        why = f"{directory} has no states/0000.toml"
        raise Refused("new/after", why, "put it back from a backup")
    if record.setup.round >= MOST_ROUNDS:
        why = f"{directory} was round {MOST_ROUNDS}, and there are no more"
        raise Refused("new/rounds", why, "use `pbem new` without --after to open another game")
    if begun := (old.folder.desk_file(NEXT) or b"").decode("ascii", "replace").split():
        those = " and ".join(begun)
        notices[f"{directory} already has a next round: {those}. `pbem verify` tells of both"] = (
            None
        )
    first = self_signed_link(genesis, "states/0000.toml")
    seats = {seat: _who(old.players.seats[seat]) for seat in first.setup.seats}
    changed = _found(_players_from(player), place)
    changed = _by_seat(changed, _names(seats))
    seats |= changed
    return {
        "game": first.setup.kind,
        "players": seats,
        "options": {**dict(first.setup.options), **written(first.clock)},
        "known": {one.seat: one.identified for one in first.people}
        | _by_seat(_known_from(known), _names(seats)),
        "referee": _who(old.players.referee),
        "round": first.setup.round + 1,
        "previous": b64(head_of(genesis)),
        "after": directory,
    }


def _who(person: Person) -> str:
    return f"{person.name},{person.address}" if person.address else person.name
