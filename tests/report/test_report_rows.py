"""What a report makes of a game's rows: equal events, safe examples, places and points."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import catalog
from pbem.chain.ruling_row import Ruling
from pbem.engine.decision import Event, Outcome
from pbem.engine.optional_parts import too_many
from pbem.engine.random_play import deal_piles
from pbem.engine.row import Asking, Choice, Row
from pbem.report import game_rows
from pbem.services.session import history


class Drawing:
    """The part of a game that reports drawn cards."""

    def event_row(self, happened: Event, view: object) -> Row:
        del view
        return Row(happened.kind, {**dict(happened.facts), "times": 1})


class Untold(Drawing):
    """A game whose sentences have no place for a number."""

    def event_row(self, happened: Event, view: object) -> Row:
        del view
        return Row(happened.kind, dict(happened.facts))


def drew(seat: str) -> Event:
    return Event("drew", "GW-5", (("seat", seat),))


def test_events_alike_in_a_row_are_one_with_their_number() -> None:
    """Found by a reader of reports: "Yellow drew a card" twice, without its end."""
    events = [drew("yellow"), drew("yellow"), drew("red"), drew("yellow")]
    found = game_rows.event_rows(Drawing(), events, None)  # type: ignore[arg-type]
    assert [(row.facts["seat"], row.facts["times"]) for row in found] == [
        ("yellow", 2),
        ("red", 1),
        ("yellow", 1),
    ]
    assert len(game_rows.event_rows(Untold(), events, None)) == 4  # type: ignore[arg-type]


def test_an_example_repeats_what_waits() -> None:
    """Found by a reader of reports: copied alone, the example deleted what was waiting. Copied with
    a whole answer before what is one, it was too much.
    """
    choice = Choice("tower", ("A1", "A5 reserve A4", "A5 reserve A6"))
    asked = Asking("action", {}, (choice,), ("wall A1", "wall B2"))
    for waits, example in (
        (["tower A5 reserve A6"], ["tower A5 reserve A6"]),
        (["neutral none"], ["wall A1", "neutral none"]),
        ([], ["wall A1", "wall B2"]),
    ):
        question = game_rows.question_row(asked, waits)
        assert question.example == example
    assert question.choices == [game_rows.ChoiceRow("tower", ["A1"], [("A5 reserve", ["A4", "A6"])])]


def test_places_in_order_and_where_points_came_from() -> None:
    """Found by readers of reports: the end had no second place, and no points by source."""
    outcome = Outcome((("red", 7), ("green", 7), ("blue", 9), ("violet", 9)), ("violet",), "CC-43")
    parts: dict[str, list[dict[str, Any]]] = {
        "scored": [{"province": "AP1", "points": 9, "at_state": 3}],
        "attack": [{"points": -2, "at_state": 5}],
    }
    gains = [{"points": 3, "at_state": 3}, {"points": 5, "at_state": 4}]
    sources: game_rows.PointSources = {"violet": {"scored": gains}, "red": parts}
    found = game_rows.place_rows(outcome, sources)
    assert [(row.place, row.seat) for row in found] == [(1, "violet"), (2, "blue"), (3, "red"), (3, "green")]
    assert found[0].corrected == 1
    assert [source.points for source in found[0].sources] == [8]
    earned = [
        {"kind": "scored", "points": 9, "parts": parts["scored"]},
        {"kind": "attack", "points": -2, "parts": parts["attack"]},
    ]
    assert (game_rows.to_plain(found[2].sources), found[2].corrected) == (earned, 0)
    # the last bar has what the referee corrected, too
    assert [row.course for row in found] == [[3, 8, 9], [0, 0, 9], [9, 9, 7], [0, 0, 7]]
    both = game_rows.place_rows(outcome._replace(winners=("blue", "violet")), {})
    assert [row.place for row in both] == [1, 1, 3, 3]


def test_points_stand_by_the_kind_of_event() -> None:
    won = Event("scored", "CC-27", (("province", "AP1"),), points=(("red", 4), ("green", 4)))
    lost = Event("attack", "CC-42", points=(("red", -3),))
    links = [_with(won, n=3), _with(lost, won, n=4)]
    twice = [{"province": "AP1", "points": 4, "at_state": n} for n in (3, 4)]
    assert game_rows.points_by_source(links) == {
        "red": {"scored": twice, "attack": [{"points": -3, "at_state": 4}]},
        "green": {"scored": twice},
    }


def test_a_long_game_has_few_bars_and_the_last_of_them_is_its_end() -> None:
    gains = [{"points": 1, "at_state": n} for n in range(3, 103)]
    outcome = Outcome((("red", 100), ("green", 0)), ("red",), "CC-43")
    (red, green) = game_rows.place_rows(outcome, {"red": {"scored": gains}})
    assert (len(red.course), red.course[-1], green.course) == (20, 100, [0] * 20)
    assert red.course == sorted(red.course)


def test_what_was_undone_brings_no_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state before an undo is the one that it goes back to."""
    undo = Ruling("undo", (("to", "3"),), "why")
    links = {n: SimpleNamespace(n=n, rulings=(), events=()) for n in range(2, 8)}
    links[6] = SimpleNamespace(n=6, rulings=(undo,), events=())
    monkeypatch.setattr(history, "read_older_record", lambda _, n: links[n])
    found = history.list_counting_records(SimpleNamespace(record=links[7]))  # type: ignore[arg-type]
    assert [record.n for record in found] == [2, 3, 6, 7]


