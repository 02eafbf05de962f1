"""The signed block of a report: every byte counts, and no mail program breaks it. P7."""

import email.message
import email.policy
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from durability import games
from sizes import size

from pbem.chain.seals import Seals
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey, parse_key
from pbem.crypto.signing import sign
from pbem.errors import BadInput, Refused
from pbem.proof.verify.inputs import check_block
from pbem.proof.verify.verify import Chain, check_chain
from pbem.report import block
from pbem.report.block import commitment_lines, require_blocks
from pbem.services.open.new_game import Secrets

KEY = RefereeKey(games.ACTING)
WALL = Path(__file__).parents[3] / "examples" / "games" / "great-wall-3"


@pytest.fixture(scope="module")
def report(played: Any) -> str:
    """A report with new commitments and openings: that of the deal (small ones have neither)."""
    n = played.numbers()[-1]
    found = (played.game / "desk" / "reports" / f"{n:04d}" / "red.txt").read_text()
    assert "\nopen " in found
    return str(found)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Any:
    secrets = Secrets(b"o" * 32, games.CODES)  # another game than the played one
    return games.opened(tmp_path_factory.mktemp("blocks") / "one", secrets)


@pytest.fixture(scope="module")
def chains(states: dict[int, bytes]) -> dict[str, Chain]:
    found = check_chain(states, None, None)
    return {found.game: found}


def check(text: str, chains: dict[str, Chain]) -> list[str]:
    return [check_block(one, chains, None) for one in require_blocks(text)]


def passes(text: str, chains: dict[str, Chain]) -> bool:
    try:
        check(text, chains)
    except (BadInput, Refused):
        return False
    return True


def start_of(text: str) -> int:
    return text.index("\npbem 1 ") + 1


@pytest.mark.attack("change a byte of a report", by="verify", who="carrier")
def test_every_byte_of_a_block_changed(report: str, chains: dict[str, Chain]) -> None:
    """Several values at each position; a line broken at a blank alone is the same line still."""
    start, end = start_of(report), len(report.rstrip())
    assert all("belongs to this log" in one for one in check(report, chains))
    for i in range(start, end):
        for new in {chr(ord(report[i]) ^ 1), "A", "x", " ", "\n", ">", "é"} - {report[i]}:
            changed = report[:i] + new + report[i + 1 :]
            if (report[i], new) == (" ", "\n") and _found(changed) == require_blocks(report):
                continue
            assert not passes(changed, chains), f"{report[i]!r} became {new!r} at {i - start}"


def test_every_byte_of_a_block_taken_out_or_doubled(report: str, chains: dict[str, Chain]) -> None:
    """Blanks at the ends of lines and doubled ones are no part of it; everything else is."""
    start, end = start_of(report), len(report.rstrip())
    for i in range(start, end):
        for changed in (report[:i] + report[i + 1 :], report[:i] + report[i] + report[i:]):
            harmless = require_blocks(report) == _found(changed)
            if not harmless:
                with pytest.raises((BadInput, Refused)):
                    check(changed, chains)
            else:
                assert report[i] in "\n ", (i, report[i])


def _found(text: str) -> list[block.Block]:
    try:
        return require_blocks(text)
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
def test_what_mail_programs_do_does_no_harm(played: Any, dealt: Any, report: str, how: str, which: str) -> None:
    """Quoted, wrapped, indented, with other line ends, forwarded: it still verifies."""
    place = played if which == "later" else dealt
    text = report if which == "later" else (place.game / "desk/reports/0002/red.txt").read_text()
    path = place.file("handled.txt", HANDLED[how](text))
    assert "belongs to this log" in place.done("verify", "GAME", path)


