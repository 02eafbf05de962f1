"""Was this game honest? All of it again: signatures, the deal, every order, every byte.

What lives here: ``audit``, which goes through a game from its genesis and says of each item whether
it is proven, contradicted, or not checked; ``compare``, for what an archive has for people. What
must never be here: files, printing, the rules.
Laws: it needs the files and nobody's word; what could not be checked is never called forged, and
never called proven; another version of pbem may word its text otherwise (P9).
Source: docs/SPECIFICATION.md section 12; docs/DESIGN.md P1 to P9.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.names import not_checked
from pbem.chain.plausible import settled, watched
from pbem.chain.rulings.kinds import checked
from pbem.chain.signed_state import genuine_link, head_of, signer_of
from pbem.chain.sources import BY_BOT, source_of
from pbem.chain.state_record import DEAL, StateRecord
from pbem.crypto.encoding import game_id
from pbem.crypto.signing import key_id
from pbem.crypto.tokens import commit_secret
from pbem.errors import BadInput, PbemError
from pbem.formats import state_file
from pbem.proof.audit import findings, without_rules
from pbem.proof.audit.archive import (
    TRANSCRIPT,
    UNOPENED,
    Archive,
    Words,
    wrong_manifest,
)
from pbem.proof.audit.findings import ITEMS, NEEDS_SECRET, Findings, Item, Replay, SignedState
from pbem.proof.audit.pending_orders import ByRules
from pbem.proof.audit.replay import Contradicted, play_again
from pbem.proof.audit.saved_emails import Letter, with_opened
from pbem.proof.verify.changes import EarlierStates
from pbem.proof.verify.pending_orders import cleared, were_lost
from pbem.proof.verify.verify import CHECKS, Unreadable, genesis_key, kind_of, look

if TYPE_CHECKING:
    from pbem.engine.game import Game


def compare(
    contents: Archive,
    make: findings.Wording,
    replay: Replay | None,
    states: Mapping[int, SignedState],
    rules: findings.Rules,
    found: Findings,
) -> None:
    """What is in an archive for people must say what the states say."""
    if found.wrong.keys() - {"container", "referees"} or len(states) != len(contents.states):
        found.leave(("transcript",), "the states it tells of do not hold")
        return
    if contents.secret and (replay is None or len(replay.past) != len(states)):
        found.leave(("transcript",), "it could not be made again here")
        return
    try:
        _, version = rules(states[0].link)
        here = make(replay, states)
    except PbemError as error:
        found.leave(("transcript",), f"{error.message} ({error.hint})")
    except Unreadable as what:
        if version == states[0].link.setup.version:
            said = f"state {what.n} tells of what there is not in this game"
            found.contradict("orders", what.n, said)
        found.leave(("transcript",), "the states it tells of do not hold")
    else:
        _same_words(contents.words, here, found)


def _same_words(given: Words, here: Words, found: Findings) -> None:
    """Another version may word it otherwise: that makes nothing forged (P9), and nothing proven."""
    for name, text in here.files.items():
        other = given.files.get(name, b"")
        if other == text or (name != TRANSCRIPT and name not in given.files):
            continue
        if given.made == here.made:
            line = _first_line(text, other)
            what = f"{name}, line {line}, is not what the states say"
            found.contradict("transcript", None, what)
        else:
            writer = given.made or "another version"
            why = f"{writer} wrote it and this is {here.made}, which may word it otherwise"
            found.leave(("transcript",), f"{why}: not compared")


def _first_line(text: bytes, other: bytes) -> int:
    pairs = zip(text.split(b"\n"), other.split(b"\n"), strict=False)
    rows = min(text.count(b"\n"), other.count(b"\n")) + 1
    return next((i for i, (a, b) in enumerate(pairs, 1) if a != b), rows)


#: a game without its rules; None where there is none of that name here
Pieces = Callable[[StateRecord], "Game | None"]
#: items whose contradictions another version of the rules may explain; what needs no rules is
#: looked at by itself (without_rules.py)
BY_RULES = ("deal", "sealed", "orders", "openings", "rulings", "result")
PROVEN, CONTRADICTED, UNCHECKED = "proven", "contradicted", "not checked"


class TrustAnchors(NamedTuple):
    """Whom the asker knows for sure: referees' public keys, ids of games."""

    keys: frozenset[bytes] = frozenset()
    games: frozenset[str] = frozenset()

    def has(self, key: bytes, game: str) -> bool:
        return key in self.keys or game in self.games


class Audit(NamedTuple):
    """What was found. ``replay`` holds the game as it was played again: its secrets with it."""

    game: str
    last: int
    link: StateRecord | None
    items: tuple[Item, ...]
    rulings: tuple[findings.Ruled, ...]
    replay: Replay | None
    states: dict[int, SignedState]

    @property
    def verdict(self) -> str:
        found = {item.verdict for item in self.items}
        return next((verdict for verdict in (CONTRADICTED, UNCHECKED) if verdict in found), PROVEN)

    @property
    def first(self) -> Item | None:
        """The earliest contradiction; what has no state of its own comes last."""
        wrong = [item for item in self.items if item.verdict == CONTRADICTED]
        return min(wrong, key=lambda item: item.n if item.n is not None else 10**9, default=None)


