"""A report's values: what one seat, or a spectator, is told of a link.

What must never be here: a State handed to a template (a View is), another seat's hand.
Law: a report is a function of the seat's View, of the link's public part, and of its own orders,
of each state that it tells (P2). It can be written again from these states and the desk.
Source: docs/DESIGN.md "A report"; docs/SPECIFICATION.md sections 7 and 10.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pbem.chain.clock import format_instant
from pbem.chain.clock_words import instant_in_prose
from pbem.chain.loaded_game import LoadedGame
from pbem.chain.people import CLASSES
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.correct import is_hidden_correction
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.seals import Seals, pending_slot, slot_state_number
from pbem.chain.signed_state import state_hash_words
from pbem.chain.sources import BY_BOT, BY_REFEREE, DEFAULT, source_of
from pbem.chain.state_record import CLOSED, DEAL, Opening, StateRecord
from pbem.crypto.encoding import b64, unb64, unpae
from pbem.crypto.signing import PrivateKey
from pbem.engine.decision import Outcome
from pbem.engine.row import Row
from pbem.engine.settings import SPECTATORS
from pbem.formats import state_file
from pbem.play.deadlines.options import describe_clock
from pbem.play.pending_orders import NOW, PendingOrders, format_pending_orders, list_possible_groups
from pbem.play.waiting import question_in_words
from pbem.report import game_rows
from pbem.report.block import BlockState, commitments_file_name, encode_commitments_file, write_block
from pbem.report.subjects import REPORT_SUBJECTS

#: the ruling's number to its line for the foot of a report, "" where there is none
Rulebook = Callable[[str], str]


class Reader(NamedTuple):
    """For whom a report is: a seat with its code and hand, or the spectators."""

    name: str  #: the seat, or SPECTATORS
    code: str
    pending: PendingOrders
    pending_before: str = ""  #: what waited before the newest link, as it commits to it; "" also where lost
    zone: str = ""  #: by whose clocks times are told; "" for UTC

    @property
    def seat(self) -> str | None:
        """None for the spectators."""
        return None if self.name == SPECTATORS else self.name


class ReportedState(NamedTuple):
    """An older state that a report tells too."""

    position: LoadedGame
    seals: Seals
    pending_before: Mapping[str, str]  #: by seat what waited before it, as far as the desk has it; secret
    turn: int  #: in which it was made


def openings_for(position: LoadedGame, seat: str | None, seals: Seals) -> tuple[Opening, ...]:
    """What this seat's block opens: what is open to all, and what this link showed to it alone.

    A fact that is corrected may show a seat more than it knew, and which things it knew before only
    an older state has; a new player has no older report. So all that a seat may know is opened to
    it then, once more: nothing that a report tells it may rest on the referee's word (P5).
    """
    record = position.record
    openings, state_hashes = list(record.openings), dict(record.state_hashes)
    slots_shown_now = [slot for event in record.events for viewer, slot in event.opens if viewer == seat]
    corrected_slots = [ruling.operand("slot") for ruling in record.rulings if is_hidden_correction(ruling)]
    is_repeated = any(kind_of(ruling).reopens_secrets(ruling, seat) for ruling in record.rulings)
    hidden = position.game.encode(position.state).hidden if slots_shown_now or corrected_slots or is_repeated else {}
    for slot in dict.fromkeys([*slots_shown_now, *corrected_slots, *(sorted(hidden) if is_repeated else ())]):
        value = hidden[slot].value_for(seat) if seat is not None and slot in hidden else None
        if slot in slots_shown_now and slot in hidden:  # promised by the event: `verify` asks for it
            value = hidden[slot].for_sealing()
        if value is not None:
            shown_slot = record.current_slot(slot)
            blinding, commitment = seals.commit(shown_slot, value, state_hashes[slot_state_number(shown_slot)])
            openings.append(Opening(shown_slot, value, blinding, commitment))
    return tuple(openings)


MOST_COMMIT_LINES = 12  #: lines of a block; more stand in a file, which it covers


def report_attachments(
    position: LoadedGame, reader: Reader, older_states: Sequence[ReportedState]
) -> list[tuple[str, bytes]]:
    """What comes with a report: its view file, and the commitments where they are many."""
    files = [(f"{reader.name}.view.toml", encode_view_file(position, reader))]
    records = [*(state.position.record for state in older_states), position.record]
    if sum(len(record.new_commitments) for record in records) > MOST_COMMIT_LINES:
        files.append((commitments_file_name(reader.name), encode_commitments_file(records)))
    return files


def write_report_block(
    position: LoadedGame,
    reader: Reader,
    seals: Seals,
    signing_key: PrivateKey,
    public_key: bytes,
    files: Sequence[tuple[str, bytes]] = (),
    older_states: Sequence[ReportedState] = (),
) -> str:
    """The signed block of a report, and of the ``files`` attached to it. It tells of the states
    ``older_states`` too.
    """
    older_block_states = [
        _block_state(
            state.position, reader._replace(pending_before=state.pending_before.get(reader.name, "")), state.seals
        )
        for state in older_states
    ]
    record, openings, pending_opening = _block_state(position, reader, seals)
    return write_block(
        record,
        reader.name,
        position.state_hash,
        openings,
        signing_key,
        public_key,
        files,
        pending_opening,
        older_block_states,
    )


def _block_state(position: LoadedGame, reader: Reader, seals: Seals) -> BlockState:
    openings = openings_for(position, reader.seat, seals)
    return BlockState(position.record, openings, own_pending_opening(position, reader, seals))


def own_pending_opening(position: LoadedGame, reader: Reader, seals: Seals) -> Opening | None:
    """What its player had waiting before this link; None where the desk has it no more."""
    record = position.record
    slot, commitment = pending_slot(record.n, reader.name), dict(record.pending_commitments).get(reader.name)
    blinding, computed_commitment = seals.commit(slot, reader.pending_before, unb64(record.previous_hash, 32))
    return (
        Opening(slot, reader.pending_before, blinding, computed_commitment)
        if computed_commitment == commitment
        else None
    )


def build_report_values(
    position: LoadedGame,
    reader: Reader,
    label: str,
    rulebook: Rulebook,
    signed_block: str,
    seals: Seals,
    ruling_texts: Sequence[str],
    sources: game_rows.PointSources,
    older_states: Sequence[ReportedState],
    turn: int,
) -> dict[str, Any]:
    """Everything a report's template may use. ``label``: the game's name among its players;
    ``ruling_texts``: the rulings, for all; ``sources``: of a game that is over; ``older_states``: older states
    that it tells, oldest first, and then ``turn``: in which the newest was made.
    """
    states = [*older_states, ReportedState(position, seals, {}, turn)]
    game, record = position.game, position.record
    view = game.view(position.state, reader.seat)
    is_closed, outcome = record.phase == CLOSED, game.outcome(view)
    question = game.ask(view) if reader.seat and not is_closed else None
    lines_for_now = format_pending_orders(part for part in reader.pending.parts if part.name == NOW)
    description = game.describe(view)
    return {
        "label": label,
        "title": game.title,
        "kind": game.kind,
        "n": record.n,
        "time": record.time,
        "seat": reader.seat or "",
        "player": position.player_name(reader.seat) if reader.seat else "",
        "way": record.player(reader.seat).method_name if reader.seat else "",
        "code": "" if outcome or is_closed else reader.code,  # nothing is asked any more
        "question": game_rows.question_row(question, lines_for_now) if question else {},
        "soon": [] if is_closed else game_rows.upcoming_rows(position, view, reader.pending),
        **_deadline_values(position, reader, [state.position.record for state in states]),
        "closed": is_closed,
        "waiting": waiting_rows(position),
        "happened": _event_groups(states, reader),
        **_order_rows(states, reader.seat),
        "rulings": list(ruling_texts),
        # services/reports has these
        **dict.fromkeys(("taken_back", "counts_again", "seen", "new_referee"), ()),
        "notes": list(reader.pending.notes),
        "hand": []
        if outcome or is_closed
        else format_pending_orders(list_possible_groups(reader.pending.parts, game, view)),
        "repeated": bool(lines_for_now),
        "table": description,
        "board": game.board_text(description),
        "scores": _score_rows(position, view),
        "winners": format_winners(position, outcome),
        "places": game_rows.place_rows(outcome, sources) if outcome else [],
        "notices": _first_notices(position, reader.seat),
        "dealt_by": [row.plain() for row in contribution_rows(position.record)],
        "head_words": state_hash_words(position.state_hash),
        "cited": [(number, text) for number in _cited_rules(states, reader.seat) if (text := rulebook(number))],
        "block": signed_block,
        "seats": [*position.player_names.items()],
        "names": position.player_names,
    }


def _first_notices(position: LoadedGame, seat: str | None) -> list[dict[str, Any]]:
    """By what rules it is played, in the first report of a reader."""
    notices = position.game.notices(position.config) if _is_first_report(position.record, seat) else ()
    return [row.plain() for row in notices]


def _is_first_report(record: StateRecord, seat: str | None) -> bool:
    """Whether it is the first report of its reader: of all, or of who takes a seat over."""
    return record.n == DEAL or (seat is not None and record.player(seat).orders_since == record.n)


def _deadline_values(position: LoadedGame, reader: Reader, records: Sequence[StateRecord]) -> dict[str, Any]:
    """Deadlines, by the clocks of the reader; nothing where there are none. ``records``: the states
    that are told.
    """
    record = position.record
    seat = reader.seat
    due_time = record.clock.for_seat(seat).deadline if seat else ""
    has_clock = record.clock.has_deadlines and record.phase != CLOSED
    clock_rows = game_rows.clock_rows(record, reader.zone) if has_clock else []
    clock_was_ruled = any(ruling.name == CLOCK.name for told_record in records for ruling in told_record.rulings)
    tells_terms = clock_was_ruled or _is_first_report(record, seat)
    asked_seats = {seat} if due_time else set()  # with what it is asked
    missed_turns = record.clock.for_seat(seat).missed_turns if seat and has_clock else 0
    return {
        "due": instant_in_prose(due_time, reader.zone, record.time) if due_time else "",
        "missed_turn": record.clock.missed,
        "more_misses": max(0, record.clock.missed_turn_limit - missed_turns) if missed_turns else 0,
        "last": instant_in_prose(format_instant(record.clock.missed_at(seat)), reader.zone, record.time)
        if seat and due_time
        else "",
        "timed": [
            row
            for row in clock_rows
            if row["open"]
            or (row["bank"] and record.n != DEAL)  # the terms tell all reserves
            or (row["due"] and row["seat"] not in asked_seats)
        ],
        "terms": describe_clock(record.clock) if has_clock and tells_terms else [],
        "paused": instant_in_prose(record.clock.paused_until, reader.zone, record.time)
        if record.clock.remaining_pause(record.time)
        else "",
    }


def _score_rows(position: LoadedGame, view: Any) -> list[dict[str, str]]:
    standings = game_rows.list_standings(position.game, view)
    return [
        {"seat": standing.seat, "player": position.player_name(standing.seat), "points": standing.text}
        for standing in standings
    ]


def format_winners(position: LoadedGame, outcome: Outcome | None) -> list[str]:
    """``Cleo (blue, 25 points)`` for each, empty before the end."""
    if outcome is None:
        return []
    points = dict(outcome.scores)
    return [f"{position.player_name(seat)} ({seat}, {points[seat]} points)" for seat in outcome.winners]


def _event_groups(states: Sequence[ReportedState], reader: Reader) -> list[dict[str, Any]]:
    """The events of these states, as their reader saw them then: by turns, each with when it was,
    by his clocks, and who played then.
    """
    groups: list[dict[str, Any]] = []
    for (_, names), group in groupby(states, key=lambda state: (state.turn, state.position.player_names)):
        states_of_turn = list(group)
        events: list[dict[str, Any]] = []
        for state in states_of_turn:
            view = state.position.game.view(state.position.state, reader.seat)
            events += game_rows.event_rows(state.position.game, state.position.record.events, view)
        when = instant_in_prose(states_of_turn[0].position.record.time, reader.zone)
        groups.append({"when": when, "events": events, "names": names})
    return [row for row in groups if row["events"]] or groups[:1]


def _cited_rules(states: Sequence[ReportedState], seat: str | None) -> list[str]:
    """The rulings that a report of these states names."""
    return game_rows.sort_rules(
        {number for state in states for number in game_rows.cited_rules(state.position.record, seat)}
    )


def _order_rows(states: Sequence[ReportedState], seat: str | None) -> dict[str, list[dict[str, Any]]]:
    """What was answered for the seat, whole, as it alone may read it: the macro ``given_KIND``.
    P6: orders that the referee typed: that a player gave them is the referee's word alone. R-2:
    what was played for the others who missed their turn; ``seat`` reads of itself apart.
    """
    rows_by_kind: dict[str, list[Row]] = {"answered": [], "typed": [], "missed": []}
    entries = (
        (state, *numbered_entry) for state in states for numbered_entry in enumerate(state.position.record.entries, 1)
    )
    for state, number, entry in entries:
        rule, player = source_of(entry.source).rule, state.position.player_name(entry.seat)
        facts = {"player": player, "seat": entry.seat, "line": entry.public_words}
        if entry.source == BY_REFEREE.name:
            rows_by_kind["typed"].append(Row(entry.source, facts))
        elif rule and entry.seat == seat:
            slot = f"{state.position.record.n}/order/{number}"
            line = unpae(state.seals.open_order(slot, entry.token))[-1].decode()
            rows_by_kind["answered"].append(Row(entry.source, {"line": line, "ruling": rule}))
        elif source_of(entry.source) is BY_BOT:
            rows_by_kind["missed"].append(Row("bot", facts))
        elif entry.source == DEFAULT.name:
            rows_by_kind["missed"].append(Row("missed", {**facts, "ruling": rule}))
    return {kind: [row.plain() for row in rows] for kind, rows in rows_by_kind.items()}


def contribution_rows(record: StateRecord) -> list[Row]:
    """P4: what each gave, for good: the macro ``dealt_KIND``. Only who opened what they had sealed
    before the roster proves that the referee, with all the others, could not choose the deal. By
    colours: who gave it may have left since.
    """
    contributions = record.contributions
    opened_seats, plain_seats, silent_seats = (
        [seat for seat, contribution in contributions if contribution == kind] for kind in CLASSES
    )
    rows = [Row("opened", {"seats": opened_seats}) if opened_seats else Row("alone")]
    if plain_seats:
        rows.append(Row("plain", {"seats": plain_seats}))
    if silent_seats and len(silent_seats) < len(contributions):
        rows.append(Row("none", {"seats": silent_seats}))
    return rows


def waiting_rows(position: LoadedGame) -> list[dict[str, str]]:
    """Whom the game waits for; public."""
    view = position.game.view(position.state, None)
    rows = []
    for question in position.game.questions(view):
        question_words = f"for the {question_in_words(position.game, question)}" if question.about else ""
        facts = {"seat": question.seat, "player": position.player_name(question.seat)}
        rows.append({**facts, "question": question.kind, "what": question_words})
    return rows


def encode_view_file(position: LoadedGame, reader: Reader) -> bytes:
    """The view file of one seat (FORMAT.md): the same View, for ``pbem orders``."""
    record = position.record
    document: dict[str, Any] = {
        "pbem": 1,
        "game": record.game,
        "kind": position.game.kind,
        "rulings": record.setup.rules_version,
        "n": record.n,
        "head": b64(position.state_hash),
        "seat": reader.name,
        "code": reader.code,
        "nr": max(reader.pending.nr, reader.pending.seen),
        "seats": [" ".join(seat_and_player) for seat_and_player in position.player_names.items()],
        "options": [f"{name}={value}" for name, value in position.config.options],
        "done": list(reader.pending.done),
        "view": position.game.encode_view(position.game.view(position.state, reader.seat)),
    }
    return state_file.dump(document)


def report_subject(values: Mapping[str, Any]) -> str:
    """The subject of a report's mail, but for its code."""
    if values["closed"]:
        summary = "the game is closed"
    elif values["winners"]:
        summary = "the game is over"
    elif values["question"]:
        summary = f"your turn, by {values['due']}" if values["due"] else "your turn"
    else:
        facts = {**values, **_own_seat_facts(values)}
        summary = next((REPORT_SUBJECTS[fact] for fact in REPORT_SUBJECTS if facts.get(fact)), f"report {values['n']}")
    return f"{values['label']}: {summary}"


def _own_seat_facts(values: Mapping[str, Any]) -> dict[str, bool]:
    """What became of the reader's own seat."""
    seat = values["seat"]
    answered_kinds = {row["kind"] for row in values["answered"]}
    bot_seats = {row["facts"]["seat"] for row in values["missed"] if row["kind"] == "bot"}
    missed_turn = DEFAULT.name in answered_kinds or seat in bot_seats
    is_open = any(row["open"] for row in values["timed"] if row["seat"] == seat)
    return {"open": missed_turn and is_open, "missed": missed_turn}
