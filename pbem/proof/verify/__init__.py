"""Is this genuine? Signatures, the chain, openings, blocks: from public keys alone.

What must never be here: the rules of a game, the secret of one.
"""
