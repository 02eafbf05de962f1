"""The only file I/O of the project: bytes under names, whole or not at all.

What must never be here: cryptography, TOML, a rule of a game, a clock that decides anything.
The law: a name that came from outside never becomes a path unchecked; every failure of
the system leaves as one line (``system.os_errors``); all writing goes through functions of ``os``,
so that the kill harness (tests/disk/killer.py) sees each step.
"""
