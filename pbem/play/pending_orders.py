"""Orders in hand: what a player has sent and what is not used yet. His secret and the referee's.

What must never be here: another seat's hand; a look at the State; its file (pending_file.py).
Laws: an email replaces the parts that it has lines for, and no other; what is used, kept or dropped
depends on the seat's own View and on its own lines alone.
Source: docs/NOTATION.md "A mail or move file"; R-1; docs/SPECIFICATION.md section 9 "Hands".
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.sources import REPLIED
from pbem.engine.row import say
from pbem.notation.asks import WITHDRAW
from pbem.play.sentences import DROPPED, LEFT_OVER

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Kept(NamedTuple):
    """One line in hand."""

    number: int  #: in its mail
    line: str
    sig: str = ""  #: b64, of the player who signs; then ``signed`` is the line as it was signed
    signed: str = ""
    of: int = 0  #: how many lines its mail has, where it is signed


class Signature(NamedTuple):
    """The player's own signature of a line: its number, and the line as he signed it."""

    number: int
    sig: str  #: b64
    line: str
    of: int = 0  #: how many lines he signed with it


UNSIGNED = Signature(0, "", "")
NOW, LATER, WHEN = "now", "later", "when "  #: names of parts; one that waits is ``when NAME``
REST = "rest "  #: and the number of a mail: its lines that are in no part, or in none any more


class Part(NamedTuple):
    """What one email said for now, for later, or for one NAME: another for that replaces it."""

    name: str
    rows: tuple[Kept, ...]
    nr: int = 0  #: of the email
    source: str = REPLIED.name
    quoted: str = ""  #: the head (b64) of the link its lines were written for
    turn: int = 0  #: the turn that the part ``now`` belongs to

    @property
    def lines(self) -> tuple[Kept, ...]:
        """Its unused lines, which may be used."""
        return () if self.rest else self.rows

    @property
    def rest(self) -> bool:
        """What came with a mail, and is not to be used."""
        return self.name.startswith(REST)

    @property
    def when(self) -> str:
        """The NAME that it waits for; "" for none."""
        return self.name.removeprefix(WHEN) if self.name.startswith(WHEN) else ""


def place_of(order: str) -> str:
    """Where a card goes: the last name of its order (docs/NOTATION.md: ``then``)."""
    return order.rsplit(" ", 1)[-1]


def part_name(when: str) -> str:
    """The part of a line that waits: for this NAME, or ``""``."""
    return f"{WHEN}{when}" if when else LATER


SEVERAL = ""  #: more than one thing was proposed at this question


