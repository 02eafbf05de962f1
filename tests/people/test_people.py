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


EMAILS = [mail for name in FILES for mail in mails(name)]
#: what the reader does otherwise than the files want, and is to
OTHERWISE = {
    "en-011": "`flood +2 and not -2`, with a change of mind in the same sentence: held (0019)",
    "en-038": "a correction within the email: held (0019)",
    "fr-023": "a correction within the email: held (0019)",
    "it-026": "a correction within the email: held (0019)",
    "de-053": "the site is not named, but described: a letter, and the seat is asked again",
    "en-073": "one action too many behind a draw: taken until one can tell, in notation too",
    "de-034": "one action too many behind a scoring: the same",
}


@pytest.mark.parametrize("mail", EMAILS, ids=[mail.id for mail in EMAILS])
def test_nothing_is_played_otherwise_than_a_referee_would(mail: Mail) -> None:
    found, want = read(mail), wanted(mail)
    if found.what in ("play", "yes", "no") and mail.id not in OTHERWISE:
        assert (found.what, found.orders, found.later) == (want.what, want.orders, want.later)


def test_nearly_all_that_a_referee_would_play_is() -> None:
    meant = [mail for mail in EMAILS if mail.referee == "play" and mail.id not in OTHERWISE]
    asked = [mail.id for mail in meant if read(mail).what != "play"]
    assert len(asked) <= len(meant) * 3 // 100, asked
    assert len(OTHERWISE) <= 10


def test_what_is_held_says_which_part_holds_it() -> None:
    held = [mail for mail in EMAILS if mail.context != INVITATION and read(mail).what == "ask"]
    silent = [m.id for m in held if not any(w[:5] in ("doubt", "refus") for w in read(m).why)]
    assert held
    assert not silent


ANSWERS = tomllib.loads((HERE / "invited.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("what", "body"), [(k, body) for k, rows in ANSWERS.items() for body in rows]
)
def test_an_invitation_is_answered_as_people_do(what: str, body: str) -> None:
    assert read(written(INVITATION, body)).what == what, body


def test_a_line_of_the_report_is_no_answer() -> None:
    """A paragraph of the report whose marks were lost, between marked ones."""
    report = place_of("cc2-red-10").report.split("\n")
    at = next(i for i, line in enumerate(report) if line.startswith("    wall"))
    end = next(i for i in range(at, len(report)) if not report[i])
    quoted = [line if at <= i < end else f"> {line}" for i, line in enumerate(report)]
    quoted[at - 1] = quoted[end] = ""
    assert read(written("cc2-red-10", "\n".join(quoted))).what != "play"
    mine = [*quoted[:end], "", "wall A2 and B5", "", *quoted[end:]]
    assert read(written("cc2-red-10", "\n".join(mine))).orders == ("wall A2", "wall B5")


def test_what_stands_below_another_mail_is_not_the_players() -> None:
    report = [f"> {line}" for line in place_of("cc2-red-10").report.split("\n")]
    other = ["", "On Tue, 3 Nov 2026 at 10:15, Ben wrote:", "", "wall A2 and B5"]
    assert read(written("cc2-red-10", "\n".join([*report, *other]))).what != "play"
