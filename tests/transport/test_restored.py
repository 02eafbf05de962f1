"""A backup brought back: what `restore` says of the emails since is true. Source: docs/EMAIL.md."""

import shutil
from pathlib import Path

from transport.desk import Desk
from transport.servers import HOST, Server
from transport.test_fetch_files import begun, put
from transport.test_tick import ready, server

__all__ = ["begun", "ready", "server"]


def backed_up(desk: Desk, maildir: Path) -> tuple[Path, Path]:
    """A backup, then a mail that is taken; the backup brought back, and the mail."""
    (maildir / "new" / "0.before.host").unlink()  # nothing but that mail is there
    path = desk.place.path / "b.tar.gz"
    desk.done("backup", "GAME", "-o", str(path))
    mail = put(maildir, desk.mail(desk.order()), "1.a.host")
    assert "accepted" in desk.done("fetch", "GAME")
    return path, mail


def test_what_this_machine_took_is_received_by_hand(begun: Desk, maildir: Path) -> None:
    path, mail = backed_up(begun, maildir)
    to = str(begun.place.path / "again")
    said = begun.done("restore", str(path), "--to", to)
    since = said.partition("--since ")[2][:10]
    assert "This machine has imported 1 email since that day, and fetches none twice" in said
    begun.done("restore", "--nothing-lost", to)
    assert "no new email" in begun.done("fetch", to, "--since", since)
    assert "accepted" in begun.done("receive", to, str(mail))


def test_a_new_machine_fetches_them_again(begun: Desk, maildir: Path) -> None:
    path, _ = backed_up(begun, maildir)
    shutil.rmtree(begun.place.home / "post")
    to = str(begun.place.path / "again")
    said = begun.done("restore", str(path), "--to", to)
    since = said.partition("--since ")[2][:10]
    assert f"fetch them again: pbem fetch {to} --since {since}" in said
    begun.done("restore", "--nothing-lost", to)
    assert "accepted" in begun.done("fetch", to, "--since", since)


def test_without_an_account_they_are_saved_again(begun: Desk, maildir: Path) -> None:
    path, _ = backed_up(begun, maildir)
    (begun.place.home / "post.toml").unlink()
    to = str(begun.place.path / "again")
    said = begun.done("restore", str(path), "--to", to)
    assert f"Save them from your mailbox, and type `pbem receive {to} FILE...`" in said
    assert "--since" not in said


def test_what_waited_goes_once_more_with_the_same_bytes(desk: Desk, server: Server) -> None:
    desk.account(send=f"smtp://{HOST}:{server.port}")
    path, to = desk.place.path / "b.tar.gz", str(desk.place.path / "again")
    desk.done("backup", "GAME", "-o", str(path))
    desk.done("send", "GAME")
    first = [*server.inbox.mails]
    said = desk.done("restore", str(path), "--to", to)
    assert "2 emails wait to be sent, as when the backup was made" in said
    desk.done("restore", "--nothing-lost", to)
    desk.done("send", to)
    assert server.inbox.mails == [*first, *first]
    desk.done("backup", to, "-o", str(path.with_name("c.tar.gz")))
    said = desk.done("restore", str(path.with_name("c.tar.gz")), "--to", f"{to}-2")
    assert "wait to be sent" not in said
