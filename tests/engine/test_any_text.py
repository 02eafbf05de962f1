"""Any text is read, judged and refused; found in the review of 2026-11-21."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import cli
from pbem.engine.chang_cheng import GAME
from pbem.errors import BadInput

from .case import position

SCRIPT = Path(__file__).parent / "scripts" / "cc-2-en-plain-u.json"
CASE: dict[str, Any] = {"players": ["red", "green"], "before": {"squares": ["A1 A2 A3 red"]}}
STATE = position(CASE, "en")
TEXTS = ("", "  ", "double", "double A1", "tower", "tower A5 reserve", "\x1b[31m", "wall A٣", "a\nb")
TOKENS = st.sampled_from((*sorted(GAME.words), "a٣", "a5", "a0", "ap٢", "٣", "master", "none", ""))


@given(st.lists(st.text(max_size=5) | TOKENS, max_size=5).map(tuple))
def test_spell_never_raises(tokens: tuple[str, ...]) -> None:
    line = GAME.spell(tokens)
    assert line is None or GAME.spell(tuple(line.lower().split())) == line


def test_only_plain_digits_make_a_name() -> None:
    assert not GAME.is_name("a٣")
    assert GAME.spell(("wall", "a٣")) is None


@given(st.text(max_size=12) | st.lists(TOKENS, max_size=4).map(" ".join))
def test_check_and_complete_take_any_text(text: str) -> None:
    for seat in ("red", "green", None):
        view = GAME.view(STATE, seat)
        assert (GAME.check(view, text) is None) == (text in GAME.legal(view))
        assert GAME.complete(view, text) in (text, *GAME.legal(view))


def run_script(document: dict[str, Any], folder: Path) -> tuple[int, str]:
    path = folder / "script.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    out = StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", out)
        return cli.run(["script", "run", str(path)]), out.getvalue()


@pytest.mark.parametrize("text", TEXTS)
def test_a_script_with_any_order_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    document = json.loads(SCRIPT.read_text(encoding="utf-8"))
    document["orders"] = [{**document["orders"][0], "order": text}]
    code, told = run_script(document, tmp_path)
    assert code == 2, told
    assert "order 1: found " in told
    assert told.count("pbem: ") == 1
    assert all(len(one) < 300 and one.isprintable() for one in told.splitlines())


@pytest.mark.parametrize("name", ["", "1:a", "1 a", "1,a", "1a\n", "é", "x" * 21])
def test_a_board_needs_a_plain_id(name: str) -> None:
    document = json.loads(SCRIPT.read_text(encoding="utf-8"))
    document["boards"][0]["id"] = name
    with pytest.raises(BadInput) as refused:
        GAME.from_script(document)
    assert refused.value.code == "script/boards"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("AP1", "AP1 has been scored; cards no longer take effect there"),
        ("AP2", ""),
        ("AP9", "there is no AP9, and none can join"),
        ("CP1", ""),
        ("CP9", "there is no CP9, and none can join"),
        ("DP1", "there is no DP1, and none can join"),
        ("A5", "name a province, such as AP2: cards do not take effect on A5"),
        ("AM1", "name a province, such as AP2: cards do not take effect on AM1"),
    ],
)
def test_what_can_be_waited_for(name: str, why: str) -> None:
    view = GAME.view(STATE, "green")
    assert GAME.why_never(view, name) == why
