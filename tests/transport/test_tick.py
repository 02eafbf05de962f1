"""`pbem tick`: everything at once, twice at once, killed, in trouble. Source: decision 0014."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from durability import games
from services.amend.test_keys import run_at

from pbem.disk.home import Home
from pbem.disk.journal import EmailStatus, hold_tick
from pbem.services.resolve import deadlines
from pbem.services.resolve.result import ResolveResult
from pbem.services.session.keys import write_new_keys
from pbem.services.session.session import Session
from pbem.transport.scheduler import schedule_commands
from transport import servers
from transport.desk import Desk
from transport.servers import HOST, Server
from transport.test_fetch_files import put


@pytest.fixture
def server() -> Iterator[Server]:
    with servers.smtp(None, "smtp", auth=False) as found:
        yield found


@pytest.fixture
def ready(desk: Desk, server: Server, maildir: Path) -> Desk:
    """Nothing waits: mails were fetched once, and all sent."""
    desk.account(fetch=f"maildir:{maildir}", send=f"smtp://{HOST}:{server.port}")
    desk.run("tick", "GAME")
    server.inbox.mails.clear()
    return desk


def test_orders_are_played_when_they_have_waited(ready: Desk, server: Server, maildir: Path) -> None:
    assert ready.done("tick", "GAME") == ""
    put(maildir, ready.mail(ready.order()), "1.a.host")
    said = ready.done("tick", "GAME")
    assert said == f"{ready.game}: 1 email received: accepted; 1 email sent\n"
    ready.later(9)
    assert ready.done("tick", "GAME") == ""
    assert ready.done("tick", "GAME", "--dry-run") == ""
    ready.later(1)
    would = ready.done("tick", "GAME", "--dry-run")
    assert "would be played" in would
    said = ready.done("tick", "GAME")
    assert said.startswith(f"{ready.game}: ")
    assert "played" in said
    assert "1 email sent" in said
    assert len(server.inbox.mails) == 2
    assert ready.done("tick", "GAME") == ""


def test_emails_are_counted_by_what_became_of_them(ready: Desk, maildir: Path) -> None:
    for number, text in enumerate((ready.order(), "nonsense A1", ready.order())):
        put(maildir, ready.mail(text, f"m{number}"), f"{number}.a.host")
    assert ready.run("tick", "GAME").text.startswith(f"{ready.game}: 3 emails received: 2 accepted, 1 refused; ")


def test_an_order_that_is_replaced_waits_anew(ready: Desk, maildir: Path) -> None:
    put(maildir, ready.mail(ready.order(), "m1"), "1.a.host")
    ready.done("tick", "GAME")
    ready.later(9)
    put(maildir, ready.mail(ready.order(), "m2"), "2.a.host")
    ready.done("tick", "GAME")
    ready.later(9)
    assert "played" not in ready.done("tick", "GAME")
    ready.later(1)
    assert "played" in ready.done("tick", "GAME")


def test_a_ruling_does_not_shorten_the_wait(ready: Desk, maildir: Path) -> None:
    """Found by a newcomer in 2026-11: what had waited for a minute was played at once after it."""
    put(maildir, ready.mail(f"later: {ready.order()}"), "1.a.host")
    ready.done("tick", "GAME")
    ready.done("amend", "GAME", "note", "hello all")
    assert "played" not in ready.done("tick", "GAME")
    ready.later(10)
    assert "played" in ready.done("tick", "GAME")


def test_a_second_one_at_once_does_nothing(ready: Desk, maildir: Path) -> None:
    put(maildir, ready.mail(ready.order()), "1.a.host")
    with hold_tick(Home(ready.place.home)) as free:
        assert free
        assert ready.done("tick", "GAME") == ""
    assert "accepted" in ready.done("tick", "GAME")


def test_one_bad_game_stops_no_other_and_trouble_is_told_once_a_day(ready: Desk, maildir: Path) -> None:
    bad = ready.game.parent / "bad"
    bad.mkdir()
    (bad / "game.toml").write_text("nonsense")
    put(maildir, ready.mail(ready.order()), "1.a.host")
    said = ready.run("tick", "GAME", str(bad))
    assert said.code == 1
    assert "1 email received: accepted" in said.text
    assert "bad: " in said.text
    ready.later(5)
    again = ready.run("tick", "GAME", str(bad))
    assert (again.code, again.text) == (1, "")
    ready.later(24 * 60)
    assert "bad: " in ready.run("tick", "GAME", str(bad)).text


def test_without_an_account_it_plays_and_sends_nothing(desk: Desk) -> None:
    path = desk.place.path / "m.eml"
    path.write_bytes(desk.mail(desk.order()))
    desk.done("receive", "GAME", str(path))
    desk.later(10)
    assert "played" in desk.done("tick", "GAME")
    assert desk.marked("outbox")


def test_a_backup_a_day_and_seven_of_them(ready: Desk, tmp_path: Path) -> None:
    folder = ready.place.home / "backups"
    assert len(list(folder.iterdir())) == 1
    for _ in range(9):
        ready.later(24 * 60)
        ready.done("tick", "GAME")
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 7
    assert names[0] < names[-1]
    assert all((path.stat().st_mode & 0o777) == 0o600 for path in folder.iterdir())
    ready.done("restore", str(folder / names[-1]), "--to", str(tmp_path / "back"))


def test_a_tick_killed_anywhere_is_finished_by_the_next(ready: Desk, server: Server, maildir: Path) -> None:
    put(maildir, ready.mail(ready.order()), "1.a.host")

    def another(number: int) -> Desk:
        place = games.copied(ready.place, ready.place.path.with_name(f"desk-{number}"))
        one = Desk(place)
        one.seconds = ready.seconds
        return one

    number = another(0).steps("tick", "GAME")
    for k in games.points(number):
        server.inbox.mails.clear()
        one = another(k)
        one.killed(k, "tick", "GAME")
        said = one.run("tick", "GAME")
        assert one.lines() == [one.order()], (k, said)
        assert len(one.receipts()) == 1, k
        assert len({to for to, _ in server.inbox.mails}) == 1, k
        one.later(10)
        assert "played" in one.done("tick", "GAME"), k
        assert not list((one.place.home / "backups").glob("unchecked*")), k


def test_install_prints_a_line_for_each_system(ready: Desk) -> None:
    said = ready.done("tick", str(ready.game), "--install")
    assert "OnCalendar=*:0/5" in said or "StartInterval" in said
    found = json.loads(ready.done("tick", str(ready.game), "--install", "--json"))["ways"]
    assert {*found} == {"cron", "systemd", "launchd", "windows"}
    assert all(str(ready.game) in text for text in found.values())


def test_uninstall_prints_how_to_stop_the_timer_of_each_system(ready: Desk, tmp_path: Path) -> None:
    """What --install adds to a crontab is gone, and other rows stay."""
    found = json.loads(ready.done("tick", str(ready.game), "--uninstall", "--json"))["ways"]
    assert {*found} == {"cron", "systemd", "launchd", "windows"}
    assert "pbem.timer" in ready.done("tick", str(ready.game), "--uninstall")
    assert ready.run("tick", str(ready.game), "--uninstall", "--install").code == 2
    table, stand_in = tmp_path / "table", tmp_path / "crontab"
    stand_in.write_text(f'#!/bin/sh\nif [ "$1" = -l ]; then cat {table}; else cat > {table}.new; fi\n')
    stand_in.chmod(0o755)
    rows = ["# pbem tick, by hand", "0 4 * * * backup"]
    installed = schedule_commands(["/bin/pbem", "tick", "/games"], "", "")["cron"].partition("echo ")[2].split("'")[1]
    table.write_text("\n".join([*rows, installed]) + "\n")
    subprocess.run(["sh", "-c", found["cron"]], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
    assert (tmp_path / "table.new").read_text().splitlines() == rows


def test_odd_names_are_quoted_for_each_system() -> None:
    found = schedule_commands(["/bin/pbem", "tick", "/my games/100%/a'b$"], "/ho me", "/Users/a&b/Logs/pbem.log")
    assert "\\%" in found["cron"]
    assert '"/my games/100%%/a\'b$$"' in found["systemd"]
    assert "<string>/my games/100%/a&#x27;b$</string>" in found["launchd"]
    assert found["launchd"].count("<string>/Users/a&amp;b/Logs/pbem.log</string>") == 2
    assert 'setx PBEM_HOME "/ho me"' in found["windows"]


def test_status_counts_letters_and_what_was_not_sent(ready: Desk, maildir: Path) -> None:
    put(maildir, ready.mail("Until Friday!", "m3", subject="Friday"), "1.a.host")
    ready.run("tick", "GAME")
    row = json.loads(ready.done("status", "GAME", "--json"))["games"][0]
    assert (row["messages"], row["ready"], row["unsent"], row["failed"]) == (1, False, 0, 0)
    put(maildir, ready.mail(ready.order(), "m4"), "2.a.host")
    ready.run("fetch", "GAME")
    row = json.loads(ready.done("status", "GAME", "--json"))["games"][0]
    assert (row["messages"], row["ready"], row["unsent"]) == (1, True, 1)
    assert ready.done("status", "GAME").split("\n")[1].split()[-5:] == ["–", "yes", "1", "1", "unsent"]


def test_since_is_when_the_question_was_put_whatever_was_ruled(ready: Desk) -> None:
    def since() -> str:
        row = json.loads(ready.done("status", "GAME", "--json"))["games"][0]
        return str(row["waits_for"][0]["since"])

    first = since()
    for text in ("Hello", "Are you there?"):
        ready.later(600)
        ready.done("amend", "GAME", "note", text)
        assert since() == first
    path = ready.place.path / "m.eml"
    path.write_bytes(ready.mail(ready.order()))
    ready.done("receive", "GAME", str(path))
    ready.later(60)
    ready.done("resolve", "GAME")
    assert since() > first


def test_status_says_that_nothing_ran_for_a_day(ready: Desk, server: Server) -> None:
    ready.later(24 * 60)
    assert "note" not in ready.done("status", "GAME")
    ready.later(1)
    assert "`pbem tick` last ran on" in ready.done("status", "GAME")
    server.inbox.mails.clear()
    assert "`pbem tick` last ran on" in ready.done("tick", "GAME")
    ((to, data),) = server.inbox.mails  # to the referee alone, once
    assert b"`pbem tick` last ran on" in data
    assert to == "ref@example.org"
    assert ready.done("tick", "GAME") == ""
    assert len(server.inbox.mails) == 1
    assert not ready.done("tick", "GAME")
    assert "note" not in ready.done("status", "GAME")


def test_status_says_what_the_last_tick_could_not_do(ready: Desk, maildir: Path) -> None:
    """Found by a newcomer in 2026-11: only `doctor` said that the mailbox was gone."""
    assert "note" not in ready.done("status", "GAME")
    maildir.rename(maildir.with_name("moved"))
    ready.account(fetch=f"maildir:{maildir}", send="sendmail:/nowhere/sendmail")
    ready.done("amend", "GAME", "note", "hello")
    ready.run("tick", "GAME")
    notes = ready.done("status", "GAME").splitlines()[-3:]
    assert notes[0].startswith("note: the last `pbem tick` reported: club: not fetched: ")
    assert "club: not sent: [club] send: there is no program /nowhere/sendmail" in notes[1]
    assert notes[2] == "note: `pbem doctor` says what is wrong and what to type"
    ready.account()
    ready.done("tick", "GAME")
    assert "note" not in ready.done("status", "GAME")


def test_a_locked_key_is_unlocked_by_a_command(ready: Desk, maildir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer has no terminal, and signs all the same."""
    put(maildir, ready.mail(ready.order()), "1.a.host")
    phrase = ready.place.path / "phrase"
    phrase.write_text("correct horse battery\n")
    phrase.chmod(0o600)
    monkeypatch.setattr("pbem.crypto.keys.LOCK_N", 1 << 4)
    monkeypatch.setenv("PBEM_NEW_PASSPHRASE_FILE", str(phrase))
    ready.done("key", "passphrase")
    assert "no terminal" in ready.run("tick", "GAME").text
    path = ready.place.home / "home.toml"
    path.write_text(f'unlock = ["cat", "{phrase}"]\n')
    path.chmod(0o600)
    assert "1 email received: accepted" in ready.done("tick", "GAME")
    ready.later(10)
    assert "played" in ready.done("tick", "GAME")


