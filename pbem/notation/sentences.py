"""What is said of a line that is not an order, though it looks like an order.

What lives here: these sentences, whole. What must never be here: what else is read in a line.
Law: each follows the line that it is about, in small letters and without a full stop.
Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

NO_ORDER = N_("this is no order, or says more than orders; write each order alone on its line")
QUESTION = N_("this ends in a question mark; to do it, write it without one")
HEADS = N_("this line may change the orders below it; send only what you order")
UNMARKED = N_("this stands in the email that you quote; write it above that email")
SIGNATURE = N_("this stands below your signature; write it above")
MAILS = N_("to choose your emails, write `mails few`, `mails mine`, `mails round` or `mails every`")
MOVE_FILE = N_("this is not an order, and a move file holds nothing else")
NOT_YET = N_("`{word}` is not possible yet; write to your referee in a separate email")
