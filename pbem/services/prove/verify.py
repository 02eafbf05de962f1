"""``pbem verify``: what is genuine in folders, archives, single states, reports and receipts.

What lives here: telling what a path holds, the verdict on it as a row of the answer. What must
never be here: what makes a chain or a block genuine (proof/verify); the rules of a game.
Law: who knows the game's id, or the referee's public key, finds out any change, without a secret.
Source: docs/SPECIFICATION.md section 12; docs/JSON.md "verify".
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain import signed_state
from pbem.chain.plausible import watched
from pbem.chain.referees import in_force
from pbem.crypto.encoding import digest, game_id
from pbem.crypto.signing import key_id
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games
from pbem.disk.system import is_file, is_folder
from pbem.disk.whole import read, read_if_there, read_input
from pbem.errors import BadInput, CannotRead, PbemError, Refused, naming
from pbem.formats.tar import refuse_others
from pbem.proof.audit.archive import unpack, wrong_manifest
from pbem.proof.verify.inputs import Given, check_block, check_receipt, same_game
from pbem.proof.verify.verify import Chain, check_chain, follows, genesis_key, kind_of
from pbem.report.block import apart, find_blocks
from pbem.report.receipt_block import ReceiptBlock, SignedBlock
from pbem.services.prove.inputs import is_archive, mails_in
from pbem.services.session.newest import playing

if TYPE_CHECKING:
    from pbem.proof.audit.saved_emails import Unread

ARCHIVE_LIMIT = 64 << 20
LIMIT = 4 * 1024 * 1024
ABOVE = "only the block at its foot is signed, not the text above"
#: what is said of a path, and the same as data
Said = tuple[str, dict[str, Any]]
NOTHING: Said = "", {}  #: of an email that has nothing of a game


class Known(NamedTuple):
    """What a path is held against."""

    key: bytes | None  #: the referee's public key, if it was given
    game: str | None  #: the id of the game, if it was given
    chains: Given  #: that were found genuine so far

    @property
    def games(self) -> Collection[str]:
        """What a block may be of."""
        return [self.game] if self.game else self.chains


def verify_archive(path: Path, by: Known) -> Said:
    """Refused or BadInput where it is not genuine."""
    contents = unpack(read_input(str(path), ARCHIVE_LIMIT))
    if 0 not in contents.states:
        why = "its first state is missing"
        raise BadInput("archive/changed", why, "get it again from where it came, unchanged")
    found = check_chain(contents.states, by.key, by.game)
    if found.last is None or (wrong := wrong_manifest(contents, found.game, found.last)):
        way = "get it again from where it came; `pbem audit` says more"
        raise Refused("archive/changed", wrong, way)
    besides = by.chains.keep(str(path), found)
    refuse_unreadable(found)
    last, data = found.last.n, _data(found)
    says = (
        f"genuine: an archive of game {found.game}, states 0 to {last}, {found.openings} openings, "
        f"signed by key {key_id(found.key)}, state {last} in words: {data['words']}; rules and "
        f"orders are not checked here: pbem audit {path} does that{besides}"
    )
    return says, data


def refuse_unreadable(found: Chain) -> None:
    """BadInput ``position/unreadable``: genuine, and yet no position of its game, as far as its
    rules are here.
    """
    for n, record in sorted(found.links.items()):
        if record.dealt:
            try:
                game = playing(record)
            except (BadInput, Refused):
                return
            with naming(f"state {n}", "it is signed all the same; ask its referee how it came"):
                watched(game, record)


def _data(found: Chain) -> dict[str, Any]:
    """A whole chain as data."""
    last = max(found.heads)
    return {
        "game": found.game,
        "first": found.first,
        "last": last,
        "openings": found.openings,
        "words": signed_state.head_words(found.heads[last]),
        "rulings": [
            f"{one.name} (state {n})"
            for n, record in sorted(found.links.items())
            for one in record.rulings
        ],
    }


def verdicts(paths: list[Path], key: bytes | None, game: str | None) -> list[dict[str, Any]]:
    """A row for each path, in their order, and for each game in a folder of games; ``exit`` in it
    is its exit code.
    """
    each = [game for path in paths for game in _each_game(path)]
    by, parts = Known(key, game, Given()), [one for path in each for one in _parts(path)]
    # folders and archives first: the reports given with them are compared with their chains
    whole = [_is_whole(path) for path, _ in parts]
    ordered = sorted(range(len(parts)), key=lambda i: not whole[i])
    found = {i: _one(*parts[i], by) for i in ordered}
    rows = [_round(_together(row, by.chains), by.chains) for _, row in sorted(found.items()) if row]
    _name_gaps(rows)
    return rows or [_one(paths[0], None, by)]


def _each_game(path: Path) -> list[Path]:
    """The games in a folder of games, and itself where not all of it can be read; else itself."""
    with suppress(CannotRead):
        if is_folder(path) and not GameFolder(path).is_game():
            games, notes = find_games(path)
            return [*(game.root for game in games), *([path] if notes or not games else [])]
    return [path]


def _is_whole(path: Path) -> bool:
    with suppress(CannotRead):  # its row says so
        return is_folder(path) or is_archive(path)
    return False


def _parts(path: Path) -> list[tuple[Path, bytes | None]]:
    """A path; of a mailbox, and of a folder that is no game, each email that it has."""
    with suppress(PbemError):  # which is told of the path itself
        return [*mails_in(path)] or [(path, None)]
    return [(path, None)]


def _together(row: dict[str, Any], given: Given) -> dict[str, Any]:
    """A verdict, with what the others that were given make of it."""
    path = row["path"]
    if path in given.refused and row["verdict"] not in GONE.values():
        return _not_genuine(path, given.refused[path])
    row["says"] += given.notes.get(path, "")
    return row | ({"code": "verify/other-key", "exit": 1} if path in given.doubts else {})


def _name_gaps(rows: list[dict[str, Any]]) -> None:
    """Between reports of one seat that were given none may be missing unsaid."""
    told: dict[tuple[str, str], list[tuple[int, int, dict[str, Any]]]] = {}
    for row in rows:
        for game, seat, first, last in row.pop("tells", ()):
            told.setdefault((game, seat), []).append((first, last, row))
    for (_, seat), found in told.items():
        found.sort(key=lambda one: one[:2])
        reached = found[0][1]
        for first, last, row in found:
            if first > reached + 1:
                gap = f"states {reached + 1} to {first - 1}"
                gap = gap if first > reached + 2 else f"state {reached + 1}"
                row["says"] += f"; no report of {gap} for {seat} was given with it"
            reached = max(reached, last)


def _one(path: Path, mail: bytes | None, by: Known) -> dict[str, Any]:
    """One path's verdict: genuine, not genuine, or unreadable; nothing of an email that has
    nothing of a game.
    """
    try:
        if mail is not None:
            says, data = _in_mailbox(path, mail, by)
        else:
            says, data = _folder(path, by) if is_folder(path) else _file(path, by)
    except Refused as error:
        return _not_genuine(str(path), error)
    except PbemError as error:
        return _faulty(str(path), "unreadable", error, error.line())
    found = {"path": str(path), "verdict": "genuine", "exit": 0, **data, "says": says}
    return found if says else {}


#: how it is said that a path is no part of a game, and the verdict; lost is by a ruling, no forgery
GONE = {"LOST": "lost", "NOT genuine": "not genuine"}


def _not_genuine(path: str, error: Refused) -> dict[str, Any]:
    mark = "LOST" if error.code == "verify/lost" else "NOT genuine"
    return _faulty(path, GONE[mark], error, f"{mark}: {error.line()}")


def _faulty(path: str, verdict: str, error: PbemError, says: str) -> dict[str, Any]:
    data = {"path": path, "verdict": verdict, "code": error.code, "says": says}
    return data | ({"kind": kind} if (kind := kind_of(error)) else {}) | {"exit": error.exit_code}


def _round(row: dict[str, Any], chains: Given) -> dict[str, Any]:
    """A whole game's verdict, with what is to be said of the round before it."""
    known = chains.get(row.get("game", ""))
    if "last" not in row or known is None or known.last is None:
        return row
    if known.last.setup.round == 1 and known.last.setup.previous == "none":
        return row

    try:
        return row | {"says": row["says"] + follows(known, chains)}
    except Refused as error:
        return _not_genuine(row["path"], error)


