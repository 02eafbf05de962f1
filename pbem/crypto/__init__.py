"""Cryptography: bytes in, bytes out.

Not allowed here: a game, a path, TOML, the clock; randomness outside functions named
``new_*``; an import in this file, which every command would pay for.
"""
