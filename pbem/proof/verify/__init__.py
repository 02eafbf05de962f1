"""Are states, reports and receipts genuine? They are checked with public keys alone.

What must never be here: the rules of a game, the secret of one.
"""
