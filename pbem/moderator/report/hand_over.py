"""What players are told when another key signs from now on: who, where to write, how to check it.

What lives here: these rows. What must never be here: the hand-over itself (amendment.py).
Laws: the name stands in the state, for all; the address in the players' own mails alone; who reads
it can find out for himself whether it is so, from the reports that he has.
Source: docs/SPECIFICATION.md section 5 (succession).
"""

from pbem.crypto.encoding import b64
from pbem.engine.row import Row
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import RECOVERY
from pbem.moderator.report.players import Person


def hand_over_rows(link: Link, referee: Person, seat: str) -> list[Row]:
    """For a report: the macros ``key_KIND``; none where its link hands nothing over. ``seat``: ""
    for all.
    """
    ruling = next((ruling for ruling in link.rulings if ruling.name == "keys"), None)
    if ruling is None:
        return []
    found = []
    name, row = ruling.operand("name"), link.referees[-1]
    if name and seat and referee.address:
        found.append(Row("write_to", {"name": name, "address": referee.address}))
    # by which line at the foot of reports everybody sees who signed
    signed = Row("recovered") if row.by == RECOVERY else Row("last", {"key": b64(row.acting)})
    return [*found, signed, Row("check")]
