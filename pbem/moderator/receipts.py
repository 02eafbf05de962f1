"""What a player is answered: the words of a receipt or a refusal.

What lives here: headline and verdicts for the template, the answers to `help` and `rules …`.
What must never be here: anything that is not a function of the player's View and of his own lines.
Source: design.md section 6; P2, P6, P11.
"""

from typing import Any, NamedTuple

from pbem.moderator.intake import Taken
from pbem.moderator.reporting import Rulebook, line_of

#: the one answer before anything is authenticated (P6): the same whatever the game holds
UNKNOWN = "not taken: no code of a question that is open in a game here"

HELP = """How to answer:
Write your orders at the top of your reply, one a line, such as `wall A5`. What you may write stands in your last report.
All lines of a mail are kept, or none. A new mail replaces the orders of the one before.
Lines after `later:` wait for your next turns. `when AP2: flood -2` waits for your card in AP2.
`card flood AP2 then -2` says at once what the card is to do.
`withdraw` takes all your unused orders back. `resend` sends your last report again. `rules CC-26` explains a ruling."""


class Answer(NamedTuple):
    """A receipt before it is rendered."""

    subject: str
    values: dict[str, Any]


def headline(taken: Taken, stale: bool) -> str:
    """What became of the mail, in a sentence."""
    kept = sum(one.what == "kept" for one in taken.verdicts)
    if stale:
        return "This mail answers a question that was answered already. Nothing in it was kept; your present question stands in the report, which is sent again."
    if not taken.accepted:
        return "Nothing of this mail was kept. Please send all your orders again:"
    if kept:
        return f"Received: {kept} order{'s' if kept > 1 else ''} kept."
    if "withdraw" in taken.asks:
        return "Your unused orders are taken back."
    if taken.asks:
        return "Here is what you asked for."
    return "No order was found in this mail. Write one order a line, such as stand in your report."


def values(
    label: str, seat: str, player: str, code: str, taken: Taken, stale: bool, answers: list[str]
) -> dict[str, Any]:
    """Everything the template of a receipt may use."""
    verdicts = [] if stale else [one._asdict() for one in taken.verdicts]
    return {
        "label": label,
        "seat": seat,
        "player": player,
        "code": code,
        "headline": headline(taken, stale),
        "verdicts": verdicts,
        "answers": answers,
        "hand": [line_of(one) for one in taken.hand.lines],
    }


def answers(asks: tuple[str, ...], rulebook: Rulebook) -> list[str]:
    """What `help` and `rules …` get; `resend` and `withdraw` are deeds, not words."""
    found = []
    for ask in asks:
        if ask == "help":
            found.append(HELP)
        elif ask.startswith("rules "):
            number = ask[6:]
            found.append(f"{number}: {rulebook(number) or 'there is no ruling of this number'}")
    return found
