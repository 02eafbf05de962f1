"""A game held for writing: locked, read afresh, all that is left over done.

What lives here: ``writing``; the checks before every change: who may write, whether this machine
has seen more of the game than the folder holds; ``settle``: what must be there after a save,
reports, receipts, mails, desk files, is written if it is not; the roster closed, and the game
dealt, under the lock, each a saved state before anybody is told of it. What must never be here: any
other change of the game; the cryptography of a link (moderator/opening/opening.py); who is waited
for (resolve/rounds.py).
Laws: nothing of a game is changed but inside ``with writing(session)``; settling comes before any
save. A state is signed by the key in force; after the link that closes a game there is none. No
(nr, i) of signed orders is used twice, whatever file was put back: the audit would call it a
forgery. Five take the lock themselves, for what this would refuse or must not do: a new folder
(opening/new_game.py), a round given up whose newer states are lost (resolve/rounds.py), the rulings
`restore` and `keys` by another key (ruling/), reading all states at once (proof/new_archive.py).
Source: docs/DESIGN.md P4, P8; decision 0005; docs/SPECIFICATION.md sections 5 (saving,
succession) and 9.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from pbem.crypto.encoding import b64, unb64, unpae
from pbem.crypto.signing import key_id
from pbem.disk.folder import CODES, LOST, PLAYERS, SECRET
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.chain import people
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.people import OPENED_ROW, Joined, source_of
from pbem.moderator.chain.signed_state import genuine_link, head_of
from pbem.moderator.opening import contribution, opening
from pbem.moderator.report import players
from pbem.moderator.ruling.kind import CLOSE, RESTORE, VOID, voided
from pbem.moderator.ruling.kinds import amended
from pbem.moderator.ruling.undo import FIRST
from pbem.moderator.turn.hand import (
    NOT_STOPPED,
    Hand,
    after_link,
    encode_values,
    hand_values,
    part_of,
)
from pbem.services.receipts import KeptReceipt, receipt_name, send_held, write_receipt
from pbem.services.reports import write_reports
from pbem.services.sentences import VOID as VOID_NOTE
from pbem.services.session.history import older
from pbem.services.session.newest import not_dealt, signer
from pbem.services.session.session import Session, values_kept
from pbem.services.session.timing import clocked


def close_roster(session: Session, roster: tuple[Joined, ...]) -> Session:
    """The roster, saved and told to all."""
    _, raw = opening.close_roster(
        session.link, session.newest.raw, roster, session.key, session.time
    )
    session = session.saved_before_play(raw)
    write_reports(session)
    return session


def deal(session: Session) -> Session:
    """The deal, saved and told to all."""
    given = (hand.answer for hand in session.hands.values())
    opened = tuple(OPENED_ROW.one(row) for row in given if row)
    heads = unb64(session.link.prev, 32), head_of(session.newest.raw)
    wrong = contribution.wrong_openings(*heads, opened, session.link.roster)
    if wrong:
        why = f"the deal {wrong}"
        raise BadInput("deal/openings", why, "desk/hand/1 was changed; put it back from a backup")
    link, raw, key = session.link, session.newest.raw, session.key
    raw = opening.deal(link, raw, opened, session.game, key, session.secret, session.time)
    session = session.saved_before_play(raw)
    write_reports(session)
    return session


@contextmanager
def writing(session: Session, closed: bool = False) -> Iterator[Session]:
    """Hold the game's lock; gives the newest state as read under it, all that is left over done.

    ``closed``: also where the game is, for what changes nothing of it.
    """
    with session.folder.lock():
        session = session.reread()
        session.folder.tidy(session.link.n)
        check_known(session)
        check_mark(session)
        session = settle(session)
        check_acting(session, closed)
        yield rule_on_lost(session)


#: what the players read of it
LOST_REASON = (
    "The desk of the referee was lost. Please send again the orders that you want to wait."
)


def rule_on_lost(session: Session) -> Session:
    """Where waiting orders were lost, a state of its own says so, before anything else is done."""
    data = session.folder.desk_file(LOST)
    if not data or session.link.phase == CLOSED:
        return session
    first, _, reason = data.decode().partition(" ")
    basis = voided(session.position, VOID.ruling(reason or LOST_REASON, ("from", first)))
    values, keys = hand_values(session.hands), (session.secret, session.key)
    found = amended(session.position, basis, *keys, session.time, values, clocked(session))
    seats = frozenset(session.link.setup.seats)
    for n in range(int(first) + 1, session.link.n + 1):  # so that it is not noticed once more
        if values_kept(session.folder, n) is None:
            session.folder.keep_hands(n, encode_values({}))
    session = session.saved(found, void(session, seats), {LOST: b""})
    session.notes.append(f"waiting orders were lost; a ruling in state {found.link.n} says so")
    write_reports(session)
    return session


def note_lost(session: Session) -> None:
    """Keeps in mind, durably, that orders were lost, and since when: for ``rule_on_lost``."""
    folder, link = session.folder, session.link
    if not link.dealt or folder.desk_file(LOST):
        return
    whole = folder.hand(link.n).keys() >= {*link.setup.seats}
    numbers = range(FIRST + 1, link.n + 1)
    kept_all = folder.kept_numbers() >= {*numbers}
    if whole and kept_all and (not numbers or values_kept(folder, link.n) is not None):
        return
    gone = (n for n in numbers if values_kept(folder, n) is None)
    folder.put_desk_file(LOST, str(next(gone, link.n + 1) - 1).encode())


def kept(hands: Mapping[str, Hand]) -> dict[str, Hand]:
    """The orders in hand as they are; what the last link's reports said is said."""
    return {seat: one._replace(notes=()) for seat, one in hands.items()}


