"""Lists the legal orders of a seat, and finds why another is refused, now or for the whole game.

Laws: ``check(view, line) is None`` exactly when ``line in legal(view)``. The reasons of ``never`` and
``why_never`` follow from the seat's View and hold to the end of the game, whatever others do. A
closed site stays closed, and a played card never comes back.
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
    MARKER_COUNTS,
    SITE_NAMES,
    WHOLE_DECK,
    count_in_hand,
)
from pbem.engine.great_wall.sentences import count_text
from pbem.engine.great_wall.spelling import Order, no_site_sentence, parse_order, spell
from pbem.engine.great_wall.state import NO_QUESTION, OpenQuestion, Public, View
from pbem.engine.row import say

MARKER = "marker"  #: the kind of question for a seat that may take a marker


def derive_question(public: Public) -> OpenQuestion:
    """Return the question that belongs to ``public.stage``; NO_QUESTION when the game is over."""
    if public.stage == "over":
        return NO_QUESTION
    seat = public.rules.seats[public.seat]
    if public.site >= 0:
        lines = take_lines(public, public.site)
        question = Question(seat, MARKER, SITE_NAMES[public.site], "GW-11", len(lines) == 1)
        return OpenQuestion(public.seat, (question,), lines)
    # everybody can see a forced action: a draw with an empty hand (GW-22), or one card with an empty deck
    hand = public.known_hand(public.seat)
    is_forced = hand is not None and len(action_lines(public, hand)) == 1
    return _action_question(public.seat, seat, public.stage, is_forced)


@lru_cache(maxsize=64)  # five seats, two stages
def _action_question(number: int, seat: str, stage: str, forced: bool) -> OpenQuestion:
    """Make the question for the first or second action of a turn, stage ``second`` or ``third`` (GW-20)."""
    return OpenQuestion(number, (Question(seat, stage, "", "GW-20", forced),), ())


def take_lines(public: Public, site: int) -> tuple[str, ...]:
    """Return ``take S1 7 on 3`` for either marker and any own card in play at the site (GW-11, GW-26)."""
    site_state = public.sites[site]
    name = SITE_NAMES[site]
    cards = [card + 1 for card in site_state.cards_in_play(public.seat)]
    return tuple(f"take {name} {marker} on {card}" for marker in sorted(set(site_state.free_markers)) for card in cards)


def action_lines(public: Public, hand: int) -> tuple[str, ...]:
    """Return the legal orders with this hand: draw, play, or an extra horseman (GW-20, GW-21)."""
    lines: tuple[str, ...] = ("draw",) if public.deck_sizes[public.seat] else ()
    horseman_lines: tuple[str, ...] = ()
    has_horseman = count_in_hand(hand, HORSEMAN)
    has_dragon = count_in_hand(hand, DRAGON)
    for number, site in enumerate(public.sites):
        if not site.free_markers:
            continue
        lines += play_lines(number, hand)
        if has_dragon:
            lines += tuple(f"play {SITE_NAMES[number]} dragon over {card + 1}" for card in site.coverable_cards())
        if has_horseman:
            horseman_lines += (f"horseman {SITE_NAMES[number]}",)
    return lines + horseman_lines


@lru_cache(maxsize=20_000)  # four sites, and fewer than five thousand hands
def play_lines(site: int, hand: int) -> tuple[str, ...]:
    """Return ``play S1 guard guard`` for each number of cards of each kind in the hand (GW-20)."""
    return tuple(
        " ".join(("play", SITE_NAMES[site], *(word,) * number))
        for kind, word in enumerate(KINDS)
        for number in range(1, count_in_hand(hand, kind) + 1)
    )


_NO_ORDER = refusal("GW-20", sentences.NOT_AN_ORDER)
_DECK_EMPTY = refusal("GW-22", sentences.DECK_EMPTY)
_NO_MARKER_NOW = refusal("GW-11", sentences.NO_MARKER_NOW)


def too_many(view: View, lines: Sequence[str]) -> bool:
    """Return whether these are certainly too many orders for the rest of the turn.

    A turn has two actions (GW-20). A horseman is extra, but only before an action (GW-21).
    """
    room = {"examine": 2, "second": 2, "third": 1, "final": 0}.get(view.public.stage, len(lines))
    action_indexes = [index for index, line in enumerate(lines) if line.startswith(("draw", "play "))]
    if len(action_indexes) != room or not action_indexes:
        return len(action_indexes) > room
    lines_after_last_action = lines[action_indexes[-1] + 1 :]
    return any(line.startswith("horseman ") for line in lines_after_last_action)


def legal(view: View) -> tuple[str, ...]:
    open_question = view.public.asked
    if view.seat is None or open_question.seat != view.seat:
        return ()
    return open_question.lines or action_lines(view.public, view.hand)


def check(view: View, line: str) -> Refusal | None:
    if view.seat is None:
        return not_asked_refusal(view.public)
    return find_refusal(view.public, view.seat, view.hand, line)


def fits(view: View, line: str) -> bool:
    """Return whether the line answers the open question, legal or not. A marker of another site does not."""
    public = view.public
    if view.seat is None or public.asked.seat != view.seat:
        return False
    word, *parts = line.split(" ")
    if public.site < 0:
        return word in ("draw", "play", "horseman")
    is_about_other_site = bool(parts) and parts[0] in SITE_NAMES and parts[0] != SITE_NAMES[public.site]
    return word == "take" and not is_about_other_site


def find_refusal(public: Public, seat: int, hand: int, line: str) -> Refusal | None:
    """Return why a seat with this hand may not give the order; None if it may.

    It needs no View, so that ``apply`` and ``check`` can both call it.
    """
    open_question = public.asked
    if open_question.seat != seat:
        return not_asked_refusal(public)
    if open_question.lines:
        return None if line in open_question.lines else _explain_not_taking(public, line)
    order = parse_order(line)
    if order is None:
        return _explain_no_action(line)
    if order.word == "take":
        return _NO_MARKER_NOW
    if order.word == "draw":
        return None if public.deck_sizes[public.seat] else _DECK_EMPTY
    return cards_refusal(public, order, hand)


def cards_refusal(public: Public, order: Order, hand: int) -> Refusal | None:
    """Return why these cards may not be played there now; None if they may."""
    if order.site >= len(public.sites):
        return Refusal("GW-2", no_site_sentence(public, SITE_NAMES[order.site]))
    if not public.sites[order.site].free_markers:
        return refusal("GW-22", sentences.CLOSED, site=SITE_NAMES[order.site])
    held_count = count_in_hand(hand, order.kind)
    if held_count < order.number:
        word = KINDS[order.kind]
        if not held_count:
            return refusal("GW-20", sentences.NONE_IN_HAND, kind=word)
        cards = count_text(held_count, word)
        return refusal("GW-20", sentences.TOO_FEW, cards=cards, number=order.number)
    if order.card >= 0:
        return dragon_refusal(public, order)
    return None


def dragon_refusal(public: Public, order: Order) -> Refusal | None:
    """Return why a dragon may not cover this card; None if it may."""
    site = public.sites[order.site]
    if order.card in site.coverable_cards():
        return None
    if order.card >= len(site.cards):
        text = sentences.NO_CARD
    elif order.card == site.marked_card:
        text = sentences.HAS_MARKER
    elif site.cards[order.card].kind == DRAGON:
        text = sentences.IS_DRAGON
    else:
        text = sentences.COVERED_ALREADY
    return refusal("GW-25", text, card=order.card + 1, site=SITE_NAMES[order.site])


def not_asked_refusal(public: Public) -> Refusal:
    """Return why a seat without a question may not give any order."""
    if public.stage == "over":
        return refusal(public.ended_by, sentences.OVER)
    return refusal("GW-4", sentences.NOT_ASKED, seat=public.rules.seats[public.asked.seat])


def _explain_no_action(line: str) -> Refusal:
    """Return why a text that is not a canonical order is refused where an action is expected."""
    if line == "pass":
        return refusal("GW-22", sentences.NO_PASSING)
    spelled_line = _spell_text(line)
    if spelled_line is None:
        return _NO_ORDER
    if spelled_line != line:
        return refusal("GW-20", sentences.SPELT, line=spelled_line)
    return _NO_MARKER_NOW


def _explain_not_taking(public: Public, line: str) -> Refusal:
    """Return why a line is refused where a marker must be taken."""
    name = SITE_NAMES[public.site]
    order = parse_order(line)
    spelled_line = _spell_text(line)
    if spelled_line is None:
        return _NO_ORDER
    if not spelled_line.startswith("take"):
        return refusal("GW-11", sentences.TAKE_FIRST, site=name)
    if order is None:
        if spelled_line != line:
            return refusal("GW-11", sentences.SPELT, line=spelled_line)
        return refusal("GW-11", sentences.SAY_WHICH, line=public.asked.lines[-1])
    site = public.sites[public.site]
    if order.site != public.site:
        return refusal("GW-10", sentences.OTHER_SITE, site=name)
    if order.marker not in site.free_markers:
        free_markers = sorted(set(site.free_markers))
        text = sentences.ONE_FREE if len(free_markers) == 1 else sentences.TWO_FREE
        values = {"marker": order.marker, "free": free_markers[0], "other": free_markers[-1]}
        return refusal("GW-11", text, site=name, **values)
    if order.card < len(site.cards) and site.covered_cards >> order.card & 1:
        return refusal("GW-26", sentences.COVERED, card=order.card + 1, site=name)
    return refusal("GW-11", sentences.NOT_YOURS, card=order.card + 1, site=name)


def _spell_text(line: str) -> str | None:
    """Return the canonical line of any text; None if it is not an order."""
    return spell(tuple(line.lower().split()))


def never(view: View, line: str) -> Refusal | None:
    public = view.public
    if view.seat is None or _spell_text(line) != line:
        return None
    if public.stage == "over":
        return not_asked_refusal(public)
    if line == "draw":
        return None if public.deck_sizes[view.seat] else _DECK_EMPTY
    word, site_name, *arguments = line.split()
    if site_name not in SITE_NAMES[: len(public.sites)]:
        return Refusal("GW-2", no_site_sentence(public, site_name))
    is_closed = not public.sites[SITE_NAMES.index(site_name)].free_markers
    if word == "take":
        if is_closed:
            return refusal("GW-3", sentences.NO_MARKERS_LEFT, site=site_name)
        marker = arguments[0] if arguments else "on"
        if marker == "on" or int(marker) in MARKER_COUNTS:  # a marker may be omitted
            return None
        return refusal("GW-2", sentences.NO_SUCH_MARKER, marker=marker)
    if is_closed:
        return refusal("GW-22", sentences.CLOSED, site=site_name)
    order = parse_order(line)
    return _never_cards(public, view.seat, order) if order is not None else None


def _never_cards(public: Public, colour: int, order: Order) -> Refusal | None:
    """Refuse cards in the last examination, or more cards of a kind than the colour has left; else None."""
    if public.stage == "final":
        return refusal("GW-31", sentences.LAST_EXAMINATION)
    remaining_count = count_in_hand(WHOLE_DECK - public.played_cards[colour], order.kind)
    kind = KINDS[order.kind]
    if remaining_count >= order.number:
        return None
    if not remaining_count:
        return refusal("GW-1", sentences.ALL_PLAYED, kind=kind)
    return refusal("GW-1", sentences.TOO_FEW_LEFT, cards=count_text(remaining_count, kind))


def why_never(view: View, name: str) -> str:
    """Return why no question can be about ``name``, or "". Only sites with markers raise questions (GW-3)."""
    public = view.public
    if any(question.about == name for question in public.asked.questions):
        return ""
    if name not in SITE_NAMES[: len(public.sites)]:
        return str(no_site_sentence(public, name))
    if public.stage == "over":
        return sentences.OVER
    if not public.sites[SITE_NAMES.index(name)].free_markers:
        return str(say(sentences.NO_MARKERS_LEFT, site=name))
    return ""
