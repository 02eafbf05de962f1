"""Each asking is its own: a late `yes` counts for no other; an unclear answer leaves it open."""

from typing import Any

import pytest
from durability import games

from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey
from pbem.services.amend.consent import find_open_consent

from .asked import answer, asked, consent, receipt, signed

ASK = ("amend", "GAME", "undo", "--reason", "a slip")


def seats(place: Any) -> list[str]:
    """Who is asked now."""
    n = place.session().record.n
    folder = place.game / f"desk/reports/{n:04d}"
    return [s for s in ("red", "blue") if (folder / f"{s}.consent.txt").exists()]


@pytest.mark.parametrize("other", [(), ("--to", "2")], ids=["same", "further"])
def test_a_late_yes_counts_for_no_other_asking(late: Any, other: tuple[str, ...]) -> None:
    """Found by a review of consent: after --drop, it counted for the next undo from that state."""
    late.run(*ASK)
    before = {seat: asked(late, seat) for seat in seats(late)}
    late.done("amend", "GAME", "undo", "--drop")
    assert late.run(*ASK, *other).code == 1
    for seat, mail in before.items():
        said = late.run("receive", "GAME", answer(late, mail, "yes", f"{seat}-late.eml"))
        assert said.code == 1
        assert "it answers a question about an undo that has been decided" in said.text
        assert "Please answer the later email" in receipt(late, seat)
        assert f"({seat})" in late.done("status", "GAME")
    n = late.session().record.n
    late.done("resolve", "GAME")
    assert late.session().record.n == n
    for seat in seats(late):
        late.done("receive", "GAME", consent(late, seat, "yes", f"{seat}-now.eml"))
    assert "the undo is done" in late.done("resolve", "GAME")


def test_a_late_yes_after_the_undo_says_that_it_is_over(late: Any) -> None:
    late.run(*ASK)
    before = {seat: asked(late, seat) for seat in seats(late)}
    for seat, mail in before.items():
        late.done("receive", "GAME", answer(late, mail, "yes", f"{seat}.eml"))
    late.done("resolve", "GAME")
    for seat, mail in before.items():
        late.run("receive", "GAME", answer(late, mail, "no", f"{seat}-late.eml"))
        assert "is already settled, so your answer changes nothing" in receipt(late, seat)
        assert "asked again" not in receipt(late, seat)


def test_a_timer_does_not_fail_because_an_undo_succeeds(late: Any) -> None:
    """Found by a new user in 2026-11: `tick` ended with 1 when it carried out an agreed undo."""
    late.run(*ASK)
    for seat in seats(late):
        late.done("receive", "GAME", consent(late, seat, "yes", f"{seat}.eml"))
    n = late.session().record.n
    said = late.run("tick", "GAME")
    assert (said.code, "the undo is done, back to state" in said.text) == (0, True), said.text
    assert late.session().record.n > n


def test_every_asking_has_mails_of_its_own_kind(late: Any) -> None:
    """Found by a review of consent: the second one had the first one's id, and was dropped."""
    ids, codes = set(), set()
    for _ in range(3):
        late.run(*ASK)
        seat = seats(late)[0]
        n = late.session().record.n
        mail = (late.game / f"desk/outbox/{n:04d}-{seat}-consent.eml").read_text()
        ids.add(next(x for x in mail.split("\n") if x.startswith("Message-ID")))
        codes.add(asked(late, seat).split("]")[0])
        assert late.session().code(seat) not in asked(late, seat)
        late.done("amend", "GAME", "undo", "--drop")
    assert len(ids) == len(codes) == 3


def test_a_yes_to_the_report_is_no_answer_to_the_asking(late: Any) -> None:
    late.run(*ASK)
    seat = seats(late)[0]
    assert late.run("receive", "GAME", late.mail(seat, "yes", "report.eml")).code == 1
    assert "reply to the email that asks you" in receipt(late, seat)


def test_who_signs_is_told_so_too(late: Any) -> None:
    """His `yes` to the report gets the same words, not that nothing shows it to be his."""
    key = b64(RefereeKey(b"p" * 32).public)
    late.done("amend", "GAME", "player", "red", "--auth", "key", "--key", key, "--reason", "he asked for it")
    late.run(*ASK, "--to", "2")
    late.run("receive", "GAME", late.mail("red", "yes", "report.eml"))
    assert "reply to the email that asks you" in receipt(late, "red")
    late.run("receive", "GAME", consent(late, "red", "maybe", "maybe.eml"))
    assert "`yes` or `no`" in receipt(late, "red")
    own = RefereeKey(b"p" * 32)
    late.done("receive", "GAME", signed(late, "red", "yes", "yes.eml", own))


@pytest.mark.parametrize("text", ["maybe", "yes but only this once", "yes\nno"])
def test_an_unclear_answer_leaves_the_question_open(late: Any, text: str) -> None:
    """Found by a review of consent: it was told as an order refused."""
    late.run(*ASK)
    seat = seats(late)[0]
    said = late.run("receive", "GAME", consent(late, seat, text))
    assert said.code == 1
    assert "neither `yes` nor `no`" in said.text
    told = receipt(late, seat)
    assert "May the orders be undone? Answer `yes` or `no`, alone on a line" in told
    assert "Answer `yes` or `no`" in told
    assert "order was found" not in told
    assert "refused" not in told
    assert f"({seat})" in late.done("status", "GAME")
    newest = max((late.game / "desk" / "receipts").glob(f"{seat}-*.txt"))
    late.done("receive", "GAME", answer(late, newest.read_text(), "yes", "then.eml"))
    assert "Your answer is noted: yes." in receipt(late, seat)


