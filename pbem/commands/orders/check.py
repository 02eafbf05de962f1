"""``pbem orders list``, ``check``, ``sign``: for players, from a report's view file, offline."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.report.receipt import verdict_lines
from pbem.result import Result
from pbem.services.player.orders import check_orders, read_view, sign_orders

View = Annotated[
    Path,
    typer.Argument(
        metavar="VIEW", help="The view file of your report (…view.toml), or the saved email."
    ),
]


def run_list(view: View) -> Result:
    """List what you may order now, one per line."""
    seen = read_view(view)
    lines = list(seen.game.legal(seen.view))
    if not lines:
        return Result(
            {"seat": seen.seat, "legal": []}, "There is nothing for you to decide now.", 1
        )
    return Result({"seat": seen.seat, "legal": lines}, "\n".join(lines))


def run_check(
    view: View,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="Your orders: text, email or move file; - is standard input."
        ),
    ],
    reports: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="Your older reports, to compare: emails, a folder or a mailbox of them.",
        ),
    ] = None,
) -> Result:
    """Check your orders before you send them, just as the referee's pbem will."""
    checked = check_orders(view, file, reports or ())
    taken = checked.taken
    other = "it has the code of another report; use the view file of that report"
    notes = [other] if checked.others else []
    any_order = bool(taken.asks) or any(one.what != "not read" for one in taken.verdicts)
    good = taken.accepted and any_order and not notes
    good = good and not any(row["exit"] for row in checked.rows[:1])
    notes += [f"{row['path']}: {row['says']}" for row in checked.rows if row["exit"]]
    lines = verdict_lines(taken.verdicts, kept="good")
    lines += [f"note: {note}" for note in notes]
    way = "send it as a reply to your report, with your password if you have one"
    if checked.has_key:  # it plays by signed ones
        way = f"now type `pbem orders sign {view} {file}` and send what it prints"
    if checked.proposal:
        lines.append("Is this what you mean?")
        lines += [f"  {line}" for line in checked.proposal]
    bad = "Not good yet." if any_order else "There is no order in it."
    lines.append(f"Good: {way}." if good else bad)
    data = {
        "seat": checked.seen.seat,
        "good": good,
        "lines": [one.plain() for one in taken.verdicts],
        "proposal": list(checked.proposal),
        "notes": notes,
    }
    return Result(data, "\n".join(lines), 0 if good else 1)


def run_sign(
    view: View,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Your orders: text or move file; - is standard input."),
    ],
) -> Result:
    """Sign your orders with the key you joined with. It prints the text (or move file) to send.

    It checks the orders first. Each signing gets a new number, and the highest number counts. An
    answer `yes` or `no`, with the email that asks quoted below it, is signed too.
    """
    seen, lines, nr, text = sign_orders(view, file)
    data = {"game": seen.id, "seat": seen.seat, "nr": nr, "head": seen.head}
    return Result({**data, "lines": lines, "text": text}, text.rstrip("\n"))
