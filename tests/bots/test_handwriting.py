"""However a bot types its orders, they are read as the orders they were."""

from random import Random

import pytest

from pbem import catalog
from pbem.bots.player import type_orders
from pbem.engine.random_play import deal_piles
from pbem.mail.text import Line
from pbem.notation.lines import Grammar
from pbem.notation.reading import read_orders


def read(rows: list[str], grammar: Grammar) -> list[str]:
    lines = [Line(number, row) for number, row in enumerate(rows, 1)]
    return [one.order for one in read_orders(lines, grammar).now]


@pytest.mark.parametrize("kind", catalog.BUILT_IN)
def test_orders_of_whole_games(kind: str) -> None:
    game, random = catalog.load(kind), Random(1)
    config = game.configure(game.seats[:2], {})
    state = game.setup(config, deal_piles(game, config, random.randrange), 1).state
    while questions := game.questions(game.view(state, None)):
        seat = questions[0].seat
        lines = game.legal(game.view(state, seat))
        some = random.sample(lines, min(2, len(lines)))
        rows = type_orders(some, random.randrange)
        assert read(rows, Grammar(game.words, game.spell, game.is_name)) == some, rows
        state = game.apply(state, seat, random.choice(lines), 2).state


def test_a_number_of_two_digits_stays_one() -> None:
    """Found with a game of sealed bids: `bid 12` was typed as `bid 1 2`."""

    def spell(tokens: tuple[str, ...]) -> str | None:
        bid = len(tokens) == 2 and tokens[0] == "bid" and tokens[1].isdecimal()
        return " ".join(tokens) if bid else None

    for seed in range(60):
        rows = type_orders(["bid 12"], Random(seed).randrange)
        assert read(rows, Grammar(frozenset({"bid"}), spell, lambda _: False)) == ["bid 12"], rows
