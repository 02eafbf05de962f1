"""A player who reads and writes mails, and is as careless as people are.

What must never be here: a rule of one game, the true State.
Law: it knows what came by mail, and nothing else; its chance comes in as a value. What ``typed``
gives means the order it was given.
Source: docs/DESIGN.md "Command line"; docs/NOTATION.md, FORMAT.md section 3; CC-13 (half an action
may be sent alone).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.bots.mails import MANNERS, Mail, has_code, read_mail, reply, subject_of, view_in
from pbem.notation.move_file import write_move_file

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a number from 0 to ``bound`` - 1, each as likely
Below = Callable[[int], int]
#: (game, a seat, its View, chance) to one of the seat's legal orders
Choose = Callable[["Game", str, Any, Below], str]

GUESSES = 2  # States that each order is tried in
AHEAD = 2  # orders of the same turn looked ahead
MOST = 80  # orders tried; of more than that, as many drawn at random


def at_random(game: "Game", seat: str, view: Any, below: Below) -> str:  # noqa: ARG001
    """Any legal order, each as likely."""
    lines = game.legal(view)
    return lines[below(len(lines))]


def sensibly(game: "Game", seat: str, view: Any, below: Below) -> str:
    """The order after which the seat's prospects are best, over a few guessed States.

    It looks to the end of its own turn and no further: what comes next is others' business.
    """
    lines = _some(game.legal(view), below)
    if len(lines) == 1:
        return lines[0]
    states = [game.guess(view, below) for _ in range(GUESSES)]
    turn = game.turn(view)
    worths = [sum(_worth(game, s, seat, line, turn, below) for s in states) for line in lines]
    return lines[worths.index(max(worths))]


def _worth(
    game: "Game", state: Any, seat: str, line: str, turn: int, below: Below, ahead: int = AHEAD
) -> int:
    """The seat's prospects after an order, and after the best that it may add in the same turn."""
    after = game.apply(state, seat, line, 0).state
    view = game.view(after, seat)
    worth = game.prospects(view)
    more = game.legal(view) if ahead > 1 and game.turn(view) == turn else ()
    tried = (
        _worth(game, after, seat, added, turn, below, ahead - 1) for added in _some(more, below, 12)
    )
    return max(tried, default=worth)


def _some(lines: tuple[str, ...], below: Below, most: int = MOST) -> tuple[str, ...]:
    left = list(lines)
    while len(left) > most:
        left.pop(below(len(left)))
    return tuple(left)


NAMED: dict[str, Choose] = {"random": at_random, "sensible": sensibly}


# What a card of this kind may be told before it is turned up, whatever lies on the table then.
_EFFECTS = {"flood": ("flood -2", "flood +2"), "builder": ("builder value", "builder wall")}


def typed(lines: Sequence[str], below: Below) -> list[str]:
    """The orders, as somebody may type them in a mail."""
    if len(lines) > 1 and not below(6):
        return [(" and ", ", ", "; ")[below(3)].join(lines)]
    manner = below(12)
    return [_one(line, manner, number) for number, line in enumerate(lines, 1)]


def _one(line: str, manner: int, number: int) -> str:
    head, _, last = line.rpartition(" ")
    styles = {
        0: line.upper(),
        1: f"{line.capitalize()}.",
        2: f"- {line}",
        3: f"{number}. {line}",
        4: f"{head}   {last}" if head else line,
        5: f"{head} {last[0]} {last[1:]}" if last[0].isalpha() and last[1:].isdigit() else line,
        6: f"{line} please",
        7: line.replace("-", "\N{MINUS SIGN}") if " -" in line else f"* {line}",
        8: line.replace(" ", "\N{NO-BREAK SPACE}"),
    }
    return styles.get(manner, line)


def standing(lines: Sequence[str], below: Below) -> tuple[list[str], list[str]]:
    """What a player says at once of cards he lays: (the lines with ``then``, lines for later)."""
    now, later = [], []
    for line in lines:
        words = line.split()
        effects = _EFFECTS.get(words[1]) if words[0] == "card" and len(words) == 3 else None
        manner = below(3) if effects else 2
        effect = effects[below(2)] if effects and manner < 2 else ""
        now.append(f"{line} then {effect.split()[1]}" if effect and not manner else line)
        if effect and manner:
            later.append(f"when {words[2]}: {effect}")
    return now, later


def slip(line: str) -> str:
    """The order with its first two letters the wrong way round: it is asked what that means."""
    return line[1] + line[0] + line[2:]


#: (the mail that is answered, what is typed above it, chance, the date) to the answer's bytes
Write = Callable[[Mail, list[str], Below, str], bytes]


def _by_some_program(mail: Mail, lines: list[str], below: Below, date: str) -> bytes:
    manner = MANNERS[below(len(MANNERS))]
    return reply(mail, lines, manner, below(6), date)


_MOST_ORDERS = 20  # of one turn; a game in which a turn never ends is broken


class BotMail(NamedTuple):
    """A file to be sent to the referee: how its name ends, and its bytes."""

    ending: str
    data: bytes


class Bot:
    """One player at one seat."""

    def __init__(
        self, game: "Game", seat: str, below: Below, choose: Choose, write: Write | None = None
    ) -> None:
        self._game, self._seat, self._below, self._choose = game, seat, below, choose
        self._write = write or _by_some_program
        self._orders: tuple[str, ...] = ()  #: what it means to do now
        self._later: tuple[str, ...] = ()
        self._listed: tuple[str, ...] = ()  #: what was legal when it was asked before
        self._last: Mail | None = None  #: the report it answered before

    def answer(self, data: bytes, date: str) -> BotMail | None:
        """What it does about a mail from the referee; None if there is nothing to do."""
        _, subject = subject_of(data)
        if "your turn" in subject:
            return self._to_report(read_mail(data), date)
        if has_code(subject):
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
        self._orders = orders
        written, later = standing(orders, self._below)
        self._later = tuple(later)
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
            return BotMail(".toml", write_move_file(mail.code, (*written, *later)))
        if chance == 6:
            return self._mail(mail, [*written, "help"], date)
        return self._mail(mail, typed(written, self._below), date)

    def _to_receipt(self, mail: Mail, date: str) -> BotMail | None:
        """If the receipt does not list what it meant to do: once more, and this time with care."""
        orders, self._orders = self._orders, ()
        if all(line in mail.kept for line in orders):
            return None
        return self._mail(mail, ["Here are my orders:", "", *orders], date)

    def _mail(self, mail: Mail, lines: list[str], date: str) -> BotMail:
        later = ["", "later:", *self._later] if self._later else []
        return BotMail(".eml", self._write(mail, [*lines, *later], self._below, date))

    def _chosen(self, view: Any) -> tuple[str, ...]:
        """Orders for the whole turn, as far as this seat can foresee it."""
        game, turn = self._game, self._game.turn(view)
        orders: list[str] = []
        known = view
        while known is not None and game.turn(known) == turn and game.legal(known):
            if len(orders) == _MOST_ORDERS:
                break
            orders.append(self._choose(game, self._seat, known, self._below))
            known = game.foresee(known, orders[-1])
        return tuple(orders)
