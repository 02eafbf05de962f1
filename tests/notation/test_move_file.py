"""Move files: precise errors, tolerant of what editors do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadInput
from pbem.mail.text import looks_like_move_file
from pbem.notation.move_file import MAX_BYTES, read_move_file, write_move_file

GOOD = b"""# my move
pbem = 1
code = "k7q2 9f3a"
orders = [
  "wall A5",
  "later:",
  "when AP2: flood -2",
]
"""


def test_reads() -> None:
    move = read_move_file(GOOD)
    assert (move.code, move.game, move.seat) == ("K7Q2-9F3A", None, None)
    assert move.orders == ((1, "wall A5"), (2, "later:"), (3, "when AP2: flood -2"))
    assert read_move_file(b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n")) == move
    named = read_move_file(GOOD + b'game = "abc"\nseat = "red"\n')
    assert (named.game, named.seat) == ("abc", "red")


def test_written_ones_read_back() -> None:
    data = write_move_file("K7Q2-9F3A", ("wall A5", "draw"))
    move = read_move_file(data)
    assert (move.code, move.game, move.seat) == ("K7Q2-9F3A", None, None)
    assert [line.text for line in move.orders] == ["wall A5", "draw"]
    with pytest.raises(BadInput):
        write_move_file("no code", ("wall A5",))


def changed(old: bytes, new: bytes) -> bytes:
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("data", "code", "told"),
    [
        (b" " * (MAX_BYTES + 1), "too-large", "bytes"),
        (GOOD.decode().encode("utf-16"), "utf-16", "UTF-16"),
        (GOOD + b"\x00", "nul-bytes", "NUL"),
        (changed(b"my move", b"m\xff"), "not-utf8", "line 1"),
        (changed(b'"wall A5"', "“wall A5”".encode()), "toml", "straight quotes"),
        (changed(b"orders = [", b"orders = "), "toml", "line "),
        (GOOD + b"pbem = 1\n", "toml", "line 9"),
        (GOOD + b"x = " + b"[" * 9000, "toml", "nested"),
        (GOOD + b"password = 'hunter2'\n", "unknown-key", "line 9: unknown key"),
        (changed(b"pbem = 1", b""), "missing", "`pbem`"),
        (changed(b"code", b"seat"), "missing", "`code`"),
        (changed(b"pbem = 1", b"pbem = 2"), "version", "line 2"),
        (changed(b"pbem = 1", b"pbem = true"), "version", "line 2"),
        (changed(b"pbem = 1", b"pbem = 1.0"), "version", "line 2"),
        (changed(b"k7q2 9f3a", b"k7q2"), "code", "line 3"),
        (changed(b'"k7q2 9f3a"', b"7"), "type", "line 3"),
        (GOOD + b"seat = 1\n", "type", "line 9"),
        (GOOD + b'seat = "' + b"x" * 65 + b'"\n', "type", "line 9"),
        (b'pbem = 1\ncode = "K7Q2-9F3A"\norders = "wall A5"\n', "type", "line 3"),
        (changed(b'"wall A5"', b"5"), "type", "number 1"),
        (changed(b"wall A5", b"wall A5\\nwall B2"), "type", "number 1"),
        (changed(b"wall A5", b"w" * 65), "line-too-long", "number 1"),
        (changed(b'"wall A5"', b'"x",' * 501 + b'"y"'), "too-many-lines", "504"),
    ],
)
def test_errors_are_precise(data: bytes, code: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_move_file(data)
    assert caught.value.code == f"move/{code}"
    assert told in caught.value.as_line()
    assert caught.value.as_line().isprintable()
    assert "hunter2" not in caught.value.as_line()


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (GOOD, True),
        (b"\xef\xbb\xbf" + GOOD, True),
        (GOOD.decode().encode("utf-16"), True),
        (b'orders = "wall A5', True),
        (b'seat = "red"\npbem = 1\n', True),
        (b"wall A5\n", False),
        (b"From: a@b\n\npbem = 1\n", False),
        (b"", False),
        (b"\x89PNG", False),
    ],
)
def test_told_from_a_letter(data: bytes, answer: bool) -> None:
    assert looks_like_move_file(data) is answer


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.integers(0, len(GOOD)), st.integers(0, 40))
def test_any_bytes(data: bytes, at: int, gone: int) -> None:
    for whole in (data, GOOD[:at] + data + GOOD[at + gone :], GOOD[:at] + GOOD[at + gone :]):
        looks_like_move_file(whole)
        try:
            read_move_file(whole)
            told = ""
        except BadInput as error:
            told = error.as_line()
        assert told.isprintable()
