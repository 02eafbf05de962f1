"""What pbem says in the subjects of emails and, about orders, on a referee's screen.

Not allowed here: a value that is not in the first line of the email; the reply code.
Law: a subject says what became of an email, never that it was received.
Source: docs/decisions/0014-the-post.md; docs/decisions/0008.
"""

import re

SUBJECT = "{label}: {summary}"  #: of every email of a game

#: the subject of a receipt, by kind of headline (the macros ``receipt_KIND``)
RECEIPT_SUBJECTS = {
    "settled": "no orders accepted, that question is settled",
    "ruled": "no orders accepted, the referee made a ruling",
    "not_asked": "no orders accepted, it is not your turn",
    "refused": "no orders accepted, please correct them",
    "refused_whole": "no orders accepted",
    "voted": "your answer is noted: {answer}",
    "voted_with_orders": "your answer is noted: {answer}, and {number} orders accepted",
    "accepted": "{number} orders accepted",
    "complete": "your turn is complete",
    "goes_on": "{number} more orders needed",
    "reveals": "your next report asks for the rest",
    "done": "already played for you",
    "withdrawn": "your orders are withdrawn",
    "withdrawn_part": "some orders are withdrawn",
    "nothing_to_withdraw": "nothing to withdraw",
    "sent_again": "your latest report comes again",
    "chosen": "your choice is noted",
    "absence": "your days away",
    "absence_unclear": "when are you away?",
    "answered": "what you asked for",
    "no_order": "no order found",
    "letter": "your message goes to your referee",
    "proposed": "please confirm your orders",
    "confirm_nothing": "nothing to confirm",
    "confirm_other": "please confirm your orders",
    "confirm_unclear": "please confirm your orders",
    "confirm_dropped": "your orders are not played",
    "undo_unclear": "please answer yes or no",
    "undo_same": "your answer still counts: {answer}",
    "undo_over": "the undo is already settled",
    "undo_again": "please answer the later question",
}

#: the same where ``number`` is 1
RECEIPT_SUBJECTS_OF_ONE = {
    "voted_with_orders": "your answer is noted: {answer}, and {number} order accepted",
    "accepted": "{number} order accepted",
    "goes_on": "one more order needed",
}

#: the same for an answer to an invitation (the macros ``joining_KIND``)
ANSWER_SUBJECTS = {
    "refused": "your answer was not accepted",
    "withdrawn": "your answer is withdrawn",
    "nothing_to_withdraw": "nothing to withdraw",
    "help": "how to answer",
    "asked": "what you asked for",
    "sent_again": "the last email comes again",
    "declined": "you have declined",
    "received": "your answer is accepted",
    "letter": "please answer yes or no",
    "letter_too": "your answer stays as it is",
}

YOUR_TURN = "your turn"
YOUR_TURN_BY = "your turn, by {due}"
YOUR_TURN_AFTER = "your turn; {news}"
GAME_CLOSED = "the game is closed"
GAME_OVER = "the game is over"
WON = "{players} won, {points} to {others}"
WON_ALONE = "{players} won"  #: where there are no other points to name
WELCOME = "you play from now on"
SEAT_OPEN = "your seat is open to another player"
TURN_MISSED = "you missed your turn"
NEW_REFEREE = "a new key signs from now on"
REFEREE_RULED = "a ruling of the referee"
TURN_OF = "it is {player}'s turn"
TURN_OF_SEVERAL = "it is the turn of {players}"
NEWS = "your latest report"

ANSWER_FROM_REFEREE = "an answer from your referee"
#: tells a player that somebody sent orders for another seat from their address
IGNORED_SUBJECT = "an email from your address was ignored"

#: matches the subjects of emails without a signed block: those before the deal, and those that say
#: nothing that a referee could deny
UNSIGNED_SUBJECT = re.compile(
    f"(?:^You are invited to .*|: (?:{'|'.join(map(re.escape, (*ANSWER_SUBJECTS.values(), ANSWER_FROM_REFEREE)))}"
    f"|{re.escape(IGNORED_SUBJECT)}|your password|what each player added to the shuffle"
    "|please open your addition to the shuffle|reminder, by .*"
    r"|may this be undone\?|it is not undone|your email was ignored|.* plays .* from now on"
    "|you are invited|who gave what to the deal|open your contribution))"  # in version 0.1
    r"(?: \[pbem .*)?$"
)

# on a screen
NO_TIME = "no time"  #: an empty time bank
LINE_NUMBER = "line {number}"
SIMILAR_LINES = "{verdict}: {number} more"
COMMANDS_AND_MORE = "{commands} and {number} more"
