"""What a player is answered: the words of a receipt or a refusal.

What lives here: headline and verdicts for the template, what `help` and `rules …` are answered.
What must never be here: anything that is not a function of the player's View and of his own lines.
Source: docs/DESIGN.md "Email", P2, P6, P11.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pbem.files.orders.lines import OrderLine, Sheet
from pbem.moderator.report.receipt_block import VERDICTS
from pbem.moderator.report.report import Rulebook
from pbem.moderator.turn.hand import Hand, hand_lines, line_of
from pbem.moderator.turn.intake import MOST_ORDERS, Taken, Verdict
from pbem.moderator.turn.signatures import signed_form

if TYPE_CHECKING:
    from pbem.engine.game import Game


#: the one answer before anything is authenticated (P6): the same whatever the game holds
UNKNOWN = "it carries no code of a game here"
UNKNOWN_HINT = "send the whole mail with its subject: the code is like [pbem K7Q2-9F3A]"

#: how a verdict is called where people read it
WORDS = {"passed over": "done already", "doubtful": "not clear"}
MOST_ALIKE = 6  # lines of one verdict in a row that are shown
SHOWN_ALIKE = 3

NOT_FITTING = "a line and its signature do not fit: the receipt says which"
MOST_ASKS = 20  #: of one mail: nobody needs more at once, and a mail needs no proof to ask
LEFT_OUT = (
    "Only the first {} are answered; the other {} are left out: ask for them in another mail."
)
NO_RULING = "there is no ruling of this number; your report gives those that were used"


def receipt_headline(taken: Taken, stale: bool, ruled: bool = False) -> str:
    """What became of the mail, in a sentence."""
    kept = sum(verdict.what == "kept" for verdict in taken.verdicts)
    said = [ask for ask in taken.asks if ask in ("yes", "no")]
    if stale:
        why = "That question was answered already"
        why = "A ruling of the referee came after that question" if ruled else why
        return (
            f"{why}. Nothing of this mail was kept. Your "
            "report is sent again: it has what is asked now."
        )
    if not taken.accepted:
        return "Nothing of this mail was kept. Please mend it and send all of it again."
    if said:
        also = f" {kept} order{'s' if kept > 1 else ''} kept." if kept else ""
        return f"Your answer is noted: {said[0]}.{also}"
    if kept:
        return f"Received: {kept} order{'s' if kept > 1 else ''} kept."
    if any(verdict.what == "passed over" for verdict in taken.verdicts):
        return "There was nothing to keep."
    if "withdraw" in taken.asks:
        return (
            "Your unused orders are taken back."
            if taken.changed
            else "There was no order to take back."
        )
    if "resend" in taken.asks:
        return "Your report is sent again."
    if taken.asks:
        return "Here is what you asked for."
    return (
        "No order was found in this mail. Write one order a line at its top, as your report shows."
    )


def verdict_lines(verdicts: Sequence[Verdict], kept: str = "kept") -> list[str]:
    """What became of each line, in words; of many alike in a row the first ones and their
    number.
    """
    found: list[str] = []
    bad = {verdict.number for verdict in verdicts if verdict.what in ("refused", "doubtful")}
    # two orders on a line are two verdicts: where one is refused the other is no news
    whole = dict.fromkeys(x for x in verdicts if x.what != "not kept" or x.number not in bad)
    for what, group in groupby(whole, key=lambda verdict: verdict.what):
        word = kept if what == "kept" else WORDS.get(what, what)
        alike = list(group)
        few = len(alike) <= MOST_ALIKE
        found += [_line(verdict, word) for verdict in (alike if few else alike[:SHOWN_ALIKE])]
        if not few:
            found.append(f"{word}: {len(alike) - SHOWN_ALIKE} lines more")
    return found


def public_verdicts(game: "Game", sheet: Sheet, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts as the referee's screen and logs may have them: which card it is, and what
    waits for later, stay in the receipt.
    """
    written: dict[int, list[OrderLine]] = {}
    for line in (*sheet.first, *sheet.later):
        written.setdefault(line.number, []).append(line)
    standing = {line.number for line in sheet.later} | {x.number for x in sheet.first if x.when}
    found = []
    for verdict in verdicts:
        if verdict.what == "refused" and not verdict.number and verdict.why.startswith("`"):
            found.append(verdict._replace(why=NOT_FITTING))
            continue
        orders = [line.order for line in written.get(verdict.number, ())]
        words = [game.public_words(order) for order in orders]
        if verdict.number in standing:
            told = "" if verdict.what == "kept" else "the receipt says why"
            verdict = verdict._replace(text="(a standing order)", why=told)
        elif words != orders:
            told = "" if verdict.what == "kept" else "the receipt says why"
            verdict = verdict._replace(text=", ".join(words), why=told)
        found.append(verdict)
    return tuple(found)


