"""Judging a case of Great Wall: the position is held to every word of it."""

from typing import Any

import pytest

from pbem.engine.great_wall import GAME
from pbem.engine.great_wall.state import State
from pbem.engine.laws import LawContext
from pbem.engine.laws_of_secrecy import information_for_seat
from pbem.errors import BadInput

from .case_great_wall import LINK, begun, opened, site_words
from .judging import judge_orders, played
from .under_laws import Held

KNOWN = {"ruling", "says", "players", "options", "deal", "before", "orders", "otherwise", "after"}
KNOWN |= {"refused", "means", "legal", "not_legal", "only", "default", "not_opened"}
KNOWN |= {"told_the_same", "told_apart"}


def judge(case: dict[str, Any]) -> None:
    """Fails where the engine does not do what the case says."""
    assert not case.keys() - KNOWN, f"unknown: {case.keys() - KNOWN}"
    if "not_opened" in case:
        _not_opened(case)
        return
    begin = begun(case)
    held = Held(opened(case)[0], begin.state, GAME)
    held.twins(begin.state)
    state, told = played(GAME, begin, case.get("orders", ()), LINK + 1, held)
    held.position(state)
    held.twins(state)
    judge_orders(GAME, state, case)
    for name, expected in case.get("after", {}).items():
        if name in SITES:
            assert site_words(state, name) == in_words(expected), name
        else:
            AFTER[name](state, told, expected)
    if "otherwise" in case:
        _two_positions(case, state, told)


def _not_opened(case: dict[str, Any]) -> None:
    """Nobody can open such a game; the refusal has these words."""
    with pytest.raises(BadInput) as refused:
        opened(case)
    line = refused.value.as_line()
    missing = [word for word in case["not_opened"] if word not in line]
    assert not missing, f"{missing} is not in: {line}"


def _two_positions(case: dict[str, Any], state: State, told: str) -> None:
    """The same orders on the other position: who can tell the two apart, and who cannot."""
    changed = {**case, "before": {**case["before"], **case["otherwise"]}}
    other, also_told = played(GAME, begun(changed), case.get("orders", ()), LINK + 1)
    assert told == also_told
    for seat in case.get("told_the_same", ()):
        assert all_told(case, state, seat) == all_told(case, other, seat), seat
    for seat in case.get("told_apart", ()):
        assert all_told(case, state, seat) != all_told(case, other, seat), seat


def all_told(case: dict[str, Any], state: State, seat: str) -> dict[str, Any]:
    """Everything that a player, or a spectator, is ever told of a position."""
    place = LawContext(GAME, opened(case)[0], state, lambda bound: 0)
    return information_for_seat(place, state, None if seat == "spectator" else seat)


def in_words(cards: list[str]) -> list[str]:
    """A site of a case; the order of two free markers does not matter."""
    return [" ".join(sorted(cards[0].split())), *cards[1:]]


def _influence(state: State, told: str, expected: dict[str, str]) -> None:
    seats = state.public.rules.seats
    for name, words in expected.items():
        site = state.public.sites[int(name[1]) - 1]
        found = {seat: number for seat, number in zip(seats, site.influence, strict=True) if number is not None}
        pairs = [part.split() for part in words.split(", ")]
        assert found == {seat: int(number) for seat, number in pairs}, name


def _question(state: State, told: str, expected: list[str]) -> None:
    asked = [
        [question.seat, question.kind, *([question.about] if question.about else [])]
        for question in GAME.questions(GAME.view(state, None))
    ]
    assert asked == ([expected] if expected else [])


def _forced(state: State, told: str, expected: bool) -> None:
    assert GAME.questions(GAME.view(state, None))[0].forced is expected


def _by_seat(name: str, values: Any) -> Any:
    def hold(state: State, told: str, expected: dict[str, Any]) -> None:
        found = dict(zip(state.public.rules.seats, values(state), strict=True))
        assert {seat: found[seat] for seat in expected} == expected, name

    return hold


def _won(state: State, told: str, expected: dict[str, str]) -> None:
    found = dict(zip(state.public.rules.seats, state.public.won_markers, strict=True))
    for seat, words in expected.items():
        assert sorted(found[seat]) == sorted(int(word) for word in words.split()), seat


def _reserve(state: State, told: str, expected: int) -> None:
    assert state.public.reserve_size == len(state.reserve) == expected


def _scores(state: State, told: str, expected: dict[str, int]) -> None:
    found = dict(GAME.scores(GAME.view(state, None)))
    assert {seat: found[seat] for seat in expected} == expected


def _standing(state: State, told: str, expected: dict[str, dict[str, str]]) -> None:
    """What each reads of each under the scores; "" where it is the points alone."""
    for seat, rows in expected.items():
        view = GAME.view(state, None if seat == "spectator" else seat)
        shown = {seat.seat: seat.text for seat in GAME.standings(view).seats if seat.points is None}
        for of, words in rows.items():
            assert bool(words) == (of in shown), f"{seat} of {of}: {shown}"
            assert words in shown.get(of, ""), f"{seat} of {of}: {shown}"


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


SITES = ("S1", "S2", "S3", "S4")
AFTER = {
    "influence": _influence,
    "question": _question,
    "forced": _forced,
    "hands": _by_seat("hands", lambda state: state.public.hand_sizes),
    "decks": _by_seat("decks", lambda state: state.public.deck_sizes),
    "won": _won,
    "reserve": _reserve,
    "scores": _scores,
    "standing": _standing,
    "end": _end,
    "tells": _tells,
    "silent": _silent,
}
