"""The file of accounts: read strictly, one clear line for each fault. Source: docs/EMAIL.md."""

import base64
import io
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from durability.games import Place

from pbem.disk.home import Home
from pbem.errors import PbemError
from pbem.transport.account_trial import try_account
from pbem.transport.accounts import Url, complete_referee, find_account_for, load_accounts, parse_accounts, secret_of
from pbem.transport.connection import Limits
from pbem.transport.server_errors import Endpoint, bearer
from transport.desk import Desk

CLUB = """[club]
address = "Rita <rita@example.org>"
fetch = "imaps://rita@imap.example.org/INBOX"
send = "smtps://rita@smtp.example.org"
secret = ["pass", "show", "mail/rita"]
"""


def test_an_account_in_its_parts() -> None:
    more = 'trusted = ["MX.example.org"]\nper_hour = 7\ntoken = true\n'
    found = parse_accounts((CLUB + more).encode())["club"]
    assert (found.sender_name, found.address, found.per_hour) == ("Rita", "rita@example.org", 7)
    assert found.fetch_url == ("imaps", "rita", "imap.example.org", 993, "INBOX")
    assert found.send_url == ("smtps", "rita", "smtp.example.org", 465, "")
    assert (found.trusted_hosts, found.is_token) == (("mx.example.org",), True)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("imaps://rita@", "imaps://rita:hunter2@", "[club] fetch: the URL has a password"),
        ("imaps://rita@", "imap://rita@", "[club] fetch: 'imap' is not a way"),
        ("imaps://rita@", "imaps://", "[club] fetch: the URL names no user"),
        ("imap.example.org", "imap.example.org:x", "[club] fetch: this is not a URL"),
        ("imaps://rita@imap.example.org/INBOX", "maildir:", "[club] fetch: expected a path"),
        ("smtps://rita@smtp.example.org", "smtps://", "[club] send: the URL names no host"),
        ("smtps://rita@smtp.example.org", "smtp://mx.example.org", "[club] send: smtp: has no TLS"),
        ("smtps://rita@smtp.example.org", "smtps://h/x", "[club] send: nothing may follow the host"),
        ('secret = ["pass", "show", "mail/rita"]', "", "the user 'rita' needs a secret"),
        ("Rita <rita@example.org>", "Rita", "[club] address: expected an address"),
        ("[club]", "[the Club]", "line 1 is not TOML"),
        ("[club]", '["the Club"]', "'the Club' cannot be the name of a mail account"),
        ("secret =", "sekret =", "club.sekret: unknown key"),
        ("secret =", "per_hour = 0\nsecret =", "club.per_hour: expected 1 to 100000"),
        ("secret =", 'token = "yes"\nsecret =', "club.token: expected true or false"),
        ("secret =", 'trusted = ["a b"]\nsecret =', "[club] trusted: 'a b' is not the name"),
        ("[club]", CLUB.replace("club", "two") + "[club]", "two and club have one address"),
    ],
)
def test_each_fault_is_one_line(old: str, new: str, said: str) -> None:
    with pytest.raises(PbemError) as caught:
        parse_accounts(CLUB.replace(old, new).encode())
    line = caught.value.as_line()
    assert said in line
    assert "hunter2" not in line
    assert "\n" not in line
    assert caught.value.hint


def test_which_account_serves_a_game() -> None:
    both = parse_accounts((CLUB + CLUB.replace("club", "two").replace("<rita", "<r2")).encode())
    assert find_account_for(both, "R2@example.org").name == "two"
    assert find_account_for({"club": both["club"]}, "other@example.org").name == "club"
    with pytest.raises(PbemError, match="no mail account has the referee's address"):
        find_account_for(both, "o@example.org")
    with pytest.raises(PbemError, match="there is no mail account"):
        find_account_for({}, "o@example.org")


def test_a_secret_is_read_and_never_told() -> None:
    account = parse_accounts(CLUB.encode())["club"]
    assert secret_of(account._replace(secret=("printf", "hunter2\nmore"))) == "hunter2"
    assert secret_of(account._replace(secret="hunter2")) == "hunter2"
    for command in (("sh", "-c", "echo hunter2; exit 3"), ("true",), ("no-such-command",)):
        with pytest.raises(PbemError) as caught:
            secret_of(account._replace(secret=command))
        assert caught.value.code == "post/secret"
        assert "hunter2" not in caught.value.as_line()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


ADD = ("account", "add", "club", "--address", "Rita <rita@example.org>")


def test_an_account_is_added_below_what_is_there(place: Place) -> None:
    url = ("--fetch", "maildir:~/Maildir", "--send", "sendmail:")
    place.done(*ADD, *url)
    path = place.home / "post.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"# mine\n" + path.read_bytes())
    second = ("account", "add", "two", "--address", "r2@example.org", "--fetch", "none")
    place.done(*second, "--send", "smtps://r@smtp.example.org", "--secret", "pass show 'a b'")
    assert path.read_bytes().startswith(b"# mine\n")
    found = load_accounts(Home(place.home))
    assert found["two"].secret == ("pass", "show", "a b")
    again = place.run(*second, "--send", "none")
    assert (again.code, "there is already a mail account two" in again.text) == (1, True)


