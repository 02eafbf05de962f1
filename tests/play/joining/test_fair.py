"""A steered deal, two rosters, a round given up: what the players' own tool and `verify` find."""

import re
import shutil
from typing import Any

import pytest
import second_verifier as second

from pbem.chain.people import OpenedContribution
from pbem.chain.signed_state import read_verified_record, sign_state, state_hash_of
from pbem.chain.state_record import StateRecord, write_record
from pbem.clock import now
from pbem.crypto.encoding import b64, game_id
from pbem.crypto.tokens import commit_secret
from pbem.errors import BadInput, PbemError, Refused
from pbem.formats import state_file
from pbem.play.joining import opening
from pbem.play.joining.contribution import Keyring, make_join_answer
from pbem.proof.audit.archive import unpack
from pbem.proof.verify.verify import check_chain
from pbem.services.resolve.rounds import close_round

from . import games, table


def link_of(raw: bytes, place: Any) -> StateRecord:
    return read_verified_record(raw, place.session().key.public)


def signed(place: Any, record: StateRecord) -> bytes:
    """The referee signs whatever he likes."""
    key = place.session().key
    return sign_state(state_file.dump(write_record(record)), key.signing, key.public)


def refused(states: dict[int, bytes]) -> str:
    with pytest.raises(Refused) as found:
        check_chain(states, None, None)
    return found.value.message


def test_a_deal_from_another_contribution_is_found(dealt: Any) -> None:
    raw = table.states(dealt)
    deal = link_of(raw[2], dealt)
    first, second = deal.opened_contributions
    other = signed(dealt, deal._replace(opened_contributions=(first._replace(random_bytes=bytes(32)), second)))
    assert "opens another contribution of red" in refused({**raw, 2: other})
    exchanged = (
        OpenedContribution("red", second.random_bytes, second.signature),
        OpenedContribution("green", first.random_bytes, first.signature),
    )
    other = signed(dealt, deal._replace(opened_contributions=exchanged))
    assert "another contribution" in refused({**raw, 2: other})


def test_a_dropped_contribution_is_found(dealt: Any) -> None:
    raw = table.states(dealt)
    deal = link_of(raw[2], dealt)
    other = signed(dealt, deal._replace(opened_contributions=deal.opened_contributions[:1]))
    assert "without the contributions of all" in refused({**raw, 2: other})
    gave = (("red", "opened"), ("green", "none"), *deal.contributions[2:])
    other = signed(dealt, deal._replace(contributions=gave))
    assert "otherwise than the roster" in refused({**raw, 2: other})


def test_an_opening_for_another_roster_is_found(dealt: Any) -> None:
    """The signature is over the roster's head: it cannot be moved to another one."""
    raw = table.states(dealt)
    roster = link_of(raw[1], dealt)
    forged = signed(dealt, roster._replace(time="2026-01-01T00:00:00Z"))
    session = dealt.session()
    moved = opening.deal(
        link_of(forged, dealt), forged, link_of(raw[2], dealt).opened_contributions,
        session.game, session.key, session.secret, roster.time,
    )  # fmt: skip
    assert "not opened with his key to this roster" in refused({0: raw[0], 1: forged, 2: moved})


def other_roster(place: Any, line: str) -> bytes:
    """The referee's second roster, with another plain line of Cleo's."""
    roster = link_of(table.states(place)[1], place)
    rows = tuple(one._replace(text=line) if one.contribution == "plain" else one for one in roster.roster)
    return signed(place, roster._replace(roster=rows))


def show_other_roster(place: Any, raw: bytes) -> Any:
    """The place once more, with the second roster in the first one's stead, and sent."""
    other = games.copied(place, place.path.with_name("other"))
    (other.game / "states/0001.toml").write_bytes(raw)
    (other.game / "game.toml").write_bytes(raw)
    shutil.rmtree(other.game / "desk/reports/0001")
    shutil.rmtree(other.home / "marks")
    other.done("report", "GAME", "--player", "red")
    return other


