"""A law over all emails that pbem writes: the words of people are words. Source: decision 0027.

Found by an attack of 2026-11: `give: [pbem` and blanks and `CODE]` was a code in every roster, so
that no reply to one was read; `line kept`, `sig` and 86 letters made true receipts "damaged".
"""

import itertools
import re
import string
from pathlib import Path

import pytest
from durability.games import Place, fresh
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from second_verifier import clean
from sizes import size

from pbem.errors import BadInput
from pbem.mail.every_text import read_mail_texts
from pbem.mail.identity import MARK, blank_barred_lines, find_codes, looks_like_ours, mark_words
from pbem.mail.parsed import parse_email, strip_auto_submitted
from pbem.play.consent import find_undo_question
from pbem.report.block import normalize_text
from pbem.report.players import parse_person
from pbem.report.receipt_block import SignedBlock
from pbem.services.prove.saved_emails import read_signed_blocks
from pbem.services.receive.message import read_message

SIG, KEY, GAME = "Ab0_-x" * 14 + "zz", "Zy9_-" * 8 + "abc", "abcdefghijklmnopqrstuvwxyz"
BLOCK = f"pbem 1 {GAME} red 2 3\nhead {KEY}\nkey {KEY}\nsig {SIG}"
RECEIPT = f"receipt pbem 1 {GAME} red 1\ntime 2026\nline kept wall A5\nsig {SIG}"
PIECES = (
    *("[pbem K7Q2-9F3A]", "[pbem    K7Q2-9F3A]", "[PBEM k7q2 9f3a]", "\uff3bpbem K7Q2-9F3A\uff3d"),
    *("[pbem", "K7Q2-9F3A]", "[", "]", "|", ">", "`", "\u2028", "\r", "\x0b", "\x85", "\u200b"),
    *("line kept wall A5", "LINE  Kept", f"sig {SIG}", SIG, KEY, BLOCK, RECEIPT, "pbem 1"),
    *(f"signed pbem 1 {GAME} red 5\nhead {KEY}\nsign 1 {SIG}", "Content-Transfer-Encoding: base64"),
    *(f"asking pbem 1 {GAME}\nred undo to=2\nhead {KEY}", "From me", "wall A5", "yes", "# note"),
    *("If you meant this and nothing else, answer with:", "receipt", "hello world"),
)
WORDS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(string.printable, max_size=12)), min_size=1, max_size=6
).flatmap(lambda some: st.sampled_from((" ", "\n", "\n\n", "")).map(lambda by: by.join(some)))
ADDRESSES = ("ben@example.org", "x@[pbemK7Q2-9F3A]", f"x@{SIG}", f"{KEY}@x", f"x@{KEY}.[pbem")
NAMES = ("[pbem K7Q2-9F3A]", "\uff3bpbem K7Q2-9F3A\uff3d", "\uff3bPBEM   k7q29f3a\uff3d",
         f"pbem 1 {GAME}", f"receipt pbem 1 {GAME}", "line kept wall", "Line Kept", KEY,
         "Content-Transfer-Encoding: base64")  # fmt: skip


@given(WORDS, WORDS)
def test_nothing_is_read_behind_the_mark(words: str, other: str) -> None:
    """Words of people stay words, however often they are quoted."""
    quoted = text = f"Ann wrote:\n{mark_words(words)}\nand Ben:\n{mark_words(other)}\n"
    for _ in range(3):
        plain = parse_email(f"Subject: hi\n\n{quoted}".encode()).text()
        assert find_codes(plain) == ()
        assert find_undo_question(plain.split("\n")) is None or "asking" not in blank_barred_lines(plain)
        found = read_signed_blocks(quoted.encode())
        assert (found.blocks, found.receipts, found.unread.possible_blocks) == ([], [], 0)
        assert "pbem 1" not in "\n".join(clean(quoted))
        quoted = "".join(f"> {line}\n" for line in quoted.split("\n"))
    bars = [line for line in text.splitlines() if not line.startswith(("Ann wrote", "and Ben"))]
    assert all(line.startswith(MARK.rstrip()) for line in bars if line)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_none_of_ours(name: str) -> None:
    """A name appears inside sentences."""
    assert looks_like_ours(name)
    with pytest.raises(BadInput):
        parse_person(f"{name},a@example.org", "red")


def test_nobody_writes_from_a_code() -> None:
    with pytest.raises(BadInput):
        parse_person("Ann,x@[pbemK7Q2-9F3A]", "red")


numbers = itertools.count()


