"""A ustar file of plain files: writing one, and reading one that is written this very way.

What must never be here: what the files are; the disk.
Law: ``pack(unpack(data)) == data``: a reader packs again what it read and compares, so that nothing
can hide in a header. Not ``tarfile``: what it writes into fields that say nothing (device numbers)
has changed between versions of Python.
Source: docs/SPECIFICATION.md section 11.
"""

from collections.abc import Iterable

from pbem.errors import BadInput

BLOCK = 512
RECORD = 20 * BLOCK  #: a file is filled up with zeros to a multiple of this, as tar does
_NAME_LENGTH = 100
_SIZE_AT, _SUM_AT, _MAGIC_AT = 124, 148, 257


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """The archive: names sorted by their bytes, mode 0644, no owner, no time."""
    parts: list[bytes] = []
    for name, data in sorted(files, key=lambda entry: entry[0].encode()):
        parts += [_header(name, len(data)), data, bytes(-len(data) % BLOCK)]
    archive = b"".join(parts) + bytes(2 * BLOCK)
    return archive + bytes(-len(archive) % RECORD)


def _header(name: str, size: int) -> bytes:
    block = bytearray(BLOCK)
    for offset, field in (
        (0, name.encode("ascii")),
        (100, b"0000644\0"),
        (108, b"0000000\0"),  # owner
        (116, b"0000000\0"),  # group
        (_SIZE_AT, b"%011o\0" % size),
        (136, b"00000000000\0"),  # time
        (_SUM_AT, b"        "),
        (156, b"0"),  # a plain file
        (_MAGIC_AT, b"ustar\x0000"),
    ):
        block[offset : offset + len(field)] = field
    block[_SUM_AT : _SUM_AT + 8] = b"%06o\0 " % sum(block)
    return bytes(block)


def unpack(data: bytes) -> dict[str, bytes]:
    """The files by name; BadInput ``archive/…`` for anything that ``pack`` would not have written.

    It never says what is wrong in a header: nobody made it, and it is no help to anybody.
    """
    refuse_foreign_archive(data)
    if data[_MAGIC_AT : _MAGIC_AT + 6] != b"ustar\0":
        hint = "name a file that `pbem archive` wrote"
        raise BadInput("archive/not-one", "this is not an archive of a game", hint)
    files: dict[str, bytes] = {}
    offset = 0
    while offset < len(data) and data[offset]:
        name = data[offset : offset + _NAME_LENGTH].rstrip(b"\0").decode("latin-1")
        field = data[offset + _SIZE_AT : offset + _SIZE_AT + 11]
        size = int(field, 8) if field.isdigit() and not set(field) & set(b"89") else 0
        files[name] = data[offset + BLOCK : offset + BLOCK + size]
        offset += BLOCK + size + -size % BLOCK
    if not all(name.isascii() for name in files) or pack(files.items()) != data:
        hint = "use the file as pbem wrote it"
        raise BadInput("archive/changed", "this archive is cut short, or not packed by pbem", hint)
    return files


def refuse_foreign_archive(data: bytes) -> None:
    """BadInput ``archive/changed`` for what is packed otherwise: compressed, or by another tar."""
    is_other_tar = data[_MAGIC_AT : _MAGIC_AT + 6] == b"ustar "
    if is_other_tar or data.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04")):
        hint = "use the file as pbem wrote it"
        raise BadInput("archive/changed", "this was not packed by pbem archive", hint)
