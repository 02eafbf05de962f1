"""The sentences of `audit`, whole and with named fields.

Not allowed here: code that depends on a state. Sentences about a single line, order or table
are beside their checks.
Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

# what nothing contradicts
FAIR_TO_ONE = N_("{gifts}; this proves the deal to {names} alone: others cannot know who made the key")
FAIR_TO_SOME = N_("{gifts}; this proves the deal to {names} alone: others cannot know who made their keys")
NOTHING_ADDED = N_("there were none: dealt by the referee alone, who could choose the deal")
DEALT_ALONE = N_("dealt by the referee alone, who could choose the deal; {gifts}")
PENDING_ORDERS_USED = N_("each order follows from the pending orders, and none of those was lost")
PENDING_ORDERS_LOST = N_(
    "each order follows from the pending orders, and none of those was lost, but in {states} where a ruling says so"
)
GIVEN_BY_RULES = N_("{number} played automatically")
GIVEN_BY_CLOCK = N_("{number} played automatically (when a turn was missed, the referee's clock says)")

# reports and receipts
REPORT_AGREES = N_("{number} report or receipt: the pending orders, and what came, are as it says")
REPORTS_AGREE = N_("{number} reports or receipts: the pending orders, and what came, are as they say")
REPORTS_EXCUSED = N_(", but for {number} of orders that a ruling says were lost")
UNSIGNED_EMAILS = N_("; emails of a kind without a signed block: {number}")
LATE_ORDERS = N_("orders number {number} of {seat} became pending when number {answered} had been answered")
TIME_BANK = N_("{gone} hours of the time bank of {seat} are gone, and {used} were used")
RECEIPT_MISMATCH = N_(
    "state {n}, among the orders pending then: {path} says what {seat} sent as orders number {number}: {fault}"
)
RECEIPT_FORBIDS_USE = N_(
    "state {n}, `{line}` of {seat} was used: {path} says what {seat} sent as orders number {number}: it {fault}"
)
MISSED_WHILE_AWAY = N_("the turn of {seat} that was missed in state {n} was due on a day on which its player was away")
# texts for people in an archive
OTHER_WRITER = N_("{writer} wrote it and this is {expected}, which may word it differently: not compared")
UNKNOWN_WRITER = N_("another version wrote it and this is {expected}, which may word it differently: not compared")
EMAILS_WITHOUT_BLOCK = N_("emails of a game without a signed block: {number}")
DAMAGED_BLOCKS = N_("damaged signed blocks: {number}")
OTHER_FILES = N_("attached files that are not text: {number}")
UNREADABLE_EMAILS = N_("emails that cannot be read: {number}")
