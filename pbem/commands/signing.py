"""``pbem orders sign``: a player's orders with his signatures, as text to send."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.commands.orders import VIEW, Seen, read_view
from pbem.commands.result import Result
from pbem.errors import BadInput, OurFault, Refused

if TYPE_CHECKING:
    from pbem.commands.reading_mail import Sent
    from pbem.files.signed_lines import Signed
    from pbem.moderator.hand import Hand
    from pbem.moderator.intake import Taken

MEND = "mend the lines that are not good; pbem orders check says more"


def run(
    view: VIEW,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Your orders: text or move file; - is standard input."),
    ],
) -> Result:
    """Sign your orders with the key you joined with: prints the text (or move file) to send.

    The orders are checked first. Each time they get a new number, and the highest number counts.
    """
    from pbem.commands.reading_mail import read_sent
    from pbem.disk.reading import read_input
    from pbem.files.letter import LIMIT

    seen = read_view(view)
    sent = read_sent(read_input(file, LIMIT))
    lines = _lines(seen, sent)
    signed, text = _signed(seen, lines, sent.listed)
    data = {"game": seen.id, "seat": seen.seat, "nr": signed.nr, "head": seen.head}
    return Result({**data, "lines": lines, "text": text}, text.rstrip("\n"))


def _lines(seen: Seen, sent: "Sent") -> list[str]:
    """What is to be signed, line by line; Refused ``sign/…`` unless all of it is good."""
    from pbem.commands.reading_mail import sheet_of
    from pbem.moderator import receipts
    from pbem.moderator.hand import Hand
    from pbem.moderator.intake import Asked, take
    from pbem.moderator.signed_orders import LONGEST

    if sent.codes and seen.code not in sent.codes:
        raise Refused(
            "sign/other-report",
            "the orders carry the code of another report than the view file",
            "take the view file of that report",
        )
    asked = Asked(seen.view, bool(seen.game.legal(seen.view)), seen.head)
    taken = take(seen.game, asked, Hand(done=seen.done), sheet_of(sent, seen.game))
    bad = [one for one in taken.verdicts if one.what in ("refused", "doubtful")]
    if bad:
        raise Refused("sign/not-good", f"nothing is signed: {receipts.lines(bad)[0]}", MEND)
    lines = [*_kept(taken), *taken.asks]
    if not lines:
        raise Refused("sign/nothing", "there is no order in it", "write one order a line")
    for line in lines:
        if len(line.encode()) > LONGEST:
            raise Refused(
                "sign/too-long", f"`{line}` is longer than {LONGEST} letters", "it cannot be signed"
            )
    return lines


def _kept(taken: "Taken") -> list[str]:
    """The lines as they would lie in hand: complete, and each on its own."""
    from pbem.moderator.signed_orders import standing

    hand: Hand = taken.hand
    return [*(x.line for x in hand.first), *(standing(x.line, x.when) for x in hand.later)]


def _signed(seen: Seen, lines: list[str], listed: bool) -> "tuple[Signed, str]":
    """The signatures and the text to send, under a number that is on the drive before anybody sees
    them; a text that does not read back uses up none.
    """
    from pbem.commands.newest import the_home
    from pbem.disk import keyrings
    from pbem.files.signed_lines import LEAP, MOST_NR
    from pbem.moderator import keyring, signed_orders

    home = the_home()
    if keyrings.read(home, seen.id, seen.seat) is None:
        raise BadInput(
            "keyring/none",
            f"there is no key for {seen.seat} in {home.path / 'players' / seen.id}",
            "sign where you joined: pbem orders join made the key there",
        )
    with keyrings.hold(home, seen.id):
        data = keyrings.read(home, seen.id, seen.seat) or b""
        ring = keyring.decode(data, seen.id, seen.seat)
        if ring.nr >= MOST_NR:
            raise Refused(
                "sign/numbers",
                f"the key of {seen.seat} has signed orders number {ring.nr}, the last there is",
                "ask the referee for a new key at your seat",
            )
        if seen.nr >= MOST_NR or seen.nr > ring.nr + LEAP:
            raise Refused(
                "sign/number",
                f"the view file says that your last orders were number {seen.nr}",
                "take the view file of the newest report, as it came",
            )
        ring = ring._replace(nr=max(ring.nr, seen.nr) + 1)
        order = signed_orders.Order(seen.id, seen.seat, ring.nr, seen.head, seen.rulings)
        signed = signed_orders.signed(order, lines, ring.signing)
        text = _text(seen, lines, signed, listed)
        _read_back(text, lines, signed, seen)
        keyrings.write(home, seen.id, seen.seat, keyring.encode(ring))
    return signed, text


def _text(seen: Seen, lines: list[str], signed: "Signed", listed: bool) -> str:
    from pbem.files import signed_lines
    from pbem.files.move_file import write_move_file

    if listed:
        return write_move_file(seen.code, tuple(lines), signed=signed).decode()
    block = signed_lines.write(signed)
    return "\n".join([*lines, "", block, "", f"[pbem {seen.code}]"]) + "\n"


def _read_back(text: str, lines: list[str], signed: "Signed", seen: Seen) -> None:
    """What the moderator will read of it must be what was signed."""
    from pbem.commands.reading_mail import read_sent, sheet_of
    from pbem.moderator.signed_orders import canonical

    sent = read_sent(text.encode())
    found: Any = [line for _, line in canonical(sheet_of(sent, seen.game))]
    if (found, sent.signed, sent.codes) != (lines, (signed,), (seen.code,)):
        raise OurFault("sign/read-back", "the signed text does not read back", "report this")
