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
from pbem.chain.loaded_game import decode_public_view
from pbem.chain.referees import keys_in_force
from pbem.crypto.encoding import digest, game_id
from pbem.crypto.signing import key_id
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games
from pbem.disk.system import is_file, is_folder
from pbem.disk.whole import read, read_if_present, read_input
from pbem.errors import BadInput, CannotRead, PbemError, Refused, naming_file
from pbem.formats.tar import refuse_foreign_archive
from pbem.proof.audit.archive import find_manifest_fault, unpack
from pbem.proof.verify.inputs import ChainRegistry, check_block, check_receipt, refuse_other_game
from pbem.proof.verify.verify import Chain, check_chain, describe_previous_round, fault_kind_of, genesis_key
from pbem.report.block import commitments_file_name, require_blocks
from pbem.report.receipt_block import ReceiptBlock, SignedBlock
from pbem.services.prove.inputs import is_archive, list_emails
from pbem.services.session.newest import game_of

if TYPE_CHECKING:
    from pbem.proof.audit.saved_emails import UnreadCounts

ARCHIVE_LIMIT = 64 << 20
LIMIT = 4 * 1024 * 1024
UNSIGNED_ABOVE = "only the block at its foot is signed, not the text above"
#: what is said of a path, and the same as data
Statement = tuple[str, dict[str, Any]]
NO_STATEMENT: Statement = "", {}  #: of an email that has nothing of a game


class VerifyContext(NamedTuple):
    """What a path is held against."""

    key: bytes | None  #: the referee's public key, if it was given
    game: str | None  #: the id of the game, if it was given
    chains: ChainRegistry  #: that were found genuine so far

    @property
    def games(self) -> Collection[str]:
        """What a block may be of."""
        return [self.game] if self.game else self.chains


def verify_archive(path: Path, context: VerifyContext) -> Statement:
    """Refused or BadInput where it is not genuine."""
    contents = unpack(read_input(str(path), ARCHIVE_LIMIT))
    if 0 not in contents.states:
        message = "its first state is missing"
        raise BadInput("archive/changed", message, "get it again from where it came, unchanged")
    chain = check_chain(contents.states, context.key, context.game)
    if chain.last_record is None or (fault := find_manifest_fault(contents, chain.game, chain.last_record)):
        hint = "get it again from where it came; `pbem audit` says more"
        raise Refused("archive/changed", fault, hint)
    remarks = context.chains.add_chain(str(path), chain)
    refuse_unreadable(chain)
    last_number, data = chain.last_record.n, _chain_data(chain)
    text = (
        f"genuine: an archive of game {chain.game}, states 0 to {last_number}, {chain.opening_count} openings, "
        f"signed by key {key_id(chain.key)}, state {last_number} in words: {data['words']}; rules and "
        f"orders are not checked here: pbem audit {path} does that{remarks}"
    )
    return text, data


def refuse_unreadable(chain: Chain) -> None:
    """BadInput ``position/unreadable``: genuine, and yet no position of its game, as far as its
    rules are here.
    """
    for n, record in sorted(chain.records.items()):
        if record.is_dealt:
            try:
                game = game_of(record)
            except (BadInput, Refused):
                return
            with naming_file(f"state {n}", "it is signed all the same; ask its referee how it came"):
                decode_public_view(game, record)


def _chain_data(chain: Chain) -> dict[str, Any]:
    """A whole chain as data."""
    last_number = max(chain.state_hashes)
    return {
        "game": chain.game,
        "first": chain.first_number,
        "last": last_number,
        "openings": chain.opening_count,
        "words": signed_state.state_hash_words(chain.state_hashes[last_number]),
        "rulings": [
            f"{ruling.name} (state {n})" for n, record in sorted(chain.records.items()) for ruling in record.rulings
        ],
    }


def verify_paths(paths: list[Path], key: bytes | None, game: str | None) -> list[dict[str, Any]]:
    """A row for each path, in their order, and for each game in a folder of games; ``exit`` in it
    is its exit code.
    """
    game_paths = [game_path for path in paths for game_path in _games_in(path)]
    context, parts = (
        VerifyContext(key, game, ChainRegistry()),
        [part for path in game_paths for part in _split_path(path)],
    )
    # folders and archives first: the reports given with them are compared with their chains
    is_whole = [_is_game_or_archive(path) for path, _ in parts]
    ordered = sorted(range(len(parts)), key=lambda i: not is_whole[i])
    rows_by_index = {i: _verify_path(*parts[i], context) for i in ordered}
    rows = [
        _add_round(_add_remarks(row, context.chains), context.chains) for _, row in sorted(rows_by_index.items()) if row
    ]
    _add_gaps(rows)
    return rows or [_verify_path(paths[0], None, context)]


