"""A bot that plays one seat by email, as carelessly as people do.

A State is the whole position of a game, with everything hidden. A View is the part that one seat may see.
Not allowed here: a rule of one game, the true State.
Law: a bot knows only what came by email, and its random numbers are passed in. ``type_orders`` does not
change what its orders mean.
Source: docs/DESIGN.md "Command line"; FORMAT.md section 3, "Notation"; CC-13 (half an action
may be sent alone).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.bots.mails import (
    REPLY_STYLES,
    Mail,
    asks_for_orders,
    has_code,
    read_mail,
    read_view,
    recipient_and_subject,
    write_reply,
)
from pbem.notation.move_file import write_move_file

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: returns a random number from 0 to ``bound`` - 1
RandomBelow = Callable[[int], int]
#: from (game, seat, its View, random numbers) to a legal order of the seat
ChooseOrder = Callable[["Game", str, Any, RandomBelow], str]

GUESSES = 2  # how many States are guessed, in which each order is tried
AHEAD = 2  # how many successive orders of the same turn are tried
MOST_TRIED = 80  # at most so many orders are tried, drawn at random if there are more


def choose_at_random(game: "Game", seat: str, view: Any, random_below: RandomBelow) -> str:  # noqa: ARG001
    """Return a random legal order."""
    lines = game.legal(view)
    return lines[random_below(len(lines))]


def choose_sensibly(game: "Game", seat: str, view: Any, random_below: RandomBelow) -> str:
    """Return the order with the best prospects over a few guessed States, up to the end of the bot's own turn."""
    lines = _draw_sample(game.legal(view), random_below)
    if len(lines) == 1:
        return lines[0]
    states = [game.guess(view, random_below) for _ in range(GUESSES)]
    turn = game.turn(view)
    values = [sum(_order_value(game, state, seat, line, turn, random_below) for state in states) for line in lines]
    return lines[values.index(max(values))]


def _order_value(
    game: "Game", state: Any, seat: str, line: str, turn: int, random_below: RandomBelow, ahead: int = AHEAD
) -> int:
    """Return a seat's prospects after an order and, if ``ahead`` > 1, after the best one to follow in that turn."""
    next_state = game.apply(state, seat, line, 0).state
    view = game.view(next_state, seat)
    prospects = game.prospects(view)
    next_orders = game.legal(view) if ahead > 1 and game.turn(view) == turn else ()
    next_values = (
        _order_value(game, next_state, seat, next_order, turn, random_below, ahead - 1)
        for next_order in _draw_sample(next_orders, random_below, 12)
    )
    return max(next_values, default=prospects)


def _draw_sample(lines: tuple[str, ...], random_below: RandomBelow, limit: int = MOST_TRIED) -> tuple[str, ...]:
    """Return at most ``limit`` of the lines, in their order."""
    sample = list(lines)
    while len(sample) > limit:
        sample.pop(random_below(len(sample)))
    return tuple(sample)


STRATEGIES: dict[str, ChooseOrder] = {"random": choose_at_random, "sensible": choose_sensibly}


# the effects that a card of this kind can be given before it is revealed
_CARD_EFFECTS = {"flood": ("flood -2", "flood +2"), "builder": ("builder value", "builder wall")}


def type_orders(lines: Sequence[str], random_below: RandomBelow) -> list[str]:
    """Write orders as a person could type them in an email."""
    if len(lines) > 1 and not random_below(6):
        return [(" and ", ", ", "; ")[random_below(3)].join(lines)]
    style_number = random_below(12)
    return [_type_order(line, style_number, number) for number, line in enumerate(lines, 1)]


def _type_order(line: str, style_number: int, number: int) -> str:
    """Write one order in this style, as in ``WALL A8`` or ``2. wall A8``. ``number``: its place in the email."""
    first_words, _, last_word = line.rpartition(" ")
    is_square = last_word[0].isalpha() and last_word[1:].isdigit()  # such as A8
    styles = {
        0: line.upper(),
        1: f"{line.capitalize()}.",
        2: f"- {line}",
        3: f"{number}. {line}",
        4: f"{first_words}   {last_word}" if first_words else line,
        5: f"{first_words} {last_word[0]} {last_word[1:]}" if is_square else line,
        6: f"{line} please",
        7: line.replace("-", "\N{MINUS SIGN}") if " -" in line else f"* {line}",
        8: line.replace(" ", "\N{NO-BREAK SPACE}"),
    }
    return styles.get(style_number, line)


def split_standing_orders(lines: Sequence[str], random_below: RandomBelow) -> tuple[list[str], list[str]]:
    """Say for some played cards what they will do when they are revealed.

    Return the lines, some as in ``card flood AP3 then +2``, and later ones as in ``when AP3: flood +2``.
    """
    lines_now = []
    lines_later = []
    for line in lines:
        words = line.split()
        effects = _CARD_EFFECTS.get(words[1]) if words[0] == "card" and len(words) == 3 else None
        style_number = random_below(3) if effects else 2
        if effects is None or style_number == 2:
            lines_now.append(line)
            continue
        effect = effects[random_below(2)]
        if style_number == 0:
            lines_now.append(f"{line} then {effect.split()[1]}")
        else:
            lines_now.append(line)
            lines_later.append(f"when {words[2]}: {effect}")
    return lines_now, lines_later


