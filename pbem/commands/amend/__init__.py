"""``pbem amend DIR ACT``: a module for each act, and what they have in common.

What must never be here: what a ruling means (pbem/chain/rulings), how it is carried out.
"""
