"""Games of every release, opened, verified, audited and played on by this one.

What the pbem of then said is in said.json; it is never made again. A bot's choice is drawn again by
the pbem that made it alone: elsewhere an audit says "not checked".
"""

import json
from pathlib import Path

import pytest
from durability import games
from durability.games import Place, fresh

from pbem import catalog
from pbem.services.prove import audit

from .make import HERE, KINDS, Kept, audited, block, facts_of, tick

#: items of an audit that have another name in `--json` since
NAMES = {"hands": "pending"}

KEPT = sorted(path.parent for path in HERE.glob("*/*/said.json"))


@pytest.fixture(params=KEPT, ids=lambda path: f"{path.parent.name} {path.name}")
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.setattr(games, "TIME", games.TIME)
    return Kept(request.param)


def test_each_game_is_kept() -> None:
    assert {path.name for path in KEPT} == {*KINDS}


def test_it_opens_and_verifies(kept: Kept, tmp_path: Path) -> None:
    place = kept.laid_out(tmp_path)
    place.done("verify", "GAME")
    place.done("show", "GAME", "--secret")
    place.done("history", "GAME")
    assert json.loads(json.dumps(facts_of(place.session().record))) == kept.facts["at"]


def test_it_reports_the_same(kept: Kept, tmp_path: Path) -> None:
    """The report written anew is bound to the same state."""
    place = kept.laid_out(tmp_path)
    n = place.session().record.n
    (place.game / "desk" / "reports" / f"{n:04d}" / "spectators.txt").unlink()
    place.done("report", "GAME", "--player", "red")
    assert block(place) == kept.facts["report"] != []


def test_it_is_played_on_to_the_same_states(kept: Kept, tmp_path: Path) -> None:
    place = kept.laid_out(tmp_path)
    games.TIME = str(int(games.TIME) + 3600)
    tick(place)
    *_, last = kept.played_on(place)
    assert json.loads(json.dumps(facts_of(last))) == kept.facts["later"]
    place.done("verify", "GAME")


def test_its_archive_is_proven_still(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a later release: what is only worded otherwise since is not checked."""
    monkeypatch.setattr(audit, "__version__", "99.0")
    found = audited(fresh(tmp_path / "auditor"), kept.archive(tmp_path))
    for item, verdict in kept.facts["audit"].items():
        may = (verdict, "not checked") if item in ("transcript", "signed") else (verdict,)
        assert found[NAMES.get(item, item)] in may, item


def test_rulings_that_are_not_here_are_named_and_change_nothing(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = kept.laid_out(tmp_path)
    record = place.session().record
    played_by = type(catalog.load(record.setup.kind))
    monkeypatch.setattr(played_by, "rulings", ("2031-01",))
    before = files(place)
    said = place.run("tick", "GAME")
    assert f"by the rules of {record.setup.rules_version}" in said.text
    assert "pip install pbem==" in said.text
    assert files(place) == before


def files(place: Place) -> dict[Path, bytes]:
    """But for the addresses, by which a home of before adopts the folder (decision 0025)."""
    found = (path for path in place.game.rglob("*") if path.name != "players.toml")
    return {path: path.read_bytes() for path in found if path.is_file()}
