"""What an audit goes by, and what it has found so far, the first of each item.

What must never be here: playing again (replay.py); a check (orders.py, audit.py).
Law: what could not be checked is never called forged, and never called proven (P9).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.contributions import GAVE, OPENED
from pbem.chain.loaded_game import Played
from pbem.chain.referees import APPOINTED
from pbem.chain.rulings.kind import END, Sight
from pbem.chain.rulings.kinds import kind_of, rulings_in_full
from pbem.chain.sources import BY_BOT, DEFAULT, SIGNED, SOURCES, Source, source_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.signing import key_id
from pbem.engine.decision import Event
from pbem.engine.hidden import Below
from pbem.engine.row import all_of
from pbem.play.pending_orders import Hand
from pbem.proof.audit.archive import Words

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: signed lines used so far: by seat and part the newest number of orders, and of these the lines
UsedNumbers = dict[str, dict[str, tuple[int, frozenset[int]]]]


class SignedState(NamedTuple):
    """A state whose signature holds: its body as signed, the link in it, its head."""

    body: bytes
    link: StateRecord
    head: bytes


class PlayedOrder(NamedTuple):
    """One order as it was carried out, what came of it, and the State it was given in."""

    played: Played
    events: tuple[Event, ...]
    state: Any = None


#: by seat what a link left of its hand, and the highest number of an email in it so far; None:
#: nobody knows, as a ruling says
Waiting = Mapping[str, tuple[Hand, int] | None]


class ReplayedState(NamedTuple):
    """The game at one link, played up to there."""

    link: StateRecord
    head: bytes
    state: Any  #: None before the deal
    orders: tuple[PlayedOrder, ...] = ()
    waiting: Waiting = MappingProxyType({})


#: by the source of an order the bot that chose it: (game, seat, its View, chance) to a line; None
#: where that bot, in that version, is not here
Bots = Callable[[str], Callable[["Game", str, Any, Below], str] | None]


def no_bots(_: str) -> None:
    """None is here."""


class Replay(NamedTuple):
    """What a game is played again with; ``past`` grows with every link."""

    game: "Game"
    secret: bytes
    genesis: bytes
    past: dict[int, ReplayedState]
    used: UsedNumbers  #: with the key that each seat has now
    hands: Mapping[int, Mapping[str, str]] | None  #: what waited, by state and seat; None: not here
    lost: frozenset[int] = frozenset()  #: states before which it was lost, as a ruling says
    cleared: frozenset[int] = frozenset()  #: and of these where none of it could be used before
    bots: "Bots" = no_bots


#: the items in their order, each with its heading
ITEMS = (
    ("container", "the archive itself"),
    ("states", "states and signatures"),
    ("referees", "who may sign"),
    ("chain", "the chain"),
    ("secret", "the game's secret"),
    ("contributions", "what players gave to the deal"),
    ("deal", "the deal"),
    ("sealed", "hidden things"),
    ("signed", "whose orders they were"),
    ("orders", "what the orders did"),
    ("hands", "which orders were waiting"),
    ("openings", "what was turned up"),
    ("rulings", "the referee's rulings"),
    ("result", "the result"),
    ("transcript", "the transcript"),
    ("told", "what players were told"),
)
TITLES = dict(ITEMS)
NEEDS_SECRET = ("secret", "deal", "sealed", "signed", "orders", "hands", "rulings", "result")


class Item(NamedTuple):
    """One line of an audit; ``n`` is the state it is contradicted at, if it is one; ``stated``:
    nothing was found against it, but for some of it there is the referee's word alone.
    """

    name: str
    verdict: str
    says: str
    n: int | None
    stated: bool = False
    kind: str = ""  #: of the fault (SPECIFICATION section 12), where it is one of these


class Ruled(NamedTuple):
    """A ruling, for the list."""

    n: int
    says: str
    moved: bool  #: whether the position was another by it
    seated: bool  #: whether another plays or signs by it
    void: tuple[str, ...] = ()  #: whose orders waited, and were made void by it


def rulings_of(
    states: Mapping[int, SignedState], game: "Game | None", replay: Replay | None
) -> tuple[Ruled, ...]:
    """Every ruling of the referee in the chain; hidden values of a game that is over alone."""
    return tuple(
        Ruled(
            n, says, kind_of(ruling).moved, kind_of(ruling).seats(ruling), _void(states, n, replay)
        )
        for n, state in states.items()
        for ruling, says in zip(state.link.rulings, ruled(states, n, game, replay), strict=True)
    )


def _void(states: Mapping[int, SignedState], n: int, replay: Replay | None) -> tuple[str, ...]:
    """Whose waiting orders the rulings of a state made void; of a game whose hands are here."""
    values = ((replay.hands if replay is not None else None) or {}).get(n, {})
    void = [x.seat for x in states[n].link.people if x.since == n and values.get(x.seat)]
    before = states.get(n - 1, states[n]).link
    return tuple(before.player(seat).name for seat in void)


def ruled(
    states: Mapping[int, SignedState], n: int, game: "Game | None", replay: Replay | None
) -> tuple[str, ...]:
    """The rulings of one state, in full."""
    if not states[n].link.rulings:
        return ()

    def earlier(m: int) -> StateRecord | None:
        return states[m].link if m in states else None

    past = replay.past if replay is not None and is_over(replay, states) else {}

    def value(m: int, slot: str) -> str:
        if replay is None or m not in past:
            return ""
        found = replay.game.encode(past[m].state).hidden.get(slot)
        return found.for_sealing() if found else ""

    def order(m: int, number: int) -> str:
        played = [order.played for order in past[m].orders] if m in past else []
        return played[number - 1].signed or played[number - 1].line if played else ""

    return rulings_in_full(states[n].link, Sight(game, earlier, value, order))


def proven(states: Mapping[int, SignedState], replay: Replay | None, known: bool) -> dict[str, str]:
    """What is said of each item where nothing was found against it."""
    if not states:
        return {"states": ""}
    last = states[max(states)].link
    said = {
        "container": "packed as pbem packs it, its list signed by the referee",
        "states": f"{_count(len(states), 'state')}, each signed by the referee in force",
        "referees": _referees(states, known),
        "chain": "each state follows the one before it; none is missing or rewritten",
        "contributions": _contributions(states),
        "openings": f"{_count(sum(len(s.link.openings) for s in states.values()), 'thing')} "
        "turned up, each what was hidden before",
        "secret": "it is the one that the game was opened with",
        "deal": "every pile is as the secret and the contributions give it",
        "sealed": "every hidden thing in every state is what was dealt or played",
        "signed": _sources(states),
        "orders": "played again by the rules, every state came out byte for byte",
        "hands": _waited(replay) + _word_for(last),
        "rulings": _rulings(states),
        "result": result(replay, states),
        "transcript": "it says what the states say",
    }
    undealt = () if last.dealt else ("deal", "sealed", "signed", "orders", "hands", "openings")
    return said | dict.fromkeys(undealt, "there was none")  # given up before its deal


def stated(states: Mapping[int, SignedState]) -> frozenset[str]:
    """The items that say of something that it is the referee's word (P6)."""
    if not states or not states[max(states)].link.dealt:
        return frozenset()
    sources = _count_of(states)
    word = any(source.counted for source in sources) or _missed_by_clock(states, sources)
    found = {"signed": word, "hands": bool(_word_for(states[max(states)].link))}
    return frozenset(name for name, there in found.items() if there)