def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that runs of tick go into from here on."""
    found, real = list[str](), deadlines.act_on_deadlines

    def look(
        session: Session, minutes: int, listened: deadlines.MailKnowledge, dry_run: bool
    ) -> tuple[ResolveResult, int]:
        found.append(session.folder.root.name)
        return real(session, minutes, listened, dry_run)

    monkeypatch.setattr("pbem.transport.tick.act_on_deadlines", look)
    return found


def aged(desk: Desk) -> Desk:
    """All its files are a minute old, as the drive has it; two runs found nothing to do."""
    for path in sorted((desk.game / "desk").rglob("*")):
        old = path.stat().st_mtime - 60
        os.utime(path, (old, old))
    assert [desk.done("tick", "GAME") for _ in range(2)] == ["", ""]
    return desk


def test_a_game_in_which_nothing_changed_is_passed_over(
    ready: Desk, maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = looks(monkeypatch)
    aged(ready)
    found.clear()
    assert ready.done("tick", "GAME") == ""
    assert found == []
    put(maildir, ready.mail(ready.order()), "1.a.host")
    assert ready.done("tick", "GAME", "--dry-run") == ""  # it does not look into the mailbox
    assert found == []
    assert "1 email received: accepted" in ready.done("tick", "GAME")
    assert found == ["game"]
    ready.later(10)
    assert "played" in ready.done("tick", "GAME")


#: what somebody does to a game between two runs, each of which must be noticed
CHANGES: dict[str, Callable[[Desk], object]] = {
    "an email received by hand": lambda desk: desk.done(
        "receive", "GAME", desk.place.file("m.eml", desk.mail(desk.order()))
    ),
    "a ruling": lambda desk: desk.done("amend", "GAME", "note", "hello"),
    "a report deleted": lambda desk: (desk.game / "desk/reports/0002/red.txt").unlink(),
    "a hand lost": lambda desk: shutil.rmtree(desk.game / "desk/hand"),
    "players edited, with the old time and size": lambda desk: _edited(desk.game),
    "a file of the desk put back from a backup": lambda desk: _put_back(desk.game),
    "the next day": lambda desk: desk.later(24 * 60),
}


def _edited(game: Path) -> None:
    path = game / "desk" / "players.toml"
    times, data = (path.stat().st_atime, path.stat().st_mtime), path.read_bytes()
    path.write_bytes(data.replace(b"ann@", b"Ann@"))
    os.utime(path, times)


def _put_back(game: Path) -> None:
    path = game / "desk" / "codes"
    other = shutil.copy2(path, path.with_name("x"))
    os.replace(other, path)


@pytest.mark.parametrize("what", CHANGES)
def test_and_is_looked_at_again_after(what: str, ready: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    found = looks(monkeypatch)
    aged(ready)
    found.clear()
    CHANGES[what](ready)
    ready.run("tick", "GAME")
    assert found == ["game"]


def test_what_is_as_young_as_the_last_run_is_looked_at_again(ready: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within one tick of a drive's clock a second change would look the same."""
    ready.done("tick", "GAME")
    found = looks(monkeypatch)
    for _ in range(2):
        (ready.game / "desk" / "answers").touch()
        ready.done("tick", "GAME")
    assert found == ["game"] * 2


