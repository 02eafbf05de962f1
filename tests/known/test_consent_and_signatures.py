"""An answer to "may this be undone?" needs no signature, and so it may change no order."""

from typing import Any

from pbem.crypto.encoding import b64
from pbem.moderator.consent import FILE, Consent, encode


def asked(table: Any) -> None:
    """Red, who plays with a key, is asked; its standing orders are in hand, signed."""
    table.place.done("receive", "GAME", table.mail("red", table.signed("later:\nwall B2\nwall B3")))
    session = table.place.session()
    waits = (("red", ""), ("blue", ""))
    asking = Consent(2, b64(session.position.head), "a slip", waits)
    session.folder.put_desk_file(FILE, encode(asking))


def in_hand(table: Any) -> tuple[str, int, int]:
    hand = table.place.session().hands["red"]
    return hand.source, len(hand.lines), len(hand.signed)


def test_an_answer_leaves_signed_orders_as_they_are(table: Any) -> None:
    """Found in review: the signatures were gone, and an honest game could not be proven."""
    asked(table)
    before = in_hand(table)
    table.receive(table.mail("red", "no", "answer.eml"))
    assert in_hand(table) == before == ("signed", 2, 2)


def test_an_answer_cannot_take_signed_orders_back(table: Any) -> None:
    """Found in review: whoever reads one mail of a player with a key could."""
    asked(table)
    before = in_hand(table)
    table.receive(table.mail("red", "no\nwithdraw", "answer.eml"))
    assert in_hand(table) == before
