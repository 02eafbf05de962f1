"""Players that are programs: mails in, mails out.

What must never be here: a State, a game's folder, a key, anything a player at home would not have.
Law: an answer is a function of the mails that came and of the chance that was given; the same bot
with the same mails writes the same bytes.
Source: docs/DESIGN.md "Command line" (``pbem demo``).
"""
