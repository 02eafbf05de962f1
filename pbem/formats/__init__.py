"""File formats: bytes to documents and back (state files, TOML, tar).

Not allowed here: disk, keys, clock, randomness, the name or words of any game.
Law: bad input of any kind is one BadInput line that says what to do. Nothing here prints or logs.
Source: docs/DESIGN.md P11; docs/SPECIFICATION.md section 5.
"""
