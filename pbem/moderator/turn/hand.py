"""Orders in hand: what a player has sent and what is not used yet. His secret and the referee's.

What must never be here: another seat's hand; a look at the State.
Laws: a higher number replaces all unused lines; what is used, kept or dropped depends on the seat's
own View and on its own lines alone.
Source: docs/NOTATION.md "A mail or move file"; R-1; docs/SPECIFICATION.md section 9.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.engine.row import say
from pbem.errors import BadInput
from pbem.files import state_file
from pbem.files.toml_text import TableReader
from pbem.moderator.chain.people import REPLIED, SOURCES
from pbem.moderator.sentences import DROPPED, LEFT_OVER

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Kept(NamedTuple):
    """One line in hand. ``when`` names a province (or the like) it waits for; "" for none."""

    number: int  #: in its mail
    line: str
    when: str = ""


def place_of(order: str) -> str:
    """Where a card goes: the last name of its order (docs/NOTATION.md: ``then``)."""
    return order.rsplit(" ", 1)[-1]


class Signature(NamedTuple):
    """The player's own signature of a line in hand: its number, and the line as he signed it."""

    number: int
    sig: str  #: b64
    line: str


UNSIGNED = Signature(0, "", "")


class Hand(NamedTuple):
    """One seat's orders in hand, and what its last mail was answered with."""

    nr: int = 0  #: rises by one with every mail that was taken
    turn: int = 0  #: the turn that ``first`` belongs to
    source: str = REPLIED.name
    quoted: str = ""  #: the head (b64) of the link the orders were written for
    first: tuple[Kept, ...] = ()
    later: tuple[Kept, ...] = ()
    stopped: int = -1  #: the question at which a line was dropped: the rest waits for the player
    done: tuple[str, ...] = ()  #: forced answers given for the seat since it last answered itself
    notes: tuple[str, ...] = ()  #: what became of its lines in the newest link, for its report
    handled: tuple[tuple[str, int], ...] = ()  #: (digest of a mail, receipt number), newest last
    receipts: int = 0
    receipt: str = ""  #: the newest receipt, so that it can be written after a kill
    ruled: int = 0  #: the first question whose answers count after a ruling made older ones void
    seen: int = 0  #: the highest number of signed orders that came, kept or refused
    signed: tuple[Signature, ...] = ()  #: of the lines in hand, where they are signed
    answered: int = 0  #: of a seat with a key: its questions answered when this was written
    answer: str = ""  #: before the deal: the row of what the seat gave, or opened; "" for none yet
    declined: str = ""  #: before the deal: the line by which the player said that he does not play

    @property
    def lines(self) -> tuple[Kept, ...]:
        """All lines in hand, those of the first part first."""
        return self.first + self.later

    def signature(self, number: int) -> Signature:
        """That of the line in hand with this number; an empty one where it is not signed."""
        return next((one for one in self.signed if one.number == number), UNSIGNED)


LATER, WHEN = "later: ", "when "  #: what a signed line begins with that waits
MOST = 10**6  #: of whatever is counted here
MOST_HANDLED = 20  # digests remembered: a mail that comes twice comes soon


def pick(hand: Hand, game: "Game", view: Any, question: int) -> tuple[Kept | None, Hand]:
    """The line that answers the question now put to the View's seat (or None), and the hand
    afterwards; what is illegal is dropped.

    ``question`` is the seat's question number. A dropped line stops the rest of its mail until the
    question is answered (docs/NOTATION.md: "the rest of that mail waits").
    """
    hand = without_old_turn(hand, game.turn(view))
    if hand.stopped == question:
        return None, hand
    for part in ("first", "later"):
        found = _next_line(getattr(hand, part), game, view)
        if found is None:
            continue
        rest = tuple(line for line in getattr(hand, part) if line is not found)
        hand = hand._replace(first=rest) if part == "first" else hand._replace(later=rest)
        found = found._replace(line=game.complete(view, found.line))
        refusal = game.check(view, found.line)
        if refusal is None:
            return found, hand
        note = say(DROPPED, line=found.line, why=refusal.sentence, ruling=refusal.ruling)
        return None, hand._replace(stopped=question, notes=(*hand.notes, str(note)))
    return None, hand


def _next_line(lines: tuple[Kept, ...], game: "Game", view: Any) -> Kept | None:
    """The line that answers this sort of question: one that waits for just it before others."""
    fitting = [line for line in lines if game.fits(view, line.line)]
    awaited = (line for line in fitting if line.when and game.concerns(view, line.when))
    return next(awaited, None) or next((line for line in fitting if not line.when), None)


def without_old_turn(hand: Hand, turn: int) -> Hand:
    """What is left of a first part lives for one turn only."""
    if not hand.first or hand.turn == turn:
        return hand
    note = say(LEFT_OVER, lines=", ".join(f"`{kept.line}`" for kept in hand.first))
    return hand._replace(first=(), notes=(*hand.notes, str(note)))


