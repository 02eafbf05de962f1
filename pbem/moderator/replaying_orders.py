"""The orders in a state, taken out of their seals, and whether each may stand there.

What lives here: reading an order's sealed value, its signature and number, what an order given for
a player must be. What must never be here: carrying it out (replaying.py).
Laws: a seat with a key is played by signed orders alone; an order given for a seat is the one that
the rules give (R-1, R-2), or nobody could tell it from one put into its player's mouth.
Source: construction.md "Order", "Entry"; P6.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.encoding import b64
from pbem.crypto.hashing import unpae
from pbem.crypto.signing import verify
from pbem.errors import BadInput
from pbem.moderator.document import Link
from pbem.moderator.position import Played

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.moderator.replaying import Replay
    from pbem.moderator.seals import Seals

#: numbers of signed orders used so far: by seat the highest file, and the lines used of it
Kept = dict[str, tuple[int, frozenset[int]]]

#: where an order may have come from, by how its player is known
ALLOWED = {
    "key": ("signed",),
    "reply": ("reply", "typed"),
    "password": ("password", "typed"),
    "typed": ("typed",),
}
GIVEN = ("forced", "default", "ruling")

#: a finding: the item of the audit, and what is wrong
Wrong = tuple[str, str]


class Sealed(NamedTuple):
    """An order as it lies in a token, and its signature (b"" where there is none)."""

    played: Played
    sig: bytes


def orders_in(link: Link, seals: "Seals", game: "Game") -> list[Sealed]:
    """Every order of a link, opened; one that does not open is an order nobody gave."""
    return [
        _order(f"{link.n}/order/{i}", entry.seat, entry.source, entry.token, seals, game)
        for i, entry in enumerate(link.entries, 1)
    ]


def _order(slot: str, seat: str, source: str, token: str, seals: "Seals", game: "Game") -> Sealed:
    try:
        nr, i, head, sig, line = unpae(seals.open_order(slot, token))
        text = line.decode()
        words = game.public_words(text)
        quoted = b64(head)
        return Sealed(Played(seat, source, text, words, int(nr), int(i), quoted), sig)
    except (BadInput, ValueError, LookupError):
        return Sealed(Played(seat, source, "", ""), b"")


def checked(
    run: "Replay", state: Any, before: Link, link: Link, one: Played, sig: bytes
) -> Wrong | None:
    """What is wrong with an order where it stands; None if nothing can be held against it."""
    if not one.line:
        return "sealed", "what is sealed there is no order"
    if one.seat not in before.setup.seats:
        return "orders", "there is no such seat"
    if one.source in GIVEN:
        return _given(run.game, state, link, one)
    known = before.player(one.seat).known
    if one.source not in ALLOWED[known]:
        return "signed", f"its player is known by {known}, and it came as {one.source}"
    if one.source != "signed":
        return ("signed", "it has a signature nobody can have made") if sig else None
    return _signed(run, before, one, sig)


def _given(game: "Game", state: Any, link: Link, one: Played) -> Wrong | None:
    """R-1, R-2: what was answered for a player is what the rules answer for him."""
    view = game.view(state, one.seat)
    asked = [question for question in game.questions(view) if question.seat == one.seat]
    if not asked:
        return "orders", "its player was not asked"
    if one.source == "forced" and (not asked[0].forced or game.legal(view)[0] != one.line):
        return "orders", "it is said to be the only order there was, and is not"
    if one.source == "default" and game.default(view) != one.line:
        return "orders", "it is said to be what a missed turn gives, and is not"
    if one.source == "ruling" and not link.rulings:
        return "rulings", "it is said to come from a ruling, and there is none"
    return None


def _signed(run: "Replay", before: Link, one: Played, sig: bytes) -> Wrong | None:
    """The signature, a number not used before, a head of this chain that is still in time."""
    heads = {b64(standing.head): n for n, standing in run.past.items()}
    if one.quoted not in heads:
        return "signed", "it was written for a state that is not in this chain"
    player = before.player(one.seat)
    if heads[one.quoted] < player.since:
        return "signed", "it was written before its player, his key or the game changed"
    quoted = run.past[heads[one.quoted]].head
    parts = (before.game, one.seat, one.nr, one.number, quoted, before.setup.rulings, one.line)
    if not verify(player.key, "order", sig, *parts):
        return "signed", "its player did not sign it"
    nr, used = run.kept.get(one.seat, (0, frozenset()))
    if one.nr < nr or (one.nr == nr and one.number in used):
        return "signed", "it was used before, or replaced by newer orders"
    rest = used if one.nr == nr else frozenset[int]()
    run.kept[one.seat] = one.nr, rest | {one.number}
    return None
