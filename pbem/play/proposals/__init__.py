"""The prose of an email: orders in words, lines that look like orders, and what they may mean.

`prose.py` reads a whole email, with `matching.py` for orders in words; `proposals.py` guesses.

Not allowed here: the emails themselves, keys, sentences of a receipt; anything that does not
follow from a player's View and lines (P2).
"""
