"""A player's view file, his orders judged by the very checks of the moderator, and signed.

What lives here: what ``pbem orders list``, ``check`` and ``sign`` do; Seen, ``read_view``: a view
file, found in the file, in the report's mail, or quoted in a text. What must never be here: the
making of a key (joining.py).
Laws: a number is on the drive before anybody sees a signature with it, and none counts twice; what
the moderator will read of the text is what was signed.
Source: docs/SPECIFICATION.md section 9; decision 0005; pbem/formats/FORMAT.md.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import catalog
from pbem.crypto.encoding import digest, unb64
from pbem.disk.home import hold_keyrings, keyring_path, read_keyring, write_keyring
from pbem.disk.system import is_file, look
from pbem.disk.whole import read_input
from pbem.engine.settings import SPECTATORS
from pbem.errors import BadInput, OurFault, PbemError, Refused, naming, notices
from pbem.formats import toml
from pbem.formats.toml import TableReader
from pbem.mail.identity import GAME_ID, canonical
from pbem.mail.parsed import MAIL_LIMIT, read_letter, unmarked
from pbem.mail.text import decode
from pbem.notation.move_file import (
    LEAP,
    MOST_NR,
    OrderSignatures,
    write_move_file,
    write_signatures,
)
from pbem.play import signed_orders
from pbem.play.consent import asking_in, one_answer, vote_of
from pbem.play.joining import contribution
from pbem.play.pending_orders import Hand, as_signed
from pbem.play.proposals.proposals import proposal
from pbem.play.proposals.prose import Reader, settled
from pbem.play.signed_orders import LONGEST, signed_form
from pbem.play.validate_email import Taken, take
from pbem.play.validation import Asked
from pbem.report.block import Block, find_blocks
from pbem.report.receipt import verdict_lines
from pbem.services.prove.verify import verdicts
from pbem.services.receive.message import Incoming, grammar_of, read_message, sheet_of, with_answers
from pbem.services.receive.prose import lexicon_of
from pbem.services.session.keys import the_home

if TYPE_CHECKING:
    from pbem.engine.game import Game

LIMIT = 1024 * 1024
AGAIN = "use the view file from the email of your report again"
WHOLE = "use the whole email of your newest report, which is signed, in place of its view file"


class Seen(NamedTuple):
    """A view file, read."""

    game: "Game"
    view: Any
    seat: str
    head: str
    code: str
    done: tuple[str, ...]
    id: str  #: of the game
    rulings: str
    nr: int  #: the highest number of orders that the moderator had seen
    n: int  #: of the state
    vouched: bool = False  #: a block of the game's referee names this very file


def read_view(path: Path) -> Seen:
    """The View in a view file; BadInput ``view/…`` where it is none, Refused ``view/changed`` where
    its own report names another.
    """
    data = read_input(str(path), LIMIT)
    text, raw = _view_text(data)
    if "[view]" not in text:
        why = f"{path} is neither a view file nor the email of a report"
        raise BadInput("view/none", why, "use the file SEAT.view.toml that came with your report")
    with naming(path, AGAIN):
        seen = _seen(toml.load(text, "view"))
    return seen._replace(vouched=_vouched(seen, raw, _reports(path, data)))


def _view_text(data: bytes) -> tuple[str, bytes]:
    """The view file in these bytes: itself, attached to a mail, or quoted in a text; as it was."""
    if data.removeprefix(b"\xef\xbb\xbf").startswith(b"pbem = "):
        return decode(data), data
    try:
        letter = read_letter(unmarked(data))
    except BadInput:
        return "", b""
    attached = [one.data for one in letter.attachments if b"[view]" in one.data]
    if attached:
        return decode(attached[0]), attached[0]
    lines = [line.lstrip("> \t\xa0") for line in letter.text().split("\n")]
    start = next((i for i, line in enumerate(lines) if line.startswith("pbem = 1")), len(lines))
    text = "\n".join(lines[start:])
    return text, b""


def _reports(path: Path, data: bytes) -> list[Block]:
    """The signed blocks in the email itself, or in the report or email beside a view file."""
    stem = path.name.removesuffix(".toml").removesuffix(".view")
    beside = (path.with_name(f"{stem}{end}") for end in (".txt", ".eml"))
    texts = [data, *(read_input(str(one), MAIL_LIMIT) for one in beside if is_file(one))]
    found: list[Block] = []
    for one in texts:
        with suppress(BadInput):
            found += find_blocks(read_letter(unmarked(one)).text())
    return found


def _vouched(seen: Seen, raw: bytes, reports: list[Block]) -> bool:
    """Whether the referee signed that this file belongs to a report; Refused ``view/changed``
    where the report of its state names another file.

    Whose key that is, the player's own key says, if they joined with it; else any key is the
    referee's.
    """
    told, referee = (seen.id, seen.seat, unb64(seen.head, 32)), b""
    mine = [x for x in reports if (x.game, x.seat, x.head) == told and x.genuine()]
    with suppress(BadInput):  # there is none
        ring = read_keyring(the_home(), seen.id, seen.seat) or b""
        referee = contribution.decode_keyring(ring, seen.id, seen.seat).referee
    by_referee = [x for x in mine if referee in (b"", x.key)]
    named = {sha for one in by_referee or mine for _, sha in one.files}
    if raw and mine and digest(raw) not in named:
        why = "this view file was changed: its report was signed with another one"
        raise Refused("view/changed", why, AGAIN)
    return bool(raw and by_referee)


def _seen(document: dict[str, Any]) -> Seen:
    reader = TableReader(document, "")
    reader.number("pbem", 1, 1)
    kind, seat, code, head = (reader.text(key) for key in ("kind", "seat", "code", "head"))
    n = reader.number("n", 0, 999_999)
    name, rulings = reader.text("game"), reader.text("rulings")
    nr = reader.number("nr", 0, MOST_NR)
    seats = tuple(row.partition(" ")[0] for row in reader.rows("seats"))
    options = tuple(
        (name, value) for name, _, value in (row.partition("=") for row in reader.rows("options"))
    )
    done = tuple(reader.rows("done"))
    reader.table("view")
    reader.done()
    _check_names(name, code if seat != SPECTATORS else None, head)
    game = catalog.playing(kind, rulings, "use the pbem that your referee uses")
    config = game.configure(seats, dict(options), rulings)
    if seat not in (*seats, SPECTATORS):
        raise BadInput("view/seat", "its seat is not a seat of its game")
    view = game.decode_view(config, document["view"])
    return Seen(game, view, seat, head, code, done, name, rulings, nr, n)


def _check_names(game: str, code: str | None, head: str) -> None:
    """What ties the file to its report, as the referee's pbem wrote it; BadInput ``view/…``."""
    if not re.fullmatch(GAME_ID, game):
        raise BadInput("view/game", "its `game` is not the id of a game", AGAIN)
    if code is not None and canonical(code) != code:
        raise BadInput("view/code", "its `code` is not a code such as K7Q2-9F3A", AGAIN)
    try:
        unb64(head, 32)
    except BadInput:
        raise BadInput("view/head", "its `head` is not the head of a state", AGAIN) from None