def test_an_account_is_removed_and_what_stands_around_it_stays(place: Place) -> None:
    """Found by a newcomer in 2026-11: an account with a typing error was there for good."""
    assert place.done("account", "list").startswith("there is no mail account yet")
    place.done(*ADD, "--fetch", "none", "--send", "smtps://r@smtp.example.org", "--secret", "echo hunter2")
    place.done("account", "add", "two", "--address", "r2@example.org", "--fetch", "none", "--send", "none")
    path = place.home / "post.toml"
    path.write_bytes(b"# mine\n" + path.read_bytes().replace(b"[two]", b"# the second\n[two]"))
    club = "club: Rita <rita@example.org>; fetch: none; send: smtps: smtp.example.org\n"
    assert place.done("account", "list") == f"{club}two: r2@example.org; fetch: none; send: none\n"
    assert "The mail account two is removed from" in place.done("account", "remove", "two")
    assert place.done("account", "list") == club
    assert path.read_bytes().startswith(b"# mine\n")
    assert place.run("account", "remove", "two").code == 2
    path.write_text('club = { address = "rita@example.org" }\n')
    assert "Remove it there by hand." in place.run("account", "remove", "club").text


def test_a_folder_that_is_not_there_is_noticed_when_it_is_named(place: Place) -> None:
    folder = place.path / "Maildir"
    said = place.done(*ADD, "--fetch", f"maildir:{folder}", "--send", "sendmail:/nowhere/sendmail")
    assert f"note: {folder} is not a Maildir: it has no folder cur. Make it with `mkdir -p {folder}/cur" in said
    assert "note: [club] send: there is no program /nowhere/sendmail." in said


def test_a_referee_whose_emails_no_account_fetches_is_noticed(desk: Desk) -> None:
    """Found by a newcomer in 2026-11: the players' answers went to an address that nothing reads."""
    desk.account()
    new = ("new", str(desk.place.path / "new"), "--game=chang-cheng", "--player=red=Ann,a@x.org", "--player=blue=Bob,")
    assert "note: players will reply to pat@example.net, and your mail account is club (ref@example.org)" in desk.done(
        *new, "--deal", "--referee=Pat,pat@example.net"
    )
    shutil.rmtree(desk.place.path / "new")
    assert "note: players will" not in desk.done(*new, "--deal", "--referee=Pat,REF@example.org")


