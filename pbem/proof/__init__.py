"""Proof: is a game genuine (verify), and was it played honestly (audit)?

Not allowed here: files.
"""
