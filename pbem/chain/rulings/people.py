"""The rulings by which other people play or sign: another player at a seat, or one reached or
identified otherwise; other keys of referees.

What must never be here: a player's address, a password, how a referee asks for it; the keys' files,
the signatures of the succession.
Laws: a ruling says all that it changes of a player: nobody else would look for it. The name of a
new referee stands in the state, for all; the address in the players' own mails alone; who reads it
can find out for himself whether it is so, from the reports that he has.
Source: docs/SPECIFICATION.md sections 5 (succession) and 9 (rulings); docs/DESIGN.md P6.
"""

import re
from collections.abc import Iterable, Mapping

from pbem.chain.loaded_game import LoadedGame, Seals
from pbem.chain.names import fits_as_name
from pbem.chain.people import Seated
from pbem.chain.referees import ACTING, APPOINTED, RECOVERY, Referees
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.kind import Basis, Kind, PositionAt, Sight, one_more
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64
from pbem.crypto.signing import key_id
from pbem.engine.row import Row

Wraps = tuple[tuple[str, bytes], ...]


def handed(position: LoadedGame, row: Referees, wraps: Wraps, reason: str, name: str = "") -> Basis:
    """Other referees, with the secret wrapped to them; ``name`` of a new one."""
    told = (("by", row.by), ("acting", key_id(row.acting)), *([("name", name)] if name else []))
    return _handed(position, row, wraps, KEYS.ruling(reason, *told))


def _handed(position: LoadedGame, row: Referees, wraps: Wraps, ruling: Ruling) -> Basis:
    before = position.record._replace(referees=(*position.record.referees, row), wraps=wraps)
    return Basis(before, position.state, (ruling,))


LAST = "last"  #: the row of a report that the key before signs: the next one does not


def hand_over_rows(record: StateRecord, address: str, seat: str, public: bytes) -> list[Row]:
    """For a report that the key ``public`` signs: the macros ``key_KIND``; none where its link
    hands nothing over. ``seat``: "" for all.
    """
    ruling = next((ruling for ruling in record.rulings if ruling.name == KEYS.name), None)
    if ruling is None:
        return []
    name, row = ruling.operand("name"), record.referees[-1]
    write = name and seat and address
    found = [Row("write_to", {"name": name, "address": address})] if write else []
    # by which line at the foot of reports everybody sees who signed
    appointed = Row("recovered") if row.by == RECOVERY else Row("appointed")
    signed = appointed if public == row.acting else Row(LAST, {"key": b64(row.acting)})
    return [*found, signed, Row("check")]


def _keys_words(ruling: Ruling) -> str:
    how, name = APPOINTED.get(ruling.operand("by"), APPOINTED[ACTING]), ruling.operand("name")
    what = f"{name} is the referee" if name else "the referee has another key"
    return f"{what} from now on, appointed {how}: key {ruling.operand('acting')}"


def _keys_carry(newest: LoadedGame, record: StateRecord, _: PositionAt, __: Seals) -> Basis:
    """The new row is signed, which `verify` looks at."""
    return _handed(newest, record.referees[-1], record.wraps, record.rulings[0])


