"""``pbem verify``: checks whether folders, archives, single states, reports and receipts are genuine.

The signed states of a game form a chain. Reports and receipts end with a signed block, which is compared
with the chain of its game and with all other blocks.
Not allowed here: what makes a chain or a block genuine (proof/verify); the rules of a game.
Law: anyone who knows the game's id or the referee's public key notices any change, without a secret.
Source: docs/SPECIFICATION.md section 12; docs/json.schema.json.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

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
from pbem.proof.verify.verify import Chain, check_chain, describe_previous_round, genesis_key
from pbem.report.block import Block, commitments_file_name, require_blocks
from pbem.report.receipt_block import ReceiptBlock, SignedBlock
from pbem.services.prove import verdicts
from pbem.services.prove.inputs import is_archive, list_emails
from pbem.services.prove.verdicts import ChainFacts, ReceiptFacts, ReportedSpan, ReportFacts, StateFacts, Verdict
from pbem.services.session.newest import game_of

if TYPE_CHECKING:
    from pbem.services.prove.saved_emails import SignedBlocks

ARCHIVE_LIMIT = 64 << 20
LIMIT = 4 * 1024 * 1024


class VerifyContext(NamedTuple):
    """What a path is compared with."""

    key: bytes | None  #: the referee's public key, if the user knows it
    game: str | None  #: the id of the game, if the user knows it
    chains: ChainRegistry  #: the chains verified so far, and what is known of other files

    @property
    def games(self) -> Collection[str]:
        """The ids of the games that a block may belong to. If empty, it may belong to any."""
        return [self.game] if self.game else self.chains


def verify_paths(paths: list[Path], key: bytes | None, game: str | None) -> list[Verdict]:
    """Return the verdicts on paths, in their order. A folder of games or of emails has a verdict for each.

    ``key`` and ``game``: the referee's public key and the game's id, if the user knows them.
    """
    context = VerifyContext(key, game, ChainRegistry())
    game_paths = [game_path for path in paths for game_path in _games_in(path)]
    parts = [part for path in game_paths for part in _split_path(path)]
    # folders and archives first, because reports are compared with their chains
    has_chain = [_is_game_or_archive(part.path) for part in parts]
    chains_first = sorted(range(len(parts)), key=lambda i: not has_chain[i])
    verdict_by_index = {i: _verify_part(parts[i], context) for i in chains_first}
    rows = [_with_remarks(verdict, context.chains) for _, verdict in sorted(verdict_by_index.items()) if verdict]
    if not rows:  # no email belongs to a game: say so about the first path
        first_verdict = _verify_part(InputPart(paths[0]), context)
        return [first_verdict] if first_verdict else []
    return verdicts.with_missing_reports(rows)


class InputPart(NamedTuple):
    """A path, or one email of a mailbox or folder with its bytes."""

    path: Path
    email: bytes | None = None  #: None for a path that is not an email


def _games_in(path: Path) -> list[Path]:
    """Return the games in a folder, and the folder too if some of it cannot be read. Return any other path alone."""
    with suppress(CannotRead):  # the verdict on the path says so
        if is_folder(path) and not GameFolder(path).is_game():
            games, notes = find_games(path)
            game_paths = [game.root for game in games]
            return [*game_paths, path] if notes or not games else game_paths
    return [path]


def _is_game_or_archive(path: Path) -> bool:
    with suppress(CannotRead):  # the verdict on the path says so
        return is_folder(path) or is_archive(path)
    return False


def _split_path(path: Path) -> list[InputPart]:
    """Return the emails of a mailbox, or of a folder that is not a game, or else the path itself."""
    with suppress(PbemError):  # the verdict on the path says why
        return [InputPart(*entry) for entry in list_emails(path)] or [InputPart(path)]
    return [InputPart(path)]


def _with_remarks(verdict: Verdict, registry: ChainRegistry) -> Verdict:
    """Return a verdict with what the other given files show about it."""
    if verdict.path in registry.refusals and verdict.verdict not in (verdicts.LOST, verdicts.NOT_GENUINE):
        return verdicts.refused(verdict.path, registry.refusals[verdict.path])
    verdict = verdict.plus(registry.notes.get(verdict.path, ""))
    if verdict.path in registry.doubtful_paths:
        verdict = verdict._replace(is_by_another_key=True, exit_code=1)
    return _with_previous_round(verdict, registry)


def _with_previous_round(verdict: Verdict, registry: ChainRegistry) -> Verdict:
    """Return the verdict on a game with what is known of its previous round, which was cancelled before the deal."""
    chain = registry.get(verdict.facts.game) if isinstance(verdict.facts, ChainFacts) else None
    if chain is None:
        return verdict
    try:
        return verdict.plus(describe_previous_round(chain, registry))
    except Refused as error:
        return verdicts.refused(verdict.path, error)


def _verify_part(part: InputPart, context: VerifyContext) -> Verdict | None:
    """Return the verdict on one path or email, or None for an email that belongs to no game."""
    path, email = part
    try:
        if email is not None:
            return _verify_email(path, email, context)
        return _verify_folder(path, context) if is_folder(path) else _verify_file(path, context)
    except Refused as error:
        return verdicts.refused(str(path), error)
    except PbemError as error:
        return verdicts.unreadable(str(path), error)


def verify_archive(path: Path, context: VerifyContext) -> Verdict:
    """Return the verdict on a genuine archive. Raises Refused or BadInput if it is not genuine."""
    contents = unpack(read_input(str(path), ARCHIVE_LIMIT))
    if 0 not in contents.states:
        message = "its first state is missing"
        raise BadInput("archive/changed", message, "get it again from where it came, unchanged")
    chain = check_chain(contents.states, context.key, context.game)
    last_record = chain.records[max(chain.records)]
    if fault := find_manifest_fault(contents, chain.game, last_record):
        hint = "get it again from where it came; `pbem audit` says more"
        raise Refused("archive/changed", fault, hint)
    remarks = context.chains.add_chain(str(path), chain)
    refuse_unreadable(chain)
    facts = _chain_facts(chain)
    text = verdicts.GENUINE_ARCHIVE.format(**facts._asdict(), key=key_id(chain.key), path=path)
    return _genuine(path, text + remarks, facts)


def _genuine(path: Path, text: str, facts: ChainFacts | StateFacts) -> Verdict:
    return Verdict(str(path), "genuine", text, facts)


def refuse_unreadable(chain: Chain) -> None:
    """Raise BadInput ``position/unreadable`` if a genuine state is not a possible position of its game.

    If the rules of the game are not installed, nothing is checked.
    """
    for n, record in sorted(chain.records.items()):
        if not record.is_dealt:
            continue
        try:
            game = game_of(record)
        except (BadInput, Refused):
            return
        with naming_file(f"state {n}", "it is signed all the same; ask its referee how it came"):
            decode_public_view(game, record)


def _chain_facts(chain: Chain) -> ChainFacts:
    last_number = max(chain.state_hashes)
    return ChainFacts(
        chain.game,
        chain.first_number,
        last_number,
        chain.opening_count,
        signed_state.state_hash_words(chain.state_hashes[last_number]),
        [f"{ruling.name} (state {n})" for n, record in sorted(chain.records.items()) for ruling in record.rulings],
    )


def _verify_folder(path: Path, context: VerifyContext) -> Verdict:
    """Return the verdict on a game's folder. Raises Refused or BadInput if it is not genuine."""
    folder = GameFolder(path)
    states = {n: folder.read_state(n) or b"" for n in folder.list_state_numbers()}
    newest_file = folder.read_newest()
    if not states:
        return _verify_newest_file(path, newest_file, context)
    chain = check_chain(states, context.key or (None if 0 in states else _own_public_key()), context.game)
    last_number = max(states)
    if newest_file is not None and newest_file not in states.values():
        hint = "put the real one back; the referee's next command writes it too"
        raise Refused("verify/newest", f"game.toml is not state {last_number}", hint)
    remarks = context.chains.add_chain(str(path), chain)
    refuse_unreadable(chain)
    facts = _chain_facts(chain)
    sentence = verdicts.GENUINE_GAME_ONE_OPENING if facts.openings == 1 else verdicts.GENUINE_GAME
    text = sentence.format(**facts._asdict(), key=key_id(chain.key))
    if facts.rulings:
        text += verdicts.RULINGS.format(rulings=", ".join(facts.rulings))
    if newest_file is not None and newest_file != states[last_number]:
        text += f"; {folder.describe_unfinished()}"
    if not chain.from_genesis:
        text += verdicts.STATES_MISSING.format(first=chain.first_number)
    return _genuine(path, text + remarks, facts)


