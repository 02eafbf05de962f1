"""Everything before the deal: genesis, invitations, contributions, roster, cancelled rounds.

Not allowed here: anything about a game that is being played.
"""
