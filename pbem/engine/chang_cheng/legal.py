"""Lists the legal orders of a seat, and finds why any other order is refused.

Law: ``check(view, line) is None`` exactly when ``line in legal(view)``: both read ``Public.asked``.
``new_tuple(Question, …)`` is a faster ``Question(…)``; every step makes one.
Source: CC-10 to CC-31.
"""

from collections.abc import Sequence

from pbem.engine.chang_cheng import placing, refusals, sentences
from pbem.engine.chang_cheng.effects import EFFECTS
from pbem.engine.chang_cheng.layout import KINDS, MANDARIN, NO_PLACEMENTS, Placements
from pbem.engine.chang_cheng.placing import first_placements, free_squares, second_placements
from pbem.engine.chang_cheng.spelling import spell
from pbem.engine.chang_cheng.state import NO_QUESTION, OpenQuestion, Public, Scoring, View
from pbem.engine.decision import Question, Refusal, refusal
from pbem.engine.table import new_tuple

REFUSAL_BY_WORD = {"wall": refusals.wall_refusal, "double": refusals.double_refusal, "tower": refusals.tower_refusal}
#: by kind of question, a sentence that says what to answer
SENTENCE_BY_KIND = {
    "board": sentences.CHOOSE_SIDE,
    "neutral": sentences.CHOOSE_NEUTRAL,
    "colour": sentences.CHOOSE_COLOUR,
}
ACTIONS = ("wall", "card", "double", "tower", "pass")
_NO_ORDER = refusal("CC-10", sentences.NOT_AN_ORDER)


def legal(view: View) -> tuple[str, ...]:
    public = view.public
    open_question = public.asked
    if view.seat is None or open_question.seat != view.seat:
        return ()
    if open_question.lines:
        return open_question.lines
    return public.layout.list_lines(open_question.placements, view.hands[public.colour] or 0)


def check(view: View, line: str) -> Refusal | None:
    if view.seat is None:
        return refusals.not_asked_refusal(view.public)
    return find_refusal(view.public, view.seat, view.hand(), line)


def fits(view: View, line: str) -> bool:
    """Return whether the line answers the open question, legal or not. A tower is not a second step, for example."""
    public = view.public
    if view.seat is None or public.asked.seat != view.seat:
        return False
    word = line.split(" ", 1)[0]
    if public.stage == "action":
        return word in ACTIONS
    if public.stage == "second":
        return word == "wall" or (word == "card" and public.first_step == "card")
    return word == public.asked.questions[0].kind or line in public.asked.lines


def find_refusal(public: Public, seat: int, hand: int, line: str) -> Refusal | None:
    """Return why a seat with this hand may not give the order; None if it may.

    It needs no View, so that ``apply`` and ``check`` can both call it.
    """
    open_question = public.asked
    if open_question.seat != seat:
        return refusals.not_asked_refusal(public)
    if open_question.lines:
        return None if line in open_question.lines else _explain_wrong_answer(public, line)
    order = public.layout.parse_order(line)
    if order is None:
        return _explain_unplaceable(public, line)
    placements = open_question.placements
    if order.word == "card":
        if hand >> order.kind & 1 and placements.cards >> order.province & 1:
            return None
        return refusals.card_refusal(public, order.kind, order.province, hand)
    if order.word == "wall":
        allowed_squares = placements.walls
    elif order.word == "double":
        allowed_squares = placements.doubles
    else:
        allowed_squares = placements.towers if len(order.squares) == 1 else placements.towers_with_choice
    is_allowed = allowed_squares >> order.squares[0] & 1
    return None if is_allowed else REFUSAL_BY_WORD[order.word](public, order.squares)


def _explain_unplaceable(public: Public, line: str) -> Refusal:
    """Return why a text that is not a placing order on this wall is refused."""
    spelled_line = _spell_text(line)
    if spelled_line != line:
        return _NO_ORDER if spelled_line is None else refusal("CC-10", sentences.SPELT, line=spelled_line)
    if line == "pass":
        return refusal("CC-12", sentences.NO_PASS)
    word, *names = line.split()
    layout = public.layout
    for name in names:
        if name[:1].isupper() and name not in (*layout.squares, *layout.provinces, *layout.regions):
            sizes = [(placed.letter, sum(placed.board.provinces)) for placed in layout.placed]
            extent = ", ".join(f"{letter}1 to {letter}{size}" for letter, size in sizes)
            return refusal("CC-2", sentences.NOT_ON_WALL, name=name, extent=extent)
    if word == "double":
        return refusal("CC-10", sentences.NOT_NEIGHBOURS, left=names[0], right=names[1])
    if word == "tower":
        return refusal("CC-15", sentences.NOT_BESIDE, kept=names[-1], square=names[0])
    return refusal("CC-10", sentences.CHOOSE_ACTION, word=word)


def _spell_text(line: str) -> str | None:
    """Return the canonical line of any text; None if it is not an order."""
    return spell(tuple(line.lower().split()))


def _explain_wrong_answer(public: Public, line: str) -> Refusal:
    """Return why an order that is not among the listed answers is refused."""
    question = public.asked.questions[0]
    if question.kind in SENTENCE_BY_KIND:
        default_refusal = refusal(question.ruling, SENTENCE_BY_KIND[question.kind])
        return refusals.neutral_refusal(public, line) or default_refusal
    if public.asked.lines == ("pass",):
        return refusal("CC-12", sentences.PASS_ONLY)
    ruling, province = question.ruling, question.about
    if line.partition(" ")[0] != question.kind:
        return refusal(ruling, sentences.CHOOSE_CARD, kind=question.kind, province=province)
    if question.kind == KINDS[MANDARIN]:
        return refusal("CC-26", sentences.CHOOSE_SWAP, province=province)
    if _spell_text(line) is None:
        return _NO_ORDER
    return refusal(ruling, sentences.NOT_THERE, line=line, province=province)