def _verify_newest_file(path: Path, newest_file: bytes | None, context: VerifyContext) -> Verdict:
    """Return the verdict on a folder without old states. Its game.toml may be all that was copied."""
    if newest_file is None:
        _, notes = find_games(path)
        message = notes[0] if notes else f"there is no game in {path}"
        raise BadInput("game/none", message, "name a game's folder, a state file or a report")
    key = context.key or _own_public_key()
    verdict = _verify_state(path / "game.toml", newest_file, context._replace(key=key))._replace(path=str(path))
    if key and isinstance(verdict.facts, StateFacts):
        chain = check_chain({verdict.facts.n: newest_file}, key, context.game)
        verdict = verdict.plus(context.chains.add_chain(str(path), chain))
    return verdict


def _own_public_key() -> bytes | None:
    """Return this machine's public referee key, or None if it has none. It vouches for the referee's own games."""
    from pbem.services.session.keys import open_home, own_public_key

    try:
        return own_public_key(open_home())
    except (BadInput, Refused):
        return None


def _verify_file(path: Path, context: VerifyContext) -> Verdict:
    """Return the verdict on an archive, a state, or a file with reports or receipts."""
    if is_archive(path):
        return verify_archive(path, context)
    data = read_input(str(path), LIMIT)
    refuse_foreign_archive(data)
    if data.startswith(b"pbem = "):
        return _verify_state(path, data, context)
    return _verify_blocks(path, _read_blocks(data), context)


