"""A player's own tool. It works offline, with files that the player was sent.

What must never be here: anything that only a referee has.
"""
