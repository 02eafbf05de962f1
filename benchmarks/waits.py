"""How often a game by mail waits for somebody: ``python benchmarks/waits.py [GAMES] [GAME...]``.

Each wait costs a day. Random bots play through the moderator's own way with orders in hand, four
times, each time with one more means against waiting:

    one order   a mail has one order, and every question is asked
    a turn      a mail has all orders of the turn that its player can foresee
    forced      where all can see that one order alone is legal, it is given for him (R-1)
    ahead       cards are told beforehand what to do: `then` when they are laid, `when` when asked
"""

import sys
from random import Random
from typing import Any

from pbem import catalog
from pbem.bots.player import RandomBelow, choose_at_random
from pbem.engine.game import Game
from pbem.engine.random_play import deal_piles
from pbem.play.pending_orders import (
    NOT_STOPPED,
    NOW,
    OrderGroup,
    PendingOrder,
    PendingOrders,
    group_name_for,
    pop_next_order,
)

MEANS = ("one order", "a turn", "forced", "ahead")
MOST = 20  # orders of one turn


class Table:
    """One game on its way, with what each seat has in hand."""

    def __init__(self, game: Game, players: int, means: int, seed: int) -> None:
        self.game, self.means = game, means
        self.below: RandomBelow = Random(seed).randrange
        config = game.configure(game.seats[:players], {})
        self.state = game.setup(config, deal_piles(game, config, self.below), 2).state
        self.hands = dict.fromkeys(config.seats, PendingOrders())
        self.link = 2
        self.waits = 0

    def play(self) -> int:
        """To the end; how often it waited."""
        while questions := self.game.questions(self.game.view(self.state, None)):
            seat = questions[0].seat
            view = self.game.view(self.state, seat)
            found, self.hands[seat] = pop_next_order(self.hands[seat], self.game, view, self.link)
            if found is not None:
                self.apply(seat, found.order)
            elif questions[0].forced and self.means >= 2:
                self.apply(seat, self.game.legal(view)[0])
            else:
                self.wait(seat, view)
        return self.waits

    def apply(self, seat: str, line: str) -> None:
        self.link += 1
        self.state = self.game.apply(self.state, seat, line, self.link).state

    def wait(self, seat: str, view: Any) -> None:
        """Everybody gets a report: who is asked answers, others say what is asked ahead."""
        self.waits += 1
        first = self.turn_of(seat, view)
        kept = tuple(PendingOrder(number, line) for number, line in enumerate(first, 1))
        now = OrderGroup(NOW, kept, turn=self.game.turn(view))
        self.hands[seat] = self.hands[seat].with_groups([now])._replace(stopped_at=NOT_STOPPED)
        if self.means >= 3:
            for one in self.hands:
                self.answer_ahead(one, first if one == seat else ())

    def turn_of(self, seat: str, view: Any) -> list[str]:
        """Orders of the turn, as far as the seat can foresee it."""
        orders: list[str] = []
        turn, known = self.game.turn(view), view
        while known is not None and self.game.turn(known) == turn and len(orders) < MOST:
            if not self.game.legal(known):
                break
            orders.append(choose_at_random(self.game, seat, known, self.below))
            known = self.game.foresee(known, orders[-1])
            if not self.means:
                break
        return orders

    def answer_ahead(self, seat: str, first: tuple[str, ...] | list[str]) -> None:
        """What the report asks ahead; and ``then``, which is the same, for a card just laid."""
        hand = self.hands[seat]
        held = {part.when for part in hand.groups}
        reminders = self.game.soon(self.game.view(self.state, seat))
        asked = [(one.name, one.orders[0]) for one in reminders if one.orders]
        for line in first:
            word, *rest = line.split()
            if word == "card" and rest[0] in ("flood", "builder"):
                effect = {"flood": "flood -2", "builder": "builder wall"}[rest[0]]
                asked.append((rest[1], effect))
        more = (OrderGroup(group_name_for(x), (PendingOrder(0, order),)) for x, order in asked if x not in held)
        self.hands[seat] = hand.with_groups(more)


def main() -> None:
    """Print the mean number of waits of a game, for each number of players and each means."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{'game':<14}{'players':>8}{'games':>7}" + "".join(f"{name:>11}" for name in MEANS))
    for kind in sys.argv[2:] or list(catalog.BUILT_IN):
        game = catalog.load(kind)
        for players in range(game.players[0], game.players[1] + 1):
            shown = f"{kind:<14}{players:>8}{number:>7}"
            for means in range(len(MEANS)):
                total = sum(Table(game, players, means, seed).play() for seed in range(number))
                shown += f"{total / number:>11.1f}"
            print(shown, flush=True)


if __name__ == "__main__":
    main()
