"""What `pbem amend`, `restore` and `adopt` do, and asking players for consent.

What must never be here: what a ruling means (pbem/chain/rulings).
"""
