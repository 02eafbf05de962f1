"""The legal orders of a seat, and why another order is refused, now or for ever.

Law: ``check(view, line) is None`` exactly when ``line in legal(view)``. Law of ``never`` and
``why_never``: only what is certain is said, from the seat's View; it stays so to the end, whatever
others do. A closed site stays closed, and a card that was played never comes back.
Source: GW-1 to GW-3, GW-10 to GW-31.
"""

from collections.abc import Sequence
from functools import lru_cache

from pbem.engine.decision import Question, Refusal, refusal
from pbem.engine.great_wall import sentences
from pbem.engine.great_wall.parts import (
    DRAGON,
    HORSEMAN,
    KINDS,
    MARKERS,
    NAMES,
    WHOLE_DECK,
    counted,
    number_of,
)
from pbem.engine.great_wall.spelling import Order, no_site, order_of, spell
from pbem.engine.great_wall.state import NOBODY, Asked, Public, View
from pbem.engine.row import say

MARKER = "marker"  #: the kind of question put to who may take one


def now_asked(public: Public) -> Asked:
    """The one question that ``public.stage`` stands for; nobody is asked when the game is over."""
    if public.stage == "over":
        return NOBODY
    seat = public.rules.seats[public.seat]
    if public.site >= 0:
        lines = takes(public, public.site)
        question = Question(seat, MARKER, NAMES[public.site], "GW-11", len(lines) == 1)
        return Asked(public.seat, (question,), lines)
    # whether everybody can see that one action alone is possible: with an empty hand one must draw
    # (GW-22), and with an empty deck all can tell what is in the hand
    hand = public.known_hand(public.seat)
    forced = hand is not None and len(actions(public, hand)) == 1
    return _about_action(public.seat, seat, public.stage, forced)


@lru_cache(maxsize=64)  # five seats, two stages
def _about_action(number: int, seat: str, stage: str, forced: bool) -> Asked:
    """The second or the third action of a turn (GW-20)."""
    return Asked(number, (Question(seat, stage, "", "GW-20", forced),), ())


def takes(public: Public, site: int) -> tuple[str, ...]:
    """``take S1 7 on 3``: either marker, on any card of one's own in play there (GW-11, GW-26)."""
    here = public.sites[site]
    name = NAMES[site]
    cards = [card + 1 for card in here.in_play(public.seat)]
    return tuple(
        f"take {name} {marker} on {card}" for marker in sorted(set(here.free)) for card in cards
    )


def actions(public: Public, hand: int) -> tuple[str, ...]:
    """Draw, play, or a horseman besides (GW-20, GW-21), with this hand; nothing on closed sites."""
    found: tuple[str, ...] = ("draw",) if public.decks[public.seat] else ()
    horsemen: tuple[str, ...] = ()
    rides, has_dragon = number_of(hand, HORSEMAN), number_of(hand, DRAGON)
    for number, site in enumerate(public.sites):
        if not site.free:
            continue
        found += plays(number, hand)
        if has_dragon:
            found += tuple(
                f"play {NAMES[number]} dragon over {card + 1}" for card in site.coverable()
            )
        if rides:
            horsemen += (f"horseman {NAMES[number]}",)
    return found + horsemen


@lru_cache(maxsize=20_000)  # four sites, and not five thousand hands
def plays(site: int, hand: int) -> tuple[str, ...]:
    """``play S1 guard guard``: one or more cards of one kind (GW-20)."""
    return tuple(
        " ".join(("play", NAMES[site], *(word,) * number))
        for kind, word in enumerate(KINDS)
        for number in range(1, number_of(hand, kind) + 1)
    )


_NO_ORDER = refusal("GW-20", sentences.NOT_AN_ORDER)
_DECK_EMPTY = refusal("GW-22", sentences.DECK_EMPTY)
_NO_MARKER_NOW = refusal("GW-11", sentences.NO_MARKER_NOW)


def too_many(view: View, lines: Sequence[str]) -> bool:
    """GW-20: a turn has two actions, and a horseman is none of them (GW-21)."""
    room = {"examine": 2, "second": 2, "third": 1, "final": 0}.get(view.public.stage, len(lines))
    acts = [at for at, line in enumerate(lines) if line.startswith(("draw", "play "))]
    behind = lines[acts[-1] + 1 :] if len(acts) == room > 0 else ()
    return len(acts) > room or any(line.startswith("horseman ") for line in behind)


def legal(view: View) -> tuple[str, ...]:
    asked = view.public.asked
    if view.seat is None or asked.seat != view.seat:
        return ()
    return asked.lines or actions(view.public, view.hand)


def check(view: View, line: str) -> Refusal | None:
    if view.seat is None:
        return not_asked(view.public)
    return refused(view.public, view.seat, view.hand, line)


def fits(view: View, line: str) -> bool:
    """A marker of another site is no answer: that line waits for its own site."""
    public = view.public
    if view.seat is None or public.asked.seat != view.seat:
        return False
    word, *parts = line.split(" ")
    if public.site < 0:
        return word in ("draw", "play", "horseman")
    return word == "take" and (not parts or parts[0] not in NAMES or parts[0] == NAMES[public.site])


