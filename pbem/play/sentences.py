"""Sentences that say why an order or an answer is not accepted, and what became of pending orders.

A reason follows a line or a colon, so it begins in small letters and has no full stop.

Not allowed here: anything that depends on the State.
Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

# about a line of orders
SAYS = N_("{why}")  # the game's own words
REFUSED = N_("{why} ({ruling})")
LATER_HINT = N_("{why}; for your next turn, put `later:` on a line above it")
NOT_ASKED = N_("it is not your turn")
DONE = N_("this has been played for you already ({ruling})")
NOT_LOOKED_AT = N_("not checked, because a line above it was refused")
OTHER_LINE = N_("fine, but not accepted because another line failed")
TOO_MANY = N_("send at most {most} orders in an email; this one has {number}")
FULL = N_("send this again after the next report, because at most {most} of your orders can be pending")
CHECKED_THEN = N_("checked when its turn comes")
HALF = N_("your turn needs another order after this")
TURN_OVER = N_("your turn ends before this line; to keep it for another turn, put `later:` on a line above it")

# for the referee's screen, which must not show what is hidden
STANDING = N_("(a standing order)")
IN_RECEIPT = N_("the receipt says why")
NOT_FITTING = N_("a line and its signature do not fit; the receipt says which")

# about pending orders, in the report to their own seat
LEFT_OVER = N_("These orders were left over from your last turn, and are dropped: {lines}.")
DROPPED = N_("pbem dropped your order `{line}`, because it was not legal: {why} ({ruling}).")
USED_UP = N_("pbem played `{line}` for you ({ruling}), so the same order among your pending orders is used up.")

# about signatures
NO_SIGNATURE = N_("no signature was found in it")
FOREIGN_GAME = N_("its signatures are for another game")
FOREIGN_SEAT = N_("its signatures are for another seat")
FOREIGN_KEY = N_("no line in it is signed with the key of this seat")
TWO_LISTS = N_("send one list of orders in each email; there are signatures of two")
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
    "save the email that asks you to open your addition to the shuffle, and send what "
    "`pbem orders join` prints for that file; no lines `open …` were found"
)
TWO_KEYS = N_("send only the lines that one `pbem orders join` printed; it has two keys")
GIVES_TWICE = N_("send one line `give:`, of up to 120 characters; it has two")
JOIN_CUT = N_("copy all the lines `join …` as `pbem orders join` printed them; they are not whole")
OPEN_CUT = N_("copy all the lines `open …` as `pbem orders join` printed them; they are not whole")
PLAYED_WITH_KEY = N_("join with `pbem orders join`; your seat is played with a key")
KEY_OF_ANOTHER = N_("join with your own invitation; the key was made for the seat {seat}")
WRONG_JOIN = N_(
    "the signature does not fit this game and seat; the lines were made for another game, or changed on the way"
)
ROSTER_CLOSED = N_("you do not need to do anything before the deal")
JOIN_AGAIN = N_("send the lines `open …`, not `join …` again; all players have joined")
WRONG_OPENING = N_(
    "print these lines again on the machine where you joined; they do not open your addition to the shuffle"
)

# about an answer to the question whether orders may be undone
ELSEWHERE = N_("to answer whether orders may be undone, reply to the email that asks you")
BOTH = N_("send only one of `yes` and `no`; this email says both")
UNSIGNED_ANSWER = N_(
    "your answer has no signature that fits, so it does not count; write `yes` or `no` at the top "
    "of your reply, keep the email that asks you quoted below it, save the reply as a file, and "
    "send what `pbem orders sign {seat}.view.toml FILE` prints"
)
