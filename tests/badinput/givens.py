"""Files that are too odd to be written down in a table: each a function of the names to bytes."""

import base64
import gzip
import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

from .world import World

Names = dict[str, str]


def mail_of(names: Names, body: str, seat: str = "north", headers: str = "") -> bytes:
    """A mail in answer to the open question of a game."""
    who = "Bob" if seat == "north" else "Ann"
    head = f"From: {who} <{who.lower()}@example.org>\n"
    head += f"Subject: Re: [pbem {names[seat]}] your turn\n{headers}\n"
    return head.encode() + body.encode()


def fifty_megabytes(names: Names) -> bytes:
    return mail_of(names, "wall A7\n") + b"x" * (50 << 20)


def five_thousand_parts(names: Names) -> bytes:
    parts = "".join("--b\nContent-Type: text/plain\n\nwall A7\n" for _ in range(5000))
    kind = 'Content-Type: multipart/mixed; boundary="b"\n'
    return mail_of(names, f"{parts}--b--\n", headers=kind)


def nested_parts(names: Names) -> bytes:
    body = "".join(f'--b{i}\nContent-Type: multipart/mixed; boundary="b{i + 1}"\n\n' for i in range(200))
    return mail_of(names, body, headers='Content-Type: multipart/mixed; boundary="b0"\n')


def cut_base64(names: Names) -> bytes:
    text = base64.b64encode(b"wall A7\nwall B5\nthese are my orders").decode()[:-7]
    kind = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n"
    return mail_of(names, text, headers=kind)


def hundred_thousand_lines(names: Names) -> bytes:
    return mail_of(names, "wall A7\n" * 100_000)


def many_orders(names: Names) -> bytes:
    return mail_of(names, "wall A7\n" * 2000)


def long_line(names: Names) -> bytes:
    return mail_of(names, "wall A7 " * 1250 + "\n")


def utf16(names: Names) -> bytes:
    return f"wall A7\nwall B5\n[pbem {names['north']}]\n".encode("utf-16")


def utf16_part(names: Names) -> bytes:
    kind = "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n"
    text = base64.b64encode("wall A7\nwall B5\n".encode("utf-16")).decode()
    return mail_of(names, f"{text}\n", headers=kind)


def latin_1(names: Names) -> bytes:
    kind = "Content-Type: text/plain; charset=iso-8859-1\n"
    return mail_of(names, "", headers=kind) + "Grüße!\nwall A7\nwall B5\n".encode("latin-1")


def password_in_base64(names: Names) -> bytes:
    kind = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n"
    text = base64.b64encode(b"password hunter2\nwall A7\nwall B5\n").decode()
    return mail_of(names, text, headers=kind)


def huge_move_file(names: Names) -> bytes:
    return f'pbem = 1\ncode = "{names["north"]}"\norders = ["wall A7"]\n'.encode() + b"#" * 70_000


def move_file_of_501(names: Names) -> bytes:
    rows = '"wall A7",' * 501
    return f'pbem = 1\ncode = "{names["north"]}"\norders = [{rows}]\n'.encode()


def deep_toml(names: Names) -> bytes:
    return b"pbem = 1\norders = " + b"[" * 20_000


def deep_json(names: Names) -> bytes:
    return b'{"game": ' + b"[" * 100_000


def huge_number(names: Names) -> bytes:
    return b'{"game": "chang-cheng", "boards": ' + b"9" * 6000 + b"}"


def travelling_archive(names: Names) -> bytes:
    """A backup whose member would land outside the folder."""
    found = io.BytesIO()
    with tarfile.open(fileobj=found, mode="w") as tar:
        info = tarfile.TarInfo("../../stolen")
        info.size = 4
        tar.addfile(info, io.BytesIO(b"evil"))
    return gzip.compress(found.getvalue())


def other_tar(names: Names) -> bytes:
    """A tar file that is no backup."""
    found = io.BytesIO()
    with tarfile.open(fileobj=found, mode="w") as tar:
        info = tarfile.TarInfo("readme.txt")
        tar.addfile(info, io.BytesIO(b""))
    return gzip.compress(found.getvalue())


def plain_tar(names: Names) -> bytes:
    """A tar file that is not packed, as an archive is not."""
    return gzip.decompress(other_tar(names))


MAKE: dict[str, Callable[[Names], bytes]] = {
    made.__name__: made
    for made in (
        fifty_megabytes, five_thousand_parts, nested_parts, cut_base64, hundred_thousand_lines,
        many_orders, long_line, utf16, utf16_part, latin_1, password_in_base64, huge_move_file,
        move_file_of_501, deep_toml, deep_json, huge_number, travelling_archive, other_tar,
        plain_tar,
    )
}  # fmt: skip


def _swap(path: Path, more: str) -> None:
    old, new = more.encode().split(b" ", 1)
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


def _write(path: Path, more: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(more.encode().decode("unicode_escape").encode("latin-1"))


def _folder(path: Path, more: str) -> None:
    path.unlink(missing_ok=True)
    path.mkdir(parents=True)


def _changed(change: Callable[[bytes, str], bytes]) -> Callable[[Path, str], None]:
    return lambda path, more: (path.write_bytes(change(path.read_bytes(), more)), None)[1]


DO: dict[str, Callable[[Path, str], object]] = {
    "cut": _changed(lambda data, more: data[: int(more)]),
    "append": _changed(lambda data, more: data + more.encode()),
    "crlf": _changed(lambda data, more: data.replace(b"\n", b"\r\n")),
    "twice": _changed(lambda data, more: data * 2),
    "swap": _swap,
    "write": _write,
    "folder": _folder,
    "drop": lambda path, more: path.unlink(),
    "mode": lambda path, more: path.chmod(int(more, 8)),
    "fifo": lambda path, more: os.mkfifo(path),
    "link": lambda path, more: path.symlink_to(more),
}


def do(world: World, line: str) -> None:
    """One step of preparation, as a case writes it: ``cut home/keys/acting.key 40``."""
    verb, name, *rest = line.split(" ", 2)
    more = rest[0].format(**world.names) if rest else ""
    path = world.root / name.format(**world.names)
    if verb == "copy":
        (world.root / more).write_bytes(path.read_bytes())
    else:
        DO[verb](path, more)