def _games_in(path: Path) -> list[Path]:
    """The games in a folder of games, and itself where not all of it can be read; else itself."""
    with suppress(CannotRead):
        if is_folder(path) and not GameFolder(path).is_game():
            games, notes = find_games(path)
            return [*(game.root for game in games), *([path] if notes or not games else [])]
    return [path]


def _is_game_or_archive(path: Path) -> bool:
    with suppress(CannotRead):  # its row says so
        return is_folder(path) or is_archive(path)
    return False


def _split_path(path: Path) -> list[tuple[Path, bytes | None]]:
    """A path; of a mailbox, and of a folder that is no game, each email that it has."""
    with suppress(PbemError):  # which is told of the path itself
        return [*list_emails(path)] or [(path, None)]
    return [(path, None)]


def _add_remarks(row: dict[str, Any], registry: ChainRegistry) -> dict[str, Any]:
    """A verdict, with what the others that were given make of it."""
    path = row["path"]
    if path in registry.refusals and row["verdict"] not in VERDICT_BY_MARK.values():
        return _refused_row(path, registry.refusals[path])
    row["says"] += registry.notes.get(path, "")
    return row | ({"code": "verify/other-key", "exit": 1} if path in registry.doubtful_paths else {})


def _add_gaps(rows: list[dict[str, Any]]) -> None:
    """Between reports of one seat that were given none may be missing unsaid."""
    spans_by_seat: dict[tuple[str, str], list[tuple[int, int, dict[str, Any]]]] = {}
    for row in rows:
        for game, seat, first, last in row.pop("tells", ()):
            spans_by_seat.setdefault((game, seat), []).append((first, last, row))
    for (_, seat), spans in spans_by_seat.items():
        spans.sort(key=lambda span: span[:2])
        last_reported = spans[0][1]
        for first, last, row in spans:
            if first > last_reported + 1:
                gap = f"states {last_reported + 1} to {first - 1}"
                gap = gap if first > last_reported + 2 else f"state {last_reported + 1}"
                row["says"] += f"; no report of {gap} for {seat} was given with it"
            last_reported = max(last_reported, last)


def _verify_path(path: Path, email: bytes | None, context: VerifyContext) -> dict[str, Any]:
    """One path's verdict: genuine, not genuine, or unreadable; nothing of an email that has
    nothing of a game.
    """
    try:
        if email is not None:
            text, data = _verify_email(path, email, context)
        else:
            text, data = _verify_folder(path, context) if is_folder(path) else _verify_file(path, context)
    except Refused as error:
        return _refused_row(str(path), error)
    except PbemError as error:
        return _faulty_row(str(path), "unreadable", error, error.as_line())
    found_row = {"path": str(path), "verdict": "genuine", "exit": 0, **data, "says": text}
    return found_row if text else {}


#: how it is said that a path is no part of a game, and the verdict; lost is by a ruling, no forgery
VERDICT_BY_MARK = {"LOST": "lost", "NOT genuine": "not genuine"}


def _refused_row(path: str, error: Refused) -> dict[str, Any]:
    label = "LOST" if error.code == "verify/lost" else "NOT genuine"
    return _faulty_row(path, VERDICT_BY_MARK[label], error, f"{label}: {error.as_line()}")


def _faulty_row(path: str, verdict: str, error: PbemError, text: str) -> dict[str, Any]:
    data = {"path": path, "verdict": verdict, "code": error.code, "says": text}
    return data | ({"kind": kind} if (kind := fault_kind_of(error)) else {}) | {"exit": error.exit_code}


def _add_round(row: dict[str, Any], registry: ChainRegistry) -> dict[str, Any]:
    """A whole game's verdict, with what is to be said of the round before it."""
    chain = registry.get(row.get("game", ""))
    if "last" not in row or chain is None or chain.last_record is None:
        return row
    if chain.last_record.setup.round == 1 and chain.last_record.setup.previous == "none":
        return row

    try:
        return row | {"says": row["says"] + describe_previous_round(chain, registry)}
    except Refused as error:
        return _refused_row(row["path"], error)


