"""One trial: a game, a twin for one seat, everything compared, both played on, compared again.

What lives here: ``trial`` and its Tally. Not allowed here: a wish about what leaks.
Source: docs/DESIGN.md P2; FORMAT.md "Notation"; R-1.
"""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

from pbem.engine.optional_parts import never
from pbem.services.receive.receive import FOREIGN_CODE, NO_CODE

from .fake_seals import faked
from .sorts import CHANG_CHENG, Sort
from .told import OPEN, Leak, letter, letters, mail, same, some_orders, told
from .worlds import RULINGS, TIMED, Below, World, chance, go_on, opened_world, twin_of

LINKS = 4  # played on after the twins were made


class Tally(NamedTuple):
    """What a trial saw."""

    stage: str
    hidden: bool  #: something was hidden from the seat
    unlike: bool  #: and the truth of the first twin drawn differed
    links: int  #: compared after the first
    compared: int
    parted: bool  #: a reveal ended it: it showed what differs
    still_unlike: int  #: links compared while the truths still differed


def trial(
    root: Path, seats: int, seed: int, kind: type[World] = World, sort: Sort = CHANG_CHENG, timed: bool = False
) -> Tally:
    """Raises Leak. ``root`` is a folder that is not there yet; ``kind``: by which commands;
    ``timed``: a game with deadlines.
    """
    try:
        with faked():
            return _trial(root, seats, seed, kind, sort, TIMED if timed else None)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _trial(root: Path, seats: int, seed: int, kind: type[World], sort: Sort, timed: dict[str, str] | None) -> Tally:
    below = chance(seed, seats)
    one = opened_world(root / "one", seats, seed, timed, world_of=kind, kind=sort.kind)
    stage, most = sort.stages[below(len(sort.stages))]
    go_on(one, below, below(most), lambda public: sort.stage(public) == stage)
    everybody = (*one.session.record.setup.seats, None)
    asked = one.asked()
    seat = asked[0] if asked and below(3) == 0 else everybody[below(len(everybody))]
    _fill_hands(one, below, sort)
    other = twin_of(one, root / "other", seat, _leaning(below))
    unlike = one.state != other.state
    if not unlike:  # counted, and drawn again from all there are
        shutil.rmtree(other.root)
        other = twin_of(one, other.root, seat, below)
    pair = _Pair(one, other, seat, below, sort)
    hidden = pair.something_hidden()
    one.keep_private(seat, "one")
    other.keep_private(seat, "other")
    one.report_again()
    other.report_again()
    pair.compare()
    pair.write()
    pair.others_write()
    parted = pair.play_on()
    if not parted:
        pair.rule()
    reached = sort.stage(one.session.game.encode(one.state).public) if stage == "over" else stage
    return Tally(reached, hidden, unlike, pair.links, pair.compared, parted, pair.still_unlike)


def _leaning(below: Below) -> Below:
    """A third of the twins differ in little, so that a reveal does not part them at once."""
    if below(3):
        return below
    return lambda bound: below(bound) if below(6) == 0 else 0


def _fill_hands(world: World, below: Below, sort: Sort) -> None:
    """Some of them, the seat perhaps too, have orders in hand: none that can be used."""
    for who in world.session.record.setup.seats:
        if below(2):
            lines = idle(world, who, sort)[: 1 + below(2)]
            world.receive(letter(world.session.code(who), "later:", *lines))


def idle(world: World, seat: str, sort: Sort) -> list[str]:
    """Standing orders that are kept and never used, as far as the seat can tell."""
    game, view = world.session.game, world.view(seat)
    return [
        f"when {name}: {line}"
        for name, line in sort.idle(world.session.record.position)
        if not game.why_never(view, name) and never(game, view, line) is None
    ]