def test_resolve_says_who_still_owes_an_answer(late: Any) -> None:
    """Found by a review of consent: it said whom the game would wait for, had nobody asked."""
    late.run(*ASK, "--to", "2")
    owing = seats(late)
    said = late.done("resolve", "GAME")
    assert "to say whether the undo may be done." in said
    assert all(f"({seat})" in said for seat in owing)
    for dry in ((), ("--dry-run",)):
        line = next(x for x in late.done("resolve", "GAME", *dry).split("\n") if "It waits" in x)
        assert "to say whether" in line
    late.done("receive", "GAME", consent(late, owing[0], "no"))
    said = late.done("resolve", "GAME")
    assert f"({owing[0]}) said no to the undo: pbem amend" in said
    assert "It waits" not in said
    assert "nothing is played before that" in said
    assert "before they have answered" not in said  # found by a review: all had


def test_a_typed_answer_needs_no_code(late: Any) -> None:
    why = ("--reason", "he telephones")
    late.done("amend", "GAME", "player", "red", "--auth", "typed", *why)
    late.run(*ASK, "--to", "2")
    late.done("receive", "GAME", "--typed", "red", late.file("typed.txt", "yes\n"))
    said = late.run(*ASK[:3]).text
    assert "(red) agrees" in said


def test_a_file_of_the_version_before_is_read(late: Any) -> None:
    """It had no number: such an asking is the first."""
    late.run(*ASK)
    path = late.game / "desk" / "consent.toml"
    kept = [x for x in path.read_text().split("\n") if not x.startswith(("number", "past"))]
    path.write_text("\n".join(kept))
    seat = seats(late)[0]
    late.done("receive", "GAME", consent(late, seat, "yes"))
    games.one_line(late.run("amend", "GAME", "undo", "--drop"))


def test_a_yes_beside_a_refused_order_is_not_noted(late: Any) -> None:
    """Found by a review of consent: its receipt said that one may answer otherwise."""
    late.run(*ASK)
    seat = seats(late)[0]
    assert late.run("receive", "GAME", consent(late, seat, "yes\nwall Z9")).code == 1
    told = receipt(late, seat)
    assert "so no orders were accepted." in told
    assert "You are still asked whether orders may be undone. Answer `yes` or `no`" in told
    assert "otherwise" not in told
    assert f"({seat})" in late.done("status", "GAME")


def test_status_says_why_a_game_was_closed(place: Any) -> None:
    place.done("amend", "GAME", "close", "--reason", "nobody has time")
    said = place.done("status", "GAME")
    assert "closed by the referee on " in said
    assert " UTC: nobody has time\n" in said


def test_words_around_an_answer_are_no_answer(late: Any) -> None:
    """Decision 0023: `yes` counts alone on its line, in any of five languages; other words are the
    referee's.
    """
    late.run(*ASK)
    seat = seats(late)[0]
    late.run("receive", "GAME", consent(late, seat, "Yes, but only this once", "a.eml"))
    assert "Your email did not say it clearly." in receipt(late, seat)
    late.done("receive", "GAME", consent(late, seat, "Oui !\n\nIt was a slip.", "b.eml"))
    assert "Your answer is noted: yes." in receipt(late, seat)


def test_an_answer_given_stands(late: Any) -> None:
    """Found by a review of 2026-11-21: an empty mail after `yes` was told that nothing was said."""
    late.run(*ASK)
    seat = seats(late)[0]
    late.done("receive", "GAME", consent(late, seat, "Yes!", "a.eml"))
    assert "Your answer is noted: yes." in receipt(late, seat)
    late.run("receive", "GAME", consent(late, seat, "Cheers, he", "b.eml"))
    assert "This email has no clear answer, so your `yes` still counts." in receipt(late, seat)


def test_a_dry_run_shows_the_undo_that_players_are_asked_about(late: Any) -> None:
    """Found by a reader of the code: it showed the undo of the last order, whatever was asked."""
    late.run(*ASK, "--to", "2")
    preview = late.run("amend", "GAME", "undo", "--dry-run")
    assert preview == late.run(*ASK, "--to", "2", "--dry-run")
    assert preview != late.run(*ASK, "--orders", "1", "--dry-run")


def test_a_dry_run_knows_what_players_have_answered(late: Any) -> None:
    """Found by a reader of the code: those who had answered would "be asked first"."""
    late.run(*ASK)
    assert late.run("amend", "GAME", "undo", "--dry-run") == late.run("amend", "GAME", "undo")
    for seat in seats(late):
        late.done("receive", "GAME", consent(late, seat, "yes", f"{seat}.eml"))
    preview = late.done("amend", "GAME", "undo", "--dry-run")
    assert "would be asked" not in preview
    assert find_open_consent(late.session()) is not None
    assert "undone:" in late.done("amend", "GAME", "undo")


def test_a_dry_run_is_refused_after_a_no_and_still_asks(late: Any) -> None:
    late.run(*ASK)
    late.run("receive", "GAME", consent(late, seats(late)[0], "no"))
    preview = late.run("amend", "GAME", "undo", "--dry-run")
    assert (preview.code, "said no" in preview.text) == (1, True)
    assert find_open_consent(late.session()) is not None
    assert late.run("amend", "GAME", "undo") == preview
    assert find_open_consent(late.session()) is None


@pytest.mark.parametrize("words", [("--dry-run",), ("--to", "2"), ("--orders", "1")])
def test_drop_takes_nothing_beside_it(late: Any, words: tuple[str, ...]) -> None:
    """Found by a reader of the code: --drop --dry-run showed an undo, and --to was ignored."""
    late.run(*ASK)
    said = late.run("amend", "GAME", "undo", "--drop", *words)
    assert said.code == 2
    assert "only stops asking the players" in said.text
    assert seats(late)
