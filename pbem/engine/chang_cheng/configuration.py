"""Every check of what the referee chose when he opens a game.

What lives here: ``configure``. The options are listed in configuration.py.
Source: CC-1, CC-6, CC-50, CC-60 to CC-62, R-2, R-3.
"""

from collections.abc import Mapping, Sequence

from pbem.engine.chang_cheng import box
from pbem.engine.chang_cheng.editions import EDITIONS, RULINGS
from pbem.engine.chang_cheng.layout import COLOURS, EVENTS
from pbem.engine.row import N_
from pbem.engine.settings import (
    MISSED,
    SEATS,
    Config,
    Option,
    check_names,
    check_seats,
    check_value,
)
from pbem.errors import BadInput

VARIANTS = ("plain", "neutral", "two-colour")
PAIRS = "blue+green,red+violet"

OPTIONS = (
    Option(
        "edition",
        "en",
        ", ".join(edition.title for edition in EDITIONS.values()),
        "CC-15",
        "the rulebook played by; they differ in CC-15, CC-26, CC-31, CC-51 and CC-60",
        tuple((name, edition.told) for name, edition in EDITIONS.items()),
    ),
    Option(
        "variant",
        "plain",
        "plain (CC-62), neutral (CC-60), two-colour (CC-61); the last two for two players",
        "CC-62",
        "the variant for two players: without neutral walls, with them, or two colours each",
        (
            ("plain", N_("Each player has one colour, and all walls are those of players.")),
            (
                "neutral",
                N_("Walls of a neutral colour, which nobody plays, are placed too (CC-60)."),
            ),
            ("two-colour", N_("Each player has two colours (CC-61).")),
        ),
    ),
    Option(
        "pairs",
        PAIRS,
        "two pairs of colours; a player is named by one colour of his pair",
        "CC-61",
        "which colours go together in the variant two-colour",
        (("", ""), ("*", N_("The two colours of a player: {value} (CC-61)."))),
    ),
    Option(
        "events",
        "none",
        "none; one or two of A, B, C, D, such as A or A,C; drawn-1, drawn-2 (hu: none or two)",
        "CC-50",
        "events that pay at the end or show counters, chosen or drawn with the deal",
        (
            ("none", N_("There are no events.")),
            ("drawn-1", N_("One of the events A to D is drawn with the deal (CC-50 to CC-53).")),
            ("drawn-2", N_("Two of the events A to D are drawn with the deal (CC-50 to CC-53).")),
            ("*", N_("In play, of the events A to D (CC-50 to CC-53): {value}.")),
        ),
    ),
    Option(
        "boards",
        "drawn",
        "drawn, or one side of each board: two on the table from left to right, then the box in "
        "its order, such as 4b,3b,1a,2a",
        "CC-6",
        "which boards are used, and in which order they join",
        (
            ("drawn", N_("The boards, and the order in which they join, are drawn (CC-6).")),
            ("*", N_("The boards from left to right, then those that join: {value} (CC-6).")),
        ),
    ),
    Option(
        "sides",
        "",
        "boards as id:provinces:regions, such as 1a:3,4,4:5,3,3, apart by blanks; "
        "`pbem new --boards FILE` reads them from a file (docs/BOARDS.md)",
        "CC-31",
        "the boards of your own copy in place of the inferred ones",
        (
            ("", ""),
            ("*", N_("Provinces and regions are those of the referee's copy: {value} (CC-31).")),
        ),
    ),
    Option(
        "counters",
        "",
        "15 digits/15 digits, reputation and threat; `pbem new --boards FILE` reads them, too",
        "CC-3",
        "the counters of your own copy in place of the inferred ones",
        (
            ("", ""),
            ("*", N_("Reputation and threat counters of the referee's copy: {value} (CC-3).")),
        ),
    ),
    SEATS,
    MISSED,
)
#: settled only where they are given: they mean nothing otherwise
SELDOM = ("pairs", "sides", "counters")


def configure(seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> Config:
    """Check everything the referee chose; BadInput says what is wrong and what would be right."""
    check_seats("chang-cheng", seats, COLOURS, 2)
    check_names("chang-cheng", options, OPTIONS)
    chosen = {option.name: options.get(option.name, option.default).strip() for option in OPTIONS}
    chosen = {name: value if name == "events" else value.lower() for name, value in chosen.items()}
    check_value("edition", chosen["edition"], tuple(EDITIONS))
    check_value("seats", chosen["seats"], ("named", "drawn"))
    check_value("missed", chosen["missed"], ("wait", "default"))
    check_value("variant", chosen["variant"], VARIANTS)
    _check_variant(seats, chosen["variant"])
    chosen["pairs"] = _pairs(seats, chosen, given="pairs" in options)
    chosen["events"] = _events(chosen["events"], chosen["edition"])
    sides = box.sides_of(chosen["sides"])
    box.counters_of(chosen["counters"])
    if chosen["boards"] != "drawn":
        chosen["boards"] = ",".join(box.chosen(chosen["boards"], sides))
    box.check_choice(chosen["boards"], sides, len(seats))
    settled = ((name, value) for name, value in chosen.items() if value or name not in SELDOM)
    return Config(tuple(seats), tuple(settled), rulings or RULINGS[0])


def _check_variant(seats: Sequence[str], variant: str) -> None:
    if variant != "plain" and len(seats) != 2:
        raise BadInput(
            "option/variant",
            f"variant={variant} is for two players, not {len(seats)}",
            "leave it out, or name two players (CC-60, CC-61)",
        )


def _pairs(seats: Sequence[str], chosen: Mapping[str, str], *, given: bool) -> str:
    """The option ``pairs`` in one spelling; "" where it means nothing (CC-61)."""
    if chosen["variant"] != "two-colour":
        if given:
            text = f"pairs mean nothing in the variant {chosen['variant']}"
            raise BadInput("option/pairs", text, "leave them out, or add variant=two-colour")
        return ""
    pairs = [tuple(pair.split("+")) for pair in chosen["pairs"].replace(" ", "").split(",")]
    if [len(pair) for pair in pairs] != [2, 2] or sorted(sum(pairs, ())) != sorted(COLOURS):
        text = f"pairs={chosen['pairs'][:60]!r} is not two pairs of the four colours"
        raise BadInput("option/pairs", text, f"such as {PAIRS}")
    if any(set(seats) == set(pair) for pair in pairs):
        text = f"{seats[0]} and {seats[1]} are one player's colours"
        raise BadInput("option/pairs", text, f"the pairs are {chosen['pairs']}; --option pairs=…")
    return ",".join("+".join(pair) for pair in pairs)


def _events(text: str, edition: str) -> str:
    """The option ``events`` in one spelling: ``none``, letters in order, or ``drawn-N``."""
    word = text.lower()
    letters = [part.strip().upper() for part in text.split(",")]
    if word in ("none", "drawn-1", "drawn-2"):
        number = 0 if word == "none" else int(word[-1])
    elif set(letters) <= set(EVENTS) and len(set(letters)) == len(letters) <= 2:
        number, word = len(letters), ",".join(sorted(letters))
    else:
        allowed = next(option.allowed for option in OPTIONS if option.name == "events")
        raise BadInput(
            "option/value", f"events={text[:60]!r} is not possible", f"allowed: {allowed}"
        )
    if number not in EDITIONS[edition].events:
        raise BadInput(
            "option/events",
            f"the edition {edition} plays with {' or '.join(map(str, EDITIONS[edition].events))}"
            f" events, not {number}",
            "see CC-50",
        )
    return word
