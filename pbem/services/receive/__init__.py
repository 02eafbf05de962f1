"""From a file to a receipt: whose it is, whether it counts, what it is worth, keeping it.

What must never be here: a change of the game.
"""
