"""Rulings, the referee's acts: undo, corrections, changes of players and clock, and their texts.

Not allowed here: files, the lock; what `verify` and `audit` check of a ruling.
"""
