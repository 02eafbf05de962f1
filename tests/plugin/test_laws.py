"""Every law holds for Night Market; each fault planted in it is found by the law meant for it."""

import json
import re
from functools import partial
from operator import ne
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem import catalog
from pbem.engine.decision import Outcome
from pbem.engine.hidden import Hidden
from pbem.engine.optional_parts import Plain
from pbem.engine.random_play import WalkResult, walk
from pbem.engine.rulebook import list_rule_numbers
from pbem.engine.settings import SEATS
from pbem.errors import BadInput
from pbem.play.script import play_script
from pbem.services.sentences import render_sentences

from .conftest import SOURCE

PACKAGE = SOURCE / "night_market"


def walked(game: Any, seed: int, only: str = "") -> WalkResult:
    """One market at random, under the laws: with 2 to 4 players, 3 to 9 lots."""
    below = Random(seed).randrange
    options = {"lots": str(3 + seed % 7)}
    seats, rules = game.seats[: 2 + seed % 3], catalog.read_rules(game.kind)
    return walk(game, seats, below, options=options, bound=36, only=only, rules=rules, say=render_sentences)


@pytest.mark.parametrize("seeds", [range(21), range(21, 42)])
def test_every_law(game: Any, seeds: range, capsys: pytest.CaptureFixture[str]) -> None:
    found = [walked(game, seed) for seed in seeds]
    assert not [one for one in found if one.broken]
    twins, unlike = sum(one.twins for one in found), sum(one.unlike for one in found)
    with capsys.disabled():
        print(f" [night-market: {unlike} of {twins} twins are other states] ", end="")
    assert unlike > 0.7 * twins > 200  # two goods are always hidden: half of the last twins differ


def sealed_one_first(market: Any) -> Any:
    """The tokens of a seat are listed with the sealed one first."""

    class Fault(market):  # type: ignore[misc]
        def view(self, state: Any, seat: str | None) -> Any:
            view = super().view(state, seat)
            both = zip(state.bids, view.public.tokens, strict=True)
            tokens = tuple(tuple(sorted(left, key=partial(ne, bid))) for bid, left in both)
            return view._replace(public=view.public._replace(tokens=tokens))

    return Fault()


def bid_in_the_event(market: Any) -> Any:
    """The event of bidding says what was bid."""

    class Fault(market):  # type: ignore[misc]
        def apply(self, state: Any, seat: str, line: str, link: int) -> Any:
            step = super().apply(state, seat, line, link)
            events = tuple(
                one._replace(facts=(*one.facts, ("token", line.split()[1]))) if one.kind == "bid" else one
                for one in step.events
            )
            return step._replace(events=events)

    return Fault()


def bid_in_its_slot(market: Any) -> Any:
    """The slot is numbered by the token."""

    class Fault(market):  # type: ignore[misc]
        def apply(self, state: Any, seat: str, line: str, link: int) -> Any:
            step = super().apply(state, seat, line, link)
            public, at = step.state.public, state.public.seats.index(seat)
            if not public.slots[at]:
                return step
            old, new = public.slots[at], f"{link}/bid/{int(line.split()[1]):02d}"
            slots = tuple(new if slot == old else slot for slot in public.slots)
            events = tuple(one._replace(opens=tuple((who, new) for who, _ in one.opens)) for one in step.events)
            state = step.state._replace(public=public._replace(slots=slots))
            return step._replace(state=state, events=events)

    return Fault()


def described_by_the_bid(market: Any) -> Any:
    """The board has a line that depends on a sealed bid: made by one who remembers the State."""

    class Fault(market):  # type: ignore[misc]
        def view(self, state: Any, seat: str | None) -> Any:
            self.truth = state
            return super().view(state, seat)

        def describe(self, view: Any) -> Any:
            told = super().describe(view)
            high = sum(bid or 0 for bid in self.truth.bids)
            return {**told, "excitement": high}

    return Fault()


