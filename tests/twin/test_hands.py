"""What the moderator does with orders in hand: FORMAT.md "Orders in an email or move file", R-1, R-2."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Refused
from pbem.play.pending_orders import LATER, MAX_HANDLED_MARKS, NOW, OrderGroup, PendingOrder, format_pending_orders
from pbem.play.reply_codes import code_of
from pbem.services.lock import open_for_writing

from .fake_seals import faked
from .told import letter
from .worlds import ByCommands, World, chance, go_on, opened_world

Make = Callable[..., World]


@pytest.fixture
def make() -> Iterator[Make]:
    """A game of red and green on fixed boards."""
    with faked(), tempfile.TemporaryDirectory() as root:
        number = 0

        def new(seed: object = 1, kind: type[World] = World, **options: str) -> World:
            nonlocal number
            number += 1
            return opened_world(Path(root) / str(number), 2, seed, options, kind)

        yield new


def send(world: World, seat: str, *lines: str) -> str:
    """A mail of that seat; the receipt he gets."""
    *_, receipt = world.receive(letter(world.session.code(seat), *lines))
    return str(receipt.decode()) if receipt else ""


def play(world: World, seat: str, *lines: str) -> str:
    """The same, and played out; his report."""
    send(world, seat, *lines)
    world.resolve()
    return report(world, seat)


def report(world: World, seat: str) -> str:
    return (world.session.folder.read_report(world.session.record.n, f"{seat}.txt") or b"").decode()


def in_hand(world: World, seat: str) -> list[str]:
    return [one.order for one in world.session.pending_by_seat[seat].orders]


def entries(world: World) -> list[tuple[str, str, str]]:
    return [(one.seat, one.source, one.public_words) for one in world.session.record.entries]


def legal(world: World, seat: str, word: str = "") -> list[str]:
    lines = world.session.game.legal(world.view(seat))
    return [line for line in lines if line.startswith(word)]


def walls_apart(world: World, seat: str) -> tuple[str, str]:
    """Two walls that are an action."""
    first = legal(world, seat, "wall")[0]
    after = world.session.game.foresee(world.view(seat), first)
    return first, next(one for one in world.session.game.legal(after) if one.startswith("wall"))


def started(make: Make) -> World:
    """Red has begun; green is asked."""
    world = make()
    play(world, "red", "wall A1")
    assert world.asked() == ("green",)
    return world


def test_a_good_mail_is_kept_and_played(make: Make) -> None:
    world = make()
    assert "1 order accepted" in send(world, "red", "wall A1")
    world.resolve()
    assert entries(world) == [("red", "reply", "wall A1")]


def test_a_mail_is_whole_or_nothing(make: Make) -> None:
    world = started(make)
    first, second = walls_apart(world, "green")
    send(world, "green", first)
    answer = send(world, "green", second, "wall A1")
    assert "No orders accepted" in answer
    assert in_hand(world, "green") == [first]  # the mail before stands


def test_a_mail_replaces_the_parts_that_it_has_lines_for_and_no_other(make: Make) -> None:
    """Found by players of 2026-11: who answered a question lost what waited for later."""
    world = started(make)
    first, second = walls_apart(world, "green")
    later = ["later:", "tower B3", "when AP1: flood -2", "when AP2: flood -2"]
    send(world, "green", first, second, *later)
    assert "This replaced" in send(world, "green", second)
    assert in_hand(world, "green") == [second, "tower B3", "flood -2", "flood -2"]
    send(world, "green", "when AP2: flood +2")
    assert in_hand(world, "green") == [second, "tower B3", "flood -2", "flood +2"]
    assert "This replaced: later: tower B3" in send(world, "green", "later:", "tower B5")
    assert in_hand(world, "green") == [second, "tower B5", "flood -2", "flood +2"]
    assert [part.email_number for part in world.session.pending_by_seat["green"].groups] == [2, 4, 1, 3]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("withdraw now", ["later:", "tower B3", "when AP2: flood -2"]),
        ("Withdraw later, please.", ["A", "when AP2: flood -2"]),
        ("withdraw when ap02", ["A", "later:", "tower B3"]),
        ("withdraw AP1", ["A", "later:", "tower B3", "when AP2: flood -2"]),
        ("withdraw", []),
    ],
)
def test_a_part_is_withdrawn_by_its_name(make: Make, said: str, left: list[str]) -> None:
    world = started(make)
    first, _ = walls_apart(world, "green")
    send(world, "green", first, "later:", "tower B3", "when AP2: flood -2")
    receipt = send(world, "green", said)
    hand = world.session.pending_by_seat["green"]
    assert format_pending_orders(hand.groups) == [first if line == "A" else line for line in left]
    if said == "withdraw AP1":
        assert "There was nothing to withdraw" in receipt
        assert hand.newest_email_number == 1
        return
    assert hand.newest_email_number == 2
    assert f"receipt pbem 1 {world.session.record.game} green 2" in " ".join(receipt.split())
    assert "replaced 1" in receipt
    assert "line kept withdraw" in receipt
    assert "Withdrawn: " in receipt
    # what was withdrawn stands in the hand until there is a new link
    assert [part for part in hand.groups if not part.playable_orders]
    world.resolve()
    if "A" in left:
        assert all(part.playable_orders for part in world.session.pending_by_seat["green"].groups)


def test_one_mail_withdraws_a_part_and_sets_another(make: Make) -> None:
    world = started(make)
    first, second = walls_apart(world, "green")
    send(world, "green", first, "later:", "tower B3")
    send(world, "green", "withdraw later", second)
    assert in_hand(world, "green") == [first, second]  # the first goes on
    send(world, "green", "withdraw", "later:", "tower B5")
    assert in_hand(world, "green") == ["tower B5"]


def test_a_line_that_is_not_legal_stops_what_was_in_hand_and_no_later_mail(make: Make) -> None:
    """What is tried and not used stays until there is a new state: found by an attack of 2026-11,
    where an honest referee was contradicted, since no state knew how often it had been tried.
    """
    world = started(make)
    first, second = walls_apart(world, "green")
    send(world, "green", "later:", "pass", "tower B3")
    world.resolve()
    send(world, "green", "when AP2: flood -2")
    world.resolve()
    assert in_hand(world, "green") == ["pass", "tower B3", "flood -2"]
    send(world, "green", first, second)
    world.resolve()
    assert entries(world)[0] == ("green", "reply", first)


def test_a_first_part_out_of_turn_is_refused_with_the_way_out(make: Make) -> None:
    world = started(make)
    answer = send(world, "red", "wall B1")
    assert "the game waits for green, not for you (CC-13)" in answer
    assert "later:" in answer
    assert in_hand(world, "red") == []


def test_a_first_part_after_the_end_is_told_that_the_game_is_over(make: Make) -> None:
    world = make()
    go_on(world, chance("end"), 0, lambda public: False)
    assert world.asked() == ()
    answer = send(world, "red", "wall B1")
    assert "the game is over" in answer
    assert "later:" not in answer


def test_orders_for_later_wait_for_their_turn(make: Make) -> None:
    world = started(make)
    free = legal(world, "green", "wall")
    red = [free[-1], free[len(free) // 2]]
    assert "2 orders accepted" in send(world, "red", "later:", *red)
    play(world, "green", *walls_apart(world, "green"))
    used = [line for seat, _, line in entries(world) if seat == "red"]
    assert used
    assert set(used) <= set(red)
    assert not set(used) & set(in_hand(world, "red"))


def test_an_illegal_order_for_later_is_dropped_the_rest_waits_and_his_report_says_so(make: Make) -> None:
    world = started(make)
    first, second = walls_apart(world, "green")
    send(world, "red", "later:", first, "tower B3")
    text = play(world, "green", first, second)
    assert world.asked() == ("red",)
    assert in_hand(world, "red") == ["tower B3"]
    mine = report(world, "red")
    assert f"pbem dropped your order `{first}`, because" in mine
    assert f"{first.split()[1]} is already taken" in mine
    assert "dropped your order" not in text  # nobody else hears of it
    world.resolve()
    assert in_hand(world, "red") == ["tower B3"]


def test_an_order_that_is_not_legal_is_told_though_nothing_was_played(make: Make) -> None:
    world = started(make)
    n = world.session.record.n
    send(world, "green", "later:", "pass", "tower B3")
    assert world.resolve()[0]["orders"] == []
    assert world.session.record.n == n
    assert in_hand(world, "green") == ["pass", "tower B3"]
    assert "pbem dropped your order `pass`, because" in report(world, "green")
    others = report(world, "red") + report(world, "spectators")
    assert "dropped your order" not in others
    again = report(world, "green")
    world.resolve()
    assert report(world, "green") == again


def test_what_is_left_of_a_first_part_does_not_outlive_its_turn(make: Make) -> None:
    world = make(seed="left")
    below = chance("left")
    go_on(world, below, 0, lambda public: public["stage"] == "card")
    assert world.asked()
    seat = world.asked()[0]
    game = world.session.game
    first = game.legal(world.view(seat))[0]
    turn = game.turn(world.view(seat))
    hand = world.session.pending_by_seat[seat]
    with world.here(), open_for_writing(world.session) as session:
        kept = (PendingOrder(1, first), PendingOrder(2, "flood +2"), PendingOrder(3, "warrior flood"))
        now = OrderGroup(NOW, kept, 1, turn=turn)
        world._session = session.store_pending(seat, hand.with_groups([now])._replace(newest_email_number=1))
    world.resolve()
    for _ in range(40):
        if game.turn(world.view(None)) > turn or not world.asked():
            break
        play(world, world.asked()[0], legal(world, world.asked()[0])[0])
    assert game.turn(world.view(None)) > turn
    assert in_hand(world, seat) == []
    assert "flood +2" not in report(world, seat).partition("YOUR PENDING ORDERS")[2]


def test_withdraw_takes_back_all_that_is_unused(make: Make) -> None:
    world = started(make)
    send(world, "red", "later:", "wall B2", "when AP2: flood -2")
    assert len(in_hand(world, "red")) == 2
    assert "withdrawn" in send(world, "red", "withdraw")
    assert in_hand(world, "red") == []


def test_what_stands_after_then_waits_for_its_province(make: Make) -> None:
    world = started(make)
    send(world, "green", "card flood AP2 then -2", "card builder AP1 then wall")
    hand = world.session.pending_by_seat["green"]
    assert format_pending_orders(hand.groups)[2:] == ["when AP1: builder wall", "when AP2: flood -2"]
    world.resolve()
    assert in_hand(world, "green") == ["builder wall", "flood -2"]


def test_a_line_with_when_is_used_for_the_card_in_that_province_alone(make: Make) -> None:
    used = 0
    for seed in range(6):
        world = make(seed=seed)
        go_on(world, chance("when", seed), 0, lambda public: "builder:" in _first_card(public))
        if not world.asked():
            continue
        seat, game = world.asked()[0], world.session.game
        here = game.questions(world.view(None))[0].about
        view = world.view(seat)
        names = ("CP1", "CP2", "CP3", "AP1", "AP2", "AP3", "BP1", "BP2", "BP3")
        other = next(one for one in names if one != here and not game.why_never(view, one))
        with_here = (f"when {here}: builder wall", f"when {other}: builder value")
        if game.questions(world.view(None))[0].kind != "builder":
            continue
        play(world, seat, *with_here)
        assert (seat, "reply", "builder wall") in entries(world)
        assert in_hand(world, seat) == ["builder value"]
        used += 1
    assert used


def _first_card(public: dict[str, Any]) -> str:
    cards = str(public.get("scoring", "")).partition("cards=")[2]
    return f"{cards.split(',')[0]}:" if cards else ""


def test_lines_after_the_choice_of_others_are_taken_and_looked_at_then(make: Make) -> None:
    """In a scoring others choose between two of his orders: nobody can tell what follows."""
    taken = 0
    for seed in range(12):
        world = make(seed=("others", seed))
        go_on(world, chance("others", seed), 0, _his_then_anothers)
        game = world.session.game
        if not world.asked() or game.encode(world.state).public["stage"] != "card":
            continue
        seat, line = world.asked()[0], legal(world, world.asked()[0])[0]
        after = game.foresee(world.view(seat), line)
        if after is None or game.legal(after) or game.turn(after) != game.turn(world.view(seat)):
            continue
        answer = send(world, seat, line, "pass")
        assert "2 orders accepted" in answer
        assert "checked when its turn comes" in answer
        taken += 1
    assert taken


def _his_then_anothers(public: dict[str, Any]) -> bool:
    cards = str(public.get("scoring", "")).partition("cards=")[2].split(" ")[0].split(",")
    owners = [card.partition(":")[2] for card in cards]
    return public["stage"] == "card" and len(owners) > 1 and owners[0] == public["seat"] != owners[1]


@pytest.mark.attack(
    "have an email counted twice by sending it again", by="not possible: the second copy changes nothing", who="carrier"
)
def test_the_same_mail_again_changes_nothing(make: Make) -> None:
    world = started(make)
    first, second = walls_apart(world, "green")
    code = world.session.code("green")
    head = b"Subject: Re: your turn\nMessage-ID: <1@mail.example>\n\n"
    old, new = head + letter(code, first), letter(code, second)
    world.receive(old)
    world.receive(new)
    assert world.receive(old)[0]["verdict"] == "repeated"
    assert in_hand(world, "green") == [first, second]


def test_the_same_words_again_are_meant_again(make: Make) -> None:
    """Found in the review of 2026-11-21: a text has no id, and he may have changed his mind."""
    world = started(make)
    first, second = walls_apart(world, "green")
    code = world.session.code("green")
    for line in (first, second, first):
        assert world.receive(letter(code, line))[0]["verdict"] == "kept"
    assert in_hand(world, "green") == [first]
    assert world.receive(letter(code, first))[0]["verdict"] == "repeated"


def test_a_whole_inbox_fed_again_changes_nothing(make: Make) -> None:
    """More mails than are remembered: old ones must not take new orders back."""
    world = started(make)
    code = world.session.code("green")
    old = [letter(code, "withdraw"), *(letter(code, f"note {i}") for i in range(MAX_HANDLED_MARKS + 5))]
    for one in old:
        world.receive(one)
    play(world, "green", *walls_apart(world, "green"))
    send(world, "green", "later:", "tower B3")
    kept = in_hand(world, "green")
    for one in old:
        world.receive(one)
    assert in_hand(world, "green") == kept == ["tower B3"]


def test_an_answer_to_a_question_answered_already_is_not_kept(make: Make) -> None:
    world = started(make)
    code = world.session.code("green")
    play(world, "green", *walls_apart(world, "green"))
    found, *_, receipt = world.receive(letter(code, "wall B3", "later:", "tower B3"))
    assert found["verdict"] == "stale"
    assert in_hand(world, "green") == []
    assert world.session.code("green").encode() in receipt  # the present question's code


def forced_at(make: Make) -> tuple[World, str, str]:
    """A game at a question to which all can see one answer."""
    for seed in range(60):
        world = make(seed=("forced", seed))
        go_on(world, chance("forced", seed), 0, lambda public: public["stage"] == "card")
        asked = world.session.game.questions(world.view(None))
        if asked and asked[0].forced:
            return world, asked[0].seat, legal(world, asked[0].seat)[0]
    raise AssertionError("no question was forced")


def test_the_one_answer_possible_is_given_and_the_code_stays_good(make: Make) -> None:
    world, seat, line = forced_at(make)
    code = world.session.code(seat)
    world.resolve()
    public = world.session.game.public_words(line)
    assert entries(world)[0] == (seat, "forced", public)
    assert "nothing else was possible (rule R-1)" in report(world, seat)
    assert world.session.code(seat) != code
    found, *_ = world.receive(letter(code, "later:", "pass"))
    assert found["verdict"] == "kept"


def test_orders_in_hand_go_before_a_forced_answer(make: Make) -> None:
    world, seat, line = forced_at(make)
    send(world, seat, line)
    world.resolve()
    assert entries(world)[0][:2] == (seat, "reply")


def test_a_mail_that_repeats_what_was_done_is_passed_over_with_a_note(make: Make) -> None:
    world, seat, line = forced_at(make)
    code = world.session.code(seat)
    world.resolve()
    found, *_, receipt = world.receive(letter(code, line))
    assert found["lines"][0]["what"] == "passed over"
    assert b"played for you already (R-1)" in receipt
    assert in_hand(world, seat) == []


def test_a_forced_answer_uses_up_the_equal_next_order(make: Make) -> None:
    world, seat, line = forced_at(make)
    wrong = f"{line.split()[0]} none" if not line.endswith("none") else f"{line.split()[0]} break A1"
    hand = world.session.pending_by_seat[seat]
    with world.here(), open_for_writing(world.session) as session:
        later = (PendingOrder(1, wrong), PendingOrder(2, line), PendingOrder(3, "tower B1"))
        part = OrderGroup(LATER, later, 1)
        world._session = session.store_pending(seat, hand.with_groups([part])._replace(newest_email_number=1))
    assert world.session.game.fits(world.view(seat), wrong)
    world.resolve()
    assert entries(world)[0][:2] == (seat, "forced")
    assert line not in in_hand(world, seat)
    assert "used up" in report(world, seat)


def test_a_missed_turn_is_played_by_default_only_where_the_game_has_it(make: Make) -> None:
    world = make(kind=ByCommands)
    with pytest.raises(Refused) as refused:
        world.resolve(frozenset({"red"}))
    assert refused.value.code == "missed/wait"
    other = make(kind=ByCommands, missed="default")
    other.resolve(frozenset({"red"}))
    assert entries(other) == [("red", "default", "wall A1")]
    assert other.asked() == ("green",)  # and no further


def test_only_a_turn_that_is_waited_for_can_be_missed(make: Make) -> None:
    world = make(kind=ByCommands, missed="default")
    n = world.session.record.n
    with pytest.raises(Refused) as refused:
        world.resolve(frozenset({"green"}))
    assert refused.value.code == "missed/not-asked"
    assert world.session.record.n == n


def test_in_a_missed_turn_orders_in_hand_go_first(make: Make) -> None:
    world = make(kind=ByCommands, missed="default")
    send(world, "red", "wall A1")
    world.resolve()
    first, _ = walls_apart(world, "green")
    send(world, "green", first)
    world.resolve(frozenset({"green"}))
    assert [source for _, source, _ in entries(world)] == ["reply", "default"]


def test_a_default_answer_changes_the_code(make: Make) -> None:
    world = make(missed="default")
    code = world.session.code("red")
    world.resolve(frozenset({"red"}))
    assert world.session.code("red") != code


def test_what_stands_after_then_is_kept_though_the_card_was_laid_for_him(make: Make) -> None:
    world = make()
    play(world, "red", "wall A1")
    play(world, "green", *walls_apart(world, "green"))
    done_for(world, "green", "card flood AP2")
    *_, receipt = world.receive(letter(code_before(world, "green"), "card flood AP2 then -2"))
    assert b"played for you already (R-1)" in receipt
    assert format_pending_orders(world.session.pending_by_seat["green"].groups) == ["when AP2: flood -2"]


def done_for(world: World, seat: str, line: str) -> None:
    """As if this had been answered for the seat as the only thing possible."""
    with world.here(), open_for_writing(world.session) as session:
        hand = world.session.pending_by_seat[seat]
        world._session = session.store_pending(seat, hand._replace(forced_orders=(line,)))


def code_before(world: World, seat: str) -> str:
    """The code of the seat's question before the present one."""
    session = world.session
    number = dict(session.record.answer_counts).get(seat, 0) - 1
    return code_of(session.codes_secret, session.record.game, seat, number)


