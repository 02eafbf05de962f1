"""What people write, and what a sensible referee does: none is played that he would not play."""

import tomllib
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sizes import size

from pbem.engine.optional_parts import described
from pbem.moderator.turn.half import half_way
from pbem.moderator.turn.hand import Hand, Kept, Part
from pbem.moderator.turn.intake import Taken, take
from pbem.moderator.turn.judging import Asked
from pbem.moderator.words.meant import Language, take_meant
from pbem.services.intake.message import grammar_of, read_message, sheet_of
from people.reading import HERE, INVITATION, Mail, mails, place_of, read, wanted

#: of each file: the emails that a referee would play, and how many of them are: a floor
PLAYED = {"a-open": (57, 50), "b-open": (62, 55), "a-closed": (28, 22), "b-closed": (32, 25)}
PLAYED |= {"c-open": (63, 45), "c-closed": (37, 27)}
#: in answer to reports that were before their eyes, as in a club
PLAYED |= {"d-open": (78, 69), "d-closed": (32, 27), "e-open": (88, 61), "e-closed": (45, 30)}
PLAYED |= {"f-open": (67, 43), "f-closed": (38, 20), "g-open": (78, 59), "g-closed": (36, 24)}
#: of 25 November 2026: long letters, telegrams, and people who describe what they want
PLAYED |= {"h-closed": (56, 37), "i-open": (44, 11), "j-open": (44, 12), "k-closed": (44, 9)}
#: of 26 November: ordinary club players
PLAYED |= {"q-closed": (15, 12), "r-closed": (18, 16), "s-closed": (18, 12), "t-closed": (18, 16)}
#: two more, not looked at before the reader of that day was done; as they came 9 and 11
PLAYED |= {"u-closed": (15, 11), "v-closed": (15, 14)}
#: each as it came: 12 of 22
PLAYED |= {"y-closed": (22, 14), "z-closed": (22, 15)}
#: as it came: 12 of 28
PLAYED |= {"n-closed": (28, 18)}
#: of these, what goes to the referee as a letter: at most
LETTERS = {"c-open": 3, "c-closed": 1, "f-open": 2, "h-closed": 1, "i-open": 1, "j-open": 3}
LETTERS |= {"k-closed": 3}
TRAPS = tomllib.loads((HERE / "traps.toml").read_text("utf-8"))


def written(context: str, body: str) -> Mail:
    """An email that says this and nothing else."""
    return Mail("x", context, "Re", body, "nothing", (), (), False, False)


def _traps() -> list[tuple[str, str]]:
    """Each with the position that it answers."""
    tables = (TRAPS, *(found for found in TRAPS.values() if isinstance(found, dict)))
    named = [one for table in tables for one in table.items() if isinstance(one[1], list)]
    return [(context, body) for context, bodies in named for body in bodies]


@pytest.mark.parametrize(("context", "body"), _traps())
def test_a_trap_is_not_played(context: str, body: str) -> None:
    assert read(written(context, body)).what != "play", read(written(context, body))


FAMILIES = tomllib.loads((HERE / "families.toml").read_text("utf-8"))["family"]


@pytest.mark.parametrize(("family", "body"), [(f, body) for f in FAMILIES for body in f["said"]])
def test_a_meaning_is_understood(family: dict[str, list[str]], body: str) -> None:
    found = read(written(str(family["context"]), body))
    assert list(found.orders) == family.get("orders", []), found
    assert list(found.later) == family.get("later", []), found


FRAMES = tomllib.loads((HERE / "frames.toml").read_text("utf-8"))


@pytest.mark.parametrize(("place", "said"), [(p, one) for p in FRAMES for one in FRAMES[p]])
def test_what_stands_around_orders_holds_nothing(place: str, said: str) -> None:
    for orders in ("wall A2\nwall B5", "I'd like walls on A2 and B5"):
        body = f"{orders}\n\n{said}" if place == "below" else f"{said}\n\n{orders}"
        assert read(written("cc2-red-10", body)).orders == ("wall A2", "wall B5"), orders


EMAILS = [mail for name in PLAYED for mail in mails(name)]


@pytest.mark.parametrize("mail", EMAILS, ids=[mail.id for mail in EMAILS])
def test_nothing_is_played_otherwise_than_a_referee_would(mail: Mail) -> None:
    found, want = read(mail), wanted(mail)
    if found.what in ("play", "yes", "no"):
        assert (found.what, found.orders, found.later) == (want.what, want.orders, want.later)


