"""``pbem audit``: audits games and archives, and compares them with the others given with them.

An audit plays a game again from its signed states, and checks all that was hidden once the secret is
published. Two files of one game diverge if they have different states of the same number.
Not allowed here: the inputs (inputs.py); what makes a game honest (proof/audit).
Laws: an audit needs no referee, key or private folder. The same states, secret and versions give the
same texts, byte for byte, so that an audit can compare them.
Source: docs/SPECIFICATION.md section 12; decision 0010.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pbem import __version__, catalog
from pbem.chain.referees import RefereeKeys
from pbem.chain.sources import BY_BOT
from pbem.chain.state_record import StateRecord
from pbem.disk.folder import SECRET_FILE, GameFolder
from pbem.disk.system import is_folder
from pbem.disk.whole import read, read_if_present
from pbem.engine.rulebook import find_paragraph
from pbem.errors import BadInput, PbemError, Refused
from pbem.proof.audit import archive
from pbem.proof.audit.archive import Archive, ArchiveTexts
from pbem.proof.audit.audit import CONTRADICTED, Audit, TrustAnchors, audit
from pbem.proof.audit.findings import Replay, SignedState
from pbem.proof.audit.reports import audit_reports
from pbem.proof.audit.saved_emails import SavedEmail
from pbem.proof.audit.transcript import Values, find_unreadable, heading_values, transcript_values
from pbem.proof.verify.histories import History, StateFingerprint, find_divergence, history_of
from pbem.report.render import render
from pbem.services.prove.inputs import LIMIT, AuditInput, SavedEmails
from pbem.services.prove.workers import on_cluster, on_every_core
from pbem.services.session.desk import read_pending_before
from pbem.services.session.newest import game_of

if TYPE_CHECKING:
    from pbem.bots.player import ChooseOrder
    from pbem.engine.game import Game


def audit_archive(contents: Archive, anchors: TrustAnchors, saved_emails: Sequence[SavedEmail] = ()) -> Audit:
    """Audit one game with the rules and bots that are installed, and compare ``saved_emails`` with it."""
    return audit(contents, load_rules, anchors, make_texts, load_pieces, saved_emails, find_bot)


def find_bot(source: str) -> "ChooseOrder | None":
    """Return the bot that an order's source names, or None if that version of it is not installed."""
    from pbem.bots.player import STRATEGIES  # few games ever have one
    from pbem.play.resolution import BOT_NAME

    is_this_version = source == f"{BY_BOT.name}:{BOT_NAME}:{__version__}"
    return STRATEGIES[BOT_NAME] if is_this_version else None


def read_contents(folder: GameFolder) -> Archive:
    """Return the contents of a game's folder, or of an archive that was unpacked into a folder.

    Only a game's folder has a `desk`, with the secret and the pending orders.
    """
    states = {n: folder.read_state(n) or b"" for n in folder.list_state_numbers()}
    secret_data = read_if_present(folder.root / "secret", 1024)
    text_by_name = {name: read_if_present(folder.root / name, LIMIT) for name in archive.FOR_PEOPLE}
    manifest = read_if_present(folder.root / archive.MANIFEST, LIMIT)
    has_transcript = text_by_name[archive.TRANSCRIPT] is not None
    texts = {name: text for name, text in text_by_name.items() if has_transcript and text is not None}
    is_incomplete = has_transcript != (manifest is not None)
    pending_data = read_if_present(folder.root / archive.PENDING, LIMIT)
    pending_values = archive.read_pending(pending_data) if pending_data is not None else None
    if secret_data is None and manifest is None and is_folder(folder.root / "desk"):
        secret_data, pending_values = folder.read_desk_file(SECRET_FILE), read_all_pending(folder)
    secret = archive.secret_of(secret_data) if secret_data is not None else b""
    archive_texts = ArchiveTexts(archive.writer_of(manifest or b""), texts)
    return Archive(states, secret, archive_texts, manifest or b"", pending_values, is_incomplete)


def read_all_pending(folder: GameFolder) -> dict[int, dict[str, str]]:
    """Return the pending orders before each state, by state and seat, as far as `desk` still has them."""
    values_by_state = {n: read_pending_before(folder, n) for n in folder.list_state_numbers()}
    return {n: values for n, values in values_by_state.items() if values is not None}


_PACKAGE = Path(__file__).parents[2]
#: where the specification is in an installed pbem, and in a checkout
_SPECIFICATIONS = (_PACKAGE / archive.SPECIFICATION, _PACKAGE.parent / "docs" / archive.SPECIFICATION)


def load_rules(record: StateRecord) -> tuple["Game", str]:
    """Return the installed rules of a game, and their version. Raises PbemError if they are not installed."""
    return game_of(record), catalog.distribution(record.setup.kind)[1]


