"""A game in plain text, to be read without pbem, in an archive.

What lives here: ``transcript``, from the states and, where the game is over, the game played again.
What must never be here: anything that is not in the states (no address, no mail, no unused order).
Laws: the same game gives the same text; of a game that is not over it says what a spectator knows.
Source: docs/SPECIFICATION.md section 11.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.event import Event
from pbem.errors import PbemError
from pbem.moderator.audit.findings import result, ruled
from pbem.moderator.audit.states import Replay, SignedState
from pbem.moderator.chain.identified import SOURCES
from pbem.moderator.chain.link import CLOSED, Link, config_of
from pbem.moderator.chain.people import GAVE
from pbem.moderator.chain.signed_state import head_words
from pbem.moderator.opening.opening import contributions, piles_dealt
from pbem.moderator.ruling.undo import undo_of_link, undone_to
from pbem.moderator.verify.verify import Unreadable

if TYPE_CHECKING:
    from pbem.engine.game import Game


#: rows of events to their sentences: a template makes them
Say = Callable[["Game", Sequence[Mapping[str, Any]]], list[str]]


def transcript(
    game: "Game", replay: Replay | None, states: Mapping[int, SignedState], say: Say
) -> bytes:
    """The text, UTF-8, LF. Without ``replay`` hidden things stay hidden.

    Unreadable where a state tells of what its game does not know.
    """
    links = [state.link for state in states.values()]
    lines = [*_heading(game, links), *_players(links), *_deal(replay, states, say)]
    told = _Told(game, replay, states, _taken_back(states), say)
    for n, state in states.items():
        if n > 2 or state.link.phase == CLOSED:
            lines += _readable(told, n)
    lines += _end(replay, states)
    return "".join(f"{line}\n" for line in lines).encode()


def _heading(game: "Game", links: list[Link]) -> Iterator[str]:
    setup, last = links[-1].setup, links[-1]
    yield f"{game.title}: game {last.game}"
    yield f"Played from {links[0].time} to {last.time}, states 0 to {last.n}."
    yield f"Made by version {setup.version} of the game, rulings of {setup.rulings}."
    yield "Times are UTC. Behind each state stand the four words that its reports have."
    if setup.previous != "none":
        yield f"Round {setup.round}; the round before it was given up: {setup.previous}."


def _players(links: list[Link]) -> Iterator[str]:
    drawn = dict(links[-1].setup.options).get("seats") == "drawn"  # THE DEAL has their order
    yield from ("", "PLAYERS" if drawn else "PLAYERS, IN TURN ORDER")
    for at, player in enumerate(links[-1].people):
        yield f"{player.name} ({player.seat}), {player.way.said}{_before(links, at)}"
    yield from ("", "OPTIONS")
    yield from (f"{name}: {value}" for name, value in links[-1].setup.options)


def _before(links: list[Link], at: int) -> str:
    """Who sat there before, what they were identified by, and up to which state."""
    sat = [(link.people[at].name, link.people[at].way.said) for link in links]
    pairs = itertools.pairwise(sat)
    went = [(n, *old) for n, (old, new) in enumerate(pairs, links[0].n) if old[0] != new[0]]
    return "".join(f"; up to state {n} {name}, {said}" for n, name, said in went)


def _deal(replay: Replay | None, states: Mapping[int, SignedState], say: Say) -> Iterator[str]:
    if 2 not in states or not states[2].link.dealt:
        return
    link = states[2].link
    yield from ("", "THE DEAL")
    names = {player.seat: player.name for player in link.people}
    for seat, what in link.contributions:
        yield f"{names[seat]} ({seat}) gave: {GAVE[what]}"
    if all(what == "none" for _, what in link.contributions):
        yield "It was dealt by the referee alone."
    if replay is None:
        return
    given = contributions(states[1].link, link.opened)
    table = {seat: what for seat, what, _ in given}
    yield "The piles as they were shuffled, the first drawn first:"
    dealt = piles_dealt(config_of(link), replay.game, replay.secret, states[1].head, table)
    for name, pile in dealt.items():
        yield f"{name}: {' '.join(pile)}"
    view = replay.game.view(replay.past[2].state, None)
    yield from _happened(replay.game, replay.past[2].events, view, say)


class _Told(NamedTuple):
    """What every state is told from; ``taken`` says by state what undos did to its orders."""

    game: "Game"
    replay: Replay | None
    states: Mapping[int, SignedState]
    taken: Mapping[int, str]
    say: Say


def _taken_back(states: Mapping[int, SignedState]) -> dict[int, str]:
    """What each undo did, in their order: an undo of an undo makes orders count again."""
    said: dict[int, list[str]] = {}
    for m, state in states.items():
        try:
            if undone_to(state.link) is None:
                continue
            undo = undo_of_link(state.link, lambda n: states[n].link)
        except (PbemError, LookupError):  # an undo that no pbem wrote: verify has a finding
            continue
        for links, what in ((undo.links, "taken back"), (undo.again, "counts again")):
            for link in (link for link in links if link.entries):
                said.setdefault(link.n, []).append(f"{what} by state {m}")
    return {n: ", ".join(parts) for n, parts in said.items()}


def _readable(told: _Told, n: int) -> list[str]:
    """One state. A referee may sign what he likes: rows that no game makes are a finding."""
    try:
        return list(_state(told, n))
    except Exception as error:
        raise Unreadable(n) from error


def _state(told: _Told, n: int) -> Iterator[str]:
    game, replay, states = told.game, told.replay, told.states
    state, link = states[n], states[n].link
    back = f": {told.taken[n]}" if n in told.taken else ""
    yield from ("", f"STATE {n}, {link.time} ({head_words(state.head)}){back}")
    for says in ruled(states, n, game, replay):
        yield f"The referee ruled: {says}"
    if not link.dealt:
        return
    names = {player.seat: player.name for player in link.people}
    if replay is None:
        for entry in link.entries:
            proof = SOURCES[entry.source].proof
            yield f"{names[entry.seat]} ({entry.seat}): {entry.words} [{proof}]"
        view = game.watch(config_of(link), link.position)
        yield from _happened(game, link.events, view, told.say)
        return
    standing = replay.past[n]
    for played, events, _ in standing.orders:
        who, line = played.seat, played.signed or played.line
        view = game.view(standing.state, who)  # the secret is open: what he saw is told too
        yield f"{names[who]} ({who}): {line} [{SOURCES[played.source].proof}]"
        yield from _happened(game, events, view, told.say)


def _happened(game: "Game", events: Sequence[Event], view: Any, say: Say) -> Iterator[str]:
    texts = say(game, [game.event_row(event, view).plain() for event in events])
    for event, text in zip(events, texts, strict=True):
        yield f"  {text} ({event.ruling})"


def _end(replay: Replay | None, states: Mapping[int, SignedState]) -> Iterator[str]:
    yield from ("", "THE END")
    text = result(replay, states)
    yield f"{text[:1].upper()}{text[1:]}." if text else "The game is not over."