@pytest.mark.parametrize("name", PLAYED)
def test_what_a_referee_would_play_is_played_or_held(name: str) -> None:
    meant = [mail for mail in mails(name) if mail.referee == "play"]
    found = [read(mail).what for mail in meant]
    assert len(meant) == PLAYED[name][0]
    assert found.count("play") >= PLAYED[name][1], [m.id for m in meant if read(m).what != "play"]
    assert found.count("nothing") <= LETTERS.get(name, 0)


STANDING = "when AP3: builder wall"


@pytest.mark.parametrize(
    "orders", ["colour violet\nwall A11\nwall B10", "violet, walls on A11 and B10"]
)
def test_what_waits_answers_a_question_in_between(orders: str) -> None:
    """A11 completes AP3, where a builder of theirs lies: found by an email of November 2026, whose
    report said that the answer was waiting, and which was refused for want of it.
    """
    alone, both = (read(written("cc2c-red-20", text)) for text in (orders, f"{orders}\n{STANDING}"))
    assert alone.what == "ask"
    assert (both.orders, both.later) == (("colour violet", "wall A11", "wall B10"), (STANDING,))
    place = place_of("cc2c-red-20")
    seat, words = Asked(place.view, True, ""), Language(grammar_of(place.game))
    sheet = sheet_of(read_message(f"Subject: x\n\n{orders}\n".encode()), place.game)
    hand = Hand().with_parts([Part("when AP3", (Kept(1, "builder wall"),), 1)])
    taken = take_meant(place.game, seat, hand, sheet, words)
    assert taken.accepted
    assert half_way(place.game, place.view, taken.hand) is None


CHAT = [
    "Just back from work",
    "Passe une bonne journée !",
    "Dan, you rat! B6 was always my own square.",
    "Sorry for the late answer, I could not write yesterday.",
    "I hope you are not ill any more?",
    "If you have time, call me.",
    "The tower looks great.",
    "Has Ben seen BP3?",
    "Entschuldigt die Verspätung, ich war nicht da.",
    "Bocs a késésért, nem voltam itthon.",
    "Please confirm.",
    "It's a draw between us so far.",
    "I am waiting for Ben's move.",
    "Ben's last move was great.",
    "These are my orders.",
    "This is a difficult move!",
    "This is my first game.",
    "Das ist ein guter Zug.",
    "Questa è la mia mossa.",
    "We had snow on Friday.",
    "Perhaps we meet in Vienna on Friday, it would be nice to see you all again.",
    "Ben wrote to me after the weekend about his holiday.",
    "I hope that Cleo does not resign so soon.",
]

OTHERS = [
    "This is Ben's move.",
    "this is bens turn",
    "These are Ben's orders",
    "Here are her orders:",
    "That's the move of Cleo.",
    "These are the orders from Ben",
    "I write this on behalf of Ben.",
    "On Ben's behalf.",
    "Das ist Bens Zug.",
    "Das sind die Züge von Ben.",
    "Im Namen von Ben.",
    "C'est le coup de Ben.",
    "Voici les ordres de Ben :",
    "De la part de Ben.",
    "Questa è la mossa di Ben.",
    "Sono gli ordini di Ben.",
    "Per conto di Ben.",
    "Ez Ben lépése.",
    "Ezek Ben parancsai.",
    "Ben nevében.",
]


@pytest.mark.parametrize("others", OTHERS)
def test_orders_of_somebody_else_are_asked_about(others: str) -> None:
    for body in (f"wall A2\nwall B5\n\n{others}", f"{others}\n\nwall A2\nwall B5"):
        found = read(written("cc2-red-10", body))
        assert found.what == "ask", found
        assert any("somebody else" in why for why in found.why), found.why
    assert read(written("cc2-red-10", others)).what != "play"


@pytest.mark.parametrize("chat", CHAT)
def test_chat_beside_notation_is_a_letter(chat: str) -> None:
    for body in (f"wall A2\nwall B5\n\n{chat}", f"{chat}\n\nwall A2\nwall B5"):
        found = read(written("cc2-red-10", body))
        assert (found.orders, found.letter) == (("wall A2", "wall B5"), (chat,))


