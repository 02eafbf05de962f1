"""A game as one file that anyone may see, whose bytes depend only on the game.

What must never be here: the disk; anything from desk/ except the secret and the pending orders of a
game that is over.
Laws: nothing private goes in (no address, email or password). The same game gives the same bytes.
A reader packs again what it read, and compares.
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
FOR_PEOPLE = (README, RULES, SPECIFICATION, TRANSCRIPT)  #: the texts, which prove nothing
_WRITER = r"[A-Za-z0-9._-]{1,60} [A-Za-z0-9.+!-]{1,30}"
_WRITER_LINE = re.compile(f"made ({_WRITER}(?:, {_WRITER})?)")
_STATE = re.compile(r"states/([0-9]{4}|[1-9][0-9]{4,5})\.toml")
_LINE = re.compile(r"[0-9a-f]{64}  [A-Za-z0-9./]+")


class ArchiveTexts(NamedTuple):
    """The texts in an archive, which are not part of the proof, and who wrote them."""

    writer: str = ""  #: ``pbem 0.1.0``, and the package of a plug-in; "" where it is unknown
    files: Mapping[str, bytes] = MappingProxyType({})  #: by name, of FOR_PEOPLE


class Archive(NamedTuple):
    """The contents of an archive, or of a game's folder."""

    states: dict[int, bytes]
    secret: bytes  #: b"" while the game is not over
    texts: ArchiveTexts = ArchiveTexts()
    manifest: bytes = b""
    pending_values: Mapping[int, Mapping[str, str]] | None = None  #: by state and seat; None: not here
    is_incomplete: bool = False  #: a folder with a manifest and no transcript, or the reverse


def state_name(n: int) -> str:
    """The path of a state in an archive, as in a game's folder."""
    return f"{STATES}{n:04d}.toml"


def pack(contents: Archive, game: str, key: PrivateKey, public_key: bytes) -> bytes:
    """The bytes of an archive, with a manifest signed by the referee's ``key``."""
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
    """The signed part of the manifest, with a line for each other file as ``sha256sum`` writes it."""
    rows = [f"{digest(data).hex()}  {name}" for name, data in sorted(files.items())]
    header = [FIRST_LINE, f"game {game}", f"made {writer}"]
    return "\n".join([*header, *rows, f"key {key_id(public_key)}", ""]).encode()


def writer_of(manifest: bytes) -> str:
    """The versions of pbem and of the game that wrote an archive, by the third line of its manifest; or ""."""
    third_line = "".join(manifest.decode("latin-1").split("\n")[2:3])
    match = _WRITER_LINE.fullmatch(third_line)
    return match[1] if match else ""


def unpack(data: bytes) -> Archive:
    """Parse an archive, without verifying anything in it. BadInput ``archive/…`` where it is damaged."""
    files = tar.unpack(data)
    states: dict[int, bytes] = {}
    for name, raw in files.items():
        if match := _STATE.fullmatch(name):
            states[int(match[1])] = raw
        elif name not in (MANIFEST, SECRET, PENDING, *FOR_PEOPLE):
            raise _damaged("there is more in this archive than pbem puts into one")
    lacks_half = (SECRET in files) != (PENDING in files)
    if MANIFEST not in files or TRANSCRIPT not in files or not states or lacks_half:
        raise _damaged("a part of this archive is missing")
    secret = secret_of(files[SECRET]) if SECRET in files else b""
    texts = {name: files[name] for name in FOR_PEOPLE if name in files}
    if not all(map(_is_text, texts.values())):
        raise _damaged("what is for people in this archive is no text")
    pending_values = read_pending(files[PENDING]) if PENDING in files else None
    return Archive(states, secret, ArchiveTexts(writer_of(files[MANIFEST]), texts), files[MANIFEST], pending_values)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def write_pending(pending_values: Mapping[int, Mapping[str, str]]) -> bytes:
    """The file of pending orders: ``hand N SEAT``, then its rows, for each state and seat that had some."""
    blocks = []
    for n, values in sorted(pending_values.items()):
        blocks += [f"hand {n} {seat}\n{value}\n" for seat, value in sorted(values.items()) if value]
    return "".join(blocks).encode()


def read_pending(data: bytes) -> dict[int, dict[str, str]]:
    """Parse what ``write_pending`` wrote. BadInput ``archive/changed`` for anything else."""
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
    """Parse the file of the game's secret. BadInput ``archive/changed`` where it is damaged."""
    try:
        text = data.decode("ascii")
        if text.endswith("\n"):
            return unb64(text.removesuffix("\n"), 32)
    except (UnicodeDecodeError, BadInput):
        pass
    raise _damaged("the secret in this archive is damaged")


def _damaged(message: str) -> BadInput:
    return BadInput("archive/changed", message, "get it again from where it came, unchanged")


UNOPENED = "it is of a game that is over, and the game's secret and what waited are not in it"


def find_manifest_fault(contents: Archive, game: str, last_record: StateRecord) -> str:
    """What is wrong with the manifest of an archive that ends with ``last_record``; "" if nothing.

    The referee appointed last signs it. The state that appoints them was signed by another one.
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
    """Names the first file that a manifest lists differently."""
    actual_lines, expected_lines = actual.decode("latin-1").split("\n"), expected.decode().split("\n")
    rows = {line.partition("  ")[2]: line for line in actual_lines if _LINE.fullmatch(line)}
    for line in expected_lines:
        name = line.partition("  ")[2]
        if name and rows.get(name) != line:
            return f"{name} is not the file that the archive was made with"
    for name in rows:
        if not any(line.endswith(f"  {name}") for line in expected_lines):
            return f"{name} was taken out of it"
    return "the list of what is in it is of another game, or signed by another key"
