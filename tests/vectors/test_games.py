"""The vectors, by pbem and by the second verifier; the second one over all examples too.

Source: docs/SPECIFICATION.md section 12 (kinds of faults).
"""

import ast
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from sizes import drawn

from pbem import catalog
from pbem.crypto.encoding import unb64
from pbem.crypto.keys import RefereeKey, parse_key
from pbem.errors import PbemError, Refused
from pbem.formats import tar
from pbem.proof.audit import archive
from pbem.proof.audit.archive import Archive, ArchiveTexts
from pbem.proof.audit.audit import CONTRADICTED, Audit, TrustAnchors, audit
from pbem.proof.audit.reports import audit_reports
from pbem.proof.audit.saved_emails import SavedEmail
from pbem.proof.verify.inputs import ChainRegistry, check_block, check_receipt
from pbem.proof.verify.verify import check_chain, describe_previous_round, fault_kind_of
from pbem.report.block import require_blocks
from pbem.services.prove.audit import make_transcript
from pbem.services.prove.saved_emails import read_signed_blocks

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import second_verifier as second

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
    "rules": {"orders", "hands"},
    "closed": {"chain"},
    "container": {"container"},
}


GOOD = ("good", "great-wall", "cancelled")
#: faults of what is given besides the states of a game, and what `verify` says of them
BESIDES = {
    "block": "verify/",
    "receipt": "receipt/block verify/",
    "histories": "verify/two-histories",
    "lost": "verify/lost",
    "round": "verify/round",
}


#: what `verify` does not look at
AUDIT_ALONE = ("secret", "deal", "sealed", "order", "hands", "rules", "container")


class Vector(NamedTuple):
    """A vector, read, and the files of the game with it in its place."""

    place: str
    kind: str
    state: int | None
    files: dict[str, bytes]
    genuine: str = ""  #: which of two histories


def good(name: str = "good") -> dict[str, bytes]:
    """The files of a good game, to be changed."""
    return dict(_good(name))


@cache
def _good(name: str) -> dict[str, bytes]:
    folder = GAMES / name
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def read(path: Path) -> Vector:
    head, cut, data = path.read_bytes().partition(b"\n\n")
    told = dict(line.split(": ", 1) for line in head.decode().strip().split("\n"))
    files, place = good(told.get("of", "good")), told["place"]
    if place == "archive":
        files[place] = packed(files)
    if "at" in told:
        at = int(told["at"])
        data = files[place][:at] + data + files[place][at + len(data) :]
    if cut:
        files[place] = data
    else:
        del files[place]
    if "also" in told:
        other, part = told["also"].split(" ")
        files[other] = (GAMES / "parts" / part).read_bytes()
    if "last" in told:
        last = int(told["last"])
        for name in [name for name in files if name.startswith("states/")]:
            if int(Path(name).stem) > last:
                del files[name]
        hands = archive.read_pending(files["hands"])
        files["hands"] = archive.write_pending({n: x for n, x in hands.items() if n <= last})
    kind, state = told["expect"].split(" ")
    number = int(state) if state != "-" else None
    return Vector(place, kind, number, files, told.get("genuine", ""))


def archived(files: dict[str, bytes]) -> dict[str, bytes]:
    """What an archive has of them."""
    return {name: data for name, data in files.items() if "/" not in name or name[:7] == "states/"}


def packed(files: dict[str, bytes]) -> bytes:
    return tar.pack(sorted(archived(files).items(), key=lambda one: one[0].encode()))


def other_copy(files: dict[str, bytes]) -> dict[int, bytes]:
    """The second copy of a game: the same states, up to the one that is another."""
    found = {int(Path(name).stem): data for name, data in files.items() if name[:6] == "other/"}
    states = second.states_of(files)
    return {**{n: raw for n, raw in states.items() if n < max(found)}, **found} if found else {}


def by_second(vector: Vector) -> None:
    """Everything the second verifier knows, of what a vector is about."""
    files, kind = vector.files, vector.kind
    if "archive" in files:
        second.check_archive(files["archive"])
    chain = second.Chain(second.states_of(files))
    if others := other_copy(files):
        second.compare(chain, second.Chain(others))
    if "next/0000.toml" in files:
        second.check_round(second.Chain({0: files["next/0000.toml"]}), [chain])
    if kind == "container":
        second.check_archive(packed(files))
    secret = second.unb64(files.get("secret", b"").decode().strip(), 32 * ("secret" in files))
    opened = second.Opened(chain, secret) if kind in ("", "receipt") and secret else None
    for name, data in files.items() if kind in ("", *BESIDES) else ():
        if name.startswith("reports/"):
            second.check_block(chain, data.decode())
        if name.startswith("receipts/"):
            hands = files["hands"].decode() if opened else ""
            second.check_receipt(chain, data.decode(), opened, hands)
    if "secret" in files:
        opened = opened or second.Opened(chain, secret)
        second.check_hands(opened, files["hands"].decode())


