"""What people write, and what a sensible referee does: none is played that he would not play."""

import tomllib

import pytest
from people.reading import HERE, INVITATION, Mail, mails, place_of, read, wanted

FILES = ("a-open", "b-open")
TRAPS = tomllib.loads((HERE / "traps.toml").read_text("utf-8"))


def written(context: str, body: str) -> Mail:
    """An email that says this and nothing else."""
    return Mail("x", context, "Re", body, "nothing", (), (), False, False)


def _traps() -> list[tuple[str, str]]:
    """Each with the position that it answers."""
    tables = ({k: v for k, v in TRAPS.items() if k != "more"}, TRAPS["more"])
    return [(context, body) for table in tables for context, rows in table.items() for body in rows]


@pytest.mark.parametrize(("context", "body"), _traps())
def test_a_trap_is_not_played(context: str, body: str) -> None:
    assert read(written(context, body)).what != "play", read(written(context, body))


FAMILIES = tomllib.loads((HERE / "families.toml").read_text("utf-8"))["family"]


@pytest.mark.parametrize(("family", "body"), [(f, body) for f in FAMILIES for body in f["said"]])
def test_a_meaning_is_understood(family: dict[str, list[str]], body: str) -> None:
    found = read(written(str(family["context"]), body))
    assert list(found.orders) == family.get("orders", []), found
    assert list(found.later) == family.get("later", []), found
