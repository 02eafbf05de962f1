"""What a player had waiting, as three tell it: a receipt, the block of a report, a state.

What lives here: the value of a hand against its commitment, a receipt against a hand, what a ruling
`void` says was lost. What must never be here: the secret, the rules of a game, files.
Law: between a receipt and the next state nothing happens to orders but that newer ones come.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from pbem.chain.loaded_game import Played, hand_slot
from pbem.chain.rulings.kind import VOID
from pbem.chain.sources import SIGNED, source_of
from pbem.chain.state_record import StateRecord
from pbem.crypto.tokens import check_opening
from pbem.errors import Refused
from pbem.notation.absence import PRESENT, days_of, is_absence
from pbem.notation.asks import WITHDRAW
from pbem.notation.commands import answer_in, ask_in
from pbem.play.pending_file import read_value
from pbem.play.pending_orders import (
    NOW,
    Hand,
    Part,
    as_signed,
    order_of,
    part_of,
    taken_back,
    takes_back,
    waited,
)
from pbem.play.validate_email import MOST_ORDERS
from pbem.proof.verify.verify import Chain
from pbem.report.block import Block
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock

ONE_LIES = "keep both: together they prove that one of them lies"


def were_lost(n: int, records: Iterable[StateRecord]) -> bool:
    """Whether a ruling says that what waited before state ``n`` was lost."""
    return any(
        it.name == VOID.name and int(it.operand("from")) < n <= record.n
        for record in records
        for it in record.rulings
    )


def cleared(n: int, records: Mapping[int, StateRecord]) -> bool:
    """Whether such a ruling came before anything could use what waited before state ``n``: then
    nothing is held against it. In a state with orders a ruling excuses only what nobody can open.
    """
    while (record := records.get(n)) is not None and record.rulings:
        if were_lost(n, [record]):
            return True
        n += 1
    return False


def opened_hand(record: StateRecord, seat: str, value: str, k: bytes) -> Hand | None:
    """What waited before a state, if this is what the state commits to."""
    commitment = dict(record.hands).get(seat)
    if commitment is None or not check_opening(
        commitment, record.game, hand_slot(record.n, seat), k, value
    ):
        return None
    return read_value(value)


def not_as_sent(receipt: Receipt, hand: Hand) -> str:
    """What the hand before the state after a receipt has not as the receipt says; "" if nothing."""
    if not receipt.nr:
        return ""
    kept = [line for verdict, line in receipt.lines if verdict == "kept"]
    back = {line for line in kept if _takes_back(line)}
    newer = [part for part in hand.parts if part.nr > receipt.nr]
    names = {part.name for part in newer}
    asks = [row.line for part in newer for row in part.rows if part.rest and takes_back(row)]
    lines = [line for line in kept if is_order(line)]
    sent = [x for x in lines if not (part_of(x) in names or taken_back(part_of(x), asks))]
    mine = [part for part in hand.parts if part.nr == receipt.nr]
    had = [as_signed(x, row) for x in mine for row in x.lines]
    older = [part for part in hand.parts if part.nr < receipt.nr and taken_back(part.name, back)]
    old = [as_signed(x, row) for x in older for row in x.lines]
    less, more = Counter(sent) - Counter(had), Counter(had) - Counter(sent)
    whole = len(receipt.lines) < MOST_ORDERS
    wrong = [f"`{line}` is not among them" for line in less]
    wrong += [f"`{line}` is among them" for line in (*(more if whole else ()), *old)]
    if not wrong and whole and _by_part(had) != _by_part(sent):
        wrong = ["they stand in another order"]
    return wrong[0] if wrong else ""


def replaced_by(receipt: Receipt, hand: Hand) -> int:
    """The number of newer orders that stand in this hand in place of some that a receipt says were
    kept, if nobody signed them; 0 if there are none.
    """
    lines = [line for verdict, line in receipt.lines if verdict == "kept" and is_order(line)]
    return _newer(receipt.nr, {*map(part_of, lines)}, hand)


def replaced_part(part: Part, hand: Hand) -> int:
    """The same of a part that was left to wait."""
    return _newer(part.nr, {part.name} if part.lines else set(), hand)


def _newer(nr: int, names: set[str], hand: Hand) -> int:
    newer = [x for x in hand.parts if x.nr > nr and x.source != SIGNED.name]
    return max(
        (
            part.nr
            for part in newer
            for name in names
            if part.name == name or (part.rest and taken_back(name, [x.line for x in part.rows]))
        ),
        default=0,
    )


def _by_part(lines: list[str]) -> list[str]:
    """In the order of the parts, each as its lines were sent."""
    return sorted(lines, key=part_of)


def used_in_spite(receipt: Receipt, played: Played, complete: Callable[[str], str]) -> str:
    """Why, by a receipt, an order of its seat could not be used later; "" if it could. It needs
    nothing of what waited. ``complete``: what the rules make of an order that is used there.

    Of a line that is not signed nobody knows for what it waited: only what took back all counts.
    """
    kept = [line for verdict, line in receipt.lines if verdict == "kept"]
    if not source_of(played.source).own or not receipt.nr or played.nr > receipt.nr:
        return ""
    line = played.signed or played.line
    if played.nr == receipt.nr:
        orders = kept if played.signed else [order_of(x) for x in kept if is_order(x)]
        there = line in orders or (not played.signed and line in map(complete, orders))
        return "" if there or len(receipt.lines) >= MOST_ORDERS else "is not among them"
    name = part_of(line)
    parts = {part_of(x) for x in kept if is_order(x)}
    if WITHDRAW in kept or (played.signed and (name in parts or taken_back(name, kept))):
        return f"was of orders number {played.nr}, and they took its place, or took it back"
    return ""


def wrong_receipt(said: Receipt, known: Chain) -> str:
    """What a receipt says that cannot be, whatever waited; "" if nothing."""
    kept = [line for verdict, line in said.lines if verdict == "kept"]
    if not said.nr and not all(map(is_absence, kept)):
        return "says that lines were kept, and gives them no number"
    today = date.fromisoformat(said.time[:10])
    if any(x != PRESENT and days_of(x, today) is None for x in kept if is_absence(x)):
        return "says that an absence was kept, and names no days"
    here, after = known.links.get(said.n), known.links.get(said.n + 1)
    if here is not None and said.time < here.time:
        return f"says that it is older than state {said.n}, which it names"
    if after is not None and said.time > after.time:
        return f"is of {said.time}, when the game had gone on from state {said.n}, which it names"
    return ""


def is_order(line: str) -> bool:
    """Whether a line as it was sent is an order, and asks for nothing else."""
    return not (_takes_back(line) or ask_in(line.lower()) or answer_in(line))


def _takes_back(line: str) -> bool:
    return line.partition(" ")[0] == WITHDRAW


class Sent(NamedTuple):
    """A receipt, and where it was given."""

    path: str
    receipt: Receipt


class Numbered(NamedTuple):
    """Receipts with numbers of one seat, as long as they rise: those that differ, each once."""

    by_number: dict[int, Sent]
    in_time: list[tuple[str, int, int]]  #: time, state, number, ascending
    paths: dict[tuple[str, int, int], str]


def in_its_place(nr: int, newer: int) -> str:
    """That the referee's word alone is for what took the place of orders number ``nr``."""
    return (
        f"orders number {newer}, of which no receipt is given so far, took the place of number {nr}"
    )


