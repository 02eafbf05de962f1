"""What is in the box, and what one game takes out of it: boards, counters, colours, events.

What lives here: reading the options ``sides``, ``boards`` and ``counters``, and refusing what does
not do; ``rules_of``, which makes the switches that rules read, of the settled options and of what
was drawn; ``misfit``, what cannot have come out of the box. A board of the referee's own
comes in as plain text, one word: see ``board_text``.
Source: CC-1, CC-3, CC-6, CC-30, CC-31, CC-60, CC-61, R-3; docs/BOARDS.md.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.engine.chang_cheng.editions import edition_of
from pbem.engine.chang_cheng.layout import (
    KINDS,
    LETTERS,
    NEUTRAL,
    NEUTRALS,
    PILE,
    REPUTATION,
    SIDES,
    SINGLES,
    THREAT,
    Board,
    members,
)
from pbem.engine.chang_cheng.state import Public, Rules, State
from pbem.engine.settings import Config, Pile
from pbem.errors import BadInput

START = 2  # boards at the start, CC-2
MOST_PARTS, MOST_SQUARES = 40, 99  # of one board: names have two digits at most
#: what a board may be called: its name stands in rows and in reports
BOARD_ID = re.compile("[A-Za-z0-9_-]{1,20}")
COUNTERS = re.compile(f"[0-9]{{{PILE}}}/[0-9]{{{PILE}}}")


def boards_allowed(seats: int) -> int:
    """How many boards may lie on the table in the end (CC-30)."""
    return START + (2 if seats == 4 else 1)


def board_text(board: Board) -> str:
    """A board as one word: ``4b:3,4,4:4,3,4`` (id, provinces, regions)."""
    rows = (",".join(str(size) for size in row) for row in (board.provinces, board.regions))
    return ":".join((board.id, *rows))


@lru_cache(maxsize=256)  # every state of a game has the same ones
def board_from(text: str) -> Board:
    """Read ``board_text`` back; ValueError, which says why, if it is none or no board."""
    parts = text.split(":")
    if len(parts) != 3 or not all(re.fullmatch("[0-9]{1,2}(,[0-9]{1,2})*", p) for p in parts[1:]):
        raise ValueError(f"{text[:60]!r} is not a board such as 4b:3,4,4:4,3,4")
    provinces, regions = (tuple(int(size) for size in row.split(",")) for row in parts[1:])
    board = Board(parts[0], provinces, regions)
    why = why_not(board)
    if why:
        raise ValueError(why)
    return board


def why_not(board: Board) -> str:
    """What is wrong with a board, in words; "" if nothing is."""
    name, provinces, regions = board
    if not BOARD_ID.fullmatch(name):
        return f"{name[:40]!r} cannot be the id of a board: 1 to 20 of A to Z, digits, _ and -"
    if not provinces or not regions or min(*provinces, *regions) < 1:
        return f"board {name!r}: each province and region has at least one square"
    if sum(provinces) != sum(regions):
        sums = f"{sum(provinces)} squares, its regions {sum(regions)}"
        return f"board {name!r}: its provinces have {sums}"
    if len(provinces) + len(regions) > MOST_PARTS or sum(provinces) > MOST_SQUARES:
        return f"board {name!r} is too big: {MOST_SQUARES} squares at most, {MOST_PARTS} parts"
    return ""


def sides_of(text: str) -> dict[str, Board]:
    """The option ``sides``: boards by id, "" for the standard set; BadInput where it is none."""
    if not text:
        return SIDES
    try:
        boards = [board_from(word) for word in text.split()]
    except ValueError as error:
        raise BadInput("boards/shape", str(error), "see docs/BOARDS.md") from error
    found: dict[str, Board] = {}
    for board in boards:
        if board.id in found:
            text = f"two sides are called {board.id!r}"
            raise BadInput("boards/twice", text, "give each its own id")
        found[board.id] = board
    return found


def by_board(sides: Mapping[str, Board]) -> dict[str, tuple[str, ...]]:
    """The sides of each board: ``4a`` and ``4b`` are board ``4``, any other id is a board alone."""
    found: dict[str, tuple[str, ...]] = {}
    for name in sides:
        board = name[:-1] if len(name) > 1 and name[-1] in "ab" else name
        found[board] = (*found.get(board, ()), name)
    return found


def chosen(text: str, sides: Mapping[str, Board]) -> tuple[str, ...]:
    """The option ``boards`` where the referee names them: one side of every board."""
    ids = tuple(part.strip() for part in text.replace(" ", ",").split(",") if part.strip())
    known = ", ".join(sides)
    for board in ids:
        if board not in sides:
            text = f"there is no board side {board!r}"
            raise BadInput("option/boards", text, f"sides are: {known}")
    whose = {name: board for board, names in by_board(sides).items() for name in names}
    if sorted(whose[board] for board in ids) != sorted(set(whose.values())):
        text = f"boards={text!r} does not name each of the {len(set(whose.values()))} boards once"
        raise BadInput("option/boards", text, f"one side of each: {known}")
    return ids


def check_choice(boards: str, sides: Mapping[str, Board], seats: int) -> None:
    """Refuse a set of boards that is too small, or that could want too many counters (CC-31)."""
    allowed, sets = boards_allowed(seats), by_board(sides)
    if len(sets) < allowed:
        text = f"{len(sets)} boards are too few: {seats} players may come to {allowed}"
        raise BadInput("boards/few", text, "give more boards (CC-30)")
    if boards != "drawn":
        check_counters([sides[board] for board in boards.split(",")], seats)
        return
    for what in ("provinces", "regions"):  # drawn: the worst that could come
        most = [max(len(getattr(sides[board], what)) for board in names) for names in sets.values()]
        _enough(sum(sorted(most)[-allowed:]), what)


def check_counters(boards: Sequence[Board], seats: int) -> None:
    """Refuse boards that could want more counters of a kind than there are (CC-31)."""
    joined = boards[: boards_allowed(seats)]
    for what in ("provinces", "regions"):
        _enough(sum(len(getattr(board, what)) for board in joined), what)


def _enough(number: int, what: str) -> None:
    if number > PILE:
        text = f"these boards can have {number} {what}, but there are {PILE} counters for them"
        raise BadInput("boards/counters", text, "take boards with fewer of them (CC-31)")


def counters_of(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The option ``counters``, ``15 digits/15 digits``: reputation and threat, "" for standard."""
    if not text:
        return REPUTATION, THREAT
    if not COUNTERS.fullmatch(text):
        text = f"counters={text[:60]!r} is not {PILE} digits, a slash and {PILE} digits"
        raise BadInput(
            "option/counters", text, "give reputation/threat, one digit for each counter (CC-3)"
        )
    reputation, threat = text.split("/")
    return tuple(reputation), tuple(threat)


