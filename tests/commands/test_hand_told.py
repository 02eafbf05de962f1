"""Orders in hand as a report and a receipt list them."""

from pbem.play.pending_orders import LATER, NOW, Kept, Part, hand_lines


def test_orders_in_hand_can_be_copied_and_sent_again() -> None:
    """Found by a review of reports: what waits for later stood there as if it were for now."""
    now = Part(NOW, (Kept(1, "wall A1"),))
    later, when = Part(LATER, (Kept(2, "wall A8"),)), Part("when AP2", (Kept(3, "flood -2"),))
    assert hand_lines((now, later, when)) == ["wall A1", "later:", "wall A8", "when AP2: flood -2"]
    assert hand_lines((when,)) == ["when AP2: flood -2"]
