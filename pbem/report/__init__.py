"""What players are sent: reports, receipts, their signed blocks.

Not allowed here: a decision about an order; sending.
"""
