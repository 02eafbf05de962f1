"""Sentences of Great Wall: why an order is refused, and the lines of the board.

Not allowed here: the conditions for each (legal.py, description.py). A refusal has no full
stop, because the number of its rule follows in parentheses. Source: docs/decisions/0008.
"""

from pbem.engine.row import N_, say

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

# the board
SITE_CLOSED = N_("{site}  closed")
SITE_FREE = N_("{site}  markers {low} and {high}")
SITE_EMPTY = N_("{site}  markers {low} and {high}; no cards")
SITE_MARKED = N_("{site}  marker {free} free, {marker} on card {card}")
CARD = N_("  {number} {seat} {kind}")
CARD_MARKED = N_("  {number} {seat} {kind}, with the marker {marker}")
CARD_COVERED = N_("  {number} {seat} {kind}, covered by {covered_by}")
DRAGON = N_("  {number} {seat} {kind} over {over}")
DRAGON_MARKED = N_("  {number} {seat} {kind} over {over}, with the marker {marker}")
NOBLE_IN_PLAY = N_("  a noble is in play: each card counts 1")
INFLUENCE = N_("  {seat} {total} = {sum}")
HOLDINGS = N_("{cards} in hand, {deck} in the deck, {markers} won")
HOLDINGS_OF_CALLER = N_("{cards} in hand, {deck} in the deck, {markers} won; called the last turn")
RESERVE = N_("In the supply, face down: {markers}.")
DISCARDED = N_("Pairs that left the game: {pairs}.")
PAIR = N_("{value} and {value}")
MARKERS_FACE_DOWN = N_("secret, {markers}")

#: by noun: the text for one, and for any other number
COUNTS = {
    "card": (N_("{number} card"), N_("{number} cards")),
    "marker": (N_("{number} marker"), N_("{number} markers")),
    "wall": (N_("{number} wall"), N_("{number} walls")),
    "gate": (N_("{number} gate"), N_("{number} gates")),
    "watchtower": (N_("{number} watchtower"), N_("{number} watchtowers")),
    "guard": (N_("{number} guard"), N_("{number} guards")),
    "horseman": (N_("{number} horseman"), N_("{number} horsemen")),
    "noble": (N_("{number} noble"), N_("{number} nobles")),
    "dragon": (N_("{number} dragon"), N_("{number} dragons")),
}


def count_text(number: int, noun: str) -> str:
    """Write ``1 wall`` or ``2 horsemen``."""
    singular, plural = COUNTS[noun]
    return str(say(singular if number == 1 else plural, number=number))
