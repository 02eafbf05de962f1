"""The vectors, by pbem and by the second verifier; the second one over all examples too.

Source: docs/SPECIFICATION.md section 12 (kinds of faults).
"""

import ast
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem import catalog
from pbem.crypto.encoding import unb64
from pbem.crypto.keys import RefereeKey, parse_key
from pbem.errors import PbemError
from pbem.moderator.audit import archive
from pbem.moderator.audit.archive import Archive, Words
from pbem.moderator.audit.audit import Audit, TrustAnchors, audit
from pbem.moderator.report.block import find_blocks
from pbem.moderator.verify.together import check_block
from pbem.moderator.verify.verify import Chain, check_chain
from pbem.services.proof.audits import transcript_of

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import second_verifier as second  # noqa: E402

GAMES = HERE / "games"
FAULTS = sorted((GAMES / "faults").glob("*.txt"))
EXAMPLES = sorted((HERE.parents[1] / "examples" / "games").glob("*/states"))
#: the kinds of section 12, and the items of an audit that may say it
ITEMS = {
    "missing": {"chain"},
    "frame": {"states"},
    "signature": {"states"},
    "document": {"states"},
    "number": {"chain"},
    "succession": {"referees", "states"},
    "game": {"chain"},
    "chain": {"chain"},
    "settled": {"chain"},
    "roster": {"contributions"},
    "opened": {"contributions"},
    "heads": {"chain"},
    "ruling": {"rulings", "chain"},
    "clock": {"chain"},
    "slots": {"openings"},
    "opening": {"openings"},
    "secret": {"secret"},
    "deal": {"deal"},
    "sealed": {"sealed"},
    "order": {"signed", "sealed", "hands"},
    "hands": {"hands"},
    "rules": {"orders"},
    "container": {"container"},
}


class Vector(NamedTuple):
    """A vector, read, and the files of the game with it in its place."""

    place: str
    kind: str
    state: int | None
    files: dict[str, bytes]


def good() -> dict[str, bytes]:
    folder = GAMES / "good"
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def read(path: Path) -> Vector:
    head, cut, data = path.read_bytes().partition(b"\n\n")
    told = dict(line.split(": ", 1) for line in head.decode().strip().split("\n"))
    files = good()
    if cut:
        files[told["place"]] = data
    else:
        del files[told["place"]]
    if "last" in told:
        for n in range(int(told["last"]) + 1, len(files)):
            files.pop(f"states/{n:04d}.toml", None)
        hands = archive.hands_of(files["hands"])
        left = {n: values for n, values in hands.items() if n <= int(told["last"])}
        files["hands"] = archive.hands_text(left)
    kind, state = told["expect"].split(" ")
    return Vector(told["place"], kind, int(state) if state != "-" else None, files)


def archived(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if not name.startswith("reports/")}


def by_second(files: dict[str, bytes], whole: bool = True, reports: bool = True) -> None:
    """Everything the second verifier knows; ``whole``: as an archive, with its manifest."""
    chain = second.Chain(second.states_of(files))
    if whole:
        second.check_manifest(chain, archived(files))
    for name, data in files.items():
        if name.startswith("reports/") and reports:
            second.check_block(chain, data.decode())
    opened = second.Opened(chain, second.unb64(files["secret"].decode().strip(), 32))
    second.check_hands(opened, files["hands"].decode())


def by_pbem(files: dict[str, bytes], whole: bool) -> Audit:
    states = dict(sorted(second.states_of(files).items()))
    secret = archive.secret_of(files["secret"])
    manifest = files["manifest"] if whole else b""
    text = {"transcript.txt": files["transcript.txt"]} if whole else {}
    words, hands = Words(archive.made_by(manifest), text), archive.hands_of(files["hands"])
    contents = Archive(states, secret, words, manifest, hands)
    return audit(
        contents,
        lambda link: (catalog.load(link.setup.kind), "0"),
        TrustAnchors(),
        lambda *told: Words("pbem 0", {"transcript.txt": transcript_of(*told)}),
    )


