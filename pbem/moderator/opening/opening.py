"""Opening a game: genesis, roster and deal, links 0 to 2; and giving a round up.

What lives here: Plan, and the making of each of these links. What must never be here: files,
randomness (the secret comes in), the reading of what players answered (answers.py).
Law: no choice is left after the genesis; a round that is given up opens its secret.
Source: docs/SPECIFICATION.md sections 5 and 6; P4.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.encoding import b64, game_id
from pbem.crypto.keys import RefereeKey
from pbem.crypto.tokens import Words, commit_secret, deal_key, stream_table
from pbem.engine.hidden import shuffled
from pbem.engine.settings import Config
from pbem.errors import Refused
from pbem.moderator.chain.link import CLOSED, PHASES, Link, Setup, config_of
from pbem.moderator.chain.people import REPLY, Joined, Opened, Referees, Seated
from pbem.moderator.chain.position import Next, Seals, check_decodes, next_link, written
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening.contribution import seated
from pbem.moderator.ruling.kind import close

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a seat that gave nothing to the deal
NONE = "none"


class Plan(NamedTuple):
    """What the referee has decided; nothing is left open after it."""

    config: Config
    names: tuple[str, ...]  #: players' names, in the order of the seats
    recovery: bytes  #: the recovery referee's public keys: signing, and wrapping
    recovery_wrap: bytes
    wraps: tuple[tuple[str, bytes], ...]
    version: str
    time: str
    identified: tuple[str, ...] = ()  #: by what each player is identified, in the order of seats
    round: int = 1
    previous: str = "none"  #: head (b64) of the genesis that this one replaces


def open_game(
    plan: Plan, game: "Game", key: RefereeKey, secret: bytes
) -> tuple[bytes, bytes, bytes]:
    """The files of links 0, 1 and 2, dealt at once: nobody gives anything to the deal.

    The secret must be fresh: whoever knows it knows the deal.
    """
    first, genesis = open_round(plan, game, key, secret)
    nothing = tuple(Joined(seat, NONE) for seat in plan.config.seats)
    second, roster = close_roster(first, genesis, nothing, key, plan.time)
    return genesis, roster, deal(second, roster, (), game, key, secret, plan.time)


def open_round(plan: Plan, game: "Game", key: RefereeKey, secret: bytes) -> tuple[Link, bytes]:
    """The genesis: what is played, by whom, and who may sign."""
    setup = Setup(
        kind=game.kind,
        rulings=plan.config.rulings,
        version=plan.version,
        seats=plan.config.seats,
        options=plan.config.options,
        commit=commit_secret(secret),
        round=plan.round,
        previous=plan.previous,
    )
    keys = Referees(0, key.public, key.wrap_public, plan.recovery, plan.recovery_wrap)
    ways = plan.identified or (REPLY.name,) * len(plan.names)
    people = tuple(
        Seated(seat, how, b"", 0, name)
        for seat, how, name in zip(plan.config.seats, ways, plan.names, strict=True)
    )
    link = Link(0, "", "", PHASES[0], plan.time, setup, (keys,), plan.wraps, people)
    return link, written(link, key.signing, key.public)


def close_roster(
    before: Link, genesis: bytes, joined: tuple[Joined, ...], key: RefereeKey, time: str
) -> tuple[Link, bytes]:
    """Link 1: what each seat answered to the invitation, in the order of seats.

    Refused ``join/no-key`` where a seat that must join with a key has not.
    """
    for seat, answer in zip(before.people, joined, strict=True):
        if seat.way.key and not answer.sealed:
            raise Refused(
                "join/no-key",
                f"{seat.name} ({seat.seat}) is to be identified by a key, but joined without a key",
                "ask for an answer made by `pbem orders join`, or give the round up",
            )
    link = roster_link(before, genesis, joined, time)
    return link, written(link, key.signing, key.public)


def roster_link(before: Link, genesis: bytes, joined: tuple[Joined, ...], time: str) -> Link:
    """What link 1 says."""
    return before._replace(
        n=1,
        game=game_id(genesis),
        prev=b64(head_of(genesis)),
        phase=PHASES[1],
        time=time,
        people=seated(before.people, joined),
        roster=joined,
    )


def contributions(roster: Link, opened: tuple[Opened, ...]) -> tuple[tuple[str, bytes, str], ...]:
    """(seat, its bytes for the table, its class) in the order of seats; all must be there."""
    r = {contribution.seat: contribution.r for contribution in opened}
    found = []
    for answer in roster.roster:
        if answer.sealed:
            found.append((answer.seat, r[answer.seat], answer.given))
        else:
            found.append((answer.seat, answer.text.encode(), answer.given))
    return tuple(found)


def piles_dealt(
    config: Config, game: "Game", secret: bytes, head: bytes, given: Mapping[str, bytes]
) -> dict[str, tuple[str, ...]]:
    """Every pile in the order drawn, from the secret, the roster's head and what each seat gave.

    Secrecy: the moderator alone, until the secret is opened at the end.
    """
    stream = Words(deal_key(secret, stream_table(head, list(given.items()))))
    return {pile.name: shuffled(stream, pile.name, pile.items) for pile in game.piles(config)}


def deal(
    roster: Link,
    raw: bytes,
    opened: tuple[Opened, ...],
    game: "Game",
    key: RefereeKey,
    secret: bytes,
    time: str,
) -> bytes:
    """Link 2: the first position, from the secret and every contribution (``raw``: the roster)."""
    seals = Seals(secret, roster.game, 2, head_of(raw))
    link, state = dealt_link(roster, head_of(raw), opened, game, secret, time, seals)
    check_decodes(link, state, seals, game)
    return written(link, key.signing, key.public)


def dealt_link(
    roster: Link,
    head: bytes,
    opened: tuple[Opened, ...],
    game: "Game",
    secret: bytes,
    time: str,
    seals: Seals,
) -> tuple[Link, Any]:
    """What link 2 says, and the first State, after the roster with this head."""
    given = contributions(roster, opened)
    config = config_of(roster)
    dealt = piles_dealt(config, game, secret, head, {seat: what for seat, what, _ in given})
    state, events = game.setup(config, dealt, 2)
    # a pile's slots are numbered by place (game.py, Pile), so their values are known here
    values = {
        f"2/{name}/{i:02d}": value for name, pile in dealt.items() for i, value in enumerate(pile)
    }
    opened_now = {slot for happened in events for who, slot in happened.opens if who == "all"}
    before = roster._replace(contributions=tuple((seat, what) for seat, _, what in given))
    made = Next(2, roster.game, head, PHASES[2], time, before, {s: values[s] for s in opened_now})
    return next_link(made, game, state, (), events, seals)._replace(opened=opened), state


def give_up(
    before: Link, raw: bytes, secret: bytes, reason: str, key: RefereeKey, time: str
) -> bytes:
    """The link that closes a round before its deal: it opens the secret, so that all can check."""
    game = before.game or game_id(raw)
    link = given_up_link(before, game, head_of(raw), secret, reason, time)
    return written(link, key.signing, key.public)


def given_up_link(
    before: Link, game: str, head: bytes, secret: bytes, reason: str, time: str
) -> Link:
    """What that link says, after ``before`` with its head."""
    return before._replace(
        n=before.n + 1,
        game=game,
        prev=b64(head),
        phase=CLOSED,
        time=time,
        roster=(),
        secret=secret,
        rulings=(close(reason),),
    )
