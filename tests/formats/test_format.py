"""FORMAT.md's examples are what the code reads, and its numbers are the code's."""

import pathlib
import re

from notation import standin

from pbem.formats import state_file
from pbem.mail.parsed import MAIL_LIMIT, parse_email
from pbem.notation import move_file, reading

HERE = pathlib.Path(__file__).parent
FORMAT = pathlib.Path(state_file.__file__).with_name("FORMAT.md")
TEXT = FORMAT.read_text(encoding="utf-8")


def example(kind: str) -> bytes:
    (found,) = re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)
    assert isinstance(found, str)
    return found.encode()


def test_state() -> None:
    data = example("state")
    body, key, sig = state_file.split(data)
    assert state_file.join(body, key, sig) == data
    assert len(data) - len(body) == 139
    document = state_file.parse(body)
    assert document["seats"] == {"red": "Ann"}
    assert state_file.dump(document) == body


def test_move_file() -> None:
    data = example("move")
    move = move_file.read_move_file(data)
    assert move.code == "K7Q2-9F3A"
    assert move_file.write_move_file(move.code, tuple(t for _, t in move.orders)) == data


def test_letter() -> None:
    letter = parse_email(example("letter"))
    sheet = reading.read_orders(letter.own_lines, standin.GRAMMAR)
    assert letter.codes == ("K7Q2-9F3A",)
    assert [o.order for o in sheet.now] == ["wall A5", "wall B2"]
    assert [(o.when, o.order) for o in sheet.later] == [("AP2", "flood -2")]
    assert [line.number for line in sheet.prose] == [1]
    assert sheet.doubtful_lines == ()


def test_numbers() -> None:
    assert state_file.SIZE_LIMIT == 4 * 1024**2
    assert MAIL_LIMIT == 1024**2
    assert move_file.MAX_BYTES == 64 * 1024
    for number in (move_file.MAX_LINES, move_file.MAX_LINE_LETTERS):
        assert f"at most {number} " in TEXT