MEND = "correct these lines; `pbem orders check` says more"


class Checked(NamedTuple):
    """What the moderator would make of a player's orders."""

    seen: Seen
    taken: Taken
    others: bool  #: they carry the code of another report
    has_key: bool  #: the key of the seat is here: its orders are signed
    rows: list[dict[str, Any]]  #: verdicts on its report, and on older ones beside it
    proposal: tuple[str, ...] = ()  #: what they may mean, where they are not good


def check_orders(view: Path, file: str, old: Sequence[Path] = ()) -> Checked:
    """Judge them as the moderator will; ``old``: to compare the report with."""
    seen = read_view(view)
    if old and view.suffix == ".toml":
        why = f"{view} alone is not signed, so there is nothing to compare"
        raise BadInput("view/alone", why, "use the whole email of your newest report")
    sent = with_answers(read_message(read_input(file, MAIL_LIMIT)))
    others = bool(sent.codes) and seen.code not in sent.codes
    rows = verdicts([view, *old], None, seen.id) if old else []
    taken = _taken(seen, sent)
    lines = () if taken.accepted else proposal(_reader(seen), _asked(seen), taken.read)
    return Checked(seen, taken, others, _has_key(seen), rows, (*lines, *taken.read.offers))


def _taken(seen: Seen, sent: Incoming, signs: bool = False) -> Taken:
    """``signs``: they are to be signed."""
    try:
        sheet, asked = sheet_of(sent, seen.game), _asked(seen)._replace(nr=int(signs))
        return take(seen.game, asked, Hand(done=seen.done), settled(_reader(seen), sheet))
    except Exception as error:
        if seen.vouched or isinstance(error, PbemError):
            raise
        why = "the view file is damaged: no game comes to the position in it"
        raise BadInput("view/position", why, AGAIN) from error


def _asked(seen: Seen) -> Asked:
    return Asked(seen.view, bool(seen.game.legal(seen.view)), seen.head)


def _reader(seen: Seen) -> Reader:
    return Reader(seen.game, seen.view, grammar_of(seen.game), lexicon_of(seen.game))


def _has_key(seen: Seen) -> bool:
    if seen.seat == SPECTATORS:
        return False
    return look(keyring_path(the_home(), seen.id, seen.seat)) is not None


def sign_orders(view: Path, file: str) -> tuple[Seen, list[str], int, str]:
    """The lines, their number, and the text to send with their signatures; Refused ``sign/…``
    unless all of it is good.
    """
    seen = read_view(view)
    sent = with_answers(read_message(read_input(file, MAIL_LIMIT)))
    if said := vote_of(one_answer(sheet_of(sent, seen.game))):
        return seen, *_answered(seen, sent, said)
    lines = _lines(seen, sent)
    signed, text = _signed(seen, lines, sent.listed)
    return seen, lines, signed.nr, text


