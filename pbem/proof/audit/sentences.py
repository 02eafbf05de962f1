"""The sentences of `audit`, whole and with named fields.

What must never be here: code that depends on a state. Sentences about a single line, order or table
are beside their checks.
Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

# reports and receipts
REPORT_AGREES = N_("{number} report or receipts: what was pending, and what arrived, is as they say")
REPORTS_AGREE = N_("{number} reports or receipts: what was pending, and what arrived, is as they say")
REPORTS_EXCUSED = N_(", but for {number} of orders that a ruling says were lost")
UNSIGNED_EMAILS = N_("; emails given of a kind that has no signed block: {number}")
LATE_ORDERS = N_("orders number {number} of {seat} became pending when number {answered} had been answered")
TIME_BANK = N_("{gone} hours of the time bank of {seat} are gone, and {used} were used")
RECEIPT_MISMATCH = N_(
    "state {n}, among the orders pending then: {path} says what {seat} sent as orders number {number}: {fault}"
)
RECEIPT_FORBIDS_USE = N_(
    "state {n}, `{line}` of {seat} was used: {path} says what {seat} sent as orders number {number}: it {fault}"
)
MISSED_WHILE_AWAY = N_("the turn of {seat} that was missed in state {n} was due on a day on which its player was away")
EMAILS_WITHOUT_BLOCK = N_("emails of a game without a signed block: {number}")
DAMAGED_BLOCKS = N_("damaged signed blocks: {number}")
OTHER_FILES = N_("attached files that are no text: {number}")
UNREADABLE_EMAILS = N_("emails that cannot be read: {number}")
