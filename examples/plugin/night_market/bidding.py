"""Who is asked, which bids are legal, and why another order is refused.

Laws: only what all see is read here, so ``forced`` tells nothing (R-1); ``check(view, line)`` is
None exactly when ``line in legal(view)``. Source: R-1, NM-4, NM-5, NM-7, NM-8.
"""

from night_market.state import Public, View
from pbem.engine.decision import Question, Refusal, Soon


def questions(public: Public) -> tuple[Question, ...]:
    """Everybody whose bid is not in yet, all at once (NM-4)."""
    if public.over:
        return ()
    return tuple(
        Question(seat, "bid", public.lot, "NM-4", forced=len(tokens) == 1)
        for seat, tokens, slot in zip(public.seats, public.tokens, public.slots, strict=True)
        if not slot
    )


def is_asked(view: View) -> bool:
    """Whether the game waits for the View's seat."""
    return any(one.seat == view.seat for one in questions(view.public))


def legal(view: View) -> tuple[str, ...]:
    """One order for each token left (NM-7); none for a seat that is not asked."""
    if not is_asked(view):
        return ()
    return tuple(f"bid {token}" for token in view.public.tokens[view.at])


def check(view: View, line: str) -> Refusal | None:
    """Why the View's seat may not give this order (any text) now; None if it may."""
    if line in legal(view):
        return None
    if view.public.over:
        return Refusal("NM-9", "the game is over")
    if view.seat is None:
        return Refusal("NM-4", "only who has a seat can bid")
    if not is_asked(view):
        text = f"your bid for {view.public.lot} is in, and a bid that was played out stands"
        return Refusal("NM-5", text)
    left = ", ".join(str(token) for token in view.public.tokens[view.at])
    if complete(view, line) != line:
        return Refusal("NM-4", f"it is spelt `{complete(view, line)}`")
    return Refusal("NM-7", f"an order is `bid` and a token you have left: {left}")


def complete(view: View, line: str) -> str:
    """``bid high`` and ``bid low`` mean the highest and the lowest token left (NM-4)."""
    if line not in ("bid high", "bid low") or not is_asked(view):
        return line
    return legal(view)[-1 if line == "bid high" else 0]


def why_never(view: View, name: str) -> str:
    """Why the View's seat can never be asked about this name any more; "" if it can (NM-8)."""
    public = view.public
    number = int(name[1:]) if name[:1] == "L" and name[1:].isdecimal() else 0
    if not 1 <= number <= public.lots:
        return f"there is no {name}: the lots are L1 to L{public.lots}"
    if number <= len(public.sold):
        return f"{name} is sold already"
    if view.seat is not None and name == public.lot and not is_asked(view):
        return f"your bid for {name} is in already"
    return ""


def soon(view: View) -> tuple[Soon, ...]:
    """Whose bid is in may bid for the next lot too; not for the last, which is forced (R-1)."""
    public = view.public
    if view.bid is None or len(public.tokens[view.at]) < 3:
        return ()
    name = f"L{len(public.sold) + 2}"
    return (Soon(name, f"{name} comes next; nobody can know yet what it is worth.", "bid low"),)


def turn(view: View) -> int:
    """The number of the lot. A seat whose bid is in is past it: no second order can follow."""
    waiting = view.seat is not None and bool(view.public.slots[view.at])
    return len(view.public.sold) + 1 + waiting