def audit(
    contents: Archive,
    rules: findings.Rules,
    known: TrustAnchors,
    make_words: findings.Wording | None = None,
    pieces: Pieces = lambda _: None,
    letters: Sequence[Letter] = (),
    bots: findings.Bots = findings.no_bots,
) -> Audit:
    """Go through a game. Without manifest and words it is a folder and no archive.

    ``pieces``: the game, whatever rules it is played by, for what its piles are made of.
    ``letters``: what players were told, for what waited where a ruling says that it was lost.
    ``bots``: to choose again what a bot chose.
    """
    found = Findings()
    game = game_id(contents.states[0]) if 0 in contents.states else ""
    states = _read(contents.states, game, found, known)
    last = max(states, default=-1)
    record = states[last].link if states else None
    _check_links(states, game, found)
    if record and (odd := not_checked(name for one in states.values() for name in one.link.names)):
        found.leave(("states",), odd)
    secret = _secret(contents, states, found)
    given = rules, pieces, letters, bots
    replay = _replay(contents, states, secret, *given, found) if record else None
    packed = bool(contents.manifest or contents.words.files)
    if contents.torn:
        found.leave(("container",), "this is a folder; give the file that pbem archive wrote")
    elif packed and record and (wrong := _wrong_archive(contents, game, record, rules)):
        found.contradict("container", None, wrong)
    if contents.torn and not contents.words.files:
        found.leave(("transcript",), f"{TRANSCRIPT} is not in this folder")
    elif packed and make_words:
        compare(contents, make_words, replay, states, rules, found)
    first = states[0].link.referees[0].acting if 0 in states else b""
    told = findings.proven(states, replay, known.has(first, game))
    skipped = () if packed else ("container", "transcript")
    names = [n for n, _ in ITEMS if (n in told or n in found.wrong) and n not in skipped]
    word = findings.stated(states)
    items = tuple(_item(name, told.get(name, ""), found, name in word) for name in names)
    ruled = findings.rulings_of(states, _game(replay, rules, record), replay)
    return Audit(game, last, record, items, ruled, replay, states)


def _wrong_archive(contents: Archive, game: str, last: StateRecord, rules: findings.Rules) -> str:
    """What is wrong with the archive itself; also where the rules alone say that the game is over,
    and its secret is not there.
    """
    if last.dealt and not contents.secret:
        with suppress(PbemError):
            played = rules(last)[0]
            if played.outcome(watched(played, last)) is not None:
                return UNOPENED
    return wrong_manifest(contents, game, last)


def _game(
    replay: Replay | None, rules: findings.Rules, record: StateRecord | None
) -> "Game | None":
    """The rules, for the words they have; None where they are not installed."""
    if replay is not None or record is None:
        return replay.game if replay else None
    try:
        return rules(record)[0]
    except PbemError:
        return None


def _item(name: str, told: str, found: Findings, stated: bool) -> Item:
    if name in found.wrong:
        n, what, kind = found.wrong[name]
        return Item(name, CONTRADICTED, what, n, kind=kind)
    if name in found.open:
        return Item(name, UNCHECKED, found.open[name], None)
    return Item(name, PROVEN, told, None, stated)


def _read(
    raws: Mapping[int, bytes], game: str, found: Findings, known: TrustAnchors
) -> dict[int, SignedState]:
    """Every state up to the first that is missing or not genuine."""
    states: dict[int, SignedState] = {}
    for n in range(max(raws, default=-1) + 1):
        try:
            if n not in raws:
                found.contradict("chain", n, f"state {n} is missing", "missing")
                break
            state = _signed(raws[n], n, states, game)
            if n and state.link.setup != states[0].link.setup:
                # with other seats or options it is no state of this game, and cannot be read as one
                what = f"state {n} changes what was settled in the genesis"
                found.contradict("chain", n, what, "settled")
                break
            states[n] = state
        except PbemError as error:
            found.contradict("states", n, error.message, kind_of(error))
            break
    if len(states) < len(raws):
        left = tuple(name for name, _ in ITEMS if name not in ("states", "container"))
        found.leave(left, f"the states from {len(states)} on cannot be read")
    if (known.keys or known.games) and 0 in states:
        key = states[0].link.referees[0].acting
        if not known.has(key, game):
            what = f"it is game {game}, opened by key {key_id(key)}: neither is one that you know"
            found.contradict("referees", 0, what)
    return states


def _signed(raw: bytes, n: int, states: Mapping[int, SignedState], game: str) -> SignedState:
    before = states[n - 1].link.referees if n else ()
    key = signer_of(raw, before, game, n) if n else genesis_key(raw)
    record = checked(genuine_link(raw, key, f"state {n}"))
    return SignedState(state_file.split(raw).body, record, head_of(raw))


