"""Writes tests/vectors/games: one good game, and beside it files with one fault each.

    python tests/vectors/make.py          (pbem installed, or on PYTHONPATH)

A second run changes no byte; tests/vectors/test_games.py says so. A vector is a few lines of
heading, an empty line, and the bytes of the file that stands in the place of the good one:

    comment: what was done
    of:      the folder of the good game, beside this one (without it: ``good``)
    place:   the file it stands for; ``archive``: the good files, packed
    at:      the bytes stand from there on in the file, and the rest of it stays
    also:    another place, and the file in ``parts/`` that stands for it
    last:    only the states up to this number are there (without it: all)
    expect:  the kind of the fault (SPECIFICATION section 12) and its state, ``-`` for none
    genuine: which of two histories is still called so: ``the first``, ``the second``, ``neither``

Nothing but the heading: that file is missing. The place is in the name of the vector, before ``_``.
``other/…`` is a state of a second copy of the game, given together with the first; ``next/…`` that
of the round after it.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from proof.audit.table import ACTING, PLAYER, RECOVERY, SECRET, Table, update_with, wrapped

from pbem.chain import referees
from pbem.chain.next_record import ExecutedOrder, NextRecordInputs, _entry
from pbem.chain.seals import Seals
from pbem.chain.signed_state import read_verified_record, sign_state, state_hash_of
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.signing import sign
from pbem.crypto.tokens import commit
from pbem.formats import state_file, tar
from pbem.play.joining import opening
from pbem.proof.audit import archive
from pbem.report.receipt_block import write_receipt_block
from pbem.services.prove.saved_emails import read_signed_blocks
from vectors import base_game

GAMES = HERE / "games"
RECOVERED = 22  #: the state that the recovery key made possible
THIEF = RefereeKey(b"t" * 32)
Files = dict[str, bytes]
Document = dict[str, Any]


class Vector(NamedTuple):
    """One fault."""

    name: str
    comment: str
    place: str
    expect: str
    data: bytes | None
    last: int | None = None
    of: str = "good"
    at: int | None = None
    also: tuple[tuple[str, bytes], ...] = ()
    genuine: str = ""

    def text(self) -> bytes:
        head = [f"comment: {self.comment}"]
        head += [f"of: {self.of}"] if self.of != "good" else []
        head.append(f"place: {self.place}")
        head += [f"at: {self.at}"] if self.at is not None else []
        head += [f"also: {place} {name}" for name, (place, _) in self.parts().items()]
        head += [f"last: {self.last}"] if self.last is not None else []
        head.append(f"expect: {self.expect}")
        head += [f"genuine: {self.genuine}"] if self.genuine else []
        body = b"" if self.data is None else b"\n" + self.data
        return "".join(f"{line}\n" for line in head).encode() + body

    def parts(self) -> dict[str, tuple[str, bytes]]:
        """The other places, by the names of their files."""
        return {f"{self.name}-{i}.bin": one for i, one in enumerate(self.also, 1)}


def state(n: int) -> str:
    return f"states/{n:04d}.toml"


class Maker:
    """The good game, and faults put into it."""

    def __init__(self, table: Table) -> None:
        self.table, self.files = table, base_game.files_of(table)
        self.game = table.position.game_id
        replay = table.audit().replay
        assert replay is not None
        self.states = {n: one.state for n, one in replay.past_states.items()}
        self.last = table.last

    def raw(self, n: int) -> bytes:
        return self.files[state(n)]

    def head(self, n: int) -> bytes:
        return state_hash_of(self.raw(n))

    def key(self, n: int) -> RefereeKey:
        """Whose key signs state n."""
        if n >= RECOVERED:
            return base_game.THIRD
        return ACTING if n < 8 else base_game.NEXT  # handed over in state 7

    def order(self, n: int) -> ExecutedOrder:
        """The first order of state n, out of its seal."""
        from pbem.proof.audit.orders import open_order

        seals = Seals(SECRET, self.game, n, self.head(n - 1))
        entry = read_verified_record(self.raw(n), self.key(n).public).entries[0]
        return open_order(f"{n}/order/1", entry, seals, self.table.game, self.states[n - 1])

    def bytes_of(self, n: int, name: str, comment: str, kind: str, data: bytes | None) -> Vector:
        return Vector(f"state-{n}_{name}", comment, state(n), f"{kind} {n}", data)

    def changed(
        self, n: int, name: str, comment: str, kind: str, change: Callable[[Document], object],
        key: RefereeKey | None = None, last: int | None = None,
    ) -> Vector:  # fmt: skip
        """A state of another content, signed anew."""
        document = state_file.parse(state_file.split(self.raw(n)).body)
        change(document)
        by = key or self.key(n)
        data = sign_state(state_file.dump(document), by.signing, by.public)
        return Vector(f"state-{n}_{name}", comment, state(n), f"{kind} {n}", data, last)

    def respelt_as(
        self, n: int, name: str, comment: str, kind: str, old: str, new: str
    ) -> Vector:  # fmt: skip
        """A state with one word in place of another, wherever it stands; its rows stay sorted."""
        body = state_file.split(self.raw(n)).body.decode()
        by = self.key(n)
        data = sign_state(body.replace(old, new).encode(), by.signing, by.public)
        return self.bytes_of(n, name, comment, kind, data)

    def respelt(self, n: int, name: str, comment: str, old: str, new: str) -> Vector:
        """A state that says the same in other bytes, signed anew."""
        body = state_file.split(self.raw(n)).body.decode()
        assert old in body, old
        by = self.key(n)
        data = sign_state(body.replace(old, new, 1).encode(), by.signing, by.public)
        return Vector(f"state-{n}_spelt-{name}", comment, state(n), f"document {n}", data)


def swap_part(row: str, at: int, new: str) -> str:
    parts = row.split(" ")
    parts[at] = new
    return " ".join(parts)


def put(key: str, at: int, part: int, new: str) -> Callable[[Document], object]:
    """A change of one part of one row."""
    return lambda d: d[key].__setitem__(at, swap_part(d[key][at], part, new))


X32, X64 = b64(b"x" * 32), b64(b"x" * 64)


def of_the_frame(m: Maker) -> Iterator[Vector]:
    raw = m.raw(3)
    yield m.bytes_of(0, "missing", "the genesis is not there", "missing", None)
    yield m.bytes_of(4, "missing", "a state is not there", "missing", None)
    yield m.bytes_of(3, "byte-changed", "one bit of the body", "signature", flipped(raw, 40))
    yield m.bytes_of(3, "cut-short", "its last byte is gone", "frame", raw[:-1])
    yield m.bytes_of(3, "line-added", "an empty line at the end", "frame", raw + b"\n")
    yield m.bytes_of(3, "crlf", "line ends of another system", "frame", raw.replace(b"\n", b"\r\n"))
    at = raw.rindex(b'"')
    stray = bytes([raw[at - 1] + 1])
    yield m.bytes_of(
        3, "stray-bits", "bits set beyond the signature's end", "frame",
        raw[: at - 1] + stray + raw[at:],
    )  # fmt: skip
    yield m.bytes_of(3, "signature-of-another", "that of state 4", "signature",
                     raw[:-88] + m.raw(4)[-88:])  # fmt: skip
    yield m.changed(3, "signed-by-a-stranger", "by a key nobody named", "signature",
                    lambda _: 0, THIEF)  # fmt: skip
    yield m.changed(0, "signed-by-a-stranger", "a genesis that its key did not sign", "signature",
                    lambda _: 0, THIEF)  # fmt: skip
    yield m.changed(9, "signed-by-the-referee-before", "who handed over in 7", "signature",
                    lambda _: 0, ACTING)  # fmt: skip
    yield m.changed(3, "key-unknown", "a key that no state has", "document",
                    lambda d: d.update(extra=1))  # fmt: skip
    yield m.changed(3, "row-short", "a head without its number", "document",
                    lambda d: d.update(heads=[X32]))  # fmt: skip
    yield m.bytes_of(4, "of-another-number", "state 5 in its place", "number", m.raw(5))


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def of_the_chain(m: Maker) -> Iterator[Vector]:
    thief = THIEF

    def appointed(d: Document) -> None:
        row = d["referees"][1].split(" ")
        d["referees"][1] = " ".join([row[0], b64(thief.public), *row[2:6], X64])

    yield m.changed(7, "referee-nobody-appointed", "a row with another key", "succession", appointed)
    yield m.changed(0, "wraps-missing", "the secret is wrapped to nobody", "succession",
                    lambda d: d.update(wraps=[]))  # fmt: skip
    yield m.changed(0, "wraps-to-a-stranger", "in place of the recovery key", "succession",
                    lambda d: d["wraps"].__setitem__(1, put_name(d["wraps"][1])))  # fmt: skip
    yield m.changed(0, "wrap-cut-short", "79 bytes", "document",
                    lambda d: d["wraps"].__setitem__(0, d["wraps"][0][:-2]))  # fmt: skip
    yield m.changed(4, "wraps-changed", "without a new referee", "succession",
                    lambda d: d["wraps"].reverse())  # fmt: skip
    yield m.changed(4, "of-another-game", "another game's id", "game",
                    lambda d: d.update(game="a" * 26))  # fmt: skip
    yield m.changed(5, "prev-of-another", "the head of no state", "chain",
                    lambda d: d.update(prev=X32))  # fmt: skip
    yield m.changed(m.last, "restore-not-named", "the ruling of state 21", "chain",
                    lambda d: d.pop("restored"))  # fmt: skip
    yield m.changed(m.last, "restore-of-another", "the head of no state", "chain",
                    lambda d: d.update(restored=X32))  # fmt: skip
    yield m.changed(5, "options-changed", "what the genesis settled", "settled",
                    lambda d: d["setup"]["options"].__setitem__(0, "edition=fr"))  # fmt: skip
    yield m.changed(4, "head-of-another", "the head before state 2", "heads",
                    put("heads", 0, 1, X32))  # fmt: skip
    yield m.changed(4, "head-twice", "the head before state 2", "heads",
                    lambda d: d["heads"].insert(0, d["heads"][0]))  # fmt: skip


def of_the_deal(m: Maker) -> Iterator[Vector]:
    def wrong(parts: tuple[int, str]) -> Callable[[Document], object]:
        at, new = parts
        return put("roster", 0, at, new)

    yield m.changed(1, "join-not-signed", "red's answer", "roster", wrong((4, X64)))
    yield m.changed(1, "contribution-of-another", "another c of red", "roster", wrong((3, X32)))
    yield m.changed(1, "seat-left-out", "blue is not asked", "roster",
                    lambda d: d["roster"].pop())  # fmt: skip
    yield m.changed(1, "key-of-another", "in the row of who sits there", "roster",
                    put("people", 0, 2, X32))  # fmt: skip
    yield m.changed(2, "opened-another", "another r of red", "opened", put("opened", 0, 1, X32))
    yield m.changed(2, "opening-not-signed", "red's r", "opened", put("opened", 0, 2, X64))
    yield m.changed(2, "opening-left-out", "red's r", "opened",
                    lambda d: d.update(opened=[]))  # fmt: skip
    yield m.changed(2, "class-of-another", "blue is said to have given nothing", "opened",
                    lambda d: d["contributions"].__setitem__(1, "blue none"))  # fmt: skip
    yield m.changed(4, "class-of-another", "two states later", "opened",
                    lambda d: d["contributions"].__setitem__(1, "blue none"))  # fmt: skip


def of_rulings(m: Maker) -> Iterator[Vector]:
    yield m.changed(3, "default-where-it-waits", "the game waits for a missed turn", "ruling",
                    put("entries", 0, 1, "default"))  # fmt: skip
    yield m.changed(4, "without-an-order", "nothing was played", "ruling",
                    lambda d: d.update(entries=[], events=[]))  # fmt: skip
    yield m.changed(4, "answers-miscounted", "one more than orders", "ruling",
                    lambda d: d["answered"].__setitem__(0, "red 7"))  # fmt: skip
    yield m.changed(4, "player-changed", "a name, without a ruling", "ruling",
                    put("people", 1, 4, "Eve"))  # fmt: skip
    yield m.changed(6, "note-that-plays", "a note, and another turn", "ruling",
                    lambda d: d["position"].update(turn=9))  # fmt: skip
    yield m.changed(9, "old-orders-count", "a new name, and its orders not void", "ruling",
                    put("people", 1, 3, "0"))  # fmt: skip
    yield m.changed(11, "undo-of-another", "it says state 7, and is state 9", "ruling",
                    lambda d: d["rulings"].__setitem__(
                        0, d["rulings"][0].replace("to=9", "to=7")))  # fmt: skip
    yield m.changed(m.last, "closed-with-another-secret", "not the genesis' one", "ruling",
                    lambda d: d.update(secret=X32))  # fmt: skip


def ruled(rows: list[str]) -> Callable[[Document], object]:
    """The same state under other rulings."""
    return lambda d: d.update(rulings=rows)


def turned(key: str) -> Callable[[Document], object]:
    return lambda d: d[key].reverse()


def put_name(row: str) -> str:
    return swap_part(row, 0, b64(b"x" * 16))


def of_the_spelling(m: Maker) -> Iterator[Vector]:
    """One document, one spelling."""
    for n, name, comment, old, new in (
        (3, "comment", "a comment", "\nphase", "\n# all is well\nphase"),
        (3, "comment-behind", "a comment behind a value", '"play"\n', '"play" # all is well\n'),
        (3, "empty-line", "an empty line", "\nphase", "\n\nphase"),
        (3, "blank", "a blank at the end of a line", '"play"\n', '"play" \n'),
        (3, "escape", "a letter as an escape", '"play"', '"pl\\u0061y"'),
        (3, "literal", "a literal text", '"play"', "'play'"),
        (3, "sign", "a number with a sign", "n = 3", "n = +3"),
        (3, "base", "a number in base 16", "n = 3", "n = 0x3"),
        (3, "key", "a key in quotes", "\nphase", '\n"phase"'),
        (3, "list", "a list without its last comma", '",\n]', '"\n]'),
        (3, "empty-list", "an empty list on two lines", "= []", "= [\n]"),
        (3, "table", "blanks in the name of a table", "[setup]", "[ setup ]"),
        (3, "setup", "keys of [setup] in another order", "[setup]\n", "[setup]\nround = 1\n"),
        (3, "mark", "U+FEFF before a text", 'time = "', 'time = "\ufeff'),
        (4, "row", "two blanks in a row", '"red ', '"red  '),
        (4, "nought", "a number in a row with a nought before it", '"red 1"', '"red 01"'),
    ):
        yield m.respelt(n, name, comment, old, new)
    for n, key in ((3, "sealed"), (2, "commits"), (8, "heads"), (2, "openings")):
        yield m.changed(n, f"spelt-{key}", "rows in another order", "document",
                        turned(key))  # fmt: skip


def of_what_may_be_written(m: Maker) -> Iterator[Vector]:
    """Fields that say nothing to the game: each has one way to be written."""
    for name, time in (
        ("day-before-month", "2026-21-11T10:00:00Z"),
        ("no-time", "2026-11-21 10:00:00"),
        ("no-such-day", "2026-02-30T10:00:00Z"),
    ):
        yield m.changed(3, f"time-{name}", "its time", "document",
                        update_with(time=time))  # fmt: skip
    for n, name, row in (
        (6, "operand-of-none", "note from=5 : the summer break begins"),
        (11, "operand-twice", "undo to=9 to=9 : sent by mistake"),
        (11, "operand-no-number", "undo to=abc : sent by mistake"),
        (11, "operand-empty", "undo to= : sent by mistake"),
        (11, "operand-huge", f"undo to={'9' * 5000} : sent by mistake"),
        (9, "operands-in-another-order", "player what=name seat=blue : he is called Robert"),
        (9, "what-in-another-order", "player seat=blue what=address,name : he is called Robert"),
        (9, "what-twice", "player seat=blue what=name,name : he is called Robert"),
        (9, "known-not-in-what", "player seat=blue what=name known=reply : he is called Robert"),
        (9, "language-not-in-what", "player seat=blue what=name language=de : he is Robert"),
        (9, "language-of-words", "player seat=blue what=language language=all-agreed : hello"),
        (7, "key-of-none", "keys acting=x by=acting : on holiday"),
        (6, "line-end", "note : the summer break begins\nproven: all is well"),
    ):
        yield m.changed(n, f"ruling-{name}", "the row of a ruling", "document", ruled([row]))
    yield m.changed(0, "option-without-a-value", "an option", "document",
                    lambda d: d["setup"]["options"].append("edition"))  # fmt: skip
    yield m.changed(0, "seat-twice", "two seats of one name", "document", one_seat)
    yield m.changed(3, "referee-by-nobody", "nothing where a dash stands", "document",
                    lambda d: d["referees"].__setitem__(
                        0, d["referees"][0].replace(" - -", "  -")))  # fmt: skip
    yield m.changed(4, "answers-signed", "a number with a sign", "document",
                    lambda d: d["answered"].__setitem__(0, "red -1"))  # fmt: skip


def one_seat(d: Document) -> None:
    d["setup"]["seats"] = ["red", "red"]
    d["people"][1] = d["people"][1].replace("blue", "red")


def of_players(m: Maker) -> Iterator[Vector]:
    told = "player seat=blue what=name : he is called Robert"
    yield m.changed(0, "key-before-joining", "a key of red's that the referee made", "roster",
                    lambda d: d["people"].__setitem__(0, f"red key {X32} 0 Ann"))  # fmt: skip
    yield m.changed(9, "no-key", "known by a key, and none is there", "roster",
                    lambda d: d.update(people=[d["people"][0], "blue key - 9 Robert"],
                        rulings=[told.replace("name", "name,known known=key")]))  # fmt: skip
    yield m.changed(9, "known-otherwise", "it says by password, the row by reply", "ruling",
                    ruled([told.replace("name", "name,known known=password")]))  # fmt: skip
    yield m.changed(9, "nobodys-seat", "a seat that there is not", "ruling",
                    ruled([told.replace("blue", "green")]))  # fmt: skip
    yield m.changed(6, "restored-from-another", "it follows state 5", "ruling",
                    ruled(["restore from=3 : the disk broke"]))  # fmt: skip
    yield m.changed(2, "ruling-in-the-deal", "before the first order", "ruling",
                    ruled(["note : by the way"]))  # fmt: skip
    yield m.changed(4, "answers-in-another-order", "blue before red", "document",
                    lambda d: d["answered"].reverse())  # fmt: skip
    yield m.changed(4, "contributions-in-another-order", "blue before red", "document",
                    lambda d: d["contributions"].reverse())  # fmt: skip
    yield m.changed(4, "class-of-none", "no class of contribution", "document",
                    lambda d: d["contributions"].__setitem__(1, "blue much"))  # fmt: skip


def of_slots(m: Maker) -> Iterator[Vector]:
    yield m.changed(4, "commitment-exchanged", "of a counter", "slots", put("sealed", 3, 1, X32))
    yield m.changed(4, "slot-dropped", "a counter is gone", "slots",
                    lambda d: d["sealed"].pop(3))  # fmt: skip
    yield m.changed(4, "slot-doubled", "a counter is there twice", "slots",
                    lambda d: d["sealed"].insert(3, d["sealed"][3]))  # fmt: skip
    yield m.changed(4, "slot-of-another-state", "committed too late", "slots",
                    lambda d: d["commits"].insert(0, f"3/card/99 {X32}"))  # fmt: skip
    yield m.changed(4, "head-left-out", "of a state whose counters are still hidden", "slots",
                    lambda d: d["heads"].pop(0))  # fmt: skip
    yield m.changed(2, "opened-value-changed", "a counter turned up", "opening",
                    lambda d: put("openings", 0, 1, other(d["openings"][0]))(d))  # fmt: skip
    yield m.changed(2, "opened-key-changed", "a counter turned up", "opening",
                    put("openings", 0, 2, X32))  # fmt: skip


def other(row: str) -> str:
    return "9" if row.split(" ")[1] != "9" else "8"


def of_the_secret(m: Maker) -> Iterator[Vector]:
    yield Vector("secret_another", "not the genesis' one", "secret", "secret -",
                 f"{b64(b'z' * 32)}\n".encode(), 12)  # fmt: skip
    hands = m.files["hands"]
    yield Vector("hands_another", "red's waiting order is another", "hands", "hands 3",
                 hands.replace(b"wall A1\n", b"wall A2\n", 1))  # fmt: skip
    yield Vector("hands_left-out", "what waited before state 3 is lost", "hands", "hands 3",
                 b"hand " + hands.split(b"hand ", 2)[2])  # fmt: skip
    yield m.changed(3, "hand-of-another", "commits to another hand", "hands",
                    put("hands", 0, 1, X32), last=3)  # fmt: skip
    yield Vector("state-2_steered", "two counters changed places before they were committed",
                 state(2), "deal 2", steered(m), 2)  # fmt: skip
    yield m.changed(5, "token-of-another-value", "a counter is another one", "sealed",
                    lambda d: reseal(m, d, 5), last=5)  # fmt: skip
    old = state_file.parse(state_file.split(m.raw(4)).body)["sealed"][0].split(" ")[2]
    yield m.changed(5, "token-of-the-state-before", "not sealed anew", "sealed",
                    put("sealed", 0, 2, old), last=5)  # fmt: skip
    yield m.changed(5, "orders-token-changed", "another's", "sealed",
                    put("entries", 0, 3, "A" * 379), last=5)  # fmt: skip
    yield of_orders(m, 3, "order-not-signed", "red's key did not", signature=b"x" * 64)
    for nr in ("-1", "01", ""):
        yield of_orders(m, 3, f"order-number-{nr or 'none'}", "no number", orders_number=nr)
    yield of_orders(m, 3, "order-signature-short", "63 bytes", quoted_hash=X32, signature=b"x" * 63)
    yield of_orders(m, 3, "order-for-no-state", "the head is none of these", quoted_hash=X32)
    yield of_orders(m, 3, "order-line-changed", "not the one he signed", line="wall A3",
                    signed_line="wall A3", public_words="wall A3")  # fmt: skip
    yield m.changed(3, "order-by-reply", "red has a key", "ruling",
                    put("entries", 0, 1, "reply"))  # fmt: skip
    yield m.changed(4, "order-signed-without-a-key", "blue has none", "ruling",
                    put("entries", 0, 1, "signed"))  # fmt: skip
    yield m.changed(4, "order-by-password", "blue is identified by reply", "ruling",
                    put("entries", 0, 1, "password"))  # fmt: skip
    yield m.changed(3, "order-by-a-ruling", "kept for later", "ruling",
                    put("entries", 0, 1, "ruling"))  # fmt: skip
    yield m.changed(23, "orders-in-each-others-place", "tokens say which they are", "sealed",
                    turned("entries"), last=23)  # fmt: skip
    yield numbered(m, "order-number-too-large", orders_number=1_000_001)
    yield numbered(m, "order-of-line-501", line_number=501)
    for name, line in (("no-break", "wall\u00a0A3"), ("two-blanks", "wall  A3")):
        yield of_orders(m, 4, f"order-line-with-{name}", "another spelling", line=line)
    yield of_orders(m, 8, "order-used-again", "the number of state 3", orders_number=1)
    nothing = {"signature": b"", "signed_line": "", "source": "forced"}
    yield of_orders(m, 3, "forced-with-a-number", "nobody wrote it", **nothing, quoted_hash="")
    yield of_orders(m, 3, "forced-with-a-head", "nobody wrote it", **nothing, orders_number=0, line_number=0)
    yield held_back(m, 8)
    yield m.changed(4, "position-changed", "a wall nobody placed", "rules", more_walls, last=4)


def more_walls(d: Document) -> None:
    rows = d["position"]["squares"]
    d["position"]["squares"] = sorted({*rows, "B3 red single"})


def steered(m: Maker, name: str = "threat") -> bytes:
    honest = opening.deal_piles

    def cheat(*given: Any) -> Any:
        dealt = dict(honest(*given))
        pile = list(dealt[name])
        at = next(i for i, value in enumerate(pile) if value != pile[0])
        pile[0], pile[at] = pile[at], pile[0]
        return dealt | {name: tuple(pile)}

    roster = read_verified_record(m.raw(1), ACTING.public)
    given = read_verified_record(m.raw(2), ACTING.public).opened_contributions
    opening.deal_piles = cheat  # type: ignore[assignment]
    try:
        time = roster.time
        return opening.deal(roster, m.raw(1), given, m.table.game, ACTING, SECRET, time)
    finally:
        opening.deal_piles = honest


def reseal(m: Maker, d: Document, n: int) -> None:
    seals = Seals(SECRET, m.game, n, m.head(n - 1))
    slot, c, token = d["sealed"][0].split(" ")
    value = "0" if seals.open(slot, token) != "0" else "1"
    d["sealed"][0] = f"{slot} {c} {seals.seal(slot, value)}"


def of_orders(m: Maker, n: int, name: str, comment: str, **other: Any) -> Vector:
    """The order of state n as another one, committed and sealed as it should be."""
    seals = Seals(SECRET, m.game, n, m.head(n - 1))
    record = read_verified_record(m.raw(n), m.key(n).public)
    one = m.order(n)._replace(**other)
    entry = _entry(NextRecordInputs(n, m.game, m.head(n - 1), "play", "", record, {}), 1, one, seals)
    row = f"{entry.seat} {entry.source} {b64(entry.commitment)} {entry.token} {entry.public_words}"
    return m.changed(n, name, comment, "order", lambda d: d.update(entries=[row]), last=n)


def numbered(m: Maker, name: str, **other: Any) -> Vector:
    """Red's order of state 3 under another number, signed so."""
    one = m.order(3)._replace(**other)
    place, rulings = (one.orders_number, one.line_number, one.line_count), m.table.game.rulings[0]
    parts = (m.game, "red", *place, m.head(2), rulings, one.line)
    return of_orders(m, 3, name, "over its limit", signature=sign(PLAYER, "order", *parts), **other)


