"""Whatever a player with a key sends, and whenever an honest referee resolves, rules or misses a
turn: the archive is proven. Found by an attack of 2026-11, which had honest referees called frauds.

All by the real commands; see test_honest_hands.py for the moderator's own functions.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import second_verifier as second
from durability.games import Place, asked, fresh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from services.receive.table import Table, joined
from sizes import size

from pbem.crypto.encoding import b64
from pbem.notation.move_file import write_signatures
from pbem.play.signed_orders import SigningContext, sign_orders

NEW = (
    "new", "GAME", "--game", "chang-cheng", "--referee", "Rita,rita@example.org",
    "--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org",
    "--auth", "red=key", "--option", "missed=default", "--option", "boards=2b,3b,4b,1b",
)  # fmt: skip
ILLEGAL = "later:\ndouble B8 B9\nwall A7\nwhen AP1: flood -2"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """It is red's turn."""
    place = fresh(tmp_path_factory.mktemp("honest") / "base")
    place.done(*NEW)
    Mails(joined(place, "")).until_red()
    return place


class Mails:
    """A copy of that game, with a number for each mail."""

    def __init__(self, table: Table) -> None:
        self.table, self.place, self.number, self.nr = table, table.place, 0, 0
        self.heads: list[str] = []

    def send(self, seat: str, text: str) -> None:
        self.number += 1
        mail = self.table.mail(seat, text, f"m{self.number}")
        assert self.table.receive(mail).code in (0, 1)

    def ann(self, text: str) -> None:
        self.send("red", self.table.signed(text))

    def legal(self, seat: str) -> list[str]:
        session = self.place.session()
        return list(session.game.legal(session.game.view(session.position.state, seat)))

    def until_red(self) -> None:
        while asked(self.place) == "blue":
            self.send("blue", self.legal("blue")[-1])
            self.place.done("resolve", "GAME")

    def step(self, kind: str, chance: Random) -> None:
        if kind == "mail":
            self.any_mail(chance)
        elif kind == "blue" and (legal := self.legal("blue")):
            self.send("blue", chance.choice(legal))
        elif kind == "missed":
            # refused where the email of the turn missed before has not gone out
            assert self.place.run("resolve", "GAME", "--missed", asked(self.place)).code in (0, 1)
        elif kind in RULED:
            self.place.run("amend", "GAME", *RULED[kind])
        else:
            self.place.done("resolve", "GAME")

    def any_mail(self, chance: Random) -> None:
        """Well signed, and odd: for now, later or a NAME, withdrawing, for an older report."""
        session, now = self.place.session(), list[str]()
        self.heads.append(b64(session.position.state_hash))
        view = session.game.view(session.position.state, "red")
        for _ in range(chance.randint(0, 3)):
            legal = session.game.legal(view) if view is not None else ()
            if not legal:
                break
            now.append(chance.choice(legal))
            view = session.game.foresee(view, session.game.complete(view, now[-1]))
        pool = [*session.game.legal(session.game.view(session.position.state, None)), *now]
        pool += ["double B8 B9", "tower A1", "wall A5", "wall A7", "wall B9"]
        later = [chance.choice(pool) for _ in range(chance.choice((0, 0, 1, 2, 3)))]
        places = [f"when AP{chance.randint(1, 3)}: flood {chance.choice(('-2', '+2'))}"]
        places *= chance.choice((0, 0, 1))
        asks = chance.choice(([], [], [], ["withdraw"], ["withdraw later"], ["withdraw now"]))
        lines = [*now, *places, *(f"later: {line}" for line in later), *asks]
        if not lines:
            return
        self.nr += chance.choice((1, 1, 1, 3))
        head = chance.choice(self.heads[-4:]) if chance.random() < 0.5 else self.heads[-1]
        ring = self.table.ring
        order = SigningContext(ring.game, "red", self.nr, head, session.record.setup.rules_version)
        signs = write_signatures(sign_orders(order, lines, ring.signing))
        text = [*asks, *now, *places, *(["later:", *later] if later else []), "", signs]
        self.send("red", "\n".join(text))

    def contradicted(self) -> str:
        self.place.done("amend", "GAME", "close", "--reason", "the end of it")
        said = self.place.run("audit", "GAME").text
        archive = self.place.path / "proof.tar"
        self.place.run("archive", "GAME", "-o", str(archive))
        second.check_archive(archive.read_bytes())
        return "\n".join(line for line in said.splitlines() if "contradicted" in line)


