"""``pbem audit``: replays games to prove that they were honest."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from typer import Argument, Option

from pbem import __version__
from pbem.chain.clock_words import count_text
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

#: what is said of two files with different states of the same game, by verdict
CONFLICT_WORDS = {"contradicted": "CONTRADICTED", "not checked": "NOT PROVEN"}
ITEM_NAMES = {"hands": "pending"}  #: the name in `--json`, where it differs from the specification
#: the exit code of a verdict in a report file; any other verdict has 1
EXIT_CODES = {"proven": 0, "unreadable": 2}
#: the verdict on a game that nothing contradicts, by what is not proven: without rulings, and with some
VERDICTS = {
    "": ("proven", "proven, but for {rulings} ({changes})"),
    "result": (
        "NOT OVER YET: all so far is proven",
        "NOT OVER YET: all so far is proven, but for {rulings} ({changes})",
    ),
    "transcript": (
        "TRANSCRIPT NOT COMPARED: all else is proven",
        "TRANSCRIPT NOT COMPARED: all else is proven, but for {rulings} ({changes})",
    ),
}
NOT_PROVEN = (
    "NOT PROVEN: {proven} of {all} proven, nothing contradicted",
    "NOT PROVEN: {proven} of {all} proven, but for {rulings} ({changes}), nothing contradicted",
)


class AuditRow(NamedTuple):
    """The verdict on one file."""

    document: dict[str, Any]  #: for ``--json``; it has at least ``path``, ``verdict`` and ``says``
    text: str
    exit_code: int

    @property
    def path(self) -> str:
        return str(self.document["path"])

    @property
    def summary(self) -> str:
        return f"{self.path}: {self.document['says']}"


def run(
    paths: Annotated[list[Path], Argument(metavar="FILE...", help="Archives, game folders, and saved emails.")],
    keys_file: Annotated[
        Path | None, Option("--keys", metavar="FILE", help="Trusted keys and game ids, one per line.")
    ] = None,
    report_file: Annotated[
        Path | None, Option("--report", metavar="FILE", help="Store verdicts, and skip files that have one.")
    ] = None,
    cluster: Annotated[str, Option(metavar="ADDRESS", help="Audit on this Dask cluster (pbem[cluster]).")] = "",
) -> Result:
    """Replay a game from the deal to the result. It needs no key and no referee.

    Exit code 0: everything is proven. 1: something is contradicted, or could not be checked.
    pbem audits many archives at once, on all processors.
    """
    trust_anchors = _read_trust_anchors(keys_file)
    emails = read_emails_in(paths)
    inputs = list_inputs(paths, bool(cluster), emails)
    if report_file is not None:
        refuse_dash(report_file, "a report", "--report audits.jsonl")
        return _report_result(report_file, inputs, trust_anchors, emails, cluster)
    rows_by_path = dict[str, AuditRow]()
    for row in _audit_rows(inputs, trust_anchors, emails, cluster):
        rows_by_path[row.path] = _merge_rows(rows_by_path.get(row.path), row)
    rows = rows_by_path.values()
    text = "\n".join(row.text for row in rows)
    return Result({"games": [row.document for row in rows]}, text, max(row.exit_code for row in rows))


def _merge_rows(earlier: AuditRow | None, row: AuditRow) -> AuditRow:
    """Return the later row of a file. What its document lacks comes from the earlier row."""
    return row if earlier is None else row._replace(document=earlier.document | row.document)


def _audit_rows(
    inputs: Iterator[AuditInput], trust_anchors: TrustAnchors, emails: SavedEmails, cluster: str
) -> Iterator[AuditRow]:
    """Yield a row for each input, in order. For many inputs, also show each row as progress."""
    first_inputs = [*islice(inputs, FEW_GAMES + 1)]
    is_many = len(first_inputs) > FEW_GAMES
    audited_games = audit_all(chain(first_inputs, inputs), trust_anchors, emails, is_many, cluster)
    for number, audited_game in enumerate(audited_games, 1):
        row = _audit_row(audited_game)
        if is_many or cluster:
            show_progress(f"{number}: {row.summary}")
        yield row


def _report_result(
    report_path: Path, inputs: Iterator[AuditInput], trust_anchors: TrustAnchors, emails: SavedEmails, cluster: str
) -> Result:
    """Append each new verdict to the report file. Return a result with those that are not proven.

    An archive that has a verdict in the file is not audited again.
    """
    report = AuditReport(report_path)
    trust_digest = _trust_digest(trust_anchors, emails)
    keys_by_path = dict[str, VerdictKey]()  # of archives that are not in the file yet
    earlier_counts = Counter[str]()

    def remaining_inputs() -> Iterator[AuditInput]:
        """Yield the inputs without a verdict in the file, and count the others."""
        for input_path, data in inputs:
            if isinstance(data, bytes):
                verdict_key = VerdictKey(digest(data).hex(), f"pbem {__version__}", trust_digest)
                earlier_verdict = report.verdict(input_path, verdict_key)
                if earlier_verdict:
                    earlier_counts[earlier_verdict] += 1
                    continue
                keys_by_path[str(input_path)] = verdict_key
            yield AuditInput(input_path, data)

    failed_rows = dict[str, AuditRow]()
    verdicts = dict[str, str]()
    for row in _audit_rows(remaining_inputs(), trust_anchors, emails, cluster):
        verdicts[row.path] = row.document["verdict"]
        if row.exit_code:
            failed_rows[row.path] = _merge_rows(failed_rows.get(row.path), row)
        if row.path in keys_by_path:
            report.add(row.document, keys_by_path[row.path])
    verdict_counts = Counter(verdicts.values()) + earlier_counts
    lines = [row.summary for row in failed_rows.values()]
    counts_text = ", ".join(f"{number} {verdict}" for verdict, number in verdict_counts.items())
    audited, earlier = verdict_counts.total(), earlier_counts.total()
    lines.append(
        f"{audited} audited: {counts_text}; {earlier} of them were already in {report_path}"
        if earlier
        else f"{audited} audited: {counts_text}"
    )
    data = {
        "games": [row.document for row in failed_rows.values()],
        "report": str(report_path),
        "verdicts": dict(verdict_counts),
        "before": earlier,
    }
    return Result(data, "\n".join(lines), max(EXIT_CODES.get(verdict, 1) for verdict in verdict_counts))


def _trust_digest(trust_anchors: TrustAnchors, emails: SavedEmails) -> str:
    """Return a short hash of the trusted keys, games and emails, or "" if there are none."""
    trusted_ids = sorted((*(b64(key) for key in trust_anchors.keys), *trust_anchors.games))
    trusted_ids += [email.sha256 if isinstance(email, SavedEmail) else email.as_line() for email in emails.values()]
    return digest(" ".join(trusted_ids).encode()).hex()[:16] if trusted_ids else ""


def _read_trust_anchors(path: Path | None) -> TrustAnchors:
    """Read the file of ``--keys``. Each line begins with a key or a game's id. Raises BadInput ``audit/keys``."""
    if path is None:
        return TrustAnchors()
    keys, games = set[bytes](), set[str]()
    for line_number, line in enumerate(decode(read_input(str(path), 1 << 20)).splitlines(), 1):
        words = line.partition("#")[0].split()  # without the comment
        word = words[0] if words else ""
        if re.fullmatch(GAME_ID, word):
            games.add(word)
        elif re.fullmatch("[A-Za-z0-9_-]{43}", word):
            keys.add(unb64(word, 32))
        elif word:
            message = f"{path}, line {line_number}: neither a referee's public key nor the id of a game"
            hint = "a key has 43 letters and digits (pbem key show), an id has 26 (in every report)"
            raise BadInput("audit/keys", message, hint)
    if not keys and not games:
        raise BadInput("audit/keys", f"{path} has no key and no game id", "write one per line")
    return TrustAnchors(frozenset(keys), frozenset(games))


