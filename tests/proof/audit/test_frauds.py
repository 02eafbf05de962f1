"""What a referee with all keys and the secret can try, and what an audit says of it. P3 to P7."""

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.chain.ruling_row import Ruling
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.signing import sign
from pbem.errors import Refused
from pbem.play.joining import opening
from pbem.proof.verify.verify import check_chain

from .table import PLAYER, Table, first_difference, head, rewritten, update_with


@pytest.fixture
def table() -> Table:
    """A few honest turns: each has played, red has a card lying face down."""
    found = Table()
    for begins in ("wall", "wall", "wall", "card flood", ""):
        found.play(begins)
    return found


@pytest.mark.attack("deny an order that they signed", by="found by audit: the archive has the signature", who="player")
def test_an_honest_game_is_proven(table: Table) -> None:
    found = table.verdicts()
    assert found.pop("result") == "not checked"  # it is not over
    assert set(found.values()) == {"proven"}
    says = {item.name: item.text for item in table.audit().items}
    assert says["signed"].startswith("3 signed by their players; 2 by reply")
    gave = "Ann (red): bound and opened; Bob (blue): a plain line"
    alone = "this proves the deal to Ann alone: others cannot know who made the key"
    assert says["contributions"] == f"{gave}; {alone}"


@pytest.mark.attack("swap a card that lies face down", by="audit", who="referee")
def test_a_swapped_card(table: Table) -> None:
    """Its commitment stays what it was, its token is of another card, in a link of its own."""
    slot, where = card_of(table), province_of(table, card_of(table))

    def swap(_: dict[str, Any], values: dict[str, str]) -> None:
        values[slot] = "warrior"

    table.rule(table.decoded(swap))
    said = first_difference(table.audit())
    assert said.startswith(f"state {table.last}, what is hidden: red's card in {where} is sealed as")


def test_a_swapped_card_beside_an_order(table: Table) -> None:
    """Not in a link of its own, but in the shadow of somebody's order."""
    slot = card_of(table)

    def swap(state: Any) -> Any:
        found = table.game.encode(state)
        values = table.values(state) | {slot: "warrior"}
        return table.game.decode(table.position.config, found.public, values)

    where = province_of(table, slot)
    table.play("wall", swap)
    assert first_difference(table.audit()) == (
        f"state {table.last}, what is hidden: red's card in {where} is sealed as `warrior`, and is `flood`"
    )


def card_of(table: Table) -> str:
    """The slot of red's card."""
    return next(s for s, v in table.values(table.position.state).items() if v == "flood")


def province_of(table: Table, slot: str) -> str:
    rows: list[str] = table.game.encode(table.position.state).public["cards"]
    return next(row.split(" ")[2] for row in rows if row.startswith(f"{slot} "))


@pytest.mark.attack("change a counter, a wall or a score", by="audit", who="referee")
def test_a_changed_counter(table: Table) -> None:
    def more(state: Any) -> Any:
        found = table.game.encode(state)
        public = dict(found.public)
        rows = list(public["colours"])
        name, _, rest = rows[1].split(" ", 2)
        public["colours"] = [rows[0], f"{name} 5 {rest}", *rows[2:]]
        return table.game.decode(table.position.config, public, table.values(state))

    table.play("wall", more)
    said = first_difference(table.audit())
    assert said.startswith(f"state {table.last}, the board: colours: `blue 5 "), said
    assert "where the game gives `blue 0 " in said


@pytest.mark.attack("invent an order of a player with a key", by="audit", who="referee")
def test_an_order_put_into_a_players_mouth(table: Table) -> None:
    """Red has a key: what he did not sign is not his."""
    while table.asked() != "red":
        table.play("wall")
    line = table.legal("tower")
    own = table.order(line)
    states = dict(table.states)
    cases = {
        "its player did not sign it": own._replace(signature=b"x" * 64),
        "it is said to be what is played when a turn is missed, and is not": own._replace(
            source="default",
            signature=b"",
            signed_line="",
            orders_number=0,
            line_number=0,
            quoted_hash="",
            line_count=0,
        ),
        "it is said to be the only order there was, and is not": own._replace(
            source="forced", signature=b"", signed_line="", orders_number=0, line_number=0, quoted_hash="", line_count=0
        ),
        "it was written for a state that is not in this log": own._replace(quoted_hash=b64(b"q" * 32)),
    }
    for said, one in cases.items():
        table.states = dict(states)
        table.load()
        table.carry(one)
        found = first_difference(table.audit())
        assert found == f"state {table.last}, order 1, {own.public_words} of red: {said}", found


