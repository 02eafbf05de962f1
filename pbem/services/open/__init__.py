"""Opening a game: its plan, invitations, passwords, the deal.

What must never be here: the cryptography of a state (pbem/play/joining).
"""