def test_a_line_that_heads_orders_is_quoted_as_it_was_written() -> None:
    """It got a colon in the receipt: found by using it, 26 November 2026."""
    found = read(written("cc2-red-10", "Ben's move\nwall A2\nwall B5"))
    assert found.what == "ask"
    assert [line for line in found.why if "Ben's move: " in line]
    assert not [line for line in found.why if "Ben's move:: " in line]


LEAVES = ["Bis bald!", "Bis Freitag!", "À lundi", "Until next time", "Evening!"]


@pytest.mark.parametrize("leave", LEAVES)
def test_taking_leave_until_a_day_holds_nothing(leave: str) -> None:
    for body in (f"wall A2\nwall B5\n\n{leave}", f"{leave}\n\nwall A2\nwall B5"):
        assert read(written("cc2-red-10", body)).orders == ("wall A2", "wall B5")


@pytest.mark.parametrize(
    ("slip", "meant"), {"wal A3": "wall A3", "Muto A3": "wall A3", "Mauwr B5": "wall B5"}.items()
)
def test_a_slip_is_asked_about(slip: str, meant: str) -> None:
    found = read(written("cc2-red-10", slip))
    assert found.what == "ask"
    assert f"did you mean `{meant}`" in found.why[0]


def _taken(body: str, **asked: Any) -> Taken:
    """By a seat with two parts waiting, of `cc2-red-10`."""
    place, hand = place_of("cc2-red-10"), Hand()
    seat, words = Asked(place.view, True, ""), Language(grammar_of(place.game))
    for sent in ("wall A2\nwall B5\n", "when BP1: flood -2\n")[: asked.pop("parts", 0)]:
        sheet = sheet_of(read_message(f"Subject: x\n\n{sent}".encode()), place.game)
        hand = take_meant(place.game, seat, hand, sheet, words).hand
    sheet = sheet_of(read_message(f"Subject: x\n\n{body}\n".encode()), place.game)
    return take_meant(place.game, seat._replace(**asked), hand, sheet, words)


def test_what_takes_back_all_is_withdraw_where_one_part_waits() -> None:
    for parts in range(3):
        found = _taken("Please take back my orders.", parts=parts)
        assert found.accepted == (parts < 2)
        assert found.asks == (("withdraw",) if parts < 2 else ())
        assert bool(found.hand.lines) == (parts == 2)


def test_what_is_mended_is_shown_as_it_was_understood_and_never_signed() -> None:
    body = "walls A2 and wal B7. No sorry, B6."
    assert [one.text for one in _taken(body).verdicts] == ["wall A2", "wall B6"]
    assert not _taken(body, nr=1).accepted


def test_another_players_name_holds_orders_that_nobody_signed() -> None:
    """What is signed is taken as it is written, but for a heading that may turn it."""
    place = place_of("cc2-red-10")
    words = Language(grammar_of(place.game), {"Ben": "green"})
    for body in ("Ben suggests:\nwall A2\nwall B5", "wall A2\nwall B5\n\nBen"):
        sheet = sheet_of(read_message(f"Subject: x\n\n{body}\n".encode()), place.game)
        for nr in (0, 1):
            seat = Asked(place.view, True, "", nr=nr)
            accepted = take_meant(place.game, seat, Hand(), sheet, words).accepted
            assert accepted == (nr == 1 and body.endswith("Ben"))


@pytest.mark.parametrize("second", ["tower C5 reserve C4", "double C1 C2"])
def test_no_tower_and_no_double_is_half_of_an_action(second: str) -> None:
    """CC-10, where a scoring is between them: `wall B7` fills BP2, so nobody can tell the rest."""
    found = read(written("cc2-green-20", f"wall B7\n{second}"))
    assert found.what == "ask"


def test_of_several_of_a_kind_nobody_guesses_how_many() -> None:
    """Three walls are in hand: two or three; of guards there are two."""
    assert read(written("gw3-red-10", "walls on S3, then draw")).what == "ask"
    both = ("play S3 guard guard", "draw")
    assert read(written("gw3-blue-2", "guards on S3, then draw")).orders == both


def test_more_than_a_turn_has_room_for_is_refused_where_nobody_can_tell_what_comes() -> None:
    """Behind a scoring, and behind a draw; in plain words it is no answer."""
    for context, body in (
        ("cc4-red-20", "wall A1\nwall A7\nwall B4"),
        ("gw3-blue-30", "draw\nplay S1 gate"),
    ):
        found = read(written(context, body))
        assert found.what == "ask"
        assert any("your turn ends before this line" in why for why in found.why)
    found = read(written("cc4-red-20", "mur A1, mur A7, mur B4"))
    assert found.what == "ask"
    assert any("your turn ends before this line" in why for why in found.why)


