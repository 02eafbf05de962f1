"""What a player had waiting, as three tell it: a receipt, the block of a report, a state.

What lives here: the value of a hand against its commitment, a receipt against a hand, what a ruling
`void` says was lost. What must never be here: the secret, the rules of a game, files.
Law: between a receipt and the next state nothing happens to orders but that newer ones come.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.crypto.tokens import check_opening
from pbem.errors import Refused
from pbem.files.orders.commands import WITHDRAW, answer_in, ask_in
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import BY_BOT, source_of
from pbem.moderator.chain.position import Played, hand_slot
from pbem.moderator.report.block import Block, Receipt, ReceiptBlock
from pbem.moderator.ruling.kind import VOID
from pbem.moderator.turn.hand import (
    Hand,
    as_signed,
    order_of,
    part_of,
    read_value,
    taken_back,
    takes_back,
    waited,
)
from pbem.moderator.turn.intake import MOST_ORDERS
from pbem.moderator.verify.verify import Chain

ONE_LIES = "keep both: together they prove that one of them lies"


def were_lost(n: int, links: Iterable[Link]) -> bool:
    """Whether a ruling says that what waited before state ``n`` was lost."""
    return any(
        it.name == VOID.name and int(it.operand("from")) < n <= link.n
        for link in links
        for it in link.rulings
    )


def cleared(n: int, links: Mapping[int, Link]) -> bool:
    """Whether such a ruling came before anything could use what waited before state ``n``: then
    nothing is held against it. In a state with orders a ruling excuses only what nobody can open.
    """
    while (link := links.get(n)) is not None and link.rulings:
        if were_lost(n, [link]):
            return True
        n += 1
    return False


def opened_hand(link: Link, seat: str, value: str, k: bytes) -> Hand | None:
    """What waited before a state, if this is what the state commits to."""
    commitment = dict(link.hands).get(seat)
    if commitment is None or not check_opening(
        commitment, link.game, hand_slot(link.n, seat), k, value
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
    lines = [line for line in kept if _is_order(line)]
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


def _by_part(lines: list[str]) -> list[str]:
    """In the order of the parts, each as its lines were sent."""
    return sorted(lines, key=part_of)


def used_in_spite(receipt: Receipt, played: Played) -> str:
    """Why, by a receipt, an order of its seat could not be used later; "" if it could. It needs
    nothing of what waited.

    Of a line that is not signed nobody knows for what it waited: only what took back all counts.
    """
    kept = [line for verdict, line in receipt.lines if verdict == "kept"]
    given = not source_of(played.source).given and source_of(played.source) is not BY_BOT
    if not given or not receipt.nr or played.nr > receipt.nr:
        return ""
    line = played.signed or played.line
    if played.nr == receipt.nr:
        there = kept if played.signed else map(order_of, kept)
        return "" if line in there or len(receipt.lines) >= MOST_ORDERS else "is not among them"
    name = part_of(line)
    parts = {part_of(x) for x in kept if _is_order(x)}
    if WITHDRAW in kept or (played.signed and (name in parts or taken_back(name, kept))):
        return f"was of orders number {played.nr}, and they took its place, or took it back"
    return ""


def wrong_receipt(said: Receipt, known: Chain) -> str:
    """What a receipt says that cannot be, whatever waited; "" if nothing."""
    if not said.nr and any(verdict == "kept" for verdict, _ in said.lines):
        return "says that lines were kept, and gives them no number"
    here, after = known.links.get(said.n), known.links.get(said.n + 1)
    if here is not None and said.time < here.time:
        return f"says that it is older than state {said.n}, which it names"
    if after is not None and said.time > after.time:
        return f"is of {said.time}, when the game had gone on from state {said.n}, which it names"
    return ""


def _is_order(line: str) -> bool:
    return not (_takes_back(line) or ask_in(line.lower()) or answer_in(line))


def _takes_back(line: str) -> bool:
    return line.partition(" ")[0] == WITHDRAW


class Sent(NamedTuple):
    """A receipt, and where it was given."""

    path: str
    receipt: Receipt


def _compared(sent: Sent, hand: Hand) -> bool:
    """True; Refused where the hand has not what the receipt says."""
    if wrong := not_as_sent(sent.receipt, hand):
        told = sent.receipt
        what = (
            f"what the referee had waiting of {told.seat} before state {told.n + 1} is not what "
            f"{sent.path} says of orders number {told.nr}: {wrong}"
        )
        raise Refused("verify/waiting", what, ONE_LIES)
    return True


class Waits(dict[tuple[str, str, int], tuple[list[Sent], list[Hand]]]):
    """By game, seat and state: receipts of the state before, and what waited before this one."""

    def __init__(self) -> None:
        super().__init__()
        #: receipts by game, seat, and since when which key counts
        self.numbered: dict[tuple[str, str, int, bytes], list[Sent]] = {}

    def agree(self, path: str, chains: Mapping[str, Chain], *found: Block | ReceiptBlock) -> str:
        """What receipts say that a player sent, and reports that the referee had, compared where
        the states are here; Refused ``verify/waiting`` where one of them lies. What is to be said.
        """
        agreed = set[int]()
        for one in found:
            if isinstance(one, ReceiptBlock):
                said = one.receipt
                self._rises(chains, Sent(path, said))
                sent, had = self._at(chains, said.game, said.seat, said.n + 1)
                sent.append(told := Sent(path, said))
                agreed |= {said.nr for hand in had if _compared(told, hand)}
                continue
            for n, value, _ in one.hands:
                sent, had = self._at(chains, one.game, one.seat, n)
                had.append(hand := read_value(value))
                agreed |= {told.receipt.nr for told in sent if _compared(told, hand)}
        numbers = ", ".join(map(str, sorted(agreed - {0})))
        return f"; this agrees with the receipt for orders number {numbers}" if numbers else ""

    def _rises(self, chains: Mapping[str, Chain], new: Sent) -> None:
        """Refused ``verify/numbers`` where a later receipt of a seat has a lower number, and no
        ruling or other key made the numbers begin anew.
        """
        said = new.receipt
        if said.game not in chains or said.n not in chains[said.game].links or not said.nr:
            return
        if all(verdict != "kept" for verdict, _ in said.lines):
            return  # it may answer an email that came late
        row = chains[said.game].links[said.n].player(said.seat)
        others = self.numbered.setdefault((said.game, said.seat, row.since, row.key), [])
        for old in others:
            first, later = sorted((old, new), key=lambda x: (x.receipt.time, x.receipt.n))
            apart = (first.receipt.time, first.receipt.n) != (later.receipt.time, later.receipt.n)
            if later.receipt.nr == first.receipt.nr and later.receipt.lines != first.receipt.lines:
                what = f"{later.path} and {first.path} give other orders of {said.seat} one number"
                raise Refused("verify/numbers", what, ONE_LIES)
            if apart and later.receipt.nr < first.receipt.nr:
                what = (
                    f"{later.path} has number {later.receipt.nr} for orders of {said.seat}, and "
                    f"{first.path}, which is older, number {first.receipt.nr}"
                )
                raise Refused("verify/numbers", what, ONE_LIES)
        others.append(new)

    def _at(
        self, chains: Mapping[str, Chain], game: str, seat: str, n: int
    ) -> tuple[list[Sent], list[Hand]]:
        """What is known so far of one state, where nothing was lost."""
        if game not in chains or cleared(n, chains[game].links):
            return [], []
        return self.setdefault((game, seat, n), ([], []))


def check_hands(name: str, found: Block, known: Chain) -> str:
    """What the seat had waiting before each of its states, in words; Refused where that is left
    out, or is not what the state commits to.
    """
    told = {n: (value, k) for n, value, k in found.hands}
    numbers, says = range(found.first, found.n + 1), ""
    wrong = {*told} - {*numbers}
    for n in (n for n in numbers if n in known.links):
        link = known.links[n]
        if n not in told and found.seat in dict(link.hands):
            if were_lost(n, known.links.values()):
                continue
            what = f"{name} does not say which orders {found.seat} had waiting before state {n}"
            raise Refused("verify/hands", what, ONE_LIES)
        hand = opened_hand(link, found.seat, *told[n]) if n in told else Hand()
        if hand is None or wrong:
            what = f"{name} says that other orders were waiting than state {n} commits to"
            raise Refused("verify/hands", what, ONE_LIES)
        if hand.lines:
            lines = ", ".join(f"`{line}`" for line in waited(hand))
            says += f"; before state {n} the referee had {lines} of {found.seat}"
    return says
