"""Playing out what waits, in one game or in many; closing the roster and dealing.

What must never be here: the rules of play (pbem/play).
"""
