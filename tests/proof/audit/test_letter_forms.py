"""Letters as mail programs hand them on: each is read, or it is said that it was not. P6.

Found by an attack of 2026-11-22: receipts that contradicted a game were passed over in silence.
"""

import base64
import gzip
import json
import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import second_verifier as second
from services.receive.table import Table, dealt

from pbem.report.block import DamagedBlock, parse_blocks
from pbem.report.receipt_block import Receipt, parse_receipt_blocks, write_receipt_block


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, str]:
    """An order of red's that was left out: the archive, and the text of red's receipt."""
    table: Table = dealt(tmp_path_factory.mktemp("forms"))
    place = table.place
    place.done("receive", "GAME", table.mail("red", table.signed("later: wall A9"), "ann"))
    text = table.receipt("red")
    session = place.session()
    hand = session.pending_by_seat["red"]
    with session.folder.lock():
        session.store_pending("red", hand.with_groups([x._replace(orders=()) for x in hand.groups]))
    place.done("amend", "GAME", "note", "hello")
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    place.done("archive", "GAME", "-o", str(place.path / "x.tar"))
    return place, text


def first_with(text: str, old: str, new: str) -> str:
    """Its first line, with something else in it."""
    line = next(x for x in text.split("\n") if x.startswith("receipt pbem 1"))
    assert old in line
    return text.replace(line, line.replace(old, new, 1))


def email(text: str, subject: str = "autumn", **other: Any) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "rita@example.org", subject
    mail.set_content(text, **other)
    return mail.as_bytes()


def of_html(text: str) -> bytes:
    lines = text.replace("&", "&amp;").replace("<", "&lt;").replace(" ", "&nbsp;")
    return email(f"<p>{lines.replace(chr(10), '<br>')}</p>", subtype="html")


def in_base64(text: str) -> bytes:
    """As Exchange saves it: even the subject."""
    subject = base64.b64encode("1 order – [pbem ABCD-EFGH]".encode()).decode()
    body = base64.encodebytes(text.encode()).decode()
    head = f"From: r@example.org\nSubject: =?utf-8?B?{subject}?=\nMIME-Version: 1.0\n"
    return f"{head}Content-Transfer-Encoding: base64\n\n{body}".encode()


FORMS: dict[str, Callable[[str], bytes]] = {
    "html": of_html,
    "nbsp": lambda text: email(first_with(text, "pbem 1", "pbem\xa01")),
    "zero width": lambda text: email(first_with(text, "receipt", "receipt\u200b")),
    "two blanks": lambda text: email(first_with(text, " red ", "  red ")),
    "base64": in_base64,
    "UTF-16": lambda text: text.encode("utf-16"),
    "old Mac": lambda text: text.replace("\n", "\r").encode(),
    "second in an email": lambda text: email(
        f"2 answers\n\n{text.replace('later: wall A9', 'wall A1')}\n\n{first_with(text, ' ', '  ')}"
    ),
}


def audit(place: Any, name: str, data: bytes) -> tuple[int, str]:
    """In a folder, beside another letter."""
    folder = place.path / "letters"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    (folder / name).write_bytes(data)
    said = place.run("audit", str(place.path / "x.tar"), str(folder))
    return said.code, said.text


@pytest.mark.attack(
    "hide a receipt in a part of an email that mail programs do not show",
    by="not possible: audit reads every text of an email",
    who="referee",
)
@pytest.mark.parametrize("form", FORMS)
def test_a_receipt_is_read_in_every_form(told: tuple[Any, str], form: str) -> None:
    place, text = told
    code, said = audit(place, "one.eml", FORMS[form](text))
    assert (code, "`later: wall A9` is not among them" in said) == (1, True), said


