"""A second verifier of pbem's games, written from docs/SPECIFICATION.md alone.

It shares no code with pbem (a test looks at its imports), knows no rules, and stops at the first
fault.

What lives here: everything of sections 1 to 12 but the rules: states, succession, roster, slots,
openings, blocks, archives; with the secret also the deal, the tokens and the signed orders. What
must never be here: an import of pbem.

    python tests/second_verifier.py ARCHIVE…        prints what it found
"""

import base64
import hashlib
import hmac
import re
import sys
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KINDS_OF_KNOWING = ("key", "reply", "password", "typed")
PLAIN = ("reply", "password", "typed")
GIVEN = ("forced", "default")
#: by what the seats are identified that may have a source
SEATS_OF = {"signed": ("key",), "reply": ("reply",), "password": ("password",), "typed": PLAIN}


class Fault(Exception):
    """The first thing that does not hold: its kind (section 12) and the state."""

    def __init__(self, kind: str, state: int | None, what: str = "") -> None:
        super().__init__(f"{kind}{'' if state is None else f' at state {state}'}: {what}")
        self.kind, self.state = kind, state


# Sections 1 to 3 -----------------------------------------------------------------------------


def raw(part: str | bytes | int) -> bytes:
    return part if isinstance(part, bytes) else str(part).encode()


def pae(*parts: str | bytes | int) -> bytes:
    out = len(parts).to_bytes(8, "little")
    for part in map(raw, parts):
        out += len(part).to_bytes(8, "little") + part
    return out


def unpae(data: bytes) -> list[bytes]:
    count, at, parts = int.from_bytes(data[:8], "little"), 8, []
    while at < len(data):
        end = at + 8 + int.from_bytes(data[at : at + 8], "little")
        parts.append(data[at + 8 : end])
        at = end
    if len(parts) != count or pae(*parts) != data:
        raise ValueError("no list of parts")
    return parts


def h(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def prf(key: bytes, *parts: str | bytes | int) -> bytes:
    return hmac.new(key, pae(*parts), hashlib.sha256).digest()


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str, length: int) -> bytes:
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64(data) != text or len(data) != length:
        raise ValueError("not canonical base64url")
    return data


P = 2**255 - 19
EIGHT = (
    ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc", "05", "85"),
    ("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03", "7a", "fa"),
)
SMALL = {bytes.fromhex(start + end) for start, *ends in EIGHT for end in ends} | {
    (y | sign << 255).to_bytes(32, "little") for y in (0, 1, P - 1, P, P + 1) for sign in (0, 1)
}
#: u of the points of X25519 whose order divides 8
LOW = (
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)
NO_WRAP = {0, 1, *LOW, P - 1}


def wraps(key: bytes) -> bool:
    """Section 3: a key that something may be wrapped to."""
    u = int.from_bytes(key, "little")
    return u < P and u not in NO_WRAP


def holds(key: bytes, sig: bytes, kind: str, *parts: str | bytes | int) -> bool:
    if key in SMALL or len(key) != 32 or len(sig) != 64:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(sig, pae(f"pbem/1/{kind}", *parts))
    except (InvalidSignature, ValueError):
        return False
    return True


def name_of(key: bytes) -> str:
    return b64(h(key)[:16])


def game_of(genesis: bytes) -> str:
    return base64.b32encode(h(genesis)).decode().lower()[:26]


# Section 5: one state ------------------------------------------------------------------------


class Row(NamedTuple):
    """A row of the succession."""

    since: int
    keys: tuple[bytes, ...]  #: acting sign, acting wrap, recovery sign, recovery wrap
    by: str
    sig: str


class State(NamedTuple):
    """A state whose frame and signature hold."""

    n: int
    head: bytes
    doc: dict[str, Any]
    rows: tuple[Row, ...]


def frame(n: int, file: bytes) -> tuple[bytes, str, bytes]:
    """Body, the key's name, the signature."""
    tail = file[-139:].decode("latin-1")
    key, sig = tail[20:42], tail[51:137]
    again = f'\n[signature]\nkey = "{key}"\nsig = "{sig}"\n'
    good = len(file) <= 4 << 20 and file.startswith(b"pbem = 1\n") and not set(file) & {0, 13}
    try:
        unb64(key, 16)
        found = file[:-139], key, unb64(sig, 64)
    except ValueError:
        _no_frame(n)
    return found if good and tail == again else _no_frame(n)


def _no_frame(n: int) -> NoReturn:
    raise Fault("frame", n)


ROW = re.compile(rb'"(\d+(?: [A-Za-z0-9_-]{43}){4} \S+ \S+)"')


def signer(n: int, body: bytes, key: str, rows: tuple[Row, ...], game: str) -> bytes:
    """Whose key must have signed state n; found in the bytes, which are not parsed yet."""
    found = [_row(one[1].decode()) for one in ROW.finditer(body)]
    if n == 0:
        first = [one for one in found if one and not one.since and one.by == one.sig == "-"]
        named = [one for one in first if name_of(one.keys[0]) == key]
        return named[0].keys[0] if named else b""
    for one in found:
        mine = one and one.since == n and one.by == "recovery" and _sound(one)
        if one and mine and follows(one, rows[-1], game):
            return one.keys[0]
    return [one for one in rows if one.since <= n][-1].keys[0]


def _sound(row: Row | None) -> bool:
    """Whether its keys are somebody's."""
    if row is None or {*row.keys[::2]} & SMALL or not all(map(wraps, row.keys[1::2])):
        return False
    return row.keys[0] != row.keys[2] and row.keys[1] != row.keys[3]


def _row(text: str) -> Row | None:
    since, *keys, by, sig = text.split(" ")
    if not by or not sig:
        return None
    try:
        return Row(number(since), tuple(unb64(one, 32) for one in keys), by, sig)
    except ValueError:
        return None


def number(text: str) -> int:
    if not text.isascii() or str(int(text)) != text or int(text) < 0:
        raise ValueError(text)
    return int(text)


def follows(row: Row, before: Row, game: str) -> bool:
    if row.since < before.since + (row.by == "acting") or row.by not in ("acting", "recovery"):
        return False
    if row.by == "acting" and row.keys[2:] != before.keys[2:]:
        return False
    key = before.keys[0] if row.by == "acting" else before.keys[2]
    try:
        return holds(key, unb64(row.sig, 64), "keys", game, row.since, *row.keys)
    except ValueError:
        return False


ALWAYS = {"pbem", "n", "phase", "time", "referees", "wraps", "people", "setup", "clock"}
DEALT = {"contributions", "answered", "hands", "heads", "sealed", "commits", "openings", "entries",
         "events", "rulings", "position"}  # fmt: skip
SETUP = ["kind", "rulings", "version", "seats", "options", "commit", "round", "previous"]
ORDER = [
    "pbem", "n", "game", "prev", "restored", "phase", "time", "referees", "wraps", "people",
    "roster", "opened", "secret", "contributions", "answered", "hands", "heads", "replaced",
    "sealed", "commits", "openings", "entries", "consents", "events", "rulings", "setup", "clock",
    "position",
]  # fmt: skip
CLOCK = [
    "turn", "choice", "slots", "at", "zone", "days", "off", "bank", "grace", "regret", "remind",
    "missed", "strikes", "paused", "seats",
]  # fmt: skip
SETS = ("heads", "replaced", "sealed", "commits", "openings")
NONE = (
    "\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
TEXT = rf'"(?:[^{NONE}"\\]|\\["\\])*"'
LINE = re.compile(
    rf"([A-Za-z0-9_-]{{1,60}}) = (?:({TEXT})|(0|[1-9][0-9]{{0,17}})|(true|false)|(\[\])"
    rf"|\[\n((?:    {TEXT},\n)+)\])\n|\n\[([A-Za-z0-9_-]{{1,60}})\]\n"
)


def spelled(body: str) -> dict[str, Any]:
    """The document in a body of the grammar of section 5; ValueError where it is none."""
    doc: dict[str, Any] = {}
    table, place = doc, 0
    while place < len(body):
        found = LINE.match(body, place)
        if found is None:
            raise ValueError(body[place : place + 20])
        place = found.end()
        key, text, digits, flag, none, rows, name = found.groups()
        if (name or key) in (doc if name else table):
            raise ValueError("twice")
        if name:
            table = doc[name] = {}
        elif rows:
            table[key] = [plain(row) for row in re.findall(TEXT, rows)]
        elif text:
            table[key] = plain(text)
        else:
            table[key] = int(digits) if digits else [] if none else flag == "true"
    return doc


def plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])


def parse(n: int, body: bytes) -> dict[str, Any]:
    """The document, with the keys of its phase and rows of the right shape."""
    try:
        doc = spelled(body.decode())
        phase = doc["phase"]
        if doc["n"] > 999_999:
            raise ValueError("n")
        keys = ALWAYS | ({"game", "prev"} | ({"restored"} & doc.keys()) if doc["n"] else set())
        unb64(doc.get("restored", "A" * 43), 32)
        usual = ("genesis", "roster", "deal", "play")[min(doc["n"], 3)]
        if phase != usual and (phase != "closed" or not doc["n"]):
            raise ValueError(phase)
        keys |= {"roster": {"roster"}, "deal": {"opened"}, "closed": {"secret"}}.get(phase, set())
        if phase in ("deal", "play") or (phase == "closed" and doc["n"] > 2):
            keys |= DEALT | ({"replaced", "consents"} & doc.keys())
            if not doc["position"]:
                raise ValueError("position")
        if phase == "closed":
            keys |= {"rulings"}
        if list(doc) != [key for key in ORDER if key in keys] or doc["pbem"] != 1:
            raise ValueError("keys")
        position = list(doc.get("position", {}))
        if (list(doc["setup"]), list(doc["clock"])) != (SETUP, CLOCK):
            raise ValueError("tables")
        if position != sorted(position):
            raise ValueError("position")
        _shapes(doc)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Fault("document", n, str(error)) from error
    return doc


#: rows that are parts alone: the bytes in each, 0 for a text
ROWS = {
    "wraps": (16, 80),
    "heads": (0, 32),
    "commits": (0, 32),
    "openings": (0, 0, 32, 32),
    "sealed": (0, 32, 0),
    "replaced": (0, 0),
    "opened": (0, 32, 64),
}


#: of each ruling the operands, in the ways it may have them
OPERANDS = {
    "undo": ["to"], "restore": ["from"], "note": [""], "close": [""],
    "void": ["from"], "end": ["result", "result winners"], "clock": ["what"], "pause": ["until"],
    "extend": ["hours", "seat hours"], "resume": [""],
    "keys": ["by acting", "by acting name"], "correct": ["field old new", "slot old new"],
    "player": ["seat what", "seat what known", "seat what language", "seat what known language"],
}  # fmt: skip
CLASSES = ("opened", "plain", "none")
JOINED = ("key", "plain", "none")
EVENT = re.compile(
    r"[^ ]+ [^ ]+(?: [^ =:]+=[^ ]*)*(?: points:[^ =:]+=(?:\+0|[+-][1-9][0-9]{0,8}))*"
    r"(?: open:[^ =:]+=[^ ]+)*"
)
BOT = re.compile(r"bot:[A-Za-z0-9._-]{1,60}:[A-Za-z0-9.+!-]{1,30}")
NO_LETTERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    + "".join(chr(plane << 16 | end) for plane in range(17) for end in (0xFFFE, 0xFFFF))
    + "\U000e0080-\U000e0fff]"
)
SLOT = re.compile("[1-9][0-9]{0,5}/(?!order/|hand/)[a-z0-9-]{1,60}(/[a-z0-9-]{1,60}){1,2}")
SEAT = re.compile("[a-z0-9][a-z0-9-]{0,59}")
TAG = re.compile("[a-z]{2,3}(?:-[A-Z]{2})?")  # of a language
WHAT = ("name", "address", "language", "known")