def _folder(path: Path, by: Known) -> Said:
    folder = GameFolder(path)
    states = {n: folder.state(n) or b"" for n in folder.numbers()}
    newest = folder.newest_file()
    if not states and newest is None:
        why = (*find_games(path)[1], f"there is no game in {path}")[0]
        raise BadInput("game/none", why, "name a game's folder, a state file or a report")
    if not states:
        by = by._replace(key=by.key or _own_key())
        says, data = _state(path / "game.toml", newest or b"", by)
        if by.key:
            says += by.chains.keep(
                str(path), check_chain({data["n"]: newest or b""}, by.key, by.game)
            )
        return says, data
    found = check_chain(states, by.key or (None if 0 in states else _own_key()), by.game)
    last = max(states)
    if newest is not None and newest not in states.values():
        way = "put the real one back; the referee's next command writes it too"
        raise Refused("verify/newest", f"game.toml is not state {last}", way)
    besides = by.chains.keep(str(path), found)
    refuse_unreadable(found)
    data = _data(found)
    states_said = (
        f"genuine: game {found.game}, states {found.first} to {last}, {found.openings} "
        f"opening{'s' * (found.openings != 1)}, signed by key {key_id(found.key)}, "
        f"state {last} in words: {data['words']}"
    )
    if data["rulings"]:
        states_said += f"; rulings of the referee: {', '.join(data['rulings'])}"
    if newest is not None and newest != states[last]:
        states_said += f"; {folder.cut_short()}"
    if not found.from_genesis:
        states_said += f"; states before {found.first} are missing and were not checked"
    return states_said + besides, data


