"""The ruling by which other keys sign: what it says, what its link is, what players are told.

What lives here: KEYS. What must never be here: the keys' files, the signatures of the succession.
Laws: the name of a new referee stands in the state, for all; the address in the players' own mails
alone; who reads it can find out for himself whether it is so, from the reports that he has.
Source: docs/SPECIFICATION.md sections 5 (succession) and 9 (rulings).
"""

from collections.abc import Mapping

from pbem.crypto.encoding import b64
from pbem.crypto.signing import key_id
from pbem.engine.row import Row
from pbem.moderator.chain.link import Link, Ruling
from pbem.moderator.chain.people import ACTING, APPOINTED, RECOVERY, Referees
from pbem.moderator.chain.position import Position, Seals
from pbem.moderator.ruling.kind import Basis, Kind, PositionAt

Wraps = tuple[tuple[str, bytes], ...]


def handed(position: Position, row: Referees, wraps: Wraps, reason: str, name: str = "") -> Basis:
    """Other referees, with the secret wrapped to them; ``name`` of a new one."""
    told = (("by", row.by), ("acting", key_id(row.acting)), *([("name", name)] if name else []))
    return _handed(position, row, wraps, KEYS.ruling(reason, *told))


def _handed(position: Position, row: Referees, wraps: Wraps, ruling: Ruling) -> Basis:
    before = position.link._replace(referees=(*position.link.referees, row), wraps=wraps)
    return Basis(before, position.state, (ruling,))


def hand_over_rows(link: Link, address: str, seat: str, public: bytes) -> list[Row]:
    """For a report that the key ``public`` signs: the macros ``key_KIND``; none where its link
    hands nothing over. ``seat``: "" for all.
    """
    ruling = next((ruling for ruling in link.rulings if ruling.name == KEYS.name), None)
    if ruling is None:
        return []
    name, row = ruling.operand("name"), link.referees[-1]
    write = name and seat and address
    found = [Row("write_to", {"name": name, "address": address})] if write else []
    # by which line at the foot of reports everybody sees who signed
    appointed = Row("recovered") if row.by == RECOVERY else Row("appointed")
    signed = appointed if public == row.acting else Row("last", {"key": b64(row.acting)})
    return [*found, signed, Row("check")]


def _keys_words(ruling: Ruling) -> str:
    how, name = APPOINTED.get(ruling.operand("by"), APPOINTED[ACTING]), ruling.operand("name")
    what = f"{name} is the referee" if name else "the referee has another key"
    return f"{what} from now on, appointed {how}: key {ruling.operand('acting')}"


def _keys_carry(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis:
    """The new row is signed, which `verify` looks at."""
    return _handed(newest, link.referees[-1], link.wraps, link.rulings[0])


def _keys_wrong(link: Link, before: Link, _: Mapping[int, Link]) -> str:
    row, ruling = link.referees[-1], link.rulings[0]
    told = (ruling.operand("by"), ruling.operand("acting"))
    if len(link.referees) != len(before.referees) + 1 or told != (row.by, key_id(row.acting)):
        return "appoints another referee than its ruling says"
    if [name for name, _ in link.wraps] != [key_id(row.acting), key_id(row.recovery)]:
        return "wraps the secret to others than its referees"
    return ""


KEYS = Kind(
    "keys",
    words=_keys_words,
    carry=_keys_carry,
    ways=("by acting", "by acting name"),
    wrong=_keys_wrong,
    appoints=True,
)
