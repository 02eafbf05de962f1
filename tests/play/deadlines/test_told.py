"""What people read about a game's time: the referee in `status`, players in reports and emails."""

import shlex
from pathlib import Path

import pytest
from durability import games
from durability.games import Place, fresh
from report.html.played import asked_in, face_of

from pbem.chain.clock import Clock
from pbem.play.deadlines.options import describe_clock
from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines

NEW = (
    "new", "GAME", "--game", "great-wall", "--player", "red=Ann,ann@example.org",
    "--player", "blue=Bob,bob@example.org", "--referee", "Ref,ref@example.org", "--deal",
    "--option", "turn=1d", "--option", "at=20:00", "--option", "zone=Europe/Rome",
)  # fmt: skip
BEGIN, DAY = 1_700_000_000, 24 * 3600  # 14 November 2023, 22:13 UTC
REASON = ("--reason", "so it is")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = fresh(tmp_path)
    made.done(*NEW, "--option", "missed=default", "--option", "bank=2d")
    return made


def later(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    monkeypatch.setattr(games, "TIME", str(int(BEGIN + days * DAY)))


def test_status_tells_times_by_the_clocks_of_the_game(place: Place) -> None:
    assert "Fri 17 Nov 20:00 Europe/Rome" in place.done("status", "GAME")


def test_status_says_what_to_type_when_a_turn_is_over(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch, 4)  # the reserve is being used
    assert "is over" not in place.done("status", "GAME")
    later(monkeypatch, 5)
    said = place.done("status", "GAME")
    assert "the turn of Ann (red) is over; `pbem tick" in said
    place.done("resolve", "GAME", "--missed", "red")
    assert "is over" not in place.done("status", "GAME")


def test_a_pause_is_told(place: Place) -> None:
    place.done("amend", "GAME", "pause", "--for", "7d", *REASON)
    assert "paused until Tue 21 Nov 23:13 Europe/Rome" in place.done("status", "GAME")
    place.done("report", "GAME", "--player", "red")
    report = " ".join(newest(place, "red").split())
    assert "The clock is paused until Tue 21 Nov 23:13 Europe/Rome." in report
    assert "2023-11-21T" not in report.partition("head ")[0]


def test_a_resume_that_is_only_tried_tells_the_deadlines_of_the_real_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It named those of the pause (a referee, 23 November 2026)."""
    place.done("amend", "GAME", "pause", "--for", "7d", *REASON)
    later(monkeypatch, 1)
    paused = place.done("status", "GAME")
    assert "Fri 24 Nov 20:00 Europe/Rome" in paused
    tried = place.done("amend", "GAME", "resume", *REASON, "--dry-run").splitlines()
    assert place.done("status", "GAME") == paused
    done = place.done("amend", "GAME", "resume", *REASON).splitlines()
    assert tried[1:] == done[1:]
    assert "deadlines now come sooner" in tried[1]
    assert "until Fri 24 Nov 20:00" not in tried[1]


def newest(place: Place, seat: str) -> str:
    reports = max((place.game / "desk" / "reports").iterdir())
    return (reports / f"{seat}.txt").read_text("utf-8")


def test_whoever_is_asked_reads_how_to_be_away(place: Place) -> None:
    assert "reply with the days, for example `absent 20 Dec to 3 Jan`" in newest(place, "red")
    assert "If you are away" not in newest(place, "blue")


def test_the_first_report_of_a_deal_lists_the_terms(place: Place) -> None:
    report = " ".join(newest(place, "blue").split())
    terms = "A turn has 1 day, and the first one twice as long. Every deadline is at 20:00."
    assert terms in report


def test_how_many_missed_turns_open_a_seat() -> None:
    for strikes, said in ((1, "One missed turn opens"), (2, "2 missed turns in a row open")):
        terms = describe_clock(Clock(turn=24, missed="default", missed_turn_limit=strikes))
        assert f"{said} the seat to another player." in terms


def test_an_absence_is_ended_by_present(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    days = place.game / "desk" / "away"
    place.done("receive", "GAME", place.mail("red", "absent 13 Nov to 20 Nov", "1.eml"))
    place.done("receive", "GAME", place.mail("blue", "absent 1 Dec to 2 Dec", "2.eml"))
    later(monkeypatch, 2)
    said = place.done("receive", "GAME", place.mail("red", "present", "3.eml"))
    assert "nothing was read" not in said
    assert sorted(days.read_text().splitlines()) == ["blue 2023-12-01 2023-12-02", "red 2023-11-14 2023-11-15"]
    assert "Noted: you are back from today." in receipt(place)


def receipt(place: Place) -> str:
    found = max((place.game / "desk" / "receipts").glob("red-*"))
    return " ".join(found.read_text("utf-8").split())


@pytest.mark.parametrize(
    ("line", "days", "said"),
    [  # it is Wed 15 Nov in Rome, and Tue 14 Nov in UTC
        ("absent tomorrow", "2023-11-16 2023-11-16", "Noted: you are away on Thu 16 Nov."),
        ("absent 20 Dec to 3 Jan", "2023-12-20 2024-01-03", "from Wed 20 Dec to Wed 3 Jan 2024."),
        ("absent next week", "2023-11-20 2023-11-26", "from Mon 20 Nov to Sun 26 Nov."),
        ("absent from 20 Dec", "", "for example `absent 20 Dec to 27 Dec`."),
        ("absent until Wednesday", "", "for example `absent 22 Nov to 28 Nov`."),
        # the draft behind "I will be away", sent as it is
        ("absent ... to ...\n# for example: absent 20 Dec to 3 Jan", "", "for example `absent 22 Nov to 28 Nov`."),
    ],
)
def test_an_absence_is_noted_or_the_line_to_send_is_told(
    place: Place, monkeypatch: pytest.MonkeyPatch, line: str, days: str, said: str
) -> None:
    """Of a range one day was noted, and a sentence got no hint (found by a newcomer)."""
    later(monkeypatch, 1 / 24)
    place.done("receive", "GAME", place.mail("red", line))
    noted = place.game / "desk" / "away"
    assert (noted.read_text().strip() if noted.exists() else "") == f"red {days}" * bool(days)
    told = receipt(place)
    assert said in told
    assert told.startswith("When are you away? " if "..." in line else "Your email says when you are away. ")
    if days:
        assert f"line kept absent {days.replace(' ', ' .. ')} " in told  # the days, for good


@pytest.mark.parametrize(
    ("line", "proposed", "days"),
    [
        ("I will be away 20 Dec to 3 Jan", "absent 20 Dec to 3 Jan", "2023-12-20 2024-01-03"),
        ("I'm away next week", "absent 20 Nov to 26 Nov", "2023-11-20 2023-11-26"),
    ],
)
def test_an_absence_in_words_is_proposed(
    place: Place, monkeypatch: pytest.MonkeyPatch, line: str, proposed: str, days: str
) -> None:
    later(monkeypatch, 1 / 24)
    place.done("receive", "GAME", place.mail("red", line))
    assert not (place.game / "desk" / "away").exists()
    assert f"Nothing is played until then. {proposed} " in receipt(place)
    place.done("receive", "GAME", place.mail("red", "yes", "yes.eml"))
    assert (place.game / "desk" / "away").read_text().strip() == f"red {days}"


def test_rulings_tell_times_as_reports_do(place: Place) -> None:
    place.done("amend", "GAME", "clock", "turn=4d", "grace=12h", *REASON)
    place.done("amend", "GAME", "extend", "--by", "48h", *REASON)
    said = place.done("history", "GAME")
    assert "turn is now 4 days, it was 1 day; grace is now 12 hours" in said
    assert "Deadlines moved by 2 days" in said


def test_the_same_reserve_again_fills_none(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch, 3.5)  # nine hours and more after the deadline
    session = place.session()
    line = session.game.legal(session.game.view(session.position.state, "red"))[0]
    place.done("receive", "GAME", place.mail("red", line))
    place.done("resolve", "GAME")
    left = place.session().record.clock.for_seat("red").time_bank
    assert 0 < left < 48
    place.done("amend", "GAME", "clock", "turn=3d", "bank=2d", *REASON)
    assert place.session().record.clock.for_seat("red").time_bank == left


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["extend", "--by", "0h"], "from 1h to 9999h. For example --by=3d"),
        (["extend", "--by", "31d"], "more than 30 days within 60. 30d can be given now"),
        (["pause", "--for", "3"], "--for='3' is not days and hours"),
        (["clock", "turn"], "'turn' is not NAME=VALUE. For example turn=4d"),
        (["clock", "zone=rome", "at=20:00"], "For example zone=Europe/Rome;"),
        (["clock", "slots=mon 25:00"], "'25:00' is not a time of day, from 00:00 to 23:59."),
        (["clock", "tunr=3d"], "Did you mean turn?"),
        (["clock", "strikes=0"], "is not a number from 1 to 99. For example strikes=2"),
        (["clock", "off=2026-12-24..2026-12-20"], "For example off=2026-12-20..2026-12-24"),
        (["extend", "--player", "red", "--absent", "xmas"], "--absent=2026-12-24..2027-01-01"),
    ],
)
def test_what_is_out_of_range_is_told_with_its_range(place: Place, words: list[str], said: str) -> None:
    found = place.run("amend", "GAME", *words, *REASON)
    assert found.code
    assert said in found.text


def test_without_deadlines_the_referee_reads_who_is_away(tmp_path: Path) -> None:
    place = fresh(tmp_path)
    place.done(*NEW[:-6])
    place.done("receive", "GAME", place.mail("red", "I am away next week."))
    assert "I am away next week." in place.done("messages", "GAME")
    assert "No order found in your email. What you wrote goes to your referee as a message." in receipt(place)
    place.done("receive", "GAME", place.mail("red", "absent tomorrow", "2.eml"))
    assert "This game has no deadlines" in receipt(place)


def test_a_ruling_that_resumes_tells_the_new_deadlines(place: Place) -> None:
    place.done("amend", "GAME", "pause", "--for", "7d", *REASON)
    place.done("amend", "GAME", "resume", *REASON)
    assert (
        "The clock runs again; deadlines now come sooner: Ann (red): until Fri 17 Nov 20:00 "
        "Europe/Rome." in " ".join(newest(place, "blue").split())
    )


def test_a_deadline_of_another_year_names_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch, 1)
    assert "Fri 17 Nov 20:00 Europe/Rome" in place.done("status", "GAME")
    place.done("amend", "GAME", "clock", "turn=50d", *REASON)
    session = place.session()
    line = session.game.legal(session.game.view(session.position.state, "red"))[0]
    place.done("receive", "GAME", place.mail("red", line))
    place.done("resolve", "GAME")
    assert "Jan 2024, 20:00 Europe/Rome" in place.done("status", "GAME")
    assert "Jan 2024, 20:00 Europe/Rome" in newest(place, "blue")
    assert "with 2 days in the time bank" in newest(place, "blue")


def test_a_reserve_that_is_used_up_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player with an empty time bank was in no report (found by a newcomer, 27 November 2026)."""
    later(monkeypatch, 6)
    session = place.session()
    line = session.game.legal(session.game.view(session.position.state, "red"))[0]
    place.done("receive", "GAME", place.mail("red", line))
    place.done("resolve", "GAME")
    assert place.session().record.clock.for_seat("red").time_bank == 0
    assert "with no time in the time bank" in newest(place, "blue")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("tunr=3d", "there is no option 'tunr'. Did you mean turn?"),
        ("editon=first", "there is no option 'editon'. Did you mean edition?"),
        ("zone=Europe/Rome", "zone alone gives no deadline. Deadlines come with turn or slots:"),
    ],
)
def test_a_slip_in_an_option_is_told_with_what_was_meant(tmp_path: Path, options: str, said: str) -> None:
    words = [word.replace("great-wall", "chang-cheng") for word in NEW[:-6]]
    found = fresh(tmp_path).run(*words, "--option", options)
    assert found.code == 2
    assert said in found.text


