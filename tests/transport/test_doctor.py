"""`pbem doctor`: a home in good health, each illness, its cure. Source: docs/decisions/0035-doctor.md."""

import json
import os
import re
import socket
import subprocess
import time
import zoneinfo
from collections.abc import Callable
from pathlib import Path

import pytest
from durability import games

from pbem.disk.home import Home
from pbem.disk.journal import LastTick, write_last_tick
from pbem.disk.system import hold
from transport import servers
from transport.desk import START, Desk
from transport.servers import HOST, PASSWORD, USER, Authority, Imap
from transport.test_imap import url

TICKED = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START - 180))


@pytest.fixture
def well(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Nothing is wrong: the recovery key is elsewhere, `tick` has run, and no timer of this machine is seen."""
    for name in ("user", "bin"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    program(tmp_path, "crontab", "exit 1")
    (desk.place.home / "keys/recovery.key").unlink()
    write_last_tick(Home(desk.place.home), LastTick(TICKED))
    return desk


def program(folder: Path, name: str, text: str) -> None:
    path = folder / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def everything(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """Every file and folder below, with what a write would change."""
    stats = {path: path.lstat() for path in folder.rglob("*")}
    return {path: (found.st_mode, found.st_size, found.st_mtime_ns) for path, found in stats.items()}


def test_where_there_is_no_home_it_says_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    place = games.Place(tmp_path)
    said = place.run("doctor")
    text = " ".join(said.text.split())
    assert text.startswith(f"! home: there is no {place.home} yet type: pbem key new ok version: pbem ")
    assert (said.code, said.text.count("!")) == (1, 1)
    assert not place.home.exists()


def test_a_home_in_good_health_fits_on_a_screen(
    well: Desk, imap: Imap, certificates: Authority, tmp_path: Path
) -> None:
    """It logs in both ways, sends nothing, writes nothing and tells no secret."""
    imap.deliver(well.mail("hello"))
    well.seconds = int(time.time()) + 60
    write_last_tick(Home(well.place.home), LastTick(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())))
    with servers.smtp(certificates.good, "smtps") as server:
        well.account(url(imap), f"smtps://{USER}@{HOST}:{server.port}")
        (well.place.home / ".pbem-tmp-left").write_bytes(b"by a killed command")
        before = everything(tmp_path)
        text = well.done("doctor")
        assert everything(tmp_path) == before
    assert (server.inbox.mails, server.inbox.tried, imap.flags()) == ([], 0, set())
    lines = text.replace(str(well.place.home), "/home/rita/.config/pbem").splitlines()
    assert (len(lines) <= 24, max(map(len, lines)) <= 80, lines[-1]) == (True, True, "Nothing is wrong.")
    assert f"ok mail club fetch: imaps: {HOST} works\nok mail club send: smtps: {HOST} works\n" in text
    assert "ok games: 1 game; no problem\n" in text
    secrets = [PASSWORD, *(path.read_text() for path in (well.place.home / "keys").glob("*.key"))]
    assert not [one for one in secrets if one.strip() in text]


def test_a_spool_is_looked_at_without_a_lock_file(well: Desk, tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/rita").touch()
    well.account(f"mbox:{tmp_path}/mail/rita")
    before = everything(tmp_path)
    assert f"ok mail club fetch: mbox: {tmp_path}/mail/rita works\n" in well.done("doctor")
    assert everything(tmp_path) == before


def test_an_illness_comes_first_with_its_cure_also_in_json(well: Desk) -> None:
    (well.place.home / "keys/acting.key").chmod(0o644)
    said = well.run("doctor", "--json")
    document = json.loads(said.text)
    bad = [row for row in document["checks"] if not row["good"]]
    assert (said.code, document["good"], [row["subject"] for row in bad]) == (1, False, ["acting key"])
    assert bad[0]["mend"].startswith("chmod 600 ")
    assert re.match(r"!  acting key: others can read the key \S+\n   type: chmod 600 ", well.run("doctor").text)


def test_a_recovery_key_that_is_still_here_is_advice(well: Desk) -> None:
    """Found by a newcomer in 2026-11: a script that asks `doctor` heard of a fault from the first day on."""
    key = well.place.home / "keys/acting.key"
    Home(well.place.home).write_keys({"recovery": key.read_bytes()}, must_be_new=True)
    said = well.done("doctor")
    assert said.startswith("-  recovery key: still on this machine: ")
    assert "\n   Copy it to two places" in said


def exposed(desk: Desk) -> None:
    desk.place.home.chmod(0o755)


def halved(desk: Desk) -> None:
    """Found by an attack of 2026-11: `key show` praised a key that never was."""
    (desk.place.home / "keys/recovery-public.key").unlink()


def elsewhere(desk: Desk) -> None:
    os.rename(desk.place.home / "marks", desk.place.path / "marks")
    (desk.place.home / "marks").symlink_to("/proc")


def linked(desk: Desk) -> None:
    (desk.game / "desk/lock").unlink()
    (desk.game / "desk/lock").symlink_to(desk.place.home / "lock")


def altered(desk: Desk) -> None:
    path = desk.game / "states/0002.toml"
    path.write_bytes(path.read_bytes().replace(b"red", b"rad", 1))


def cut_short(desk: Desk) -> None:
    (desk.game / "game.toml").write_bytes((desk.game / "states/0001.toml").read_bytes())


def refused(desk: Desk) -> None:
    (desk.game / "desk/failed").mkdir(mode=0o700)
    os.rename(desk.game / "desk/outbox/0002-red.eml", desk.game / "desk/failed/0002-red.eml")


def refused_otherwise(desk: Desk) -> None:
    refused(desk)
    path = desk.game / "desk/failed/0002-red.eml"
    path.write_text(path.read_text().replace("ann@example.org", "old@example.org"))


def broken(desk: Desk) -> None:
    folder = desk.place.home / "post/club/broken"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "20260921-x.eml").write_bytes(b"Subject: x\n\n")


def restored(desk: Desk) -> None:
    old, new = str(desk.place.path / "old.tar.gz"), str(desk.place.path / "new")
    desk.done("backup", "GAME", "-o", old)
    desk.done("restore", old, "--to", new)


def vacant(desk: Desk) -> None:
    clock = ("clock", "turn=1h", "missed=default", "strikes=1", "--reason", "quick")
    desk.done("amend", "GAME", *clock)
    for path in (desk.game / "desk/outbox").iterdir():
        desk.done("sent", "GAME", path.stem)
    desk.later(60 * 24 * 9)
    desk.done("resolve", "GAME", "--missed", desk.asked())
    write_last_tick(Home(desk.place.home), LastTick(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(desk.seconds))))


def behind(desk: Desk) -> None:
    desk.seconds = int(games.TIME) - 3600
    write_last_tick(Home(desk.place.home), LastTick())


def rewound(desk: Desk) -> None:
    for name in ("0003", "0004"):
        desk.done("amend", "GAME", "note", name)
    for name in ("0003", "0004"):
        (desk.game / f"states/{name}.toml").unlink()
    (desk.game / "game.toml").write_bytes((desk.game / "states/0002.toml").read_bytes())


@pytest.mark.parametrize(
    ("strike", "fact", "cure"),
    [
        (exposed, "home: others can use", "type: chmod 700 "),
        (halved, "recovery key: there is no ", "Put it back from a copy;"),
        (elsewhere, "drive: ", "Put it on the same drive"),
        (linked, "drive: cannot lock ", "Put the real file or folder there."),
        (altered, "states/0002.toml was changed after", "backup"),
        (cut_short, "a command was cut short after state 2 was saved", "`pbem resolve "),
        (refused, "email to Ann (red) comes back", "player red --address"),
        (refused_otherwise, "1 email could not be sent", "desk/post.log"),
        (broken, "mail club: pbem could not process 1 email", "then give each file to `pbem receive`"),
        (restored, "was restored, so pbem fetches", "pbem restore --nothing-lost"),
        (vacant, "so the seat is vacant: Ann (red)", "gives it to another player"),
        (behind, "system clock: it says ", "Set the clock of this machine."),
        (rewound, "this machine has seen state 4", "Put the newest files back."),
    ],
)
def test_each_illness_has_a_cure(well: Desk, strike: Callable[[Desk], None], fact: str, cure: str) -> None:
    strike(well)
    said = well.run("doctor")
    text = " ".join(said.text.split())
    assert said.code == 1
    assert said.text.startswith("!")
    assert fact in text
    assert cure.strip() in text
    assert text.count("! ") == 1, said.text


def test_a_lock_that_another_command_holds_is_no_illness(well: Desk) -> None:
    with hold(well.place.home / "lock"), hold(well.game / "desk/lock"):
        well.done("doctor")


def test_time_zones_that_are_not_there(well: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.chain.clock_words import zone_of

    zone_of.cache_clear()
    zoneinfo.ZoneInfo.clear_cache()
    monkeypatch.setitem(__import__("sys").modules, "tzdata", None)
    zoneinfo.reset_tzpath([])
    try:
        said = well.run("doctor")
    finally:
        zoneinfo.reset_tzpath()
    assert "time zones: there is no time zone 'Europe/Rome' here\n   type: pip install tzdata\n" in said.text


def test_a_drive_that_is_nearly_full(well: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.commands.doctor.MIN_FREE", 1 << 62)
    assert "free at" in well.run("doctor").text.partition("Free some space")[0].splitlines()[0]


def test_servers_are_tried_at_once_and_given_up_soon(well: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of them say nothing, a fourth is not there, and the last has no program."""
    monkeypatch.setattr("pbem.transport.account_trial.PATIENCE", 1.0)
    with socket.create_server((HOST, 0)) as mute:
        port = mute.getsockname()[1]
        well.account(f"imaps://{USER}@{HOST}:{port}", f"smtps://{USER}@{HOST}:{port}")
        rows = (well.place.home / "post.toml").read_text()
        (well.place.home / "post.toml").write_text(
            rows
            + '[two]\naddress = "two@example.org"\nfetch = "maildir:/nowhere"\nsend = "sendmail:/nowhere/sendmail"\n'
            + '[three]\naddress = "three@example.org"\nsend = "smtps://x@example.org"\nsecret = ["false"]\n'
        )
        began = time.monotonic()
        said = well.run("doctor")
        assert time.monotonic() - began < 3
        text = " ".join(said.text.split())
        assert text.count("no answer came within 1 seconds") == 2
        for fact in ("/nowhere is not a Maildir", "there is no program /nowhere/sendmail", "'false' ended with 1"):
            assert fact in text
        monkeypatch.setattr("pbem.transport.account_trial.MOST_SECONDS", 0.2)
        assert well.run("doctor").text.count("no answer came within 0 seconds") == 2
        offline = well.run("doctor", "--offline").text
        assert "ok mail: 3 accounts, not tried (--offline)\n" in offline


def test_a_wrong_password_is_named_and_not_told(well: Desk, imap: Imap, certificates: Authority) -> None:
    with servers.smtp(certificates.good, "smtps") as server:
        well.account(url(imap), f"smtps://{USER}@{HOST}:{server.port}", secret='"wrong-horse"')
        said = well.run("doctor")
    assert said.text.count("the user or the secret is refused") == 2
    assert "wrong-horse" not in said.text


def test_a_clock_that_is_behind_the_servers(well: Desk, imap: Imap) -> None:
    """The desk's clock says September 2026; Dovecot's is right."""
    imap.deliver(well.mail("hello"))
    well.account(url(imap))
    assert "but the newest email of club arrived at " in " ".join(well.run("doctor").text.split())


@pytest.fixture(params=["systemd", "cron"])
def pasted(well: Desk, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """What `tick --install` shows for a scheduler was pasted into a shell."""
    links = (
        "mkdir -p ~/.config/systemd/user/timers.target.wants; ln -s ../$4 ~/.config/systemd/user/timers.target.wants"
    )
    program(tmp_path, "systemctl", links)
    program(tmp_path, "loginctl", "true")
    program(tmp_path, "crontab", 'if [ "$1" = -l ]; then cat ~/tab; else cat > ~/tab; fi')
    shown = json.loads(well.done("tick", "GAME", "--install", "--json"))["ways"][request.param]
    subprocess.run(["/bin/sh", "-c", shown], check=True, stderr=subprocess.DEVNULL)
    return str(request.param)


def test_the_timer_that_was_installed_is_seen(well: Desk, pasted: str) -> None:
    assert f"ok timer: `pbem tick` is started by {pasted}; it last ran 3 min ago\n" in well.done("doctor")
    well.later(60)
    said = well.run("doctor")
    inspect = {"systemd": "systemctl --user status pbem.timer", "cron": "crontab -l"}
    fact = f"! timer: `pbem tick` is started by {pasted}; it last ran 1 h ago type: {inspect[pasted]}"
    assert " ".join(said.text.split()).startswith(fact)


def test_no_timer_is_missed_only_where_one_is_needed(well: Desk) -> None:
    write_last_tick(Home(well.place.home), LastTick())
    assert "ok timer: nothing starts `pbem tick`; it has not run yet\n" in well.done("doctor")
    well.account(send="sendmail:/bin/true")
    assert "!  timer: nothing starts" in well.run("doctor").text
    assert "type: pbem tick ROOT --install" in well.run("doctor").text


def test_of_many_games_in_trouble_a_few_are_shown(well: Desk) -> None:
    for number in range(9):
        games.copied(well.place, well.place.path.parent / f"many/{number}")
        altered(Desk(games.Place(well.place.path.parent / f"many/{number}")))
    said = well.run("doctor", str(well.place.path.parent / "many"))
    assert re.search(r"\n!  and \d more problems: pbem doctor --json lists all\n", said.text)
    assert len(said.text.splitlines()) <= 24
    document = json.loads(well.run("doctor", str(well.place.path.parent / "many"), "--json").text)
    assert sum(not row["good"] for row in document["checks"]) == 9
