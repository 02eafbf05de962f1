"""A game as one file that anyone may see, whose bytes depend only on the game.

The manifest lists the other files with their hashes, and the referee signs it.

Not allowed here: the disk; anything from desk/ except the secret and the pending orders of a
game that is over.
Laws: nothing private goes in (no address, email or password). The same game gives the same bytes.
A reader packs again what it has read, and compares the bytes.
Source: docs/SPECIFICATION.md section 11.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.encoding import b64, digest, unb64
from pbem.crypto.signing import PrivateKey, key_id, sign, verify
from pbem.errors import BadInput
from pbem.formats import tar

FIRST_LINE = "pbem-archive 1"
MANIFEST, SECRET, PENDING, STATES = "manifest", "secret", "hands", "states/"
README, RULES, SPECIFICATION = "README.txt", "RULES.md", "SPECIFICATION.md"
TRANSCRIPT = "transcript.txt"
FOR_PEOPLE = (README, RULES, SPECIFICATION, TRANSCRIPT)  #: the texts for people, which prove nothing
_WRITER = r"[A-Za-z0-9._-]{1,60} [A-Za-z0-9.+!-]{1,30}"
_WRITER_LINE = re.compile(f"made ({_WRITER}(?:, {_WRITER})?)")
_STATE = re.compile(r"states/([0-9]{4}|[1-9][0-9]{4,5})\.toml")
_LINE = re.compile(r"[0-9a-f]{64}  [A-Za-z0-9./]+")


class ArchiveTexts(NamedTuple):
    """The texts in an archive, which are not part of the proof, and who wrote them."""

    writer: str = ""  #: ``pbem 0.1.0``, then the package of a plug-in; "" if unknown
    files: Mapping[str, bytes] = MappingProxyType({})  #: by name, which is in FOR_PEOPLE


class Archive(NamedTuple):
    """The contents of an archive, or of a game's folder."""

    states: dict[int, bytes]
    secret: bytes  #: b"" while the game is not over
    texts: ArchiveTexts = ArchiveTexts()
    manifest: bytes = b""
    pending_values: Mapping[int, Mapping[str, str]] | None = None  #: by state and seat; None if not here
    is_incomplete: bool = False  #: whether it is a folder with only one of manifest and transcript


def state_name(n: int) -> str:
    """Return the path of a state in an archive or in a game's folder."""
    return f"{STATES}{n:04d}.toml"


def pack(contents: Archive, game: str, key: PrivateKey, public_key: bytes) -> bytes:
    """Return the bytes of an archive, with a manifest signed by the referee's ``key``."""
    files = _files_of(contents)
    body = _write_manifest(files, game, contents.texts.writer, public_key)
    signature_line = f"sig {b64(sign(key, 'archive', body))}\n".encode()
    return tar.pack([(MANIFEST, body + signature_line), *files.items()])


def _files_of(contents: Archive) -> dict[str, bytes]:
    files = {state_name(n): raw for n, raw in contents.states.items()}
    if contents.secret:
        files[SECRET] = f"{b64(contents.secret)}\n".encode()
        files[PENDING] = write_pending(contents.pending_values or {})
    return files | dict(contents.texts.files)


def _write_manifest(files: dict[str, bytes], game: str, writer: str, public_key: bytes) -> bytes:
    """Return the signed part of the manifest, with a line for each other file as ``sha256sum`` writes it."""
    rows = [f"{digest(data).hex()}  {name}" for name, data in sorted(files.items())]
    header = [FIRST_LINE, f"game {game}", f"made {writer}"]
    return "\n".join([*header, *rows, f"key {key_id(public_key)}", ""]).encode()


def writer_of(manifest: bytes) -> str:
    """Return which versions of pbem and the game wrote an archive, from its manifest's third line; "" if unknown."""
    third_line = "".join(manifest.decode("latin-1").split("\n")[2:3])
    match = _WRITER_LINE.fullmatch(third_line)
    return match[1] if match else ""


