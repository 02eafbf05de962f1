"""Open a game's folder as its referee: keys, the newest genuine state, the desk (private folder).

What must never be here: what a command does to a game.
"""
