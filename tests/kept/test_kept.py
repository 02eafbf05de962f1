"""Games of every release, opened, verified, audited and played on by this one.

What the pbem of then said is in said.json; it is never made again. A bot's choice is drawn again by
the pbem that made it alone: elsewhere an audit says "not checked".
"""

import json
import tarfile
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from durability import games
from durability.games import Place, fresh
from sizes import drawn

from pbem import catalog
from pbem.play.deadlines.option_names import CLOCK_OPTIONS
from pbem.services.prove import audit

from .make import GAMES, HERE, KINDS, Kept, audited, block, facts_of, play_orders, tick

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


#: those with every option, as (release, name)
GAMES_KEPT = [(path.parent.name, name) for path in sorted(HERE.glob("*/games.tar.xz")) for name in GAMES]


def laid_out(release: str, name: str, place: Path) -> Place:
    """One of the games with every option, as it was when it was stopped."""
    with tarfile.open(HERE / release / "games.tar.xz") as file:
        file.extractall(place, [part for part in file if part.name.startswith(f"{name}/")], filter="data")
    (place / name / "home").chmod(0o700)
    return Place(place / name)


def test_every_option_of_today_is_in_a_game_that_is_kept() -> None:
    """A new option needs a game with it in the folder of its release."""
    for kind in KINDS:
        chosen = [one.partition("=") for game, _, options in GAMES.values() if game == kind for one in options]
        for option in catalog.load(kind).options:
            values = {value for name, _, value in chosen if name == option.name}
            words = {word for word, _ in option.said if word not in ("", "*")}
            assert words <= values | {option.default}, option.name
            assert values, option.name
    assert {option.name for option in CLOCK_OPTIONS} <= {
        one.partition("=")[0] for _, _, row in GAMES.values() for one in row
    }


@pytest.mark.parametrize(("release", "name"), drawn("kept games to the end", GAMES_KEPT))
def test_a_game_with_these_options_is_finished(
    release: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = laid_out(release, name, tmp_path)
    monkeypatch.setattr(games, "TIME", str(int(datetime.fromisoformat(place.session().record.time).timestamp()) + 7200))
    place.done("resolve", "GAME")
    assert play_orders(place, Random(name), 400) < 400
    place.done("verify", "GAME")
    archive = place.path / "over.tar"
    place.done("archive", "GAME", "-o", str(archive))
    assert {*audited(place, archive).values()} <= {"proven", "the referee's word"}
