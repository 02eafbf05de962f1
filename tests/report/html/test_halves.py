"""An action of two orders, tapped twice: the second email goes on with the first.

Source: docs/decisions/0022-faces.md; FORMAT.md "Orders in an email or move file".
"""

import os
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from durability import games

from pbem import catalog
from pbem.chain.sources import REPLIED
from pbem.clock import now
from pbem.disk.home import Home
from pbem.engine.game import Game
from pbem.engine.random_play import deal_piles
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.play.half_action import find_unfinished_turn, list_safe_choices
from pbem.play.pending_orders import NOW, OrderGroup, PendingOrder, PendingOrders
from pbem.play.validate_email import prepend_waiting_orders, validate_orders
from pbem.play.validation import EmailContext
from pbem.services.open.new_game import create_game
from report.html.played import Face, asked_in, face_of, read

NUMBERS = count(1)
SITES = {"blue": "Ann,ann@example.org", "green": "Bob,bob@example.org"}


GOES_ON = "Your next order is added to your pending orders."


class Table:
    """A game in a folder, whose players write emails."""

    def __init__(self, place: games.Place) -> None:
        self.place = place

    def tell(self, *lines: str, subject: str = "") -> str:
        """Sends an email of the asked seat and returns its receipt."""
        name, seat = f"m{next(NUMBERS)}", games.asked(self.place)
        head = f"Subject: {subject or f'[pbem {self.place.session().code(seat)}]'}"
        path = self.place.path / f"{name}.eml"
        path.write_text("\n".join([head, f"Message-ID: <{name}@mail.example>", "", *lines, ""]))
        self.place.run("receive", "GAME", str(path))
        return max((self.place.game / "desk" / "receipts").glob(f"{seat}-*")).read_text()

    def turn(self, *lines: str) -> None:
        self.tell(*lines)
        self.place.done("resolve", "GAME")

    def waits(self) -> list[str]:
        hand = self.place.session().pending_by_seat[games.asked(self.place)]
        return [kept.order for part in hand.groups if part.name == NOW for kept in part.playable_orders]

    def newest_receipt(self) -> Face:
        """The newest receipt of the seat that is asked, as an email."""
        seat = games.asked(self.place)
        return face_of(max((self.place.game / "desk" / "outbox").glob(f"receipt-{seat}-*.eml")))

    def newest_subject(self) -> str:
        """Its subject, without the code."""
        return self.newest_receipt().subject.partition(" [pbem")[0]

    def newest_links(self) -> list[str]:
        """What the newest receipt offers by a link, but for `withdraw`, where orders wait."""
        links = [link.body for link in asked_in(self.newest_receipt())]
        if self.waits():
            links.reverse()
            links.remove("withdraw")
            links.reverse()
        return links


