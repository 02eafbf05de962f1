"""Opens a market: seats, options, the goods, the first position. Source: NM-1 to NM-3."""

from collections.abc import Mapping, Sequence

from night_market.selling import turn_up
from night_market.state import Public, State
from pbem.engine.decision import Step
from pbem.engine.row import N_
from pbem.engine.settings import Config, Option, Pile, check_seats, chosen

RULINGS = ("1",)  # versions of the rules, newest first
SEATS = ("amber", "jade", "pearl", "rose")
UNSEEN = 2  # goods that are never turned up, NM-2
LOTS = tuple(str(number) for number in range(3, 10))

OPTIONS = (
    Option(
        "lots",
        "6",
        ", ".join(LOTS),
        "NM-1",
        "how many goods are sold; as many tokens a player",
        (("*", N_("{value} goods are sold, and each player has as many tokens (NM-1).")),),
    ),
)


def configure(seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> Config:
    """Check the referee's choices (NM-1); BadInput says what is wrong and what is allowed."""
    check_seats("night-market", seats, SEATS, 2)
    settled = chosen("night-market", options, OPTIONS)
    return Config(tuple(seats), tuple(settled.items()), rulings or RULINGS[0])


def worths(lots: int) -> tuple[str, ...]:
    """The worth of each of the goods, from 1; there are two more than lots (NM-2)."""
    return tuple(str(worth) for worth in range(1, lots + UNSEEN + 1))


def piles(config: Config) -> tuple[Pile, ...]:
    """The pile to shuffle at the deal."""
    return (Pile("goods", worths(int(config.option("lots")))),)


def setup(config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
    """The first position: all tokens in hand, the first of the goods turned up."""
    lots = int(config.option("lots"))
    seats = config.seats
    tokens = tuple(range(1, lots + 1))
    public = Public(seats, lots, link, (), (), (tokens,) * len(seats), ("",) * len(seats))
    state = State(public, tuple(int(worth) for worth in deal["goods"]), (None,) * len(seats))
    return turn_up(state, ())
