"""The transcript of a game, a text for people in its archive: the values for ``transcript.txt``.

Not allowed here: sentences (the template has them); anything that is not in the states, like
addresses, emails or orders that were not used.
Laws: the same game gives the same values. Until a game is over, they show what a spectator sees.
Source: docs/SPECIFICATION.md section 11; docs/decisions/0010-archive.md.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.rulings.kinds import kind_of
from pbem.chain.rulings.undo import read_undo, undo_target
from pbem.chain.signed_state import state_hash_words
from pbem.chain.sources import source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord, config_of
from pbem.crypto.signing import key_id
from pbem.errors import PbemError
from pbem.mail.compose import format_date_in_prose
from pbem.play.joining.opening import deal_piles, describe_options, list_contributions, make_answer_row
from pbem.proof.audit.findings import Replay, SignedState, ruling_texts
from pbem.proof.verify.verify import Unreadable
from pbem.report import game_rows
from pbem.report.build import contribution_rows
from pbem.report.game_rows import event_rows, explain_rules, to_plain
from pbem.report.report import Rulebook

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: the board is drawn at least once in so many states
MAX_STATES_WITHOUT_BOARD = 5
#: the arguments of a template, or of a part of it, by name
Values = dict[str, Any]


class TranscriptSource(NamedTuple):
    """The game that a transcript shows. If ``replay`` is None, hidden values stay hidden."""

    game: "Game"
    replay: Replay | None
    states: Mapping[int, SignedState]

    @property
    def last(self) -> SignedState:
        return self.states[max(self.states)]

    def view(self, n: int, seat: str | None = None) -> Any:
        """Return the View (what a seat may see) of state ``n``. Without a replay, return the public View."""
        if self.replay is None:
            record = self.states[n].record
            return self.game.watch(config_of(record), record.position)
        return self.game.view(self.replay.past_states[n].state, seat)


def transcript_values(
    game: "Game", replay: Replay | None, states: Mapping[int, SignedState], rulebook: Rulebook
) -> Values:
    """Return the values for ``templates/transcript.txt``; ``rulebook`` gives the text of a numbered rule.

    Raises Unreadable for a state whose rows the game cannot put into words.
    """
    source = TranscriptSource(game, replay, states)
    values = heading_values(game, states)
    values["players"] = _player_values([state.record for state in states.values()])
    with _unreadable_rows_of(0):
        values |= _settled_values(source)
    values |= _deal_values(source)
    values["states"] = list(_state_rows(source))
    with _unreadable_rows_of(max(states)):
        values |= _end_values(source)
    return values | {
        "cited": explain_rules(_cited_rules(states), rulebook),
        "open": replay is not None,
        "to_all": True,
        "names": {},  # a seat may have had several players: seats are named by their colours
    }


@contextmanager
def _unreadable_rows_of(n: int) -> Iterator[None]:
    """Raise Unreadable for any exception: state ``n`` has rows that no honest referee signs."""
    try:
        yield
    except Exception as error:
        raise Unreadable(n) from error


def heading_values(game: "Game", states: Mapping[int, SignedState]) -> Values:
    """Return the name of the game, its dates, and the keys that signed it."""
    first, last = states[0].record, states[max(states)].record
    setup = last.setup
    return {
        "kind": game.kind,
        "title": game.title,
        "credits": game.credits,
        "game": last.game,
        "begun": format_date_in_prose(first.time),
        "ended": format_date_in_prose(last.time),
        "last": last.n,
        "version": setup.version,
        "rulings_of": setup.rules_version,
        "round": setup.round,
        "previous": setup.previous,
        "referees": [(row.since, key_id(row.acting)) for row in last.referees],
    }


def _settled_values(source: TranscriptSource) -> Values:
    """Return the options of the game, and the notices that follow from them."""
    options = source.last.record.options
    return {
        "drawn": options.get("seats") == "drawn",
        "options": describe_options(source.game, options),
        "notices": [row.plain() for row in source.game.notices(config_of(source.last.record))],
    }


def _player_values(records: Sequence[StateRecord]) -> list[Values]:
    """Return the player of each seat, and its former players with the last state of each."""
    rows = []
    for index, player in enumerate(records[-1].people):
        seatings = [(record.people[index].name, record.people[index].method.description) for record in records]
        former_players = [
            {"until": n, "name": name, "known": auth_method}
            for n, ((name, auth_method), (next_name, _)) in enumerate(itertools.pairwise(seatings), records[0].n)
            if name != next_name
        ]
        row = {"name": player.name, "seat": player.seat, "known": player.method.description}
        rows.append({**row, "before": former_players})
    return rows


def _deal_values(source: TranscriptSource) -> Values:
    """Return the additions to the shuffle and, if the secret is known, the order of every pile."""
    states, replay = source.states, source.replay
    values: Values = {"gave": [], "dealt_by": [], "piles": []}
    if 1 not in states:
        return values
    roster_state = states[1]
    values["gave"] = [make_answer_row(roster_state.record, answer).plain() for answer in roster_state.record.roster]
    if 2 not in states or not states[2].record.is_dealt:
        return values
    record = states[2].record
    values["dealt_by"] = [row.plain() for row in contribution_rows(record)]
    if replay is not None:
        contribution_by_seat = {
            seat: contribution
            for seat, contribution, _ in list_contributions(roster_state.record, record.opened_contributions)
        }
        piles = deal_piles(config_of(record), replay.game, replay.secret, roster_state.state_hash, contribution_by_seat)
        values["piles"] = [(name, list(pile)) for name, pile in piles.items()]
    return values


def _state_rows(source: TranscriptSource) -> Iterator[Values]:
    """Yield the values of each state from the deal on, and of an earlier state only if it closes the game.

    A state gets a ``board`` if its points changed, if a ruling rewrote history, if it is the last, and at
    least every ``MAX_STATES_WITHOUT_BOARD`` states.
    """
    undos = _undos_by_state(source.states)
    number_with_board = 0
    shown_points: list[tuple[str, str]] = []
    for n, state in source.states.items():
        if n < DEAL and state.record.phase != CLOSED:
            continue
        with _unreadable_rows_of(n):
            values = _state_values(source, n, undos.get(n, []))
        was_rewritten = any(kind_of(ruling).rewrites_history for ruling in state.record.rulings)
        needs_board = (
            values["points"] != shown_points
            or was_rewritten
            or n - number_with_board == MAX_STATES_WITHOUT_BOARD
            or state is source.last
        )
        if state.record.is_dealt and needs_board:
            with _unreadable_rows_of(n):
                values["board"] = source.game.board_text(source.game.describe(source.view(n)))
            shown_points = values["points"]
            number_with_board = n
        yield values


def _undos_by_state(states: Mapping[int, SignedState]) -> dict[int, list[Values]]:
    """Return, by state, the undos that undid its orders and those that made them count again."""
    undos: dict[int, list[Values]] = {}
    for number, state in states.items():
        try:
            if undo_target(state.record) is None:
                continue
            undo = read_undo(state.record, lambda n: states[n].record)
        except (PbemError, LookupError):  # pbem does not write such an undo: verify reports it
            continue
        for records, is_redo in ((undo.undone_records, False), (undo.restored_records, True)):
            for record in (record for record in records if record.entries):
                undos.setdefault(record.n, []).append({"again": is_redo, "by": number})
    return undos


def _state_values(source: TranscriptSource, n: int, undos: list[Values]) -> Values:
    """Return the values of one state, without its board."""
    state, record = source.states[n], source.states[n].record
    # without a replay nobody knows which order caused an event; the deal has no orders
    events_apart = record.is_dealt and (n == DEAL or source.replay is None)
    return {
        "n": n,
        "date": format_date_in_prose(record.time),
        "words": state_hash_words(state.state_hash),
        "taken": undos,
        "ruled": list(ruling_texts(source.states, n, source.game, source.replay)),
        "orders": _order_rows(source, n) if record.is_dealt else [],
        "happened": to_plain(event_rows(source.game, record.events, source.view(n))) if events_apart else [],
        "points": _points(source, n) if record.is_dealt else [],
        "board": [],
    }


def _order_rows(source: TranscriptSource, n: int) -> list[Values]:
    """Return each order and, if the game was replayed, its events as its seat saw them."""
    record, replay = source.states[n].record, source.replay
    if replay is None:
        return [_order_values(record, entry.seat, entry.public_words, entry.source) for entry in record.entries]
    rows = []
    for played, events, _ in replay.past_states[n].orders:
        row = _order_values(record, played.seat, played.signed_line or played.line, played.source)
        view = source.view(n, played.seat)  # the secret is known: hidden values are shown too
        rows.append({**row, "happened": to_plain(event_rows(source.game, events, view))})
    return rows


def _order_values(record: StateRecord, seat: str, line: str, source: str) -> Values:
    """Return the values of an order; ``source`` is "" if it is the usual one of its player."""
    player = record.player(seat)
    proof = "" if source == player.method.sources[0] else source_of(source).proof
    return {"player": player.name, "seat": seat, "line": line, "source": proof, "happened": []}


def _points(source: TranscriptSource, n: int) -> list[tuple[str, str]]:
    """Return each seat's points: as that seat sees them if the game was replayed, otherwise as everybody does."""
    if source.replay is None:
        return [(standing.seat, standing.text) for standing in source.game.standings(source.view(n)).seats]
    return [
        (standing.seat, standing.text)
        for seat in source.states[n].record.setup.seats
        for standing in source.game.standings(source.view(n, seat)).seats
        if standing.seat == seat
    ]


