"""The work behind the commands, with the lock, the clock and the disk: a folder for each kind of work.

What must never be here: the command line, printing.
"""
