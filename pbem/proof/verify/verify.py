"""Is this genuine? Signatures, the chain, openings and report blocks, from public keys alone.

What must never be here: the secret, the rules of a game, files.
Law: it needs nothing that is not public; what it could not check it says.
Source: docs/SPECIFICATION.md section 12; P1, P5, P7.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.chain.referees import Referees, in_force, wrong_succession
from pbem.chain.rulings.kinds import checked
from pbem.chain.signed_state import genuine_link, head_of, self_signed_link, signer_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.encoding import b64, game_id
from pbem.crypto.signing import key_id
from pbem.errors import PbemError, Refused
from pbem.play.joining import contribution
from pbem.proof.verify import changes
from pbem.proof.verify.changes import EarlierStates
from pbem.proof.verify.clock import wrong_clock


class Unreadable(Exception):
    """A state, genuine and in its place, whose rows say nothing that its game could say."""

    def __init__(self, n: int) -> None:
        super().__init__(f"state {n}")
        self.n = n


#: what is wrong with a state after the one before it, "" if nothing
Check = Callable[[StateRecord, StateRecord | None, EarlierStates], str]


def look(
    kind: str, check: Check, record: StateRecord, before: StateRecord | None, past: EarlierStates
) -> None:
    """One check of one state; Refused ``verify/…`` where it does not hold, or cannot be made."""
    try:
        wrong = check(record, before, past)
    except PbemError:
        raise
    except Exception as error:
        raise wrong_state(record.n, "has rows that nobody can read", kind) from error
    if wrong:
        raise wrong_state(record.n, wrong, kind)


class Chain(NamedTuple):
    """A verified run of links: heads by number, and what the last one holds."""

    game: str
    key: bytes  #: of the referee who signed the last of them
    heads: dict[int, bytes]
    first: int
    last: StateRecord | None
    openings: int
    from_genesis: bool
    made: dict[str, tuple[int, bytes]]  #: slot to the link that made it and its commitment
    referees: tuple[Referees, ...] = ()
    links: dict[int, StateRecord] = {}  # noqa: RUF012  (each chain has its own)


def genesis_key(raw: bytes) -> bytes:
    """The acting key a genesis names, if it signed the genesis with it."""
    claimed = self_signed_link(raw)
    if claimed.n != 0:
        what = f"this is state {claimed.n}, not the genesis"
        raise Refused("verify/not-genesis", what, "the genesis is states/0000.toml")
    return claimed.referees[0].acting


def check_chain(states: Mapping[int, bytes], key: bytes | None, game: str | None) -> Chain:
    """Check every state there is, in order. ``key`` and ``game``: what the asker knows for sure.

    Refused with the number of the first state that is wrong, and why. A gap is refused too: states
    may be missing at the beginning only (then the key must be known).
    """
    numbers = sorted(states)
    first = numbers[0]
    if first == 0:
        key = _from_genesis(states[0], key, game)
        game = game_id(states[0])
    elif key is None:
        what = f"states before {first} are missing, so it cannot be told who may sign this game"
        hint = "add states/0000.toml, or the referee's public key: --key"
        raise Refused("verify/no-key", what, hint)
    found = Chain(game or "", key or b"", {}, first, None, 0, first == 0, {}, (), {})
    for n in numbers:
        found = _one_more(found, n, states[n])
    return found


def _from_genesis(raw: bytes, key: bytes | None, game: str | None) -> bytes:
    named = genesis_key(raw)
    if key is not None and key != named:
        what = f"the genesis is of key {key_id(named)}, not of {key_id(key)}"
        raise Refused("verify/other-key", what, "is it this referee's game?")
    if game is not None and game != game_id(raw):
        what = f"the genesis is of game {game_id(raw)}, not of {game}"
        raise Refused("verify/other-game", what, "is it the right folder?")
    return named


def _one_more(so_far: Chain, n: int, raw: bytes) -> Chain:
    """The next state of the chain, checked against the one before."""
    key = so_far.key
    if so_far.last is not None:  # who is in force, or whom the state appoints by the recovery key
        key = signer_of(raw, so_far.referees, so_far.game, n)
    record = checked(genuine_link(raw, key, f"state {n}"))
    if record.n != n:
        raise wrong_state(n, f"calls itself state {record.n}", "number")
    game = so_far.game or record.game
    before = so_far.last
    if before is None and in_force(record.referees, n).acting != key:
        raise wrong_state(n, "is signed by a key that was replaced before it", "signature")
    past = EarlierStates(so_far.heads, game, so_far.links)
    for _, kind, check in CHECKS:
        look(kind, check, record, before, past)
    if n:
        changes.keep(so_far.made, record, before)
    number = so_far.openings + len(record.openings)
    heads = {**so_far.heads, n: head_of(raw)}
    so_far.links[n] = record
    more = so_far._replace(game=game, key=key, heads=heads, openings=number)
    return more._replace(last=record, referees=record.referees)


def _wrong_succession(record: StateRecord, before: StateRecord | None, past: EarlierStates) -> str:
    """Keys pass on by the signature of a referee only, and with them the wraps of the secret."""
    if past.game:
        told = before.referees if before else None
        if wrong := wrong_succession(record.referees, told, past.game, record.n):
            return wrong
    row = record.referees[-1]
    if [name for name, _ in record.wraps] != [key_id(row.acting), key_id(row.recovery)]:
        return "wraps the secret to others than its referees"
    if before is None:
        return ""
    if record.referees == before.referees and record.wraps != before.wraps:
        return "wraps the secret anew without a new referee"
    if record.referees != before.referees and not before.dealt:
        return "has other referees before the first order is played"
    return ""


def _wrong_game(record: StateRecord, before: StateRecord | None, past: EarlierStates) -> str:
    if before is not None and before.n != record.n - 1:
        raise wrong_state(record.n - 1, "is missing", "missing")
    return "belongs to another game" if record.n and record.game != past.game else ""


def _wrong_follower(record: StateRecord, before: StateRecord | None, past: EarlierStates) -> str:
    """It follows the state before."""
    if before is None:
        return ""
    head = past.heads[before.n]
    if record.prev != b64(head):
        return f"does not follow this state {before.n}: one of the two is from another history"
    same = record.restored == before.knows(head)
    return "" if same else "does not name the newest ruling `restore` before it"


def _when(odd: Callable[[StateRecord, StateRecord], bool], what: str) -> Check:
    return lambda record, before, _: what if before is not None and odd(record, before) else ""


_OVER = _when(lambda _, old: old.phase == CLOSED, "comes after the state that closed the game")
_UNSETTLED = _when(lambda x, old: x.setup != old.setup, "changes what was settled in the genesis")


def _wrong_people(record: StateRecord, before: StateRecord | None, past: EarlierStates) -> str:
    """The roster is signed by who joined; later a ruling alone changes who plays."""
    given_up = record.phase == CLOSED and not record.dealt
    wrong = contribution.wrong_keys(record.people, record.n, given_up)
    if wrong or before is None:
        return wrong
    if record.phase == "roster":
        head = past.heads[record.n - 1]
        if wrong := contribution.wrong_roster(head, record.roster, record.setup.seats):
            return wrong
        same = record.people == contribution.seated(before.people, record.roster)
        return "" if same else "has other keys of players than they joined with"
    same = record.people == before.people or before.dealt  # then a ruling may change it
    return "" if same else "changes who plays, without a ruling"


def _wrong_contributions(
    record: StateRecord, before: StateRecord | None, past: EarlierStates
) -> str:
    """The deal is signed by who joined, and it stays what each of them gave."""
    if before is None or record.phase == "roster":
        return ""
    if record.phase == "deal":
        heads = past.heads.get(0), past.heads[record.n - 1]
        return contribution.wrong_deal(*heads, record.opened, record.contributions, before.roster)
    same = record.contributions == before.contributions
    return "" if same else "tells otherwise what each seat gave to the deal"


#: what is looked at in each state, after its signature: the line of an audit it belongs to, the
#: kind of the fault (SPECIFICATION section 12), how
CHECKS: tuple[tuple[str, str, Check], ...] = (
    ("referees", "succession", _wrong_succession),
    ("chain", "game", _wrong_game),
    ("chain", "closed", _OVER),
    ("chain", "chain", _wrong_follower),
    ("chain", "settled", _UNSETTLED),
    ("contributions", "roster", _wrong_people),
    ("contributions", "opened", _wrong_contributions),
    ("chain", "heads", changes.wrong_heads),
    ("rulings", "ruling", changes.wrong_ruling),
    ("chain", "clock", wrong_clock),
    ("openings", "slots", changes.wrong_slots),
    ("openings", "opening", changes.wrong_openings),
)


def wrong_state(n: int, what: str, kind: str) -> Refused:
    hint = "compare it with the copies of others; a chain was rewritten"
    return Refused(f"verify/{kind}", f"state {n} {what}", hint)


#: the kinds of faults that have other codes than ``verify/KIND``
_KINDS = {
    "state/other-key": "signature", "state/not-genuine": "signature", "state/toml": "document",
    "state/spelling": "document", "state/referees": "succession", "verify/no-key": "missing",
    "verify/not-genesis": "number", "verify/two-histories": "histories",
}  # fmt: skip
_PLACES = {"state": "frame", "document": "document", "event": "document", "archive": "container"}


def kind_of(error: PbemError) -> str:
    """The kind of a fault (SPECIFICATION section 12), "" where its code says none."""
    place, _, what = error.code.partition("/")
    kinds = {*(kind for _, kind, _ in CHECKS), "missing", "number", "lost", "round", "signature"}
    known = what if place == "verify" and what in kinds else ""
    return _KINDS.get(error.code) or known or _PLACES.get(place, "")


NONE = "none"


def follows(found: Chain, chains: Mapping[str, Chain]) -> str:
    """What is to be said of the round before this one, "" where it is the first.

    Refused ``verify/round`` where the one before is here and was not given up before its deal, or
    another that follows it is.
    """
    if found.last is None:
        return ""
    setup = found.last.setup
    if setup.previous == NONE:
        return ""
    for other in chains.values():
        if other.last and other.last.setup.previous == setup.previous and other.game != found.game:
            raise _wrong(found, f"and game {other.game} both follow one round that was cancelled")
    before = next((x for x in chains.values() if b64(x.heads.get(0, b"")) == setup.previous), None)
    if before is None or before.last is None:
        return f"; it is round {setup.round}, and the one before it is not here"
    if before.last.phase != CLOSED or before.last.dealt:
        raise _wrong(found, f"replaces game {before.game}, which was not cancelled before its deal")
    if before.last.setup.round != setup.round - 1:
        raise _wrong(found, f"is round {setup.round} after round {before.last.setup.round}")
    return f"; it is round {setup.round}, after game {before.game}, which was cancelled"


def _wrong(found: Chain, what: str) -> Refused:
    return Refused("verify/round", f"game {found.game} {what}", "keep both; together they prove it")