@pytest.mark.parametrize("how", HANDLED)
def test_a_change_shows_however_it_was_handled(played: Any, report: str, how: str) -> None:
    """Sampled over the whole block, by the command itself."""
    start, end = start_of(report), len(report.rstrip())
    for i in range(start + 8, end, (end - start) // size("bytes of a block")):
        if report[i].isalnum():
            changed = report[:i] + ("A" if report[i] != "A" else "B") + report[i + 1 :]
            path = played.file("changed.txt", HANDLED[how](changed))
            said = played.run("verify", "GAME", path)
            assert said.code in (1, 2), said.text
            assert f"{path}: genuine" not in said.text


# what a referee could do who signs anything: found in the review of 2026-11-21


def with_lines(at: int, *new: str) -> Callable[[list[str]], list[str]]:
    """A change of a block: these lines in the place of one."""
    return lambda lines: [*lines[:at], *new, *lines[at + 1 :]]


def signed_anew(report: str, change: Callable[[list[str]], list[str]]) -> str:
    """The report with other signed lines, by the referee himself."""
    (found,) = require_blocks(report)
    lines = change(list(found.lines))
    sig = b64(sign(KEY.signing, "report", "\n".join(lines)))
    return "\n".join([report[: start_of(report)], *lines, f"sig {sig}", ""])


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[int, bytes]]:
    """Red's report of the deal, with a counter opened to him alone as by a look, and the states."""
    place = games.opened(tmp_path_factory.mktemp("shown") / "one")
    states = {n: (place.game / f"states/{n:04d}.toml").read_bytes() for n in place.numbers()}
    record = read_verified_record(states[2], KEY.public)
    before = state_hash_of(states[1])
    seals = Seals(games.SECRET, record.game, 2, before)
    one = record.sealed_values[0]
    value = seals.open(one.slot, one.token)
    line = f"open {one.slot} {value} {b64(seals.commit(one.slot, value, before)[0])}"
    report = (place.game / "desk/reports/0002/red.txt").read_text()
    return signed_anew(report, lambda lines: [*lines, line]), states


def kind(lines: list[str], word: str) -> list[int]:
    return [i for i, line in enumerate(lines) if line.startswith(f"{word} ")]


def refused(text: str, chains: dict[str, Chain], code: str, *words: str) -> None:
    with pytest.raises(Refused) as told:
        check(text, chains)
    assert told.value.code == code
    for word in words:
        assert word in told.value.as_line()


def test_openings_to_one_seat_are_checked(shown: tuple[str, dict[int, bytes]]) -> None:
    """P5: what red alone is shown, against the commitments of the deal, each of them."""
    report, states = shown
    chain_ = check_chain(states, None, None)
    chains = {chain_.game: chain_}
    (found,) = require_blocks(report)
    public = {one.slot for one in chain_.last_record.openings} if chain_.last_record else set()
    assert {slot for slot, _, _ in found.openings} - public, "nothing for red alone"
    (said,) = check(report, chains)
    assert said.endswith(f"belongs to this log; {len(found.openings)} openings checked")
    for i in kind(list(found.lines), "open"):
        _, slot, value, k = found.lines[i].split(" ")
        for line, what in (
            (f"open {slot} {value}x {k}", f"opens {slot} with a value that was not committed"),
            (f"open {slot} {value} {b64(b'k' * 32)}", f"opens {slot} with a value"),
            (f"open 2/none/00 {value} {k}", "opens 2/none/00, which no state"),
            (f"open 3/card/1 {value} {k}", "opens 3/card/1, which no state"),
            (f"open 1/card/1 {value} {k}", "opens 1/card/1, which no state"),
            (f"open card {value} {k}", "opens card, which no state"),
        ):
            changed = signed_anew(report, with_lines(i, line))
            refused(changed, chains, "verify/opening", what)
    assert check(signed_anew(report, lambda lines: lines), chains) == [said]


@pytest.mark.attack(
    "leave out of a report something that its states reveal", by="verify, with the report", who="referee"
)
def test_an_opening_that_is_promised_is_there(shown: tuple[str, dict[int, bytes]]) -> None:
    """Found by an attack of 2026-11: a report that left out what its state opens was genuine."""
    report, states = shown
    chain_ = check_chain(states, None, None)
    assert chain_.last_record is not None
    for slot in (one.slot for one in chain_.last_record.openings):
        left = signed_anew(report, lambda lines, s=slot: [x for x in lines if f" {s} " not in x
                           or not x.startswith("open ")])  # type: ignore[misc]  # fmt: skip
        refused(left, {chain_.game: chain_}, "verify/opening", f"does not open {slot}")


