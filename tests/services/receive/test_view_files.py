"""A view file counts as far as its report's signature covers it.

Found by an attack of 2026-11: an altered view file, or a stranger's report with one, raised a
player's numbers; the moderator allowed no more than that, so their orders were refused for good.
"""

import base64
import email
import email.policy
import re
from pathlib import Path

import pytest
from durability import games

from pbem.crypto.encoding import b64, digest
from pbem.crypto.keys import RefereeKey
from pbem.crypto.signing import sign
from pbem.disk.home import Home, write_keyring
from pbem.notation.move_file import MAX_LEAP, MAX_TOOL_LEAP
from pbem.play.joining import contribution
from pbem.report.block import require_blocks

from .table import Table, block_of, player


def signed_from(table: Table, view: Path) -> tuple[int, str]:
    file = table.place.file("orders.txt", "wall A1")
    said = player(table.place, "orders", "sign", str(view), file)
    return said.code, said.text


def counted(table: Table, number: int) -> None:
    """Ann's own machine has signed orders up to this number."""
    ring = table.ring._replace(last_email_number=number)
    home = Home(table.place.path / "ann")
    write_keyring(home, ring.game, "red", contribution.encode_keyring(ring))


def raised(text: str) -> str:
    return re.sub(r"\nnr = \d+\n", "\nnr = 900\n", text)


def by_stranger(report: str, view: str) -> str:
    """The report as a stranger signs it, for another view file."""
    key = RefereeKey(b"t" * 32)
    (one,) = require_blocks(report)
    lines = [line for line in one.lines if not line.startswith(("file ", "key "))]
    lines.insert(2, f"key {b64(key.public)}")
    lines.append(f"file red.view.toml {b64(digest(view.encode()))}")
    sig = b64(sign(key.signing, "report", "\n".join(lines)))
    return "\n".join([*lines, f"sig {sig}", ""])


def test_the_block_names_the_view_file(table: Table) -> None:
    path = table.report("red")
    view = path.with_suffix(".view.toml").read_bytes()
    (one,) = require_blocks(path.read_text("utf-8"))
    assert ("red.view.toml", digest(view)) in one.files


@pytest.mark.attack(
    "use up a player's numbers by an altered view file", by="the player's pbem refuses the file", who="carrier"
)
def test_an_altered_one_beside_its_report_is_refused(table: Table) -> None:
    view = table.report("red").with_suffix(".view.toml")
    view.write_text(raised(view.read_text("utf-8")), "utf-8")
    file = table.place.file("orders.txt", "wall A1")
    for words in (["list", str(view)], ["check", str(view), file], ["sign", str(view), file]):
        said = player(table.place, "orders", *words)
        assert said.code == 1
        assert "this view file was changed" in said.text
    assert table.ring.last_email_number == 0


def test_an_altered_one_in_its_email_is_refused(table: Table) -> None:
    n = table.place.numbers()[-1]
    mail = (table.place.game / f"desk/outbox/{n:04d}-red.eml").read_bytes()
    view = table.report("red").with_suffix(".view.toml").read_text("utf-8")
    path = table.place.path / "altered.eml"
    path.write_bytes(_with_view(mail, raised(view)))
    code, text = signed_from(table, path)
    assert (code, "this view file was changed" in text) == (1, True)
    path.write_bytes(mail)
    assert signed_from(table, path)[0] == 0


def _with_view(mail: bytes, text: str) -> bytes:
    """The email with another view file attached."""
    found = email.message_from_bytes(mail, policy=email.policy.SMTP)
    (part,) = (x for x in found.walk() if str(x.get_filename()).endswith(".view.toml"))
    part.set_payload(base64.encodebytes(text.encode()).decode())
    return found.as_bytes()


@pytest.mark.parametrize("fake", [False, True])
def test_a_strangers_raises_no_number(table: Table, fake: bool) -> None:
    """Alone, or with a report that a stranger signed."""
    path = table.report("red")
    folder = table.place.path / "elsewhere"
    folder.mkdir()
    view = raised(path.with_suffix(".view.toml").read_text("utf-8"))
    (folder / "red.view.toml").write_text(view, "utf-8")
    if fake:
        text = by_stranger(path.read_text("utf-8"), view)
        (folder / "red.txt").write_text(text, "utf-8")
    code, text = signed_from(table, folder / "red.view.toml")
    assert (code, "your last orders were number 900, here 0" in text) == (1, True)
    assert "Use the whole email of your newest report" in text
    assert table.ring.last_email_number == 0


