"""Everything that one seat, or a spectator, is ever told of a world, name by name.

What lives here: ``told`` (a position), ``letters`` (mails a seat might send), and Leak.
Not allowed here: which differences are allowed. None is.
Source: docs/DESIGN.md P2.
"""

import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

from pbem.commands import show, status
from pbem.disk.folder import GameFolder
from pbem.engine.game import Game
from pbem.engine.settings import SPECTATORS
from pbem.notation.asks import MAILS
from pbem.play.pending_orders import PendingOrders
from pbem.report import report
from pbem.report.build import build_report, list_awaited_players
from pbem.report.disclosures import write_report_block
from pbem.report.report import Reader
from pbem.transport.send import list_waiting

from .sorts import CHANG_CHENG, Sort
from .worlds import Below, World

Told = dict[str, Any]
HIDING, OPEN = "orders as all read them", "orders that hide nothing"


class Leak(AssertionError):
    """A seat can tell two worlds apart that it should not."""

    def __init__(self, what: str, who: str, here: Any, there: Any) -> None:
        self.what = what
        super().__init__(f"{who} can tell its twin by the {what}\n{_unlike(here, there)}")


def _unlike(here: Any, there: Any) -> str:
    """Where two values part."""
    if isinstance(here, dict) and isinstance(there, dict):
        found = [f"{k}: {here.get(k)!r:.300}\n  {there.get(k)!r:.300}"
                 for k in {**here, **there} if here.get(k) != there.get(k)]  # fmt: skip
        return "\n".join(found[:3])
    one, other = repr(here), repr(there)
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(0, at - 60) : at + 120]}\n{other[max(0, at - 60) : at + 120]}"


def same(who: str | None, here: Told, there: Told) -> None:
    """Raise Leak for the first thing that is not the same."""
    for what in {**here, **there}:
        if here.get(what) != there.get(what):
            raise Leak(what, who or "a spectator", here.get(what), there.get(what))


def told(world: World, seat: str | None, lines: tuple[str, ...], shared: bool = True) -> Told:
    """All that the seat may read now; ``shared``: with the files that anybody has."""
    return {
        **_of_the_game(world, seat, lines),
        **_of_the_reports(world, seat),
        **(_of_the_shared_files(world) if shared else {}),
        **world.besides(seat),
    }


def _of_the_game(world: World, seat: str | None, lines: tuple[str, ...]) -> Told:
    session = world.session
    game, view = session.game, world.view(seat)
    position = game.encode(world.state)
    legal = game.legal(view)
    said: Told = {
        "View": view,
        "View as data": game.encode_view(view),
        "questions": game.questions(view),
        "legal orders": legal,
        "checks": [game.check(view, line) for line in lines],
        "question in words": game.ask(view),
        "description": game.describe(view),
        "events told": [game.event_row(event, view) for event in session.record.events],
        "scores": game.scores(view),
        "outcome": game.outcome(view),
        "public position": position.public,
        "slots": list(position.hidden),
        **_orders_of_all(world),
    }
    if legal:
        said["default order"] = game.default(view)
        said["foreseen"] = [game.foresee(view, line) for line in legal[:3]]
    return said


def _orders_of_all(world: World) -> Told:
    """How the orders look that can be given now: those that hide something, and the open ones."""
    found: dict[str, dict[str, set[str]]] = {HIDING: {}, OPEN: {}}
    game = world.session.game
    for seat in world.asked():
        for line in game.legal(world.view(seat)):
            looks = game.public_words(line)
            found[OPEN if looks == line else HIDING].setdefault(seat, set()).add(looks)
    return found


def _of_the_reports(world: World, seat: str | None) -> Told:
    """Values, text, block and view file of the report; its mail; all for the seat's eyes."""
    session = world.session
    n, name = session.record.n, seat or SPECTATORS
    folder, hand = session.folder, session.pending_by_seat[seat] if seat else PendingOrders()
    reader = Reader(seat or SPECTATORS, session.code(seat) if seat else "", hand)
    key = session.key
    states = [report.ReportedState(session.position, session.seals, {}, 0)]
    block = write_report_block(states, reader, key.signing, key.public)
    told = build_report(states, reader, session.label, lambda _: "", block)
    there = sorted(path.name for path in (folder.root / f"desk/reports/{n:04d}").iterdir())
    reports = {file: folder.read_report(n, file) for file in there if file.startswith(("spec", name))}
    return {
        "report's values": report.template_values(told),
        "subject": report.report_subject(told),
        "report and view file": reports,
        "names of reports": there,
        "whom the game waits for": list_awaited_players(session.position),
        "own receipts": _own_receipts(world.folder, seat),
        "own mails, as they go out": _own_mails(world, seat),
    }


