"""A report's values: what one seat, or a spectator, is told of a link.

What must never be here: a State handed to a template (a View is), another seat's hand.
Law: a report is a function of the seat's View, of the link's public part, and of its own orders,
of each state that it tells (P2). It can be written again from these states and the desk.
Source: docs/DESIGN.md "A report"; docs/SPECIFICATION.md sections 7 and 10.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pbem.chain.clock import written
from pbem.chain.clock_words import in_prose
from pbem.chain.contributions import CLASSES
from pbem.chain.loaded_game import LoadedGame, Seals, hand_slot, made_in
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.correct import corrects_hidden
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.signed_state import head_words
from pbem.chain.sources import BY_BOT, BY_REFEREE, DEFAULT, source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord, Opening
from pbem.crypto.encoding import b64, unb64, unpae
from pbem.crypto.signing import PrivateKey
from pbem.engine.decision import Outcome
from pbem.engine.row import Row
from pbem.engine.settings import SPECTATORS
from pbem.formats import state_file
from pbem.play.deadlines.options import in_sentences
from pbem.play.pending_orders import NOW, Hand, hand_lines, in_time
from pbem.play.waiting import question_in_words
from pbem.report import game_rows
from pbem.report.block import Of, apart, commits_file, write_block
from pbem.report.subjects import REPORTS

#: the ruling's number to its line for the foot of a report, "" where there is none
Rulebook = Callable[[str], str]


class Reader(NamedTuple):
    """For whom a report is: a seat with its code and hand, or the spectators."""

    name: str  #: the seat, or SPECTATORS
    code: str
    hand: Hand
    had: str = ""  #: what waited before the newest link, as it commits to it; "" also where lost
    zone: str = ""  #: by whose clocks times are told; "" for UTC

    @property
    def seat(self) -> str | None:
        """None for the spectators."""
        return None if self.name == SPECTATORS else self.name


class Chapter(NamedTuple):
    """An older state that a report tells too."""

    position: LoadedGame
    seals: Seals
    had: Mapping[str, str]  #: by seat what waited before it, as far as the desk has it; secret
    turn: int  #: in which it was made


def openings_for(position: LoadedGame, seat: str | None, seals: Seals) -> tuple[Opening, ...]:
    """What this seat's block opens: what is open to all, and what this link showed to it alone.

    A fact that is corrected may show a seat more than it knew, and which things it knew before only
    an older state has; a new player has no older report. So all that a seat may know is opened to
    it then, once more: nothing that a report tells it may rest on the referee's word (P5).
    """
    record = position.record
    found, heads = list(record.openings), dict(record.heads)
    shown_now = [slot for event in record.events for who, slot in event.opens if who == seat]
    own = [ruling.operand("slot") for ruling in record.rulings if corrects_hidden(ruling)]
    anew = any(kind_of(ruling).anew(ruling, seat) for ruling in record.rulings)
    hidden = position.game.encode(position.state).hidden if shown_now or own or anew else {}
    for slot in dict.fromkeys([*shown_now, *own, *(sorted(hidden) if anew else ())]):
        value = hidden[slot].value_for(seat) if seat is not None and slot in hidden else None
        if slot in shown_now and slot in hidden:  # promised by the event: `verify` asks for it
            value = hidden[slot].for_sealing()
        if value is not None:
            shown = record.stands_for(slot)
            k, commitment = seals.commit(shown, value, heads[made_in(shown)])
            found.append(Opening(shown, value, k, commitment))
    return tuple(found)


MOST_COMMITS = 12  #: lines of a block; more stand in a file, which it covers


def attached(
    position: LoadedGame, reader: Reader, before: Sequence[Chapter]
) -> list[tuple[str, bytes]]:
    """What comes with a report: its view file, and the commitments where they are many."""
    files = [(f"{reader.name}.view.toml", view_file(position, reader))]
    records = [*(one.position.record for one in before), position.record]
    if sum(len(record.commits) for record in records) > MOST_COMMITS:
        files.append((apart(reader.name), commits_file(records)))
    return files


def report_block(
    position: LoadedGame,
    reader: Reader,
    seals: Seals,
    signing: PrivateKey,
    public: bytes,
    files: Sequence[tuple[str, bytes]] = (),
    before: Sequence[Chapter] = (),
) -> str:
    """The signed block of a report, and of the ``files`` attached to it. It tells of the states
    ``before`` too.
    """
    older = [
        _of(one.position, reader._replace(had=one.had.get(reader.name, "")), one.seals)
        for one in before
    ]
    record, openings, hand = _of(position, reader, seals)
    return write_block(
        record, reader.name, position.head, openings, signing, public, files, hand, older
    )


def _of(position: LoadedGame, reader: Reader, seals: Seals) -> Of:
    openings = openings_for(position, reader.seat, seals)
    return Of(position.record, openings, own_hand(position, reader, seals))


def own_hand(position: LoadedGame, reader: Reader, seals: Seals) -> Opening | None:
    """What its player had waiting before this link; None where the desk has it no more."""
    record = position.record
    slot, commitment = hand_slot(record.n, reader.name), dict(record.hands).get(reader.name)
    k, made = seals.commit(slot, reader.had, unb64(record.prev, 32))
    return Opening(slot, reader.had, k, made) if made == commitment else None


def report_values(
    position: LoadedGame,
    reader: Reader,
    label: str,
    rulebook: Rulebook,
    signed_block: str,
    seals: Seals,
    ruled: Sequence[str],
    sources: game_rows.Sources,
    before: Sequence[Chapter],
    turn: int,
) -> dict[str, Any]:
    """Everything a report's template may use. ``label``: the game's name among its players;
    ``ruled``: the rulings, for all; ``sources``: of a game that is over; ``before``: older states
    that it tells, oldest first, and then ``turn``: in which the newest was made.
    """
    told = [*before, Chapter(position, seals, {}, turn)]
    game, record = position.game, position.record
    view = game.view(position.state, reader.seat)
    closed, outcome = record.phase == CLOSED, game.outcome(view)
    asked = game.ask(view) if reader.seat and not closed else None
    now = hand_lines(part for part in reader.hand.parts if part.name == NOW)
    described = game.describe(view)
    return {
        "label": label,
        "title": game.title,
        "kind": game.kind,
        "n": record.n,
        "time": record.time,
        "seat": reader.seat or "",
        "player": position.name(reader.seat) if reader.seat else "",
        "way": record.player(reader.seat).identified if reader.seat else "",
        "code": "" if outcome or closed else reader.code,  # nothing is asked any more
        "question": game_rows.question(asked, now) if asked else {},
        "soon": [] if closed else game_rows.soon(position, view, reader.hand),
        **_timed(position, reader, [one.position.record for one in told]),
        "closed": closed,
        "waiting": waiting(position),
        "happened": _happened(told, reader),
        **_given(told, reader.seat),
        "rulings": list(ruled),
        # services/reports has these
        **dict.fromkeys(("taken_back", "counts_again", "seen", "new_referee"), ()),
        "notes": list(reader.hand.notes),
        "hand": [] if outcome or closed else hand_lines(in_time(reader.hand.parts, game, view)),
        "repeated": bool(now),
        "table": described,
        "board": game.board_text(described),
        "scores": _scores(position, view),
        "winners": winners(position, outcome),
        "places": game_rows.places(outcome, sources) if outcome else [],
        "notices": _notices(position, reader.seat),
        "dealt_by": [row.plain() for row in dealt_by(position.record)],
        "head_words": head_words(position.head),
        "cited": [(no, text) for no in _cited(told, reader.seat) if (text := rulebook(no))],
        "block": signed_block,
        "seats": [*position.names.items()],
        "names": position.names,
    }


def _notices(position: LoadedGame, seat: str | None) -> list[dict[str, Any]]:
    """By what rules it is played, in the first report of a reader."""
    notices = position.game.notices(position.config) if _is_first(position.record, seat) else ()
    return [row.plain() for row in notices]


def _is_first(record: StateRecord, seat: str | None) -> bool:
    """Whether it is the first report of its reader: of all, or of who takes a seat over."""
    return record.n == DEAL or (seat is not None and record.player(seat).since == record.n)


def _timed(position: LoadedGame, reader: Reader, told: Sequence[StateRecord]) -> dict[str, Any]:
    """Deadlines, by the clocks of the reader; nothing where there are none. ``told``: the states
    that are told.
    """
    record = position.record
    seat = reader.seat
    due = record.clock.of(seat).due if seat else ""
    timed = record.clock.on and record.phase != CLOSED
    seats = game_rows.timed(record, reader.zone) if timed else []
    ruled = any(ruling.name == CLOCK.name for one in told for ruling in one.rulings)
    new = ruled or _is_first(record, seat)
    own = {seat} if due else set()  # with what it is asked
    missed = record.clock.of(seat).strikes if seat and timed else 0
    return {
        "due": in_prose(due, reader.zone, record.time) if due else "",
        "missed_turn": record.clock.missed,
        "more_misses": max(0, record.clock.strikes - missed) if missed else 0,
        "last": in_prose(written(record.clock.missed_at(seat)), reader.zone, record.time)
        if seat and due
        else "",
        "timed": [
            row
            for row in seats
            if row["open"]
            or (row["bank"] and record.n != DEAL)  # the terms tell all reserves
            or (row["due"] and row["seat"] not in own)
        ],
        "terms": in_sentences(record.clock) if timed and new else [],
        "paused": in_prose(record.clock.paused, reader.zone, record.time)
        if record.clock.pause_left(record.time)
        else "",
    }


def _scores(position: LoadedGame, view: Any) -> list[dict[str, str]]:
    found = game_rows.standings(position.game, view)
    return [{"seat": x.seat, "player": position.name(x.seat), "points": x.text} for x in found]


def winners(position: LoadedGame, outcome: Outcome | None) -> list[str]:
    """``Cleo (blue, 25 points)`` for each, empty before the end."""
    if outcome is None:
        return []
    points = dict(outcome.scores)
    return [f"{position.name(seat)} ({seat}, {points[seat]} points)" for seat in outcome.winners]


def _happened(told: Sequence[Chapter], reader: Reader) -> list[dict[str, Any]]:
    """The events of these states, as their reader saw them then: by turns, each with when it was,
    by his clocks, and who played then.
    """
    found: list[dict[str, Any]] = []
    for (_, names), group in groupby(told, key=lambda one: (one.turn, one.position.names)):
        chapters = list(group)
        events: list[dict[str, Any]] = []
        for one in chapters:
            view = one.position.game.view(one.position.state, reader.seat)
            events += game_rows.happened(one.position.game, one.position.record.events, view)
        when = in_prose(chapters[0].position.record.time, reader.zone)
        found.append({"when": when, "events": events, "names": names})
    return [one for one in found if one["events"]] or found[:1]


def _cited(told: Sequence[Chapter], seat: str | None) -> list[str]:
    """The rulings that a report of these states names."""
    return game_rows.in_order(
        {no for one in told for no in game_rows.cited(one.position.record, seat)}
    )


def _given(told: Sequence[Chapter], seat: str | None) -> dict[str, list[dict[str, Any]]]:
    """What was answered for the seat, whole, as it alone may read it: the macro ``given_KIND``.
    P6: orders that the referee typed: that a player gave them is the referee's word alone. R-2:
    what was played for the others who missed their turn; ``seat`` reads of itself apart.
    """
    found: dict[str, list[Row]] = {"answered": [], "typed": [], "missed": []}
    entries = ((one, *row) for one in told for row in enumerate(one.position.record.entries, 1))
    for one, number, entry in entries:
        ruling, player = source_of(entry.source).answered, one.position.name(entry.seat)
        whose = {"player": player, "seat": entry.seat, "line": entry.words}
        if entry.source == BY_REFEREE.name:
            found["typed"].append(Row(entry.source, whose))
        elif ruling and entry.seat == seat:
            slot = f"{one.position.record.n}/order/{number}"
            line = unpae(one.seals.open_order(slot, entry.token))[-1].decode()
            found["answered"].append(Row(entry.source, {"line": line, "ruling": ruling}))
        elif source_of(entry.source) is BY_BOT:
            found["missed"].append(Row("bot", whose))
        elif entry.source == DEFAULT.name:
            found["missed"].append(Row("missed", {**whose, "ruling": ruling}))
    return {key: [row.plain() for row in given] for key, given in found.items()}


def dealt_by(record: StateRecord) -> list[Row]:
    """P4: what each gave, for good: the macro ``dealt_KIND``. Only who opened what they had sealed
    before the roster proves that the referee, with all the others, could not choose the deal. By
    colours: who gave it may have left since.
    """
    given = record.contributions
    opened, plain, none = ([seat for seat, what in given if what == kind] for kind in CLASSES)
    found = [Row("opened", {"seats": opened}) if opened else Row("alone")]
    if plain:
        found.append(Row("plain", {"seats": plain}))
    if none and len(none) < len(given):
        found.append(Row("none", {"seats": none}))
    return found


def waiting(position: LoadedGame) -> list[dict[str, str]]:
    """Whom the game waits for; public."""
    view = position.game.view(position.state, None)
    found = []
    for asked in position.game.questions(view):
        what = f"for the {question_in_words(position.game, asked)}" if asked.about else ""
        whose = {"seat": asked.seat, "player": position.name(asked.seat)}
        found.append({**whose, "question": asked.kind, "what": what})
    return found


def view_file(position: LoadedGame, reader: Reader) -> bytes:
    """The view file of one seat (FORMAT.md): the same View, for ``pbem orders``."""
    record = position.record
    document: dict[str, Any] = {
        "pbem": 1,
        "game": record.game,
        "kind": position.game.kind,
        "rulings": record.setup.rulings,
        "n": record.n,
        "head": b64(position.head),
        "seat": reader.name,
        "code": reader.code,
        "nr": max(reader.hand.nr, reader.hand.seen),
        "seats": [" ".join(one) for one in position.names.items()],
        "options": [f"{name}={value}" for name, value in position.config.options],
        "done": list(reader.hand.done),
        "view": position.game.encode_view(position.game.view(position.state, reader.seat)),
    }
    return state_file.dump(document)


def subject(values: Mapping[str, Any]) -> str:
    """The subject of a report's mail, but for its code."""
    if values["closed"]:
        what = "the game is closed"
    elif values["winners"]:
        what = "the game is over"
    elif values["question"]:
        what = f"your turn, by {values['due']}" if values["due"] else "your turn"
    else:
        facts = {**values, **_own(values)}
        what = next((REPORTS[fact] for fact in REPORTS if facts.get(fact)), f"report {values['n']}")
    return f"{values['label']}: {what}"


def _own(values: Mapping[str, Any]) -> dict[str, bool]:
    """What became of the reader's own seat."""
    seat = values["seat"]
    answered = {row["kind"] for row in values["answered"]}
    bots = {row["facts"]["seat"] for row in values["missed"] if row["kind"] == "bot"}
    missed = DEFAULT.name in answered or seat in bots
    opened = any(row["open"] for row in values["timed"] if row["seat"] == seat)
    return {"open": missed and opened, "missed": missed}
