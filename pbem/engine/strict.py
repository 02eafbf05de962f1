"""Reading what somebody may have written by hand: taken whole, or refused in one line.

What lives here: what every game says of a position, a view or a script that it cannot read. What
must never be here: a value that is quoted, for it may be secret.
Source: docs/DESIGN.md law 8; docs/NEW-GAME.md section 7.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.errors import BadInput

#: what Python raises where data is not what it should be
WRONG = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)


@contextmanager
def reading(what: str, kind: str) -> Iterator[None]:
    """While a position or a view is read: BadInput ``position/unreadable`` where it is not one."""
    try:
        yield
    except WRONG as error:
        text = f"this is not a {what} of {kind} ({type(error).__name__})"
        hint = "take the file again from where it came"
        raise BadInput(f"{what}/unreadable", text, hint) from error


@contextmanager
def reading_script(see: str = "see docs/SCRIPT.md") -> Iterator[None]:
    """While a script is read, which is nobody's secret: BadInput ``script/shape``."""
    try:
        yield
    except WRONG as error:
        text = f"the script lacks or misshapes {error}"
        raise BadInput("script/shape", text, see) from error