def test_a_half_action_is_kept_and_says_so() -> None:
    place = place_of("cc2-red-10")
    sheet = sheet_of(read_message(b"Subject: x\n\nwall A2\n"), place.game)
    taken = take(place.game, Asked(place.view, True, ""), Hand(), sheet)
    assert taken.accepted
    assert "your turn needs another order" in str(taken.verdicts[-1].why)
    both = sheet_of(read_message(b"Subject: x\n\nwall A2\nwall B5\n"), place.game)
    done = take(place.game, Asked(place.view, True, ""), Hand(), both)
    assert [verdict.why for verdict in done.verdicts] == [None, None]


def test_a_choice_that_a_game_makes_by_default_is_not_guessed_from_plain_words() -> None:
    """`tower C6` keeps the square on its right in notation (CC-15); `torre in C6` is asked."""
    assert read(written("cc2-green-20", "tower C6")).orders == ("tower C6 reserve C7",)
    assert read(written("cc2-green-20", "torre in C6")).what == "ask"


def test_what_is_held_says_which_part_holds_it() -> None:
    held = [mail for mail in EMAILS if mail.context != INVITATION and read(mail).what == "ask"]
    silent = [m.id for m in held if not any(w[:5] in ("doubt", "refus") for w in read(m).why)]
    assert held
    assert not silent


OFFERED = 56  #: held emails of which the receipt offers the whole: at least
OTHERWISE = {"k-it-004"}  #: of the blind set: two walls on squares that were one double
PARTS = 4  #: of which it offers all for now, and not what waits: at most
UNCLEAR = 8  #: that a referee would ask about, and it offers what they may mean: at most


def test_a_receipt_offers_what_a_held_email_may_have_meant() -> None:
    """Of what a referee would play, nothing else is offered."""
    held = [mail for mail in EMAILS if mail.context != INVITATION and read(mail).what == "ask"]
    meant = {mail.id: read(mail).meant for mail in held}
    play = [mail for mail in held if mail.referee == "play" and meant[mail.id]]
    whole = [mail for mail in play if meant[mail.id] == (*mail.orders, *wanted(mail).later)]
    for mail in (one for one in play if one.id not in OTHERWISE):
        assert {*meant[mail.id]} <= {*mail.orders, *wanted(mail).later}, mail.id
    assert len(play) - len(whole) <= PARTS + len(OTHERWISE)
    assert len(whole) >= OFFERED
    assert sum(bool(meant[mail.id]) for mail in held if mail.referee != "play") <= UNCLEAR


@pytest.mark.parametrize(
    "body",
    [
        "wall A2\nwal A3",  # one province: no action
        "wall A2\nor not",  # half an action is left without it
        "wall A2\nwall Z9",  # refused, not doubtful
        "A2 or B7, whatever you like",  # one of them
    ],
)
def test_nothing_is_offered_that_is_no_whole_and_clear_answer(body: str) -> None:
    found = read(written("cc2-red-10", body))
    assert (found.what, found.meant) == ("ask", ())


