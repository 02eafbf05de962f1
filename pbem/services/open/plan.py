"""Reads the plan of a new game from the command line, a file, or the round before.

A round is one attempt to open a game. If it is cancelled before the deal, the next round has the same plan.
Not allowed here: a secret; a new folder.
Source: FORMAT.md "Plan of a game"; decision 0005 (``--after``).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pbem.chain.clock_words import typed_options
from pbem.chain.names import find_seat_by_name
from pbem.chain.signed_state import read_self_signed_record, state_hash_of
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import b64
from pbem.disk.folder import NEXT_ROUND_FILE
from pbem.disk.home import Home
from pbem.disk.whole import read_input
from pbem.engine.row import join_with_and
from pbem.errors import BadInput, Refused, naming_file, notices
from pbem.formats import toml
from pbem.formats.toml import TableReader
from pbem.mail.text import decode
from pbem.report.players import Person
from pbem.services.session.address_book import add_known_address
from pbem.services.session.folders import require_acting_folder
from pbem.services.session.session import open_session

BOARD_FILE_HINT = "a board file has: [[side]] with id, provinces and regions; and [counters] (pbem rules chang-cheng)"
MAX_NUMBER = 100  #: of counters, or squares of a province; the game itself has lower limits
COUNTER_NAMES = ("reputation", "threat")


def add_board_options(options: dict[str, str], path: Path | None) -> dict[str, str]:
    """Add the options of a board file: ``--boards FILE`` or ``boards=@FILE``. Raises BadInput ``boards/…``."""
    boards_option = options.get("boards", "")
    if boards_option.startswith("@"):
        if path is not None:
            raise BadInput("boards/twice", f"two board files, {path} and {boards_option[1:]}", "name only one")
        path = Path(boards_option[1:])
        options = {name: value for name, value in options.items() if name != "boards"}
    if path is None:
        return options
    board_options = _read_board_file(path)
    duplicates = sorted(board_options.keys() & options.keys())
    if duplicates:
        problem = f"{path} gives {duplicates[0]}, and so does an option of that name"
        raise BadInput("boards/twice", problem, "give it once")
    return {**options, **board_options}


def _read_board_file(path: Path) -> dict[str, str]:
    """Read the sides of the board and the counters as options, which are words on one line."""
    text = decode(read_input(str(path), 64 * 1024)).replace("\r\n", "\n")
    with naming_file(path, BOARD_FILE_HINT):
        reader = TableReader(toml.load(text, "board file"), "")
        options = {"sides": " ".join(_parse_side(side) for side in reader.tables("side"))}
        counters = reader.maybe_table("counters")
        reader.refuse_unknown_keys()
        if counters is not None:
            options["counters"] = "/".join(_parse_counters(counters.table(name)) for name in COUNTER_NAMES)
            counters.refuse_unknown_keys()
    return options


def _parse_side(reader: "TableReader") -> str:
    """Return a side as ``4b:3,4,4:4,3,4``: its id, the squares of its provinces, and its regions."""
    name = reader.text("id")
    rows = [reader.numbers(key, 0, MAX_NUMBER) for key in ("provinces", "regions")]
    reader.refuse_unknown_keys()
    return ":".join((name.strip(), *(",".join(map(str, row)) for row in rows)))


def _parse_counters(reader: "TableReader") -> str:
    """Return counters as digits: ``{ 0 = 3, 1 = 2 }``, three of value 0 and two of value 1, as ``00011``."""
    values = reader.unread_keys()
    return "".join(value * reader.number(value, 0, MAX_NUMBER) for value in values)


MAX_ROUNDS = 999
EMPTY_PLAN: dict[str, Any] = {"game": "", "players": {}, "options": {}, "auth": {}, "referee": ""}


def merge_plan(
    plan: dict[str, Any],
    game: str,
    player_arguments: list[str],
    option_arguments: list[str],
    referee: str,
    auth_arguments: Sequence[str],
    home: Home,
) -> dict[str, Any]:
    """Return the plan of a file, changed by the command line. ``home`` has the referee's address book."""
    players = _add_addresses(_parse_players(player_arguments) or plan["players"], home)
    options = {**plan["options"], **parse_options(option_arguments)}
    kind = game or plan["game"]
    names = _names_by_seat(players)
    if not kind:
        raise BadInput("game/missing", "no game was named", "add --game GAME; `pbem games` lists them")
    return {
        "game": kind,
        "players": players,
        "options": options,
        "auth": _values_by_seat({**plan["auth"], **_parse_auth_methods(auth_arguments)}, names),
        "referee": referee or plan["referee"],
    }


def _parse_players(arguments: Sequence[str]) -> dict[str, str]:
    """Parse ``SEAT=NAME,ADDRESS`` arguments. Return ``NAME,ADDRESS`` by seat. Raises BadInput ``players/…``."""
    players: dict[str, str] = {}
    for text in arguments:
        seat, separator, contact = text.partition("=")
        seat = seat.strip().lower()
        if not separator or not seat or not contact.strip():
            problem = f"--player {text[:80]!r} is not SEAT=NAME"
            raise BadInput("players/shape", problem, "for example --player red=Ann,ann@example.org")
        if seat in players:
            raise BadInput("players/twice", f"two players sit at {seat}", "give each a seat of their own")
        players[seat] = contact
    return players


def _add_addresses(players: dict[str, str], home: Home) -> dict[str, str]:
    """Return the players with their addresses, from the referee's address book if they have none."""
    hints = {seat: f"{seat}='{contact.strip()},' for a player without email" for seat, contact in players.items()}
    return {seat: add_known_address(home, contact, hints[seat]) for seat, contact in players.items()}


