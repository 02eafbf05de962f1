"""Ustar files (a form of tar): writing an archive, reading such an archive, and reading member headers.

Not allowed here: what the files mean; the disk.
Law: ``pack(unpack(data)) == data``. ``unpack`` packs again what it has read and compares the two,
so that nothing can hide in a header. ``tarfile`` is not used, because different versions of Python fill
unused fields (device numbers) differently.
Source: docs/SPECIFICATION.md section 11.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.errors import BadInput

BLOCK = 512
RECORD = 20 * BLOCK  #: a tar file is padded with zeros to a multiple of this
PLAIN_FILE, OLD_PLAIN_FILE, FOLDER, EXTENDED_HEADER = b"0", b"\0", b"5", b"x"
_NAME_LENGTH = 100
# where the fields of a header begin
_MODE_AT, _SIZE_AT, _SUM_AT, _KIND_AT, _MAGIC_AT, _PREFIX_AT = 100, 124, 148, 156, 257, 345
_OCTAL_NUMBER = re.compile(rb" *([0-7]+)[ \0]*")
_EXTENDED_RECORD = re.compile(rb"([1-9][0-9]{0,6}) ([^=\n]{1,100})=")


class Header(NamedTuple):
    """The header of a member of a tar file."""

    name: str
    kind: bytes
    mode: int
    size: int


def parse_header(block: bytes) -> Header | None:
    """Return the header in a block of 512 bytes, or None for a block of zeros, which ends the file.
    Raises ValueError if the block is not the header of a ustar file.
    """
    if not block.strip(b"\0"):
        return None
    # the checksum counts its own field as blanks
    checksum = sum(block) - sum(block[_SUM_AT : _SUM_AT + 8]) + 8 * ord(" ")
    is_ustar = len(block) == BLOCK and block[_MAGIC_AT : _MAGIC_AT + 6] == b"ustar\0" and not block[_PREFIX_AT]
    if not is_ustar or _parse_octal(block[_SUM_AT : _SUM_AT + 8]) != checksum:
        raise ValueError("not a header")
    return Header(
        name=_decode_name(block[:_NAME_LENGTH].partition(b"\0")[0]),
        kind=block[_KIND_AT : _KIND_AT + 1],
        mode=_parse_octal(block[_MODE_AT : _MODE_AT + 8]),
        size=_parse_octal(block[_SIZE_AT : _SIZE_AT + 12]),
    )


def apply_extended_header(header: Header, data: bytes) -> Header:
    """Return ``header`` with the name and size that an extended header (pax) gives it. Its records look
    like ``12 path=abc``, with their own length first. Raises ValueError for anything else. Other records
    than path and size are ignored.
    """
    offset = 0
    while offset < len(data):
        match = _EXTENDED_RECORD.match(data, offset)
        end = offset + int(match[1]) if match else 0
        if match is None or not match.end() < end <= len(data) or data[end - 1 : end] != b"\n":
            raise ValueError("not an extended header")
        value = data[match.end() : end - 1]
        if match[2] == b"path":
            header = header._replace(name=_decode_name(value))
        elif match[2] == b"size":
            header = header._replace(size=int(value[:20]))
        offset = end
    return header


def _decode_name(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape").rstrip("/")


def _parse_octal(field: bytes) -> int:
    match = _OCTAL_NUMBER.fullmatch(field)
    if match is None:
        raise ValueError("not a number")
    return int(match[1], 8)


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the archive of these files, sorted by name. Each has mode 0644, and no owner or time."""
    parts: list[bytes] = []
    for name, data in sorted(files, key=lambda entry: entry[0].encode()):
        parts += [_header(name, len(data)), data, bytes(-len(data) % BLOCK)]
    archive = b"".join(parts) + bytes(2 * BLOCK)
    return archive + bytes(-len(archive) % RECORD)


def _header(name: str, size: int) -> bytes:
    """Return the header block of a plain file."""
    block = bytearray(BLOCK)
    for offset, field in (
        (0, name.encode("ascii")),
        (_MODE_AT, b"0000644\0"),
        (108, b"0000000\0"),  # owner
        (116, b"0000000\0"),  # group
        (_SIZE_AT, b"%011o\0" % size),
        (136, b"00000000000\0"),  # time
        (_SUM_AT, b"        "),
        (_KIND_AT, PLAIN_FILE),
        (_MAGIC_AT, b"ustar\x0000"),
    ):
        block[offset : offset + len(field)] = field
    block[_SUM_AT : _SUM_AT + 8] = b"%06o\0 " % sum(block)
    return bytes(block)


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the files by name. Raise BadInput ``archive/…`` for anything that ``pack`` does not write. The
    error does not say what is wrong in a header, since people do not write headers.
    """
    refuse_foreign_archive(data)
    if data[_MAGIC_AT : _MAGIC_AT + 6] != b"ustar\0":
        hint = "name a file that `pbem archive` wrote"
        raise BadInput("archive/not-one", "this is not an archive of a game", hint)
    try:
        files = _read_files(data)
        is_unchanged = pack(files.items()) == data
    except ValueError:
        is_unchanged = False
    if not is_unchanged:
        hint = "use the file as pbem wrote it"
        raise BadInput("archive/changed", "this archive is cut short, or not packed by pbem", hint)
    return files


def _read_files(data: bytes) -> dict[str, bytes]:
    """Return the contents of each file, by name. Raise ValueError for a block that is not a header."""
    files: dict[str, bytes] = {}
    offset = 0
    while (header := parse_header(data[offset : offset + BLOCK])) is not None:
        offset += BLOCK
        files[header.name] = data[offset : offset + header.size]
        offset += header.size + -header.size % BLOCK
    return files


def refuse_foreign_archive(data: bytes) -> None:
    """Raise BadInput ``archive/changed`` for a compressed archive, or one that another tar program wrote."""
    is_other_tar = data[_MAGIC_AT : _MAGIC_AT + 6] == b"ustar "
    if is_other_tar or data.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04")):
        hint = "use the file as pbem wrote it"
        raise BadInput("archive/changed", "this was not packed by pbem archive", hint)
