"""The player's own tool. It works offline, with files from the referee's emails.

Not allowed here: anything that only a referee has.
"""