def _line(verdict: Verdict, word: str) -> str:
    if not verdict.number:  # found below the cut line; the reason quotes it
        return f"{word}: {verdict.why}"
    text = f"`{verdict.text}`" if verdict.why and verdict.text else verdict.text
    if not verdict.text.strip("… "):  # nothing in it is known: the line is named, not quoted
        text = f"line {verdict.number}"
    elif "…" in verdict.text:
        text = f"line {verdict.number}, {text}"
    return f"{word}: {text}: {verdict.why}" if verdict.why else f"{word}: {text}"


def receipt_values(
    label: str,
    seat: str,
    player: str,
    code: str,
    taken: Taken,
    stale: bool,
    answers: list[str],
    before: Hand,
    ruled: bool = False,
) -> dict[str, Any]:
    """Everything the template of a receipt may use; ``before``: the orders in hand till now."""
    return {
        "label": label,
        "seat": seat,
        "player": player,
        "code": code,
        "headline": receipt_headline(taken, stale, ruled),
        "lines": [] if stale else verdict_lines(taken.verdicts),
        "answers": answers,
        "hand": hand_lines(taken.hand),
        "replaced": _replaced(before, taken.hand) if taken.changed else [],
    }


def judged_lines(sheet: Sheet, taken: Taken, signed: bool) -> tuple[tuple[str, str], ...]:
    """(verdict, line) of each order that was read, for the signed block; what is only asked of the
    moderator (`help`) stands there where it was signed.
    """
    if not signed:
        sheet = sheet._replace(asks=("withdraw",) if "withdraw" in sheet.asks else ())
    whats: dict[int, list[str]] = {}
    for verdict in taken.verdicts:
        if verdict.number and verdict.what in VERDICTS:
            whats.setdefault(verdict.number, []).append(VERDICTS[verdict.what])
    asked = "kept" if taken.accepted else "left"
    found = []
    for number, line in signed_form(sheet)[:MOST_ORDERS]:
        mine = whats.get(number, [asked])
        found.append((mine.pop(0) if len(mine) > 1 else mine[0], line))
    return tuple(found)


def _replaced(before: Hand, now: Hand) -> list[str]:
    """What was in hand and is no more: nobody who answers a question may lose it unawares."""
    first = {kept.line for kept in now.first}
    later = {(kept.line, kept.when) for kept in now.later}
    gone = [line_of(kept) for kept in before.first if kept.line not in first]
    for kept in before.later:
        if (kept.line, kept.when) not in later:
            gone.append(line_of(kept) if kept.when else f"later: {kept.line}")
    return gone


def replies_to(
    asks: tuple[str, ...], rulebook: Rulebook, told: Callable[[str], str], accepted: bool = True
) -> list[str]:
    """What `help` and `rules …` get; `resend` and `withdraw` are deeds, not words.

    ``told`` gives the text for `help` and for `rules` alone, in the words of the game. A `yes` or
    `no` is noted where the mail was ``accepted``. What is unknown is told once, together; of more
    than ``MOST_ASKS`` the rest is left out, and that is said.
    """
    found, unknown = [], []
    votes = tuple(ask for ask in asks if ask in ("yes", "no"))
    asks = tuple(ask for ask in asks if ask not in votes)
    for ask in (*asks[:MOST_ASKS], *votes):
        if ask in ("yes", "no"):
            noted = "You may answer otherwise until all have answered. Nobody else is told."
            found += [noted] if accepted else []
        elif ask in ("help", "rules"):
            found.append(told(ask))
        elif ask.startswith("rules "):
            number = ask[6:]
            text = rulebook(number)
            found += [f"{number}: {text}"] if text else []
            unknown += [] if text else [number]
    found += [f"{', '.join(unknown)}: {NO_RULING}"] if unknown else []
    left = len(asks) - MOST_ASKS
    return [*found, *([LEFT_OUT.format(MOST_ASKS, left)] if left > 0 else [])]


def asks_in_words(asks: tuple[str, ...]) -> str:
    """The same for the referee's screen."""
    left = len(asks) - MOST_ASKS
    more = f" and {left} more" if left > 0 else ""
    return f"{', '.join(asks[:MOST_ASKS])}{more}"
