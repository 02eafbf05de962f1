"""Taking what a player sent: read, check against his View, keep whole or not at all.

What lives here: Taken (the verdict), ``take``. What must never be here: files, the State, another
seat's hand. Everything said here is a function of the player's View and of his own lines (P2).
Laws: one line refused and none is kept; a mail handled before gets the same answer again; what
nobody can tell yet is taken, and looked at when its time comes.
Source: docs/DESIGN.md "Email"; docs/NOTATION.md "A mail or move file"; R-1.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import never, too_many
from pbem.engine.row import Sentence, say
from pbem.files.language.greetings import is_greeting
from pbem.files.orders.asks import WITHDRAW
from pbem.files.orders.lines import OrderLine, Sheet
from pbem.moderator import sentences as said
from pbem.moderator.chain.people import REPLIED
from pbem.moderator.turn.half import half_way
from pbem.moderator.turn.hand import (
    MOST,
    MOST_HANDLED,
    NOW,
    REST,
    UNSIGNED,
    Hand,
    Kept,
    Part,
    Signature,
    order_of,
    part_name,
    place_of,
    repeats,
    taken_back,
    takes_back,
)
from pbem.moderator.turn.signatures import numbered

if TYPE_CHECKING:
    from pbem.engine.decision import Refusal
    from pbem.engine.game import Game


MOST_ORDERS = 500  #: of one mail, as of a move file
MOST_ROWS = 5_000  #: in a hand, with what signed mails left: a file that every command reads


class Verdict(NamedTuple):
    """What became of one line.

    ``kept``, ``refused``, ``passed over`` (done for the player already), ``doubtful`` (an order may
    be meant), ``not kept`` (nothing wrong with it, but with another line), ``not read`` (prose).
    """

    number: int
    text: str
    what: str
    why: Sentence | None = None

    @property
    def ruling(self) -> str:
        """The rule that the reason cites; "" where it cites none."""
        return str(self.why.values.get("ruling", "")) if self.why else ""

    def plain(self) -> dict[str, Any]:
        """As ``--json`` has it."""
        return {**self._asdict(), "why": str(self.why or "")}


class Taken(NamedTuple):
    """The answer to one mail: the hand afterwards, each line's verdict, what was asked for."""

    hand: Hand
    accepted: bool  #: nothing was refused or doubtful
    changed: bool  #: the orders in hand are other than before
    verdicts: tuple[Verdict, ...]
    asks: tuple[str, ...]
    read: Sheet = Sheet()  #: what the verdicts are about: mended, where that was clear


class Asked(NamedTuple):
    """What a seat is asked, as intake needs it, and whence its answer comes."""

    view: Any
    open: bool  #: it is asked at all now
    head: str  #: of the link that the orders are written for, b64
    since: tuple[str, ...] = ()  #: done for the seat (R-1) after the report it answers was written
    source: str = REPLIED.name
    nr: int = 0  #: the player's own, where he signed
    signs: tuple[Signature, ...] = ()  #: his signatures


def take(game: "Game", seat: Asked, hand: Hand, sheet: Sheet, below: tuple[str, ...] = ()) -> Taken:
    """Judge one mail whose code is good. ``below``: order-like lines found only below the cut line.

    The returned hand has the new lines if, and only if, all of them are accepted.
    """
    if len(sheet.first) + len(sheet.later) > MOST_ORDERS:
        return _too_many(hand, sheet)
    sheet = _withdrawn(sheet, seat, hand)
    # a line with ``when`` waits for its moment, wherever it stands in the mail
    waiting = tuple(line for line in sheet.first if line.when)
    now = tuple(line for line in sheet.first if not line.when)
    sheet = sheet._replace(first=now, later=(*waiting, *sheet.later))
    doubts = [Verdict(s.number, s.text, "doubtful", s.why) for s in sheet.suspects]
    told = {suspect.number for suspect in sheet.suspects}  # once is enough
    unread = [
        Verdict(line.number, line.text, "not read")
        for line in sheet.unread
        if line.number not in told and not (line.text and is_greeting(line.text))
    ]
    judged, view_lines = _judge_first(game, seat, hand, sheet.first)
    later = [_judge_later(game, seat.view, line, hand) for line in sheet.later]
    pairs = zip(sheet.later, later, strict=True)
    sheet = sheet._replace(later=tuple(line for line, told in pairs if told.what != "not kept"))
    passed_over = sheet.first[: len(sheet.first) - len(view_lines)]
    if passed_over:
        sheet, followed = _with_what_follows(game, seat.view, sheet, passed_over)
        later += followed
    if below and not (sheet.first or sheet.later or sheet.asks or sheet.suspects):
        doubts += [Verdict(0, text, "doubtful", say(said.BELOW, line=text)) for text in below]
    verdicts = tuple(sorted((*doubts, *judged, *later, *unread), key=lambda one: one.number))
    bad = any(verdict.what in ("refused", "doubtful") for verdict in verdicts)
    if bad:
        return Taken(hand, False, False, _whole_or_nothing(verdicts), sheet.asks, sheet)
    kept = _with_mail(hand, seat, game, sheet._replace(first=view_lines))
    if sum(len(part.rows) for part in kept.parts) > MOST_ROWS:
        full = Verdict(0, "", "refused", say(said.FULL, most=MOST_ROWS))
        return Taken(hand, False, False, (full, *_whole_or_nothing(verdicts)), sheet.asks, sheet)
    return Taken(_chosen(kept, sheet.asks), True, kept is not hand, verdicts, sheet.asks, sheet)


