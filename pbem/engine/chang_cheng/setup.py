"""Opening a game: seats, options, boards, piles, the first position.

Source: CC-1 to CC-6, CC-30, CC-62.
"""

from collections.abc import Mapping, Sequence

from pbem.engine.chang_cheng.asked import NOBODY
from pbem.engine.chang_cheng.asking import now_asked
from pbem.engine.chang_cheng.layout import LETTERS, Placed, layout_of
from pbem.engine.chang_cheng.parts import (
    ALL_KINDS,
    COLOURS,
    KINDS,
    PILE,
    REPUTATION,
    SIDES,
    THREAT,
    Board,
)
from pbem.engine.chang_cheng.state import UNKNOWN, Public, Rules, State
from pbem.engine.decision import Step
from pbem.engine.event import ALL, Event, event
from pbem.engine.settings import Config, Option, Pile
from pbem.errors import BadInput

START = 2  # boards at the start, CC-2
NUMBERS = ("1", "2", "3", "4")

OPTIONS = (
    Option("edition", "en", "en", "CC-15", "the rulebook played by"),
    Option("variant", "plain", "plain", "CC-62", "the variant for two players"),
    Option(
        "boards",
        "drawn",
        "drawn, or four sides: two on the table from left to right, then the box in its order, "
        "such as 4b,3b,1a,2a",
        "CC-6",
        "which boards are used, and in which order they join",
    ),
    Option(
        "seats", "named", "named, drawn", "R-3", "turn order as the players are named, or drawn"
    ),
    Option(
        "missed", "wait", "wait, default", "R-2", "whether a missed turn may be played by default"
    ),
)


def configure(seats: Sequence[str], options: Mapping[str, str]) -> Config:
    """Check everything the referee chose; BadInput says what is wrong and what would be right."""
    _check_seats(seats)
    known = {option.name: option for option in OPTIONS}
    for name in options:
        if name not in known:
            raise BadInput(
                "option/unknown",
                f"chang-cheng has no option {name!r}",
                f"it has: {', '.join(known)}",
            )
    chosen = {
        name: options.get(name, option.default).strip().lower() for name, option in known.items()
    }
    for name in ("edition", "variant", "seats", "missed"):
        allowed = known[name].allowed.split(", ")
        if chosen[name] not in allowed:
            raise BadInput(
                "option/value",
                f"{name}={chosen[name]!r} is not possible",
                f"allowed: {known[name].allowed}",
            )
    if chosen["boards"] != "drawn":
        chosen["boards"] = ",".join(_chosen_sides(chosen["boards"]))
    return Config(tuple(seats), tuple(chosen.items()))


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


def _chosen_sides(text: str) -> tuple[str, ...]:
    ids = tuple(part.strip() for part in text.replace(" ", ",").split(",") if part.strip())
    sides = ", ".join(SIDES)
    for one in ids:
        if one not in SIDES:
            raise BadInput(
                "option/boards", f"there is no board side {one!r}", f"sides are: {sides}"
            )
    if len(ids) != len(NUMBERS) or len({one[0] for one in ids}) != len(NUMBERS):
        raise BadInput(
            "option/boards",
            f"boards={text!r} does not name each of the four boards once",
            f"one side of each: {sides}",
        )
    return ids


def piles(config: Config) -> tuple[Pile, ...]:
    """What is drawn: counters always; boards with a side each, and seats, if so chosen."""
    found = [Pile("reputation", REPUTATION), Pile("threat", THREAT)]
    if config.option("boards") == "drawn":
        found.append(Pile("boards", NUMBERS))
        found += [Pile(f"side/{number}", (f"{number}a", f"{number}b")) for number in NUMBERS]
    if config.option("seats") == "drawn":
        found.append(Pile("seats", config.seats))
    return tuple(found)


