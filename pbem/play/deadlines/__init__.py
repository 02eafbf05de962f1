"""Deadlines: the options of a clock, when an answer is due, and what pbem does then.

Not allowed here: the current time, which is an argument; the drive, except time zones of
Python's ``zoneinfo``; what a state may change of a clock (verify/clock.py).
"""
