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
from pbem.proof.audit.saved_emails import SavedEmail
from pbem.result import Result, show_progress
from pbem.services.prove.audit import FEW_GAMES, AuditResult, audit_all
from pbem.services.prove.audit_report import AuditReport, VerdictKey
from pbem.services.prove.inputs import AuditInput, SavedEmails, list_inputs, read_emails_in

#: what is said where two files given have different states of one game
CONFLICT_WORDS = {"contradicted": "CONTRADICTED", "not checked": "NOT PROVEN"}


def run(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Archives, or folders; emails that were kept.")
    ],
    keys_file: Annotated[
        Path | None,
        typer.Option("--keys", metavar="FILE", help="A file of referees' public keys and game ids, one per line."),
    ] = None,
    report_file: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write each verdict there at once; what FILE has already is not audited again.",
        ),
    ] = None,
    cluster: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Audit on this cluster of Dask's (pbem[cluster]).")
    ] = "",
) -> Result:
    """Play a game again, from the deal to the result. It needs no key and no referee.

    Exit code 0: everything is proven. 1: something is contradicted, or could not be checked.
    Many archives are audited at once, on all processors.
    """
    trust_anchors = _read_trust_anchors(keys_file)
    emails = read_emails_in(paths)
    inputs = list_inputs(paths, bool(cluster), emails)
    if report_file is not None:
        refuse_dash(report_file, "a report", "--report audits.jsonl")
        return _report_result(report_file, inputs, trust_anchors, emails, cluster)
    rows_by_path = dict[str, dict[str, Any]]()
    for row in _audit_rows(inputs, trust_anchors, emails, cluster):
        rows_by_path[row["path"]] = rows_by_path.get(row["path"], {}) | row
    rows = [*rows_by_path.values()]
    text = "\n".join(row.pop("text") for row in rows)
    return Result({"games": rows}, text, max(row.pop("exit") for row in rows))


def _audit_rows(
    inputs: Iterator[AuditInput], trust_anchors: TrustAnchors, emails: SavedEmails, cluster: str
) -> Iterator[dict[str, Any]]:
    """A row for each, in the order named; of many, a line on a terminal as each is done."""
    first_inputs = [*islice(inputs, FEW_GAMES + 1)]
    is_many = len(first_inputs) > FEW_GAMES
    for number, audited_game in enumerate(
        audit_all(chain(first_inputs, inputs), trust_anchors, emails, is_many, cluster), 1
    ):
        row = _audit_row(audited_game)
        if is_many or cluster:
            show_progress(f"{number}: {row['path']}: {row['says']}")
        yield row


def _report_result(
    report_path: Path, inputs: Iterator[AuditInput], trust_anchors: TrustAnchors, emails: SavedEmails, cluster: str
) -> Result:
    """Every verdict goes into the file; the answer has those that are not proven."""
    report, marks = AuditReport(report_path), dict[str, VerdictKey]()
    earlier_counts = Counter[str]()
    trusted_ids = sorted((*(b64(key) for key in trust_anchors.keys), *trust_anchors.games))
    trusted_ids += [email.sha256 if isinstance(email, SavedEmail) else email.as_line() for email in emails.values()]
    trust_digest = digest(" ".join(trusted_ids).encode()).hex()[:16] if trusted_ids else ""

    def remaining_inputs() -> Iterator[AuditInput]:
        for input_path, data in inputs:
            if isinstance(data, bytes):
                mark = VerdictKey(digest(data).hex(), f"pbem {__version__}", trust_digest)
                if verdict := report.verdict(input_path, mark):
                    earlier_counts[verdict] += 1
                    continue
                marks[str(input_path)] = mark
            yield AuditInput(input_path, data)

    failed_rows, verdicts = dict[str, dict[str, Any]](), dict[str, str]()
    for row in _audit_rows(remaining_inputs(), trust_anchors, emails, cluster):
        del row["text"]
        verdicts[row["path"]] = row["verdict"]
        if row.pop("exit"):
            failed_rows[row["path"]] = failed_rows.get(row["path"], {}) | row
        if mark := marks.get(row["path"]):
            report.add(row, mark)
    verdict_counts = Counter(verdicts.values()) + earlier_counts
    code = max(EXIT_CODES.get(verdict, 1) for verdict in verdict_counts)
    rows = [*failed_rows.values()]
    lines = [f"{row['path']}: {row['says']}" for row in rows]
    counts_text = ", ".join(f"{number} {verdict}" for verdict, number in verdict_counts.items())
    earlier_note = f"; {earlier_counts.total()} of them were in {report_path} already" if earlier_counts else ""
    lines.append(f"{verdict_counts.total()} audited: {counts_text}{earlier_note}")
    data = {
        "games": rows,
        "report": str(report_path),
        "verdicts": dict(verdict_counts),
        "before": earlier_counts.total(),
    }
    return Result(data, "\n".join(lines), code)


#: of a verdict that stands in the file; any other is 1
EXIT_CODES = {"proven": 0, "unreadable": 2}


