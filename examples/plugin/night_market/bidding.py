"""Questions for bids, the legal bids, and why another order is refused.

Laws: questions depend only on what everybody sees, so ``forced`` reveals nothing (R-1).
``check(view, line)`` is None exactly when ``line in legal(view)``.
Source: R-1, NM-4, NM-5, NM-7, NM-8.
"""

from night_market import sentences
from night_market.state import Public, View
from pbem.engine.decision import Question, Refusal, Soon
from pbem.engine.row import Row, say


def questions(public: Public) -> tuple[Question, ...]:
    """A question for every seat that has not bid, all at once (NM-4)."""
    if public.over:
        return ()
    return tuple(
        Question(seat, "bid", public.lot, "NM-4", forced=len(tokens) == 1)
        for seat, tokens, slot in zip(public.seats, public.tokens, public.slots, strict=True)
        if not slot
    )


def is_asked(view: View) -> bool:
    """Whether the game waits for the View's seat."""
    return any(question.seat == view.seat for question in questions(view.public))


def legal(view: View) -> tuple[str, ...]:
    """One order for each token left (NM-7); none for a seat without a question."""
    if not is_asked(view):
        return ()
    return tuple(f"bid {token}" for token in view.public.tokens[view.at])


def check(view: View, line: str) -> Refusal | None:
    """Why the View's seat may not give this order (any text) now; None if it may."""
    if line in legal(view):
        return None
    if view.public.over:
        return Refusal("NM-9", say(sentences.OVER))
    if view.seat is None:
        return Refusal("NM-4", say(sentences.NO_SEAT))
    if not is_asked(view):
        return Refusal("NM-5", say(sentences.BID_IS_IN, lot=view.public.lot))
    if complete(view, line) != line:
        return Refusal("NM-4", say(sentences.SPELT, line=complete(view, line)))
    left = ", ".join(str(token) for token in view.public.tokens[view.at])
    return Refusal("NM-7", say(sentences.NOT_A_BID, tokens=left))


def complete(view: View, line: str) -> str:
    """``bid high`` and ``bid low`` mean the highest and the lowest token left (NM-4)."""
    if line not in ("bid high", "bid low") or not is_asked(view):
        return line
    return legal(view)[-1 if line == "bid high" else 0]


def why_never(view: View, name: str) -> str:
    """Why no question to the View's seat can be about this name; "" if one can (NM-8)."""
    public = view.public
    number = int(name[1:]) if name[:1] == "L" and name[1:].isdecimal() else 0
    if not 1 <= number <= public.lots:
        return str(say(sentences.NO_LOT, name=name, last=public.lots))
    if number <= len(public.sold):
        return str(say(sentences.SOLD, name=name))
    if view.seat is not None and name == public.lot and not is_asked(view):
        return str(say(sentences.ASKED_ALREADY, name=name))
    return ""


def never(view: View, line: str) -> Refusal | None:
    """Why the View's seat can never bid this: the token is used, or is in the sealed bid (NM-7)."""
    word, _, token = line.partition(" ")
    if view.seat is None or word != "bid" or not token.isdecimal():
        return None
    tokens_left = [str(own) for own in view.public.tokens[view.at] if own != view.bid]
    return None if token in tokens_left else Refusal("NM-7", say(sentences.GONE, token=token))


def soon(view: View) -> tuple[Soon, ...]:
    """A seat that has bid may bid for the next lot too; but not for the last, which is forced."""
    public = view.public
    if view.bid is None or len(public.tokens[view.at]) < 3:
        return ()
    name = f"L{len(public.sold) + 2}"
    return (Soon(name, Row("next_lot", {"lot": name}), "bid", ("bid low", "bid high")),)


def turn(view: View) -> int:
    """The number of the lot. A seat that has bid counts one more: no second order can follow."""
    waiting = view.seat is not None and bool(view.public.slots[view.at])
    return len(view.public.sold) + 1 + waiting
