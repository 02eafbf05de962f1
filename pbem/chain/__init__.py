"""Signed states and what they hold: bytes, keys, players, rulings, positions.

What must never be here: orders that are not played yet; what players are sent.
"""
