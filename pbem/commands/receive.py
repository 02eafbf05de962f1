"""``pbem receive``: take what players sent."""

import os
from pathlib import Path
from typing import Annotated

import typer

from pbem.crypto.hashing import digest
from pbem.disk.finding import find_games
from pbem.disk.reading import read_beginning, read_input
from pbem.errors import BadInput, OurFault, PbemError, Refused
from pbem.files.mail.letter import MAIL_LIMIT
from pbem.files.password_words import cut_quoted, cut_words, passwords_in
from pbem.moderator.report.receipt import (
    UNKNOWN,
    UNKNOWN_HINT,
    asks_in_words,
    public_verdicts,
    verdict_lines,
)
from pbem.moderator.turn.intake import Taken
from pbem.result import Result
from pbem.services.intake.answered import Answer, Answered, again, told_not_known, who
from pbem.services.intake.answering import receive_answer
from pbem.services.intake.ended import answer_ended, ended
from pbem.services.intake.judging import UNFINISHED
from pbem.services.intake.knowing import refuse_typed
from pbem.services.intake.reading import Sent, read_sent
from pbem.services.intake.taking import owner, take, take_unknown
from pbem.services.intake.unread import answer_unread
from pbem.services.session.newest import the_home, the_key
from pbem.services.session.session import Session
from pbem.services.writing import writing

TOO_LARGE = "a mail has at most 1 MiB: send the orders alone, without pictures"


def run(
    root: Annotated[
        Path, typer.Argument(metavar="ROOT", help="A game's folder, or a folder of games.")
    ],
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Move files or mails; - is standard input."),
    ],
    secret: Annotated[
        bool, typer.Option("--secret", help="Print hidden orders in clear: which card, which plan.")
    ] = False,
    typed: Annotated[
        str, typer.Option(metavar="SEAT", help="You typed these orders for the player at SEAT.")
    ] = "",
) -> Result:
    """Take move files or mails: the code in each says which game and seat it is for.

    All lines of a mail are kept, or none; a receipt for the player goes to desk/outbox.
    """
    sessions, notes = open_all(root)
    if typed and len(sessions) == 1:
        _check_typed(sessions[0], typed.lower())
    answers = [receive_one(sessions, name, secret, typed.lower()) for name in files]
    notes += [f"{session.label}: {note}" for session in sessions for note in session.notes]
    data = {"files": [data for data, _, _ in answers], "notes": notes}
    text = "\n".join([*(text for _, text, _ in answers), *(f"note: {note}" for note in notes)])
    return Result(data, text, max(code for _, _, code in answers))


def open_all(root: Path) -> tuple[list["Session"], list[str]]:
    """Every game below a folder; one that cannot be opened is named and passed over."""
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


def _check_typed(session: "Session", seat: str) -> None:
    """What the referee types is for one seat of one game, and he may type it."""
    setup = session.link.setup
    if seat not in setup.seats:
        seats = ", ".join(setup.seats)
        raise BadInput(
            "players/seat", f"there is no seat {seat[:20]!r} in this game", f"seats are: {seats}"
        )
    refuse_typed(session, seat)


def _typed_for(sessions: list["Session"], found: "Session | None", seat: str) -> "Session":
    """Among several games, the one whose code the words carry."""
    if len(sessions) == 1:
        return sessions[0]
    if found is None:
        raise BadInput(
            "typed/games",
            f"it carries no code, and there are {len(sessions)} games here",
            "give one game's folder, or add the line `[pbem CODE]` of the player's report",
        )
    _check_typed(found, seat)
    return found


def receive_one(
    sessions: list["Session"], name: str, secret: bool = False, typed: str = ""
) -> Answered:
    """One file: read, find whose it is, judge, keep, answer."""
    data = b""
    try:
        data = read_input(name, MAIL_LIMIT)
        return receive_bytes(sessions, name, data, read_sent(data), secret, typed)
    except PbemError as error:
        return _unread([] if typed else sessions, name, data, error)
    except Exception as error:
        fault = OurFault(
            "fault/unexpected",
            f"this is our fault: {type(error).__name__}",
            "keep the file, and send us what PBEM_TRACEBACK=1 pbem receive prints for it alone",
        )
        if os.environ.get("PBEM_TRACEBACK") == "1":
            raise
        return _not_taken(name, "unreadable", fault)


