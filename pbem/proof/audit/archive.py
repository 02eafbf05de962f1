"""A game as one file: what may be shown to anybody, in bytes that depend on nothing else.

What must never be here: anything from desk/ but the secret of a game that is over, and what waited
in it; the disk.
Laws: nothing private goes in (no address, no mail, no password); the same game gives the same
bytes; the reader packs again what it read and compares.
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
MANIFEST, SECRET, HANDS, STATES = "manifest", "secret", "hands", "states/"
README, RULES, SPECIFICATION = "README.txt", "RULES.md", "SPECIFICATION.md"
TRANSCRIPT = "transcript.txt"
FOR_PEOPLE = (README, RULES, SPECIFICATION, TRANSCRIPT)  #: what is in it besides the proof
_BY = r"[A-Za-z0-9._-]{1,60} [A-Za-z0-9.+!-]{1,30}"
_MADE = re.compile(f"made ({_BY}(?:, {_BY})?)")
_STATE = re.compile(r"states/([0-9]{4}|[1-9][0-9]{4,5})\.toml")
_LINE = re.compile(r"[0-9a-f]{64}  [A-Za-z0-9./]+")


class Words(NamedTuple):
    """What is in an archive for people, no part of the proof, and who worded it."""

    made: str = ""  #: ``pbem 0.1.0``, and the package of a plug-in; "" where nothing says so
    files: Mapping[str, bytes] = MappingProxyType({})  #: by name, of FOR_PEOPLE


class Archive(NamedTuple):
    """What is in one. ``secret`` is b"" while the game is not over."""

    states: dict[int, bytes]
    secret: bytes
    words: Words = Words()
    manifest: bytes = b""
    hands: Mapping[int, Mapping[str, str]] | None = None  #: by state and seat; None: not here
    torn: bool = False  #: a folder in which only one of manifest and transcript lies


def state_name(n: int) -> str:
    """The name of a state in it, the one it has in its folder."""
    return f"{STATES}{n:04d}.toml"


def pack(contents: Archive, game: str, key: PrivateKey, public: bytes) -> bytes:
    """The bytes of the file, its manifest signed by the referee's ``key``."""
    files = _files(contents)
    body = _manifest(files, game, contents.words.made, public)
    tail = f"sig {b64(sign(key, 'archive', body))}\n".encode()
    return tar.pack([(MANIFEST, body + tail), *files.items()])


def _files(contents: Archive) -> dict[str, bytes]:
    files = {state_name(n): raw for n, raw in contents.states.items()}
    if contents.secret:
        files[SECRET] = f"{b64(contents.secret)}\n".encode()
        files[HANDS] = hands_text(contents.hands or {})
    return files | dict(contents.words.files)


def _manifest(files: dict[str, bytes], game: str, made: str, public: bytes) -> bytes:
    """What is signed: a line for each other file, as ``sha256sum`` writes it."""
    rows = [f"{digest(data).hex()}  {name}" for name, data in sorted(files.items())]
    first = [FIRST_LINE, f"game {game}", f"made {made}"]
    return "\n".join([*first, *rows, f"key {key_id(public)}", ""]).encode()


def made_by(manifest: bytes) -> str:
    """Which pbem and which game wrote an archive, as its manifest has it; "" if it does not."""
    third = manifest.decode("latin-1").split("\n")[2:3]
    found = _MADE.fullmatch(third[0]) if third else None
    return found[1] if found else ""


def unpack(data: bytes) -> Archive:
    """What is in an archive; BadInput ``archive/…``. Nothing in it has been verified yet."""
    files = tar.unpack(data)
    states: dict[int, bytes] = {}
    for name, raw in files.items():
        if match := _STATE.fullmatch(name):
            states[int(match[1])] = raw
        elif name not in (MANIFEST, SECRET, HANDS, *FOR_PEOPLE):
            raise _changed("there is more in this archive than pbem puts into one")
    halves = (SECRET in files) != (HANDS in files)
    if MANIFEST not in files or TRANSCRIPT not in files or not states or halves:
        raise _changed("a part of this archive is missing")
    secret = secret_of(files[SECRET]) if SECRET in files else b""
    words = {name: files[name] for name in FOR_PEOPLE if name in files}
    if not all(map(_is_text, words.values())):
        raise _changed("what is for people in this archive is no text")
    hands = hands_of(files[HANDS]) if HANDS in files else None
    return Archive(states, secret, Words(made_by(files[MANIFEST]), words), files[MANIFEST], hands)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def hands_text(hands: Mapping[int, Mapping[str, str]]) -> bytes:
    """What waited before each state: ``hand N SEAT``, then its rows; nothing where nothing did."""
    found = []
    for n, values in sorted(hands.items()):
        found += [f"hand {n} {seat}\n{value}\n" for seat, value in sorted(values.items()) if value]
    return "".join(found).encode()


def hands_of(data: bytes) -> dict[int, dict[str, str]]:
    """Read it back; BadInput ``archive/changed`` where it is not written so."""
    found = dict[int, dict[str, str]]()
    try:
        for one in f"\n{data.decode()}".split("\nhand ")[1:]:
            whose, _, value = one.removesuffix("\n").partition("\n")
            n, seat = whose.split(" ")
            found.setdefault(int(n), {})[seat] = value
    except ValueError:
        found = {}
    if hands_text(found) != data:
        raise _changed("the waiting orders in this archive are damaged")
    return found


def secret_of(data: bytes) -> bytes:
    """The game's secret as an archive has it."""
    try:
        text = data.decode("ascii")
        if text[-1:] == "\n":
            return unb64(text[:-1], 32)
    except (UnicodeDecodeError, BadInput):
        pass
    raise _changed("the secret in this archive is damaged")


def _changed(what: str) -> BadInput:
    return BadInput("archive/changed", what, "get it again from where it came, unchanged")


UNOPENED = "it is of a game that is over, and the game's secret and what waited are not in it"


def wrong_manifest(contents: Archive, game: str, last: StateRecord) -> str:
    """What is wrong with an archive of which this is the last state; "" if nothing. Whoever acts
    after that state makes it: one that hands the game over was signed by somebody else.
    """
    public = last.referees[-1].acting
    if last.phase == CLOSED and not contents.secret:
        return UNOPENED
    files = _files(contents)
    body, mark, tail = contents.manifest.rpartition(b"sig ")
    wanted = _manifest(files, game, contents.words.made, public)
    if body != wanted or not mark:
        return _difference(body, wanted)
    try:
        sig = unb64(tail.decode("ascii").removesuffix("\n"), 64)
    except (UnicodeDecodeError, BadInput):
        sig = b""
    if tail[-1:] != b"\n" or not verify(public, "archive", sig, body):
        return "the list of what is in it is not signed by the game's referee"
    return ""


def _difference(found: bytes, wanted: bytes) -> str:
    """The first file of which the list tells something else."""
    told, are = found.decode("latin-1").split("\n"), wanted.decode().split("\n")
    rows = {line.partition("  ")[2]: line for line in told if _LINE.fullmatch(line)}
    for line in are:
        name = line.partition("  ")[2]
        if name and rows.get(name) != line:
            return f"{name} is not the file that the archive was made with"
    for name in rows:
        if not any(line.endswith(f"  {name}") for line in are):
            return f"{name} was taken out of it"
    return "the list of what is in it is of another game, or signed by another key"
