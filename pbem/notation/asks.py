"""What a player may ask for by a word, as everybody names it.

What must never be here: how it is read (commands.py, which takes longer to load).
Source: FORMAT.md section 3.
"""

WITHDRAW = "withdraw"
VOTES = YES, NO = "yes", "no"  #: whether orders may be undone
#: how many emails a player can choose to get
MAILS = ("few", "mine", "round", "every")
