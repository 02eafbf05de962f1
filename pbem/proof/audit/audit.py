"""Was this game honest? Each item of an audit is proven, contradicted or not checked.

Once a game is closed its secret is public. With it, pbem plays the game again and compares each state.

Not allowed here: files, printing, the rules.
Laws: an audit needs the states and nobody's word. Anything that could not be checked is called neither
forged nor proven. Another version of pbem may word its texts differently (P9).
Source: docs/SPECIFICATION.md section 12; docs/DESIGN.md P1 to P9.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.loaded_game import check_config, decode_public_view
from pbem.chain.names import unchecked_name_warning
from pbem.chain.rulings.kinds import check_operands
from pbem.chain.signed_state import read_verified_record, signer_of, state_hash_of
from pbem.chain.sources import BY_BOT, source_of
from pbem.chain.state_record import DEAL, StateRecord
from pbem.crypto.encoding import game_id
from pbem.crypto.signing import key_id
from pbem.crypto.tokens import commit_secret
from pbem.errors import BadInput, PbemError
from pbem.formats import state_file
from pbem.proof.audit import findings, sentences, without_rules
from pbem.proof.audit.archive import TRANSCRIPT, UNOPENED, Archive, ArchiveTexts, find_manifest_fault
from pbem.proof.audit.findings import NEEDS_SECRET, TITLES, Contradiction, Findings, Item, Replay, SignedState
from pbem.proof.audit.proven import describe_proven, stated_items
from pbem.proof.audit.replay import replay_state
from pbem.proof.audit.saved_emails import PendingValues, SavedEmail, add_opened_values
from pbem.proof.verify.changes import EarlierStates
from pbem.proof.verify.pending_orders import were_cleared, were_lost
from pbem.proof.verify.verify import CHECKS, Unreadable, fault_kind_of, genesis_key, run_check

if TYPE_CHECKING:
    from pbem.engine.game import Game


def compare_texts(
    contents: Archive,
    make_texts: findings.MakeTexts,
    replay: Replay | None,
    states: Mapping[int, SignedState],
    load_rules: findings.LoadRules,
    results: Findings,
) -> None:
    """Compare the texts of an archive with those that ``make_texts`` makes from the states. Add to ``results``."""
    if results.contradictions.keys() - {"container", "referees"} or len(states) != len(contents.states):
        results.leave_unchecked(("transcript",), "the states that it describes are not valid")
        return
    if contents.secret and (replay is None or len(replay.past_states) != len(states)):
        results.leave_unchecked(("transcript",), "it could not be made again here")
        return
    try:
        _, version = load_rules(states[0].record)
        expected_texts = make_texts(replay, states)
    except PbemError as error:
        results.leave_unchecked(("transcript",), f"{error.message} ({error.hint})")
    except Unreadable as unreadable:
        if version == states[0].record.setup.version:
            message = f"state {unreadable.n} names something that this game does not have"
            results.contradict("orders", unreadable.n, message)
        results.leave_unchecked(("transcript",), "the states that it describes are not valid")
    else:
        _compare_written_texts(contents.texts, expected_texts, results)


def _compare_written_texts(actual: ArchiveTexts, expected: ArchiveTexts, results: Findings) -> None:
    """Contradict a text that differs, or leave it unchecked if another version wrote it: words may differ (P9)."""
    for name, text in expected.files.items():
        actual_text = actual.files.get(name, b"")
        if actual_text == text or (name != TRANSCRIPT and name not in actual.files):
            continue
        if actual.writer == expected.writer:
            line = _first_different_line(text, actual_text)
            message = f"{name}, line {line}, is not what the states say"
            results.contradict("transcript", None, message)
        else:
            sentence = sentences.OTHER_WRITER if actual.writer else sentences.UNKNOWN_WRITER
            reason = sentence.format(writer=actual.writer, expected=expected.writer)
            results.leave_unchecked(("transcript",), reason)


def _first_different_line(text: bytes, other: bytes) -> int:
    pairs = zip(text.split(b"\n"), other.split(b"\n"), strict=False)
    line_count = min(text.count(b"\n"), other.count(b"\n")) + 1
    return next((i for i, (a, b) in enumerate(pairs, 1) if a != b), line_count)


#: returns the game in any version, for its pieces; None if no game of that name is installed
LoadPieces = Callable[[StateRecord], "Game | None"]
#: items whose contradictions may come from another version of the rules. Checks that need no rules
#: are in without_rules.py
RULE_ITEMS = ("deal", "sealed", "orders", "openings", "rulings", "result")
PROVEN, CONTRADICTED, UNCHECKED = "proven", "contradicted", "not checked"


class TrustAnchors(NamedTuple):
    """The referees' public keys and ids of games that the user trusts."""

    keys: frozenset[bytes] = frozenset()
    games: frozenset[str] = frozenset()

    def include(self, key: bytes, game: str) -> bool:
        return key in self.keys or game in self.games


