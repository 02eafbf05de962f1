"""The waiting orders that a state commits to: are they there, and do they give its orders?

What must never be here: the rules of picking (``play_out``, the moderator's own).
Laws: what a seat has in hand before a link is what the link before left of it, or came in an email
of a higher number; the orders of a link are those that the hands give, no more and no other.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from pbem.crypto.encoding import unb64
from pbem.engine.optional_parts import never
from pbem.files.orders.lines import WITHDRAW, ask_in
from pbem.moderator.audit.findings import PlayedOrder, Replay
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import BY_BOT, source_of
from pbem.moderator.chain.position import Position, Seals, hand_slot
from pbem.moderator.turn.hand import (
    NOW,
    WHEN,
    Hand,
    Kept,
    Part,
    after_link,
    part_of,
    read_value,
    repeats,
    takes_back,
)
from pbem.moderator.turn.resolution import play_out
from pbem.moderator.turn.signatures import Order, genuine_order


def wrong_hands(
    run: Replay,
    before: Position,
    link: Link,
    orders: tuple[PlayedOrder, ...],
    waiting: dict[str, tuple[Hand, int]],
) -> Iterator[str]:
    """What is wrong with the hands of a link after ``before``; ``waiting``: gets what is left."""
    given = (run.hands or {}).get(link.n, {})
    yield from _unopened(run, before, link, given)
    over = run.game.outcome(run.game.view(before.state, None)) is not None
    if over or any(source_of(entry.source) is BY_BOT for entry in link.entries):
        return  # nothing that waits can be used; without the bot nobody can say what was used
    hands = dict[str, Hand]()
    for seat in link.setup.seats:
        try:
            hands[seat] = read_value(given.get(seat, ""))
        except ValueError:
            yield f"the waiting orders of {seat} are none that pbem writes"
    top = {seat: run.past[before.link.n].waiting.get(seat, (Hand(), 0))[1] for seat in hands}
    for seat, hand in hands.items():
        yield from _unlike(run, before, seat, hand)
        top[seat] = max([top[seat], *(part.nr for part in hand.parts)])
    if not link.rulings:
        missed = frozenset(x.seat for x in link.entries if x.source == "default")
        course = play_out(before, hands, missed)
        for number, (mine, found) in enumerate(zip(course.played, orders, strict=False), 1):
            if mine != found.played:
                what = f"`{mine.line}` of {mine.seat}, {mine.source}"
                yield f"order {number} is not the one that the waiting orders give: {what}"
        if len(course.played) != len(orders):
            yield f"it has {len(orders)} orders, and the waiting orders give {len(course.played)}"
        hands = course.hands
    for seat, hand in hands.items():
        void = link.rulings and link.player(seat).since == link.n
        anew = link.player(seat).key != before.link.player(seat).key
        waiting[seat] = Hand() if void else after_link(hand), 0 if anew else top[seat]


def _unopened(run: Replay, before: Position, link: Link, given: Mapping[str, str]) -> Iterator[str]:
    seals = Seals(run.secret, link.game, link.n, before.head)
    for seat, commitment in link.hands:
        value = given.get(seat, "")
        if seals.commit(hand_slot(link.n, seat), value, before.head)[1] != commitment:
            yield f"the waiting orders of {seat} that it commits to are lost, or are others"


def _unlike(run: Replay, before: Position, seat: str, hand: Hand) -> Iterator[str]:
    """Each part is what the link before left of it, or came since, in a mail that is here whole."""
    left, top = run.past[before.link.n].waiting.get(seat, (Hand(), 0))
    if hand.stopped != left.stopped:
        yield f"the waiting orders of {seat} are not held back as they were left"
    for part in hand.parts:
        yield from _misplaced(seat, part)
        if part.nr > top:
            yield from _not_sent(run, before, seat, part)
        elif part not in left.parts:
            yield f"the waiting orders of {seat} are not as they were before"
    yield from _taken_back(seat, left, hand)
    yield from _not_whole(run, before, seat, hand, top)


def _misplaced(seat: str, part: Part) -> Iterator[str]:
    """Lines stand as they were numbered, each once; what takes orders back stands in no part."""
    numbers = [kept.number for kept in part.rows]
    if numbers != sorted(set(numbers)) or any(map(takes_back, part.lines)):
        yield f"the waiting orders of {seat} do not stand as they were sent"


def _taken_back(seat: str, left: Hand, hand: Hand) -> Iterator[str]:
    """What was taken back is gone, and nothing else that was left and not replaced."""
    newest = _Newest.of(hand)
    for part in hand.parts:
        if part.lines and newest.ask(part.name) > part.nr:
            yield f"`{part.lines[0].line}` of {seat} was waiting, and had been taken back"
    for was in left.parts:
        if was.name not in newest.parts and not newest.ask(was.name):
            yield f"`{was.lines[0].line}` of {seat} was waiting, and is gone"


class _Newest(NamedTuple):
    """The highest numbers in a hand: of each part, of each line that takes some back."""

    parts: dict[str, int]
    asks: dict[str, int]

    @classmethod
    def of(cls, hand: Hand) -> "_Newest":
        parts = {part.name: part.nr for part in hand.parts if not part.rest}
        rests = sorted((part for part in hand.parts if part.rest), key=lambda part: part.nr)
        return cls(parts, {kept.line: part.nr for part in rests for kept in part.rows})

    def ask(self, name: str) -> int:
        """Of what takes back this part; 0 where nothing does."""
        asks = (WITHDRAW, f"{WITHDRAW} {name.removeprefix(WHEN)}")
        return max(self.asks.get(ask, 0) for ask in asks)


def _not_whole(run: Replay, before: Position, seat: str, hand: Hand, top: int) -> Iterator[str]:
    """A signed mail is taken whole: what is not in hand of it was replaced, taken back or passed
    over by the rules, or it can never be used.
    """
    mails, newest = dict[int, list[tuple[Kept, Part]]](), _Newest.of(hand)
    for part in hand.parts:
        if part.nr > top and part.source == "signed":
            mails.setdefault(part.nr, []).extend((kept, part) for kept in part.rows)
    for nr, came in mails.items():
        came.sort()
        numbers = [kept.number for kept, _ in came]
        if any(kept.of != len(came) for kept, _ in came) or numbers != [*range(1, len(came) + 1)]:
            yield f"orders {nr} of {seat} are not whole: some of them are not in hand"
        passed = _passed_over(run, before, seat, [kept for kept, _ in came])
        for kept in (kept for kept, part in came if part.rest and is_order(kept)):
            name = part_of(kept.signed)
            if max(newest.parts.get(name, 0), newest.ask(name)) > nr or kept in passed:
                continue
            if name == NOW or not _never(run, before, seat, hand, kept):
                yield f"`{kept.line}` of {seat} came with orders that wait, and was left out"


def is_order(kept: Kept) -> bool:
    """Whether a signed line is an order, and asks for nothing else."""
    return ask_in(kept.signed) is None and not takes_back(kept)


def _passed_over(run: Replay, before: Position, seat: str, came: list[Kept]) -> list[Kept]:
    """The first of these lines, as far as they only repeat what was done for the seat (R-1)."""
    done = list[str]()
    for n in range(before.link.n, before.link.player(seat).since, -1):
        own = [one.played for one in run.past[n].orders if one.played.seat == seat]
        forced = list(takewhile(lambda one: one.source == "forced", reversed(own)))
        done = [*(one.line for one in reversed(forced)), *done]
        if len(forced) < len(own):
            break
    now = [kept for kept in came if is_order(kept) and part_of(kept.signed) == NOW]
    lines = tuple(kept.line for kept in now)
    most = max((repeats(tuple(done[at:]), lines) for at in range(len(done))), default=0)
    return now[:most]


def _never(run: Replay, before: Position, seat: str, hand: Hand, kept: Kept) -> bool:
    """Its moment is over: its player had it in hand before, and it can be used no more."""
    view, name = before.game.view(before.state, seat), part_of(kept.signed)
    left, _ = run.past[before.link.n].waiting.get(seat, (Hand(), 0))
    held = any(
        part_of(x.signed) == name and x.line == kept.line and x != kept
        for part in (*left.parts, *hand.parts)
        for x in part.rows
    )
    when = name.removeprefix(WHEN) if name.startswith(WHEN) else ""
    over = before.game.why_never(view, when) if when else ""
    return held and bool(over or never(before.game, view, kept.line))


def _not_sent(run: Replay, before: Position, seat: str, part: Part) -> Iterator[str]:
    """What is wrong with a part that came since the state before: of a seat with a key it is
    signed, line by line, for this part, for a state that is in time.
    """
    game, link = before.game, before.link
    turn = game.turn(game.view(before.state, seat)) if part.name == NOW else 0
    if part.source not in link.player(seat).way.sources or part.turn != turn:
        yield f"waiting orders of {seat} say of themselves what cannot be"
        return
    if part.source != "signed":
        return
    head = unb64(part.quoted, 32) if part.quoted else b""
    n = next((n for n, standing in run.past.items() if standing.head == head), -1)
    said = Order(link.game, seat, part.nr, part.quoted, link.setup.rulings)
    key = link.player(seat).key
    for kept in part.rows:
        place, sig = (kept.number, kept.of), unb64(kept.sig, 64) if kept.sig else b""
        good = part.rest or part_of(kept.signed) == part.name
        good = good and bool(sig) and n >= link.player(seat).since
        if not good or not genuine_order(key, said, place, kept.signed, sig):
            yield f"`{kept.line}` among the waiting orders of {seat} is not signed for that"
    answered = (x for m in range(n + 1, link.n + 1) for x in run.past[m].orders)
    if (
        part.name == NOW
        and part.lines
        and any(x.played.seat == seat and x.played.source != "forced" for x in answered)
    ):
        yield f"waiting orders of {seat} for now were written for a question that is settled"
