"""Real servers on this machine: an authority for their certificates, SMTP in this process, Dovecot.

Not allowed here: a test. Dovecot is started as an ordinary user where the tests run as root.
"""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from imaplib import IMAP4_SSL
from pathlib import Path
from smtplib import LMTP
from ssl import CERT_NONE, PROTOCOL_TLS_CLIENT, PROTOCOL_TLS_SERVER, SSLContext
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "127.0.0.1"
USER, PASSWORD = "rita", "correct-horse"
INSTALL = "apt-get install -y --no-install-recommends dovecot-imapd dovecot-lmtpd"
DOVECOT = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin")


class Authority(NamedTuple):
    """Files: what clients trust, a good certificate for HOST, one for another host."""

    ca: Path
    good: Path
    other: Path


def authority(folder: Path) -> Authority:
    """Made afresh: a key that nobody else has."""
    root = ec.generate_private_key(ec.SECP256R1())
    name = _name("pbem test authority")
    ca = _certificate(name, root.public_key(), name, x509.BasicConstraints(True, None), root)
    paths = Authority(folder / "ca.pem", folder / "good.pem", folder / "other.pem")
    paths.ca.write_bytes(ca.public_bytes(serialization.Encoding.PEM))
    import ipaddress

    addresses: dict[Path, x509.GeneralName] = {
        paths.good: x509.IPAddress(ipaddress.ip_address(HOST)),
        paths.other: x509.DNSName("elsewhere.example.org"),
    }
    for path, address in addresses.items():
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([address])
        made = _certificate(_name(path.stem), key.public_key(), name, names, root)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
        path.chmod(0o644)
    return paths


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _certificate(
    name: x509.Name,
    public: ec.EllipticCurvePublicKey,
    issuer: x509.Name,
    extension: x509.ExtensionType,
    root: ec.EllipticCurvePrivateKey,
) -> x509.Certificate:
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(public)
    made = made.serial_number(x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=9))
    made = made.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
    return made.sign(root, hashes.SHA256())


def free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


