"""A module that prose names is there: after a move, a stale name sends a reader to nothing.

Not looked at: docs/decisions, which tell how it was.
"""

import re

from . import tree
from .test_citations import texts

NAMED = re.compile(r"(?<![\w./-])((?:[a-z_]+/)*[a-z_]+\.py)\b")
# names in tests and docs that are not files of ours
ELSEWHERE = {"folder/file.py", "pbem/x.py"}
HERE = {path.as_posix() for path in tree.ROOT.rglob("*.py") if ".venv" not in path.parts}
WITH_PROSE = sorted(name for name in texts() if "decisions/" not in name)


@tree.each(WITH_PROSE)
def test_a_module_that_is_named_is_there(name: str) -> None:
    for cited in NAMED.findall(texts()[name]):
        there = any(path.endswith(f"/{cited}") for path in HERE)
        assert there or cited in ELSEWHERE, f"{name}: there is no {cited}"


def test_the_row_about_email_names_modules_of_transport() -> None:
    """Found by a newcomer: it named `ways.py`, which another folder has."""
    rows = (tree.ROOT / "CONTRIBUTING.md").read_text().splitlines()
    (row,) = (row for row in rows if row.startswith("| change how email is fetched or sent |"))
    modules = re.findall(r"`([a-z_]+\.py)`", row)
    assert [name for name in modules if not (tree.ROOT / "pbem" / "transport" / name).exists()] == []