def test_before_the_first_game_it_says_so_once(desk: Desk, server: Server, maildir: Path) -> None:
    """Found by a newcomer in 2026-11: a timer that is installed before the first game raised an
    alarm every five minutes.
    """
    games_ = desk.place.path / "games"
    games_.mkdir()
    desk.account(fetch=f"maildir:{maildir}", send=f"smtp://{HOST}:{server.port}")
    said = desk.done("tick", str(games_))
    assert f"there is no game in {games_} yet" in said
    for _ in range(3):
        desk.later(24 * 60)
        assert desk.done("tick", str(games_)) == ""
    assert not list((desk.place.home / "backups").glob("*"))
    # from here on nothing is missed: the answer comes before the next run
    put(maildir, desk.mail(desk.order()), "1.a.host")
    shutil.move(desk.game, games_ / "game")
    assert "1 email received: accepted" in desk.done("tick", str(games_))
    empty = desk.place.path / "empty"
    empty.mkdir()
    assert "no game in" in desk.done("tick", str(games_), str(empty))


def test_a_folder_that_is_not_there_is_an_error_and_stops_no_other(ready: Desk, server: Server, maildir: Path) -> None:
    gone = str(ready.place.path / "gone")
    assert ready.run("tick", gone).code == 2
    put(maildir, ready.mail(ready.order()), "1.a.host")
    said = ready.run("tick", "GAME", gone)
    assert (said.code, "1 email received: accepted; 1 email sent" in said.text) == (1, True)
    shutil.rmtree(ready.game / "states")
    (ready.game / "game.toml").unlink()
    assert "has a private folder" in ready.run("tick", "GAME").text


def test_a_game_that_was_handed_over_is_left_alone_and_its_emails_are_letters(
    ready: Desk, maildir: Path, tmp_path: Path
) -> None:
    """Found by a newcomer, 27 November 2026: each run refused it, and each of its emails anew."""
    late = ready.mail(ready.order())
    write_new_keys(Home(tmp_path / "second"), {"acting": b"x" * 32, "recovery": b"y" * 32})
    line = run_at(ready.place, tmp_path / "second", "key", "show", "--export").text
    to = ready.place.file("new.pub", line)
    ready.done("amend", "GAME", "keys", "--to", to, "--reason", "holidays")
    assert ready.done("tick", "GAME") == ""  # its outbox goes with the folder
    put(maildir, late, "1.a.host")
    said = ready.run("tick", "GAME").text
    assert "you have handed this game over: key " in said
    assert ready.kept(EmailStatus.UNREAD) == [late]
    assert ready.done("tick", "GAME") == ""
