"""One game's folder: game.toml and states/ for everybody, and the desk, its private half.

What lives here: the order of steps by which a save becomes real; the desk's secret, addresses,
orders in hand, mails, receipts, reports and messages, as bytes; finding games, making a folder.
What must never be here: what any of these bytes mean, or whether they are genuine.
The laws: the link of states/NNNN.toml IS the save; what comes before it can be thrown away, what
comes after it can be done again from it. desk/ is 0700 whenever we touch it and every file in it
0600; orders in hand change only under the lock, or an order could be written beside a save and be
gone with it. Source: docs/SPECIFICATION.md section 5 (saving); docs/DESIGN.md "One game's folder",
P8; docs/decisions/0001 (orders in hand are numbered by link).
"""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from pbem.disk import system, whole
from pbem.disk.desk import LIMIT, Desk
from pbem.disk.system import os_error_in_words, os_errors, shown, sync_folder
from pbem.disk.whole import checked, read_if_there, state_name
from pbem.errors import BadInput, PbemError, Refused

_STATE = re.compile(r"([0-9]{4}|[1-9][0-9]{4,8})\.toml")  # 00001.toml would be a second 0001


class GameFolder(Desk):
    """One game's folder (docs/DESIGN.md has the section). States and game.toml are public bytes."""

    def is_game(self) -> bool:
        """Does a game lie here (game.toml or states/)? Looks, raises nothing."""
        return any(os.path.lexists(self.root / name) for name in ("game.toml", "states"))

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

    def repair_newest(self, data: bytes) -> None:
        """Writes game.toml: the newest state once more, after a kill between the two."""
        system.refuse_link(self.root / "game.toml")
        whole.write(self.root / "game.toml", data)

    def commit(
        self, n: int, state: bytes, hand: Mapping[str, bytes], mark: Callable[[], None]
    ) -> None:
        """Saves state ``n`` with the orders then in hand; ``mark`` sets the high-water mark.

        Raises Refused ``save/number-taken`` or any trouble of the drive with nothing changed;
        Refused ``save/unfinished`` when the save is real but mark or game.toml failed: the next
        command must call ``mark``, ``repair_newest`` and ``tidy``. OurFault without the lock.
        ``state`` is public, ``hand`` secret.
        """
        self._must_hold()
        self._refuse_taken(n, hand)
        self._put_hands(n, hand)
        self.create_state(n, state)
        try:
            mark()
            self.repair_newest(state)
        except PbemError as error:
            message = f"state {n} is saved, but {error.message}"
            hint = "mend that and run the command again; it goes on from there"
            raise Refused("save/unfinished", message, hint) from error
        with suppress(PbemError, OSError):  # the save is done; what is left over does no harm
            self.tidy(n)

    def tidy(self, n: int) -> None:
        """Removes what killed commands left behind, and hands older than state ``n``, the newest.

        Under the lock: a temporary file of a command still running looks the same. They lie where
        few others do: what this costs must not grow with the game.
        """
        self._must_hold()
        hands = self._desk("hand")
        for folder in (self.root, hands.parent, hands):
            for name in system.list_names(folder) if system.refuse_link(folder) else ():
                a_hand = folder is hands and name.isdecimal() and name.isascii()
                if name.startswith(system.PREFIX) or (a_hand and int(name) < n):
                    with suppress(OSError):  # it does no harm, and is left for the next time
                        system.remove_tree(folder / name)

    def _refuse_taken(self, n: int, hand: Mapping[str, bytes]) -> None:
        """All that can be refused, before anything is written: hand ``n`` may be in use."""
        path = self._state_path(n)
        for seat in hand:
            checked(seat)
        system.refuse_link(self.root / "game.toml")
        if os.path.lexists(path):
            message = f"{shown(path)} is already there"
            hint = "another command was first; run this one again"
            raise Refused("save/number-taken", message, hint)

    def _put_hands(self, n: int, hand: Mapping[str, bytes]) -> None:
        """desk/hand/``n`` whole and durable. It counts for nothing until state ``n`` is there."""
        hands = self._desk("hand", make=True)
        fresh, final, before = hands / f"{system.PREFIX}{n}", hands / str(n), hands / str(n - 1)
        with os_errors("write", final):
            system.remove_tree(fresh)
            try:
                os.mkdir(fresh, 0o700)
                for seat in sorted(hand):
                    name = f"{seat}.toml"
                    if not _linked(before / name, fresh / name, hand[seat]):
                        whole.write_new(fresh / name, hand[seat])
                sync_folder(fresh)
                system.remove_tree(final)  # of a save killed before its link
                os.rename(fresh, final)
            except BaseException:
                with suppress(OSError):
                    system.remove_tree(fresh)
                raise
        sync_folder(hands)

    def _state_path(self, n: int) -> Path:
        """Where state ``n`` lies, there or not."""
        system.refuse_link(self.root / "states")
        return self.root / "states" / state_name(n)


