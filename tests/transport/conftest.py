"""Servers for the session; for each test a new game and an account."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from durability import games

from transport import servers
from transport.desk import Desk


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> servers.Authority:
    return servers.authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="session")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """A new game of two, whose outbox has a report for each. To be copied."""
    return games.opened(tmp_path_factory.mktemp("dealt") / "one")


@pytest.fixture
def desk(dealt: games.Place, certificates: servers.Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.ca))
    monkeypatch.setattr("pbem.transport.connection.MAX_SILENCE", 5.0)
    return Desk(games.copied(dealt, tmp_path / "desk"))


@pytest.fixture(scope="session")
def dovecot(certificates: servers.Authority) -> Iterator[servers.Imap]:
    if servers.DOVECOT is None:
        pytest.skip(f"needs Dovecot: {servers.INSTALL}")
    with servers.dovecot(certificates.good) as found:
        yield found


@pytest.fixture
def imap(dovecot: servers.Imap) -> Iterator[servers.Imap]:
    """An empty mailbox."""
    yield dovecot
    shutil.rmtree(dovecot.maildir, ignore_errors=True)


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    found = tmp_path / "Maildir"
    for below in ("new", "cur", "tmp"):
        (found / below).mkdir(parents=True)
    return found
