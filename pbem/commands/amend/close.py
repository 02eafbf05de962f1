"""``pbem amend DIR close``: closes a game, or cancels a round that was not dealt."""

from pbem.chain.ruling_row import check_reason
from pbem.chain.rulings.kind import CLOSE
from pbem.chain.rulings.kinds import describe_ruling
from pbem.clock import now
from pbem.commands import resolve
from pbem.commands.amend.ruling import Reason, amend_result
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.ruling import make_plain_ruling
from pbem.services.resolve.rounds import close_round
from pbem.services.session.session import open_session


def run(directory: Directory, reason: Reason = "", dry_run: DryRun = False) -> Result:
    """Close a game for good and publish its secret, so that anyone can check it."""
    ruling = CLOSE.make_ruling(check_reason(reason))
    session = open_session(directory, now())
    if session.record.is_dealt or dry_run:
        return amend_result(make_plain_ruling(session, ruling, dry_run))
    row = resolve.resolved_row(close_round(session, ruling.reason))
    hint = f"  To open the next round: pbem new NEW --after {session.folder.root}"
    return Result({**row.document, "rulings": [describe_ruling(ruling)]}, f"{row.text}\n{hint}")