@pytest.mark.attack(
    "pretend that an order of a player with a key came by reply or was typed by the referee", by="verify", who="referee"
)
@pytest.mark.parametrize("source", ["reply", "password", "typed", "ruling"])
def test_an_order_of_a_player_with_a_key_that_came_otherwise(table: Table, source: str) -> None:
    """Found by a second person's verifier: `verify` has all it needs, and left it to the audit."""
    while table.asked() != "red":
        table.play("wall")
    table.carry(table.order(table.legal("tower"), source=source, signature=b"", signed_line=""))
    said = f"state {table.last} has an order of red, identified by a key, that came as {source}"
    with pytest.raises(Refused, match=said):
        check_chain(table.states, None, None)
    assert said in [item.text for item in table.audit().items]


@pytest.mark.attack("use one signed order twice", by="audit", who="referee")
def test_an_order_used_twice(table: Table) -> None:
    """The same signature again, at the next turn of its player."""
    while table.asked() != "red":
        table.play("wall")
    one = table.order(table.legal("wall"))
    table.carry(one)
    while table.asked() != "red":
        table.play("wall")
    two = table.order(table.legal())
    parts = (table.position.game_id, "red", one.orders_number, one.line_number, 1)
    again = sign(PLAYER, "order", *parts, table.position.state_hash, table.game.rulings[0], two.line)
    table.carry(two._replace(orders_number=one.orders_number, line_number=one.line_number, signature=again))
    assert first_difference(table.audit()).endswith("it was used before, or replaced by newer orders")


@pytest.mark.attack("use a standing order for a question that it was not given for", by="audit", who="referee")
def test_a_standing_order_used_for_something_else(table: Table) -> None:
    while table.asked() != "red":
        table.play("wall")
    own = table.order(table.legal("wall"))
    line = f"when AP1: {own.line}"
    parts = (table.position.game_id, "red", own.orders_number, 1, 1, table.position.state_hash, table.game.rulings[0])
    table.carry(own._replace(signed_line=line, signature=sign(PLAYER, "order", *parts, line)))
    assert first_difference(table.audit()).endswith("its condition was not met: AP1")


@pytest.mark.attack("play an order that breaks a rule", by="audit", who="referee")
def test_an_order_that_was_not_allowed(table: Table) -> None:
    """Another order is sealed than the one that was carried out."""
    while table.asked() != "blue":
        table.play("wall")
    one = table.order(table.legal("wall A"))
    other = one._replace(line="wall A99")
    table.carry(one)
    n = table.last
    from pbem.chain.next_record import NextRecordInputs, _entry
    from pbem.chain.seals import Seals

    from .table import SECRET

    record, before = table.position.record, table.position.record.previous_hash
    from pbem.crypto.encoding import unb64

    seals = Seals(SECRET, record.game, n, unb64(before, 32))
    made = NextRecordInputs(n, record.game, unb64(before, 32), "play", record.time, record, {})
    entry = _entry(made, 1, other, seals)
    row = f"blue reply {b64(entry.commitment)} {entry.token} {entry.public_words}"
    table.states[n] = rewritten(table.states[n], lambda d: d.update(entries=[row]))
    assert "was not allowed" in first_difference(table.audit())


@pytest.mark.attack("leave a state out of the chain", by="verify", who="referee")
@pytest.mark.parametrize("renumbered", [False, True])
def test_a_dropped_link(table: Table, renumbered: bool) -> None:
    last = table.last
    if not renumbered:
        del table.states[4]
        assert first_difference(table.audit()) == "state 4 is missing"
        return
    for n in range(4, last):
        table.states[n] = rewritten(table.states[n + 1], update_with(n=n, prev=head(table.states[n - 1])))
    del table.states[last]
    said = first_difference(table.audit())
    assert "state 4" in said, said