def test_the_good_one_is_good() -> None:
    by_second(good())
    found = by_pbem(good(), True)
    assert found.verdict == "proven"
    assert len(found.rulings) == 14


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.stem)
def test_the_second_verifier(path: Path) -> None:
    vector = read(path)
    whole = vector.kind == "container"
    if vector.kind == "rules":
        by_second(vector.files, whole=False, reports=False)  # it knows no rules
        return
    with pytest.raises(second.Fault) as fault:
        by_second(vector.files, whole, vector.kind == "block")
    assert (fault.value.kind, fault.value.state) == (vector.kind, vector.state)


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.stem)
def test_pbem(path: Path) -> None:
    vector = read(path)
    if vector.kind == "block":
        chain = check_chain(second.states_of(good()), None, None)
        text = vector.files[vector.place].decode()
        with pytest.raises(PbemError):
            _blocks(text, chain)
        return
    found = by_pbem(vector.files, vector.kind == "container")
    assert found.verdict == "contradicted"
    assert found.first is not None
    assert found.first.n == vector.state
    wrong = {item.name for item in found.items if item.verdict == "contradicted"}
    assert wrong & ITEMS[vector.kind], wrong


def _blocks(text: str, chain: Chain) -> None:
    for one in find_blocks(text):
        check_block(one, {chain.game: chain}, None)


def test_every_place_and_kind_is_there() -> None:
    """Each kind of section 12 has a vector, and each is named after its place."""
    kinds = {read(path).kind for path in FAULTS}
    assert kinds == {*ITEMS, "block"}
    text = (HERE.parents[1] / "docs" / "SPECIFICATION.md").read_text(encoding="utf-8")
    assert kinds - {"block", "container"} <= {
        line.split("`")[1] for line in text.splitlines() if line.startswith("| `")
    }
    for path in FAULTS:
        assert path.stem.split("_")[0].split("-")[0] in {
            "state", "secret", "hands", "manifest", "transcript", "report",
        }  # fmt: skip


def test_a_rerun_changes_nothing() -> None:
    """`python tests/vectors/make.py` would write these very bytes."""
    sys.path.insert(0, str(HERE))
    import make  # type: ignore[import-not-found]

    found = {p.relative_to(GAMES).as_posix(): p.read_bytes() for p in GAMES.rglob("*.*")}
    found |= {f"good/{name}": good()[name] for name in ("manifest", "secret", "hands")}
    assert make.build() == found


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda path: path.parent.name)
def test_the_second_verifier_over_the_examples(folder: Path) -> None:
    """States, openings, tokens, commitments, the deal, every block of every report; an archive."""
    keys = folder.parent / "throw-away-keys"
    states = {int(path.stem): path.read_bytes() for path in folder.glob("*.toml")}
    chain = second.Chain(states)
    secret = second.unb64((keys / "secret").read_text(encoding="ascii").strip(), 32)
    opened = second.Opened(chain, secret)
    script = (folder.parent / "script.json").read_text(encoding="utf-8")
    assert len(opened.orders) == script.count('"order"')
    reports = sorted(folder.parent.glob("reports/*/*.txt"))
    assert len(reports) > 10
    for path in reports:
        second.check_block(chain, path.read_text(encoding="utf-8"))
    key = RefereeKey(parse_key((keys / "acting.key").read_text(encoding="ascii")))
    words = Words("pbem 0", {"transcript.txt": b"text\n"})
    hands = archive.hands_of((folder.parent / "hands").read_bytes())
    contents = Archive(dict(sorted(states.items())), unb64(second.b64(secret), 32), words)
    contents = contents._replace(hands=hands)
    data = archive.pack(contents, chain.game, key.signing, key.public)
    assert len(second.check_archive(data)[0].states) == len(states)
    with pytest.raises(second.Fault):
        second.check_archive(data[:100] + b"1" + data[101:])


def test_the_second_verifier_shares_no_code() -> None:
    path = HERE.parent / "second_verifier.py"
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    assert {name.split(".")[0] for name in names} <= {*sys.stdlib_module_names, "cryptography"}
