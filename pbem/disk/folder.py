"""One game's folder: game.toml and states/ for everybody, and the desk, its private half, with the
lock that lies in it.

What must never be here: what any of these bytes mean, or whether they are genuine.
The laws: the link of states/NNNN.toml IS the save; what comes before it can be thrown away, what
comes after it can be done again from it. desk/ is 0700 whenever we touch it and every file in it
0600; orders in hand change only under the lock, or an order could be gone with a save beside it.
Source: SPECIFICATION section 5 (saving); DESIGN "One game's folder", P8; decisions/0001.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum
from itertools import chain, count, takewhile
from pathlib import Path
from types import MappingProxyType

from pbem.disk import system, whole
from pbem.disk.modes import keep_private
from pbem.disk.system import os_errors, sync_folder, unfinished
from pbem.disk.whole import checked, fits, read_if_there, state_name
from pbem.errors import OurFault, PbemError, Refused

_STATE = re.compile(r"([0-9]{4}|[1-9][0-9]{4,8})\.toml")  # 00001.toml would be a second 0001


class Mark(Enum):
    """The value is the name of the folder, in desk/."""

    WAITING = "outbox"  #: it is to be sent
    SENDING = "sending"  #: sending it has begun; after a kill, it may have gone or not
    SENT = "sent"  #: the post has it
    FAILED = "failed"  #: the post will not take it
    LETTER = "letters"  #: words to the referee, who has not read them
    READ = "letters-read"


SECRET, CODES, PLAYERS = "secret", "codes", "players.toml"  #: files that every desk has
NEXT = "next"  #: of a round that was cancelled: the ids of the rounds that were begun after it
FORMER = "codes.former"  #: the codes that `restore --go-on` made void, one secret a line
CONSENT, LOST = "consent.toml", "lost"  #: an undo that players are asked about; lost orders
NOT_KEPT = "password-"  #: an email whose name begins so has one: no copy is kept (P11)
LIMIT = 8 << 20  # no file of a game comes near; a larger one is not ours


class GameFolder:
    """One game's folder. States and game.toml are public bytes; all others in and out are secret.

    Raises, everywhere: BadInput or Refused in one line (system.py), ``file/symlink`` for a link
    anywhere below ``root``, ``file/name`` for a name that is not plain (whole.py).
    """

    def __init__(self, root: Path, saved: int | None = None) -> None:
        """``saved``: the newest state that this command saved, under the lock that it holds."""
        system.refuse_unprintable(root)
        self.root, self.saved, self._depth = root, saved, 0

    @contextmanager
    def lock(self, wait_seconds: float = 10.0) -> Iterator[None]:
        """Holds this game's lock; may be nested in one object. Raises Refused ``game/busy``."""
        with ExitStack() as held:
            if not self._depth:
                self.saved = None
                held.enter_context(system.hold(self._desk(make=True) / "lock", wait_seconds))
            self._depth += 1
            try:
                with self.telling_saved():
                    yield
            finally:
                self._depth -= 1

    @contextmanager
    def telling_saved(self) -> Iterator[None]:
        """What fails inside the block says that a state was saved before."""
        try:
            yield
        except PbemError as error:
            if self.saved is None or not error.code.startswith("file/"):
                raise
            raise unfinished(error, self.saved, self.root) from error

    def desk_file(self, name: str) -> bytes | None:
        """The file desk/``name`` (``secret``, ``players.toml``), None if it is not there."""
        return read_if_there(self._desk() / checked(name), LIMIT)

    def put_desk_file(self, name: str, data: bytes) -> None:
        """Writes desk/``name`` whole and durably."""
        if name == "lock":
            raise OurFault("disk/lock-replaced", "the lock must never be written over")
        self._put((), checked(name), data)

    def has_hand(self, n: int) -> bool:
        return system.refuse_link(self._desk("hand") / str(n))

    def hand(self, n: int) -> dict[str, bytes]:
        """The orders in hand for state ``n``: seat to bytes, in order of seats; may be empty."""
        folder, seats = self._desk("hand", str(n)), self._names(("hand", str(n)), ".toml")
        found = {seat: read_if_there(folder / f"{seat}.toml", LIMIT) for seat in seats}
        return {seat: data for seat, data in found.items() if data is not None}

    def put_hand(self, n: int, seat: str, data: bytes) -> None:
        """Takes in the orders of one seat for state ``n``, which must be the newest. Durable.

        Raises OurFault without the lock, or if state ``n + 1`` is there: the orders would be lost.
        """
        self._must_hold()
        if self.has_state(n + 1):
            raise OurFault("disk/stale-hand", f"orders for state {n} came after state {n + 1}")
        self._put(("hand", str(n)), f"{checked(seat)}.toml", data)

    def put_report(self, n: int, name: str, data: bytes, durable: bool = True) -> None:
        """Writes a report of state ``n``; its name is waited for if it is the last one."""
        self._put(("reports", f"{n:04d}"), checked(name), data, durable)

    def report(self, n: int, name: str) -> bytes | None:
        """A report of state ``n``, None if it was not written."""
        return read_if_there(self._desk("reports", f"{n:04d}") / checked(name), LIMIT)

    def put_outbox(self, name: str, data: bytes) -> None:
        """Lays out a message to be sent, desk/outbox/``name``.eml, in the place of one of that name
        that waits. After a kill a message is made again: where it has another mark, it keeps that.
        """
        went = (Mark.SENDING, Mark.SENT, Mark.FAILED)
        called = ((mark, other) for mark in went for other in self._called(mark, checked(name)))
        if not any(self.message(*one) == data for one in called):
            self._put((Mark.WAITING.value,), f"{checked(name)}.eml", data)

    def put_letter(self, name: str, data: bytes) -> None:
        """Keeps words to the referee, once: after a kill they come again."""
        if all(self.message(mark, name) is None for mark in (Mark.LETTER, Mark.READ)):
            self._put((Mark.LETTER.value,), f"{checked(name)}.eml", data)

    def messages(self, mark: Mark) -> tuple[str, ...]:
        """The names of the messages with this mark, without ``.eml``, sorted."""
        return self._names((mark.value,), ".eml")

    def message(self, mark: Mark, name: str) -> bytes | None:
        """A message, None if none of this name has the mark."""
        return read_if_there(self._message(mark, name), LIMIT)

    def move(self, name: str, old: Mark, new: Mark) -> str:
        """Gives a message another mark, durably, by one rename; one with a password is removed once
        it is sent. Once it is sent, copies that failed before are removed. Gives its name there:
        ``name``, or ``name.2`` and so on where earlier ones that were called so lie.

        Raises BadInput ``file/missing`` if it is not there, OurFault without the lock.
        """
        self._must_hold()
        source, free = self._message(old, name), name
        if new is Mark.SENT and name.startswith(NOT_KEPT):
            self.take_out(name, old)
        else:
            self._desk(new.value, make=True)
            earlier = self._called(new, name)
            free = f"{name}.{len(earlier) + 1}" if earlier else name
            whole.move(source, self._message(new, free))
        for copy in self._called(Mark.FAILED, name) if new is Mark.SENT else ():
            self.take_out(copy, Mark.FAILED)
        return free

    def take_out(self, name: str, mark: Mark = Mark.WAITING) -> None:
        """Takes a message out of the outbox, or from under another mark, if it is there."""
        self._must_hold()
        with os_errors("remove", path := self._message(mark, name)):
            system.remove_tree(path)

    def receipt(self, name: str) -> bytes | None:
        """The receipt, None if it was not written."""
        return read_if_there(self._desk("receipts") / f"{checked(name)}.txt", LIMIT)

    def put_receipt(self, name: str, data: bytes) -> None:
        """Writes a receipt, after what it confirms (P8)."""
        self._put(("receipts",), f"{checked(name)}.txt", data)

    def keep_mail(self, name: str, data: bytes) -> None:
        """Keeps what was understood of a mail. Its name is its hash: what is there stays, though a
        command that was killed may have understood it otherwise.
        """
        path = self._desk("mails", make=True) / checked(name)
        try:
            whole.create(path, data, 0o600, temps=self.root / "desk")
        except Refused as error:
            if error.code != "save/number-taken":
                raise

    def mail(self, name: str) -> bytes | None:
        """What was understood of a mail, None if there is none of this name."""
        return read_if_there(self._desk("mails") / checked(name), LIMIT)

    def _message(self, mark: Mark, name: str) -> Path:
        return self._desk(mark.value) / f"{checked(name)}.eml"

    def _called(self, mark: Mark, name: str) -> list[str]:
        """What was put as ``name`` and has this mark: ``name``, ``name.2`` and so on."""
        names = chain([name], (f"{name}.{n}" for n in count(2)))
        return list(takewhile(lambda n: system.refuse_link(self._message(mark, n)), names))

    def _must_hold(self) -> None:
        if not self._depth:
            raise OurFault("disk/no-lock", "this changes a game without holding its lock")

    def _desk(self, *below: str, make: bool = False) -> Path:
        """The folder desk/``below``, each part looked at; closed to others; made if asked."""
        place = self.root
        for part in ("desk", *below):
            place = place / part
            if make:
                system.make_folder(place, 0o700)
            elif not system.refuse_link(place):
                break
            if part == "desk":
                keep_private(place)
        return self.root.joinpath("desk", *below)

    def _put(self, below: tuple[str, ...], name: str, data: bytes, durable: bool = True) -> None:
        path = self._desk(*below, make=True) / name
        whole.write(path, data, 0o600, durable, temps=self.root / "desk")

    def _names(self, below: tuple[str, ...], end: str) -> tuple[str, ...]:
        """The names without ``end``; what is not ours (temporary files too) is passed over."""
        names = (n for n in system.list_names(self._desk(*below)) if n.endswith(end))
        return tuple(sorted(filter(fits, (name.removesuffix(end) for name in names))))

    def is_game(self) -> bool:
        """Does a game lie here (game.toml or states/)?"""
        return any(system.look(self.root / name) for name in ("game.toml", "states"))

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the states present, sorted; files of other names are ignored."""
        states = self.root / "states"
        system.refuse_link(states)
        found = (_STATE.fullmatch(name) for name in system.list_names(states))
        return tuple(sorted(int(match[1]) for match in found if match))

    def state(self, n: int) -> bytes | None:
        """State ``n``, not verified; None if it is not there."""
        return read_if_there(self._state_path(n), LIMIT)

    def has_state(self, n: int) -> bool:
        """Is there a state ``n``? Looks, reads nothing."""
        return system.refuse_link(self._state_path(n))

    def create_state(self, n: int, data: bytes) -> None:
        """Puts state ``n`` where none is, durably; Refused ``save/number-taken`` else."""
        system.make_folder(self.root / "states")
        whole.create(self._state_path(n), data, temps=self.root)

    def newest_file(self) -> bytes | None:
        """game.toml, not verified; None if it is not there."""
        return read_if_there(self.root / "game.toml", LIMIT)

    def cut_short(self) -> str:
        """What a killed command left undone of the newest state, for who has no key; or ""."""
        if not (numbers := self.numbers()):
            return ""
        n, missing = numbers[-1], list[str]()
        if self.newest_file() != self.state(n):
            missing.append("game.toml is not that state yet")
        if self.has_hand(n) and not self.report(n, "spectators.txt"):
            missing.append("not all its reports are there")
        said = f"a command was cut short after state {n} was saved: {' and '.join(missing)}"
        return f"{said}; `pbem resolve {self.root}` writes what is missing" if missing else ""

    def repair_newest(self, data: bytes) -> None:
        """Writes game.toml: the newest state once more, after a kill between the two."""
        system.refuse_link(self.root / "game.toml")
        whole.write(self.root / "game.toml", data)

    def commit(
        self,
        n: int,
        state: bytes,
        hand: Mapping[str, bytes],
        mark: Callable[[], None],
        desk: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        """Saves state ``n`` with the orders then in hand, and what changes in the ``desk`` with it,
        by path; ``mark`` sets the high-water mark.

        Raises Refused ``save/number-taken`` or any trouble of the drive with nothing changed;
        ``save/unfinished`` when the save is real but mark or game.toml failed: the next command
        calls ``mark``, ``repair_newest``, ``adopt``, ``tidy``. ``state`` is public, not ``hand``.
        """
        self._must_hold()
        for seat in hand:
            checked(seat)
        system.refuse_link(self.root / "game.toml")
        if system.look(path := self._state_path(n)):  # before anything: hand n may be in use
            raise whole.number_taken(path)
        self._put_hands(n, hand, desk)
        try:
            self.create_state(n, state)
            self.saved = n
            mark()
            self.repair_newest(state)
            self.adopt(n)
        except PbemError as error:
            if self.saved != n and error.code != "file/not-durable":
                raise
            raise unfinished(error, n, self.root) from error
        with suppress(PbemError, OSError):  # the save is done; what is left over does no harm
            self.tidy(n)

    def keep_hands(self, n: int, data: bytes) -> None:
        """What was in hand before state ``n``, durably and for good: call it before ``commit``."""
        self._must_hold()
        self._put(("hands",), f"{n}.toml", data)

    def kept_hands(self, n: int) -> bytes | None:
        """It, None if it is not there."""
        return read_if_there(self._desk("hands") / f"{n}.toml", LIMIT)

    def kept_numbers(self) -> set[int]:
        """The states before which it is there."""
        return {int(name) for name in self._names(("hands",), ".toml") if name.isdecimal()}

    def tidy(self, n: int, begun: bool = False) -> None:
        """Removes what killed commands left behind, and hands older than state ``n``, the newest;
        ``begun``: also those for a next state. Only where none was ever seen, or they may be lost.

        Under the lock: a temporary file of a command still running looks the same. They lie where
        few others do: what this costs must not grow with the game.
        """
        self._must_hold()
        hands = self._desk("hand")
        for folder in (self.root, hands.parent, hands):
            if system.refuse_link(folder):
                system.remove_temps(folder)
        for name in system.list_names(hands):
            if name.isdecimal() and name.isascii() and (int(name) < n or (begun and int(name) > n)):
                with suppress(OSError):  # it does no harm, and is left for the next time
                    system.remove_tree(hands / name)
        if begun and system.refuse_link(next_one := self._desk("hands") / f"{n + 1}.toml"):
            with os_errors("delete", next_one):
                next_one.unlink()

    def stage(self, n: int, desk: Mapping[str, bytes]) -> None:
        """What changes in the desk, by path, while state ``n`` stays: it counts from here on."""
        self._must_hold()
        hand = self._desk("hand", str(n), make=True)
        fresh = hand.parent / f"{system.PREFIX}desk"
        with os_errors("write", hand / "desk"):
            system.remove_tree(fresh)
            with system.taken_back(fresh):
                whole.write_tree(fresh, desk)
                os.rename(fresh, hand / "desk")
        sync_folder(hand)
        self.adopt(n)

    def adopt(self, n: int) -> bool:
        """Puts in its place what changed in the desk with state ``n``. Was there anything?"""
        staged = self._desk("hand", str(n)) / "desk"
        if not system.refuse_link(staged):
            return False
        with os_errors("list", staged):  # unlike rglob, walk can be told to raise what it meets
            walk = [*os.walk(staged, onerror=system.raised)]
        for path in sorted(Path(folder, name) for folder, _, names in walk for name in names):
            *below, name = path.relative_to(staged).parts
            data = whole.read(path, LIMIT, follow=False)
            if below == [Mark.WAITING.value]:
                self.put_outbox(name.removesuffix(".eml"), data)
            else:
                self._put(tuple(below), name, data)
        with os_errors("write", staged):
            system.remove_tree(staged)
        return True

    def _put_hands(self, n: int, hand: Mapping[str, bytes], desk: Mapping[str, bytes]) -> None:
        """desk/hand/``n`` whole and durable. It counts for nothing until state ``n`` is there."""
        hands = self._desk("hand", make=True)
        fresh, final, before = hands / f"{system.PREFIX}{n}", hands / str(n), hands / str(n - 1)
        with os_errors("write", final):
            system.remove_tree(fresh)
            with system.taken_back(fresh):
                os.mkdir(fresh, 0o700)
                for seat in sorted(hand):
                    name = f"{seat}.toml"
                    if not whole.linked(before / name, fresh / name, hand[seat]):
                        whole.write_new(fresh / name, hand[seat])
                if desk:
                    whole.write_tree(fresh / "desk", desk)
                sync_folder(fresh)
                system.remove_tree(final)  # of a save killed before its link
                os.rename(fresh, final)
        sync_folder(hands)

    def _state_path(self, n: int) -> Path:
        """Where state ``n`` lies, there or not."""
        system.refuse_link(self.root / "states")
        return self.root / "states" / state_name(n)
