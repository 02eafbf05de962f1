"""``pbem audit``: games gone through again, each by itself, and against the others given with it.

What lives here: reading a folder, the audit of each with all that an archive holds for people
(``words_of``), whether two files have one history. What must never be here: what was given
(inputs.py); what makes a game honest, the values of a transcript (proof/audit); what is said of
it.
Laws: it needs no referee, no key and no desk: one that is there is the referee's own; the same
states, secret and versions give the same bytes, so that an audit can compare them.
Source: docs/SPECIFICATION.md section 12; decision 0010.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

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
    """The audit of one game; ``saved_emails``: what was given besides."""
    return audit(contents, load_rules, anchors, make_texts, load_pieces, saved_emails, find_bot)


def find_bot(source: str) -> "ChooseOrder | None":
    """The bot that an order's source names, where it is here in that version."""
    from pbem.bots.player import STRATEGIES  # few games ever have one
    from pbem.play.bot_draws import BOT_NAME

    is_this_version = source == f"{BY_BOT.name}:{BOT_NAME}:{__version__}"
    return STRATEGIES[BOT_NAME] if is_this_version else None


def read_contents(folder: GameFolder) -> Archive:
    """A game's folder, as if it were an archive: states and secret; all of one that was unpacked.

    In an unpacked one nothing is taken from a desk: what its manifest tells of is checked.
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
    secret, manifest_data = (archive.secret_of(secret_data) if secret_data is not None else b"", manifest or b"")
    return Archive(
        states,
        secret,
        ArchiveTexts(archive.writer_of(manifest_data), texts),
        manifest_data,
        pending_values,
        is_incomplete,
    )


def read_all_pending(folder: GameFolder) -> dict[int, dict[str, str]]:
    """What waited before each state, as the desk has it; one that is lost is not there."""
    values_by_state = {n: read_pending_before(folder, n) for n in folder.list_state_numbers()}
    return {n: values for n, values in values_by_state.items() if values is not None}


_PACKAGE = Path(__file__).parents[2]
#: in an installed pbem, and in a checkout
_SPECIFICATIONS = (_PACKAGE / archive.SPECIFICATION, _PACKAGE.parent / "docs" / archive.SPECIFICATION)


def load_rules(record: StateRecord) -> tuple["Game", str]:
    """The rules a game is played by, and the version they come from here."""
    return game_of(record), catalog.distribution(record.setup.kind)[1]


def load_pieces(record: StateRecord) -> "Game | None":
    """The game by its name alone."""
    try:
        return catalog.load(record.setup.kind)
    except (BadInput, Refused):
        return None


def make_texts(replay: Replay | None, states: Mapping[int, SignedState]) -> ArchiveTexts:
    """All files for people; with all that was hidden where the game was played again."""
    game = load_rules(states[max(states)].record)[0]
    values = {**heading_values(game, states), "open": replay is not None}
    specification = next(path for path in _SPECIFICATIONS if path.is_file())
    files = {
        archive.README: render("archive_readme.txt", **values).encode(),
        archive.RULES: catalog.read_rules(game.kind).encode(),
        archive.SPECIFICATION: read(specification, 1 << 20),
        archive.TRANSCRIPT: make_transcript(replay, states),
    }
    # a plug-in's package stands behind pbem, since it has words too
    name, version = catalog.distribution(game.kind)
    writer = f"pbem {__version__}"
    return ArchiveTexts(writer if name == "pbem" else f"{writer}, {name} {version}", files)


def make_transcript(replay: Replay | None, states: Mapping[int, SignedState]) -> bytes:
    """The plain text of a game; Unreadable where a state tells of what its game does not know."""
    game = load_rules(states[max(states)].record)[0]
    rulebook, folders = catalog.read_rules(game.kind), catalog.template_folders(game.kind)
    values = transcript_values(game, replay, states, lambda number: find_paragraph(rulebook, number) or "")

    def make(values: Values) -> str:
        return render("transcript.txt", *folders, **values)

    try:
        return make(values).encode()
    except PbemError as error:
        raise find_unreadable(values, make) or error from None


FEW_GAMES = 3  #: are audited here: before other processes had begun, they are done


class ExaminedGame(NamedTuple):
    """What a job finds out of one game, and no more than is needed of it."""

    path: Path
    result: Audit | PbemError  #: without states and replay
    history: History = History({})
    refusals: dict[str, PbemError] = {}


class AuditResult(NamedTuple):
    """One game: its audit, or why it cannot be read; and what other files given have of it."""

    path: Path
    result: Audit | PbemError
    divergence_verdict: str = ""  #: the verdict where another file has other states of the same game
    divergence_reason: str = ""
    is_repeated: bool = False  #: this of a file that was told of before


def audit_all(
    inputs: Iterable[AuditInput],
    anchors: TrustAnchors,
    saved_emails: SavedEmails = MappingProxyType({}),
    in_parallel: bool = False,
    cluster: str = "",
) -> Iterator[AuditResult]:
    """Each of them in turn, however many: what is kept of one is its path and its heads. Then the
    letters that are of none of them.

    ``in_parallel``: on every core. ``cluster``: the address of one, if it is done there.
    """
    parsed_emails = tuple(email for email in saved_emails.values() if isinstance(email, SavedEmail))
    job = partial(examine, anchors, parsed_emails)
    if cluster:
        examined_games = on_cluster(cluster, job, inputs, lambda item: len(item[1]) if _is_data(item) else 0)
    else:
        examined_games = on_every_core(job, inputs) if in_parallel else map(job, inputs)
    histories: Histories = {}
    refusals = dict[str, PbemError]()
    for game in examined_games:
        refusals |= game.refusals
        divergence, other_results = _compare_histories(game, histories)
        yield AuditResult(game.path, game.result, *divergence)
        yield from other_results
    has_blocks = any(email.blocks for email in parsed_emails)
    for path, email in saved_emails.items():
        if isinstance(email, PbemError):
            yield AuditResult(path, email)
        elif str(path) in refusals:
            yield AuditResult(path, refusals[str(path)])
        elif (email.blocks or not histories) and not histories.keys() & {block.game for block in email.blocks}:
            if email.was_named or not histories:
                yield AuditResult(path, _no_game_error(path))
        elif email.unread.possibly_missing or not (email.blocks or (email.unread.automatic and has_blocks)):
            yield AuditResult(path, _uncompared_refusal(email))


def examine(anchors: TrustAnchors, saved_emails: Sequence[SavedEmail], audit_input: AuditInput) -> ExaminedGame:
    """The job: a function of the bytes, the trusted keys and this version of pbem."""
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
    sound_states = {} if contradicted_items & {"states", "referees", "chain"} else result.states
    state_hashes = {n: state.state_hash for n, state in sound_states.items()}
    history = history_of({n: state.record for n, state in sound_states.items()}, state_hashes)
    return ExaminedGame(path, result._replace(last_record=None, replay=None, states={}), history, refusals)


def _is_data(audit_input: AuditInput) -> TypeGuard[tuple[Path, bytes]]:
    return isinstance(audit_input[1], bytes)


def _no_game_error(path: Path) -> BadInput:
    hint = f"name the game's archive or folder too: `pbem audit GAME {path}`"
    return BadInput("audit/report", "this is an email or a report, not an archive", hint)


def _uncompared_refusal(email: SavedEmail) -> Refused:
    """Of a letter that nothing, or not all of it, could be held against its game."""
    message = f"not all of it could be compared: {email.unread.describe()}"
    if not email.blocks:
        message = "it has no signed block, so nothing was compared"
    hint = "an invitation has none; if the report is an attached file, save that, and name it here"
    return Refused("audit/no-block", message, hint)


def _read_archive(path: Path, data: bytes | None) -> Archive:
    if data is None:
        return read_contents(GameFolder(path))
    return archive.unpack(data)


#: by game: the files seen with it, and what each tells; 67 bytes a state
Histories = dict[str, list[tuple[Path, bytes, tuple[RefereeKeys, ...]]]]


def _compare_histories(game: ExaminedGame, histories: Histories) -> tuple[tuple[str, str], list[AuditResult]]:
    """(verdict, why) where another file has other states of the same game; and the same of each
    file that was told of before.
    """
    result, history = game.result, game.history
    if isinstance(result, PbemError):
        return ("", ""), []
    known_histories, verdict, other_results = (histories.setdefault(result.game, []), ("", ""), list[AuditResult]())
    for path, packed, referees in known_histories:
        other_history = History(_unpack_states(packed), referees)
        verdict = max(verdict, _compare_with(path, other_history, history))
        if any(divergence := _compare_with(game.path, history, other_history)):
            other_results.append(AuditResult(path, result, *divergence, is_repeated=True))
    packed = _pack_states(history.states)
    if (packed, history.referees) not in (entry[1:] for entry in known_histories):
        known_histories.append((game.path, packed, history.referees))
    return verdict, other_results


def _compare_with(other_path: Path, other_history: History, history: History) -> tuple[str, str]:
    """(verdict, why) of what is given beside another file."""
    divergence = find_divergence(other_history, history)
    if divergence is None or divergence.is_genuine:
        return "", ""
    reason = f"{divergence.describe(str(other_path))} ({divergence.hint})"
    return "not checked" if divergence.is_by_ruling else CONTRADICTED, reason


def _pack_states(states: Mapping[int, StateFingerprint]) -> bytes:
    rows = (
        n.to_bytes(3, "big") + fingerprint.state_hash + (fingerprint.restore_hash or bytes(32))
        for n, fingerprint in states.items()
    )
    return b"".join(rows)


def _unpack_states(data: bytes) -> dict[int, StateFingerprint]:
    rows = (data[offset : offset + 67] for offset in range(0, len(data), 67))
    return {
        int.from_bytes(row[:3], "big"): StateFingerprint(row[3:35], row[35:].strip(b"\0") and row[35:]) for row in rows
    }