def _verify_folder(path: Path, context: VerifyContext) -> Statement:
    folder = GameFolder(path)
    states = {n: folder.read_state(n) or b"" for n in folder.list_state_numbers()}
    newest_file = folder.read_newest()
    if not states and newest_file is None:
        message = (*find_games(path)[1], f"there is no game in {path}")[0]
        raise BadInput("game/none", message, "name a game's folder, a state file or a report")
    if not states:
        context = context._replace(key=context.key or _own_public_key())
        text, data = _verify_state(path / "game.toml", newest_file or b"", context)
        if context.key:
            text += context.chains.add_chain(
                str(path), check_chain({data["n"]: newest_file or b""}, context.key, context.game)
            )
        return text, data
    chain = check_chain(states, context.key or (None if 0 in states else _own_public_key()), context.game)
    last_number = max(states)
    if newest_file is not None and newest_file not in states.values():
        hint = "put the real one back; the referee's next command writes it too"
        raise Refused("verify/newest", f"game.toml is not state {last_number}", hint)
    remarks = context.chains.add_chain(str(path), chain)
    refuse_unreadable(chain)
    data = _chain_data(chain)
    statement = (
        f"genuine: game {chain.game}, states {chain.first_number} to {last_number}, {chain.opening_count} "
        f"opening{'s' * (chain.opening_count != 1)}, signed by key {key_id(chain.key)}, "
        f"state {last_number} in words: {data['words']}"
    )
    if data["rulings"]:
        statement += f"; rulings of the referee: {', '.join(data['rulings'])}"
    if newest_file is not None and newest_file != states[last_number]:
        statement += f"; {folder.describe_unfinished()}"
    if not chain.from_genesis:
        statement += f"; states before {chain.first_number} are missing and were not checked"
    return statement + remarks, data


def _own_public_key() -> bytes | None:
    """This machine's referee key, if there is one: it vouches for his own games."""
    from pbem.services.session.keys import open_home, own_public_key

    try:
        return own_public_key(open_home())
    except (BadInput, Refused):
        return None


def _verify_file(path: Path, context: VerifyContext) -> Statement:
    if is_archive(path):
        return verify_archive(path, context)
    data = read_input(str(path), LIMIT)
    refuse_foreign_archive(data)
    if data.startswith(b"pbem = "):
        return _verify_state(path, data, context)
    return _verify_blocks(str(path), data, context)


def _verify_state(path: Path, raw: bytes, context: VerifyContext) -> Statement:
    """A single state: by the key given, by the genesis near it, by our own key."""
    genesis = _read_nearby_genesis(path)
    signer_key = context.key or (genesis_key(genesis) if genesis else None) or _own_public_key()
    if signer_key is None:
        signer_key = genesis_key(raw) if b"\nn = 0\n" in raw[:40] else None
    if signer_key is None:
        message = "it is not known here who may sign this state"
        raise BadInput("verify/no-key", message, "add --key, or put states/0000.toml beside it")
    if genesis and not context.key:  # by the referees it names after the first one
        referees = signed_state.read_succession(
            raw, signed_state.read_self_signed_record(genesis).referees[0], game_id(genesis)
        )
        signer_key = keys_in_force(referees, signed_state.claimed_state_number(raw)).acting
    record = signed_state.read_verified_record(raw, signer_key)
    chain = check_chain({record.n: raw}, signer_key, context.game)
    if context.game is not None and chain.game != context.game:
        message = f"this is a state of game {chain.game}, not of {context.game}"
        raise Refused("verify/other-game", message, "is it the right file?")
    if genesis is not None and record.n and record.game != check_chain({0: genesis}, None, None).game:
        message = "it is not of the game whose states/0000.toml is beside it"
        raise Refused("verify/other-game", message, "is it the right file?")
    context.chains.add_state(str(path), chain)
    refuse_unreadable(chain)
    text = (
        f"genuine: state {record.n} of game {chain.game}, signed by key {key_id(signer_key)}; "
        "the states before it were not checked"
    )
    return text, {"game": chain.game, "n": record.n}


def _read_nearby_genesis(path: Path) -> bytes | None:
    for place in (path.parent / "0000.toml", path.parent / "states" / "0000.toml"):
        if is_file(place) and place != path:
            return read(place, LIMIT)
    return None


