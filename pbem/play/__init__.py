"""Play one turn: reply codes, pending orders, their validation and their resolution.

What must never be here: files, the referee's keys, sentences of a report.
"""