def test_a_changed_plain_line_makes_another_roster_and_the_tool_opens_to_one_only(roster: Any) -> None:
    other = show_other_roster(roster, other_roster(roster, "steered"))
    assert "added these words:\n  | steered\n" in table.report(other, 1, "blue").read_text("utf-8")
    assert "open r " in table.joins(roster, 1, "red")
    second = table.player(roster, "red", "orders", "join", str(table.sent(other, 1, "red")))
    games.one_line(second)
    assert second.code == 1
    assert "opened your addition to the shuffle for another roster" in second.text
    assert "open r " in table.joins(roster, 1, "red")  # the first one again, the same lines


@pytest.mark.attack("send different rosters to two players", by="the pbem of each player finds it", who="referee")
def test_two_rosters_prove_themselves(roster: Any) -> None:
    """Whoever kept the block of one, and sees the other chain, has found the referee out."""
    other = show_other_roster(roster, other_roster(roster, "steered"))
    mine = str(table.report(roster, 1, "red"))
    said = other.run("verify", "GAME", mine)
    assert said.code == 1
    assert "belongs to another history" in said.text


def test_a_roster_with_another_key_for_me_is_not_opened_to(roster: Any) -> None:
    """The referee puts a key of his own in Ann's place, rightly signed with it."""
    raw = table.states(roster)
    record = link_of(raw[1], roster)
    ring = Keyring(record.game, "red", b"R" * 32)
    mine = make_join_answer(state_hash_of(raw[0]), "red", b"r" * 32, ring.signing, ring.public)
    rows = (mine, *record.roster[1:])
    people = (record.people[0]._replace(key=ring.public), *record.people[1:])
    forged = signed(roster, record._replace(roster=rows, people=people))
    check_chain({0: raw[0], 1: forged}, None, None)  # in itself it is right
    other = show_other_roster(roster, forged)
    said = table.player(roster, "red", "orders", "join", str(table.sent(other, 1, "red")))
    games.one_line(said)
    assert "does not hold what you sealed" in said.text
    assert "open r" not in said.text


@pytest.mark.parametrize("what", ["name", "known", "key", "sig", "missing", "twice"])
def test_a_roster_changed_in_one_place_is_found(roster: Any, what: str) -> None:
    raw = table.states(roster)
    record = link_of(raw[1], roster)
    one, two, *rest = record.roster
    person, *people = record.people
    changed = {
        "name": record._replace(people=(person._replace(name="Eve"), *people)),
        "known": record._replace(people=(person._replace(method_name="reply", key=b""), *people)),
        "key": record._replace(people=(person._replace(key=two.key), *people)),
        "sig": record._replace(roster=(one._replace(signature=two.signature), two, *rest)),
        "missing": record._replace(roster=(two, *rest)),
        "twice": record._replace(
            roster=(one, two._replace(key=one.key, commitment=one.commitment, signature=one.signature), *rest)
        ),
    }[what]
    assert refused({0: raw[0], 1: signed(roster, changed)}).startswith("state 1 ")


def test_the_tool_takes_mail_text_and_states(invited: Any) -> None:
    lines = table.joins(invited, 0, "red").splitlines()[:4]
    beside = invited.path / "saved"
    beside.mkdir()
    text = shutil.copy(table.report(invited, 0, "red"), beside / "mail.txt")
    said = table.player(invited, "red", "orders", "join", str(text))
    games.one_line(said)
    assert "0000.toml is not attached" in said.text
    state = shutil.copy(invited.game / "states/0000.toml", beside / "0000.toml")
    assert table.player(invited, "red", "orders", "join", str(text)).text.splitlines()[:4] == lines
    said = table.player(invited, "red", "orders", "join", str(state))
    assert (said.code, "the seat is missing" in said.text) == (2, True)
    said = table.player(invited, "red", "orders", "join", str(state), "--seat", "red")
    assert said.text.splitlines()[:4] == lines