def _verify_email(path: Path, email: bytes, context: VerifyContext) -> Statement:
    """An email of many, or a file of a folder; nothing of what is of no game that is given."""
    if email.startswith(b"pbem = "):
        return _verify_state(path, email, context) if email.startswith(b"pbem = 1\nn = ") else NO_STATEMENT
    try:
        return _verify_blocks(str(path), email, context, is_inside=True)
    except BadInput as error:
        if b"pbem" in email or error.code.endswith("/block"):
            raise
        return NO_STATEMENT


def _verify_blocks(path: str, data: bytes, context: VerifyContext, is_inside: bool = False) -> Statement:
    from pbem.services.prove.saved_emails import read_signed_blocks

    blocks, receipts, unread = read_signed_blocks(data)
    if is_inside and context.games:
        blocks = [block for block in blocks if block.game in context.games]
        receipts = [block for block in receipts if block.game in context.games]
    if is_inside and not blocks and not receipts:
        bare_data = {"verdict": "not compared", "code": "report/none"}
        return ("it has no signed block: nothing was compared", bare_data) if unread.without_block else NO_STATEMENT
    if not blocks and not receipts:
        require_blocks("")
    note = (
        f"{UNSIGNED_ABOVE}; in it there are also {unread_text}"
        if (unread_text := unread.describe())
        else UNSIGNED_ABOVE
    )
    if not blocks:
        text, facts = _verify_receipts(path, receipts, context)
        return f"{text}; {note}", facts | _unreadable_data(unread)
    for block in blocks:
        refuse_other_game("report", block.game, context.games)
    text = _compare_blocks(path, blocks, check_block, context)
    text += f"; {_verify_receipts(path, receipts, context)[0]}" if receipts else ""
    # the file of the commitments was compared with the states: it need not be there
    files = [file for block in blocks for file in block.files if file[0] != commitments_file_name(block.seat)]
    text += "".join(f"; {_compare_attachment(Path(path), *file)}" for file in files)
    text += f"; {note}"
    spans = [(block.game, block.seat, block.first_n, block.n) for block in blocks]
    summary = {"game": blocks[0].game, "n": blocks[0].n, "seat": blocks[0].seat}
    return f"{_genuine_text(len(blocks))}: {text}", {**summary, "tells": spans} | _unreadable_data(unread)


def _genuine_text(number: int) -> str:
    """What of an email is genuine: not the words above the block, which nobody signed."""
    return "its signed block is genuine" if number == 1 else "its signed blocks are genuine"


def _compare_blocks(path: str, blocks: Sequence[SignedBlock], check: Callable[..., str], context: VerifyContext) -> str:
    """What blocks say, compared with all that is given; Refused where one is of another history."""
    texts = list[str]()
    for block in blocks:
        try:
            texts.append(check(block, context.chains, context.key))
        except Refused as error:
            raise context.chains.explain_refusal(path, block, error) from None
    return "; ".join(texts) + context.chains.add_blocks(path, *blocks)


def _unreadable_data(unread: "UnreadCounts") -> dict[str, Any]:
    """What is not all genuine: something in it could be a block, and cannot be read."""
    data = {"verdict": "unreadable", "code": "receipt/block", "exit": 1}
    return data if unread.possible_blocks else {}


def _compare_attachment(path: Path, name: str, expected: bytes) -> str:
    """Whether a file that a block names lies beside its report, and is that one."""
    is_plain_name = Path(name).name == name and not name.startswith(".")
    data = read_if_present(path.parent / name, LIMIT) if is_plain_name else None
    if data is None:
        return f"{name} is not beside it, and was not compared"
    if digest(data) != expected:
        return f"{name} beside it is NOT the file that came with it"
    return f"{name} beside it is the file that came with it; what it says was not checked"


def _verify_receipts(path: str, blocks: list[ReceiptBlock], context: VerifyContext) -> Statement:
    for block in blocks:
        refuse_other_game("receipt", block.game, context.games)
    text = _compare_blocks(path, blocks, check_receipt, context)
    first_receipt = blocks[0].receipt
    facts = {"game": first_receipt.game, "nr": first_receipt.orders_number, "seat": first_receipt.seat}
    return f"{_genuine_text(len(blocks))}: {text}", facts
