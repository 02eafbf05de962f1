"""What a state may change of the one before: hidden things, and by a ruling the rest.

What lives here: which link made a slot, what each state must keep of the one before, whether a
ruling is what it says. What must never be here: the secret, the rules of a game, files.
Laws: a commitment stays with its slot; nothing hidden goes away unopened, but what an undo takes
back and a correction replaces. A ruling makes a link of its own; of the game, the players and the
keys it changes what its kind may, and nothing else changes without an order.
Source: docs/SPECIFICATION.md sections 7, 9 and 12; chain/rulings/kinds.py, which has the kinds; P5.
"""

import functools
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from pbem.chain.rulings.correct import corrects_hidden
from pbem.chain.rulings.kind import CLOSE, Kind, as_before, commitments
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.rulings.undo import undone_to
from pbem.chain.sources import BY_BOT, DEFAULT, RULED, source_of
from pbem.chain.state_record import CLOSED, DEAL, PHASES, StateRecord
from pbem.crypto.encoding import unb64
from pbem.crypto.signing import verify
from pbem.crypto.tokens import check_opening, commit_secret
from pbem.notation.asks import YES


class EarlierStates(NamedTuple):
    """What a state is held against besides the one before it."""

    heads: Mapping[int, bytes]
    game: str
    links: Mapping[int, StateRecord]


def wrong_ruling(record: StateRecord, before: StateRecord | None, past: EarlierStates) -> str:
    """What is wrong with what a link rules, or changes without a ruling; "" if nothing."""
    wrong = _closing(record) or _dealing(record)
    if wrong or before is None or not before.dealt or not record.dealt:
        return wrong
    if record.setup != before.setup:  # other seats, perhaps: nothing can be compared
        return "changes what was settled in the genesis"
    return (
        _ruled(record, before, past.links)
        if record.rulings
        else _without(record, before, past.links.get(0))
    )


def _closing(record: StateRecord) -> str:
    """The last link opens the secret, and says so."""
    closes = [ruling.name for ruling in record.rulings if kind_of(ruling).closes]
    if record.phase != CLOSED:
        return f"has the ruling `{closes[0]}` and does not close the game" if closes else ""
    if commit_secret(record.secret) != record.setup.commit:
        return "opens another secret than the genesis committed to"
    if not closes or len(closes) != len(record.rulings):
        return "closes the game without the ruling that does"
    if not record.dealt and closes[0] != CLOSE.name:
        return "ends a game that was not dealt"
    return "closes the game twice" if record.rulings[1:] else ""


def _dealing(record: StateRecord) -> str:
    """In the deal nothing is played or ruled yet."""
    if record.phase != PHASES[DEAL]:
        return ""
    if record.entries or record.rulings or record.replaced or record.consents:
        return "has orders or rulings in the deal"
    nothing = tuple((seat, 0) for seat in record.setup.seats)
    return "" if record.answered == nothing else "counts answers before the first order"


def _ruled(record: StateRecord, before: StateRecord, records: Mapping[int, StateRecord]) -> str:
    """A ruling, in a link of its own."""
    kind = kind_of(record.rulings[0])
    if any(ruling.name != kind.name or not kind.several for ruling in record.rulings[1:]):
        return "has two different rulings"
    if record.entries or record.events or record.openings:
        return "has a ruling together with orders"
    if (record.referees != before.referees) != kind.appoints:
        return f"has the ruling `{kind.name}`, which does not fit its keys"
    void = _void(record, kind)
    wrong = _people(record, before, kind, void) or kind.wrong(record, before, records)
    if not wrong and record.answered != tuple((x, n + (x in void)) for x, n in before.answered):
        wrong = "counts other answers than it has orders"
    wrong = wrong or _consents(record, before, kind.agreed(record, before, records))
    if wrong or kind.plays or as_before(record, before):
        return wrong
    return f"changes the game under the ruling `{kind.name}`"


