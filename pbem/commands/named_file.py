"""Files that are read and written as files: what ``-`` means to these commands.

What lives here: refusing it. What must never be here: a command that can read standard input.
"""

from pathlib import Path

from pbem.errors import BadInput


def refuse_dash(path: Path, what: str, hint: str) -> None:
    """BadInput ``file/dash`` for ``-``: elsewhere it is standard input, never a file's name."""
    if str(path) == "-":
        raise BadInput("file/dash", f"{what} is a file with a name, and - is none", hint)