def known_to_all(market: Any) -> Any:
    """Everybody may know a sealed bid, says the encoded position."""

    class Fault(market):  # type: ignore[misc]
        def encode(self, state: Any) -> Any:
            place = super().encode(state)
            seats = frozenset(state.public.seats)
            hidden = {
                slot: Hidden(one.for_sealing(), seats) if "/bid/" in slot else one for slot, one in place.hidden.items()
            }
            return place._replace(hidden=hidden)

    return Fault()


def first_alone_asked(market: Any) -> Any:
    """Only one is asked at a time, and all of them have orders."""

    class Fault(market):  # type: ignore[misc]
        def questions(self, view: Any) -> Any:
            return super().questions(view)[:1]

    return Fault()


def over_too_soon(market: Any) -> Any:
    """It is over while somebody is asked."""

    class Fault(market):  # type: ignore[misc]
        def outcome(self, view: Any) -> Any:
            return super().outcome(view) or Outcome(self.scores(view), self.seats[:1], "NM-9")

    return Fault()


def forced_for_all(market: Any) -> Any:
    """A question is called forced though there is a choice."""

    class Fault(market):  # type: ignore[misc]
        def questions(self, view: Any) -> Any:
            return tuple(one._replace(forced=True) for one in super().questions(view))

    return Fault()


def slot_of_another_link(market: Any) -> Any:
    """A bid lies in a slot that the deal might have made."""

    class Fault(market):  # type: ignore[misc]
        def apply(self, state: Any, seat: str, line: str, link: int) -> Any:
            return super().apply(state, seat, line, 1)

    return Fault()


def event_altered(market: Any, change: dict[str, Any]) -> Any:
    """The events of bidding have something else in this field."""

    class Fault(market):  # type: ignore[misc]
        def apply(self, state: Any, seat: str, line: str, link: int) -> Any:
            step = super().apply(state, seat, line, link)
            return step._replace(events=tuple(one._replace(**change) for one in step.events))

    return Fault()


def blank_in_a_fact(market: Any) -> Any:
    """An event's fact is of two words."""
    return event_altered(market, {"kind": "over", "facts": (("winners", "Ann Lee"),)})


def rule_that_is_not(market: Any) -> Any:
    """An event cites a rule that nobody has written."""
    return event_altered(market, {"ruling": "NM-99"})


def misnamed_fact(market: Any) -> Any:
    """A row lacks what its macro asks of it, by ``is none`` at that."""

    class Fault(market):  # type: ignore[misc]
        def event_row(self, happened: Any, view: Any) -> Any:
            row = super().event_row(happened, view)
            facts = {("onw" if name == "own" else name): row.facts[name] for name in row.facts}
            return row._replace(facts=facts)

    return Fault()


def seats_not_in_a_pile(market: Any) -> Any:
    """The referee may have the seats drawn, and there is nothing to draw."""

    class Fault(market):  # type: ignore[misc]
        options = (*market.options, SEATS)

        def configure(self, seats: Any, options: Any, rulings: str = "") -> Any:
            more = {name: options[name] for name in options if name != SEATS.name}
            return super().configure(seats, more, rulings)

    return Fault()


def seat_of_all(market: Any) -> Any:
    """Found by an attack of 2026-11: what is told to that seat is told to all."""
    return type("Fault", (market,), {"seats": (*market.seats, "all")})()


def no_turn(market: Any) -> Any:
    """A method of the protocol is missing."""
    names = {name: value for name, value in vars(market).items() if name not in ("turn", "soon")}
    return type("Fault", (), names)()


