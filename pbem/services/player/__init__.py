"""The player's own tool. It works offline, with files from the referee's emails.

What must never be here: anything that only a referee has.
"""
