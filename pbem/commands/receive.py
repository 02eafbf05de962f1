"""``pbem receive``: take what players sent."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.commands.result import Result
from pbem.errors import BadInput, PbemError, Refused

if TYPE_CHECKING:
    from pbem.commands.reading_mail import Sent
    from pbem.commands.session import Session
    from pbem.moderator.intake import Taken

TOO_LARGE = "a mail has at most 1 MiB: send the orders alone, without pictures"
Answered = tuple[dict[str, Any], str, int]
UNFINISHED = "receive/unfinished"  #: the orders are durably kept, what comes after is not yet


def run(
    root: Annotated[
        Path, typer.Argument(metavar="ROOT", help="A game's folder, or a folder of games.")
    ],
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Move files or mails; - is standard input."),
    ],
) -> Result:
    """Take move files or mails: the code in each says which game and seat it is for.

    All lines of a mail are kept, or none; a receipt for the player goes to desk/outbox.
    """
    sessions, notes = open_all(root)
    answers = [receive_one(sessions, name) for name in files]
    notes += [f"{session.label}: {note}" for session in sessions for note in session.notes]
    data = {"files": [data for data, _, _ in answers], "notes": notes}
    text = "\n".join([*(text for _, text, _ in answers), *(f"note: {note}" for note in notes)])
    return Result(data, text, max(code for _, _, code in answers))


def open_all(root: Path) -> tuple[list["Session"], list[str]]:
    """Every game below a folder; one that cannot be opened is named and passed over."""
    from pbem.commands.newest import the_home, the_key
    from pbem.commands.session import Session
    from pbem.disk.finding import find_games

    if not root.is_dir():
        raise BadInput(
            "game/no-folder",
            f"{root} is no folder",
            "give the folder of a game, or a folder of games",
        )
    place = the_home()
    key = the_key(place)
    folders, notes = find_games(root)
    found, failed = [], []
    for folder in folders:
        try:
            session = Session(folder, place, key)
            if not session.codes_secret:
                notes.append(
                    f"{session.label}: its reply codes are lost, so no mail counts "
                    f"for it: pbem resolve {folder.root} makes new ones"
                )
            found.append(session)
        except PbemError as error:
            failed.append(error)
            notes.append(f"{folder.root.name}: {error.line()}")
    if not found and failed:
        raise failed[0]
    if not found:
        raise BadInput("game/none", f"there is no game in {root}", "pbem new makes one")
    return found, notes


def receive_one(sessions: list["Session"], name: str) -> Answered:
    """One file: read, find whose it is, judge, keep, answer."""
    from pbem.commands.reading_mail import read_sent
    from pbem.disk.reading import read_input
    from pbem.files.letter import LIMIT

    try:
        data = read_input(name, LIMIT)
        return receive_bytes(sessions, name, data, read_sent(data))
    except PbemError as error:
        if error.code == "file/too-large":
            error = type(error)(error.code, error.message, TOO_LARGE)
        return _not_taken(name, "unfinished" if error.code == UNFINISHED else "unreadable", error)


def _not_taken(name: str, verdict: str, error: PbemError) -> Answered:
    """A message that is nobody's, or cannot be read; or one that is taken without a receipt."""
    found = {"file": name, "verdict": verdict, "code": error.code, "why": error.message}
    found["hint"] = error.hint
    what = "" if verdict == "unfinished" else "not taken: "
    return found, f"{name or repr(name)}: {what}{error.line()}", error.exit_code


def receive_bytes(sessions: list["Session"], name: str, data: bytes, sent: "Sent") -> Answered:
    """One message that could be read."""
    from pbem.moderator.receipts import UNKNOWN, UNKNOWN_HINT

    owner = _owner(sessions, sent)
    if owner is None:
        return _not_taken(name, "unknown", Refused("mail/unknown", UNKNOWN, UNKNOWN_HINT))
    session, seat, _ = owner
    with session.writing():
        return _take(session, seat, name, data, sent)


def _owner(sessions: list["Session"], sent: "Sent") -> tuple["Session", str, bool] | None:
    """Whose codes these are: one seat of one game, else BadInput; None if nobody's."""
    from pbem.moderator.codes import owner_of

    found: dict[tuple[str, str], tuple[Session, str, bool]] = {}
    for session in sessions:
        if not session.codes_secret:
            continue
        for code in sent.codes:
            owner = owner_of(
                code, session.codes_secret, session.link.game, dict(session.link.answered)
            )
            if owner is not None:
                old = found.get((session.link.game, owner.seat))
                current = owner.current or bool(old and old[2])
                found[session.link.game, owner.seat] = (session, owner.seat, current)
    if len(found) > 1:
        raise BadInput(
            "mail/two-codes",
            "it carries the codes of two different questions",
            "answer one report at a time, in its own mail",
        )
    return next(iter(found.values()), None)


