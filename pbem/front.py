"""The entry point of the process, and its end.

Not allowed here: a command; a module-level import other than sys and the version.
``--version`` takes no longer than a bare interpreter (docs/DESIGN.md "Speed"). The process lives
for a tenth of a second, so it has no garbage collection and no teardown.
"""

import sys

from pbem import __version__

TYPE_CHECKING = False  # typing itself would cost 4 ms; type checkers know this name too
if TYPE_CHECKING:
    from typing import NoReturn

EXIT_INTERRUPTED = 130  #: what shells expect after Ctrl-C


def main() -> "NoReturn":
    """Run this process's command line and end the process with its exit code."""
    arguments = sys.argv[1:]
    asks_for_version = "--version" in arguments or "-V" in arguments
    if asks_for_version and {*arguments} <= {"--version", "-V", "--json"}:
        version_text = f'{{"version": "{__version__}"}}' if "--json" in arguments else f"pbem {__version__}"
        try:
            sys.stdout.write(f"{version_text}\n")
            sys.stdout.flush()
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                sys.stderr.write(f"pbem: the answer cannot be written: {error.strerror}\n")
                end_process(2)
        end_process(0)
    import gc

    gc.disable()
    from pbem.lazy_stdlib import defer_rarely_used

    defer_rarely_used()
    try:
        from pbem.cli import run

        code = run(arguments)
    except KeyboardInterrupt:  # while pbem.cli was being loaded
        sys.stderr.write("pbem: stopped\n")
        code = EXIT_INTERRUPTED
    end_process(code)


def end_process(code: int) -> "NoReturn":
    """Flush the output and end the process at once."""
    import os

    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # the pipe is closed, the stream is closed, there is no stream
    os._exit(code)
