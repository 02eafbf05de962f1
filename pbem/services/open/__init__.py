"""Opens a game: its plan, invitations, passwords and deal.

What must never be here: the cryptography of a state (pbem/play/joining).
"""
