"""The referee's acts: undo, corrections, other players, and what players are told of them.

What must never be here: files, the lock; what `verify` and `audit` find of a ruling.
"""
