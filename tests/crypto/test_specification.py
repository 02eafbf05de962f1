"""The specification and the code use the same labels, and its worked lines are true."""

import re
from pathlib import Path

import pbem.crypto
from pbem.crypto.encoding import pae
from pbem.crypto.signing import SIGNATURE_KINDS, SMALL_ORDER

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "SPECIFICATION.md").read_text("utf-8")
LABEL = re.compile(r"pbem/1/[a-z][a-z/]*")


def test_every_label_of_the_code_is_specified() -> None:
    room = Path(pbem.crypto.__file__).parent
    used = {label for path in room.glob("*.py") for label in LABEL.findall(path.read_text("utf-8"))}
    assert len(used) > 8
    assert used | {f"pbem/1/{kind}" for kind in SIGNATURE_KINDS} <= set(LABEL.findall(TEXT))


def test_the_worked_pae_is_true() -> None:
    (line,) = re.findall(r'PAE\("ab", "c"\) = ([0-9a-f ]+) \(hex\)', TEXT)
    assert bytes.fromhex(line) == pae("ab", "c")


def test_the_table_of_small_order_keys_is_the_list() -> None:
    rows = re.findall(r"^\| [1248] \|(.*)\|$", TEXT, re.MULTILINE)
    found = set()
    for row in rows:
        for first, middle, last in re.findall(r"`(\w\w) (\w\w)\*30 (\w\w)`", row):
            found.add(bytes.fromhex(first + middle * 30 + last))
        for whole, last in re.findall(r"`(\w{64})`, the same ending in `(\w\w)`", row):
            found |= {bytes.fromhex(whole), bytes.fromhex(whole[:-2] + last)}
    assert found == SMALL_ORDER
