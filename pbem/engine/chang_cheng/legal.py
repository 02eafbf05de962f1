"""The legal orders of a seat, and why another order is refused.

Law: ``check(view, line) is None`` exactly when ``line in legal(view)``: both read ``Public.asked``.
Source: CC-10 to CC-31.
"""

from collections.abc import Sequence

from pbem.engine.chang_cheng import placing, refusals, sentences
from pbem.engine.chang_cheng.effects import EFFECTS
from pbem.engine.chang_cheng.layout import KINDS, MANDARIN, NOTHING_TO_PLACE, Possible
from pbem.engine.chang_cheng.placing import first_step, free_squares, second_step
from pbem.engine.chang_cheng.spelling import spell
from pbem.engine.chang_cheng.state import NOBODY, Asked, Public, Scoring, View
from pbem.engine.decision import Question, Refusal, refusal
from pbem.engine.table import new

WHY_NOT = {"wall": refusals.no_wall, "double": refusals.no_double, "tower": refusals.no_tower}
#: by kind of question: what it wants
OTHER = {
    "board": sentences.CHOOSE_SIDE,
    "neutral": sentences.CHOOSE_NEUTRAL,
    "colour": sentences.CHOOSE_COLOUR,
}
ACTIONS = ("wall", "card", "double", "tower", "pass")
_NO_ORDER = refusal("CC-10", sentences.NOT_AN_ORDER)


def legal(view: View) -> tuple[str, ...]:
    public = view.public
    asked = public.asked
    if view.seat is None or asked.seat != view.seat:
        return ()
    if asked.lines:
        return asked.lines
    return public.layout.listed(asked.can, view.hands[public.colour] or 0)


def check(view: View, line: str) -> Refusal | None:
    if view.seat is None:
        return refusals.not_asked(view.public)
    return refused(view.public, view.seat, view.hand(), line)


def fits(view: View, line: str) -> bool:
    """A second step is a wall or a card: a tower kept for the next turn is no answer to it."""
    public = view.public
    if view.seat is None or public.asked.seat != view.seat:
        return False
    word = line.split(" ", 1)[0]
    if public.stage == "action":
        return word in ACTIONS
    if public.stage == "second":
        return word == "wall" or (word == "card" and public.first == "card")
    return word == public.asked.questions[0].kind or line in public.asked.lines


def refused(public: Public, seat: int, hand: int, line: str) -> Refusal | None:
    """Why not, from what all see and the seat's own hand.

    The second look before an order is carried out comes here too: one check, and no View is built
    for it.
    """
    asked = public.asked
    if asked.seat != seat:
        return refusals.not_asked(public)
    if asked.lines:
        return None if line in asked.lines else _other_question(public, line)
    order = public.layout.order(line)
    if order is None:
        return _not_placing(public, line)
    word, numbers = order
    can, first = asked.can, numbers[0]
    if word == "card":
        if hand >> first & 1 and can.cards >> numbers[1] & 1:
            return None
        return refusals.no_card(public, numbers, hand)
    if word == "wall":
        where = can.walls
    elif word == "double":
        where = can.doubles
    else:
        where = can.towers if len(numbers) == 1 else can.choosing
    return None if where >> first & 1 else WHY_NOT[word](public, numbers)


def _not_placing(public: Public, line: str) -> Refusal:
    """An order that places nothing, or nothing on this wall; or any other text."""
    spelt = _spelt(line)
    if spelt != line:
        return _NO_ORDER if spelt is None else refusal("CC-10", sentences.SPELT, line=spelt)
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


def _spelt(line: str) -> str | None:
    """The order that a text is; None if it is none, for ``check`` is asked about any text."""
    return spell(tuple(line.lower().split()))


def _other_question(public: Public, line: str) -> Refusal:
    """Another order than the few that answer the question."""
    question = public.asked.questions[0]
    if question.kind in OTHER:
        other = refusal(question.ruling, OTHER[question.kind])
        return refusals.why_no_neutral(public, line) or other
    if public.asked.lines == ("pass",):
        return refusal("CC-12", sentences.PASS_ONLY)
    ruling, province = question.ruling, question.about
    if line.partition(" ")[0] != question.kind:
        return refusal(ruling, sentences.CHOOSE_CARD, kind=question.kind, province=province)
    if question.kind == KINDS[MANDARIN]:
        return refusal("CC-26", sentences.CHOOSE_SWAP, province=province)
    if _spelt(line) is None:
        return _NO_ORDER
    return refusal(ruling, sentences.NOT_THERE, line=line, province=province)


