"""Taking what a player sent: read, check against his View, keep whole or not at all.

What lives here: Taken (the verdict), ``take``. What must never be here: files, the State, another
seat's hand. Everything said here is a function of the player's View and of his own lines (P2).
Laws: one line refused and none is kept; a mail handled before gets the same answer again; what
nobody can tell yet is taken, and looked at when its time comes.
Source: docs/DESIGN.md "Email"; docs/NOTATION.md "A mail or move file"; R-1.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.row import say
from pbem.notation.lines import OrderLine, Sheet
from pbem.play import sentences as said
from pbem.play.half_action import half_way
from pbem.play.pending_orders import (
    MOST,
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
    taken_back,
    takes_back,
)
from pbem.play.signed_orders import numbered
from pbem.play.validation import (
    Asked,
    Verdict,
    followed,
    judge_first,
    judge_later,
    never_follows,
    waits_for,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game


MOST_ORDERS = 500  #: of one mail, as of a move file
MOST_ROWS = 5_000  #: in a hand, with what signed mails left: a file that every command reads


class Taken(NamedTuple):
    """The answer to one mail: the hand afterwards, each line's verdict, what was asked for."""

    hand: Hand
    accepted: bool  #: nothing was refused or doubtful
    changed: bool  #: the orders in hand are other than before
    verdicts: tuple[Verdict, ...]
    asks: tuple[str, ...]
    read: Sheet = Sheet()  #: what the verdicts are about: mended, where that was clear


def take(game: "Game", seat: Asked, hand: Hand, sheet: Sheet) -> Taken:
    """Judge one mail whose code is good.

    The returned hand has the new lines if, and only if, all of them are accepted.
    """
    if len(sheet.first) + len(sheet.later) > MOST_ORDERS:
        return _too_many(hand, sheet)
    # a line with ``when`` waits for its moment, wherever it stands in the mail
    waiting = tuple(line for line in sheet.first if line.when)
    now = tuple(line for line in sheet.first if not line.when)
    sheet = sheet._replace(first=now, later=(*waiting, *sheet.later))
    doubts = [Verdict(s.number, s.text, "doubtful", s.why) for s in sheet.suspects]
    told = {suspect.number for suspect in sheet.suspects}  # once is enough
    unread = [
        Verdict(line.number, line.text, "not read")
        for line in sheet.unread
        if line.number not in told
    ]
    waits = waits_for(hand, sheet)
    judged, counted = judge_first(game, seat, hand, sheet.first, waits)
    later = [judge_later(game, seat.view, line, hand) for line in sheet.later]
    pairs = zip(sheet.later, later, strict=True)
    sheet = sheet._replace(later=tuple(line for line, one in pairs if one.what != "not kept"))
    passed_over = sheet.first[: len(sheet.first) - len(counted)]
    if passed_over:
        sheet, behind = _with_what_follows(game, seat.view, sheet, passed_over)
        later += behind
    verdicts = tuple(sorted((*doubts, *judged, *later, *unread), key=lambda one: one.number))
    bad = any(verdict.what in ("refused", "doubtful") for verdict in verdicts)
    if bad:
        return Taken(hand, False, False, _whole_or_nothing(verdicts), sheet.asks, sheet)
    kept = _with_mail(hand, seat, game, sheet._replace(first=counted))
    if sum(len(part.rows) for part in kept.parts) > MOST_ROWS:
        full = Verdict(0, "", "refused", say(said.FULL, most=MOST_ROWS))
        return Taken(hand, False, False, (full, *_whole_or_nothing(verdicts)), sheet.asks, sheet)
    return Taken(_chosen(kept, sheet.asks), True, kept is not hand, verdicts, sheet.asks, sheet)


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
            why = never_follows(game, view, line)
            if not why:
                waiting.append(OrderLine(line.number, line.text, line.then, place_of(line.order)))
            verdicts.append(Verdict(line.number, line.text, "not kept" if why else "kept", why))
    return sheet._replace(later=(*waiting, *sheet.later)), verdicts


def _whole_or_nothing(verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """One line refused: the good ones are not kept either."""
    why = say(said.OTHER_LINE)
    return tuple(
        one._replace(what="not kept", why=why) if one.what == "kept" else one for one in verdicts
    )


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
    verdicts, _ = followed(game, half.view, own, waits_for(hand, sheet))
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
