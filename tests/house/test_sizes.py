"""The two sizes of a run have one home, and each of them is asked for by a test."""

import re

from sizes import SIZES

from . import tree

TESTS = tree.ROOT / "tests"
TEXTS = {path: path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py"))}
HOME = TESTS / "sizes.py"


def test_every_size_is_asked_for_and_no_other() -> None:
    asked = {name for text in TEXTS.values() for name in re.findall(r'\b(?:size|every|seeds|drawn)\(\s*"(.*?)"', text)}
    assert asked == SIZES.keys()


def test_no_other_file_asks_whether_this_is_the_long_run() -> None:
    assert [path for path, text in TEXTS.items() if "PBEM_" + "LONG" in text] == [HOME]


def test_the_long_run_tries_more() -> None:
    every = "odd ", "reads ", "leaves ", "operations struck", "bytes of a state", "bytes of an arch"
    for name, (short, long) in SIZES.items():
        assert (long < short) if name.startswith(every) else (long > short), name
