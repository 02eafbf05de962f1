"""The signed block of a report: every byte counts, and no mail program breaks it. P7."""

import email.message
import email.policy
import textwrap
from typing import Any

import pytest

from pbem.errors import BadInput, Refused
from pbem.moderator import block
from pbem.moderator.verifying import Chain, check_block, check_chain

from . import games


@pytest.fixture(scope="module")
def report(played: Any) -> str:
    """A report with new commitments and openings: that of the deal (small ones have neither)."""
    n = played.numbers()[-1]
    found = (played.game / "desk" / "reports" / f"{n:04d}" / "red.txt").read_text()
    assert "\nopen " in found
    return str(found)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Any:
    secrets = games.Secrets(b"o" * 32, games.CODES)  # another game than the played one
    return games.opened(tmp_path_factory.mktemp("blocks") / "one", secrets)


@pytest.fixture(scope="module")
def chains(states: dict[int, bytes]) -> dict[str, Chain]:
    found = check_chain(states, None, None)
    return {found.game: found}


def check(text: str, chains: dict[str, Chain]) -> list[str]:
    return [check_block(one, chains, None) for one in block.find(text)]


def passes(text: str, chains: dict[str, Chain]) -> bool:
    try:
        check(text, chains)
    except (BadInput, Refused):
        return False
    return True


def start_of(text: str) -> int:
    return text.index("\npbem 1 ") + 1


def test_every_byte_of_a_block_changed(report: str, chains: dict[str, Chain]) -> None:
    """Several values at each position; a line broken at a blank alone is the same line still."""
    start, end = start_of(report), len(report.rstrip())
    assert all("belongs to this chain" in one for one in check(report, chains))
    for i in range(start, end):
        for new in {chr(ord(report[i]) ^ 1), "A", "x", " ", "\n", ">", "é"} - {report[i]}:
            changed = report[:i] + new + report[i + 1 :]
            if (report[i], new) == (" ", "\n") and _found(changed) == block.find(report):
                continue
            assert not passes(changed, chains), f"{report[i]!r} became {new!r} at {i - start}"


def test_every_byte_of_a_block_taken_out_or_doubled(report: str, chains: dict[str, Chain]) -> None:
    """Blanks at the ends of lines are no part of it; everything else is."""
    start, end = start_of(report), len(report.rstrip())
    for i in range(start, end):
        for changed in (report[:i] + report[i + 1 :], report[:i] + report[i] + report[i:]):
            harmless = block.find(report) == _found(changed)
            if not harmless:
                with pytest.raises((BadInput, Refused)):
                    check(changed, chains)
            else:
                assert report[i] == "\n", (i, report[i])


def _found(text: str) -> list[block.Block]:
    try:
        return block.find(text)
    except BadInput:
        return []


def lines_exchanged(report: str) -> list[str]:
    start = start_of(report)
    lines = report[start:].rstrip().split("\n")
    found = []
    for i in range(len(lines) - 1):
        swapped = [*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]
        found.append(report[:start] + "\n".join(swapped))
        found.append(report[:start] + "\n".join(lines[:i] + lines[i + 1 :]))
        found.append(report[:start] + "\n".join([*lines[:i], lines[i], *lines[i:]]))
    return found


def test_lines_of_a_block_exchanged_dropped_doubled(report: str, chains: dict[str, Chain]) -> None:
    for changed in lines_exchanged(report):
        with pytest.raises((BadInput, Refused)):
            check(changed, chains)


def hard_wrapped(text: str) -> str:
    """As a program that breaks lines anywhere."""
    lines = text.split("\n")
    return "\n".join(line[i : i + 72] for line in lines for i in range(0, len(line) or 1, 72))


def mailed(text: str) -> str:
    message = email.message.EmailMessage(policy=email.policy.SMTP)
    message["From"], message["Subject"] = "ann@example.org", "Fwd: my report"
    quoted = textwrap.indent(text, "> ", lambda _: True)
    message.set_content(f"Look:\n\n{quoted}", cte="quoted-printable")
    return message.as_bytes().decode("ascii")


HANDLED = {
    "as sent": lambda text: text,
    "quoted": lambda text: textwrap.indent(text, "> ", lambda _: True),
    "quoted twice": lambda text: textwrap.indent(text, ">> ", lambda _: True),
    "quoted without blank": lambda text: textwrap.indent(text, ">", lambda _: True),
    "indented": lambda text: textwrap.indent(text, "    "),
    "wrapped at blanks": lambda text: "\n".join(
        textwrap.fill(line, 72, break_long_words=False, break_on_hyphens=False) if line else line
        for line in text.split("\n")
    ),
    "wrapped anywhere": hard_wrapped,
    "wrapped, then quoted": lambda text: textwrap.indent(hard_wrapped(text), "> ", lambda _: True),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "blanks at the ends": lambda text: text.replace("\n", "  \n"),
    "more below": lambda text: f"{text}\n-- \nSent from my phone\n",
    "a mail": mailed,
}


@pytest.mark.parametrize("how", HANDLED)
@pytest.mark.parametrize("which", ["later", "deal"])
def test_what_mail_programs_do_does_no_harm(
    played: Any, dealt: Any, report: str, how: str, which: str
) -> None:
    """Quoted, wrapped, indented, with other line ends, forwarded: it still verifies."""
    place = played if which == "later" else dealt
    text = report if which == "later" else (place.game / "desk/reports/0002/red.txt").read_text()
    path = place.file("handled.txt", HANDLED[how](text))
    assert "belongs to this chain" in place.done("verify", "GAME", path)


@pytest.mark.parametrize("how", HANDLED)
def test_a_change_shows_however_it_was_handled(played: Any, report: str, how: str) -> None:
    """Sampled over the whole block, by the command itself."""
    start, end = start_of(report), len(report.rstrip())
    for i in range(start + 8, end, (end - start) // (60 if games.LONG else 9)):
        if report[i].isalnum():
            changed = report[:i] + ("A" if report[i] != "A" else "B") + report[i + 1 :]
            path = played.file("changed.txt", HANDLED[how](changed))
            said = played.run("verify", "GAME", path)
            assert said.code in (1, 2), said.text
            assert f"{path}: genuine" not in said.text


def test_a_block_of_another_referee_or_game(played: Any, dealt: Any, report: str) -> None:
    """Signed, but by whom: a block of no known chain is said to be compared with none."""
    path = played.file("other.txt", report)
    assert "not compared with a chain" in played.done("verify", path)
    folder = str(dealt.game)
    assert "not compared with a chain" in played.done("verify", folder, path)
    said = played.run("verify", path, "--game", dealt.session().link.game)
    assert said.code == 1
