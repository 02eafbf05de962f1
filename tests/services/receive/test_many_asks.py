"""A mail needs no proof to ask for a rule, so what it is answered has bounds.

Found by a review: a mail of 290 kB was answered by a receipt of 460 kB.
"""

from .table import Table


def test_the_rest_is_left_out_and_told(later: Table) -> None:
    asks = "".join(f"rules CC-{number}\n" for number in range(1, 31))
    said = later.receive(later.mail("blue", asks, "many"))
    receipt = later.receipt("blue")
    assert "CC-20:" in receipt
    assert "CC-21:" not in receipt
    assert "Only the first 20 are answered. Ask for the other 10 in another email" in receipt
    assert "and 10 more" in said.text


def test_twenty_are_answered(later: Table) -> None:
    later.receive(later.mail("blue", "".join(f"rules CC-{n}\n" for n in range(1, 21)), "twenty"))
    assert "CC-20:" in later.receipt("blue")
    assert "Only the first" not in later.receipt("blue")


def test_unknown_numbers_are_told_once_together(later: Table) -> None:
    asks = "rules CC-901\nrules CC-2\nrules CC-902\n"
    later.receive(later.mail("blue", asks, "unknown"))
    receipt = " ".join(later.receipt("blue").split())
    assert "There are no rules CC-901, CC-902." in receipt
    assert receipt.count("There are no rules") == 1


def test_a_long_mail_gets_a_short_receipt(later: Table) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    asks = "".join(f"rules CC-{n}{letter}\n" for n in range(200) for letter in letters)
    said = later.receive(later.mail("blue", asks, "long"))
    assert len(later.receipt("blue")) < 20_000
    assert len(said.text) < 1_000