def _unread(sessions: list["Session"], name: str, data: bytes, error: PbemError) -> Answered:
    """A mail that cannot be read; its player is told, where its subject says whose it is."""
    if error.code.startswith(("mail/", "move/")):  # it may quote what was sent, whoever that was
        message = cut_quoted(error.message)
        message = cut_words(message) if passwords_in(message) else message
        error = type(error)(error.code, message, error.hint)
    try:
        if error.code == "file/too-large":
            error = type(error)(error.code, error.message, TOO_LARGE)
            data = read_beginning(name)
        answered = answer_unread(sessions, name, data, error)
    except PbemError as other:
        answered, error = None, other
    if answered is not None:
        return answered
    return _not_taken(name, "unfinished" if error.code == UNFINISHED else "unreadable", error)


def _not_taken(name: str, verdict: str, error: PbemError) -> Answered:
    """A message that is nobody's, or cannot be read; or one that is taken without a receipt."""
    found = {"file": name, "verdict": verdict, "code": error.code, "why": error.message}
    found["hint"] = error.hint
    what = "" if verdict == "unfinished" else "not taken: "
    return found, f"{name or repr(name)}: {what}{error.line()}", error.exit_code


def receive_bytes(
    sessions: list["Session"],
    name: str,
    data: bytes,
    sent: Sent,
    secret: bool = False,
    typed: str = "",
) -> Answered:
    """One message that could be read. ``typed``: the seat that the referee typed it for."""
    found = owner(sessions, sent)
    if typed:
        if found is not None and found[1] != typed:
            raise BadInput(
                "typed/other-seat",
                f"it carries the code of {found[1]}, and you typed it for {typed}",
                "leave --typed away for mails that players sent",
            )
        game = _typed_for(sessions, found[0] if found else None, typed)
        found = (game, typed, 0)
        sent = _typed_now(game, sent)
    if found is None:
        return _not_taken(name, "unknown", Refused("mail/unknown", UNKNOWN, UNKNOWN_HINT))
    session, seat, _ = found
    with writing(session, closed=not typed):
        if not session.link.dealt:
            unknown = None if typed else take_unknown(session, seat, data, sent)
            if unknown is not None:
                return told_not_known(session, seat, name, unknown)
            return receive_answer(session, seat, name, data, sent)

        if not typed and ended(session, seat, sent):
            return answer_ended(session, seat, name, data, sent)
        answer = take(session, seat, data, sent, bool(typed))
        if answer is None:
            return again(session, seat, name)
        if answer.why:
            return told_not_known(session, seat, name, answer)
        taken = answer.taken
        if not secret:
            verdicts = public_verdicts(session.game, answer.sheet, taken.verdicts)
            taken = taken._replace(verdicts=verdicts)
        return _answer(session, seat, name, taken, answer)


def _typed_now(session: "Session", sent: Sent) -> Sent:
    """The same words typed once more in another state are not the same message: it has no code."""
    return sent._replace(digest=digest(f"{session.link.n} {sent.digest}".encode()).hex())


def _answer(session: "Session", seat: str, name: str, taken: Taken, answer: Answer) -> Answered:

    stale, number = answer.stale, answer.receipt
    verdict = (
        "stale"
        if stale
        else "kept"
        if taken.changed
        else "answered"
        if taken.accepted and not answer.unclear
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
    if answer.asking is not None and (stale or answer.unclear):
        over = "not counted: it answers an asking about an undo that is over"
        said[verdict] = over if stale else "neither `yes` nor `no`: the undo's question stays open"
    lines = [f"{name}: {who(session, seat)}: {said[verdict]}"]
    if not stale:
        lines += [f"  {line}" for line in verdict_lines(taken.verdicts)]
    lines += [f"  asked for: {asks_in_words(taken.asks)}"] if taken.asks else []
    lines += [f"  note: {note}" for note in session.notes]
    session.notes.clear()
    return data, "\n".join(lines), 0 if verdict in ("kept", "answered") else 1
