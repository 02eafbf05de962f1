"""The move file: a few lines of TOML with a code and a list of orders; and the signatures of
orders, in it or in a mail below the orders, however mail programs have wrapped or quoted them.

What must never be here: what an order means (lines.py and the game); whether the code is good;
whether a signature is genuine.
Laws: a move file is read tolerant of BOM and CRLF (players edit it), strict in keys and types;
nothing is guessed. Each part of signatures has a fixed length, so a break within one does no harm;
what is no part of them goes back to the text it stood in.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 2, "Signed orders";
docs/SPECIFICATION.md section 9.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from pbem.errors import BadInput
from pbem.formats import toml
from pbem.mail.identity import GAME_ID, canonical
from pbem.mail.text import UTF_16, Line

FIRST = ("signed", "pbem", "1")
HEAD, SIG = 43, 86  #: letters of a head and of a signature
MOST_NR, MOST_SIGNS = 10**6, 500
#: a number further from the last one is a slip, or a lie: what a player's tool skips, and, more,
#: what the moderator lets pass
LEAP, MOST_LEAP = 1000, 10_000
_B64 = re.compile(r"[A-Za-z0-9_-]+")

LIMIT = 64 * 1024
MOST_LINES = 500
LONGEST_LINE = 64
_KEYS = ("pbem", "code", "game", "seat", "orders", "nr", "head", "sign")
_SIGNED = ("game", "seat", "nr", "head", "sign")
_EXAMPLES = {
    "pbem": "begin the file with a line: pbem = 1",
    "code": 'add the code of your report: code = "K7Q2-9F3A"',
    "orders": 'add your orders: orders = ["wall A5", "wall B2"]',
}


class OrderSignatures(NamedTuple):
    """What a player signed: ``signs`` are (number of the line, its signature; "" if damaged)."""

    game: str
    seat: str
    nr: int  #: of these orders; each later mail of the seat has a higher one; 0: of an answer
    head: str  #: of the state whose report they answer
    signs: tuple[tuple[int, str], ...]


class MoveFile(NamedTuple):
    """A move file as read: ``code`` canonical; orders numbered as in the list."""

    code: str
    game: str | None
    seat: str | None
    orders: tuple[Line, ...]
    signed: OrderSignatures | None = None


def read_move_file(data: bytes) -> MoveFile:
    """The move file in these bytes. BadInput ``move/…`` with line or key."""
    text = _text(data)
    document = toml.load(text, "move")
    _check_keys(document, text)
    code = canonical(_one_text(document, "code", text) or "")
    if code is None:
        expected = "expected a code such as K7Q2-9F3A"
        raise _at("code", text, "code", expected, "copy it from the report")
    game, seat = (_one_text(document, key, text) for key in ("game", "seat"))
    orders = _orders(document["orders"], text)
    return MoveFile(code, game, seat, orders, _signed(document, text))


def write_move_file(
    code: str, orders: tuple[str, ...], signed: OrderSignatures | None = None
) -> bytes:
    """A move file with these orders, ready to send. It reads back, or BadInput ``move/…``."""
    document: dict[str, Any] = {"pbem": 1, "code": code, "orders": list(orders)}
    if signed is not None:
        document |= {"game": signed.game, "seat": signed.seat, "nr": signed.nr}
        document |= {"head": signed.head, "sign": [sig for _, sig in signed.signs]}
    data = toml.dump(document).encode()
    read_move_file(data)
    return data


def _text(data: bytes) -> str:
    if len(data) > LIMIT:
        message = f"the file has {len(data)} bytes; a move file has at most {LIMIT}"
        raise BadInput("move/too-large", message, "is this the right file?")
    if data.startswith(UTF_16):
        hint = "save it again as UTF-8"
        raise BadInput("move/utf-16", "the file is in UTF-16; a move file is in UTF-8", hint)
    if b"\x00" in data:
        raise BadInput("move/nul-bytes", "the file holds NUL bytes", "save it again as UTF-8 text")
    text = toml.utf8(data.removeprefix(b"\xef\xbb\xbf"), "move", "save it again as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_keys(document: dict[str, Any], text: str) -> None:
    for key in document:
        if key not in _KEYS:
            hint = f"a move file has {', '.join(_KEYS)} and nothing else"
            raise _at(key, text, "unknown-key", "unknown key", hint)
    for key in ("pbem", "code", "orders"):
        if key not in document:
            raise BadInput("move/missing", f"the key `{key}` is missing", _EXAMPLES[key])
    version = document["pbem"]
    if isinstance(version, bool) or version != 1 or not isinstance(version, int):
        raise _at("pbem", text, "version", "expected `pbem = 1`", "install a newer pbem?")


def _one_text(document: dict[str, Any], key: str, text: str) -> str | None:
    value = document.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _at(key, text, "type", f"`{key}` must be a text", 'write it in quotes: "…"')
    if not value.isprintable() or len(value) > LONGEST_LINE:
        problem = f"`{key}` must be one line of at most {LONGEST_LINE} letters"
        raise _at(key, text, "type", problem, "copy it from the report")
    return value


def _orders(value: object, text: str) -> tuple[Line, ...]:
    example = f"write {_EXAMPLES['orders'].partition(': ')[2]}"
    if not isinstance(value, list):
        raise _at("orders", text, "type", "`orders` must be a list of texts", example)
    if len(value) > MOST_LINES:
        found = f"{len(value)} lines of orders; at most {MOST_LINES} are read"
        raise _at("orders", text, "too-many-lines", found, "is it the right file?")
    return tuple(_order(number, row, text) for number, row in enumerate(value, 1))


def _signed(document: dict[str, Any], text: str) -> OrderSignatures | None:
    """The signatures: number 1 belongs to the first order, and so on."""
    if not {"nr", "head", "sign"} & document.keys():
        return None
    hint = "take the whole file again from `pbem orders sign`"
    for key in _SIGNED:
        if key not in document:
            raise BadInput("move/missing", f"the key `{key}` is missing, and it is signed", hint)
    nr, signs = document["nr"], document["sign"]
    if isinstance(nr, bool) or not isinstance(nr, int) or not 1 <= nr <= MOST_NR:
        raise _at("nr", text, "type", f"`nr` must be a number from 1 to {MOST_NR}", hint)
    if not isinstance(signs, list) or len(signs) > MOST_LINES:
        raise _at("sign", text, "type", "`sign` must be a list of signatures", hint)
    if not all(isinstance(sign, str) and len(sign) <= SIG for sign in signs):
        raise _at("sign", text, "type", "`sign` must hold signatures alone", hint)
    game, seat, head = (_one_text(document, key, text) or "" for key in ("game", "seat", "head"))
    return OrderSignatures(game, seat, nr, head, tuple(enumerate(signs, 1)))


def _order(number: int, row: object, text: str) -> Line:
    if not isinstance(row, str):
        problem = f"orders, number {number}: must be a text in quotes"
        raise _at("orders", text, "type", problem, 'such as "wall A5"')
    if len(row) > LONGEST_LINE:
        problem = f"orders, number {number}: longer than {LONGEST_LINE} letters"
        raise _at("orders", text, "line-too-long", problem, "one order in each pair of quotes")
    if re.search(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]", row):
        problem = f"orders, number {number}: holds a line end or control character"
        raise _at("orders", text, "type", problem, "one order in each pair of quotes")
    return Line(number, row)


def _at(key: str, text: str, code: str, problem: str, hint: str) -> BadInput:
    """An error with the line on which the key stands, where that can be told."""
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    lines = enumerate(text.split("\n"), 1)
    place = next((f"line {number}: " for number, line in lines if pattern.match(line)), "")
    return BadInput(f"move/{code}", f"{place}{problem}", hint)


def write_signatures(signed: OrderSignatures) -> str:
    """The lines to put below the orders; none is so long that a mail program would break it."""
    first = f"{' '.join(FIRST)} {signed.game}"
    lines = [first, f"{signed.seat} {signed.nr}", f"head {signed.head}"]
    for number, sig in signed.signs:
        lines += [f"sign {number} {sig[:HEAD]}", sig[HEAD:]]
    return "\n".join(lines)


def take_out_signatures(
    lines: Sequence[Line],
) -> tuple[tuple[Line, ...], tuple[OrderSignatures, ...]]:
    """The lines without the signatures, and the signatures, in the order they stand."""
    split = [line.text.lstrip("> \t\xa0").split() for line in lines]
    starts = {at for at, words in enumerate(split) if words[:3] == list(FIRST)}
    if not starts:
        return tuple(lines), ()
    # without what some programs put between letters and nobody sees
    words = [(re.sub("[^!-~]", "", word), at) for at, row in enumerate(split) for word in row]
    plain = [word for word, _ in words]
    found, used, at = [], [False] * len(words), 0
    while at < len(words):
        if words[at][1] in starts and (read := _read_signatures(plain, at)):
            signed, end = read
            found.append(signed)
            used[at:end] = [True] * (end - at)
            at = end
        else:
            at += 1
    return _without(lines, words, used), tuple(found)


def _without(
    lines: Sequence[Line], words: list[tuple[str, int]], used: list[bool]
) -> tuple[Line, ...]:
    """Lines untouched by any signature as they are; of others what was not part of one."""
    all_words = list(zip(words, used, strict=True))
    left: dict[int, list[str]] = {at: [] for (_, at), taken in all_words if taken}
    for (word, at), taken in all_words:
        if at in left and not taken:
            left[at].append(word)
    return tuple(
        Line(line.number, " ".join(left[at])) if at in left else line
        for at, line in enumerate(lines)
        if left.get(at) != []
    )


def _read_signatures(words: list[str], at: int) -> tuple[OrderSignatures, int] | None:
    """Signatures that begin with this one of the words, and the first word behind them."""
    if len(words) < at + 8 or tuple(words[at : at + 3]) != FIRST or words[at + 6] != "head":
        return None
    game, seat, nr = words[at + 3 : at + 6]
    head, at = _letters(words, at + 7, HEAD)
    if not re.fullmatch(GAME_ID, game) or not (nr == "0" or _number(nr, MOST_NR)) or not head:
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
    while len(found) < length and at < len(words) and words[at] != "sign":
        if not _B64.fullmatch(words[at]):
            break
        found, at = found + words[at], at + 1
    return (found if len(found) == length else ""), at


def _number(word: str, most: int) -> bool:
    return bool(re.fullmatch("[1-9][0-9]{0,6}", word)) and int(word) <= most
