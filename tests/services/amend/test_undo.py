"""Undo: the position of an older state, in a new one; asked for where others learned something."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from durability import games
from second_verifier import check_archive

from pbem.chain.clock_words import instant_in_prose
from pbem.chain.seals import Seals
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey

from .asked import asked as asked_of
from .asked import consent, receipt, signed, undone


def reports(place: Any, n: int) -> dict[str, str]:
    folder = place.game / "desk" / "reports" / f"{n:04d}"
    names = ("red", "blue", "spectators")
    return {name: " ".join((folder / f"{name}.txt").read_text().split()) for name in names}


def test_the_game_goes_back_and_every_commitment_stays(place: Any) -> None:
    then = place.session().record
    games.answer(place)
    said = place.done("amend", "GAME", "undo", "--reason", "sent by mistake")
    assert f"goes back to state {then.n}" in said
    now = place.session().record
    assert now.n == then.n + 2
    assert now.position == then.position
    assert [(s.slot, s.commitment) for s in now.sealed_values] == [(s.slot, s.commitment) for s in then.sealed_values]
    assert [s.token for s in now.sealed_values] != [s.token for s in then.sealed_values]
    assert "undo (state" in place.done("verify", "GAME")
    for text in reports(place, now.n).values():
        back = f"The game goes back to where it was on {instant_in_prose(then.time)} (report {then.n})."
        assert back in text
        assert "sent by mistake" in text
    games.answer(place)
    assert "genuine" in place.done("verify", "GAME")


def test_the_undo_that_the_page_for_referees_names_is_that_of_a_whole_turn(tmp_path: Path) -> None:
    """It named no number, and was refused after every turn of two orders (2026-11-23)."""
    page = (Path(__file__).parents[3] / "docs" / "REFEREE.md").read_text("utf-8")
    (typed,) = re.findall(r"`pbem amend games/autumn (undo [^`]*)`", page)
    place = games.opened(tmp_path / "one")
    games.answer(place)  # the first turn is one order
    before, seat = place.session().record, games.asked(place)
    place.done("receive", "GAME", place.mail(seat, "wall A2\nwall B1", "two.eml"))
    place.done("resolve", "GAME")
    assert [one.seat for one in place.session().record.entries] == [seat, seat]
    undone(place, *shlex.split(typed.replace("…", "sent by mistake"))[1:])
    now = {**place.session().record.position, "looked": before.position["looked"]}
    assert now == before.position


def test_the_same_order_may_be_given_again_and_shows_the_same(place: Any) -> None:
    """Nothing is dealt again: the counter that was looked at is the one that lies there."""
    seat = games.asked(place)
    order = games.answer(place)
    first = place.session().game.view(place.session().position.state, seat)
    place.done("amend", "GAME", "undo", "--reason", "sent by mistake")
    place.done("receive", "GAME", place.mail(seat, order, "again.eml"))
    place.done("resolve", "GAME")
    assert place.session().game.view(place.session().position.state, seat) == first


def test_what_it_showed_to_its_player_stands_in_his_report_alone(place: Any) -> None:
    seat = games.asked(place)
    for _ in range(3):  # a wall in a region where nobody looked yet shows its counter
        games.answer(place)
        session = place.session()
        shown = [who for event in session.record.events for who, _ in event.opens]
        if shown:
            seat = shown[0]
            break
    assert shown
    undone(place, "--reason", "sent by mistake")
    found = reports(place, place.session().record.n)
    assert "Undone, but you may remember it:" in found.pop(seat)
    assert not [text for text in found.values() if "you may remember it" in text]


@pytest.mark.attack(
    "help a player by an undo after the player looked at something hidden",
    by="found by verify: the undo needs the signed consent of the other players, and the ruling names what was seen",
    who="referee",
)
def test_a_look_of_ones_own_is_asked_about_and_stays_known(place: Any) -> None:
    """Found in a trial: Ben built, saw two counters, and the referee undid it. Nobody was asked,
    no opponent was told which they were, and the same wall showed them again.
    """
    for _ in range(3):
        games.answer(place)
        opened = [pair for event in place.session().record.events for pair in event.opens]
        if opened:
            break
    ((seat, slot),) = opened
    other, at = {"red": "blue", "blue": "red"}[seat], int(slot.rpartition("/")[2])
    view = place.session().game.view
    value, name = place.session().position.state.threat[at], place.session().position.player_name(seat)
    seen = f"{name} ({seat}): the threat counter of "
    dry = place.done("amend", "GAME", "undo", "--reason", "a slip", "--dry-run")
    said = place.run("amend", "GAME", "undo", "--reason", "a slip")
    assert (said.code, f"({other}) is asked by email" in said.text) == (1, True), said.text
    for told in (dry, said.text, asked_of(place, other)):
        assert seen in told
        assert slot not in told  # it is told in words
    assert not (place.game / f"desk/reports/{place.session().record.n:04d}/{seat}.consent.txt").exists()
    place.done("receive", "GAME", consent(place, other, "yes", "agreed.eml"))
    place.done("amend", "GAME", "undo")
    state, n = place.session().position.state, place.session().record.n
    assert view(state, seat).threat[at] == value
    assert (view(state, other).threat[at], view(state, None).threat[at]) == (None, None)
    for name, text in reports(place, n).items():
        assert seen in text
        assert (f"AM2: {value}" in text or "you may remember it" in text) == (name == seat)
    games.answer(place)
    assert "genuine" in place.done("verify", "GAME")
    place.done("amend", "GAME", "close", "--reason", "enough of it")
    place.done("archive", "GAME", "--output", str(place.path / "x.tar"))
    assert ": proven" in place.run("audit", str(place.path / "x.tar")).text
    check_archive((place.path / "x.tar").read_bytes())
    assert f"Seen in it: {seen}" in place.done("history", "GAME")


def test_orders_in_hand_and_mails_under_way_count_no_more(place: Any) -> None:
    seat = games.asked(place)
    other = {"red": "blue", "blue": "red"}[seat]
    games.answer(place)
    under_way = place.mail(other, "wall B11", "under-way.eml")
    view = place.session().game.legal(place.session().game.view(place.session().position.state, games.asked(place)))
    held = games.asked(place)
    place.done("receive", "GAME", place.mail(held, f"{view[0]}\n\nlater:\nwall B2", "in-hand.eml"))
    place.done("amend", "GAME", "undo", "--reason", "sent by mistake")
    assert not any(place.hands().values())
    told = " ".join(reports(place, place.session().record.n)[held].split())
    assert f"a ruling of the referee. They were: `{view[0]}`, `later: wall B2`." in told
    assert "They were:" not in reports(place, place.session().record.n)[{"red": "blue", "blue": "red"}[held]]
    said = place.run("receive", "GAME", under_way)
    assert said.code == 1
    receipt = max((place.game / "desk" / "receipts").glob(f"{other}-*.txt")).read_text()
    assert "The referee made a ruling after that question" in receipt


@pytest.mark.attack(
    "have an order undone secretly after other players learned something from it",
    by="the other players are asked, and all must agree",
    who="player",
)
def test_others_who_learned_something_are_asked_and_all_must_agree(late: Any) -> None:
    n = late.session().record.n
    before = late.session().record.position
    said = late.run("amend", "GAME", "undo", "--reason", "a slip")
    assert said.code == 1
    assert "players saw something hidden" in said.text
    seats = [s for s in ("red", "blue") if (late.game / f"desk/outbox/{n:04d}-{s}-consent.eml").exists()]
    assert seats
    assert late.run("amend", "GAME", "undo").code == 1
    assert "to say whether the undo may be done" in late.done("resolve", "GAME")
    assert late.session().record.n == n
    for seat in seats:
        said_now = late.done("status", "GAME")
        assert f"({seat}) to say whether the undo" in said_now or f"({seat}), " in said_now
        late.done("receive", "GAME", consent(late, seat, "Yes, please.", f"{seat}.eml"))
        assert f"({seat}) to say whether" not in late.done("status", "GAME")
    assert "all agreed to the undo; the next `pbem tick` or `pbem resolve" in late.done("status", "GAME")
    assert "game: the undo would be done, back to state" in late.done("resolve", "GAME", "--dry-run")
    assert late.session().record.n == n
    done = late.done("resolve", "GAME")
    assert "game: the undo is done, back to state" in done
    assert "nothing to resolve" not in done
    assert "all agreed" in done
    assert late.session().record.position != before
    assert "undo (state" in late.done("verify", "GAME")


def test_one_no_and_nothing_is_undone(late: Any) -> None:
    n = late.session().record.n
    late.run("amend", "GAME", "undo", "--reason", "a slip")
    seats = [s for s in ("red", "blue") if (late.game / f"desk/outbox/{n:04d}-{s}-consent.eml").exists()]
    late.done("receive", "GAME", consent(late, seats[0], "no", "no.eml"))
    for seat in seats[1:]:
        late.done("receive", "GAME", consent(late, seat, "yes", f"{seat}.eml"))
    said = late.run("amend", "GAME", "undo")
    assert said.code == 1
    assert "said no" in said.text
    for seat in seats:
        mail = (late.game / f"desk/outbox/{n:04d}-{seat}-consent.eml").read_text()
        assert "it is not undone" in mail
    assert late.session().record.n == n
    assert late.run("receive", "GAME", late.mail(seats[0], "yes", "later.eml")).code == 1
    late.done("resolve", "GAME")


def test_consent_lapses_when_the_game_goes_on_or_the_referee_drops_it(late: Any) -> None:
    late.run("amend", "GAME", "undo", "--reason", "a slip")
    assert "no longer asked" in late.done("amend", "GAME", "undo", "--drop")
    assert late.run("amend", "GAME", "undo", "--drop").code == 1
    late.run("amend", "GAME", "undo", "--reason", "a slip")
    late.done("amend", "GAME", "note", "let us see")
    n = late.session().record.n
    for seat in ("red", "blue"):
        assert late.run("receive", "GAME", late.mail(seat, "yes", f"{seat}.eml")).code == 1
    late.done("resolve", "GAME")
    assert late.session().record.n == n


def test_what_one_answers_is_told_to_no_other(late: Any, tmp_path: Any) -> None:
    """P2: two desks that differ in an answer give the other seat the same, byte for byte."""
    n = late.session().record.n
    late.run("amend", "GAME", "undo", "--reason", "a slip", "--to", "2")
    told = {}
    for said in ("yes", "no"):
        twin = games.copied(late, tmp_path / said)
        twin.done("receive", "GAME", consent(twin, "red", said, "vote.eml"))
        twin.done("receive", "GAME", twin.mail("blue", "help", "help.eml"))
        twin.done("report", "GAME", "--player", "blue")
        told[said] = {
            name: data
            for name, data in games.tree(twin.game).items()
            if ("blue" in name or "spectators" in name) and "desk" in name
        }
        assert twin.session().record.n == n
    assert told["yes"] == told["no"]


def test_an_answer_unasked_is_held_back(place: Any) -> None:
    said = place.run("receive", "GAME", place.mail("red", "yes", "yes.eml"))
    assert said.code == 1
    assert "nothing waits for its `yes` or `no`" in said.text


def test_orders_in_hand_of_others_never_show(place: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """P2: whether the other one had orders in hand, his own report alone says. The commitment to
    them is another one; whoever lacks the game's secret can tell nothing from that.
    """
    real = Seals.commit
    monkeypatch.setattr(
        Seals, "commit", lambda seals, slot, value, head: real(seals, slot, "" if "/hand/" in slot else value, head)
    )
    seat = games.asked(place)
    other = {"red": "blue", "blue": "red"}[seat]
    games.answer(place)
    told = {}
    for line in ("later:\nwall A11", "later:\nwall B11", "help"):
        twin = games.copied(place, tmp_path / line[-3:])
        twin.done("receive", "GAME", twin.mail(other, line, "standing.eml"))
        twin.done("amend", "GAME", "undo", "--reason", "sent by mistake")
        told[line] = {
            name: data
            for name, data in games.tree(twin.game).items()
            if (seat in name or "spectators" in name or "states" in name) and "hand" not in name
        }
    assert told["help"] == told["later:\nwall A11"] == told["later:\nwall B11"]


def test_asking_survives_kills(late: Any, tmp_path: Any) -> None:
    """Killed anywhere: asked again, everybody has his mail, and nothing is undone."""
    words = ("amend", "GAME", "undo", "--reason", "a slip")
    n = late.session().record.n
    steps = games.copied(late, tmp_path / "count").steps(*words)
    for k in range(1, len(steps) + 1, 6):
        twin = games.copied(late, tmp_path / str(k))
        twin.struck(k, "half", *words)
        assert "players saw something hidden" in twin.run(*words).text
        for mail in (tmp_path / "count/game/desk/outbox").glob("*-consent.eml"):
            assert (twin.game / "desk/outbox" / mail.name).exists()
        assert twin.session().record.n == n
        shutil.rmtree(twin.path)


def test_who_signs_answers_signed_and_who_has_a_password_with_it(late: Any) -> None:
    """Found by an attack of 2026-11: the referee could answer for a player with a key, and whoever
    read an email of theirs too.
    """
    own = RefereeKey(b"p" * 32)
    key = b64(own.public)
    why = ("--reason", "he asked for it")
    late.done("amend", "GAME", "player", "red", "--auth", "key", "--key", key, *why)
    late.done("amend", "GAME", "player", "blue", "--auth", "password", *why)
    text = (late.game / "desk/outbox/password-blue.eml").read_text()
    word = re.search(r"password ([a-z]{5} ){3}[a-z]{5}", text)
    assert word
    late.run("amend", "GAME", "undo", "--to", "2", "--reason", "a slip")
    assert late.run("receive", "GAME", consent(late, "red", "yes", "plain.eml")).code == 1
    assert "has no signature that fits, so it does not count" in receipt(late, "red")
    assert "`pbem orders sign red.view.toml FILE` prints" in receipt(late, "red")
    thief = signed(late, "red", "yes", "thief.eml", RefereeKey(b"t" * 32))
    assert late.run("receive", "GAME", thief).code == 1
    no = signed(late, "red", "no", "no.eml", own)
    said = Path(no).read_text().replace("no\n\nsigned", "yes\n\nsigned")
    turned = late.file("turned.eml", said)
    assert late.run("receive", "GAME", str(turned)).code == 1
    late.done("receive", "GAME", no)
    late.done("receive", "GAME", signed(late, "red", "yes", "red.eml", own))
    assert late.run("receive", "GAME", consent(late, "blue", "yes", "without.eml")).code == 1
    assert late.run("amend", "GAME", "undo").code == 1
    late.done("receive", "GAME", consent(late, "blue", f"yes\n{word[0]}", "with.eml"))
    assert "goes back to state 2" in late.done("amend", "GAME", "undo")
    assert [(vote.seat, vote.answer) for vote in late.session().record.consents] == [("red", "yes")]
    late.done("verify", "GAME")


def together(place: Any) -> list[str]:
    """Two orders of two players, played by one resolve, as all may read them."""
    first = games.asked(place)
    other = {"red": "blue", "blue": "red"}[first]
    twin = games.copied(place, place.path.parent / "twin")
    orders = []
    while games.asked(twin) == first:
        orders.append(games.answer(twin))
    then = games.answer(twin)
    place.done("receive", "GAME", place.mail(other, f"later:\n{then}", "other.eml"))
    place.done("receive", "GAME", place.mail(first, "\n".join(orders), "first.eml"))
    place.done("resolve", "GAME")
    link = place.session().record
    assert {x.seat for x in link.entries} == {first, other}
    return [f"{link.player(x.seat).name} ({x.seat}): {x.public_words}" for x in link.entries]


def test_more_orders_than_were_named_are_not_taken_back(place: Any) -> None:
    """Found by a review of undo: --orders 1 took back two, and said so when it was done."""
    words = together(place)
    before = games.tree(place.game)
    for named in (("--orders", "1"),):
        said = place.run("amend", "GAME", "undo", *named, "--reason", "a slip")
        assert said.code == 1
        games.one_line(said)
        told = f"these {len(words)} orders can only be undone together: {'; '.join(words)}"
        assert f"{told} (try: --orders " in said.text
        dry = place.run("amend", "GAME", "undo", *named, "--reason", "a slip", "--dry-run")
        assert dry == said  # found by a review: it announced what the command itself refuses
    assert games.tree(place.game) == before
    said = undone(place, "--orders", str(len(words)), "--reason", "a slip")
    assert all(f"undone: {one}" in said for one in words)


def test_the_report_says_whose_orders_were_taken_back(place: Any) -> None:
    """Found by a review of undo: it said `goes back to state 3`, which tells a player nothing."""
    words = together(place)
    undone(place, "--orders", str(len(words)), "--reason", "a slip")
    n = place.session().record.n
    for text in reports(place, n).values():
        assert f"UNDONE - {' - '.join(words)} Nothing is dealt again." in text
        assert "Players may remember what they saw. - Ann (red): the threat counter of" in text
        assert "state " not in text.split("THE BOARD")[0]


def test_an_undo_taken_back_names_what_counts_again(place: Any) -> None:
    words = together(place)
    n = place.session().record.n
    undone(place, "--orders", str(len(words)), "--reason", "a slip")
    said = undone(place, "--to", str(n), "--reason", "it was none")
    assert all(f"counts again: {one}" in said for one in words)
    assert "undone" not in said
    for text in reports(place, n + 2).values():
        assert f"COUNTS AGAIN - {' - '.join(words)} Nothing" in text
    place.done("verify", "GAME")


def test_an_order_stands_in_the_report_as_its_reader_knows_it(place: Any) -> None:
    """Which card it was, its own player alone knows; written again, the report says the same."""
    seat = games.asked(place)
    order = games.answer(place, "card")
    public = place.session().record.entries[0].public_words
    assert "?" in public
    place.done("amend", "GAME", "undo", "--reason", "a slip")
    n = place.session().record.n
    for name, text in reports(place, n).items():
        assert (f"({seat}): {order} Nothing" in text) == (name == seat)
        assert (f"({seat}): {public} Nothing" in text) == (name != seat)
        assert order in text or name != seat
    before = reports(place, n)
    place.done("report", "GAME", "--player", seat)
    assert reports(place, n) == before


def test_a_correction_that_falls_with_an_undo_is_named(place: Any) -> None:
    games.answer(place)
    place.done("amend", "GAME", "correct", "turn=9", "--reason", "it was the ninth")
    said = place.done("amend", "GAME", "undo", "--reason", "a slip")
    assert "undone: the ruling: Turn is corrected" in said
