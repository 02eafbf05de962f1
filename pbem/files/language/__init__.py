"""Words as people write them: which are an order, which turn one, which say nothing.

What must never be here: a line's place in an email, a question of the game, what is legal.
"""
