"""The table of `pbem status`: what needs the referee first, in columns, as wide as the terminal."""

import pytest

from pbem.commands import status
from pbem.commands.status import TableRow, build_table
from pbem.result import RED, YELLOW, Result, show

TIME = "2026-11-24T12:00:00Z"
ROW = {"since": "2026-11-24T09:00:00Z", "over": False, "closed": False, "ready": False, "n": 5}
ROW |= {"messages": 0, "unsent": 0, "unsure": 0, "failed": 0, "winners": [], "unreached": []}


def row(name: str, due: str = "", **facts: object) -> TableRow:
    waits = [{"player": "Ann", "seat": "blue", "since": "2026-11-22T10:00:00Z", "due": due}]
    return TableRow({"dir": name, "waits_for": waits, **ROW, **facts})


def test_what_needs_the_referee_comes_first() -> None:
    rows = [
        row("over", over=True, waits_for=[], since="2026-11-12T12:00:00Z"),
        row("waits"),
        row("late", due="2026-11-24T07:00:00Z"),
        row("ready", ready=True, due="2026-11-24T20:00:00Z"),
        row("lost", failed=1, unsent=2),
    ]
    lines, colours = build_table(rows, TIME)
    assert [line.split() for line in lines] == [
        ["game", "waits", "for", "since", "due", "ready", "messages", "outbox"],
        ["lost", "Ann", "(blue)", "2", "d", "–", "–", "–", "1", "FAILED,", "2", "unsent"],
        ["ready", "Ann", "(blue)", "2", "d", "Tue", "24", "Nov", "20:00", "UTC", "yes", "–", "–"],
        ["late", "Ann", "(blue)", "2", "d", "late", "5", "h", "–", "–", "–"],
        ["waits", "Ann", "(blue)", "2", "d", "–", "–", "–", "–"],
        ["over", "–", "over", "for", "12", "d", "–", "–", "–", "archive", "it?"],
    ]
    assert len({line.rindex("  ") for line in lines[2:5]}) == 1  # in columns
    assert colours == {1: RED, 2: YELLOW, 3: RED}


def test_a_terminal_is_not_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [{"player": f"Player {n}", "seat": "red", "since": TIME, "due": ""} for n in range(5)]
    monkeypatch.setattr(status, "on_terminal", lambda: True)
    monkeypatch.setattr(status, "_terminal_width", lambda: 60)
    lines, _ = build_table([row("one", waits_for=many)], TIME)
    assert max(map(len, lines)) <= 60
    assert "…" in lines[1]


def test_colours_are_for_terminals_alone_and_names_bring_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Result({}, "one\ntwo \x1b[5m", colours={1: RED})
    show(answer, as_json=False)
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr("pbem.result.on_terminal", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    show(answer, as_json=False)
    assert capsys.readouterr().out == "one\n\x1b[31mtwo \N{REPLACEMENT CHARACTER}[5m\x1b[0m\n"
    monkeypatch.setenv("NO_COLOR", "1")
    show(answer, as_json=False)
    assert "\x1b" not in capsys.readouterr().out
