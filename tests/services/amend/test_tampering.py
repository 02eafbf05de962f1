"""What a cheating referee could sign: hidden undos, changed operands, keys by nobody. P1, P7."""

from collections.abc import Callable
from typing import Any

import pytest
from durability import games

from pbem.chain.people import PEOPLE
from pbem.chain.referees import REFEREES, RefereeKeys
from pbem.chain.signed_state import sign_state, state_hash_of
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey
from pbem.formats import state_file

KEY = RefereeKey(games.ACTING)
THIEF = RefereeKey(b"t" * 32)
WHY = ("--reason", "a slip of the referee")
Change = Callable[[dict[str, Any]], None]


def forged(place: Any, change: Change, key: RefereeKey = KEY) -> str:
    """The newest state changed and signed anew; what verify says of it, which is no."""
    n = place.numbers()[-1]
    raw = (place.game / f"states/{n:04d}.toml").read_bytes()
    document = state_file.parse(state_file.split(raw).body)
    change(document)
    new = sign_state(state_file.dump(document), key.signing, key.public)
    for name in (f"states/{n:04d}.toml", "game.toml"):
        (place.game / name).write_bytes(new)
    said = place.run("verify", "GAME")
    assert said.code == 1, said.text
    assert "NOT genuine" in said.text
    return str(said.text)


def put(**values: Any) -> Change:
    return lambda document: document.update(values)


def row(place: Any) -> str:
    return str(place.session().record.rulings[0].row())


def test_an_undo_that_does_not_say_so(place: Any) -> None:
    """Without its row, or under the row of another ruling."""
    games.answer(place)
    place.done("amend", "GAME", "undo", *WHY)
    for rows, word in (
        ([], "neither an order nor a ruling"),
        (["note : nothing happened"], "state"),
        (["restore from=3 : the disk"], "state"),
    ):
        twin = games.copied(place, place.path / f"twin{word[:3]}{len(rows)}{rows}"[:40])
        assert word in forged(twin, put(rulings=rows))


def test_an_undo_to_another_state_than_it_says(place: Any) -> None:
    n = place.session().record.n
    place.done("amend", "GAME", "undo", "--to", str(n - 1), *WHY)
    said = forged(place, put(rulings=[row(place).replace(f"to={n - 1}", f"to={n - 2}")]))
    assert f"is not what its undo says: the state {n - 2} again" in said


def test_an_undo_that_changes_one_thing_more(place: Any) -> None:
    games.answer(place)
    place.done("amend", "GAME", "undo", *WHY)

    def richer(document: dict[str, Any]) -> None:
        rows = document["position"]["colours"]
        document["position"]["colours"] = [rows[0].replace(" 0 ", " 3 ", 1), *rows[1:]]

    assert "is not what its undo says" in forged(place, richer)


def test_an_undo_lets_no_old_order_count(place: Any) -> None:
    games.answer(place)
    old = [*map(PEOPLE.write_row, place.session().record.people)]
    counts = [f"{seat} {number}" for seat, number in place.session().record.answer_counts]
    place.done("amend", "GAME", "undo", *WHY)
    for change in (put(people=old), put(answered=counts)):
        twin = games.copied(place, place.path / f"twin{id(change)}")
        assert "as it rules" in (said := forged(twin, change)) or "counts" in said


@pytest.mark.parametrize("what", ["old", "new", "field"])
def test_a_correction_with_a_changed_operand(place: Any, what: str) -> None:
    place.done("amend", "GAME", "correct", "colours.red.1=5", *WHY)
    new = {"old": ("old=0", "old=4"), "new": ("new=5", "new=6"), "field": (".red.", ".blue.")}[what]
    assert "correct" in forged(place, put(rulings=[row(place).replace(*new)]))


def test_a_correction_that_changes_more(place: Any) -> None:
    place.done("amend", "GAME", "correct", "colours.red.1=5", *WHY)

    def richer(document: dict[str, Any]) -> None:
        document["position"]["turn"] += 1

    assert "corrects more than it says" in forged(place, richer)


def test_a_hidden_value_replaced_in_silence(place: Any) -> None:
    session = place.session()
    hidden = session.game.encode(session.position.state).hidden
    slot = max(name for name in hidden if "threat" in name)
    own = hidden[slot].for_sealing()
    two = next(s for s, h in sorted(hidden.items()) if "threat" in s and h.for_sealing() != own)
    changes = (f"{slot}={hidden[two].for_sealing()}", f"{two}={own}")
    place.done("amend", "GAME", "correct", *changes, *WHY)
    for rows in (["note : nothing"], [row(place).replace(slot, slot[:-2] + "13")]):
        twin = games.copied(place, place.path / f"twin{len(rows[0])}")
        assert "state" in forged(twin, put(rulings=rows))