def test_a_mail_is_taken_as_mail_programs_save_it(invited: Any) -> None:
    """CR LF, and headers of every station on its way."""
    raw = table.sent(invited, 0, "red").read_bytes()
    lines = table.joins(invited, 0, "red").splitlines()[:4]
    way = b"Received: from a by b; Sat, 21 Nov 2026 10:00:00 +0000\nX-Spam: no\n"
    path = invited.path / "saved.eml"
    path.write_bytes((way + raw).replace(b"\n", b"\r\n"))
    said = table.player(invited, "red", "orders", "join", str(path))
    assert said.text.splitlines()[:4] == lines, said.text
    assert "genuine" in invited.done("verify", "GAME", str(path))


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_nothing_is_made_from_a_mail_that_is_not_genuine(invited: Any, at: float) -> None:
    raw = bytearray(table.report(invited, 0, "red").read_bytes())
    start = raw.index(b"\npbem 1 ")
    where = start + int((len(raw) - start - 3) * at)
    raw[where] = raw[where] ^ 1
    path = invited.path / "forged.txt"
    path.write_bytes(raw)
    shutil.copy(invited.game / "states/0000.toml", invited.path)
    said = table.player(invited, "red", "orders", "join", str(path))
    games.one_line(said)
    assert said.code in (1, 2)
    assert not (invited.path / "red").exists()


def test_a_mail_with_the_states_of_another_round_is_not_believed(invited: Any, roster: Any) -> None:
    """Block and states are both genuine, and of one referee; they do not belong together."""
    close_round(roster.session(), "no answer")
    roster.done("new", str(roster.path / "next"), "--after", "GAME")
    beside = invited.path / "mixed"
    beside.mkdir()
    text = shutil.copy(table.report(invited, 0, "red"), beside / "mail.txt")
    shutil.copy(roster.path / "next/states/0000.toml", beside / "0000.toml")
    said = table.player(invited, "red", "orders", "join", str(text))
    games.one_line(said)
    assert "do not belong together" in said.text
    assert not (invited.path / "red").exists()


def test_another_genesis_gets_nothing(roster: Any, tmp_path: Any) -> None:
    """The same players, another game: its roster holds nothing of what was sealed for this one."""
    from pbem.disk.home import Home

    place = games.fresh(tmp_path / "elsewhere")
    secrets = games.fixed_secrets()._replace(game_secret=b"t" * 32)
    from pbem.services.open.new_game import create_game

    create_game(place.game, table.WANTED, Home(place.home), secrets, now(), deal=False)
    table.all_answer(place)
    place.done("resolve", "GAME")
    said = table.player(roster, "red", "orders", "join", str(table.sent(place, 1, "red")))
    games.one_line(said)
    assert "there is no key here for red of game" in said.text


@pytest.mark.attack(
    "hide that an earlier round of the game was cancelled",
    by="not possible: the next round names the cancelled one",
    who="referee",
)
def test_a_round_given_up_opens_its_secret_and_the_next_names_it(roster: Any) -> None:
    secret = roster.session().secret
    assert "cancelled" in close_round(roster.session(), "Bob does not answer").summary
    closed = roster.session().record
    assert (closed.n, closed.phase, closed.secret) == (2, "closed", secret)
    assert commit_secret(closed.secret) == closed.setup.commit
    for name in (*table.SEATS, "spectators"):
        told = table.report(roster, 2, name).read_text("utf-8")
        assert b64(secret) in told
        assert "Bob does not answer" in told
    for words in (["status", "GAME"], ["show", "GAME"]):
        assert "cancelled (Bob does not answer)" in roster.done(*words)
    roster.done("verify", "GAME")
    assert roster.run("legal", "GAME").code == 1
    assert "skipped: it was cancelled before its deal" in roster.done("resolve", "GAME")
    audited = roster.run("audit", "GAME").text
    assert "additions to the shuffle: there was no deal: Ann (red): sealed, not op" in audited
    assert "Dan (violet): nothing" in audited
    assert "dealt by the referee alone" not in audited
    late = roster.run("receive", "GAME", table.letter(roster, 1, "red", "hello"))
    assert (late.code, "cancelled this round" in late.text) == (1, True)
    nextone = str(roster.path / "next")
    assert "opened in" in roster.done("new", nextone, "--after", "GAME")
    place = games.Place(roster.path)._replace()
    raw = (roster.path / "next/states/0000.toml").read_bytes()
    record = read_verified_record(raw, place.session().key.public)
    genesis = table.states(roster)[0]
    assert (record.setup.round, record.setup.previous) == (2, b64(state_hash_of(genesis)))
    assert record.people == link_of(genesis, roster).people
    assert record.setup.options == closed.setup.options
    assert record.setup.commit != closed.setup.commit
    told = (roster.path / "next/desk/reports/0000/red.txt").read_text("utf-8")
    assert "This is round 2." in told
    assert record.setup.previous in told
    assert "Cleo" in (roster.path / "next/desk/players.toml").read_text("utf-8")
    assert "round 2, and the one before it is not here" in roster.done("verify", nextone)
    both = roster.done("verify", nextone, "GAME")
    assert f"round 2, after game {closed.game}, which was cancelled" in both
    again = str(roster.path / "again")
    said = roster.run("new", again, "--after", "GAME")
    first, second_id = (game_id((roster.path / x / "states/0000.toml").read_bytes()) for x in ("next", "again"))
    assert (said.code, f"GAME already has a next round: {first}".replace("GAME", str(roster.game)) in said.text) == (
        0,
        True,
    )
    for paths in ((nextone, again), (again, "GAME", nextone)):
        said = roster.run("verify", *paths)
        assert (said.code, said.text.count("both follow one round that was cancelled")) == (1, 2)
    chains = [second.Chain({0: (roster.path / x / "states/0000.toml").read_bytes()}) for x in ("next", "again")]
    with pytest.raises(second.Fault, match="two after one"):
        second.check_round(chains[0], chains)
    assert second_id in said.text


