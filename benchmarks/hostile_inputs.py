"""Hostile inputs, as data: what a stranger, a player or a referee may send to be slow or to break.

What lives here: one table of generators, each a name, the way in, and the bytes. What must never be
here: a clock (hostile.py has it). Source: docs/decisions/0012-no-input-is-slow.md.
"""

import base64
import gzip
import io
import tarfile
from collections.abc import Callable, Iterator
from typing import NamedTuple

MIB = 1 << 20


def made(make: Callable[..., bytes], *given: object) -> Callable[["World"], bytes]:
    """What makes an input of a world, of these things."""
    return lambda world: make(world, *given)


class World(NamedTuple):
    """What an input may be made of: codes that are good, genuine states, and how to sign others."""

    code: str  #: of the question open to blue, who answers by reply
    word: str  #: of a seat with a password
    round: str  #: of an invitation
    states: list[bytes]  #: of a genuine game
    view: bytes  #: of blue
    sign: Callable[[bytes], bytes]  #: a body into a state, by the referee's own key
    archive: Callable[[dict[int, bytes]], bytes]  #: states into an archive with a good manifest


class Input(NamedTuple):
    """One input: ``way`` in is a row of WAYS; ``make`` gives what lies in the file ``given``, or
    (for the way ``arguments``) a command line, a word a line.
    """

    name: str
    way: str
    make: Callable[[World], bytes]


#: how it comes in: command lines, each run alone; ``given`` is the file
WAYS: dict[str, tuple[str, ...]] = {
    "mail": ("receive games given", "orders check view given"),
    "mail, all": ("receive games given", "orders check view given", "verify north given"),
    "password": ("receive games given",),
    "joining": ("receive games given", "orders join given"),
    "move": ("receive games given", "orders check view given"),
    "view": ("orders list given",),
    "state": ("verify given --key key", "status folder", "orders join given"),
    "chain": ("verify folder", "status folder", "show folder", "resolve folder"),
    "archive": ("verify given", "audit given"),
    "backup": ("restore given --to back",),
    "plan": ("new games/other --from given", "new games/other --boards given --game chang-cheng"),
    "keys": ("audit archive.tar --keys given", "verify north --key given"),
    "acting key": ("key show", "status games", "resolve north"),
    "players": ("resolve desk", "receive games small"),
    "script": ("script run given",),
    "arguments": ("",),
}


def _mail(code: str, body: str | bytes, headers: str = "", before: str = "") -> bytes:
    raw = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else body
    head = f"From: Bob <bob@example.org>\nSubject: {before}Re: [pbem {code}] your turn\n{headers}\n"
    return head.encode() + raw


