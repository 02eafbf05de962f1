"""What players are told when another key signs from now on: who, where to write, how to check it.

What lives here: these lines. What must never be here: the hand-over itself (amendment.py).
Laws: the name stands in the state, for all; the address in the players' own mails alone; who reads
it can find out for himself whether it is so, from the reports that he has.
Source: docs/SPECIFICATION.md section 5 (succession).
"""

from pbem.crypto.encoding import b64
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import RECOVERY
from pbem.moderator.report.players import Person


def hand_over_lines(link: Link, referee: Person, seat: str) -> list[str]:
    """The lines of a report; none where its link hands nothing over. ``seat``: "" for all."""
    ruling = next((ruling for ruling in link.rulings if ruling.name == "keys"), None)
    if ruling is None:
        return []
    name = ruling.operand("name")
    return [*_where(name, referee, seat), *_signed(link), CHECK]


LAST = (
    "This report is the last that the key before has signed: the line `key` at its foot is that of "
    "your reports before. In the next report that line is:"
)
RECOVERED = (
    "This report is signed with the new key: the line `key` at its foot is not that of your "
    "reports before. The recovery key appointed it, which every state has named for just that."
)
CHECK = (
    "Whoever has pbem can check it, from the game's first state on: `pbem verify` with the game's "
    "folder, and with this report. Who has not compares the four words below with the other "
    "players. If a later report has yet another key and no report named it, do not believe it."
)


def _where(name: str, referee: Person, seat: str) -> list[str]:
    if not name or not seat or not referee.address:
        return []
    return [f"Write to {name} <{referee.address}> from now on: an answer to this mail goes there."]


def _signed(link: Link) -> list[str]:
    """By which line at the foot of reports everybody sees who signed."""
    row = link.referees[-1]
    if row.by == RECOVERY:
        return [RECOVERED]
    return [LAST, f"    key {b64(row.acting)}"]
