"""Bots: programs that play by reading and writing emails.

Not allowed here: a State, a game's folder, a key, anything that a player does not have.
Law: an answer depends only on the emails received and on the random numbers passed in. The same bot
with the same input writes the same bytes.
Source: docs/DESIGN.md "Command line" (``pbem demo``).
"""
