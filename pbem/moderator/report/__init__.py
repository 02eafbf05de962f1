"""What players are sent: reports, receipts, their signed blocks, mails.

What must never be here: a decision about an order; sending.
"""
