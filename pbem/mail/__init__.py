"""Emails as bytes: headers, parts, quotations, HTML; reading them and composing ours.

What must never be here: whose email it is, what its orders are worth, sending.
"""