def _verify_state(path: Path, raw: bytes, context: VerifyContext) -> Verdict:
    """Return the verdict on a single state, by the given key, the genesis (state 0) near it, or this machine's key."""
    genesis = _read_nearby_genesis(path)
    signer_key = context.key or (genesis_key(genesis) if genesis else None) or _own_public_key()
    if signer_key is None and b"\nn = 0\n" in raw[:40]:
        signer_key = genesis_key(raw)
    if signer_key is None:
        message = "this machine does not know who may sign this state"
        raise BadInput("verify/no-key", message, "add --key, or put states/0000.toml beside it")
    if genesis and not context.key:  # the genesis names the first referee; a later one may have signed this state
        first_referee = signed_state.read_self_signed_record(genesis).referees[0]
        referees = signed_state.read_succession(raw, first_referee, game_id(genesis))
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
    text = verdicts.GENUINE_STATE.format(n=record.n, game=chain.game, key=key_id(signer_key))
    return _genuine(path, text, StateFacts(chain.game, record.n))


def _read_nearby_genesis(path: Path) -> bytes | None:
    """Return the genesis of a game, if it is in the folder of one of its states or beside it."""
    for place in (path.parent / "0000.toml", path.parent / "states" / "0000.toml"):
        if is_file(place) and place != path:
            return read(place, LIMIT)
    return None


