"""A state has one spelling: the same document written in any other way is refused.

Found by an attack of 2026-11: comments, other orders of keys, escapes, signs, empty lines and rows
out of order were read, so that referees could hide messages in states, or make two files of one.
"""

import re
import sys
from collections.abc import Callable
from typing import Any
from unicodedata import category

import pytest
from durability import games

from pbem.chain.signed_state import read_verified_record, sign_state
from pbem.crypto.keys import RefereeKey
from pbem.errors import PbemError
from pbem.formats import state_file
from pbem.proof.verify.verify import check_chain

KEY = RefereeKey(games.ACTING)
#: what is a blank to somebody, or nothing: a block in an email has another there
BLANK = [c for c in map(chr, range(sys.maxunicode + 1)) if c.isspace() or category(c) == "Cf"]
Respell = Callable[[str], str]


def _first(pattern: str, new: str) -> Respell:
    return lambda body: re.sub(pattern, new, body, count=1, flags=re.MULTILINE)


def _moved(key: str) -> Respell:
    """The line of a key, moved to just behind the version."""

    def respell(body: str) -> str:
        line = re.search(rf"(?m)^{key} = .*\n", body)
        assert line is not None
        return body.replace(line[0], "", 1).replace("pbem = 1\n", f"pbem = 1\n{line[0]}", 1)

    return respell


def _turned(key: str) -> Respell:
    """The first two rows of a list, the other way round."""
    return _first(rf'^({key} = \[\n)(    ".*",\n)(    ".*",\n)', r"\1\3\2")


SPELT: dict[str, Respell] = {
    "a comment": _first(r"^(phase = .*)$", r"\1 # here"),
    "a line of comment": _first(r"^phase", "# here\nphase"),
    "an empty line": _first(r"^phase", "\nphase"),
    "an empty line at the end": lambda body: f"{body}\n",
    "a blank at the end of a line": _first(r"^(phase = .*)$", r"\1 "),
    "two blanks": _first(r"^phase = ", "phase  = "),
    "a quoted key": _first(r"^phase", '"phase"'),
    "a literal text": _first(r'^phase = "(.*)"', r"phase = '\1'"),
    "a text of many lines": _first(r'^phase = "(.*)"', r'phase = """\1"""'),
    "an escape": _first(r'^phase = "p', r'phase = "\\u0070'),
    "a sign": _first(r"^n = ", "n = +"),
    "another base": _first(r"^n = ", "n = 0x"),
    "an order of keys": _moved("time"),
    "an order of keys in a table": _first(r"^(kind = .*\n)(rulings = .*\n)", r"\2\1"),
    "a list on one line": _first(r'^opened = \[\]|^roster = \[\n|^people = \[\n    ', 'people = ['),
    "no last comma": _first(r'",\n\]', '"\n]'),
    "a narrower list": _first(r'^    "', '   "'),
    "an empty list on two lines": _first(r"= \[\]", "= [\n]"),
    "a dotted key": lambda body: body.replace("[setup]\nkind", "setup.kind", 1),
    "blanks in a table's name": _first(r"^\[setup\]", "[ setup ]"),
    "a table in a table": lambda body: f"{body}\n[position.more]\na = 1\n",
    "an order of the position's keys": lambda body: re.sub(
        r"(\[position\]\n)((?:.*\n)*)",
        lambda found: found[1] + "".join(_blocks(found[2])[::-1]),
        body,
    ),
    "a mark of byte order inside": _first(r'^(time = ")', "\\1\ufeff"),
    "two blanks in a row": _first(r'^(    "\S+ \S+) ', r"\1  "),
    "a blank at the end of a row": _first(r'^(    ".*)",$', r'\1 ",'),
    "a nought before a number": _first(r'^(answered = \[\n    "\S+ )', r"\g<1>0"),
    "a sign in a row": _first(r'^(answered = \[\n    "\S+ )', r"\1+"),
    "rows of heads": _turned("heads"),
    "rows of sealed": _turned("sealed"),
    "rows of commits": _turned("commits"),
    "rows of openings": _turned("openings"),
    "rows of people": _turned("people"),
}  # fmt: skip


def _blocks(text: str) -> list[str]:
    return re.findall(r"(?m)^\S+ = (?:\[\n(?:    .*\n)*\]|.*)\n", text)


def read(chain: dict[int, bytes], n: int) -> None:
    """By itself, and where that says nothing in its chain."""
    read_verified_record(chain[n], KEY.public)
    check_chain(chain, None, None)


@pytest.mark.parametrize("how", SPELT)
def test_another_spelling_is_refused(how: str, states: dict[int, bytes]) -> None:
    """Signed by the referee himself, and refused where it is read, or at its place in the chain."""
    tried = 0
    for n, raw in states.items():
        body = state_file.split(raw).body
        other = SPELT[how](body.decode()).encode()
        if other == body:
            continue
        tried += 1
        changed = sign_state(other, KEY.signing, KEY.public)
        chain = {m: states[m] for m in range(n)} | {n: changed}
        with pytest.raises(PbemError):
            read(chain, n)
    assert tried


def test_it_is_said_where(states: dict[int, bytes]) -> None:
    body = state_file.split(states[3]).body.decode()
    changed = body.replace("\nphase", "\n# here\nphase", 1)
    line = changed[: changed.index("# here")].count("\n") + 1
    with pytest.raises(PbemError, match=f"line {line} is not written as a state is written"):
        read_verified_record(sign_state(changed.encode(), KEY.signing, KEY.public), KEY.public)


@pytest.mark.parametrize(
    "document", [{"a": -1}, {"a": 1.5}, {"a": [1]}, {"a": "b\nc"}, {"a": {"b": {}}}, {"a b": 1}, {"a": None}]
)
def test_what_a_state_cannot_hold(document: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        state_file.encode_canonical(document)


@pytest.mark.attack("hide a value in invisible characters", by="verify or audit", who="referee")
def test_no_text_has_what_an_email_loses() -> None:
    """Found by whoever wrote a verifier from the text alone: a value with U+06DD, which all are
    shown, could be in no block that holds.
    """
    written = [c for c in BLANK if state_file.is_canonical(f'a = "x{c}x"\n'.encode())]
    assert written == [" "]