def test_what_is_missing_is_named_where_nobody_can_be_asked(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        said = place.run(*ADD, "--fetch", "none")
    assert (said.code, "--send is missing" in said.text) == (2, True)
    assert not (place.home / "post.toml").exists()


def test_a_file_that_others_can_read_is_not_used(place: Place) -> None:
    place.done(*ADD, "--fetch", "none", "--send", "none")
    (place.home / "post.toml").chmod(0o644)
    said = place.run("account", "try", "club")
    assert (said.code, "chmod 600" in said.text) == (1, True)


@pytest.mark.parametrize(
    ("host", "said"),
    [
        (f"{'a' * 70}.example.org", "there is no host of this name"),
        ("no-such-host.invalid", "there is no host of this name"),
    ],
)
@pytest.mark.parametrize("way", ["imaps://rita@", "imap+starttls://rita@"])
def test_a_host_that_is_not_there(place: Place, way: str, host: str, said: str) -> None:
    place.done(*ADD, "--fetch", way + host, "--send", f"smtps://{host}", "--secret", "echo x")
    tried = place.run("account", "try", "club")
    assert (tried.code, said in tried.text) == (1, True), tried.text


@pytest.mark.parametrize("scheme", ["imaps", "imap+starttls"])
def test_a_host_that_says_nothing_is_given_up(place: Place, monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setattr("pbem.transport.connection.MAX_SILENCE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        way = f"{scheme}://rita@127.0.0.1:{mute.getsockname()[1]}"
        place.done(*ADD, "--fetch", way, "--send", "none", "--secret", "echo x")
        tried = place.run("account", "try", "club")
    assert tried.code == 1
    assert tried.text.endswith("127.0.0.1: no answer came within 1 seconds. Run the command again later.\n")


def test_it_says_what_it_waits_for(tmp_path: Path) -> None:
    (tmp_path / "spool").touch()
    table = parse_accounts(CLUB.encode())["club"]._replace(secret=("echo", "x"))
    ways = Url("mbox", path=str(tmp_path / "spool")), Url("sendmail", path="/bin/true")
    told, waited = list[str](), list[float]()
    steps = try_account(
        table._replace(fetch_url=ways[0], send_url=ways[1]), "2026-11-21T10:00:00Z", waited.append, told.append
    )
    assert [step.is_ok for step in steps] == [True, True, True, False]
    assert [line.split()[0] for line in told] == ["Asking", "Looking", "Sending", "Waiting"]
    assert told[3].endswith(f"for up to {sum(waited):.0f} seconds …")
    assert sum(waited) < 90
    free = table._replace(secret=(), fetch_url=Url("none"), send_url=Url("none"))  # needs no secret
    steps = try_account(free, "2026-11-21T10:00:00Z", waited.append, told.append)
    assert ([step.is_ok for step in steps], len(told)) == ([True] * 3, 4)


def test_a_secret_is_not_quoted_in_any_spelling() -> None:
    account = parse_accounts(CLUB.encode())["club"]
    where = Endpoint(account, account.fetch_url, Limits(), "hunter2")
    spellings = ["hunter2", "\0rita\0hunter2", bearer("rita", "hunter2")]
    for one in spellings:
        whole = base64.b64encode(one.encode()).decode()
        for said in (one, whole, whole.rstrip("=")):
            assert where.clean(f"BAD in LOGIN {said} ?").count("…") == 1
            assert whole.rstrip("=") not in where.clean(f"BAD in LOGIN {said} ?")
            assert "hunter2" not in where.clean(said)


def test_no_password_is_an_argument_of_a_process(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--keep-secret` reads it; the file has it, and nothing says it."""
    monkeypatch.setattr("sys.stdin", io.StringIO("hunter2\n"))
    url = ("--fetch", "none", "--send", "smtps://rita@smtp.example.org")
    said = place.done(*ADD, *url, "--keep-secret")
    assert "hunter2" not in said
    assert secret_of(load_accounts(Home(place.home))["club"]) == "hunter2"


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of POSIX")
def test_at_a_terminal_it_asks(place: Place) -> None:
    mine, theirs = os.openpty()
    answers = ["Rita <rita@example.org>", "imaps://rita@imap.example.org", "none", "pass show 'a b'"]
    with os.fdopen(mine, "wb", buffering=0) as typed:
        started = subprocess.Popen(
            [sys.executable, "-m", "pbem", "account", "add", "club"],
            stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=place.process_env(),
        )  # fmt: skip
        typed.write("".join(f"{one}\n" for one in answers).encode())
        out, asked = started.communicate(timeout=60)
        os.close(theirs)
    assert started.returncode == 0, asked
    assert b"The mail account club is in" in out
    found = load_accounts(Home(place.home))["club"]
    assert (found.fetch_url.path, found.send_url.scheme) == ("INBOX", "none")
    assert found.secret == ("pass", "show", "a b")


@pytest.mark.parametrize("number", ["0", "-5"])
def test_so_many_an_hour_is_read_strictly(place: Place, number: str) -> None:
    said = place.run(*ADD, "--fetch", "none", "--send", "none", "--per-hour", number)
    assert (said.code, "club.per_hour: expected 1 to 100000" in said.text) == (2, True), said.text
    assert not (place.home / "post.toml").exists()


def test_whence_an_order_may_come_is_an_option(desk: Desk) -> None:
    """Found by a newcomer in 2026-11: only the file had it."""
    (desk.place.home / "post.toml").unlink(missing_ok=True)
    line = ("account", "add", "club", "--address=rita@example.org", "--fetch=none", "--send=none")
    wrong = desk.run(*line, "--from", "nobody")
    assert (wrong.code, "[club] from: 'nobody' is neither 'strict' nor 'any'" in wrong.text) == (2, True)
    assert not (desk.place.home / "post.toml").exists()
    desk.done(*line, "--from", "strict")
    assert load_accounts(Home(desk.place.home))["club"].is_strict


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ((), 'name = "Ref"\naddress = "ref@example.org"'),
        (("--referee=Rita",), 'name = "Rita"\naddress = "ref@example.org"'),
        (("--referee=Rita,",), 'name = "Rita"\naddress = ""'),
        (("--referee=Rita,r@x.org",), 'name = "Rita"\naddress = "r@x.org"'),
    ],
)
def test_a_new_game_has_the_only_account_as_its_referee(desk: Desk, given: tuple[str, ...], written: str) -> None:
    """Found by a newcomer in 2026-11: emails came from pbem@localhost."""
    desk.account()
    new = str(desk.place.path / "new")
    line = ("new", new, "--game=chang-cheng", "--player=red=Ann,a@x.org", "--player=blue=Bob,b@x.org")
    desk.done(*line, "--deal", *given)
    assert f"[referee]\n{written}\n" in (desk.place.path / "new/desk/players.toml").read_text()


def test_of_two_accounts_none_is_chosen(desk: Desk) -> None:
    desk.account()
    path = desk.place.home / "post.toml"
    path.write_text(f'{path.read_text()}[two]\naddress = "two@example.org"\n')
    assert complete_referee(Home(desk.place.home), "Rita") == "Rita"
    path.write_text('[two]\naddress = "\\"Lee, Rita\\" <two@example.org>"\n')
    assert complete_referee(Home(desk.place.home), "").split() == ["Lee", "Rita,two@example.org"]