def test_r_1_and_r_2_are_among_the_rulings_cited() -> None:
    """Found by readers of reports: R-1 and R-2 were cited and never explained."""
    forced, missed = (SimpleNamespace(source=s, seat="red") for s in ("forced", "default"))
    scored = drew("red")._replace(ruling="GW-11", points=(("red", 3),))
    link: Any = SimpleNamespace(events=(drew("red"), scored), entries=(forced, missed))
    assert game_rows.cited_rules(link, "red") == ["GW-11", "R-1", "R-2"]
    assert game_rows.cited_rules(link, "green") == ["GW-11", "R-2"]


def _with(*events: Event, n: int = 3) -> Any:
    return SimpleNamespace(n=n, events=events)


@pytest.mark.parametrize("kind", ["chang-cheng", "great-wall"])
def test_what_an_email_from_a_link_suggests_completes_the_turn(kind: str) -> None:
    """Found by a player with a phone: below the order stood the beginning of all choices in a row."""
    game, random, suggested = catalog.load(kind), Random(5), set[str]()
    config = game.configure(game.seats[:3], {})
    state = game.setup(config, deal_piles(game, config, random.randrange), 1).state
    for number in range(2, 60):
        seat = game.questions(game.view(state, None))[0].seat
        view = game.view(state, seat)
        orders = game.legal(view)
        question = game.ask(view)
        assert question is not None
        completions = game_rows.with_completions(game, view, game_rows.question_row(question, [])).then
        for order, examples in completions.items():
            texts = ["; ".join(lines) for lines in examples]
            assert len(f"# Add {len(examples[0])} more lines, for example: {' or '.join(texts)}") <= 76
            for lines in examples:
                suggested.add(f"{order.split()[0]} {lines[0].split()[0]}")
                after = state
                for line in (order, *lines):
                    assert line in game.legal(game.view(after, seat)), (order, lines)
                    after = game.apply(after, seat, line, number).state
                is_over = game.turn(game.view(after, seat)) != game.turn(view)
                assert is_over or too_many(game, view, [order, *lines, lines[-1]])
        state = game.apply(state, seat, random.choice(orders), number).state
    assert suggested >= {"chang-cheng": {"card card", "card wall"}, "great-wall": {"play draw", "play play"}}[kind]