def _end_values(source: TranscriptSource) -> Values:
    """Return how the game ended, if it did, and where each seat's points came from."""
    record = source.last.record
    outcome = source.game.outcome(source.view(record.n)) if record.is_dealt else None
    sources = game_rows.points_by_source(_counted_records(source.states)) if outcome else {}
    places = game_rows.place_rows(outcome, sources) if outcome else []
    return {
        "closed": record.phase == CLOSED,
        "over": outcome is not None,
        "dealt": record.is_dealt,
        "winners": [record.player(seat).name for seat in outcome.winners] if outcome else [],
        "places": [{**to_plain(place), "player": record.player(place.seat).name} for place in places],
    }


def _counted_records(states: Mapping[int, SignedState]) -> list[StateRecord]:
    """Return the states from the deal on, without those that were undone."""
    counted = []
    n = max(states)
    while n >= DEAL and n in states:
        record = states[n].record
        counted.append(record)
        undone_number = undo_target(record)
        if undone_number is not None and undone_number < n:  # a forged undo may go forward
            n = undone_number
        else:
            n -= 1
    return counted[::-1]


def _cited_rules(states: Mapping[int, SignedState]) -> set[str]:
    """Return the numbers of all rules that events cite, or by which an answer was given for a player."""
    records = [state.record for state in states.values()]
    event_rules = {event.ruling for record in records for event in record.events}
    answer_rules = {source_of(entry.source).rule for record in records for entry in record.entries}
    return event_rules | answer_rules - {""}


def find_unreadable(values: Values, render: Callable[[Values], str]) -> Unreadable | None:
    """Return the first state that cannot be rendered, or None. Call it if the whole transcript cannot be.

    Raises PbemError if the transcript cannot be rendered even without states.
    """
    render({**values, "states": []})
    for state in values["states"]:
        try:
            render({**values, "states": [state]})
        except PbemError:
            return Unreadable(state["n"])
    return None