def test_an_open_seat_keeps_its_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = fresh(tmp_path)
    place.done(*NEW, "--option", "missed=default", "--option", "strikes=1")
    later(monkeypatch, 3)
    place.done("resolve", "GAME", "--missed", "red")
    for number in range(2):
        session = place.session()
        line = session.game.legal(session.game.view(session.position.state, "blue"))[0]
        place.done("receive", "GAME", place.mail("blue", line, f"{number}.eml"))
        place.done("resolve", "GAME")
    shown = place.done("show", "GAME")
    told = "Ann (red): until Sun 19 Nov 20:00 Europe/Rome. This seat is open to another player"
    assert told in shown
    assert told in newest(place, "blue")
    later(monkeypatch, 7)
    said = place.done("status", "GAME")
    way = f"`pbem amend {place.game} player red --name NAME --address ADDRESS --reason …`"
    assert f"the seat is vacant: Ann (red); {way} gives it to another player; the turn of Ann" in said
    assert "(red) is over; `pbem tick" in said


def subjects(place: Place, seat: str) -> list[str]:
    found = sorted((place.game / "desk" / "outbox").glob(f"*-{seat}.eml"))
    return [face_of(path).subject.partition(" [pbem")[0] for path in found]


def test_who_missed_a_turn_reads_it_at_once_and_what_comes_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was below "report 3", without a warning about a second missed turn (found by a newcomer)."""
    place = fresh(tmp_path)
    place.done(*NEW, "--option", "missed=default", "--option", "strikes=2")
    place.done("receive", "GAME", place.mail("red", "mails every"))
    later(monkeypatch, 5)
    place.done("resolve", "GAME", "--missed", "red")
    assert subjects(place, "red")[-1].endswith("you missed your turn")
    warned = "If you miss another turn before one of your orders is played, your seat is opened"
    assert warned in newest(place, "red")
    assert warned not in newest(place, "blue")
    later(monkeypatch, 12)
    place.done("resolve", "GAME", "--missed", "blue")
    later(monkeypatch, 19)
    place.done("resolve", "GAME", "--missed", "red")
    assert subjects(place, "red")[-1].endswith("your seat is open to another player")
    own, others = newest(place, "red"), newest(place, "blue")
    assert "It is yours again as soon as one of your orders is played." in own
    assert "write to the referee" not in own
    assert "Ann (red): this seat is open to another player. If you know one, write to the referee." in others
    assert warned not in own


def test_the_terms_are_told_again_to_whoever_needs_them(place: Place) -> None:
    """A substitute never read the rules of the clock (found by a newcomer)."""
    term = "Every deadline is at 20:00."
    assert term in place.done("show", "GAME")
    place.done("receive", "GAME", place.mail("blue", "help"))
    answers = (place.game / "desk" / "receipts").glob("blue-*")
    assert term in max(answers).read_text("utf-8")
    zoe = ("--name", "Zoe", "--address", "zoe@example.org")
    place.done("amend", "GAME", "player", "red", *zoe, *REASON)
    assert term in newest(place, "red")
    assert term not in newest(place, "blue")
    place.done("amend", "GAME", "clock", "turn=2d", *REASON)
    assert term in newest(place, "blue")
    assert "A missed turn is played by a fixed rule (R-2)." in newest(place, "blue")


def test_the_example_of_the_referees_page_keeps_its_promise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the options of README nobody was reminded, and no seat became vacant (found by a newcomer)."""
    page = (Path(__file__).parents[3] / "docs" / "REFEREE.md").read_text("utf-8")
    line = next(row for row in page.splitlines() if "--option slots=" in row)
    place, words = fresh(tmp_path), shlex.split(line)[4:]
    place.done("new", "GAME", *words, "--deal")
    seen = ""
    for half_day in range(60):
        later(monkeypatch, half_day / 2)
        came, _ = act_on_deadlines(place.session(), 10, MailKnowledge(), dry_run=False)
        seen += f"{came.summary}\n"
    assert "Ann (red) is reminded" in seen
    assert "order played" in seen or "orders played" in seen
    assert "the seat is vacant: Ann (red)" in place.done("status", "GAME")


