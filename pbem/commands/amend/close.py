"""``pbem amend DIR close``: the end of a game, or of a round that was not dealt."""

from pbem.chain.ruling_row import check_reason
from pbem.chain.rulings.kind import CLOSE
from pbem.chain.rulings.kinds import describe_ruling
from pbem.clock import now
from pbem.commands import resolve
from pbem.commands.amend.ruling import Reason, amend_result
from pbem.commands.arguments import Directory, DryRun
from pbem.result import Result
from pbem.services.amend.ruling import make_standing_ruling
from pbem.services.resolve.rounds import close_round
from pbem.services.session.session import open_session


def run(directory: Directory, reason: Reason = "", dry_run: DryRun = False) -> Result:
    """Close a game for good and open its secret, so that anyone can check it."""
    ruling = CLOSE.make_ruling(check_reason(reason))
    session = open_session(directory, now())
    if session.record.is_dealt or dry_run:
        return amend_result(make_standing_ruling(session, ruling, dry_run))
    data, text = resolve.resolved_row(close_round(session, ruling.reason))
    hint = f"  The next round: pbem new NEW --after {session.folder.root}"
    return Result({**data, "rulings": [describe_ruling(ruling)]}, f"{text}\n{hint}")
