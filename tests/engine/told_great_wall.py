"""All that players of Great Wall are told in some cases, as one text to be read by people.

    python -m tests.engine.told_great_wall      writes told/great-wall.txt anew

Reading its diff is how a change of wording is looked at.
"""

from pathlib import Path
from typing import Any

from pbem.engine.great_wall import GAME

from .case_great_wall import CASES, LINK, begun, read

TOLD = Path(__file__).parent / "told" / "great-wall.txt"
#: cases whose positions between them have everything that there are words for
NAMES = (
    "GW-0_five_colours",
    "GW-3_equal_pair_at_the_start",
    "GW-3_equal_pair_later",
    "GW-3_the_last_pair_is_equal",
    "GW-5_what_is_drawn_is_its_owners",
    "GW-11_which_marker_and_which_card",
    "GW-11_equal_markers_listed_once",
    "GW-11_at_several_sites",
    "GW-11_both_for_one",
    "GW-20_several_of_one_kind",
    "GW-21_two_of_them",
    "GW-21_between_the_actions",
    "GW-22_empty_deck",
    "GW-22_empty_hand",
    "GW-22_last_card_as_first_action",
    "GW-24_said_where_it_decides",
    "GW-25_where_a_dragon_can_go",
    "GW-25_over_anothers_card",
    "GW-26_on_a_dragon_that_covers",
    "GW-30_two_sites_in_one_examination",
    "GW-31_everybody_else_once_more",
    "GW-31_each_in_turn_order",
    "GW-32_markers_on_cards_are_lost",
    "GW-32_tie",
    "GW-33_won_this_very_turn",
    "GW-D_noble",
    "R-3_as_drawn",
)


def told() -> str:
    """The whole text."""
    return "\n".join(line for name in NAMES for line in _case(name)) + "\n"


def _case(name: str) -> list[str]:
    """One case: what each order brings, and the position after the last of them."""
    case = read(CASES / f"{name}.toml")
    step = begun(case)
    state = step.state
    lines = ["", f"==== {name}", *_events(step.events, state)]
    for number, (seat, line) in enumerate(case.get("orders", ())):
        lines += ["", f"-- {seat}: {line}", *_question(state, seat)]
        step = GAME.apply(state, seat, line, LINK + 1 + number)
        state = step.state
        lines += _events(step.events, state)
    lines += ["", "-- the table", *_described(state, None, ("heading", "board", "standing"))]
    for question in GAME.questions(GAME.view(state, None)):
        lines += [*_question(state, question.seat)]
        lines += _described(state, question.seat, ("hand", "won", "standing"))
    return lines


def _events(events: Any, state: Any) -> list[str]:
    """What all hear of each event; and a seat, where it hears more."""
    lines = []
    for happened in events:
        heard = GAME.tell(happened, GAME.view(state, None))
        lines.append(f"all ({happened.ruling}): {heard}")
        for seat in state.public.rules.seats:
            more = GAME.tell(happened, GAME.view(state, seat))
            lines += [f"{seat}: {more}"] if more != heard else []
    return lines


def _question(state: Any, seat: str) -> list[str]:
    """The question in words."""
    asked = GAME.ask(GAME.view(state, seat))
    return [
        line for name, value in asked.items() for line in _rows(f"{seat} is asked", name, value)
    ]


def _described(state: Any, seat: str | None, names: tuple[str, ...]) -> list[str]:
    """What a report's template gets."""
    table = GAME.describe(GAME.view(state, seat))
    return [line for name in names for line in _rows(seat or "all", name, table[name])]


def _rows(seat: str, name: str, value: Any) -> list[str]:
    """A line for each thing: ``blue hand: kind=wall, text=counts 1``."""
    rows = value if isinstance(value, list | tuple) else [value] if value else []
    texts = [
        ", ".join(f"{key}={text}" for key, text in row.items()) if isinstance(row, dict) else row
        for row in rows
    ]
    return [f"{seat} {name}: {text}" for text in texts]


if __name__ == "__main__":
    TOLD.parent.mkdir(exist_ok=True)
    TOLD.write_text(told(), encoding="utf-8")
