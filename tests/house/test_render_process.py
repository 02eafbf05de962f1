"""The child that renders may fail in any way: the texts are the same."""

import os
import signal
from contextlib import suppress
from typing import Any

import pytest

from pbem.errors import OurFault
from pbem.render_process import RenderProcess
from pbem.report.render import begin_render, render, start_render_process

VALUES: dict[str, Any] = {
    "label": "g", "seat": "red", "player": "Ann", "code": "",
    "headline": [{"kind": "accepted", "facts": {"number": 1}}], "cited": [],
    "lines": [
        {"kind": "accepted", "facts": {"number": 0, "line": "wall Ä5", "why": "", "words": ""}}
    ],
    "answers": [], "hand": ["wall A5"], "block": "", "way": "reply",
    "proven": True, "replaced": [], "back": [], "elsewhere": "", "letter": None, "half": {},
    "minutes": 10, "proposal": [], "confirms": "", "not_read": [],
}  # fmt: skip
NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def text(values: dict[str, Any] = VALUES) -> str:
    """A receipt, or the mistake in it."""
    try:
        return render("receipt.txt", **values)
    except OurFault as error:
        return error.message


@NEEDS_FORK
def test_the_child_renders_what_the_parent_would() -> None:
    here = text()
    with start_render_process() as child:
        assert RenderProcess.current is child
        there = child.request_text("receipt.txt", VALUES)()
        assert (text(), RenderProcess.current) == (here, child)
    assert there == here
    assert "- accepted: wall Ä5\n" in here
    assert RenderProcess.current is None


@NEEDS_FORK
def test_what_was_begun_is_had_in_any_order() -> None:
    """Each larger than a pipe holds; the last is asked for after the child has gone."""
    each = [{**VALUES, "label": letter * 200_000} for letter in "abc"]
    here = [text(values) for values in each]
    with start_render_process() as child:
        first, second, third = (begin_render("receipt.txt", **values) for values in each)
        assert [second(), first(), first()] == [here[1], here[0], here[0]]
        assert RenderProcess.current is child
    assert third() == here[2]


@NEEDS_FORK
def test_a_child_that_was_killed_is_not_missed() -> None:
    here = text()
    with start_render_process() as child:
        os.kill(child._pid, signal.SIGKILL)
        os.waitpid(child._pid, 0)
        assert text() == here
        assert RenderProcess.current is None


@NEEDS_FORK
def test_a_child_that_was_stopped_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RenderProcess, "patience", 0.2)
    here = text()
    with start_render_process() as child:
        os.kill(child._pid, signal.SIGSTOP)
        assert text() == here
        assert RenderProcess.current is None
    with suppress(ChildProcessError):  # it was ended already, and seen off
        assert os.waitpid(child._pid, 0)[1] == signal.SIGKILL


@NEEDS_FORK
def test_a_mistake_is_told_by_the_parent_and_the_child_lives_on() -> None:
    wrong = {name: value for name, value in VALUES.items() if name != "headline"}
    here = text(wrong)
    with start_render_process() as child:
        assert text(wrong) == here
        assert "receipt.txt" in here
        assert RenderProcess.current is child


@NEEDS_FORK
def test_what_a_pipe_cannot_carry_is_rendered_here() -> None:
    with start_render_process():
        assert text({**VALUES, "extra": object()}) == text(VALUES)


def test_without_fork_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork", raising=False)
    with start_render_process():
        assert RenderProcess.current is None
        assert text()