class Inbox:
    """What an SMTP server took, and how it behaves."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []
        self.tried = 0
        #: for each mail in turn, what the server does: "" takes it, `451 …` answers so after DATA,
        #: `rcpt 550 …` at RCPT, "cut rcpt", "cut data" (taken, and no answer), "cut within"
        self.script: list[str] = []
        self.onward: Callable[[bytes], None] | None = None  #: to another server

    def _next(self) -> str:
        return self.script[0] if self.script else ""

    def next_is(self, what: str) -> bool:
        """Whether this comes next; then it has come."""
        found = self._next() == what
        if found:
            self.script.pop(0)
        return found

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self._next()[5:] if self._next().startswith("mail ") else "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.tried += 1
        now = self._next()
        if now.startswith("rcpt "):
            return self.script.pop(0)[5:]
        if self.next_is("cut rcpt"):
            _cut(server)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        said = self.script.pop(0) if self.script else ""
        if not said or said == "cut data":
            assert isinstance(envelope.content, bytes)
            self.mails.append((envelope.rcpt_tos[0], envelope.content))
            if self.onward is not None:
                self.onward(envelope.content)
        if said == "cut data":
            _cut(server)
        return said if said[:1].isdigit() else "250 2.0.0 queued"


def _cut(server: SMTP) -> None:
    if isinstance(server.transport, asyncio.Transport):
        server.transport.abort()


class _Smtp(SMTP):
    """Whose line may go dead within DATA."""

    async def smtp_DATA(self, arg: str) -> None:
        inbox = self.event_handler
        assert isinstance(inbox, Inbox)
        if inbox.next_is("cut within"):
            await self.push("354 go on")
            await self._reader.readline()
            _cut(self)
        else:
            await super().smtp_DATA(arg)


class _Controller(Controller):
    def factory(self) -> SMTP:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # AUTH without STARTTLS: it is TLS itself
            return _Smtp(self.handler, **self.SMTP_kwargs)


class Server(NamedTuple):
    """An SMTP server that runs."""

    inbox: Inbox
    port: int


@contextmanager
def smtp(certificate: Path | None, tls: str, auth: bool = True) -> Iterator[Server]:
    """``tls``: smtps, smtp+starttls or smtp (none)."""
    context = None
    if certificate is not None:
        context = SSLContext(PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
    inbox, port = Inbox(), free_port()
    options: dict[str, Any] = {"enable_SMTPUTF8": False, "timeout": 30}
    if tls == "smtp+starttls":
        options |= {"tls_context": context, "require_starttls": True}
    if auth:
        options |= {"auth_required": True, "auth_require_tls": False, "authenticator": _known}
    ssl = context if tls == "smtps" else None
    controller = _Controller(inbox, hostname=HOST, port=port, ssl_context=ssl, **options)
    controller.start()
    try:
        yield Server(inbox, port)
    finally:
        controller.stop()


def _known(server: SMTP, session: Session, envelope: Envelope, how: str, data: Any) -> AuthResult:
    good = isinstance(data, LoginPassword) and data == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=good, handled=False)


class Imap:
    """A Dovecot that runs, with one mailbox."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.starttls, self.lmtp = free_port(), free_port(), free_port()

    def deliver(self, data: bytes, address: str = f"{USER}@example.org") -> None:
        """As a mail server puts it there."""
        with LMTP(HOST, self.lmtp) as server:
            server.sendmail("carrier@example.org", [address], data.replace(b"\n", b"\r\n"))

    @property
    def maildir(self) -> Path:
        return self.folder / "mail" / USER

    def flags(self) -> set[str]:
        """The marks of all mails: `S` is what IMAP calls Seen."""
        names = (path.name for path in (self.maildir / "cur").iterdir())
        return {letter for name in names for letter in name.partition(":2,")[2]}

    def renumber(self) -> None:
        """Another UIDVALIDITY, and other UIDs, as when a server is restored."""
        old = self._validity()
        while self._validity() == old:  # a session that ends may write the old list again
            for path in self.maildir.glob("dovecot*"):
                path.unlink(missing_ok=True)
            time.sleep(1.1)  # the new one is made of the time in seconds

    def _validity(self) -> bytes:
        """What Dovecot numbers its emails by now, as a client is told."""
        context = SSLContext(PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, CERT_NONE
        with IMAP4_SSL(HOST, self.port, ssl_context=context) as server:
            server.login(USER, PASSWORD)
            (told,) = server.status("INBOX", "(UIDVALIDITY)")[1]
        assert isinstance(told, bytes)
        return told

    def count(self) -> int:
        return sum(1 for below in ("new", "cur") for _ in (self.maildir / below).iterdir())


CONFIG = """
base_dir = {t}/run
state_dir = {t}/state
log_path = {t}/log
protocols = imap lmtp
listen = 127.0.0.1
ssl = required
ssl_cert = <{cert}
ssl_key = <{cert}
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_location = maildir:{t}/mail/%n
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {starttls}
  }}
  inet_listener imaps {{
    port = {port}
  }}
}}
auth_failure_delay = 0
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={t}/mail/%n
}}
"""


@contextmanager
def dovecot(certificate: Path) -> Iterator[Imap]:
    """Its folder is short and its own: sockets have short names, and it is no root's."""
    assert DOVECOT is not None
    uid = 65534 if os.getuid() == 0 else os.getuid()
    found = pwd.getpwuid(uid)
    group = "nogroup" if uid == 65534 else str(found.pw_gid)
    folder = Path(tempfile.mkdtemp(prefix="pbem-imap-", dir="/tmp"))
    imap = Imap(folder)
    cert = folder / "cert.pem"
    cert.write_bytes(certificate.read_bytes())
    config = CONFIG.format(
        t=folder, cert=cert, user=found.pw_name, group=group, port=imap.port, lmtp=imap.lmtp,
        starttls=imap.starttls, password=PASSWORD,
    )  # fmt: skip
    (folder / "dovecot.conf").write_text(config)
    folder.chmod(0o755)
    if os.getuid() == 0:
        for path in (folder, *folder.iterdir()):
            os.chown(path, uid, found.pw_gid)
    started = subprocess.Popen(
        [DOVECOT, "-F", "-c", str(folder / "dovecot.conf")],
        user=uid if os.getuid() == 0 else None,
        group=found.pw_gid if os.getuid() == 0 else None,
        extra_groups=[] if os.getuid() == 0 else None,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _answers(imap.port, lambda: (folder / "log").read_text() if (folder / "log").exists() else "")
        _answers(imap.lmtp, str)
        yield imap
    finally:
        started.terminate()
        with suppress(subprocess.TimeoutExpired):
            started.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


def _answers(port: int, why: Callable[[], str]) -> None:
    for _ in range(200):
        with suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing answers at port {port}: {why()}")
