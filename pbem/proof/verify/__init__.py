"""Checks that states, reports and receipts are genuine, with public keys alone.

Not allowed here: the rules or the secret of a game.
"""
