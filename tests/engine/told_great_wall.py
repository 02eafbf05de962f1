"""All that players of Great Wall are told in some cases, as one text to be read by people.

    python -m tests.engine.told_great_wall      writes told/great-wall.txt anew

Reading its diff is how a change of wording is looked at.
"""

from collections.abc import Iterator
from pathlib import Path

from pbem.engine.great_wall import GAME
from pbem.engine.great_wall.parts import KINDS
from pbem.engine.row import Row

from .all_told import case_told, refused
from .case_great_wall import CASES, LINK, begun, position, read
from .in_words import in_words
from .judging import played

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
#: cases whose refusals between them are all that there are
REFUSING = (
    "GW-11_not_a_card_that_is_not_there",
    "GW-11_which_marker_and_which_card",
    "GW-20_one_kind",
    "GW-20_what_is_not_in_hand",
    "GW-21_no_other_card_besides",
    "GW-22_closed_site",
    "GW-22_empty_deck",
    "GW-22_no_passing",
    "GW-25_where_a_dragon_can_go",
    "GW-26_not_on_a_covered_card",
    "GW-2_three_players",
    "GW-30_nothing_can_be_ordered_then",
    "GW-4_each_begins_by_examining",
)


def told() -> str:
    """The whole text."""
    lines = [line for name in NAMES for line in _case(name)]
    lines += ["", "==== a card of each kind", *_each_kind()]
    lines += ["", "==== how orders are refused"]
    lines += [line for name in REFUSING for line in _refused(name)]
    return "\n".join(lines) + "\n"


def _case(name: str) -> Iterator[str]:
    case = read(CASES / f"{name}.toml")
    return case_told(GAME, name, case, begun(case), LINK + 1)


def _each_kind() -> Iterator[str]:
    before = {"hands": {"blue": " ".join((*KINDS, "horseman"))}}
    state = position({"players": ["blue", "green"], "before": before})
    hand = GAME.describe(GAME.view(state, "blue"))["hand"]
    return (in_words(GAME, "card", Row("in_hand", card)) for card in hand)


def _refused(name: str) -> Iterator[str]:
    case = read(CASES / f"{name}.toml")
    state, _ = played(GAME, begun(case), case.get("orders", ()), LINK + 1)
    yield from refused(GAME, name, case, state)


if __name__ == "__main__":
    TOLD.parent.mkdir(exist_ok=True)
    TOLD.write_text(told(), encoding="utf-8")
