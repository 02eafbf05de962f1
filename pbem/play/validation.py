"""What becomes of the lines of an email: each judged at its player's View.

What must never be here: what is kept of them (validate_email.py); files, the State, another seat's
hand. Everything said here is a function of the player's View and of his own lines (P2).
Source: docs/NOTATION.md "A mail or move file"; R-1.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.sources import REPLIED
from pbem.engine.optional_parts import never, too_many
from pbem.engine.row import Sentence, say
from pbem.notation.lines import OrderLine, Sheet
from pbem.play import sentences as said
from pbem.play.half_action import Waiting, past_waiting, waiting
from pbem.play.pending_orders import (
    Hand,
    Kept,
    Signature,
    part_name,
    place_of,
    repeats,
    taken_back,
)

if TYPE_CHECKING:
    from pbem.engine.decision import Refusal
    from pbem.engine.game import Game


class Asked(NamedTuple):
    """What a seat is asked, as intake needs it, and whence its answer comes."""

    view: Any
    open: bool  #: it is asked at all now
    head: str  #: of the link that the orders are written for, b64
    since: tuple[str, ...] = ()  #: done for the seat (R-1) after the report it answers was written
    source: str = REPLIED.name
    nr: int = 0  #: the player's own, where he signed
    signs: tuple[Signature, ...] = ()  #: his signatures


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


def judge_later(game: "Game", view: Any, line: OrderLine, hand: Hand) -> Verdict:
    """A standing order: it can be legal, at a place that a question can be about, or is refused.

    One that he holds already and sends again is no fault of his mail: its moment is over.
    """
    why = _why_never(game, view, line.when) if line.when else None
    why = why or _never_legal(game, view, line.order) or never_follows(game, view, line)
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


def never_follows(game: "Game", view: Any, line: OrderLine) -> Sentence | None:
    """Why what stands behind a ``then`` can never be asked for, or never be legal."""
    if not line.then:
        return None
    return _why_never(game, view, place_of(line.order)) or _never_legal(game, view, line.then)


def _refusal(refusal: "Refusal | None") -> Sentence | None:
    return say(said.REFUSED, why=refusal.sentence, ruling=refusal.ruling) if refusal else None


def waits_for(hand: Hand, sheet: Sheet) -> list[Waiting]:
    """What may answer a question in between, once the mail is taken: its own lines with ``when``,
    and of what waited so the parts that it does not replace.
    """
    own = [(line.when, line.order) for line in (*sheet.first, *sheet.later) if line.when]
    gone = {when for when, _ in own}
    back = [part.when for part in hand.parts if taken_back(part.name, sheet.asks)]
    return [*own, *(one for one in waiting(hand) if one[0] not in {*gone, *back})]


def judge_first(
    game: "Game", seat: Asked, hand: Hand, lines: tuple[OrderLine, ...], waits: Sequence[Waiting]
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
    judged, meant = followed(game, seat.view, rest, waits)
    for verdict, line in zip(judged, rest, strict=True):
        why = never_follows(game, seat.view, line) if verdict.what == "kept" else None
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


def followed(
    game: "Game", view: Any, lines: tuple[OrderLine, ...], waits: Sequence[Waiting]
) -> tuple[list[Verdict], tuple[OrderLine, ...]]:
    """Play the lines on the player's own View, as far as he can tell; what ``waits`` answers what
    they do not.

    The lines come back as they are meant: complete, where their question is known already.
    """
    verdicts: list[Verdict] = []
    meant = list(lines)
    turn = game.turn(view)
    known: Any | None = view
    for at in range(len(lines)):
        line = meant[at]
        known = None if known is None else past_waiting(game, known, line.order, waits)
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
    known = None if known is None else past_waiting(game, known, "", waits)
    half = known is not None and game.turn(known) == turn and game.legal(known)
    if half and verdicts and verdicts[-1].what == "kept":
        verdicts[-1] = verdicts[-1]._replace(why=say(said.HALF))
    return verdicts, tuple(meant)


def follow(game: "Game", view: Any, kept: Iterable[Kept], waits: Sequence[Waiting]) -> bool:
    """Whether a seat that is asked may give these orders for now, as far as its View tells, where
    this ``waits``; for an audit.
    """
    lines = tuple(OrderLine(i, one.line, one.line) for i, one in enumerate(kept, 1))
    return all(verdict.what == "kept" for verdict in followed(game, view, lines, waits)[0])


def _refused(game: "Game", view: Any, order: str, turn: int) -> Sentence | None:
    """Why an order cannot be legal at this point of his turn; None if it is."""
    if not game.legal(view) or game.turn(view) != turn:
        return say(said.TURN_OVER)
    return _refusal(game.check(view, order))
