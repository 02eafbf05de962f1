"""``pbem archive``: a game as one file, as proof."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.clock import now
from pbem.commands.named_file import refuse_dash
from pbem.disk import atomic
from pbem.disk.reading import read
from pbem.errors import BadInput, Refused
from pbem.moderator.audit.archive import Archive, pack, unpack
from pbem.moderator.audit.audit import Audit, TrustAnchors
from pbem.moderator.audit.in_words import is_over
from pbem.result import Result
from pbem.services.proof.proving import look_into, transcript_of
from pbem.services.session.session import open_session


def run(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A game's folder.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write it.")
    ],
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also of a game that is not over: less is proven.")
    ] = False,
) -> Result:
    """Write a game that is over into one file, opened, for anybody to audit.

    No address, no mail, no password, no order that was not used is in it.
    """
    refuse_dash(output, "an archive", f"-o {directory.name}.tar")
    session = open_session(directory, now())
    with session.folder.lock():
        session = session.reread()
        states = {n: session.folder.state(n) or b"" for n in session.folder.numbers()}
    found = _audited(Archive(states, session.secret, b""))
    over = _is_over(found)
    if not over and not unfinished:
        raise Refused(
            "archive/unfinished",
            f"the game in {directory} is not over",
            "add --unfinished: it then holds no secret, and proves the chain alone",
        )

    text = transcript_of(found.replay if over else None, found.states)
    contents = Archive(states, session.secret if over else b"", text)
    data = pack(contents, found.game, session.key.signing, session.key.public)
    _write(output, data)
    lines = [f"Game {found.game}, states 0 to {found.last}, written to {output}."]
    number = len(found.rulings)
    lines += [f"Rulings of the referee in it: {number}."] if number else []
    lines += [
        "It may be shown to anybody, who then types this:"
        if over
        else "The game is not over: deal, orders and hidden things cannot be proven by it yet.",
        *([f"    pbem audit {output}"] if over else []),
        *(f"note: {note}" for note in session.notes),
    ]
    answer = {"file": str(output), "game": found.game, "last": found.last, "finished": over}
    return Result(answer | {"notes": session.notes}, "\n".join(lines))


def _audited(contents: object) -> Audit:
    """An archive of a game that does not hold would accuse its own referee: say so now."""
    found = look_into(contents, TrustAnchors())  # type: ignore[arg-type]
    wrong = found.first
    if wrong is not None:
        raise Refused(
            "archive/contradicted",
            f"this game does not prove what it says: {wrong.says}",
            "pbem audit DIR says more; pbem verify DIR too",
        )
    return found


def _is_over(found: Audit) -> bool:

    return found.replay is not None and is_over(found.replay, found.states)


def _write(output: Path, data: bytes) -> None:
    """An older archive is replaced; a key, a state or a photograph is not."""
    if output.exists():
        try:
            unpack(read(output, 1 << 30))
        except BadInput:
            raise Refused(
                "archive/other-file",
                f"{output} is there already and is not an archive",
                "name another file",
            ) from None
    atomic.write(output, data)