def _own_key() -> bytes | None:
    """This machine's referee key, if there is one: it vouches for his own games."""
    from pbem.services.session.keys import own_public, the_home

    try:
        return own_public(the_home())
    except (BadInput, Refused):
        return None


def _file(path: Path, by: Known) -> Said:
    if is_archive(path):
        return verify_archive(path, by)
    data = read_input(str(path), LIMIT)
    refuse_others(data)
    if data.startswith(b"pbem = "):
        return _state(path, data, by)
    return _report(str(path), data, by)


def _state(path: Path, raw: bytes, by: Known) -> Said:
    """A single state: by the key given, by the genesis near it, by our own key."""
    near = _genesis_near(path)
    known = by.key or (genesis_key(near) if near else None) or _own_key()
    if known is None:
        known = genesis_key(raw) if b"\nn = 0\n" in raw[:40] else None
    if known is None:
        why = "it is not known here who may sign this state"
        raise BadInput("verify/no-key", why, "add --key, or put states/0000.toml beside it")
    if near and not by.key:  # by the referees it names after the first one
        rows = signed_state.succession(
            raw, signed_state.self_signed_link(near).referees[0], game_id(near)
        )
        known = in_force(rows, signed_state.state_number(raw)).acting
    record = signed_state.genuine_link(raw, known)
    found = check_chain({record.n: raw}, known, by.game)
    if by.game is not None and found.game != by.game:
        why = f"this is a state of game {found.game}, not of {by.game}"
        raise Refused("verify/other-game", why, "is it the right file?")
    if near is not None and record.n and record.game != check_chain({0: near}, None, None).game:
        why = "it is not of the game whose states/0000.toml is beside it"
        raise Refused("verify/other-game", why, "is it the right file?")
    by.chains.state(str(path), found)
    refuse_unreadable(found)
    says = (
        f"genuine: state {record.n} of game {found.game}, signed by key {key_id(known)}; "
        "the states before it were not checked"
    )
    return says, {"game": found.game, "n": record.n}