def load_pieces(record: StateRecord) -> "Game | None":
    """Return the installed game of that name, in any version, or None if there is none."""
    try:
        return catalog.load(record.setup.kind)
    except (BadInput, Refused):
        return None


def make_texts(replay: Replay | None, states: Mapping[int, SignedState]) -> ArchiveTexts:
    """Return the texts of an archive for people. They show what was hidden, unless ``replay`` is None."""
    game = load_rules(states[max(states)].record)[0]
    values = {**heading_values(game, states), "open": replay is not None}
    specification = next(path for path in _SPECIFICATIONS if path.is_file())
    files = {
        archive.README: render("archive_readme.txt", **values).encode(),
        archive.RULES: catalog.read_rules(game.kind).encode(),
        archive.SPECIFICATION: read(specification, 1 << 20),
        archive.TRANSCRIPT: make_transcript(replay, states),
    }
    # a plug-in has sentences of its own, so its version is named too
    name, version = catalog.distribution(game.kind)
    writer = f"pbem {__version__}"
    return ArchiveTexts(writer if name == "pbem" else f"{writer}, {name} {version}", files)


def make_transcript(replay: Replay | None, states: Mapping[int, SignedState]) -> bytes:
    """Return the transcript of a game. Raises PbemError if its game has no words for something in a state."""
    game = load_rules(states[max(states)].record)[0]
    rulebook, folders = catalog.read_rules(game.kind), catalog.template_folders(game.kind)
    values = transcript_values(game, replay, states, lambda number: find_paragraph(rulebook, number) or "")

    def make(values: Values) -> str:
        return render("transcript.txt", *folders, **values)

    try:
        return make(values).encode()
    except PbemError as error:
        raise find_unreadable(values, make) or error from None


FEW_GAMES = 3  #: up to this number, games are audited in this process: starting others would take longer


class ExaminedGame(NamedTuple):
    """The result of a job on one game, without anything large, because it may come from another machine."""

    path: Path
    result: Audit | PbemError  #: without states and replay
    history: History = History({})
    refusals: dict[str, PbemError] = {}  # noqa: RUF012 - by path, emails that could not be compared, and why


class AuditResult(NamedTuple):
    """The audit of one game, or why it cannot be read."""

    path: Path
    result: Audit | PbemError
    divergence_verdict: str = ""  #: "" unless another file has other states of the same game
    divergence_reason: str = ""
    is_repeated: bool = False  #: the path had a result before; only the divergence is new


def audit_all(
    inputs: Iterable[AuditInput],
    anchors: TrustAnchors,
    saved_emails: SavedEmails = MappingProxyType({}),
    in_parallel: bool = False,
    cluster: str = "",
) -> Iterator[AuditResult]:
    """Audit all games in turn, then list the saved emails that could not be compared with any of them.

    However many games there are, only their paths and state hashes stay in memory. ``in_parallel``:
    on every core. ``cluster``: the address of a Dask cluster, "" for none.
    """
    parsed_emails = tuple(email for email in saved_emails.values() if isinstance(email, SavedEmail))
    job = partial(examine, anchors, parsed_emails)
    if cluster:
        examined_games = on_cluster(cluster, job, inputs, _input_size)
    else:
        examined_games = on_every_core(job, inputs) if in_parallel else map(job, inputs)
    histories: Histories = {}
    refusals = dict[str, PbemError]()
    for game in examined_games:
        refusals |= game.refusals
        yield from _compare_histories(game, histories)
    yield from _list_uncompared(saved_emails, refusals, histories.keys())


def _input_size(audit_input: AuditInput) -> int:
    return len(audit_input.data) if isinstance(audit_input.data, bytes) else 0


def _list_uncompared(
    saved_emails: SavedEmails, refusals: Mapping[str, PbemError], games: Collection[str]
) -> Iterator[AuditResult]:
    """Yield the saved emails that could not be compared with the audited ``games``, or not completely."""
    has_any_block = any(isinstance(email, SavedEmail) and email.blocks for email in saved_emails.values())
    for path, email in saved_emails.items():
        if isinstance(email, PbemError):
            yield AuditResult(path, email)
            continue
        if str(path) in refusals:
            yield AuditResult(path, refusals[str(path)])
            continue
        is_of_other_games = bool(email.blocks) and all(block.game not in games for block in email.blocks)
        if is_of_other_games or not games:
            if email.was_named or not games:
                yield AuditResult(path, _no_game_error(path))
            continue
        may_lack_block = not email.blocks and not (email.unread.automatic and has_any_block)
        if email.unread.possibly_missing or may_lack_block:
            yield AuditResult(path, _uncompared_refusal(email))


