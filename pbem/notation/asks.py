"""The words by which a player asks for something.

Not allowed here: how they are read (commands.py, which takes longer to load).
Source: FORMAT.md section 3.
"""

WITHDRAW = "withdraw"
VOTES = YES, NO = "yes", "no"  #: whether orders may be undone
#: which reports a player can choose to get
MAILS = ("few", "mine", "round", "every")
