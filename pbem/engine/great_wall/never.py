"""What can never be any more: orders that stay illegal, names that no question can be about.

Law: only what is certain is said, from the seat's View; it stays so to the end of the game,
whatever others do. A closed site stays closed, and a card that was played never comes back.
Source: GW-1 to GW-3, GW-22, GW-31.
"""

from pbem.engine.decision import Refusal
from pbem.engine.great_wall import sentences
from pbem.engine.great_wall.legal import not_asked
from pbem.engine.great_wall.parts import KINDS, MARKERS, NAMES, WHOLE_DECK, counted, number_of
from pbem.engine.great_wall.spelling import Order, no_site, order_of, spell
from pbem.engine.great_wall.state import Public, View
from pbem.engine.row import say


def never(view: View, line: str) -> Refusal | None:
    """Why the View's seat can give this order neither now nor later; None where it may be able."""
    public = view.public
    if view.seat is None or spell(tuple(line.lower().split())) != line:
        return None
    if public.stage == "over":
        return not_asked(public)
    word, *rest = line.split()
    if word == "draw":
        empty = not public.decks[view.seat]
        return Refusal("GW-22", say(sentences.DECK_EMPTY)) if empty else None
    if rest[0] not in NAMES[: len(public.sites)]:
        return Refusal("GW-2", no_site(public, rest[0]))
    closed = not public.sites[NAMES.index(rest[0])].free
    if word == "take":
        if closed:
            return Refusal("GW-3", say(sentences.NO_MARKERS_LEFT, site=rest[0]))
        return _no_marker(rest[1:])
    if closed:
        return Refusal("GW-22", say(sentences.CLOSED, site=rest[0]))
    order = order_of(line)
    return _no_cards(public, view.seat, order) if order is not None else None


def _no_marker(words: list[str]) -> Refusal | None:
    """No marker has this value (GW-2). It may be left out, where it can be told."""
    if not words or words[0] == "on" or int(words[0]) in MARKERS:
        return None
    return Refusal("GW-2", say(sentences.NO_SUCH_MARKER, marker=words[0]))


def _no_cards(public: Public, colour: int, order: Order) -> Refusal | None:
    """Nothing is played in the last examination; nor more cards than are still to be played."""
    if public.stage == "final":
        return Refusal("GW-31", say(sentences.LAST_EXAMINATION))
    left, kind = number_of(WHOLE_DECK - public.played[colour], order.kind), KINDS[order.kind]
    if left >= order.number:
        return None
    if not left:
        return Refusal("GW-1", say(sentences.ALL_PLAYED, kind=kind))
    return Refusal("GW-1", say(sentences.TOO_FEW_LEFT, cards=counted(left, kind)))


def why_never(view: View, name: str) -> str:
    """Why no question can be about this name now or later; "" if one can: of markers alone.

    A site that is closed stays so (GW-3).
    """
    public = view.public
    if any(question.about == name for question in public.asked.questions):
        return ""
    if name not in NAMES[: len(public.sites)]:
        return str(no_site(public, name))
    if public.stage == "over":
        return sentences.OVER
    if not public.sites[NAMES.index(name)].free:
        return str(say(sentences.NO_MARKERS_LEFT, site=name))
    return ""
