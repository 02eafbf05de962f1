"""The plain text in an archive, held against the states it tells of.

What lives here: ``compare``. What must never be here: making the text (transcript.py).
Law: another version of pbem may word it otherwise, and that makes nothing forged (P9).
"""

from collections.abc import Mapping

from pbem.errors import PbemError
from pbem.moderator.audit.archive import Archive
from pbem.moderator.audit.findings import Findings, Rules, Transcript
from pbem.moderator.audit.states import Replay, SignedState
from pbem.moderator.verify.checks import Unreadable


def compare(
    contents: Archive,
    make: Transcript,
    replay: Replay | None,
    states: Mapping[int, SignedState],
    rules: Rules,
    found: Findings,
) -> None:
    """The plain text in an archive must say what the states say."""
    if found.wrong.keys() - {"container", "referees"} or len(states) != len(contents.states):
        found.leave(("transcript",), "the states it tells of do not hold")
        return
    if contents.secret and (replay is None or len(replay.past) != len(states)):
        found.leave(("transcript",), "it could not be made again here")
        return
    try:
        _, version = rules(states[0].link)
        text = make(replay, states)
    except PbemError as error:
        found.leave(("transcript",), f"{error.message} ({error.hint})")
        return
    except Unreadable as what:
        text = b""
        if version == states[0].link.setup.version:
            said = f"state {what.n} tells of what there is not in this game"
            found.contradict("orders", what.n, said)
            found.leave(("transcript",), "the states it tells of do not hold")
    if text != contents.transcript:
        _other_text(text, contents, version, states[0].link.setup.version, found)


def _other_text(
    text: bytes, contents: Archive, version: str, made_by: str, found: Findings
) -> None:
    """Another version may word it otherwise: that makes nothing forged (P9)."""
    if version != made_by:
        why = f"made by version {made_by}, this is {version}: its words may be others"
        found.leave(("transcript",), why)
    elif text:
        line = _first_line(text, contents.transcript)
        found.contradict("transcript", None, f"its line {line} is not what the states say")


def _first_line(text: bytes, other: bytes) -> int:
    pairs = zip(text.split(b"\n"), other.split(b"\n"), strict=False)
    rows = min(text.count(b"\n"), other.count(b"\n")) + 1
    return next((i for i, (a, b) in enumerate(pairs, 1) if a != b), rows)
