"""``pbem orders list``, ``check`` and ``sign``: for players, offline, from a report's view file."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pbem.play.validation import LineOutcome
from pbem.report.receipt import verdict_lines
from pbem.result import Result
from pbem.services.player.orders import check_orders, read_view_file, sign_orders

View = Annotated[Path, Argument(metavar="VIEW", help="The view file of your report (….view.toml), or the saved email.")]

#: the note on orders with the code of another report
OTHER_REPORT_NOTE = "it has the code of another report; use the view file of that report"


def run_list(view: View) -> Result:
    """List what you may order now, one per line."""
    player_view = read_view_file(view)
    lines = list(player_view.game.legal(player_view.view))
    if not lines:
        return Result({"seat": player_view.seat, "legal": []}, "You have nothing to decide now.", 1)
    return Result({"seat": player_view.seat, "legal": lines}, "\n".join(lines))


def run_check(
    view: View,
    file: Annotated[str, Argument(metavar="FILE", help="Your orders: text, email or move file. - is standard input.")],
    reports: Annotated[list[Path] | None, Option(metavar="PATH", help="Your older reports, to compare.")] = None,
) -> Result:
    """Check your orders before you send them, just as the referee's pbem will."""
    order_check = check_orders(view, file, reports or ())
    validation, verdicts = order_check.validation, order_check.verdicts
    outcomes = {verdict.outcome for verdict in validation.verdicts}
    has_order = bool(validation.commands) or bool(outcomes - {LineOutcome.MESSAGE})
    is_report_genuine = not any(verdict.exit_code for verdict in verdicts[:1])  # the first is of the view file
    is_good = validation.is_accepted and has_order and is_report_genuine and not order_check.is_other_report
    notes = [OTHER_REPORT_NOTE] if order_check.is_other_report else []
    notes += [f"{verdict.path}: {verdict.text}" for verdict in verdicts if verdict.exit_code]
    lines = verdict_lines(validation.verdicts, accepted_word="good")
    lines += [f"note: {note}" for note in notes]
    if order_check.proposed_orders:
        lines += ["Is this what you mean?", *(f"  {line}" for line in order_check.proposed_orders)]
    if not is_good:
        lines.append("Not good yet." if has_order else "There is no order in it.")
    elif order_check.has_key:
        lines.append(f"Good: now type `pbem orders sign {view} {file}` and send what it prints.")
    else:
        lines.append("Good: send it as a reply to your report, with your password if you have one.")
    data = {
        "seat": order_check.view_file.seat,
        "good": is_good,
        "lines": [verdict.plain() for verdict in validation.verdicts],
        "proposal": list(order_check.proposed_orders),
        "notes": notes,
    }
    return Result(data, "\n".join(lines), 0 if is_good else 1)


def run_sign(
    view: View,
    file: Annotated[str, Argument(metavar="FILE", help="Your orders: text or move file. - is standard input.")],
) -> Result:
    """Sign your orders with the key you joined with. It prints the text (or move file) to send.

    pbem checks the orders first. Each time you sign, the orders get a new number, and the highest
    number counts. You can also sign an answer `yes` or `no`, with the question quoted below it.
    """
    player_view, lines, nr, text = sign_orders(view, file)
    data = {"game": player_view.game_id, "seat": player_view.seat, "nr": nr, "state_hash": player_view.state_hash}
    return Result({**data, "lines": lines, "text": text}, text.rstrip("\n"))
