"""The question now open, its legal orders, and why another order is refused.

Law: ``check(view, line) is None`` exactly when ``line in legal(view)``: both read the same sets.
Source: R-1, CC-10 to CC-31.
"""

from pbem.engine.chang_cheng import board, card, double, tower, wall
from pbem.engine.chang_cheng.parts import KINDS, MANDARIN
from pbem.engine.chang_cheng.possible import Possible, possible
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.chang_cheng.turn import CARDS
from pbem.engine.decision import Question, Refusal

#: the ruling behind each question about a card
RULINGS = ("CC-23", "CC-24", "CC-25", "CC-25", "CC-25", "CC-26")


def asked_seat(public: Public) -> int:
    """The seat that has to choose now (only while the game goes on)."""
    if public.stage == "card" and public.scoring is not None:
        return public.rules.seat_of[public.scoring.cards[0][1]]  # CC-22
    return public.seat


def questions(public: Public) -> tuple[Question, ...]:
    """The one question now open; none when the game is over."""
    if public.stage == "over":
        return ()
    seat = public.rules.seats[asked_seat(public)]
    if public.stage == "card" and public.scoring is not None:
        kind = public.scoring.cards[0][0]
        about = public.layout.provinces[public.scoring.province]
        forced = len(_about_card(public)) == 1
        return (Question(seat, KINDS[kind], about, RULINGS[kind], forced),)
    if public.stage == "board":
        return (Question(seat, "board", public.box[0].id, "CC-31", forced=False),)
    can = possible(public)
    forced = can.count(public.held[public.active()]) <= 1
    if public.stage == "second":
        about = public.layout.provinces[public.where]
        return (Question(seat, "second", about, "CC-13", forced),)
    ruling = "CC-11" if public.turns == 1 else "CC-10" if can.complete else "CC-12"
    return (Question(seat, "action", "", ruling, forced),)


def legal(view: View) -> tuple[str, ...]:
    """Every legal order of the View's seat."""
    public = view.public
    if public.stage == "over" or view.seat is None or asked_seat(public) != view.seat:
        return ()
    if public.stage == "card":
        return _about_card(public)
    if public.stage == "board":
        return board.CHOICES
    can, layout = possible(public), public.layout
    lines = (
        layout.walls(can.walls)
        + layout.cards(view.hand, can.cards)
        + layout.doubles(can.doubles)
        + layout.towers(can.towers, can.choosing)
    )
    return lines or ("pass",)


def _about_card(public: Public) -> tuple[str, ...]:
    scoring = public.scoring
    if scoring is None:
        return ()
    return CARDS[scoring.cards[0][0]].choices(public, scoring)


def check(view: View, line: str) -> Refusal | None:
    """Why the View's seat may not give this well-formed order now; None if it is legal."""
    public = view.public
    if public.stage == "over":
        return Refusal(public.ended_by, "the game is over")
    if view.seat is None or asked_seat(public) != view.seat:
        seat = public.rules.seats[asked_seat(public)]
        return Refusal("CC-13", f"the game waits for {seat}, not for you")
    if public.stage in ("card", "board"):
        return None if line in legal(view) else _other_question(public, line)
    order = public.layout.orders.get(line)
    if order is None:
        return _not_placing(view, line)
    return _check_placing(view, line, possible(public))


def _check_placing(view: View, line: str, can: Possible) -> Refusal | None:
    public = view.public
    word, numbers = public.layout.orders[line]
    if word == "wall":
        return None if wall.allowed(can, numbers) else wall.why_not(public, numbers)
    if word == "card":
        if card.allowed(can, numbers, view.hand):
            return None
        return card.why_not(public, numbers, view.hand)
    if word == "double":
        return None if double.allowed(can, numbers) else double.why_not(public, numbers)
    return None if tower.allowed(can, numbers) else tower.why_not(public, numbers)


def _not_placing(view: View, line: str) -> Refusal | None:
    """A well-formed order that places nothing (or nothing on this wall)."""
    public = view.public
    if line == "pass":
        if legal(view) == ("pass",):
            return None
        return Refusal("CC-12", "you cannot pass while anything can be done")
    word, *names = line.split()
    known = (*public.layout.squares, *public.layout.provinces, *public.layout.regions)
    for name in names:
        if name[:1].isupper() and name not in known:
            return Refusal("CC-2", f"there is no {name} on the wall (it has {_extent(public)})")
    if word == "double":
        return Refusal("CC-10", f"{names[0]} and {names[1]} are not neighbours, from left to right")
    if word == "tower":
        return Refusal("CC-15", f"{names[2]} is not beside {names[0]}")
    return Refusal("CC-10", f"no {word} is asked for now, but an action of your turn")


def _extent(public: Public) -> str:
    ends = []
    at = 0
    for letter, placed in public.layout.placed:
        size = sum(placed.provinces)
        ends.append(f"{letter}1 to {letter}{size}")
        at += size
    return ", ".join(ends)


def _other_question(public: Public, line: str) -> Refusal:
    if public.stage == "board":
        return Refusal("CC-31", "the question is where the new board goes: `board left` or `board right`")
    question = questions(public)[0]
    if line.split()[0] != question.kind:
        return Refusal(question.ruling, f"the question is about your {question.kind} in {question.about}")
    if question.kind == KINDS[MANDARIN]:
        text = f"it swaps an unbroken single wall of {question.about} with another, or `mandarin none`"
        return Refusal("CC-26", text)
    return Refusal(question.ruling, f"`{line}` is not possible in {question.about}")


def default(view: View) -> str:
    """The order given for a missed turn (R-2)."""
    public = view.public
    lines = legal(view)
    if public.stage == "board":
        return "board right"
    if public.stage == "card" and public.scoring is not None:
        return _default_for_card(view, lines)
    can = possible(public)
    for some in (
        public.layout.walls(can.walls),
        _tower_default(public, can),
        public.layout.doubles(can.doubles),
        tuple(sorted(public.layout.cards(view.hand, can.cards), key=_leftmost_lowest(public))),
    ):
        if some:
            return some[0]
    return "pass"


def _tower_default(public: Public, can: Possible) -> tuple[str, ...]:
    """Towers from left to right; where there is a choice, the one that reserves the right."""
    where = can.towers | can.choosing
    if not where:
        return ()
    square = (where & -where).bit_length() - 1
    if can.choosing >> square & 1:
        return (public.layout.reserving(square, square + 1),)
    return public.layout.towers(1 << square, 0)


def _leftmost_lowest(public: Public):  # type: ignore[no-untyped-def]
    def key(line: str) -> tuple[int, int]:
        kind, province = public.layout.orders[line][1]
        return province, kind

    return key


def _default_for_card(view: View, lines: tuple[str, ...]) -> str:
    """R-2: what happens to a card whose owner is silent."""
    public, scoring = view.public, view.public.scoring
    if scoring is None:
        return lines[0]
    kind, colour = scoring.cards[0]
    seat = public.rules.seat_of[colour]
    if KINDS[kind] == "warrior":
        others = [k for k, c in scoring.cards[1:] if public.rules.seat_of[c] != seat]
        own = [k for k, _ in scoring.cards[1:]]
        return f"warrior {KINDS[max(others or own)]}"
    if KINDS[kind] == "traitor" and lines[0].startswith("traitor break"):
        owned = [line for line in lines if not public.single[colour] >> public.layout.number[line[14:]] & 1]
        return (owned or list(lines))[0]
    return lines[0]  # leftmost counter, flood +2, builder value, mandarin none
