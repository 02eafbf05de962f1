"""Bytes to documents and back: state, move file, letter, mail.

What must never be here: disk, keys, clock, chance, the name or the words of any game.
Law: bad input of any kind is one BadInput line with the way out; nothing here prints or logs.
Source: docs/DESIGN.md P11; docs/NOTATION.md; docs/SPECIFICATION.md section 5.
"""