def _audit_row(audited_game: AuditResult) -> AuditRow:
    """Return the verdict on a file: an error, a conflict with another file, or what its own audit says."""
    path, audit = audited_game.path, audited_game.result
    conflict = audited_game.divergence_verdict  # with a file of the same game; "" if there is none
    if isinstance(audit, PbemError):
        # A forged email leaves the game's own verdict as it is. But it could not be compared with
        # the game, so the exit code must not be that of "proven".
        verdict = "not genuine" if isinstance(audit, Refused) else "unreadable"
        failed_document = {"path": str(path), "verdict": verdict, "says": audit.as_line()}
        return AuditRow(
            failed_document | {"game": "", "last": 0, "items": [], "rulings": []},
            f"{path}: {audit.as_line()}",
            audit.exit_code,
        )
    conflict_text = f"{CONFLICT_WORDS[conflict]}: {audited_game.divergence_reason}" if conflict else ""
    if audited_game.is_repeated:
        return AuditRow({"path": str(path), "verdict": conflict, "says": conflict_text}, f"{path}: {conflict_text}", 1)
    verdict = audit.verdict
    summary = _verdict_line(audit)
    if conflict == "contradicted" or (conflict and verdict != "contradicted"):
        verdict = conflict
        summary = conflict_text
    document = {"path": str(path), "verdict": verdict, "says": summary} | _audit_document(audit)
    return AuditRow(document, "\n".join(_audit_lines(path, audit, summary)), 0 if verdict == "proven" else 1)


