"""The structure of the code bounds its work: what is refused, and how often a step is done. No test
uses a clock. An attack of November 2026 found each case; benchmarks/COSTS.md has seconds and memory.
"""

import sys
import unicodedata
from collections.abc import Iterable

import pytest

from pbem.errors import BadInput
from pbem.formats import toml
from pbem.mail import text as characters
from pbem.mail.mime import MOST_LINES
from pbem.mail.parsed import MOST_OWN_LETTERS, MOST_OWN_LINES, parse_email
from pbem.mail.text import fold_text
from pbem.notation.move_file import read_move_file
from pbem.play import reply_codes
from pbem.play.validation import LineOutcome, LineVerdict
from pbem.proof.verify import changes
from pbem.report.receipt import verdict_rows

MAIL = "From: Bob <bob@example.org>\nSubject: a\n"


def code_of_error(data: str) -> str:
    with pytest.raises(BadInput) as caught:
        parse_email(data.encode())
    return caught.value.code


@pytest.mark.parametrize("unit", ["\u0301\u0323", "a\u0301\u0323\uff9e", "\u1100\u1161", "\ufdfa"])
def test_no_long_run_is_normalised_at_once(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It took 692 s for 1 MiB: normalising marks takes quadratic time in the length of a run."""
    found: list[str] = []

    class Watched:
        @staticmethod
        def normalize(_: str, text: str) -> str:
            found.append(text)
            return unicodedata.normalize("NFKC", text)

    monkeypatch.setattr(characters, "unicodedata", Watched)
    unfolded = fold_text(unit * 5_000)
    assert max(sum(not c.isascii() for c in text) for text in found) <= 200
    assert len(unfolded) <= 4 * len(unit * 5_000)


def test_what_folds_and_what_is_hidden_is_as_unicode_has_it() -> None:
    letters = [chr(n) for n in range(0x80, sys.maxunicode) if not 0xD800 <= n < 0xE000]
    for letter in letters:
        plain = unicodedata.normalize("NFKC", letter)
        if characters._EXPANDING.match(letter):
            assert len(plain) > 2 or 0x3300 <= ord(letter) <= 0x3357
        else:
            assert len(plain) <= 4
        if unicodedata.category(letter) == "Cf":
            assert fold_text(f"a{letter}") == "a"
        elif unicodedata.category(letter) != "Cn":
            assert not characters._INVISIBLE.match(letter)


ENDS = ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]


@pytest.mark.attack(
    "make pbem slow or fill its memory", by="not possible: each kind of input has limits", who="anybody"
)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("head", ["", MAIL + "\n"])
def test_too_many_lines_are_refused_whatever_ends_them(end: str, head: str) -> None:
    """It took 25 s: only LF was counted, and in a plain text nothing was."""
    assert code_of_error(f"{head}{('> a' + end) * (MOST_LINES + 9)}") == "mail/too-many-lines"
    assert code_of_error(f"{head}{('a' + end) * (MOST_OWN_LINES + 9)}") == "mail/too-many-lines"


def test_more_than_a_player_may_say_is_refused_and_what_he_quotes_is_not_counted() -> None:
    """It took 5 s for 1 MiB of `wall A1 A2 A3 …`: the player's own letters are read many times."""
    much = f"{'a' * 99}\n" * (MOST_OWN_LETTERS // 100)
    quoted = much.replace("a" * 99, f"> {'a' * 97}")
    assert len(parse_email(f"{MAIL}\n{quoted}wall A5\n".encode()).own_lines) == 1
    assert code_of_error(f"{MAIL}\n{much}{'a' * 1_001}") == "mail/too-long"
    assert code_of_error(f"{much}{'a' * 1_001}") == "mail/too-long"


def test_a_verdict_is_compared_with_few_others() -> None:
    """Each verdict was compared with all earlier ones, in quadratic time."""
    compared = []

    class Number(int):
        def __eq__(self, other: object) -> bool:
            compared.append(other)
            return int(self) == other

        __hash__ = int.__hash__

    alike = [LineVerdict(Number(n // 2), "wall A5", LineOutcome.REFUSED) for n in range(4_000)]
    assert verdict_rows(alike)[-1].facts["number"] > 1_900
    assert len(compared) < 10 * len(alike)


def test_html_of_many_tags_or_lines_is_refused() -> None:
    html = f"{MAIL}Content-Type: text/html\n\n"
    assert code_of_error(f"{html}{'a<br>' * (MOST_OWN_LINES + 9)}") == "mail/too-many-lines"
    assert code_of_error(f"{html}{'<td>' * 70_000}") == "mail/too-many-parts"


@pytest.mark.parametrize("digits", ["9" * 5_000, "x" + "f" * 5_000, "9" * 9])
def test_a_number_of_a_letter_with_too_many_digits(digits: str) -> None:
    """It ended in "our fault": int() refuses 5,000 digits."""
    html = f"{MAIL}Content-Type: text/html\n\nwall A5<br>&#{digits};"
    assert parse_email(html.encode()).own_lines[0].text == "wall A5"


@pytest.mark.parametrize("name", ["From", "To", "Date", "Message-ID", "References"])
@pytest.mark.parametrize("sign", ["(", "<", '"', "\\", "[", "=?", "@", "9", ":"])
def test_any_header(name: str, sign: str) -> None:
    """`From: ((((…` ended in "our fault"."""
    head = f"{name}: {sign * 1_900}\nSubject: a\nMIME-Version: 1.0\n\nwall A5\n"
    assert parse_email(head.encode()).own_lines[0].text == "wall A5"


def test_each_code_of_a_game_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took 71 s per game for 69,000 codes: each made all codes of the game."""
    made: list[object] = []
    real = reply_codes.code_of

    def counted(desk_secret: bytes, game: str, seat: str, question: int | str) -> str:
        made.append((seat, question))
        return real(desk_secret, game, seat, question)

    monkeypatch.setattr(reply_codes, "code_of", counted)
    answered = {"red": 20, "blue": 30}
    many = [f"{n:04X}-{n:04X}" for n in range(20_000)]
    mine = real(b"s" * 32, "g", "blue", 7)
    found = reply_codes.match_codes(reply_codes.codes_of(b"s" * 32, "g", answered), [*many, mine])
    assert found[mine] == reply_codes.CodeOwner("blue", 23)
    assert len(made) <= 21 + 31 + 4
    made.clear()
    void = reply_codes.match_codes(reply_codes.void_codes((b"s" * 32,) * 2, "g", answered), [*many, mine])
    assert void[mine].age > 30
    assert len(made) <= 2 * (20 + 30 + 2 * (reply_codes.MAX_LOST_QUESTIONS + 2))


DOTTED = ["a." * 30_000 + "a = 1", "[" + "'a' . " * 9_000 + "b]", 'x = {"a".' + "b." * 99 + "c=1}"]


@pytest.mark.parametrize("text", DOTTED)
def test_a_key_of_many_parts_is_refused_before_it_is_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """9.5 s and 3.5 GB for 60 KB."""
    import tomllib

    monkeypatch.setattr(tomllib, "loads", None)  # nobody may call it
    with pytest.raises(BadInput) as caught:
        toml.load(f"a = 1\n{text}\n", "move")
    assert caught.value.message == "line 2 is not TOML: a key in too many parts"
    with pytest.raises(BadInput):
        read_move_file(f'pbem = 1\ncode = "x"\norders = []\n{text}\n'.encode())


def test_a_long_document_that_is_not_as_we_write_it_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    import tomllib

    monkeypatch.setattr(tomllib, "loads", None)
    with pytest.raises(BadInput) as caught:
        toml.load("a=1\n" * 20_000, "view")
    assert caught.value.code == "view/toml"
    assert toml.load('a = "b"\n' + "\n" * 100_000, "view") == {"a": "b"}


class Names(list[str]):
    """Rows that may be iterated, but not counted one by one."""

    def count(self, value: object) -> int:
        raise AssertionError(value)


def test_what_is_named_twice_is_found_in_one_walk() -> None:
    """It took quadratic time in the rows of a state."""
    twice: Iterable[str] = (f"2/a/{n // 2}" for n in range(9))
    assert changes._find_duplicate(Names(twice)) == "has 2/a/0 twice"
    assert not changes._find_duplicate(Names(f"{n}" for n in range(9)))
