"""The content of a receipt: what became of an email, and the answers to `help` and `rules …`.

Not allowed here: anything that is not a function of the player's View and of their own lines.
Source: docs/DESIGN.md "Email", P2, P6, P11.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.row import Row, say
from pbem.mail.identity import looks_like_ours, mark_words
from pbem.notation.absence import PRESENT, is_absence, is_unclear
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
from pbem.play.sentences import HALF, IN_RECEIPT, LATER_HINT, NOT_FITTING, STANDING, UNSIGNED_LINE
from pbem.play.signed_orders import list_signed_lines
from pbem.play.validate_email import MAX_ORDERS, OrdersResult
from pbem.play.validation import LineOutcome, LineVerdict
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


UNANSWERED = ("refused", "refused_whole", "no_order")
"""kinds of headline above which nothing answers the player's question"""
BAD_OUTCOMES = (LineOutcome.REFUSED, LineOutcome.UNCLEAR)
MAX_SIMILAR_LINES = 6  #: neighbours with one verdict; of more, only the first SHOWN_SIMILAR_LINES are shown
SHOWN_SIMILAR_LINES = 3
MAX_COMMANDS = 20  #: answered in one email, because anyone can ask without proof


def receipt_headline(
    result: OrdersResult, is_stale: bool, was_ruled: bool, message_kind: str, is_asked: bool, players_asked: list[str]
) -> Row:
    """What became of the email: the macro ``receipt_KIND``.

    ``message_kind`` says what becomes of its message to the referee. ``is_asked``: whether the game
    asks the player something now. ``players_asked``: the names of those for whom it waits.
    """
    accepted_count = sum(verdict.is_accepted for verdict in result.verdicts)
    votes = votes_in(result.commands)
    if is_stale:
        return Row("ruled" if was_ruled else "settled", {"asked": is_asked, "players": players_asked})
    if not result.is_accepted:
        bad_verdicts = [verdict for verdict in result.verdicts if verdict.outcome in BAD_OUTCOMES]
        if any(verdict.why is not None and verdict.why.text == LATER_HINT for verdict in bad_verdicts):
            return Row("not_asked", {"players": players_asked})
        concerns_whole_email = not all(verdict.number or verdict.text for verdict in bad_verdicts)
        return Row("refused_whole" if concerns_whole_email else "refused", {"number": len(bad_verdicts)})
    if votes:
        return Row("voted_with_orders" if accepted_count else "voted", {"answer": votes[0], "number": accepted_count})
    if accepted_count:
        return Row("accepted", {"number": accepted_count})
    if any(verdict.outcome == LineOutcome.DONE for verdict in result.verdicts):
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
    if any(map(is_unclear, commands)):
        return Row("absence_unclear")
    return Row("absence", {"back": PRESENT in commands, "away": {*commands} != {PRESENT}})


ORDERS_COMPLETE = Row("complete")
QUESTION_STILL_OPEN = Row("still_open")  #: no pending order answers the question


def completeness_rows(game: "Game", view: Any, pending: PendingOrders, question_number: int) -> list[Row]:
    """Whether the pending orders complete a seat's turn: the macro ``receipt_KIND``.

    Empty where the seat is not asked, or its standing orders answer the question.
    """
    if not list_orders_for_now(game, view, pending):
        is_still_open = (
            pending.orders and game.legal(view) and pop_next_order(pending, game, view, question_number)[0] is None
        )
        return [QUESTION_STILL_OPEN] if is_still_open else []
    unfinished_turn = find_unfinished_turn(game, view, pending)
    if unfinished_turn is None:
        return [ORDERS_COMPLETE]
    question = game.ask(unfinished_turn.view) if unfinished_turn.is_certain else None
    return [Row("goes_on", {"number": len(question.example) if question else unfinished_turn.max_orders})]


def verdict_rows(verdicts: Sequence[LineVerdict]) -> list[Row]:
    """What became of each line, bad lines first: the macro ``verdict_KIND``. Many similar lines are counted."""
    bad_numbers = {verdict.number for verdict in verdicts if verdict.outcome in BAD_OUTCOMES}
    # a line with two orders has two verdicts; if one is refused, the other is left out
    relevant_verdicts = (
        verdict for verdict in verdicts if verdict.outcome != LineOutcome.LEFT or verdict.number not in bad_numbers
    )
    bad_first = sorted(relevant_verdicts, key=lambda verdict: verdict.outcome not in BAD_OUTCOMES)
    unique_verdicts = {(*verdict[:3], str(verdict.why or "")): verdict for verdict in bad_first}
    rows: list[Row] = []
    for kind, group in groupby(map(_verdict_row, unique_verdicts.values()), key=lambda row: row.kind):
        similar_rows = list(group)
        if len(similar_rows) > MAX_SIMILAR_LINES:
            remainder_row = Row("more", {"what": kind, "number": len(similar_rows) - SHOWN_SIMILAR_LINES})
            similar_rows = [*similar_rows[:SHOWN_SIMILAR_LINES], remainder_row]
        rows += similar_rows
    return rows


