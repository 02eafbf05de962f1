"""The work behind the commands, with the lock, the clock and the disk: a folder for each kind of work.

Not allowed here: the command line, printing.
"""