@pytest.mark.parametrize("bar", ["| ", "> | ", "  |  ", ">\xa0>|"])
def test_behind_bars_are_words_of_people(told: tuple[Any, str], bar: str) -> None:
    """Such an email has no block, and an audit says so (decision 0027)."""
    place, text = told
    barred = email("\n".join(f"{bar}{x}" for x in text.split("\n")), "x [pbem ABCD-EFGH]")
    code, said = audit(place, "one.eml", barred)
    assert (code, "it has no signed block, so nothing was compared" in said) == (1, True), said


def harmless(place: Any) -> str:
    """A true receipt that keeps nothing."""
    session = place.session()
    n, link = session.record.n, session.record
    said = (("refused", "wall Z9"),)
    one = Receipt(link.game, "red", 0, link.time, n, session.position.state_hash, b"", 0, said)
    return f"1 order refused\n\n{write_receipt_block(one, session.key.signing, session.key.public)}\n"


def of_parts(text: str, page: str = "", **attached: bytes) -> bytes:
    """An email with a text, maybe a page that says it too, and files."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "r@example.org", "autumn: 1 order [pbem ABCD-EFGH]"
    mail.set_content(text)
    if page:
        mail.add_alternative(f"<html><body><pre>{page}</pre></body></html>", subtype="html")
    for kind, data in attached.items():
        main = "text" if kind in ("plain", "html") else "application"
        mail.add_attachment(data, maintype=main, subtype=kind, filename=f"receipt.{kind}")
    return mail.as_bytes()


def mailbox(*texts: str) -> bytes:
    return b"\n\n".join(b"From x Sat\n" + email(one) for one in texts) + b"\n"


def joined(*texts: str, between: bytes = b"\n\n") -> bytes:
    """As programs write a mailbox: multipart emails, with the time behind From."""
    begin = b"From x Sat Nov 21 10:00:00 2026\n"
    return between.join(begin + of_parts(one, one).rstrip(b"\n") for one in texts) + b"\n"


#: where red's receipt stands, beside one that keeps nothing. Found by an attack of 2026-11-23
BESIDE: dict[str, Callable[[str, str], bytes]] = {
    "in the page": of_parts,
    "in the page alone": lambda _, text: of_parts("1 order accepted: see the page", text),
    "as a file": lambda bare, text: of_parts(bare, plain=text.encode()),
    "as a page": lambda bare, text: of_parts(bare, html=f"<pre>{text}</pre>".encode()),
    "as bytes": lambda bare, text: of_parts(bare, octet=text.encode()),
    "behind a damaged one": lambda bare, text: mailbox(first_with(bare, " red ", " "), text),
    "in a mailbox that begins with a blank line": lambda bare, text: b"\n" + joined(bare, text),
    "in a mailbox with a byte order mark": lambda bare, text: b"\xef\xbb\xbf" + joined(bare, text),
    "in a mailbox without blank lines": lambda bare, text: joined(bare, text, between=b"\n"),
    "in a mailbox that quotes From": lambda bare, text: joined(bare, text, between=b"\n\n>"),
    "in one email with it": lambda bare, text: f"{first_with(bare, ' red ', ' ')}\n{text}".encode(),
}


@pytest.mark.parametrize("form", BESIDE)
def test_a_receipt_is_read_beside_another(told: tuple[Any, str], form: str) -> None:
    place, text = told
    code, said = audit(place, "one.eml", BESIDE[form](harmless(place), text))
    assert (code, "`later: wall A9` is not among them" in said) == (1, True), said


def test_a_large_mailbox_without_times_is_its_emails(told: tuple[Any, str]) -> None:
    """Found by reading: taken for one email, it was too large for one."""
    place, text = told
    long = "\n".join(["so it goes on" * 5] * 9000)
    code, said = audit(place, "box.mbox", mailbox(f"{harmless(place)}\n{long}", f"{text}\n{long}"))
    assert (code, "`later: wall A9` is not among them" in said) == (1, True), said


def test_two_emails_in_one_file(told: tuple[Any, str]) -> None:
    place, text = told
    code, said = audit(place, "one.eml", of_parts(harmless(place), "-") + b"\n" + email(text))
    assert (code, "not all of it could be compared" in said) == (1, True), said


#: what is done to red's receipt below the other one, so that it begins nowhere
HIDDEN: dict[str, Callable[[str], str]] = {
    "dashes": lambda text: "\n".join(f"- {line}" for line in text.split("\n")),
    "colons": lambda text: "\n".join(f": {line}" for line in text.split("\n")),
    "a capital": lambda text: first_with(text, "receipt", "Receipt"),
    "another alphabet": lambda text: first_with(text, "receipt", "r\u0435ceipt"),
    "capitals in the game": lambda text: re.sub(" [a-z2-7]{26} ", lambda m: m[0].upper(), text),
    "the game broken": lambda text: re.sub("( [a-z2-7]{13})([a-z2-7]{13} )", r"\1\n\2", text),
    "all broken": lambda text: re.sub("(.{60})", r"\1\n- ", text).replace("\n", "\n- "),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_what_could_be_a_receipt_is_named(told: tuple[Any, str], how: str) -> None:
    place, text = told
    block = text[text.index("receipt pbem 1") :]
    data = email(f"{harmless(place)}\n{HIDDEN[how](block)}")
    code, said = audit(place, "one.eml", data)
    assert (code, "damaged signed blocks: 1" in said) == (1, True), said
    found = place.run("verify", str(place.path / "x.tar"), place.file("one.eml", data))
    assert (found.code, "damaged signed blocks: 1" in found.text) == (1, True), found.text


def packed(folder: Path, text: str) -> None:
    (folder / "one.eml.gz").write_bytes(gzip.compress(text.encode()))


def of_outlook(folder: Path, text: str) -> None:
    (folder / "one.msg").write_bytes(b"\xd0\xcf\x11\xe0" + text.encode("utf-16-le"))


def deeper(folder: Path, text: str) -> None:
    (folder / "2026").mkdir()
    (folder / "2026" / "one.eml").write_bytes(email(text))


@pytest.mark.parametrize("hide", [packed, of_outlook, deeper])
def test_what_a_folder_hides_is_named(told: tuple[Any, str], tmp_path: Path, hide: Callable[[Path, str], None]) -> None:
    """It was passed over unsaid, and the audit said "proven"."""
    place, text = told
    (tmp_path / "harmless.txt").write_text(harmless(place), encoding="utf-8")
    hide(tmp_path, text)
    said = place.run("audit", str(place.path / "x.tar"), str(tmp_path))
    assert (said.code, "what is in it was not looked at" in said.text) == (2, True), said.text


def packed_within(text: str) -> bytes:
    return of_parts("see attached", zip=gzip.compress(text.encode()) + b"\0")


def test_emails_of_pbem_that_never_have_a_block(told: tuple[Any, str]) -> None:
    """All that a player got, in one mailbox: nothing is missing, and all the same it was said."""
    place, text = told
    mails = sorted((place.game / "desk").glob("*/*blue*.eml"))
    assert len(mails) > 3
    bare = email("Answer soon.", "autumn: reminder, by Mon 30 Nov 20:00 UTC [pbem ABCD-EFGH]")
    bare = b"Auto-Submitted: auto-generated\n" + bare
    both = [*(one.read_bytes().strip() for one in mails), bare]
    box = place.path / "mbox"
    box.write_bytes(b"\n\n".join(b"From x Sat\n" + one for one in both) + b"\n")
    said = place.run("verify", str(place.path / "x.tar"), str(box))
    assert said.code == 0, said.text
    only = place.run("audit", str(place.path / "x.tar"), str(box)).text
    assert ("without a signed block: " in only, "not all of it" in only) == (True, False), only
    # but not where it hides one
    code, told_of = audit(place, "one.eml", bare + text[text.index("\nline kept") :].encode())
    assert (code, "damaged" in told_of) == (2, True), told_of


@pytest.mark.parametrize(
    ("form", "code", "what"),
    [
        (packed_within, 1, "it has no signed block, so nothing was compared"),
        (lambda text: email(text.replace("receipt pbem 1", "see")), 2, "is damaged or cut short"),
        (lambda text: email(first_with(text, " red ", " ")), 2, "is damaged or cut short"),
        (lambda text: in_base64(first_with(text, " red ", " ")), 2, "is damaged or cut short"),
    ],
)
def test_what_cannot_be_read_is_said(told: tuple[Any, str], form: Any, code: int, what: str) -> None:
    place, text = told
    found, said = audit(place, "one.eml", form(text))
    assert (found, what in said) == (code, True), said


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text.replace("line kept later: wall A9", "line kept later: wall A8"),
        lambda text: first_with(text, " red ", " "),
        lambda text: re.sub("(?m)^replaced .*\n", "", text),
        lambda text: re.sub("(?m)^time .*\n", "", text),
    ],
)
def test_a_damaged_copy_beside_the_whole_one_is_nothing(told: tuple[Any, str], spoilt: Any) -> None:
    """In two alternatives of one email: it has the signature of the other, which holds."""
    place, text = told
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "rita@example.org", "autumn"
    other = spoilt(text)
    assert other != text
    mail.set_content(other)
    mail.add_alternative(f"<pre>{text}</pre>", subtype="html")
    path = place.path / "copies.eml"
    path.write_bytes(mail.as_bytes())
    said = place.run("verify", str(place.path / "x.tar"), str(path))
    assert (said.code, "damaged" in said.text) == (0, False), said.text


def test_a_mailbox_says_how_many_have_none(told: tuple[Any, str]) -> None:
    place, text = told
    bare = email("hello", "[pbem K7Q2-9F3A]")
    both = b"\n\n".join(b"From x Sat\n" + one for one in (email(text), bare, bare))
    code, said = audit(place, "mbox", both + b"\n")
    assert (code, "emails of a game without a signed block: 2" in said) == (1, True), said
    path = place.file("mbox", both + b"\n")
    rows = json.loads(place.run("verify", str(place.path / "x.tar"), path, "--json").text)["paths"]
    assert rows[1]["says"].endswith("; in it there are also emails of a game without a signed block: 2")


def test_verify_says_what_a_receipt_keeps(told: tuple[Any, str]) -> None:
    """The text above it, which is not signed, said something else."""
    place, text = told
    path = place.file("told.txt", text.replace("wall A9", "wall A1", 1))
    assert "; it says: kept `later: wall A9`; only the block" in place.run("verify", path).text


@pytest.mark.parametrize("first", ["receipt pbem 1", "pbem 1"])
def test_a_line_that_names_a_game_is_a_block_or_damaged(first: str) -> None:
    for line in (f"{first} is how one begins", f"{first} {'a' * 25}", f"{first} {'a' * 27}"):
        assert (parse_receipt_blocks(line), parse_blocks(line)) == ([], [])
    kind = "receipt" if "receipt" in first else "block"
    whole = second.RECEIPT_FIRST if kind == "receipt" else second.FIRST
    read: Any = parse_receipt_blocks if kind == "receipt" else parse_blocks
    for line in (f"{first} {'a' * 26}", f"{first} {'a' * 26} red", f"> {first}\n> {'a' * 26} x y"):
        (found,) = read(line)
        assert isinstance(found, DamagedBlock)
        with pytest.raises(second.Fault):
            second.begun(second.clean(line), first, whole, kind)


def test_a_folder_with_nothing_of_any_game(told: tuple[Any, str], tmp_path: Path) -> None:
    """It is still refused."""
    place, _ = told
    (tmp_path / "notes.txt").write_text("milk\n", encoding="utf-8")
    said = place.run("audit", str(tmp_path))
    assert (said.code, "there is no game and no archive in" in said.text) == (2, True)
