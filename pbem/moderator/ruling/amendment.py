"""The link a ruling makes: what it stands on, and what it says.

What lives here: Basis (what the next link is made after), one function for each ruling, ``made``.
What must never be here: files, asking for consent, the words of a report.
Laws: a ruling makes exactly one link, without orders; a commitment stays with its slot, and nothing
is dealt again; who is told what stays told. An undo and a correction make older answers stale.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.crypto.keys import RefereeKey
from pbem.moderator.chain.link import CLOSED, PHASES, Link
from pbem.moderator.chain.people import Referees, Seated
from pbem.moderator.chain.position import (
    Next,
    Position,
    Seals,
    check_decodes,
    next_link,
    written,
)
from pbem.moderator.chain.ruling import Ruling
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.turn.resolution import Made


class Basis(NamedTuple):
    """What the link of a ruling is made of: the link it stands on, the State, the rulings."""

    before: Link
    state: Any
    rulings: tuple[Ruling, ...]
    closing: bool = False


def standing(position: Position, ruling: Ruling) -> Basis:
    """A ruling that leaves the game as it is: a note, or a backup gone on from."""
    return Basis(position.link, position.state, (ruling,))


def closed(position: Position, ruling: Ruling) -> Basis:
    """The last link: it opens the secret."""
    return Basis(position.link, position.state, (ruling,), closing=True)


def undone(position: Position, target: Position, ruling: Ruling) -> Basis:
    """The State of an older link, as the next one. Who plays and who may sign stays as it is."""
    now, then = stale(position.link), target.link
    before = now._replace(
        heads=tuple(sorted((dict(now.heads) | dict(then.heads)).items())),
        replaced=then.replaced,
        sealed=then.sealed,
        position=then.position,
    )
    return Basis(before, target.state, (ruling,))


def corrected(
    position: Position, state: Any, rulings: tuple[Ruling, ...], replaced: Mapping[str, str]
) -> Basis:
    """Another State; ``replaced``: the game's slots whose value is another, to their new slots."""
    now = stale(position.link)
    rows = dict(now.replaced) | dict(replaced)
    before = now._replace(replaced=tuple(sorted(rows.items())))
    return Basis(before, state, rulings)


def seated(position: Position, player: Seated, ruling: Ruling) -> Basis:
    """Another player at a seat, or another way to know him, where ``one`` is since the next
    link.
    """
    now = position.link
    people = tuple(player if each.seat == player.seat else each for each in now.people)
    before = now._replace(people=people)
    if player.since == now.n + 1:
        before = _one_more(before, frozenset({player.seat}))
    return Basis(before, position.state, (ruling,))


def handed(
    position: Position, row: Referees, wraps: tuple[tuple[str, bytes], ...], ruling: Ruling
) -> Basis:
    """Other referees, with the secret wrapped to them."""
    now = position.link
    before = now._replace(referees=(*now.referees, row), wraps=wraps)
    return Basis(before, position.state, (ruling,))


def stale(now: Link) -> Link:
    """Orders written for this link or an older one count no more, whoever's they are."""
    people = tuple(player._replace(since=now.n + 1) for player in now.people)
    return _one_more(now._replace(people=people), frozenset(now.setup.seats))


def _one_more(now: Link, seats: frozenset[str]) -> Link:
    """The next question of these seats: the code of the one before is good no longer."""
    answered = tuple((seat, number + (seat in seats)) for seat, number in now.answered)
    return now._replace(answered=answered)


def made(
    position: Position,
    basis: Basis,
    secret: bytes,
    key: RefereeKey,
    time: str,
) -> Made:
    """The link of a ruling, signed and read back. ``position`` is the newest one."""
    link, raw = _written(position, basis, secret, key, time)
    after = position._replace(link=link, head=head_of(raw), state=basis.state)
    return Made(raw, link, after)


def _written(
    position: Position,
    basis: Basis,
    secret: bytes,
    key: RefereeKey,
    time: str,
) -> tuple[Link, bytes]:
    seals = Seals(secret, position.id, position.link.n + 1, position.head)
    link = ruled_link(position, basis, secret, time, seals)
    check_decodes(link, basis.state, seals, position.game)
    return link, written(link, key.signing, key.public)


def ruled_link(position: Position, basis: Basis, secret: bytes, time: str, seals: Seals) -> Link:
    """What the link of a ruling says, after the newest position."""
    n, game = position.link.n + 1, position.game
    hidden = game.encode(basis.state).hidden
    values = {slot: thing.for_sealing() for slot, thing in hidden.items()}
    parts = Next(n, position.id, position.head, PHASES[3], time, basis.before, values)
    link = next_link(parts, game, basis.state, (), (), seals, basis.rulings)
    return link._replace(phase=CLOSED, secret=secret) if basis.closing else link
