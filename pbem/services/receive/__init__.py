"""Receiving emails, from a file to a receipt: authenticate, validate, store.

What must never be here: a change of the game.
"""
