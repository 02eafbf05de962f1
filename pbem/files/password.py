"""Passwords: cut out of a text before anything else sees it.

What lives here: finding `password …` in what a player wrote, and cutting it. Where a seat is known
by one, the four words themselves are found, wherever and however they stand.
What must never be here: checking a password; keeping one.
Law: after ``cut_passwords`` no letter of what followed the word is left; the number of lines stays.
Source: docs/NOTATION.md "Words for every game"; docs/DESIGN.md P11.
"""

import re
import unicodedata
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from html import unescape
from itertools import islice, pairwise, takewhile

from pbem.files.characters import folded

CUT = "[cut]"
HIDDEN = f"password: {CUT}"
_BULLET = r"[\s>*•\"'`_-]{0,20}"
_WORD = r"(?<![^\W_])passwords?(?![^\W_])"
_GIVEN = re.compile(rf"{_BULLET}{_WORD}[\s:=_*]*(\S[^\n]*)", re.IGNORECASE)
_ANYWHERE = re.compile(rf"(?i)({_WORD})(?=[^\n]*[^\s.,;:!?*`\"'\n])[^\n]*")
# `password:` with the word itself on the next line, as phones wrap it.
_NEXT_LINE = r"[ \t]*[:=][ \t]*\n(?:[ \t>]{0,9}\n)?[ \t>]{0,9}"
_WRAPPED = re.compile(rf"(?i)({_WORD}{_NEXT_LINE})(?!later\b)\S+(?=[ \t]*(?:\n|$))")


def cut_passwords(text: str) -> str:
    """The text with whatever follows the word ``password`` on its line replaced by ``[cut]``."""
    if not text.isascii() and "password" in folded(text).lower():
        text = "\n".join(folded(line) for line in text.split("\n"))
    return _WRAPPED.sub(rf"\1{CUT}", _ANYWHERE.sub(rf"\1 {CUT}", text))


def find_password(text: str) -> str | None:
    """What the first line that begins with ``password`` gives as one; None if there is none."""
    for line in text.splitlines():
        match = _GIVEN.match(folded(line))
        if match:
            return match[1].strip()
    return None


def speaks_of_one(text: str) -> bool:
    """Whether the word stands in it at all."""
    return "password" in (text if text.isascii() else folded(text)).lower()


def is_cut(line: str) -> bool:
    """Whether a line held a password and says nothing else."""
    return CUT in line and not re.search(
        r"[^\W_]", re.sub(rf"(?i){_WORD}", "", line.replace(CUT, ""))
    )