def _take(session: "Session", seat: str, name: str, data: bytes, sent: "Sent") -> Answered:
    """Under the lock: judge, keep, then write the receipt."""
    from pbem.commands.reading_mail import sheet_of
    from pbem.commands.settling import write_receipt
    from pbem.crypto.encoding import b64
    from pbem.files.sheet import Sheet
    from pbem.moderator import intake

    hand = session.hands[seat]
    if intake.receipt_number(hand, sent.digest) is not None:
        return _again(session, seat, name)
    _check_claims(session, seat, sent)
    stale = not any(code == session.code(seat) for code in sent.codes)
    if stale and _forgotten(session, seat, sent):
        return _again(session, seat, name)
    game, view = session.game, session.game.view(session.position.state, seat)
    asked = intake.Asked(view, bool(game.legal(view)), b64(session.position.head))
    sheet = sheet_of(sent, game)
    judged = sheet._replace(first=(), later=(), suspects=(), unread=()) if stale else sheet
    if stale and not (sheet.asks and not sheet.first and not sheet.later):
        judged = Sheet()
    taken = intake.take(game, asked, hand, judged, () if stale else _below(session, seat, sent))
    stale = stale and bool(sheet.first or sheet.later or sheet.suspects)
    session.folder.keep_mail(f"{sent.digest[:32]}.eml", sent.storable or data)
    receipt = _receipt(session, seat, taken, stale)
    session.put_hand(seat, intake.handled(taken.hand, sent.digest, receipt))
    try:
        number = write_receipt(session, seat, session.hands[seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        raise Refused(
            UNFINISHED, f"the mail is taken, but its receipt is not written: {error.message}", hint
        ) from error
    return _answer(session, seat, name, taken, stale, number)


def _forgotten(session: "Session", seat: str, sent: "Sent") -> bool:
    """Whether a mail came so long ago that its receipt is forgotten. Fed again it changes nothing:
    an old `withdraw` must not take new orders back.
    """
    from pbem.moderator.hand import MOST_HANDLED

    full = len(session.hands[seat].handled) >= MOST_HANDLED
    return full and session.folder.mail(f"{sent.digest[:32]}.eml") is not None


def _below(session: "Session", seat: str, sent: "Sent") -> tuple[str, ...]:
    """Orders found only below the cut line; what our report says itself is not meant."""
    from pbem.commands.reading_mail import below_of

    if not sent.below:
        return ()
    report = session.folder.report(session.link.n, f"{seat}.txt") or b""
    return below_of(sent, session.game, report.decode())


def _check_claims(session: "Session", seat: str, sent: "Sent") -> None:
    """What a move file says of itself must be so; its code has been found good."""
    if sent.game is not None and sent.game != session.link.game:
        raise BadInput(
            "move/game",
            "the move file names another game than its code",
            "take both from the same report",
        )
    if sent.seat is not None and sent.seat != seat:
        raise BadInput(
            "move/seat",
            "the move file names another seat than its code",
            "take both from the same report",
        )


def _receipt(session: "Session", seat: str, taken: "Taken", stale: bool) -> str:
    """The receipt: subject, time (and whether the report goes out again), text.

    It is kept with the orders so that it cannot be lost.
    """
    from pbem.commands.clock import now
    from pbem.commands.settling import rulebook
    from pbem.moderator import receipts
    from pbem.render import render

    code = session.code(seat)
    player = session.link.setup.names[session.link.setup.seats.index(seat)]
    answers = receipts.answers(taken.asks, rulebook(session, whole=True))
    values = receipts.values(session.label, seat, player, code, taken, stale, answers)
    what = "not kept" if stale or not taken.accepted else "received"
    subject = f"[pbem {code}] {session.label}: {what}"
    resend = " resend" if stale or "resend" in taken.asks else ""
    return f"{subject}\n{now()}{resend}\n{render('receipt.txt', **values)}"


def _again(session: "Session", seat: str, name: str) -> Answered:
    """The same bytes again: nothing changes, and the answer is the same receipt."""
    text = f"{name}: {_who(session, seat)}: came before; the receipt stands, nothing changed"
    data = {
        "file": name,
        "verdict": "repeated",
        "dir": str(session.folder.root),
        "game": session.link.game,
        "seat": seat,
    }
    return data, text, 0


def _who(session: "Session", seat: str) -> str:
    name = session.link.setup.names[session.link.setup.seats.index(seat)]
    return f"{session.label}, {name} ({seat})"


def _answer(
    session: "Session", seat: str, name: str, taken: "Taken", stale: bool, number: str
) -> Answered:
    from pbem.moderator import receipts

    verdict = (
        "stale"
        if stale
        else "kept"
        if taken.changed
        else "answered"
        if taken.accepted
        else "refused"
    )
    data = {
        "file": name,
        "verdict": verdict,
        "dir": str(session.folder.root),
        "game": session.link.game,
        "seat": seat,
        "lines": [] if stale else [one._asdict() for one in taken.verdicts],
        "asks": list(taken.asks),
        "receipt": number,
        "notes": list(session.notes),
    }
    said = {
        "stale": "not kept: that question was answered already (the report goes out again)",
        "kept": "kept" if taken.hand.lines else "all orders taken back",
        "answered": "answered" if taken.asks else "no order in it",
        "refused": "not kept, the receipt says why",
    }
    lines = [f"{name}: {_who(session, seat)}: {said[verdict]}"]
    if not stale:
        lines += [f"  {line}" for line in receipts.lines(taken.verdicts)]
    lines += [f"  asked for: {', '.join(taken.asks)}"] if taken.asks else []
    lines += [f"  note: {note}" for note in session.notes]
    session.notes.clear()
    return data, "\n".join(lines), 0 if verdict in ("kept", "answered") else 1
