"""pbem, a play-by-email moderator.

What must never be here: an import; every start of every command pays for it.
"""

__version__ = "0.1.0"