class Hand(NamedTuple):
    """One seat's orders in hand, and what its last mail was answered with."""

    parts: tuple[Part, ...] = ()  #: now, later, those that wait for a NAME, sorted; the rests
    nr: int = 0  #: the highest number of a mail that was taken
    settled: int = 0  #: and what it was when the newest link was made
    stopped: tuple[int, int] = (-1, 0)  #: at this question a line was dropped: parts up to nr wait
    done: tuple[str, ...] = ()  #: forced answers given for the seat since it last answered itself
    notes: tuple[str, ...] = ()  #: what became of its lines in the newest link, for its report
    handled: tuple[tuple[str, int], ...] = ()  #: (digest of a mail, receipt number), newest last
    receipts: int = 0
    tried: int = 0  #: ``nr`` when its player was told last what could not be used, and nothing was
    receipt: str = ""  #: the newest receipt, so that it can be written after a kill
    ruled: int = 0  #: the first question whose answers count after a ruling made older ones void
    seen: int = 0  #: the highest number of signed orders that came, kept or refused
    answered: int = 0  #: of a seat with a key: its questions answered when this was written
    answer: str = ""  #: before the deal: the row of what the seat gave, or opened; "" for none yet
    declined: str = ""  #: before the deal: the line by which the player said that he does not play
    came: tuple[str, ...] = ()  #: when what stands in each part came (email_order.py)
    taken: str = ""  #: when its player was answered last
    mails: str = ""  #: which reports its player gets: one of MAILS; "" is the first of them
    held: int = 0  #: an email is held at this question of its seat, counted from 1; 0 for none
    proposal: tuple[str, ...] = ()  #: what pbem proposed for it, as a player writes it
    #: the emails of ours that say so, by what each is called; SEVERAL if others said other things
    shown: tuple[str, ...] = ()

    def holding(self, question: int, proposal: Sequence[str], email: str) -> "Hand":
        """With a held email at this question, and what our ``email`` proposes for it."""
        other = self.proposal not in ((), tuple(proposal)) or SEVERAL in self.shown
        shown = (SEVERAL, email) if other and self.held == question + 1 else (email,)
        return self._replace(held=question + 1, proposal=tuple(proposal), shown=shown)

    def without_held(self) -> "Hand":
        """With no email held."""
        return self._replace(held=0, proposal=(), shown=())

    @property
    def lines(self) -> tuple[Kept, ...]:
        """All lines in hand, part by part."""
        return tuple(kept for part in self.parts for kept in part.lines)

    def with_parts(self, parts: Iterable[Part]) -> "Hand":
        """These parts in place of those of their names; one without rows is gone."""
        found = {part.name: part for part in (*self.parts, *parts)}
        there = sorted((part for part in found.values() if part.rows), key=_place)
        return self._replace(parts=tuple(there))

    def with_mail(self, parts: Sequence[Part], rest: Part, back: Iterable[str]) -> "Hand":
        """With the parts of a mail, without those of the names that it takes back.

        Of each signed mail that came since the newest link, and says what is in hand, all stays
        until the next: lines that were replaced or taken back lie in its rest.
        """
        gone = {*back, *(part.name for part in parts)}
        rests = {part.nr: part for part in (*self.parts, rest) if part.rest}
        for part in self.parts:
            if part.name in gone and part.nr > self.settled and part.rows[0].of:
                before = rests.get(part.nr, part._replace(name=f"{REST}{part.nr}", rows=(), turn=0))
                rows = sorted((*before.rows, *part.rows))
                rests[part.nr] = before._replace(rows=tuple(rows))
        kept = [*(x for x in self.parts if not x.rest and x.name not in gone), *parts]
        said = {part.nr for part in kept}
        needed = (x for x in rests.values() if x.nr in said or any(map(takes_back, x.rows)))
        return self._replace(parts=(), nr=rest.nr).with_parts([*kept, *needed])

    def knowing(self, number: int, *marks: str) -> "Hand":
        """With these marks of an email, which had this receipt, and is known by them again."""
        known = (*self.handled, *((mark, number) for mark in marks))
        return self._replace(handled=known[-MOST_HANDLED:])

    def without(self, part: Part, *used: Kept) -> "Hand":
        """Without these lines of a part."""
        left = tuple(kept for kept in part.rows if kept not in used)
        return self.with_parts([part._replace(rows=left)])


def _place(part: Part) -> tuple[int, int, str]:
    ranks = {NOW: 0, LATER: 1}
    return (3, part.nr, "") if part.rest else (ranks.get(part.name, 2), 0, part.name)


def takes_back(kept: Kept) -> bool:
    """Whether a line is no order, but takes orders back."""
    return kept.line.split(" ")[0] == WITHDRAW


def taken_back(name: str, asks: Iterable[str]) -> bool:
    """Whether one of these takes back the part of this name."""
    return not {WITHDRAW, f"{WITHDRAW} {name.removeprefix(WHEN)}"}.isdisjoint(asks)


MOST = 10**6  #: of whatever is counted here
MOST_HANDLED = 20  # digests remembered: a mail that comes twice comes soon
NOT_STOPPED = Hand().stopped


class Picked(NamedTuple):
    """A line that answers a question, as it is carried out, and what it was in hand."""

    line: str
    kept: Kept
    part: Part


