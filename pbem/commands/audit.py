"""``pbem audit``: was this game honest?"""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.crypto.encoding import unb64
from pbem.disk.whole import read_input
from pbem.errors import BadInput, PbemError
from pbem.files.characters import decode
from pbem.moderator.audit.audit import Audit, TrustAnchors
from pbem.moderator.audit.findings import TITLES
from pbem.result import Result
from pbem.services.proof.audits import Audited, audits

#: what is said where two files given have different states of one game
TWO = {"contradicted": "CONTRADICTED", "not checked": "NOT PROVEN"}


def run(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Archives, or folders of them.")
    ],
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            metavar="FILE",
            help="A file of referees' public keys and game ids, one per line.",
        ),
    ] = None,
) -> Result:
    """Play a game again, from the deal to the result. It needs no key and no referee.

    Exit code 0: everything is proven. 1: something is contradicted, or could not be checked.
    """
    rows = [_row(one) for one in audits(paths, _known(keys))]
    text = "\n".join(row.pop("text") for row in rows)
    return Result({"games": rows}, text, max(row.pop("exit") for row in rows))


def _known(path: Path | None) -> TrustAnchors:
    """The file of ``--keys``: a key or a game's id begins each line, what follows is a note."""
    if path is None:
        return TrustAnchors()
    keys, games = set[bytes](), set[str]()
    for number, line in enumerate(decode(read_input(str(path), 1 << 20)).splitlines(), 1):
        word = (line.split("#")[0].split() or [""])[0]
        if re.fullmatch("[a-z2-7]{26}", word):
            games.add(word)
        elif re.fullmatch("[A-Za-z0-9_-]{43}", word):
            keys.add(unb64(word, 32))
        elif word:
            why = f"{path}, line {number}: neither a referee's public key nor the id of a game"
            way = "a key has 43 letters and digits (pbem key show), an id has 26 (in every report)"
            raise BadInput("audit/keys", why, way)
    if not keys and not games:
        raise BadInput("audit/keys", f"{path} names no key and no game", "write one per line")
    return TrustAnchors(frozenset(keys), frozenset(games))


def _row(one: Audited) -> dict[str, Any]:
    """One game's verdict, with a line for each item."""
    path, found = one.path, one.found
    if isinstance(found, PbemError):
        row: dict[str, Any] = {"path": str(path), "verdict": "unreadable", "says": found.line()}
        row |= {"game": "", "last": 0, "items": [], "rulings": []}
        return row | {"text": f"{path}: {found.line()}", "exit": found.exit_code}
    verdict, says = found.verdict, _says(found)
    parted = one.parted
    if parted == "contradicted" or (parted and verdict != "contradicted"):
        verdict, says = parted, f"{TWO[parted]}: {one.why}"
    return {
        "path": str(path),
        "verdict": verdict,
        "says": says,
        "game": found.game,
        "last": found.last,
        "items": [
            {"item": i.name, "verdict": i.verdict, "says": i.says, "state": i.n}
            for i in found.items
        ],
        "rulings": [
            {"n": one.n, "says": one.says, "voided": list(one.void)} for one in found.rulings
        ],
        "text": "\n".join(_lines(path, found, says)),
        "exit": 0 if verdict == "proven" else 1,
    }


def _says(found: Audit) -> str:
    """The verdict in one line."""
    wrong = found.first
    if wrong is not None:
        return f"CONTRADICTED: {wrong.says}"
    open_ = [item for item in found.items if item.verdict != "proven"]
    but = _but_for(found)
    if open_:
        proven = len(found.items) - len(open_)
        if [item.name for item in open_] == ["result"]:
            return f"NOT OVER YET: all so far is proven{but}"
        if [item.name for item in open_] == ["transcript"]:
            return f"TRANSCRIPT NOT COMPARED: all else is proven{but}"
        return f"NOT PROVEN: {proven} of {len(found.items)} proven{but}, nothing contradicted"
    return f"proven{but}"


def _but_for(found: Audit) -> str:
    """How many rulings there are, and how many of them changed what players look at first."""
    number, moved = len(found.rulings), sum(one.moved for one in found.rulings)
    if not number:
        return ""
    seated = sum(one.seated for one in found.rulings)
    told = [f"{moved} changed the position"] if moved else []
    told += [f"{seated} changed who plays or signs"] if seated else []
    void = sum(bool(one.void) for one in found.rulings)
    told += [f"{void} made waiting orders void"] if void else []
    which = ", ".join(told) or "none changed the position, or who plays or signs"
    return f", but for {number} ruling{'s' * (number > 1)} ({which})"


def _lines(path: Path, found: Audit, says: str) -> list[str]:
    """All in full; items that were not checked for one reason share a line."""
    lines = [f"{path}: game {found.game}, states 0 to {found.last}"]
    alike: dict[tuple[str, ...], list[str]] = {}
    for i in found.items:
        why = (i.verdict, i.says) if i.verdict == "not checked" else (i.verdict, i.says, i.name)
        alike.setdefault(why, []).append(TITLES[i.name])
    lines += [f"  {why[0]}: {', '.join(titles)}: {why[1]}" for why, titles in alike.items()]
    for one in found.rulings:
        lines += [f"  ruling in state {one.n}: {one.says}"]
        lines += [f"  orders of {name} that waited were made void" for name in one.void]
    return [*lines, f"{path}: {says}"]