def mistype(line: str) -> str:
    """Swap the first two letters of an order, so that pbem asks what it means."""
    return line[1] + line[0] + line[2:]


#: from (the email, the lines above it, random numbers, the date) to the bytes of a reply
WriteReply = Callable[[Mail, list[str], RandomBelow, str], bytes]


def _reply_by_random_program(mail: Mail, lines: list[str], random_below: RandomBelow, date: str) -> bytes:
    style = REPLY_STYLES[random_below(len(REPLY_STYLES))]
    return write_reply(mail, lines, style, random_below(6), date)


_MOST_ORDERS = 20  # the most orders in a turn: a game whose turn never ends is broken


class BotMail(NamedTuple):
    """A file for the referee: the ending of its name, and its bytes."""

    file_suffix: str
    data: bytes


class Bot:
    """A bot at one seat."""

    def __init__(
        self, game: "Game", seat: str, random_below: RandomBelow, choose: ChooseOrder, write: WriteReply | None = None
    ) -> None:
        self._game, self._seat = game, seat
        self._random_below, self._choose_order = random_below, choose
        self._write_reply = write or _reply_by_random_program
        self._orders: tuple[str, ...] = ()  #: the orders it means to send now
        self._later_lines: tuple[str, ...] = ()  #: orders for later turns, sent with them
        self._previous_legal: tuple[str, ...] = ()  #: the legal orders of its previous question
        self._previous_report: Mail | None = None  #: the report that it answered last

    def answer(self, data: bytes, date: str) -> BotMail | None:
        """Return the reply to an email from the referee, or None if it needs no reply."""
        subject = recipient_and_subject(data).subject
        if asks_for_orders(subject):
            return self._answer_report(read_mail(data), date)
        if has_code(subject):
            return self._answer_receipt(read_mail(data), date)
        return None

    def _answer_report(self, mail: Mail, date: str) -> BotMail | None:
        """Return a reply with orders for this turn, or None if there is nothing to order."""
        view = read_view(mail, self._game)
        legal_orders = self._game.legal(view) if view is not None else ()
        if not legal_orders:
            return None
        orders = self._choose_turn(view)
        if len(orders) > 1 and not self._random_below(8):
            orders = orders[:1]  # first send only half of an action
        self._orders = orders
        lines, later = split_standing_orders(orders, self._random_below)
        self._later_lines = tuple(later)
        answer = self._first_try(mail, lines, date)
        self._previous_legal, self._previous_report = legal_orders, mail
        return answer

    def _first_try(self, mail: Mail, lines: list[str], date: str) -> BotMail:
        """Return a reply that is usually good. Sometimes it has a mistake, which the receipt will report."""
        chance = self._random_below(24)
        outdated_lines = [line for line in self._previous_legal if line not in self._orders and " " in line]
        if chance == 0 and " " in lines[0]:
            return self._write_mail(mail, [mistype(lines[0]), *lines[1:]], date)
        if chance == 1 and outdated_lines:
            return self._write_mail(mail, [outdated_lines[self._random_below(len(outdated_lines))], *lines[1:]], date)
        if chance == 2 and self._previous_report is not None and self._previous_report.code != mail.code:
            return self._write_mail(self._previous_report, lines, date)
        if chance in (3, 4, 5):
            later = ("later:", *self._later_lines) if self._later_lines else ()
            return BotMail(".toml", write_move_file(mail.code, (*lines, *later)))
        if chance == 6:
            return self._write_mail(mail, [*lines, "help"], date)
        return self._write_mail(mail, type_orders(lines, self._random_below), date)

    def _answer_receipt(self, mail: Mail, date: str) -> BotMail | None:
        """Return a reply with all orders, without mistakes, if the receipt lacks one. Otherwise return None."""
        orders, self._orders = self._orders, ()
        if all(line in mail.waiting_orders for line in orders):
            return None
        return self._write_mail(mail, ["Here are my orders:", "", *orders], date)

    def _write_mail(self, mail: Mail, lines: list[str], date: str) -> BotMail:
        later = ["", "later:", *self._later_lines] if self._later_lines else []
        return BotMail(".eml", self._write_reply(mail, [*lines, *later], self._random_below, date))

    def _choose_turn(self, view: Any) -> tuple[str, ...]:
        """Return orders for the whole turn, as far as this seat can foresee it."""
        game, turn = self._game, self._game.turn(view)
        orders: list[str] = []
        foreseen_view = view
        while foreseen_view is not None and game.turn(foreseen_view) == turn and game.legal(foreseen_view):
            if len(orders) == _MOST_ORDERS:
                break
            orders.append(self._choose_order(game, self._seat, foreseen_view, self._random_below))
            foreseen_view = game.foresee(foreseen_view, orders[-1])
        return tuple(orders)
