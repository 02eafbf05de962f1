"""The result of a command, and the only place that prints it.

Not allowed here: a decision about a game; a file.
With ``--json`` a run prints one JSON document, with keys in the order in which they were built. No character of a
player's text can stop the output or control the terminal.
"""

import json
import os
import re
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TextIO

from pbem.errors import BadInput, PbemError

# Characters that move the cursor, set colours, or reverse the reading direction. TAB and LF may stay.
_CONTROL_RANGES = ((0, 0x09), (0x0B, 0x20), (0x7F, 0xA0), (0x202A, 0x202F), (0x2066, 0x206A))
_MAYBE_UNPRINTABLE = re.compile("[\\x7f-\\uffff]")  # JSON escapes lower ones by itself
_CONTROL_CHARACTERS = {c: "\N{REPLACEMENT CHARACTER}" for edges in _CONTROL_RANGES for c in range(*edges)}


class Result(NamedTuple):
    """The result of a command."""

    data: dict[str, Any]  #: the document of ``--json``, keys in a fixed order
    text: str  #: the same for people
    exit_code: int = 0  #: 0 done, 1 the answer is no, 2 bad input, 3 a bug
    lines: tuple[dict[str, Any], ...] = ()  #: several documents in place of ``data``, one per line
    colours: Mapping[int, str] = MappingProxyType({})  #: ANSI codes for a terminal, by the line number in ``text``


def show(result: Result, as_json: bool) -> int:
    """Print a result and return its exit code."""
    if as_json and result.lines:
        _write(sys.stdout, "".join(_json_text(line, indent=None) for line in result.lines))
    else:
        _write(sys.stdout, _json_text(result.data) if as_json else _coloured_text(result))
    return result.exit_code


def show_error(error: PbemError, as_json: bool) -> int:
    """Print an error in one line, as text on stderr or as JSON on stdout, and return its exit code."""
    if as_json:
        data = {"code": error.code, "message": error.message, "hint": error.hint}
        _write(sys.stdout, _json_text({"error": data}, indent=None))
    else:
        _write(sys.stderr, f"pbem: {_one_line(error.as_line())}\n")
    return error.exit_code


def show_notice(text: str) -> None:
    """Print a note that is not part of the result."""
    _write(sys.stderr, f"pbem: note: {_one_line(text)}\n")


def show_progress(text: str) -> None:
    """Print the progress of a long command, if stderr is a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        _write(sys.stderr, f"{_one_line(text)}\n")


def _json_text(data: dict[str, Any], indent: int | None = 1) -> str:
    # if the output cannot encode é, it gets an escape
    shows_unicode = (getattr(sys.stdout, "encoding", None) or "ascii").lower().startswith("utf")
    text = json.dumps(data, ensure_ascii=not shows_unicode, indent=indent) + "\n"
    return _MAYBE_UNPRINTABLE.sub(lambda m: m[0] if m[0].isprintable() else f"\\u{ord(m[0]):04x}", text)


RED, YELLOW = "31", "33"  #: ANSI colour codes


def _coloured_text(result: Result) -> str:
    text = _without_controls(result.text)
    if not result.colours or not on_terminal() or os.environ.get("NO_COLOR"):
        return text
    rows = enumerate(text.split("\n"))
    escapes = {number: f"\x1b[{colour}m" for number, colour in result.colours.items()}
    return "\n".join(f"{escapes[number]}{row}\x1b[0m" if number in escapes else row for number, row in rows)


def on_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def _without_controls(text: str) -> str:
    text = text.translate(_CONTROL_CHARACTERS)
    return text if text.endswith("\n") or not text else text + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.splitlines()).translate(_CONTROL_CHARACTERS)


def _write(stream: TextIO | None, text: str) -> None:
    """Write and flush. A closed pipe (``| head``) is not an error. Raises BadInput ``output/failed``."""
    if stream is None:
        return
    if reconfigure := getattr(stream, "reconfigure", None):
        reconfigure(errors="replace")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        return
    except OSError as error:
        if stream is sys.stderr:
            return
        message = f"the answer cannot be written: {error.strerror}"
        hint = "it may have been done all the same; check with `pbem status`"
        raise BadInput("output/failed", message, hint) from None
