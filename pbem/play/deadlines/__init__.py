"""Deadlines: what a referee chooses, when something falls due, what is then to be done.

What must never be here: the time of day, which comes in; the drive, but for the zones of Python's
``zoneinfo``; what a state may change of a clock (verify/clock.py).
"""
