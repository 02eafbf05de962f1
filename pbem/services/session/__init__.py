"""A game's folder, opened by its referee: key, newest genuine state, position.

What must never be here: what is done to a game.
"""
