"""Read and write orders as text: lines of an email, move files, signed lines.

What must never be here: whether an order is legal.
"""