def _own_receipts(folder: Path, seat: str | None) -> dict[str, bytes]:
    paths = (folder / "desk" / "receipts").glob(f"{seat}-*") if seat else ()
    return {path.name: path.read_bytes() for path in sorted(paths)}


def _own_mails(world: World, seat: str | None) -> list[tuple[int, list[str], bytes]]:
    """What `pbem send` would send to the seat's address, in its order: size, headers, all of it."""
    if seat is None:
        return []
    own = world.session.players.seats[seat].address
    letters = [letter for letter in list_waiting(GameFolder(world.folder)) if letter.recipient == own]
    return [_seen(letter.content) for letter in letters]


def _seen(data: bytes) -> tuple[int, list[str], bytes]:
    head = data.partition(b"\n\n")[0].decode()
    return len(data), head.splitlines(), data


def _of_the_shared_files(world: World) -> Told:
    """What lies outside desk/, and what show and status make of it elsewhere."""
    files = {}
    for path in sorted(world.folder.rglob("*")):
        name = path.relative_to(world.folder)
        if name.parts[0] != "desk":
            files[str(name)] = path.read_bytes() if path.is_file() else b""
    copy = world.root / "shared"
    shutil.copytree(world.folder, copy, ignore=shutil.ignore_patterns("desk"))
    with world.here(), chdir(world.root):  # else the table is as wide as its path
        shown, listed = show.run(Path(copy.name)), status.run([Path(copy.name)])
    shutil.rmtree(copy)
    return {
        "files' names": list(files),
        "files' sizes": {name: len(data) for name, data in files.items()},
        "shared files": files,
        "show": (shown.data, shown.text),
        "status": str((listed.data, listed.text)),
    }


def letters(
    world: World, seat: str, below: Below, lines: tuple[str, ...], sort: Sort = CHANG_CHENG
) -> Iterator[tuple[str, bytes]]:
    """Mails of a seat, good and bad: a function of what the seat is told, and of chance."""
    session = world.session
    game, view, code = session.game, world.view(seat), session.code(seat)
    legal = game.legal(view) or lines
    wrong = lines[below(len(lines))]
    some = some_orders(game, view, below) or (wrong,)
    yield "one order", letter(code, legal[below(len(legal))])
    yield "a whole action", letter(code, *some)
    yield "any order", letter(code, wrong)
    yield "a near miss", letter(code, f"{wrong.replace('l', 'k', 1)}", *sort.slips)
    yield "one line wrong", letter(code, *some, sort.never)
    yield "orders for later", letter(code, "later:", wrong, *sort.later)
    yield "orders now and later", letter(code, *some, sort.now, "later:", sort.later[0])
    yield "help", letter(code, "help")
    yield "rulings", letter(code, "rules CC-17", "rules R-1", "rules")
    yield "the report again", letter(code, "resend")
    places = [word for line in (*some, wrong) for word in line.split() if word.isupper()] or ["A1"]
    yield "plain words", letter(code, f"Righto, I plonk {' and '.join(some)}, he he.")
    yield "places alone", letter(code, f"{' and '.join(places[:2])}, here we go")
    yield "a card told of", letter(code, f"If {places[-1]} fills up: {wrong}, cheers")
    yield "prose", letter(code, "I see that blue has the flood, has he not?")
    yield ("below the line", b"\n\n[pbem %s] Write your answer above this line.\nwall A5\n" % code.encode())
    yield "a vote", letter(code, "yes")
    yield "another vote", letter(code, "No, thanks")
    yield "a choice of reports", letter(code, f"mails {MAILS[below(len(MAILS))]}")
    yield "taken back", letter(code, "withdraw")
    yield "a reply", mail(code, seat, *some)
    yield "taken back again", letter(code, "Withdraw!")


def letter(code: str, *lines: str) -> bytes:
    """A plain text, answered above the cut line."""
    text = "\n".join(lines)
    return f"{text}\n\n[pbem {code}] Write your answer above this line.\n".encode()


def mail(code: str, seat: str, *lines: str) -> bytes:
    """A reply to a report."""
    text = "\n".join(lines)
    head = f"From: {seat}@example.org\nTo: r@example.org\nSubject: Re: [pbem {code}] game: your turn\n"
    quoted = f"> [pbem {code}] Write your answer above this line.\n"
    return f"{head}\nHello Robin,\n\n{text}\n\n{quoted}".encode()


def some_orders(game: Game, view: Any, below: Below) -> tuple[str, ...]:
    """Legal orders one after the other, as far as the seat can tell, three at most."""
    found: list[str] = []
    turn = game.turn(view)
    while view is not None and len(found) < 3:
        legal = game.legal(view)
        if not legal or game.turn(view) != turn:
            break
        found.append(legal[below(len(legal))])
        view = game.foresee(view, found[-1])
    return tuple(found)
