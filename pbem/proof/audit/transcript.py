"""A game in plain text, to be read without pbem, in an archive: the values of its template.

What lives here: ``told``, from the states and, where the game is over, the game played again.
What must never be here: anything that is not in the states (no address, no mail, no unused order);
a sentence, for ``templates/transcript.txt`` has them.
Laws: the same game gives the same values; of a game that is not over they are a spectator's.
Source: docs/SPECIFICATION.md section 11; docs/decisions/0010-archive.md.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.rulings.kinds import kind_of
from pbem.chain.rulings.undo import undo_of_link, undone_to
from pbem.chain.signed_state import head_words
from pbem.chain.sources import source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord, config_of
from pbem.crypto.signing import key_id
from pbem.errors import PbemError
from pbem.mail.compose import date_in_prose
from pbem.play.joining.opening import contributions, gave, piles_dealt, settled
from pbem.proof.audit.findings import Replay, SignedState, ruled
from pbem.proof.verify.verify import Unreadable
from pbem.report import game_rows
from pbem.report.game_rows import happened, standings
from pbem.report.report import Rulebook, dealt_by

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: the board is drawn where points changed or the referee moved it, else after this many states
WITHOUT_BOARD = 5
#: what the macros of a template are given, by name
Values = dict[str, Any]


class Told(NamedTuple):
    """What a game is told from. Without ``replay`` hidden things stay hidden."""

    game: "Game"
    replay: Replay | None
    states: Mapping[int, SignedState]

    @property
    def last(self) -> SignedState:
        return self.states[max(self.states)]

    def view(self, n: int, seat: str | None = None) -> Any:
        """The View of a state; of a seat only where the game was played again."""
        if self.replay is None:
            record = self.states[n].link
            return self.game.watch(config_of(record), record.position)
        return self.game.view(self.replay.past[n].state, seat)


def told(
    game: "Game", replay: Replay | None, states: Mapping[int, SignedState], rulebook: Rulebook
) -> Values:
    """The values of ``templates/transcript.txt``; ``rulebook`` gives the whole text of a ruling.

    Unreadable where a state tells of what its game does not know.
    """
    whole = Told(game, replay, states)
    return {
        **heading(game, states),
        "players": _players([state.link for state in states.values()]),
        **_readable(0, lambda: _settled(whole)),
        **_deal(whole),
        "states": list(_states(whole)),
        **_readable(max(states), lambda: _end(whole)),
        "cited": [
            (no, text) for no in game_rows.in_order(_cited(states)) if (text := rulebook(no))
        ],
        "open": replay is not None,
        "to_all": True,  # also what a seat's View says is for everybody to read
        "names": {},  # a seat may have had several players: colours stay
    }


def _readable(n: int, make: Callable[[], Values]) -> Values:
    """What is told of a state. A referee may sign what they like: Unreadable for odd rows."""
    try:
        return make()
    except Exception as error:
        raise Unreadable(n) from error


def heading(game: "Game", states: Mapping[int, SignedState]) -> Values:
    """Which game it is, from when to when, and whose signatures are on it."""
    first, last = states[0].link, states[max(states)].link
    setup = last.setup
    return {
        "kind": game.kind,
        "title": game.title,
        "credits": game.credits,
        "game": last.game,
        "begun": date_in_prose(first.time),
        "ended": date_in_prose(last.time),
        "last": last.n,
        "version": setup.version,
        "rulings_of": setup.rulings,
        "round": setup.round,
        "previous": setup.previous,
        "referees": [(row.since, key_id(row.acting)) for row in last.referees],
    }


def _settled(whole: Told) -> Values:
    """What the referee chose before the deal, and the rules of the house that follow from it."""
    options = whole.last.link.options
    return {
        "drawn": options.get("seats") == "drawn",
        "options": settled(whole.game, options),
        "notices": [row.plain() for row in whole.game.notices(config_of(whole.last.link))],
    }


def _players(records: Sequence[StateRecord]) -> list[Values]:
    """Who sat where, with those who sat there before, and up to which state."""
    found = []
    for at, player in enumerate(records[-1].people):
        sat = [(record.people[at].name, record.people[at].way.said) for record in records]
        pairs = itertools.pairwise(sat)
        went = [(n, *old) for n, (old, new) in enumerate(pairs, records[0].n) if old[0] != new[0]]
        before = [{"until": n, "name": name, "known": known} for n, name, known in went]
        one = {"name": player.name, "seat": player.seat, "known": player.way.said}
        found.append({**one, "before": before})
    return found


def _deal(whole: Told) -> Values:
    """What each gave to the deal and, once the secret is open, how every pile lay."""
    states, replay = whole.states, whole.replay
    told: Values = {"gave": [], "dealt_by": [], "piles": []}
    if 1 not in states:
        return told
    before = states[1]
    told["gave"] = [gave(before.link, one).plain() for one in before.link.roster]
    if 2 not in states or not states[2].link.dealt:
        return told
    record = states[2].link
    told["dealt_by"] = [row.plain() for row in dealt_by(record)]
    if replay is not None:
        table = {seat: what for seat, what, _ in contributions(before.link, record.opened)}
        piles = piles_dealt(config_of(record), replay.game, replay.secret, before.head, table)
        told["piles"] = [(name, list(pile)) for name, pile in piles.items()]
    return told


def _states(whole: Told) -> Iterator[Values]:
    """Each state from the deal on; before it only one that closes the game."""
    taken, drawn = _taken_back(whole.states), 0
    shown: list[tuple[str, str]] = []
    for n, state in whole.states.items():
        if n < DEAL and state.link.phase != CLOSED:
            continue
        found = _readable(n, lambda n=n: _state(whole, n, taken.get(n, [])))  # type: ignore[misc]
        due = found["points"] != shown or n - drawn == WITHOUT_BOARD or state is whole.last
        moved = any(kind_of(ruling).moved for ruling in state.link.rulings)
        if state.link.dealt and (due or moved):
            found |= _readable(n, lambda n=n: _board(whole, n))  # type: ignore[misc]
            shown, drawn = found["points"], n
        yield found


def _board(whole: Told, n: int) -> Values:
    """As the reports of all show it: what is hidden is told with the orders."""
    return {"board": whole.game.board_text(whole.game.describe(whole.view(n)))}


def _taken_back(states: Mapping[int, SignedState]) -> dict[int, list[Values]]:
    """What each undo did, in their order: an undo of an undo makes orders count again."""
    said: dict[int, list[Values]] = {}
    for m, state in states.items():
        try:
            if undone_to(state.link) is None:
                continue
            undo = undo_of_link(state.link, lambda n: states[n].link)
        except (PbemError, LookupError):  # an undo that no pbem wrote: verify has a finding
            continue
        for records, again in ((undo.links, False), (undo.again, True)):
            for record in (record for record in records if record.entries):
                said.setdefault(record.n, []).append({"again": again, "by": m})
    return said


def _state(whole: Told, n: int, taken: list[Values]) -> Values:
    """One state. Without a board: that is not drawn in each."""
    state, record = whole.states[n], whole.states[n].link
    # events are told below all orders in the deal, and where nobody knows whose they are
    apart = record.dealt and (n == DEAL or whole.replay is None)
    return {
        "n": n,
        "date": date_in_prose(record.time),
        "words": head_words(state.head),
        "taken": taken,
        "ruled": list(ruled(whole.states, n, whole.game, whole.replay)),
        "orders": _orders(whole, n) if record.dealt else [],
        "happened": happened(whole.game, record.events, whole.view(n)) if apart else [],
        "points": _points(whole, n) if record.dealt else [],
        "board": [],
    }


def _orders(whole: Told, n: int) -> list[Values]:
    """Each order and, where the game was played again, what came of it, as its seat saw it."""
    record, replay = whole.states[n].link, whole.replay
    if replay is None:
        return [_order(record, entry.seat, entry.words, entry.source) for entry in record.entries]
    found = []
    for played, events, _ in replay.past[n].orders:
        one = _order(record, played.seat, played.signed or played.line, played.source)
        view = whole.view(n, played.seat)  # the secret is open: what they saw is told too
        found.append({**one, "happened": happened(whole.game, events, view)})
    return found


def _order(record: StateRecord, seat: str, line: str, source: str) -> Values:
    """``source``: how it came, "" where that is how all emails of its player come."""
    player = record.player(seat)
    proof = "" if source == player.way.sources[0] else source_of(source).proof
    return {"player": player.name, "seat": seat, "line": line, "source": proof, "happened": []}


def _points(whole: Told, n: int) -> list[tuple[str, str]]:
    """By seat; where the game was played again each seat's own, which others may not have seen."""
    if whole.replay is None:
        return [(one.seat, one.text) for one in standings(whole.game, whole.view(n))]
    seats = whole.states[n].link.setup.seats
    own = {seat: standings(whole.game, whole.view(n, seat)) for seat in seats}
    return [(one.seat, one.text) for seat in own for one in own[seat] if one.seat == seat]


