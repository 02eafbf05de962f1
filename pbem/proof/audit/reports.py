"""What players were told, held against a game that was gone through: their reports and receipts.

What must never be here: what a block must say (proof/verify/inputs.py), files.
Laws: what a receipt says was kept is in the next hand of its seat, used or not, unless newer orders
came or a ruling says that it was lost; what could not be compared is said.
Source: docs/SPECIFICATION.md section 12; decision 0011.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from pbem.chain.clock import HOUR, seconds
from pbem.chain.loaded_game import Played, was_waiting
from pbem.chain.sources import FORCED
from pbem.chain.state_record import StateRecord
from pbem.errors import BadInput, PbemError, Refused
from pbem.notation.absence import PRESENT, Away, days_of, is_absence
from pbem.play.deadlines.calendar import local_day
from pbem.play.pending_file import read_value
from pbem.play.pending_orders import Hand
from pbem.proof.audit.audit import CONTRADICTED, PROVEN, UNCHECKED
from pbem.proof.audit.findings import Item, PlayedOrder, Replay
from pbem.proof.audit.saved_emails import Letter
from pbem.proof.verify.inputs import (
    OFF_CHAIN,
    Given,
    called,
    check_block,
    check_in_force,
    check_receipt,
    check_signature,
)
from pbem.proof.verify.pending_orders import (
    Waits,
    cleared,
    in_its_place,
    not_as_sent,
    replaced_by,
    replaced_part,
    used_in_spite,
    were_lost,
)
from pbem.proof.verify.verify import Chain, check_chain
from pbem.report.block import Block
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock

TOLD = "told"  #: the item
NEVER = 1 << 40  #: more states than any game has
#: somebody of the game did sign it: a former referee, or the one who acts, with another key
NOT_IN_FORCE = "verify/not-in-force"


class _Course:
    """What a game that was gone through shows of its seats; each hand is opened once, since there
    may be thousands of receipts.
    """

    def __init__(self, chain: Chain, run: Replay | None) -> None:
        self.chain, self.run = chain, run
        self._hands: dict[tuple[int, str], Hand | None] = {}
        self._came: dict[str, list[tuple[int, int, int]]] = {}
        self._own: dict[str, list[tuple[int, Played]]] = {}

    def as_it_was(self, said: Receipt, n: int) -> bool:
        """Whether the numbers of a seat go on until state ``n``: no ruling made its orders void."""
        now, then = (self.chain.links[m].player(said.seat) for m in (n, said.n))
        return (now.since, now.key) == (then.since, then.key)

    def same_player(self, said: Receipt, n: int) -> bool:
        """Whether who wrote at state ``said.n`` still plays at ``n``, and nothing was lost."""
        now, then = (self.chain.links[m].player(said.seat) for m in (n, said.n))
        lost = were_lost(n, [self.chain.links[n]])
        return (now.name, now.key) == (then.name, then.key) and not lost

    def hand(self, n: int, seat: str) -> Hand | None:
        """What waited before a state, as it commits to it; None where nobody can open it."""
        if (n, seat) not in self._hands:
            self._hands[n, seat] = self._opened(n, seat)
        return self._hands[n, seat]

    def _opened(self, n: int, seat: str) -> Hand | None:
        run, head = self.run, self.chain.heads.get(n - 1)
        if run is None or run.hands is None or head is None:
            return None
        value = run.hands.get(n, {}).get(seat, "")
        there = was_waiting(run.secret, self.chain.links[n], head, seat, value)
        try:
            return read_value(value) if there else None
        except ValueError:
            return None

    def late(self, said: Receipt) -> tuple[int, str] | None:
        """Where orders of a player with a key came into hand after a receipt of their number or of
        a higher one.
        """
        if not self.chain.links[said.n].player(said.seat).way.key:
            return None
        for n, before, nr in self._arrivals(said.seat):
            if before > said.n and nr <= said.nr and self.as_it_was(said, n - 1):
                what = f"orders number {nr} of {said.seat} came into hand"
                return n, f"{what} when number {said.nr} had been answered"
        return None

    def _arrivals(self, seat: str) -> list[tuple[int, int, int]]:
        """The state before which a number was in hand, the last one before which it was not, and
        the number.
        """
        if seat not in self._came:
            came, there, before = list[tuple[int, int, int]](), set[int](), 0
            for n in sorted(self.chain.links):
                if (hand := self.hand(n, seat)) is not None:
                    now = {part.nr for part in hand.parts}
                    came += [(n, before, nr) for nr in sorted(now - there) if before]
                    there, before = now, n
            self._came[seat] = came
        return self._came[seat]

    def replaced_later(self, said: Receipt) -> Iterator[tuple[int, int]]:
        """Where orders of its number that a state left waiting are gone before the next one, and
        the number of what took their place, if nobody signed it.
        """
        n = said.n + 1
        while self.run is not None and n in self.run.past and n + 1 in self.chain.links:
            left = self.run.past[n].waiting.get(said.seat)
            mine = [part for part in left[0].parts if part.nr == said.nr] if left else []
            now = self.hand(n := n + 1, said.seat)
            if not mine or now is None:
                return
            yield n, max(replaced_part(part, now) for part in mine)

    def own(self, seat: str) -> list[tuple[int, Played]]:
        """The first answer of a seat in each state, but for those that the rules force."""
        if seat not in self._own:
            past = self.run.past if self.run is not None else {}
            found = [
                (n, one.played)
                for n in sorted(past)
                for one in past[n].orders
                if one.played.seat == seat and one.played.source != FORCED.name
            ]
            self._own[seat] = sorted(dict(reversed(found)).items())
        return self._own[seat]

    def used_till_lost(self, said: Receipt) -> Iterator[tuple[int, PlayedOrder]]:
        """The orders of its seat after a receipt, as long as a ruling says that what waited was
        lost, and its number counts; by the numbers of their states.
        """
        n, run = said.n + 1, self.run
        while run is not None and n in run.past and n in run.lost and self.as_it_was(said, n):
            yield from ((n, one) for one in run.past[n].orders if one.played.seat == said.seat)
            n += 1

    def completed(self, one: PlayedOrder, line: str) -> str:
        """A line of a receipt, by the rules where an order was used; it may be any text."""
        assert self.run is not None
        game, seat = self.run.game, one.played.seat
        try:
            return game.complete(game.view(one.state, seat), line)
        except Exception:  # noqa: BLE001 (what a forger writes must not end an audit)
            return line


class _Found:
    """What was found so far."""

    def __init__(self) -> None:
        self.wrong: list[tuple[int, str]] = []
        self.left: list[str] = []
        self.compared = self.excused = 0
        self.own = 0  #: emails that never have a signed block
        self.blocks: list[Block] = []  #: reports
        self.given: set[tuple[str, int, int]] = set()  #: receipts: seat, state, number
        self.present: list[tuple[str, str, int]] = []  #: who was back: seat, time, state
        self.replaced: list[tuple[int, str]] = []  #: what took the place of others without one

    def back(self, said: Receipt) -> int:
        """The state at which a player said that they were back, after this receipt; ``NEVER``."""
        later = (n for seat, time, n in self.present if seat == said.seat and time >= said.time)
        return min(later, default=NEVER)


class Told(NamedTuple):
    """The item of an audit; None where nothing was given that counts. By path what counts not."""

    item: Item | None
    refused: dict[str, PbemError]


NOTHING = Refused(
    "audit/letter",
    "it was changed after it was signed, or is not this referee's: it proves nothing",
    "take it again from the email",
)


def what_was_told(
    raws: Mapping[int, bytes], game: str, replay: Replay | None, letters: Sequence[Letter]
) -> Told:
    """What of this game was given."""
    given = [(letter.path, one) for letter in letters for one in letter.of(game)]
    if not given:
        return Told(None, {})
    try:
        chain = check_chain(raws, None, None)
    except PbemError:
        return Told(Item(TOLD, UNCHECKED, "the states that they tell of do not hold", None), {})
    given, refused = _by_the_referee(given, chain)
    found, waits, course = _Found(), Waits(), _Course(chain, replay)
    receipts = [one.receipt for _, one in given if isinstance(one, ReceiptBlock)]
    found.blocks = [one for _, one in given if isinstance(one, Block)]
    found.given = {(said.seat, said.n, said.nr) for said in receipts}
    found.present = [(x.seat, x.time, x.n) for x in receipts if ("kept", PRESENT) in x.lines]
    agree, together = set[SignedBlock](), Given()
    together.keep("", chain)
    for path, one in given:
        if one in agree:  # once more the same, of which there may be thousands
            found.compared += 1
            continue
        try:
            if isinstance(one, ReceiptBlock):
                check_receipt(one, {game: chain}, None)
                _receipt(path, one.receipt, course, found)
            else:
                check_block(one, {game: chain}, None)
            waits.agree(path, {game: chain}, one)
            agree.add(one)
        except PbemError as error:
            why = together.why(path, one, error)
            if why.code in OFF_CHAIN:
                found.left.append(f"{path}: {why.message}")
            else:
                found.wrong.append((one.n, f"state {one.n}, {path}: {why.message}"))
        found.compared += 1
    found.own = sum(letter.unread.own for letter in letters)
    return Told(_item(found), refused)


Pathed = tuple[str, SignedBlock]


def _by_the_referee(given: list[Pathed], chain: Chain) -> tuple[list[Pathed], dict[str, PbemError]]:
    """Those that somebody signed who acted then, and by path why not: what anybody may have written
    must change nothing, not even by being there.
    """
    wrong = dict[SignedBlock, PbemError]()
    for one in dict.fromkeys(one for _, one in given):
        try:
            check_signature(called(one), NOTHING.code, one, None)
            check_in_force(called(one), one, chain)
        except PbemError as error:
            wrong[one] = error if error.code == NOT_IN_FORCE else NOTHING
    refused = {path: wrong[one] for path, one in given if one in wrong}
    return [(path, one) for path, one in given if one not in wrong], refused


def _item(found: _Found) -> Item | None:
    if found.wrong:
        n, what = min(found.wrong)
        return Item(TOLD, CONTRADICTED, what, n)
    if found.left:
        return Item(TOLD, UNCHECKED, found.left[0], None)
    if not found.compared:
        return None
    count = f"{found.compared} report{'s' * (found.compared > 1)} or receipts"
    but = f", but for {found.excused} of orders that a ruling says were lost" * bool(found.excused)
    but += "".join(f"; {what}" for _, what in sorted(set(found.replaced))[:1])
    but += f"; emails given of a kind that has no signed block: {found.own}" * bool(found.own)
    return Item(TOLD, PROVEN, f"{count}: what waited, and came, is as they say{but}", None)


def _receipt(path: str, said: Receipt, course: _Course, found: _Found) -> None:
    """What a receipt says was kept, against what its seat had waiting before the next state, or
    where a ruling says that this was lost, against what was used till then.
    """
    n, records = said.n + 1, course.chain.links
    found.left += (f"{path}: {what}" for what in _missed_away(said, course, found.back(said)))
    before = f"{path} says what {said.seat} sent as orders number {said.nr}"
    if not said.nr or n not in records:
        return  # nothing was kept, or nothing came after it
    later = (course.late(said), _drained(said, course))
    found.wrong += [(m, f"state {m}, by {path}: {what}") for m, what in filter(None, later)]
    hand = course.hand(n, said.seat)
    if hand is not None and not cleared(n, records):
        if wrong := not_as_sent(said, hand):
            what = f"among the orders waiting then: {before}: {wrong}"
            found.wrong.append((n, f"state {n}, {what}"))
        for m, newer in ((n, replaced_by(said, hand)), *course.replaced_later(said)):
            if newer and (said.seat, m - 1, newer) not in found.given:
                found.replaced.append((m, f"in state {m}, {in_its_place(said.nr, newer)}"))
        return
    for m, one in course.used_till_lost(said):
        if wrong := used_in_spite(said, one.played, partial(course.completed, one)):
            what = f"`{one.played.line}` of {said.seat} was used: {before}: it {wrong}"
            found.wrong.append((m, f"state {m}, {what}"))
    if cleared(n, records):
        found.excused += 1
        found.left += _untold(path, said, records, found.blocks)
    elif were_lost(n, records.values()):
        found.left.append(f"{path}: what waited before state {n} was lost, as a ruling says")
    else:
        found.left.append(f"{path}: what waited before state {n} is not here; an archive has it")


def _missed_away(said: Receipt, course: _Course, back: int) -> Iterator[str]:
    """That a turn was missed which was due on days on which its player, by this receipt, was away;
    ``back``: the state from which on they were there, by another. Whether the deadline could move,
    and whether the desk still had these days, nothing tells.
    """
    kept = list[Away]()
    for line in (line for verdict, line in said.lines if verdict == "kept" and is_absence(line)):
        days = days_of(line, date.fromisoformat(said.time[:10])) if line != PRESENT else None
        kept = [*kept, days] if days else []
    records, n = course.chain.links, said.n + 1
    while kept and n in records and n - 1 in records and n <= back and course.same_player(said, n):
        missed = any(source.missed for source in records[n].sources(said.seat))
        clock = records[n - 1].clock
        due = clock.of(said.seat).due
        if missed and due > said.time:
            days_there = _days_of(seconds(due), clock.zone)
            if any(one.first <= day <= one.last for one in kept for day in days_there):
                what = "was due on a day on which its player was away"
                yield f"the turn of {said.seat} that was missed in state {n} {what}"
        n += 1


def _days_of(due: int, zone: str) -> set[date]:
    """The day of a deadline; where this machine does not know its zone, those that it may be."""
    try:
        return {local_day(due, zone)}
    except BadInput:
        return {local_day(due + hours * HOUR, "") for hours in (-12, 14)}


def _untold(
    path: str, said: Receipt, records: Mapping[int, StateRecord], blocks: Sequence[Block]
) -> Iterator[str]:
    """That a ruling excuses what became of a receipt, and its player's reports, which tell of what
    came after that ruling, pass over it.
    """
    void = next(m for m in sorted(records) if m > said.n and were_lost(m, [records[m]]))
    told = [one for one in blocks if one.seat == said.seat and one.n >= void]
    if told and all(one.first > void for one in told):
        yield (
            f"{path}: a ruling of state {void} excuses it, and no report given tells {said.seat} so"
        )


def _drained(said: Receipt, course: _Course) -> tuple[int, str] | None:
    """What is wrong with the reserve of a seat whose answer came with this receipt, and where: it
    counts when an email came, and not when the referee played it.
    """
    seat, records = said.seat, course.chain.links
    answers = course.own(seat)
    at = bisect_left(answers, said.n + 1, key=itemgetter(0))
    if at == len(answers):
        return None
    n, first = answers[at]
    if first.nr != said.nr or not course.as_it_was(said, n):
        return None
    old = records[n - 1].clock.of(seat)
    late = max(0, -((seconds(old.due) - seconds(said.time)) // HOUR)) if old.due else 0
    used = old.bank - records[n].clock.of(seat).bank
    what = f"{used} hours of the reserve of {seat} are gone, and {late} were used"
    return (n, what) if used > late and old.due else None
