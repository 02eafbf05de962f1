"""Emails as bytes: read headers, parts, quotations and HTML, and write our own emails.

What must never be here: whose email it is, what its orders mean, sending.
"""
