"""The one family of errors a user may see. Each carries one clear line, and the way out.

What must never be here: anything that imports another part of pbem; a secret in a message.
Law: the reader of a line knows which file to look at (P11); what is inside is not quoted.
Source: docs/DESIGN.md P11, "Command line" (exit codes).
"""

from collections.abc import Iterator
from contextlib import contextmanager

TYPED_PREFIXES = ("pbem ", "pip ", "chmod ", "--", "-o ", "PBEM_")  #: what begins a hint that can be typed


class PbemError(Exception):
    """A failure in one line: what was found and what was expected, then what to do next.

    ``code`` is a stable string such as ``mail/too-large`` (it is in ``--json``), ``message`` is
    lower case without a full stop. ``hint`` is the way out and may be empty: a command that can be
    typed as it is (it begins like one of ``TYPED``), else a plain sentence without its full stop.
    Messages are shown to whoever typed the command: they must not quote a hidden value, a key or a
    password.
    """

    exit_code = 3

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint

    def __reduce__(self) -> tuple[type["PbemError"], tuple[str, str, str]]:
        """From one process to another."""
        return type(self), (self.code, self.message, self.hint)

    def as_document(self) -> dict[str, str]:
        """As documents of ``--json`` tell what became of one thing among others."""
        return {"code": self.code, "why": self.message, "hint": self.hint}

    def as_line(self) -> str:
        """The whole error as one line, ready to print after ``pbem: ``."""
        if not self.hint:
            return self.message
        if self.hint.startswith(TYPED_PREFIXES):
            return f"{self.message} (try: {self.hint})"
        full_stop = "" if self.hint.endswith(("?", ".", "…")) else "."
        return f"{self.message}. {self.hint[0].upper()}{self.hint[1:]}{full_stop}"


class BadInput(PbemError):
    """What was given cannot be used: a file, a mail, an option, a key. Nothing was changed."""

    exit_code = 2


class Refused(PbemError):
    """The answer is no: not genuine, not legal, not now. Nothing was changed."""

    exit_code = 1


class CannotRead(PbemError):
    """The system refuses what is there, so nothing is known of it: it is not taken for missing."""

    exit_code = 2


class Missing(Refused):
    """What was looked for is not there, as the system says."""


class OurFault(PbemError):
    """Something pbem promised itself does not hold. Nothing was changed; please report it."""

    exit_code = 3


#: what whoever runs this command should know besides its answer; printed once, when it ends
notices: dict[str, None] = {}


@contextmanager
def naming_file(file: object, hint: str = "") -> Iterator[None]:
    """Whatever is bad input inside the block names ``file``, and ``hint`` is the way out."""
    try:
        yield
    except BadInput as error:
        is_named = str(file) in error.message
        message = error.message if is_named else f"{file}: {error.message}"
        raise type(error)(error.code, message, hint or error.hint) from error
