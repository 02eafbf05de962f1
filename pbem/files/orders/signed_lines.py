"""The signatures of a player's orders, as they stand in his mail below the orders.

What lives here: writing them, and finding them again in lines that mail programs have wrapped,
indented or quoted. What must never be here: keys; whether a signature is genuine.
Law: each part has a fixed length, so a break within one does no harm; what is no part of the
signatures goes back to the text it stood in.
Source: FORMAT.md "Signed orders"; docs/SPECIFICATION.md section 9.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.files.orders.lines import Line

FIRST = ("signed", "pbem", "1")
HEAD, SIG = 43, 86  #: letters of a head and of a signature
MOST_NR, MOST_SIGNS = 10**6, 500
LEAP = 1000  #: a number further from the last one is a slip, or a lie
_B64 = re.compile(r"[A-Za-z0-9_-]+")
_GAME = re.compile(r"[a-z2-7]{26}")


class OrderSignatures(NamedTuple):
    """What a player signed: ``signs`` are (number of the line, its signature; "" if damaged)."""

    game: str
    seat: str
    nr: int  #: of these orders; each later mail of the seat has a higher one
    head: str  #: of the state whose report they answer
    signs: tuple[tuple[int, str], ...]


def write_signatures(signed: OrderSignatures) -> str:
    """The lines to put below the orders; none is so long that a mail program would break it."""
    lines = [f"{' '.join(FIRST)} {signed.game}", f"{signed.seat} {signed.nr}"]
    lines.append(f"head {signed.head}")
    for number, sig in signed.signs:
        lines += [f"sign {number} {sig[:HEAD]}", sig[HEAD:]]
    return "\n".join(lines)


def take_out_signatures(
    lines: Sequence[Line],
) -> tuple[tuple[Line, ...], tuple[OrderSignatures, ...]]:
    """The lines without the signatures, and the signatures, in the order they stand."""
    words = [(_ascii(word), at) for at, line in enumerate(lines) for word in _words(line.text)]
    starts = {at for at, line in enumerate(lines) if _words(line.text)[:3] == list(FIRST)}
    found, used, at = [], [False] * len(words), 0
    while at < len(words):
        if words[at][1] in starts and (read := _read([word for word, _ in words[at:]])):
            signed, length = read
            found.append(signed)
            used[at : at + length] = [True] * length
            at += length
        else:
            at += 1
    return _without(lines, words, used), tuple(found)


def _words(text: str) -> list[str]:
    return text.lstrip("> \t\xa0").split()


def _ascii(word: str) -> str:
    """Without what some programs put between letters and nobody sees."""
    return "".join(c for c in word if "!" <= c <= "~")


def _without(
    lines: Sequence[Line], words: list[tuple[str, int]], used: list[bool]
) -> tuple[Line, ...]:
    """Lines untouched by any signature as they are; of others what was not part of one."""
    touched = {at for (_, at), taken in zip(words, used, strict=True) if taken}
    left: dict[int, list[str]] = {at: [] for at in touched}
    for (word, at), taken in zip(words, used, strict=True):
        if at in touched and not taken:
            left[at].append(word)
    return tuple(
        Line(line.number, " ".join(left[at])) if at in touched else line
        for at, line in enumerate(lines)
        if at not in touched or left[at]
    )


def _read(words: list[str]) -> tuple[OrderSignatures, int] | None:
    """Signatures that begin with the first of these words, and how many words they are."""
    if len(words) < 8 or tuple(words[:3]) != FIRST or words[6] != "head":
        return None
    game, seat, nr = words[3:6]
    head, at = _letters(words, 7, HEAD)
    if not _GAME.fullmatch(game) or not _number(nr, MOST_NR) or not head:
        return None
    signs: list[tuple[int, str]] = []
    while at + 1 < len(words) and words[at] == "sign" and _number(words[at + 1], MOST_SIGNS):
        sig, end = _letters(words, at + 2, SIG)
        signs.append((int(words[at + 1]), sig))
        at = end
    return OrderSignatures(game, seat, int(nr), head, tuple(signs[:MOST_SIGNS])), at


def _letters(words: list[str], at: int, length: int) -> tuple[str, int]:
    """So many letters, in one word or broken into several; "" if they are not there."""
    found = ""
    while at < len(words) and len(found) < length and words[at] != "sign":
        if not _B64.fullmatch(words[at]):
            break
        found += words[at]
        at += 1
    return (found if len(found) == length else ""), at


def _number(word: str, most: int) -> bool:
    return bool(re.fullmatch("[1-9][0-9]{0,6}", word)) and int(word) <= most