def void(session: Session, seats: frozenset[str]) -> dict[str, Hand]:
    """Without the waiting orders of these seats; each is told of its own."""
    found, answered = kept(session.hands), dict(session.link.answered)
    for seat in seats:
        notes = (VOID_NOTE,) if found[seat].lines else ()
        empty = found[seat]._replace(parts=(), stopped=NOT_STOPPED, done=(), notes=notes)
        found[seat] = empty._replace(ruled=answered[seat] + 1)
    return found


def check_known(session: Session) -> None:
    """Our key is in force for the newest state or the next one: its reports may be completed."""
    rows, n = session.link.referees, session.link.n
    keys = {people.in_force(rows, n).acting, people.in_force(rows, n + 1).acting}
    if session.key.public not in keys:
        raise _other(session)


def check_acting(session: Session, closed: bool = False) -> None:
    """Our key signs the next state, and there may be a next one (or the game may be ``closed``)."""
    link = session.link
    if link.phase == CLOSED and not closed and not link.dealt:
        raise not_dealt(link)
    if link.phase == CLOSED and not closed:
        why = f"this game was closed with state {link.n}, and nothing can follow"
        way = "you can still read it with `pbem show` and `pbem verify`"
        raise Refused("game/closed", why, way)
    if people.in_force(link.referees, link.n + 1).acting != session.key.public:
        raise _other(session)


def _other(session: Session) -> Refused:
    now = key_id(people.in_force(session.link.referees, session.link.n + 1).acting)
    why = f"the referee of this game has key {now}, and yours is {session.key.id}"
    return Refused("key/not-acting", why, "run this where that key is")


def check_mark(session: Session) -> None:
    """This machine must not have seen more of the game than the folder holds; what it has seen is
    its high-water mark.
    """
    link, head = session.link, b64(head_of(session.newest.raw))
    mark = session.home.read_mark(link.game)
    if mark is None:
        session.notes.append(not_seen(session.folder.root, link.n))
    begun = mark is not None and ruling_begun(session)
    if (
        mark is not None
        and mark != (link.n, head)
        and not begun
        and not goes_on_from(session, mark)
    ):
        raise behind(session, mark)
    if mark != (link.n, head):
        session.home.write_mark(link.game, link.n, head, force=begun)
    else:  # what a killed command began is no state that this machine has seen
        session.folder.tidy(link.n, begun=True)