@settings(
    max_examples=size("games of hostile words"),
    suppress_health_check=[*HealthCheck],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a game takes a second
)
@given(st.lists(WORDS, min_size=9, max_size=9), st.sampled_from(ADDRESSES))
@example([RECEIPT] * 9, f"x@{SIG}")
@example([f"{BLOCK}\n\n{SIG}"] * 9, f"x@{KEY}.[pbem")
@example(["[PBEM     k7q2 9f3a] wall A5"] * 9, "x@[pbemK7Q2-9F3A]")
@example(["\uff3bpbem K7Q2-9F3A\uff3d\u2028[pbem K7Q2-\n9F3A]"] * 9, "ben@example.org")
def test_in_every_email(tmp_path_factory: pytest.TempPathFactory, words: list[str], who: str) -> None:
    """Where people write: what they give to the deal, how they decline, a note, orders and what is
    beside them, an answer to words, the reasons of an undo and of the end, an address.
    """
    place = fresh(tmp_path_factory.mktemp("words") / f"{next(numbers)}")
    played(place, words, who)
    game = place.session().record.game
    emails = sorted((place.game / "desk").glob("*/*.eml"))
    assert len(emails) > 15
    for path in emails:
        if path.parent.name in ("outbox", "sent"):
            whole(path, game)


def played(place: Place, words: list[str], who: str) -> None:
    """Plays a game with these words in every place where people can write."""
    give, no, order, beside, letter, note, asked, end, late = words
    players = (f"--player={seat}=P{seat},{seat}@example.org" for seat in ("red", "blue"))
    place.done("new", "GAME", "--game", "chang-cheng", "--referee", "Rita,rita@x", *players)

    def send(seat: str, text: str) -> None:
        place.run("receive", "GAME", email(place, seat, text, who))

    send("red", no)
    send("blue", f"no, {line(no)}")
    send("red", f"give: {line(give)}")
    send("blue", f"give: {line(give)[::-1]}\n{beside}")
    for seat in ("red", "blue"):
        send(seat, "yes")
        send(seat, f"give: {line(give)}")
    place.run("resolve", "GAME")
    orders = (f"wall {line(order)}\n{beside}", order, f"wall A1 # {line(order)}")
    for text in (*orders, beside, letter):
        for seat in ("red", "blue"):
            send(seat, text)
    kept = place.run("messages", "GAME", "--all", "--json").text.split('"name": "')
    for number, name in enumerate(kept):
        text = place.file(f"answer{number}", letter + "\nwell")
        place.run("messages", "GAME", "--answer", name.partition('"')[0], "--text", text)
    for seat in ("red", "blue"):
        send(seat, "wall A1")
        send(seat, "wall A1\nwall A2")
    place.run("resolve", "GAME")
    place.run("amend", "GAME", "note", line(note))
    place.run("amend", "GAME", "undo", "--to", "2", "--reason", line(asked))
    place.run("amend", "GAME", "close", "--reason", line(end))
    send("red", late)


def line(text: str) -> str:
    return " ".join(text.split())


def email(place: Place, seat: str, text: str, who: str) -> str:
    code = place.session().code(seat)
    head = f"From: {who}\nSubject: Re: [pbem {code}]\nMessage-ID: <{next(numbers)}@x>\n"
    head += 'MIME-Version: 1.0\nContent-Type: text/plain; charset="utf-8"\n'
    return place.file("one.eml", f"{head}\n{text}\n\n> [pbem {code}] above".encode())


def whole(path: Path, game: str) -> None:
    """An email yields only what pbem wrote: its code, and blocks of its own game."""
    data = path.read_bytes()
    letter, signed = parse_email(strip_auto_submitted(data)), read_signed_blocks(data)
    (code,) = find_codes(letter.headers.subject) or ("",)
    texts = read_mail_texts(data).texts
    held = path.stem.endswith("-held")
    for text in texts:
        assert held or {*find_codes(text)} <= {code}, (path.name, text)
    assert held or {*letter.codes} <= {code}, path.name
    assert signed.unread.possibly_missing == 0, (path.name, signed.unread, letter.text())
    blocks: list[SignedBlock] = [*signed.blocks, *signed.receipts]
    assert {(one.game, one.is_genuine()) for one in blocks} <= {(game, True)}, path.name
    begun = len(re.findall(rf"(?m)^(?:receipt )?pbem 1 {game}", normalize_text(texts[0])))
    assert held or len(blocks) == begun <= 1, path.name
    if held or not code:
        return
    for text in texts:  # a reply that quotes it, by a program that drops ids
        quoted = "".join(f"> {one}\n" for one in text.split("\n"))
        reply = read_message(f"From: a@x\nSubject: hi\n\nyes\n\n{quoted}".encode())
        assert ({*reply.codes} <= {code}, reply.order_signatures) == (True, ()), path.name