def pick(hand: Hand, game: "Game", view: Any, question: int) -> tuple[Picked | None, Hand]:
    """The line that answers the question now put to the View's seat (or None), and the hand
    afterwards; what is illegal is dropped.

    ``question`` is the seat's question number. A dropped line stops all that was in hand until the
    question is answered: what its player sends then may answer it (docs/NOTATION.md).
    """
    hand = without_old_turn(hand, game.turn(view))
    for part in in_turn(hand, game, view):
        if hand.stopped >= (question, part.nr):
            continue
        kept = next((one for one in part.lines if game.fits(view, one.line)), None)
        if kept is None:
            continue
        line = game.complete(view, kept.line)
        refusal = game.check(view, line)
        if refusal is None:
            return Picked(line, kept, part), hand.without(part, kept)
        last = max(one.nr for one in hand.parts)
        hand = hand.without(part, kept)
        note = say(DROPPED, line=line, why=refusal.sentence, ruling=refusal.ruling)
        return None, hand._replace(stopped=(question, last), notes=(*hand.notes, str(note)))
    return None, hand


def in_turn(hand: Hand, game: "Game", view: Any) -> list[Part]:
    """The parts that may answer now, in the order in which they do: what waits for just this before
    what waits for anything.
    """
    ranks = {NOW: 0, LATER: 2}
    may = [x for x in hand.parts if x.name in ranks or (x.when and game.concerns(view, x.when))]
    return sorted(may, key=lambda part: ranks.get(part.name, 1))


def without_old_turn(hand: Hand, turn: int) -> Hand:
    """What is left of the part for now lives for one turn only."""
    for part in hand.parts:
        if part.name == NOW and part.turn != turn:
            hand = hand.without(part, *part.rows)
            if part.lines:
                lines = ", ".join(f"`{kept.line}`" for kept in part.lines)
                hand = hand._replace(notes=(*hand.notes, str(say(LEFT_OVER, lines=lines))))
    return hand


def after_link(hand: Hand) -> Hand:
    """The hand that a new link leaves. What was withdrawn stands in that link's, for good; the last
    receipt is written, for settling comes before any save.
    """
    parts = tuple(part for part in hand.parts if not part.rest)
    return hand._replace(parts=parts, receipt="", settled=hand.nr)


def repeats(done: tuple[str, ...], lines: tuple[str, ...]) -> int:
    """How many of a mail's first lines only repeat, in order, what was done for the seat (R-1)."""
    number = 0
    while number < min(len(lines), len(done)) and lines[number] == done[number]:
        number += 1
    return number


def order_of(line: str) -> str:
    """The order itself in a line as it was signed: without what it waits for."""
    part = part_of(line)
    return line if part == NOW else line.removeprefix(f"{part}: ")


def part_of(line: str) -> str:
    """The part that a line is of, as it was signed."""
    name, colon, _ = line.partition(": ")
    return name if colon and (name == LATER or name.startswith(WHEN)) else NOW


def standing_line(order: str, when: str) -> str:
    """A standing order as it is signed and shown."""
    return f"{part_name(when)}: {order}"


def as_signed(part: Part, kept: Kept) -> str:
    """A line in hand as its player signs it: with what it waits for."""
    return kept.line if part.name == NOW else standing_line(kept.line, part.when)


def hand_lines(parts: Iterable[Part]) -> list[str]:
    """The orders in hand as their player could send them again, `later:` and all."""
    found: list[str] = []
    for part in parts:
        before = f"{part.name}: " if part.when else ""
        found += [f"{LATER}:"] if part.name == LATER and part.lines else []
        found += [f"{before}{kept.line}" for kept in part.lines]
    return found


def in_time(parts: Iterable[Part], game: "Game", view: Any) -> list[Part]:
    """The parts whose moment may still come."""
    return [part for part in parts if not (part.when and game.why_never(view, part.when))]


def waited(hand: Hand) -> list[str]:
    """What waits in it, as it was sent."""
    return [as_signed(part, kept) for part in hand.parts for kept in part.lines]
