"""The words of a line: as tokens, and what each is in the notation of a game.

What must never be here: a line's place in an email, a question of the game, what is legal.
"""
