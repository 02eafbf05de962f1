"""Playing pending orders, in one game or many; settling who plays, and the deal.

What must never be here: the rules of play (pbem/play).
"""
