"""``pbem adopt``: play a game in this folder from now on."""

from pathlib import Path

from pbem.clock import now
from pbem.commands.arguments import Directory
from pbem.result import Result
from pbem.services.amend.restore import AdoptedGame, adopt_game
from pbem.services.session.session import open_session


def run(directory: Directory) -> Result:
    """Play a game in this folder from now on, and in no other. Shows who gets its emails.

    Use it for a copy, for a folder from another machine, and after you have edited the addresses in
    desk/players.toml.
    """
    session, adoption = adopt_game(open_session(directory, now()))
    record, is_undecided = session.record, session.restore_undecided
    lines = [f"{session.label}: played in {directory} from now on, from state {record.n}."]
    notes = [*([decision_hint(directory)] if is_undecided else []), *session.notes]
    lines += [*adoption_lines(adoption), *(f"note: {note}" for note in notes)]
    data = {"dir": str(directory), "game": record.game, "n": record.n, "undecided": is_undecided}
    return Result(data | adoption._asdict() | {"notes": notes}, "\n".join(lines))


def decision_hint(directory: Path) -> str:
    """Return what the referee must decide before a restored game continues."""
    return (
        "nothing is fetched, played or sent until you say whether newer states are lost. If nobody "
        f"has a report of a later state: pbem restore --nothing-lost {directory}. If "
        f'somebody has: pbem restore --go-on {directory} --unseen --reason "…"'
    )


def adoption_lines(adoption: AdoptedGame) -> list[str]:
    """Return who gets emails from a folder, and where the game was played until now."""
    lines = [f"  {adoption.retired} no longer plays it: `pbem adopt` there undoes this"] if adoption.retired else []
    for recipient in adoption.writes_to:
        address = f"<{recipient['address']}>" if recipient["address"] else "(no address)"
        recipient_text = f"{recipient['name']} {address}".strip()
        seat = recipient["seat"]
        no_seat_text = f"  writes to {recipient_text} (waits in desk/outbox)"
        lines.append(f"  writes to {recipient_text} ({seat})" if seat else no_seat_text)
    return lines
