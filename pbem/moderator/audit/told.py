"""What players were told, held against a game that was gone through: their reports and receipts.

What must never be here: what a block must say (verify/together.py), files.
Laws: what a receipt says was kept is in the next hand of its seat, used or not, unless newer orders
came or a ruling says that it was lost; what could not be compared is said.
Source: docs/SPECIFICATION.md section 12; decision 0011.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pbem.errors import PbemError, Refused
from pbem.moderator.audit.audit import CONTRADICTED, PROVEN, UNCHECKED
from pbem.moderator.audit.findings import Item, Replay
from pbem.moderator.audit.letters import Letter
from pbem.moderator.chain.clock import HOUR, seconds
from pbem.moderator.chain.people import FORCED
from pbem.moderator.chain.position import Played, Seals, commits_to_hand
from pbem.moderator.report.block import Receipt, ReceiptBlock
from pbem.moderator.turn.hand import Hand, read_value
from pbem.moderator.verify.together import check_block, check_receipt
from pbem.moderator.verify.verify import Chain, check_chain
from pbem.moderator.verify.waiting import Waits, cleared, not_as_sent, used_in_spite, were_lost

TOLD = "told"  #: the item
#: what is no contradiction: a ruling says that the state was lost, or the files given end before it
LEFT = ("verify/lost", "verify/not-there")


#: and what is no letter of the referee's, and nobody's fault but of whoever changed or made it
NOT_GENUINE = ("verify/report", "verify/receipt", "verify/other-key")
#: somebody of the game did sign it: a former referee, or the one who acts, with another key
NOT_IN_FORCE = "verify/not-in-force"


class _Found:
    """What was found so far."""

    def __init__(self) -> None:
        self.wrong: list[tuple[int, str]] = []
        self.left: list[str] = []
        self.compared = self.excused = 0


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
    raws: Mapping[int, bytes], game: str, replay: Replay | None, letters: Iterable[Letter]
) -> Told:
    """What of this game was given."""
    given = [(letter.path, one) for letter in letters for one in letter.of(game)]
    if not given:
        return Told(None, {})
    try:
        chain = check_chain(raws, None, None)
    except PbemError:
        return Told(Item(TOLD, UNCHECKED, "the states that they tell of do not hold", None), {})
    refused = dict[str, PbemError]()
    found, waits = _Found(), Waits()
    for path, one in given:
        n = one.receipt.n if isinstance(one, ReceiptBlock) else one.n
        try:
            if isinstance(one, ReceiptBlock):
                check_receipt(one, {game: chain}, None)
                _receipt(path, one.receipt, chain, replay, found)
            else:
                check_block(one, {game: chain}, None)
            waits.agree(path, {game: chain}, one)
        except PbemError as error:
            if error.code in (*NOT_GENUINE, NOT_IN_FORCE):
                refused[path] = NOTHING if error.code in NOT_GENUINE else error
                continue
            if error.code in LEFT:
                found.left.append(f"{path}: {error.message}")
            else:
                found.wrong.append((n, f"state {n}, {path}: {error.message}"))
        found.compared += 1
    return Told(_item(found), refused)


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
    return Item(TOLD, PROVEN, f"{count}: what waited, and came, is as they say{but}", None)


def _receipt(path: str, said: Receipt, chain: Chain, run: Replay | None, found: _Found) -> None:
    """What a receipt says was kept, against what its seat had waiting before the next state, or
    where a ruling says that this was lost, against what was used till then.
    """
    n = said.n + 1
    if not said.nr or n not in chain.links:
        return  # nothing was kept, or nothing came after it
    if drained := _drained(said, chain, run):
        found.wrong.append((n, f"state {n}, by {path}: {drained}"))
    hand, before = _opened(said, chain, run), f"{path} says what {said.seat} sent as orders number"
    if hand is not None and not cleared(n, chain.links):
        if wrong := not_as_sent(said, hand):
            what = f"among the orders waiting then: {before} {said.nr}: {wrong}"
            found.wrong.append((n, f"state {n}, {what}"))
        return
    for m, played in _used_till_lost(n, said.seat, chain, run):
        if wrong := used_in_spite(said, played):
            what = f"`{played.line}` of {said.seat} was used: {before} {said.nr}: it {wrong}"
            found.wrong.append((m, f"state {m}, {what}"))
    if cleared(n, chain.links):
        found.excused += 1
    elif were_lost(n, chain.links.values()):
        found.left.append(f"{path}: what waited before state {n} was lost, as a ruling says")
    else:
        found.left.append(f"{path}: what waited before state {n} is not here; an archive has it")


def _drained(said: Receipt, chain: Chain, run: Replay | None) -> str:
    """What is wrong with the reserve of a seat whose answer came with this receipt; "" if nothing:
    it counts when an email came, and not when the referee played it.
    """
    n, seat = said.n + 1, said.seat
    orders = run.past[n].orders if run is not None and n in run.past else ()
    own = (x.played for x in orders if x.played.seat == seat and x.played.source != FORCED.name)
    first, old = next(own, None), chain.links[said.n].clock.of(seat)
    if first is None or first.nr != said.nr or not old.due:
        return ""
    late = max(0, -((seconds(old.due) - seconds(said.time)) // HOUR))
    used = old.bank - chain.links[n].clock.of(seat).bank
    return f"{used} hours of the reserve of {seat} are gone, and {late} were used" * (used > late)


def _used_till_lost(
    n: int, seat: str, chain: Chain, run: Replay | None
) -> Iterator[tuple[int, Played]]:
    """The orders of a seat from state ``n`` on, as long as a ruling says that they were lost; by
    the numbers of their states.
    """
    while run is not None and n in run.past and were_lost(n, chain.links.values()):
        for one in run.past[n].orders:
            if one.played.seat == seat:
                yield n, one.played
        n += 1


def _opened(said: Receipt, chain: Chain, run: Replay | None) -> Hand | None:
    """The hand that the state after a receipt commits to; None where nobody can open it."""
    n, seat, head = said.n + 1, said.seat, chain.heads[said.n]
    if run is None or run.hands is None:
        return None
    value = run.hands.get(n, {}).get(seat, "")
    seals = Seals(run.secret, chain.game, n, head)
    if commits_to_hand(seals, n, seat, value, head) != dict(chain.links[n].hands).get(seat):
        return None
    try:
        return read_value(value)
    except ValueError:
        return None
