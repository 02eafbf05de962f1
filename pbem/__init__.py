"""pbem, a play-by-email moderator.

What must never be here: an import, because every command would load it.
"""

__version__ = "0.1.0"
