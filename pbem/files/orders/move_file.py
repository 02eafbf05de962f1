"""The move file: a few lines of TOML with a code and a list of orders.

What lives here: reading it with precise errors, writing it, telling it from a mail.
What must never be here: what an order means (lines.py and the game); whether the code is good.
Law: tolerant of BOM and CRLF (players edit it), strict in keys and types; nothing is guessed.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 2.
"""

import re
from typing import Any, NamedTuple

from pbem.errors import BadInput
from pbem.files import toml_text
from pbem.files.orders.lines import Line
from pbem.files.orders.signed_lines import MOST_NR, SIG, OrderSignatures
from pbem.files.reply_code import canonical

LIMIT = 64 * 1024
MOST_LINES = 500
LONGEST_LINE = 64
LONGEST_SIGN = SIG
_KEYS = ("pbem", "code", "game", "seat", "orders", "nr", "head", "sign")
_SIGNED = ("game", "seat", "nr", "head", "sign")
_EXAMPLES = {
    "pbem": "begin the file with a line: pbem = 1",
    "code": 'add the code of your report: code = "K7Q2-9F3A"',
    "orders": 'add your orders: orders = ["wall A5", "wall B2"]',
}
_BOMS_16 = (b"\xff\xfe", b"\xfe\xff")
_FIRST_WORD = re.compile(r"^\s*(?:#[^\n]*)?$|^\s*(?:pbem|code|orders)\s*=|^\s*\[orders?\]")


class MoveFile(NamedTuple):
    """A move file as read: ``code`` canonical; orders numbered as in the list."""

    code: str
    game: str | None
    seat: str | None
    orders: tuple[Line, ...]
    signed: OrderSignatures | None = None


def looks_like_move_file(data: bytes) -> bool:
    """Whether these bytes are meant as a move file, well formed or not; never raises."""
    head = data[:4096]
    name = "utf-16" if head.startswith(_BOMS_16) else "utf-8-sig"
    for line in head.decode(name, errors="replace").splitlines()[:40]:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        return bool(_FIRST_WORD.match(line) or re.match(r"\s*(?:game|seat)\s*=\s*\"", line))
    return False


def read_move_file(data: bytes) -> MoveFile:
    """The move file in these bytes. BadInput ``move/…`` with line or key."""
    text = _text(data)
    document = toml_text.load(text, "move")
    _check_keys(document, text)
    code = canonical(_one_text(document, "code", text) or "")
    if code is None:
        expected = "expected a code such as K7Q2-9F3A"
        raise _at("code", text, "code", expected, "copy it from the report")
    game = _one_text(document, "game", text)
    seat = _one_text(document, "seat", text)
    orders = _orders(document["orders"], text)
    return MoveFile(code, game, seat, orders, _signed(document, text))


def write_move_file(
    code: str,
    orders: tuple[str, ...],
    game: str | None = None,
    seat: str | None = None,
    signed: OrderSignatures | None = None,
) -> bytes:
    """A move file with these orders, ready to send. It reads back, or BadInput ``move/…``."""
    document: dict[str, Any] = {"pbem": 1, "code": code}
    if game is not None:
        document["game"] = game
    if seat is not None:
        document["seat"] = seat
    document["orders"] = list(orders)
    if signed is not None:
        document |= {"game": signed.game, "seat": signed.seat, "nr": signed.nr}
        document |= {"head": signed.head, "sign": [sig for _, sig in signed.signs]}
    data = toml_text.dump(document).encode()
    read_move_file(data)
    return data


def _text(data: bytes) -> str:
    if len(data) > LIMIT:
        raise BadInput(
            "move/too-large",
            f"the file has {len(data)} bytes; a move file has at most {LIMIT}",
            "is this the right file?",
        )
    if data.startswith(_BOMS_16):
        hint = "save it again as UTF-8"
        raise BadInput("move/utf-16", "the file is in UTF-16; a move file is in UTF-8", hint)
    if b"\x00" in data:
        raise BadInput("move/nul-bytes", "the file holds NUL bytes", "save it again as UTF-8 text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "save it again as UTF-8"
        raise BadInput("move/not-utf8", f"line {line} is not UTF-8", hint) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_keys(document: dict[str, Any], text: str) -> None:
    for key in document:
        if key not in _KEYS:
            shown = "".join(c for c in key if c.isprintable())[:40]
            hint = f"a move file has {', '.join(_KEYS)} and nothing else"
            raise _at(key, text, "unknown-key", f"unknown key `{shown}`", hint)
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
    if not all(isinstance(sign, str) and len(sign) <= LONGEST_SIGN for sign in signs):
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
    if any((ord(c) < 32 and c != "\t") or c in "\x7f\x85\u2028\u2029" for c in row):
        problem = f"orders, number {number}: holds a line end or control character"
        raise _at("orders", text, "type", problem, "one order in each pair of quotes")
    return Line(number, row)


def _at(key: str, text: str, code: str, problem: str, hint: str = "") -> BadInput:
    """An error with the line on which the key stands, where that can be told."""
    pattern = re.compile(rf"^\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    for number, line in enumerate(text.split("\n"), 1):
        if pattern.match(line):
            return BadInput(f"move/{code}", f"line {number}: {problem}", hint)
    return BadInput(f"move/{code}", problem, hint)
