"""Read and write orders as text: lines of an email, move files, signed lines.

Not allowed here: whether an order is legal.
"""