class Audit(NamedTuple):
    """The result of an audit. ``replay`` has the secrets of the game."""

    game: str
    last_number: int
    last_record: StateRecord | None
    items: tuple[Item, ...]
    rulings: tuple[findings.RulingSummary, ...]
    replay: Replay | None
    states: dict[int, SignedState]

    @property
    def verdict(self) -> str:
        verdicts = {item.verdict for item in self.items}
        if CONTRADICTED in verdicts:
            return CONTRADICTED
        return UNCHECKED if UNCHECKED in verdicts else PROVEN

    @property
    def first_contradiction(self) -> Item | None:
        """The contradiction of the earliest state; one without a state comes last."""
        contradicted_items = [item for item in self.items if item.verdict == CONTRADICTED]
        return min(contradicted_items, key=lambda item: item.n if item.n is not None else 10**9, default=None)


def audit(
    contents: Archive,
    load_rules: findings.LoadRules,
    anchors: TrustAnchors,
    make_texts: findings.MakeTexts | None = None,
    load_pieces: LoadPieces = lambda _: None,
    saved_emails: Sequence[SavedEmail] = (),
    find_bot: findings.FindBot = findings.no_bot,
) -> Audit:
    """Audit a game. If ``contents`` has no manifest and no texts, it is a folder and not an archive.

    ``saved_emails`` are reports that players saved; they show pending orders that a ruling calls
    lost. Without ``make_texts`` the transcript is not checked. The ``replay`` in the result is secret.
    Source: docs/SPECIFICATION.md section 12.
    """
    results = Findings()
    game = game_id(contents.states[0]) if 0 in contents.states else ""
    states = _read_states(contents.states, game, results, anchors)
    last_number = max(states, default=-1)
    last_record = states[last_number].record if states else None
    _check_records(states, game, results)
    if warning := unchecked_name_warning(name for state in states.values() for name in state.record.names):
        results.leave_unchecked(("states",), warning)
    secret = _find_secret(contents, states, results)
    replay = None
    if secret:
        replay = _replay_game(contents, states, secret, load_rules, load_pieces, saved_emails, find_bot, results)
    is_archive = bool(contents.manifest or contents.texts.files)
    if contents.is_incomplete:
        results.leave_unchecked(("container",), "this is a folder; name the file that pbem archive wrote")
    elif is_archive and last_record and (fault := _find_archive_fault(contents, game, last_record, load_rules)):
        results.contradict("container", None, fault)
    if contents.is_incomplete and not contents.texts.files:
        results.leave_unchecked(("transcript",), f"{TRANSCRIPT} is not in this folder")
    elif is_archive and make_texts:
        compare_texts(contents, make_texts, replay, states, load_rules, results)
    first_key = states[0].record.referees[0].acting if 0 in states else b""
    proven_texts = describe_proven(states, replay, anchors.include(first_key, game))
    skipped_items = () if is_archive else ("container", "transcript")
    names = [
        name
        for name in TITLES
        if (name in proven_texts or name in results.contradictions) and name not in skipped_items
    ]
    stated_names = stated_items(states)
    items = tuple(_make_item(name, proven_texts.get(name, ""), results, name in stated_names) for name in names)
    rulings = findings.list_rulings(states, _rules_or_none(replay, load_rules, last_record), replay)
    return Audit(game, last_number, last_record, items, rulings, replay, states)


def _find_archive_fault(contents: Archive, game: str, last_record: StateRecord, load_rules: findings.LoadRules) -> str:
    """Return what is wrong with the archive itself; "" if nothing. A game that is over must have its secret."""
    if last_record.is_dealt and not contents.secret:
        with suppress(PbemError):
            game_rules = load_rules(last_record)[0]
            if game_rules.outcome(decode_public_view(game_rules, last_record)) is not None:
                return UNOPENED
    return find_manifest_fault(contents, game, last_record)


def _rules_or_none(replay: Replay | None, load_rules: findings.LoadRules, record: StateRecord | None) -> "Game | None":
    """Return the rules, which put rulings into words; None if they are not installed."""
    if replay is not None or record is None:
        return replay.game if replay else None
    try:
        return load_rules(record)[0]
    except PbemError:
        return None


