"""What an audit goes by, and what it has found so far, the first of each item.

What must never be here: playing again (replay.py); a check (orders.py, audit.py).
Law: what could not be checked is never called forged, and never called proven (P9).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.people import CLASS_WORDS, OPENED
from pbem.chain.referees import APPOINTMENT_WORDS
from pbem.chain.rulings.kind import END, StateLookup
from pbem.chain.rulings.kinds import describe_rulings, kind_of
from pbem.chain.sources import BY_BOT, DEFAULT, SIGNED, SOURCES, Source, source_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.signing import key_id
from pbem.engine.decision import Event
from pbem.engine.hidden import Below
from pbem.engine.row import join_with_and
from pbem.play.pending_orders import PendingOrders
from pbem.proof.audit.archive import ArchiveTexts

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: signed lines used so far: by seat and part the newest number of orders, and of these the lines
UsedNumbers = dict[str, dict[str, tuple[int, frozenset[int]]]]


class SignedState(NamedTuple):
    """A state whose signature holds: its body as signed, the link in it, its head."""

    body: bytes
    record: StateRecord
    state_hash: bytes


class PlayedOrder(NamedTuple):
    """One order as it was carried out, what came of it, and the State it was given in."""

    played: ExecutedOrder
    events: tuple[Event, ...]
    state: Any = None


#: by seat what a link left of its hand, and the highest number of an email in it so far; None:
#: nobody knows, as a ruling says
PendingBySeat = Mapping[str, tuple[PendingOrders, int] | None]


class ReplayedState(NamedTuple):
    """The game at one link, played up to there."""

    record: StateRecord
    state_hash: bytes
    state: Any  #: None before the deal
    orders: tuple[PlayedOrder, ...] = ()
    pending: PendingBySeat = MappingProxyType({})


#: by the source of an order the bot that chose it: (game, seat, its View, chance) to a line; None
#: where that bot, in that version, is not here
FindBot = Callable[[str], Callable[["Game", str, Any, Below], str] | None]


def no_bot(_: str) -> None:
    """None is here."""


class Replay(NamedTuple):
    """What a game is played again with; ``past`` grows with every link."""

    game: "Game"
    secret: bytes
    genesis: bytes
    past_states: dict[int, ReplayedState]
    used_numbers: UsedNumbers  #: with the key that each seat has now
    pending_values: Mapping[int, Mapping[str, str]] | None  #: what waited, by state and seat; None: not here
    lost_numbers: frozenset[int] = frozenset()  #: states before which it was lost, as a ruling says
    cleared_numbers: frozenset[int] = frozenset()  #: and of these where none of it could be used before
    find_bot: "FindBot" = no_bot


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
    text: str
    n: int | None
    is_stated: bool = False
    kind: str = ""  #: of the fault (SPECIFICATION section 12), where it is one of these


class RulingSummary(NamedTuple):
    """A ruling, for the list."""

    n: int
    text: str
    changed_position: bool  #: whether the position was another by it
    changed_player: bool  #: whether another plays or signs by it
    voided_names: tuple[str, ...] = ()  #: whose orders waited, and were made void by it


def list_rulings(
    states: Mapping[int, SignedState], game: "Game | None", replay: Replay | None
) -> tuple[RulingSummary, ...]:
    """Every ruling of the referee in the chain; hidden values of a game that is over alone."""
    return tuple(
        RulingSummary(
            n,
            text,
            kind_of(ruling).rewrites_history,
            kind_of(ruling).changes_actors(ruling),
            _voided_names(states, n, replay),
        )
        for n, state in states.items()
        for ruling, text in zip(state.record.rulings, ruling_texts(states, n, game, replay), strict=True)
    )


def _voided_names(states: Mapping[int, SignedState], n: int, replay: Replay | None) -> tuple[str, ...]:
    """Whose pending orders the rulings of a state made void; of a game whose hands are here."""
    pending_values = ((replay.pending_values if replay is not None else None) or {}).get(n, {})
    voided_seats = [
        player.seat
        for player in states[n].record.people
        if player.orders_since == n and pending_values.get(player.seat)
    ]
    previous = states.get(n - 1, states[n]).record
    return tuple(previous.player(seat).name for seat in voided_seats)


def ruling_texts(
    states: Mapping[int, SignedState], n: int, game: "Game | None", replay: Replay | None
) -> tuple[str, ...]:
    """The rulings of one state, in full."""
    if not states[n].record.rulings:
        return ()

    def earlier(state_number: int) -> StateRecord | None:
        return states[state_number].record if state_number in states else None

    past_states = replay.past_states if replay is not None and is_over(replay, states) else {}

    def value(state_number: int, slot: str) -> str:
        if replay is None or state_number not in past_states:
            return ""
        hidden_value = replay.game.encode(past_states[state_number].state).hidden.get(slot)
        return hidden_value.for_sealing() if hidden_value else ""

    def order(state_number: int, number: int) -> str:
        played_orders = (
            [order.played for order in past_states[state_number].orders] if state_number in past_states else []
        )
        return played_orders[number - 1].signed_line or played_orders[number - 1].line if played_orders else ""

    return describe_rulings(states[n].record, StateLookup(game, earlier, value, order))


def describe_proven(states: Mapping[int, SignedState], replay: Replay | None, is_known: bool) -> dict[str, str]:
    """What is said of each item where nothing was found against it."""
    if not states:
        return {"states": ""}
    last_record = states[max(states)].record
    texts = {
        "container": "packed as pbem packs it, its list signed by the referee",
        "states": f"{_plural(len(states), 'state')}, each signed by the referee in force",
        "referees": _describe_referees(states, is_known),
        "chain": "each state follows the one before it; none is missing or rewritten",
        "contributions": _describe_contributions(states),
        "openings": f"{_plural(sum(len(s.record.openings) for s in states.values()), 'thing')} "
        "turned up, each what was hidden before",
        "secret": "it is the one that the game was opened with",
        "deal": "every pile is as the secret and the contributions give it",
        "sealed": "every hidden thing in every state is what was dealt or played",
        "signed": _describe_sources(states),
        "orders": "played again by the rules, every state came out byte for byte",
        "hands": _describe_pending(replay) + _describe_word(last_record),
        "rulings": _describe_rulings(states),
        "result": describe_result(replay, states),
        "transcript": "it says what the states say",
    }
    undealt_items = () if last_record.is_dealt else ("deal", "sealed", "signed", "orders", "hands", "openings")
    return texts | dict.fromkeys(undealt_items, "there was none")  # given up before its deal


def stated_items(states: Mapping[int, SignedState]) -> frozenset[str]:
    """The items that say of something that it is the referee's word (P6)."""
    if not states or not states[max(states)].record.is_dealt:
        return frozenset()
    counts = _count_sources(states)
    has_referees_word = any(source.audit_label for source in counts) or _was_missed_by_clock(states, counts)
    item_flags = {"signed": has_referees_word, "hands": bool(_describe_word(states[max(states)].record))}
    return frozenset(name for name, is_stated in item_flags.items() if is_stated)


