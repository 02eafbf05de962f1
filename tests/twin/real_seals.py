"""What the twin test cannot see, because its seals are fakes: the real ones on the same two worlds.

What lives here: ``look``: lengths, freshness in every link, that everything hangs on the secret.
Source: docs/DESIGN.md P3; docs/SPECIFICATION.md sections 7, 8 and 9.
"""

from typing import Any

from pbem.chain.loaded_game import LoadedGame, load_game
from pbem.chain.next_record import ExecutedOrder, NextRecordInputs, build_next_record
from pbem.chain.seals import Seals
from pbem.chain.state_record import StateRecord, write_record
from pbem.crypto.encoding import digest
from pbem.crypto.keys import RefereeKey
from pbem.engine.game import Game
from pbem.play.joining.opening import GamePlan, open_game

from .told import Leak
from .worlds import Below, chance

KEY, RECOVERY = RefereeKey(bytes(range(32))), RefereeKey(bytes(range(32, 64)))


def look(game: Game, seats: int, seed: int) -> int:
    """Raises Leak. A game of a few links under the real seals; how many tokens were looked at."""
    below = chance("real", seed)
    secret = digest(repr(seed).encode())
    config = game.configure(game.seats[:seats], {})
    names = tuple(f"Player {n}" for n, _ in enumerate(config.seats))
    keys = (RECOVERY.public, RECOVERY.wrap_public)
    plan = GamePlan(config, names, *keys, (), "0", "2026-11-02T08:00:00Z")
    raw = open_game(plan, game, KEY, secret)[2]
    at = load_game(raw, KEY.public, secret, game)
    number = 0
    for _ in range(3):
        played, state, events, values = _course(at, below)
        hands = {seat: _HAND * below(3) for seat in config.seats}
        made = NextRecordInputs(at.record.n + 1, at.game_id, at.state_hash, "play", plan.time, at.record, values, hands)
        record = build_next_record(made, game, state, played, events, _seals(secret, made))
        _all_new(at.record, record)
        _one_length(record)
        _hangs_on_the_secret(made, game, state, played, events, record)
        _same_rows_for_a_twin(made, game, state, played, events, record, below)
        number += len(record.sealed_values) + len(record.entries)
        at = at._replace(record=record, state_hash=digest(repr(record).encode()), state=state)
    return number


_HAND = "later 3 reply -\n1 - wall A1"  #: what may wait, any number of times


def _seals(secret: bytes, made: NextRecordInputs) -> Seals:
    return Seals(secret, made.game_id, made.number, made.previous_hash)


def _course(at: LoadedGame, below: Below) -> tuple[list[ExecutedOrder], Any, list[Any], dict[str, str]]:
    """Some orders, short ones and long ones."""
    game, state = at.game, at.state
    played: list[ExecutedOrder] = []
    events: list[Any] = []
    values: dict[str, str] = {}
    for _ in range(10):
        values |= {slot: one.for_sealing() for slot, one in game.encode(state).hidden.items()}
        asked = game.questions(game.view(state, None))
        if not asked:
            break
        lines = game.legal(game.view(state, asked[0].seat))
        line = lines[below(len(lines))]
        step = game.apply(state, asked[0].seat, line, at.record.n + 1)
        state, events = step.state, [*events, *step.events]
        quoted = "" if below(2) else "A" * 43
        played.append(ExecutedOrder(asked[0].seat, "reply", line, game.public_words(line), below(99), 1, quoted))
    values |= {slot: one.for_sealing() for slot, one in game.encode(state).hidden.items()}
    return played, state, events, values


def _tokens(record: StateRecord) -> list[str]:
    return [*(one.token for one in record.sealed_values), *(one.token for one in record.entries)]


def _all_new(before: StateRecord, record: StateRecord) -> None:
    """Nobody can follow a value from state to state."""
    again = set(_tokens(before)) & set(_tokens(record))
    if again:
        raise Leak("tokens that came before", "anybody", again, "none")
    if len(set(_tokens(record))) != len(_tokens(record)):
        raise Leak("tokens that are equal", "anybody", _tokens(record), "none")


def _one_length(record: StateRecord) -> None:
    for what, rows in (("tokens", record.sealed_values), ("order tokens", record.entries)):
        lengths = {len(one.token) for one in rows}
        if len(lengths) > 1:
            raise Leak(f"lengths of {what}", "anybody", lengths, "one length")


def _hangs_on_the_secret(
    made: NextRecordInputs, game: Game, state: Any, played: Any, events: Any, record: StateRecord
) -> None:
    """With another secret nothing stays: so nothing here can be guessed without it."""
    other = build_next_record(made, game, state, played, events, _seals(digest(b"another"), made))
    pairs: dict[str, tuple[list[Any], list[Any]]] = {
        "tokens": (_tokens(record), _tokens(other)),
        "commitments": ([c for _, c in record.new_commitments], [c for _, c in other.new_commitments]),
        "order commitments": ([e.commitment for e in record.entries], [e.commitment for e in other.entries]),
        "hand commitments": ([c for _, c in record.pending_commitments], [c for _, c in other.pending_commitments]),
    }
    for what, (here, there) in pairs.items():
        if set(here) & set(there):
            raise Leak(f"{what} that need no secret", "anybody", here, there)


def _same_rows_for_a_twin(
    made: NextRecordInputs, game: Game, state: Any, played: Any, events: Any, record: StateRecord, below: Below
) -> None:
    """Row by row as long as in a world whose hidden values are others."""
    twin = game.guess(game.view(state, None), below)
    others = [one._replace(line=_longest(one.line), orders_number=1) for one in played]
    made = made._replace(pending_by_seat={})
    other = build_next_record(made, game, twin, others, events, _seals(digest(b"s"), made))
    here, there = (_lengths(write_record(one)) for one in (record, other))
    if here != there:
        raise Leak("lengths of rows", "a spectator", here, there)


def _longest(line: str) -> str:
    words = line.split()
    return f"card master-builder {words[2]}" if words[0] == "card" else line


def _lengths(written: dict[str, Any]) -> dict[str, Any]:
    return {key: [len(row) for row in rows] for key, rows in written.items() if isinstance(rows, list)}
