"""All file I/O of pbem: it writes a file whole or not at all.

Not allowed here: cryptography, TOML, a rule of a game, a decision based on the time.
Laws: a name from outside is checked before it becomes a path. Every failure of the system becomes
one line (``system.os_errors``). All writing uses functions of ``os``, so that the tests that kill a
process at each step (tests/disk/killer.py) see it.
"""