def _consents(record: StateRecord, before: StateRecord, asked: tuple[str, ...] | None) -> str:
    """Each seat with a key that must agree has signed that it does; no other is named.

    ``asked`` None: states are missing, and nobody can say who must.
    """
    there = tuple(vote.seat for vote in record.consents)
    keys = {player.seat: player.key for player in before.people if player.key}
    wanted = there if asked is None else asked
    if there != tuple(seat for seat in keys if seat in wanted):
        return "has not the signed consents of those seats with a key that must agree"
    head, act = unb64(record.prev, 32), record.rulings[0].act
    for seat, answer, sig in record.consents:
        parts = (record.game, head, seat, act, answer)
        if answer != YES or not verify(keys[seat], "consent", sig, *parts):
            return f"has no consent to its ruling that {seat} signed"
    return ""


def _without(record: StateRecord, before: StateRecord, genesis: StateRecord | None) -> str:
    """No ruling: orders alone change the game."""
    if not record.entries:
        return "has neither an order nor a ruling"
    if record.referees != before.referees or record.people != before.people:
        return "changes who plays or who may sign, without a ruling"
    if record.replaced != before.replaced:
        return "replaces a hidden value without a ruling"
    if record.consents:
        return "has consents, and no ruling"
    given = {entry.source for entry in record.entries}
    if DEFAULT.name in given and before.clock.missed != DEFAULT.name:
        return "gives an order by default, in a game that waits for a missed turn (R-2)"
    clocks = (before.clock, genesis.clock) if genesis else (before.clock,)
    agreed = all(clock.missed == BY_BOT.name for clock in clocks)
    for entry in record.entries:
        source, player = source_of(entry.source), before.player(entry.seat)
        if source is BY_BOT and player.key and not agreed:
            return f"has an order by a bot for {entry.seat}, who plays with a key"
        if source is RULED or (source.own and source.name not in player.way.sources):
            way = player.way.by
            return f"has an order of {entry.seat}, identified by {way}, that came as {source.name}"
    told = dict(before.answered)
    for entry in record.entries:
        told[entry.seat] = told.get(entry.seat, 0) + 1
    same = record.answered == tuple(told.items())
    return "" if same else "counts other answers than it has orders"


def _void(record: StateRecord, kind: Kind) -> frozenset[str]:
    """The seats whose older orders count no more: their questions are asked again."""
    seat = record.rulings[0].operand("seat") if kind.reseats else ""
    return frozenset(
        x.seat for x in record.people if kind.voids or (x.seat == seat and x.since == record.n)
    )


def _people(record: StateRecord, before: StateRecord, kind: Kind, void: frozenset[str]) -> str:
    """Who plays, and from when on his orders count."""
    free = record.rulings[0].operand("seat") if kind.reseats else ""
    for player, old in zip(record.people, before.people, strict=True):
        told = old._replace(since=record.n) if player.seat in void else old
        if player != told and not (player.seat == free and player.since == told.since):
            return f"changes the player of {player.seat} otherwise than it rules"
    return ""


#: slot to the link that made it and its commitment
Made = dict[str, tuple[int, bytes]]


@functools.lru_cache(4096)  # the same slots stand in state after state
def maker_or_none(slot: str) -> int | None:
    """The number of the link that made a slot, by its name; None where that is no number."""
    text = slot.partition("/")[0]
    return int(text) if re.fullmatch("[1-9][0-9]{0,5}", text) else None


def keep(made: Made, record: StateRecord, before: StateRecord | None) -> None:
    """Remember every commitment: the first state that is here also has those of states missing.

    The link was checked.
    """
    if before is None:
        told = [(row.slot, row.commitment) for row in record.sealed]
        told += [(row.slot, row.commitment) for row in record.openings]
        made.update((slot, (maker_or_none(slot) or 0, c)) for slot, c in told)
    for slot, commitment in record.commits:
        made[slot] = record.n, commitment


