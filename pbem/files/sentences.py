"""What is said of a line that is not an order, though it looks like an order.

What lives here: these sentences, whole. What must never be here: what else is read in a line.
Law: each follows the line that it is about, in small letters and without a full stop.
Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

DID_YOU_MEAN = N_("{why}; did you mean `{order}`?")
REFUSED = N_("as `{order}` this is refused: {why}")
WHEN = N_("after `when` write one place, a colon and one order")
TWO_THINGS = N_("an order and something else are on one line")
THEN = N_("what follows `then` does not fit the order before it")
ALONE = N_("write `{word}` alone on its line")
NO_ORDER_BEGINS = N_("no order begins with `{word}`")
LETTERS = N_("`{word}` is not written in the plain letters A to Z")
NOT_SO = N_("this begins like an order with `{word}`, but the rest of it does not fit")
NOT_WHOLE = N_("this begins like an order, but something is missing: `{word} …`")
OTHER_WORDS = N_("this looks like an order with other words around it")
LOOKS_LIKE = N_("this looks like an order, but no order begins with `{word}`")
COUNTED = N_("this counts an order; write it once for each time, one per line")
AGREES = N_("this says yes to a quoted line; write the order itself")
QUESTION = N_("this ends in a question mark; to do it, write it without one")
TURNED = N_("a word in this sentence may change what it orders; write each order alone on its line")
PARTLY = N_("this fits no order that you may give now, or more than one; write it in full")
TAKEN_BACK = N_(
    "it is not clear whether this changes your orders; write only what you want to be done"
)
SOMEBODY_ELSES = N_(
    "this may say that the orders are somebody else's; write only what you order yourself"
)
OLDER = N_("an older email may begin here, with orders below it; send only your new orders")
CANCEL = N_("to take back your waiting orders, write `withdraw` alone on its line")
MAILS = N_("to choose your emails, write `mails few`, `mails mine`, `mails round` or `mails every`")
RULES = N_("to read a rule, write `rules` and its number, or `rules` alone on its line")
MOVE_FILE = N_("this is not an order, and a move file holds nothing else")
NOT_A_VOTE = N_("no question asks for `{word}` now; leave it out")
NOT_YET = N_("`{word}` is not possible yet; write to your referee in a separate email")
LATER_COLON = N_("the line `later` above your orders has no colon")