def derive_question(public: Public) -> OpenQuestion:
    """Return the question that belongs to ``public.stage``; NO_QUESTION when the game is over."""
    stage = public.stage
    if stage == "action":
        placements = first_placements(public, public.colour)
        ruling = "CC-10" if placements.can_complete else "CC-12"
        if public.turns == 1:
            ruling = "CC-11"
        return _placing_question(public, placements, "", ruling)
    if stage == "second":
        first_province = public.layout.provinces[public.first_province]
        return _placing_question(public, second_placements(public), first_province, "CC-13")
    if stage == "card" and public.scoring is not None:
        return _card_question(public, public.scoring)
    if stage == "board":
        return _choice_question(public, public.box[0].id, "CC-31", ("board left", "board right"))
    if stage == "neutral":
        return _choice_question(public, "", "CC-60", placing.neutral_choices(public))
    if stage == "colour":
        return _choice_question(public, "", "CC-61", colour_choices(public))
    return NO_QUESTION


def colour_choices(public: Public) -> tuple[str, ...]:
    """Return ``colour red`` for colours that can complete an action, else for those that can place anything."""
    own_colours = public.rules.colours_by_seat[public.seat]
    placements_by_colour = [first_placements(public, colour) for colour in own_colours]
    must_complete = any(placements.can_complete for placements in placements_by_colour)
    able_colours = [
        colour
        for colour, placements in zip(own_colours, placements_by_colour, strict=True)
        if placements.count_orders(public.hand_sizes[colour]) and (placements.can_complete or not must_complete)
    ]
    return tuple(f"colour {public.rules.colours[colour]}" for colour in able_colours) or ("pass",)  # CC-61


def _choice_question(public: Public, about: str, ruling: str, lines: tuple[str, ...]) -> OpenQuestion:
    """Make a question whose answer must be one of these lines."""
    seat = public.rules.seats[public.seat]
    question = new_tuple(Question, (seat, public.stage, about, ruling, len(lines) == 1))
    return new_tuple(OpenQuestion, (public.seat, (question,), NO_PLACEMENTS, lines))


def _placing_question(public: Public, placements: Placements, about: str, ruling: str) -> OpenQuestion:
    """Make the question for an action or its second step. A seat that can place nothing must pass (CC-12)."""
    seat = public.rules.seats[public.seat]
    is_forced = False
    lines: tuple[str, ...] = ()
    if not placements.walls & (placements.walls - 1):  # mostly there are several walls: no need to count
        order_count = placements.count_orders(public.hand_sizes[public.colour])
        is_forced = order_count <= 1
        lines = () if order_count else ("pass",)
    question = new_tuple(Question, (seat, public.stage, about, ruling, is_forced))
    return new_tuple(OpenQuestion, (public.seat, (question,), placements, lines))


def _card_question(public: Public, scoring: Scoring) -> OpenQuestion:
    """Make the question to the owner of the first card: what does the card do (CC-22)?"""
    card = scoring.cards[0]
    effect = EFFECTS[card.kind]
    lines = effect.choices(public, scoring)
    owner, about = public.rules.owners[card.colour], public.layout.provinces[scoring.province]
    question = new_tuple(Question, (owner, KINDS[card.kind], about, effect.ruling, len(lines) == 1))
    return new_tuple(OpenQuestion, (public.rules.seat_of[card.colour], (question,), NO_PLACEMENTS, lines))


def too_many(view: View, lines: Sequence[str]) -> bool:
    """Return whether these are certainly too many orders for the rest of the turn.

    An action is one order, or two: two walls, two cards, or a card and a wall (CC-10).
    """
    first_words = [line.split(" ")[0] for line in lines]
    action_words = [word for word in first_words if word in ACTIONS]
    max_orders = 2 if {*action_words} <= {"wall", "card"} else 1
    room_by_stage = {"colour": max_orders, "action": max_orders, "second": 1, "neutral": 0, "board": 0}
    room = room_by_stage.get(view.public.stage)
    return room is not None and len(action_words) > room


def complete(view: View, line: str) -> str:
    """Return the legal line that ``line`` means, with its default, or its names in canonical order; else ``line``."""
    public, completion = view.public, line
    word, *names = line.split(" ")
    if word == "tower":
        completion = _complete_tower(public, line)
    elif word in ("double", "mandarin") and len(names) == 2 and line not in public.asked.lines:
        left, right = names
        is_reversed = public.layout.parse_order(line) is None
        completion = f"{word} {right} {left}" if is_reversed else line
    return completion if completion != line and check(view, completion) is None else line


def _complete_tower(public: Public, line: str) -> str:
    """Name the square on the right if there is a choice to reserve; name none if there is no choice (CC-15)."""
    layout = public.layout
    order = layout.parse_order(line)
    if order is None:
        return line
    square, *reserved = order.squares
    has_choice = public.asked.placements.towers_with_choice >> square & 1
    if not reserved:
        return layout.tower_line(square, 1) if has_choice else line
    tower = 1 << square
    free_neighbours = (tower << 1 | tower >> 1) & free_squares(public)
    if not has_choice and free_neighbours == 1 << reserved[0] and public.supply(public.colour):
        return f"tower {layout.squares[square]}"
    return line
