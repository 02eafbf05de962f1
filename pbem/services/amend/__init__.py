"""Carrying out what the referee rules, and asking players for their consent.

What must never be here: what a ruling means (pbem/chain/rulings).
"""
