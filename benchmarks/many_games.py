"""Makes many games with an account: ``python many_games.py FOLDER NUMBER [FETCH SEND]``.

What is made: ``home`` (keys, account) and ``games``, whose first emails were sent. Without servers
the account has a Maildir, ``mail``, and sends nothing. Not allowed here: a clock.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pbem.clock import now
from pbem.disk.folder import MessageStatus
from pbem.disk.home import Home
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.session.keys import write_new_keys

WANTED = {
    "game": "chang-cheng",
    "options": {},
    "referee": "Rita,rita@example.org",
    "players": {"red": "Ann,ann@example.org", "green": "Ben,ben@example.org"},
}
OFF: Mapping[str, str] = MappingProxyType({})
SERVERS = "correct-horse"  #: the password of tests/transport/servers.py


def make(folder: Path, number: int, fetch: str = "", send: str = "", clock: Mapping[str, str] = OFF) -> None:
    """The games: each waits for its first answer, by its deadline if it has a ``clock``."""
    home = Home(folder / "home")
    os.environ["PBEM_HOME"] = str(home.path)
    write_new_keys(home, {"acting": bytes(range(32)), "recovery": bytes(range(32, 64))})
    for below in ("new", "cur", "tmp"):
        (folder / "mail" / below).mkdir(parents=True)
    rows = ['address = "Rita <rita@example.org>"', f'fetch = "{fetch or f"maildir:{folder}/mail"}"']
    rows += [f'send = "{send or "none"}"', f'secret = ["echo", "{SERVERS}"]']
    accounts = home.path / "post.toml"
    accounts.write_text("\n".join(["[club]", *rows, "per_hour = 10000", ""]))
    accounts.chmod(0o600)
    (folder / "games").mkdir()
    wanted = {**WANTED, "options": dict(clock)}
    for i in range(number):
        secrets = Secrets(*map(os.urandom, (32, 32, 32)))
        session = create_game(folder / "games" / f"g{i:03}", wanted, home, secrets, now())
        with session.folder.lock():
            for name in session.folder.list_messages(MessageStatus.WAITING):
                session.folder.move_message(name, MessageStatus.WAITING, MessageStatus.SENT)


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), "".join(sys.argv[3:4]), "".join(sys.argv[4:5]))