def held_back(m: Maker, n: int) -> Vector:
    """Red's order of state n as one that he signed for now in his first turn."""
    head, line = m.head(2), m.order(n).line
    parts = (m.game, "red", 99, 1, 1, head, m.table.game.rulings[0], line)
    sig = sign(PLAYER, "order", *parts)
    comment = "written for state 2, other orders of red's were used since"
    return of_orders(
        m, n, "order-held-back", comment, orders_number=99, line_number=1, quoted_hash=b64(head), signature=sig
    )


def timed(**fields: Any) -> Callable[[Document], object]:
    """The same state with another clock."""
    return lambda d: d["clock"].update(fields)


def seat(at: int, part: int, new: str) -> Callable[[Document], object]:
    """What the clock has of one seat: 1 the deadline, 2 the bank, 3 the strikes."""
    return lambda d: put("seats", at, part, new)(d["clock"])


def of_the_clock(m: Maker) -> Iterator[Vector]:
    """Found by reading what a referee could write that nobody looked at."""
    for n, name, fields in (
        (3, "off-with-a-grace", {"grace": 12}),
        (3, "off-with-a-deadline", {"seats": ["red 2027-01-01T00:00:00Z 0 0", "blue - 0 0"]}),
        (13, "days-in-another-order", {"days": ["wed", "mon", "fri"]}),
        (13, "without-a-zone", {"zone": "-"}),
        (13, "slots-and-spans", {"slots": ["mon 19:00"]}),
        (13, "no-time-of-day", {"at": "25:00"}),
        (13, "days-off-twice", {"off": ["2026-12-24 2027-01-01", "2027-01-01 2027-01-02"]}),
        (13, "reminders-rising", {"remind": ["2", "24"]}),
        (13, "missed-otherwise", {"missed": "perhaps"}),
        (13, "a-seat-left-out", {"seats": ["red 2026-11-25T19:00:00Z 24 0"]}),
        (13, "no-deadline-like-this", {"seats": ["red 2026-11-25 24 0", "blue - 24 0"]}),
        (15, "no-pause-like-this", {"paused": "soon"}),
    ):
        yield m.changed(n, f"clock-{name}", "the clock", "document", timed(**fields))
    yield m.changed(3, "clock-left-out", "no clock at all", "document",
                    lambda d: d.pop("clock"))  # fmt: skip
    yield m.changed(4, "time-falls", "an hour before state 3", "clock",
                    update_with(time="2026-11-21T09:00:00Z"))  # fmt: skip
    yield m.changed(0, "clock-has-run", "a reserve that nobody used", "clock",
                    timed(turn=24, seats=["red - 5 0", "blue - 0 0"]))  # fmt: skip
    yield m.changed(4, "clock-begun", "without a ruling", "clock", timed(turn=24))
    yield m.changed(13, "clock-not-said", "the grace is not in its ruling", "clock", ruled(
        ["clock what=turn,at,zone,days,bank,missed : so asked all"]))  # fmt: skip
    yield m.changed(14, "deadline-too-short", "47 hours, and it says 48", "clock",
                    seat(0, 1, "2026-11-27T18:00:00Z"))  # fmt: skip
    yield m.changed(14, "bank-smaller", "of blue, who was not asked", "clock", seat(1, 2, "23"))
    yield m.changed(15, "deadline-in-the-pause", "not moved by all of it", "clock",
                    seat(0, 1, "2026-11-28T19:00:00Z"))  # fmt: skip
    yield m.changed(16, "deadline-back", "by more than was left of the pause", "clock",
                    seat(0, 1, "2026-11-28T18:00:00Z"))  # fmt: skip
    yield m.changed(17, "default-before-its-time", "an hour of the grace was left", "clock",
                    update_with(time="2026-11-30T06:00:00Z"))  # fmt: skip
    yield m.changed(17, "bank-of-another", "blue's was used", "clock", seat(1, 2, "20"))
    yield m.changed(17, "strikes-twice", "for one turn", "clock", seat(0, 3, "2"))
    yield m.changed(19, "deadline-over", "when it was set", "clock",
                    seat(0, 1, "2026-11-30T08:00:00Z"))  # fmt: skip
    yield m.changed(20, "deadline-of-the-other", "by an undo", "clock", seat(0, 2, "24"))
    yield m.changed(m.last, "deadline-at-the-end", "nobody is asked", "clock",
                    seat(1, 1, "2026-12-09T19:00:00Z"))  # fmt: skip
    yield m.changed(19, "deadline-before-its-question", "blue is not asked", "rules",
                    seat(1, 1, "2026-12-09T19:00:00Z"), last=19)  # fmt: skip


