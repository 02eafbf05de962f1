"""A secret that a command of the referee's prints: a password, a token, a passphrase.

What must never be here: what the secret is for. It is the one place that runs such a command.
Laws: the secret goes through a pipe and stands in no error, log or argument of a process; the
command reads nothing of what pbem is given on standard input.
Source: docs/decisions/0014-the-post.md "Secrets"; docs/POST.md.
"""

import subprocess
import sys
from collections.abc import Sequence

from pbem.errors import Refused

SECONDS = 120  #: somebody may have to type a passphrase first
_BY_HAND = "run the command by hand; it must print the secret on its first line and end with 0"


def printed(command: Sequence[str], code: str, whose: str) -> str:
    """The first line that it prints. Secret. Refused ``code`` names the program, and no more."""
    program = command[0][:60]
    typed = sys.stdin is not None and sys.stdin.isatty()
    try:
        done = subprocess.run(  # noqa: S603 - the referee's own command, from his own file
            command,
            stdin=None if typed else subprocess.DEVNULL,  # an email may be piped to us
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it may quote what it read
            timeout=SECONDS,
            check=False,
        )
        first = done.stdout.split(b"\n")[0].rstrip(b"\r").decode()
    except UnicodeDecodeError:
        raise Refused(code, f"{whose}: {program!r} printed no text", _BY_HAND) from None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        why = f"{whose}: {program!r} cannot be run, or did not end"
        raise Refused(code, why, _BY_HAND) from None
    if done.returncode or not first:
        what = "something" if first else "no secret"
        why = f"{whose}: {program!r} ended with {done.returncode} and printed {what}"
        raise Refused(code, why, _BY_HAND)
    return first
