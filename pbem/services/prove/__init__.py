"""What `verify`, `archive` and `audit` share: states, secret and rules from a folder or an archive.

What must never be here: what is genuine or honest (pbem/moderator).
"""