def _filled(unit: str, size: int = MIB - 1000) -> str:
    return unit * (size // len(unit.encode()))


#: name → what fills a text of 1 MiB
TEXTS = {
    "combining marks": "a" + "\u0301" * 15 + "\u0323" * 15,
    "combining marks, one line each": "a" + "\u0301\u0323" * 50 + "\n",
    "combining marks alone": "\u0301\u0323\u0345",
    "ligatures that unfold": "\ufdfa",
    "jamo": "\u1100\u1161\u11a8",
    "soft hyphens": "\u00ad",
    "joiners": "\u200d",
    "emoji": "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "vertical tabs": "wall A7\x0b",
    "form feeds": "wall A7\x0c",
    "line separators": "wall A7\u2028",
    "next lines": "wall A7\u0085",
    "file separators": "wall A7\x1c",
    "bare carriage returns": "a\r",
    "line ends": "\n",
    "blanks": " ",
    "tabs": "\t",
    "no-break blanks": "\xa0",
    "marks of quotation": ">",
    "marks of quotation, one a line": "> a\n",
    "one long word": "a",
    "digits": "9",
    "orders on one line": "wall A7 and ",
    "orders, one a line": "wall A7\n",
    "orders that nearly are": "wal A7x\n",
    "orders with other words": "wall the A7 please\n",
    "words of orders": "when then later card ",
    "bullets": "- * 1. ",
    "commas": ",",
    "first halves of codes": "[pbem K7Q2-",
    "brackets and blanks": "[" + " " * 15,
    "codes": "[pbem K7Q2-9F3A]\n",
    "codes that wrap": "[pbem\n> K7Q2\n> -9F3A]",
    "attributions": "On Monday somebody\n",
    "attributions with a verb": "On Monday a@b wrote\n",
    "attributions without an end": "a@b" + "x" * 390 + "\n",
    "headers in the text": "From: a\n",
    "rules before headers": "__________\n",
    "questions": "rules CC-26\n",
    "helps": "help\n",
    "laters": "later: wall A7\n",
    "withdrawals": "withdraw\n",
    "passwords": "password hunter2\n",
    "signatures of PGP": "-----BEGIN PGP SIGNED MESSAGE-----\n\n",
    "blocks": "pbem 1 aaaaaaaaaaaaaaaaaaaaaaaaaa red 3\n",
    "ends of blocks": "sig\n",
    "hyphens": "a-",
    "apostrophes": "'",
    "plus and minus": "+-",
}


def _different_codes(number: int) -> str:
    letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    words = ("".join(letters[n >> s & 31] for s in (15, 10, 5, 0)) for n in range(number))
    return "".join(f"[pbem {word}-{word}]" for word in words)


_PLACES = "A1 A2 A3 A4 A5 A6 A7 B1 B2 B3 "
_PLAIN = "ich spiele mauer auf A2 oder nicht, weil I would never play two walls on A5 if you wrote "
_QUOTED = "> [pbem K7Q2-9F3A]\n"
_HEAD, _SIG, _GAME = "h" * 43, "s" * 86, "a" * 26
#: the same with more to say: name → body
BODIES: dict[str, Callable[[], str]] = {
    "69,000 codes": lambda: _different_codes(61_000),
    "a signature's beginning and 40,000 words": lambda: "signed pbem 1\n" + "word " * 40_000,
    "a signature's beginning in one line": lambda: "signed pbem 1 " + "word " * 200_000,
    "beginnings of signatures": lambda: "signed pbem 1\n" * 50_000,
    "beginnings of signatures in one line": lambda: "signed pbem 1 " * 70_000,
    "signatures without end": lambda: f"signed pbem 1 {_GAME} blue 1 head {_HEAD} " + f"sign 1 {_SIG} " * 11_000,
    "beginnings of signatures in pieces": lambda: f"signed pbem 1 {_GAME} blue 1 head " + "h\n" * 50_000,
    "names of places": lambda: f"wall {_PLACES * 6}\n" * 4_900,
    "names of places below": lambda: "--\n" + f"wall {_PLACES * 6}\n" * 4_900,
    "names of places between": lambda: _QUOTED + f"\nwall {_PLACES * 6}\n" * 4_900,
    "short lines between": lambda: _QUOTED + "\nwal A7x\n" * 14_000,
    "plain words": lambda: f"{_PLAIN * 3}\n" * 3_000,
    "plain words below": lambda: "--\n" + f"{_PLAIN}\n" * 9_000,
    "order after order": lambda: f"wall A5 {'then wall A5 ' * 14}\n" * 4_900,
    "nothing but then": lambda: f"{'then ' * 40}\n" * 4_900,
    "addresses and a verb": lambda: f"{'@' * 380} wrote\n" * 2_600,
    "addresses, then a verb": lambda: f"{'@' * 240}\nwrote\n" * 2_450,
    "days away": lambda: "absent 20 Dec to 3 Jan\n" * 4_900,
    "whole signatures": lambda: f"signed pbem 1 {_GAME} blue 1\nhead {_HEAD}\n" * 10_000,
}

_HTML = "Content-Type: text/html; charset=utf-8\n"
#: name → HTML of a mail
PAGES: dict[str, Callable[[], str]] = {
    "a number of 5,000 digits": lambda: "&#" + "9" * 5_000 + ";",
    "a hex number of 500,000 digits": lambda: "&#x" + "f" * 500_000 + ";",
    "digits without end": lambda: "<p>&#" + "9" * 1_000_000,
    "ampersands": lambda: "&" * 1_000_000,
    "names of signs": lambda: "&amp;" * 200_000,
    "unknown names of signs": lambda: ("&" + "a" * 30) * 33_000,
    "tags that open": lambda: "<div>" * 200_000,
    "tags that close": lambda: "</div>" * 170_000,
    "tags that open in turn": lambda: "<b><i>" * 80_000 + "</b>" * 80_000,
    "tags that never end": lambda: "<a " * 340_000,
    "quotes that never end": lambda: "<a b='" * 170_000,
    "attributes": lambda: ("<a " + "b=c " * 900 + ">") * 280,
    "comments that never end": lambda: "<!--" * 250_000,
    "comments": lambda: "<!---->" * 140_000,
    "declarations": lambda: "<!a" * 330_000,
    "instructions": lambda: "<?a" * 330_000,
    "marked sections": lambda: "<![a[" * 200_000,
    "styles that never end": lambda: "<style>" * 140_000,
    "styles": lambda: "<style></style>" * 66_000,
    "cells": lambda: "<td>a" * 200_000,
    "lines of a pre": lambda: "<pre>" + "a\n" * 500_000,
    "less-than signs": lambda: "<" * 1_000_000,
}
#: name → headers of a mail whose text is `wall A7`
HEADERS: dict[str, str] = {
    "brackets in From": "From: " + "(" * 90_000 + "\n",
    "some brackets in From": "From: " + "(" * 1_990 + "\n",
    "quotes in From": "From: " + '"\\' * 900 + "\n",
    "angles in From": "From: " + "<" * 1_900 + "\n",
    "routes in From": "From: <" + "@a," * 600 + "\n",
    "brackets in Date": "Date: " + "(" * 1_900 + "\n",
    "a year past 9999": "Date: Sat, 21 Nov 99999 09:45:00 +0000\n",
    "a year of 5,000 digits": "Date: Sat, 21 Nov " + "9" * 1_900 + " 09:45:00 +0000\n",
    "the last hour of 9999": "Date: Fri, 31 Dec 9999 23:59:59 -9999\n",
    "the first hour": "Date: Mon, 01 Jan 0001 00:00:00 +2359\n",
    "a zone of many digits": "Date: Sat, 21 Nov 2026 09:45:00 +" + "9" * 1_000 + "\n",
    "encoded words": "Subject: " + "=?utf-8?q?a?= " * 140 + "\n",
    "an encoded word that never ends": "Subject: " + "=?" * 900 + "\n",
    "encoded words of an odd charset": "Subject: =?punycode?q?" + "a" * 1_900 + "?=\n",
    "lines of a header": "X-A: b\n" + " c\n" * 30_000,
    "headers": "A: b\n" * 18_000,
    "parameters": "Content-Type: text/plain" + "; a=b" * 700 + "\n",
    "parameters in pieces": ("Content-Type: text/plain" + "".join(f"; a*{n}*=b" for n in range(350)) + "\n"),
    "a piece with a number of 4,000 digits": ("Content-Type: text/plain; a*" + "9" * 3_900 + "*=b\n"),
    "quotes in a parameter": "Content-Type: text/plain; a=" + '"\\' * 1_900 + "\n",
    "brackets in a type": "Content-Type: " + "(" * 4_000 + "\n",
    "a charset that is none": "Content-Type: text/plain; charset=" + "x" * 3_000 + "\n",
    "an odd charset": "Content-Type: text/plain; charset=unicode_escape\n",
    "a disposition": "Content-Disposition: attachment; filename*=" + "''%41" * 800 + "\n",
}
_MIXED = 'Content-Type: multipart/mixed; boundary="b"\n'
CHARSETS = ("utf-7", "utf-16", "utf-32", "hz", "iso2022_jp_ext", "gb18030", "big5hkscs", "idna")


def _nested(depth: int) -> str:
    kind = 'Content-Type: multipart/mixed; boundary="b{}"'
    return "".join(f"--b{n}\n{kind.format(n + 1)}\n\n" for n in range(depth))


def mails() -> Iterator[Input]:
    """One text, page, header or structure each."""
    for name, unit in TEXTS.items():
        text = _filled(unit)
        yield Input(name, "mail, all", made(lambda w, text: _mail(w.code, text), text))
    for name, body in BODIES.items():
        yield Input(name, "mail, all", made(lambda w, body: _mail(w.code, body()), body))
    for name, page in PAGES.items():
        yield Input(f"HTML: {name}", "mail", made(lambda w, page: _mail(w.code, page(), _HTML), page))
    for name, head in HEADERS.items():
        yield Input(f"header: {name}", "mail", made(lambda w, head: head.encode() + _mail(w.code, "wall A7\n"), head))
    for name in CHARSETS:
        head = f"Content-Type: text/plain; charset={name}\n"
        raw = b"+AGEA-~{" * 100_000
        yield Input(f"charset {name}", "mail", made(lambda w, h, r: _mail(w.code, r, h), head, raw))
    for name, unit in {"passwords": "password hunter2", "words": "wall A7x hunter2 by"}.items():
        text = _filled(f"{unit}\n")
        yield Input(f"password: {name}", "password", made(lambda w, text: _mail(w.word, text), text))
    different = "".join(f"password w{n}\n" for n in range(50_000))
    yield Input("password: different ones", "password", lambda w: _mail(w.word, different))
    bare = ("key " + "k" * 43 + "\n", "plain\n", "no\n", "share " + "s" * 43 + "\n", "\u0301", "a ")
    for unit in bare:
        text = _filled(unit)
        yield Input(
            f"answer to an invitation: {unit.strip()[:8]!r}",
            "joining",
            made(lambda w, text: _mail(w.round, text), text),
        )
    yield from _structures()


def _structures() -> Iterator[Input]:
    qp = "Content-Transfer-Encoding: quoted-printable\n"
    b64 = "Content-Transfer-Encoding: base64\n"
    uu = "Content-Transfer-Encoding: x-uuencode\n"
    shapes: dict[str, tuple[str, str]] = {
        "soft line ends": ("=\n" * 500_000, qp),
        "signs of quoted-printable": ("=" * 1_000_000, qp),
        "blanks of quoted-printable": ("= " * 500_000, qp),
        "marks in base64": (base64.b64encode(_filled("a\u0301\u0323", 700_000).encode()).decode(), b64),
        "no base64": ("!" * 1_000_000, b64),
        "uuencode": ("begin 644 a\n" * 80_000, uu),
        "parts": ("--b\n\na\n" * 100_000, _MIXED),
        "a boundary of blanks": ("--" + " " * 1_000_000, _MIXED),
        "parts in parts": (_nested(200), 'Content-Type: multipart/mixed; boundary="b0"\n'),
        "59 parts in parts": (_nested(58), 'Content-Type: multipart/mixed; boundary="b0"\n'),
        "mails in mails": ("Content-Type: message/rfc822\n\n" * 2_000, "Content-Type: message/rfc822\n"),
        "flowed lines": ("a \n" * 50_000, "Content-Type: text/plain; format=flowed\n"),
        "flowed lines, long": (("a" * 50 + " \n") * 19_000, "Content-Type: text/plain; format=flowed\n"),
        "a delivery report": ("a" * 100, "Content-Type: multipart/report\n"),
        "alternatives": ("--b\n\n" * 3_900, 'Content-Type: multipart/alternative; boundary="b"\n'),
    }  # fmt: skip
    for name, (body, head) in shapes.items():
        yield Input(f"mail: {name}", "mail", made(lambda w, b, h: _mail(w.code, b, h), body, head))
    many = "".join(f'--b\nContent-Type: a/b; name="{n}.toml"\n\n{"[" * 15_000}\n' for n in range(19))
    yield Input("mail: move files", "mail", lambda w: _mail(w.code, many, _MIXED))
    yield Input("mail of 50 MiB", "mail, all", lambda w: _mail(w.code, "a" * (50 * MIB)))
    yield Input("nothing", "mail, all", lambda w: b"")
    yield Input("NUL bytes", "mail, all", lambda w: bytes(MIB))
    yield Input("bytes FF", "mail, all", lambda w: b"\xff" * MIB)
    yield Input("UTF-16 of marks", "mail, all", lambda w: _filled("\u0301\u0323").encode("utf-16"))


#: name → TOML that follows the first keys of a document
DOCUMENTS: dict[str, Callable[[int], str]] = {
    "a dotted key": lambda size: ".".join("a" * (size // 2)) + " = 1\n",
    "dotted keys": lambda size: "".join(f"{'a.' * 400}b{n} = 1\n" for n in range(size // 812)),
    "a dotted table": lambda size: f"[{'.'.join('a' * (size // 2))}]\n",
    "dotted tables": lambda size: "".join(f"[{'a.' * 400}b{n}]\n" for n in range(size // 812)),
    "lists of tables": lambda size: "[[a]]\n" * (size // 6),
    "dotted lists of tables": lambda size: f"[[{'.'.join('a' * 200)}]]\n" * (size // 404),
    "lists in lists": lambda size: "a = " + "[" * (size - 10),
    "tables in tables": lambda size: "a = " + "{a=" * (size // 3 - 10),
    "dotted keys of a table in a line": lambda size: (
        "a = {" + ", ".join(f"{'b.' * 100}c{n}=1" for n in range(size // 210)) + "}\n"
    ),
    "a long number": lambda size: f"a = {'9' * (size - 10)}\n",
    "a long hex number": lambda size: f"a = 0x{'f' * (size - 10)}\n",
    "a long fraction": lambda size: f"a = 1e{'9' * (size - 10)}\n",
    "numbers": lambda size: f"a = [{'1,' * (size // 2 - 10)}]\n",
    "keys": lambda size: "".join(f"k{n} = 1\n" for n in range(size // 11)),
    "texts": lambda size: "a = [\n" + '    "b",\n' * (size // 9 - 3) + "]\n",
    "escapes": lambda size: f'a = "{chr(92) * 2 * (size // 2 - 10)}"\n',
    "an open text": lambda size: f'a = "{"b" * (size - 20)}',
    "open texts": lambda size: 'a = "b\n' * (size // 7),
    "a text of lines": lambda size: 'a = """' + "\n" * (size - 20) + '"""\n',
    "quotes": lambda size: 'a = """' + '"' * (size - 20),
    "blanks before a line end": lambda size: "a = 1" + " " * (size - 20) + "\n",
    "comments": lambda size: "#\n" * (size // 2),
    "line ends": lambda size: "\n" * size,
    "dates": lambda size: "a = [" + "9999-12-31T23:59:60Z," * (size // 24) + "]\n",
    "the word sign": lambda size: "sign = " + "[" + '"",' * (size // 3 - 9) + "]\n",
}


def _move(w: World, rest: str) -> bytes:
    return f'pbem = 1\ncode = "{w.code}"\norders = ["wall A7"]\n{rest}'.encode()


def documents() -> Iterator[Input]:
    """The same TOML in everything that is TOML."""
    for name, text in DOCUMENTS.items():
        yield Input(f"move file: {name}", "move", made(lambda w, t: _move(w, t(64_000)), text))
        yield Input(
            f"view file: {name}",
            "view",
            made(lambda w, t: w.view.partition(b"[view]")[0] + t(900_000).encode() + b"\n[view]\n", text),
        )
        yield Input(f"plan: {name}", "plan", made(lambda w, t: t(64_000).encode(), text))
        yield Input(
            f"state: {name}", "state", made(lambda w, t: w.sign(b"pbem = 1\nn = 3\n" + t(3 * MIB).encode()), text)
        )
        yield Input(f"players.toml: {name}", "players", made(lambda w, t: t(MIB).encode(), text))
    lines = [("a" + "\u0301\u0323" * 31)[:63]] * 500
    orders = "".join(f'"{line}",' for line in lines)
    yield Input("move file: marks", "move", lambda w: f'pbem = 1\ncode = "{w.code}"\norders = [{orders}]\n'.encode())


def _rows(w: World, key: str, rows: str) -> bytes:
    """The newest state with other rows under a key, signed again."""
    body = _body(w.states[-1])
    start = body.index(f"\n{key} = ".encode()) + 1
    end = body.index(b"]\n", start) + 2
    return w.sign(body[:start] + f"{key} = [\n{rows}]\n".encode() + body[end:])


def _body(state: bytes) -> bytes:
    return state[: state.rindex(b"\n[signature]\n")]


_C = "A" * 43
#: name → (key, a row by its number)
ROWS: dict[str, tuple[str, Callable[[int], str]]] = {
    "heads, all the same": ("heads", lambda n: f"2 {_C}"),
    "heads, each twice": ("heads", lambda n: f"{n // 2} {_C}"),
    "heads, different": ("heads", lambda n: f"{n} {_C}"),
    "sealed, each twice": ("sealed", lambda n: f"2/a/{n // 2} {_C} x"),
    "sealed, different": ("sealed", lambda n: f"2/a/{n} {_C} x"),
    "commits, each twice": ("commits", lambda n: f"3/a/{n // 2} {_C}"),
    "openings": ("openings", lambda n: f"2/a/{n} x {_C} {_C}"),
    "entries": ("entries", lambda n: f"red reply {_C} x words"),
    "events": ("events", lambda n: "x : wall"),
    "rulings": ("rulings", lambda n: "note : because"),
    "operands": ("rulings", lambda n: "note " + "a=b " * 2_000 + ": because"),
    "referees": ("referees", lambda n: f"{n} {_C} {_C} {_C} {_C} acting {'A' * 86}"),
    "referees by recovery": ("referees", lambda n: f"3 {_C} {_C} {_C} {_C} recovery {'A' * 86}"),
    "wraps": ("wraps", lambda n: f"{'A' * 22} {'A' * 107}"),
    "people": ("people", lambda n: "red reply - 0 Ann"),
    "answered": ("answered", lambda n: "red 1"),
    "numbers of 4,000 digits": ("answered", lambda n: f"red {'9' * 4_000}"),
    "a row of a million blanks": ("answered", lambda n: " " * 1_000_000),
}


def states() -> Iterator[Input]:
    """Single states and whole folders, signed again by the referee's key, or by nobody."""
    for name, (key, row) in ROWS.items():
        one = f'    "{row(123456)}",\n'
        number = min(3 * MIB // len(one), 40_000)
        for way in ("state", "chain"):
            yield Input(
                f"{way}: {name}",
                way,
                made(lambda w, k, r, m: _rows(w, k, "".join(f'    "{r(n)}",\n' for n in range(m))), key, row, number),
            )
    unsigned = b"pbem = 1\nn = 3\n" + b'    "0 %b %b %b %b - -",\n' % ((b"A" * 43,) * 4) * 20_000
    tail = b'\n[signature]\nkey = "%b"\nsig = "%b"\n' % (b"A" * 22, b"A" * 86)
    yield Input("state: first referees, unsigned", "state", lambda w: unsigned + tail)
    yield Input("state: marks, unsigned", "state", lambda w: b"pbem = 1\n" + _MARKS + tail)
    yield Input("state: tails", "state", lambda w: b"pbem = 1\n" + tail * 20_000)
    yield Input("state of 8 MiB", "state", lambda w: b"pbem = 1\n" + b"#" * (8 * MIB))
    for name, old, new in (
        ("a table in the position", b"[position]\n", b"[position]\na = true\n"),
        ("a number past all", b"n = ", b"n = 99999999999999999"),
        ("a year past 9999", b'time = "2', b'time = "99992'),
        ("no rows", b"sealed = [\n", b"sealed = []\nsealed2 = [\n"),
    ):
        yield Input(
            f"chain: {name}", "chain", made(lambda w, o, n: w.sign(_body(w.states[-1]).replace(o, n, 1)), old, new)
        )


_MARKS = "\u0301\u0323".encode() * 700_000


def archives() -> Iterator[Input]:
    """Files of many files."""
    from pbem.formats import tar as ustar

    few = [(f"states/{n:04d}.toml", b"") for n in range(9_999)]
    yield Input("archive: empty states", "archive", lambda w: w.archive(dict.fromkeys(range(9_999), b"")))
    yield Input("archive: no manifest", "archive", lambda w: ustar.pack(few * 2))
    yield Input("archive: one state many times", "archive",
                lambda w: w.archive(dict(enumerate(w.states[:1] * 2_000))))  # fmt: skip
    yield Input("archive: a state of marks", "archive",
                lambda w: w.archive({0: w.states[0], 1: b"pbem = 1\n" + _MARKS}))  # fmt: skip
    yield Input("archive: zeros", "archive", lambda w: ustar.pack([("a", b"")]) + bytes(40 * MIB))
    yield Input("archive of 900 MiB", "archive",
                lambda w: ustar.pack([("manifest", b"x" * (900 * MIB))]))  # fmt: skip
    yield Input("archive: a genuine state that is none", "archive",
                lambda w: w.archive({**dict(enumerate(w.states)), len(w.states) - 1:
                                     _rows(w, "heads", f'    "2 {_C}",\n' * 40_000)}))  # fmt: skip


def _tar(members: Iterator[tuple[str, bytes, bytes]]) -> bytes:
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w:gz", compresslevel=6, format=tarfile.PAX_FORMAT) as tar:
        for name, kind, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.mode = kind, len(data), 0o755
            tar.addfile(info, io.BytesIO(data))
    return sink.getvalue()


def backups() -> Iterator[Input]:
    """Packed files that unfold."""
    shapes: dict[str, Callable[[], bytes]] = {
        "1,400 folders deep": lambda: _tar(iter([("/".join("d" * 1_400), b"5", b"")])),
        "1,400 folders deep with a file": lambda: _tar(iter([("/".join("d" * 1_400) + "/f", b"0", b"x")])),
        "500 folders deep, often": lambda: _tar(("/".join("d" * 500) + f"/{n}", b"5", b"") for n in range(300)),
        "90,000 empty files": lambda: _tar((f"g/{n}", b"0", b"") for n in range(90_000)),
        "90,000 folders": lambda: _tar((f"g/{n}", b"5", b"") for n in range(90_000)),
        "zeros": lambda: _tar(iter([("g/f", b"0", bytes(500 * MIB))])),
        "nothing but zeros": lambda: gzip.compress(bytes(500 * MIB)),
        "a header that is long": lambda: _tar(iter([("a" * 900_000, b"0", b"")])),
        "long headers": lambda: _tar(("a" * 90_000 + str(n), b"0", b"") for n in range(900)),
        "links": lambda: _tar((f"g/{n}", b"2", b"") for n in range(1_000)),
        "not packed": lambda: b"\x1f\x8b" + b"x" * MIB,
        "parts of gzip": lambda: gzip.compress(b"") * 50_000,
    }  # fmt: skip
    for name, packed in shapes.items():
        yield Input(f"backup: {name}", "backup", made(lambda w, packed: packed(), packed))


def others() -> Iterator[Input]:
    """Keys, key files, scripts, command lines."""
    yield Input("keys: words", "keys", lambda w: b"x " * (MIB // 2))
    yield Input("keys: keys", "keys", lambda w: (b"A" * 43 + b"\n") * 20_000)
    yield Input("keys: ids", "keys", lambda w: "".join(
        f"{base64.b32encode(n.to_bytes(20))[:26].decode().lower()}\n" for n in range(30_000)
    ).encode())  # fmt: skip
    keys = {
        "lines": b"\n" * 60_000,
        "blanks": b"pbem-referee-key 1" + b" " * 60_000,
        "another version": b"pbem-referee-key " + b"9" * 60_000,
        "a locked one": b"pbem-locked-referee-key 1\n" + b"A" * 60_000 + b"\n\n\n",
        "a locked one of blanks": b"pbem-locked-referee-key 1\n" + b" " * 60_000,
        "not UTF-8": b"\xff" * 60_000,
        "nothing": b"",
        "NUL bytes": bytes(60_000),
    }
    for name, data in keys.items():
        yield Input(f"key file: {name}", "acting key", made(lambda w, d: d, data))
    scripts = {
        "lists in lists": "[" * 2_000_000,
        "tables in tables": '{"a":' * 800_000,
        "a long number": '{"game": "chang-cheng", "a": ' + "9" * 2_000_000 + "}",
        "orders": '{"game": "chang-cheng", "orders": [' + '"wall A7",' * 300_000 + '"x"]}',
        "numbers": '{"game": "chang-cheng", "orders": [' + "1," * 1_000_000 + "1]}",
        "names": '{"game": "great-wall", "players": [' + '"a",' * 700_000 + '"x"]}',
    }
    for name, text in scripts.items():
        yield Input(f"script: {name}", "script", made(lambda w, t: t.encode(), text))
    lines: dict[str, bytes] = {
        "a word of 100,000 letters": b"status\n" + b"a" * 100_000,
        "a word that is no UTF-8": b"status\nno\xff\xfe",
        "an option that is no UTF-8": b"status\n--no\xff\xfe",
        "a command that is no UTF-8": b"\xff\xfe",
        "a folder that is no UTF-8": b"new\nother\xff\n--game\nchang-cheng",
        "a game that is no UTF-8": b"new\nother\n--game\n\xff",
        "a player that is no UTF-8": b"new\nother\n--game\nchang-cheng\n--player\nred=A\xff\n--player\nblue=Bob\n--referee\nR\xff",
        "a reason that is no UTF-8": b"amend\nnorth\nnote\nabc\xff",
        "a rule that is no UTF-8": b"rules\nchang-cheng\n\xff",
        "a seat that is no UTF-8": b"legal\nnorth\n--player\n\xff",
        "a field that is no UTF-8": b"amend\nnorth\ncorrect\n\xff=1\n--reason\nabc\xff",
        "an option of the game that is no UTF-8": b"new\nother\n--game\nchang-cheng\n--option\nboards=\xff\n--player\nred=Ann\n--player\nblue=Bob",
        "JSON that is no UTF-8": b"status\nno\xff\xfe\n--json",
        "a seat of marks": b"legal\nnorth\n--player\n" + _filled("\u0301", 100_000).encode(),
        "a note of marks": b"amend\nnorth\nnote\n" + _filled("\u0301", 100_000).encode(),
        "a name of marks": b"new\nother\n--game\nchang-cheng\n--player\nred=" + _filled("\u0301", 100_000).encode() + b"\n--player\nblue=Bob",
        "boards of digits": b"new\nother\n--game\nchang-cheng\n--player\nred=Ann\n--player\nblue=Bob\n--option\nboards=" + b"9" * 100_000,
        "sides without end": b"new\nother\n--game\nchang-cheng\n--player\nred=Ann\n--player\nblue=Bob\n--option\nsides=" + b"1a:3:3 " * 14_000,
        "a seed of digits": b"demo\n--seed\n" + b"9" * 100_000,
        "a rule of digits": b"rules\nchang-cheng\n" + b"9" * 100_000,
        "5,000 files": b"receive\ngames" + b"\nnone" * 5_000,
        "undo of digits": b"amend\nnorth\nundo\n--orders\n" + b"9" * 5_000 + b"\n--reason\nabc",
    }  # fmt: skip
    for name, words in lines.items():
        yield Input(f"arguments: {name}", "arguments", made(lambda w, d: d, words))


def inputs() -> list[Input]:
    """All of them."""
    return [*mails(), *documents(), *states(), *archives(), *backups(), *others()]