def test_a_reminder_says_what_is_asked_and_how_to_answer(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.done("amend", "GAME", "clock", "remind=1d", *REASON)
    later(monkeypatch, 2.5)
    act_on_deadlines(place.session(), 10, MailKnowledge(), dry_run=False)
    (mail,) = (place.game / "desk" / "outbox").glob("*reminder*")
    text = " ".join(face_of(mail).text.split())
    session = place.session()
    line = session.game.legal(session.game.view(session.position.state, "red"))[0]
    for said in (
        "Reminder: it is your turn. Please answer by Fri 17 Nov 20:00 Europe/Rome. [pbem ",
        "game - Great Wall of China - Ann, you play red Take two actions",
        "If nothing arrives by Sun 19 Nov 20:00",
        "Write your orders at the top of your reply, one per line, for example `",
        "reply `resend`",
    ):
        assert said in text, text
    assert line in {link.body for link in asked_in(face_of(mail))}  # a tap answers


def test_rulings_that_wait_in_the_outbox_are_told_in_one_email(place: Place) -> None:
    """Nine rulings about the clock were nine emails (found by a newcomer)."""
    for path in (place.game / "desk" / "outbox").glob("*.eml"):
        place.done("sent", "GAME", path.name)
    place.done("amend", "GAME", "clock", "turn=4d", *REASON)
    place.done("amend", "GAME", "extend", "--by", "48h", *REASON)
    place.done("amend", "GAME", "note", "Happy new year!")
    (mail,) = (place.game / "desk" / "outbox").glob("*-blue.eml")
    text = face_of(mail).text
    told = ["turn is now 4 days, it was 1 day", "Deadlines moved by 2 days", "Happy new year!"]
    assert [text.count(one) for one in told] == [1, 1, 1]
    assert "A turn has 4 days" in text
    assert "belongs to this log" in place.done("verify", "GAME", str(mail))
    place.done("sent", "GAME", mail.name)
    place.done("amend", "GAME", "note", "Good luck!")
    (mail,) = (place.game / "desk" / "outbox").glob("*-blue.eml")
    assert "Happy new year!" not in face_of(mail).text