def not_seen(root: Path, n: int | str) -> str:
    """What the referee should know where there is no mark; ``n``: the newest state."""
    return (
        "this machine has not seen this game before, so it cannot know whether newer states exist; "
        f"if a player has a report of a later state than {n}, and those states are lost for good: "
        f"{ruling_lost(root, ' --unseen')}"
    )


def ruling_emails(root: Path) -> str:
    """What the referee should know of a backup, whatever was seen."""
    way = ruling_lost(root, " --emails")
    return f"if it lacks an email that pbem answered, and you cannot get that again, type `{way}`"


def ruling_lost(root: Path, also: str = "") -> str:
    """What to type where newer states are lost for good."""
    return f'pbem restore --go-on {root}{also} --reason "…"'


def ruling_begun(session: Session) -> bool:
    """Whether the newest state is a ruling with which the mark may go back, and was cut short
    before its mark was written.
    """
    rulings = session.link.rulings
    if not rulings or rulings[0].name not in (RESTORE.name, CLOSE.name):
        return False
    return session.folder.newest_file() == session.folder.state(session.link.n - 1)


def behind(session: Session, mark: tuple[int, str]) -> Refused:
    """Why nothing may be written here; the only way on is the ruling `restore`."""
    n, here = mark[0], session.link.n
    shows = f"ends with {'another ' * (n == here)}state {here}"
    if n < here:
        shows = f"does not show that its state {here} follows from it"
    why = f"this machine has seen state {n} of this game, and the folder {shows}"
    way = ruling_lost(session.folder.root)
    hint = f"put the newest files back; only if they are lost for good, type {way}"
    return Refused("game/behind", why, hint)


def goes_on_from(session: Session, mark: tuple[int, str]) -> bool:
    """Whether the folder's chain comes, link by link, from the state that this machine saw last."""
    n, known = mark
    link = session.link
    if link.n <= n:
        return (link.n, b64(head_of(session.newest.raw))) == mark
    while link.n > n + 1:
        raw = session.folder.state(link.n - 1)
        if raw is None or b64(head_of(raw)) != link.prev:
            return False
        key = signer(session.folder, raw, session.trusted)
        link = genuine_link(raw, key, f"state {link.n - 1}")
    return link.prev == known


def report_again(session: Session, name: str) -> tuple[Session, str]:
    """A reader's newest report, written and sent once more: the game as it is now, and its text."""
    with writing(session) as session:
        write_reports(session, again=name, mark="".join(c for c in session.time if c.isdigit()))
        text = session.folder.report(session.link.n, f"{name}.txt") or b""
    return session, text.decode()


def settle(session: Session) -> Session:
    """Bring the folder in order: under the lock, before a command does its own work.

    Running it twice changes nothing; nothing a referee moved out of the outbox comes back (P8).
    """
    folder = session.folder
    folder.tidy(session.link.n)
    if folder.adopt(session.link.n):
        session = session.reread()
    if not folder.has_state(session.link.n):
        _keep_state(session)
    if folder.newest_file() != session.newest.raw:
        folder.repair_newest(session.newest.raw)
    secret = f"{b64(session.secret)}\n".encode()
    if folder.desk_file(SECRET) != secret:
        folder.put_desk_file(SECRET, secret)
    new_codes = session.void_codes
    if new_codes:
        lost = folder.desk_file(CODES) is None
        session, codes = session.with_new_codes()
        why = "were lost" if lost else "are those of the referee before"
        session.notes.append(
            f"the reply codes {why}, so they are void; send the new reports, which have new codes"
        )
    if folder.desk_file(PLAYERS) is None:
        folder.put_desk_file(PLAYERS, players.encode(session.players))
        session.notes.append(
            "the addresses were lost; write them into desk/players.toml, then "
            "`pbem report DIR --player SEAT` writes each email"
        )
    send_held(session)  # before any newer receipt
    session = _keep_hands(session)
    told = write_reports(session, every=new_codes)
    if new_codes:  # last: a kill before it makes new ones, and all the reports, once more
        folder.stage(session.link.n, codes)
    return session.replace(cut_short=bool(told))


