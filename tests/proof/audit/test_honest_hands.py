"""Whatever an honest moderator makes of signed orders, an audit calls it proven. P6.

Random mails of a player with a key (orders for now, several a turn, standing ones, for older
reports), turns missed at random, by the moderator's own functions; see test_held_back.py.
"""

import random
from collections import Counter

import pytest
from sizes import size

from pbem.crypto.encoding import b64
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.play import resolution, signed_orders, validate_email, validation
from pbem.play.pending_orders import PendingOrders, SignedLine, after_new_state
from pbem.play.resolution import make_next_state
from pbem.play.signed_orders import list_signed_lines, sign_orders

from .table import PLAYER, SECRET, TIME, Table

GAMES = size("games with signed orders")
STEPS = 30


class Desk:
    """A game, the hands in it, and what red's reports had."""

    def __init__(self, seed: int) -> None:
        self.random, self.table = random.Random(seed), Table(missed="default")
        self.hands = {"red": PendingOrders(), "blue": PendingOrders()}
        self.reports: list[tuple[str, int]] = []  #: head, questions of red answered up to there
        self.nr = 0
        self.sources: Counter[str] = Counter()
        self.report()

    def report(self) -> None:
        position = self.table.position
        self.reports.append((b64(position.state_hash), position.answered_count("red")))

    def sheet(self) -> ParsedOrders:
        """A turn's orders as red foresees them, maybe, and a few that wait."""
        game, view = self.table.game, self.table.game.view(self.table.position.state, "red")
        now, legal = list[str](), list(game.legal(view))
        for _ in range(self.random.randint(0, 3)):
            lines = game.legal(view) if view is not None else legal
            if not lines:
                break
            now.append(self.random.choice(lines))
            view = game.foresee(view, game.complete(view, now[-1])) if view is not None else None
        later = [self.random.choice(legal or ["wall A5"]) for _ in range(self.random.randint(0, 2))]
        first = tuple(OrderLine(i, line, line) for i, line in enumerate(now, 1))
        waits = tuple(OrderLine(i, line, line) for i, line in enumerate(later, 1))
        return signed_orders.number_orders(ParsedOrders(now=first, later=waits))

    def receive(self) -> None:
        """Red answers one of its newest reports; see services/receive/play.py."""
        position, hand, sheet = self.table.position, self.hands["red"], self.sheet()
        head, answered = self.random.choice(self.reports[-4:])
        age = position.answered_count("red") - answered
        if age > len(hand.forced_orders) and sheet.now:
            return  # that question is settled
        game = self.table.game
        view = game.view(position.state, "red")
        done = hand.forced_orders[-age:] if 0 < age <= len(hand.forced_orders) else ()
        mail = "signed", self.nr + 1, self.signed(sheet, head)
        asked = validation.EmailContext(view, bool(game.legal(view)), head, done, *mail)
        taken = validate_email.validate_orders(game, asked, hand, sheet)
        self.nr += taken.has_changed
        self.hands["red"] = taken.pending

    def signed(self, sheet: ParsedOrders, head: str) -> tuple[SignedLine, ...]:
        lines = [line for _, line in list_signed_lines(sheet)]
        game = self.table.game
        order = signed_orders.SigningContext(self.table.position.game_id, "red", self.nr + 1, head, game.rulings[0])
        found = sign_orders(order, lines, PLAYER)
        return tuple(SignedLine(i, sig, lines[i - 1], len(lines)) for i, sig in found.signatures)

    def resolve(self) -> None:
        missed = frozenset(seat for seat in self.hands if self.random.random() < 0.5)
        course = resolution.play_out(self.table.position, self.hands, missed)
        self.hands = dict(course.pending_by_seat)
        if course.played_orders:
            position = self.table.position
            self.table.hands[self.table.last + 1] = dict(course.committed_before)
            self.table.save(make_next_state(position, course, SECRET, self.table.key, TIME).raw)
            self.hands = {seat: after_new_state(hand) for seat, hand in self.hands.items()}
            self.sources.update(one.source for one in course.played_orders if one.seat == "red")
            self.report()


@pytest.mark.parametrize("seed", range(GAMES))
def test_an_honest_game_is_proven(seed: int) -> None:
    desk = Desk(seed)
    for _ in range(STEPS):
        if desk.random.random() < 0.7:
            desk.receive()
        desk.resolve()
    assert desk.table.audit().first_contradiction is None
    assert desk.sources["signed"] > 2
    assert desk.sources["default"] > 0
