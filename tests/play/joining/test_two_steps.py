"""A whole round by commands alone: two keys, one plain line, one silent."""

import os
import stat
from typing import Any

from pbem.chain.loaded_game import load_game
from pbem.chain.signed_state import read_verified_record
from pbem.play.joining import opening

from . import games, table

GAVE = (
    "dealt with sealed additions of red, green to the shuffle. They prove to these players, and to no one "
    "else, that nobody rigged the deal. blue added plain words"
)


def test_who_gave_what_is_in_the_chain_and_in_every_report(dealt: Any) -> None:
    link = dealt.session().record
    assert link.contributions == (
        ("red", "opened"), ("green", "opened"), ("blue", "plain"), ("violet", "none"),
    )  # fmt: skip
    assert [one.method_name for one in link.people] == ["key", "key", "reply", "reply"]
    assert dealt.done("verify", "GAME").startswith(f"{dealt.game}: genuine")
    for name in (*table.SEATS, "spectators"):
        text = " ".join(table.report(dealt, 2, name).read_text("utf-8").split())
        assert f"{GAVE}, which prove nothing. violet added nothing." in text
        assert "alone" not in text


def test_the_deal_is_what_the_contributions_and_the_secret_make(dealt: Any) -> None:
    """Anybody who has them comes to the same piles; with another contribution, to others."""
    session, raw = dealt.session(), table.states(dealt)
    key, secret, game = session.key, session.secret, session.game
    roster = read_verified_record(raw[1], key.public)
    deal = read_verified_record(raw[2], key.public)
    assert {one.seat: one.random_bytes for one in deal.opened_contributions} == {
        seat: table.SEEDS[seat][1] for seat in ("red", "green")
    }
    again = opening.deal(roster, raw[1], deal.opened_contributions, game, key, secret, deal.time)
    assert again == raw[2]
    other = tuple(one._replace(random_bytes=bytes(32)) for one in deal.opened_contributions)
    steered = opening.deal(roster, raw[1], other, game, key, secret, deal.time)
    one, two = (load_game(data, key.public, secret, game).state for data in (raw[2], steered))
    assert one != two


def test_nothing_is_dealt_before_all_is_opened(roster: Any) -> None:
    assert "It waits for Ann (red), Bob (green) to open their additions" in roster.done("resolve", "GAME")
    roster.done("receive", "GAME", table.letter(roster, 1, "red", table.joins(roster, 1, "red")))
    assert "for Bob (green) to open" in roster.done("resolve", "GAME")
    assert roster.numbers() == [0, 1]
    said = roster.run("resolve", "GAME", "--missed", "green")
    assert (said.code, roster.numbers()) == (1, [0, 1])
    assert "amend" in said.text
    assert "--after" in said.text


def test_the_roster_waits_for_all_and_who_answered_missed_nothing(invited: Any) -> None:
    invited.done("receive", "GAME", table.letter(invited, 0, "blue", "yes"))
    assert "for Ann (red), Bob (green), Dan (violet) to answer" in invited.done("resolve", "GAME")
    said = invited.run("resolve", "GAME", "--missed", "blue")
    assert (said.code, invited.numbers()) == (1, [0])
    assert "Cleo (blue) has answered" in said.text


def test_without_a_key_the_deal_comes_in_the_same_run(invited: Any) -> None:
    for seat in table.SEATS:
        text = f"give: {table.LINE}" if seat == "blue" else "yes"
        invited.done("receive", "GAME", table.letter(invited, 0, seat, text))
    invited.done("resolve", "GAME")
    assert invited.numbers() == [0, 1, 2]
    for n in (1, 2):
        assert table.report(invited, n, "violet").exists()
    text = " ".join(table.report(invited, 2, "red").read_text("utf-8").split())
    assert "This game was dealt by the referee alone. blue added plain words" in text
    invited.done("verify", "GAME")


def test_the_game_goes_on_by_orders(dealt: Any) -> None:
    """Codes of invitation and roster are old now; the code of the first question is good."""
    old = dealt.run("receive", "GAME", table.letter(dealt, 0, "violet", "wall A1", "old.eml"))
    assert "settled" in old.text
    assert (old.code, len(dealt.numbers())) == (1, 3)
    dealt.done("status", "GAME")
    dealt.done("backup", str(dealt.game.parent), "-o", str(dealt.path / "b.tar.gz"))


def test_every_command_says_what_is_going_on(invited: Any, roster: Any) -> None:
    for place, what in ((invited, "to answer the invitation"), (roster, "to open their additions")):
        for words in (["status", "GAME"], ["show", "GAME"], ["resolve", "GAME", "--dry-run"]):
            assert what in place.done(*words), words
        place.done("verify", "GAME")
        assert "[pbem " in place.done("report", "GAME", "--player", "green")
        said = place.run("legal", "GAME")
        assert (said.code, "not dealt yet" in said.text) == (1, True)
        backup = str(place.path / "backup.tar.gz")
        place.done("backup", "GAME", "-o", backup)
        place.done("restore", backup, "--to", str(place.path / "back"))
        place.done("status", str(place.path / "back"))
        said = place.run("restore", "--go-on", "GAME", "--reason", "lost it")
        games.one_line(said)


def test_the_key_is_his_alone_and_made_once(invited: Any) -> None:
    first = table.joins(invited, 0, "red")
    assert table.joins(invited, 0, "red") == first
    players = invited.path / "red" / "players"
    (found,) = players.rglob("*.toml")
    assert stat.S_IMODE(os.lstat(found).st_mode) == 0o600
    assert stat.S_IMODE(os.lstat(found.parent).st_mode) == 0o700
    private = found.read_text("utf-8").split('private = "')[1][:43]
    r = found.read_text("utf-8").split('\nr = "')[1][:43]
    shown = table.player(invited, "red", "orders", "show", "--json").text
    for text in (first, shown, table.player(invited, "red", "orders", "show").text):
        assert private not in text
        assert r not in text


def test_another_player_with_other_chances_has_another_key(invited: Any) -> None:
    lines = [table.joins(invited, 0, seat).splitlines()[:4] for seat in ("red", "green")]
    assert not set(lines[0]) & set(lines[1])


def test_the_roster_is_sent_to_all_in_full_with_the_states(roster: Any) -> None:
    from email import message_from_bytes

    for seat in ("red", "green", "blue"):
        mail = message_from_bytes(table.sent(roster, 1, seat).read_bytes())
        files = {part.get_filename(): part.get_payload(decode=True) for part in mail.walk()}
        assert files["0000.toml"] == table.states(roster)[0]
        assert files["0001.toml"] == table.states(roster)[1]
    for name in (*table.SEATS, "spectators"):
        text = table.report(roster, 1, name).read_text("utf-8")
        for one in roster.session().record.roster:
            assert one.seat in text
        assert f"added these words:\n  | {table.LINE}\n" in text


def test_status_counts_no_time_where_all_have_answered(roster: Any) -> None:
    """Found by a review of status: `all have answered: pbem resolve deals since 2026-…`."""
    assert " since " in roster.done("status", "GAME")
    for seat in ("red", "green"):
        letter = table.letter(roster, 1, seat, table.joins(roster, 1, seat))
        roster.done("receive", "GAME", letter)
    said = roster.done("status", "GAME")
    assert "all have answered: pbem resolve deals\n" in said