def test_the_advice_works(table: Table) -> None:
    """Ann's key comes from an old copy: the email raises its number, its view file does not."""
    place = table.place
    place.done("receive", "GAME", table.mail("red", table.by_hand(["wall A1"], nr=700), "a"))
    place.done("report", "GAME", "--player", "red")
    assert "\nnr = 700\n" in table.report("red").with_suffix(".view.toml").read_text("utf-8")
    mail = place.game / f"desk/outbox/{place.numbers()[-1]:04d}-red.eml"
    alone = place.path / "alone.view.toml"
    alone.write_bytes(table.report("red").with_suffix(".view.toml").read_bytes())
    assert signed_from(table, alone)[0] == 1
    code, text = signed_from(table, mail)
    assert (code, block_of(text).email_number) == (0, 701)
    assert place.run("receive", "GAME", table.mail("red", text, "b")).code == 0


def test_the_moderator_lets_more_pass_than_the_tool_skips(table: Table) -> None:
    assert MAX_LEAP > MAX_TOOL_LEAP
    counted(table, MAX_TOOL_LEAP + 1)
    text = table.signed("wall A1")
    assert block_of(text).email_number == MAX_TOOL_LEAP + 2
    assert table.receive(table.mail("red", text, "one")).code == 0
    assert table.place.session().pending_by_seat["red"].newest_signed_number == MAX_TOOL_LEAP + 2


@pytest.mark.attack(
    "send a different view file from the one that the report names", by="verify, with the view file", who="referee"
)
def test_verify_says_whether_the_view_file_was_compared(table: Table) -> None:
    """Found by an attack of 2026-11: a report was called genuine beside a false view file."""
    place, path = table.place, table.report("red")
    view = path.with_suffix(".view.toml")
    said = place.done("verify", "GAME", str(path))
    assert "red.view.toml beside it is the file that came with it; what it says was not checked" in said
    data = view.read_bytes()
    view.write_bytes(data + b"# another\n")
    said = place.done("verify", "GAME", str(path))
    assert "red.view.toml beside it is NOT the file that came with it" in said
    alone = place.file("alone.txt", path.read_bytes())
    said = place.done("verify", "GAME", alone)
    assert "red.view.toml is not beside it, and was not compared" in said


def test_orders_check_compares_with_what_was_kept(table: Table) -> None:
    """In place of a memory: a folder or a mailbox of older reports."""
    path, kept = table.report("red"), table.place.path / "kept"
    kept.mkdir()
    file = table.place.file("orders.txt", "wall A1")
    view = table.place.game / f"desk/outbox/{table.place.numbers()[-1]:04d}-red.eml"
    words = ("orders", "check", str(view), file, "--reports", str(kept))
    old = min((table.place.game / "desk/reports").glob("*/red.txt"))
    (kept / "old.txt").write_bytes(old.read_bytes())
    said = player(table.place, *words)
    assert (said.code, "Good" in said.text) == (0, True), said.text
    (one,) = require_blocks(path.read_text("utf-8"))
    key = RefereeKey(games.ACTING)

    (kept / "stranger.txt").write_text(by_stranger(path.read_text("utf-8"), "another view"), "utf-8")
    said = player(table.place, *words)
    assert (said.code, "Good" in said.text) == (0, True), said.text

    lines = [f"head {b64(b'z' * 32)}" if row.startswith("head ") else row for row in one.lines]
    sig = b64(sign(key.signing, "report", "\n".join(lines)))
    (kept / "other.txt").write_text("\n".join([*lines, f"sig {sig}", ""]), "utf-8")
    said = player(table.place, *words)
    assert (said.code, "Not good yet" in said.text) == (1, True), said.text
    assert f"another state {one.n} of this game: one of the two was rewritten" in said.text
    alone = table.place.file("alone.view.toml", path.with_suffix(".view.toml").read_bytes())
    said = player(table.place, "orders", "check", alone, file, "--reports", str(kept))
    assert (said.code, "alone is not signed" in said.text) == (2, True), said.text


EXAMPLE = Path(__file__).parents[3] / "examples/games/chang-cheng-4/reports"


@pytest.mark.parametrize(("report", "row"), [("0010/violet", '    "violet 1",'), ("0050/red", '    "red 26 hand=0')])
def test_a_broken_view_file_is_one_clear_line(table: Table, report: str, row: str) -> None:
    """A position that no game comes to was "our own fault"."""
    text = (EXAMPLE / f"{report}.view.toml").read_text("utf-8")
    (left,) = [line for line in text.split("\n") if line.startswith(row)]
    broken = table.place.file("broken.view.toml", text.replace(f"{left}\n", ""))
    file = table.place.file("orders.txt", "wall A1")
    said = player(table.place, "orders", "check", broken, file)
    assert (said.code, said.text.count("\n")) == (2, 1), said.text
    assert "no game comes to the position in it" in said.text