def by_pbem(files: dict[str, bytes], whole: bool) -> Audit:
    """An audit; ``whole``: of the archive as it is packed."""
    if whole:
        contents = archive.unpack(files.get("archive", b"") or packed(files))
    else:
        states = dict(sorted(second.states_of(files).items()))
        secret = archive.secret_of(files["secret"]) if "secret" in files else b""
        hands = archive.read_pending(files["hands"]) if "hands" in files else None
        contents = Archive(states, secret, pending_values=hands)
    return audit(
        contents,
        lambda record: (catalog.load(record.setup.kind), "0"),
        TrustAnchors(),
        lambda *told: ArchiveTexts("pbem 0", {"transcript.txt": make_transcript(*told)}),
    )


def besides_by_pbem(vector: Vector) -> None:
    """What `verify` does with all that is given."""
    files, given = vector.files, ChainRegistry()
    compared(vector, given)
    if "next/0000.toml" in files:
        describe_previous_round(check_chain({0: files["next/0000.toml"]}, None, None), given)
    for name, data in files.items():
        if name.startswith("reports/"):
            for block in require_blocks(data.decode()):
                check_block(block, given, None)
        if name.startswith("receipts/"):
            signed = read_signed_blocks(data)
            assert vector.kind or not signed.unread.possible_blocks, name
            for receipt in signed.receipts:
                check_receipt(receipt, given, None)
    if vector.kind in ("", "receipt") and "hands" in files:
        waited_so(files)


def compared(vector: Vector, given: ChainRegistry) -> None:
    """The two copies of a game."""
    both = {"the first": second.states_of(vector.files), "the second": other_copy(vector.files)}
    for name, states in both.items():
        if states:
            given.add_chain(name, check_chain(states, None, None))
    if vector.genuine:
        assert both.keys() - given.refusals.keys() == {vector.genuine} - {"neither"}
    for error in given.refusals.values():
        raise error


def waited_so(files: dict[str, bytes]) -> None:
    """Receipts against what waited, as an audit holds them."""
    receipts = [(name, data) for name, data in files.items() if name.startswith("receipts/")]
    letters = [SavedEmail(name, (*read_signed_blocks(data).receipts,)) for name, data in receipts]
    run = by_pbem(files, whole=False)
    told = audit_reports(second.states_of(files), run.game, run.replay, letters).item
    if told and told.verdict == CONTRADICTED:
        raise Refused("verify/waiting", told.text, "")
    assert told is None or told.verdict == "proven", told


@pytest.mark.parametrize("name", GOOD)
def test_the_good_ones_are_good(name: str) -> None:
    vector = Vector("", "", None, good(name))
    by_second(vector)
    besides_by_pbem(vector)
    if name != "cancelled":
        second.check_archive(packed(vector.files))
        found = by_pbem(vector.files, True)
        assert found.verdict == "proven", found.first_contradiction
        assert len(found.rulings) == {"good": 17, "great-wall": 1}[name]


@pytest.mark.parametrize("path", drawn("vectors of games", FAULTS), ids=lambda path: path.stem)
def test_the_second_verifier(path: Path) -> None:
    vector = read(path)
    if vector.kind == "rules":
        by_second(vector)  # it knows no rules
        return
    with pytest.raises(second.Fault) as fault:
        by_second(vector)
    assert (fault.value.kind, fault.value.state) == (vector.kind, vector.state)
    assert str(fault.value).endswith(vector.genuine)


