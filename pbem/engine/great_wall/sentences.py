"""Why an order of Great Wall is refused, in whole sentences; values in braces.

Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

NOT_AN_ORDER = N_("this is not an order of this game")
SPELT = N_("write it as `{line}`")
OVER = N_("the game is over")
NOT_ASKED = N_("the game waits for {seat}, not for you")
NO_PASSING = N_("draw or play a card; you cannot pass")
NO_SITE = N_("there is no {site} in this game; its sites are {first} to {last}")
CLOSED = N_("{site} is closed, so nothing can be played there")
NO_MARKERS_LEFT = N_("{site} is closed, so no marker can be taken there")

NONE_IN_HAND = N_("you have no {kind} in hand")
TOO_FEW = N_("you have only {cards} in hand, not {number}")
DECK_EMPTY = N_("play a card; your deck is empty")

NO_CARD = N_("there is no card {card} at {site}")
HAS_MARKER = N_("card {card} at {site} carries a marker, so a dragon cannot cover it")
IS_DRAGON = N_("card {card} at {site} is a dragon itself, so it cannot be covered")
COVERED_ALREADY = N_("card {card} at {site} is covered already")

NO_MARKER_NOW = N_("you cannot take a marker now; choose an action")
TAKE_FIRST = N_("first take a marker at {site}")
OTHER_SITE = N_("first take a marker at {site}; sites are examined in the order of their numbers")
SAY_WHICH = N_("name the marker and the card, such as `{line}`")
ONE_FREE = N_("there is no free {marker} at {site}; take the {free}")
TWO_FREE = N_("there is no free {marker} at {site}; take the {free} or the {other}")
COVERED = N_("card {card} at {site} is covered, so it cannot carry a marker")
NOT_YOURS = N_("card {card} at {site} is not yours")

NO_SUCH_MARKER = N_("no marker has the value {marker}")
LAST_EXAMINATION = N_("the last examination has begun, so nothing more can be played")
ALL_PLAYED = N_("you have no {kind} left to play in this game")
TOO_FEW_LEFT = N_("you have only {cards} left to play in this game")
