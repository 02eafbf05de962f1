"""``pbem adopt``: play a game in this folder from now on."""

from pathlib import Path

from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.result import Result
from pbem.services.amend.ruling import Adopted, adopted
from pbem.services.session.session import open_session


def run(directory: Directory) -> Result:
    """Play a game in this folder from now on, and in no other. Shows whom it writes to.

    For a copy, for a folder from another machine, and after you have changed the addresses in
    desk/players.toml by hand.
    """
    session, found = adopted(open_session(directory, now()))
    record, undecided = session.link, session.undecided
    lines = [f"{session.label}: played in {directory} from now on, from state {record.n}."]
    notes = [*([decide(directory)] if undecided else []), *session.notes]
    lines += [*shown(found), *(f"note: {note}" for note in notes)]
    data = {"dir": str(directory), "game": record.game, "n": record.n, "undecided": undecided}
    return Result(data | found._asdict() | {"notes": notes}, "\n".join(lines))


def decide(directory: Path) -> str:
    """What the referee has to say before the game goes on."""
    return (
        "nothing is fetched, played or sent before you say whether newer states are lost; if "
        f"nobody has a report of a later state: pbem restore --nothing-lost {directory}; if "
        f'somebody has: pbem restore --go-on {directory} --unseen --reason "…"'
    )


def shown(found: Adopted) -> list[str]:
    """Whom a folder writes to, and where the game was played until now."""
    lines = [f"  {found.retired} no longer acts: `pbem adopt` takes it back"] * bool(found.retired)
    for one in found.writes_to:
        address = f"<{one['address']}>" if one["address"] else "(no address)"
        who = f"{one['name']} {address}".strip()
        lines.append(f"  writes to {who} ({one['seat'] or 'waits in desk/outbox'})")
    return lines