def _withdrawn(sheet: Sheet, seat: Asked, hand: Hand) -> Sheet:
    """With `take back my orders` as `withdraw`, where it is all that is said and one part waits."""
    waiting = [part for part in hand.parts if part.lines]
    asks = tuple(suspect.ask for suspect in sheet.suspects)
    if asks != (WITHDRAW,) or sheet.first or sheet.later or seat.nr or len(waiting) > 1:
        return sheet
    return sheet._replace(suspects=(), asks=asks)


def is_half(taken: Taken) -> bool:
    """Whether its orders leave an action that needs another one."""
    return any(one.why is not None and one.why.text == said.HALF for one in taken.verdicts)


def _chosen(hand: Hand, asks: tuple[str, ...]) -> Hand:
    """With which reports its player wants from now on, if they say so; the last time counts."""
    said = [ask for ask in asks if ask.startswith("mails ")]
    return hand._replace(mails=said[-1].removeprefix("mails ")) if said else hand


def _too_many(hand: Hand, sheet: Sheet) -> Taken:
    """More orders than a game has turns: something went wrong where they were written."""
    number = len(sheet.first) + len(sheet.later)
    line = (*sheet.first, *sheet.later)[MOST_ORDERS]
    why = say(said.TOO_MANY, number=number, most=MOST_ORDERS)
    refused = (Verdict(line.number, line.text, "refused", why),)
    return Taken(hand, False, False, refused, sheet.asks, sheet)


def _with_what_follows(
    game: "Game", view: Any, sheet: Sheet, passed_over: tuple[OrderLine, ...]
) -> tuple[Sheet, list[Verdict]]:
    """An order was done for him already (R-1): what stood after its ``then`` still counts.

    Where the moment is over it is no fault of his mail, which is read as it is.
    """
    waiting, verdicts = [], []
    for line in passed_over:
        if line.then:
            why = _never_follows(game, view, line)
            if not why:
                waiting.append(OrderLine(line.number, line.text, line.then, place_of(line.order)))
            verdicts.append(Verdict(line.number, line.text, "not kept" if why else "kept", why))
    return sheet._replace(later=(*waiting, *sheet.later)), verdicts


def _judge_later(game: "Game", view: Any, line: OrderLine, hand: Hand) -> Verdict:
    """A standing order: it can be legal, at a place that a question can be about, or is refused.

    One that he holds already and sends again is no fault of his mail: its moment is over.
    """
    why = _why_never(game, view, line.when) if line.when else None
    why = why or _never_legal(game, view, line.order) or _never_follows(game, view, line)
    held = any(
        part.name == part_name(line.when or "") and kept.line == line.order
        for part in hand.parts
        for kept in part.lines
    )
    bad = "not kept" if held else "refused"
    waits = line.when or line.text.lower().startswith("later")
    text = line.text if waits else f"later: {line.text}"
    return Verdict(line.number, text, bad if why else "kept", why)


def _why_never(game: "Game", view: Any, name: str) -> Sentence | None:
    why = game.why_never(view, name)
    return say(said.SAYS, why=why) if why else None


