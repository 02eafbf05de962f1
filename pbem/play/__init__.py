"""Play one turn: reply codes, pending orders, their validation and their resolution.

Not allowed here: files, the referee's keys, sentences of a report.
"""
