"""What this machine has seen of a game: its high-water mark, which a folder may not fall behind.

What must never be here: the ruling `restore`, the only way on for a folder that did (ruling/).
Laws: nothing is written where more was seen than the folder holds; a mark goes back only with a
ruling that stands in the chain.
Source: docs/DESIGN.md P7, P8; docs/SPECIFICATION.md section 5, "Saving"; decision 0013.
"""

from pathlib import Path

from pbem.chain.referees import in_force
from pbem.chain.rulings.kind import CLOSE, RESTORE
from pbem.chain.signed_state import genuine_link, head_of
from pbem.crypto.encoding import b64
from pbem.errors import Refused
from pbem.services.session.session import Session


def check_mark(session: Session) -> None:
    """This machine must not have seen more of the game than the folder holds; what it has seen is
    its high-water mark.
    """
    record, head = session.link, b64(head_of(session.newest.raw))
    mark = session.home.read_mark(record.game)
    if mark is None:
        session.notes.append(not_seen(session.folder.root, record.n))
    begun = mark is not None and ruling_begun(session)
    if (
        mark is not None
        and mark != (record.n, head)
        and not begun
        and not goes_on_from(session, mark)
    ):
        raise behind(session, mark)
    if mark != (record.n, head):
        session.home.write_mark(record.game, record.n, head, force=begun)
    else:  # what a killed command began is no state that this machine has seen
        session.folder.tidy(record.n, begun=True)


def not_seen(root: Path, n: int | str) -> str:
    """What the referee should know where there is no mark; ``n``: the newest state."""
    return (
        "this machine has not seen this game before, so it cannot know whether newer states exist; "
        f"if a player has a report of a later state than {n}, and those states are lost for good: "
        f"{ruling_lost(root, ' --unseen')}"
    )


def ruling_emails(root: Path) -> str:
    """What the referee should know of a backup, whatever was seen."""
    way = ruling_lost(root, " --emails")
    return f"if it lacks an email that pbem answered, and you cannot get that again, type `{way}`"


def ruling_lost(root: Path, also: str = "") -> str:
    """What to type where newer states are lost for good."""
    return f'pbem restore --go-on {root}{also} --reason "…"'


def ruling_begun(session: Session) -> bool:
    """Whether the newest state is a ruling with which the mark may go back, and was cut short
    before its mark was written.
    """
    rulings = session.link.rulings
    if not rulings or rulings[0].name not in (RESTORE.name, CLOSE.name):
        return False
    return session.folder.newest_file() == session.folder.state(session.link.n - 1)


def behind(session: Session, mark: tuple[int, str]) -> Refused:
    """Why nothing may be written here; the only way on is the ruling `restore`."""
    n, here = mark[0], session.link.n
    shows = f"ends with {'another ' * (n == here)}state {here}"
    if n < here:
        shows = f"does not show that its state {here} follows from it"
    why = f"this machine has seen state {n} of this game, and the folder {shows}"
    way = ruling_lost(session.folder.root)
    hint = f"put the newest files back; only if they are lost for good, type {way}"
    return Refused("game/behind", why, hint)


def goes_on_from(session: Session, mark: tuple[int, str]) -> bool:
    """Whether the folder's chain comes, link by link, from the state that this machine saw last."""
    n, known = mark
    record = session.link
    if record.n <= n:
        return (record.n, b64(head_of(session.newest.raw))) == mark
    while record.n > n + 1:
        raw = session.folder.state(record.n - 1)
        if raw is None or b64(head_of(raw)) != record.prev:
            return False
        key = in_force(record.referees, record.n - 1).acting
        record = genuine_link(raw, key, f"state {record.n - 1}")
    return record.prev == known