def test_what_an_event_opens_to_a_seat_is_there(tmp_path: Path) -> None:
    """A hand of Great Wall, which the deal opens to its seat alone."""
    states = {int(x.stem): x.read_bytes() for x in sorted((WALL / "states").glob("*.toml"))}
    found = check_chain({n: raw for n, raw in states.items() if n < 3}, None, None)
    text = (WALL / "reports" / "0002" / "red.txt").read_text("utf-8")
    key = RefereeKey(parse_key((WALL / "throw-away-keys" / "acting.key").read_text("ascii")))
    (one,) = require_blocks(text)
    hand = [line for line in one.lines if line.startswith("open 2/deck/red/")]
    assert hand
    assert check(text, {found.game: found})
    lines = [line for line in one.lines if line != hand[0]]
    sig = b64(sign(key.signing, "report", "\n".join(lines)))
    slot = hand[0].split(" ")[1]
    forged = "\n".join([*lines, f"sig {sig}"])
    refused(forged, {found.game: found}, "verify/opening", f"does not open {slot}")


def test_commitments_of_a_block_are_those_of_its_state(shown: tuple[str, dict[int, bytes]]) -> None:
    """Each of them, and no other."""
    report, states = shown
    chain_ = check_chain(states, None, None)
    chains = {chain_.game: chain_}
    report = signed_anew(report, lambda lines: in_the_block(lines, states))
    assert passes(report, chains)
    (found,) = require_blocks(report)
    at = kind(list(found.lines), "commit")[3]
    _, slot, c = found.lines[at].split(" ")
    own = f"commit {slot} {c}"
    for lines, what in (
        ([f"commit {slot} {b64(b'c' * 32)}"], slot),
        ([], slot),
        ([own, own], "state 2"),
        ([own, f"commit 2/more/00 {c}"], "2/more/00"),
        ([own, f"commit 1/more/00 {c}"], "1/more/00"),
    ):
        changed = signed_anew(report, with_lines(at, *lines))
        refused(changed, chains, "verify/commitments", what)


def in_the_block(lines: list[str], states: dict[int, bytes]) -> list[str]:
    """A block of the deal with its commitments in it, and no file of them."""
    rows = commitment_lines([read_verified_record(states[2], KEY.public)])
    return [*(line for line in lines if ".commitments.txt " not in line), *rows]


def test_commitments_beside_a_block_are_those_of_its_states(shown: tuple[str, dict[int, bytes]]) -> None:
    """Their file is named, and they stand there alone."""
    report, states = shown
    chain_ = check_chain(states, None, None)
    chains = {chain_.game: chain_}
    (found,) = require_blocks(report)
    (at,) = (i for i, line in enumerate(found.lines) if ".commitments.txt " in line)
    assert kind(list(found.lines), "commit") == []
    assert passes(report, chains)
    other = f"file red.commitments.txt {b64(b'c' * 32)}"
    rows = in_the_block([found.lines[at]], states)
    for lines in ([other], [], [found.lines[at], rows[0]], [found.lines[at], *rows]):
        changed = signed_anew(report, with_lines(at, *lines))
        refused(changed, chains, "verify/commitments")
    # of states that are not here nobody can tell
    last = check_chain({2: states[2]}, KEY.public, None)
    assert passes(report, {last.game: last})


