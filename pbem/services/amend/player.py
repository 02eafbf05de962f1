"""Another player at a seat, or another way to reach or identify them: before the deal and after.

What lives here: what ``pbem amend DIR player`` does. What must never be here: the ruling
(chain/rulings/people.py); before the deal, a change of a state.
Laws: no choice is left after the genesis: who plays and what identifies them stay until the deal;
a ruling stands in a dealt state or in the one that closes.
Source: FORMAT.md "Rulings"; P8; docs/SPECIFICATION.md section 5 (genesis; `rulings`: dealt,
closed).
"""

from functools import partial
from typing import NamedTuple

from pbem.chain.people import Seated
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.people import OF_A_PLAYER, anew, ruling_of, seated
from pbem.chain.signed_state import head_of
from pbem.chain.sources import KEY, PASSWORD, WAYS, Way
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import SMALL_ORDER
from pbem.disk.folder import NOT_KEPT, PLAYERS
from pbem.errors import BadInput, Refused
from pbem.report.players import Person, Players, check_names, person
from pbem.report.render import render
from pbem.services.amend.ruling import Amended, Planned, ruled
from pbem.services.lock import check_acting, writing
from pbem.services.lost_orders import void
from pbem.services.open.new_game import password_mail, with_new
from pbem.services.outbox import Message, sent_later, to_seat
from pbem.services.receipts import send_held
from pbem.services.recipients import last_id
from pbem.services.reports import write_reports
from pbem.services.session.folders import changed as addresses
from pbem.services.session.session import Session

LANGUAGES = ("en",)  #: there are templates for: no other may be told to all as done

TO_SEND = (  #: the note of a new password
    f"send desk/outbox/{NOT_KEPT}{{seat}}.eml, then delete it; only this email has the new password"
)


class Wanted(NamedTuple):
    """What the referee typed; "" leaves a thing as it is."""

    seat: str
    name: str = ""
    address: str = ""
    language: str = ""
    identified: str = ""
    key: str = ""


def reseat(session: Session, wanted: Wanted, reason: str, dry_run: bool) -> Amended:
    """In a game that is dealt: a ruling, told to all but the address."""

    def plan(session: Session) -> Planned:
        what = changed(wanted)
        one = replaced(session.link, wanted, what)
        others = [p.name for p in session.link.people if p.seat != one.seat]
        check_names([*others, one.name], session.game.seats)
        _warn(session, wanted, one.way)
        new = frozenset({wanted.seat} if one.since == session.link.n + 1 else ())
        hands = void(session, new)
        if wanted.name:  # what the player before chose is not this one's choice
            hands[wanted.seat] = hands[wanted.seat]._replace(mails="", notes=())
        if one.key != session.link.player(wanted.seat).key:
            # whoever has the new key counts his orders from 1; what was written before is void by
            # its head (``since``), whatever number it has
            hands[wanted.seat] = hands[wanted.seat]._replace(nr=0, seen=0)
        ruling = ruling_of(wanted.seat, what, wanted.identified, wanted.language, reason)
        return session, seated(session.position, one, ruling), hands

    def desk(session: Session) -> dict[str, bytes]:
        return _desk(session, wanted, replaced(session.link, wanted, changed(wanted)))

    if not dry_run and (wanted.name or wanted.address):
        with writing(session) as session:
            send_held(session, leaves=wanted.seat)
    return ruled(session, plan, dry_run, partial(_is_so, session, wanted, reason), desk)


def _is_so(session: Session, wanted: Wanted, reason: str, ruling: Ruling) -> bool:
    """Whether a ruling of the newest state is what is wanted, and all of it is so."""
    session = session.reread()
    what = changed(wanted)
    now, one = session.link.player(wanted.seat), replaced(session.link, wanted, what)
    told = ruling_of(wanted.seat, what, wanted.identified, wanted.language, reason)
    same = ruling == told and one._replace(since=now.since) == now
    return same and people(session.players, wanted, one) == session.players


def _warn(session: Session, wanted: Wanted, way: Way) -> None:
    """What the referee must still do, so that the new player can play and the old one cannot."""
    who = session.link.player(wanted.seat).shown
    if wanted.name and not wanted.identified and (way.password or way.key):
        session.notes.append(
            f"{wanted.seat} is still identified by the {way.name} of {who}, the player before; if "
            f"{wanted.name} is somebody else: pbem amend {session.folder.root} player "
            f'{wanted.seat} --known reply (or password) --reason "…"'
        )
    if wanted.identified == PASSWORD.name:
        session.notes.append(TO_SEND.format(seat=wanted.seat))


def reach(session: Session, wanted: Wanted, dry_run: bool) -> tuple[Session, tuple[str, ...]]:
    """Another way to reach a player who is invited; his mail goes out to him again. The game as it
    is now, and what is other, or would be.
    """
    check_acting(session)
    what = changed(wanted)
    _refuse_settled(session, wanted)
    before = session.players.seats[wanted.seat].address
    if not dry_run:
        with writing(session) as session:
            files, n = _desk(session, wanted, session.link.player(wanted.seat)), session.link.n
            if wanted.address:  # the invitation is not complete then, and goes to the new one
                files[f"reports/{n:04d}/{wanted.seat}.txt"] = b""
            session.folder.stage(n, files)
            session = session.reread()
            write_reports(session)
    _notes(session, wanted, before)
    return session, what