@pytest.mark.attack("have a bot play for a player with a key who did not agree to a bot", by="verify", who="referee")
@pytest.mark.attack("take more hours from a time bank than have passed", by="verify", who="referee")
@pytest.mark.attack("take hours from a time bank twice for one question", by="verify", who="referee")
@pytest.mark.attack("give a player one second for a turn of three days", by="verify", who="referee")
@pytest.mark.attack(
    "call a turn missed in a game that has no clock and waits for its players", by="verify", who="referee"
)
@pytest.mark.attack("move a deadline by years in a ruling that says one hour", by="verify", who="referee")
@pytest.mark.attack(
    "give a question years of time, or no deadline, by a ruling about something else", by="verify", who="referee"
)
@pytest.mark.attack("open a game in which bots may play whenever the referee likes", by="verify", who="referee")
@pytest.mark.attack("move rows of the position in a correction of something else", by="verify", who="referee")
@pytest.mark.attack("make orders void by a correction that changes nothing", by="verify", who="referee")
@pytest.mark.attack("correct an item that does not exist", by="verify", who="referee")
@pytest.mark.attack("end a game without the consent of a player with a key", by="verify", who="referee")
@pytest.mark.attack("give a player the name of another player, of a seat or of the referee", by="verify", who="referee")
@pytest.mark.attack("hide a message in the spelling of a time, an operand or a number", by="verify", who="referee")
@pytest.mark.attack("name one key twice, or sign with a key that was never appointed", by="verify", who="referee")
@pytest.mark.attack(
    "write a report for a seat that does not exist, or one that contradicts itself", by="verify", who="referee"
)
@pytest.mark.parametrize("path", drawn("vectors of games", FAULTS), ids=lambda path: path.stem)
def test_pbem(path: Path) -> None:
    vector = read(path)
    if vector.kind in BESIDES:
        with pytest.raises(PbemError) as caught:
            besides_by_pbem(vector)
        codes = BESIDES[vector.kind].split(" ")
        assert caught.value.code.startswith((*codes, "report/")), caught.value.code
        besides_kind(vector, caught.value)
        return
    if vector.kind == "container" and refused(vector.files):
        return
    found = by_pbem(vector.files, vector.kind == "container")
    assert found.verdict == "contradicted"
    assert found.first_contradiction is not None
    assert found.first_contradiction.n == vector.state
    wrong = {item.name: item.kind for item in found.items if item.verdict == "contradicted"}
    assert wrong.keys() & ITEMS[vector.kind], wrong
    kinds = {*wrong.values()}  # as `audit --json` shows it
    assert vector.kind in kinds or {vector.kind, *kinds} <= {"hands", "order", "rules"}, wrong
    if vector.kind not in AUDIT_ALONE:
        with pytest.raises(PbemError) as caught:
            check_chain(dict(sorted(second.states_of(vector.files).items())), None, None)
        assert fault_kind_of(caught.value) == vector.kind, caught.value


def besides_kind(vector: Vector, error: PbemError) -> None:
    """As `verify --json` shows it, of what is no letter."""
    if vector.kind in ("histories", "lost", "round"):
        assert fault_kind_of(error) == vector.kind


def refused(files: dict[str, bytes]) -> bool:
    """Whether it is no archive that pbem reads."""
    try:
        archive.unpack(files.get("archive", b"") or packed(files))
    except PbemError as error:
        return error.code.startswith("archive/")
    return False


def test_every_place_and_kind_is_there() -> None:
    """Each kind of section 12 has a vector, and each is named after its place."""
    kinds = {read(path).kind for path in FAULTS}
    assert kinds == {*ITEMS, *BESIDES}
    text = (HERE.parents[1] / "docs" / "SPECIFICATION.md").read_text(encoding="utf-8")
    assert kinds <= {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    places = {"secret", "hands", "manifest", "transcript", "archive"}
    places |= {"state", "report", "receipt", "other", "next"}
    assert {path.stem.split("_")[0].split("-")[0] for path in FAULTS} == places


def test_a_rerun_changes_nothing() -> None:
    """`python tests/vectors/make.py` would write these very bytes."""
    sys.path.insert(0, str(HERE))
    import make  # type: ignore[import-not-found]

    paths = [path for path in GAMES.rglob("*") if path.is_file()]
    assert make.build() == {p.relative_to(GAMES).as_posix(): p.read_bytes() for p in paths}


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
    waited = (folder.parent / "hands").read_text(encoding="utf-8")
    receipts = [path.read_text(encoding="utf-8") for path in folder.parent.glob("receipts/*.txt")]
    receipts = [text for text in receipts if "\nreceipt pbem 1 " in text]
    assert len(receipts) > 20
    for text in receipts:
        second.check_receipt(chain, text, opened, waited)
    key = RefereeKey(parse_key((keys / "acting.key").read_text(encoding="ascii")))
    words = ArchiveTexts("pbem 0", {"transcript.txt": b"text\n"})
    hands = archive.read_pending((folder.parent / "hands").read_bytes())
    contents = Archive(dict(sorted(states.items())), unb64(second.b64(secret), 32), words)
    contents = contents._replace(pending_values=hands)
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