def _word_for(record: StateRecord) -> str:
    """What of that is the referee's word: what came from those who sign nothing."""
    names = [player.name for player in record.people if not player.way.key]
    return f"; of what {all_of(names)} sent it is the referee's word" if names else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _referees(states: Mapping[int, SignedState], known: bool) -> str:
    rows = states[max(states)].link.referees
    text = f"opened by key {key_id(rows[0].acting)}"
    for row in rows[1:]:
        text += f", from state {row.since} on {key_id(row.acting)} (appointed {APPOINTED[row.by]})"
    return text + ("" if known else "; you named no key: compare it, or the game's id, yourself")


def _contributions(states: Mapping[int, SignedState]) -> str:
    last = states[max(states)].link
    classes = dict(last.contributions)
    names = {player.seat: player.name for player in states[0].link.people}
    if not last.dealt:  # what came too late for a deal is in no state
        there = "there was no deal" if last.phase == CLOSED else "there is no deal"
        rows = [(row.seat, row.gave) for state in states.values() for row in state.link.roster]
        return f"{there}: {_gave(names, rows)}" if rows else f"{there}, and no roster"
    gave = _gave(names, classes.items())
    if sealed := [names.get(seat, seat) for seat, what in classes.items() if what == OPENED]:
        whose = "the key" if len(sealed) == 1 else "their keys"
        alone = f"this proves the deal to {all_of(sealed)} alone"
        return f"{gave}; {alone}: others cannot know who made {whose}"
    alone = "dealt by the referee alone, who could choose the deal"
    return (
        f"{alone}; {gave}" if {*classes.values()} != {"none"} else f"nobody gave anything: {alone}"
    )


