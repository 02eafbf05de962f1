"""Orders in hand as a report and a receipt list them."""

from pbem.play.pending_orders import LATER, NOW, OrderGroup, PendingOrder, format_pending_orders


def test_orders_in_hand_can_be_copied_and_sent_again() -> None:
    """Found by a review of reports: what waits for later stood there as if it were for now."""
    now = OrderGroup(NOW, (PendingOrder(1, "wall A1"),))
    later, when = (
        OrderGroup(LATER, (PendingOrder(2, "wall A8"),)),
        OrderGroup("when AP2", (PendingOrder(3, "flood -2"),)),
    )
    assert format_pending_orders((now, later, when)) == ["wall A1", "later:", "wall A8", "when AP2: flood -2"]
    assert format_pending_orders((when,)) == ["when AP2: flood -2"]
