"""Players who have nothing but a mailbox and a mail program.

Not allowed here: a test. Source: decision 0014.
"""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import parseaddr
from random import Random
from typing import Any

from pbem import catalog
from pbem.bots.mails import Mail, asks_for_orders, read_mail, recipient_and_subject
from pbem.bots.player import Bot, RandomBelow, choose_at_random
from pbem.engine.game import Game
from transport.programs import PROGRAMS, reply

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


class Robot:
    """A player with a mailbox and a mail program; another one for each email, where ``program`` is
    none. Careless as bots are: slips of the pen, half an action, move files, old reports answered.
    """

    def __init__(self, kind: str, seat: str, chance: Random, program: str = "") -> None:
        game = catalog.load(kind)
        self.written = 0
        self.seat, self._chance, self._program = seat, chance, program
        self._bot = Bot(game, seat, chance.randrange, choose_at_random, self._write)

    def _write(self, mail: Mail, lines: list[str], below: RandomBelow, date: str) -> bytes:
        self.written += 1
        program = self._program or list(PROGRAMS)[below(len(PROGRAMS))]
        return reply(program, mail, lines, self.written)

    def answers(self, mails: list[bytes]) -> Iterator[bytes]:
        """What it writes: to each receipt, and to the newest of the reports."""
        reports = [data for data in mails if _is_asking(data)]
        read = [data for data in mails if data not in reports]
        for data in [*read, *reports[-1:]]:
            if _is_invitation(data):
                yield self._write(read_mail(data), ["yes"], self._chance.randrange, "")
            elif found := self._bot.answer(data, ""):
                yield (found.data if found.file_suffix == ".eml" else self._attached(data, found.data))

    def _attached(self, data: bytes, move: bytes) -> bytes:
        self.written += 1
        mail, message = read_mail(data), EmailMessage()
        message["From"], message["To"] = mail.to, mail.sender
        message["Subject"] = f"Re: {mail.subject}"
        message["Message-ID"] = f"<{self.written}.{parseaddr(mail.to)[1]}>"
        message.set_content("See the attachment.\n")
        message.add_attachment(move.decode(), filename="my-turn.toml")
        return message.as_bytes()


def _is_invitation(data: bytes) -> bool:
    return recipient_and_subject(data)[1].startswith("You are invited to ")


def _is_asking(data: bytes) -> bool:
    return _is_invitation(data) or asks_for_orders(recipient_and_subject(data)[1])


class Careful(Robot):
    """One that makes no mistake, answers at once and whole, and asks for few emails."""

    def __init__(self, kind: str, seat: str, chance: Random, program: str = "") -> None:
        super().__init__(kind, seat, chance, program)

        def chosen(game: Game, seat: str, view: Any, _: RandomBelow) -> str:
            return choose_at_random(game, seat, view, chance.randrange)

        self._bot = Bot(catalog.load(kind), seat, lambda bound: bound - 1, chosen, self._write)

    def _write(self, mail: Mail, lines: list[str], below: RandomBelow, date: str) -> bytes:
        lines = ["mails few", *lines] if self.written == 1 else lines
        return super()._write(mail, lines, below, date)

    def answers(self, mails: list[bytes]) -> Iterator[bytes]:
        """What it is not asked about it leaves alone."""
        yield from super().answers(
            [data for data in mails if _is_asking(data) or "correct them" in recipient_and_subject(data)[1]]
        )


def over(data: bytes) -> bool:
    """Whether an email says that its game is."""
    return re.search(r" won(, -?\d+ to -?\d+)?$", recipient_and_subject(data).subject) is not None


def table(
    kind: str, players: int, chance: Random, one_program_each: bool, made: type[Robot] = Robot
) -> dict[str, Robot]:
    """Players of a game, by their addresses, in turn order."""
    seats = catalog.load(kind).seats[:players]
    programs = chance.sample(list(PROGRAMS), players) if one_program_each else [""] * players
    return {
        f"{name.lower()}@example.org": made(kind, seat, chance, program)
        for name, seat, program in zip(NAMES, seats, programs, strict=False)
    }


def invited(robots: dict[str, Robot]) -> list[str]:
    """As `pbem new` has them."""
    who = ((robot.seat, address) for address, robot in robots.items())
    return [f"--player={seat}={to.partition('@')[0].title()},{to}" for seat, to in who]
