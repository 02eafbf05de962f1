"""Checks that states, reports and receipts are genuine, with public keys alone.

What must never be here: the rules or the secret of a game.
"""
