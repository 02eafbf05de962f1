"""All that players of Chang Cheng are told in some cases, as one text to be read by people.

    python -m tests.engine.told_chang_cheng     writes told/chang-cheng.txt anew

Reading its diff is how a change of wording is looked at.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.engine.chang_cheng import GAME
from pbem.engine.decision import Step

from .all_told import case_told, refused
from .case import CASES, LINK, dealt, editions, options, position, read
from .in_words import noticed
from .judging import played

TOLD = Path(__file__).parent / "told" / "chang-cheng.txt"
#: cases whose positions between them have everything that there are words for
NAMES = (
    "CC-7_taken_away_unseen",
    "CC-7_who_sees_what",
    "CC-12-en-fr-it_a_board_comes_too_late",
    "CC-16-en-fr-it_open_to_all",
    "CC-17_counter_gone",
    "CC-17_double",
    "CC-17_goes_on_knowing",
    "CC-19_own_cards",
    "CC-20-hu_then_the_second_province",
    "CC-20_two_at_once",
    "CC-21_three_of_a_kind",
    "CC-21_two_kinds_twice",
    "CC-23_against_the_master_builder",
    "CC-23_alone",
    "CC-23_removed_cards_do_nothing",
    "CC-24_a_neutral_wall",
    "CC-24_nothing_to_harm",
    "CC-26-en-it_within_the_province",
    "CC-27_nobody",
    "CC-30_four_players_two_boards",
    "CC-31-en-fr-it_letters_stay_when_it_joins_on_the_left",
    "CC-31_before_the_end",
    "CC-40_at_the_end_of_the_turn",
    "CC-41_all_skipped",
    "CC-41_skipped_and_placed_nothing",
    "CC-42_counters_face_up",
    "CC-42_neutral_majority",
    "CC-42_tower",
    "CC-42_two_towers",
    "CC-50_tower_and_double",
    "CC-51_broken_walls_interrupt",
    "CC-52_face_down_is_played",
    "CC-53_neutral_wall",
    "CC-60-hu_card_and_wall_that_complete",
    "CC-60_the_twelfth",
    "CC-61-en-fr-it_kept_for_the_colour",
    "CC-61_events_by_colour",
    "CC-61_only_a_colour_that_can_act",
    "CC-61_two_cards_of_one_player",
    "CC-61_who_is_asked_about_a_card",
    "CC-62_two_players",
    "CC-G_example",
    "CC-H-it_example",
    "CC-I-fr_example",
    "R-1_last_card_in_the_last_province",
    "R-2-en-fr-it_tower_in_the_middle",
    "R-2_and_again",
    "R-2_warrior_own_colours",
    "R-3_as_drawn",
)
#: cases whose refusals between them are all that there are
REFUSING = (
    "CC-10-en-fr-it_own_kept_square_same_province",
    "CC-10_card_and_wall",
    "CC-10_no_wall_left",
    "CC-10_second_card_elsewhere",
    "CC-10_two_walls",
    "CC-11_nothing_else",
    "CC-12-en-fr-it_a_card_nothing_can_follow",
    "CC-12-en-fr-it_a_whole_action_is_possible",
    "CC-12-hu_a_board_brought_by_the_first_wall",
    "CC-14-en-fr-it_across_the_join",
    "CC-15-en-fr-it_across_the_join",
    "CC-15-en-fr-it_named_only_where_there_is_a_choice",
    "CC-15-en-fr-it_one_free_neighbour",
    "CC-15-en-fr-it_two_free_neighbours_name_one",
    "CC-15-hu_nothing_is_named",
    "CC-1_each_once",
    "CC-1_no_card_left",
    "CC-2-en-fr-it_one_chain",
    "CC-22_the_owner_chooses",
    "CC-23_any_card_but_itself",
    "CC-25_what_is_asked",
    "CC-26-en-it_what_can_be_swapped",
    "CC-31-hu_asked_before_the_second_wall",
    "CC-40_no_empty_square",
    "CC-60-en-fr-it_before_a_board",
    "CC-60-en-fr-it_card_and_wall",
    "CC-60-hu_card_and_wall",
    "CC-60_double",
    "CC-60_two_walls",
    "CC-61_a_whole_action_in_one_colour",
    "CC-61_no_second_choice",
)


def told() -> str:
    """The whole text."""
    lines = [line for name in NAMES for line in _case(name)]
    lines += ["", "==== how orders are refused"]
    lines += [line for name in REFUSING for line in _refused(name)]
    return "\n".join(lines) + "\n"


def _case(name: str) -> Iterator[str]:
    """In the first of its editions; with what the first report of such a game names."""
    case = read(CASES / f"{name}.toml")
    yield from case_told(GAME, name, case, _begun(case), LINK + 1)
    config = GAME.configure(case["players"], options(case, editions(case)[0]))
    yield from (f"notice: {notice}" for notice in noticed(GAME, config))


def _begun(case: dict[str, Any]) -> Step:
    """The position before the orders; what is told at the opening, where it is one."""
    edition = editions(case)[0]
    if case.get("before", {}):
        return Step(position(case, edition), ())
    return dealt(case, edition)[1]


def _refused(name: str) -> Iterator[str]:
    case = read(CASES / f"{name}.toml")
    state, _ = played(GAME, _begun(case), case.get("orders", ()), LINK + 1)
    yield from refused(GAME, name, case, state)


if __name__ == "__main__":
    TOLD.parent.mkdir(exist_ok=True)
    TOLD.write_text(told(), encoding="utf-8")