def _refuse_settled(session: Session, wanted: Wanted) -> None:
    """The name, and what identifies a player, are in the genesis."""
    record, where = session.link, session.folder.root
    again = wanted.identified == PASSWORD.name == record.player(wanted.seat).identified
    if not wanted.name and (not wanted.identified or again):
        return
    raise Refused(
        "player/settled",
        "until the deal, players and how each is identified stay as in the invitation",
        "change it after the deal, or cancel the round: "
        f"`pbem amend {where} close --reason TEXT`, then `pbem new NEW --after {where}`",
    )


def _notes(session: Session, wanted: Wanted, before: str) -> None:
    """What the referee must still know, or do."""
    seat, moved = wanted.seat, wanted.address and before not in ("", wanted.address)
    if moved:
        who = session.link.player(seat).shown
        still = "still counts; anyone who has it can answer for"
        session.notes.append(f"the email that went to {before} {still} {who}")
    if wanted.identified:
        session.notes.append(TO_SEND.format(seat=seat))
    elif moved and session.link.player(seat).way.password:
        session.notes.append("its password went there too: --known password makes another")


def _desk(session: Session, wanted: Wanted, one: Seated) -> dict[str, bytes]:
    """What becomes of the desk: the way to reach the player; with a fresh password, which nobody is
    told but its player, by mail; and a last mail to who played there before.
    """
    seat, found = wanted.seat, people(session.players, wanted, one)
    messages = _farewell(session, found.seats[seat], seat)
    if wanted.identified == PASSWORD.name:
        if not found.seats[seat].address:
            why = f"the password of {one.shown} goes out by email, and there is no address"
            raise Refused("known/no-address", why, "--address ADDRESS")
        who, word = with_new(found.seats[seat])
        found = found._replace(seats={**found.seats, seat: who})
        messages.append(password_mail(session.label, who, seat, word, session.time))
    files = {PLAYERS: addresses(session, found)}
    for message in messages:
        files |= sent_later(session.link.game, session.codes_secret, found.referee, message)
    return files


def _farewell(session: Session, now: Person, seat: str) -> list[Message]:
    """The last email to a player whom another one replaces, unless it would go to the same address:
    who plays there, and nothing of the game.
    """
    before, who = session.players.seats[seat], session.link.player(seat).name
    if who == now.name or before.has(now.address):
        return []
    values = {"label": session.label, "player": who, "seat": seat, "name": now.name}
    text = render("replaced.txt", **values)
    about = f"{session.label}: {now.name} plays {seat} from now on"
    file = f"replaced-{session.link.n:04d}-{seat}"
    called = f"replaced.{seat}.{b64(head_of(session.newest.raw))[:8]}"
    follows = last_id(session, seat)
    return [to_seat(session, seat, text, about, file=file, called=called, follows=follows)]


def changed(wanted: Wanted) -> tuple[str, ...]:
    """What is to be other than it is; BadInput ``player/…`` where that is nothing, or no sense."""
    if wanted.identified and wanted.identified not in WAYS:
        why = f"a player is not identified by {wanted.identified[:20]!r}"
        raise BadInput("player/known", why, f"choose one of {', '.join(WAYS)}")
    if (wanted.identified == KEY.name) != bool(wanted.key):
        way = "give both: --known key --key KEY, with the public key that the player's pbem shows"
        raise BadInput("player/key", "--key and --known key go together", way)
    if wanted.language and wanted.language not in LANGUAGES:
        why = f"emails are not written in {wanted.language[:20]!r}"
        raise BadInput("player/language", why, f"choose one of {', '.join(LANGUAGES)}")
    asked = (wanted.name, wanted.address, wanted.language, wanted.identified)
    what = [name for name, value in zip(OF_A_PLAYER, asked, strict=True) if value]
    if not what:
        why = "there is nothing to change"
        raise BadInput("player/nothing", why, "give --name, --address, --language or --known")
    return tuple(what)


def replaced(record: StateRecord, wanted: Wanted, what: tuple[str, ...]) -> Seated:
    """The row of the seat from now on."""
    old = record.player(wanted.seat)
    name = person(wanted.name, wanted.seat).name if wanted.name else old.name
    way = wanted.identified or old.identified
    key = _key(wanted.key) if wanted.key else old.key if WAYS[way].key else b""
    if key and any(player.key == key for player in record.people if player.seat != old.seat):
        why = "another seat has this key"
        raise BadInput("player/key", why, "each player needs a key of their own")
    since = record.n + 1 if anew(what) else old.since
    return Seated(old.seat, way, key, since, name)


def _key(text: str) -> bytes:
    try:
        key = unb64(text, 32)
    except BadInput:
        key = b""
    if not key or key in SMALL_ORDER:
        why = "that is not a public key"
        raise BadInput("player/key", why, "a key has 43 letters and digits")
    return key


def people(old: Players, wanted: Wanted, player: Seated) -> Players:
    """desk/players.toml with the change."""
    before = old.seats[wanted.seat]
    there = wanted.address or before.address
    fresh = person(f"{player.name},{there}", wanted.seat)
    now = before._replace(
        name=fresh.name, address=fresh.address, language=wanted.language or before.language
    )
    return old._replace(seats={**old.seats, wanted.seat: now})
