"""All errors that a user may see. Each is one line: what is wrong, and what to do next.

Not allowed here: an import of another part of pbem; a secret in a message.
A message names the file that is wrong (P11), and does not quote it.
Source: docs/DESIGN.md P11, "Command line" (exit codes).
"""

from collections.abc import Iterator
from contextlib import contextmanager

TYPED_PREFIXES = ("pbem ", "pip ", "chmod ", "--", "-o ", "PBEM_")  #: a hint that begins so is a command to type


class PbemError(Exception):
    """A failure in one line. The user who typed the command sees it.

    ``code`` is a stable string for ``--json``, such as ``mail/too-large``. ``message`` says what was
    found and what was expected, in lower case without a full stop. It must not quote a hidden
    value, a key or a password. ``hint`` is the next step and may be empty. It is a command to type
    (see ``TYPED_PREFIXES``), or a sentence without its full stop.
    """

    exit_code = 3

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint

    def __reduce__(self) -> tuple[type["PbemError"], tuple[str, str, str]]:
        """Tell pickle how to copy the error, so that it can be sent to another process."""
        return type(self), (self.code, self.message, self.hint)

    def as_document(self) -> dict[str, str]:
        """Return the error as part of a ``--json`` document about several items."""
        return {"code": self.code, "why": self.message, "hint": self.hint}

    def as_line(self) -> str:
        """Return the whole error as one line, ready to print after ``pbem: ``."""
        if not self.hint:
            return self.message
        if self.hint.startswith(TYPED_PREFIXES):
            return f"{self.message} (try: {self.hint})"
        return f"{self.message}. {as_sentence(self.hint)}"


def as_sentence(hint: str) -> str:
    """Return a hint that is not a command to type with its capital letter and full stop."""
    return f"{hint[0].upper()}{hint[1:]}{'' if hint.endswith(('?', '.', '…')) else '.'}"


class BadInput(PbemError):
    """An input cannot be used: a file, an email, an option, a key. Nothing was changed."""

    exit_code = 2


class Refused(PbemError):
    """The answer is no, because something is not genuine, not legal or not possible now. Nothing was changed."""

    exit_code = 1


class CannotRead(PbemError):
    """The system refuses access. pbem must not treat the file as missing."""

    exit_code = 2


class Missing(Refused):
    """The system says that the file or folder does not exist."""


class OurFault(PbemError):
    """A bug: something that pbem relies on is not true. Nothing was changed."""

    exit_code = 3


#: notes for the user, printed once when the command ends; a dict serves as an ordered set
notices: dict[str, None] = {}


@contextmanager
def naming_file(file: object, hint: str = "") -> Iterator[None]:
    """Add the name of ``file`` to any BadInput that the block raises, and replace its hint unless ``hint`` is ""."""
    try:
        yield
    except BadInput as error:
        is_named = str(file) in error.message
        message = error.message if is_named else f"{file}: {error.message}"
        raise type(error)(error.code, message, hint or error.hint) from error
