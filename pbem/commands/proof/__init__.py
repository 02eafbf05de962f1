"""The commands that prove: `verify`, `archive` and `audit`.

What must never be here: what is genuine or honest (pbem/moderator).
"""
