"""The classes of words, and the sets of them that do the same to a sentence.

Each word has one class, of the tables beside this module or of its game's own. Of two sets that
differ by little, one is made of the other: a class that is added comes into both.
What must never be here: the words themselves, what a sentence of them does.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from typing import Literal

Kind = Literal[
    # Orders; these have their canonical text. Or none is known:
    "word",  # `wall`, `draw`; `a|b` is one of two
    "name",  # a place: `A5`
    "num",  # `2`, `+2`, `2x`
    "unknown",  # of no table; its text is as it was written
    # What says nothing beside orders:
    "fill",  # `the`, `please`; with a text where a game brings it
    "open",  # the same, but no sentence ends with it: `I want to`
    "more",  # `also`
    "add",  # `another one`
    "first",  # `first of all`
    "second",  # `the other one`
    "rest",  # `the remaining ones`
    "post",  # `follows`, `I send`
    "whole",  # `I begin with`: says nothing in a whole answer, and may be talk elsewhere
    "deed",  # what a card does when its turn comes
    "chat",  # what people write about besides: `suspense`
    "tells",  # of what is or was, or whose it is: `were`, `your`
    # What binds words:
    "and",
    "to",
    "for",  # `as`
    "why",  # `because`
    # Time:
    "later",  # `next turn`
    "when",
    "if",
    "due",  # what such a condition waits for: `is full`
    "once",  # `yesterday`, `for example`
    "tomorrow",
    "day",  # `Monday`
    # What leaves open, corrects, keeps or takes back:
    "turn",  # `maybe`, `not sure`
    "rather",
    "cond",  # `unless`
    "or",
    "no",
    "without",
    "than",  # `instead of`
    "not it",  # the same, behind its word: `helyett`
    "beside",  # `next to`
    "apart",  # of something else: `thanks for`
    "keep",  # `I keep`
    "same",  # `as before`
    "defer",  # `I decide`, `must wait`
    "sorry",
    "mend",  # `no, I mean`
    "stop",  # `the real ones come`
    "quit",  # `I resign`
    "cancel",  # `forget that`
    "back",  # `withdraw my last email`
]
Kinds = frozenset[Kind]

ORDERS: Kinds = frozenset(["word", "name", "num"])
#: what stands around orders and says nothing of them
AROUND: Kinds = frozenset(
    ["fill", "open", "more", "add", "rest", "second", "post", "first", "deed"]
)
BETWEEN: Kinds = AROUND | {"to", "and"}  #: what stands between the words of orders
CLEAN: Kinds = ORDERS | BETWEEN | {"later", "sorry"}  #: what turns no orders
BINDING: Kinds = frozenset(["to", "and", "for"])  #: no sentence ends with one of these
DANGLING: Kinds = BINDING | {"open"}  #: nor, where nobody knows what may be ordered, with this

#: whose word may not be known by anybody
STRANGE: Kinds = frozenset(["unknown", "chat", "tells"])
STRANGE_OR_DAY: Kinds = STRANGE | {"day"}

ENDS: Kinds = frozenset(["stop", "quit", "cancel", "back"])  #: what ends or takes back
TAKES_BACK: Kinds = ENDS | {"defer", "mend"}  #: what may take back what others say
HALTS: Kinds = TAKES_BACK - {"mend", "quit"}  #: what holds off, by itself
NEGATES: Kinds = frozenset(["no", "without"])
REPLACES: Kinds = frozenset(["than", "not it", "mend"])
APOLOGIES: Kinds = frozenset(["no", "sorry"])
CONDITIONS: Kinds = frozenset(["cond", "if", "when"])  #: what they begin binds what is beside it
#: what is left out by one of these may be left out for something else
INSTEAD: Kinds = frozenset(["mend", "than", "back", "or", "sorry", "quit", "cancel"])

#: what may turn orders or hold them off, in a sentence that names none
DENIES: Kinds = (
    NEGATES | REPLACES | {"turn", "rather", "cond", "or", "if", "stop", "quit", "defer", "beside"}
)
#: what turns none in a sentence that is about something else: `No mercy!`
MILD: Kinds = NEGATES | {"turn", "rather", "beside"}
_ANOTHER_TIME: Kinds = frozenset(["apart", "once", "tomorrow"])
TIMES: Kinds = _ANOTHER_TIME | {"when", "if"}
#: what turns a sentence that names some
TURNS: Kinds = (
    DENIES | TAKES_BACK | _ANOTHER_TIME | {"keep", "same", "whole", "when", "due", "for", "why"}
)
#: what turns them where it is known what may be ordered: there `no` and `instead of` are understood
TURNS_AT_VIEW: Kinds = (
    ENDS
    | _ANOTHER_TIME
    | {"keep", "same", "defer", "turn", "rather", "cond", "or", "tells", "day", "without", "beside"}
)
#: what is named beside one of these is not offered
CONTRARY: Kinds = TURNS_AT_VIEW - {"tells"} | {"no", "than", "mend", "sorry"}
#: no talk has one of these
NO_TALK: Kinds = CONDITIONS | REPLACES
