"""A ruling in full, for whoever has the states: what was taken back, who was there before.

What lives here: ``ruling_in_full``. What must never be here: the short form, which needs the ruling
alone (ruling.py); a hidden value while the game goes on; an address.
Law: of a corrected hidden thing it says the values where they are open, and else that they open at
the end; a fact of the position is called as its game calls it.
Source: docs/DESIGN.md P10; docs/SPECIFICATION.md section 9.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.errors import PbemError
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import Seated
from pbem.moderator.chain.ruling import Ruling, corrects_hidden, ruling_words
from pbem.moderator.ruling import correction
from pbem.moderator.ruling.difference import slot_words
from pbem.moderator.ruling.fields import differing, field_words
from pbem.moderator.ruling.undo import undo_to

if TYPE_CHECKING:
    from pbem.engine.game import Game

MOST_ORDERS = 40  #: that an undo took back and that are told one by one


class Sight(NamedTuple):
    """What the teller can look up besides the two states."""

    game: "Game | None"
    #: an older state; None where it is not here
    earlier: Callable[[int], Link | None]
    #: what the game calls a slot, and a state: the value in it, "" while it is hidden
    value: Callable[[int, str], str] = lambda _, __: ""
    #: a state, and the number of an order in it, from 1: the order whole, "" while that is hidden
    order: Callable[[int, int], str] = lambda _, __: ""


def ruling_in_full(
    ruling: Ruling, before: Link | None, people: Mapping[str, Seated], sight: Sight
) -> str:
    """A ruling of the state after ``before``, as all players may read it.

    ``people`` are those who sit there from then on. Without ``before`` it is the short form.
    """
    if before is None or ruling.name not in SAID:
        return ruling_words(ruling)
    try:
        said = SAID[ruling.name](ruling, before, people, sight)
    except (PbemError, LookupError, ValueError):  # rows that no pbem wrote: audit has a finding
        return ruling_words(ruling)
    return f"{said}{'' if said.endswith('.') else '.'} Reason: {ruling.reason}"


def _undone(ruling: Ruling, before: Link, _: Mapping[str, Seated], sight: Sight) -> str:
    to = int(ruling.operand("to"))

    def state_of(n: int) -> Link:
        found = sight.earlier(n)
        if found is None:
            raise LookupError(n)
        return found

    undo = undo_to(before, to, state_of)
    fell = [line for link in undo.links for line in _orders(link, sight)]
    again = [line for link in undo.again for line in _orders(link, sight)]
    said = [f"the game goes back to state {to}"]
    said += [f"Taken back: {_listed(fell) or 'no order'}"] if fell or not again else []
    return ". ".join(said + ([f"Counts again: {_listed(again)}"] if again else []))


def _listed(lines: list[str]) -> str:
    more = len(lines) - MOST_ORDERS
    return "; ".join(lines[:MOST_ORDERS]) + (f"; and {more} more" if more > 0 else "")


def _orders(link: Link, sight: Sight) -> list[str]:
    """What an undo is about in a link: the orders by those who gave them, and corrections."""
    found = [
        f"{link.player(x.seat).name} ({x.seat}): {sight.order(link.n, number) or x.words}"
        for number, x in enumerate(link.entries, 1)
    ]
    return found + [ruling_words(ruling) for ruling in link.rulings if ruling.name == "correct"]


def _corrected(ruling: Ruling, before: Link, _: Mapping[str, Seated], sight: Sight) -> str:
    if not corrects_hidden(ruling):
        field, values = ruling.operand("field"), (ruling.operand("old"), ruling.operand("new"))
        if parts := differing(sight.game, before.position, field, *values):
            return "; ".join(f"{what}: corrected from `{a}` to `{b}`" for what, a, b in parts)
        what = field_words(sight.game, before.position, field)
        return f"{what}: corrected from {_value(ruling, 'old')} to {_value(ruling, 'new')}"
    slot = ruling.operand("slot")
    what, n = slot_words(sight.game, before.position, slot), before.n
    old, new = sight.value(n, slot), sight.value(n + 1, slot)
    if old and new:
        return f"{what}, which lay hidden: corrected from {old} to {new}"
    places = f"in the states: {slot}, from now on {ruling.operand('new')}"
    return f"{what} is corrected; it lies hidden, its values are shown at the end ({places})"


def _value(ruling: Ruling, name: str) -> str:
    return f"`{ruling.operand(name)}`" if ruling.operand(name) else "nothing"


def _seated(ruling: Ruling, before: Link, people: Mapping[str, Seated], _: Sight) -> str:
    """What is another of a player, old and new; of his address that it is another, no more."""
    seat, what = ruling.operand("seat"), ruling.operand("what").split(",")
    old, now = before.player(seat), people[seat]
    known = _known_now(old, now, "known" in what)
    has = ["another mail address"] if "address" in what else []
    if "language" in what:
        language = ruling.operand("language")
        has.append(f"mails in {language}" if language else "mails in another language")
    if old.name != now.name:
        more = [known or f"{now.way.said}, as before", *(f"with {text}" for text in has)]
        return f"{now.name} plays {seat} from now on in place of {old.name}, {', '.join(more)}"
    said = [f"has {' and '.join(has)}"] if has else []
    said += [f"is {known}"] if known else []
    return f"{now.name} ({seat}) {' and '.join(said) or 'stays as he was'} from now on"


def _known_now(old: Seated, now: Seated, settled: bool) -> str:
    """What a player is identified by, where that is another or is ``settled`` again; else ""."""
    if old.way != now.way:
        return f"{now.way.said} (before: by {old.way.by})"
    if old.key != now.key:
        return "identified by another key than before"
    return f"{now.way.said}, settled again" if settled else ""


Teller = Callable[[Ruling, Link, Mapping[str, Seated], Sight], str]
SAID: Mapping[str, Teller] = {"undo": _undone, "correct": _corrected, "player": _seated}


def people_by_seat(link: Link) -> dict[str, Seated]:
    """Who sits where in a state."""
    return {player.seat: player for player in link.people}


def rulings_in_full(link: Link, sight: Sight) -> tuple[str, ...]:
    """Every ruling of a state, in full as far as the states before it are here."""
    before = sight.earlier(link.n - 1) if link.rulings and link.n else None
    found: list[str] = []
    for ruling in link.rulings:
        found.append(ruling_in_full(ruling, before, people_by_seat(link), sight))
        before = _after(before, ruling)
    return tuple(found)


def _after(before: Link | None, ruling: Ruling) -> Link | None:
    """Rows that several corrections take away or add are named as each of them finds them."""
    if before is None or ruling.name != "correct" or corrects_hidden(ruling):
        return before

    try:
        position: dict[str, Any]
        field, new = ruling.operand("field"), ruling.operand("new")
        position, _ = correction.edited(before.position, field, new)
    except PbemError:
        return before
    return before._replace(position=position)
