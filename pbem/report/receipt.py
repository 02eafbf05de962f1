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
from pbem.mail.set_apart import looks_like_ours, mark_words
from pbem.notation.absence import PRESENT, is_absence
from pbem.notation.asks import VOTES, WITHDRAW
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.play.half_action import find_unfinished_turn, list_orders_for_now
from pbem.play.pending_orders import (
    NOW,
    OrderGroup,
    PendingOrders,
    format_pending_orders,
    format_signed_line,
    group_name_of,
    order_of,
    pop_next_order,
)
from pbem.play.sentences import HALF, IN_RECEIPT, NOT_FITTING, STANDING, UNSIGNED_LINE
from pbem.play.signed_orders import list_signed_lines
from pbem.play.validate_email import MAX_ORDERS, OrdersResult
from pbem.play.validation import LineVerdict
from pbem.report.receipt_block import VERDICT_WORDS
from pbem.report.report import Rulebook
from pbem.report.sentences import (
    COMMANDS_AND_MORE,
    LINE_NUMBER,
    RECEIPT_SUBJECTS,
    RECEIPT_SUBJECTS_OF_ONE,
    SIMILAR_LINES,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game


#: a verdict to the macro ``verdict_KIND``, and to its word on a screen
VERDICT_KINDS = {
    "refused": ("refused", "refused"),
    "doubtful": ("unclear", "not clear"),
    "kept": ("accepted", "accepted"),
    "passed over": ("done", "already done"),
    "not kept": ("left", "not accepted"),
    "not read": ("letter", "letter"),
}
SCREEN_WORDS = dict(VERDICT_KINDS.values())
BAD_VERDICTS = ("refused", "doubtful")
MOST_ALIKE = 6  # lines of one verdict in a row that are shown
SHOWN_ALIKE = 3
MOST_COMMANDS = 20  #: of one mail: nobody needs more at once, and a mail needs no proof to ask


def receipt_headline(result: OrdersResult, is_stale: bool, was_ruled: bool, message_kind: str, is_asked: bool) -> Row:
    """What became of the mail: the macro ``receipt_KIND``; ``message_kind``: of its words, by kind;
    ``is_asked``: whether its player is asked something now.
    """
    accepted_count = sum(verdict.what == "kept" for verdict in result.verdicts)
    votes = votes_in(result.commands)
    if is_stale:
        return Row("ruled" if was_ruled else "settled", {"asked": is_asked})
    if not result.is_accepted:
        bad_verdicts = [verdict for verdict in result.verdicts if verdict.what in BAD_VERDICTS]
        concerns_whole_email = not all(verdict.number or verdict.text for verdict in bad_verdicts)
        return Row("refused_whole" if concerns_whole_email else "refused", {"number": len(bad_verdicts)})
    if votes:
        return Row("voted_with_orders" if accepted_count else "voted", {"answer": votes[0], "number": accepted_count})
    if accepted_count:
        return Row("accepted", {"number": accepted_count})
    if any(verdict.what == "passed over" for verdict in result.verdicts):
        return Row("done")
    if withdrawals_in(result.commands):
        kind = "withdrawn" if not result.pending.orders else "withdrawn_part"
        return Row(kind if result.has_changed else "nothing_to_withdraw")
    if "resend" in result.commands:
        return Row("sent_again")
    if result.commands:
        return _commands_headline(result.commands)
    return Row("letter" if message_kind == "kept" else "no_order")


def _commands_headline(commands: tuple[str, ...]) -> Row:
    if any(command.startswith("mails ") for command in commands):
        return Row("chosen")
    if not all(map(is_absence, commands)):
        return Row("answered")
    return Row("absence", {"back": PRESENT in commands, "away": {*commands} != {PRESENT}})


ORDERS_COMPLETE = Row("complete")
QUESTION_STILL_OPEN = Row("still_open")  #: nothing that waits answers what is asked now


def completeness_rows(game: "Game", view: Any, pending: PendingOrders, question_number: int) -> list[Row]:
    """Whether pending orders are all that is wanted of a seat (its ``question_number`` has this number):
    the macro ``receipt_KIND``; nothing where it is not asked, or standing orders answer.
    """
    if not list_orders_for_now(game, view, pending):
        is_still_open = (
            pending.orders and game.legal(view) and pop_next_order(pending, game, view, question_number)[0] is None
        )
        return [QUESTION_STILL_OPEN] if is_still_open else []
    return [Row("goes_on") if find_unfinished_turn(game, view, pending) else ORDERS_COMPLETE]


def verdict_rows(verdicts: Sequence[LineVerdict]) -> list[Row]:
    """What became of each line, what is wrong first; of many alike in a row the first ones and
    their number.
    """
    bad_numbers = {verdict.number for verdict in verdicts if verdict.what in BAD_VERDICTS}
    # two orders on a line are two verdicts: where one is refused the other is no news
    relevant_verdicts = (
        verdict for verdict in verdicts if verdict.what != "not kept" or verdict.number not in bad_numbers
    )
    bad_first = sorted(relevant_verdicts, key=lambda verdict: verdict.what not in BAD_VERDICTS)
    unique_verdicts = {(*verdict[:3], str(verdict.why or "")): verdict for verdict in bad_first}
    rows: list[Row] = []
    for kind, group in groupby(map(_verdict_row, unique_verdicts.values()), key=lambda row: row.kind):
        similar_rows = list(group)
        if len(similar_rows) > MOST_ALIKE:
            remainder_row = Row("more", {"what": kind, "number": len(similar_rows) - SHOWN_ALIKE})
            similar_rows = [*similar_rows[:SHOWN_ALIKE], remainder_row]
        rows += similar_rows
    return rows


def _verdict_row(verdict: LineVerdict) -> Row:
    """``number`` where the line is named by it: not all of it is quoted (decision 0009); ``words``:
    the line and its reason where they must not stand among words of ours.
    """
    # what was found below the cut line has no number; the reason quotes it
    line = verdict.text if verdict.number else ""
    legible_text = line.strip("… ")
    number = 0 if legible_text and "…" not in line else verdict.number
    quoted_line, reason = line if legible_text else "", str(verdict.why or "")
    full_text = f"{quoted_line}: {reason}" if reason else quoted_line
    marked_text = mark_words(full_text) if looks_like_ours(full_text) else ""
    facts = {"number": number, "line": quoted_line, "why": reason, "words": marked_text}
    return Row(VERDICT_KINDS[verdict.what][0], facts)


def verdict_lines(verdicts: Sequence[LineVerdict], accepted_word: str = "accepted") -> list[str]:
    """The same for a screen; ``accepted_word``: how a good line is called there."""
    return [_screen_line(row, SCREEN_WORDS | {"accepted": accepted_word}) for row in verdict_rows(verdicts)]


def _screen_line(row: Row, words: dict[str, str]) -> str:
    facts = row.facts
    if row.kind == "more":
        return SIMILAR_LINES.format(verdict=words[facts["what"]], number=facts["number"])
    line = f"`{facts['line']}`" if facts["line"] and facts["why"] else facts["line"]
    line_label = LINE_NUMBER.format(number=facts["number"]) if facts["number"] else ""
    subject = ", ".join(part for part in (line_label, line) if part)
    return ": ".join(part for part in (words[row.kind], subject, facts["why"]) if part)


def public_verdicts(
    game: "Game", parsed_orders: ParsedOrders, verdicts: Sequence[LineVerdict]
) -> tuple[LineVerdict, ...]:
    """The verdicts as the referee's screen and logs may have them: which card it is, and what
    waits for later, stay in the receipt.
    """
    lines_by_number: dict[int, list[OrderLine]] = {}
    for line in (*parsed_orders.now, *parsed_orders.later):
        lines_by_number.setdefault(line.number, []).append(line)
    standing_numbers = {line.number for line in parsed_orders.later} | {
        line.number for line in parsed_orders.now if line.when
    }
    redacted_verdicts = []
    for verdict in verdicts:
        orders = [line.order for line in lines_by_number.get(verdict.number, ())]
        public_words = [game.public_words(order) for order in orders]
        reason = None if verdict.what == "kept" else say(IN_RECEIPT)
        if verdict.why is not None and verdict.why.text == UNSIGNED_LINE:
            verdict = verdict._replace(why=say(NOT_FITTING))
        elif verdict.number in standing_numbers:
            verdict = verdict._replace(text=STANDING, why=reason)
        elif public_words != orders:
            verdict = verdict._replace(text=", ".join(public_words), why=reason)
        elif verdict.why is not None and verdict.why.text == HALF:
            verdict = verdict._replace(why=None)  # a word to the player
        redacted_verdicts.append(verdict)
    return tuple(redacted_verdicts)


def build_receipt_values(
    result: OrdersResult, is_stale: bool, answers: list[Row], pending_before: PendingOrders, rulebook: Rulebook
) -> dict[str, Any]:
    """What the template of a receipt says of orders; ``pending_before``: those that waited till now."""
    order_verdicts = [verdict for verdict in result.verdicts if verdict.what != "not read"]
    cited_rules = dict.fromkeys(verdict.rule for verdict in result.verdicts if not is_stale)
    return {
        "lines": [] if is_stale else [row.plain() for row in verdict_rows(order_verdicts)],
        "answers": [row.plain() for row in answers],
        "hand": format_pending_orders(result.pending.parts),
        **_lost_orders(pending_before, result.pending),
        "withdrawn": not any(v.what == "kept" for v in result.verdicts),
        "cited": [(number, text) for number in cited_rules if number and (text := rulebook(number))],
    }


def receipt_block_lines(
    result: OrdersResult, is_signed: bool, absence_notes: Sequence[str] = ()
) -> tuple[tuple[str, str], ...]:
    """(verdict, line) of each order that was read, for the signed block, and of each absence; what
    is only asked of the moderator (`help`) stands there where it was signed, and what was not
    understood nowhere. ``absence_notes``: what is of each absence, "" for nothing.
    """
    parsed_orders = result.parsed_orders
    if not is_signed:
        commands = (*withdrawals_in(parsed_orders.commands), *absences_in(parsed_orders.commands))
        parsed_orders = parsed_orders._replace(commands=commands)
    verdicts_by_number: dict[int, list[str]] = {}
    for verdict in result.verdicts:
        if verdict.number and verdict.what in VERDICT_WORDS:
            verdicts_by_number.setdefault(verdict.number, []).append(VERDICT_WORDS[verdict.what])
    command_verdict = "kept" if result.is_accepted else "left"
    command_verdict = "done" if result.is_accepted and not is_signed and not result.has_changed else command_verdict
    lines = []
    # what is for now was completed when it came: as it waits now (a signed line is as it was)
    groups = result.pending.parts if result.has_changed and not is_signed else ()
    pending_lines = [row.order for group in groups if group.name == NOW for row in group.orders]
    absences = absences_in(parsed_orders.commands) if result.is_accepted else ()
    notes_by_absence = dict(zip_longest(absences, absence_notes[: len(absences)], fillvalue=""))
    for number, line in list_signed_lines(parsed_orders):
        if not number and line in notes_by_absence:
            lines.append(("kept", notes_by_absence[line]) if notes_by_absence[line] else ("refused", line))
            continue
        line_verdicts = verdicts_by_number.get(number, [command_verdict])
        verdict_word = line_verdicts.pop(0) if len(line_verdicts) > 1 else line_verdicts[0]
        is_completed = pending_lines and verdict_word == "kept" and number and group_name_of(line) == NOW
        order = pending_lines.pop(0) if is_completed else line  # `tower C6` as it waits
        if order_of(order):
            lines.append((verdict_word, order))
    return tuple(lines[:MAX_ORDERS])


def withdrawals_in(commands: tuple[str, ...]) -> tuple[str, ...]:
    """`withdraw`, and `withdraw` with the name of a part, which tells what waits."""
    return tuple(command for command in commands if command.partition(" ")[0] == WITHDRAW)


def votes_in(commands: tuple[str, ...]) -> tuple[str, ...]:
    """`yes` and `no`: what answers whether orders may be undone."""
    return tuple(command for command in commands if command in VOTES)


def absences_in(commands: tuple[str, ...]) -> tuple[str, ...]:
    """The lines that say when a player is away, or is back."""
    return tuple(filter(is_absence, commands))


def replaced_groups(pending_before: PendingOrders, pending_now: PendingOrders) -> list[OrderGroup]:
    """The parts in hand that a mail took the place of, or took back."""
    return [group for group in pending_before.parts if group.playable_orders and group not in pending_now.parts]


def _lost_orders(pending_before: PendingOrders, pending_now: PendingOrders) -> dict[str, list[str]]:
    """The parts of which something was in hand and is no more, whole: nobody who answers a question
    may lose it unawares; and what has them ``back``.
    """
    remaining = Counter((group.name, order.order) for group in pending_now.parts for order in group.playable_orders)
    lost_groups = [
        group
        for group in replaced_groups(pending_before, pending_now)
        if Counter((group.name, order.order) for order in group.playable_orders) - remaining
    ]
    has_orders_for_now = any(group.name == NOW and group.playable_orders for group in pending_now.parts)
    first_lines = (
        [f"{WITHDRAW} {NOW}"] if has_orders_for_now and any(group.name == NOW for group in lost_groups) else []
    )
    return {
        "replaced": [format_signed_line(group, order) for group in lost_groups for order in group.playable_orders],
        "back": [*first_lines, *format_pending_orders(lost_groups)] if lost_groups else [],
    }


def reply_rows(
    commands: tuple[str, ...], rulebook: Rulebook, explain: Callable[[str], str], is_accepted: bool = True
) -> list[Row]:
    """What `help` and `rules …` get, each the macro ``reply_KIND``; `resend` and `withdraw` are
    deeds, not words.

    ``explain`` gives the text for `help` and for `rules` alone, in the words of the game. A `yes` or
    `no`, and which reports a player wants, is noted where the mail was ``is_accepted``. What is
    unknown is told once, together; of more than ``MOST_ASKS`` the rest is left out, and that is
    said.
    """
    rows, unknown_numbers = [], []
    votes = votes_in(commands)
    commands = tuple(command for command in commands if command not in votes)
    for command in (*commands[:MOST_COMMANDS], *votes):
        if command in VOTES:
            rows += [Row("noted")] if is_accepted else []
        elif command in ("help", "rules"):
            rows.append(Row("text", {"text": explain(command)}))
        elif command.startswith("mails "):
            rows += [Row("mails", {"choice": command.removeprefix("mails ")})] if is_accepted else []
        elif command.startswith("rules "):
            number = command[6:]
            text = rulebook(number)
            rows += [Row("rule", {"number": number, "text": text})] if text else []
            unknown_numbers += [] if text else [number]
    rows += [Row("unknown", {"numbers": unknown_numbers})] if unknown_numbers else []
    omitted_count = len(commands) - MOST_COMMANDS
    return [*rows, *([Row("left_out", {"most": MOST_COMMANDS, "left": omitted_count})] if omitted_count > 0 else [])]


def describe_commands(commands: tuple[str, ...]) -> str:
    """The commands of an email, for the referee's screen."""
    text, omitted_count = ", ".join(commands[:MOST_COMMANDS]), len(commands) - MOST_COMMANDS
    return COMMANDS_AND_MORE.format(commands=text, number=omitted_count) if omitted_count > 0 else text


def receipt_subject(headline: Row) -> str:
    """What became of the email, for the subject of its receipt; without game and code."""
    is_one = headline.facts.get("number") == 1
    subjects = RECEIPT_SUBJECTS | RECEIPT_SUBJECTS_OF_ONE if is_one else RECEIPT_SUBJECTS
    return subjects[headline.kind].format_map(headline.facts)
