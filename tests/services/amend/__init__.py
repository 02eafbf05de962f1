"""Rulings: each by real commands, and what a cheating referee would make of them. P1, P2, P7."""