def _audit_document(audit: Audit) -> dict[str, Any]:
    return {
        "game": audit.game,
        "last": audit.last_number,
        "items": [
            {
                "item": ITEM_NAMES.get(item.name, item.name),
                "verdict": item.verdict,
                "says": item.text,
                "state": item.n,
                "stated": item.is_stated,
            }
            | ({"kind": item.kind} if item.kind else {})
            for item in audit.items
        ],
        "rulings": [
            {"n": ruling.n, "says": ruling.text, "voided": list(ruling.voided_names)} for ruling in audit.rulings
        ],
    }


def _verdict_line(audit: Audit) -> str:
    """Return the verdict on a whole game, such as ``proven, but for 1 ruling (…)``."""
    if audit.first_contradiction is not None:
        return f"CONTRADICTED: {audit.first_contradiction.text}"
    unproven_names = [item.name for item in audit.items if item.verdict != "proven"]
    sentence, sentence_with_rulings = VERDICTS.get(" ".join(unproven_names), NOT_PROVEN)
    return (sentence_with_rulings if audit.rulings else sentence).format(
        proven=len(audit.items) - len(unproven_names),
        all=len(audit.items),
        rulings=count_text(len(audit.rulings), "ruling"),
        changes=_describe_changes(audit),
    )


def _describe_changes(audit: Audit) -> str:
    """Return what the rulings of a game changed."""
    position_changes = sum(ruling.changed_position for ruling in audit.rulings)
    seat_changes = sum(ruling.changed_player for ruling in audit.rulings)
    changes = [f"{position_changes} changed the position"] if position_changes else []
    changes += [f"{seat_changes} changed who plays or signs"] if seat_changes else []
    order_voidings = sum(bool(ruling.voided_names) for ruling in audit.rulings)
    changes += [f"{order_voidings} made pending orders void"] if order_voidings else []
    return ", ".join(changes) or "none changed the position, or who plays or signs"


def _audit_lines(path: Path, audit: Audit, summary: str) -> list[str]:
    """Return the full audit. Items that were not checked for the same reason share a line."""
    lines = [f"{path}: game {audit.game}, states 0 to {audit.last_number}"]
    titles_by_reason: dict[tuple[str, str, str], list[str]] = {}
    for item in audit.items:
        verdict = "stated" if item.is_stated else item.verdict
        own_name = "" if item.verdict == "not checked" else item.name  # keeps other items on a line of their own
        titles_by_reason.setdefault((verdict, item.text, own_name), []).append(TITLES[item.name])
    for (verdict, reason, _), titles in titles_by_reason.items():
        lines.append(f"  {verdict}: {', '.join(titles)}: {reason}")
    for ruling in audit.rulings:
        lines += [f"  ruling in state {ruling.n}: {ruling.text}"]
        lines += [f"    pending orders of {name} were made void" for name in ruling.voided_names]
    return [*lines, f"{path}: {summary}"]
