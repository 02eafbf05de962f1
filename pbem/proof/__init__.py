"""Use cases on bytes and keys: opening, taking orders, resolving, reporting, verifying.

No files.
"""
