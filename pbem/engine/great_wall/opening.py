"""Opens a game: its options, piles and first position. It also reads and writes scripts.

Source: GW-0 to GW-4, GW-33, R-2, R-3; docs/SPECIFICATION.md section 7 (slots).
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine import settings
from pbem.engine.decision import Event, Step, event
from pbem.engine.great_wall import parts
from pbem.engine.great_wall.legal import derive_question
from pbem.engine.great_wall.state import NO_QUESTION, Play, Public, Rules, State
from pbem.engine.great_wall.turn import open_site
from pbem.engine.row import N_
from pbem.errors import BadInput

#: versions of the rules, which are the same for this game
RULINGS = ("2026-12", "2026-11")

OPTIONS = (
    settings.Option(
        "open_scores",
        "no",
        "no, yes",
        "GW-33",
        "whether the standing shows everybody's points",
        (
            ("no", N_("Reports count the markers that each player won, not their points (GW-33).")),
            ("yes", N_("Reports show the points of all players (GW-33).")),
        ),
    ),
    settings.SEATS,
)


def configure(seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> settings.Config:
    settings.check_seats("great-wall", seats, parts.COLOURS, 2)
    settled_options = settings.chosen("great-wall", options, OPTIONS)
    return settings.Config(tuple(seats), tuple(settled_options.items()), rulings or RULINGS[0])


def piles(config: settings.Config) -> tuple[settings.Pile, ...]:
    """Return the piles to shuffle: a deck for each seat, the reserve, and the seats if they are drawn."""
    game_piles = [settings.Pile(f"deck/{seat}", parts.DECK) for seat in config.seats]
    game_piles.append(settings.Pile("reserve", parts.RESERVE_MARKERS))
    if config.option("seats") == "drawn":
        game_piles.append(settings.Pile("seats", config.seats))
    return tuple(game_piles)


def rules_of(config: settings.Config, seats: tuple[str, ...], deal_state_number: int) -> Rules:
    """Return the Rules of a game; ``seats`` are in turn order, which may have been drawn."""
    has_open_scores = config.option("open_scores") == "yes"
    return Rules(seats=seats, open_scores=has_open_scores, deal_state_number=deal_state_number)


def setup(config: settings.Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
    """Return the first State, with five cards each and a pair at each site (GW-1, GW-2), and its events."""
    seats = tuple(deal.get("seats", config.seats))
    rules = rules_of(config, seats, link)
    decks = tuple(tuple(parts.KINDS.index(word) for word in deal[f"deck/{seat}"]) for seat in seats)
    hands = tuple(parts.hand_of(deck[: parts.FIRST_HAND_SIZE]) for deck in decks)
    reserve = tuple(int(value) for value in deal["reserve"])
    play = Play(State(_first_position(rules, len(reserve)), decks, hands, reserve))
    if config.option("seats") == "drawn":
        play.log.append(event("seated", "R-3", {"seats": ",".join(seats)}))
    for colour, seat in enumerate(seats):  # each seat learns its own first five cards
        opens = tuple((seat, rules.slot(rules.deck_name(colour), i)) for i in range(parts.FIRST_HAND_SIZE))
        facts = (("seat", seat), ("number", str(parts.FIRST_HAND_SIZE)))
        play.log.append(Event("hand", "GW-1", facts, opens=opens))
    for site in range(len(play.table.sites)):
        open_site(play, site)
    play.table.asked = derive_question(play.table)
    return Step(play.state(), tuple(play.log))


def _first_position(rules: Rules, reserve_size: int) -> Public:
    """Return the position before the pairs are laid. It begins with actions: there is nothing to examine."""
    seat_count = len(rules.seats)
    return Public(
        rules=rules,
        sites=(parts.new_site((), seat_count),) * parts.SITE_COUNT[seat_count],
        deck_sizes=(len(parts.DECK) - parts.FIRST_HAND_SIZE,) * seat_count,
        hand_sizes=(parts.FIRST_HAND_SIZE,) * seat_count,
        played_cards=(0,) * seat_count,
        won_markers=((),) * seat_count,
        drawn_markers=0,
        reserve_size=reserve_size,
        discarded_pairs=(),
        seat=0,
        turns=1,
        stage="second",
        site=-1,
        caller=-1,
        ended_by="",
        asked=NO_QUESTION,
    )


def slot_words(_public: Mapping[str, Any], slot: str) -> str:
    """Return the name of a hidden thing: ``card 6 of red's deck``, ``marker 12 of the reserve``; or ""."""
    _, _, pile_and_place = slot.partition("/")
    pile, _, place = pile_and_place.rpartition("/")
    if not re.fullmatch("[0-9]{1,4}", place):
        return ""
    number = int(place) + 1
    kind, _, seat = pile.partition("/")
    if kind == "deck":
        return f"card {number} of {seat}'s deck"
    return f"marker {number} of the supply" if kind == "reserve" else ""


