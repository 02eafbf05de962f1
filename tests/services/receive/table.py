"""A referee and four players: Ann has a key, Bob a password, Cleo telephones, Dan answers by mail.

What lives here: opening their game by the commands, signing on Ann's machine, mails.
Not allowed here: a wish about what comes of it.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

from durability.games import Place, Said, fresh

from pbem.disk import home
from pbem.disk.home import Home
from pbem.notation.move_file import OrderSignatures, extract_signatures, write_signatures
from pbem.play.joining import contribution
from pbem.play.joining.contribution import Keyring
from pbem.play.signed_orders import SigningContext, sign_orders

NEW = (
    "new", "GAME", "--game", "chang-cheng", "--referee", "Rita,rita@example.org",
    "--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org",
    "--player", "green=Cleo", "--player", "violet=Dan,dan@example.org",
    "--auth", "red=key", "--auth", "blue=password", "--auth", "green=typed",
    "--option", "boards=1a,4b,2a,3a",
)  # fmt: skip


class Table(NamedTuple):
    """The referee's place, and what the players know."""

    place: Place
    password: str  #: Bob's

    def receive(self, *words: str) -> Said:
        return self.place.run("receive", "GAME", *words)

    def report(self, seat: str, n: int = 0) -> Path:
        """The folder of the reports of a state, the newest if none is named."""
        number = n or self.place.numbers()[-1]
        return self.place.game / "desk" / "reports" / f"{number:04d}" / f"{seat}.txt"

    def receipt(self, seat: str) -> str:
        """The newest receipt of a seat."""
        paths = sorted((self.place.game / "desk" / "receipts").glob(f"{seat}-*.txt"))
        return paths[-1].read_text(encoding="utf-8")

    def receipts(self, seat: str) -> int:
        return len(list((self.place.game / "desk" / "receipts").glob(f"{seat}-*.txt")))

    def outbox(self) -> set[str]:
        return {path.stem for path in (self.place.game / "desk" / "outbox").iterdir()}

    def code(self, seat: str, n: int = 0) -> str:
        found = re.search(r"\[pbem (\S+)\]", self.report(seat, n).read_text(encoding="utf-8"))
        assert found
        return found[1]

    def mail(self, seat: str, text: str, name: str = "one", n: int = 0) -> str:
        """An answer of a seat to its report; the file's path. Each ``name`` is another mail."""
        head = f"From: {seat}@example.org\nSubject: Re: [pbem {self.code(seat, n)}]\n"
        return self.place.file(f"{name}.eml", f"{head}Message-ID: <{name}@x>\n\n{text}\n")

    def sign(self, text: str, n: int = 0) -> Said:
        """`pbem orders sign` on Ann's machine, with the view file of her report."""
        view = self.report("red", n).with_suffix(".view.toml")
        file = self.place.file("orders.txt", text)
        return player(self.place, "orders", "sign", str(view), file)

    def signed(self, text: str, n: int = 0) -> str:
        said = self.sign(text, n)
        assert said.code == 0, said.text
        return said.text

    @property
    def ring(self) -> Keyring:
        """Ann's keys, as they lie on her machine."""
        game = self.place.session().record.game
        data = home.read_keyring(Home(self.place.path / "ann"), game, "red")
        assert data
        return contribution.decode_keyring(data, game, "red")

    def by_hand(self, lines: list[str], nr: int = 1, head: str = "", ring: Keyring | None = None) -> str:
        """Lines and signatures as no tool of ours would make them."""
        session, ring = self.place.session(), ring or self.ring
        from pbem.crypto.encoding import b64

        head = head or b64(session.position.state_hash)
        order = SigningContext(ring.game, ring.seat, nr, head, session.record.setup.rules_version)
        return text_of(lines, sign_orders(order, lines, ring.signing))


def text_of(lines: list[str], found: OrderSignatures) -> str:
    return "\n".join([*lines, "", write_signatures(found)])


def block_of(text: str) -> OrderSignatures:
    """The signatures in a text."""
    from pbem.mail.text import Line

    lines = [Line(n, line) for n, line in enumerate(text.split("\n"), 1)]
    (found,) = extract_signatures(lines)[1]
    return found


def player(place: Place, *words: str) -> Said:
    """A command on Ann's own machine."""

    class Machine(Place):
        @property
        def home(self) -> Path:
            return self.path / "ann"

    said = Machine(place.path).run(*words)
    os.environ.update(place.env())
    return said


def invited(path: Path) -> Place:
    """The game as it is opened."""
    place = fresh(path)
    place.done(*NEW)
    return place


def joined(place: Place, password: str) -> Table:
    """Ann has joined with her key, the others gave nothing, the game is dealt."""
    table = Table(place, password)
    outbox = place.game / "desk" / "outbox"
    all_say_yes(table)
    for n in (0, 1):
        said = player(place, "orders", "join", str(outbox / f"{n:04d}-red.eml"))
        assert said.code == 0, said.text
        found = re.search(r"\[pbem (\S+)\]", table.report("red", 0).read_text("utf-8"))
        assert found
        head = f"Subject: Re: [pbem {found[1]}]\nFrom: ann@x\nMessage-ID: <join{n}@x>\n"
        place.done("receive", "GAME", place.file("join.eml", f"{head}\n{said.text}\n"))
        place.done("resolve", "GAME")
    assert place.numbers() == [0, 1, 2]
    return table


def all_say_yes(table: Table) -> None:
    """All but Ann."""
    said = {"blue": f"yes\npassword {table.password}", "violet": "yes"}
    for seat in table.place.session().record.setup.seats:
        if seat == "green":
            table.place.done("receive", "GAME", table.place.file("yes.txt", "yes\n"), "--typed", seat)
        elif seat != "red":
            table.place.done("receive", "GAME", mail := table.mail(seat, said[seat], f"yes-{seat}"))
            Path(mail).unlink()  # it has the password


def dealt(path: Path) -> Table:
    """The game of four, dealt."""
    place = invited(path)
    return joined(place, password_of(place, "blue"))


def password_of(place: Place, seat: str) -> str:
    mail = place.game / "desk" / "outbox" / f"password-{seat}.eml"
    found = re.search(r"^ {4}password (.+)$", mail.read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1]


def parts_of(data: bytes) -> list[bytes]:
    """The parts of a PAE, read apart."""
    number, at, found = int.from_bytes(data[:8], "little"), 8, []
    for _ in range(number):
        length = int.from_bytes(data[at : at + 8], "little")
        found.append(data[at + 8 : at + 8 + length])
        at += 8 + length
    assert at == len(data)
    return found
