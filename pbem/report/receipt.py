"""What a player is answered: the words of a receipt or a refusal.

What lives here: headline and verdicts for the template, what `help` and `rules …` are answered.
What must never be here: anything that is not a function of the player's View and of his own lines.
Source: docs/DESIGN.md "Email", P2, P6, P11.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any

from pbem.engine.row import Row, say
from pbem.mail.set_apart import marked, passes_for_ours
from pbem.notation.absence import PRESENT, is_absence
from pbem.notation.asks import VOTES, WITHDRAW
from pbem.notation.lines import OrderLine, Sheet
from pbem.play.half_action import for_now, half_way
from pbem.play.pending_orders import NOW, Hand, Part, as_signed, hand_lines, order_of, part_of, pick
from pbem.play.sentences import HALF, IN_RECEIPT, NOT_FITTING, STANDING, UNSIGNED_LINE
from pbem.play.signed_orders import signed_form
from pbem.play.validate_email import MOST_ORDERS, Taken
from pbem.play.validation import Verdict
from pbem.report.receipt_block import VERDICTS
from pbem.report.report import Rulebook

if TYPE_CHECKING:
    from pbem.engine.game import Game


#: a verdict to the macro ``verdict_KIND``, and to its word on a screen
KINDS = {
    "refused": ("refused", "refused"),
    "doubtful": ("unclear", "not clear"),
    "kept": ("accepted", "accepted"),
    "passed over": ("done", "already done"),
    "not kept": ("left", "not accepted"),
    "not read": ("letter", "letter"),
}
WORDS = dict(KINDS.values())
BAD = ("refused", "doubtful")
MOST_ALIKE = 6  # lines of one verdict in a row that are shown
SHOWN_ALIKE = 3
MOST_ASKS = 20  #: of one mail: nobody needs more at once, and a mail needs no proof to ask


def receipt_headline(taken: Taken, stale: bool, ruled: bool, letter: str, asked: bool) -> Row:
    """What became of the mail: the macro ``receipt_KIND``; ``letter``: of its words, by kind;
    ``asked``: whether its player is asked something now.
    """
    kept = sum(verdict.what == "kept" for verdict in taken.verdicts)
    said = votes_in(taken.asks)
    if stale:
        return Row("ruled" if ruled else "settled", {"asked": asked})
    if not taken.accepted:
        bad = [verdict for verdict in taken.verdicts if verdict.what in BAD]
        whole = not all(verdict.number or verdict.text for verdict in bad)
        return Row("refused_whole" if whole else "refused", {"number": len(bad)})
    if said:
        return Row("voted_with_orders" if kept else "voted", {"answer": said[0], "number": kept})
    if kept:
        return Row("accepted", {"number": kept})
    if any(verdict.what == "passed over" for verdict in taken.verdicts):
        return Row("done")
    if withdrawals(taken.asks):
        what = "withdrawn" if not taken.hand.lines else "withdrawn_part"
        return Row(what if taken.changed else "nothing_to_withdraw")
    if "resend" in taken.asks:
        return Row("sent_again")
    if taken.asks:
        return _asked_for(taken.asks)
    return Row("letter" if letter == "kept" else "no_order")


def _asked_for(asks: tuple[str, ...]) -> Row:
    if any(ask.startswith("mails ") for ask in asks):
        return Row("chosen")
    if not all(map(is_absence, asks)):
        return Row("answered")
    return Row("absence", {"back": PRESENT in asks, "away": {*asks} != {PRESENT}})


COMPLETE = Row("complete")
STILL_OPEN = Row("still_open")  #: nothing that waits answers what is asked now


def more_wanted(game: "Game", view: Any, hand: Hand, question: int) -> list[Row]:
    """Whether pending orders are all that is wanted of a seat (its ``question`` has this number):
    the macro ``receipt_KIND``; nothing where it is not asked, or standing orders answer.
    """
    if not for_now(game, view, hand):
        waits = hand.lines and game.legal(view) and pick(hand, game, view, question)[0] is None
        return [STILL_OPEN] if waits else []
    return [Row("goes_on") if half_way(game, view, hand) else COMPLETE]


def verdict_rows(verdicts: Sequence[Verdict]) -> list[Row]:
    """What became of each line, what is wrong first; of many alike in a row the first ones and
    their number.
    """
    bad = {verdict.number for verdict in verdicts if verdict.what in BAD}
    # two orders on a line are two verdicts: where one is refused the other is no news
    news = (one for one in verdicts if one.what != "not kept" or one.number not in bad)
    first_bad = sorted(news, key=lambda one: one.what not in BAD)
    whole = {(*one[:3], str(one.why or "")): one for one in first_bad}
    found: list[Row] = []
    for kind, group in groupby(map(_row, whole.values()), key=lambda row: row.kind):
        alike = list(group)
        if len(alike) > MOST_ALIKE:
            more = Row("more", {"what": kind, "number": len(alike) - SHOWN_ALIKE})
            alike = [*alike[:SHOWN_ALIKE], more]
        found += alike
    return found


def _row(verdict: Verdict) -> Row:
    """``number`` where the line is named by it: not all of it is quoted (decision 0009); ``words``:
    the line and its reason where they must not stand among words of ours.
    """
    # what was found below the cut line has no number; the reason quotes it
    line = verdict.text if verdict.number else ""
    known = line.strip("… ")
    number = 0 if known and "…" not in line else verdict.number
    said, why = line if known else "", str(verdict.why or "")
    whole = f"{said}: {why}" if why else said
    apart = marked(whole) if passes_for_ours(whole) else ""
    facts = {"number": number, "line": said, "why": why, "words": apart}
    return Row(KINDS[verdict.what][0], facts)


def verdict_lines(verdicts: Sequence[Verdict], kept: str = "accepted") -> list[str]:
    """The same for a screen; ``kept``: how a good line is called there."""
    return [_on_screen(row, WORDS | {"accepted": kept}) for row in verdict_rows(verdicts)]


def _on_screen(row: Row, words: dict[str, str]) -> str:
    facts = row.facts
    if row.kind == "more":
        return f"{words[facts['what']]}: {facts['number']} more"
    line = f"`{facts['line']}`" if facts["line"] and facts["why"] else facts["line"]
    named = [f"line {facts['number']}"] if facts["number"] else []
    said = ", ".join([*named, *([line] if line else [])])
    return ": ".join(part for part in (words[row.kind], said, facts["why"]) if part)


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
        orders = [line.order for line in written.get(verdict.number, ())]
        words = [game.public_words(order) for order in orders]
        told = None if verdict.what == "kept" else say(IN_RECEIPT)
        if verdict.why is not None and verdict.why.text == UNSIGNED_LINE:
            verdict = verdict._replace(why=say(NOT_FITTING))
        elif verdict.number in standing:
            verdict = verdict._replace(text=STANDING, why=told)
        elif words != orders:
            verdict = verdict._replace(text=", ".join(words), why=told)
        elif verdict.why is not None and verdict.why.text == HALF:
            verdict = verdict._replace(why=None)  # a word to the player
        found.append(verdict)
    return tuple(found)


def receipt_values(
    taken: Taken, stale: bool, answers: list[Row], before: Hand, rulebook: Rulebook
) -> dict[str, Any]:
    """What the template of a receipt says of orders; ``before``: those that waited till now."""
    orders = [verdict for verdict in taken.verdicts if verdict.what != "not read"]
    cited = dict.fromkeys(verdict.ruling for verdict in taken.verdicts if not stale)
    return {
        "lines": [] if stale else [row.plain() for row in verdict_rows(orders)],
        "answers": [row.plain() for row in answers],
        "hand": hand_lines(taken.hand.parts),
        **_lost(before, taken.hand),
        "withdrawn": not any(v.what == "kept" for v in taken.verdicts),
        "cited": [(number, text) for number in cited if number and (text := rulebook(number))],
    }


def judged_lines(
    taken: Taken, signed: bool, noted: Sequence[str] = ()
) -> tuple[tuple[str, str], ...]:
    """(verdict, line) of each order that was read, for the signed block, and of each absence; what
    is only asked of the moderator (`help`) stands there where it was signed, and what was not
    understood nowhere. ``noted``: what is of each absence, "" for nothing.
    """
    sheet = taken.read
    if not signed:
        asks = (*withdrawals(sheet.asks), *absences_in(sheet.asks))
        sheet = sheet._replace(asks=asks)
    whats: dict[int, list[str]] = {}
    for verdict in taken.verdicts:
        if verdict.number and verdict.what in VERDICTS:
            whats.setdefault(verdict.number, []).append(VERDICTS[verdict.what])
    asked = "kept" if taken.accepted else "left"
    asked = "done" if taken.accepted and not signed and not taken.changed else asked
    found = []
    # what is for now was completed when it came: as it waits now (a signed line is as it was)
    parts = taken.hand.parts if taken.changed and not signed else ()
    waits = [x.line for part in parts if part.name == NOW for x in part.rows]
    away = absences_in(sheet.asks) if taken.accepted else ()
    days = dict(zip_longest(away, noted[: len(away)], fillvalue=""))
    for number, line in signed_form(sheet):
        if not number and line in days:
            found.append(("kept", days[line]) if days[line] else ("refused", line))
            continue
        mine = whats.get(number, [asked])
        what = mine.pop(0) if len(mine) > 1 else mine[0]
        completed = waits and what == "kept" and number and part_of(line) == NOW
        order = waits.pop(0) if completed else line  # `tower C6` as it waits
        if order_of(order):
            found.append((what, order))
    return tuple(found[:MOST_ORDERS])


def withdrawals(asks: tuple[str, ...]) -> tuple[str, ...]:
    """`withdraw`, and `withdraw` with the name of a part, which tells what waits."""
    return tuple(ask for ask in asks if ask.partition(" ")[0] == WITHDRAW)


def votes_in(asks: tuple[str, ...]) -> tuple[str, ...]:
    """`yes` and `no`: what answers whether orders may be undone."""
    return tuple(ask for ask in asks if ask in VOTES)


def absences_in(asks: tuple[str, ...]) -> tuple[str, ...]:
    """The lines that say when a player is away, or is back."""
    return tuple(filter(is_absence, asks))


def replaced(before: Hand, now: Hand) -> list[Part]:
    """The parts in hand that a mail took the place of, or took back."""
    return [part for part in before.parts if part.lines and part not in now.parts]


def _lost(before: Hand, now: Hand) -> dict[str, list[str]]:
    """The parts of which something was in hand and is no more, whole: nobody who answers a question
    may lose it unawares; and what has them ``back``.
    """
    left = Counter((part.name, kept.line) for part in now.parts for kept in part.lines)
    lost = [
        part
        for part in replaced(before, now)
        if Counter((part.name, kept.line) for kept in part.lines) - left
    ]
    there = any(part.name == NOW and part.lines for part in now.parts)
    first = [f"{WITHDRAW} {NOW}"] if there and any(part.name == NOW for part in lost) else []
    return {
        "replaced": [as_signed(part, kept) for part in lost for kept in part.lines],
        "back": [*first, *hand_lines(lost)] if lost else [],
    }


def replies_to(
    asks: tuple[str, ...], rulebook: Rulebook, told: Callable[[str], str], accepted: bool = True
) -> list[Row]:
    """What `help` and `rules …` get, each the macro ``reply_KIND``; `resend` and `withdraw` are
    deeds, not words.

    ``told`` gives the text for `help` and for `rules` alone, in the words of the game. A `yes` or
    `no`, and which reports a player wants, is noted where the mail was ``accepted``. What is
    unknown is told once, together; of more than ``MOST_ASKS`` the rest is left out, and that is
    said.
    """
    found, unknown = [], []
    votes = votes_in(asks)
    asks = tuple(ask for ask in asks if ask not in votes)
    for ask in (*asks[:MOST_ASKS], *votes):
        if ask in VOTES:
            found += [Row("noted")] if accepted else []
        elif ask in ("help", "rules"):
            found.append(Row("text", {"text": told(ask)}))
        elif ask.startswith("mails "):
            found += [Row("mails", {"choice": ask.removeprefix("mails ")})] if accepted else []
        elif ask.startswith("rules "):
            number = ask[6:]
            text = rulebook(number)
            found += [Row("rule", {"number": number, "text": text})] if text else []
            unknown += [] if text else [number]
    found += [Row("unknown", {"numbers": unknown})] if unknown else []
    left = len(asks) - MOST_ASKS
    return [*found, *([Row("left_out", {"most": MOST_ASKS, "left": left})] if left > 0 else [])]


def asks_in_words(asks: tuple[str, ...]) -> str:
    """The same for the referee's screen."""
    left = len(asks) - MOST_ASKS
    more = f" and {left} more" if left > 0 else ""
    return f"{', '.join(asks[:MOST_ASKS])}{more}"
