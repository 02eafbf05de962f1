"""Emails as real mail programs write them, and as broken ones do."""

import pathlib
import random
import time
import tomllib
import typing
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadInput
from pbem.mail.identity import MOST_CODES, canonical_code, find_codes
from pbem.mail.parsed import MAIL_LIMIT, ParsedEmail, is_mail, parse_email

MAILS = pathlib.Path(__file__).parent / "mails"
EXPECTED = tomllib.loads((MAILS / "expected.toml").read_text(encoding="utf-8"))
SAMPLES = sorted(p for p in MAILS.iterdir() if p.suffix in (".eml", ".txt"))
HEAD = b"From: Ann <ann@example.org>\nSubject: hi\n"


def said(lines: typing.Iterable[tuple[int, str]]) -> list[str]:
    return [text.strip() for _, text in lines if text.strip()]


def test_every_sample_has_its_row() -> None:
    assert [p.name for p in SAMPLES] == sorted(EXPECTED)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_sample(path: pathlib.Path) -> None:
    row = EXPECTED[path.name]
    if "error" in row:
        with pytest.raises(BadInput) as caught:
            parse_email(path.read_bytes())
        assert caught.value.code == row["error"]
        assert "\n" not in caught.value.as_line()
        return
    letter = parse_email(path.read_bytes())
    assert said(letter.own_lines) == row["lines"]
    assert len(said(letter.quoted_lines)) == row["below"]
    assert said(letter.signature_lines) == row.get("signature", [])
    assert list(letter.codes) == row["codes"]
    assert [each.name for each in letter.attachments] == row.get("attachments", [])
    assert is_mail(path.read_bytes()) == (path.suffix == ".eml")
    if path.suffix == ".eml":
        usual = "Re: Wall of the North: your turn [pbem K7Q2-9F3A]"
        assert letter.headers.subject == row.get("subject", usual)
        assert letter.headers.sender == row.get("sender", "ann@example.org")
        assert letter.headers.message_id == "<a1@example.org>"


def test_lines_are_numbered_together() -> None:
    letter = parse_email((MAILS / "mutt.eml").read_bytes())
    numbers = sorted(line.number for line in letter.own_lines + letter.quoted_lines)
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_attached_file_comes_as_bytes() -> None:
    (attached,) = parse_email((MAILS / "attached-move-file.eml").read_bytes()).attachments
    assert attached.data.startswith(b"pbem = 1\ncode =")


@pytest.mark.parametrize(
    "text",
    [
        "[pbem K7Q2-9F3A]",
        "[PBEM k7q2-9f3a]",
        "[pbem K7Q2 9F3A]",
        "[pbem K7Q29F3A]",
        "[pbem\u00a0K7Q2\u20119F3A]",
        "[pbem K7Q2–9F3A]",
        "[pbem K7Q2−9F3A]",
        "[ pbem K7Q2-9F3A ]",
        "［ｐｂｅｍ　Ｋ７Ｑ２－９Ｆ３Ａ］",
        "> so answer [pbem\n> K7Q2-9F3A]",
        "[pbem K7Q2-\n9F3A]",
        "[pbem K7Q2-\u200b9F3A]",
    ],
)
def test_codes_however_mangled(text: str) -> None:
    assert find_codes(text) == ("K7Q2-9F3A",)


def test_few_codes_of_an_email_are_tried() -> None:
    """For each unknown code, every game is searched."""
    every = [f"K7Q2-{number:04d}" for number in range(3000)]
    text = " ".join(f"[pbem {code}]" for code in every)
    assert find_codes(text) == tuple(every[:MOST_CODES])
    mail = f"From: a@example.org\nSubject: {text[:300]}\n\n{text[20_000:]}\n".encode()
    assert len(parse_email(mail).codes) == MOST_CODES == 10