def _describe_word(record: StateRecord) -> str:
    """What of that is the referee's word: what came from those who sign nothing."""
    names = [player.name for player in record.people if not player.method.key]
    return f"; of what {join_with_and(names)} sent it is the referee's word" if names else ""


def _plural(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _describe_referees(states: Mapping[int, SignedState], is_known: bool) -> str:
    referees = states[max(states)].record.referees
    sentence = f"opened by key {key_id(referees[0].acting)}"
    for row in referees[1:]:
        sentence += (
            f", from state {row.since} on {key_id(row.acting)} (appointed {APPOINTMENT_WORDS[row.appointed_by]})"
        )
    return sentence + ("" if is_known else "; you named no key: compare it, or the game's id, yourself")


def _describe_contributions(states: Mapping[int, SignedState]) -> str:
    last_record = states[max(states)].record
    contribution_by_seat = dict(last_record.contributions)
    names = {player.seat: player.name for player in states[0].record.people}
    if not last_record.is_dealt:  # what came too late for a deal is in no state
        no_deal_text = "there was no deal" if last_record.phase == CLOSED else "there is no deal"
        answers = [(row.seat, row.contribution) for state in states.values() for row in state.record.roster]
        return f"{no_deal_text}: {_describe_gifts(names, answers)}" if answers else f"{no_deal_text}, and no roster"
    gifts_text = _describe_gifts(names, contribution_by_seat.items())
    if sealed_names := [
        names.get(seat, seat) for seat, contribution in contribution_by_seat.items() if contribution == OPENED
    ]:
        key_words = "the key" if len(sealed_names) == 1 else "their keys"
        clause = f"this proves the deal to {join_with_and(sealed_names)} alone"
        return f"{gifts_text}; {clause}: others cannot know who made {key_words}"
    clause = "dealt by the referee alone, who could choose the deal"
    return (
        f"{clause}; {gifts_text}" if {*contribution_by_seat.values()} != {"none"} else f"nobody gave anything: {clause}"
    )


def _describe_gifts(names: Mapping[str, str], contributions: Iterable[tuple[str, str]]) -> str:
    return "; ".join(
        f"{names.get(seat, seat)} ({seat}): {CLASS_WORDS[contribution]}" for seat, contribution in contributions
    )


def _describe_pending(replay: Replay | None) -> str:
    text = "each order is the one that the pending orders give, and none of them was lost"
    if replay is None or not replay.lost_numbers:
        return text
    return f"{text}, but in {_plural(len(replay.lost_numbers), 'state')} where a ruling says so"


def _describe_sources(states: Mapping[int, SignedState]) -> str:
    """P6: what is the player's own, and what is the referee's word."""
    counts = _count_sources(states)
    rule_count = sum(number for source, number in counts.items() if source.answered_for_player)
    counted_sources = [source for source in (*SOURCES.values(), BY_BOT) if counts[source] and source.audit_label]
    word_texts = [f"{counts[source]} {source.audit_label}" for source in counted_sources]
    texts = [f"{counts[SIGNED]} signed by their players"] if counts[SIGNED] else []
    clock_note = " (when a turn was missed, the referee's clock says)"
    note = clock_note if _was_missed_by_clock(states, counts) else ""
    texts += [f"{rule_count} given by the rules{note}"] if rule_count else []
    texts += [f"{', '.join(word_texts)}, for which there is the referee's word"] if word_texts else []
    return "; ".join(texts) or "there was none"


def _count_sources(states: Mapping[int, SignedState]) -> Counter[Source]:
    """How many orders came from where."""
    records = [state.record for state in states.values()]
    return Counter(source_of(entry.source) for record in records for entry in record.entries)


def _was_missed_by_clock(states: Mapping[int, SignedState], counts: Counter[Source]) -> bool:
    """Whether the referee's clock alone says of some orders that a turn was missed."""
    return bool(counts[DEFAULT]) and any(state.record.clock.has_deadlines for state in states.values())


def _describe_rulings(states: Mapping[int, SignedState]) -> str:
    number = sum(len(state.record.rulings) for state in states.values())
    if not number:
        return "there was none; nothing changed but by the rules"
    clause = "it says" if number == 1 else "they say"
    return f"{_plural(number, 'ruling')} did what {clause}"


def is_over(replay: Replay, states: Mapping[int, SignedState]) -> bool:
    """Whether the game came to its end, or was closed."""
    last_number = max(states)
    if states[last_number].record.phase == CLOSED:
        return True
    return last_number in replay.past_states and _outcome_at(replay, last_number) is not None


def _outcome_at(replay: Replay, number: int) -> Any:
    state = replay.past_states[number].state
    return replay.game.outcome(replay.game.view(state, None)) if state is not None else None


def describe_result(replay: Replay | None, states: Mapping[int, SignedState]) -> str:
    """The scores and who won, once everything was played again."""
    last_number = max(states)
    if replay is None or last_number not in replay.past_states:
        return ""
    outcome = _outcome_at(replay, last_number)
    names = {player.seat: player.name for player in states[last_number].record.people}
    if outcome is None:
        if states[last_number].record.phase != CLOSED:
            return ""
        end_texts = [END.describe(ruling) for ruling in states[last_number].record.rulings if ruling.name == END.name]
        text, state = "closed by the referee before its end", replay.past_states[last_number].state
        text = end_texts[0] if end_texts else text
        if state is None:  # before the deal
            return text
        scores = replay.game.scores(replay.game.view(state, None))
        return f"{text}; points then: {_describe_points(names, scores)}"
    winners = join_with_and([names[seat] for seat in outcome.winners])
    return f"{_describe_points(names, outcome.scores)}; {winners} won"


def _describe_points(names: Mapping[str, str], scores: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{names[seat]} ({seat}) {points}" for seat, points in scores)


#: the rules that a game is played by here, and the version they come from; PbemError: not here
LoadRules = Callable[[StateRecord], tuple["Game", str]]
#: what an archive has for people, made again from what was proven
MakeTexts = Callable[[Replay | None, Mapping[int, SignedState]], ArchiveTexts]


#: items whose faults are of the kind of that name, if no check says another; else of `rules`
ITEMS_WITH_OWN_KIND = ("secret", "deal", "sealed", "hands", "container", "transcript")


class Findings:
    """By item: what contradicts it and where, or why it could not be checked; the first of each."""

    def __init__(self) -> None:
        self.contradictions: dict[str, tuple[int | None, str, str]] = {}
        self.unchecked: dict[str, str] = {}

    def contradict(self, item: str, n: int | None, message: str, kind: str = "") -> None:
        names_state = n is None or message.startswith(f"state {n}")
        text = message if names_state else f"state {n}, {message}"
        earlier = self.contradictions.get(item)
        if earlier is None or (n is not None and (earlier[0] is None or n < earlier[0])):
            kind = kind or ("order" if item == "signed" else item if item in ITEMS_WITH_OWN_KIND else "rules")
            self.contradictions[item] = n, text, kind

    def leave_unchecked(self, items: tuple[str, ...], reason: str) -> None:
        for item in items:
            self.unchecked.setdefault(item, reason)
