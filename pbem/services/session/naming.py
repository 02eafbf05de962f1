"""The file a failure is about, put into its line.

What lives here: ``naming``. What must never be here: anything else.
Law: the reader of a line knows which file to look at (P11); what is inside is not quoted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import BadInput


@contextmanager
def naming(file: str | Path, hint: str = "") -> Iterator[None]:
    """Whatever is bad input inside the block names ``file``, and ``hint`` is the way out."""
    try:
        yield
    except BadInput as error:
        known = str(file) in error.message
        message = error.message if known else f"{file}: {error.message}"
        raise type(error)(error.code, message, hint or error.hint) from error