def _read_trust_anchors(path: Path | None) -> TrustAnchors:
    """The file of ``--keys``: a key or a game's id begins each line, what follows is a note."""
    if path is None:
        return TrustAnchors()
    keys, games = set[bytes](), set[str]()
    for line_number, line in enumerate(decode(read_input(str(path), 1 << 20)).splitlines(), 1):
        word = (line.split("#")[0].split() or [""])[0]
        if re.fullmatch(GAME_ID, word):
            games.add(word)
        elif re.fullmatch("[A-Za-z0-9_-]{43}", word):
            keys.add(unb64(word, 32))
        elif word:
            message = f"{path}, line {line_number}: neither a referee's public key nor the id of a game"
            hint = "a key has 43 letters and digits (pbem key show), an id has 26 (in every report)"
            raise BadInput("audit/keys", message, hint)
    if not keys and not games:
        raise BadInput("audit/keys", f"{path} names no key and no game", "write one per line")
    return TrustAnchors(frozenset(keys), frozenset(games))


def _audit_row(audited_game: AuditResult) -> dict[str, Any]:
    """One game's verdict, with a line for each item."""
    path, audit = audited_game.path, audited_game.result
    if isinstance(audit, PbemError):
        # a letter that is not genuine says nothing of a game, whose own verdict stays; but not all
        # that was given could be held against it, and a script must not take that for proven
        verdict = "not genuine" if isinstance(audit, Refused) else "unreadable"
        row: dict[str, Any] = {"path": str(path), "verdict": verdict, "says": audit.as_line()}
        row |= {"game": "", "last": 0, "items": [], "rulings": []}
        return row | {"text": f"{path}: {audit.as_line()}", "exit": audit.exit_code}
    verdict, summary = audit.verdict, _verdict_line(audit)
    if audited_game.is_repeated:
        verdict, summary = (
            audited_game.divergence_verdict,
            f"{CONFLICT_WORDS[audited_game.divergence_verdict]}: {audited_game.divergence_reason}",
        )
        text = f"{path}: {summary}"
        return {"path": str(path), "verdict": verdict, "says": summary, "text": text, "exit": 1}
    conflict = audited_game.divergence_verdict
    if conflict == "contradicted" or (conflict and verdict != "contradicted"):
        verdict, summary = conflict, f"{CONFLICT_WORDS[conflict]}: {audited_game.divergence_reason}"
    return {
        "path": str(path),
        "verdict": verdict,
        "says": summary,
        "game": audit.game,
        "last": audit.last_number,
        "items": [
            {"item": item.name, "verdict": item.verdict, "says": item.text, "state": item.n, "stated": item.is_stated}
            | ({"kind": item.kind} if item.kind else {})
            for item in audit.items
        ],
        "rulings": [
            {"n": ruling.n, "says": ruling.text, "voided": list(ruling.voided_names)} for ruling in audit.rulings
        ],
        "text": "\n".join(_audit_lines(path, audit, summary)),
        "exit": 0 if verdict == "proven" else 1,
    }


def _verdict_line(audit: Audit) -> str:
    """The verdict in one line."""
    contradiction = audit.first_contradiction
    if contradiction is not None:
        return f"CONTRADICTED: {contradiction.text}"
    unproven_items = [item for item in audit.items if item.verdict != "proven"]
    rulings_note = _rulings_note(audit)
    if unproven_items:
        proven = len(audit.items) - len(unproven_items)
        if [item.name for item in unproven_items] == ["result"]:
            return f"NOT OVER YET: all so far is proven{rulings_note}"
        if [item.name for item in unproven_items] == ["transcript"]:
            return f"TRANSCRIPT NOT COMPARED: all else is proven{rulings_note}"
        return f"NOT PROVEN: {proven} of {len(audit.items)} proven{rulings_note}, nothing contradicted"
    return f"proven{rulings_note}"


def _rulings_note(audit: Audit) -> str:
    """How many rulings there are, and how many of them changed what players look at first."""
    count, position_changes = (len(audit.rulings), sum(ruling.changed_position for ruling in audit.rulings))
    if not count:
        return ""
    seat_changes = sum(ruling.changed_player for ruling in audit.rulings)
    changes = [f"{position_changes} changed the position"] if position_changes else []
    changes += [f"{seat_changes} changed who plays or signs"] if seat_changes else []
    order_voidings = sum(bool(ruling.voided_names) for ruling in audit.rulings)
    changes += [f"{order_voidings} made waiting orders void"] if order_voidings else []
    changes_text = ", ".join(changes) or "none changed the position, or who plays or signs"
    return f", but for {count} ruling{'s' * (count > 1)} ({changes_text})"


def _audit_lines(path: Path, audit: Audit, summary: str) -> list[str]:
    """All in full; items that were not checked for one reason share a line."""
    lines = [f"{path}: game {audit.game}, states 0 to {audit.last_number}"]
    titles_by_reason: dict[tuple[str, ...], list[str]] = {}
    for item in audit.items:
        verdict = "stated" if item.is_stated else item.verdict
        reason = (verdict, item.text) if item.verdict == "not checked" else (verdict, item.text, item.name)
        titles_by_reason.setdefault(reason, []).append(TITLES[item.name])
    lines += [f"  {reason[0]}: {', '.join(titles)}: {reason[1]}" for reason, titles in titles_by_reason.items()]
    for ruling in audit.rulings:
        lines += [f"  ruling in state {ruling.n}: {ruling.text}"]
        lines += [f"    waiting orders of {name} were made void" for name in ruling.voided_names]
    return [*lines, f"{path}: {summary}"]