def now_asked(public: Public) -> Asked:
    """The one question that ``public.stage`` stands for; nobody is asked when the game is over."""
    stage = public.stage
    if stage == "action":
        can = first_step(public, public.colour)
        ruling = "CC-11" if public.turns == 1 else "CC-10" if can.complete else "CC-12"
        return _placing(public, can, "", ruling)
    if stage == "second":
        return _placing(public, second_step(public), public.layout.provinces[public.where], "CC-13")
    if stage == "card" and public.scoring is not None:
        return _about_card(public, public.scoring)
    if stage == "board":
        return _choice(public, public.box[0].id, "CC-31", ("board left", "board right"))
    if stage == "neutral":
        return _choice(public, "", "CC-60", placing.neutral_choices(public))
    if stage == "colour":
        return _choice(public, "", "CC-61", colour_choices(public))
    return NOBODY


def colour_choices(public: Public) -> tuple[str, ...]:
    """The colours that can act: completely, if either can; with neither, ``pass`` alone (CC-61)."""
    own = public.rules.own[public.seat]
    can = [first_step(public, colour) for colour in own]
    complete = any(possible.complete for possible in can)
    able = [
        colour
        for colour, possible in zip(own, can, strict=True)
        if possible.count(public.held[colour]) and possible.complete >= complete
    ]
    return tuple(f"colour {public.rules.colours[colour]}" for colour in able) or ("pass",)


def _choice(public: Public, about: str, ruling: str, lines: tuple[str, ...]) -> Asked:
    """The seat on turn chooses one of these lines."""
    seat = public.rules.seats[public.seat]
    question = new(Question, (seat, public.stage, about, ruling, len(lines) == 1))
    return new(Asked, (public.seat, (question,), NOTHING_TO_PLACE, lines))


def _placing(public: Public, can: Possible, about: str, ruling: str) -> Asked:
    """An action, or its second step. With nothing to place one can only pass (CC-12)."""
    seat = public.rules.seats[public.seat]
    # two walls are two orders: mostly there is no need to count
    number = 2 if can.walls & (can.walls - 1) else can.count(public.held[public.colour])
    question = new(Question, (seat, public.stage, about, ruling, number <= 1))
    return new(Asked, (public.seat, (question,), can, () if number else ("pass",)))


def _about_card(public: Public, scoring: Scoring) -> Asked:
    """Its owner chooses what a card does (CC-22)."""
    kind, colour = scoring.cards[0]
    lines = EFFECTS[kind].choices(public, scoring)
    owner, about = public.rules.owner[colour], public.layout.provinces[scoring.province]
    question = new(Question, (owner, KINDS[kind], about, EFFECTS[kind].ruling, len(lines) == 1))
    return new(Asked, (public.rules.seat_of[colour], (question,), NOTHING_TO_PLACE, lines))


def too_many(view: View, lines: Sequence[str]) -> bool:
    """CC-10: an action is one order, or two walls, two cards, or a card and a wall."""
    acts = [word for line in lines if (word := line.split(" ")[0]) in ACTIONS]
    most = 2 if {*acts} <= {"wall", "card"} else 1
    room = {"colour": most, "action": most, "second": 1, "neutral": 0, "board": 0}
    return len(acts) > room.get(view.public.stage, len(acts))


def complete(view: View, line: str) -> str:
    """The same with its default, or with its names in the order that the list has."""
    public, meant = view.public, line
    word, *names = line.split(" ")
    if word == "tower":
        meant = _tower(public, line)
    elif word in ("double", "mandarin") and len(names) == 2 and line not in public.asked.lines:
        turned = public.layout.order(line) is None  # as they stand they mean nothing
        meant = f"{word} {names[1]} {names[0]}" if turned else line
    return meant if meant != line and check(view, meant) is None else line


def _tower(public: Public, line: str) -> str:
    """CC-15: it keeps the square on its right; where there is no choice none is named."""
    layout = public.layout
    order = layout.order(line)
    if order is None:
        return line
    square, *kept = order[1]
    choosing = public.asked.can.choosing >> square & 1
    if not kept:
        return layout.reserving(square, 1) if choosing else line
    beside = (1 << square << 1 | 1 << square >> 1) & free_squares(public)
    if not choosing and beside == 1 << kept[0] and public.supply(public.colour):
        return f"tower {layout.squares[square]}"
    return line