def _make_item(name: str, proven_text: str, results: Findings, is_stated: bool) -> Item:
    if name in results.contradictions:
        finding = results.contradictions[name]
        return Item(name, CONTRADICTED, finding.text, finding.n, kind=finding.kind)
    if name in results.unchecked:
        return Item(name, UNCHECKED, results.unchecked[name], None)
    return Item(name, PROVEN, proven_text, None, is_stated)


def _read_states(
    raw_states: Mapping[int, bytes], game: str, results: Findings, anchors: TrustAnchors
) -> dict[int, SignedState]:
    """Return the states by number, up to the first that is missing or not genuine. Add faults to ``results``."""
    states: dict[int, SignedState] = {}
    for n in range(max(raw_states, default=-1) + 1):
        try:
            if n not in raw_states:
                results.contradict("chain", n, f"state {n} is missing", "missing")
                break
            state = _read_signed_state(raw_states[n], n, states, game)
            if n and state.record.setup != states[0].record.setup:
                # with other seats or options it cannot be read as a state of this game
                message = f"state {n} changes what was settled in the genesis"
                results.contradict("chain", n, message, "settled")
                break
            states[n] = state
        except PbemError as error:
            results.contradict("states", n, error.message, fault_kind_of(error))
            break
    if len(states) < len(raw_states):
        unchecked_items = tuple(name for name in TITLES if name not in ("states", "container"))
        results.leave_unchecked(unchecked_items, f"the states from {len(states)} on cannot be read")
    if (anchors.keys or anchors.games) and 0 in states:
        key = states[0].record.referees[0].acting
        if not anchors.include(key, game):
            message = f"it is game {game}, opened by key {key_id(key)}, and you trust neither"
            results.contradict("referees", 0, message)
    return states


def _read_signed_state(raw: bytes, n: int, states: Mapping[int, SignedState], game: str) -> SignedState:
    key = signer_of(raw, states[n - 1].record.referees, game, n) if n else genesis_key(raw)
    record = check_operands(read_verified_record(raw, key, f"state {n}"))
    return SignedState(state_file.split(raw).body, record, state_hash_of(raw))


def _check_records(states: Mapping[int, SignedState], game: str, results: Findings) -> None:
    """Run each check of `verify` on every state. Add the faults to ``results``."""
    state_hashes, records = dict[int, bytes](), dict[int, StateRecord]()
    for n, state in states.items():
        if state.record.n != n:
            message = f"state {n} calls itself state {state.record.n}"
            results.contradict("chain", n, message, "number")
        earlier_states = EarlierStates(state_hashes, game, records)
        for check in CHECKS:
            try:
                run_check(check, state.record, records.get(n - 1), earlier_states)
            except PbemError as error:
                results.contradict(check.item, n, error.message, fault_kind_of(error))
        state_hashes[n], records[n] = state.state_hash, state.record


def _find_secret(contents: Archive, states: Mapping[int, SignedState], results: Findings) -> bytes:
    """Return the game's secret, if it is known and the genesis commits to it; b"" otherwise."""
    last_number = max(states, default=-1)
    closing_secret = states[last_number].record.secret if states else b""
    secret = contents.secret or closing_secret
    if not states:
        return b""
    if not secret:
        results.leave_unchecked(NEEDS_SECRET, "its secret is not here: the game is not over, or was not closed")
        return b""
    if commit_secret(secret) != states[0].record.setup.commit:
        results.contradict("secret", None, "the genesis does not commit to this secret")
    elif closing_secret and closing_secret != secret:
        results.contradict("secret", last_number, "it opens another secret")
    else:
        return secret
    results.leave_unchecked(NEEDS_SECRET, "it needs the game's own secret")
    return b""


def _replay_game(
    contents: Archive,
    states: Mapping[int, SignedState],
    secret: bytes,
    load_rules: findings.LoadRules,
    load_pieces: LoadPieces,
    saved_emails: Sequence[SavedEmail],
    find_bot: findings.FindBot,
    results: Findings,
) -> Replay | None:
    """Play the game again as far as possible, and return how it went; None if it cannot be played here."""
    record = states[0].record
    _check_pending_places(contents, states, results)
    try:
        game, version = load_rules(record)
    except PbemError as error:
        results.leave_unchecked(NEEDS_SECRET[1:], f"{error.message} ({error.hint})")
        unreplayed = without_rules.UnreplayedGame(states, secret, load_pieces(record))
        without_rules.check_unreplayed(unreplayed, 1, {}, results)
        return None
    try:
        check_config(game, record)
    except BadInput:
        results.contradict("chain", 0, "this game does not have its seats or options")
        results.leave_unchecked(NEEDS_SECRET[1:], "it cannot be played")
        without_rules.check_unreplayed(without_rules.UnreplayedGame(states, secret, None), 1, {}, results)
        return None
    if contents.pending_values is None:
        results.leave_unchecked(("hands",), "the pending orders are not here; an archive has them")
    records = {n: state.record for n, state in states.items()}
    lost_numbers = frozenset(n for n in states if were_lost(n, records.values()))
    cleared_numbers = frozenset(n for n in lost_numbers if were_cleared(n, records))
    pending_values = _with_reported_values(contents.pending_values, lost_numbers, saved_emails, states, secret)
    replay = Replay(game, secret, contents.states[0], {}, {}, pending_values, lost_numbers, cleared_numbers, find_bot)
    used_numbers = _replay_states(replay, states, version, results)
    unreplayed = without_rules.UnreplayedGame(states, secret, game)
    without_rules.check_unreplayed(unreplayed, len(replay.past_states), used_numbers, results)
    if not findings.is_over(replay, states):
        results.leave_unchecked(("result",), "the game is not over")
    _note_missing_bots(states, find_bot, results)
    return replay


