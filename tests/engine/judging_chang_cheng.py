"""Judging a case of Chang Cheng: the position is held to every word of it."""

from typing import Any

import pytest

from pbem.engine.chang_cheng import GAME
from pbem.engine.chang_cheng.layout import members
from pbem.engine.chang_cheng.state import State
from pbem.engine.decision import Step
from pbem.errors import BadInput

from .case import LINK, configured, opened, position
from .judging import judge_orders, played
from .under_laws import Held

KNOWN = {"ruling", "says", "players", "before", "orders", "refused", "legal", "not_legal"}
KNOWN |= {"default", "means", "after", "sees", "hides", "not_opened"}
KNOWN |= {"editions", "variant", "events", "pairs", "options", "drawn_seats", "drawn_events", "rulings"}


def judge(case: dict[str, Any], edition: str) -> None:
    """Fails where the engine does not do what the case says."""
    assert not case.keys() - KNOWN, f"unknown: {case.keys() - KNOWN}"
    if "not_opened" in case:
        _not_opened(case, edition)
        return
    config = configured(case, edition)
    before = position(case, edition)
    held = Held(config, before)
    state, told = played(GAME, Step(before, ()), case.get("orders", ()), LINK + 1, held)
    held.position(state)
    judge_orders(GAME, state, case)
    for name, expected in case.get("after", {}).items():
        AFTER[name](state, told, expected)
    for seat, facts in case.get("sees", {}).items():
        missing = [fact for fact in facts if fact not in known(state, seat)]
        assert not missing, f"{seat} does not see {missing}, but {known(state, seat)}"
    for seat, facts in case.get("hides", {}).items():
        seen = [fact for fact in facts for row in known(state, seat) if fact in row]
        assert not seen, f"{seat} sees {seen}"


def _not_opened(case: dict[str, Any], edition: str) -> None:
    """Nobody can open such a game; the refusal has these words."""
    with pytest.raises(BadInput) as refused:
        opened(case, edition)
    line = refused.value.as_line()
    missing = [word for word in case["not_opened"] if word not in line]
    assert not missing, f"{missing} is not in: {line}"


def known(state: State, seat: str) -> list[str]:
    """What a seat alone knows: counters it has looked at, its cards face down."""
    table = GAME.describe(GAME.view(state, None if seat == "spectator" else seat))
    counters = [f"{one['region'] or 'one taken away'} {one['value']}" for one in table["known"]]
    cards = [f"{one['kind']} face down in {one['province']}" for one in table["mine"]]
    of = [f"{one['colour']}'s " if one["colour"] else "" for one in table["mine"]]
    return [*counters, *map("".join, zip(of, cards, strict=True))]


def on_square(state: State, name: str) -> str:
    """``red``, ``red tower``, ``free``, ``free, kept for red``."""
    public = state.public
    bit = 1 << public.layout.square_number[name]
    for colour, word in enumerate(public.rules.colours):
        for kind in ("single", "double", "tower"):
            if getattr(public, kind)[colour] & bit:
                broken = " broken" if public.broken & bit else ""
                return word + ("" if kind == "single" else f" {kind}") + broken
        if public.reserve[colour] & bit:
            return f"free, kept for {word}"
    return "free"


def _squares(state: State, told: str, expected: dict[str, str]) -> None:
    assert {name: on_square(state, name) for name in expected} == expected


def _by_colour(name: str, values: Any) -> Any:
    def hold(state: State, told: str, expected: dict[str, Any]) -> None:
        found = dict(zip(state.public.rules.colours, values(state), strict=True))
        assert {colour: found[colour] for colour in expected} == expected, name

    return hold


def _question(state: State, told: str, expected: list[str]) -> None:
    asked = [
        [question.seat, question.kind, *([question.about] if question.about else [])]
        for question in GAME.questions(GAME.view(state, None))
    ]
    assert asked == ([expected] if expected else [])


def _cited(state: State, told: str, expected: str) -> None:
    assert GAME.questions(GAME.view(state, None))[0].ruling == expected


def _piles(state: State, told: str, expected: dict[str, str]) -> None:
    """Every counter of a kind, in no order."""
    rules = state.public.rules
    found = {"reputation": sorted(rules.reputation), "threat": sorted(rules.threat)}
    assert {name: "".join(found[name]) for name in expected} == expected


def _forced(state: State, told: str, expected: bool) -> None:
    assert GAME.questions(GAME.view(state, None))[0].forced is expected


def _cards(state: State, told: str, expected: list[str]) -> None:
    public = state.public
    rows = [f"{public.rules.colours[c.colour]} {public.layout.provinces[c.province]}" for c in public.cards]
    assert rows == expected


def _boards(state: State, told: str, expected: list[str]) -> None:
    assert [f"{p.letter} {p.board.id}" for p in state.public.layout.placed] == expected


def _regions(state: State, told: str, expected: dict[str, str]) -> None:
    """Counters: ``down``, ``gone``, or the value once it is turned up."""
    public = state.public
    found = {}
    for name in expected:
        place = public.threat_places[public.layout.region_number[name]]
        up = public.face_up_threats[place] if place >= 0 else None
        found[name] = "gone" if place < 0 else "down" if up is None else up
    assert found == expected


def _reputation(state: State, told: str, expected: dict[str, int]) -> None:
    public = state.public
    numbers = public.layout.province_number
    assert {name: public.reputation[numbers[name]] for name in expected} == expected


def _scored(state: State, told: str, expected: list[str]) -> None:
    public = state.public
    assert [public.layout.provinces[i] for i in members(public.scored_provinces)] == expected


def _end(state: State, told: str, expected: list[str]) -> None:
    outcome = GAME.outcome(GAME.view(state, None))
    assert (outcome is None and not expected) or (
        outcome is not None and [outcome.ended_by, *outcome.winners] == expected
    ), outcome


def _tells(state: State, told: str, expected: list[str]) -> None:
    missing = [text for text in expected if text not in told]
    assert not missing, f"{missing} is not in:\n{told}"


def _silent(state: State, told: str, expected: list[str]) -> None:
    found = [text for text in expected if text in told]
    assert not found, f"{found} is in:\n{told}"


def _totals(state: State, told: str, expected: dict[str, int]) -> None:
    found = dict(GAME.scores(GAME.view(state, None)))
    assert {seat: found[seat] for seat in expected} == expected


def _shows(state: State, told: str, expected: list[str]) -> None:
    table = "\n".join(GAME.board_text(GAME.describe(GAME.view(state, None))))
    missing = [text for text in expected if text not in table]
    assert not missing, f"{missing} is not in:\n{table}"


def _emperors(state: State, told: str, expected: int) -> None:
    assert state.public.emperors == expected


AFTER = {
    "squares": _squares,
    "scores": _by_colour("scores", lambda state: state.public.scores),
    "hands": _by_colour("hands", lambda state: state.public.hand_sizes),
    "walls": _by_colour("walls", lambda s: map(s.public.supply, range(len(s.public.scores)))),
    "question": _question,
    "forced": _forced,
    "cards": _cards,
    "boards": _boards,
    "regions": _regions,
    "reputation": _reputation,
    "scored": _scored,
    "emperors": _emperors,
    "end": _end,
    "tells": _tells,
    "silent": _silent,
    "totals": _totals,
    "cited": _cited,
    "piles": _piles,
    "shows": _shows,
}
