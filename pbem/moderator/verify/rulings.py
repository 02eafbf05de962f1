"""Is a ruling what it says, and is there none where there is none? From the public rows alone.

What lives here: what each ruling may change, and that nothing else changes without an order. What
must never be here: the secret, the rules of a game, files.
Laws: a ruling makes a link of its own; of the game, the players and the keys it changes what its
kind may.
Source: docs/SPECIFICATION.md sections 9 and 12; ruling/kinds.py, which has the kinds.
"""

from collections.abc import Mapping

from pbem.crypto.tokens import commit_secret
from pbem.moderator.chain.link import CLOSED, PHASES, Link
from pbem.moderator.ruling.kind import Kind, as_before
from pbem.moderator.ruling.kinds import kind_of


def wrong_ruling(link: Link, before: Link | None, links: Mapping[int, Link]) -> str:
    """What is wrong with what a link rules, or changes without a ruling; "" if nothing."""
    wrong = _closing(link) or _dealing(link)
    if wrong or before is None or not before.dealt or not link.dealt:
        return wrong
    if link.setup != before.setup:  # other seats, perhaps: nothing can be compared
        return "changes what was settled in the genesis"
    return _ruled(link, before, links) if link.rulings else _without(link, before)


def _closing(link: Link) -> str:
    """The last link opens the secret, and says so."""
    closes = [ruling.name for ruling in link.rulings if kind_of(ruling).closes]
    if link.phase != CLOSED:
        return f"has the ruling `{closes[0]}` and does not close the game" if closes else ""
    if commit_secret(link.secret) != link.setup.commit:
        return "opens another secret than the genesis committed to"
    if not closes or len(closes) != len(link.rulings):
        return "closes the game without the ruling that does"
    return "closes the game twice" if link.rulings[1:] else ""


def _dealing(link: Link) -> str:
    """In the deal nothing is played or ruled yet."""
    if link.phase != PHASES[2]:
        return ""
    if link.entries or link.rulings or link.replaced:
        return "has orders or rulings in the deal"
    nothing = tuple((seat, 0) for seat in link.setup.seats)
    return "" if link.answered == nothing else "counts answers before the first order"


def _ruled(link: Link, before: Link, links: Mapping[int, Link]) -> str:
    """A ruling, in a link of its own."""
    kind = kind_of(link.rulings[0])
    if any(ruling.name != kind.name or not kind.several for ruling in link.rulings[1:]):
        return "has two different rulings"
    if link.entries or link.events or link.openings:
        return "has a ruling together with orders"
    if (link.referees != before.referees) != kind.appoints:
        return f"has the ruling `{kind.name}`, which does not fit its keys"
    void = _void(link, kind)
    wrong = _people(link, before, kind, void) or kind.wrong(link, before, links)
    if not wrong and link.answered != tuple((x, n + (x in void)) for x, n in before.answered):
        wrong = "counts other answers than it has orders"
    if wrong or kind.voids or as_before(link, before):
        return wrong
    return f"changes the game under the ruling `{kind.name}`"


def _without(link: Link, before: Link) -> str:
    """No ruling: orders alone change the game."""
    if not link.entries:
        return "has neither an order nor a ruling"
    if link.referees != before.referees or link.people != before.people:
        return "changes who plays or who may sign, without a ruling"
    if link.replaced != before.replaced:
        return "replaces a hidden value without a ruling"
    given = {entry.source for entry in link.entries}
    if "default" in given and dict(link.setup.options).get("missed") != "default":
        return "gives an order by default, in a game that waits for a missed turn (R-2)"
    told = dict(before.answered)
    for entry in link.entries:
        told[entry.seat] = told.get(entry.seat, 0) + 1
    same = link.answered == tuple(told.items())
    return "" if same else "counts other answers than it has orders"


def _void(link: Link, kind: Kind) -> frozenset[str]:
    """The seats whose older orders count no more: their questions are asked again."""
    seat = link.rulings[0].operand("seat") if kind.reseats else ""
    return frozenset(
        x.seat for x in link.people if kind.voids or (x.seat == seat and x.since == link.n)
    )


def _people(link: Link, before: Link, kind: Kind, void: frozenset[str]) -> str:
    """Who plays, and from when on his orders count."""
    free = link.rulings[0].operand("seat") if kind.reseats else ""
    for player, old in zip(link.people, before.people, strict=True):
        told = old._replace(since=link.n) if player.seat in void else old
        if player != told and not (player.seat == free and player.since == told.since):
            return f"changes the player of {player.seat} otherwise than it rules"
    return ""
