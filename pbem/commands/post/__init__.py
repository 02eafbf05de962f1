"""The commands that know the post: accounts, fetching, the outbox, letters, the timer.

What must never be here: a protocol or a mailbox (pbem/post).
"""
