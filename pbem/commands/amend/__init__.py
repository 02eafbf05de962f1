"""``pbem amend DIR ACT``: a module for each kind of ruling, and one with their common parts.

Not allowed here: the meaning of a ruling (pbem/chain/rulings); its execution.
"""
