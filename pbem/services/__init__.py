"""What commands do under the lock, with clock and disk: a room for each kind of work.

What must never be here: the command line, printing.
"""