def _verdict_row(verdict: LineVerdict) -> Row:
    """``number`` is 0 where the line is quoted in full (decision 0009). ``words`` has line and reason
    with marks where they look like something that pbem wrote.
    """
    # text below the cut line has no number; the reason quotes it
    line = verdict.text if verdict.number else ""
    legible_text = line.strip("… ")
    number = 0 if legible_text and "…" not in line else verdict.number
    quoted_line, reason = line if legible_text else "", str(verdict.why or "")
    full_text = f"{quoted_line}: {reason}" if reason else quoted_line
    marked_text = mark_words(full_text) if looks_like_ours(full_text) else ""
    facts = {"number": number, "line": quoted_line, "why": reason, "words": marked_text}
    return Row(verdict.outcome.kind, facts)


def verdict_lines(verdicts: Sequence[LineVerdict], accepted_word: str = "accepted") -> list[str]:
    """The verdicts for a screen. ``accepted_word`` is the word for a good line there."""
    words = {outcome.kind: outcome.screen_word for outcome in LineOutcome} | {"accepted": accepted_word}
    return [_screen_line(row, words) for row in verdict_rows(verdicts)]


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
    """The verdicts for the referee's screen and logs. Hidden cards and standing orders are only in the receipt."""
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
        reason = None if verdict.is_accepted else say(IN_RECEIPT)
        if verdict.why is not None and verdict.why.text == UNSIGNED_LINE:
            verdict = verdict._replace(why=say(NOT_FITTING))
        elif verdict.number in standing_numbers:
            verdict = verdict._replace(text=STANDING, why=reason)
        elif public_words != orders:
            verdict = verdict._replace(text=", ".join(public_words), why=reason)
        elif verdict.why is not None and verdict.why.text == HALF:
            verdict = verdict._replace(why=None)  # it concerns the player alone
        redacted_verdicts.append(verdict)
    return tuple(redacted_verdicts)


class OrdersReceipt(NamedTuple):
    """What a receipt says about an email with orders. For the player alone."""

    kind: str  #: of the game
    way: str  #: how the player is authenticated
    names: Mapping[str, str]  #: by seat
    headline: Sequence[Row]  #: what became of the email, and whether the turn is complete
    lines: Sequence[Row] = ()  #: what became of each line
    answers: Sequence[Row] = ()  #: to commands such as `help`
    hand: Sequence[str] = ()  #: all pending orders
    replaced: Sequence[str] = ()  #: orders that are pending no longer
    back: Sequence[str] = ()  #: lines that restore them
    withdrawn: bool = False  #: the email only took orders back
    cited: str = ""  #: the number of the first rule behind a refusal
    half: Mapping[str, Any] | None = None  #: what completes the turn; None or empty if nothing is missing
    question: Mapping[str, Any] | None = None  #: what the player is asked, where their email does not answer it
    proposal: Sequence[str] = ()  #: orders that a `yes` will confirm
    letter: Row | None = None  #: what becomes of a message to the referee
    elsewhere: str = ""  #: the unregistered address that the email came from, or ""
    not_read: Sequence[str] = ()  #: names of attached files
    minutes: int = 0  #: how long orders for this turn can still be replaced; 0 if that is not said
    proven: bool = True  #: whether the email was authenticated
    block: str = ""  #: the signed block
    template: str = "receipt.txt"


def choices_like(choices: Sequence[Mapping[str, Any]], verdicts: Sequence[LineVerdict]) -> list[Mapping[str, Any]]:
    """The choices with a first word of the bad lines; all where no choice has one."""
    words = {word for verdict in verdicts if verdict.outcome in BAD_OUTCOMES for word in verdict.text.lower().split()}
    return [choice for choice in choices if choice["order"].split()[0] in words] or list(choices)


class ReplacedOrders(NamedTuple):
    """Orders that an email replaced or withdrew."""

    replaced: list[str]
    back: list[str]  #: lines that restore them