def of_later_rulings(m: Maker) -> Iterator[Vector]:
    for n, name, row in (
        (13, "what-twice", "clock what=turn,turn : so asked all"),
        (13, "what-of-none", "clock what=paused : so asked all"),
        (14, "no-hours", "extend seat=red hours=0 : a wedding"),
        (15, "no-time", "pause until=monday : a holiday"),
        (18, "void-of-nothing", "void : the disk broke"),
        (m.last, "no-result", "end result=lost winners=blue : the winter is long"),
        (m.last, "drawn-and-won", "end result=drawn winners=blue : the winter is long"),
    ):
        yield m.changed(n, f"ruling-{name}", "the row of a ruling", "document", ruled([row]))
    yield m.changed(14, "extended-nothing", "blue has no deadline", "ruling",
                    ruled(["extend seat=blue hours=48 : a wedding"]))  # fmt: skip
    yield m.changed(14, "resumed-what-runs", "there was no pause", "ruling",
                    ruled(["resume : back again"]))  # fmt: skip
    yield m.changed(15, "paused-otherwise", "not until what it says", "ruling",
                    ruled(["pause until=2026-11-24T10:00:00Z : a holiday"]))  # fmt: skip
    yield m.changed(15, "paused-too-long", "40 days, and red did not sign", "ruling",
                    too_long)  # fmt: skip
    yield m.changed(18, "void-of-the-future", "state 20 is still to come", "ruling",
                    ruled(["void from=20 : the disk broke"]))  # fmt: skip
    yield m.changed(m.last, "won-by-nobody", "there is no green", "ruling",
                    ruled(["end result=conceded winners=green : the winter is long"]))  # fmt: skip
    for n in (20, m.last):
        yield m.changed(n, "consent-left-out", "red did not sign it", "ruling",
                        lambda d: d.pop("consents"))  # fmt: skip
        yield m.changed(n, "consent-to-nothing", "a signature of nothing", "ruling",
                        put("consents", 0, 2, X64))  # fmt: skip
    yield m.changed(20, "consent-refused", "red said no", "ruling", put("consents", 0, 1, "no"))
    yield m.changed(20, "consent-of-a-seat-without-a-key", "blue's", "ruling",
                    put("consents", 0, 0, "blue"))  # fmt: skip
    yield m.changed(m.last, "consent-to-something-else", "to an undo", "ruling", lambda d: d.update(
        consents=state_file.parse(state_file.split(m.raw(20)).body)["consents"]))  # fmt: skip
    yield m.changed(6, "undo-of-a-look", "blue looked at a counter, and red did not sign", "ruling",
                    look_undone(m))  # fmt: skip
    yield m.changed(6, "consent-to-a-note", "nobody was asked", "ruling",
                    put_consents(m))  # fmt: skip
    yield m.changed(4, "consent-without-a-ruling", "nobody was asked", "ruling",
                    put_consents(m))  # fmt: skip
    yield m.changed(20, "consent-maybe", "neither yes nor no", "document",
                    put("consents", 0, 1, "maybe"))  # fmt: skip
    yield m.changed(6, "consents-empty", "a key that says nothing", "document",
                    lambda d: put_in(d, "consents", []))  # fmt: skip
    yield m.changed(3, "bot-for-a-key", "red plays with one", "ruling",
                    put("entries", 0, 1, "bot:sly:1.2"))  # fmt: skip
    yield m.changed(4, "bot-without-a-version", "nobody could play it again", "document",
                    put("entries", 0, 1, "bot:sly"))  # fmt: skip


def too_long(d: Document) -> None:
    d.update(rulings=["pause until=2026-12-31T10:00:00Z : a holiday"])
    timed(paused="2026-12-31T10:00:00Z")(d)
    seat(0, 1, "2027-02-01T19:00:00Z")(d)


def put_in(d: Document, key: str, value: Any) -> None:
    """A key that comes behind the entries."""
    rest = {name: d.pop(name) for name in [*d][[*d].index("events") :]}
    d.update({key: value, **rest})