def test_code_letters_that_look_alike() -> None:
    assert find_codes("[pbem OIL0-ooii]") == ("0110-0011",)
    assert find_codes("[pbem UUUU-UUUU] [pbem K7Q2-9F3] [pbem K7Q2-9F3AA] pbem K7Q2-9F3A") == ()
    assert canonical_code("k7q2 9f3a") == "K7Q2-9F3A"
    assert canonical_code("K7Q2-9F3") is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "mail/empty"),
        (b"\n \n", "mail/empty"),
        (b"\xef\xbb\xbf", "mail/empty"),
        (b"x" * (MAIL_LIMIT + 1), "mail/too-large"),
        (b"wall A5\x00", "mail/nul-bytes"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "mail/nul-bytes"),
        (HEAD + b"\n", "mail/empty"),
        (HEAD + b"Content-Type: video/mp4\n\nxx", "mail/no-text"),
        (HEAD + b"Precedence: auto_reply\n\nwall A5", "mail/automatic"),
        (HEAD + b"\n" + b"\n" * 70_000, "mail/too-many-lines"),
        (HEAD + b"Content-Type: text/plain" + b";" * 9000 + b"\n\nwall A5", "mail/headers-too-long"),
        (HEAD + b"Content-Type: message/rfc822\n\n" * 90, "mail/too-many-parts"),
    ],
)
def test_refused_in_one_line(data: bytes, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_email(data)
    assert caught.value.code == code
    assert caught.value.as_line().isprintable()


@pytest.mark.parametrize(
    "bomb",
    [
        b"<" * 400_000,
        b"<a " * 150_000,
        b"<!--x>" * 80_000,
        b"<div>" * 80_000,
        b"<b></p>" * 60_000,
        b"<style></style " * 30_000,
        b"&" * 400_000,
        b"[pbem " * 80_000,
        b"[>>>>>>>>>>>>>>>>pbem>>>>>>>>>>>>>>>>aaaa" * 10_000,
        b"On a@b wrote wrote wrote wrote wrote\n" * 10_000,
        b"From: x\nY\n" * 10_000,
        b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 3_000,
    ],
    ids=range(12),
)
@pytest.mark.parametrize("kind", [b"text/html", b"text/plain; format=flowed"])
def test_work_is_bounded(bomb: bytes, kind: bytes) -> None:
    """The bound is a hundred times the usual work; quadratic work would be thousands."""
    start = time.process_time()
    with suppress(BadInput):
        parse_email(HEAD + b"Content-Type: " + kind + b"\n\nwall A5\n" + bomb)
    assert time.process_time() - start < 60


def test_what_style_and_script_hold_is_not_read() -> None:
    html = b"<style>wall A1</style><script>'wall A2'</script><!-- wall A3 --><p>wall&nbsp;A5"
    letter = parse_email(HEAD + b"Content-Type: text/html\n\n" + html)
    assert [line.text for line in letter.own_lines] == ["wall\u00a0A5"]


def test_a_phone_s_blank_is_no_soft_break() -> None:
    flowed = HEAD + b"Content-Type: text/plain; format=flowed\n\nwall A5 \nwall B2 \n"
    assert said(parse_email(flowed).own_lines) == ["wall A5", "wall B2"]


def test_control_characters_never_come_through() -> None:
    letter = parse_email(b"From: a@b\nSubject: \x1b[2Jhi\n\nwall \x1b[31mA5\x07\n")
    assert "\x1b" not in repr(letter).replace("\\x1b", "\x1b")


def read_or_refuse(data: bytes) -> ParsedEmail | None:
    try:
        return parse_email(data)
    except BadInput as error:
        told = error.as_line()
    assert told.isprintable()
    return None


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    read_or_refuse(data)
    read_or_refuse(b"From: a@b\nContent-Type: text/html\n\n" + data)
    read_or_refuse(b"From: " + data + b"\n\n" + data)


_PARAMETERS = st.text("multipar/xedlnghm;=\"*'0 8-?_.b\n\t\x80", max_size=40)


@settings(max_examples=150, deadline=None)
@given(_PARAMETERS, _PARAMETERS, st.sampled_from(["text/plain", "multipart/mixed", "x"]))
def test_any_parameters(first: str, second: str, kind: str) -> None:
    head = f"From: a@b\nContent-Type: {kind}; {first}\nContent-Disposition: attachment; {second}"
    read_or_refuse(f"{head}\nSubject: =?{first}?={second}\n\n--b\n\nwall A5\n".encode("latin-1"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_mutated_samples(path: pathlib.Path) -> None:
    data = path.read_bytes()[:20_000]
    chance = random.Random(path.name)
    for _ in range(12):
        mutated = bytearray(data)
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(mutated))
            what = chance.randrange(4)
            if what == 0:
                mutated[at] = chance.randrange(1, 256)
            elif what == 1:
                del mutated[at : at + chance.randrange(1, 40)]
            elif what == 2:
                mutated[at:at] = mutated[at : at + chance.randrange(1, 200)]
            else:
                mutated[at:at] = chance.choice([b"\n", b"=", b"--", b'"', b"<", b";", b"=?", b"\r"])
        read_or_refuse(bytes(mutated))


@pytest.mark.parametrize(
    ("date", "read"),
    [
        ("Tue, 24 Nov 2026 20:00:05 +0100", "Tue, 24 Nov 2026 19:00:05 +0000"),
        ("24 Nov 2026 20:00 -0000 (lusab babad)", "Tue, 24 Nov 2026 20:00:00 +0000"),
        ("lusab babad gutih tugad", ""),
        ("Fri, 31 Dec 9999 23:59:59 -9999", ""),
        ("", ""),
    ],
)
def test_a_date_is_written_again_in_utc(date: str, read: str) -> None:
    """So nothing but the time remains of it, the same on every machine."""
    data = f"From: Ann <ann@x>\nTo: Rita <rita@x>\nDate: {date}\n\nwall A5\n".encode()
    headers = parse_email(data).headers
    assert (headers.sender, headers.to, headers.date) == ("ann@x", "rita@x", read)
