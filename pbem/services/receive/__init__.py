"""Receiving emails, from a file to a receipt: authenticate, validate, store.

Not allowed here: a change of the game.
"""
