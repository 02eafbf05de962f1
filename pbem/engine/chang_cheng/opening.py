"""Opens a game: its options, piles and first position. It also reads and writes scripts.

Not allowed here: which boards and counters are possible (box.py).
Source: CC-1 to CC-6, CC-11, CC-50, CC-60 to CC-62, R-2, R-3.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine import settings
from pbem.engine.chang_cheng import box
from pbem.engine.chang_cheng.editions import EDITIONS, RULINGS
from pbem.engine.chang_cheng.layout import (
    ALL_KINDS,
    COLOURS,
    EVENT_NAMES,
    KINDS,
    LETTERS,
    PILE_SIZE,
    Board,
    PlacedBoard,
    layout_of,
)
from pbem.engine.chang_cheng.legal import derive_question
from pbem.engine.chang_cheng.state import NO_QUESTION, UNKNOWN_PILE, Public, Rules, State
from pbem.engine.decision import ALL, Event, Step, event
from pbem.engine.row import N_
from pbem.errors import BadInput

VARIANTS = ("plain", "neutral", "two-colour")
PAIRS = "blue+green,red+violet"

OPTIONS = (
    settings.Option(
        "edition",
        "en",
        ", ".join(edition.title for edition in EDITIONS.values()),
        "CC-15",
        "the rulebook played by; they differ in CC-15, CC-26, CC-31, CC-51 and CC-60",
        tuple((name, edition.sentence) for name, edition in EDITIONS.items()),
    ),
    settings.Option(
        "variant",
        "plain",
        "plain (CC-62), neutral (CC-60), two-colour (CC-61); the last two for two players",
        "CC-62",
        "the variant for two players: without neutral walls, with them, or two colours each",
        (
            ("plain", N_("Each player has one colour, and all walls are those of players.")),
            ("neutral", N_("Walls of a neutral colour, which nobody plays, are placed too (CC-60).")),
            ("two-colour", N_("Each player has two colours (CC-61).")),
        ),
    ),
    settings.Option(
        "pairs",
        PAIRS,
        "two pairs of colours; name a player by one colour of their pair",
        "CC-61",
        "which colours go together in the variant two-colour",
        (("", ""), ("*", N_("The two colours of a player: {value} (CC-61)."))),
    ),
    settings.Option(
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
    settings.Option(
        "boards",
        "drawn",
        "drawn, or one side of each board: two on the table from left to right, then the supply in "
        "its order, such as 4b,3b,1a,2a",
        "CC-6",
        "which boards are used, and in which order they join",
        (
            ("drawn", N_("The boards, and the order in which they join, are drawn (CC-6).")),
            ("*", N_("The boards from left to right, then those that join: {value} (CC-6).")),
        ),
    ),
    settings.Option(
        "sides",
        "",
        "boards as id:provinces:regions, such as 1a:3,4,4:5,3,3, apart by blanks; "
        "`pbem new --boards FILE` reads them from a file (CC-2)",
        "CC-31",
        "the boards of your own copy in place of the inferred ones",
        (("", ""), ("*", N_("Provinces and regions are those of the referee's copy: {value} (CC-31)."))),
    ),
    settings.Option(
        "counters",
        "",
        "15 digits/15 digits, reputation and threat; `pbem new --boards FILE` reads them, too",
        "CC-3",
        "the counters of your own copy in place of the inferred ones",
        (("", ""), ("*", N_("Reputation and threat counters of the referee's copy: {value} (CC-3)."))),
    ),
    settings.SEATS,
)
#: options that a game has only if the referee gives them
OPTIONAL = ("pairs", "sides", "counters")


def configure(seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> settings.Config:
    settings.check_seats("chang-cheng", seats, COLOURS, 2)
    settings.check_option_names("chang-cheng", options, OPTIONS)
    choices = {option.name: options.get(option.name, option.default).strip() for option in OPTIONS}
    choices = {name: value if name == "events" else value.lower() for name, value in choices.items()}  # A, not a
    settings.check_option_value("edition", choices["edition"], tuple(EDITIONS))
    settings.check_option_value("seats", choices["seats"], ("named", "drawn"))
    settings.check_option_value("variant", choices["variant"], VARIANTS)
    if choices["variant"] != "plain" and len(seats) != 2:
        text = f"variant={choices['variant']} is for two players, not {len(seats)}"
        hint = "leave it out, or name two players (CC-60, CC-61)"
        raise BadInput("option/variant", text, hint)
    choices["pairs"] = _parse_pairs(seats, choices, is_set="pairs" in options)
    choices["events"] = _parse_events(choices["events"], choices["edition"])
    sides = box.parse_sides(choices["sides"])
    box.parse_counters(choices["counters"])
    if choices["boards"] != "drawn":
        choices["boards"] = ",".join(box.parse_boards(choices["boards"], sides))
    box.check_boards(choices["boards"], sides, len(seats))
    settled_choices = ((name, value) for name, value in choices.items() if value or name not in OPTIONAL)
    return settings.Config(tuple(seats), tuple(settled_choices), rulings or RULINGS[0])


def _parse_pairs(seats: Sequence[str], choices: Mapping[str, str], *, is_set: bool) -> str:
    """Return the option ``pairs`` without blanks; "" in a variant without pairs. Raise BadInput if it is wrong."""
    if choices["variant"] != "two-colour":
        if is_set:
            text = f"pairs mean nothing in the variant {choices['variant']}"
            raise BadInput("option/pairs", text, "leave them out, or add variant=two-colour")
        return ""
    pairs = [tuple(pair.split("+")) for pair in choices["pairs"].replace(" ", "").split(",")]
    if [len(pair) for pair in pairs] != [2, 2] or sorted(sum(pairs, ())) != sorted(COLOURS):
        text = f"pairs={choices['pairs'][:60]!r} is not two pairs of the four colours"
        raise BadInput("option/pairs", text, f"such as {PAIRS}")
    if any(set(seats) == set(pair) for pair in pairs):
        text = f"{seats[0]} and {seats[1]} are one player's colours"
        raise BadInput("option/pairs", text, f"the pairs are {choices['pairs']}; --option pairs=…")
    return ",".join("+".join(pair) for pair in pairs)


def _parse_events(text: str, edition: str) -> str:
    """Read the option ``events``. Return ``none``, letters such as ``A,C``, or ``drawn-1``; else raise BadInput."""
    word = text.lower()
    letters = [part.strip().upper() for part in text.split(",")]
    if word in ("none", "drawn-1", "drawn-2"):
        number = 0 if word == "none" else int(word[-1])
    elif set(letters) <= set(EVENT_NAMES) and len(set(letters)) == len(letters) <= 2:
        number, word = len(letters), ",".join(sorted(letters))
    else:
        allowed = next(option.allowed for option in OPTIONS if option.name == "events")
        hint = f"allowed: {allowed}"
        raise BadInput("option/value", f"events={text[:60]!r} is not possible", hint)
    allowed_counts = EDITIONS[edition].event_counts
    if number not in allowed_counts:
        text = f"the edition {edition} plays with {' or '.join(map(str, allowed_counts))} events, not {number}"
        raise BadInput("option/events", text, "see CC-50")
    return word


@settings.reading_script()
def from_script(document: Mapping[str, Any]) -> settings.Script:
    players = [(str(p["name"]), [str(c) for c in p["colours"]]) for p in document["players"]]
    script_options = document.get("options", {})
    options = {key: str(value) for key, value in script_options.items() if key != "events"}
    events = ",".join(str(letter) for letter in script_options.get("events", ()))
    orders = tuple((str(o["player"]), str(o["order"])) for o in document["orders"])
    boards = [_parse_board(board) for board in (*document["boards"], *document["box"])]
    piles = {name: _parse_pile(document[name], name) for name in ("reputation", "threat")}
    if len(document["boards"]) != box.STARTING_BOARDS:
        text = f"{len(document['boards'])} boards at the start, not 2"
        raise BadInput("script/boards", text, "see CC-2")
    is_two_colour = options.get("variant") == "two-colour"
    colour_count = 2 if is_two_colour else 1
    seats = [_seat_of_player(name, colours, colour_count) for name, colours in players]
    if is_two_colour:
        options["pairs"] = ",".join("+".join(colours) for _, colours in players)
    config = configure(seats, options | {"events": events or "none"})
    names = dict(zip(seats, [name for name, _ in players], strict=True))
    deal = {"layout": tuple(boards), **piles}
    return settings.Script(config, deal, names, orders)


def _seat_of_player(name: str, colours: Sequence[str], colour_count: int) -> str:
    """Return the seat of a player: their first colour (CC-61). Raise BadInput for wrong or too many colours."""
    if len(colours) != colour_count or not set(colours) <= set(COLOURS):
        needs = "one colour" if colour_count == 1 else "two colours"
        text = f"{name!r} needs {needs} of {', '.join(COLOURS)}"
        raise BadInput("script/players", text, "see FORMAT.md (Scripts)")
    return colours[0]


def _parse_board(sizes: Mapping[str, Any]) -> str:
    """Return a script's board as one word (``box.format_board``); raise BadInput if it is impossible."""
    rows = (tuple(int(size) for size in sizes[name]) for name in ("provinces", "regions"))
    board = Board(str(sizes["id"]), *rows)
    fault = box.find_board_fault(board)
    if fault:
        raise BadInput("script/boards", fault, "see FORMAT.md (Scripts)")
    return box.format_board(board)


