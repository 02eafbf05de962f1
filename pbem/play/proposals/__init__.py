"""The prose of an email: orders in words, lines that look like orders, and what they may mean.

`prose.py` reads a whole email, with `matching.py` for orders in words; `proposals.py` guesses.

What must never be here: the emails themselves, keys, sentences of a receipt; anything that does not
follow from a player's View and lines (P2).
"""