def _compared(sent: Sent, hand: Hand, given: Iterable[Receipt]) -> tuple[int, str]:
    """The number, and what took its place without a receipt among those ``given``; Refused where
    the hand has not what the receipt says.
    """
    if wrong := not_as_sent(sent.receipt, hand):
        told = sent.receipt
        what = (
            f"what the referee had waiting of {told.seat} before state {told.n + 1} is not what "
            f"{sent.path} says of orders number {told.nr}: {wrong}"
        )
        raise Refused("verify/waiting", what, ONE_LIES)
    nr, newer = sent.receipt.nr, replaced_by(sent.receipt, hand)
    bare = newer and all(one.nr != newer for one in given)
    return nr, in_its_place(nr, newer) if bare else ""


class Waits(dict[tuple[str, str, int], tuple[dict[Receipt, Sent], dict[str, Hand]]]):
    """By game, seat and state: receipts of the state before, and what waited before this one; each
    once, however often it is given.
    """

    def __init__(self) -> None:
        super().__init__()
        #: receipts by game, seat, and since when which key counts
        self.numbered: dict[tuple[str, str, int, bytes], Numbered] = {}

    def agree(self, path: str, chains: Mapping[str, Chain], *found: SignedBlock) -> str:
        """What receipts say that a player sent, and reports that the referee had, compared where
        the states are here; Refused ``verify/waiting`` where one of them lies. What is to be said.
        """
        says = set[tuple[int, str]]()
        for one in found:
            if isinstance(one, ReceiptBlock):
                said = one.receipt
                self._rises(chains, told := Sent(path, said))
                sent, had = self._at(chains, said.game, said.seat, said.n + 1)
                told = sent.setdefault(said, told)
                says |= {_compared(told, hand, sent) for hand in had.values()}
                n = said.n + 2
                while self._holds(said.game, said.seat, n - 1, said.nr):
                    says |= {*self._replaced(chains, said.game, said.seat, n)}
                    n += 1
                continue
            for n, value, _ in one.hands:
                sent, had = self._at(chains, one.game, one.seat, n)
                hand = had.setdefault(value, read_value(value))
                says |= {_compared(told, hand, sent) for told in sent.values()}
                for m in (n, n + 1):
                    says |= {*self._replaced(chains, one.game, one.seat, m)}
        numbers = ", ".join(str(nr) for nr, newer in sorted(says) if nr and not newer)
        agrees = f"; this agrees with the receipt for orders number {numbers}" if numbers else ""
        return agrees + "".join(f"; {newer}" for _, newer in sorted(says) if newer)

    def _holds(self, game: str, seat: str, n: int, nr: int) -> bool:
        """Whether orders of this number are known to have waited before a state."""
        _, had = self.get((game, seat, n), ({}, {}))
        return any(part.nr == nr for hand in had.values() for part in hand.parts)

    def _replaced(
        self, chains: Mapping[str, Chain], game: str, seat: str, n: int
    ) -> Iterator[tuple[int, str]]:
        """What took the place of orders that a receipt tells of between the states n-1 and n, and
        has none itself; as far as it shows without the rules: nothing of the seat was used there.
        """
        record = chains[game].links.get(n - 1) if game in chains else None
        if record is None or any(entry.seat == seat for entry in record.entries):
            return
        row = record.player(seat)
        told = self.numbered.get((game, seat, row.since, row.key), Numbered({}, [], {}))
        sent, had = self.get((game, seat, n), ({}, {}))
        _, before = self.get((game, seat, n - 1), ({}, {}))
        pairs = ((was, now) for was in before.values() for now in had.values())
        for was, now in pairs:
            for part in was.parts if was.stopped == now.stopped else ():
                # a turn that is over takes what was for now with it
                over = part.name == NOW and not record.rulings
                newer = 0 if over or part.nr not in told.by_number else replaced_part(part, now)
                if newer and all(one.nr != newer for one in sent):
                    yield part.nr, in_its_place(part.nr, newer)

    def _rises(self, chains: Mapping[str, Chain], new: Sent) -> None:
        """Refused ``verify/numbers`` where a later receipt of a seat has a lower number, and no
        ruling or other key made the numbers begin anew; a ruling that emails of then were lost
        excuses those.
        """
        from bisect import bisect_left, insort  # few commands are given a receipt

        said = new.receipt
        if said.game not in chains or said.n not in chains[said.game].links or not said.nr:
            return
        if all(verdict != "kept" for verdict, _ in said.lines):
            return  # it may answer an email that came late
        if cleared(said.n + 1, chains[said.game].links):
            return  # what was lost had numbers that were given again
        row = chains[said.game].links[said.n].player(said.seat)
        key = (said.game, said.seat, row.since, row.key)
        known = self.numbered.setdefault(key, Numbered({}, [], {}))
        same = known.by_number.setdefault(said.nr, new)
        if same.receipt.lines != said.lines:
            what = f"{new.path} and {same.path} give other orders of {said.seat} one number"
            raise Refused("verify/numbers", what, ONE_LIES)
        mine = (said.time, said.n, said.nr)
        if mine in known.paths:
            return
        at = bisect_left(known.in_time, (said.time, said.n))
        end = bisect_left(known.in_time, (said.time, said.n + 1))
        older = [(one, mine) for one in known.in_time[max(0, at - 1) : at]]
        for first, later in (*older, *((mine, one) for one in known.in_time[end : end + 1])):
            if later[2] < first[2]:
                path = {mine: new.path, **known.paths}
                what = (
                    f"{path[later]} has number {later[2]} for orders of {said.seat}, and "
                    f"{path[first]}, which is older, number {first[2]}"
                )
                raise Refused("verify/numbers", what, ONE_LIES)
        insort(known.in_time, mine)
        known.paths[mine] = new.path

    def _at(
        self, chains: Mapping[str, Chain], game: str, seat: str, n: int
    ) -> tuple[dict[Receipt, Sent], dict[str, Hand]]:
        """What is known so far of one state, where nothing was lost."""
        if game not in chains or cleared(n, chains[game].links):
            return {}, {}
        return self.setdefault((game, seat, n), ({}, {}))


def check_hands(name: str, found: Block, known: Chain) -> str:
    """What the seat had waiting before each of its states, in words; Refused where that is left
    out, or is not what the state commits to.
    """
    told = {n: (value, k) for n, value, k in found.hands}
    numbers, says = range(found.first, found.n + 1), ""
    wrong = {*told} - {*numbers}
    for n in (n for n in numbers if n in known.links):
        record = known.links[n]
        if n not in told and found.seat in dict(record.hands):
            if were_lost(n, known.links.values()):
                continue
            what = f"{name} does not say which orders {found.seat} had waiting before state {n}"
            raise Refused("verify/hands", what, ONE_LIES)
        hand = opened_hand(record, found.seat, *told[n]) if n in told else Hand()
        if hand is None or wrong:
            what = f"{name} says that other orders were waiting than state {n} commits to"
            raise Refused("verify/hands", what, ONE_LIES)
        if hand.lines:
            lines = ", ".join(f"`{line}`" for line in waited(hand))
            says += f"; before state {n} the referee had {lines} of {found.seat}"
    return says
