"""What this machine has seen of a game: its high-water mark, which a folder may not fall behind.

What must never be here: the ruling `restore`, the only way on for a folder that did (ruling/).
Laws: nothing is written where more was seen than the folder holds; a mark goes back only with a
ruling that stands in the chain.
Source: docs/DESIGN.md P7, P8; docs/SPECIFICATION.md section 5, "Saving"; decision 0013.
"""

from pathlib import Path

from pbem.chain.referees import keys_in_force
from pbem.chain.rulings.kind import CLOSE, RESTORE
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.crypto.encoding import b64
from pbem.errors import Refused
from pbem.services.session.session import Session


def check_mark(session: Session) -> None:
    """This machine must not have seen more of the game than the folder holds; what it has seen is
    its high-water mark.
    """
    record, state_hash = session.record, b64(state_hash_of(session.newest.raw))
    mark = session.home.read_mark(record.game)
    if mark is None:
        session.notes.append(unseen_game_note(session.folder.root, record.n))
    is_ruling_unfinished = mark is not None and has_unfinished_ruling(session)
    if (
        mark is not None
        and mark != (record.n, state_hash)
        and not is_ruling_unfinished
        and not follows_mark(session, mark)
    ):
        raise behind_mark_error(session, mark)
    if mark != (record.n, state_hash):
        session.home.write_mark(record.game, record.n, state_hash, force=is_ruling_unfinished)
    else:  # what a killed command began is no state that this machine has seen
        session.folder.remove_leftovers(record.n, with_next=True)


def unseen_game_note(root: Path, n: int | str) -> str:
    """What the referee should know where there is no mark; ``n``: the newest state."""
    return (
        "this machine has not seen this game before, so it cannot know whether newer states exist; "
        f"if a player has a report of a later state than {n}, and those states are lost for good: "
        f"{restore_command(root, ' --unseen')}"
    )


def lost_emails_note(root: Path) -> str:
    """What the referee should know of a backup, whatever was seen."""
    command = restore_command(root, " --emails")
    return f"if it lacks an email that pbem answered, and you cannot get that again, type `{command}`"


def restore_command(root: Path, options: str = "") -> str:
    """What to type where newer states are lost for good."""
    return f'pbem restore --go-on {root}{options} --reason "…"'


def has_unfinished_ruling(session: Session) -> bool:
    """Whether the newest state is a ruling with which the mark may go back, and was cut short
    before its mark was written.
    """
    rulings = session.record.rulings
    if not rulings or rulings[0].name not in (RESTORE.name, CLOSE.name):
        return False
    return session.folder.read_newest() == session.folder.read_state(session.record.n - 1)


def behind_mark_error(session: Session, mark: tuple[int, str]) -> Refused:
    """Why nothing may be written here; the only way on is the ruling `restore`."""
    marked_number, newest_number = mark[0], session.record.n
    folder_shows = f"ends with {'another ' * (marked_number == newest_number)}state {newest_number}"
    if marked_number < newest_number:
        folder_shows = f"does not show that its state {newest_number} follows from it"
    why = f"this machine has seen state {marked_number} of this game, and the folder {folder_shows}"
    command = restore_command(session.folder.root)
    hint = f"put the newest files back; only if they are lost for good, type {command}"
    return Refused("game/behind", why, hint)


def follows_mark(session: Session, mark: tuple[int, str]) -> bool:
    """Whether the folder's chain comes, link by link, from the state that this machine saw last."""
    marked_number, marked_hash = mark
    record = session.record
    if record.n <= marked_number:
        return (record.n, b64(state_hash_of(session.newest.raw))) == mark
    while record.n > marked_number + 1:
        raw = session.folder.read_state(record.n - 1)
        if raw is None or b64(state_hash_of(raw)) != record.previous_hash:
            return False
        referee_key = keys_in_force(record.referees, record.n - 1).acting
        record = read_verified_record(raw, referee_key, f"state {record.n - 1}")
    return record.previous_hash == marked_hash