def _genesis_near(path: Path) -> bytes | None:
    for place in (path.parent / "0000.toml", path.parent / "states" / "0000.toml"):
        if is_file(place) and place != path:
            return read(place, LIMIT)
    return None


def _in_mailbox(path: Path, mail: bytes, by: Known) -> Said:
    """An email of many, or a file of a folder; nothing of what is of no game that is given."""
    if mail.startswith(b"pbem = "):
        return _state(path, mail, by) if mail.startswith(b"pbem = 1\nn = ") else NOTHING
    try:
        return _report(str(path), mail, by, inside=True)
    except BadInput as error:
        if b"pbem" in mail or error.code.endswith("/block"):
            raise
        return NOTHING


def _report(path: str, data: bytes, by: Known, inside: bool = False) -> Said:
    from pbem.services.prove.saved_emails import signed_blocks

    found, receipts, unread = signed_blocks(data)
    if inside and by.games:
        found = [one for one in found if one.game in by.games]
        receipts = [one for one in receipts if one.game in by.games]
    if inside and not found and not receipts:
        bare = {"verdict": "not compared", "code": "report/none"}
        return ("it has no signed block: nothing was compared", bare) if unread.bare else NOTHING
    if not found and not receipts:
        find_blocks("")
    above = f"{ABOVE}; in it there are also {words}" if (words := unread.words()) else ABOVE
    if not found:
        says, facts = _receipts(path, receipts, by)
        return f"{says}; {above}", facts | _hole(unread)
    for one in found:
        same_game("report", one.game, by.games)
    says = _compared(path, found, check_block, by)
    says += f"; {_receipts(path, receipts, by)[0]}" if receipts else ""
    # the file of the commitments was compared with the states: it need not be there
    files = [file for one in found for file in one.files if file[0] != apart(one.seat)]
    says += "".join(f"; {_attached(Path(path), *file)}" for file in files)
    says += f"; {above}"
    told = [(one.game, one.seat, one.first, one.n) for one in found]
    first = {"game": found[0].game, "n": found[0].n, "seat": found[0].seat}
    return f"{_signed(len(found))}: {says}", {**first, "tells": told} | _hole(unread)


def _signed(number: int) -> str:
    """What of an email is genuine: not the words above the block, which nobody signed."""
    return "its signed block is genuine" if number == 1 else "its signed blocks are genuine"


def _compared(path: str, found: Sequence[SignedBlock], check: Callable[..., str], by: Known) -> str:
    """What blocks say, compared with all that is given; Refused where one is of another history."""
    says = list[str]()
    for one in found:
        try:
            says.append(check(one, by.chains, by.key))
        except Refused as error:
            raise by.chains.why(path, one, error) from None
    return "; ".join(says) + by.chains.tells(path, *found)


def _hole(unread: "Unread") -> dict[str, Any]:
    """What is not all genuine: something in it could be a block, and cannot be read."""
    hole = {"verdict": "unreadable", "code": "receipt/block", "exit": 1}
    return hole if unread.torn else {}


def _attached(path: Path, name: str, wanted: bytes) -> str:
    """Whether a file that a block names lies beside its report, and is that one."""
    plain = Path(name).name == name and not name.startswith(".")
    data = read_if_there(path.parent / name, LIMIT) if plain else None
    if data is None:
        return f"{name} is not beside it, and was not compared"
    if digest(data) != wanted:
        return f"{name} beside it is NOT the file that came with it"
    return f"{name} beside it is the file that came with it; what it says was not checked"


def _receipts(path: str, found: list[ReceiptBlock], by: Known) -> Said:
    for one in found:
        same_game("receipt", one.game, by.games)
    says = _compared(path, found, check_receipt, by)
    first = found[0].receipt
    facts = {"game": first.game, "nr": first.nr, "seat": first.seat}
    return f"{_signed(len(found))}: {says}", facts