ANSWERS = tomllib.loads((HERE / "invited.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("what", "body"), [(k, body) for k, rows in ANSWERS.items() for body in rows]
)
def test_an_invitation_is_answered_as_people_do(what: str, body: str) -> None:
    assert read(written(INVITATION, body)).what == what, body


def test_a_line_of_the_report_is_no_answer() -> None:
    """A paragraph of the report whose marks were lost, between marked ones."""
    report = place_of("cc2-red-10").report.split("\n")
    at = next(i for i, line in enumerate(report) if line.startswith("    wall"))
    end = next(i for i in range(at, len(report)) if not report[i])
    quoted = [line if at <= i < end else f"> {line}" for i, line in enumerate(report)]
    quoted[at - 1] = quoted[end] = ""
    assert read(written("cc2-red-10", "\n".join(quoted))).what != "play"
    mine = [*quoted[:end], "", "wall A2 and B5", "", *quoted[end:]]
    assert read(written("cc2-red-10", "\n".join(mine))).orders == ("wall A2", "wall B5")


def test_what_stands_below_another_mail_is_not_the_players() -> None:
    report = [f"> {line}" for line in place_of("cc2-red-10").report.split("\n")]
    other = ["", "On Tue, 3 Nov 2026 at 10:15, Ben wrote:", "", "wall A2 and B5"]
    assert read(written("cc2-red-10", "\n".join([*report, *other]))).what != "play"


def test_yes_below_a_quoted_order_is_asked_about() -> None:
    """Found in an email of 24 November 2026: the tower was played, and the rest lost."""
    report = [f"> {line}" for line in place_of("cc2-green-20").report.split("\n")]
    at = next(i for i, line in enumerate(report) if "when BP3: warrior mandarin" in line)
    for yes in ("ja, so.", "Yes please", "ok", "oui, celui-là", "igen"):
        body = [*report[: at + 1], "", yes, "", *report[at + 1 :]]
        found = read(written("cc2-green-20", "\n".join(["tower C5 reserve C4", *body])))
        assert found.what == "ask"
        assert found.meant == ("tower C5 reserve C4", "when BP3: warrior mandarin")
    below = "\n".join(["tower C5 reserve C4", *report, "", "ok, see you"])
    assert read(written("cc2-green-20", below)).what == "play"


@pytest.mark.parametrize(
    ("context", "body", "orders"),
    [
        ("cc4-red-20", "Flut BP2 Krieger AP3 dann", ("card flood BP2", "card warrior AP3")),
        ("gw3-red-10", "draw draw", ("draw", "draw")),
        ("gw3-red-50", "wall s1 wall s2", ()),  # one wall in hand; not two walls at each
        ("cc2n-red-2", "Wall A3 please x", ("wall A3",)),
        ("cc2-red-10", "wall A2\nwall B5\n\nRegards\nJoost\nSenior constructeur", None),
    ],
)
def test_found_in_emails_of_november(
    context: str, body: str, orders: tuple[str, ...] | None
) -> None:
    expected = ("wall A2", "wall B5") if orders is None else orders
    assert read(written(context, body)).orders == expected


@pytest.mark.parametrize(
    "below",
    [
        "or draw instead",
        "draw?",
        "This message and all that is attached to it is for nobody but whom it is sent to: draw",
    ],
)
def test_what_may_be_another_order_below_a_name_is_never_played(below: str) -> None:
    found = read(written("gw3-red-40", f"play S1 gate\n\nRegards\nJoost\n\n{below}"))
    assert found.orders in ((), ("play S1 gate",))
    assert found.what == "ask" or len(below) > 40


def test_what_is_not_heard_to_its_end_is_not_understood() -> None:
    """Found in reading the change: 700 lines of chat hid what took it back."""
    chat = "The weather was fine and we all went to the beach.\n" * 700
    body = f"A2 and B5\n\n{chat}\nBut not A2, I take B6."
    assert read(written("cc2-red-10", body)).what == "ask"


def test_what_describes_an_order_has_to_be_true() -> None:
    """B9 is a red wall in AP1 of `cc2-red-20`, and B5 a green one."""
    for said, found in (("the green wall on B5", "play"), ("the red wall on B5", "ask")):
        body = f"When BP2 is full, the traitor breaks {said}."
        assert read(written("cc2-red-20", body)).what == found


@pytest.mark.parametrize(
    ("context", "body"),
    [
        ("gw3-blue-2", "gate S1, draw, horseman S1"),  # behind the last action (GW-21)
        ("gw3-red-10", "wall on S3, the rest on S2"),  # two walls are left
        ("gw3-red-10", "wall on S1, another, draw"),
        ("gw3-blue-2", "I draw now, noble S3 next turn"),
        ("cc4-blue-30", "A10 and AM3"),  # two, and one may be done
        ("cc4-violet-10", "T A9, hold A8."),  # `T` is a tower, and pbem knows no such word
    ],
)
def test_found_by_testers_of_25_november(context: str, body: str) -> None:
    assert read(written(context, body)).what == "ask"


SUBJECT = "Re: [pbem CSBX-7Y6H] chang-cheng: your turn -> wall A2, B5"
#: words of orders of two games, and what stands around them
WORDS = ["A2 B5 A7 AP1 wall walls traitor double tower", "S1 S2 S3 wall draw guards horseman play"]
AROUND = ["no", "sorry", "wait", "rather", "and", "then", "another one", "add", "instead of", "not"]
AROUND += ["I mean", "later", "when", "if", "first", "second", "the rest", "none", "two", "2x"]
AROUND += ["keep", "because", "Ben", "xyzzy", ",", ".", "...", "-", "?", ":", "\n", "(", ")", "+2"]


@settings(max_examples=size("emails of any words"))
@example(0, ["xyzzy", ",", "no", ",", "A7"])  # a traceback: found in reading the change
@given(st.integers(0, 1), st.lists(st.sampled_from(AROUND) | st.integers(0, 8), max_size=14))
def test_any_words_are_read(game: int, said: list[str | int]) -> None:
    words = WORDS[game].split()
    body = " ".join(words[one % len(words)] if isinstance(one, int) else one for one in said)
    found = read(written(("cc2-red-10", "gw3-red-10")[game], body))
    assert found.what in ("play", "ask", "nothing")


POINTS = ["See subject", "As in the subject, cheers!", "siehe Betreff", "comme en objet, merci"]
POINTS += ["Come da oggetto 😄 buona partita!!", "Lásd a tárgyat"]


@pytest.mark.parametrize("body", POINTS)
def test_a_body_that_points_to_the_subject_has_its_orders_there(body: str) -> None:
    """Found in a blind email of 26 November 2026."""
    mail = written("cc2-red-10", body)._replace(subject=SUBJECT)
    assert read(mail).orders == ("wall A2", "wall B5")
    assert read(mail._replace(body=f"{body}\n\nBut not B5.")).what == "ask"
    for other in ("The subject is too long for me.", "siehe Betreff meiner letzten Mail"):
        assert read(mail._replace(body=other)).what == "nothing"
    assert read(mail._replace(body="did you see the subject?")).what != "play"


def test_an_order_is_no_telephone_number() -> None:
    """Found in reading the change: `flood +2 (-2)` was a letter, and nobody asked."""
    assert read(written("cc2-red-20", "flood +2 (-2)")).what == "ask"


def test_what_a_reason_leaves_out_is_not_lost() -> None:
    """A standing order behind `so that` was dropped, and the rest played."""
    body = "A5 and B5, so that you need not wait, and in BP3 the flood is -2."
    found = read(written("cc2-red-10", body))
    assert found.what != "play" or found.later


def test_words_alone_that_may_be_orders_are_asked_about() -> None:
    """As a letter they would wait for the referee, and nobody for the player."""
    found = read(next(mail for mail in mails("k-closed") if mail.id == "k-fr-001"))
    assert (found.what, found.meant) == ("ask", ("wall A6",))


@pytest.mark.parametrize("body", ["take S4", "take S1", "take S4\n4 on 1?", "guard on S9", "S4"])
def test_places_that_are_not_there_describe_nothing(body: str) -> None:
    """Found by the twins in long size: `take S4` where there are three sites was a traceback."""
    for context in ("gw3-green-20", "gw3-blue-2", "gw3-red-40", "cc2-red-20"):
        place = place_of(context)
        for line in (
            body.split("\n", maxsplit=1)[0],
            "take S4",
            "take S1 4",
            "traitor break Z9",
            "warrior",
        ):
            described(place.game, place.view, line)
        assert read(written(context, body)).what != "play"


@pytest.mark.parametrize(
    "body",
    [
        "I'd like walls on A2 and B5. Rita, please tell Ben that I sent the cheque.",
        "I am fed up with Ben. Give me walls A2 and B5. I might be late next time.",  # held
    ],
)
def test_words_beside_orders_in_one_paragraph_are_a_letter(body: str) -> None:
    """Nothing was left of them: found by a newcomer, 26 November 2026."""
    assert read(written("cc2-red-10", body)).letter == (body,)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("walls A5 and A7", "as `wall A5, wall A7` this is refused: place your two walls in"),
        ("walls A5 and A7\nJe suis perdu", "as `wall A5, wall A7` this is refused"),
        ("walls A5 and B5 would be great!", "this looks like an order with other words around it"),
    ],
)
def test_an_order_that_would_be_refused_is_not_suggested(body: str, why: str) -> None:
    """Found by a newcomer, 26 November 2026: what was suggested was refused when he sent it; `no
    order begins with `walls``, which many an order does.
    """
    found = read(written("cc2-red-10", body))
    assert found.what == "ask"
    assert why in found.why[0]