def put_consents(m: Maker) -> Callable[[Document], object]:
    found = state_file.parse(state_file.split(m.raw(20)).body)["consents"]
    return lambda d: put_in(d, "consents", found)


def of_names(m: Maker) -> Iterator[Vector]:
    """Names that could pass for another's, for a seat, or for whom pbem itself names."""
    for name, new in (
        ("too-long", "A" * 61),
        ("not-nfc", "Zoe\u0308"),
        ("alike", "BOB"),
        ("of-a-seat", "Blue"),
        ("reserved", "Referee"),
    ):
        yield m.changed(0, f"name-{name}", "of red's player", "document", put("people", 0, 4, new))


def of_the_archive(m: Maker) -> Iterator[Vector]:
    body, _, sig = m.files["manifest"].rpartition(b"sig ")
    yield Vector("manifest_hash-changed", "of the transcript", "manifest", "container -",
                 body.replace(b"  transcript", b"0  transcript") + b"sig " + sig)  # fmt: skip
    yield Vector("manifest_signed-by-a-stranger", "64 bytes that sign nothing", "manifest",
                 "container -", body + f"sig {X64}\n".encode())  # fmt: skip
    yield Vector("transcript_changed", "a line added", "transcript.txt", "container -",
                 m.files["transcript.txt"] + b"Red won.\n")  # fmt: skip


def of_reports(m: Maker) -> Iterator[Vector]:
    place = "reports/0002-spectators.txt"
    text = m.files[place].decode()
    lines = text.splitlines()
    head, commit, opened = (
        next(i for i, line in enumerate(lines) if line.startswith(word)) for word in ("head", "commit", "open")
    )

    def signed(changed: list[str], key: RefereeKey = ACTING) -> bytes:
        found = [line for line in changed if not line.startswith("sig ")]
        return base_game.signed_block(found, key)

    def with_line(at: int, line: str) -> list[str]:
        return [*lines[:at], line, *lines[at + 1 :]]

    def one(name: str, comment: str, data: bytes, state: str = "2") -> Vector:
        return Vector(f"report-2_{name}", comment, place, f"block {state}", data)

    yield one("number-too-large", "no game has so many states", signed(
        with_line(0, f"{lines[0].rpartition(' ')[0]} 1000000")), "-")  # fmt: skip
    yield one("from-above-its-last", "from 3 to 2", signed(
        with_line(0, f"{lines[0].rpartition(' ')[0].rpartition(' ')[0]} 3 2")), "-")  # fmt: skip
    yield one("of-more-states", "to 3, whose head it has not", signed(
        with_line(0, f"{lines[0].rpartition(' ')[0].rpartition(' ')[0]} 2 3")), "3")  # fmt: skip
    yield one("restore-of-none", "there was no such ruling", signed(
        [*lines[:2], f"restore {X32}", *lines[2:]]))  # fmt: skip
    yield one("opening-left-out", "a counter turned up", signed(
        [*lines[:opened], *lines[opened + 1 :]]))  # fmt: skip
    yield one("changed", "a letter of the head", text.replace("head ", "head A", 1).encode())
    yield one("of-another-history", "another head", signed(with_line(head, f"head {X32}")))
    yield one("of-another-key", "a stranger's", signed(
        with_line(2, f"key {b64(THIEF.public)}"), THIEF))  # fmt: skip
    yield one("commitment-left-out", "one of them", signed([*lines[:commit], *lines[commit + 1 :]]))
    parts = lines[opened].split(" ")
    yield one("opened-value-changed", "a counter turned up", signed(
        with_line(opened, " ".join([*parts[:2], "9", parts[3]]))))  # fmt: skip
    yield from of_hands_in_reports(m, signed)


def of_hands_in_reports(m: Maker, signed: Callable[[list[str]], bytes]) -> Iterator[Vector]:
    """What red had waiting before state 3, in the block of its own report."""
    place = "reports/0003-red.txt"
    lines = m.files[place].decode().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("hand "))
    word, n, k, value = lines[at].split(" ")

    def one(name: str, comment: str, *others: str) -> Vector:
        data = signed([*lines[:at], *others, *lines[at + 1 :]])
        return Vector(f"report-3_{name}", comment, place, "block 3", data)

    yield one("hand-left-out", "what waited before state 3")
    yield one("hand-another", "it says that nothing waited", f"{word} {n} {k} -")
    yield one("hand-of-another-state", "of state 4", f"{word} 4 {k} {value}")
    yield one("hand-twice", "the same again", lines[at], lines[at])
    yield one("hand-padded", "not the one spelling of base64", f"{lines[at]}=")
    yield one("hand-of-no-state", "a number with a zero before it", f"{word} 03 {k} {value}")


def of_the_succession(m: Maker) -> Iterator[Vector]:
    """Who may sign, and from which state on. Found by a second person's verifier."""
    row = referees.REFEREES.read_row(document(m, 7)["referees"][1])
    here = row._replace(since=7).sign_row(referees.ACTING, ACTING.signing, m.game)
    yield m.changed(7, "since-this-state", "the acting key appoints for the next one", "succession",
                    put_row("referees", 1, referees.REFEREES.write_row(here)))  # fmt: skip
    row = referees.REFEREES.read_row(document(m, RECOVERED)["referees"][2])
    later = row._replace(since=RECOVERED + 1)
    later = later.sign_row(referees.RECOVERY, RECOVERY.signing, m.game)
    yield m.changed(RECOVERED, "since-the-next-state", "the recovery key appoints for this one",
                    "succession", put_row("referees", 2, referees.REFEREES.write_row(later)),
                    base_game.NEXT)  # fmt: skip
    yield m.changed(RECOVERED, "signed-by-the-referee-before", "whose game was taken back",
                    "signature", lambda _: 0, base_game.NEXT)  # fmt: skip
    yield m.changed(RECOVERED, "recovery-not-signed", "by the recovery key", "signature",
                    put("referees", 2, 6, X64))  # fmt: skip
    yield m.changed(RECOVERED, "wraps-to-the-keys-before", "not to those that follow", "succession",
                    lambda d: d.update(wraps=document(m, 21)["wraps"]))  # fmt: skip
    said = document(m, RECOVERED)["rulings"][0]
    yield m.changed(RECOVERED, "ruling-of-another-key", "it says by the acting one", "ruling",
                    ruled([said.replace("by=recovery", "by=acting")]))  # fmt: skip
    yield m.changed(RECOVERED, "ruling-name-empty", "in place of none", "document",
                    ruled([said.replace("name=Eva", "name=")]))  # fmt: skip
    yield m.changed(RECOVERED, "ruling-left-out", "a note, and other keys", "ruling",
                    ruled(["note : silent for weeks"]))  # fmt: skip


def document(m: Maker, n: int) -> Document:
    return state_file.parse(state_file.split(m.raw(n)).body)


def put_row(key: str, at: int, row: str) -> Callable[[Document], object]:
    return lambda d: d[key].__setitem__(at, row)


def of_rows(m: Maker) -> Iterator[Vector]:
    """What a row may be. Found by reading the text for what it does not forbid."""
    yield m.respelt(3, "escape-of-a-line-end", "an escape that there is not", '"play"', '"pl\\nay"')
    for name, sign_ in (("direction", "\u202e"), ("no-width", "\u200b"), ("tag", "\U000e0041")):
        yield m.changed(3, f"words-{name}", "a character that does not show", "document",
                        put("entries", 0, 4, f"wall{sign_}"))  # fmt: skip
    yield m.changed(3, "position-control", "U+0085 in a row of the game", "document",
                    lambda d: d["position"]["squares"].append("A\x85"))  # fmt: skip
    yield m.changed(2, "value-empty", "two blanks in a row", "document",
                    put("openings", 0, 1, ""))  # fmt: skip
    yield m.changed(3, "order-of-no-seat", "there is no green", "document",
                    put("entries", 0, 0, "green"))  # fmt: skip
    for name, row in (
        ("leading-nought", "x CC-1 points:red=+03"),
        ("no-sign", "x CC-1 points:red=3"),
        ("no-ruling", "x"),
    ):
        yield m.changed(3, f"event-{name}", "an event", "document",
                        appended("events", row))  # fmt: skip
    yield m.changed(4, "replaced-empty", "a key that says nothing", "document",
                    lambda d: put_behind(d, "heads", "replaced", []))  # fmt: skip
    yield m.changed(4, "hands-in-another-order", "blue before red", "document", turned("hands"))
    yield m.changed(4, "hand-left-out", "a state without blue's", "document",
                    lambda d: d["hands"].pop())  # fmt: skip
    yield m.changed(1, "plain-without-a-line", "of blue", "document",
                    put_row("roster", 1, "blue plain"))  # fmt: skip
    yield m.changed(1, "answer-of-none", "no such answer", "document",
                    put_row("roster", 1, "blue perhaps"))  # fmt: skip
    for name, fields in (
        ("round-nought", {"round": 0}),
        ("round-after-none", {"round": 2}),
        ("previous-of-the-first", {"previous": X32}),
    ):
        yield m.changed(0, name, "the round", "document", settled(fields))
    for name, seat_ in (("all", "all"), ("spectators", "spectators"), ("with-a-sign", "a,b")):
        yield m.changed(0, f"seat-{name}", "a name that rows and reports use", "document",
                        partial(renamed, seat_=seat_))  # fmt: skip
    for name, new in (("blank-at-its-end", "Ann "), ("two-blanks", "Ann  B"), ("joiner", "B\u200dob")):
        yield m.changed(0, f"name-{name}", "of red's player", "document",
                        put_row("people", 0, f"red reply - 0 {new}"))  # fmt: skip
    for n, name, row in (
        (6, "reason-short", "note : ok"),
        (14, "seat-empty", "extend seat= hours=48 : a wedding"),
        (25, "percent-of-another", "correct field=colours.red.1 old=%30 new=7 : added up wrong"),
    ):
        yield m.changed(n, f"ruling-{name}", "the row of a ruling", "document", ruled([row]))
    yield m.changed(3, "number-of-seven-digits", "n", "document", lambda d: d.update(n=1_000_003))
    yield m.changed(4, "slot-of-no-number", "no state made it", "document",
                    lambda d: d["commits"].append(f"x/card/1 {X32}"))  # fmt: skip
    yield m.changed(4, "commitment-nowhere", "made, and neither hidden nor open", "slots",
                    lambda d: d["commits"].append(f"4/card/9 {X32}"))  # fmt: skip


def appended(key: str, row: str) -> Callable[[Document], object]:
    return lambda d: d[key].append(row)


def settled(fields: Document) -> Callable[[Document], object]:
    return lambda d: d["setup"].update(fields)


def renamed(d: Document, seat_: str) -> None:
    """Blue is called so everywhere in the genesis."""
    d["setup"]["seats"][1] = seat_
    d["people"][1] = d["people"][1].replace("blue", seat_)
    d["clock"]["seats"][1] = d["clock"]["seats"][1].replace("blue", seat_)


def put_behind(d: Document, key: str, new: str, value: Any) -> None:
    rest = {name: d.pop(name) for name in [*d][[*d].index(key) + 1 :]}
    d.update({new: value, **rest})


