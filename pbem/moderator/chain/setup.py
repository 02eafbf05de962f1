"""What was settled in the genesis: the table ``setup`` of every state.

What lives here: Setup, its table. What must never be here: what an option means (the game's).
Source: docs/SPECIFICATION.md section 5; FORMAT.md.
"""

from typing import Any, NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.files.toml_text import TableReader
from pbem.moderator.chain.people import one_line

LONGEST_WORD = 60  #: letters of a seat, a kind, a version


class Setup(NamedTuple):
    """What was settled in the genesis and stands in every state; nothing of it ever changes."""

    kind: str
    rulings: str
    version: str  #: of the package the game comes from
    seats: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    commit: bytes  #: commitment to the game's secret
    round: int
    previous: str  #: head (b64) of the genesis that this one replaces, or "none"


def write_setup(setup: Setup) -> dict[str, Any]:
    """The table."""
    return {
        "kind": setup.kind,
        "rulings": setup.rulings,
        "version": setup.version,
        "seats": list(setup.seats),
        "options": [f"{name}={value}" for name, value in setup.options],
        "commit": b64(setup.commit),
        "round": setup.round,
        "previous": setup.previous,
    }


def _word(text: str) -> str:
    """A name that people read; ValueError where it is none."""
    if not 0 < len(text) <= LONGEST_WORD or " " in text:
        raise ValueError(text)
    return one_line(text)


def _options(rows: list[str]) -> tuple[tuple[str, str], ...]:
    pairs = [one_line(row).partition("=") for row in rows]
    names = {name for name, sign, _ in pairs if name and sign}
    if len(names) != len(rows):
        raise ValueError("options")
    return tuple((name, value) for name, _, value in pairs)


def _previous(text: str) -> str:
    return text if text == "none" else b64(unb64(text, 32))


def read_setup(reader: TableReader) -> Setup:
    """Read it back; ValueError or BadInput where it is none."""
    setup = Setup(
        kind=_word(reader.text("kind")),
        rulings=_word(reader.text("rulings")),
        version=_word(reader.text("version")),
        seats=tuple(map(_word, reader.rows("seats"))),
        options=_options(reader.rows("options")),
        commit=unb64(reader.text("commit"), 32),
        round=reader.number("round", 1, 999),
        previous=_previous(reader.text("previous")),
    )
    reader.done()
    return setup
