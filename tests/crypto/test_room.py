"""The walls of the room: what it may import, when, and who may draw random bytes."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pbem.crypto

ROOM = Path(pbem.crypto.__file__).resolve().parent
MODULES = sorted(ROOM.glob("*.py"))
ALLOWED = {"__future__", "base64", "binascii", "collections", "cryptography", "functools"}
ALLOWED |= {"hashlib", "hmac", "os", "pbem", "typing", "unicodedata"}
RANDOM = {"urandom", "encrypt", "generate", "token_bytes", "getrandom"}


def imported(tree: ast.AST) -> set[str]:
    """Give the full names of the modules that a piece of code imports."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or ".")
    return names


BESIDE = {"pbem.errors", "pbem.lazy_stdlib"}  #: and the room itself


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_it_imports_nothing_of_other_rooms(path: Path) -> None:
    names = imported(ast.parse(path.read_text("utf-8")))
    assert {name.partition(".")[0] for name in names} <= ALLOWED
    ours = {name for name in names if name.startswith("pbem")}
    assert all(name in BESIDE or name.startswith("pbem.crypto.") for name in ours)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_random_bytes_only_where_the_name_says_so(path: Path) -> None:
    """By name: ``encrypt`` draws in HPKE; elsewhere it is a cipher that is given its nonce."""
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef):
            used = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
            given = path.stem in ("tokens", "keys") or function.name == "_wrap_with_ephemeral"
            drawn = used & RANDOM - ({"encrypt"} if given else set())
            assert not drawn or function.name.startswith("new_"), function.name


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import pbem.crypto", ("hashlib", "pbem.errors")),
        ("import pbem.crypto.tokens, pbem.crypto.keys, pbem.crypto.secret", ("hashlib", "scrypt")),
        (
            (
                "from pbem.crypto.keys import RefereeKey as R\nfrom pbem.crypto.signing import *\n"
                "k = R(bytes(32)); assert verify(k.public, 'state', sign(k.signing, 'state'))"
            ),
            ("hpke", "aead"),
        ),
        (
            "from pbem.crypto.tokens import *\nassert Sealer(bytes(32), 'g', 1).seal('s', b'')",
            ("x25519", "ed25519", "hpke"),
        ),
    ],
)
def test_what_is_not_needed_is_not_loaded(code: str, absent: tuple[str, ...]) -> None:
    ask = f"{code}\nimport sys; print(*sys.modules)"
    command = [sys.executable, "-c", ask]
    done = subprocess.run(command, cwd=ROOM.parents[1], capture_output=True, text=True, check=True)
    loaded = [name for name in done.stdout.split() if any(part in name for part in absent)]
    assert loaded == []
