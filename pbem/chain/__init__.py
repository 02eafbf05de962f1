"""Signed states and what they hold: bytes, keys, players, rulings, positions.

Not allowed here: orders that are not played yet; what players are sent.
"""