def examine(anchors: TrustAnchors, saved_emails: Sequence[SavedEmail], audit_input: AuditInput) -> ExaminedGame:
    """Audit one game. The result depends only on the arguments and this version of pbem."""
    path, data = audit_input
    try:
        if isinstance(data, PbemError):
            raise data
        contents = _read_archive(path, data)
        result = audit_archive(contents, anchors, saved_emails)
    except PbemError as error:
        return ExaminedGame(path, error)
    item, refusals = audit_reports(contents.states, result.game, result.replay, saved_emails)
    result = result._replace(items=(*result.items, item)) if item else result
    contradicted_items = {item.name for item in result.items if item.verdict == CONTRADICTED}
    # other files are compared only with states whose signatures and order are sound
    sound_states = {} if contradicted_items & {"states", "referees", "chain"} else result.states
    state_hashes = {n: state.state_hash for n, state in sound_states.items()}
    history = history_of({n: state.record for n, state in sound_states.items()}, state_hashes)
    return ExaminedGame(path, result._replace(last_record=None, replay=None, states={}), history, refusals)


def _no_game_error(path: Path) -> BadInput:
    hint = f"name the game's archive or folder too: `pbem audit GAME {path}`"
    return BadInput("audit/report", "this is an email or a report, not an archive", hint)


def _uncompared_refusal(email: SavedEmail) -> Refused:
    """Return the error for an email that was not compared with its game, or not completely."""
    message = f"not all of it could be compared: {email.unread.describe()}"
    if not email.blocks:
        message = "it has no signed block, so nothing was compared"
    hint = "an invitation has none; if the report is an attached file, save that, and name it here"
    return Refused("audit/no-block", message, hint)


def _read_archive(path: Path, data: bytes | None) -> Archive:
    """Unpack the bytes of an archive, or read a folder if ``data`` is None."""
    if data is None:
        return read_contents(GameFolder(path))
    return archive.unpack(data)


class PackedHistory(NamedTuple):
    """A history in little memory, as ``_pack_states`` writes it."""

    states: bytes
    referees: tuple[RefereeKeys, ...]


#: by game, each different history, and the first path that has it
Histories = dict[str, dict[PackedHistory, Path]]


def _compare_histories(game: ExaminedGame, histories: Histories) -> Iterator[AuditResult]:
    """Yield the result of a game and of each earlier file with other states of it. Adds it to ``histories``."""
    result, history = game.result, game.history
    if isinstance(result, PbemError):
        yield AuditResult(game.path, result)
        return
    known_histories = histories.setdefault(result.game, {})
    own_result = AuditResult(game.path, result)
    other_results = list[AuditResult]()
    for packed, path in known_histories.items():
        other_history = History(_unpack_states(packed.states), packed.referees)
        compared_result = _with_divergence(AuditResult(game.path, result), path, other_history, history)
        own_result = max(own_result, compared_result, key=_divergence_rank)
        other_result = _with_divergence(AuditResult(path, result, is_repeated=True), game.path, history, other_history)
        if other_result.divergence_verdict:
            other_results.append(other_result)
    known_histories.setdefault(PackedHistory(_pack_states(history.states), history.referees), game.path)
    yield own_result
    yield from other_results


def _divergence_rank(result: AuditResult) -> tuple[str, str]:
    """Return a key that sorts "not checked" above "contradicted", and both above no divergence."""
    return result.divergence_verdict, result.divergence_reason


def _with_divergence(result: AuditResult, other_path: Path, other_history: History, history: History) -> AuditResult:
    """Return the result of ``history`` with its divergence from another one, unless it stays genuine in spite of it."""
    divergence = find_divergence(other_history, history)
    if divergence is None or divergence.is_genuine:
        return result
    verdict = "not checked" if divergence.is_by_ruling else CONTRADICTED
    reason = f"{divergence.describe(str(other_path))} ({divergence.hint})"
    return result._replace(divergence_verdict=verdict, divergence_reason=reason)


def _pack_states(states: Mapping[int, StateFingerprint]) -> bytes:
    """Write each state in 67 bytes: its number, its hash, and zeros or the hash of a state that was restored."""
    rows = (
        n.to_bytes(3, "big") + fingerprint.state_hash + (fingerprint.restore_hash or bytes(32))
        for n, fingerprint in states.items()
    )
    return b"".join(rows)


def _unpack_states(data: bytes) -> dict[int, StateFingerprint]:
    rows = (data[offset : offset + 67] for offset in range(0, len(data), 67))
    states = dict[int, StateFingerprint]()
    for row in rows:
        restore_hash = b"" if row[35:] == bytes(32) else row[35:]
        states[int.from_bytes(row[:3], "big")] = StateFingerprint(row[3:35], restore_hash)
    return states
