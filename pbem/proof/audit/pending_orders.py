"""The waiting orders that a state commits to: are they there, and do they give its orders?

What must never be here: the rules of picking (``play_out``, the moderator's own).
Laws: what a seat has in hand before a link is what the link before left of it, or came in an email
of a higher number; the orders of a link are those that the hands give, no more and no other. What
nobody can open, as a ruling says, or play again, as of bots, is taken as it stands; all else is
checked all the same.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections.abc import Generator, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import HOUR, seconds
from pbem.chain.loaded_game import Played, LoadedGame, was_waiting
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, SIGNED, source_of
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import unb64
from pbem.engine.optional_parts import never
from pbem.notation.asks import WITHDRAW
from pbem.play.half_action import Waiting, waiting
from pbem.play.pending_file import read_value
from pbem.play.pending_orders import NOW, WHEN, Hand, Kept, Part, after_link, part_of, takes_back
from pbem.play.resolution import play_out
from pbem.play.signed_orders import Order, genuine_order
from pbem.play.validate_email import MOST_ROWS
from pbem.play.validation import follow, passed_over
from pbem.proof.audit.findings import PlayedOrder, Replay
from pbem.proof.verify.pending_orders import is_order

if TYPE_CHECKING:
    from pbem.engine.game import Game


class ByRules(str):
    """What is wrong by the rules that are here: those of another version may say otherwise."""

    __slots__ = ()


def wrong_hands(
    run: Replay,
    before: LoadedGame,
    record: StateRecord,
    orders: tuple[PlayedOrder, ...],
    waiting: dict[str, tuple[Hand, int] | None],
) -> Iterator[str]:
    """What is wrong with the hands of a link after ``before``; ``waiting``: gets what is left."""
    hands, top = dict[str, Hand](), dict[str, int]()
    for seat, value in opened_values(run, before, record).items():
        if value is None and record.n not in run.lost:
            yield f"the waiting orders of {seat} that it commits to are lost, or are others"
        try:
            hands |= {seat: read_value(value)} if value is not None else {}
        except ValueError:
            yield f"the waiting orders of {seat} are none that pbem writes"
    hands = {} if record.n in run.cleared else hands
    for seat, hand in hands.items():
        yield from _unlike(run, before, seat, hand)
        _, most = _left(run, before, seat) or (Hand(), 0)
        top[seat] = max([most, *(part.nr for part in hand.parts)])
    if not record.rulings:
        hands = yield from _played(run, before, record, orders, hands)
    for seat in record.setup.seats:
        void = record.rulings and record.player(seat).since == record.n
        anew = record.player(seat).key != before.record.player(seat).key
        now = Hand() if void else after_link(hands[seat]) if seat in hands else None
        waiting[seat] = (now, 0 if anew else top.get(seat, 0)) if now is not None else None


def _played(
    run: Replay,
    before: LoadedGame,
    record: StateRecord,
    orders: tuple[PlayedOrder, ...],
    hands: dict[str, Hand],
) -> Generator[str, None, dict[str, Hand]]:
    """What is wrong with the orders of a link, by what waited; what is left of that."""
    missed = frozenset(x.seat for x in record.entries if x.source == DEFAULT.name) & hands.keys()
    played = [found.played for found in orders]
    taken = [x for x in played if source_of(x.source) is BY_BOT or x.seat not in hands]
    course = play_out(before, hands, missed, taken)
    for number, (mine, found) in enumerate(zip(course.played, played, strict=False), 1):
        if mine != found:
            what = f"`{mine.line}` of {mine.seat}, {mine.source}"
            yield ByRules(f"order {number} is not the one that the waiting orders give: {what}")
    if len(course.played) != len(orders):
        yield ByRules(
            f"it has {len(orders)} orders, and the waiting orders give {len(course.played)}"
        )
    for seat in hands:
        yield from _drained(run, before, record, seat, played)
    return {seat: hand for seat, hand in course.hands.items() if seat in hands}


def _drained(
    run: Replay, before: LoadedGame, record: StateRecord, seat: str, played: list[Played]
) -> Iterator[str]:
    """Hours that an answer took of the reserve, though it was in hand in the state before."""
    left, _ = _left(run, before, seat) or (Hand(), 0)
    own = (x for x in played if x.seat == seat and x.source != FORCED.name)
    first, old = next(own, None), before.record.clock.of(seat)
    if first is None or not old.due or first.nr not in {part.nr for part in left.parts}:
        return
    late = max(0, -((seconds(old.due) - seconds(before.record.time)) // HOUR))
    used = old.bank - record.clock.of(seat).bank
    if used > late:
        yield f"{used} hours of the reserve of {seat} are gone, and {late} were used"


def opened_values(run: Replay, before: LoadedGame, record: StateRecord) -> dict[str, str | None]:
    """By seat what waited, if it is what the state commits to; None where nobody can open that."""
    given = {seat: (run.hands or {}).get(record.n, {}).get(seat, "") for seat, _ in record.hands}
    return {
        seat: value if was_waiting(run.secret, record, before.head, seat, value) else None
        for seat, value in given.items()
    }


def _left(run: Replay, before: LoadedGame, seat: str) -> tuple[Hand, int] | None:
    """What the state before left of a hand, and the highest number so far; None: nobody knows."""
    return run.past[before.record.n].waiting.get(seat, (Hand(), 0))


def _unlike(run: Replay, before: LoadedGame, seat: str, hand: Hand) -> Iterator[str]:
    """Each part is what the link before left of it, or came since, in a mail that is here whole."""
    known = _left(run, before, seat)
    if known is None:
        for part in hand.parts:
            yield from _misplaced(seat, part)
            yield from _not_signed(run, before, seat, part)
        return
    left, top = known
    told = (
        str if before.record.rulings else ByRules
    )  # a ruling uses nothing up: no rules are needed
    if hand.stopped != left.stopped:
        yield told(f"the waiting orders of {seat} are not held back as they were left")
    for part in hand.parts:
        yield from _misplaced(seat, part)
        if part.nr > top:
            yield from _not_sent(run, before, seat, part)
        elif part not in left.parts:
            yield told(f"the waiting orders of {seat} are not as they were before")
    if sum(len(part.rows) for part in hand.parts) > MOST_ROWS:
        yield f"more orders of {seat} wait than can: at most {MOST_ROWS} lines"
    yield from _taken_back(seat, left, hand)
    yield from _not_whole(run, before, seat, hand, top)
    yield from _refused(run, before, seat, hand)


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


def _not_whole(run: Replay, before: LoadedGame, seat: str, hand: Hand, top: int) -> Iterator[str]:
    """A signed mail is taken whole: what is not in hand of it was replaced, taken back or passed
    over by the rules, or it can never be used.
    """
    newest = _Newest.of(hand)
    for nr, came in _new_mails(hand, top).items():
        numbers = [kept.number for kept, _ in came]
        if any(kept.of != len(came) for kept, _ in came) or numbers != [*range(1, len(came) + 1)]:
            yield f"orders {nr} of {seat} are not whole: some of them are not in hand"
        passed = _passed_over(run, before, seat, came)
        for kept in (kept for kept, part in came if not part.rest and kept in passed):
            yield ByRules(
                f"`{kept.line}` of {seat} had been played for its player, and waits once more"
            )
        for kept in (kept for kept, part in came if part.rest and is_order(kept.signed)):
            name = part_of(kept.signed)
            if max(newest.parts.get(name, 0), newest.ask(name)) > nr or kept in passed:
                continue
            if name == NOW or not _never(run, before, seat, kept):
                what = f"`{kept.line}` of {seat} came with orders that wait, and was left out"
                yield ByRules(what)


def _new_mails(hand: Hand, top: int) -> dict[int, list[tuple[Kept, Part]]]:
    """By number all lines of each signed email that came since, in their order."""
    mails = dict[int, list[tuple[Kept, Part]]]()
    for part in hand.parts:
        if part.nr > top and part.source == SIGNED.name:
            mails.setdefault(part.nr, []).extend((kept, part) for kept in part.rows)
    return {nr: sorted(came) for nr, came in mails.items()}


def _passed_over(
    run: Replay, before: LoadedGame, seat: str, came: list[tuple[Kept, Part]]
) -> list[Kept]:
    """The first of these lines, as far as they only repeat what was done for the seat (R-1) since
    the head that they quote.
    """
    done = list[str]()
    for n in range(before.record.n, before.record.player(seat).since, -1):
        own = [one.played for one in run.past[n].orders if one.played.seat == seat]
        forced = list(takewhile(lambda one: one.source == FORCED.name, reversed(own)))
        done = [*(one.line for one in reversed(forced)), *done]
        if len(forced) < len(own):
            break
    now = [kept for kept, _ in came if is_order(kept.signed) and part_of(kept.signed) == NOW]
    quoted = _quoted(run, came[0][1])
    then = dict(run.past[quoted].link.answered).get(seat, 0) if quoted in run.past else 0
    age = before.answered(seat) - then
    if age > len(done):
        return []  # the question was answered otherwise
    view, lines = before.game.view(before.state, seat), tuple(kept.line for kept in now)
    since = tuple(done[-age:] if age else ())
    return now[: passed_over(before.game, view, since, tuple(done), lines)]


def _never(run: Replay, before: LoadedGame, seat: str, kept: Kept) -> bool:
    """Its moment is over: its player had it in hand before, and it can be used no more."""
    view, name = before.game.view(before.state, seat), part_of(kept.signed)
    return _held(run, before, seat, kept) and _in_vain(before.game, view, name, kept)


def _held(run: Replay, before: LoadedGame, seat: str, kept: Kept) -> bool:
    """Whether the state before left its player this line, for the same moment."""
    left, _ = _left(run, before, seat) or (Hand(), 0)
    name = part_of(kept.signed)
    return any(
        part_of(x.signed) == name and x.line == kept.line for part in left.parts for x in part.rows
    )


def _in_vain(game: "Game", view: Any, name: str, kept: Kept) -> bool:
    """Whether a line that waits for this can never be used."""
    when = name.removeprefix(WHEN) if name.startswith(WHEN) else ""
    return bool((when and game.why_never(view, when)) or never(game, view, kept.line))


def _not_sent(run: Replay, before: LoadedGame, seat: str, part: Part) -> Iterator[str]:
    """What is wrong with a part that came since the state before: of a seat with a key it is
    signed, line by line, for this part, for a state that is in time.
    """
    game, view = before.game, before.game.view(before.state, seat)
    if part.turn != (game.turn(view) if part.name == NOW else 0):
        yield ByRules(f"waiting orders of {seat} say of themselves what cannot be")
    yield from _not_signed(run, before, seat, part)
    if part.name == NOW and _settled(run, before, seat, part):
        yield f"waiting orders of {seat} for now were written for a question that is settled"


def _settled(run: Replay, before: LoadedGame, seat: str, part: Part) -> bool:
    """Whether its seat has answered what it was asked when these signed orders were written."""
    n = _quoted(run, part)
    answered = (x.played for m in range(n + 1, before.record.n + 1) for x in run.past[m].orders)
    return part.source == SIGNED.name and any(
        played.seat == seat and played.source != FORCED.name for played in answered
    )


def _refused(run: Replay, before: LoadedGame, seat: str, hand: Hand) -> Iterator[str]:
    """Of an email of a player with a key that was refused nothing waits: one line of it that could
    not be kept, and none is. What came since the state before was read there, by the rules that
    are here.
    """
    left, top = _left(run, before, seat) or (Hand(), 0)
    game, view = before.game, before.game.view(before.state, seat)
    waits = [*waiting(left), *_replaced(hand)]
    for came in _new_mails(hand, top).values():
        passed = _passed_over(run, before, seat, came)
        rows = [(x, part) for x, part in came if is_order(x.signed) and x not in passed]
        now = [(kept, part) for kept, part in rows if part_of(kept.signed) == NOW]
        could = game.legal(view) and follow(game, view, [kept for kept, _ in now], waits)
        wrong = [kept for kept, part in now if not could or _settled(run, before, seat, part)]
        wrong += (
            kept
            for kept, _ in rows
            if (name := part_of(kept.signed)) != NOW
            and _in_vain(game, view, name, kept)
            and not _held(run, before, seat, kept)
        )
        if wrong:
            what = f"`{wrong[0].line}` of {seat} was sent with waiting orders"
            yield ByRules(f"{what}, and could not be kept")


def _replaced(hand: Hand) -> Iterator[Waiting]:
    """All that waits in a hand for a NAME, and what an email that came later replaced, which may
    have waited when another one was read.
    """
    for part in hand.parts:
        for kept in part.rows:
            name = part_of(kept.signed) if part.rest else part.name
            if name.startswith(WHEN):
                yield name.removeprefix(WHEN), kept.line


def _quoted(run: Replay, part: Part) -> int:
    """The state that a part was written for; -1 where there is none."""
    head = unb64(part.quoted, 32) if part.quoted else b""
    return next((n for n, standing in run.past.items() if standing.head == head), -1)


def _not_signed(run: Replay, before: LoadedGame, seat: str, part: Part) -> Iterator[str]:
    """What of a part is not its player's own, and of a signed one for a state that is in time."""
    if part.source not in before.record.player(seat).way.sources:
        yield f"waiting orders of {seat} say of themselves what cannot be"
    if part.source != SIGNED.name:
        return
    record, n = before.record, _quoted(run, part)
    said = Order(record.game, seat, part.nr, part.quoted, record.setup.rulings)
    key = record.player(seat).key
    for kept in part.rows:
        place, sig = (kept.number, kept.of), unb64(kept.sig, 64) if kept.sig else b""
        good = part.rest or part_of(kept.signed) == part.name
        good = good and bool(sig) and n >= record.player(seat).since
        if not good or not genuine_order(key, said, place, kept.signed, sig):
            yield f"`{kept.line}` among the waiting orders of {seat} is not signed for that"
