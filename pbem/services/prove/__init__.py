"""The commands `verify`, `archive` and `audit`: they read files, and pass them to pbem/proof.

Not allowed here: what is genuine or honest (pbem/proof).
"""