def _check_pending_places(contents: Archive, states: Mapping[int, SignedState], results: Findings) -> None:
    """Contradict pending orders in an archive that belong to no state or seat of the game."""
    for n, values in (contents.pending_values or {}).items():
        unknown_seats = set[str]()  # an unreadable state names no seats: then none is unknown
        if n in states:
            unknown_seats = values.keys() - dict(states[n].record.pending_commitments).keys()
        if n not in contents.states or unknown_seats:
            results.contradict("hands", n, "there are pending orders of what is not in this game")


def _with_reported_values(
    pending_values: PendingValues | None,
    lost_numbers: frozenset[int],
    saved_emails: Sequence[SavedEmail],
    states: Mapping[int, SignedState],
    secret: bytes,
) -> PendingValues | None:
    """Return the pending orders of an archive, plus those in reports where a ruling says that they were lost."""
    if pending_values is None or not lost_numbers:
        return pending_values
    opened_values = add_opened_values(pending_values, saved_emails, states, secret)
    return {n: opened_values[n] if n in lost_numbers else pending_values.get(n, {}) for n in opened_values}


def _note_missing_bots(states: Mapping[int, SignedState], find_bot: findings.FindBot, results: Findings) -> None:
    """Leave the origin of orders unchecked if a bot chose some and is not installed to choose them again."""
    sources = {entry.source for state in states.values() for entry in state.record.entries}
    missing_bots = sorted(source for source in sources if source_of(source) is BY_BOT and not find_bot(source))
    if missing_bots:
        bot_name = missing_bots[0].replace(":", " ")
        results.leave_unchecked(("signed",), f"orders chosen by {bot_name}, which is not here to choose again")


def _replay_states(
    replay: Replay, states: Mapping[int, SignedState], version: str, results: Findings
) -> findings.UsedNumbers:
    """Replay the states up to the first that fails, and return the signed orders used before that one."""
    genesis_version, used_numbers = states[0].record.setup.version, findings.UsedNumbers()
    for n, state in states.items():
        used_numbers = dict(replay.used_numbers)
        # a deal that could be made again is proven, whatever comes after it
        unchecked_items = tuple(item for item in NEEDS_SECRET[1:] if n <= DEAL or item != "deal")
        try:
            replay_state(replay, state)
        except Contradiction as contradiction:
            fault = contradiction.fault
            if version != genesis_version and (fault.item in RULE_ITEMS or fault.needs_rules):
                reason = (
                    f"made by version {genesis_version}, this is {version}: "
                    f"from state {n} on the result differs here; install that version"
                )
                results.leave_unchecked(unchecked_items, reason)
            else:
                results.contradict(fault.item, contradiction.n, fault.text, contradiction.kind)
        except PbemError as error:  # its rows are not a position, or the rules cannot read them
            results.contradict("orders", n, error.message)
        except Exception as error:  # noqa: BLE001 - what a forger writes must not end an audit
            reason = f"state {n} cannot be played again here ({type(error).__name__})"
            results.leave_unchecked(unchecked_items, reason)
        else:
            continue
        results.leave_unchecked(unchecked_items, f"checked up to state {n - 1}, and not beyond it")
        break
    lost_numbers = sorted((replay.lost_numbers - replay.cleared_numbers) & replay.past_states.keys())
    unknown_numbers = [n for n in lost_numbers if None in replay.past_states[n].pending.values()]
    if unknown_numbers:
        reason = (
            f"the pending orders before state {unknown_numbers[0]} were lost, as a ruling says, "
            "so later orders cannot be compared with them"
        )
        results.leave_unchecked(("hands",), reason)
    return used_numbers