def wrong_heads(record: StateRecord, before: StateRecord | None, past: EarlierStates) -> str:
    """The head before each link that made a slot is the chain's own, as far as it is here."""
    makers = [m for m, _ in record.heads]
    if wrong := _twice([f"the head before {m}" for m in makers]):
        return wrong
    if strange := [m for m in makers if not 0 < m <= record.n]:
        return f"names a head before state {min(strange)}"
    told = dict(before.heads) if before else {}
    for m, head in record.heads:
        own = unb64(record.prev, 32) if m == record.n else None
        known = own or past.heads.get(m - 1) or told.get(m)
        if head != known and (known or before):
            return f"names another head before state {m} than this chain has"
    return ""


def _here(record: StateRecord) -> list[str]:
    """What the state hides or opens, by slot."""
    return [row.slot for row in record.sealed] + [row.slot for row in record.openings]


def _made_by_none(record: StateRecord) -> str:
    for slot in _here(record):
        maker = maker_or_none(slot)
        if maker is None or maker > record.n:
            return f"has {slot[:60]}, which no state up to it can have made"
    return ""


def _twice(names: list[str]) -> str:
    """A thing is named once."""
    if len({*names}) == len(names):
        return ""
    return f"has {min(name for name, times in Counter(names).items() if times > 1)} twice"


def wrong_slots(record: StateRecord, newest: StateRecord | None, past: EarlierStates) -> str:
    """P5: a commitment stays with its slot, new ones are this link's, and openings fit them."""
    before = _base(record, newest, past.links)
    wrong = (
        _twice([slot for slot, _ in record.commits])
        or _twice(_here(record))
        or _made_by_none(record)
    )
    strange = [slot for slot, _ in record.commits if slot.partition("/")[0] != str(record.n)]
    if wrong or strange:
        return wrong or f"commits to {strange[0]}, which is not of this state"
    held = (commitments(before) if before else {}) | dict(record.commits)
    whole = before is not None
    return _other(record, held, whole) or _other_heads(record)


def _other_heads(record: StateRecord) -> str:
    """The heads it names are those before the states that made what it still hides."""
    makers = sorted({maker_or_none(sealed.slot) or 0 for sealed in record.sealed})
    same = [m for m, _ in record.heads] == makers
    return "" if same else "does not name the head before each state that made what it hides"


def _base(
    record: StateRecord, before: StateRecord | None, records: Mapping[int, StateRecord]
) -> StateRecord | None:
    """The state whose slots this one goes on with: the one before, or that of an undo.

    What a correction replaces is gone there: its commitment stays in the older states.
    """
    back = undone_to(record)
    if back is not None:
        return records.get(back)
    gone = {ruling.operand("old") for ruling in record.rulings if corrects_hidden(ruling)}
    if before is None or not gone:
        return before
    left = tuple(sealed for sealed in before.sealed if sealed.slot not in gone)
    return before._replace(sealed=left)


def _other(record: StateRecord, held: Mapping[str, bytes], whole: bool) -> str:
    """What is hidden or opened against another commitment than was ``held``, or is gone.

    Not ``whole``: the state before is not here; what this state made it commits to all the same.
    """
    own = f"{record.n}/"
    for sealed in record.sealed:
        if (whole or sealed.slot.startswith(own)) and held.get(sealed.slot) != sealed.commitment:
            return f"has another commitment for {sealed.slot} than before"
    for opened in record.openings:
        told = whole or opened.slot.startswith(own)
        if told and held.get(opened.slot) != opened.commitment:
            return f"opens {opened.slot} against another commitment than was made"
    gone = {*held} - {*_here(record)}
    return f"drops {min(gone)} without opening it" if whole and gone else ""


def wrong_openings(record: StateRecord, _: StateRecord | None, __: EarlierStates) -> str:
    for opening in record.openings:
        if not check_opening(
            opening.commitment, record.game, opening.slot, opening.k, opening.value
        ):
            return f"opens {opening.slot} with a value that was not committed"
    return ""