def _shapes(doc: dict[str, Any]) -> None:
    if not all(map(_sound, map(_row, doc["referees"]))):
        raise ValueError("referees")
    for row in doc["people"]:
        _person(row)
    seats = doc["setup"]["seats"]
    if [row.split(" ")[0] for row in doc["people"]] != seats or len(set(seats)) != len(seats):
        raise ValueError("people")
    _ = at(doc["time"])
    _names([row.split(" ", 4)[4] for row in doc["people"]], seats)
    _clock(doc["clock"], seats)
    _rows(doc)
    _slots_named(doc)
    _cut(doc)
    for key in SETS:
        first = [row.split(" ")[0] for row in doc.get(key, ())]
        if first != sorted(first, key=number if key == "heads" else str):
            raise ValueError(key)


def at(text: str) -> int:
    """A time of section 5 in seconds."""
    found = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    if found.isoformat().replace("+00:00", "Z") != text:
        raise ValueError("time")
    return int(found.timestamp())


def _names(names: list[str], seats: list[str]) -> None:
    """Section 5: names of players."""
    folded = [
        unicodedata.normalize("NFC", name.casefold())
        for name in (*names, *seats, "all", "referee", "neutral", "spectators")
    ]
    if len(set(folded)) != len(folded):
        raise ValueError("names")
    for name in names:
        _a_name(name)


def _a_name(name: str) -> None:
    sorts = {unicodedata.category(letter) for letter in name if letter != " "}
    kinds = {"L" if sort == "Cn" else sort[0] for sort in sorts}  # who knows
    good = len(name) <= 60 and unicodedata.normalize("NFC", name) == name
    good &= all(name.split(" ")) and not NO_LETTERS.search(name)
    if not good or not kinds <= {"L", "M", "N", "P"} or not kinds & {"L", "N"}:
        raise ValueError("names")


WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
ZONE = re.compile("-|(?=.{1,60}$)[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
TIME_OF_DAY = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")


def _clock(clock: dict[str, Any], seats: list[str]) -> None:
    """Section 5: the clock."""
    for key in ("turn", "choice", "bank", "grace", "regret", "strikes"):
        if not isinstance(clock[key], int) or clock[key] > 9999:
            raise ValueError(key)
    _calendar(clock)
    _ = clock["paused"] == "-" or at(clock["paused"])
    rows = [row.split(" ") for row in clock["seats"]]
    for _, due, bank, strikes in rows:
        _ = due == "-" or at(due)
        if max(number(bank), number(strikes)) > 9999:
            raise ValueError("seats")
    nothing: tuple[Any, ...] = (0, [], "-")
    used = {key for key in CLOCK[:-1] if clock[key] not in nothing}
    if runs(clock):
        good = "slots" not in used or not used & {"turn", "choice", "at"}
    else:
        good = used <= {"missed", "regret"} and clock["missed"] != "bot"
        good &= all(row[1:] == ["-", "0", "0"] for row in rows)
    good &= clock["missed"] in ("wait", "default", "bot")
    if not good or [row[0] for row in rows] != seats:
        raise ValueError("clock")


def _calendar(clock: dict[str, Any]) -> None:
    """Days, hours of the day, the zone they are of."""
    slots = [row.split(" ") for row in clock["slots"]]
    orders: list[list[Any]] = [
        [(WEEK.index(day), hour) for day, hour in slots],
        [WEEK.index(day) for day in clock["days"]],
        [-number(hours) for hours in clock["remind"]],
    ]
    if any(found != sorted(set(found)) for found in orders):
        raise ValueError("clock")
    if not all(re.fullmatch("[1-9][0-9]{0,3}", hours) for hours in clock["remind"]):
        raise ValueError("remind")
    free = [day for row in clock["off"] for day in row.split(" ")]
    for day in free:
        _ = at(f"{day}T00:00:00Z")
    if any(len(row) != 21 for row in clock["off"]) or not _in_order(free):
        raise ValueError("off")
    hours = [hour for _, hour in slots] + [clock["at"]] * (clock["at"] != "-")
    if not all(map(TIME_OF_DAY.fullmatch, hours)):
        raise ValueError("at")
    local = bool(hours or clock["days"] or free)
    if (local and clock["zone"] == "-") or not ZONE.fullmatch(clock["zone"]):
        raise ValueError("zone")


def _in_order(days: list[str]) -> bool:
    """First and last days by turns: a range may be one day, two ranges have none in common."""
    pairs = pairwise(days)
    return all(a < b or (a == b and i % 2 == 0) for i, (a, b) in enumerate(pairs))


def missed(doc: dict[str, Any], row: list[str]) -> int:
    """When the turn of a row of a clock, with a due, is missed."""
    return at(row[0]) + (int(row[1]) + int(doc["clock"]["grace"])) * 3600


def latest(clock: dict[str, Any], begin: int) -> int:
    """Section 5: the last moment at which what is asked at this one, or then, can be due."""
    weeks = 7 * 86400
    spans = 2 * max(clock["turn"], clock["choice"]) * 3600
    last = begin + (2 * weeks if clock["slots"] else spans) + 10 * weeks
    for row in clock["off"]:
        first, end = (at(f"{day}T00:00:00Z") for day in row.split(" "))
        if first <= last:
            last = max(last, end + 10 * weeks)
    return last


def paused(doc: dict[str, Any], moment: int) -> int:
    """What is left of the pause of a state, at this moment."""
    until = doc["clock"]["paused"]
    return max(0, at(until) - moment) if until != "-" else 0


def runs(clock: dict[str, Any]) -> bool:
    return bool(clock["turn"] or clock["slots"])


def _rows(doc: dict[str, Any]) -> None:
    for row in doc.get("hands", ()):
        unb64(row.split(" ", 1)[1], 32)
    for key in ("answered", "contributions", "hands"):
        if key in doc and [row.split(" ")[0] for row in doc[key]] != doc["setup"]["seats"]:
            raise ValueError(key)
    for row in doc.get("roster", ()):
        _joined(row, doc["setup"]["seats"])
    for row in doc.get("answered", ()):
        number(row.split(" ")[1])
    if any(row.split(" ")[1] not in CLASSES for row in doc.get("contributions", ())):
        raise ValueError("contributions")
    for row in doc.get("rulings", ()):
        _ruling(row)
    _settled(doc["setup"])


def _joined(row: str, seats: list[str]) -> None:
    seat, what, *more = row.split(" ", 2)
    if not all(row.split(" ")) or seat not in seats:
        raise ValueError("roster")
    if what not in JOINED or (what in ("key", "plain")) != bool(more):
        raise ValueError("roster")
    if what == "key":
        _ = [unb64(b, size) for b, size in zip(more[0].split(" "), (32, 32, 64), strict=True)]


def _settled(setup: dict[str, Any]) -> None:
    """What people read of what was settled."""
    options = [row.partition("=") for row in setup["options"]]
    if len({name for name, sign, _ in options if name and sign}) != len(options):
        raise ValueError("options")
    if any(" " in name for name, _, _ in options) or not setup["seats"]:
        raise ValueError("options")
    for seat in setup["seats"]:
        if not SEAT.fullmatch(seat) or seat in ("all", "spectators", "referee", "neutral"):
            raise ValueError("seats")
    for text in (setup["kind"], setup["rulings"], setup["version"]):
        if not 0 < len(text) <= 60 or " " in text:
            raise ValueError("setup")
    if not isinstance(setup["round"], int) or not 1 <= setup["round"] <= 999:
        raise ValueError("round")
    if (setup["round"] == 1) != (setup["previous"] == "none"):
        raise ValueError("round")
    if setup["previous"] != "none":
        unb64(setup["previous"], 32)
    unb64(setup["commit"], 32)


def _slots_named(doc: dict[str, Any]) -> None:
    """Section 7: slots of hidden things."""
    for key in ("replaced", "sealed", "commits", "openings"):
        for row in doc.get(key, ()):
            named = row.split(" ")[: 1 + (key == "replaced")]
            if not all(map(SLOT.fullmatch, named)):
                raise ValueError(key)


def _cut(doc: dict[str, Any]) -> None:
    """Rows of parts."""
    for key, sizes in ROWS.items():
        for row in doc.get(key, ()):
            for part, size in zip(row.split(" "), sizes, strict=True):
                _ = size and unb64(part, size)
                if not part:
                    raise ValueError(key)
    for row in doc.get("events", ()):
        if not EVENT.fullmatch(row):
            raise ValueError("events")
        for word, who, value in re.findall(" (points|open):([^ =:]+)=([^ ]+)", row):
            seat = who in doc["setup"]["seats"] or (word, who) == ("open", "all")
            if not seat or (word == "open" and not SLOT.fullmatch(value)):
                raise ValueError("events")
    if "replaced" in doc and not doc["replaced"]:
        raise ValueError("replaced")
    _entries(doc)


def _entries(doc: dict[str, Any]) -> None:
    """Entries, and what players agreed to."""
    for row in doc.get("entries", ()):
        seat, source, c, token, words = row.split(" ", 4)
        unb64(c, 32)
        if seat not in doc["setup"]["seats"] or not token or not all(words.split(" ")):
            raise ValueError("entries")
        if source not in (*PLAIN, *GIVEN, "signed", "ruling") and not BOT.fullmatch(source):
            raise ValueError("entries")
    if "consents" in doc and not doc["consents"]:
        raise ValueError("consents")
    for row in doc.get("consents", ()):
        _, answer, sig = row.split(" ")
        unb64(sig, 64)
        if answer not in ("yes", "no"):
            raise ValueError("consents")


def _ruling(row: str) -> None:
    name, operands = operands_of(row)
    words = row.split(" : ", 1)[0].split(" ")[1:]
    keys = [word.split("=", 1)[0] for word in words]
    if not 3 <= len(row.partition(" : ")[2]) <= 200 or " ".join(keys) not in OPERANDS.get(name, ()):
        raise ValueError("rulings")
    if not all(row.partition(" : ")[2].split(" ")):
        raise ValueError("rulings")
    empty = {key for key, value in operands.items() if not value} - {"old", "new"}
    for word in words:
        if empty or re.search("%(?!20|25)", word.split("=", 1)[1]):
            raise ValueError("rulings")
    k = operands.get("to", operands.get("from"))
    what = operands.get("what", "").split(",")
    if k is not None and not re.fullmatch("[1-9][0-9]{0,5}", k):
        raise ValueError("rulings")
    there = [one for one in WHAT if one in what]
    if name == "player" and (what != there or ("known" in what) != ("known" in keys)):
        raise ValueError("rulings")
    _timed(name, operands)
    if "language" in keys and ("language" not in what or not TAG.fullmatch(operands["language"])):
        raise ValueError("rulings")
    if name == "keys" and "name" in keys:
        _a_name(operands["name"])


def _timed(name: str, operands: dict[str, str]) -> None:
    """Operands of the rulings on the clock and the end."""
    good = True
    if name == "clock":
        chosen = operands["what"].split(",")
        good = chosen == [key for key in CLOCK[:-2] if key in chosen]
    elif name == "extend":
        good = re.fullmatch("[1-9][0-9]{0,3}", operands["hours"]) is not None
    elif name == "pause":
        _ = at(operands["until"])
    elif name == "end":
        won = bool(operands.get("winners"))
        good = (operands["result"], won) in (("drawn", False), ("conceded", True), ("agreed", True))
        good &= won == ("winners" in operands)
    if not good:
        raise ValueError("rulings")


def _person(row: str) -> None:
    _, known, key, since, name = row.split(" ", 4)
    number(since)
    if known not in KINDS_OF_KNOWING or (known != "key" and key != "-") or not name:
        raise ValueError("people")
    if key != "-" and unb64(key, 32) in SMALL:
        raise ValueError("people")


# Sections 5 to 9: the chain ------------------------------------------------------------------


class Chain:
    """A game's states, verified one after the other."""

    def __init__(self, states: dict[int, bytes]) -> None:
        self.states: list[State] = []
        self.game = ""
        self.made: dict[str, tuple[int, bytes]] = {}  #: slot: (link, C)
        if not states:
            raise Fault("missing", 0)
        for n in range(max(states) + 1):
            if n not in states:
                raise Fault("missing", n)
            self.add(n, states[n])

    @property
    def docs(self) -> list[dict[str, Any]]:
        return [one.doc for one in self.states]

    def add(self, n: int, file: bytes) -> None:
        body, key, sig = frame(n, file)
        rows = self.states[-1].rows if self.states else ()
        public = signer(n, body, key, rows, self.game)
        if name_of(public) != key or not holds(public, sig, "state", body):
            raise Fault("signature", n)
        doc = parse(n, body)
        own = [row for row in map(_row, doc["referees"]) if row and row.since <= n]
        if public not in [row.keys[0] for row in own]:
            raise Fault("signature", n, "by a key that is none of its referees'")
        state = State(n, h(file), doc, tuple(r for r in map(_row, doc["referees"]) if r))
        if doc["n"] != n:
            raise Fault("number", n)
        before = self.states[-1] if self.states else None
        self._succession(state, before)
        if before is None:
            self.game = game_of(file)
            if any(row.split(" ", 4)[2:4] != ["-", "0"] for row in doc["people"]):
                raise Fault("roster", n)
            fresh = [f"{seat} - {doc['clock']['bank']} 0" for seat in doc["setup"]["seats"]]
            if doc["clock"]["seats"] != fresh or doc["clock"]["paused"] != "-":
                raise Fault("clock", n)
        else:
            self._follows(state, before)
            self._players(state, before)
            self._heads(state)
            self._rulings(state, before)
            self._time(state, before)
            self._slots(state, before)
        self.states.append(state)

    def _succession(self, state: State, before: State | None) -> None:
        doc, n = state.doc, state.n
        acting, _, recovery, _ = state.rows[-1].keys
        names = [name_of(acting), name_of(recovery)]
        if [row.split(" ")[0] for row in doc["wraps"]] != names:
            raise Fault("succession", n)
        if before is None:
            if len(state.rows) != 1 or state.rows[0].since or state.rows[0].by != "-":
                raise Fault("succession", n)
            return
        old, new = before.rows, state.rows
        if new[: len(old)] != old or len(new) > len(old) + 1:
            raise Fault("succession", n)
        last = old[-1]
        for row in new[len(old) :]:
            if not follows(row, last, self.game) or row.since != n + (row.by == "acting"):
                raise Fault("succession", n)
            last = row
        if new == old and doc["wraps"] != before.doc["wraps"]:
            raise Fault("succession", n)
        if new != old and n < 3:
            raise Fault("succession", n)

    def _follows(self, state: State, before: State) -> None:
        doc, n = state.doc, state.n
        if doc["game"] != self.game:
            raise Fault("game", n)
        if before.doc["phase"] == "closed":
            raise Fault("closed", n)
        if doc["prev"] != b64(before.head):
            raise Fault("chain", n)
        known = b64(before.head) if restores(before.doc) else before.doc.get("restored", "")
        if doc.get("restored", "") != known:
            raise Fault("chain", n, "restored")
        if doc["setup"] != before.doc["setup"]:
            raise Fault("settled", n)

    def _players(self, state: State, before: State) -> None:
        doc, n = state.doc, state.n
        if doc["phase"] == "roster":
            self._roster(doc, before)
        elif doc["phase"] == "deal":
            self._opened(doc, before)
        elif doc.get("contributions") != before.doc.get("contributions"):
            raise Fault("opened", n)
        rows = [row.split(" ", 4) for row in doc["people"]]
        keys = [row[2] for row in rows if row[2] != "-"]
        bare = [row for row in rows if row[1] == "key" and row[2] == "-"]
        given_up = doc["phase"] == "closed" and "position" not in doc
        if (given_up or doc["phase"] == "deal") and doc["people"] != before.doc["people"]:
            raise Fault("roster", n)
        if len(set(keys)) != len(keys) or (bare and not given_up):
            raise Fault("roster", n)

    def _roster(self, doc: dict[str, Any], before: State) -> None:
        gave = [row.split(" ", 2) for row in doc["roster"]]
        keys: dict[str, str] = {}
        if [one[0] for one in gave] != doc["setup"]["seats"]:
            raise Fault("roster", 1)
        for seat, what, *rest in gave:
            if what == "key":
                try:
                    key, c, sig = rest[0].split(" ")
                    parts = (before.head, seat, unb64(key, 32), unb64(c, 32))
                    good = holds(unb64(key, 32), unb64(sig, 64), "join", *parts)
                except ValueError:
                    good = False
                if not good or key in keys.values():
                    raise Fault("roster", 1, seat)
                keys[seat] = key
        for row, old in zip(doc["people"], before.doc["people"], strict=True):
            seat, _, _, since, name = old.split(" ", 4)
            want = f"{seat} key {keys[seat]} {since} {name}" if seat in keys else old
            if row != want:
                raise Fault("roster", 1, seat)

    def _opened(self, doc: dict[str, Any], before: State) -> None:
        gave = {row.split(" ")[0]: row.split(" ")[1:] for row in before.doc["roster"]}
        wanted = [seat for seat, what in gave.items() if what[0] == "key"]
        rows = [row.split(" ") for row in doc["opened"]]
        if [row[0] for row in rows] != wanted:
            raise Fault("opened", 2)
        head0, head1 = self.states[0].head, before.head
        for seat, text, sig in rows:
            _, key, c, _ = gave[seat]
            try:
                r = unb64(text, 32)
                good = b64(h(pae("pbem/1/contribution", head0, seat, r))) == c
                good &= holds(unb64(key, 32), unb64(sig, 64), "opening", head1, seat, r)
            except ValueError:
                good = False
            if not good:
                raise Fault("opened", 2, seat)
        given = {"key": "opened"}
        classes = [f"{s} {given.get(w[0], w[0])}" for s, w in gave.items()]
        if doc["contributions"] != classes:
            raise Fault("opened", 2)

    def _heads(self, state: State) -> None:
        seen = set()
        for row in state.doc.get("heads", ()):
            m, head = row.split(" ")
            if not m.isdecimal() or not 0 < int(m) <= state.n or m in seen:
                raise Fault("heads", state.n)
            if head != b64(self.states[int(m) - 1].head):
                raise Fault("heads", state.n)
            seen.add(m)

    def _rulings(self, state: State, before: State) -> None:
        doc, old, n = state.doc, before.doc, state.n
        names = [row.split(" ")[0] for row in doc.get("rulings", ())]
        if doc["phase"] == "closed":
            secret = commit_s(unb64(doc["secret"], 32))
            ends = [["close"], ["end"]] if "position" in doc else [["close"]]
            if names not in ends or secret != doc["setup"]["commit"]:
                raise Fault("ruling", n)
        if doc["phase"] == "deal":
            empty = [f"{seat} 0" for seat in doc["setup"]["seats"]]
            other = names or {"replaced", "consents"} & doc.keys()
            if doc["entries"] or other or doc["answered"] != empty:
                raise Fault("ruling", n)
        elif "position" in doc:
            if names:
                self._ruled(doc, old, names, n)
            else:
                self._without(doc, old, n)

    def _ruled(self, doc: dict[str, Any], old: dict[str, Any], names: list[str], n: int) -> None:
        busy = doc["entries"] or doc["events"] or doc["openings"]
        several = len(set(names)) > 1 or (len(names) > 1 and names[0] != "correct")
        if several or busy or bool({"close", "end"} & {*names}) != (doc["phase"] == "closed"):
            raise Fault("ruling", n)
        name, operands = operands_of(doc["rulings"][0])
        if (doc["referees"] != old["referees"]) != (name == "keys"):
            raise Fault("ruling", n)
        if name == "keys" and not self._appoints(doc, operands):
            raise Fault("ruling", n)
        self._people(doc, old, name, operands, n)
        if name == "restore" and operands["from"] != str(n - 1):
            raise Fault("ruling", n)
        void = name == "void" and not 2 <= int(operands["from"]) < n
        if void or not self._on_time(doc, old, name, operands):
            raise Fault("ruling", n)
        if name == "undo":
            if not 2 <= int(operands["to"]) < n - 1:
                raise Fault("ruling", n)
            old = self.states[int(operands["to"])].doc
            if doc["position"].get("looked"):
                old = {**old, "position": old["position"] | {"looked": doc["position"]["looked"]}}
        self._consents(doc, self.states[n - 1].doc, name, operands, n)
        if not (_corrects(doc, old) if name == "correct" else _stands(doc, old)):
            raise Fault("ruling", n)

    def _appoints(self, doc: dict[str, Any], operands: dict[str, str]) -> bool:
        row = [row for row in map(_row, doc["referees"]) if row][-1]
        return [row.by, name_of(row.keys[0])] == [operands["by"], operands["acting"]]

    def _on_time(self, doc: dict[str, Any], old: dict[str, Any], name: str, operands: dict[str, str]) -> bool:
        """What a ruling says of the clock, or of who won, can be so."""
        seats, now = doc["setup"]["seats"], at(doc["time"])
        was = old["clock"]["paused"]
        left = at(was) - now if was != "-" else 0
        if name == "extend":
            rows = [row.split(" ") for row in old["clock"]["seats"]]
            return any(due != "-" and operands.get("seat", s) == s for s, due, _, _ in rows)
        if name == "pause":
            until = operands["until"]
            good = doc["clock"]["paused"] == until and runs(doc["clock"])
            return good and at(until) > now + max(0, left)
        if name == "end":
            won = operands["winners"].split(",") if "winners" in operands else []
            everybody = operands["result"] == "conceded" and won == seats
            return won == [seat for seat in seats if seat in won] and not everybody
        if name == "clock" and not runs(doc["clock"]) and doc["clock"]["missed"] != "wait":
            return False
        return name != "resume" or left > 0

    def _consents(self, doc: dict[str, Any], old: dict[str, Any], name: str, operands: dict[str, str], n: int) -> None:
        seats, asked = doc["setup"]["seats"], set[str]()
        if name == "undo":
            asked = self._learned(n - 1, int(operands["to"]))
        elif name == "end":
            won = operands.get("winners", "").split(",") if operands["result"] == "conceded" else []
            asked = set(seats) - {*won}
        elif name in TIMED and _moved(doc, old) > 0 and self._delayed(doc):
            if name == "clock":
                raise Fault("ruling", n, "too far")
            asked = set(seats)
        keys = {row.split(" ")[0]: row.split(" ")[2] for row in old["people"]}
        wanted = [seat for seat in seats if seat in asked and keys[seat] != "-"]
        rows = [row.split(" ") for row in doc.get("consents", ())]
        if [row[0] for row in rows] != wanted:
            raise Fault("ruling", n, "consents")
        act, head = doc["rulings"][0].split(" : ", 1)[0], self.states[n - 1].head
        for seat, answer, sig in rows:
            parts = (self.game, head, seat, act, answer)
            if answer != "yes" or not holds(unb64(keys[seat], 32), unb64(sig, 64), "consent", *parts):
                raise Fault("ruling", n, "consent")

    def _delayed(self, doc: dict[str, Any]) -> bool:
        """Whether deadlines were moved by more than 30 days in the last 60, with this ruling."""
        hours = 0
        for old, one in reversed([*pairwise([*self.docs, doc])]):
            if at(doc["time"]) - at(one["time"]) > 60 * 86400:
                break
            if (one.get("rulings") or ["play"])[0].split(" ")[0] in TIMED:
                hours += _moved(one, old)
            if hours > 30 * 24:
                return True
        return False

    def _learned(self, newest: int, to: int) -> set[str]:
        """Section 9: who must agree, of the states that an undo takes back, or that count again."""
        late, other, found = newest, to, set[str]()
        while late != other:
            late, other = max(late, other), min(late, other)
            doc = self.docs[late]
            late = self._played_on(late)
            if any(row.startswith("undo ") for row in doc["rulings"]):
                continue
            movers = {row.split(" ")[0] for row in doc["entries"]}
            opens = [
                word[5:].split("=") for row in doc["events"] for word in row.split(" ") if word.startswith("open:")
            ]
            own = f"{doc['n']}/"
            if any(who not in movers or not slot.startswith(own) for who, slot in opens):
                found |= set(doc["setup"]["seats"]) - (movers if len(movers) == 1 else set())
        return found

    def _played_on(self, n: int) -> int:
        """The state that state n was played on from."""
        name, operands = operands_of((self.docs[n]["rulings"] or ["note : none"])[0])
        return int(operands["to"]) if name == "undo" else n - 1

    def _time(self, state: State, before: State) -> None:
        """Section 12, `clock`."""
        doc, old, n = state.doc, before.doc, state.n
        name, operands = operands_of((doc.get("rulings") or ["play : none"])[0])
        clock, was, now = doc["clock"], old["clock"], at(doc["time"])
        rows = {row.split(" ")[0]: row.split(" ")[1:] for row in clock["seats"]}
        olds = {row.split(" ")[0]: row.split(" ")[1:] for row in was["seats"]}
        closed = doc["phase"] == "closed"
        if now < at(old["time"]):
            raise Fault("clock", n, "time")
        if ("position" not in doc or closed) and any(due != "-" for due, _, _ in rows.values()):
            raise Fault("clock", n, "due")
        told = {"pause": ["paused"], "resume": ["paused"]}.get(name, [])
        told = operands["what"].split(",") if name == "clock" else told
        other = {key for key in CLOCK[:-1] if clock[key] != was[key]}
        if not runs(clock) and told:
            other.discard("paused")
        if other != set(told):
            raise Fault("clock", n, "options")
        left = max(0, at(was["paused"]) - now) if was["paused"] != "-" else 0
        shift = {"resume": -left}.get(name, 0)
        shift = at(clock["paused"]) - now - left if name == "pause" else shift
        counts = {row.split(" ")[0]: row for row in doc.get("answered", ())}
        counted = {row.split(" ")[0]: row for row in old.get("answered", ())}
        for seat, row in rows.items():
            same = counts.get(seat) == counted.get(seat)
            moved = shift
            if name == "extend" and operands.get("seat", seat) == seat:
                moved = int(operands["hours"]) * 3600
            turned = runs(clock) != runs(was)
            if name not in ("play", *TIMED) and same and not closed and row != olds[seat]:
                raise Fault("clock", n, seat)
            stays = name not in ("play", "undo", "correct") and not closed and not turned
            if stays and (row[0] == "-") != (olds[seat][0] == "-"):
                raise Fault("clock", n, seat)
            kept = same or name != "play"
            self._seat(doc, seat, row, olds[seat], kept, not same, moved)
        self._early(doc, old)

    def _promised(self, now: dict[str, Any], seat: str) -> tuple[int, int]:
        """When a question was due, and missed, that the seat had since it answered, both without
        what is left of a pause; 0: never.
        """
        doc, moment = now, at(now["time"])
        while doc["n"] > 2 and not any(e.startswith(f"{seat} ") for e in doc.get("entries", ())):
            doc = self.docs[doc["n"] - 1]
            rows = (row.split(" ") for row in doc["clock"]["seats"])
            row = next(row[1:] for row in rows if row[0] == seat)
            if row[0] != "-":
                left = paused(doc, moment)
                known = (at(row[0]) - left, missed(doc, row) - left)
                return known if doc["n"] < now["n"] - 1 else (0, 0)
        return 0, 0

    def _seat(
        self, doc: dict[str, Any], seat: str, row: list[str], old: list[str], kept: bool,
        answered: bool, shift: int,
    ) -> None:  # fmt: skip
        """``kept``: the due before binds; ``answered``: the seat's count is another."""
        name, operands = operands_of((doc.get("rulings") or ["play : none"])[0])
        good = row[0] == "-" or (
            self._new_due(doc, seat, row, old, answered, name)
            and self._old_due(doc, row, old, kept and old[0] != "-", shift, name)
        )
        if not good or not self._counts(doc, seat, row, old, name, operands):
            raise Fault("clock", doc["n"], seat)

    def _new_due(
        self, doc: dict[str, Any], seat: str, row: list[str], old: list[str], answered: bool,
        name: str,
    ) -> bool:  # fmt: skip
        clock, now, was = doc["clock"], at(doc["time"]), self.docs[doc["n"] - 1]["clock"]
        spans = [clock[key] for key in ("turn", "choice") if clock[key]]
        spans = [12] if clock["slots"] else spans
        begin = now if clock["paused"] == "-" else max(now, at(clock["paused"]))
        fresh = old[0] == "-" or (answered and name == "play")
        good = not fresh or at(row[0]) >= begin + min(spans, default=0) * 3600
        counts = old[0] == "-" or (clock["missed"] != "wait" and was["missed"] == "wait")
        if counts if name == "clock" else (answered and name != "play"):
            good = good and at(row[0]) >= now + 72 * 3600
        if old[0] == "-" or answered or name == "clock":
            end = latest(clock, begin) if counts or answered else 0
            good = good and at(row[0]) <= max(end, self._told_so(doc, seat, row))
        least, last = self._promised(doc, seat)
        left = paused(doc, now)
        return good and at(row[0]) - left >= least and missed(doc, row) - left >= last

    def _told_so(self, doc: dict[str, Any], seat: str, row: list[str]) -> int:
        """The due that the seat was told of since it answered, before this state; with what was
        left of its reserve and the grace then and is not now, and what is left of a pause since.
        """
        old, now = doc, at(doc["time"])
        while old["n"] > 2:
            old = self.docs[old["n"] - 1]
            was = next(r.split(" ")[1:] for r in old["clock"]["seats"] if r.startswith(f"{seat} "))
            if was[0] != "-":
                less = missed(old, was) - (int(row[1]) + int(doc["clock"]["grace"])) * 3600
                return max(at(was[0]), less) + max(0, paused(doc, now) - paused(old, now))
            if any(entry.startswith(f"{seat} ") for entry in old.get("entries", ())):
                break
        return 0

    def _old_due(
        self, doc: dict[str, Any], row: list[str], old: list[str], kept: bool, shift: int,
        name: str,
    ) -> bool:  # fmt: skip
        if not kept:
            return at(row[0]) > at(doc["time"])
        moved = at(row[0]) - at(old[0])
        if name in ("play", "extend", "pause", "resume"):
            return moved == shift
        over = missed(doc, row) - missed(self.docs[doc["n"] - 1], old)
        return moved >= shift and over >= shift

    def _counts(
        self, doc: dict[str, Any], seat: str, row: list[str], old: list[str], name: str,
        operands: dict[str, str],
    ) -> bool:  # fmt: skip
        """Bank and strikes."""
        n, now, was = doc["n"], at(doc["time"]), self.docs[doc["n"] - 1]["clock"]
        bank, strikes = int(row[1]), int(row[2])
        entries = [entry.split(" ") for entry in doc.get("entries", ())]
        sources = {e[1].split(":")[0] for e in entries if e[0] == seat}
        late = old[0] != "-" and sources - {"forced"}
        begun = max(0, -((at(old[0]) - now) // 3600)) if late else 0
        good = 0 <= int(old[1]) - bank <= begun
        if name == "clock" and "bank" in operands["what"].split(","):
            good = bank == doc["clock"]["bank"]
        others = bool(sources & {"default", "bot"})
        own = bool(sources - {"default", "bot", "forced", "ruling"})
        since = next(r.split(" ")[3] for r in doc["people"] if r.startswith(f"{seat} "))
        turned = runs(doc["clock"]) != runs(was) or (name == "player" and since == str(n))
        ruled = name == "clock" and "strikes" in operands["what"].split(",")
        anew = not strikes and (ruled or turned)
        start = 0 if own or anew else int(old[2])
        opened = 0 < doc["clock"]["strikes"] <= strikes and not 0 < was["strikes"] <= int(old[2])
        return good and strikes in (start, start + others) and not (name != "play" and opened)

    def _early(self, doc: dict[str, Any], old: dict[str, Any]) -> None:
        clock, now = old["clock"], at(doc["time"])
        keys = {row.split(" ")[0]: row.split(" ")[2] for row in old["people"]}
        rows = {row.split(" ")[0]: row.split(" ")[1:] for row in clock["seats"]}
        for i, entry in enumerate(doc.get("entries", ()) if runs(clock) else ()):
            seat, source = entry.split(" ")[:2]
            if i == 0 and rows[seat][0] == "-":
                raise Fault("clock", doc["n"], seat)
            due, _, strikes = rows[seat]
            kind = source.split(":")[0]
            if kind != "default" and (kind != "bot" or keys[seat] == "-" or 0 < clock["strikes"] <= int(strikes)):
                continue
            late = due != "-" and now >= missed(old, rows[seat])
            if not late or (clock["paused"] != "-" and now < at(clock["paused"])):
                raise Fault("clock", doc["n"], seat)

    def _without(self, doc: dict[str, Any], old: dict[str, Any], n: int) -> None:
        told = dict(row.split(" ") for row in old["answered"])
        for row in doc["entries"]:
            seat = row.split(" ")[0]
            told[seat] = str(int(told.get(seat, "0")) + 1)
        same = all(doc.get(k) == old.get(k) for k in ("referees", "people", "replaced"))
        counted = doc["answered"] == [" ".join(pair) for pair in told.items()]
        keys = {row.split(" ")[0]: row.split(" ")[2] for row in old["people"]}
        ways = {row.split(" ")[0]: row.split(" ")[1] for row in old["people"]}
        missed = old["clock"]["missed"]
        bots = {missed, self.docs[0]["clock"]["missed"]} == {"bot"}
        for seat, source in (row.split(" ")[:2] for row in doc["entries"]):
            if source == "default" and missed != "default":
                raise Fault("ruling", n, "default")
            if source.startswith("bot:") and keys.get(seat) != "-" and not bots:
                raise Fault("ruling", n, "bot")
            own = source not in GIVEN and not source.startswith("bot:")
            if own and ways[seat] not in SEATS_OF.get(source, ()):
                raise Fault("ruling", n, "source")
        if not doc["entries"] or not same or not counted or "consents" in doc:
            raise Fault("ruling", n)

    def _people(self, doc: dict[str, Any], old: dict[str, Any], name: str, operands: dict[str, str], n: int) -> None:
        seats, free = doc["setup"]["seats"], operands.get("seat", "")
        what = operands.get("what", "").split(",")
        void = set(seats) if name in ("undo", "correct", "void") else set()
        if name == "player" and free not in seats:
            raise Fault("ruling", n)
        for row, was in zip(doc["people"], old["people"], strict=True):
            seat, known, key, since, who = row.split(" ", 4)
            _, known_was, key_was, since_was, who_was = was.split(" ", 4)
            mine = name == "player" and seat == free
            if mine and since == str(n):
                void.add(seat)
            changed = (known, key, who) != (known_was, key_was, who_was)
            if changed and not (mine and since == str(n)):
                raise Fault("ruling", n)
            if mine and not _says(operands, what, (known, key, who), (known_was, key_was, who_was)):
                raise Fault("ruling", n)
            if mine and (since == str(n)) != bool({*what} & {"name", "known"}):
                raise Fault("ruling", n)
            if since != (str(n) if seat in void else since_was):
                raise Fault("ruling", n)
        told = [f"{s} {int(k) + (s in void)}" for s, k in (r.split(" ") for r in old["answered"])]
        if doc["answered"] != told:
            raise Fault("ruling", n)

    def _slots(self, state: State, before: State) -> None:
        doc, n = state.doc, state.n
        if "position" not in doc:
            return
        new = [tuple(row.split(" ")) for row in doc["commits"]]
        held = _commitments(self._base(doc, before))
        fresh: dict[str, str] = {}
        for slot, c in new:
            if slot.split("/")[0] != str(n) or slot in fresh or slot in self.made:
                raise Fault("slots", n, slot)
            fresh[slot] = c
            self.made[slot] = n, unb64(c, 32)
        known = {**held, **fresh}
        opened = [row.split(" ") for row in doc["openings"]]
        here = [tuple(row.split(" ")[:2]) for row in doc["sealed"]]
        here += [(slot, c) for slot, _, _, c in opened]
        names = [slot for slot, _ in here]
        if len(set(names)) != len(names) or any(known.get(slot) != c for slot, c in here):
            raise Fault("slots", n)
        if set(known) != set(names):
            raise Fault("slots", n)
        for slot, value, k, c in opened:
            if not opens(self.game, slot, value, unb64(k, 32), unb64(c, 32)):
                raise Fault("opening", n, slot)
        makers = sorted({int(row.split("/")[0]) for row in doc["sealed"]})
        if [int(row.split(" ")[0]) for row in doc["heads"]] != makers:
            raise Fault("slots", n, "heads")

    def _base(self, doc: dict[str, Any], before: State) -> dict[str, Any]:
        """The state whose slots this one goes on with; without what a correction replaces."""
        base = before.doc
        for row in doc["rulings"]:
            name, operands = operands_of(row)
            if name == "undo":
                return self.states[int(operands["to"])].doc
            if name == "correct" and "slot" in operands:
                gone = operands["old"]
                left = [r for r in base["sealed"] if r.split(" ")[0] != gone]
                base = {**base, "sealed": left}
        return base


def _says(operands: dict[str, str], what: list[str], now: tuple[str, ...], was: tuple[str, ...]) -> bool:
    """Whether a ruling on a player tells all that is another of him."""
    if now[2] != was[2] and "name" not in what:
        return False
    return operands["known"] == now[0] if "known" in what else now[:2] == was[:2]


TIMED = ("clock", "extend", "pause", "resume")


def _moved(doc: dict[str, Any], old: dict[str, Any]) -> int:
    """Section 9: by how many hours a state moves the dues that there were, at most."""
    pairs = [
        [row.split(" ")[1] for row in rows] for rows in zip(doc["clock"]["seats"], old["clock"]["seats"], strict=True)
    ]
    seconds = [at(now) - at(was) for now, was in pairs if "-" not in (now, was)]
    return max((-(-one // 3600) for one in seconds), default=0)


def commit_s(secret: bytes) -> str:
    return b64(h(pae("pbem/1/secret", secret)))


def opens(game: str, slot: str, value: str | bytes, k: bytes, c: bytes) -> bool:
    return len(k) == 32 and h(pae("pbem/1/commit", game, slot, k, value)) == c


def operands_of(row: str) -> tuple[str, dict[str, str]]:
    name, *words = row.split(" : ", 1)[0].split(" ")
    pairs = (word.split("=", 1) for word in words)
    return name, {key: v.replace("%20", " ").replace("%25", "%") for key, v in pairs}


def _commitments(doc: dict[str, Any]) -> dict[str, str]:
    rows = (row.split(" ") for row in doc.get("sealed", ()))
    return {slot: c for slot, c, _ in rows}


def _corrects(doc: dict[str, Any], old: dict[str, Any]) -> bool:
    """Section 9, `correct`: what the rows say is another, and nothing else."""
    position = {key: list(v) if isinstance(v, list) else v for key, v in old["position"].items()}
    replaced = dict(row.split(" ") for row in old.get("replaced", ()))
    sealed, fresh = _commitments(old), dict(row.split(" ") for row in doc["commits"])
    stood, number_ = dict(replaced), 0
    for row in doc["rulings"]:
        _, said = operands_of(row)
        if "field" in said:
            before = {key: list(v) if isinstance(v, list) else v for key, v in position.items()}
            good = corrected(position, said["field"], said["old"], said["new"])
            if not good or position == before:
                return False
            continue
        slot, was, new = said["slot"], said["old"], said["new"]
        number_ += 1
        if new != f"{doc['n']}/corrected/{number_}" or stood.get(slot, slot) != was:
            return False
        if slot in stood.values():
            return False
        if was not in sealed or new not in fresh:
            return False
        replaced[slot] = new
        del sealed[was]
        sealed[new] = fresh.pop(new)
    touched = {operands_of(row)[1].get("field", "").split(".")[0] for row in doc["rulings"]}
    same = position.keys() == doc["position"].keys()
    for key in position if same else ():
        value, there = position[key], doc["position"][key]
        if key in touched and isinstance(value, list) and isinstance(there, list):
            same &= _kept_in_order(value, there, old["position"][key])
        else:
            same &= value == there
    rows = [f"{slot} {new}" for slot, new in sorted(replaced.items())]
    return same and not fresh and _commitments(doc) == sealed and doc.get("replaced", []) == rows


PLACE = re.compile("0|[1-9][0-9]{0,5}")


def corrected(position: dict[str, Any], field: str, old: str, new: str) -> bool:
    """Section 9, "Field": put the new one there; False where it cannot be, or was another."""
    key, *path = field.split(".")
    value = position.get(key)
    if new and not all(new.split(" ")):
        return False
    if not path:
        if isinstance(value, (bool, list)) or value is None or str(value) != old:
            return False
        try:
            position[key] = number(new) if isinstance(value, int) else new
        except ValueError:
            return False
        return True
    if not isinstance(value, list) or len(path) > 2:
        return False
    name, by_place = path[0], PLACE.fullmatch(path[0])
    places = [int(name)] if by_place else [i for i, r in enumerate(value) if r.split(" ")[0] == name]
    places = [place for place in places if place < len(value)]
    if len(places) > 1 or (not places and (by_place or len(path) == 2 or not new)):
        return False
    row = value[places[0]] if places else ""
    if len(path) == 2:
        words = row.split(" ")
        named = [i for i, word in enumerate(words) if word.startswith(f"{path[1]}=")]
        if not new or " " in new:
            return False
        if not named and (not PLACE.fullmatch(path[1]) or int(path[1]) >= len(words)):
            return False
        at, before = (named[0], f"{path[1]}=") if named else (int(path[1]), "")
        was, words[at] = words[at].removeprefix(before), before + new
        value[places[0]] = " ".join(words)
        return was == old
    whole = by_place or not new or new.split(" ", maxsplit=1)[0] == name
    made = [new if whole else f"{name} {new}"] if new else []
    at = places[0] if places else len(value)
    value[at : at + 1] = made
    return old == (row if by_place else row.partition(" ")[2] or row)


def _stands(doc: dict[str, Any], old: dict[str, Any]) -> bool:
    same = _commitments(doc) == _commitments(old) and not doc["commits"]
    return same and all(doc.get(key) == old.get(key) for key in ("position", "replaced"))


def _kept_in_order(value: list[str], there: list[str], before: list[str]) -> bool:
    """Section 9, "Field": the same rows, and those of before in one order."""
    new = {row for row in value if value.count(row) > before.count(row)}
    kept = [[row for row in rows if row not in new] for rows in (value, there)]
    return sorted(value) == sorted(there) and kept[0] == kept[1]


# Section 10: a report's block ----------------------------------------------------------------


def newest_restore(chain: Chain, n: int) -> str:
    """The head of the newest state up to n with a ruling `restore`, in b64; "" if there is none."""
    found = [s for s in chain.states[: n + 1] if restores(s.doc)]
    return b64(found[-1].head) if found else ""


def restores(doc: dict[str, Any]) -> bool:
    return any(row.startswith("restore ") for row in doc.get("rulings", ()))


def range_of(texts: list[str]) -> tuple[int, int]:
    """From which state to which a block tells."""
    if len(texts) == 2 and all(re.fullmatch("0|[1-9][0-9]{0,5}", text) for text in texts):
        first, n = map(int, texts)
        if first <= n:
            return first, n
    raise Fault("block", None, "number")


WORDS = ("head", "restore", "key", "commit", "open", "hand", "file", "sig")
FIRST = re.compile(r"pbem 1 [a-z2-7]{26} \S+ [0-9]+ [0-9]+")
FIELDS = {"pbem": 6, "commit": 3, "open": 4, "hand": 4, "file": 3}
RECEIPT_FIRST = re.compile(r"receipt pbem 1 [a-z2-7]{26} \S+ [0-9]{1,7}")
RECEIPT = ("time", "state", "head", "restore", "key", "replaced", "line", "sig")


def clean(text: str) -> list[str]:
    shown = "".join(c for c in text if unicodedata.category(c) != "Cf")
    lines = [re.sub(r"\s+", " ", line).strip().lstrip("> ") for line in shown.split("\n")]
    return ["" if line.startswith("|") else line for line in lines]


def begun(lines: list[str], begins: str, whole: re.Pattern[str], kind: str) -> int:
    """Where the first block begins; a line that begins like one, and names a game, is one."""
    for i, line in enumerate(lines):
        both = line if whole.fullmatch(line) else " ".join(lines[i : i + 2])
        if line.startswith(begins) and whole.fullmatch(both):
            return i
        if line.startswith(begins) and re.match(rf"{begins} [a-z2-7]{{26}}\b", both):
            raise Fault(kind, None, "its first line")
    raise Fault(kind, None, "none")


def whole_lines(lines: list[str]) -> list[str]:
    """Section 10: the lines of a report's block, those that were broken made whole."""
    found: list[str] = []
    for line in lines:
        word = line.split(" ", 1)[0]
        if not found or word in WORDS:
            found.append(line)
        elif not line:
            break
        else:
            fields = found[-1].split(" ")
            found[-1] += f" {line}" if len(fields) < FIELDS.get(fields[0], 2) else line
        if re.fullmatch("sig .{86}", found[-1]):
            return found
    raise Fault("block", None, "cut short")


def check_block(chain: Chain, text: str) -> None:
    """The block at the end of a report, against the chain."""
    lines = clean(text)
    start = begun(lines, "pbem 1", FIRST, "block")
    *block, last = whole_lines(lines[start:])
    _, _, game, seat, *range_text = block[0].split(" ")
    first, n = range_of(range_text)
    told = [line for line in block[2:] if not line.startswith("restore ")]
    if seat not in (*chain.docs[0]["setup"]["seats"], "spectators"):
        raise Fault("block", n, "seat")
    once = [line.split(" ")[:2] for line in told[1:]]
    if any(len(line.split(" ")) != FIELDS.get(line.split(" ")[0]) for line in told[1:]):
        raise Fault("block", n, "fields")
    if len({*map(tuple, once)}) < len(once):
        raise Fault("block", n, "twice")
    try:
        key, sig = unb64(told[0].split(" ")[1], 32), unb64(last.split(" ")[1], 64)
    except ValueError:
        raise Fault("block", n, "key or signature") from None
    if not holds(key, sig, "report", "\n".join(block)):
        raise Fault("block", n, "signature")
    if game != chain.game or n >= len(chain.states):
        raise Fault("block", n, "no such state")
    if not in_force(chain, key, n):
        raise Fault("block", n, "key")
    known = block[2].removeprefix("restore ") if len(told) < len(block) - 2 else ""
    if block[1] != f"head {b64(chain.states[n].head)}":
        lost = lost_by(chain, n, known) or known != newest_restore(chain, n)
        raise Fault("lost" if lost else "block", n, "head")
    if known != newest_restore(chain, n) or len(block) - len(told) != 2 + bool(known):
        raise Fault("block", n, "restore")
    _told(chain, block, seat, first, n)


def in_force(chain: Chain, key: bytes, n: int, receipt: bool = False) -> bool:
    """Section 12: whether it acts at state n or n+1; of a receipt of that state: not who handed
    the game over in it.
    """
    rows = chain.states[-1].rows
    first = max(i for i, row in enumerate(rows) if row.since <= n)
    acted = [row for row in rows[first:] if row.since <= n + 1]
    while receipt and len(acted) > 1 and acted[1].by == "acting":
        acted = acted[1:]
    return key in [row.keys[0] for row in acted]


def lost_by(chain: Chain, n: int, known: str) -> bool:
    """Section 12, histories: what is of state n off this chain was lost by a ruling in it."""
    rulings = [state.n for state in chain.states if restores(state.doc)]
    at = max((m for m in rulings if b64(chain.states[m].head) == known), default=0)
    return any(at < m <= n for m in rulings)


VERDICTS = ("kept", "refused", "done", "left")


def receipt_block(text: str) -> list[str]:
    """The lines of a receipt's block, those that were broken made whole."""
    lines = clean(text)
    start = begun(lines, "receipt pbem 1", RECEIPT_FIRST, "receipt")
    block: list[str] = []
    for line in filter(None, lines[start:]):
        if block and line.split(" ", 1)[0] not in RECEIPT:
            block[-1] += f" {line}"
        else:
            block.append(line)
        if block[-1].startswith("sig ") and len(block[-1].replace(" ", "")) == 89:
            break
    return block


def check_receipt(chain: Chain, text: str, opened: "Opened | None" = None, hands: str = "") -> None:
    """The block of a receipt, against the chain; and, opened, what waited before the next state."""
    block = receipt_block(text)
    try:
        _, _, _, game, seat, nr = block[0].split(" ")
        at_, state, head, *rest = block[1:-1]
        known = rest.pop(0).removeprefix("restore ") if rest[0].startswith("restore ") else ""
        key, replaced, *rows = rest
        fields = [nr, _of(state, "state"), _of(replaced, "replaced")]
        if not all(re.fullmatch("0|[1-9][0-9]{0,6}", one) for one in fields) or len(fields[1]) > 6:
            raise ValueError("numbers")
        n, public = int(fields[1]), unb64(_of(key, "key"), 32)
        told = [row.split(" ", 2) for row in rows]
        if any(word != "line" or verdict not in VERDICTS for word, verdict, _ in told):
            raise ValueError("lines")
        sig = unb64(block[-1].replace(" ", "")[3:], 64)
        restore = unb64(known, 32) if known else b""
        own = unb64(_of(head, "head"), 32)
        time = _of(at_, "time")
        _ = at(time)
    except (ValueError, IndexError):
        raise Fault("receipt", None) from None
    parts = (
        game, seat, nr, "\n".join(one[2] for one in told), time, n, own, restore,
        "\n".join(one[1] for one in told), fields[2],
    )  # fmt: skip
    if not holds(public, sig, "receipt", *parts):
        raise Fault("receipt", n, "signature")
    _placed(chain, game, n, public, (own, known))
    if seat not in chain.docs[0]["setup"]["seats"]:
        raise Fault("receipt", n, "seat")
    if opened is not None and not _waited(opened, hands, (seat, n + 1, int(nr)), told):
        raise Fault("receipt", n, "what waited")


def _placed(chain: Chain, game: str, n: int, public: bytes, tells: tuple[bytes, str]) -> None:
    """The state and the key of a receipt; ``tells``: the head that it names, and the `restore`."""
    own, known = tells
    if game != chain.game or n >= len(chain.states):
        raise Fault("receipt", n, "state")
    if not in_force(chain, public, n, own == chain.states[n].head):
        raise Fault("receipt", n, "key")
    if own != chain.states[n].head:
        gone = lost_by(chain, n, known) or known != newest_restore(chain, n)
        raise Fault("lost" if gone else "receipt", n, "head")
    if known != newest_restore(chain, n):
        raise Fault("receipt", n, "restore")


def _waited(opened: "Opened", hands: str, whose: tuple[str, int, int], told: list[list[str]]) -> bool:
    """Whether a hand is there, and is as a receipt says."""
    (seat, n, nr), chain = whose, opened.chain
    if not nr or n >= len(chain.states) or lost(chain, n):
        return True
    slot, rows = f"{n}/hand/{seat}", chain.docs[n].get("hands", ())
    values = waited(hands)
    value, c = values.get(slot, ""), dict(row.split(" ") for row in rows).get(seat, "")
    good = opened._fits(slot, value, c) and waits_so(hand_of(value), nr, told)
    return good and not _comes_later(chain, values, whose)


def _comes_later(chain: Chain, values: dict[str, str], whose: tuple[str, int, int]) -> bool:
    """Whether a seat with a key gets into its hand, above state n, what has this nr or a lower."""
    seat, n, nr = whose
    first: list[str] = []
    there: set[int] | None = None
    for m in range(n, len(chain.states)):
        people = {row.split(" ")[0]: row.split(" ", 4) for row in chain.docs[m - 1]["people"]}
        first = first or people[seat][1:4]
        if people[seat][1:4] != first or first[0] != "key":
            return False
        if not lost(chain, m):
            now = {part.nr for part in hand_of(values.get(f"{m}/hand/{seat}", ""))}
            if there is not None and any(one <= nr for one in now - there):
                return True
            there = now
    return False


NO_ORDER = re.compile("(?:withdraw|rules|mails|absent)(?: .*)?|present|help|resend|yes|no")


def waits_so(hand: "Hand", nr: int, told: list[list[str]]) -> bool:
    """Section 12: what a receipt says of waiting orders is in the hand before the next state."""
    kept = [line for _, verdict, line in told if verdict == "kept"]
    newer = {part.name for part in hand if part.nr > nr}
    sent = []
    for line in (line for line in kept if not NO_ORDER.fullmatch(line)):
        name = part_of(line.encode()).decode()
        sent += [line] if name not in newer and not taken_back(hand, name, nr) else []
    parts = [part for part in hand if not part.name.startswith("rest ")]
    had = [as_told(part, row) for part in parts if part.nr == nr for row in part.rows]
    back = {line for line in kept if line.startswith("withdraw")}
    gone = ({"withdraw", f"withdraw {part.name.removeprefix('when ')}"} for part in parts
            if part.nr < nr)  # fmt: skip
    more = len(told) >= 500 and not Counter(sent) - Counter(had)
    return (more or sorted(had) == sorted(sent)) and not any(back & names for names in gone)


def as_told(part: "Part", row: "Line") -> str:
    """A row as a receipt has it: one that is not signed with what its part waits for."""
    return row.line if row.of or part.name == "now" else f"{part.name}: {row.line}"


def _of(line: str, word: str) -> str:
    found, value = line.split(" ")
    if found != word:
        raise ValueError(word)
    return value


def compare(one: Chain, other: Chain) -> None:
    """Section 12, histories: two chains of one game; the fault says which of them is genuine."""
    for n, (a, b) in enumerate(zip(one.states, other.states, strict=False)):
        if a.head != b.head:
            new = appointed(one, n), appointed(other, n)
            for chain, left, theirs in ((one, other, new[1]), (other, one, new[0])):
                if not theirs and lost_by(chain, n, newest_restore(left, n)):
                    raise Fault("lost", n)
            genuine = {outranks(*new, n): "the first", outranks(*new[::-1], n): "the second"}
            raise Fault("histories", n, genuine.get(True, "neither"))


def appointed(chain: Chain, n: int) -> list[Row]:
    """The rows of the succession that states from n on brought."""
    return [row for row in chain.states[-1].rows if row.since - (row.by == "acting") >= n]


def outranks(mine: list[Row], theirs: list[Row], n: int) -> bool:
    """Whether a chain with these new rows is genuine beside one with the others."""
    recovered, recovers = ("recovery" in [row.by for row in rows] for rows in (mine, theirs))
    if recovered or recovers:
        return recovered and not recovers
    return bool(mine) and not theirs and mine[0].since - 1 == n


def check_round(chain: Chain, others: list[Chain]) -> None:
    """Section 12, rounds: the game that this one replaces was closed before its deal, and no other
    game replaces it.
    """
    setup = chain.docs[0]["setup"]
    for before in others:
        if b64(before.states[0].head) == setup["previous"]:
            last = before.docs[-1]
            closed = last["phase"] == "closed" and "position" not in last
            if not closed or last["setup"]["round"] != setup["round"] - 1:
                raise Fault("round", 0)
        same = setup["previous"] == before.docs[0]["setup"]["previous"] != "none"
        if same and before.game != chain.game:
            raise Fault("round", 0, "two after one")


def _told(chain: Chain, block: list[str], seat: str, first: int, n: int) -> None:
    """Commitments and openings of the states from first to n."""
    docs = [state.doc for state in chain.states[first : n + 1]]
    commits = [line[7:] for line in block if line.startswith("commit ")]
    fresh = [row for doc in docs for row in doc.get("commits", ())]
    beside = [line for line in block if line.startswith(f"file {seat}.commitments.txt ")]
    whole = b64(h("".join(f"commit {row}\n" for row in fresh).encode()))
    if [line.split(" ")[2] for line in beside] not in ([], [whole]):
        raise Fault("block", n, "commitments")
    if sorted(commits) != ([] if beside else sorted(fresh)):
        raise Fault("block", n, "commitments")
    opened = set()
    for line in (line for line in block if line.startswith("open ")):
        _, slot, value, k = line.split(" ")
        made = chain.made.get(slot)
        try:
            good = made is not None and made[0] <= n
            good = good and opens(chain.game, slot, value, unb64(k, 32), made[1] if made else b"")
        except ValueError:
            good = False
        if not good:
            raise Fault("block", n, slot)
        opened.add(slot)
    for doc in docs:
        if missing := promised(doc, seat) - opened:
            raise Fault("block", n, min(missing))
    _had(chain, block, seat, first, n)


def _had(chain: Chain, block: list[str], seat: str, first: int, n: int) -> None:
    """Section 10, `hand`: what its own seat had waiting before each of the states."""
    wanted, free = {}, set()
    for state in chain.states[first : n + 1]:
        for row in state.doc.get("hands", ()):
            if row.split(" ")[0] == seat:
                wanted[str(state.n)] = row.split(" ")[1]
                free |= {str(state.n)} if lost(chain, state.n) else set()
    for line in (line for line in block if line.startswith("hand ")):
        word, m, k, value = line.split(" ")
        try:
            text = unb64(value, len(value) * 3 // 4) if value != "-" else b""
            _ = hand_of(text.decode())
            good = opens(chain.game, f"{m}/hand/{seat}", text, unb64(k, 32), unb64(wanted[m], 32))
        except (ValueError, KeyError, IndexError):
            good = False
        if not good:
            raise Fault("block", n, f"{word} {m}")
        del wanted[m]
    if wanted.keys() - free:
        raise Fault("block", n, f"hand {min(wanted)}")


def lost(chain: Chain, n: int) -> bool:
    """Section 9: whether a ruling `void` says that what waited before state n was lost."""
    told = ((one.n, *operands_of(row)) for one in chain.states for row in one.doc.get("rulings", ()))
    return any(name == "void" and int(ops["from"]) < n <= m for m, name, ops in told)


def promised(doc: dict[str, Any], seat: str) -> set[str]:
    """What a state opens to all, and by its events to one seat."""
    stands = dict(row.split(" ") for row in doc.get("replaced", ()))
    sealed = {row.split(" ")[0] for row in doc.get("sealed", ())}
    words = (word for row in doc.get("events", ()) for word in row.split(" "))
    own = {word.split("=", 1)[1] for word in words if word.startswith(f"open:{seat}=")}
    public = {row.split(" ")[0] for row in doc.get("openings", ())}
    return public | ({stands.get(slot, slot) for slot in own} & sealed)


# Sections 6 to 9 with the secret ---------------------------------------------------------------


class Opened:
    """A game's secret, and with it every hidden value of the chain."""

    def __init__(self, chain: Chain, secret: bytes) -> None:
        if commit_s(secret) != chain.docs[0]["setup"]["commit"]:
            raise Fault("secret", None)
        self.chain, self.secret = chain, secret
        self.values: dict[int, dict[str, str]] = {}
        self.orders: list[tuple[int, str, str, str]] = []  #: state, seat, source, line
        self.rows: dict[int, set[tuple[str, int, int]]] = {}  #: by state: seat, nr, i of its entries
        self.used: dict[str, set[tuple[bytes, int, int]]] = {}  #: by seat: part, nr, i
        self.answers: dict[str, list[tuple[int, int]]] = {}  #: by seat: state, nr of a line for now
        self.played: dict[tuple[int, str], list[tuple[int, int, str]]] = {}  #: nr, i, line, signed
        self.first: dict[tuple[int, str], int] = {}  #: nr of the first entry that is not forced
        for state in chain.states:
            if "position" in state.doc:
                if state.doc["phase"] == "deal":
                    self._deal(state)
                self._sealed(state)
            self._anew(state)

    def _k(self, slot: str, value: str | bytes) -> bytes:
        n = int(slot.split("/", maxsplit=1)[0])
        head = self.chain.states[n - 1].head
        return prf(self.secret, "pbem/1/open", self.chain.game, slot, head, value)

    def _fits(self, slot: str, value: str | bytes, c: str) -> bool:
        return opens(self.chain.game, slot, value, self._k(slot, value), unb64(c, 32))

    def _deal(self, state: State) -> None:
        given = dict.fromkeys(state.doc["setup"]["seats"], b"")
        for row in self.chain.docs[1]["roster"]:
            seat, what, *text = row.split(" ", 2)
            if what == "plain":
                given[seat] = text[0].encode()
        for row in state.doc["opened"]:
            seat, r, _ = row.split(" ")
            given[seat] = unb64(r, 32)
        table = [part for one in given.items() for part in one]
        t = h(pae("pbem/1/table", self.chain.states[1].head, *table))
        kd = prf(self.secret, "pbem/1/deal", t)
        there = _commitments(state.doc)
        there |= {row.split(" ")[0]: row.split(" ")[3] for row in state.doc["openings"]}
        wanted: set[str] = set()
        for pile, items in hidden_piles(state.doc["setup"]).items():
            for i, value in enumerate(shuffled(kd, pile, items)):
                slot = f"2/{pile}/{i:02d}"
                wanted.add(slot)
                if slot not in there or not self._fits(slot, value, there[slot]):
                    raise Fault("deal", 2, slot)
        if wanted != set(there):
            raise Fault("deal", 2, "other slots")

    def _token(self, state: State, slot: str, token: str, size: int) -> bytes:
        prev = self.chain.states[state.n - 1].head
        kn = prf(self.secret, "pbem/1/seal", self.chain.game, state.n, prev)
        try:
            data = unb64(token, 12 + size + 16)
            bound = pae("pbem/1/token", self.chain.game, state.n, slot)
            padded = ChaCha20Poly1305(prf(kn, "key")).decrypt(data[:12], data[12:], bound)
        except (ValueError, InvalidTag):
            raise Fault("sealed", state.n, slot) from None
        if prf(kn, "nonce", slot, padded)[:12] != data[:12]:
            raise Fault("sealed", state.n, slot)
        return padded.rstrip(b"\0")

    def _sealed(self, state: State) -> None:
        values = {}
        for row in state.doc["sealed"]:
            slot, c, token = row.split(" ")
            value = self._token(state, slot, token, 32)
            if not self._fits(slot, value, c):
                raise Fault("sealed", state.n, slot)
            values[slot] = value.decode()
            if not re.fullmatch(f"[^ {NONE}]+", value.decode()):
                raise Fault("sealed", state.n, slot)
        self.values[state.n] = values
        for row in state.doc["openings"]:
            slot, text, k, _ = row.split(" ")
            if b64(self._k(slot, text)) != k:
                raise Fault("sealed", state.n, slot)
        for i, row in enumerate(state.doc["entries"], 1):
            seat, source, c, token, _ = row.split(" ", 4)
            slot = f"{state.n}/order/{i}"
            value = self._token(state, slot, token, 256)
            if not self._fits(slot, value, c):
                raise Fault("sealed", state.n, slot)
            self._order(state, seat, source, value)

    def _order(self, state: State, seat: str, source: str, value: bytes) -> None:
        n, before = state.n, self.chain.docs[state.n - 1]
        try:
            nr, i, of, head, sig, line = unpae(value)
            counts = number(i.decode()), number(of.decode())
            if number(nr.decode()) > 1_000_000 or max(counts) > 500:
                raise ValueError("limits")
            if len(head) not in (0, 32) or len(sig) not in (0, 64) or not _is_line(line):
                raise ValueError(value)
            people = {row.split(" ")[0]: row.split(" ", 4) for row in before["people"]}
            _, known, key, since, _ = people[seat]
        except (ValueError, KeyError):
            raise Fault("order", n) from None
        if source != "forced":
            self.first.setdefault((n, seat), int(nr))
        if source.startswith("bot:"):
            source = "forced"  # as what was given: no number, head or signature
        if source not in GIVEN and known not in SEATS_OF.get(source, ()):
            raise Fault("order", n, "source")
        if source == "signed":
            heads = {one.head: one.n for one in self.chain.states[:n]}
            parts = (self.chain.game, seat, int(nr), int(i), int(of), head)
            rulings = before["setup"]["rulings"]
            used, part = self.used.setdefault(seat, set()), part_of(line)
            good = holds(unb64(key, 32), sig, "order", *parts, rulings, line)
            good &= head in heads and heads[head] >= int(since)
            good &= all((int(nr), int(i)) != old[1:] for old in used)
            good &= all(int(nr) >= old[1] for old in used if old[0] == part)
            answers = self.answers.setdefault(seat, [])
            good &= part != b"now" or not any(m > heads.get(head, n) and other != int(nr) for m, other in answers)
            if not good:
                raise Fault("order", n, "signed")
            used.add((part, int(nr), int(i)))
            self.played.setdefault((n, seat), []).append((int(nr), int(i), line.decode()))
            answers += [(n, int(nr))] if part == b"now" else []
        elif sig or of != b"0" or (source in GIVEN and (nr, i, head) != (b"0", b"0", b"")):
            raise Fault("order", n, "a signature or a number that nobody gave it")
        self.orders.append((n, seat, source, line.decode()))
        self.rows.setdefault(n, set()).add((seat, int(nr), int(i)))

    def _anew(self, state: State) -> None:
        """Another key begins to count anew."""
        old = self.chain.docs[max(state.n - 1, 0)]
        for row, was in zip(state.doc["people"], old["people"], strict=True):
            if row.split(" ")[2] != was.split(" ")[2]:
                self.used.pop(row.split(" ")[0], None)


def _is_line(line: bytes) -> bool:
    """Section 9: the line of an order."""
    plain_ = re.fullmatch(f"[^{NONE}]+", line.decode()) and all(line.split(b" "))
    return bool(plain_) and len(line) <= 64


def part_of(line: bytes) -> bytes:
    """Section 9: what a signed line waits for."""
    name, colon, _ = line.partition(b": ")
    return name if colon and (name == b"later" or name.startswith(b"when ")) else b"now"


def shuffled(kd: bytes, pile: str, items: list[str]) -> list[str]:
    """Section 6, streams and draws."""
    words = _words(kd, pile)
    found = list(items)
    for i in range(len(found) - 1, 0, -1):
        m = i + 1
        u = next(words)
        while u >= 2**64 - 2**64 % m:
            u = next(words)
        j = u % m
        found[i], found[j] = found[j], found[i]
    return found


def _words(kd: bytes, pile: str) -> Any:
    block = 0
    while True:
        data = prf(kd, "pbem/1/stream", pile, block)
        for at in range(0, 32, 8):
            yield int.from_bytes(data[at : at + 8], "little")
        block += 1


DECK = ["wall"] * 7 + ["gate"] * 3 + ["watchtower"] + ["guard"] * 5 + ["horseman"] * 2
RESERVE = (1, 1, *[2] * 6, *[3] * 7, *[4] * 7, *[5] * 8, *[7] * 4, *[8] * 2)


def hidden_piles(setup: dict[str, Any]) -> dict[str, list[str]]:
    """Section 14: piles whose things are hidden, in the order they start from."""
    if setup["kind"] == "great-wall":
        decks = {f"deck/{seat}": [*DECK, "noble", "dragon"] for seat in setup["seats"]}
        return {**decks, "reserve": [str(number) for number in RESERVE]}
    threes = [str(i) for i in range(5) for _ in range(3)]
    return {"reputation": threes, "threat": [str(i) for i in (2, 3, 4) for _ in range(5)]}


# Section 11: archives ----------------------------------------------------------------------------


def pack(files: dict[str, bytes]) -> bytes:
    out = b""
    for name in sorted(files, key=str.encode):
        head = bytearray(512)
        for at, field in (
            (0, name.encode()), (100, b"0000644\0"), (108, b"0000000\0"), (116, b"0000000\0"),
            (124, b"%011o\0" % len(files[name])), (136, b"0" * 11 + b"\0"), (148, b" " * 8),
            (156, b"0"), (257, b"ustar\x0000"),
        ):  # fmt: skip
            head[at : at + len(field)] = field
        head[148:156] = b"%06o\0 " % sum(head)
        out += bytes(head) + files[name] + bytes(-len(files[name]) % 512)
    out += bytes(1024)
    return out + bytes(-len(out) % 10240)


def unpack(data: bytes) -> dict[str, bytes]:
    files, at = {}, 0
    while data[at : at + 1] not in (b"", b"\0"):
        name = data[at : at + 100].rstrip(b"\0").decode("ascii", "replace")
        size = int(data[at + 124 : at + 135], 8)
        files[name] = data[at + 512 : at + 512 + size]
        at += 512 + size + -size % 512
    if pack(files) != data:
        raise Fault("container", None)
    return files


def states_of(files: dict[str, bytes]) -> dict[int, bytes]:
    found = {re.fullmatch(r"states/(\d{4,6})\.toml", name): raw for name, raw in files.items()}
    return {int(match[1]): file for match, file in found.items() if match}


def check_manifest(chain: Chain, files: dict[str, bytes]) -> None:
    body, _, sig = files["manifest"].rpartition(b"sig ")
    rows = [f"{h(data).hex()}  {name}" for name, data in sorted(files.items()) if name != "manifest"]
    acting = chain.states[-1].rows[-1].keys[0]
    by = "[A-Za-z0-9._-]{1,60} [A-Za-z0-9.+!-]{1,30}"
    made = re.findall(f"(?m)^(made {by}(?:, {by})?)$", body.decode())[:1]
    first = ["pbem-archive 1", f"game {chain.game}", *made]
    wanted = [*first, *rows, f"key {name_of(acting)}", ""]
    if not made or body != "\n".join(wanted).encode() or sig[-1:] != b"\n":
        raise Fault("container", None, "manifest")
    if not holds(acting, unb64(sig[:-1].decode(), 64), "archive", body):
        raise Fault("container", None, "signature")


def waited(text: str) -> dict[str, str]:
    """What waited, by slot."""
    values: dict[str, str] = {}
    for one in re.split("(?m)^hand ", text)[1:]:
        slot, value = one.rstrip("\n").split("\n", 1)
        n, seat = slot.split(" ")
        values[f"{n}/hand/{seat}"] = value
    places = [(int(slot.split("/")[0]), slot.split("/")[2]) for slot in values]
    same = "".join(f"hand {s.replace('/hand/', ' ')}\n{v}\n" for s, v in values.items())
    if same != text or places != sorted(places):
        raise Fault("container", None, "hands")
    return values


def check_hands(opened: Opened, text: str) -> None:
    """Section 11, `hands`: what waited before each state is what the state commits to."""
    values = waited(text)
    left: dict[str, tuple[Hand, int]] = {}
    for state in opened.chain.states:
        hands = dict[str, Hand]()
        for row in state.doc.get("hands", ()):
            seat, c = row.split(" ")
            slot = f"{state.n}/hand/{seat}"
            value = values.pop(slot, "")
            if not lost(opened.chain, state.n) and not opened._fits(slot, value, c):
                raise Fault("hands", state.n, seat)
            try:
                hands[seat] = hand_of(value)
                _stopped(value, seat, opened.chain.docs[state.n - 1])
            except (ValueError, IndexError):
                raise Fault("hands", state.n, seat) from None
        if lost(opened.chain, state.n):
            left = {}
            continue
        if hands and state.n > 2:
            before = opened.chain.docs[state.n - 1]
            if before["position"].get("stage") == "over":
                continue
            for seat, hand in hands.items():
                left[seat] = follow(opened, state, seat, hand, left.get(seat, ([], 0)))
    if values:
        raise Fault("hands", min(int(slot.split("/")[0]) for slot in values))


def _stopped(value: str, seat: str, before: dict[str, Any]) -> None:
    """Orders are held back at the question that is open, and at no other."""
    answered = dict(row.split(" ") for row in before.get("answered", ()))
    stopped = re.match("stopped ([0-9]+) ", value)
    if stopped and stopped[1] != answered.get(seat):
        raise ValueError("stopped at another question")


class Line(NamedTuple):
    """A row of a hand."""

    i: int
    of: int
    sig: str
    line: str


class Part(NamedTuple):
    """A part of a hand."""

    name: str
    nr: int
    source: str
    head: str
    turn: str
    rows: list[Line]


Hand = list[Part]


def hand_of(value: str) -> Hand:
    """Section 9, "Hands", but for `stopped`; ValueError where none is written so."""
    found: Hand = []
    for at_row, row in enumerate(value.split("\n") if value else ()):
        if re.fullmatch("stopped [0-9]+ [0-9]+", row) and not at_row:
            _ = [number(one) for one in row.split(" ")[1:]]
        elif re.match("[0-9]", row):
            place, sig, line = row.split(" ", 2)
            i, *of = (number(one) for one in place.split("/"))
            if bool(of) != (sig != "-") or len(of) > 1 or 0 in of:
                raise ValueError(row)
            _ = sig == "-" or unb64(sig, 64)
            found[-1].rows.append(Line(i, of[0] if of else 0, sig, line))
        else:
            name, *facts = row.split(" ")
            name += f" {facts[0]}" if name == "rest" else ""
            name += f" {facts.pop(0)}" if name == "when" else ""
            nr, source, head, *turn = facts
            _ = head == "-" or unb64(head, 32)
            if (name == "now") != bool(turn) or source not in SEATS_OF:
                raise ValueError(row)
            _ = [number(one) for one in turn]
            found.append(Part(name, number(nr), source, head, "".join(turn), []))
    ranks = []
    for part in found:
        kind, _, name = part.name.partition(" ")
        rank = ["now", "later", "when", "rest"].index(kind)
        ranks.append((rank, part.nr if rank == 3 else 0, name))
        if [row.i for row in part.rows] != sorted({row.i for row in part.rows}) or not part.rows:
            raise ValueError(value)
    if ranks != sorted(set(ranks)):
        raise ValueError(value)
    return found


def taken_back(hand: Hand, name: str, nr: int = 0) -> bool:
    """Whether a line of a higher number takes back the part of this name."""
    asks = ("withdraw", f"withdraw {name.removeprefix('when ')}")
    rests = [part for part in hand if part.name.startswith("rest ") and part.nr > nr]
    return any(row.line in asks for part in rests for row in part.rows)


def follow(opened: Opened, state: State, seat: str, hand: Hand, before: tuple[Hand, int]) -> tuple[Hand, int]:
    """Section 12, hands from state to state, as far as it needs no rules; what is left of it."""
    left, top = before
    n, chain = state.n, opened.chain
    people = {row.split(" ")[0]: row.split(" ", 4) for row in chain.docs[n - 1]["people"]}
    _, known, key, since, _ = people[seat]
    was = {part.name: part for part in left}
    for part in hand:
        rest = part.name.startswith("rest ")
        back = any(row.line.split(" ")[0] == "withdraw" for row in part.rows)
        if not rest and (back or taken_back(hand, part.name, part.nr)):
            raise Fault("hands", n, part.name)
        if part.nr > top:
            _sent(opened, n, (seat, known, key, int(since)), part)
            _late(opened, n, seat, part)
            continue
        old = was.get(part.name)
        kept = old.rows if old else []
        if old is None or part[1:5] != old[1:5] or [r for r in kept if r in part.rows] != part.rows:
            raise Fault("hands", n, part.name)
        if chain.docs[n - 1]["rulings"] and part.rows != kept:
            raise Fault("hands", n, part.name)
    _whole(n, [part for part in hand if part.nr > top and part.source == "signed"])
    gone = {name for name in was if not taken_back(hand, name)} - {part.name for part in hand}
    if gone and chain.docs[n - 1]["rulings"]:
        raise Fault("hands", n, min(gone))
    stand = [part for part in hand if not part.name.startswith("rest ")]
    there = {(part.nr, row.i, row.line) for part in stand for row in part.rows}
    if not there.issuperset(opened.played.get((n, seat), ())):
        raise Fault("hands", n, seat)
    _in_time(opened, n, seat, left)
    now = {row.split(" ")[0]: row.split(" ", 4) for row in state.doc["people"]}[seat]
    top = max([top, *(part.nr for part in hand)])
    used = opened.rows.get(n, set())
    unused = []
    for part in stand:
        rows = [row for row in part.rows if (seat, part.nr, row.i) not in used]
        unused += [part._replace(rows=rows)] if rows else []
    if state.doc["rulings"] and now[3] == str(n):
        unused = []
    return unused, 0 if now[2] != key else top


def _in_time(opened: Opened, n: int, seat: str, left: Hand) -> None:
    """An answer that the state before left uses up no hours of the reserve since that state."""
    before, doc = opened.chain.docs[n - 1 : n + 1]
    (old, new) = (
        next(row.split(" ") for row in one["clock"]["seats"] if row.startswith(f"{seat} ")) for one in (before, doc)
    )
    if old[1] == "-" or opened.first.get((n, seat)) not in {part.nr for part in left}:
        return
    begun_hours = max(0, -((at(old[1]) - at(before["time"])) // 3600))
    if int(old[2]) - int(new[2]) > begun_hours:
        raise Fault("hands", n, seat)


def _late(opened: Opened, n: int, seat: str, part: Part) -> None:
    """A signed part for now is of a state since which the rules alone answered for its seat."""
    if part.name != "now" or part.source != "signed":
        return
    head = next(one.n for one in opened.chain.states if b64(one.head) == part.head)
    rows = [row.split(" ") for doc in opened.chain.docs[head + 1 : n] for row in doc.get("entries", ())]
    if any(row[0] == seat and row[1] != "forced" for row in rows):
        raise Fault("hands", n, part.name)


def _whole(n: int, parts: Hand) -> None:
    """Of each signed file that came, all of its lines are there, each once."""
    for nr in {part.nr for part in parts}:
        came = [row for part in parts for row in part.rows if part.nr == nr]
        size = len(came)
        if sorted(row.i for row in came) != [*range(1, size + 1)] or {x.of for x in came} != {size}:
            raise Fault("hands", n, f"{nr}")


def _sent(opened: Opened, n: int, who: tuple[str, str, str, int], part: Part) -> None:
    """A part that came since the state before; of a seat with a key it is signed."""
    seat, known, key, since = who
    chain = opened.chain
    if known not in SEATS_OF[part.source]:
        raise Fault("hands", n, part.source)
    if part.source != "signed":
        return
    heads = {b64(one.head): one.n for one in chain.states[:n]}
    rulings = chain.docs[0]["setup"]["rulings"]
    for i, of, sig, line in part.rows:
        good = part.name.startswith("rest ") or part_of(line.encode()).decode() == part.name
        good = good and sig != "-" and heads.get(part.head, -1) >= since
        said = (chain.game, seat, part.nr, i, of, unb64(part.head, 32), rulings, line)
        if not good or not holds(unb64(key, 32), unb64(sig, 64), "order", *said):
            raise Fault("hands", n, line)


def check_archive(data: bytes) -> tuple[Chain, Opened | None]:
    """All of an archive but the rules of its game."""
    files = unpack(data)
    chain = Chain(states_of(files))
    check_manifest(chain, files)
    if ("secret" in files) != ("hands" in files):
        raise Fault("container", None, "hands")
    for name in ("README.txt", "RULES.md", "SPECIFICATION.md", "transcript.txt"):
        try:
            files.get(name, b"").decode()
        except UnicodeDecodeError:
            raise Fault("container", None, name) from None
    if "secret" not in files:
        return chain, None
    opened = Opened(chain, unb64(files["secret"].decode()[:-1], 32))
    check_hands(opened, files["hands"].decode())
    return chain, opened


def main(paths: list[str]) -> int:
    worst = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                chain, opened = check_archive(file.read())
        except Fault as fault:
            sys.stdout.write(f"{path}: {fault}\n")
            worst = 1
            continue
        orders = f", {len(opened.orders)} orders" if opened else ", no secret"
        sys.stdout.write(f"{path}: game {chain.game}, {len(chain.states)} states{orders}\n")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