def _verify_email(path: Path, email: bytes, context: VerifyContext) -> Verdict | None:
    """Return the verdict on an email of a mailbox, or a file in a folder, or None if it belongs to no game here."""
    if email.startswith(b"pbem = "):
        return _verify_state(path, email, context) if email.startswith(b"pbem = 1\nn = ") else None
    try:
        signed_blocks = _read_blocks(email)
        if context.games:
            signed_blocks = signed_blocks.of_games(context.games)
        if not signed_blocks.blocks and not signed_blocks.receipts:
            lacks_block = signed_blocks.unread.without_block
            code = "report/none"
            return Verdict(str(path), "not compared", verdicts.NO_BLOCK, code=code) if lacks_block else None
        return _verify_blocks(path, signed_blocks, context)
    except BadInput as error:
        if b"pbem" in email or error.code.endswith("/block"):
            raise
        return None


def _read_blocks(data: bytes) -> "SignedBlocks":
    from pbem.services.prove.saved_emails import read_signed_blocks

    return read_signed_blocks(data)


def _verify_blocks(path: Path, signed_blocks: "SignedBlocks", context: VerifyContext) -> Verdict:
    """Return the verdict on the reports and receipts in a file. Raises BadInput if it has none."""
    blocks, receipts, unread = signed_blocks
    if not blocks and not receipts:
        require_blocks("")  # raises the error for a file without blocks
    note = verdicts.UNSIGNED_ABOVE
    if parts := unread.describe():
        note += verdicts.UNREAD_PARTS.format(parts=parts)
    if blocks:
        for block in blocks:
            refuse_other_game("report", block.game, context.games)
        text = _compare_blocks(path, blocks, check_block, context)
        text += f"; {_compare_receipts(path, receipts, context)}" if receipts else ""
        text = _genuine_text(len(blocks), text + _compare_attachments(path, blocks))
        facts: ReportFacts | ReceiptFacts = ReportFacts(blocks[0].game, blocks[0].n, blocks[0].seat)
    else:
        text = _compare_receipts(path, receipts, context)
        receipt = receipts[0].receipt
        facts = ReceiptFacts(receipt.game, receipt.orders_number, receipt.seat)
    spans = tuple(ReportedSpan(block.game, block.seat, block.first_n, block.n) for block in blocks)
    verdict = Verdict(str(path), "genuine", text + note, facts, spans=spans)
    if unread.possible_blocks:  # an unread part may be a block that says otherwise
        return verdict._replace(verdict=verdicts.UNREADABLE, code="receipt/block", exit_code=1)
    return verdict


def _genuine_text(number: int, text: str) -> str:
    return (verdicts.GENUINE_BLOCK if number == 1 else verdicts.GENUINE_BLOCKS).format(text=text)


def _compare_blocks(
    path: Path, blocks: Sequence[SignedBlock], check: Callable[..., str], context: VerifyContext
) -> str:
    """Compare blocks with everything given. Return what they say. Raises Refused if one is of another history."""
    texts = list[str]()
    for block in blocks:
        try:
            texts.append(check(block, context.chains, context.key))
        except Refused as error:
            raise context.chains.explain_refusal(str(path), block, error) from None
    return "; ".join(texts) + context.chains.add_blocks(str(path), *blocks)


def _compare_receipts(path: Path, blocks: Sequence[ReceiptBlock], context: VerifyContext) -> str:
    for block in blocks:
        refuse_other_game("receipt", block.game, context.games)
    return _genuine_text(len(blocks), _compare_blocks(path, blocks, check_receipt, context))


def _compare_attachments(path: Path, blocks: Sequence[Block]) -> str:
    """Say for each file that came with a report whether it is beside the report, and unchanged."""
    # the file of commitments is not needed: they were compared with the states
    files = [file for block in blocks for file in block.files if file[0] != commitments_file_name(block.seat)]
    return "".join(_compare_attachment(path.parent, name, expected) for name, expected in files)


def _compare_attachment(folder: Path, name: str, expected: bytes) -> str:
    # a signed name could lead to another folder
    is_plain_name = Path(name).name == name and not name.startswith(".")
    data = read_if_present(folder / name, LIMIT) if is_plain_name else None
    if data is None:
        return verdicts.FILE_MISSING.format(name=name)
    return (verdicts.FILE_SAME if digest(data) == expected else verdicts.FILE_DIFFERS).format(name=name)
