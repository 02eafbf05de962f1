"""Was a game honest? Everything played again from its secret; the archive, the transcript.

What must never be here: files; a check that needs no secret (pbem/proof/verify).
"""