def unpack(data: bytes) -> Archive:
    """Parse an archive, without verifying anything in it. Raise BadInput ``archive/…`` if it is damaged."""
    files = tar.unpack(data)
    states: dict[int, bytes] = {}
    for name, raw in files.items():
        if match := _STATE.fullmatch(name):
            states[int(match[1])] = raw
        elif name not in (MANIFEST, SECRET, PENDING, *FOR_PEOPLE):
            raise _damaged("this archive has more in it than pbem writes")
    has_pair = (SECRET in files) == (PENDING in files)  # both, or neither
    if not (MANIFEST in files and TRANSCRIPT in files and states and has_pair):
        raise _damaged("a part of this archive is missing")
    secret = secret_of(files[SECRET]) if SECRET in files else b""
    texts = {name: files[name] for name in FOR_PEOPLE if name in files}
    if not all(map(_is_text, texts.values())):
        raise _damaged("what is for people in this archive is not text")
    pending_values = read_pending(files[PENDING]) if PENDING in files else None
    return Archive(states, secret, ArchiveTexts(writer_of(files[MANIFEST]), texts), files[MANIFEST], pending_values)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def write_pending(pending_values: Mapping[int, Mapping[str, str]]) -> bytes:
    """Return the file of pending orders. Each state and seat with any has a line ``hand N SEAT``, then its rows."""
    blocks = []
    for n, values in sorted(pending_values.items()):
        blocks += [f"hand {n} {seat}\n{value}\n" for seat, value in sorted(values.items()) if value]
    return "".join(blocks).encode()


def read_pending(data: bytes) -> dict[int, dict[str, str]]:
    """Parse what ``write_pending`` wrote. Raise BadInput ``archive/changed`` for anything else."""
    pending_values = dict[int, dict[str, str]]()
    try:
        for block in f"\n{data.decode()}".split("\nhand ")[1:]:
            heading, _, value = block.removesuffix("\n").partition("\n")
            n, seat = heading.split(" ")
            pending_values.setdefault(int(n), {})[seat] = value
    except ValueError:
        pending_values = {}
    if write_pending(pending_values) != data:
        raise _damaged("the pending orders in this archive are damaged")
    return pending_values


def secret_of(data: bytes) -> bytes:
    """Parse the file of the game's secret. Raise BadInput ``archive/changed`` if it is damaged."""
    try:
        text = data.decode("ascii")
        if text.endswith("\n"):
            return unb64(text.removesuffix("\n"), 32)
    except (UnicodeDecodeError, BadInput):
        pass
    raise _damaged("the secret in this archive is damaged")


def _damaged(message: str) -> BadInput:
    return BadInput("archive/changed", message, "get it again from where it came, unchanged")


UNOPENED = "it is of a game that is over, and the game's secret and the pending orders are not in it"


def find_manifest_fault(contents: Archive, game: str, last_record: StateRecord) -> str:
    """Return what is wrong with the manifest of an archive that ends with ``last_record``; "" if nothing.

    The newest referee signs it, even if the last state only appoints them and an earlier referee signed it.
    """
    public_key = last_record.referees[-1].acting
    if last_record.phase == CLOSED and not contents.secret:
        return UNOPENED
    files = _files_of(contents)
    body, separator, signature_text = contents.manifest.rpartition(b"sig ")
    expected = _write_manifest(files, game, contents.texts.writer, public_key)
    if body != expected or not separator:
        return _find_difference(body, expected)
    try:
        signature = unb64(signature_text.decode("ascii").removesuffix("\n"), 64)
    except (UnicodeDecodeError, BadInput):
        signature = b""
    if signature_text[-1:] != b"\n" or not verify(public_key, "archive", signature, body):
        return "the list of what is in it is not signed by the game's referee"
    return ""


def _find_difference(actual: bytes, expected: bytes) -> str:
    """Return a sentence that names the first file that two manifests list differently."""
    actual_lines, expected_lines = actual.decode("latin-1").split("\n"), expected.decode().split("\n")
    rows = {line.partition("  ")[2]: line for line in actual_lines if _LINE.fullmatch(line)}
    for line in expected_lines:
        name = line.partition("  ")[2]
        if name and rows.get(name) != line:
            return f"{name} is not the file that the archive was made with"
    for name in rows:
        if not any(line.endswith(f"  {name}") for line in expected_lines):
            return f"{name} was removed from it"
    return "its list of files is of another game, or signed by another key"
