"""The file of a hand, and the rows by which a state commits to it.

What must never be here: which line is next, or what a line means (pending_orders.py).
Laws: the parts have one spelling; what is damaged is one line that names the seat.
Source: docs/SPECIFICATION.md section 9 "Hands".
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.chain.sources import SIGNED, SOURCES
from pbem.crypto.encoding import b64, unb64
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.notation.asks import MAILS
from pbem.play.pending_orders import (
    MOST,
    NOT_STOPPED,
    NOW,
    REST,
    WHEN,
    Hand,
    Kept,
    Part,
    order_of,
)

EMPTY = Hand()._asdict()
HAND_LOST = "put it back from a backup, or delete it and ask the player for new orders"


def part_rows(hand: Hand) -> list[str]:
    """The parts as they are written, in the one way there is: their number and rows say it all."""
    number, nr = hand.stopped
    found = [f"stopped {number} {nr}"] if hand.stopped != NOT_STOPPED else []
    for part in hand.parts:
        turn = f" {part.turn}" if part.name == NOW else ""
        name = part.name if not part.rest else REST.rstrip()
        found.append(f"{name} {part.nr} {part.source} {part.quoted or '-'}{turn}")
        for x in part.rows:
            of = f"/{x.of}" if x.of else ""
            found.append(f"{x.number}{of} {x.sig or '-'} {x.signed or x.line}")
    return found


def hand_values(hands: Mapping[str, Hand]) -> dict[str, str]:
    """What a state commits to, by seat: all that is needed to tell what its orders had to be."""
    return {seat: "\n".join(part_rows(hand)) for seat, hand in hands.items()}


def read_value(value: str) -> Hand:
    """A hand as a state commits to it; ValueError where no hand is written so."""
    try:
        return read_parts(value.split("\n") if value else ())
    except (BadInput, LookupError):
        raise ValueError(value) from None


def read_parts(rows: Sequence[str]) -> Hand:
    """Read them back; ValueError where no hand is written so."""
    hand, parts = Hand(), list[tuple[Part, list[Kept]]]()
    for row in rows:
        word, *facts = row.split(" ")
        if word == "stopped":
            question, nr = map(int, facts)
            hand = hand._replace(stopped=(question, nr))
        elif word[0].isdecimal():
            _, sig, line = row.split(" ", 2)
            signed = line if sig != "-" else ""
            order = order_of(line) if signed else line
            sig = b64(unb64(sig, 64)) if signed else ""
            number, _, of = word.partition("/")
            kept = Kept(int(number), order, sig, signed, int(of or 0))
            parts[-1][1].append(kept)
        else:
            name = f"{WHEN}{facts.pop(0)}" if f"{word} " == WHEN else word
            name = f"{REST}{facts[0]}" if f"{word} " == REST else name
            given, source, head = facts[:3]
            quoted = "" if head == "-" else b64(unb64(head, 32))
            turn = int(facts[3]) if name == NOW else 0
            parts.append((Part(name, (), int(given), source, quoted, turn), []))
    hand = hand.with_parts(part._replace(rows=tuple(found)) for part, found in parts)
    hand = hand._replace(nr=max((part.nr for part in hand.parts), default=0))
    bad = any(bool(kept.of) != bool(kept.sig) for _, found in parts for kept in found)
    if bad or part_rows(hand) != list(rows) or any(SOURCES[x.source].given for x, _ in parts):
        raise ValueError(rows)
    return hand


def encode_hand(hand: Hand) -> bytes:
    """The file of a hand (desk/hand/<n>/<seat>.toml): what is not as in an empty one."""
    document = hand._asdict() | {
        "parts": part_rows(hand),
        "done": list(hand.done),
        "notes": list(hand.notes),
        "came": list(hand.came),
        "proposal": list(hand.proposal),
        "shown": list(hand.shown),
        "handled": [f"{digest} {number}" for digest, number in hand.handled],
    }
    del document["stopped"]
    plain = {key: value for key, value in document.items() if value not in (EMPTY[key], [])}
    return state_file.dump({"pbem": 1, **plain})


def encode_values(values: Mapping[str, str]) -> bytes:
    """The file of what a state commits to (desk/hands/<n>.toml): the rows of each seat."""
    rows = {seat: value.split("\n") for seat, value in values.items() if value}
    return state_file.dump({"pbem": 1, **rows})


def decode_values(data: bytes) -> dict[str, str]:
    """Read it back; BadInput ``document/…``. Nothing says yet that it is what was committed to."""
    reader = TableReader(document := state_file.parse(data), "what waited")
    reader.number("pbem", 1, 1)
    return {seat: "\n".join(reader.rows(seat)) for seat in document if seat != "pbem"}


def decode_hand(data: bytes, seat: str) -> Hand:
    """Read it back; BadInput ``document/…`` names the seat whose file is damaged."""
    where = f"the waiting orders of {seat}"
    reader = TableReader(state_file.parse(data), where)
    reader.number("pbem", 1, 1)
    try:
        hand = _decoded(reader)
    except BadInput as error:
        if error.code.startswith("document/"):
            raise
        raise BadInput("document/row", f"{where}: {error.message}", HAND_LOST) from None
    except (ValueError, LookupError):
        wrong = f"{where}: a row is not of the expected shape"
        raise BadInput("document/row", wrong, HAND_LOST) from None
    reader.done()
    if any(x.source == SIGNED.name and not kept.sig for x in hand.parts for kept in x.rows):
        wrong = f"{where}: a signed order has lost its signature"
        raise BadInput("document/unsigned", wrong, HAND_LOST)
    return hand


def _decoded(reader: TableReader) -> Hand:
    hand = read_parts(reader.maybe_rows("parts") or ())
    handled = [row.partition(" ") for row in reader.maybe_rows("handled") or ()]
    for _, _, number in handled:
        if not number.isascii() or not number.isdecimal() or not 0 <= int(number) <= MOST:
            raise ValueError("number")
    numbers = ("nr", "settled", "receipts", "tried", "ruled", "seen", "answered", "held")
    plain: dict[str, Any] = {key: reader.maybe_number(key, 0, MOST) or 0 for key in numbers}
    texts = ("receipt", "answer", "declined", "taken", "mails")
    plain |= {key: reader.maybe_text(key) or "" for key in texts}
    if plain["mails"] not in ("", *MAILS):
        raise ValueError("mails")
    return hand._replace(
        **plain,
        done=tuple(reader.maybe_rows("done") or ()),
        notes=tuple(reader.maybe_rows("notes") or ()),
        came=tuple(reader.maybe_rows("came") or ()),
        proposal=tuple(reader.maybe_rows("proposal") or ()),
        shown=tuple(reader.maybe_rows("shown") or ()),
        handled=tuple((digest, int(number)) for digest, _, number in handled),
    )