RULED = {
    "note": ("note", "hello there"),
    "undo": ("undo", "--orders", "1", "--reason", "a slip of mine"),
    "address": ("player", "red", "--address", "x@example.org", "--reason", "a new address"),
    "blue's address": ("player", "blue", "--address", "y@example.org", "--reason", "another"),
}


@pytest.fixture
def mails(base: Place, tmp_path: Path) -> Mails:
    return copied(base, tmp_path)


def copied(base: Place, to: Path) -> Mails:
    shutil.copytree(base.path, to / "copy")
    return Mails(Table(Place(to / "copy"), ""))


@pytest.mark.parametrize(
    "then",
    [
        ["later:\nwall A5"],
        ["withdraw"],
        ["withdraw later\nlater:\nwall A5"],
        ["withdraw", "later:\nwall A5"],
        ["when AP2: flood -2"],
        ["wall A5"],
        [*RULED["note"], "wall A5"],
        [],
    ],
    ids=" ".join,
)
def test_a_line_that_was_not_legal_and_what_came_then(mails: Mails, then: list[str]) -> None:
    mails.ann(ILLEGAL)
    mails.place.done("resolve", "GAME")
    if then and then[0] == "note":
        mails.place.done("amend", "GAME", *RULED["note"])
        then = then[-1:]
    for text in then:
        mails.ann(text)
    mails.place.done("resolve", "GAME")
    if asked(mails.place) == "red":
        mails.place.done("resolve", "GAME", "--missed", "red")
    assert not mails.contradicted()


def test_orders_are_withdrawn_in_answer_to_an_older_report(mails: Mails) -> None:
    """What is taken back need not be in time: the question it was written for may be settled."""
    mails.ann("\n".join([*mails.legal("red")[:1], "later:", "wall B9"]))
    mails.place.done("resolve", "GAME")
    mails.until_red()
    n = mails.place.numbers()[-1]
    mails.ann(mails.legal("red")[0])
    mails.send("red", mails.table.signed("withdraw", n - 1))
    mails.place.done("resolve", "GAME", "--missed", "red")
    assert not mails.contradicted()


def test_another_address_leaves_waiting_orders_as_they_are(mails: Mails) -> None:
    """Found by an attack of 2026-11: a ruling about an address made them void, without a word."""
    mails.ann("later:\nwall A5\nwall B9\nwall B2")
    mails.place.done("amend", "GAME", *RULED["address"])
    mails.place.done("resolve", "GAME")
    entries = mails.place.session().record.entries
    assert [entry.public_words for entry in entries if entry.seat == "red"][:1] == ["wall A5"]
    assert not mails.contradicted()


@pytest.mark.attack(
    "make pending orders void by a ruling that does not say whose orders they were",
    by="audit names the players",
    who="referee",
)
def test_an_audit_says_whose_waiting_orders_a_ruling_made_void(mails: Mails) -> None:
    mails.ann("later:\nwall A5\nwall B9\nwall B2")
    mails.place.done("amend", "GAME", "player", "red", "--name", "Zoe", "--reason", "Ann has left")
    mails.place.done("amend", "GAME", "close", "--reason", "the end of it")
    said = mails.place.done("audit", "GAME")
    assert "pending orders of Ann were made void" in said
    assert "1 made pending orders void" in said


def numbered(base: Place) -> Iterator[Path]:
    number = 0
    while True:
        number += 1
        yield base.path.parent / f"law{number}"


STEPS = ["mail", "mail", "mail", "blue", "resolve", "resolve", "resolve", "missed", *RULED]
GAMES = size("honest games by commands")


@settings(max_examples=GAMES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(STEPS), min_size=8, max_size=30), seed=st.integers(0, 2**32))
def test_any_sequence_of_honest_commands_is_proven(base: Place, steps: list[str], seed: int) -> None:
    folder = next(folder for folder in numbered(base) if not folder.exists())
    mails, chance = copied(base, folder), Random(seed)
    for kind in steps:
        mails.step(kind, chance)
    wrong = mails.contradicted()
    shutil.rmtree(folder)
    assert not wrong