def _answered(seen: Seen, sent: Incoming, said: str) -> tuple[list[str], int, str]:
    """The answer to the question whether something may be, signed: it has no number, and what it
    is about stands in the email that asks.
    """
    asked = asking_in(line.text for line in (*sent.lines, *sent.below))
    if asked is None or not sent.codes:
        why = f"the file says `{said}`, and not what to"
        way = "write it at the top of your reply, and keep the email that asks you quoted below it"
        raise Refused("sign/no-question", why, way)
    if (asked.game, asked.seat, asked.head) != (seen.id, seen.seat, seen.head):
        why = "that email does not ask you, or the game has gone on since"
        way = "use the view file of your newest report; a newer email may ask you again"
        raise Refused("sign/other-question", why, way)
    meaning = asked.meaning(said, seen.n)
    if not meaning:
        why = f"the email asks you to agree to `{asked.act}`, which pbem asks nobody"
        raise Refused("sign/other-act", why, "nothing is signed; ask the referee what it means")
    notices[f"by signing this, {meaning}; if the email says otherwise, do not send it"] = None
    ring = contribution.decode_keyring(_keyring(seen), seen.id, seen.seat)
    signs = ((1, asked.signed(said, ring.signing)),)
    block = write_signatures(OrderSignatures(seen.id, seen.seat, 0, seen.head, signs))
    text = "".join(f"{part}\n" for part in (said, "", block, "", f"[pbem {sent.codes[0]}]"))
    return [f"{said}: {meaning}"], 0, text


def _keyring(seen: Seen) -> bytes:
    """The key of the seat, which must be on this machine; BadInput ``keyring/none``."""
    home = the_home()
    data = read_keyring(home, seen.id, seen.seat)
    if data is None:
        why = f"there is no key for {seen.seat} in {home.path / 'players' / seen.id}"
        way = "sign where you joined; `pbem orders join` made the key there"
        raise BadInput("keyring/none", why, way)
    return data


def _lines(seen: Seen, sent: Incoming) -> list[str]:
    """What is to be signed, line by line; Refused ``sign/…`` unless all of it is good."""
    if sent.codes and seen.code not in sent.codes:
        why = "the orders have the code of another report than the view file"
        raise Refused("sign/other-report", why, "use the view file of that report")
    taken = _taken(seen, sent, signs=True)
    bad = [one for one in taken.verdicts if one.what in ("refused", "doubtful")]
    if bad:
        raise Refused("sign/not-good", f"nothing is signed: {verdict_lines(bad)[0]}", MEND)
    # the lines as they would lie in it: complete, and each on its own
    waits = [as_signed(part, kept) for part in taken.hand.parts for kept in part.lines]
    lines = [*waits, *taken.asks]
    if not lines:
        raise Refused("sign/nothing", "there is no order in it", "write one order per line")
    for line in lines:
        if len(line.encode()) > LONGEST:
            why = f"`{line}` is longer than {LONGEST} letters"
            raise Refused("sign/too-long", why, "write it in shorter words")
    return lines


def _signed(seen: Seen, lines: list[str], listed: bool) -> tuple[OrderSignatures, str]:
    """The signatures and the text to send, under a number that is on the drive before anybody sees
    them; a text that does not read back uses up none.
    """
    home = the_home()
    _keyring(seen)
    with hold_keyrings(home, seen.id):
        data = read_keyring(home, seen.id, seen.seat) or b""
        ring = contribution.decode_keyring(data, seen.id, seen.seat)
        if ring.nr >= MOST_NR:
            why = f"the key of {seen.seat} has signed orders number {ring.nr}, the last there is"
            raise Refused("sign/numbers", why, "ask the referee for a new key at your seat")
        if seen.nr > ring.nr and not seen.vouched:
            why = f"the view file says that your last orders were number {seen.nr}, here {ring.nr}"
            raise Refused("sign/number", why, WHOLE)
        if seen.nr >= MOST_NR or seen.nr > ring.nr + LEAP:
            why = f"your last orders were number {seen.nr}, those signed here number {ring.nr}"
            raise Refused("sign/numbers", why, "ask the referee for a new key at your seat")
        ring = ring._replace(nr=max(ring.nr, seen.nr) + 1)
        order = signed_orders.Order(seen.id, seen.seat, ring.nr, seen.head, seen.rulings)
        signed = signed_orders.sign_orders(order, lines, ring.signing)
        if listed:
            text = write_move_file(seen.code, tuple(lines), signed=signed).decode()
        else:
            parts = (*lines, "", write_signatures(signed), "", f"[pbem {seen.code}]")
            text = "".join(f"{part}\n" for part in parts)
        _read_back(text, lines, signed, seen)
        write_keyring(home, seen.id, seen.seat, contribution.encode_keyring(ring))
    return signed, text


def _read_back(text: str, lines: list[str], signed: OrderSignatures, seen: Seen) -> None:
    """What the moderator will read of it must be what was signed."""
    sent = read_message(text.encode())
    found: Any = [line for _, line in signed_form(sheet_of(sent, seen.game))]
    if (found, sent.signed, sent.codes) != (lines, (signed,), (seen.code,)):
        raise OurFault("sign/read-back", "the signed text does not read back", "report this")