def receipt_block_lines(
    result: OrdersResult, is_signed: bool, absence_notes: Sequence[str] = ()
) -> tuple[tuple[str, str], ...]:
    """(verdict, line) of each order and absence that was read, for the signed block.

    A command such as `help` is only there if it was signed. A line that pbem did not understand is
    not there. ``absence_notes`` has the text noted for each absence, "" where none was noted.
    """
    parsed_orders = result.parsed_orders
    if not is_signed:
        commands = (*withdrawals_in(parsed_orders.commands), *absences_in(parsed_orders.commands))
        parsed_orders = parsed_orders._replace(commands=commands)
    verdicts_by_number: dict[int, list[str]] = {}
    for verdict in result.verdicts:
        if verdict.number and verdict.outcome.block_word:
            verdicts_by_number.setdefault(verdict.number, []).append(verdict.outcome.block_word)
    command_verdict = "left"
    if result.is_accepted:
        command_verdict = "kept" if is_signed or result.has_changed else "done"
    lines = []
    # an unsigned order for this turn was completed on arrival, so the block has it as it is pending
    groups = result.pending.groups if result.has_changed and not is_signed else ()
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
        order = pending_lines.pop(0) if is_completed else line
        if order_of(order):
            lines.append((verdict_word, order))
    return tuple(lines[:MAX_ORDERS])


def withdrawals_in(commands: tuple[str, ...]) -> tuple[str, ...]:
    """`withdraw`, alone or with the name of a group of pending orders."""
    return tuple(command for command in commands if command.partition(" ")[0] == WITHDRAW)


def votes_in(commands: tuple[str, ...]) -> tuple[str, ...]:
    """`yes` and `no`, which answer whether orders may be undone."""
    return tuple(command for command in commands if command in VOTES)


def absences_in(commands: tuple[str, ...]) -> tuple[str, ...]:
    """The lines that say when a player is away, or is back."""
    return tuple(filter(is_absence, commands))


def replaced_groups(pending_before: PendingOrders, pending_now: PendingOrders) -> list[OrderGroup]:
    """The groups of pending orders that an email replaced or withdrew."""
    return [group for group in pending_before.groups if group.playable_orders and group not in pending_now.groups]


def list_replaced_orders(pending_before: PendingOrders, pending_now: PendingOrders) -> ReplacedOrders:
    """The orders that are pending no longer, and lines that restore them."""
    remaining = Counter((group.name, order.order) for group in pending_now.groups for order in group.playable_orders)
    lost_groups = [
        group
        for group in replaced_groups(pending_before, pending_now)
        if Counter((group.name, order.order) for order in group.playable_orders) - remaining
    ]
    has_orders_for_now = any(group.name == NOW and group.playable_orders for group in pending_now.groups)
    first_lines = (
        [f"{WITHDRAW} {NOW}"] if has_orders_for_now and any(group.name == NOW for group in lost_groups) else []
    )
    return ReplacedOrders(
        [format_signed_line(group, order) for group in lost_groups for order in group.playable_orders],
        [*first_lines, *format_pending_orders(lost_groups)] if lost_groups else [],
    )


def reply_rows(
    commands: tuple[str, ...], rulebook: Rulebook, explain: Callable[[str], str], is_accepted: bool = True
) -> list[Row]:
    """The answers to commands: the macro ``reply_KIND``. `resend` and `withdraw` have none.

    ``explain`` gives the text for `help` and for `rules` alone. `yes`, `no` and `mails …` are only
    noted where the email ``is_accepted``. Unknown rules share one answer, the last but one; a
    final row counts the commands beyond ``MAX_COMMANDS``.
    """
    rows, unknown_numbers = [], []
    votes = votes_in(commands)
    commands = tuple(command for command in commands if command not in votes)
    for command in (*commands[:MAX_COMMANDS], *votes):
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
    omitted_count = len(commands) - MAX_COMMANDS
    return [*rows, *([Row("left_out", {"most": MAX_COMMANDS, "left": omitted_count})] if omitted_count > 0 else [])]


def describe_commands(commands: tuple[str, ...]) -> str:
    """The commands of an email, for the referee's screen."""
    text, omitted_count = ", ".join(commands[:MAX_COMMANDS]), len(commands) - MAX_COMMANDS
    return COMMANDS_AND_MORE.format(commands=text, number=omitted_count) if omitted_count > 0 else text


def receipt_subject(headline: Row, wanted_rows: Sequence[Row] = ()) -> str:
    """What became of the email, for the subject of its receipt; without game and code.

    ``wanted_rows``: what the turn still needs, which is the news where orders were accepted.
    """
    wanted = (row for row in wanted_rows if headline.kind == "accepted" and row.kind in RECEIPT_SUBJECTS)
    news = next(wanted, headline)
    subjects = RECEIPT_SUBJECTS | RECEIPT_SUBJECTS_OF_ONE if news.facts.get("number") == 1 else RECEIPT_SUBJECTS
    return subjects[news.kind].format_map(news.facts)