def _parse_pile(values: Sequence[Any], name: str) -> tuple[str, ...]:
    """Return a script's pile of counters as texts; raise BadInput if its size or a number is wrong."""
    numbers = [int(value) for value in values]
    if len(numbers) != PILE_SIZE or any(not 0 <= number <= 9 for number in numbers):
        text = f"{name} is not {PILE_SIZE} numbers from 0 to 9"
        raise BadInput("script/counters", text, "see CC-3")
    return tuple(str(number) for number in numbers)


def to_script(config: settings.Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    boards = box.boards_of(config, deal)

    def board_document(board: Board) -> dict[str, Any]:
        return {"id": board.id, "provinces": list(board.provinces), "regions": list(board.regions)}

    events = box.events_of(config, deal)
    return {
        "game": "chang-cheng",
        "players": [
            {"name": seat, "colours": list(box.colours_of_seat(config, seat))}
            for seat in deal.get("seats", config.seats)
        ],
        "options": {"edition": config.option("edition"), "variant": config.option("variant"), "events": list(events)},
        "boards": [board_document(board) for board in boards[: box.STARTING_BOARDS]],
        "box": [board_document(board) for board in boards[box.STARTING_BOARDS :]],
        "reputation": [int(value) for value in deal["reputation"]],
        "threat": [int(value) for value in deal["threat"]],
        "orders": [],
    }


def piles(config: settings.Config) -> tuple[settings.Pile, ...]:
    """Return the piles to draw from. Boards, events and seats are among them only if the options say so."""
    drawn_piles = list(box.box_piles(config))
    if config.option("events").startswith("drawn-"):
        drawn_piles.append(settings.Pile("events", tuple(EVENT_NAMES)))
    if config.option("seats") == "drawn":
        drawn_piles.append(settings.Pile("seats", config.seats))
    return tuple(drawn_piles)


def setup(config: settings.Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
    """Return the first State, two boards with their counters (CC-2, CC-3), and the events of the deal."""
    boards = box.boards_of(config, deal)
    seats = tuple(deal.get("seats", config.seats))
    box.check_counters(boards, len(seats))
    rules = box.rules_of(config, seats, box.events_of(config, deal), link)
    reputation, threat = (tuple(map(int, deal[pile])) for pile in ("reputation", "threat"))
    public = _first_position(rules, boards, reputation)
    log: list[Event] = []
    if config.option("seats") == "drawn":
        log.append(event("seated", "R-3", {"seats": ",".join(seats)}))
    log.append(_deal_event(public))
    rule_by_event = {"A": "CC-50", "B": "CC-51", "C": "CC-52", "D": "CC-53"}
    log += [event("in-play", rule_by_event[letter], {"event": letter}) for letter in rules.events]
    hands = tuple(ALL_KINDS if hand_size else 0 for hand_size in public.hand_sizes)
    return Step(State(public, (), threat, reputation, hands), tuple(log))


def _deal_event(public: Public) -> Event:
    """Return the event of the deal: the boards, and the reputation counters, which are face up."""
    slots = ((ALL, public.rules.slot("reputation", i)) for i in range(len(public.reputation)))
    facts = {
        "boards": ",".join(placed.board.id for placed in public.layout.placed),
        "box": ",".join(board.id for board in public.box) or "-",
        "counters": ",".join(str(value) for value in public.reputation),
    }
    return event("dealt", "CC-3", facts, opens=tuple(slots))


def _first_position(rules: Rules, boards: tuple[Board, ...], reputation: tuple[int, ...]) -> Public:
    layout = layout_of(tuple(map(PlacedBoard, LETTERS, boards[: box.STARTING_BOARDS])))
    no_squares = (0,) * len(rules.colours)
    public = Public(
        rules=rules,
        layout=layout,
        box=boards[box.STARTING_BOARDS :],
        single=no_squares,
        double=no_squares,
        tower=no_squares,
        broken=0,
        reserve=no_squares,
        keepers=(),
        occupied=0,
        scores=no_squares,
        hand_sizes=tuple(len(KINDS) if seat >= 0 else 0 for seat in rules.seat_of),
        kinds_out=no_squares,
        cards=(),
        reputation=reputation[: len(layout.provinces)],
        threat_places=tuple(range(len(layout.regions))),
        face_up_threats=UNKNOWN_PILE,
        looked=(0,) * len(rules.seats),
        scored_provinces=0,
        emperors=0,
        seat=0,
        colour=rules.colours_by_seat[0][0],
        turns=1,
        stage="colour" if len(rules.colours_by_seat[0]) > 1 else "action",
        first_step="",
        first_province=-1,
        neutral_zone=None,  # CC-60: not in the first turn
        scoring=None,
        queue=(),
        skips=0,
        ended_by="",
        asked=NO_QUESTION,
    )
    return public.but(asked=derive_question(public))