WORDS = 4
_SOUND = "[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
_WHOLE = re.compile(rf"(?=((?:{_SOUND}){{{WORDS}}}))")
_ANY_WORD = re.compile(r"[a-z]+")
_OURS = re.compile(_SOUND)
_FEW = 3  #: so many different words of ours in one text are a password, with words between them
# ordinary words of that form, which people write: none of them counts among the three
_PROSE = frozenset(
    """
baron basin basis bonus david digit donor favor final fatal focus habit human humor labor latin
limit lunar major manor mason minor minus mobil molar monat moral motor musik nasal naval nomad
paris pilot pivot polar pupil radar rapid razor rigid rival robin robot rumor salad salon satin
sinus solar solid sonar sugar tidal timid titan total tulip tumor tutor valid vapor vigor virus
visit vital vivid zivil
""".split()  # noqa: SIM905
)
_DIGITS = str.maketrans("014", "oia")
_TOKEN = re.compile(r"(?<![a-z0-9])[a-z014]{5}(?![a-z0-9])")
_CODED = re.compile(r"(?:%|=|\\x|\\u00)([0-9A-Fa-f]{2})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_SAID = re.compile(r"([\"'`])(?:(?!\1)[^\n])*\1")
# the words for it in the languages whose mails we read (mail/letter.py), without their accents
_SPOKEN = re.compile(
    r"(?<![a-z])(?:pass ?(?:words?|phrase|wort|code)|passwd|pwd|kennwort|losung|mot de passe"
    r"|jelszo|parola d ordine|contrasena|wachtwoord)(?![a-z])"
)
_LINE = re.compile(r"(?m)^[^a-z\n]*[a-z]{5}(?:[^a-z\n]+[a-z]{5}){3}[^a-z\n]*$")
_GAP = "[^a-z\n\"']"
_QUOTED = re.compile(rf"([\"']){_GAP}*([a-z]{{5}}(?:{_GAP}+[a-z]{{5}}){{3}}){_GAP}*(?=\1)")
# letters of other alphabets that look like ours, small and capital apart: Μ is M, and μ is u
_ALIKE = {
    ord(other): ours
    for ours, others in {
        "a": "аАαΑɑ", "b": "вВЬьβΒ", "c": "сС", "d": "ԁԀժ", "e": "еЕεΕ", "f": "ƒϝ", "g": "ɡցԍԌ",
        "h": "һҺհнНΗ", "i": "іІιΙı", "j": "јЈϳ", "k": "кКκΚ", "l": "ӏ", "m": "мМΜ", "n": "пηոΝ",
        "o": "оОοΟօσ", "p": "рРρΡ", "r": "гΓ", "s": "ѕЅꜱ", "t": "тТτΤ", "u": "υսμ", "v": "νѵѴ",
        "x": "хХΧχ", "y": "уУγΥ", "z": "ᴢΖ",
    }.items()
    for other in others
}  # fmt: skip
# with a stroke through them, small capitals and the like, which no accent taken away leaves plain
_ALIKE |= {
    ord(other): ours
    for ours, others in {
        "a": "ᴀɐᎪ", "b": "ʙƀɓᏴ", "d": "ᴅđɖɗÐĐ", "f": "ꜰ", "g": "ɢǥɠ", "h": "ʜħĦ", "i": "ɪɨ",
        "j": "ᴊɉ", "k": "ᴋƙ", "l": "ʟłŁƚ", "m": "ᴍ", "n": "ɴŋ", "o": "ᴏøØ", "p": "ᴘ", "r": "ʀɍ",
        "t": "ᴛŧŦ", "u": "ᴜʉ", "v": "ᴠ", "z": "ƶ",
    }.items()
    for other in others
}  # fmt: skip
# letters in filled circles and squares, and those that flags are made of
_ALIKE |= {
    first + at: chr(ord("a") + at) for first in (0x1F150, 0x1F170, 0x1F1E6) for at in range(26)
}
Span = tuple[int, int]


def passwords_in(text: str) -> tuple[str, ...]:
    """What may be a password in it, each as four words set apart by a blank. Secret."""
    plain, _ = _plain(text)
    letters = re.sub("[^a-z]+", "", plain)
    found = (match[1] for match in _WHOLE.finditer(letters))
    return tuple(
        dict.fromkeys(" ".join(whole[i : i + 5] for i in range(0, 20, 5)) for whole in found)
    )


def cut_words(text: str) -> str:
    """The text without anything that is, or may be, a password; the number of lines stays."""
    text = _BASE64.sub(_without_coded, _unescaped(text))
    plain, places = _plain(text)
    one_each = [*_wholes(plain), *_rows(plain), *_after_word(plain), *_lines(plain)]
    spans = sorted(_merged([*one_each, *_apart(plain)]))
    found, at = [], 0
    for start, end in spans:
        first, last = places[start], places[end - 1] + 1
        if first < at:
            continue
        found += [text[at:first], "\n".join(CUT for _ in text[first:last].split("\n"))]
        at = last
    return cut_passwords("".join([*found, text[at:]]))


def cut_lines(texts: list[str]) -> list[str]:
    """The same for lines that follow each other; one that was a password says so."""
    if not texts:
        return []
    cut = cut_words("\n".join(" ".join(text.splitlines()) for text in texts)).split("\n")
    return [HIDDEN if is_cut(line) else line for line in cut]


def cut_quoted(message: str) -> str:
    """A message of ours that quotes what was sent, perhaps the beginning of it alone: what it
    quotes is left out where a word of ours is in it, with the parts of words beside it.
    """

    def kept(match: re.Match[str]) -> str:
        plain, _ = _plain(match[0])
        return f"{match[1]}{CUT}{match[1]}" if _OURS.search(plain) else match[0]

    return _SAID.sub(kept, message)


def _unescaped(text: str) -> str:
    """With `&#108;` and `%6c` as the letter that they mean, where that shows a password."""
    if "&" in text:
        text = _shown(text, lambda line: unescape(unescape(line)))
    if _CODED.search(text):
        text = _shown(text, lambda line: _CODED.sub(lambda match: chr(int(match[1], 16)), line))
    return text


def _shown(text: str, read: Callable[[str], str]) -> str:
    plain = "\n".join(" ".join(read(line).split("\n")) for line in text.split("\n"))
    return plain if plain != text and (passwords_in(plain) or any(_apart(plain))) else text


def _without_coded(match: re.Match[str]) -> str:
    """A row of base64, cut where a password is in it."""
    row = match[0].rstrip("=").replace("+", "-").replace("/", "_")
    row = row[:-1] if len(row) % 4 == 1 else row
    data = urlsafe_b64decode(row + "=" * (-len(row) % 4))
    return CUT if passwords_in(data.decode("latin-1")) else match[0]


def _plain(text: str) -> tuple[str, list[int] | range]:
    """The text in small letters of ours, and for each of its letters where it stood."""
    if text.isascii():
        return text.lower(), range(len(text))

    found, places = [], []
    for at, letter in enumerate(text):
        for part in letter if letter.isascii() else unicodedata.normalize("NFKD", letter):
            if unicodedata.category(part) in ("Mn", "Cf"):
                continue
            low = (_ALIKE.get(ord(part)) or part).lower()
            found.append(low)
            places += [at] * len(low)
    return "".join(found), places


def _wholes(plain: str) -> Iterator[Span]:
    """Four words of ours in a row, whatever stands between any two of their letters."""
    letters = re.sub("[^a-z]+", "", plain)
    starts = [match.start() for match in _WHOLE.finditer(letters)]
    if not starts:
        return
    at = [i for i, letter in enumerate(plain) if "a" <= letter <= "z"]
    for start in starts:
        yield at[start], at[start + 5 * WORDS - 1] + 1


def _rows(plain: str) -> Iterator[Span]:
    """Two words of ours side by side, or four of five letters of which two are ours: a password
    that was cut short, or mistyped.
    """
    words = [(m.start(), m.end(), bool(_OURS.fullmatch(m[0]))) for m in _ANY_WORD.finditer(plain)]
    for word, other in pairwise(words):
        if word[2] and other[2]:
            yield word[0], other[1]
    i = 0
    while i <= len(words) - WORDS:
        row = words[i : i + WORDS]
        like = all(end - start == 5 for start, end, _ in row) and sum(x[2] for x in row) > 1
        if like:
            yield row[0][0], row[-1][1]
        i += WORDS if like else 1


def _apart(plain: str) -> list[Span]:
    """Three different words of ours or more, wherever they stand, `4` and `1` as in `b4b1d`."""
    found = [
        (match.span(), word)
        for match in _TOKEN.finditer(plain)
        if _OURS.fullmatch(word := match[0].translate(_DIGITS))
    ]
    enough = len({word for _, word in found} - _PROSE) >= _FEW
    return [span for span, _ in found] if enough else []


def _after_word(plain: str) -> Iterator[Span]:
    """What follows a word for it: its line, and words of ours or like ours on the next lines."""
    for match in _SPOKEN.finditer(plain):
        end = plain.find("\n", match.end())
        end = len(plain) if end < 0 else end
        said = _ANY_WORD.search(plain, match.end(), end)
        if said and match[0] not in ("password", "passwords"):  # cut_passwords knows these
            yield said.start(), end
        row = islice(_ANY_WORD.finditer(plain, match.end()), WORDS)
        like = list(takewhile(lambda word: len(word[0]) == 5, row))
        if sum(bool(_OURS.fullmatch(word[0])) for word in like) > 1:
            yield like[0].start(), like[-1].end()


def _lines(plain: str) -> Iterator[Span]:
    """A line of four words of five letters, or such words in quotes: a password mistyped."""
    for match in _LINE.finditer(plain):
        yield match.start(), match.end()
    for match in _QUOTED.finditer(plain):
        yield match.span(2)


def _merged(spans: list[Span]) -> Iterator[Span]:
    """The same places, none overlapping."""
    end = start = -1
    for span in sorted(spans):
        if span[0] > end:
            if end > start >= 0:
                yield start, end
            start, end = span
        end = max(end, span[1])
    if end > start >= 0:
        yield start, end