def of_corrections(m: Maker) -> Iterator[Vector]:
    why = "the scores were added up wrong"
    first, second = document(m, 25)["rulings"]
    for name, comment, rows in (
        ("left-out", "blue's score is another, and nobody says so", [first]),
        ("old-untrue", "it was 0", [first.replace("old=0", "old=1"), second]),
        ("new-of-another", "it is 7", [first.replace("new=7", "new=8"), second]),
        ("of-no-field", "there is no green", [first.replace("red", "green"), second]),
        ("place-with-a-nought", "word 01", [first.replace("red.1", "red.01"), second]),
        ("in-another-order", "each is right", [second.replace("old=0", "old=5"), first]),
        ("and-a-note", "two kinds of ruling", [first, second, f"note : {why}"]),
    ):
        yield m.changed(25, f"correction-{name}", comment, "ruling", ruled(rows))
    yield m.changed(25, "correction-that-moves-rows", "of another list", "ruling",
                    lambda d: d["position"]["boards"].reverse())  # fmt: skip
    yield m.changed(25, "correction-that-opens", "an order with it", "ruling",
                    lambda d: d.update(entries=document(m, 24)["entries"]))  # fmt: skip
    rows = document(m, 12)["rulings"]
    for name, comment, old, new in (
        ("old-of-another", "it lay elsewhere", "old=2/threat/07", "old=2/threat/08"),
        ("slot-not-made", "in this state", "new=12/corrected/1", "new=12/corrected/9"),
    ):
        assert old in rows[0], rows
        yield m.changed(12, f"correction-{name}", comment, "ruling",
                        ruled([rows[0].replace(old, new), *rows[1:]]))  # fmt: skip
    yield m.changed(12, "correction-not-kept", "what stands in for a counter is not said", "ruling",
                    lambda d: d["replaced"].pop())  # fmt: skip
    yield m.changed(4, "position-of-none", "unreadable: its game has no such square", "rules",
                    lambda d: d["position"]["squares"].append("Z99 purple"), last=4)  # fmt: skip
    yield m.changed(19, "deadline-dropped", "red is asked", "rules", seat(0, 1, "-"), last=19)
    yield m.changed(24, "strikes-stay", "though red played", "clock", seat(0, 3, "1"))
    yield m.changed(23, "bank-used-in-vain", "red's question is not answered", "clock",
                    reserve, last=23)  # fmt: skip
    yield m.changed(13, "bank-of-one-seat", "not what the clock says", "clock", seat(1, 2, "23"))


def reserve(d: Document) -> None:
    """Red has no deadline before: nothing of its hours can be over."""
    seat(1, 2, "20")(d)
    d.update(time="2026-12-09T18:00:00Z")


def of_hands(m: Maker) -> Iterator[Vector]:
    hands = m.files["hands"].decode()
    for name, comment, old, new in (
        ("spelt-otherwise", "a number with a nought", "\n1 - wall A4\n2 -", "\n01 - wall A4\n2 -"),
        ("part-without-rows", "of blue", "hand 23 blue\n", "hand 23 blue\nlater 1 reply -\n"),
    ):
        assert old in hands, old
        data = hands.replace(old, new, 1).encode()
        yield Vector(f"hands_{name}", comment, "hands", "hands 23", data)
    more = f"{hands}hand 99 red\nlater 9 signed -\n1/1 {X64} later: wall A1\n"
    yield Vector("hands_of-no-state", "state 99 is not there", "hands", "hands 99", more.encode())
    first = f"hand 1 red\nlater 9 reply -\n1 - wall A1\n{hands}"
    yield Vector("hands_before-the-deal", "a state without hands", "hands", "hands 1",
                 first.encode())  # fmt: skip
    yield Vector("hands_in-another-order", "state 10 before state 8", "hands", "container -",
                 moved(hands).encode())  # fmt: skip
    value = archive.read_pending(m.files["hands"])[24]["red"]
    lines = value.split("\n")
    when = next(i for i, line in enumerate(lines) if line.startswith("when "))
    later = next(i for i, line in enumerate(lines) if line.startswith("later "))
    for name, comment, other in (
        ("part-changed", "the same email, another line", [*lines[:-1], lines[-1].replace("flood -2", "flood +2")]),
        (
            "part-of-an-older-email",
            "nr 3, and 7 was there",
            [*lines[:later], lines[later].replace("later 8", "later 3"), *lines[later + 1 :]],
        ),
        (
            "line-of-another-part",
            "signed for AP2, and it waits for any question",
            [*lines[: later + 1], lines[-1], *lines[when:]],
        ),
        ("line-not-signed", "red has a key", [*lines[: later + 1], f"1/1 {X64} later: wall A5", *lines[when:]]),
        ("by-reply", "red has a key", [*lines[:later], lines[later].replace("signed", "reply"), *lines[later + 1 :]]),
        (
            "row-said-to-be-dropped",
            "no row says so of itself",
            [*lines[: later + 1], f"x{lines[later + 1]}", *lines[later + 2 :]],
        ),
        (
            "half-an-email",
            "the first line of two",
            [*lines[: later + 1], half(m, lines[later], lines[later + 1]), *lines[when:]],
        ),
    ):
        yield committed(m, f"hand-{name}", comment, 24, "red", "\n".join(other), "hands")
    yield committed(m, "hand-part-gone", "what waited for AP2", 24, "red", "\n".join(lines[:when]),
                    "rules")  # fmt: skip
    yield committed(m, "hand-not-stopped", "a line could not be used at this question", 24,
                    "red", "\n".join(lines[1:]), "rules")  # fmt: skip
    value = archive.read_pending(m.files["hands"])[25]["red"]
    back = [*lines[when:], value[value.index("rest ") :]]
    yield committed(m, "hand-taken-back", "what waited for AP2, and withdraw AP2", 25, "red",
                    "\n".join(back), "hands")  # fmt: skip
    value = archive.read_pending(m.files["hands"])[23]["blue"]
    one, first, second, *rest = value.split("\n")
    wanted = "\n".join([one, second.replace("2 -", "1 -"), first.replace("1 -", "2 -"), *rest])
    yield committed(m, "hand-in-another-order", "its lines give other orders", 23, "blue", wanted,
                    "rules")  # fmt: skip


def half(m: Maker, part: str, row: str) -> str:
    """A row of a part, signed as one of two."""
    _, nr, _, head = part.split(" ")
    line = row.split(" ", 2)[2]
    kept = base_game.signed_row(m.table, (int(nr), 1, 2), unb64(head, 32), line)
    return f"1/2 {kept.signature} {line}"


def moved(hands: str) -> str:
    cut = hands.index("hand 8 "), hands.index("hand 10 "), hands.index("hand 19 ")
    return hands[: cut[0]] + hands[cut[1] : cut[2]] + hands[cut[0] : cut[1]] + hands[cut[2] :]


def committed(m: Maker, name: str, comment: str, n: int, seat_: str, value: str, kind: str) -> Vector:
    """A hand of another value, that the state commits to and the archive opens."""
    hands = archive.read_pending(m.files["hands"])
    hands[n] = {**hands[n], seat_: value}
    text = archive.write_pending({k: v for k, v in hands.items() if k <= n})
    seals = Seals(SECRET, m.game, n, m.head(n - 1))
    _, c = seals.commit(f"{n}/hand/{seat_}", value, m.head(n - 1))
    at = ("red", "blue").index(seat_)
    found = m.changed(n, name, comment, kind, put("hands", at, 1, b64(c)), last=n)
    return found._replace(also=(("hands", text),))


def of_receipts(m: Maker) -> Iterator[Vector]:
    place = "receipts/0005-red.txt"
    text = m.files[place].decode()
    receipt = read_signed_blocks(text.encode()).receipts[0].receipt

    def one(name: str, comment: str, by: RefereeKey = ACTING, **other: Any) -> Vector:
        data = write_receipt_block(receipt._replace(**other), by.signing, by.public).encode()
        at = other.get("n", 5)
        return Vector(f"receipt-5_{name}", comment, place, f"receipt {at}", data + b"\n")

    yield one("of-another-history", "another head", state_hash=b"x" * 32)
    yield one("of-another-key", "a stranger's", THIEF)
    yield one("of-the-referee-after", "who took over in state 8", base_game.NEXT)
    yield one("of-the-referee-before", "who handed over in state 7", n=7, state_hash=m.head(7))
    yield Vector("receipt-5_first-line-spoilt", "it names no seat", place, "receipt -",
                 text.replace(" red ", " ", 1).encode())  # fmt: skip
    yield one("restore-of-none", "there was no such ruling", restore_hash=b"x" * 32)
    yield one("of-no-state", "the chain ends before", n=99)
    yield Vector("receipt-5_changed", "a line that was kept", place, "receipt 5",
                 text.replace("line kept", "line refused", 1).encode())  # fmt: skip
    yield Vector("receipt-5_verdict-of-none", "no such word", place, "receipt -",
                 text.replace("line kept", "line perhaps", 1).encode())  # fmt: skip
    yield Vector("receipt-5_number-with-a-nought", "state 05", place, "receipt -",
                 text.replace("state 5", "state 05", 1).encode())  # fmt: skip
    other = receipt._replace(n=21, state_hash=b"x" * 32)
    data = write_receipt_block(other, base_game.NEXT.signing, base_game.NEXT.public).encode()
    yield Vector("receipt-21_lost", "of a state 21 that a ruling gave up", place, "lost 21",
                 data + b"\n")  # fmt: skip


def of_longer_reports(m: Maker) -> Iterator[Vector]:
    """A block of the states 8 to 10."""
    place = "reports/0010-blue.txt"
    lines = m.files[place].decode().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("commit 8/"))

    def one(name: str, comment: str, found: list[str]) -> Vector:
        rows = [line for line in found if not line.startswith("sig ")]
        data = base_game.signed_block(rows, base_game.NEXT)
        return Vector(f"report-10_{name}", comment, place, "block 10", data)

    yield one("commitment-of-an-older-state-left-out", "of state 8", [*lines[:at], *lines[at + 1 :]])
    yield one("commitment-twice", "of state 8", [*lines[:at], lines[at], *lines[at:]])
    first = lines[0].replace(" 8 10", " 9 10")
    yield one("from-too-late", "it has a commitment of state 8", [first, *lines[1:]])
    yield one("from-too-early", "it has none of state 2",
              [lines[0].replace(" 8 10", " 2 10"), *lines[1:]])  # fmt: skip
    place = "reports/0002-spectators-wrapped.txt"
    wrapped = m.files[place].decode()
    at = wrapped.rindex("\n> ") + 3
    data = (wrapped[:at] + other_letter(wrapped[at]) + wrapped[at + 1 :]).encode()
    yield Vector("report-2_changed-where-it-is-broken", "a letter of its signature", place,
                 "block 2", data)  # fmt: skip


def other_letter(one: str) -> str:
    return "A" if one != "A" else "B"