def _keys_wrong(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    row, ruling = record.referees[-1], record.rulings[0]
    told = (ruling.operand("by"), ruling.operand("acting"))
    if len(record.referees) != len(before.referees) + 1 or told != (row.by, key_id(row.acting)):
        return "appoints another referee than its ruling says"
    if [name for name, _ in record.wraps] != [key_id(row.acting), key_id(row.recovery)]:
        return "wraps the secret to others than its referees"
    return ""


def _keys_fits(ruling: Ruling) -> bool:
    name = ruling.operand("name")
    return not name or fits_as_name(name)


KEYS = Kind(
    "keys",
    words=_keys_words,
    carry=_keys_carry,
    ways=("by acting", "by acting name"),
    fits=_keys_fits,
    wrong=_keys_wrong,
    appoints=True,
)

#: what may be another of a player, in the order in which a ruling says it
OF_A_PLAYER = ("name", "address", "language", "known")


def ruling_of(
    seat: str, what: tuple[str, ...], identified: str, language: str, reason: str
) -> Ruling:
    """What all are told: the seat, and what of its player is another; no address."""
    told = (("seat", seat), ("what", ",".join(what)), ("known", identified), ("language", language))
    return PLAYER.ruling(reason, *(pair for pair in told if pair[1]))


def seated(position: LoadedGame, player: Seated, ruling: Ruling) -> Basis:
    """Another player at a seat, or another way to know him."""
    now = position.record
    people = tuple(player if each.seat == player.seat else each for each in now.people)
    before = now._replace(people=people)
    if player.since == now.n + 1:  # what was written for older links counts no more
        before = one_more(before, frozenset({player.seat}))
    return Basis(before, position.state, (ruling,))


def newcomer(record: StateRecord, seat: str | None) -> bool:
    """Whether a ruling of this link sat another player at the seat."""
    return any(_new_name(ruling, seat) for ruling in record.rulings if ruling.name == PLAYER.name)


def _new_name(ruling: Ruling, seat: str | None) -> bool:
    return ruling.operand("seat") == seat and "name" in _what(ruling)


def _what(ruling: Ruling) -> list[str]:
    return ruling.operand("what").split(",")


def anew(what: Iterable[str]) -> bool:
    """Whether what is another makes older orders void: the person, or what identifies them."""
    return bool({*what} & {"name", "known"})


def _player_fits(ruling: Ruling) -> bool:
    what, told = _what(ruling), dict(ruling.operands)
    ordered = what == [name for name in OF_A_PLAYER if name in what]
    if not ordered or ("known" in told) != ("known" in what):
        return False
    return "language" not in told or ("language" in what and bool(_TAG.fullmatch(told["language"])))


#: of a language and maybe a country: de, pt-BR
_TAG = re.compile("[a-z]{2,3}(?:-[A-Z]{2})?")


def _player_words(ruling: Ruling) -> str:
    what = ", ".join(_what(ruling)).replace("known", "how they are identified")
    return f"the player of {ruling.operand('seat')}: {what} changed"


def _player_in_full(ruling: Ruling, before: StateRecord, record: StateRecord, _: Sight) -> str:
    """What is another of a player, old and new; of his address that it is another, no more."""
    seat, what = ruling.operand("seat"), _what(ruling)
    old, now = before.player(seat), record.player(seat)
    known = _known_now(old, now, "known" in what)
    has = ["another email address"] if "address" in what else []
    if "language" in what:
        language = ruling.operand("language")
        has.append(f"emails in {language}" if language else "emails in another language")
    if old.name != now.name:
        more = [known or f"{now.way.said}, as before", *(f"with {text}" for text in has)]
        return f"{now.name} plays {seat} from now on in place of {old.name}, {', '.join(more)}"
    said = [f"has {' and '.join(has)}"] if has else []
    said += [f"is {known}"] if known else []
    return f"{now.name} ({seat}) {' and '.join(said) or 'stays as before'} from now on"


def _known_now(old: Seated, now: Seated, settled: bool) -> str:
    """What a player is identified by, where that is another or is ``settled`` again; else ""."""
    if old.way != now.way:
        return f"{now.way.said} (before: by {old.way.by})"
    if old.key != now.key:
        return "identified by another key than before"
    return f"{now.way.said}, settled again" if settled else ""


def _player_carry(
    newest: LoadedGame, record: StateRecord, _: PositionAt, __: Seals
) -> Basis | None:
    """The row of that seat is as the state has it; the others stay."""
    ruling = record.rulings[0]
    seat = ruling.operand("seat")
    return seated(newest, record.player(seat), ruling) if seat in record.setup.seats else None


def _player_wrong(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    ruling = record.rulings[0]
    seat, what = ruling.operand("seat"), _what(ruling)
    if seat not in record.setup.seats:
        return "rules on a seat that there is not"
    player, old = record.player(seat), before.player(seat)
    known = (player.identified, player.key) != (old.identified, old.key)
    silent = (player.name != old.name and "name" not in what) or (known and "known" not in what)
    if silent or ("known" in what and ruling.operand("known") != player.identified):
        return f"changes the player of {seat} otherwise than it says"
    if not anew(what) and player != old:
        return f"changes the player of {seat} though it speaks of address and language alone"
    if anew(what) and player.since != record.n:
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