def test_the_archive_of_a_round_given_up(roster: Any) -> None:
    """It says who gave what, and that there was no deal."""
    close_round(roster.session(), "Bob does not answer")
    file = roster.path / "x.tar"
    roster.done("archive", "GAME", "-o", str(file))
    assert "  proven: the transcript: " in roster.run("audit", str(file)).text
    text = unpack(file.read_bytes()).texts.files["transcript.txt"].decode()
    assert re.search(r"\nTHE DEAL\nAnn \(red\): `join key \S+`, `join commit \S+`\n", text)
    assert "added nothing\nThere was no deal.\n" in text
    assert "\nTHE END\nThe referee cancelled this round before its deal.\n" in text
    assert "Points: " not in text


def test_a_round_that_follows_one_not_given_up_is_found(roster: Any) -> None:
    """The round before was hidden: its folder, kept by somebody, has no state that closes it."""
    kept = games.copied(roster, roster.path.with_name("kept"))
    close_round(roster.session(), "no answer")
    nextone = str(roster.path / "next")
    roster.done("new", nextone, "--after", "GAME")
    said = roster.run("verify", nextone, str(kept.game))
    assert said.code == 1
    assert "NOT genuine" in said.text
    assert "was not cancelled before its deal" in said.text


def test_a_round_closed_with_another_secret_is_found(roster: Any) -> None:
    close_round(roster.session(), "no answer")
    raw = table.states(roster)
    forged = signed(roster, link_of(raw[2], roster)._replace(secret=bytes(32)))
    assert "another secret" in refused({**raw, 2: forged})


def test_only_an_open_round_is_given_up_and_only_a_closed_one_has_a_next(invited: Any, dealt: Any) -> None:
    for place, why in (
        (invited, "is not a round that was cancelled before its deal"),
        (dealt, "was dealt, so it has no next round"),  # found by a review: it said to close it
    ):
        said = place.run("new", str(place.path / "next"), "--after", "GAME")
        assert (said.code, why in said.text, "close" in said.text) == (1, True, place is invited)
        assert not (place.path / "next").exists()
    with pytest.raises(BadInput):
        close_round(dealt.session(), "too late")
    close_round(invited.session(), "never began")
    with pytest.raises(PbemError):
        close_round(invited.session(), "twice")


def test_a_lost_roster_ends_the_round_and_not_otherwise(roster: Any) -> None:
    """A backup from before the roster: no second one is made, the round is given up."""
    (roster.game / "states/0001.toml").unlink()
    shutil.copy(roster.game / "states/0000.toml", roster.game / "game.toml")
    said = roster.run("resolve", "GAME")
    assert (said.code, "has seen state 1" in said.text) == (1, True)
    said = roster.run("restore", "--go-on", "GAME", "--reason", "disk died")
    games.one_line(said)
    assert (said.code, "close" in said.text) == (1, True)
    close_round(roster.session(), "disk died")
    roster.done("verify", "GAME")
    roster.done("new", str(roster.path / "next"), "--after", "GAME")