def _names_by_seat(players: dict[str, str]) -> dict[str, str]:
    return {seat: contact.partition(",")[0].strip() for seat, contact in players.items()}


def _values_by_seat(value_by_name: dict[str, str], names: dict[str, str]) -> dict[str, str]:
    """Return values by seat that were given by seat or player. Raises BadInput ``players/…``."""
    value_by_seat = dict[str, str]()
    for name, value in value_by_name.items():
        seat = find_seat_by_name(names, name) if names else name
        if seat in value_by_seat:
            raise BadInput("players/twice", f"{seat} is named twice", "name each seat once")
        value_by_seat[seat] = value
    return value_by_seat


def parse_options(arguments: Sequence[str]) -> dict[str, str]:
    """Parse ``NAME=VALUE`` arguments. Return the values by name. Raises BadInput ``option/shape``."""
    return dict(_split_pairs(arguments, "option", "NAME=VALUE", "edition=en"))


def _parse_auth_methods(arguments: Sequence[str]) -> dict[str, str]:
    """Parse ``SEAT=HOW`` arguments. Return the methods by seat. Raises BadInput ``auth/shape``."""
    return {seat: auth_method.lower() for seat, auth_method in _split_pairs(arguments, "auth", "SEAT=HOW", "red=key")}


def _split_pairs(arguments: Sequence[str], option: str, shape: str, example: str) -> Iterator[tuple[str, str]]:
    for text in arguments:
        name, separator, value = text.partition("=")
        if not separator:
            problem = f"--{option} {text[:80]!r} is not {shape}"
            raise BadInput(f"{option}/shape", problem, f"for example --{option} {example}")
        yield name.strip().lower(), value.strip()


def read_plan(path: Path) -> dict[str, Any]:
    """Read a plan file: ``game``, ``referee``, and the tables ``players``, ``options`` and ``auth``."""
    text = decode(read_input(str(path), 64 * 1024)).replace("\r\n", "\n")
    with naming_file(path, "a plan has: game, referee, and the tables [players], [options] and [auth]"):
        document = toml.load(text, "plan")
        reader = TableReader(document, "")
        plan: dict[str, Any] = {"game": reader.maybe_text("game") or ""}
        plan["referee"] = reader.maybe_text("referee") or ""
        for key in ("players", "options", "auth"):
            plan[key] = _read_texts(reader.maybe_table(key))
        if "known" in document:  # the former name of ``auth``
            plan["auth"] = _read_texts(reader.maybe_table("known")) | plan["auth"]
        reader.refuse_unknown_keys()
    return plan


def _read_texts(table: "TableReader | None") -> dict[str, str]:
    return {name.lower(): table.text(name) for name in table.unread_keys()} if table else {}


def plan_next_round(
    directory: Path,
    time: str,
    player_arguments: Sequence[str],
    auth_arguments: Sequence[str],
    home: Home,
    *other_options: object,
) -> dict[str, Any]:
    """Return the plan of the next round of a game that was cancelled before its deal.

    ``player_arguments``, ``auth_arguments``: other players, or other authentication. Everything else stays
    the same. Raises BadInput ``new/either`` if any of ``other_options`` is set.
    """
    if any(other_options):
        problem = "the next round has the plan of the one before"
        raise BadInput("new/either", problem, "give only --player and --auth with --after")

    old_session = open_session(directory, time)
    require_acting_folder(old_session)
    record = old_session.record
    genesis = old_session.folder.read_state(0)
    if record.is_dealt:  # do not suggest `close`, which would end a running game
        hint = "use `pbem new` without --after to open another game"
        raise Refused("new/not-given-up", f"{directory} was dealt, so it has no next round", hint)
    if record.phase != CLOSED:
        problem = f"{directory} is not a round that was cancelled before its deal"
        raise Refused("new/not-given-up", problem, f'pbem amend {directory} close --reason "…"')
    if genesis is None:
        raise Refused("new/after", f"{directory} has no states/0000.toml", "put it back from a backup")
    if record.setup.round >= MAX_ROUNDS:
        problem = f"{directory} was round {MAX_ROUNDS}, and there are no more"
        raise Refused("new/rounds", problem, "use `pbem new` without --after to open another game")
    next_round_data = old_session.folder.read_desk_file(NEXT_ROUND_FILE) or b""
    if next_ids := next_round_data.decode("ascii", "replace").split():
        id_list = join_with_and(next_ids)
        notices[f"{directory} already has a next round: {id_list}. `pbem verify` tells of both"] = None
    first_record = read_self_signed_record(genesis, "states/0000.toml")
    players = {seat: _contact_text(old_session.players.seats[seat]) for seat in first_record.setup.seats}
    changed_players = _add_addresses(_parse_players(player_arguments), home)
    players |= _values_by_seat(changed_players, _names_by_seat(players))
    auth_methods = {person.seat: person.method_name for person in first_record.people}
    auth_methods |= _values_by_seat(_parse_auth_methods(auth_arguments), _names_by_seat(players))
    return {
        "game": first_record.setup.kind,
        "players": players,
        "options": {**dict(first_record.setup.options), **typed_options(first_record.clock)},
        "auth": auth_methods,
        "referee": _contact_text(old_session.players.referee),
        "round": first_record.setup.round + 1,
        "previous": b64(state_hash_of(genesis)),
        "after": directory,
    }


def _contact_text(person: Person) -> str:
    return f"{person.name},{person.address}" if person.address else person.name
