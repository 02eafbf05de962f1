"""Every check of what the referee chose when he opens a game.

What lives here: ``configure``. The options are listed in options.py.
Source: CC-1, CC-6, CC-50, CC-60 to CC-62, R-2, R-3.
"""

from collections.abc import Mapping, Sequence

from pbem.engine.chang_cheng import box
from pbem.engine.chang_cheng.editions import EDITIONS, RULINGS
from pbem.engine.chang_cheng.options import OPTIONS, PAIRS, SELDOM, VARIANTS
from pbem.engine.chang_cheng.parts import COLOURS, EVENTS
from pbem.engine.settings import Config
from pbem.errors import BadInput


def configure(seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> Config:
    """Check everything the referee chose; BadInput says what is wrong and what would be right."""
    _check_seats(seats)
    _check_names(options)
    chosen = {option.name: options.get(option.name, option.default).strip() for option in OPTIONS}
    chosen = {name: value if name == "events" else value.lower() for name, value in chosen.items()}
    _one_of("edition", chosen["edition"], tuple(EDITIONS))
    _one_of("seats", chosen["seats"], ("named", "drawn"))
    _one_of("missed", chosen["missed"], ("wait", "default"))
    _one_of("variant", chosen["variant"], VARIANTS)
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


def _check_seats(seats: Sequence[str]) -> None:
    if not 2 <= len(seats) <= 4:
        raise BadInput(
            "players/number",
            f"chang-cheng is for 2 to 4 players, not {len(seats)}",
            "see `pbem games`",
        )
    for seat in seats:
        if seat not in COLOURS:
            raise BadInput(
                "players/seat", f"there is no seat {seat!r}", f"seats are: {', '.join(COLOURS)}"
            )
    if len(set(seats)) != len(seats):
        raise BadInput(
            "players/twice", "two players have the same colour", "give each a colour of his own"
        )


def _check_names(options: Mapping[str, str]) -> None:
    known = [option.name for option in OPTIONS]
    for name in options:
        if name not in known:
            raise BadInput(
                "option/unknown",
                f"chang-cheng has no option {name!r}",
                f"it has: {', '.join(known)}",
            )


def _one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise BadInput(
            "option/value",
            f"{name}={value[:60]!r} is not possible",
            f"allowed: {', '.join(allowed)}",
        )


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
