"""The roster in the making: who has answered, and what it will hold.

What lives here: whom the roster, or the deal, waits for; its rows; what waits in the desk for it.
What must never be here: reading an answer (answers.py), printing one: each is its player's secret
until the roster is closed. Source: docs/SPECIFICATION.md section 6; decision 0005.
"""

from collections.abc import Mapping

from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import Joined, read_joined
from pbem.moderator.turn.hand import Hand, decode_hand


def waited_for(link: Link, answers: dict[str, str]) -> tuple[str, ...]:
    """The seats from which an answer is still to come, before the deal. ``answers`` by seat."""
    if link.phase == "genesis":
        return tuple(seat for seat in link.setup.seats if not answers.get(seat))
    asked = (answer.seat for answer in link.roster if answer.gave == "key")
    return tuple(seat for seat in asked if not answers.get(seat))


def roster_of(link: Link, answers: dict[str, str], missed: frozenset[str]) -> tuple[Joined, ...]:
    """The roster from what lies in hand; a seat that is ``missed`` gave nothing."""
    return tuple(
        read_joined(answers[seat]) if answers.get(seat) and seat not in missed
        else Joined(seat, "none")
        for seat in link.setup.seats
    )  # fmt: skip


def one_key(roster: tuple[Joined, ...]) -> tuple[str, ...]:
    """The seats that gave the same key as another; none if each has its own."""
    keys = [answer.key for answer in roster if answer.gave == "key"]
    return tuple(
        answer.seat for answer in roster if answer.gave == "key" and keys.count(answer.key) > 1
    )


def answers_in(desk: Mapping[str, bytes], link: Link) -> dict[str, str]:
    """The answers in the files of hands, as far as a desk is here, by seat. Each is secret."""
    return {seat: one.answer for seat, one in _hands(desk, link).items()}


def declined_in(desk: Mapping[str, bytes], link: Link) -> dict[str, str]:
    """Who does not play, as he said it, by seat."""
    return {seat: one.declined for seat, one in _hands(desk, link).items() if one.declined}


def _hands(desk: Mapping[str, bytes], link: Link) -> dict[str, Hand]:
    return {seat: decode_hand(desk[seat], seat) for seat in link.setup.seats if seat in desk}
