"""The file of ``pbem audit --report``: a line for each audited archive, so that a stopped audit can continue.

Not allowed here: an audit.
Law: a line counts only for the same bytes, pbem, trusted keys and emails. An incomplete line never counts.
Source: docs/json.schema.json; docs/decisions/0015-scale.md.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pbem.disk.whole import append_line, read_lines
from pbem.errors import BadInput

BEGINNING = b'{"path": '  #: of each line, even of an incomplete one


class VerdictKey(NamedTuple):
    """What a verdict depends on."""

    sha256: str  #: of the archive's bytes, hex
    by: str  #: the pbem that audited it
    keys: str  #: a hash of the trusted keys and emails, "" for none


class AuditReport:
    """The file, and the verdicts that were in it when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._verdicts: dict[str, tuple[VerdictKey, str]] = {}
        for number, line in enumerate(read_lines(path), 1):
            row = self._read(number, line)
            if not row:
                continue
            verdict_key = VerdictKey(row["sha256"], row["by"], row["keys"])
            self._verdicts[row["path"]] = verdict_key, row["verdict"]

    def _read(self, number: int, line: bytes) -> dict[str, str]:
        """Read a line of the file. Return {} for an incomplete line. Raises BadInput for another kind of file."""
        keys = ("path", "verdict", *VerdictKey._fields)
        try:
            row = json.loads(line)
            return {key: str(row[key]) for key in keys}
        except (ValueError, LookupError, TypeError, RecursionError):
            if line.startswith(BEGINNING):
                return {}
            message = f"{self._path}, line {number}: this is not a line of an audit"
            hint = "name a new file, or one that `pbem audit --report` wrote"
            raise BadInput("audit/report-file", message, hint) from None

    def verdict(self, path: Path, verdict_key: VerdictKey) -> str:
        """Return the verdict on an archive that was audited before with the same key, or "" for any other."""
        stored_key, verdict = self._verdicts.get(str(path), (None, ""))
        return verdict if stored_key == verdict_key else ""

    def add(self, row: Mapping[str, Any], verdict_key: VerdictKey) -> None:
        """Write one more line to the drive."""
        line = json.dumps({**row, **verdict_key._asdict()}, ensure_ascii=True)
        append_line(self._path, line.encode())