def of_histories(m: Maker) -> Iterator[Vector]:
    """A second copy of the game, signed by the referee too, and given together with the first."""

    def one(name: str, n: int, comment: str, data: bytes | None, genuine: str = "neither",
            last: int | None = None, kind: str = "histories") -> Vector:  # fmt: skip
        place = f"other/{n:04d}.toml"
        return Vector(f"other-{n}_{name}", comment, place, f"{kind} {n}", data, last,
                      genuine=genuine if kind == "histories" else "")  # fmt: skip

    later = "its time is a second later"
    yield one("rewritten", 4, later, m.changed(4, "", "", "", other_time).data, last=6)
    yield one("rewritten-before-a-recovery", 4, later, m.changed(4, "", "", "", other_time).data,
              "the first")  # fmt: skip
    yield one("after-the-ruling", 23, "it knows the ruling of state 21",
              m.changed(23, "", "", "", other_time).data)  # fmt: skip
    note = m.changed(21, "", "", "", ruled(["note : nothing was lost"])).data
    yield one("given-up", 21, "another state 21, without the ruling", note, kind="lost", last=21)
    for k, genuine, last, name in (
        (6, "the first", 10, "restored-by-the-old-key"),
        (5, "neither", 10, "restored-before-the-hand-over"),
        (5, "the first", None, "restored-before-a-recovery"),
    ):
        ruling = ruled([f"restore from={k} : the disk broke"])
        yield one(name, k + 1, "the key that acted until state 7", went_on(m, k, ruling),
                  genuine, last)  # fmt: skip
    for genuine, last, name in (("neither", 10, "rival"), ("the first", None, "rival-of-a-recovery")):
        yield one(name, 7, "handed over to somebody else", went_on(m, 6, rival(m)), genuine, last)
    yield one("two-recoveries", RECOVERED, "by the recovery key to another one",
              m.changed(RECOVERED, "", "", "", recovered_by(m), THIEF).data)  # fmt: skip
    n = m.last + 1
    over = m.changed(m.last, "", "", "", update_with(n=n, prev=b64(m.head(m.last))))
    yield Vector(f"state-{n}_goes-on", "after it was closed", state(n), f"closed {n}", over.data)


def went_on(m: Maker, k: int, change: Callable[[Document], object]) -> bytes:
    """A state with a ruling after state k, by the key that acts there."""
    d = document(m, k)
    d.update(n=k + 1, prev=b64(m.head(k)), entries=[], openings=[], events=[], commits=[])
    d.pop("consents", None)
    change(d)
    by = m.key(k)
    return sign_state(state_file.dump(d), by.signing, by.public)


def rival(m: Maker) -> Callable[[Document], object]:
    """The acting key of state 7 hands over to somebody else than in the good game."""
    row = _appointed(m.game, 8, THIEF, "acting", ACTING)
    return _appoints([row], THIEF, "acting")


def recovered_by(m: Maker) -> Callable[[Document], object]:
    """The recovery key appoints somebody else than in the good game."""
    row = _appointed(m.game, RECOVERED, THIEF, "recovery", RECOVERY)
    return _appoints([document(m, RECOVERED)["referees"][1], row], THIEF, "recovery")


def _appoints(rows: list[str], who: RefereeKey, how: str) -> Callable[[Document], object]:
    def change(d: Document) -> None:
        d["referees"] = [d["referees"][0], *rows]
        d["wraps"] = [f"{name} {b64(wrap)}" for name, wrap in map(wrapped, (who, RECOVERY))]
        d["rulings"] = [f"keys by={how} acting={who.id} : on holiday"]

    return change


def other_time(d: Document) -> None:
    d["time"] = d["time"].replace("00Z", "01Z")


def of_rounds() -> Iterator[Vector]:
    """A round that was cancelled before its deal, and the one after it."""
    files = base_game.cancelled()

    def changed(place: str, change: Callable[[Document], object]) -> bytes:
        return base_game.rewritten(files[place], change, ACTING)

    yield Vector("next_round-left-out", "the round after round 1 is 2", "next/0000.toml", "round 0",
                 changed("next/0000.toml", settled({"round": 3})), of="cancelled")  # fmt: skip
    yield Vector("next_of-a-round-that-goes-on", "state 2, which cancels it, is not there",
                 state(2), "round 0", None, of="cancelled")  # fmt: skip
    for name, comment, kind, change in (
        ("secret-of-another", "not the genesis' one", "ruling", lambda d: d.update(secret=X32)),
        (
            "ruling-that-ends",
            "nobody conceded a game that was not dealt",
            "ruling",
            ruled(["end result=drawn : nobody came"]),
        ),
        ("ruling-left-out", "why?", "ruling", ruled([])),
        ("player-changed", "with the end", "roster", put("people", 1, 4, "Eve")),
    ):
        yield Vector(f"state-2_cancelled-{name}", comment, state(2), f"{kind} 2",
                     changed(state(2), change), of="cancelled")  # fmt: skip


def of_great_wall(m: Maker) -> Iterator[Vector]:
    for pile in ("deck/red", "reserve"):
        name, comment = f"state-2_steered-{pile.replace('/', '-')}", "two things changed places"
        yield Vector(name, comment, state(2), "deal 2", steered(m, pile), 2, "great-wall")
    one = m.changed(3, "", "", "", lambda d: reseal(m, d, 3))
    yield Vector("state-3_card-of-another-kind", "sealed in the place of the one dealt", state(3),
                 "sealed 3", one.data, 3, "great-wall")  # fmt: skip