def refused(public: Public, seat: int, hand: int, line: str) -> Refusal | None:
    """``check`` by what all see and the seat's own hand: ``apply`` asks again, without a View."""
    asked = public.asked
    if asked.seat != seat:
        return not_asked(public)
    if asked.lines:
        return None if line in asked.lines else _not_taking(public, line)
    order = order_of(line)
    if order is None:
        return _no_action(line)
    if order.word == "take":
        return _NO_MARKER_NOW
    if order.word == "draw":
        return None if public.decks[public.seat] else _DECK_EMPTY
    return cards_refused(public, order, hand)


def cards_refused(public: Public, order: Order, hand: int) -> Refusal | None:
    """Why these cards may not be played there now; None if they may."""
    if order.site >= len(public.sites):
        return Refusal("GW-2", no_site(public, NAMES[order.site]))
    if not public.sites[order.site].free:
        return refusal("GW-22", sentences.CLOSED, site=NAMES[order.site])
    has = number_of(hand, order.kind)
    if has < order.number:
        word = KINDS[order.kind]
        if not has:
            return refusal("GW-20", sentences.NONE_IN_HAND, kind=word)
        cards = counted(has, word)
        return refusal("GW-20", sentences.TOO_FEW, cards=cards, number=order.number)
    if order.card >= 0:
        return dragon_refused(public, order)
    return None


def dragon_refused(public: Public, order: Order) -> Refusal | None:
    """Why it may not cover that card; None if it may. The rest has been looked at."""
    site = public.sites[order.site]
    if order.card in site.coverable():
        return None
    if order.card >= len(site.cards):
        text = sentences.NO_CARD
    elif order.card == site.marked:
        text = sentences.HAS_MARKER
    elif site.cards[order.card].kind == DRAGON:
        text = sentences.IS_DRAGON
    else:
        text = sentences.COVERED_ALREADY
    return refusal("GW-25", text, card=order.card + 1, site=NAMES[order.site])


def not_asked(public: Public) -> Refusal:
    if public.stage == "over":
        return refusal(public.ended_by, sentences.OVER)
    return refusal("GW-4", sentences.NOT_ASKED, seat=public.rules.seats[public.asked.seat])


def _no_action(line: str) -> Refusal:
    """Some text: perhaps an order in other words, or one that leaves something open."""
    if line == "pass":
        return refusal("GW-22", sentences.NO_PASSING)
    spelt = _spelt(line)
    if spelt is None:
        return _NO_ORDER
    if spelt != line:
        return refusal("GW-20", sentences.SPELT, line=spelt)
    return _NO_MARKER_NOW


def _not_taking(public: Public, line: str) -> Refusal:
    """Why a line does not say which marker is taken, and where it goes."""
    name = NAMES[public.site]
    order = order_of(line)
    spelt = _spelt(line)
    if spelt is None:
        return _NO_ORDER
    if not spelt.startswith("take"):
        return refusal("GW-11", sentences.TAKE_FIRST, site=name)
    if order is None:
        if spelt != line:
            return refusal("GW-11", sentences.SPELT, line=spelt)
        return refusal("GW-11", sentences.SAY_WHICH, line=public.asked.lines[-1])
    site = public.sites[public.site]
    if order.site != public.site:
        return refusal("GW-10", sentences.OTHER_SITE, site=name)
    if order.marker not in site.free:
        free = sorted(set(site.free))
        text = sentences.ONE_FREE if len(free) == 1 else sentences.TWO_FREE
        values = {"marker": order.marker, "free": free[0], "other": free[-1]}
        return refusal("GW-11", text, site=name, **values)
    if order.card < len(site.cards) and site.covered >> order.card & 1:
        return refusal("GW-26", sentences.COVERED, card=order.card + 1, site=name)
    return refusal("GW-11", sentences.NOT_YOURS, card=order.card + 1, site=name)


def _spelt(line: str) -> str | None:
    """The order that a text is; None if it is none, for ``check`` is asked about any text."""
    return spell(tuple(line.lower().split()))


def never(view: View, line: str) -> Refusal | None:
    public = view.public
    if view.seat is None or _spelt(line) != line:
        return None
    if public.stage == "over":
        return not_asked(public)
    word, *rest = line.split()
    if word == "draw":
        return None if public.decks[view.seat] else _DECK_EMPTY
    if rest[0] not in NAMES[: len(public.sites)]:
        return Refusal("GW-2", no_site(public, rest[0]))
    closed = not public.sites[NAMES.index(rest[0])].free
    if word == "take":
        if closed:
            return refusal("GW-3", sentences.NO_MARKERS_LEFT, site=rest[0])
        if rest[1:2] in ([], ["on"]) or int(rest[1]) in MARKERS:  # left out where it can be told
            return None
        return refusal("GW-2", sentences.NO_SUCH_MARKER, marker=rest[1])
    if closed:
        return refusal("GW-22", sentences.CLOSED, site=rest[0])
    order = order_of(line)
    return _no_cards(public, view.seat, order) if order is not None else None


def _no_cards(public: Public, colour: int, order: Order) -> Refusal | None:
    """Nothing is played in the last examination; nor more cards than are still to be played."""
    if public.stage == "final":
        return refusal("GW-31", sentences.LAST_EXAMINATION)
    left, kind = number_of(WHOLE_DECK - public.played[colour], order.kind), KINDS[order.kind]
    if left >= order.number:
        return None
    if not left:
        return refusal("GW-1", sentences.ALL_PLAYED, kind=kind)
    return refusal("GW-1", sentences.TOO_FEW_LEFT, cards=counted(left, kind))


def why_never(view: View, name: str) -> str:
    """Questions are about sites with markers alone, and one that is closed stays so (GW-3)."""
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
