"""Open a game's folder as its referee: keys, the newest genuine state, the desk (private folder).

Not allowed here: what a command does to a game.
"""
