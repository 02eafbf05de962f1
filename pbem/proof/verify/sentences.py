"""The sentences of `verify` about histories, reports and receipts, whole and with named fields.

Not allowed here: code that depends on a state. Sentences about a single state, which begin
with "state N", are beside their checks.
Source: docs/decisions/0008.
"""

from pbem.engine.row import N_

# two histories of one game
RESTORES_DIFFER = N_(
    "{other} has another state {n} of this game, and the two do not know the same ruling `restore`: "
    "by that ruling one of them may no longer count"
)
SIGNED_TWO_HISTORIES = N_(
    "key {key} signed two histories of this game, from state {n} on: this one and that of {other}"
)
TWO_KEYS_SIGNED = N_(
    "key {key} and key {other_key} signed two histories of this game, from state {n} on: this one and that of {other}"
)
REWRITTEN = N_("{other} has another state {n} of this game: one of the two was rewritten")
STATE_LOST_THERE = N_(
    "the referee ruled in state {n} that newer states were lost, and went on from state {previous}: "
    "state {n} of {other} no longer counts"
)
STATES_LOST_THERE = N_(
    "the referee ruled in state {n} that newer states were lost, and went on from state {previous}: "
    "states {n} to {last} of {other} no longer count"
)
STATE_LOST_HERE = N_(
    "in {other} the referee ruled in state {n} that newer states were lost, and went on from state {previous}: "
    "state {n} here no longer counts"
)
STATES_LOST_HERE = N_(
    "in {other} the referee ruled in state {n} that newer states were lost, and went on from state {previous}: "
    "states {n} to {last} here no longer count"
)
KEEP_UNTIL_NEWEST = N_("keep both; the newest copy of the game's folder shows which counts")
ASK_REFEREES = N_("keep both, and ask each referee; an old copy that was restored looks the same")
KEEP_AND_COMPARE = N_("keep both, and compare what was played")
KEEP_AS_PROOF = N_("keep both: together they prove it")

# a report or receipt
OTHER_STATE_BY_OTHER_KEY = N_(
    "{other} has another state {n}, signed by another key: name the game's folder too, which shows whose key counts"
)
RECEIPT = N_("the receipt of {seat} for orders number {number}, {time}")
REPORT_OF_STATE = N_("the report of state {n} for {seat}")
REPORT_OF_STATES = N_("the report of states {first} to {n} for {seat}")
BLOCK_UNCOMPARED = N_("{block} is signed by key {key}; not compared with a log (name the game's folder too)")
BLOCK_IN_CHAIN = N_("{block} belongs to this log")
RECEIPT_IN_CHAIN = N_("{block} belongs to this log, at state {n}")
BLOCK_WITHOUT_STATE = N_("{block} is signed by the game's key; state {n} is not here to compare it with")
RULING_RESTORE = N_(
    "their ruling in state {n} says that newer states were lost and the game went on from state {previous}"
)
BLOCK_LOST = N_(
    "{block} is signed by the referee, and not in this log: {rulings}. "
    "So it shows a state {n} that was played and no longer counts"
)
