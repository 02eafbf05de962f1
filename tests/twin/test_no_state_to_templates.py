"""Templates, receipts and answers get values made from a View; nothing hidden can become text."""

import copy
import json
import pickle
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.chain.loaded_game import LoadedGame
from pbem.commands import resolve, show
from pbem.engine.chang_cheng.state import Public, State, View
from pbem.engine.hidden import Hidden
from pbem.errors import OurFault
from pbem.play.pending_orders import PendingOrders
from pbem.report import render
from pbem.services.session.session import Session

from .fake_seals import everywhere, faked
from .told import letter, letters
from .worlds import World, chance, go_on, opened_world

NEVER = (Hidden, State, View, Public, LoadedGame, Session, PendingOrders, World)
PLAIN = (str, int, bool, type(None))


def parts(value: Any) -> Iterator[Any]:
    """A value and everything in it."""
    yield value
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from parts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from parts(one)


def only_plain(values: dict[str, Any]) -> None:
    for one in parts(values):
        assert not isinstance(one, NEVER), type(one)
        assert isinstance(one, (*PLAIN, dict, list, tuple)), type(one)


def stopping_at(stage: str) -> Callable[[Any], bool]:
    return lambda public: bool(public["stage"] == stage)


def test_a_template_gets_text_and_numbers_and_nothing_else() -> None:
    seen: dict[str, int] = {}
    real = render.render

    def looking(name: str, /, *folders: str, **values: Any) -> str:
        only_plain(values)
        seen[name] = seen.get(name, 0) + 1
        return real(name, *folders, **values)

    with faked(), tempfile.TemporaryDirectory() as root, everywhere(render.render, looking):
        world = opened_world(Path(root) / "w", 3, "render")
        for stage in ("second", "card", "action", "over"):
            go_on(world, chance(stage), 3, stopping_at(stage))
            for seat in world.session.record.setup.seats:
                for _, data in letters(world, seat, chance(stage), ("wall A1", "flood +2")):
                    world.receive(data)
            with world.here():
                show.run(world.folder)
    assert {"report.txt", "report.html", "receipt.txt"} <= set(seen)


def test_what_commands_print_is_plain_data() -> None:
    with faked(), tempfile.TemporaryDirectory() as root:
        world = opened_world(Path(root) / "w", 2, "json")
        with world.here():
            for answer in (resolve.run([world.folder]), show.run(world.folder)):
                only_plain(answer.data)
                json.dumps(answer.data)
        answer = world.receive(letter(world.session.code("red"), "wall A1"))
        only_plain({"answer": answer[0]})


@pytest.mark.parametrize("make_text", [str, "{}".format, lambda one: f"{one}", lambda one: f"{one:>9}"])
def test_a_hidden_value_has_no_text(make_text: Any) -> None:
    with pytest.raises(OurFault):
        make_text(Hidden("flood"))


@pytest.mark.parametrize("written_by", [pickle.dumps, copy.deepcopy, copy.copy])
def test_a_hidden_value_is_not_copied_out(written_by: Any) -> None:
    with pytest.raises(OurFault):
        written_by(Hidden("flood"))


def test_a_hidden_value_in_a_list_shows_nothing() -> None:
    assert "flood" not in repr([Hidden("flood")])
    with pytest.raises(TypeError):
        json.dumps({"one": Hidden("flood")})


def test_a_traceback_of_a_session_shows_nothing() -> None:
    with faked(), tempfile.TemporaryDirectory() as root:
        world = opened_world(Path(root) / "w", 2, "repr")
        text = repr(world.session) + repr(world.session.key)
        assert world.session.secret.hex() not in text
        assert repr(world.session.secret) not in text