def _gave(names: Mapping[str, str], given: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{names.get(seat, seat)} ({seat}): {GAVE[what]}" for seat, what in given)


def _waited(replay: Replay | None) -> str:
    given = "each order is the one that the waiting orders give, and none of them was lost"
    if replay is None or not replay.lost:
        return given
    return f"{given}, but in {_count(len(replay.lost), 'state')} where a ruling says so"


def _sources(states: Mapping[int, SignedState]) -> str:
    """P6: what is the player's own, and what is the referee's word."""
    count = _count_of(states)
    given = sum(number for source, number in count.items() if source.given)
    there = [source for source in (*SOURCES.values(), BY_BOT) if count[source] and source.counted]
    word = [f"{count[source]} {source.counted}" for source in there]
    said = [f"{count[SIGNED]} signed by their players"] if count[SIGNED] else []
    timed = " (when a turn was missed, the referee's clock says)"
    clock = timed if _missed_by_clock(states, count) else ""
    said += [f"{given} given by the rules{clock}"] if given else []
    said += [f"{', '.join(word)}, for which there is the referee's word"] if word else []
    return "; ".join(said) or "there was none"


def _count_of(states: Mapping[int, SignedState]) -> Counter[Source]:
    """How many orders came from where."""
    records = [state.link for state in states.values()]
    return Counter(source_of(entry.source) for record in records for entry in record.entries)


def _missed_by_clock(states: Mapping[int, SignedState], count: Counter[Source]) -> bool:
    """Whether the referee's clock alone says of some orders that a turn was missed."""
    return bool(count[DEFAULT]) and any(state.link.clock.on for state in states.values())


def _rulings(states: Mapping[int, SignedState]) -> str:
    number = sum(len(state.link.rulings) for state in states.values())
    if not number:
        return "there was none; nothing changed but by the rules"
    says = "it says" if number == 1 else "they say"
    return f"{_count(number, 'ruling')} did what {says}"


def is_over(replay: Replay, states: Mapping[int, SignedState]) -> bool:
    """Whether the game came to its end, or was closed."""
    last = max(states)
    if states[last].link.phase == CLOSED:
        return True
    return last in replay.past and _outcome(replay, last) is not None


def _outcome(replay: Replay, last: int) -> Any:
    state = replay.past[last].state
    return replay.game.outcome(replay.game.view(state, None)) if state is not None else None


def result(replay: Replay | None, states: Mapping[int, SignedState]) -> str:
    """The scores and who won, once everything was played again."""
    last = max(states)
    if replay is None or last not in replay.past:
        return ""
    outcome = _outcome(replay, last)
    names = {player.seat: player.name for player in states[last].link.people}
    if outcome is None:
        if states[last].link.phase != CLOSED:
            return ""
        ended = [END.words(it) for it in states[last].link.rulings if it.name == END.name]
        said, state = "closed by the referee before its end", replay.past[last].state
        said = ended[0] if ended else said
        if state is None:  # before the deal
            return said
        found = replay.game.scores(replay.game.view(state, None))
        return f"{said}; points then: {_points(names, found)}"
    won = all_of([names[seat] for seat in outcome.winners])
    return f"{_points(names, outcome.scores)}; {won} won"


def _points(names: Mapping[str, str], found: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{names[seat]} ({seat}) {points}" for seat, points in found)


#: the rules that a game is played by here, and the version they come from; PbemError: not here
Rules = Callable[[StateRecord], tuple["Game", str]]
#: what an archive has for people, made again from what was proven
Wording = Callable[[Replay | None, Mapping[int, SignedState]], Words]


#: items whose faults are of the kind of that name, if no check says another; else of `rules`
OWN_KIND = ("secret", "deal", "sealed", "hands", "container", "transcript")


class Findings:
    """By item: what contradicts it and where, or why it could not be checked; the first of each."""

    def __init__(self) -> None:
        self.wrong: dict[str, tuple[int | None, str, str]] = {}
        self.open: dict[str, str] = {}

    def contradict(self, item: str, n: int | None, what: str, kind: str = "") -> None:
        named = n is None or what.startswith(f"state {n}")
        place = what if named else f"state {n}, {what}"
        old = self.wrong.get(item)
        if old is None or (n is not None and (old[0] is None or n < old[0])):
            kind = kind or ("order" if item == "signed" else item if item in OWN_KIND else "rules")
            self.wrong[item] = n, place, kind

    def leave(self, items: tuple[str, ...], why: str) -> None:
        for item in items:
            self.open.setdefault(item, why)
