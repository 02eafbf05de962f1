"""Orders in hand as a report and a receipt list them."""

from pbem.moderator.turn.hand import Hand, Kept, hand_lines


def test_orders_in_hand_can_be_copied_and_sent_again() -> None:
    """Found by a review of reports: what waits for later stood there as if it were for now."""
    one, two, three = Kept(1, "wall A1"), Kept(2, "wall A8"), Kept(3, "flood -2", "AP2")
    hand = Hand(first=(one,), later=(two, three))
    assert hand_lines(hand) == ["wall A1", "later:", "wall A8", "when AP2: flood -2"]
    assert hand_lines(Hand(later=(three,))) == ["when AP2: flood -2"]
