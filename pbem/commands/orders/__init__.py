"""``pbem orders``: for players, who use their own reports and keys offline.

Not allowed here: anything that only a referee has.
"""
