"""Many archives: on every core, gone on with, on a cluster; the same rows in the same order."""

import gc
import importlib.util
import json
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem.proof.audit.audit import TrustAnchors
from pbem.services.prove import workers
from pbem.services.prove.audit import audit_all
from pbem.services.prove.inputs import list_inputs

WHY = ("--reason", "the box is sold")
#: more than are audited in the process itself
NUMBER = 5


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[games.Place]:
    """The archives of a closed game, one of them damaged."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_HOME", "")
        patch.setenv("SOURCE_DATE_EPOCH", "1")
        found = games.opened(tmp_path_factory.mktemp("many") / "one")
        games.answer(found)
        found.done("amend", "GAME", "close", *WHY)
        folder = found.path / "tars"
        folder.mkdir()
        found.done("archive", "GAME", "-o", str(folder / "a0.tar"))
        for number in range(1, NUMBER):
            shutil.copy(folder / "a0.tar", folder / f"a{number}.tar")
        (folder / "a2.tar").write_bytes((folder / "a2.tar").read_bytes()[:-512])
        yield found


def rows(said: games.Said) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(said.text)["games"]
    return found


def one_by_one(place: games.Place) -> list[dict[str, Any]]:
    files = sorted(map(str, (place.path / "tars").iterdir()))
    return [row for file in files for row in rows(place.run("audit", file, "--json"))]


def test_on_every_core_as_one_by_one(place: games.Place) -> None:
    said = place.run("audit", str(place.path / "tars"), "--json")
    assert said.code == 2
    assert rows(said) == one_by_one(place)


def test_two_histories_are_found_among_many(place: games.Place, tmp_path: Path) -> None:
    """By what is left of the first of them, which is its heads."""
    other = games.copied(place, tmp_path / "other")
    shutil.rmtree(other.game)
    shutil.rmtree(other.home / "marks")
    games.open_in(other)
    games.answer(other)
    games.answer(other)
    other.done("amend", "GAME", "close", *WHY)
    path = str(tmp_path / "other.tar")
    other.done("archive", "GAME", "-o", path)
    tars = [str(place.path / "tars" / f"a{number}.tar") for number in (0, 1, 3, 4)]
    told = rows(other.run("audit", *tars, path, "--json"))
    assert [row["verdict"] for row in told] == ["contradicted", *["proven"] * 3, "contradicted"]
    assert told[0]["says"].startswith(f"CONTRADICTED: {path} has another state ")
    assert told[4]["says"].startswith(f"CONTRADICTED: {tars[0]} has another state ")
    report = tmp_path / "r.jsonl"
    said = other.run("audit", *tars, path, "--report", str(report)).text
    assert said.splitlines()[-1] == "5 audited: 2 contradicted, 3 proven"
    lines = [json.loads(line) for line in report.read_bytes().splitlines()]
    assert {line["path"]: line["verdict"] for line in lines}[tars[0]] == "contradicted"


def test_what_is_in_the_report_is_not_audited_again(place: games.Place, tmp_path: Path) -> None:
    folder, report = tmp_path / "tars", tmp_path / "r.jsonl"
    shutil.copytree(place.path / "tars", folder)
    said = place.run("audit", str(folder), "--report", str(report))
    assert (said.code, said.text.splitlines()[-1]) == (2, "5 audited: 4 proven, 1 unreadable")
    lines = report.read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["path"] for line in lines] == sorted(map(str, folder.iterdir()))
    whole = report.read_bytes()
    said = place.run("audit", str(folder), "--report", str(report))
    assert said.text == (f"5 audited: 4 proven, 1 unreadable; 5 of them were already in {report}\n")
    assert (said.code, report.read_bytes()) == (2, whole)
    # altered; and a line that was cut short by a kill, which counts for nothing
    shutil.copy(folder / "a0.tar", folder / "a2.tar")
    report.write_bytes(b"".join(lines)[:-9])
    said = place.run("audit", str(folder), "--report", str(report))
    assert said.text == f"5 audited: 5 proven; 3 of them were already in {report}\n"
    assert said.code == 0
    assert len(report.read_bytes().splitlines()) == len(lines) + 2
    # other trusted keys: other verdicts
    known = tmp_path / "known.txt"
    known.write_text(json.loads(lines[0])["game"])
    said = place.run("audit", str(folder), "--report", str(report), "--keys", str(known))
    assert said.text == "5 audited: 5 proven\n"


def test_a_file_that_is_no_report(place: games.Place, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_text("hello\n")
    said = place.run("audit", str(place.path / "tars"), "--report", str(odd))
    games.one_line(said)
    assert f"{odd}, line 1: this is not a line of an audit" in said.text
    assert odd.read_text() == "hello\n"


def test_memory_does_not_grow_with_the_archives(place: games.Place) -> None:
    """All audits were kept to the end, each with every state of its game."""
    tar = place.path / "tars" / "a0.tar"

    held = []
    tracemalloc.start()
    try:
        for _ in audit_all(list_inputs([tar] * 12), TrustAnchors()):
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert held[-1] - held[2] < 32 << 10


CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
    cluster.close()
"""


@pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs Dask's distributed: pip install 'pbem[cluster]'"
)
def test_on_a_cluster_as_one_by_one(place: games.Place, tmp_path: Path) -> None:
    script = tmp_path / "cluster"
    script.write_text(CLUSTER)
    with subprocess.Popen(
        [sys.executable, "-P", str(script)],
        cwd=tmp_path, env=place.process_env(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as cluster:  # fmt: skip
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        asked = ("audit", str(place.path / "tars"), "--cluster", address, "--json")
        with place.process(*asked) as process:
            told = games.Said(0, process.communicate()[0])
        cluster.communicate()
    assert rows(told) == one_by_one(place)


def test_no_cluster_there(place: games.Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONNECT", "200ms")
    said = place.run("audit", str(place.path / "tars"), "--cluster", "tcp://127.0.0.1:1")
    games.one_line(said)
    assert said.code == 2
