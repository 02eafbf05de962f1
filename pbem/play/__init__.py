"""A turn: reply codes, waiting orders, taking them and playing them out.

What must never be here: files, keys of referees, sentences of a report.
"""
