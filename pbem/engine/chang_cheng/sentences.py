"""Sentences of Chang Cheng: why an order is refused, and the lines of the board.

Not allowed here: the conditions for each (legal.py, refusals.py, description.py).
Law: a refusal has no full stop, because the number of its rule follows in parentheses.
Source: decision 0008.
"""

from pbem.engine.row import N_

NOT_AN_ORDER = N_("this is not an order of this game")
SPELT = N_("write it as `{line}`")
OVER = N_("the game is over")
NOT_YOU = N_("the game waits for {seat}, not for you")
NO_PASS = N_("you cannot pass while you can still place something")
PASS_ONLY = N_("you cannot place anything: `pass` is your only order")
NOT_ON_WALL = N_("there is no {name} on the wall, which has {extent}")
NOT_NEIGHBOURS = N_("{left} and {right} are not neighbours; name the left square first")
NOT_BESIDE = N_("{kept} is not beside {square}")
CHOOSE_ACTION = N_("choose an action now; `{word}` answers another question")
CHOOSE_SIDE = N_("choose where the new board goes: `board left` or `board right`")
CHOOSE_NEUTRAL = N_("choose a listed square for the neutral wall, or `neutral none`")
CHOOSE_COLOUR = N_("choose the colour that you play: a listed one")
CHOOSE_CARD = N_("say what your {kind} in {province} does")
CHOOSE_SWAP = N_("name an unbroken single wall of {province} for your mandarin to swap, or write `mandarin none`")
NOT_THERE = N_("`{line}` is not possible in {province}")

NO_WALL_LEFT = N_("you have no single walls left")
WALLS_APART = N_("place your two walls in different provinces, not both in {province}")
WALL_AFTER_CARD = N_("after a card in {province}, place your wall in {province}")
NO_SECOND_WALL = N_(
    "choose an action that you can complete: after a wall on {square} no second wall could follow in another province"
)
TAKEN = N_("{square} is already taken")
RESERVED = N_("{square} is reserved for a single wall of {colour}")
DOUBLE_PLACED = N_("you have already placed your double wall")
TOWER_PLACED = N_("you have already placed your tower")
FIRST_TURN = N_("in the first turn of the game, place a single wall and nothing else")
DOUBLE_ALONE = N_("a double wall is a whole action, and you have begun another this turn")
TOWER_ALONE = N_("a tower is a whole action, and you have begun another this turn")
TOWERS_APART = N_("{square} is next to another tower")
NONE_NAMED = N_("write `tower {square}`: the wall decides which square a tower reserves")
NO_CHOICE = N_("write `tower {square}`: there is no choice of the square to reserve")
WHICH_SQUARE = N_("say which square the tower reserves: `{left}` or `{right}`")
NOT_HELD = N_("you no longer hold the {kind}")
COMPLETED = N_("{province} is complete, so no card can go there")
CARD_FIRST = N_("after a single wall, place a second wall: a card goes before its wall")
CARDS_APART = N_("lay your two cards in different provinces, not both in {province}")
NOTHING_AFTER_CARD = N_("choose an action that you can complete: after a card in {province} nothing could follow")
NEUTRAL_INSIDE = N_("{square} is in {here}; after this action the neutral wall must go into {used}")
NEUTRAL_OUTSIDE = N_("{square} is in {here}; after this action no neutral wall can go into {used}")

NAME_A_PROVINCE = N_("name a province, such as AP2: cards do not take effect on {name}")
NO_SUCH_PLACE = N_("there is no {name}, and none can join")
SCORED = N_("{name} has been scored; cards no longer take effect there")
NO_NEUTRAL = N_("this game has no neutral walls left to place")
NO_BOARD = N_("no more boards can join in this game")
NOT_YOUR_COLOUR = N_("in this game you never choose to play {colour}")
CARD_OUT = N_("your {kind} has left the game, so it cannot take effect")
NO_SINGLE_WALL = N_("what is on {square} is not an unbroken single wall and cannot become one")
COUNTER_OUT = N_("the threat counter of {region} has left the game")

# the board
EVENTS = N_("Events: {events}")
PAIRS = N_("Colours of each player: {pairs}")
EVENTS_AND_PAIRS = N_("Events: {events}; colours of each player: {pairs}")
PROVINCES = N_("Province, points when full: squares")
PROVINCE = N_("{name}  {full}: {squares}")
PROVINCE_WITH_CARDS = N_("{name}  {full}: {squares}; cards: {cards}")
PROVINCE_SCORED = N_("{name}  scored: {squares}")
PROVINCE_SCORED_WITH_CARDS = N_("{name}  scored: {squares}; cards: {cards}")
FREE = N_("{name} free")
FREE_RESERVED = N_("{name} free (reserved for {kept})")
SINGLE = N_("{name} {owner}")
SINGLE_BROKEN = N_("{name} {owner} (broken)")
DOUBLE = N_("{name} {owner} double")
TOWER = N_("{name} {owner} tower")
REGIONS = N_("Region, squares: threat")
REGION = N_("{name}  {squares}: {counter}")
ALL_REGIONS = N_("Regions and their threats: {regions}: {counter} each")
SQUARES = N_("{first} to {last}")
COUNTER_NONE = N_("none")
COUNTER = N_("{value}, open")
COUNTER_HIDDEN = N_("face down")
COUNTER_KNOWN = N_("{value}, face down (you saw it)")
BOX = N_("Pieces of wall that join later: {boards}; provinces scored since the last one: {emperors}")
TURNED_UP = N_("{holdings}; turned up: {cards}")
THE_DOUBLE = N_("the double")
THE_TOWER = N_("the tower")
#: by noun: the text for one, and for any other number
COUNTS = {
    "point": (N_("{number} point"), N_("{number} points")),
    "wall": (N_("{number} wall"), N_("{number} walls")),
    "card": (N_("{number} card"), N_("{number} cards")),
}