def _linked(old: Path, new: Path, data: bytes) -> bool:
    """Give a file on the drive that holds these very bytes a second name: nothing to wait for.

    Files are replaced here and never written into, so a shared one is as good as a copy.
    """
    try:
        if read_if_there(old, LIMIT) != data:
            return False
        os.link(old, new)
    except (PbemError, OSError):
        return False  # no such file, or a drive without hard links: it is written
    return True


#: the way out where no game is found
NO_GAMES = "name the folder of a game, or make a game with `pbem new`"
LEVELS = 4  #: how deep games are looked for


def refuse_no_folder(
    path: Path, hint: str = "name the folder of a game; `pbem status` lists them"
) -> None:
    """Raises BadInput ``game/no-folder`` unless a folder, of whatever, lies there."""
    if not path.is_dir():
        raise BadInput("game/no-folder", f"{path} is not a folder", hint)


def find_games(root: Path) -> tuple[list[GameFolder], list[str]]:
    """The games in ``root``, sorted by path, and a line for each folder that could not be read.

    ``root`` itself if it is a game, else what lies in it, ``LEVELS`` folders deep; hidden folders
    are passed over.
    Raises BadInput if ``root`` is missing, not a folder or unreadable.
    """
    refuse_no_folder(root, "name the folder of a game, or a folder of games")
    with os_errors("look into", root):
        os.listdir(root)
    notes: list[str] = []
    return _games(root, LEVELS, notes), notes


def create_folder(root: Path) -> GameFolder:
    """Makes the folder of a new game, with its parents; an empty one may be there already.

    Raises Refused ``game/folder-in-use`` if anything is in it, ``game/inside`` if it would lie in
    the folder of another game, BadInput if it cannot be made.
    """
    refuse_in_use(root)
    for above in root.resolve().parents:
        if os.path.lexists(above / "game.toml"):
            message = f"{shown(root)} lies inside the game {shown(above)}"
            raise Refused("game/inside", message, "name a folder outside every game")
    make_with_parents(root)
    return GameFolder(root)


def refuse_in_use(root: Path) -> None:
    """Raises Refused ``game/folder-in-use`` unless ``root`` is missing or an empty folder."""
    if system.list_names(root):
        message = f"{shown(root)} is there already and is not empty"
        raise Refused("game/folder-in-use", message, "name a folder that is not there yet")


def make_with_parents(folder: Path) -> None:
    """Makes a folder and all above it, durably. Raises BadInput or Refused."""
    if folder.is_dir():
        return
    if os.path.lexists(folder):
        message = f"{shown(folder)} is there already and is not a folder"
        raise BadInput("file/not-a-folder", message, "name another folder")
    if folder.parent != folder:
        make_with_parents(folder.parent)
    with os_errors("make", folder):
        os.mkdir(folder)
    sync_folder(folder.parent)


def _games(folder: Path, levels: int, notes: list[str]) -> list[GameFolder]:
    game = GameFolder(folder)
    if game.is_game():
        return [game]
    if not levels:
        return []
    return [g for below in _folders_in(folder, notes) for g in _games(below, levels - 1, notes)]


def _folders_in(folder: Path, notes: list[str]) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
        found = [folder / n for n in names if not n.startswith(".")]
        return [path for path in found if path.is_dir() and not system.is_link(os.lstat(path))]
    except OSError as error:
        notes.append(f"passed over: {os_error_in_words(error, 'look into', folder).line()}")
        return []