@pytest.mark.parametrize(
    ("planted", "law"),
    [
        (sealed_one_first, "seen_by_its_audience"),
        (sealed_one_first, "same_after_the_twin"),
        (bid_in_the_event, "same_after_the_twin"),
        (bid_in_its_slot, "same_after_the_twin"),
        (described_by_the_bid, "same_for_the_twin"),
        (known_to_all, "as_opened"),
        (first_alone_asked, "answerable"),
        (over_too_soon, "same_questions"),
        (forced_for_all, "forced_is_public"),
        (slot_of_another_link, "enter"),
        (blank_in_a_fact, "every_event_told"),
        (rule_that_is_not, "in_the_rules"),
        (misnamed_fact, "told_in_words"),
        (seat_of_all, "seats_named"),
        (seats_not_in_a_pile, "seats_drawn"),
        (no_turn, "all_written"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_a_fault_is_found_by_its_law(game: Any, planted: Any, law: str) -> None:
    faulty = planted(type(game))
    assert any(walked(faulty, seed, only=law).law == law for seed in range(12))


def test_a_small_game_leaves_what_it_can_to_plain(game: Any) -> None:
    own = {name: value for name, value in vars(type(game)).items() if name not in vars(Plain)}
    small = type("Small", (Plain,), own)()
    assert (small.soon(None), small.is_name("l3")) == ((), False)
    assert not [one for seed in range(6) if (one := walked(small, seed)).broken]


def test_a_law_says_where_to_look(game: Any) -> None:
    def broken(planted: Any, law: str) -> str:
        found = (walked(planted(type(game)), seed, only=law).broken for seed in range(12))
        return next(text for text in found if text)

    told = broken(bid_in_the_event, "same_after_the_twin")
    assert re.fullmatch(
        r"`bid \d` and `bid \d` of \w+ look the same to [\w ]+, their events differ: "
        r"`bid NM-4 .* token=\d .*` and `bid NM-4 .* token=\d .*`",
        told,
    )
    assert broken(no_turn, "all_written") == "the game lacks soon, turn"
    assert broken(rule_that_is_not, "in_the_rules") == "RULES.md has no paragraph NM-99"
    assert broken(misnamed_fact, "told_in_words").endswith("words.txt, line 8: UndefinedError: own")
    assert "and does not begin with 2/" in broken(slot_of_another_link, "enter")


def test_every_ruling_used_is_in_the_rules(game: Any) -> None:
    known = list_rule_numbers((PACKAGE / "RULES.md").read_text(encoding="utf-8"))
    assert len(set(known)) == len(known)
    for path in PACKAGE.glob("*.py"):
        used = set(re.findall(r"\b(?:NM|R)-\d+\b", path.read_text(encoding="utf-8")))
        assert used <= set(known), path.name
    assert {"NM-2", "NM-4", "NM-6", "NM-9"} <= set(known)


def the_script() -> dict[str, Any]:
    """The script that stands in the plug-in's README."""
    text = (SOURCE / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    document: dict[str, Any] = json.loads(blocks[0])
    return document


def test_the_script_of_its_readme(game: Any) -> None:
    found = play_script(game, game.from_script(the_script()))
    assert found["over"]
    assert found["final"] == {"scores": {"ann": 7, "ben": 4}, "winners": ["ann"], "ended_by": "NM-9"}
    steps = [(one["to_act"], one["legal"], one.get("asked")) for one in found["steps"]]
    assert steps[0] == ("ben", 3, ["ann", "ben"])  # his order comes next; ann is asked too
    assert steps[1] == ("ann", 3, None)
    assert steps[-1] == (None, 0, None)


def test_a_script_there_and_back(game: Any) -> None:
    script = game.from_script(the_script())
    again = game.from_script(game.to_script(script.config, script.deal))
    assert (again.config, again.deal) == (script.config, script.deal)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"orders": [{"player": "ann", "order": "bid 4"}]}, "order 1: found 'bid 4', which is not"),
        (
            {"orders": [{"player": "ann", "order": "bid 1"}] * 2},
            "order 2: found 'bid 1' of 'ann'; expected an order of 'ben'",
        ),
        ({"goods": [1, 2, 3]}, "goods are not each of 1 to 5 once"),
        ({"goods": "many"}, "the script lacks or misshapes"),
        ({"players": [{"name": "a", "seat": "jade"}] * 2}, "two players have the same seat"),
        ({"options": {"lots": 99}}, "lots='99' is not possible"),
    ],
)
def test_a_bad_script_is_told(game: Any, change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput) as told:
        play_script(game, game.from_script(the_script() | change))
    assert says in told.value.message


def test_nothing_of_the_checkout_was_loaded(game: Any, site: Path) -> None:
    import night_market

    assert Path(night_market.__file__).is_relative_to(site)
