"""``pbem orders list``, ``check``, ``sign``: for players, from a report's view file, offline."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.report.receipt import verdict_lines
from pbem.result import Result
from pbem.services.player.orders import check_orders, read_view_file, sign_orders

View = Annotated[
    Path, typer.Argument(metavar="VIEW", help="The view file of your report (…view.toml), or the saved email.")
]


def run_list(view: View) -> Result:
    """List what you may order now, one per line."""
    player_view = read_view_file(view)
    lines = list(player_view.game.legal(player_view.view))
    if not lines:
        return Result({"seat": player_view.seat, "legal": []}, "There is nothing for you to decide now.", 1)
    return Result({"seat": player_view.seat, "legal": lines}, "\n".join(lines))


def run_check(
    view: View,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Your orders: text, email or move file; - is standard input.")
    ],
    reports: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Your older reports, to compare: emails, a folder or a mailbox of them."),
    ] = None,
) -> Result:
    """Check your orders before you send them, just as the referee's pbem will."""
    order_check = check_orders(view, file, reports or ())
    validation = order_check.validation
    other_code_note = "it has the code of another report; use the view file of that report"
    notes = [other_code_note] if order_check.is_other_report else []
    has_order = bool(validation.commands) or any(verdict.what != "not read" for verdict in validation.verdicts)
    is_good = validation.is_accepted and has_order and not notes
    is_good = is_good and not any(row["exit"] for row in order_check.verdict_rows[:1])
    notes += [f"{row['path']}: {row['says']}" for row in order_check.verdict_rows if row["exit"]]
    lines = verdict_lines(validation.verdicts, accepted_word="good")
    lines += [f"note: {note}" for note in notes]
    next_step = "send it as a reply to your report, with your password if you have one"
    if order_check.has_key:  # it plays by signed ones
        next_step = f"now type `pbem orders sign {view} {file}` and send what it prints"
    if order_check.proposed_orders:
        lines.append("Is this what you mean?")
        lines += [f"  {line}" for line in order_check.proposed_orders]
    failure = "Not good yet." if has_order else "There is no order in it."
    lines.append(f"Good: {next_step}." if is_good else failure)
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
    file: Annotated[str, typer.Argument(metavar="FILE", help="Your orders: text or move file; - is standard input.")],
) -> Result:
    """Sign your orders with the key you joined with. It prints the text (or move file) to send.

    It checks the orders first. Each signing gets a new number, and the highest number counts. An
    answer `yes` or `no`, with the email that asks quoted below it, is signed too.
    """
    player_view, lines, nr, text = sign_orders(view, file)
    data = {"game": player_view.game_id, "seat": player_view.seat, "nr": nr, "state_hash": player_view.state_hash}
    return Result({**data, "lines": lines, "text": text}, text.rstrip("\n"))