def test_openings_whose_commitment_is_missing_are_not_called_checked(
    played: Any, report: str, states: dict[int, bytes]
) -> None:
    """With the first states lost, what was sealed still is checked; what is open is told."""
    last = max(states)
    found = check_chain({last: states[last]}, KEY.public, None)
    (said,) = check(report, {found.game: found})
    assert "belongs to this log" in said
    assert "checked" in said
    (one,) = require_blocks(report)
    slot, value, k = one.openings[0]
    line = f"open 2/lost/00 {value} {b64(k)}"
    changed = signed_anew(report, lambda lines: [*lines, line])
    (said,) = check(changed, {found.game: found})
    assert "; 1 opening not checked: the states that committed to them are missing" in said
    refused(
        signed_anew(report, lambda lines: [*lines, f"open {slot} {value}x {b64(k)}"]),
        {found.game: found},
        "verify/opening",
        slot,
    )


def test_verify_says_how_many_openings_it_checked(played: Any, report: str) -> None:
    path = played.file("counted.txt", report)
    (found,) = require_blocks(report)
    n = len(found.openings)
    said = played.done("verify", "GAME", path)
    assert f"belongs to this log; {n} opening{'s' * (n > 1)} checked" in said


def test_a_block_of_another_referee_or_game(played: Any, dealt: Any, report: str) -> None:
    """Signed, but by whom: a block is compared with a chain, or said to be of another game.

    Found by a newcomer's review: beside another game it was "genuine, not compared with a log".
    """
    path = played.file("other.txt", report)
    assert "not compared with a log" in played.done("verify", path)
    folder = str(dealt.game)
    beside = played.run("verify", folder, path)
    assert beside.code == 1
    assert "this is a report of game " in beside.text
    said = played.run("verify", path, "--game", dealt.session().record.game)
    assert said.code == 1


@pytest.mark.parametrize("n", ["1000000", "1000000000", "9" * 5000, "007", "٣", "-1"])
def test_a_number_that_no_state_has(n: str) -> None:
    """Found in review: such a block was read, and a command went looking for its states."""
    lines = [f"pbem 1 {'a' * 26} red {n} {n}", f"head {b64(b'h' * 32)}", f"key {b64(KEY.public)}"]
    sig = b64(sign(KEY.signing, "report", "\n".join(lines)))
    with pytest.raises(BadInput):
        require_blocks("\n".join(["Hello", *lines, f"sig {sig}", ""]))


def test_the_highest_number_is_read() -> None:
    lines = [f"pbem 1 {'a' * 26} red 0 999999", f"head {b64(b'h' * 32)}", f"key {b64(KEY.public)}"]
    sig = b64(sign(KEY.signing, "report", "\n".join(lines)))
    (found,) = require_blocks("\n".join([*lines, f"sig {sig}"]))
    assert (found.n, found.is_genuine()) == (999_999, True)


@pytest.mark.attack("list false pending orders in a report", by="verify", who="referee")
def test_a_block_says_what_its_seat_had_waiting(report: str, chains: dict[str, Chain]) -> None:
    """Found by an attack of 2026-11: a report said nothing of the orders that its player had sent.

    Each state that it tells of, once; what the state commits to, and nothing else.
    """
    (one,) = require_blocks(report)
    n, _, k = one.pending_openings[0]
    assert n == one.n
    (at,) = kind(list(one.lines), "hand")
    own = one.lines[at]
    assert check(report, chains)
    for lines, what in (
        ([], "does not name the pending orders of red"),
        ([own, own], "says two things of"),
        ([own, own.replace(f"hand {n}", f"hand {n - 1}")], "names other pending orders"),
        (
            [f"hand {n} {b64(k)} {b64(b'later 1 reply -' + chr(10).encode() + b'1 - x')}"],
            "names other pending orders",
        ),
        ([own.replace(b64(k), b64(b"k" * 32))], "names other pending orders"),
    ):
        changed = signed_anew(report, with_lines(at, *lines))
        refused(changed, chains, "verify/hands", what)
    for damaged in (f"{own}=", f"hand 0{n} {b64(k)} -", f"hand {n} {b64(k)} _w", f"hand {n}"):
        with pytest.raises(BadInput):
            check(signed_anew(report, with_lines(at, damaged)), chains)