def _check_links(states: Mapping[int, SignedState], game: str, found: Findings) -> None:
    """What `verify` looks at, each check by itself: the first finding of each item counts."""
    heads, records = dict[int, bytes](), dict[int, StateRecord]()
    for n, state in states.items():
        if state.link.n != n:
            what = f"state {n} calls itself state {state.link.n}"
            found.contradict("chain", n, what, "number")
        for item, kind, check in CHECKS:
            try:
                look(
                    kind, check, state.link, records.get(n - 1), EarlierStates(heads, game, records)
                )
            except PbemError as error:
                found.contradict(item, n, error.message, kind_of(error))
        heads[n], records[n] = state.head, state.link


def _secret(contents: Archive, states: Mapping[int, SignedState], found: Findings) -> bytes:
    """The game's secret, if it is there and is the one the genesis commits to."""
    last = max(states, default=-1)
    closed = states[last].link.secret if states else b""
    secret = contents.secret or closed
    if not states:
        return b""
    if not secret:
        found.leave(NEEDS_SECRET, "its secret is not here: the game is not over, or was not closed")
        return b""
    if commit_secret(secret) != states[0].link.setup.commit:
        found.contradict("secret", None, "the secret is not the one that the genesis commits to")
    elif closed and closed != secret:
        found.contradict("secret", last, "the secret it opens is another one")
    else:
        return secret
    found.leave(NEEDS_SECRET, "it needs the game's own secret")
    return b""


def _replay(
    contents: Archive,
    states: Mapping[int, SignedState],
    secret: bytes,
    rules: findings.Rules,
    pieces: Pieces,
    letters: Sequence[Letter],
    bots: findings.Bots,
    found: Findings,
) -> Replay | None:
    """Play it again as far as it goes."""
    if not secret:
        return None
    record = states[0].link
    for n, values in (contents.hands or {}).items():
        there = dict(states[n].link.hands) if n in states else values  # else nobody can read it
        if n not in contents.states or values.keys() - there.keys():
            found.contradict("hands", n, "there are waiting orders of what is not in this game")
    try:
        game, version = rules(record)
    except PbemError as error:
        found.leave(NEEDS_SECRET[1:], f"{error.message} ({error.hint})")
        without_rules.check(without_rules.Unruled(states, secret, pieces(record)), 1, {}, found)
        return None
    try:
        settled(game, record)
    except BadInput:
        found.contradict("chain", 0, "its seats or options are none that this game has")
        found.leave(NEEDS_SECRET[1:], "it is no game that can be played")
        without_rules.check(without_rules.Unruled(states, secret, None), 1, {}, found)
        return None
    if contents.hands is None:
        found.leave(("hands",), "what players had waiting is not here; an archive has it")
    records, hands = {n: state.link for n, state in states.items()}, contents.hands
    lost = frozenset(n for n in states if were_lost(n, records.values()))
    if hands is not None and lost:
        opened = with_opened(hands, letters, states, secret)
        hands = {n: opened[n] if n in lost else hands.get(n, {}) for n in opened}
    void = frozenset(n for n in lost if cleared(n, records))
    run = Replay(game, secret, contents.states[0], {}, {}, hands, lost, void, bots)
    used = _go_through(run, states, version, found)
    without_rules.check(without_rules.Unruled(states, secret, game), len(run.past), used, found)
    if not findings.is_over(run, states):
        found.leave(("result",), "the game is not over")
    entries = (entry.source for state in states.values() for entry in state.link.entries)
    if gone := sorted({x for x in entries if source_of(x) is BY_BOT and not bots(x)}):
        who = gone[0].replace(":", " ")
        found.leave(("signed",), f"orders chosen by {who}, which is not here to choose again")
    return run


def _go_through(
    run: Replay, states: Mapping[int, SignedState], version: str, found: Findings
) -> findings.UsedNumbers:
    """Each state, up to the first that does not follow; the numbers that were used before it."""
    begun, used = states[0].link.setup.version, findings.UsedNumbers()
    for n, state in states.items():
        used = dict(run.used)
        # a deal that came out is proven, whatever comes after it
        left = tuple(item for item in NEEDS_SECRET[1:] if n <= DEAL or item != "deal")
        try:
            play_again(run, state)
        except Contradicted as what:
            if version != begun and (what.item in BY_RULES or isinstance(what.what, ByRules)):
                why = f"made by version {begun}, this is {version}: from state {n} on"
                found.leave(left, f"{why} it comes out otherwise here; install that one")
            else:
                found.contradict(what.item, what.n, what.what, what.kind)
        except PbemError as error:  # rows that are no position, or that no rule can read
            found.contradict("orders", n, error.message)
        except Exception as error:  # noqa: BLE001 (what a forger writes must not end an audit)
            why = f"state {n} cannot be played again here ({type(error).__name__})"
            found.leave(left, why)
        else:
            continue
        found.leave(left, f"checked up to state {n - 1}, and not beyond it")
        break
    lost = sorted((run.lost - run.cleared) & run.past.keys())
    if unknown := [n for n in lost if None in run.past[n].waiting.values()]:
        why = f"what waited before state {unknown[0]} was lost, as a ruling says: who knows"
        found.leave(("hands",), f"{why} whether the orders since are the right ones")
    return used
