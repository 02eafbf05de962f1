"""Plays pending orders, in one game or many. Before that, it records who plays, and deals.

Not allowed here: the rules of play (pbem/play).
"""