def setup(config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
    """The first position: two boards with their counters (CC-2, CC-3); the first seat is asked."""
    boards = boards_of(config, deal)
    seats = tuple(deal.get("seats", config.seats))
    check_counters(boards, len(seats))
    log: list[Event] = []
    rules = Rules(seats, seats, tuple(range(len(seats))), boards_allowed(len(seats)), link)
    public = _start(rules, boards, tuple(int(value) for value in deal["reputation"]))
    if config.option("seats") == "drawn":
        log.append(event("seated", "R-3", {"seats": ",".join(seats)}))
    slots = tuple((ALL, rules.slot("reputation", i)) for i in range(len(public.reputation)))
    facts = {
        "boards": ",".join(placed.board.id for placed in public.layout.placed),
        "box": ",".join(board.id for board in public.box) or "-",
        "counters": ",".join(str(value) for value in public.reputation),
    }
    log.append(event("dealt", "CC-3", facts, opens=slots))
    state = State(
        public,
        (),
        tuple(int(value) for value in deal["threat"]),
        tuple(int(value) for value in deal["reputation"]),
        (ALL_KINDS,) * len(rules.colours),
    )
    return Step(state, tuple(log))


def check_counters(boards: Sequence[Board], seats: int) -> None:
    """Refuse boards that could want more counters of a kind than there are (CC-31)."""
    joined = boards[: boards_allowed(seats)]
    for what in ("provinces", "regions"):
        number = sum(len(getattr(board, what)) for board in joined)
        if number > PILE:
            text = f"these boards have {number} {what}, but there are {PILE} counters for them"
            raise BadInput("boards/counters", text, "take boards with fewer of them (CC-31)")


def boards_allowed(seats: int) -> int:
    """How many boards may lie on the table in the end (CC-30)."""
    return START + (2 if seats == 4 else 1)


def boards_of(config: Config, deal: Mapping[str, Sequence[str]]) -> tuple[Board, ...]:
    """The boards in the order in which they join; a script's deal brings them whole."""
    if "layout" in deal:
        return tuple(board_from(text) for text in deal["layout"])
    if config.option("boards") != "drawn":
        return tuple(SIDES[one] for one in config.option("boards").split(","))
    return tuple(SIDES[deal[f"side/{number}"][0]] for number in deal["boards"])


def board_text(board: Board) -> str:
    """A board as one word: ``4b:3,4,4:4,3,4`` (id, provinces, regions)."""
    rows = (",".join(str(size) for size in row) for row in (board.provinces, board.regions))
    return ":".join((board.id, *rows))


def board_from(text: str) -> Board:
    """Read ``board_text`` back; ValueError if it is none."""
    name, provinces, regions = text.split(":")
    board = Board(
        name, *(tuple(int(size) for size in row.split(",")) for row in (provinces, regions))
    )
    if sum(board.provinces) != sum(board.regions) or min(*board.provinces, *board.regions) < 1:
        raise ValueError(text)
    return board


def _start(rules: Rules, boards: tuple[Board, ...], reputation: tuple[int, ...]) -> Public:
    layout = layout_of(tuple(Placed(LETTERS[i], board) for i, board in enumerate(boards[:START])))
    none = (0,) * len(rules.colours)
    public = Public(
        rules=rules,
        layout=layout,
        box=boards[START:],
        single=none,
        double=none,
        tower=none,
        broken=0,
        reserve=none,
        taken=0,
        scores=none,
        held=(len(KINDS),) * len(rules.colours),
        out=none,
        cards=(),
        reputation=reputation[: len(layout.provinces)],
        threat=tuple(range(len(layout.regions))),
        turned=UNKNOWN,
        looked=(0,) * len(rules.seats),
        scored=0,
        emperors=0,
        seat=0,
        colour=rules.seat_of.index(0),
        turns=1,
        stage="action",
        first="",
        where=-1,
        scoring=None,
        queue=(),
        skips=0,
        ended_by="",
        asked=NOBODY,
    )
    table = public.draft()
    table.asked = now_asked(public)
    return table.frozen()
