"""The ruling by which the player of a seat is another, or is reached or identified otherwise.

What lives here: PLAYER. What must never be here: an address, a password, how a referee asks for it.
Law: the ruling says all that it changes of a player: nobody else would look for it.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/DESIGN.md P6.
"""

from collections.abc import Mapping

from pbem.moderator.chain.link import Link, Ruling
from pbem.moderator.chain.people import Seated
from pbem.moderator.chain.position import Position, Seals
from pbem.moderator.ruling.kind import Basis, Kind, PositionAt, Sight, one_more, standing

#: what may be another of a player, in the order in which a ruling says it
OF_A_PLAYER = ("name", "address", "language", "known")


def ruling_of(
    seat: str, what: tuple[str, ...], identified: str, language: str, reason: str
) -> Ruling:
    """What all are told: the seat, and what of its player is another; no address."""
    told = (("seat", seat), ("what", ",".join(what)), ("known", identified), ("language", language))
    return PLAYER.ruling(reason, *(pair for pair in told if pair[1]))


def seated(position: Position, player: Seated, ruling: Ruling) -> Basis:
    """Another player at a seat, or another way to know him, where ``one`` is since the next
    link.
    """
    now = position.link
    people = tuple(player if each.seat == player.seat else each for each in now.people)
    before = now._replace(people=people)
    if player.since == now.n + 1:
        before = one_more(before, frozenset({player.seat}))
    return standing(position, ruling)._replace(before=before)


def newcomer(link: Link, seat: str | None) -> bool:
    """Whether a ruling of this link sat another player at the seat."""
    return any(_new_name(ruling, seat) for ruling in link.rulings if ruling.name == PLAYER.name)


def _new_name(ruling: Ruling, seat: str | None) -> bool:
    return ruling.operand("seat") == seat and "name" in _what(ruling)


def _what(ruling: Ruling) -> list[str]:
    return ruling.operand("what").split(",")


def _player_fits(ruling: Ruling) -> bool:
    what, told = _what(ruling), dict(ruling.operands)
    ordered = what == [name for name in OF_A_PLAYER if name in what]
    if not ordered or ("known" in told) != ("known" in what):
        return False
    return "language" not in told or ("language" in what and bool(told["language"]))


def _player_words(ruling: Ruling) -> str:
    what = ", ".join(_what(ruling)).replace("known", "how they are identified")
    return f"the player of {ruling.operand('seat')}: {what} changed"


def _player_in_full(ruling: Ruling, before: Link, link: Link, _: Sight) -> str:
    """What is another of a player, old and new; of his address that it is another, no more."""
    seat, what = ruling.operand("seat"), _what(ruling)
    old, now = before.player(seat), link.player(seat)
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


def _player_carry(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis | None:
    """The row of that seat is as the state has it; the others stay."""
    ruling = link.rulings[0]
    if ruling.operand("seat") not in link.setup.seats:
        return None
    return seated(newest, link.player(ruling.operand("seat")), ruling)


def _player_wrong(link: Link, before: Link, _: Mapping[int, Link]) -> str:
    ruling = link.rulings[0]
    seat, what = ruling.operand("seat"), _what(ruling)
    if seat not in link.setup.seats:
        return "rules on a seat that there is not"
    player, old = link.player(seat), before.player(seat)
    known = (player.identified, player.key) != (old.identified, old.key)
    silent = (player.name != old.name and "name" not in what) or (known and "known" not in what)
    if silent or ("known" in what and ruling.operand("known") != player.identified):
        return f"changes the player of {seat} otherwise than it says"
    if what == ["language"] and player != old:
        return f"changes the player of {seat} though it speaks of his language alone"
    if what != ["language"] and player.since != link.n:
        return f"lets old orders count for the new player of {seat}"
    return ""


PLAYER = Kind(
    "player",
    words=_player_words,
    carry=_player_carry,
    ways=("seat what", "seat what known", "seat what language", "seat what known language"),
    fits=_player_fits,
    in_full=_player_in_full,
    wrong=_player_wrong,
    anew=_new_name,
    reseats=True,
)