def test_a_player_changed_under_another_ruling(place: Any) -> None:
    place.done("amend", "GAME", "player", "red", "--name", "Zoe", *WHY)
    said = forged(place, put(rulings=["player seat=blue what=name : a new player"]))
    assert "does not change the player of red as it rules" in said


@pytest.mark.parametrize("what", ["language", "address", "address,language"])
def test_a_ruling_that_is_silent_on_what_it_changes(place: Any, what: str) -> None:
    """Found in review: a key swapped for the referee's own, under "mails in German now"."""
    place.done("amend", "GAME", "player", "red", "--language", "en", "--address", "z@x.org", *WHY)
    n = place.session().record.n

    def swapped(document: dict[str, Any]) -> None:
        document["rulings"] = [f"player seat=red what={what} : mails in German now"]
        document["people"][0] = f"red key {b64(THIEF.public)} {n} Ann"

    assert "changes the player of red otherwise than it says" in forged(place, swapped)


def test_a_player_changed_whose_old_orders_count(place: Any) -> None:
    place.done("amend", "GAME", "player", "red", "--name", "Zoe", *WHY)

    def still(document: dict[str, Any]) -> None:
        n = document["n"]
        document["people"] = [text.replace(f" {n} ", " 0 ", 1) for text in document["people"]]

    assert "lets old orders count" in forged(place, still)


def test_a_ruling_beside_an_order(place: Any) -> None:
    games.answer(place)
    assert "together with orders" in forged(place, put(rulings=["note : by the way"]))


def test_answers_miscounted(place: Any) -> None:
    games.answer(place)
    counts = [f"{seat} {number + 1}" for seat, number in place.session().record.answer_counts]
    assert "counts other answers" in forged(place, put(answered=counts))


@pytest.mark.attack("add a referee whom nobody appointed", by="verify", who="thief")
def test_a_key_row_by_nobody(place: Any) -> None:
    """A thief appoints himself; signed by his own key, or by the referee's."""
    place.done("amend", "GAME", "note", "hello there")
    link = place.session().record
    keys = (THIEF.public, THIEF.wrap_public, KEY.public, KEY.wrap_public)
    mine = RefereeKeys(link.n, *keys).sign_row("recovery", THIEF.signing, link.game)
    rows = [*map(REFEREES.write_row, (link.referees[0], mine))]
    ruling = [f"keys by=recovery acting={THIEF.id} : it is mine now"]
    for key in (THIEF, KEY):
        twin = games.copied(place, place.path / f"twin{key.id}")
        forged(twin, put(referees=rows, rulings=ruling), key)


def test_a_new_key_that_no_ruling_tells(place: Any) -> None:
    place.file("new.pub", f"{b64(THIEF.public)} {b64(THIEF.wrap_public)}\n")
    place.done("amend", "GAME", "keys", "--to", str(place.path / "new.pub"), *WHY)
    said = forged(place, put(rulings=["note : nothing happened"]))
    assert "does not fit its keys" in said


@pytest.mark.attack("sign a state with the old key after the game was handed over", by="refused", who="thief")
def test_the_old_key_signs_no_more(place: Any) -> None:
    """After a hand-over a state by the old referee is another's, whatever it says."""
    place.file("new.pub", f"{b64(THIEF.public)} {b64(THIEF.wrap_public)}\n")
    place.done("amend", "GAME", "keys", "--to", str(place.path / "new.pub"), *WHY)
    link, raw = place.session().record, place.newest()
    document = state_file.parse(state_file.split(raw).body)
    document |= {"n": link.n + 1, "prev": b64(state_hash_of(raw)), "rulings": ["note : I still can"]}
    new = sign_state(state_file.dump(document), KEY.signing, KEY.public)
    (place.game / f"states/{link.n + 1:04d}.toml").write_bytes(new)
    (place.game / "game.toml").write_bytes(new)
    said = place.run("verify", "GAME")
    assert said.code == 1
    assert "is signed by key" in said.text


def test_a_closing_that_opens_another_secret(place: Any) -> None:
    place.done("amend", "GAME", "close", *WHY)
    assert "another secret" in forged(place, put(secret=b64(b"x" * 32)))