def _never_legal(game: "Game", view: Any, order: str) -> Sentence | None:
    """Why an order is not worth waiting for; None where it may be legal yet."""
    return _refusal(never(game, view, order))


def _never_follows(game: "Game", view: Any, line: OrderLine) -> Sentence | None:
    """Why what stands behind a ``then`` can never be asked for, or never be legal."""
    if not line.then:
        return None
    return _why_never(game, view, place_of(line.order)) or _never_legal(game, view, line.then)


def _refusal(refusal: "Refusal | None") -> Sentence | None:
    return say(said.REFUSED, why=refusal.sentence, ruling=refusal.ruling) if refusal else None


def _whole_or_nothing(verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """One line refused: the good ones are not kept either."""
    why = say(said.OTHER_LINE)
    return tuple(
        one._replace(what="not kept", why=why) if one.what == "kept" else one for one in verdicts
    )


def _judge_first(
    game: "Game", seat: Asked, hand: Hand, lines: tuple[OrderLine, ...]
) -> tuple[list[Verdict], tuple[OrderLine, ...]]:
    """Verdicts for the first part, and the lines of it that count."""
    orders = tuple(line.order for line in lines)
    skipped = passed_over(game, seat.view, seat.since, hand.done, orders)
    verdicts = [
        Verdict(line.number, line.text, "passed over", say(said.DONE, ruling="R-1"))
        for line in lines[:skipped]
    ]
    rest = lines[skipped:]
    if rest and not seat.open:
        told = _not_asked(game, seat.view, rest[0].order)
        refused = Verdict(rest[0].number, rest[0].text, "refused", told)
        return [*verdicts, refused, *_not_looked_at(rest[1:])], rest
    judged, meant = _follow(game, seat.view, rest)
    for verdict, line in zip(judged, rest, strict=True):
        why = _never_follows(game, seat.view, line) if verdict.what == "kept" else None
        verdicts.append(verdict._replace(what="refused", why=why) if why else verdict)
    return verdicts, meant


def _not_looked_at(lines: tuple[OrderLine, ...]) -> list[Verdict]:
    why = say(said.NOT_LOOKED_AT)
    return [Verdict(line.number, line.text, "not kept", why) for line in lines]


def _not_asked(game: "Game", view: Any, order: str) -> Sentence:
    """Why a seat that is not asked may not answer, as the game has it; and the way out."""
    refusal = game.check(view, order)
    why = _refusal(refusal) or say(said.NOT_ASKED)
    ruled = {"ruling": refusal.ruling} if refusal else {}
    return why if game.outcome(view) is not None else say(said.LATER_HINT, why=why, **ruled)


def passed_over(
    game: "Game", view: Any, since: tuple[str, ...], done: tuple[str, ...], lines: tuple[str, ...]
) -> int:
    """How many lines repeat what was ``done`` for the player (R-1); also for an audit.

    In an answer to a report from before, all that was done ``since`` counts. In an answer to the
    newest one, which told him, an order that is legal again is meant again (a second `draw`).
    """
    if since:
        return repeats(since, lines)
    if lines and game.legal(view) and game.check(view, lines[0]) is None:
        return 0
    return repeats(done, lines)


def _follow(
    game: "Game", view: Any, lines: tuple[OrderLine, ...]
) -> tuple[list[Verdict], tuple[OrderLine, ...]]:
    """Play the lines on the player's own View, as far as he can tell.

    The lines come back as they are meant: complete, where their question is known already.
    """
    verdicts: list[Verdict] = []
    meant = list(lines)
    turn = game.turn(view)
    known: Any | None = view
    for at in range(len(lines)):
        line = meant[at]
        if known is not None and game.turn(known) == turn and not game.legal(known):
            known = None if game.questions(known) else known  # somebody else chooses now
        if known is None:  # only the course of the game can tell (a scoring, a draw)
            given = [one.order for one in (*meant[:at], line)]
            why = say(said.TURN_OVER) if too_many(game, view, given) else None
            why = why or _never_legal(game, view, line.order)
        else:
            order = game.complete(known, line.order)
            meant[at] = line._replace(order=order)
            why = _refused(game, known, order, turn)
        if why:
            shared = sum(other.number == line.number for other in lines) > 1
            text = (line.order if shared else "") or line.text
            verdicts.append(Verdict(line.number, text, "refused", why))
            verdicts += _not_looked_at(lines[at + 1 :])
            break
        then = say(said.CHECKED_THEN) if known is None else None
        verdicts.append(Verdict(line.number, line.text, "kept", then))
        known = None if known is None else game.foresee(known, order)
    half = known is not None and game.turn(known) == turn and game.legal(known)
    if half and verdicts and verdicts[-1].what == "kept":
        verdicts[-1] = verdicts[-1]._replace(why=say(said.HALF))
    return verdicts, tuple(meant)


def follow(game: "Game", view: Any, kept: Iterable[Kept]) -> bool:
    """Whether a seat that is asked may give these orders for now, as far as its View tells; for an
    audit.
    """
    lines = tuple(OrderLine(i, one.line, one.line) for i, one in enumerate(kept, 1))
    return all(verdict.what == "kept" for verdict in _follow(game, view, lines)[0])


def _refused(game: "Game", view: Any, order: str, turn: int) -> Sentence | None:
    """Why an order cannot be legal at this point of his turn; None if it is."""
    if not game.legal(view) or game.turn(view) != turn:
        return say(said.TURN_OVER)
    return _refusal(game.check(view, order))


def continued(game: "Game", seat: Asked, hand: Hand, sheet: Sheet) -> Sheet:
    """With what waits for now before its own lines, where these only go on with it.

    So the halves of an action may come in two emails (decision 0022). What is signed has its own
    number and goes on with nothing; neither do lines of another source.
    """
    own = tuple(line for line in sheet.first if not line.when)
    waits = next((part for part in hand.parts if part.name == NOW), Part(NOW, ()))
    half = half_way(game, seat.view, hand) if own and seat.open and not seat.since else None
    fresh = bool(seat.nr or sheet.suspects or taken_back(NOW, sheet.asks))
    if half is None or fresh or waits.source != seat.source or len(own) > half.most:
        return sheet
    verdicts, _ = _follow(game, half.view, own)
    if any(verdict.what != "kept" for verdict in verdicts):
        return sheet
    before = (OrderLine(own[0].number, kept.line, kept.line) for kept in waits.rows)
    return sheet._replace(first=(*before, *sheet.first))


def _with_mail(hand: Hand, seat: Asked, game: "Game", sheet: Sheet) -> Hand:
    """What a mail makes of the hand: what it withdraws, then the parts that it has lines for."""
    by_number = {one.number: one for one in seat.signs}
    nr, lines = seat.nr or min(hand.nr + 1, MOST), dict[str, tuple[Kept, ...]]()
    sheet = numbered(sheet)
    for one in (*sheet.first, *sheet.later):
        name = NOW if one in sheet.first else part_name(one.when or "")
        kept = _kept(by_number.get(one.signed_as, UNSIGNED), one.signed_as, one.order)
        lines[name] = (*lines.get(name, ()), kept)
    back = [part.name for part in hand.parts if part.lines and taken_back(part.name, sheet.asks)]
    if not lines and not back:
        return hand
    turn = game.turn(seat.view)
    parts = [
        Part(name, found, nr, seat.source, seat.head, turn if name == NOW else 0)
        for name, found in lines.items()
    ]
    there = {kept.number for rows in lines.values() for kept in rows}
    rest = [_kept(sign) for sign in seat.signs if sign.number not in there]
    if not seat.signs:
        rest = [Kept(i, ask) for i, ask in enumerate(sheet.asks, len(there) + 1)]
        rest = list(filter(takes_back, rest))
    return hand.with_mail(parts, Part(f"{REST}{nr}", tuple(rest), nr, seat.source, seat.head), back)


def _kept(sign: Signature, number: int = 0, order: str = "") -> Kept:
    """A line in hand: as it was signed, if it was."""
    if not sign.sig:
        return Kept(number, order)
    return Kept(sign.number, order_of(sign.line), sign.sig, sign.line, sign.of)


def handled(hand: Hand, digest: str, receipt: str, *marks: str) -> Hand:
    """Note a mail as answered, with the receipt that was made for it; ``marks``: by what else it
    is known when it comes again.
    """
    number = hand.receipts + 1
    known = (*hand.handled, *((mark, number) for mark in (digest, *marks)))[-MOST_HANDLED:]
    return hand._replace(handled=known, receipts=number, receipt=receipt)
