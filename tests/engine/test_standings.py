"""Standings beside the engine's own scoring, in random positions.

Source: issue on faces; CC-27, CC-28, CC-42, GW-10 to GW-14, GW-33; docs/decisions/0031-standings.md.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from sizes import size

from pbem import catalog
from pbem.engine.chang_cheng import scoring
from pbem.engine.chang_cheng.state import Play as WallPlay
from pbem.engine.chang_cheng.state import Scoring
from pbem.engine.great_wall import turn
from pbem.engine.great_wall.parts import PAIR_SIZE
from pbem.engine.great_wall.state import Play as SitePlay
from pbem.engine.row import Row

POSITIONS = size("positions for standings")
WALLS: tuple[tuple[int, dict[str, str]], ...] = (
    (4, {}),
    (3, {"edition": "it"}),
    (2, {"variant": "neutral", "events": "D"}),
    (2, {"variant": "two-colour", "edition": "hu"}),
)


def positions(kind: str, players: int, options: dict[str, str], number: int) -> Iterator[Any]:
    """States of random games, one in three."""
    game, chance = catalog.load(kind), random.Random(f"{kind} {players} {options}")
    config = game.configure(game.seats[:players], options)
    while True:
        deal = {pile.name: chance.sample(pile.items, len(pile.items)) for pile in game.piles(config)}
        state = game.setup(config, deal, 2).state
        while questions := game.questions(game.view(state, None)):
            if chance.randrange(3) == 0:
                yield state
                number -= 1
                if not number:
                    return
            seat = questions[0].seat
            state = game.apply(state, seat, chance.choice(game.legal(game.view(state, seat))), 3).state


def places(rows: tuple[Row, ...], kind: str) -> dict[str, Any]:
    return {row.facts["name"]: row.facts for row in rows if row.kind == kind}


def colours(parties: list[dict[str, Any]]) -> str:
    return ",".join(sorted(party["colour"] for party in parties))


def listed(text: str) -> str:
    return "" if text in ("-", "nobody") else ",".join(sorted(text.split(",")))


@pytest.mark.parametrize(("players", "options"), WALLS)
def test_chang_cheng_scores_as_its_standings_say(players: int, options: dict[str, str]) -> None:
    game = catalog.load("chang-cheng")
    for state in positions("chang-cheng", players, options, POSITIONS // 5):
        public = state.public
        for seat in (None, *public.rules.seats):
            standings = game.standings(game.view(state, seat))
            assert tuple((row.seat, row.points) for row in standings.seats) == scoring.seat_scores(public)
            losses: dict[str, int] = {}
            for number, (name, region) in enumerate(places(standings.places, "region").items()):
                assert region["has_counter"] is (public.threat_places[number] >= 0)
                if not region["has_counter"]:
                    assert not region["losers"]
                    continue
                play = WallPlay(state, 3)
                scoring._attack(play, number)
                facts = dict(play.log[0].facts)
                assert colours(region["losers"]) == listed(facts["losers"]), name
                assert colours(region["safe"]) == listed(facts["safe"]), name
                if "counter" in region:
                    assert str(region["counter"]) == facts["counter"]
                    for loser in region["losers"]:
                        losses[loser["colour"]] = losses.get(loser["colour"], 0) + region["counter"]
            told_losses = [loss for row in standings.outlook if row.kind == "attack" for loss in row.facts["losses"]]
            assert {loss["colour"]: loss["number"] for loss in told_losses if "number" in loss} == losses
            for number, (name, province) in enumerate(places(standings.places, "province").items()):
                if province["scored"] or (public.scoring is not None and number in public.queue):
                    continue
                play = WallPlay(state, 3)
                play.table.queue = (number,)
                plain = Scoring(number, (), 0, (0,) * len(public.rules.colours))
                scoring._score_province(play, plain)
                facts = dict(play.log[0].facts)
                assert facts["value"] == str(province["full"]), name  # the engine scores full provinces alone
                assert colours(province["leaders"]) == listed(facts["winners"]), name
                free = (public.layout.province_set[number] & ~public.occupied).bit_count()
                assert (province["free"], province["value"]) == (free, province["full"] - free)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("open_scores", ["yes", "no"])
def test_great_wall_examines_as_its_standings_say(players: int, open_scores: str) -> None:
    game = catalog.load("great-wall")
    for state in positions("great-wall", players, {"open_scores": open_scores}, POSITIONS // 10):
        public = state.public
        for seat in (None, *public.rules.seats):
            standings = game.standings(game.view(state, seat))
            for row, (name, points) in zip(standings.seats, turn.scores(public), strict=True):
                is_known = open_scores == "yes" or name == seat
                assert row.points == (points if is_known else None)
                assert not (row.leads and open_scores == "no")
        sites = [row.facts for row in game.standings(game.view(state, None)).places]
        for number, site in enumerate(sites):
            examined = set()
            for colour, seat in enumerate(public.rules.seats):
                play = SitePlay(state)
                play.table.seat, play.table.site = colour, -1
                play.table.sites = tuple(
                    one if i == number else one._replace(free_markers=()) for i, one in enumerate(public.sites)
                )
                turn.examine(play, number)
                if play.table.site == number:
                    examined.add(("takes", seat))
                for happened in play.log:
                    if happened.kind == "won":
                        facts = dict(happened.facts)
                        assert (site["marker"], site["placed"]) == (int(facts["marker"]), int(facts["placed"]))
                        assert site["other"] == facts["other"]
                        examined.add(("wins", seat))
            assert examined == ({(site["next"], site["seat"])} if site["next"] else set())
            assert len(site["free"]) in (0, 1, PAIR_SIZE)
