"""Sentences that say why an order or an answer is not accepted, and what became of pending orders.

A reason follows a line or a colon, so it begins in small letters and has no full stop.

What must never be here: anything that depends on the State.
Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

# about a line of orders
SAYS = N_("{why}")  # the game's own words
REFUSED = N_("{why} ({ruling})")
LATER_HINT = N_("{why}; to keep it as a standing order, put `later:` on a line of its own above it")
NOT_ASKED = N_("you are not asked now")
DONE = N_("this has been played for you already ({ruling})")
NOT_LOOKED_AT = N_("not checked, because a line above it was refused")
OTHER_LINE = N_("fine, but not accepted because another line failed")
TOO_MANY = N_("this email has {number} orders, and at most {most} are read")
FULL = N_("send this again after the next report, because at most {most} of your lines can wait")
CHECKED_THEN = N_("checked when its turn comes")
HALF = N_("your turn needs another order after this")
TURN_OVER = N_("your turn ends before this line; to keep it for another turn, put `later:` on a line above it")

# for the referee's screen, which must not show what is hidden
STANDING = N_("(a standing order)")
IN_RECEIPT = N_("the receipt says why")
NOT_FITTING = N_("a line and its signature do not fit; the receipt says which")

# about pending orders, in the report to their own seat
LEFT_OVER = N_("Left over from your last turn and dropped: {lines}.")
DROPPED = N_("Not used because it was not legal: `{line}`. The reason: {why} ({ruling}).")
USED_UP = N_("`{line}` was played for you ({ruling}); the same order among your waiting orders is used up.")

# about signatures
NO_SIGNATURE = N_("no signature was found in it")
FOREIGN_GAME = N_("its signatures are for another game")
FOREIGN_SEAT = N_("its signatures are for another seat")
FOREIGN_KEY = N_("no line in it is signed with the key of this seat")
TWO_LISTS = N_("there are signatures of two lists of orders; send one list in each email")
SAME_NUMBER = N_("two signatures have the number {number}; send the whole text again, as `pbem orders sign` printed it")
UNSIGNED_LINE = N_("`{line}` has no signature that fits; send the whole text again, as `pbem orders sign` printed it")
LINE_MISSING = N_(
    "the line for signature {number} is missing; send the whole text again, as `pbem orders sign` printed it"
)
WRONG_ORDER = N_(
    "the lines are not in the order in which you signed them; send the whole text again, as "
    "`pbem orders sign` printed it"
)

# about an answer before the deal
NO_OPENING = N_(
    "no lines `open …` were found; save the email that asks you to open your contribution, "
    "and send what `pbem orders join` prints when you give it that file"
)
TWO_KEYS = N_("it has two keys; send only the lines that one `pbem orders join` printed")
GIVES_TWICE = N_("it has two lines `give:`; send one, of up to 120 letters")
JOIN_CUT = N_("the lines `join …` are not whole; copy all of them, as `pbem orders join` printed them")
OPEN_CUT = N_("the lines `open …` are not whole; copy all of them, as `pbem orders join` printed them")
PLAYED_WITH_KEY = N_("your seat is played with a key; join with `pbem orders join`")
KEY_OF_ANOTHER = N_("the key was made for the seat {seat}; join with your own invitation")
WRONG_JOIN = N_(
    "the signature does not fit this game and seat; the lines were made for another game, or changed on the way"
)
ROSTER_CLOSED = N_("nothing more is needed from you before the deal")
JOIN_AGAIN = N_("all players have joined; send the lines `open …`, not `join …` again")
WRONG_OPENING = N_(
    "these lines do not open the contribution that you joined with; print them again on the machine where you joined"
)

# about an answer to the question whether orders may be undone
ELSEWHERE = N_("to answer whether orders may be undone, reply to the email that asks you")
BOTH = N_("this email says both `yes` and `no`; send only one")
UNSIGNED_ANSWER = N_(
    "your answer has no signature that fits, so it does not count; write `yes` or `no` at the top "
    "of your reply, keep the email that asks you quoted below it, save the reply as a file, and "
    "send what `pbem orders sign {seat}.view.toml FILE` prints"
)