class _Pair:
    """Two worlds, and the seat that must not tell them apart."""

    def __init__(self, one: World, other: World, seat: str | None, below: Below, sort: Sort) -> None:
        self.one, self.other, self.seat, self.below, self.sort = one, other, seat, below, sort
        self.links = self.compared = self.still_unlike = 0

    @property
    def who(self) -> str:
        return self.seat or "a spectator"

    def something_hidden(self) -> bool:
        hidden = self.one.session.game.encode(self.one.state).hidden
        return any(self.seat not in one.audience for one in hidden.values())

    def lines(self) -> tuple[str, ...]:
        return self.sort.spellable(self.one.session.record.position)

    def same(self, what: str, here: Any, there: Any) -> None:
        self.compared += 1
        if here != there:
            raise Leak(what, self.who, here, there)

    def compare(self, shared: bool = True) -> None:
        """Everything the seat is told, in both."""
        lines = self.lines()
        here, there = (told(world, self.seat, lines, shared) for world in (self.one, self.other))
        if self.sort.open_hands:  # the law of what such an order may tell is laws_of_secrecy's
            del here[OPEN], there[OPEN]
        self.compared += len(here)
        same(self.seat, here, there)

    def write(self) -> None:
        """The seat's mails, then some of unknown senders; each is answered the same."""
        if self.seat is not None:
            code = self.one.session.code(self.seat)
            self.same("code", code, self.other.session.code(self.seat))
            rows = [[*letters(w, self.seat, chance(code), self.lines(), self.sort)] for w in (self.one, self.other)]
            self.same("mails it would write", rows[0], rows[1])
            for what, data in rows[0]:
                self.both(f"answer to {what}", data)
        self.forge()
        self.compare(shared=False)

    def both(self, what: str, data: bytes) -> None:
        self.same(what, self.one.receive(data), self.other.receive(data))

    def forge(self) -> None:
        """Mails without a good code: one fixed line, whatever is in them, and one for those without
        any (P6).
        """
        lines = self.lines()
        for code, fixed in (("", NO_CODE), ("0000-0000", FOREIGN_CODE), ("K7Q2-9F3A", FOREIGN_CODE)):
            answers = set()
            for at in range(0, len(lines), 60):
                data = letter(code, lines[at]) if code else f"{lines[at]}\n".encode()
                answer = self.one.receive(data)
                self.same("answer to a forged mail", answer, self.other.receive(data))
                answers.add(str(answer))
            told = [fixed.message in one for one in answers]
            self.same("answers to forged mails", told, [True])

    def others_write(self) -> None:
        """In one world the others send this and that, in the other nothing; they take it back."""
        for who in self.one.session.record.setup.seats:
            if who == self.seat:
                continue
            world = (self.one, self.other)[self.below(2)]
            code = world.session.code(who)
            legal = world.session.game.legal(world.view(who))
            for lines in (legal[:1], (self.sort.never,), ("help",), ("later:", *self.lines()[:7])):
                world.receive(letter(code, *lines))
            if self.seat and self.below(2):  # somebody has his code, and writes in his own name
                world.receive(mail(code, self.seat, "resend"))
        if self.seat is not None:
            code = self.one.session.code(self.seat)
            legal = self.one.session.game.legal(self.one.view(self.seat))
            self.both("answer to an order among others' orders", letter(code, *legal[-1:], "thanks"))
            self.both("answer to an order among others' orders", letter(code, "later:", self.sort.later[0]))
            self.both("answer to an order among others' orders", letter(code, "Withdraw."))
        self.compare(shared=False)
        for world in (self.one, self.other):
            for who in world.session.record.setup.seats:
                if who != self.seat:
                    world.receive(letter(world.session.code(who), "withdraw", "please"))
                    world.receive(letter(world.session.code(who), "withdraw"))
        self.compare(shared=False)

    def play_on(self) -> bool:
        """The same inputs, as far as all can see; True if a reveal parted the two."""
        while self.links < LINKS and self.one.asked():
            self.one.clock += 60
            self.other.clock += 60
            if not self._give():
                return False  # in the twin's world nothing looks like that order
            here, there = self.one.resolve(), self.other.resolve()
            if self._parted():
                return True
            self.same("answer to resolve", here, there)
            self.links += 1
            self.still_unlike += self.one.state != self.other.state
            self.compare()
            if self.links == LINKS:
                self.write()
        return False

    def rule(self) -> None:
        """The same rulings in both; another seat gets another player."""
        who = next(one for one in self.one.session.record.setup.seats if one != self.seat)
        for what in RULINGS:
            for world in (self.one, self.other):
                world.clock += 60
                world.rule(what, who)
            self.compare()
        for hours in (20, 30, 60):  # up to a reminder, and over the deadline
            here, there = (world.pass_time(hours) for world in (self.one, self.other))
            if self._parted():
                return
            self.same("when there is something to do again", here, there)
            self.compare()

    def _give(self) -> bool:
        """Somebody who is asked sends an order that looks the same in both worlds."""
        game = self.one.session.game
        questions = game.questions(self.one.view(None))
        question = questions[self.below(len(questions)) if len(questions) > 1 else 0]
        seat = question.seat
        if question.forced and self.below(2):
            return True  # answered without anybody's mail, in both
        here = game.legal(self.one.view(seat))
        if self.sort.open_hands and seat != self.seat:
            there = game.legal(self.other.view(seat))
            here = tuple(one for one in here if one in there) or here
        line = here[self.below(len(here))]
        hiding = [one for one in here if game.public_words(one) != one]
        if hiding and self.below(3):
            line = hiding[self.below(len(hiding))]
        data = [line, line]
        if seat != self.seat:
            looks = game.public_words(line)
            there = tuple(one for one in game.legal(self.other.view(seat)) if game.public_words(one) == looks)
            if not there and self.sort.open_hands and looks == line:
                return False  # the card shown parts the two
            if not there:
                raise Leak("orders as all read them", self.who, looks, "none such")
            unlike = tuple(one for one in there if one != line) or there
            at_once = line in there and self._shows_something(seat, line)
            data[1] = line if at_once else unlike[self.below(len(unlike))]
        whole: tuple[str, ...] = (line,)
        if data[0] == data[1] and self.below(2):
            whole = some_orders(game, self.one.view(seat), self.below)
            whole = whole if seat == self.seat else (line,)
        for world, text in ((self.one, data[0]), (self.other, data[1])):
            rows = whole if text == line else (text,)
            left = idle(world, seat, self.sort)[: self.below(3)] if seat != self.seat else []
            extra = ("later:", *left) if left else ()
            world.receive(letter(world.session.code(seat), *rows, *extra))
        return True

    def _shows_something(self, seat: str, line: str) -> bool:
        """Whether something is opened to all with this very order: the last of several bids, say,
        is seen with the others.
        """
        step = self.one.session.game.apply(self.one.state, seat, line, 0)
        return any(who == "all" for event in step.events for who, _ in event.opens)

    def _parted(self) -> bool:
        """Whether what was opened to all, or to the seat, is not the same in both."""
        shown = []
        for world in (self.one, self.other):
            slots = [
                slot for event in world.session.record.events for who, slot in event.opens if who in ("all", self.seat)
            ]
            shown.append([(slot, world.book.of.get(slot)) for slot in slots])
        return shown[0] != shown[1]
