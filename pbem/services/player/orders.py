"""A player's orders, judged by the very checks of the moderator, and signed with his key.

What lives here: what ``pbem orders check`` and ``pbem orders sign`` do. What must never be here:
the making of a key (joining.py).
Laws: a number is on the drive before anybody sees a signature with it, and none counts twice; what
the moderator will read of the text is what was signed.
Source: docs/SPECIFICATION.md section 9; decision 0005.
"""

from pathlib import Path
from typing import Any, NamedTuple

from pbem.disk.home import hold_keyrings, keyring_path, read_keyring, write_keyring
from pbem.disk.whole import read_input
from pbem.errors import BadInput, OurFault, Refused
from pbem.files.mail.letter import MAIL_LIMIT
from pbem.files.orders.move_file import (
    LEAP,
    MOST_NR,
    OrderSignatures,
    write_move_file,
    write_signatures,
)
from pbem.moderator.opening import contribution
from pbem.moderator.report.receipt import verdict_lines
from pbem.moderator.turn import signatures
from pbem.moderator.turn.hand import Hand
from pbem.moderator.turn.intake import Asked, Taken, take
from pbem.moderator.turn.signatures import LONGEST, signed_form, standing_line
from pbem.services.intake.message import Incoming, read_message, sheet_of
from pbem.services.player.view import Seen, read_view
from pbem.services.session.keys import the_home

MEND = "correct these lines; `pbem orders check` says more"


class Checked(NamedTuple):
    """What the moderator would make of a player's orders."""

    seen: Seen
    taken: Taken
    others: bool  #: they carry the code of another report
    has_key: bool  #: the key of the seat is here: its orders are signed


class SignedText(NamedTuple):
    """Orders with their signatures, as text to send."""

    seen: Seen
    lines: list[str]
    nr: int
    text: str


def check_orders(view: Path, file: str) -> Checked:
    """Judge them as the moderator will."""
    seen = read_view(view)
    sent = read_message(read_input(file, MAIL_LIMIT))
    others = bool(sent.codes) and seen.code not in sent.codes
    return Checked(seen, _taken(seen, sent), others, _has_key(seen))


def _taken(seen: Seen, sent: Incoming) -> Taken:
    asked = Asked(seen.view, bool(seen.game.legal(seen.view)), seen.head)
    return take(seen.game, asked, Hand(done=seen.done), sheet_of(sent, seen.game))


def _has_key(seen: Seen) -> bool:
    if seen.seat == "spectators":
        return False
    return keyring_path(the_home(), seen.id, seen.seat).exists()


def sign_orders(view: Path, file: str) -> SignedText:
    """Refused ``sign/…`` unless all of it is good."""
    seen = read_view(view)
    sent = read_message(read_input(file, MAIL_LIMIT))
    lines = _lines(seen, sent)
    signed, text = _signed(seen, lines, sent.listed)
    return SignedText(seen, lines, signed.nr, text)


def _lines(seen: Seen, sent: Incoming) -> list[str]:
    """What is to be signed, line by line; Refused ``sign/…`` unless all of it is good."""
    if sent.codes and seen.code not in sent.codes:
        raise Refused(
            "sign/other-report",
            "the orders have the code of another report than the view file",
            "use the view file of that report",
        )
    taken = _taken(seen, sent)
    bad = [one for one in taken.verdicts if one.what in ("refused", "doubtful")]
    if bad:
        raise Refused("sign/not-good", f"nothing is signed: {verdict_lines(bad)[0]}", MEND)
    lines = [*_kept(taken), *taken.asks]
    if not lines:
        raise Refused("sign/nothing", "there is no order in it", "write one order per line")
    for line in lines:
        if len(line.encode()) > LONGEST:
            raise Refused(
                "sign/too-long",
                f"`{line}` is longer than {LONGEST} letters",
                "write it in shorter words",
            )
    return lines


def _kept(taken: Taken) -> list[str]:
    """The lines as they would lie in hand: complete, and each on its own."""
    hand: Hand = taken.hand
    return [*(x.line for x in hand.first), *(standing_line(x.line, x.when) for x in hand.later)]


def _signed(seen: Seen, lines: list[str], listed: bool) -> tuple[OrderSignatures, str]:
    """The signatures and the text to send, under a number that is on the drive before anybody sees
    them; a text that does not read back uses up none.
    """
    home = the_home()
    if read_keyring(home, seen.id, seen.seat) is None:
        raise BadInput(
            "keyring/none",
            f"there is no key for {seen.seat} in {home.path / 'players' / seen.id}",
            "sign where you joined; `pbem orders join` made the key there",
        )
    with hold_keyrings(home, seen.id):
        data = read_keyring(home, seen.id, seen.seat) or b""
        ring = contribution.decode_keyring(data, seen.id, seen.seat)
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
                "use the view file of your newest report, unchanged",
            )
        ring = ring._replace(nr=max(ring.nr, seen.nr) + 1)
        order = signatures.Order(seen.id, seen.seat, ring.nr, seen.head, seen.rulings)
        signed = signatures.sign_orders(order, lines, ring.signing)
        text = _text(seen, lines, signed, listed)
        _read_back(text, lines, signed, seen)
        write_keyring(home, seen.id, seen.seat, contribution.encode_keyring(ring))
    return signed, text


def _text(seen: Seen, lines: list[str], signed: OrderSignatures, listed: bool) -> str:
    if listed:
        return write_move_file(seen.code, tuple(lines), signed=signed).decode()
    block = write_signatures(signed)
    return "\n".join([*lines, "", block, "", f"[pbem {seen.code}]"]) + "\n"


def _read_back(text: str, lines: list[str], signed: OrderSignatures, seen: Seen) -> None:
    """What the moderator will read of it must be what was signed."""
    sent = read_message(text.encode())
    found: Any = [line for _, line in signed_form(sheet_of(sent, seen.game))]
    if (found, sent.signed, sent.codes) != (lines, (signed,), (seen.code,)):
        raise OurFault("sign/read-back", "the signed text does not read back", "report this")