def _end(whole: Told) -> Values:
    """How it ended, as far as it did, and where each seat's points came from."""
    record = whole.last.link
    outcome = whole.game.outcome(whole.view(record.n)) if record.dealt else None
    sources = game_rows.points_by_source(_counted(whole.states)) if outcome else {}
    places = game_rows.places(outcome, sources) if outcome else []
    return {
        "closed": record.phase == CLOSED,
        "over": outcome is not None,
        "dealt": record.dealt,
        "winners": [record.player(seat).name for seat in outcome.winners] if outcome else [],
        "places": [{**one, "player": record.player(one["seat"]).name} for one in places],
    }


def _counted(states: Mapping[int, SignedState]) -> list[StateRecord]:
    """The states of the deal and after that count: not those that an undo took back."""
    found, n = [], max(states)
    while n >= DEAL and n in states:
        record = states[n].link
        found.append(record)
        back = undone_to(record)
        n = n - 1 if back is None or back >= n else back  # what a forger wrote must end too
    return found[::-1]


def _cited(states: Mapping[int, SignedState]) -> set[str]:
    """Every ruling of the rules that is named: of events, and where an order was given by them."""
    records = [state.link for state in states.values()]
    found = {event.ruling for record in records for event in record.events}
    given = {source_of(entry.source).answered for record in records for entry in record.entries}
    return found | given - {""}


def unreadable(values: Values, render: Callable[[Values], str]) -> Unreadable | None:
    """The first state whose rows have no sentence, where all of them could not be rendered."""
    render({**values, "states": []})  # PbemError: it is not the states
    for state in values["states"]:
        try:
            render({**values, "states": [state]})
        except PbemError:
            return Unreadable(state["n"])
    return None
