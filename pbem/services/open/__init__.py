"""Opening a game: what is asked for, invitations, passwords, the deal.

What must never be here: the cryptography of a state (pbem/play/joining).
"""