def of_archives(m: Maker) -> Iterator[Vector]:
    """Bytes of the file that say nothing to anybody: there is one way to write them."""
    files = {name: data for name, data in m.files.items() if "/" not in name or name[:6] == "states"}
    data = tar.pack(sorted(files.items(), key=lambda one: one[0].encode()))
    size = -(-len(files["hands"]) // 512) * 512
    for name, comment, at, new in (
        ("mode", "another mode of the first file", 100, b"0000600\0"),
        ("owner", "an owner", 108, b"0000001\0"),
        ("sum", "another sum", 148, b"000000\0 "),
        ("magic", "a ustar of GNU", 257, b"ustar  \0"),
        ("fill", "the end of the last block of a file", 512 + size - 1, b"x"),
        ("end", "the last byte", len(data) - 1, b"x"),
    ):
        yield Vector(f"archive_{name}", comment, "archive", "container -", new, at=at)
    body, _, _ = m.files["manifest"].rpartition(b"sig ")
    for name, comment, old, new in (
        ("made-too-long", "a version of 31 letters", b"made pbem 0", b"made pbem " + b"0" * 31),
        ("of-another-game", "another id", m.game.encode(), b"a" * 26),
        ("another-format", "2", b"pbem-archive 1", b"pbem-archive 2"),
    ):
        text = body.replace(old, new, 1)
        sig = f"sig {b64(sign(base_game.THIRD.signing, 'archive', text))}\n".encode()
        yield Vector(f"manifest_{name}", comment, "manifest", "container -", text + sig)
    yield Vector("hands_missing", "the archive has a secret", "hands", "container -", None)
    yield Vector("transcript_no-text", "latin-1", "transcript.txt", "container -", b"gr\xfc\xdfe\n")


def of_what_nobody_forbade(m: Maker) -> Iterator[Vector]:
    """Found by an attack of 2026-11, by whoever wrote a verifier from the specification alone."""
    yield from of_weak_keys(m)
    yield from of_odd_successions(m)
    yield from of_signs(m)
    yield from of_seats(m)
    yield from of_rulings_that_play(m)
    yield from of_odd_slots(m)
    yield from of_odd_clocks(m)
    yield m.changed(14, "extended-too-far", "9999 hours, and red did not sign", "ruling",
                    extended)  # fmt: skip
    yield m.changed(15, "paused-too-often", "29 days after two of state 14, and red did not sign",
                    "ruling", paused)  # fmt: skip
    for key in ("seats", "colours"):
        yield m.changed(12, f"corrected-order-of-{key}", "rows that no correction names", "ruling",
                        turned_in_the_position(key))  # fmt: skip
    yield m.changed(12, "corrected-and-permuted", "a square, and two others exchanged", "ruling",
                    one_square(m), last=12)  # fmt: skip
    yield m.changed(21, "undo-of-an-undo", "what red agreed to forget counts again, unasked",
                    "ruling", undone_again(m), last=21)  # fmt: skip
    yield m.changed(21, "undo-of-an-undo-agreed", "red agreed to something else", "ruling",
                    undone_again(m, 20), last=21)  # fmt: skip


def of_one_law(m: Maker) -> Iterator[Vector]:
    """Found by whoever wrote a verifier from the text alone: what no ruling is for, and values in
    other spellings.
    """
    late = "2027-02-14T08:00:01Z"  # ten weeks and twice the span, and a second
    for n, name, at in ((18, "void", 1), (19, "order", 0), (20, "undo", 1), (25, "correction", 0)):
        yield m.changed(n, f"deadline-late-by-{name}", "later than its clock can give", "clock",
                        seat(at, 1, late), last=n)  # fmt: skip

    def longer(d: Document) -> None:
        timed(turn=96)(d)
        d["rulings"] = ["clock what=turn : a day more"]

    yield m.changed(14, "deadline-late-by-clock", "a day more, for a question that is open",
                    "clock", longer, last=14)  # fmt: skip
    yield m.changed(18, "deadline-dropped-by-a-void", "the question is open", "clock",
                    seat(1, 1, "-"), last=18)  # fmt: skip
    yield m.changed(18, "deadline-given-by-a-void", "nobody asks red", "clock",
                    seat(0, 1, "2026-12-09T00:00:00Z"), last=18)  # fmt: skip
    for n, name in ((11, "undo"), (18, "void"), (25, "correction")):
        yield m.changed(n, f"{name}-that-commits", "what no order made", "ruling",
                        hides(m, n, f"{n}/threat/00"), last=n)  # fmt: skip
    yield m.changed(25, "correction-of-what-stands-in", "the game has no such slot", "ruling",
                    corrected_again(m), last=25)  # fmt: skip
    yield m.changed(0, "clock-of-bots-alone", "they could play whenever they are let", "document",
                    timed(missed="bot"))  # fmt: skip
    for name, sign_ in (("no-break", "\u00a0"), ("wide", "\u3000"), ("arabic", "\u06dd")):
        yield m.changed(6, f"reason-blank-{name}", "a reader of emails has another there",
                        "document", ruled([f"note : the{sign_}summer break"]))  # fmt: skip
        yield m.changed(2, f"value-blank-{name}", "no block could open it", "document",
                        put("openings", 0, 1, f"2{sign_}"))  # fmt: skip


def hides(m: Maker, n: int, slot: str, value: str = "2") -> Callable[[Document], object]:
    """One thing more that is hidden, as it should be."""
    seals = Seals(SECRET, m.game, n, m.head(n - 1))
    _, made = seals.commit(slot, value, m.head(n - 1))

    def change(d: Document) -> None:
        d["commits"] = sorted([*d["commits"], f"{slot} {b64(made)}"])
        d["sealed"] = sorted([*d["sealed"], f"{slot} {b64(made)} {seals.seal(slot, value)}"])
        d["heads"] += [] if d["heads"][-1].startswith(f"{n} ") else [f"{n} {b64(m.head(n - 1))}"]

    return change


def corrected_again(m: Maker) -> Callable[[Document], object]:
    """State 25 with another correction: of a slot that stands in for another, by its own name."""
    old, new = "12/corrected/1", "25/corrected/1"

    def change(d: Document) -> None:
        d["position"] = document(m, 24)["position"]
        d["sealed"] = [row for row in d["sealed"] if not row.startswith(f"{old} ")]
        d["replaced"] = sorted([*d["replaced"], f"{old} {new}"])
        d["rulings"] = [f"correct slot={old} old={old} new={new} : they were torn"]
        hides(m, 25, new)(d)

    return change


WEAK = b64(bytes(32))  #: a point of order 4, and u = 0


def of_weak_keys(m: Maker) -> Iterator[Vector]:
    for part, name in ((3, "recovery-key"), (2, "acting-wrap"), (4, "recovery-wrap")):
        yield m.changed(0, f"weak-{name}", "a key that is anybody's", "document",
                        put("referees", 0, part, WEAK))  # fmt: skip
    yield m.changed(3, "weak-key-of-a-player", "a key that is anybody's", "document",
                    put("people", 0, 2, WEAK))  # fmt: skip


def of_odd_successions(m: Maker) -> Iterator[Vector]:
    def both(d: Document) -> None:
        d["referees"][0] = swap_part(d["referees"][0], 3, d["referees"][0].split(" ")[1])

    def rows(*told: tuple[int, RefereeKey, str, RefereeKey]) -> Callable[[Document], object]:
        """Rows after the first: since, whose, by which key of the row before."""
        made = [_appointed(m.game, *one) for one in told]
        new = wrapped(told[-1][1])
        wraps = f"{new[0]} {b64(new[1])}"

        def change(d: Document) -> None:
            d["referees"] = [d["referees"][0], *made]
            d["wraps"][0] = wraps
            how, who = told[-1][2], told[-1][1].id
            d["rulings"] = [f"keys by={how} acting={who} : on holiday"]

        return change

    after = base_game.NEXT
    yield m.changed(0, "acting-is-recovery", "one key for both", "document", both)
    yield m.changed(0, "row-with-a-by", "the first row says who appointed it", "signature",
                    put("referees", 0, 5, "acting"))  # fmt: skip
    yield m.changed(7, "keys-two-rows", "two referees, one after the other", "succession",
                    rows((7, THIEF, "recovery", RECOVERY), (8, after, "acting", THIEF)),
                    THIEF)  # fmt: skip


def _appointed(game: str, since: int, whose: RefereeKey, by: str, key: RefereeKey) -> str:
    recovery = (RECOVERY.public, RECOVERY.wrap_public)
    row = referees.RefereeKeys(since, whose.public, whose.wrap_public, *recovery)
    return referees.REFEREES.write_row(row.sign_row(by, key.signing, game))


def of_signs(m: Maker) -> Iterator[Vector]:
    """What nobody sees: two names that look alike, a text that is not what it looks like."""
    for name, new in (
        ("mark-of-direction", "\u061cAnn"),
        ("joined", "Ann\u2060"),
        ("byte-order-mark", "\ufeffAnn"),
        ("tag", "Ann\U000e0041"),
        ("filler", "Ann\u3164"),
        ("selector", "Ann\ufe01"),
        ("symbol", "Ann \u2605"),
        ("noncharacter", "Ann\ufdd0"),
        ("ignored-when-it-comes", "Ann\ufff0"),
        ("blank-alone", " "),
        ("dots-alone", "..."),
        ("sharp-s", "BO\u00df"),
    ):
        change = put("people", 0, 4, new)
        if name == "sharp-s":
            change = names("BO\u00df", "boss")
        yield m.changed(0, f"name-{name}", "of red's player", "document", change)
    yield m.respelt(4, "position-turned", "in the position", "\nstage = \"",
                    "\nstage = \"\u202e")  # fmt: skip


def of_seats(m: Maker) -> Iterator[Vector]:
    """Seats stand among other words, and mean players."""
    yield m.changed(0, "name-spectators", "of red's player", "document",
                    names("spectators", "Bob"))  # fmt: skip
    for name in ("referee", "neutral", "Red", "r/d", "r=d", "-", "r\u00f8d"):
        shown = {"-": "dash", "r/d": "slash", "r=d": "equals", "r\u00f8d": "letter"}.get(name, name)
        yield m.changed(0, f"seat-{shown}", "what no seat can be called", "document",
                        partial(renamed, seat_=name))  # fmt: skip


def of_rulings_that_play(m: Maker) -> Iterator[Vector]:
    """A ruling that changes the game besides, and a state that hides that it does."""
    for n, kind in ((7, "keys"), (9, "player"), (13, "clock"), (14, "extend"), (15, "pause"),
                    (16, "resume"), (18, "void"), (21, "restore"), (m.last, "end")):  # fmt: skip
        yield m.changed(n, f"{kind}-that-plays", f"`{kind}`, and another turn", "ruling",
                        lambda d: d["position"].update(turn=9))  # fmt: skip
    yield m.changed(7, "keys-that-commits", "`keys`, and a new thing that is hidden", "ruling",
                    commits_to(7, "7/threat/00"))  # fmt: skip
    yield m.changed(m.last, "closed-without-its-position", "as before a deal", "document",
                    undealt)  # fmt: skip
    yield m.changed(4, "position-empty", "nothing could be compared", "document",
                    lambda d: d.update(position={}))  # fmt: skip


def commits_to(n: int, slot: str) -> Callable[[Document], object]:
    """A commitment to a thing that is hidden nowhere."""
    return lambda d: d["commits"].append(f"{slot} {X32}")


def of_odd_slots(m: Maker) -> Iterator[Vector]:
    for name, slot in (
        ("of-an-order", "4/order/1"), ("of-a-hand", "4/hand/red"), ("without-a-place", "4/threat"),
        ("with-a-capital", "4/Threat/00"), ("with-an-empty-part", "4/threat//00"),
        ("with-four-parts", "4/a/b/c/d"), ("of-no-state", "0/threat/00"),
    ):  # fmt: skip
        yield m.changed(4, f"slot-{name}", "a name that no slot has", "document",
                        commits_to(4, slot))  # fmt: skip
    slot, _, _, c = state_file.parse(state_file.split(m.raw(2)).body)["openings"][0].split(" ")
    yield m.changed(4, "sealed-after-it-was-opened", "in the deal", "slots", lambda d: d.update(
        sealed=sorted([*d["sealed"], f"{slot} {c} {d['sealed'][0].split(' ')[2]}"])))  # fmt: skip
    k = b"a message to a friend, 32 bytes."
    made, of = b64(commit(m.game, "4/threat/00", k, "2")), "4/threat/00"

    def free(d: Document) -> None:
        d["commits"] = sorted([*d["commits"], f"{of} {made}"])
        d["openings"] = sorted([*d["openings"], f"{of} 2 {b64(k)} {made}"])

    yield m.changed(4, "opened-by-a-key-of-its-own", "made and opened in this state", "sealed",
                    free, last=4)  # fmt: skip


def of_odd_clocks(m: Maker) -> Iterator[Vector]:
    """State 17: red's turn was missed; 18: void, blue is asked; 19: an order of blue's."""
    yield m.changed(17, "strikes-of-another", "blue missed nothing", "clock", seat(1, 3, "1"))


def look_undone(m: Maker) -> Callable[[Document], object]:
    """State 6 undoes state 5, in which blue looked at a counter by an order of its own."""
    then, before = (state_file.parse(state_file.split(m.raw(n)).body) for n in (4, 5))

    def change(d: Document) -> None:
        for key in ("sealed", "heads"):
            d[key] = then[key]
        d["position"] = then["position"] | {"looked": before["position"]["looked"]}
        d["people"] = [swap_part(row, 3, "6") for row in before["people"]]
        d["answered"] = [swap_part(row, 1, str(int(row.split(" ")[1]) + 1))
                         for row in before["answered"]]  # fmt: skip
        d["rulings"] = ["undo to=4 : a slip"]

    return change


def undone_again(m: Maker, consents: int = 0) -> Callable[[Document], object]:
    """State 20 undid state 19; this one goes back to 19, and has the consents of another state."""
    to = state_file.parse(state_file.split(m.raw(19)).body)
    before = state_file.parse(state_file.split(m.raw(20)).body)

    def change(d: Document) -> None:
        for key in ("position", "sealed", "heads"):
            d[key] = to[key]
        d["people"] = [swap_part(row, 3, "21") for row in d["people"]]
        d["answered"] = [swap_part(row, 1, str(int(row.split(" ")[1]) + 1))
                         for row in before["answered"]]  # fmt: skip
        d["rulings"] = ["undo to=19 : it was none"]
        if consents:
            put_in(d, "consents", before["consents"])

    return change


def one_square(m: Maker) -> Callable[[Document], object]:
    """State 12 with another correction: of A1."""
    before = state_file.parse(state_file.split(m.raw(11)).body)

    def change(d: Document) -> None:
        for key in ("sealed", "heads"):
            d[key] = before[key]
        d.pop("replaced")
        d["commits"] = []
        d["rulings"] = ["correct field=squares.A1 old=red%20single new=blue%20single : torn"]
        d["position"]["squares"] = ["A1 blue single", "A6 blue single", "A2 blue single"]

    return change


def extended(d: Document) -> None:
    d.update(rulings=["extend seat=red hours=9999 : a long wedding"])
    seat(0, 1, "2028-02-01T19:00:00Z")(d)


def paused(d: Document) -> None:
    d.update(rulings=["pause until=2026-12-20T10:00:00Z : a holiday"])
    timed(paused="2026-12-20T10:00:00Z")(d)
    seat(0, 1, "2026-12-29T19:00:00Z")(d)


def turned_in_the_position(key: str) -> Callable[[Document], object]:
    return lambda d: d["position"][key].reverse()


def undealt(d: Document) -> None:
    for key in ("contributions", "answered", "hands", "heads", "replaced", "sealed", "commits",
                "openings", "entries", "consents", "events", "position"):  # fmt: skip
        d.pop(key, None)
    d["rulings"] = ["close : the winter is long"]


def names(red: str, blue: str) -> Callable[[Document], object]:
    return lambda d: d.update(people=[f"red reply - 0 {red}", f"blue reply - 0 {blue}"])


def of_a_foreign_verifier(m: Maker) -> Iterator[Vector]:
    """Found by an attack of 2026-11: by whoever wrote a verifier in another language, and signed
    what the text let pass.
    """
    yield from of_foreign_documents(m)
    yield from of_foreign_rulings(m)
    yield from of_foreign_clocks(m)
    yield from of_foreign_blocks(m)
    row = _appointed(m.game, 6, THIEF, "recovery", RECOVERY)
    yield m.changed(6, "signer-in-the-position", "who signed is no referee", "signature",
                    lambda d: d.update(position={"a": [row], **d["position"]}), THIEF)  # fmt: skip
    for name, value in (("nothing", ""), ("a-no-break", "2\u00a0"), ("arabic", "\u06dd2")):
        yield m.changed(4, f"value-of-{name}", "no report could open it", "sealed",
                        hides(m, 4, "4/threat/00", value), last=4)  # fmt: skip
    kept = base_game.signed_row(m.table, (5, 1, 1), m.head(2), m.order(10).line)
    value = f"now 5 signed {b64(m.head(2))} 3\n1/1 {kept.signature} {kept.order}"
    yield committed(m, "hand-for-a-settled-question", "of state 2; red answered since", 10, "red",
                    value, "hands")  # fmt: skip
    value = archive.read_pending(m.files["hands"])[24]["red"].replace("stopped 8", "stopped 7")
    yield committed(m, "hand-stopped-at-another-question", "it was answered", 24, "red", value,
                    "hands")  # fmt: skip


def of_foreign_documents(m: Maker) -> Iterator[Vector]:
    wrap = unb64(document(m, 0)["referees"][0].split(" ")[2], 32)
    for name, key in (
        ("with-its-top-bit", wrap[:31] + bytes([wrap[31] | 0x80])),
        ("above-p", (2**255 - 19 + 9).to_bytes(32, "little")),
    ):
        yield m.changed(0, f"wrap-key-{name}", "another spelling of a key", "document",
                        put("referees", 0, 4, b64(key)))  # fmt: skip
    yield m.changed(0, "seats-none", "nobody plays", "document", nobody)
    yield m.changed(0, "option-of-two-words", "its name", "document",
                    lambda d: d["setup"]["options"].append("house rules=none"))  # fmt: skip
    for name, reason in (
        ("none", "   "), ("begins-with-a-blank", " all is well"), ("two-blanks", "all  is well"),
        ("ends-in-a-blank", "all is "),
    ):  # fmt: skip
        yield m.changed(6, f"reason-{name}", "blanks that say nothing", "document",
                        ruled([f"note : {reason}"]))  # fmt: skip
    yield m.changed(3, "words-two-blanks", "of an order", "document", put("entries", 0, 4, "wall "))
    yield m.changed(1, "plain-two-blanks", "of blue's line", "document",
                    put("roster", 1, 2, "good "))  # fmt: skip
    yield m.changed(13, "clock-days-off-in-the-year-0", "there is none", "document",
                    timed(off=["0000-01-01 0000-02-29"]))  # fmt: skip
    for name, time in (("second-60", "2026-11-21T10:00:60Z"), ("year-0", "0000-11-21T10:00:00Z")):
        yield m.changed(3, f"time-of-{name}", "its time", "document", update_with(time=time))
    for name, row in (
        ("points-of-nobody", "x CC-1 points:green=+3"),
        ("points-of-all", "x CC-1 points:all=+3"),
        ("opens-to-nobody", "x CC-1 open:green=2/threat/00"),
        ("opens-no-slot", "x CC-1 open:red=threat"),
        ("name-with-a-colon", "x CC-1 a:b=1"),
    ):
        yield m.changed(3, f"event-{name}", "an event", "document",
                        appended("events", row))  # fmt: skip
    body, by = state_file.split(m.raw(3)).body, m.key(3)
    for name, other_ in (("no-line-end", body[:-1]), ("two-line-ends", body + b"\n")):
        yield m.bytes_of(3, f"body-{name}", "before its tail", "document",
                         sign_state(other_, by.signing, by.public))  # fmt: skip


def nobody(d: Document) -> None:
    d["setup"]["seats"], d["people"], d["clock"]["seats"] = [], [], []


def of_foreign_rulings(m: Maker) -> Iterator[Vector]:
    first, second = document(m, 25)["rulings"]
    why = first.partition(" : ")[2]
    hand = next(x for x in document(m, 24)["position"]["colours"][0].split(" ") if x[:5] == "hand=")
    for name, comment, row, at, word in (
        ("of-nothing", "0 for 0", first.replace("new=7", "new=0"), 1, "0"),
        ("of-two-words", "in the place of one", first.replace("new=7", "new=7%207"), 1, "7 7"),
        (
            "of-a-word-away",
            "`hand=`, and no number",
            f"correct field=colours.red.hand old={hand[5:]} new= : {why}",
            2,
            "hand=",
        ),
        ("past-the-end", "there is no row 99", f"correct field=squares.99 old= new=A9 : {why}", 1, "0"),
        ("of-two-blanks", "in a row", f"correct field=squares.A1 old= new=red%20%20single : {why}", 1, "0"),
    ):

        def change(d: Document, row: str = row, at: int = at, word: str = word) -> None:
            d["rulings"] = [row, second]
            was = [*document(m, 24)["position"]["colours"]]
            rows = d["position"]["colours"]
            rows[0] = swap_part(was[0], at, word)

        yield m.changed(25, f"correction-{name}", comment, "ruling", change)
    rows = document(m, 12)["rulings"]
    open_ = document(m, 2)["openings"][0].split(" ")[0]
    yield m.changed(12, "correction-of-what-is-open", "it lies on the table", "ruling", ruled(
        [rows[0].replace("slot=2/threat/07 old=2/threat/07", f"slot={open_} old={open_}"), rows[1]]
    ))  # fmt: skip
    yield m.respelt_as(12, "correction-in-another-slot", "not the one that its number gives",
                       "ruling", "12/corrected/1", "12/corrected/0")  # fmt: skip
    yield m.changed(12, "replaced-twice", "two rows for one thing", "ruling", lambda d: d.update(
        replaced=sorted([*d["replaced"], "2/threat/07 12/corrected/0"])))  # fmt: skip
    yield m.changed(13, "clock-missed-alone", "a default at once, and nothing due", "ruling",
                    missed_alone(m))  # fmt: skip
    yield m.changed(14, "clock-off-and-missed", "a default at once", "ruling", clock_off)
    yield m.changed(6, "closed-by-a-note", "a note closes nothing", "ruling", closed_by_a_note)


def missed_alone(m: Maker) -> Callable[[Document], object]:
    def change(d: Document) -> None:
        d["clock"] = {**document(m, 12)["clock"], "missed": "default"}
        d["rulings"] = ["clock what=missed : so asked all"]

    return change


def clock_off(d: Document) -> None:
    nothing = {"turn": 0, "at": "-", "zone": "-", "days": [], "bank": 0, "grace": 0}
    timed(**nothing, seats=["red - 0 0", "blue - 0 0"])(d)
    d["rulings"] = ["clock what=turn,at,zone,days,bank,grace : nobody liked it"]


def closed_by_a_note(d: Document) -> None:
    d["phase"] = "closed"
    put_behind(d, "people", "secret", b64(SECRET))


def of_asking_again(m: Maker) -> Iterator[Vector]:
    """Found by an attack of 2026-11-22."""

    def soon(d: Document) -> None:
        d["time"] = "2026-12-01T19:00:01Z"
        seat(1, 1, "2026-12-04T19:00:00Z")(d)

    yield m.changed(18, "asked-again-without-notice", "a second less than 72 hours", "clock", soon)
    yield m.changed(18, "strikes-forgotten", "of red, by a void", "clock", seat(0, 3, "0"))
    yield m.changed(22, "strikes-forgotten", "of red, by new keys", "clock", seat(0, 3, "0"),
                    base_game.THIRD)  # fmt: skip


def of_foreign_clocks(m: Maker) -> Iterator[Vector]:
    yield m.changed(13, "deadline-too-soon", "a second less than its 72 hours", "clock",
                    seat(0, 1, "2026-11-24T09:59:59Z"))  # fmt: skip
    yield m.changed(18, "deadline-back-by-a-void", "the question is no new one", "clock",
                    seat(1, 1, "2026-12-04T18:59:59Z"))  # fmt: skip
    until = "2036-11-25T19:00:00Z"
    for n, name in ((14, "extended"), (15, "paused"), (16, "resumed")):
        yield m.changed(n, f"{name}-by-years", "more than it says, and red did not sign", "ruling",
                        seat(0, 1, until))  # fmt: skip

    def grace(d: Document) -> None:
        timed(grace=13)(d)
        seat(0, 1, until)(d)
        d["rulings"] = ["clock what=grace : an hour more"]

    yield m.changed(14, "clock-that-moves-by-years", "and red did not sign", "ruling", grace)
    for name, number in (("bank", 23), ("grace", 11)):
        yield m.changed(14, f"{name}-taken-away", "an hour, and the deadlines stay", "clock",
                        less(m, name, number))  # fmt: skip


def less(m: Maker, name: str, number: int) -> Callable[[Document], None]:
    """A ruling that the reserve or the grace is less, of a question that is open."""

    def change(d: Document) -> None:
        d["clock"] = {**document(m, 13)["clock"], name: number}
        due, bank = d["clock"]["seats"][0].split(" ")[1], d["clock"]["bank"]
        d["clock"]["seats"] = [f"red {due} {bank} 0", f"blue - {bank} 0"]
        d["rulings"] = [f"clock what={name} : a simpler clock"]

    return change


def of_foreign_blocks(m: Maker) -> Iterator[Vector]:
    """Receipts against what waited; blocks for nobody; a thing said twice."""
    place = "receipts/0005-red.txt"
    was = read_signed_blocks(m.files[place]).receipts[0].receipt

    def one(name: str, comment: str, place: str = place, key: RefereeKey = ACTING,
            **other: Any) -> Vector:  # fmt: skip
        old = read_signed_blocks(m.files[place]).receipts[0].receipt
        data = write_receipt_block(old._replace(**other), key.signing, key.public).encode()
        return Vector(f"receipt-{old.n}_{name}", comment, place, f"receipt {old.n}", data + b"\n")

    assert was.orders_number == 2
    yield one("of-another-line", "another waited", lines=(("kept", "wall A6"),))
    yield one("of-a-line-too-many", "one of them waited",
              lines=(("kept", "wall A5"), ("kept", "later: wall A6")))  # fmt: skip
    yield one("of-a-line-too-few", "it says that nothing was kept", lines=(("refused", "wall A5"),))
    yield one("of-orders-taken-back", "they waited still", orders_number=3, lines=(("kept", "withdraw now"),))
    yield one("of-newer-orders", "older ones waited", orders_number=3)
    yield one("of-nobody", "there is no green", seat="green")
    blue, third = "receipts/0022-blue.txt", base_game.THIRD
    lines = read_signed_blocks(m.files[blue]).receipts[0].receipt.lines
    for name, other in (
        ("of-what-waits-for-another", ("kept", "when AP2: flood +2")),
        ("of-what-waits-for-nothing", ("kept", "flood +2")),
    ):
        yield one(name, "it waited for AP3", blue, third, lines=(*lines[:2], other))
    yield one("of-what-was-taken-back", "it waited, it says", "receipts/0024-red.txt", third,
              lines=(("kept", "when AP2: flood -2"),))  # fmt: skip
    text = m.files[place].decode()
    for name, comment, old, new in (
        ("state-of-seven-digits", "no game has so many", "state 5", "state 1000000"),
        ("time-of-none", "there is no such month", "11-21T", "21-21T"),
    ):
        yield Vector(f"receipt-5_{name}", comment, place, "receipt -",
                     text.replace(old, new, 1).encode())  # fmt: skip
    place = "reports/0002-spectators.txt"
    rows = [x for x in m.files[place].decode().splitlines() if not x.startswith("sig ")]
    opened = next(line for line in rows if line.startswith("open "))
    for name, comment, found in (
        ("of-nobody", "there is no green", [rows[0].replace("spectators", "green"), *rows[1:]]),
        ("opening-twice", "the same again", [*rows, opened]),
        ("file-twice", "two of one name", [*rows, f"file view.pbem {X32}", f"file view.pbem {b64(bytes(32))}"]),
    ):
        yield Vector(f"report-2_{name}", comment, place, "block 2",
                     base_game.signed_block(found, ACTING))  # fmt: skip


def build() -> dict[str, bytes]:
    """Every file below games/, by name."""
    maker = Maker(base_game.play())
    wall = Maker(base_game.great_wall())
    found = {f"good/{name}": data for name, data in maker.files.items()}
    found |= {f"great-wall/{name}": data for name, data in wall.files.items()}
    found |= {f"cancelled/{name}": data for name, data in base_game.cancelled().items()}
    vectors = [*of_rounds(), *of_great_wall(wall)]
    for part in (of_the_frame, of_the_spelling, of_what_may_be_written, of_the_chain,
                 of_the_deal, of_rulings, of_the_clock, of_later_rulings, of_names,
                 of_players, of_slots, of_the_secret, of_the_archive, of_reports,
                 of_the_succession, of_rows, of_corrections, of_hands, of_receipts,
                 of_longer_reports, of_histories, of_archives, of_what_nobody_forbade,
                 of_asking_again, of_a_foreign_verifier, of_one_law):  # fmt: skip
        vectors += part(maker)
    for one in vectors:
        name = f"faults/{one.name}.txt"
        assert name not in found, name
        found[name] = one.text()
        found |= {f"parts/{part}": data for part, (_, data) in one.parts().items()}
    return found


def main() -> None:
    """Write what differs, take away what is no vector any more."""
    wanted = build()
    for path in [path for path in GAMES.rglob("*") if path.is_file()]:
        if path.relative_to(GAMES).as_posix() not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = GAMES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


if __name__ == "__main__":
    main()