def piles_now(state: State) -> dict[str, tuple[str, ...]]:
    """Return all cards and markers, wherever they are now. Only the moderator may see them."""
    public = state.public
    decks = {
        public.rules.deck_name(colour): tuple(parts.KINDS[kind or 0] for kind in deck)
        for colour, deck in enumerate(state.decks)
    }
    markers_on_table = [value for site in public.sites for value in site.free_markers]
    markers_on_table += [site.marker for site in public.sites if site.marked_card >= 0]
    markers_on_table += [value for won in public.won_markers for value in won]
    markers_on_table += [value for value in public.discarded_pairs for _ in range(2)]  # values of pairs (GW-3)
    return decks | {"reserve": tuple(str(value) for value in (*markers_on_table, *state.reserve))}


HINT = "see FORMAT.md (Scripts)"


@settings.reading_script()
def from_script(document: Mapping[str, Any]) -> settings.Script:
    players = [_require_text(name) for name in document["players"]]
    flags = {True: "yes", False: "no"}
    options = {
        str(key): flags[value] if isinstance(value, bool) else str(value)
        for key, value in dict(document.get("options", {})).items()
    }
    decks = {str(name): tuple(map(_require_text, deck)) for name, deck in document["decks"].items()}
    reserve = tuple(str(int(value)) for value in document["reserve"])
    orders = tuple((str(o["player"]), str(o["order"])) for o in document["orders"])
    if len(players) not in parts.SITE_COUNT:
        raise BadInput("script/players", f"{len(players)} players, not 2 to 5", HINT)
    if len(set(players)) != len(players):
        raise BadInput("script/players", "two players have the same name", HINT)
    seats = parts.COLOURS[: len(players)]
    config = configure(seats, options)
    if set(decks) != set(players):
        raise BadInput("script/decks", "there is not one deck for each player", HINT)
    _check_pile("the reserve", reserve, parts.RESERVE_MARKERS, "GW-2")
    deal = {"reserve": reserve}
    for seat, name in zip(seats, players, strict=True):
        _check_pile(f"the deck of {name!r}", decks[name], parts.DECK, "GW-1")
        deal[f"deck/{seat}"] = decks[name]
    return settings.Script(config, deal, dict(zip(seats, players, strict=True)), orders)


def _require_text(value: Any) -> str:
    """Return a value of a script if it is a text; raise TypeError if it is not."""
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value


def _check_pile(pile_name: str, pile: Sequence[str], expected_pile: Sequence[str], ruling: str) -> None:
    """Raise BadInput if a script's pile has too many or too few of something."""
    counts, expected_counts = Counter(pile), Counter(expected_pile)
    for thing in sorted({*counts, *expected_counts}):
        if counts[thing] != expected_counts[thing]:
            text = f"{pile_name} has {thing[:20]!r} {counts[thing]} times, not {expected_counts[thing]}"
            raise BadInput("script/pile", text, f"{len(expected_pile)} in all, see {ruling}")


def to_script(config: settings.Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    seats = list(deal.get("seats", config.seats))
    return {
        "game": "great-wall",
        "players": seats,
        "options": {"open_scores": config.option("open_scores") == "yes"},
        "decks": {seat: list(deal[f"deck/{seat}"]) for seat in seats},
        "reserve": [int(value) for value in deal["reserve"]],
        "orders": [],
    }
