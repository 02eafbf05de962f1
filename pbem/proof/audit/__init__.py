"""Was a game honest? pbem plays it again from its secret. Also the archive and the transcript.

Not allowed here: files; a check that needs no secret (pbem/proof/verify).
"""
