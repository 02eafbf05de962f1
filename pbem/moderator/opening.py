"""Opening a game: genesis, roster and deal, links 0 to 2.

What lives here: Plan and ``open_game``. What must never be here: files, randomness (the secret
comes
in). The deal is from the referee's secret alone: nobody contributed, and every report says so.
Source: construction.md "0 genesis", "1 roster", "2 deal", "Streams"; P4.
"""

from typing import TYPE_CHECKING, NamedTuple

from pbem.crypto.encoding import b64, game_id
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import commit_secret
from pbem.crypto.streams import deal_key, table, words
from pbem.engine.chance import shuffled
from pbem.engine.settings import Config
from pbem.moderator.chain import head_of
from pbem.moderator.document import Link, Setup
from pbem.moderator.position import MakeSeals, Next, check_decodes, next_link, written
from pbem.moderator.seals import RealSeals

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


def open_game(
    plan: Plan, game: "Game", key: RefereeKey, secret: bytes, make_seals: MakeSeals = RealSeals
) -> tuple[bytes, bytes, bytes]:
    """The files of links 0, 1 and 2. The secret must be fresh: whoever knows it knows the deal."""
    setup = Setup(
        kind=game.kind,
        rulings=game.rulings,
        version=plan.version,
        seats=plan.config.seats,
        names=plan.names,
        options=plan.config.options,
        acting=key.public,
        acting_wrap=key.wrap_public,
        recovery=plan.recovery,
        recovery_wrap=plan.recovery_wrap,
        commit=commit_secret(secret),
        wraps=plan.wraps,
        round=1,
        previous="none",
    )
    genesis_link = _plain(0, "", "", setup, plan.time)
    genesis = written(genesis_link, key.signing, key.public)
    game_name = game_id(genesis)
    roster_link = _plain(1, game_name, b64(head_of(genesis)), setup, plan.time)
    roster = written(roster_link, key.signing, key.public)
    deal = _deal(plan, game, key, secret, roster_link, head_of(roster), make_seals)
    return genesis, roster, deal


def _plain(n: int, game: str, prev: str, setup: Setup, time: str) -> Link:
    """Genesis or roster: no position yet. Nobody joined with a contribution of his own."""
    nothing = tuple((seat, NONE) for seat in setup.seats) if n else ()
    phase = ("genesis", "roster")[n]
    return Link(n, game, prev, phase, time, setup, nothing, (), (), (), (), (), (), (), (), {})


def piles_dealt(
    config: Config, game: "Game", secret: bytes, link: Link, head: bytes
) -> dict[str, tuple[str, ...]]:
    """Every pile in the order drawn, from the secret and the roster (``link``, with its head).

    Secrecy: the moderator alone, until the secret is opened at the end.
    """
    contributions = [(seat, b"") for seat, _ in link.contributions]
    stream = words(deal_key(secret, table(head, contributions)))
    return {pile.name: shuffled(stream, pile.name, pile.items) for pile in game.piles(config)}


def _deal(
    plan: Plan,
    game: "Game",
    key: RefereeKey,
    secret: bytes,
    roster: Link,
    head: bytes,
    make_seals: MakeSeals,
) -> bytes:
    dealt = piles_dealt(plan.config, game, secret, roster, head)
    state, events = game.setup(plan.config, dealt, 2)
    # a pile's slots are numbered by place (game.py, Pile), so their values are known here
    values = {
        f"2/{name}/{i:02d}": value for name, pile in dealt.items() for i, value in enumerate(pile)
    }
    opened_now = {slot for happened in events for who, slot in happened.opens if who == "all"}
    seals = make_seals(secret, roster.game, 2, head)
    made = Next(2, roster.game, head, "deal", plan.time, roster, {s: values[s] for s in opened_now})
    link = next_link(made, game, state, (), events, seals)
    check_decodes(link, state, seals, game)
    return written(link, key.signing, key.public)
