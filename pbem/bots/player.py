"""A player who reads and writes mails, and is as careless as people are.

What lives here: Bot. What must never be here: which order is good (a Choose says that).
Law: it knows what came by mail, and nothing else; its chance comes in as a value.
Source: docs/DESIGN.md "Command line"; CC-13 (half an action may be sent alone).
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.bots.choosing import Choose
from pbem.bots.handwriting import Below, slip, standing, typed
from pbem.bots.incoming import Mail, read_mail, subject_of, view_in
from pbem.bots.mail_program import MANNERS, move_file, reply

if TYPE_CHECKING:
    from pbem.engine.game import Game

_MOST_ORDERS = 20  # of one turn; a game in which a turn never ends is broken


class BotMail(NamedTuple):
    """A file to be sent to the referee: how its name ends, and its bytes."""

    ending: str
    data: bytes


class Bot:
    """One player at one seat."""

    def __init__(self, game: "Game", seat: str, below: Below, choose: Choose) -> None:
        self._game, self._seat = game, seat
        self._choose = choose
        self._below = below
        self._orders: tuple[str, ...] = ()  #: what it means to do now
        self._later: tuple[str, ...] = ()
        self._listed: tuple[str, ...] = ()  #: what was legal when it was asked before
        self._last: Mail | None = None  #: the report it answered before

    def answer(self, data: bytes, date: str) -> BotMail | None:
        """What it does about a mail from the referee; None if there is nothing to do."""
        _, subject = subject_of(data)
        if "your turn" in subject:
            return self._to_report(read_mail(data), date)
        if subject.startswith("[pbem"):
            return self._to_receipt(read_mail(data), date)
        return None

    def _to_report(self, mail: Mail, date: str) -> BotMail | None:
        view = view_in(mail, self._game)
        listed = self._game.legal(view) if view is not None else ()
        if not listed:
            return None
        orders = self._chosen(view)
        if len(orders) > 1 and not self._below(8):
            orders = orders[:1]  # only half of an action first
        self._orders, later = orders, mail.standing
        written, more = standing(orders, self._below)
        self._later = (*later, *more)
        answer = self._first_try(mail, written, date)
        self._listed, self._last = listed, mail
        return answer

    def _first_try(self, mail: Mail, written: list[str], date: str) -> BotMail:
        """Most often a good answer; now and then a mistake, which the receipt will tell."""
        chance = self._below(24)
        gone = [line for line in self._listed if line not in self._orders and " " in line]
        if chance == 0 and " " in written[0]:
            return self._mail(mail, [slip(written[0]), *written[1:]], date)
        if chance == 1 and gone:
            return self._mail(mail, [gone[self._below(len(gone))], *written[1:]], date)
        if chance == 2 and self._last is not None and self._last.code != mail.code:
            return self._mail(self._last, written, date)
        if chance in (3, 4, 5):
            later = ("later:", *self._later) if self._later else ()
            return BotMail(".toml", move_file(mail, (*written, *later)))
        if chance == 6:
            return self._mail(mail, [*written, "help"], date)
        return self._mail(mail, typed(written, self._below), date)

    def _to_receipt(self, mail: Mail, date: str) -> BotMail | None:
        """If the receipt does not list what it meant to do: once more, and this time with care."""
        orders, self._orders = self._orders, ()
        if all(line in mail.kept for line in orders):
            return None
        return self._mail(mail, ["Sorry. What I meant:", "", *orders], date)

    def _mail(self, mail: Mail, lines: list[str], date: str) -> BotMail:
        below = self._below
        later = ["", "later:", *self._later] if self._later else []
        manner = MANNERS[below(len(MANNERS))]
        return BotMail(".eml", reply(mail, [*lines, *later], manner, below(6), date))

    def _chosen(self, view: Any) -> tuple[str, ...]:
        """Orders for the whole turn, as far as this seat can foresee it."""
        game, turn = self._game, self._game.turn(view)
        orders: list[str] = []
        known = view
        while known is not None and game.turn(known) == turn and len(orders) < _MOST_ORDERS:
            if not game.legal(known):
                break
            orders.append(self._choose(game, self._seat, known, self._below))
            known = game.foresee(known, orders[-1])
        return tuple(orders)
