"""Opens a game: its plan, invitations, passwords and deal.

Not allowed here: the cryptography of a state (pbem/play/joining).
"""