def repeats(done: tuple[str, ...], lines: tuple[str, ...]) -> int:
    """How many of a mail's first lines only repeat, in order, what was done for the seat (R-1)."""
    number = 0
    while number < min(len(lines), len(done)) and lines[number] == done[number]:
        number += 1
    return number


def line_of(kept: Kept) -> str:
    """A line in hand as its player would write it."""
    return f"when {kept.when}: {kept.line}" if kept.when else kept.line


def order_of(line: str) -> str:
    """The order itself in a line as it was signed: without what it waits for."""
    if line.startswith(WHEN) and ": " in line:
        return line.split(": ", 1)[1]
    return line.removeprefix(LATER)


def standing_line(order: str, when: str) -> str:
    """A standing order as it is signed and shown."""
    return f"{WHEN}{when}: {order}" if when else f"{LATER}{order}"


def hand_lines(hand: Hand) -> list[str]:
    """The orders in hand as their player could send them again, `later:` and all."""
    apart = ["later:"] if any(not kept.when for kept in hand.later) else []
    return [*map(line_of, hand.first), *apart, *map(line_of, hand.later)]


def encode_hand(hand: Hand) -> bytes:
    """The file of a hand (desk/hand/<n>/<seat>.toml): what is not as in an empty one."""
    used = {kept.number for kept in hand.lines}
    document = hand._asdict() | {
        "first": [f"{kept.number} {kept.line}" for kept in hand.first],
        "later": [f"{kept.number} {kept.when or '-'} {kept.line}" for kept in hand.later],
        "done": list(hand.done),
        "notes": list(hand.notes),
        "handled": [f"{digest} {number}" for digest, number in hand.handled],
        "signed": [
            f"{one.number} {one.sig} {one.line}" for one in hand.signed if one.number in used
        ],
    }
    plain = {key: value for key, value in document.items() if value not in (EMPTY[key], [])}
    return state_file.dump({"pbem": 1, **plain})


EMPTY = Hand()._asdict()

HAND_LOST = "put it back from a backup, or delete it and ask the player for new orders"


def decode_hand(data: bytes, seat: str) -> Hand:
    """Read it back; BadInput ``document/…`` names the seat whose file is damaged."""
    where = f"the waiting orders of {seat}"
    reader = TableReader(state_file.parse(data), where)
    reader.number("pbem", 1, 1)
    try:
        hand = _decoded(reader)
    except (ValueError, IndexError):
        wrong = f"{where}: a row is not of the expected shape"
        raise BadInput("document/row", wrong, HAND_LOST) from None
    reader.done()
    signed = {one.number for one in hand.signed if one.sig}
    if hand.source == "signed" and not {x.number for x in hand.lines} <= signed:
        wrong = f"{where}: a signed order has lost its signature"
        raise BadInput("document/unsigned", wrong, HAND_LOST)
    return hand


def _decoded(reader: TableReader) -> Hand:
    first = [row.partition(" ") for row in reader.maybe_rows("first") or ()]
    later = [row.split(" ", 2) for row in reader.maybe_rows("later") or ()]
    handled = [row.partition(" ") for row in reader.maybe_rows("handled") or ()]
    signed = [row.split(" ", 2) for row in reader.maybe_rows("signed") or ()]
    stopped = reader.maybe_number("stopped", -1, MOST)
    source, quoted = reader.maybe_text("source") or REPLIED.name, reader.maybe_text("quoted")
    if source not in SOURCES or SOURCES[source].given:
        raise ValueError(source)
    for number in (*(row[0] for row in (*first, *later, *signed)), *(row[2] for row in handled)):
        if not number.isascii() or not number.isdecimal() or not 0 <= int(number) <= MOST:
            raise ValueError("number")
    numbers = ("nr", "turn", "receipts", "ruled", "seen", "answered")
    plain: dict[str, Any] = {key: reader.maybe_number(key, 0, MOST) or 0 for key in numbers}
    plain |= {key: reader.maybe_text(key) or "" for key in ("receipt", "answer", "declined")}
    return Hand(
        **plain,
        source=source,
        quoted=b64(unb64(quoted, 32)) if quoted else "",
        first=tuple(Kept(int(index), line) for index, _, line in first),
        later=tuple(Kept(int(i), line, "" if when == "-" else when) for i, when, line in later),
        stopped=-1 if stopped is None else stopped,
        done=tuple(reader.maybe_rows("done") or ()),
        notes=tuple(reader.maybe_rows("notes") or ()),
        handled=tuple((digest, int(number)) for digest, _, number in handled),
        signed=tuple(Signature(int(number), sig, line) for number, sig, line in signed),
    )
