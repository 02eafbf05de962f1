"""What a referee has to do for a game, as its folder and the home tell without a key.

What lives here: since when each seat is asked, whether its orders wait, what lies in the outbox,
who wrote letters. What must never be here: words for people; anything of the post but its files.
Law: an older state counts where the one after it names its head.
Source: docs/decisions/0014-the-post.md.
"""

import re
from collections import Counter
from contextlib import suppress

from pbem.chain.clock import instant, seconds
from pbem.chain.signed_state import head_of, unverified_link
from pbem.chain.state_record import DEAL, StateRecord, config_of
from pbem.crypto.encoding import unb64
from pbem.disk.folder import PLAYERS, GameFolder, Mark
from pbem.disk.home import Home
from pbem.disk.journal import Kept, letter_files, read_ticked
from pbem.disk.whole import read_beginning
from pbem.errors import BadInput, Refused
from pbem.formats import state_file
from pbem.formats.desk_rows import read_rows
from pbem.mail.compose import date_in_prose
from pbem.play.pending_file import decode_hand
from pbem.play.pending_orders import Hand, pick
from pbem.report import players
from pbem.services.session.newest import playing, spectators_view

BOUNCED = "bounced"  #: file of a desk: players whose email comes back, a line each
ELSEWHERE = "elsewhere"  #: players for whom an email counted that came from another address
_DAY = 24 * 60 * 60
FURTHEST = 100  #: states that are looked back
_LINE = r"(?im)^%s:((?:[^\n]|\n[ \t]){0,1000})"
_ADDRESS = re.compile(rb"[^\s<>\"(),:;@]{1,64}@[a-z0-9.\[\]-]{1,253}")


def asked_since(folder: GameFolder, record: StateRecord, seats: set[str]) -> dict[str, str]:
    """Since when each of the seats has been asked what it is asked now, whatever came between."""
    answered, since = dict(record.answered), dict.fromkeys(seats, record.time)
    left = seats - {entry.seat for entry in record.entries}
    deepest = max(DEAL, record.n - FURTHEST)
    while left and record.n > deepest:
        raw = folder.state(record.n - 1)
        if raw is None or head_of(raw) != unb64(record.prev, 32):
            break
        try:
            record = unverified_link(raw)
            game, view = spectators_view(record)
            asked = {question.seat for question in game.questions(view)}
        except (BadInput, Refused):  # no rules here, or no position of its game
            break
        before = dict(record.answered)
        left = {seat for seat in left & asked if before[seat] == answered[seat]}
        since |= dict.fromkeys(left, record.time)
        left -= {entry.seat for entry in record.entries}
    return since


def held_emails(folder: GameFolder, record: StateRecord) -> dict[str, bool]:
    """The seats at whose question an email is held; whether pbem proposed what it may mean."""
    hands = folder.hand(record.n) if record.dealt else {}
    decoded = {seat: decode_hand(data, seat) for seat, data in hands.items() if b"held = " in data}
    answered = dict(record.answered)
    return {
        seat: bool(hand.proposal)
        for seat, hand in decoded.items()
        if hand.held == answered.get(seat, 0) + 1
    }


def is_ready(folder: GameFolder, record: StateRecord, seats: set[str]) -> bool:
    """Whether pending orders of these seats, which are asked, can be played, or told that not."""
    found = folder.hand(record.n)
    hands = {seat: decode_hand(found[seat], seat) for seat in seats & found.keys()}
    return any(hand.lines and _answers(folder, record, seat, hand) for seat, hand in hands.items())


def _answers(folder: GameFolder, record: StateRecord, seat: str, hand: Hand) -> bool:
    """The same of a seat, by the view file of its newest report."""
    game = playing(record)
    try:
        document = state_file.parse(folder.report(record.n, f"{seat}.view.toml") or b"")
        view = game.decode_view(config_of(record), document["view"])
    except (BadInput, LookupError):  # it is not there yet, or was changed
        return True
    picked, left = pick(hand, game, view, dict(record.answered)[seat])
    return picked is not None or (left.notes != hand.notes and hand.nr > hand.tried)


def letters(home: Home) -> Counter[str]:
    """How many letters wait for the referee, by the address of who wrote them."""
    found = Counter[str]()
    for path in letter_files(home, Kept.LETTER):
        found.update(filter(None, [address_after("from", read_beginning(str(path)))]))
    return found


def address_after(name: str, head: bytes) -> str:
    """The address in a header of an email, such as ``from``, in small letters; "" if none."""
    line = re.search((_LINE % name).encode(), head.replace(b"\r\n", b"\n"))
    written = _ADDRESS.findall(line[1].lower()) if line else []
    return written[-1].decode("ascii", "replace") if written else ""


def letters_in(folder: GameFolder, seats: tuple[str, ...], found: Counter[str]) -> int:
    """How many letters to the referee are in this game, or by players of it in none."""
    own, data = len(folder.messages(Mark.LETTER)), folder.desk_file(PLAYERS) if found else None
    people = players.decode(data, seats).seats.values() if data is not None else ()
    return own + sum(found[address] for address in {one.address.lower() for one in people})


def noted_of(folder: GameFolder, name: str) -> dict[str, list[str]]:
    """By seat: an address that failed, or wrote; when; the server's code."""
    return {row[0]: row[1:] for row in read_rows(folder.desk_file(name), 4)}


def unreached(folder: GameFolder, seats: tuple[str, ...]) -> list[str]:
    """The seats whose email came back, or was refused, and that have the same address still."""
    rows, names = noted_of(folder, BOUNCED), folder.messages(Mark.FAILED)
    data = folder.desk_file(PLAYERS) if rows or names else None
    people = players.decode(data, seats).seats if data is not None else {}
    refused = {address_after("to", folder.message(Mark.FAILED, name) or b"") for name in names}
    addresses = {seat: {*rows.get(seat, [])[:1], *refused} for seat in people}
    return [s for s, one in people.items() if one.address and any(map(one.has, addresses[s]))]


def not_ticking(home: Home, time: str) -> list[str]:
    """That `pbem tick` ran once, and not for a day before this."""
    last = read_ticked(home).time
    with suppress(ValueError):
        if last and seconds(time) - seconds(instant(last)) > _DAY:
            when = date_in_prose(last)
            return [f"`pbem tick` last ran on {when}; look at the timer that should start it"]
    return []
