"""Before the deal: genesis, invitations, contributions, roster, rounds given up.

What must never be here: anything of a game that is being played.
"""
