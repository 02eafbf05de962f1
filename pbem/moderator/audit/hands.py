"""The waiting orders that a state commits to: are they there, and do they give its orders?

What must never be here: the rules of picking (``play_out``, the moderator's own).
Laws: what a seat has in hand before a link is what the link before left of it, or came in an email
of a higher number; the orders of a link are those that the hands give, no more and no other.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections.abc import Iterator, Mapping

from pbem.crypto.encoding import unb64
from pbem.files.orders.lines import WITHDRAW
from pbem.moderator.audit.findings import PlayedOrder, Replay
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import BY_BOT, source_of
from pbem.moderator.chain.position import Position, Seals, hand_slot
from pbem.moderator.turn.hand import (
    NOW,
    Hand,
    Kept,
    Part,
    after_link,
    part_of,
    read_value,
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
    """Each part is what the link before left of it, or came since; what is marked as dropped could
    not be used.
    """
    left, top = run.past[before.link.n].waiting.get(seat, (Hand(), 0))
    for part in hand.parts:
        whole = part._replace(rows=tuple(kept._replace(dropped=False) for kept in part.rows))
        if part.nr > top:
            yield from _not_sent(run, before, seat, part)
        elif whole not in left.parts:
            yield f"the waiting orders of {seat} are not as they were before"
        for kept in part.rows:
            if kept.dropped and not _can_be_dropped(before, seat, kept):
                yield f"`{kept.line}` of {seat} is said to be dropped, and could be used"
    for was in left.parts:
        if was.name not in [part.name for part in hand.parts]:
            yield f"`{was.lines[0].line}` of {seat} was waiting, and is gone"
    dropped = any(kept.dropped for part in hand.parts for kept in part.rows)
    if hand.stopped != left.stopped and not dropped:
        yield f"the waiting orders of {seat} are held back, and none was dropped"


def _can_be_dropped(before: Position, seat: str, kept: Kept) -> bool:
    """A line that answers the question now put to its seat, and cannot be used."""
    view = before.game.view(before.state, seat)
    asked = any(question.seat == seat for question in before.game.questions(view))
    if not asked or not before.game.fits(view, kept.line):
        return False
    return before.game.check(view, before.game.complete(view, kept.line)) is not None


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
    for kept in part.rows:
        ask, _, name = kept.signed.partition(" ")
        fits = part_of(kept.signed) == part.name
        if ask == WITHDRAW:
            fits = name in ("", part.when or part.name)
        sig = unb64(kept.sig, 64) if kept.sig else b""
        good = fits and sig and n >= link.player(seat).since
        if not good or not genuine_order(
            link.player(seat).key, said, kept.number, kept.signed, sig
        ):
            yield f"`{kept.line}` among the waiting orders of {seat} is not signed for that"
    answered = (x for m in range(n + 1, link.n + 1) for x in run.past[m].orders)
    if part.name == NOW and any(
        x.played.seat == seat and x.played.source != "forced" for x in answered
    ):
        yield f"waiting orders of {seat} for now were written for a question that is settled"