def test_an_order_that_is_legal_again_is_meant_again_by_who_knew(make: Make) -> None:
    """Found by a review: a second `draw` in Great Wall was passed over."""
    world = make()
    play(world, "red", "wall A1")
    for one in walls_apart(world, "green"):  # each question has an email, whose code he can quote
        play(world, "green", one)
    play(world, "red", *walls_apart(world, "red"))
    line = walls_apart(world, "green")[0]
    done_for(world, "green", line)
    found, *_ = world.receive(letter(code_before(world, "green"), line))
    assert [one["what"] for one in found["lines"]] == ["passed over"]
    found, *_ = world.receive(letter(world.session.code("green"), line))
    assert [one["what"] for one in found["lines"]] == ["kept"]


def test_a_default_answer_uses_up_the_equal_next_order(make: Make) -> None:
    world = make(missed="default")
    play(world, "red", "wall A1")
    default = world.session.game.default(world.view("green"))
    send(world, "green", "later:", "pass", default)
    world.resolve(frozenset({"green"}))
    assert entries(world)[0][:2] == ("green", "default")
    assert in_hand(world, "green") == []
    assert "used up" in report(world, "green")


def test_an_order_without_its_default_is_kept_whole(make: Make) -> None:
    """Found in the review of 2026-11-21: CC-15 gives `tower B5` the square on its right."""
    world = started(make)
    assert "orders:\ntower B5" in send(world, "green", "tower B5")
    assert in_hand(world, "green") == ["tower B5 reserve B6"]
    world.resolve()
    assert entries(world)[0][2] == "tower B5 reserve B6"


def test_a_standing_order_is_completed_when_it_is_used(make: Make) -> None:
    """Found in the review of 2026-11-21."""
    world = started(make)
    send(world, "green", "later:", "tower B5")
    assert in_hand(world, "green") == ["tower B5"]
    world.resolve()
    assert entries(world)[0][2] == "tower B5 reserve B6"


@pytest.mark.parametrize("line", ["when AP9: flood -2", "card flood AP9 then -2"])
def test_what_waits_for_a_place_that_never_comes_is_refused(make: Make, line: str) -> None:
    """Found in the review of 2026-11-21."""
    world = started(make)
    assert "there is no AP9, and none can join" in send(world, "green", "later:", line)
    assert in_hand(world, "green") == []


def test_a_place_is_named_as_in_every_order(make: Make) -> None:
    """Found in the review of 2026-11-21: `ap02` never fired."""
    world = started(make)
    send(world, "green", "when ap02: flood -2")
    assert [part.when for part in world.session.pending_by_seat["green"].groups] == ["AP2"]
