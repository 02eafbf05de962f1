"""The legal orders of a seat, and why another order is refused.

Law: ``check(view, line) is None`` exactly when ``line in legal(view)``.
Source: GW-10 to GW-31.
"""

from functools import lru_cache

from pbem.engine.decision import Question, Refusal
from pbem.engine.great_wall import cards
from pbem.engine.great_wall.parts import DRAGON, HORSEMAN, KINDS, NAMES, number_of
from pbem.engine.great_wall.spelling import order_of, spell
from pbem.engine.great_wall.state import NOBODY, Asked, Public, View

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
    return _about_action(public.seat, seat, public.stage, _one_action_alone(public))


@lru_cache(maxsize=64)  # five seats, two stages
def _about_action(number: int, seat: str, stage: str, forced: bool) -> Asked:
    """The second or the third action of a turn (GW-20)."""
    return Asked(number, (Question(seat, stage, "", "GW-20", forced),), ())


def _one_action_alone(public: Public) -> bool:
    """Whether everybody can see that one action alone is possible.

    With an empty hand one must draw (GW-22). With an empty deck all can tell what is in the hand:
    every card of the colour that has not been played.
    """
    hand = public.known_hand(public.seat)
    return hand is not None and len(actions(public, hand)) == 1


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


ACTIONS = {
    "draw": cards.draw_refused,
    "play": cards.cards_refused,
    "horseman": cards.cards_refused,
}
_NO_ORDER = Refusal("GW-20", "it is no order of this game")


def legal(view: View) -> tuple[str, ...]:
    """Every legal order of the View's seat; none if it is not asked."""
    asked = view.public.asked
    if view.seat is None or asked.seat != view.seat:
        return ()
    return asked.lines or actions(view.public, view.hand)


def check(view: View, line: str) -> Refusal | None:
    """Why the View's seat may not give this order (any text) now; None if it is legal."""
    if view.seat is None:
        return _not_asked(view.public)
    return refused(view.public, view.seat, view.hand, line)


def fits(view: View, line: str) -> bool:
    """Whether a line is of the sort that the question put to the View's seat wants.

    A marker of another site is no answer: that line waits for its own site.
    """
    public = view.public
    if view.seat is None or public.asked.seat != view.seat:
        return False
    word, *parts = line.split(" ")
    if public.site < 0:
        return word in ACTIONS
    return word == "take" and (not parts or parts[0] not in NAMES or parts[0] == NAMES[public.site])


def refused(public: Public, seat: int, hand: int, line: str) -> Refusal | None:
    """Why not, from what all see and the seat's own hand.

    The second look before an order is carried out comes here too: one check, and no View is built
    for it.
    """
    asked = public.asked
    if asked.seat != seat:
        return _not_asked(public)
    if asked.lines:
        return None if line in asked.lines else _not_taking(public, line)
    order = order_of(line)
    if order is None:
        return _no_action(line)
    if order.word == "take":
        return Refusal("GW-11", "no marker is to be taken now: it is about your action")
    return ACTIONS[order.word](public, order, hand)


def _not_asked(public: Public) -> Refusal:
    if public.stage == "over":
        return Refusal(public.ended_by, "the game is over")
    return Refusal("GW-4", f"the game waits for {public.rules.seats[public.asked.seat]}, not you")


def _no_action(line: str) -> Refusal:
    """Some text: perhaps an order in other words, or one that leaves something open."""
    if line == "pass":
        return Refusal("GW-22", "there is no passing: draw, or play a card")
    spelt = _spelt(line)
    if spelt is None:
        return _NO_ORDER
    if spelt != line:
        return Refusal("GW-20", f"it is spelt `{spelt}`")
    return Refusal("GW-11", "no marker is to be taken now: it is about your action")


def _not_taking(public: Public, line: str) -> Refusal:
    """Why a line does not say which marker is taken, and where it goes."""
    name = NAMES[public.site]
    order = order_of(line)
    spelt = _spelt(line)
    if spelt is None:
        return _NO_ORDER
    if not spelt.startswith("take"):
        return Refusal("GW-11", f"first you must take a marker at {name}")
    if order is None:
        text = f"it is spelt `{spelt}`" if spelt != line else _what_is_open(public)
        return Refusal("GW-11", text)
    site = public.sites[public.site]
    if order.site != public.site:
        return Refusal("GW-10", f"it is about a marker at {name}: sites go by their numbers")
    if order.marker not in site.free:
        markers = " and ".join(str(value) for value in sorted(set(site.free)))
        return Refusal("GW-11", f"there is no free {order.marker} at {name}, but {markers}")
    if order.card < len(site.cards) and site.covered >> order.card & 1:
        return Refusal("GW-26", f"card {order.card + 1} at {name} is covered")
    return Refusal("GW-11", f"card {order.card + 1} at {name} is not yours")


def _what_is_open(public: Public) -> str:
    return f"say which marker, and on which card: `{public.asked.lines[-1]}`, for example"


def _spelt(line: str) -> str | None:
    """The order that a text is; None if it is none, for ``check`` is asked about any text."""
    return spell(tuple(line.lower().split()))
