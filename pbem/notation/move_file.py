"""Read and write move files, and the signatures of orders.

A move file is TOML with a code and a list of orders. Players edit it, so BOM and CRLF are accepted,
but keys and types are strict. Signatures may also be in an email below the orders. Each part has a
fixed length, so that wrapping and quoting by mail programs do no harm.

Not allowed here: what an order means; whether a code is valid or a signature genuine.
Source: FORMAT.md section 2, "Orders in an email or move file", "Signed orders";
docs/SPECIFICATION.md section 9.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from pbem.errors import BadInput
from pbem.formats import toml
from pbem.mail.identity import GAME_ID, canonical_code
from pbem.mail.text import UTF_16, Line

SIGNATURE_START = ("signed", "pbem", "1")
HASH_LETTERS, SIGNATURE_LETTERS = 43, 86  #: letters of a state hash and of a signature
MAX_EMAIL_NUMBER, MAX_SIGNATURES = 10**6, 500
#: The number of an email that is further above the last one is a mistake or a forgery. A player's tool
#: skips up to the first limit; the moderator accepts up to the second.
MAX_TOOL_LEAP, MAX_LEAP = 1000, 10_000
_B64 = re.compile(r"[A-Za-z0-9_-]+")

MAX_BYTES = 64 * 1024
MAX_LINES = 500
MAX_LINE_LETTERS = 64
_KEYS = ("pbem", "code", "game", "seat", "orders", "nr", "head", "sign")
_SIGNED_KEYS = ("game", "seat", "nr", "head", "sign")
_EXAMPLES = {
    "pbem": "begin the file with a line: pbem = 1",
    "code": 'add the code of your report: code = "K7Q2-9F3A"',
    "orders": 'add your orders: orders = ["wall A5", "wall B2"]',
}


class OrderSignatures(NamedTuple):
    """The signatures of a list of orders."""

    game: str
    seat: str
    email_number: int  #: higher than in all earlier emails of the seat; 0 for an answer to a question
    state_hash: str  #: of the state whose report they answer
    signatures: tuple[tuple[int, str], ...]  #: (number of the order, its signature; "" if damaged)


class MoveFile(NamedTuple):
    """A move file as read. ``code`` is in canonical spelling."""

    code: str
    game: str | None
    seat: str | None
    orders: tuple[Line, ...]
    signatures: OrderSignatures | None = None


def read_move_file(data: bytes) -> MoveFile:
    """Read a move file. Raises BadInput ``move/…``, which names a line or key."""
    text = _decode_text(data)
    document = toml.load(text, "move")
    _check_keys(document, text)
    code = canonical_code(_read_text(document, "code", text) or "")
    if code is None:
        expected = "expected a code such as K7Q2-9F3A"
        raise _key_error("code", text, "code", expected, "copy it from the report")
    game, seat = (_read_text(document, key, text) for key in ("game", "seat"))
    orders = _read_orders(document["orders"], text)
    return MoveFile(code, game, seat, orders, _read_signature_list(document, text))


def write_move_file(code: str, orders: tuple[str, ...], signatures: OrderSignatures | None = None) -> bytes:
    """Return a move file with these orders. Raises BadInput ``move/…`` if pbem could not read it back."""
    document: dict[str, Any] = {"pbem": 1, "code": code, "orders": list(orders)}
    if signatures is not None:
        document |= {"game": signatures.game, "seat": signatures.seat, "nr": signatures.email_number}
        document |= {"head": signatures.state_hash, "sign": [signature for _, signature in signatures.signatures]}
    data = toml.dump(document).encode()
    read_move_file(data)
    return data


def _decode_text(data: bytes) -> str:
    """Return the file as text, without BOM and with LF as the only line end. Raises BadInput ``move/…``."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data)} bytes; a move file has at most {MAX_BYTES}"
        raise BadInput("move/too-large", message, "is this the right file?")
    if data.startswith(UTF_16):
        hint = "save it again as UTF-8"
        raise BadInput("move/utf-16", "the file is in UTF-16; a move file is in UTF-8", hint)
    if b"\x00" in data:
        raise BadInput("move/nul-bytes", "the file holds NUL bytes", "save it again as UTF-8 text")
    text = toml.utf8(data.removeprefix(b"\xef\xbb\xbf"), "move", "save it again as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_keys(document: dict[str, Any], text: str) -> None:
    """Raise BadInput ``move/…`` if a key is unknown or missing, or if the version is not 1."""
    for key in document:
        if key not in _KEYS:
            hint = f"a move file has {', '.join(_KEYS)} and nothing else"
            raise _key_error(key, text, "unknown-key", "unknown key", hint)
    for key in ("pbem", "code", "orders"):
        if key not in document:
            raise BadInput("move/missing", f"the key `{key}` is missing", _EXAMPLES[key])
    version = document["pbem"]
    if type(version) is not int or version != 1:  # `true` and `1.0` equal 1
        raise _key_error("pbem", text, "version", "expected `pbem = 1`", "install a newer pbem?")


def _read_text(document: dict[str, Any], key: str, text: str) -> str | None:
    """Return the value of a key, a line of text; None without the key. Raises BadInput ``move/type``."""
    value = document.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _key_error(key, text, "type", f"`{key}` must be a text", 'write it in quotes: "…"')
    if not value.isprintable() or len(value) > MAX_LINE_LETTERS:
        problem = f"`{key}` must be one line of at most {MAX_LINE_LETTERS} letters"
        raise _key_error(key, text, "type", problem, "copy it from the report")
    return value


def _read_orders(value: object, text: str) -> tuple[Line, ...]:
    """Return the orders of a move file as lines, numbered from 1. Raises BadInput ``move/…``."""
    example = f"write {_EXAMPLES['orders'].partition(': ')[2]}"
    if not isinstance(value, list):
        raise _key_error("orders", text, "type", "`orders` must be a list of texts", example)
    if len(value) > MAX_LINES:
        problem = f"{len(value)} lines of orders; at most {MAX_LINES} are read"
        raise _key_error("orders", text, "too-many-lines", problem, "is it the right file?")
    return tuple(_read_order(number, row, text) for number, row in enumerate(value, 1))


def _read_signature_list(document: dict[str, Any], text: str) -> OrderSignatures | None:
    """Return the signatures of a move file, numbered from 1 like its orders; None if it is not signed."""
    if not {"nr", "head", "sign"} & document.keys():
        return None
    hint = "take the whole file again from `pbem orders sign`"
    for key in _SIGNED_KEYS:
        if key not in document:
            raise BadInput("move/missing", f"the key `{key}` is missing, and it is signed", hint)
    email_number, signatures = document["nr"], document["sign"]
    if type(email_number) is not int or not 1 <= email_number <= MAX_EMAIL_NUMBER:  # `true` is an instance of int
        raise _key_error("nr", text, "type", f"`nr` must be a number from 1 to {MAX_EMAIL_NUMBER}", hint)
    if not isinstance(signatures, list) or len(signatures) > MAX_LINES:
        raise _key_error("sign", text, "type", "`sign` must be a list of signatures", hint)
    if not all(isinstance(signature, str) and len(signature) <= SIGNATURE_LETTERS for signature in signatures):
        raise _key_error("sign", text, "type", "`sign` must hold signatures alone", hint)
    game, seat, state_hash = (_read_text(document, key, text) or "" for key in ("game", "seat", "head"))
    return OrderSignatures(game, seat, email_number, state_hash, tuple(enumerate(signatures, 1)))


def _read_order(number: int, row: object, text: str) -> Line:
    """Return one order as a line. Raises BadInput ``move/…`` if it is not one line of text or too long."""
    if not isinstance(row, str):
        problem = f"orders, number {number}: must be a text in quotes"
        raise _key_error("orders", text, "type", problem, 'such as "wall A5"')
    if len(row) > MAX_LINE_LETTERS:
        problem = f"orders, number {number}: longer than {MAX_LINE_LETTERS} letters"
        raise _key_error("orders", text, "line-too-long", problem, "one order in each pair of quotes")
    if re.search(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]", row):
        problem = f"orders, number {number}: holds a line end or control character"
        raise _key_error("orders", text, "type", problem, "one order in each pair of quotes")
    return Line(number, row)


def _key_error(key: str, text: str, code: str, problem: str, hint: str) -> BadInput:
    """Return an error that names the line of the key, if the key is found in the text."""
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    lines = enumerate(text.split("\n"), 1)
    place = next((f"line {number}: " for number, line in lines if pattern.match(line)), "")
    return BadInput(f"move/{code}", f"{place}{problem}", hint)


def write_signatures(signatures: OrderSignatures) -> str:
    """Return the signatures as lines to put below the orders, so short that no mail program wraps them."""
    first_line = f"{' '.join(SIGNATURE_START)} {signatures.game}"
    lines = [first_line, f"{signatures.seat} {signatures.email_number}", f"head {signatures.state_hash}"]
    for number, signature in signatures.signatures:
        lines += [f"sign {number} {signature[:HASH_LETTERS]}", signature[HASH_LETTERS:]]
    return "\n".join(lines)


def extract_signatures(lines: Sequence[Line]) -> tuple[tuple[Line, ...], tuple[OrderSignatures, ...]]:
    """Return the lines without the signatures, and the signatures in their order."""
    words_by_line = [line.text.lstrip("> \t\xa0").split() for line in lines]
    starts = {index for index, words in enumerate(words_by_line) if words[:3] == list(SIGNATURE_START)}
    if not starts:
        return tuple(lines), ()
    # without invisible characters that some programs put between letters
    words = [_PlacedWord(re.sub("[^!-~]", "", word), index) for index, row in enumerate(words_by_line) for word in row]
    texts = [word.text for word in words]
    signature_lists: list[OrderSignatures] = []
    used_flags = [False] * len(words)  # whether a word belongs to a signature
    position = 0
    while position < len(words):
        may_begin = words[position].line_index in starts
        result = _read_signatures(texts, position) if may_begin else None
        if result is None:
            position += 1
            continue
        signatures, end = result
        signature_lists.append(signatures)
        used_flags[position:end] = [True] * (end - position)
        position = end
    return _remove_used_words(lines, words, used_flags), tuple(signature_lists)


class _PlacedWord(NamedTuple):
    """A word, and the index of its line."""

    text: str
    line_index: int


def _remove_used_words(lines: Sequence[Line], words: list[_PlacedWord], used_flags: list[bool]) -> tuple[Line, ...]:
    """Return the lines without the words of signatures. A line that has only such words is dropped."""
    # by index, the remaining words of each line that has a word of a signature
    remaining_words: dict[int, list[str]] = {
        word.line_index: [] for word, is_used in zip(words, used_flags, strict=True) if is_used
    }
    for word, is_used in zip(words, used_flags, strict=True):
        if word.line_index in remaining_words and not is_used:
            remaining_words[word.line_index].append(word.text)
    return tuple(
        Line(line.number, " ".join(remaining_words[index])) if index in remaining_words else line
        for index, line in enumerate(lines)
        if remaining_words.get(index) != []
    )


def _read_signatures(words: list[str], position: int) -> tuple[OrderSignatures, int] | None:
    """Return the signatures that begin at this word, and the index behind them; None if none begin there."""
    has_frame = tuple(words[position : position + 3]) == SIGNATURE_START
    if not has_frame or len(words) < position + 8 or words[position + 6] != "head":
        return None
    game, seat, number_text = words[position + 3 : position + 6]
    state_hash, position = _join_letters(words, position + 7, HASH_LETTERS)
    is_number = number_text == "0" or _is_number_up_to(number_text, MAX_EMAIL_NUMBER)
    if not state_hash or not is_number or not re.fullmatch(GAME_ID, game):
        return None
    signatures: list[tuple[int, str]] = []
    while position + 1 < len(words) and words[position] == "sign":
        if not _is_number_up_to(words[position + 1], MAX_SIGNATURES):
            break
        signature, end = _join_letters(words, position + 2, SIGNATURE_LETTERS)
        signatures.append((int(words[position + 1]), signature))
        position = end
    return OrderSignatures(game, seat, int(number_text), state_hash, tuple(signatures[:MAX_SIGNATURES])), position


def _join_letters(words: list[str], position: int, length: int) -> tuple[str, int]:
    """Join words up to ``length`` letters. Return them, or "" if they are too few or many, and the next index."""
    letters = ""
    while len(letters) < length and position < len(words) and words[position] != "sign":
        if not _B64.fullmatch(words[position]):
            break
        letters, position = letters + words[position], position + 1
    return (letters if len(letters) == length else ""), position


def _is_number_up_to(word: str, maximum: int) -> bool:
    return bool(re.fullmatch("[1-9][0-9]{0,6}", word)) and int(word) <= maximum
