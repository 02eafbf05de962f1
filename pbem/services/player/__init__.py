"""What a player's own tool does, offline, with the files that he was sent.

What must never be here: anything that only a referee has.
"""