def box_piles(config: Config) -> tuple[Pile, ...]:
    """What of the box is drawn: counters always, boards with a side each if so chosen."""
    reputation, threat = counters_of(config.option("counters"))
    found = [Pile("reputation", reputation), Pile("threat", threat)]
    if config.option("boards") == "drawn":
        sets = by_board(sides_of(config.option("sides")))
        found.append(Pile("boards", tuple(sets)))
        found += [Pile(f"side/{board}", names) for board, names in sets.items()]
    return tuple(found)


def boards_of(config: Config, deal: Mapping[str, Sequence[str]]) -> tuple[Board, ...]:
    """The boards in the order in which they join; a script's deal brings them whole."""
    if "layout" in deal:
        return tuple(board_from(text) for text in deal["layout"])
    sides = sides_of(config.option("sides"))
    if config.option("boards") != "drawn":
        return tuple(sides[board] for board in config.option("boards").split(","))
    return tuple(sides[deal[f"side/{board}"][0]] for board in deal["boards"])


def slot_words(public: Mapping[str, Any], slot: str) -> str:
    """``the threat counter of AM1``, ``red's card in AP2``; by the position's own rows."""
    maker, _, rest = slot.partition("/")
    kind, _, place = rest.rpartition("/")
    number = int(place) if re.fullmatch("[0-9]{1,4}", place) else 0
    key = {"threat": "regions", "reputation": "provinces", "card": "cards"}.get(kind, "")
    rows = [str(row).split(" ") for row in public.get(key, ())]
    if kind == "threat":
        found = (f"the threat counter of {row[0]}" for row in rows if row[-1] == str(number))
        return next(found, f"threat counter {number + 1} of the pile")
    if kind == "reputation":
        of_pile = f"reputation counter {number + 1} of the pile"
        return f"the counter of {rows[number][0]}" if number < len(rows) else of_pile
    if kind == "card":
        found = (f"{row[1]}'s card in {row[-1]}" for row in rows if row[0] == slot)
        return next(found, f"a card laid in state {maker}")
    return ""


def piles_now(state: State) -> dict[str, tuple[str, ...]]:
    """What both piles hold, hidden or turned up; the boards, on the table and in the box; each
    colour's cards, in hand, lying or out.

    Secrecy: the moderator's alone.
    """
    public = state.public
    boards = (*(placed.board for placed in public.layout.placed), *public.box)
    found = {
        "threat": tuple(map(str, state.threat)),
        "reputation": tuple(map(str, state.reputation)),
        "box of boards": tuple(map(board_text, boards)),
    }
    for colour, name in enumerate(public.rules.colours):
        lying = [
            KINDS[kind or 0]
            for card, kind in zip(public.cards, state.kinds, strict=True)
            if card.colour == colour
        ]
        hand = state.hands[colour] or 0
        cards = [*lying, *(KINDS[kind] for kind in members(hand | public.out[colour]))]
        wrong = abs(hand.bit_count() - public.held[colour])  # a card that lies twice, say
        found[f"{name}'s cards"] = (*cards, *["?"] * wrong)
    return found


