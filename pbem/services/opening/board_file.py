"""A file with boards of one's own, as the plain options a game takes.

What lives here: the TOML of docs/BOARDS.md, in words for the options ``sides`` and ``counters``.
What must never be here: whether such boards do; the game says that.
"""

from pathlib import Path

from pbem.disk.reading import read_input
from pbem.errors import BadInput, naming
from pbem.files import toml_text
from pbem.files.mail.charset import decode
from pbem.files.strict import Reader

HINT = "a board file has: [[side]] with id, provinces and regions; and [counters] (docs/BOARDS.md)"
MOST = 100  # of one counter, squares of a province: enough to be refused in the game's words
NAMES = ("reputation", "threat")


def with_boards(options: dict[str, str], path: Path | None) -> dict[str, str]:
    """The options with those of a board file: ``--boards FILE``, or ``boards=@FILE``.

    BadInput where the file is none, or boards are given twice.
    """
    named = options.get("boards", "")
    if named.startswith("@"):
        if path is not None:
            raise BadInput("boards/twice", f"two board files, {path} and {named[1:]}", "give one")
        path = Path(named[1:])
        options = {name: value for name, value in options.items() if name != "boards"}
    if path is None:
        return options
    found = _read(path)
    twice = sorted(found.keys() & options.keys())
    if twice:
        text = f"{path} gives {twice[0]}, and so does an option of that name"
        raise BadInput("boards/twice", text, "give it once")
    return {**options, **found}


def _read(path: Path) -> dict[str, str]:
    text = decode(read_input(str(path), 64 * 1024)).replace("\r\n", "\n")
    with naming(path, HINT):
        return _options(Reader(toml_text.load(text, "board file"), ""))


def _options(reader: "Reader") -> dict[str, str]:
    options = {"sides": " ".join(_side(side) for side in reader.tables("side"))}
    counters = reader.maybe_table("counters")
    reader.done()
    if counters is not None:
        options["counters"] = "/".join(_counters(counters.table(name)) for name in NAMES)
        counters.done()
    return options


def _side(reader: "Reader") -> str:
    """One side as a word: ``4b:3,4,4:4,3,4``."""
    name = reader.text("id")
    rows = [reader.numbers(key, 0, MOST) for key in ("provinces", "regions")]
    reader.done()
    return ":".join((name.strip(), *(",".join(map(str, row)) for row in rows)))


def _counters(reader: "Reader") -> str:
    """``{ 0 = 3, 1 = 2 }`` as ``00011``."""
    values = reader.keys()
    return "".join(value * reader.number(value, 0, MOST) for value in values)
