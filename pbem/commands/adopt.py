"""``pbem adopt``: play a game in this folder from now on."""

from pathlib import Path

from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.result import Result
from pbem.services.amend.restore import AdoptedGame, adopt_game
from pbem.services.session.session import open_session


def run(directory: Directory) -> Result:
    """Play a game in this folder from now on, and in no other. Shows whom it writes to.

    For a copy, for a folder from another machine, and after you have changed the addresses in
    desk/players.toml by hand.
    """
    session, adoption = adopt_game(open_session(directory, now()))
    record, is_undecided = session.record, session.restore_undecided
    lines = [f"{session.label}: played in {directory} from now on, from state {record.n}."]
    notes = [*([decision_hint(directory)] if is_undecided else []), *session.notes]
    lines += [*adoption_lines(adoption), *(f"note: {note}" for note in notes)]
    data = {"dir": str(directory), "game": record.game, "n": record.n, "undecided": is_undecided}
    return Result(data | adoption._asdict() | {"notes": notes}, "\n".join(lines))


def decision_hint(directory: Path) -> str:
    """What the referee has to say before the game goes on."""
    return (
        "nothing is fetched, played or sent before you say whether newer states are lost; if "
        f"nobody has a report of a later state: pbem restore --nothing-lost {directory}; if "
        f'somebody has: pbem restore --go-on {directory} --unseen --reason "…"'
    )


def adoption_lines(adoption: AdoptedGame) -> list[str]:
    """Whom a folder writes to, and where the game was played until now."""
    lines = [f"  {adoption.retired} no longer acts: `pbem adopt` takes it back"] * bool(adoption.retired)
    for recipient in adoption.writes_to:
        address = f"<{recipient['address']}>" if recipient["address"] else "(no address)"
        recipient_text = f"{recipient['name']} {address}".strip()
        lines.append(f"  writes to {recipient_text} ({recipient['seat'] or 'waits in desk/outbox'})")
    return lines