@lru_cache(maxsize=64)
def rules_of(config: Config, seats: tuple[str, ...], events: str, dealt: int) -> Rules:
    """The Rules of a game with its seats in turn order, and its events as drawn."""
    own = [own_colours(config, seat) for seat in seats]
    owner = [seat for seat, colours in zip(seats, own, strict=True) for _ in colours]
    colours = [colour for some in own for colour in some]
    walls = [SINGLES] * len(colours)
    neutral = -1
    if config.option("variant") == NEUTRAL:
        neutral = len(colours)
        colours, owner, walls = [*colours, NEUTRAL], [*owner, ""], [*walls, NEUTRALS]
    seat_of = tuple(seats.index(name) if name else -1 for name in owner)
    reputation, threat = counters_of(config.option("counters"))
    return Rules(
        seats=seats,
        colours=tuple(colours),
        seat_of=seat_of,
        owner=tuple(owner),
        own=tuple(tuple(c for c, s in enumerate(seat_of) if s == i) for i in range(len(seats))),
        blank=(None,) * len(colours),
        walls=tuple(walls),
        neutral=neutral,
        boards=boards_allowed(len(seats)),
        dealt=dealt,
        edition=edition_of(config.option("edition"), config.rulings),
        events=events,
        reputation=reputation,
        threat=threat,
    )


def own_colours(config: Config, seat: str) -> tuple[str, ...]:
    """The colours of a seat, the one it is named by first (CC-61)."""
    for pair in config.option("pairs").split(","):
        names = pair.split("+")
        if seat in names:
            return (seat, *(name for name in names if name != seat))
    return (seat,)


def events_of(config: Config, deal: Mapping[str, Sequence[str]]) -> str:
    """The letters of the events in play, chosen or drawn."""
    text = config.option("events")
    if text.startswith("drawn-"):
        return "".join(sorted(deal["events"][: int(text[-1])]))
    return "" if text in ("", "none") else text.replace(",", "")


def misfit(state: State) -> str:
    """What on the table cannot have come out of the box, in words; "" if all can."""
    public = state.public
    letters = sorted(placed.letter for placed in public.layout.placed)
    if letters != list(LETTERS[: len(letters)]):  # a board gets the next letter when it joins
        return f"the boards would be lettered {', '.join(letters)}"
    return _pieces(public) or _regions(public) or _looked(public)


def remember(state: State, now: State) -> State:
    """Threat counters that a seat, or everybody, has seen by ``now`` and that lie there already."""
    then, later = state.public, now.public
    down = [place for place in range(len(then.layout.regions)) if then.turned[place] is None]
    up = sum(1 << place for place in down if later.turned[place] is not None)
    there = sum(1 << place for place in down)
    looked = zip(then.looked, later.looked, strict=True)
    seen = tuple(old | new & there | up for old, new in looked)
    return state._replace(public=then.but(looked=seen))


def _pieces(public: Public) -> str:
    for colour, name in enumerate(public.rules.colours):
        if public.supply(colour) < 0:
            walls, lying = public.rules.walls[colour], public.single[colour].bit_count()
            return f"{name} has {walls} single walls, and {lying} would lie there"
        tower, double = public.tower[colour], public.double[colour]
        if public.rules.neutral == colour and tower | double:
            return f"{name} has neither tower nor double wall, and one would lie there"
        if tower.bit_count() > 1:
            return f"{name} has one tower, and {tower.bit_count()} would stand there"
        if double and (double.bit_count() != 2 or not double & double << 1):
            return f"{name} has one double wall, on two squares side by side"
    return ""


def _regions(public: Public) -> str:
    """A counter is drawn for its region and never goes to another; it may be gone (CC-3, CC-24)."""
    names = public.layout.regions
    drawn = sorted(range(len(names)), key=lambda i: (names[i][0], i))  # by letter, as they joined
    for place, region in enumerate(drawn):
        if public.threat[region] not in (place, -1):
            return f"region {names[region]} has the counter drawn for it ({place}), or none (gone)"
    return ""


def _looked(public: Public) -> str:
    drawn = len(public.layout.regions)
    for seat, mask in zip(public.rules.seats, public.looked, strict=True):
        if mask >> drawn:
            place = members(mask)[-1]
            return f"{seat} cannot have looked at counter {place}: {drawn} are drawn, from 0 on"
    return ""
