"""Opening a market: seats, options, the goods, the first position. Source: NM-1 to NM-3."""

from collections.abc import Mapping, Sequence

from night_market.selling import turn_up
from night_market.state import Public, State
from pbem.engine.decision import Step
from pbem.engine.settings import Config, Option, Pile
from pbem.errors import BadInput

RULINGS = ("1",)  # newest first: what a running game can be played by
SEATS = ("amber", "jade", "pearl", "rose")
UNSEEN = 2  # goods that stay in the pile, NM-2
LOTS = tuple(str(number) for number in range(3, 10))

OPTIONS = (
    Option(
        "lots", "6", ", ".join(LOTS), "NM-1", "how many goods are sold; as many tokens a player"
    ),
    Option(
        "missed", "wait", "wait, default", "R-2", "whether a missed turn may be played by default"
    ),
)


def configure(seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> Config:
    """Check what the referee chose; BadInput says what is wrong and what would be right."""
    _check_seats(seats)
    known = {option.name: option for option in OPTIONS}
    for name in options:
        if name not in known:
            has = f"it has: {', '.join(known)}"
            raise BadInput("option/unknown", f"night-market has no option {name!r}", has)
    chosen = []
    for name, option in known.items():
        value = options.get(name, option.default).strip().lower()
        if value not in option.allowed.split(", "):
            allowed = f"allowed: {option.allowed}"
            raise BadInput("option/value", f"{name}={value!r} is not possible", allowed)
        chosen.append((name, value))
    return Config(tuple(seats), tuple(chosen), rulings or RULINGS[0])


def _check_seats(seats: Sequence[str]) -> None:
    """NM-1."""
    if not 2 <= len(seats) <= len(SEATS):
        text = f"night-market is for 2 to 4 players, not {len(seats)}"
        raise BadInput("players/number", text, "see `pbem games`")
    for seat in seats:
        if seat not in SEATS:
            are = f"seats are: {', '.join(SEATS)}"
            raise BadInput("players/seat", f"there is no seat {seat!r}", are)
    if len(set(seats)) != len(seats):
        text = "two players have the same seat"
        raise BadInput("players/twice", text, "give each a seat of his own")


def worths(lots: int) -> tuple[str, ...]:
    """What the goods are worth, from 1: two more than are sold (NM-2)."""
    return tuple(str(worth) for worth in range(1, lots + UNSEEN + 1))


def piles(config: Config) -> tuple[Pile, ...]:
    """What is shuffled at the deal."""
    return (Pile("goods", worths(int(config.option("lots")))),)


def setup(config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
    """All tokens in hand, the first of the goods turned up."""
    lots = int(config.option("lots"))
    seats = config.seats
    tokens = tuple(range(1, lots + 1))
    public = Public(seats, lots, link, (), (), (tokens,) * len(seats), ("",) * len(seats))
    state = State(public, tuple(int(worth) for worth in deal["goods"]), (None,) * len(seats))
    return turn_up(state, ())
