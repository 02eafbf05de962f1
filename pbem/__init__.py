"""pbem, a play-by-email moderator.

Not allowed here: an import, because every command would load it.
"""

__version__ = "0.1.0"
