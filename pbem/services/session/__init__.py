"""Opening a game's folder as its referee: keys, the newest genuine state, the desk.

What must never be here: what a command does to a game.
"""
