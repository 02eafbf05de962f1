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

TIMEOUT_SECONDS = 120  #: somebody may have to type a passphrase first
_BY_HAND = "run the command by hand; it must print the secret on its first line and end with 0"


def read_secret(command: Sequence[str], code: str, owner: str) -> str:
    """The first line that it prints. Secret. Refused ``code`` names the program, and no more."""
    program = command[0][:60]
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    try:
        process = subprocess.run(
            command,
            stdin=None if is_terminal else subprocess.DEVNULL,  # an email may be piped to us
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it may quote what it read
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        secret = process.stdout.split(b"\n")[0].rstrip(b"\r").decode()
    except UnicodeDecodeError:
        raise Refused(code, f"{owner}: {program!r} printed no text", _BY_HAND) from None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        why = f"{owner}: {program!r} cannot be run, or did not end"
        raise Refused(code, why, _BY_HAND) from None
    if process.returncode or not secret:
        what = "something" if secret else "no secret"
        why = f"{owner}: {program!r} ended with {process.returncode} and printed {what}"
        raise Refused(code, why, _BY_HAND)
    return secret
