"""``pbem orders``: for players, who use their own reports and keys offline.

What must never be here: anything that only a referee has.
"""