def _keep_state(session: Session) -> None:
    """game.toml is all there is of the newest state: it goes back to the others."""
    folder, n = session.folder, session.link.n
    missing = n - len(folder.numbers())
    folder.create_state(n, session.newest.raw)
    if missing:
        session.notes.append(
            f"{missing} of the states before {n} are lost; the game goes on "
            "without them, but nobody can check what is missing"
        )


def _keep_hands(session: Session) -> Session:
    """Orders in hand are there, and of this moment; their newest receipts are written."""
    session = hands_in_order(session)
    for seat, hand in session.hands.items():
        if hand.receipt:
            write_receipt(session, seat, hand)
    return session


def hands_in_order(session: Session) -> Session:
    """Orders in hand are there, and of this moment; what follows is not older than their receipts,
    whatever the clock says: another command may have answered while this one waited.
    """
    folder = session.folder
    note_lost(session)
    if not folder.has_hand(session.link.n):
        session.notes.append(
            "waiting orders were lost, if there were any; ask the players to send theirs again"
        )
        for seat in session.link.setup.seats:
            # so that no number comes twice
            last = next(n for n in count() if folder.receipt(receipt_name(seat, n + 1)) is None)
            used = _used(session, seat) if session.link.dealt else ()
            lost = Hand(receipts=last, nr=max((nr for _, nr, _ in used), default=0))
            session = session.with_hand(seat, of_this_moment(session, seat, lost))
    time = session.time
    for seat, hand in [*session.hands.items()]:
        mended = of_this_moment(session, seat, hand)
        if mended is not hand:
            session = session.with_hand(seat, mended)
        if mended.receipt:
            time = max(time, KeptReceipt.decode(mended.receipt, seat).time)
    return session.replace(time=time)


USED_UP = (
    "the waiting orders of {0} were lost or are older; pbem took out what was used; "
    "ask for newer orders, if there were any"
)


def of_this_moment(session: Session, seat: str, hand: Hand) -> Hand:
    """The hand, put right where its seat has a key and it was not written since its last answer.

    What was used stands in the chain, and every state is looked at for it: only where the desk's
    memory is lost or of another time. Of orders that nobody signed no chain can tell.
    """
    link = session.link
    if not link.dealt or not link.player(seat).way.key:
        return hand
    if hand.answered == dict(link.answered)[seat]:
        return hand
    hand, used = after_link(hand)._replace(receipt=hand.receipt), _used(session, seat)
    if used:
        session.notes.append(USED_UP.format(link.player(seat).shown))
    newest: dict[str, int] = {}
    for name, nr, _ in used:
        newest[name] = max(nr, newest.get(name, 0))
    for part in hand.parts:
        older_part = part.nr < newest.get(part.name, 0)
        gone = (x for x in part.rows if older_part or (part.name, part.nr, x.number) in used)
        hand = hand.without(part, *gone)
    last = max(newest.values(), default=0)
    last_taken = max(hand.nr, last)
    return hand._replace(seen=max(hand.seen, last), nr=last_taken, settled=last_taken)


def _used(session: Session, seat: str) -> set[tuple[str, int, int]]:
    """The seat's own lines in the chain: the part of each, the number of its orders and its own.

    Another key begins to count anew, an undo does not. A state that is lost says nothing.
    """
    found = set[tuple[str, int, int]]()
    for n in range(session.link.n, FIRST, -1):
        try:
            link = session.link if n == session.link.n else older(session, n)
        except PbemError:
            continue
        if link.player(seat).key != session.link.player(seat).key:
            break
        seals = session.seals_of(link)
        for number, entry in enumerate(link.entries, 1):
            if entry.seat == seat and not source_of(entry.source).given:
                value = unpae(seals.open_order(f"{link.n}/order/{number}", entry.token))
                found.add((part_of(value[-1].decode()), int(value[0]), int(value[1])))
    return found
