"""Finding games: built-in ones, plug-ins good and bad."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import __version__, catalog
from pbem.errors import BadInput, OurFault

GOOD = """
class Dice:
    kind = "dice"
    title = "Dice"
    players = (2, 2)
GAME = Dice()
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where plug-ins can be put."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("plug_"):
            del sys.modules[name]


def install(site: Path, dist: str, kind: str, code: str) -> None:
    """Lay down a package as pip would."""
    module = f"plug_{dist}"
    (site / module / "templates").mkdir(parents=True)
    (site / module / "__init__.py").write_text(code)
    info = site / f"{dist}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{kind} = {module}:GAME\n")


def test_built_in_games_come_from_pbem() -> None:
    assert catalog.game_names()[: len(catalog.BUILT_IN)] == tuple(catalog.BUILT_IN)
    for kind in catalog.BUILT_IN:
        assert catalog.distribution(kind) == ("pbem", __version__)
        assert catalog.template_folders(kind) == ()
        assert catalog.load(kind).kind == kind


def test_a_plug_in(site: Path) -> None:
    install(site, "dicey", "dice", GOOD)
    assert "dice" in catalog.game_names()
    assert "plug_dicey" not in sys.modules
    assert catalog.load("dice").title == "Dice"
    assert catalog.distribution("dice") == ("dicey", "1.2")
    assert catalog.template_folders("dice") == (str(site / "plug_dicey" / "templates"),)


def test_a_plug_in_cannot_take_the_place_of_a_built_in_game(site: Path) -> None:
    install(site, "dicey", "chang-cheng", GOOD)
    assert catalog.game_names().count("chang-cheng") == 1
    assert catalog.distribution("chang-cheng")[0] == "pbem"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import no_where", "cannot be loaded: ModuleNotFoundError: No module named 'no_where'"),
        ("GAM = 1", "cannot be loaded: AttributeError: module 'plug_dicey' has no attribute 'GAME'"),
        ("raise ValueError('what a value')", "cannot be loaded: ValueError"),
        (GOOD.replace('"dice"', '"cards"'), "calls itself 'cards'"),
    ],
)
def test_a_broken_plug_in(site: Path, code: str, message: str) -> None:
    install(site, "dicey", "dice", code)
    assert "dice" in catalog.game_names()
    with pytest.raises(BadInput) as caught:
        catalog.load("dice")
    assert caught.value.code == "game/broken"
    assert caught.value.message == f"the game 'dice' from dicey 1.2 {message}"
    assert "pip install --upgrade dicey" in caught.value.hint


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("self.deck[0]", "AttributeError in plug_dicey, line 6, there is no 'deck'"),
        ("{}['dragon']", "KeyError in plug_dicey, line 6"),
    ],
)
def test_a_fault_of_a_plug_in_is_not_called_ours(site: Path, body: str, what: str) -> None:
    install(site, "dicey", "dice", GOOD.replace("GAME", f"    def roll(self): {body}\nGAME"))
    game: Any = catalog.load("dice")
    found = [fault_of(game.roll), fault_of(lambda: game.turn), fault_of(lambda: int("x"))]
    assert [one.message.partition(" of 'dice' from dicey 1.2: ")[2] for one in found[:2]] == [
        what,
        "AttributeError in ?, there is no 'turn'",
    ]
    assert found[0].hint == "again, and send its authors what it prints"
    assert (found[2].message, found[2].hint[-22:]) == ("this is our fault: ValueError in ?", "send us what it prints")


def fault_of(act: Callable[[], object]) -> OurFault:
    """What is said of the error that this raises."""
    try:
        act()
    except (LookupError, AttributeError, ValueError) as error:
        return catalog.unexpected_fault(error, "again")
    raise AssertionError


def test_two_plug_ins_of_one_name(site: Path) -> None:
    install(site, "dicey", "dice", GOOD)
    install(site, "other", "dice", GOOD)
    with pytest.raises(BadInput, match="dicey and other both have a game 'dice'"):
        catalog.load("dice")


def test_an_unknown_game_names_the_nearest() -> None:
    with pytest.raises(BadInput) as caught:
        catalog.load("Chang-Chen")
    assert caught.value.code == "game/unknown"
    assert caught.value.hint == "did you mean chang-cheng?"
    with pytest.raises(BadInput) as caught:
        catalog.load("zzz")
    assert caught.value.hint == "pbem games"
