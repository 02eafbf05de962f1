"""Proof: is a game genuine (verify), and was it played honestly (audit)?

What must never be here: files.
"""
