"""An answer to "may this be undone?" needs no signature, and so it may change no order."""

from typing import Any

from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT
from pbem.moderator.ruling.consent import Consent, code, encode


def asked(table: Any) -> str:
    """Red, who plays with a key, is asked; its standing orders are in hand, signed."""
    table.place.done("receive", "GAME", table.mail("red", table.signed("later:\nwall B2\nwall B3")))
    session = table.place.session()
    waits = (("red", ""), ("blue", ""))
    asking = Consent(2, b64(session.position.head), "a slip", waits)
    session.folder.put_desk_file(CONSENT, encode(asking))
    return code(asking.id, session.codes_secret, session.link.game, "red")


def answer(table: Any, asking: str, text: str) -> str:
    """An answer to the mail that asked red; the file's path."""
    head = f"From: ann@example.org\nSubject: Re: [pbem {asking}]\n"
    return str(table.place.file("answer.eml", f"{head}Message-ID: <answer@x>\n\n{text}\n"))


def in_hand(table: Any) -> tuple[str, int, int]:
    (part,) = table.place.session().hands["red"].parts
    return part.source, len(part.lines), sum(bool(kept.sig) for kept in part.lines)


def test_an_answer_leaves_signed_orders_as_they_are(table: Any) -> None:
    """Found in review: the signatures were gone, and an honest game could not be proven."""
    asking = asked(table)
    before = in_hand(table)
    assert "asked for: no" in table.receive(answer(table, asking, "no")).text
    assert in_hand(table) == before == ("signed", 2, 2)


def test_an_answer_cannot_take_signed_orders_back(table: Any) -> None:
    """Found in review: whoever reads one mail of a player with a key could."""
    asking = asked(table)
    before = in_hand(table)
    table.receive(answer(table, asking, "no\nwithdraw"))
    assert in_hand(table) == before
