"""Everything before the deal: genesis, invitations, contributions, roster, cancelled rounds.

What must never be here: anything about a game that is being played.
"""
