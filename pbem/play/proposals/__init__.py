"""The prose of an email: orders in words, what looks like an order, and what it may mean.

`prose.py` is the door; `proposals.py` guesses. What must never be here: the emails themselves,
keys, sentences of a receipt; anything that is not a function of a player's View and lines (P2).
"""
