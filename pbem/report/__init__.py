"""What players are sent: reports, receipts, their signed blocks.

What must never be here: a decision about an order; sending.
"""