@pytest.mark.attack(
    "choose the deal, although a player joined with a key",
    by="found by audit, which proves it to that player",
    who="referee",
)
def test_a_steered_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two counters change places before they are committed; everything after it fits."""
    honest = opening.deal_piles

    def steered(*given: Any) -> Mapping[str, tuple[str, ...]]:
        dealt = dict(honest(*given))
        pile = list(dealt["threat"])
        at = next(i for i, value in enumerate(pile) if value != pile[0])
        pile[0], pile[at] = pile[at], pile[0]
        return dealt | {"threat": tuple(pile)}

    with monkeypatch.context() as patch:
        patch.setattr(opening, "deal_piles", steered)
        table = Table()
        for _ in range(3):
            table.play("wall")
    found = table.audit()
    said = first_difference(found)
    assert said.startswith("state 2, what is hidden: the threat counter of AM1"), said
    assert {i.name for i in found.items if i.verdict == "contradicted"} == {"deal"}


@pytest.mark.attack("leave a player's addition out of the shuffle", by="audit", who="referee")
def test_a_deal_that_leaves_a_contribution_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = opening.list_contributions

    def deaf(*given: Any) -> Any:
        return tuple(row._replace(data=b"") if row.seat == "red" else row for row in honest(*given))

    with monkeypatch.context() as patch:
        patch.setattr(opening, "list_contributions", deaf)
        table = Table()
    assert first_difference(table.audit()).startswith("state 2, ")


@pytest.mark.attack("undo an order without a ruling that says so", by="verify or audit", who="referee")
def test_a_hidden_undo(table: Table) -> None:
    """The position of two states ago, and no word of it."""
    while table.asked() != "blue":
        table.play()
    table.play("wall")
    table.play("wall")
    table.rule(table_state(table, table.last - 2))
    said = first_difference(table.audit())
    assert said.startswith(f"state {table.last}, the board: seat: "), said


@pytest.mark.attack("hide an undo in a state that plays an order", by="verify or audit", who="referee")
def test_an_undo_in_the_shadow_of_an_order(table: Table) -> None:
    """Somebody plays, and the state after it is the one before the last order."""
    back = table_state(table, table.last - 1)
    table.play("wall", lambda _: back)
    said = first_difference(table.audit())
    assert said.startswith(f"state {table.last}, "), said


def test_an_undo_that_says_so_but_goes_elsewhere(table: Table) -> None:
    to = table.last - 2
    table.rule(table_state(table, table.last - 1), Ruling("undo", (("to", str(to)),), "by mistake"))
    assert f"state {table.last}" in first_difference(table.audit())


def table_state(table: Table, n: int) -> Any:
    """The State as it was."""
    from pbem.chain.loaded_game import load_game

    from .table import ACTING, SECRET

    return load_game(table.states[n], ACTING.public, SECRET, table.game).state


def test_another_secret(table: Table) -> None:
    from pbem.proof.audit.archive import Archive
    from pbem.proof.audit.audit import TrustAnchors
    from pbem.services.prove.audit import audit_archive

    found = audit_archive(Archive(table.states, b"z" * 32), TrustAnchors())
    assert first_difference(found) == "the genesis does not commit to this secret"


def test_a_referee_nobody_knows(table: Table) -> None:
    from pbem.proof.audit.archive import Archive
    from pbem.proof.audit.audit import TrustAnchors
    from pbem.services.prove.audit import audit_archive

    from .table import SECRET

    contents = Archive(table.states, SECRET, pending_values=table.hands)
    other = RefereeKey(b"o" * 32).public
    found = audit_archive(contents, TrustAnchors(frozenset({other})))
    assert "you trust neither" in first_difference(found)
    game = table.position.game_id
    assert audit_archive(contents, TrustAnchors(games=frozenset({game}))).first_contradiction is None
