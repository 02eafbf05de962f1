"""Emails as bytes: read headers, parts, quotations and HTML, and write our own emails.

Not allowed here: whose email it is, what its orders mean, sending.
"""
