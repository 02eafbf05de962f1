"""``pbem audit``: was this game honest?"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem import __version__
from pbem.crypto.encoding import b64, digest, unb64
from pbem.disk.whole import read_input, refuse_dash
from pbem.errors import BadInput, PbemError, Refused
from pbem.mail.identity import GAME_ID
from pbem.mail.text import decode
from pbem.proof.audit.audit import Audit, TrustAnchors
from pbem.proof.audit.findings import TITLES
from pbem.result import Result, show_progress
from pbem.services.prove.audit import FEW, Audited, audits
from pbem.services.prove.audit_report import AuditReport, Mark
from pbem.services.prove.inputs import Given, Letters, given_in, letters_in

#: what is said where two files given have different states of one game
TWO = {"contradicted": "CONTRADICTED", "not checked": "NOT PROVEN"}


def run(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Archives, or folders; emails that were kept."),
    ],
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            metavar="FILE",
            help="A file of referees' public keys and game ids, one per line.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write each verdict there at once; what FILE has already is not audited again.",
        ),
    ] = None,
    cluster: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Audit on this cluster of Dask's (pbem[cluster])."),
    ] = "",
) -> Result:
    """Play a game again, from the deal to the result. It needs no key and no referee.

    Exit code 0: everything is proven. 1: something is contradicted, or could not be checked.
    Many archives are audited at once, on all processors.
    """
    known = _known(keys)
    letters = letters_in(paths)
    given = given_in(paths, bool(cluster), letters)
    if report is not None:
        refuse_dash(report, "a report", "--report audits.jsonl")
        return _reported(report, given, known, letters, cluster)
    found = dict[str, dict[str, Any]]()
    for row in _rows(given, known, letters, cluster):
        found[row["path"]] = found.get(row["path"], {}) | row
    rows = [*found.values()]
    text = "\n".join(row.pop("text") for row in rows)
    return Result({"games": rows}, text, max(row.pop("exit") for row in rows))


def _rows(
    given: Iterator[Given], known: TrustAnchors, letters: Letters, cluster: str
) -> Iterator[dict[str, Any]]:
    """A row for each, in the order named; of many, a line on a terminal as each is done."""
    first = [*islice(given, FEW + 1)]
    many = len(first) > FEW
    for number, one in enumerate(audits(chain(first, given), known, letters, many, cluster), 1):
        row = _row(one)
        if many or cluster:
            show_progress(f"{number}: {row['path']}: {row['says']}")
        yield row


def _reported(
    path: Path, given: Iterator[Given], known: TrustAnchors, letters: Letters, cluster: str
) -> Result:
    """Every verdict goes into the file; the answer has those that are not proven."""
    file, marks = AuditReport(path), dict[str, Mark]()
    before = Counter[str]()
    trusted = sorted((*(b64(key) for key in known.keys), *known.games))
    trusted += [digest(repr(letter).encode()).hex() for letter in letters.values()]
    keys = digest(" ".join(trusted).encode()).hex()[:16] if trusted else ""

    def left() -> Iterator[Given]:
        for where, data in given:
            if isinstance(data, bytes):
                mark = Mark(digest(data).hex(), f"pbem {__version__}", keys)
                if verdict := file.verdict(where, mark):
                    before[verdict] += 1
                    continue
                marks[str(where)] = mark
            yield where, data

    found, verdicts = dict[str, dict[str, Any]](), dict[str, str]()
    for row in _rows(left(), known, letters, cluster):
        del row["text"]
        verdicts[row["path"]] = row["verdict"]
        if row.pop("exit"):
            found[row["path"]] = found.get(row["path"], {}) | row
        if mark := marks.get(row["path"]):
            file.add(row, mark)
    every = Counter(verdicts.values()) + before
    code = max(EXIT.get(verdict, 1) for verdict in every)
    rows = [*found.values()]
    lines = [f"{row['path']}: {row['says']}" for row in rows]
    told = ", ".join(f"{number} {verdict}" for verdict, number in every.items())
    was = f"; {before.total()} of them were in {path} already" if before else ""
    lines.append(f"{every.total()} audited: {told}{was}")
    data = {"games": rows, "report": str(path), "verdicts": dict(every), "before": before.total()}
    return Result(data, "\n".join(lines), code)


#: of a verdict that stands in the file; any other is 1
EXIT = {"proven": 0, "unreadable": 2}


def _known(path: Path | None) -> TrustAnchors:
    """The file of ``--keys``: a key or a game's id begins each line, what follows is a note."""
    if path is None:
        return TrustAnchors()
    keys, games = set[bytes](), set[str]()
    for number, line in enumerate(decode(read_input(str(path), 1 << 20)).splitlines(), 1):
        word = (line.split("#")[0].split() or [""])[0]
        if re.fullmatch(GAME_ID, word):
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
        # a letter that is not genuine says nothing of a game, whose own verdict stays; but not all
        # that was given could be held against it, and a script must not take that for proven
        verdict = "not genuine" if isinstance(found, Refused) else "unreadable"
        row: dict[str, Any] = {"path": str(path), "verdict": verdict, "says": found.line()}
        row |= {"game": "", "last": 0, "items": [], "rulings": []}
        return row | {"text": f"{path}: {found.line()}", "exit": found.exit_code}
    verdict, says = found.verdict, _says(found)
    if one.again:
        verdict, says = one.parted, f"{TWO[one.parted]}: {one.why}"
        text = f"{path}: {says}"
        return {"path": str(path), "verdict": verdict, "says": says, "text": text, "exit": 1}
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
            {"item": i.name, "verdict": i.verdict, "says": i.says, "state": i.n, "stated": i.stated}
            | ({"kind": i.kind} if i.kind else {})
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
        shown = "stated" if i.stated else i.verdict
        why = (shown, i.says) if i.verdict == "not checked" else (shown, i.says, i.name)
        alike.setdefault(why, []).append(TITLES[i.name])
    lines += [f"  {why[0]}: {', '.join(titles)}: {why[1]}" for why, titles in alike.items()]
    for one in found.rulings:
        lines += [f"  ruling in state {one.n}: {one.says}"]
        lines += [f"    waiting orders of {name} were made void" for name in one.void]
    return [*lines, f"{path}: {says}"]