@pytest.fixture(scope="module")
def walls(tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """Chang Cheng after the first turn, which is one wall: the next is an action."""
    place = games.opened(tmp_path_factory.mktemp("walls") / "one")
    table = Table(place)
    table.turn("wall A1")
    return place


@pytest.fixture
def table(walls: games.Place, tmp_path: Path) -> Table:
    return Table(games.copied(walls, tmp_path / "one"))


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    place = games.fresh(tmp_path_factory.mktemp("sites") / "one")
    os.environ.update(place.env())
    wanted = {**games.WANTED, "game": "great-wall", "players": SITES}
    create_game(place.game, wanted, Home(place.home), games.fixed_secrets(), now())
    return place


def view_of_asked(table: Table) -> Any:
    session = table.place.session()
    return session.game.view(session.position.state, games.asked(table.place))


def test_the_second_half_is_added(table: Table) -> None:
    told = table.tell("wall A2")
    assert GOES_ON in told
    assert "\nwall: " in told
    told = table.tell("wall B1")
    assert table.waits() == ["wall A2", "wall B1"]
    assert "2 orders accepted" in told
    assert GOES_ON not in told
    assert "This replaced" not in told
    assert "line kept wall A2\nline kept wall B1\n" in told


def test_a_receipt_offers_the_other_half(table: Table) -> None:
    table.tell("wall A2")
    links = table.newest_links()
    assert "wall B1" in links
    assert not {"wall A2", "wall A3"} & {*links}  # in the same province
    table.tell(links[0])
    assert table.waits() == ["wall A2", links[0]]
    assert table.newest_links() == []


def test_a_refusal_offers_the_choices_of_its_kind(table: Table) -> None:
    """Found by a player with a phone: it had no buttons, and a rule that did not explain it."""
    told = table.tell("wall A99")
    assert "You may write:\nwall: " in told
    assert "RULES CITED" not in told
    legal = table.place.session().game.legal(view_of_asked(table))
    assert table.newest_links() == [line for line in legal if line.startswith("wall ")]
    table.tell("wall A2")
    assert "Your turn needs" not in table.tell("wall A99")
    assert {*table.newest_links()} >= {"wall B1"}
    assert not {*table.newest_links()} & {"wall A2", "wall A3"}


def test_a_receipt_shows_orders_as_they_are_understood(table: Table) -> None:
    """Found by a player with a phone: it showed what they had typed or pasted, twice."""
    told = table.tell("- Mauer  A2", "> wall B1")
    assert "Mauer" not in told
    told = table.tell("wall A2", "wall B1")
    assert told.partition("receipt pbem")[0].count("wall A2") == 1
    assert read(table.newest_receipt().html).words.count("Your turn is complete") == 1


@pytest.mark.parametrize(
    "second",
    [("wall A3",), ("wall A3", "wall B2"), ("withdraw", "wall B1"), ("double A6 A7",)],
    ids=["same province", "whole", "withdrawn", "another action"],
)
def test_anything_else_replaces(table: Table, second: tuple[str, ...]) -> None:
    table.tell("wall A2")
    table.tell(*second)
    assert table.waits() == [line for line in second if line != "withdraw"]


def test_a_whole_action_is_not_gone_on_with(table: Table) -> None:
    table.tell("wall A2", "wall B1")
    table.tell("wall B5")
    assert table.waits() == ["wall B5"]


def test_after_the_double_nothing_goes_on(table: Table) -> None:
    """Found by tapped games: what it shows nobody can tell, yet the turn is over (CC-10)."""
    session = table.place.session()
    seat = games.asked(table.place)
    legal = session.game.legal(session.game.view(session.position.state, seat))
    double = next(line for line in legal if line.startswith("double"))
    card = next(line for line in legal if line.startswith("card"))
    assert GOES_ON not in table.tell(double)
    assert "1 order accepted" in table.tell(card)


def test_a_doubtful_line_adds_nothing(table: Table) -> None:
    table.tell("wall A2")
    told = table.tell("wall B1", "wall B5?")
    assert table.waits() == ["wall A2"]
    assert "No orders accepted" in told


def test_a_tap_confirms_what_a_held_email_may_have_meant(table: Table) -> None:
    told = table.tell("wall A2", "wall B1?")
    assert "Is this what you mean?" in told
    assert "\n    wall A2\n    wall B1\n" in told
    link, no = table.newest_links()
    assert (link, no) == ("wall A2\r\nwall B1", "no")
    assert [one.shown.partition(":")[0] for one in asked_in(table.newest_receipt())] == ["Yes", "No"]
    assert "2 orders accepted" in table.tell(*link.splitlines())
    assert table.waits() == ["wall A2", "wall B1"]


def test_nothing_is_asked_about_words_that_were_accepted(table: Table) -> None:
    """A receipt said that the turn was complete, and then what to answer (2026-11-23)."""
    told = table.tell("Mauer A2", "wall B1")
    assert table.waits() == ["wall A2", "wall B1"]
    assert "Your turn is complete." in told
    assert "Is this what you mean?" not in told
    assert "wall A2\r\nwall B1" not in table.newest_links()


@pytest.mark.parametrize("words", ["Storniere bitte alles.", "Please cancel it.", "Please cancel my last email."])
def test_so_does_a_tap_on_withdraw(table: Table, words: str) -> None:
    table.tell("wall A2", "wall B1")
    assert "Nothing is played until then.\n\n    withdraw\n" in table.tell(words)
    assert table.newest_links() == ["withdraw", "no"]
    table.tell("withdraw")
    assert table.waits() == []
    assert "    withdraw" not in table.tell("Cancel it!")  # there is nothing to take back


def test_both_are_played_and_audited(table: Table) -> None:
    table.tell("wall A2")
    table.turn("wall B1")
    last = table.place.session().record
    assert [entry.public_words for entry in last.entries] == ["wall A2", "wall B1"]
    table.place.done("verify", "GAME")


def test_the_first_half_may_have_been_played(table: Table) -> None:
    """Then its email is answered, and the newest report asks for the other half alone."""
    old = f"[pbem {table.place.session().code(games.asked(table.place))}]"
    table.turn("wall A2")
    told = table.tell("wall B1", subject=old)
    assert "already settled" in told
    table.tell("wall B1")
    assert table.waits() == ["wall B1"]


def test_two_draws_are_two(sites: games.Place, tmp_path: Path) -> None:
    """What is drawn nobody can tell: the example says that a turn has two actions."""
    table = Table(games.copied(sites, tmp_path / "one"))
    told = table.tell("draw")
    assert GOES_ON in told
    assert "draw" in table.newest_links()
    table.tell("draw")
    assert table.waits() == ["draw", "draw"]
    told = table.tell("draw")  # a third is no action of this turn
    assert table.waits() == ["draw"]
    assert "\nThis replaced: draw; draw.\n" in told
    offered = ["withdraw now", "draw", "draw"]
    shown = "".join(f"    {line}\n" for line in offered)
    assert f"To have the earlier orders back instead, reply with:\n\n{shown}" in told
    assert "\r\n".join(offered) in table.newest_links()
    table.tell(*offered)
    assert table.waits() == ["draw", "draw"]
    table.place.done("resolve", "GAME")


def test_a_receipt_says_first_whether_more_is_wanted(table: Table) -> None:
    """Found by a player with a phone, who never knew whether the turn was done."""
    assert table.tell("wall A2").startswith("1 order accepted. Your turn needs one more.\n[pbem ")
    assert table.newest_subject() == "game: one more order needed"
    assert table.tell("wall B1").startswith("2 orders accepted. Your turn is complete. You don't need")
    assert table.newest_subject() == "game: your turn is complete"
    assert "Your turn is" not in table.tell("withdraw")
    assert table.newest_links() == ["wall A2\r\nwall B1"]  # restores what was withdrawn
    assert "Your turn is" not in table.tell("later:", "wall B5")


def test_after_a_marker_two_actions_are_wanted() -> None:
    """Also where nobody can foresee what the marker brings: a site won later lays a new pair. One
    action was taken for the whole turn then, and another email replaced all.
    """
    game, random, found = catalog.load("great-wall"), Random(5), 0
    config = game.configure(game.seats[:2], {})
    state = game.setup(config, deal_piles(game, config, random.randrange), 1).state
    for number in range(2, 400):
        questions = game.questions(game.view(state, None))
        if not questions:
            break
        view = game.view(state, questions[0].seat)
        asked, lines = game.ask(view), game.legal(view)
        given = asked.example if asked is not None and asked.kind == "marker" else ()
        if given and game.foresee(view, given[0]) is None and view.public.deck_sizes[view.seat] > 1:
            found += 1
            turn = game.turn(view)
            assert given[1:] == ("draw", "draw")
            for orders in (1, 2, 3):
                waits = tuple(PendingOrder(n, line) for n, line in enumerate(given[:orders], 1))
                half = find_unfinished_turn(game, view, PendingOrders((OrderGroup(NOW, waits, turn=turn),)))
                assert (half.max_orders if half else 0) == 3 - orders
        state = game.apply(state, questions[0].seat, random.choice(lines), number).state
    assert found


def test_the_referee_goes_on_with_no_email(table: Table) -> None:
    """An entry names one source: what was typed is not added to what was sent."""
    table.tell("wall A2")
    typed = table.place.path / "typed.txt"
    typed.write_text("wall B1\n")
    seat = games.asked(table.place)
    table.place.done("receive", "GAME", str(typed), "--typed", seat)
    assert table.waits() == ["wall B1"]
    told = max((table.place.game / "desk" / "receipts").glob(f"{seat}-*")).read_text()
    assert "This replaced: wall A2.\n" in told


@pytest.mark.parametrize("frame", ["<blockquote>{}</blockquote>", "<hr>{}", "<div>{}</div>"])
def test_a_reply_that_quotes_our_page(table: Table, frame: str) -> None:
    """Programs answer HTML with HTML, quoted in their ways: what is above the code counts."""
    seat = games.asked(table.place)
    (newest,) = (table.place.game / "desk" / "outbox").glob(f"0003-{seat}.eml")
    page = face_of(newest).html
    body = page[page.index("<div") : page.index("</body>")]
    mail = EmailMessage()
    mail["Subject"], mail["Message-ID"] = f"Re: {face_of(newest).subject}", "<q@mail.example>"
    mail.set_content(f"<p>wall A2</p><p>wall B1</p>{frame.format(body)}", subtype="html")
    path = table.place.path / "quoting.eml"
    path.write_bytes(mail.as_bytes())
    table.place.done("receive", "GAME", str(path))
    assert table.waits() == ["wall A2", "wall B1"]


def added(game: Game, view: Any, pending: PendingOrders, order: str) -> tuple[str, ...]:
    """The pending orders for now after an email with this order."""
    context = EmailContext(view=view, is_asked=True, state_hash="")
    orders = ParsedOrders(now=(OrderLine(1, order, order),))
    orders = prepend_waiting_orders(game, context, pending, orders)
    result = validate_orders(game, context, pending, orders)
    return tuple(order.order for order in result.pending.groups[0].orders)


@pytest.mark.parametrize("kind", ["chang-cheng", "great-wall"])
def test_what_a_receipt_offers_is_legal(kind: str) -> None:
    """Found by a player with a phone: after an order that reveals something, the choices before it were shown again.

    A tap on it was refused, as it was not legal before that order.
    """
    game, offered, refused = catalog.load(kind), 0, []
    for seed in range(8):
        random = Random(seed)
        config = game.configure(game.seats[: 2 + seed % 3], {})
        state = game.setup(config, deal_piles(game, config, random.randrange), 1).state
        for number in range(2, 400):
            questions = game.questions(game.view(state, None))
            if not questions:
                break
            seat = questions[0].seat
            view = game.view(state, seat)
            line = random.choice(game.legal(view))
            after = game.apply(state, seat, line, number).state
            if game.foresee(view, line) is None:
                waits = OrderGroup(NOW, (PendingOrder(1, line),), source=REPLIED.name, turn=game.turn(view))
                pending = PendingOrders((waits,))
                half = find_unfinished_turn(game, view, pending)
                for choice in list_safe_choices(game, seat, half) if half else ():
                    orders = {f"{choice.order} {end}".rstrip() for end in choice.rest}
                    offered += len(orders)
                    refused += [(line, order) for order in orders if order not in game.legal(game.view(after, seat))]
                    refused += [(line, order) for order in orders if added(game, view, pending, order) != (line, order)]
            state = after
    assert offered
    assert refused == []


def test_where_the_rest_hangs_on_what_is_revealed_no_order_is_asked_for(table: Table) -> None:
    """Found by a player with a phone: a subject asked for one more order, the text said to wait."""
    random = Random(6)
    while True:
        session, seat = table.place.session(), games.asked(table.place)
        game, view = session.game, session.game.view(session.position.state, seat)
        for order in game.legal(view):
            waits = OrderGroup(NOW, (PendingOrder(1, order),), turn=game.turn(view))
            half = None if game.foresee(view, order) else find_unfinished_turn(game, view, PendingOrders((waits,)))
            if half and not list_safe_choices(game, seat, half):
                told = table.tell(order)
                assert told.startswith("1 order accepted. Your next report asks for the rest of your turn.\n")
                assert "You may write" not in told
                assert table.newest_subject() == "game: your next report asks for the rest"
                return
        table.turn(random.choice(game.legal(view)))
