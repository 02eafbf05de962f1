"""Replaces the player of a seat, or changes a player's address, language or authentication.

Not allowed here: the ruling (chain/rulings/people.py).
Laws: players and their authentication do not change between the genesis, which is the first state, and
the deal. A ruling is in a dealt state or in the last one.
Source: FORMAT.md "Rulings"; P8; docs/SPECIFICATION.md section 5 (genesis; `rulings`: dealt,
closed).
"""

from functools import partial
from typing import NamedTuple

from pbem.chain.people import SeatedPlayer
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.people import PLAYER_FACTS, build_seating_basis, make_player_ruling, voids_old_orders
from pbem.chain.signed_state import state_hash_of
from pbem.chain.sources import IDENTIFICATION_METHODS, KEY, PASSWORD, IdentificationMethod
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import SMALL_ORDER
from pbem.disk.folder import PASSWORD_PREFIX, PLAYERS_FILE
from pbem.errors import BadInput, Refused
from pbem.report.players import Person, Players, check_names, parse_person
from pbem.report.render import render
from pbem.services.amend.ruling import RulingPlan, RulingResult, make_ruling
from pbem.services.lock import check_may_sign, open_for_writing
from pbem.services.lost_orders import void_orders
from pbem.services.open.new_game import password_message, with_new_password
from pbem.services.outbox import Message, build_outbox_files, message_to_seat
from pbem.services.receipts import send_held_receipts
from pbem.services.recipients import last_report_id
from pbem.services.reports import write_reports
from pbem.services.sentences import REPLACED_SUBJECT
from pbem.services.session.folders import sign_changed_players as addresses
from pbem.services.session.session import Session

LANGUAGES = ("en",)  #: languages that have templates

NEW_PASSWORD_NOTE = (
    f"send desk/outbox/{PASSWORD_PREFIX}{{seat}}.eml, then delete it; only this email has the new password"
)


class PlayerChange(NamedTuple):
    """What the referee wants to change about a player. "" leaves a fact as it is."""

    seat: str
    name: str = ""
    address: str = ""
    language: str = ""
    auth_method: str = ""
    key: str = ""


def change_dealt_player(session: Session, change: PlayerChange, reason: str, dry_run: bool) -> RulingResult:
    """Change a player of a dealt game by a ruling. Everybody can read it, except for the address."""

    def plan(session: Session) -> RulingPlan:
        changes = list_changes(change)
        new_row = replace_row(session.record, change, changes)
        other_names = [p.name for p in session.record.people if p.seat != new_row.seat]
        check_names([*other_names, new_row.name], session.game.seats)
        _add_warnings(session, change, new_row.method)
        voids_orders = new_row.orders_since == session.record.n + 1
        pending_by_seat = void_orders(session, frozenset({change.seat} if voids_orders else ()))
        pending = pending_by_seat[change.seat]
        if change.name:  # the old player's choices do not bind the new one
            pending = pending._replace(report_choice="", notes=())
        if new_row.key != session.record.player(change.seat).key:  # emails with a new key are numbered from 1
            pending = pending._replace(newest_email_number=0, newest_signed_number=0)
        pending_by_seat[change.seat] = pending
        ruling = make_player_ruling(change.seat, changes, change.auth_method, change.language, reason)
        return RulingPlan(session, build_seating_basis(session.position, new_row, ruling), pending_by_seat)

    def desk_files(session: Session) -> dict[str, bytes]:
        return _desk_files(session, change, replace_row(session.record, change, list_changes(change)))

    if not dry_run and (change.name or change.address):
        with open_for_writing(session) as session:
            send_held_receipts(session, leaving_seat=change.seat)
    return make_ruling(session, plan, dry_run, partial(_is_in_force, session, change, reason), desk_files)


def _is_in_force(session: Session, change: PlayerChange, reason: str, ruling: Ruling) -> bool:
    """Return whether the newest state has this very ruling and the whole change is in force."""
    session = session.reread()
    changes = list_changes(change)
    current_row = session.record.player(change.seat)
    new_row = replace_row(session.record, change, changes)
    expected_ruling = make_player_ruling(change.seat, changes, change.auth_method, change.language, reason)
    is_row_same = new_row._replace(orders_since=current_row.orders_since) == current_row
    if ruling != expected_ruling or not is_row_same:
        return False
    return update_players(session.players, change, new_row) == session.players


def _add_warnings(session: Session, change: PlayerChange, auth_method: IdentificationMethod) -> None:
    """Add notes that tell the referee what else to do, so that the new player can play and the old one cannot."""
    old_player = session.record.player(change.seat).label
    if change.name and not change.auth_method and (auth_method.password or auth_method.key):
        session.notes.append(
            f"{change.seat} is still identified by the {auth_method.name} of {old_player}, the player before; if "
            f"{change.name} is somebody else: pbem amend {session.folder.root} player "
            f'{change.seat} --auth reply (or password) --reason "…"'
        )
    if change.auth_method == PASSWORD.name:
        session.notes.append(NEW_PASSWORD_NOTE.format(seat=change.seat))


def change_invited_player(session: Session, change: PlayerChange, dry_run: bool) -> tuple[Session, tuple[str, ...]]:
    """Change how an invited player is reached, and send the invitation again to a new address.

    Return the game and the names of what changed, or with ``dry_run`` would change.
    """
    check_may_sign(session)
    changes = list_changes(change)
    _refuse_genesis_change(session, change)
    old_address = session.players.seats[change.seat].address
    if not dry_run:
        with open_for_writing(session) as session:
            files = _desk_files(session, change, session.record.player(change.seat))
            state_number = session.record.n
            if change.address:  # an empty report counts as unwritten, so the invitation is sent again
                files[f"reports/{state_number:04d}/{change.seat}.txt"] = b""
            session.folder.stage_desk_changes(state_number, files)
            session = session.reread()
            write_reports(session)
    _add_notes(session, change, old_address)
    return session, changes


def _refuse_genesis_change(session: Session, change: PlayerChange) -> None:
    """Refuse to change what the genesis fixes until the deal: names and authentication."""
    record, game_folder = session.record, session.folder.root
    is_new_password = change.auth_method == PASSWORD.name == record.player(change.seat).method_name
    if not change.name and (not change.auth_method or is_new_password):
        return
    raise Refused(
        "player/settled",
        "until the deal, players and how each is identified stay as in the invitation",
        "change it after the deal, or cancel the round: "
        f"`pbem amend {game_folder} close --reason TEXT`, then `pbem new NEW --after {game_folder}`",
    )


def _add_notes(session: Session, change: PlayerChange, old_address: str) -> None:
    """Add notes that tell the referee what else to know or do."""
    seat = change.seat
    has_moved = change.address and old_address not in ("", change.address)
    if has_moved:
        player_text = session.record.player(seat).label
        session.notes.append(
            f"the email that went to {old_address} still counts; anyone who has it can answer for {player_text}"
        )
    if change.auth_method:
        session.notes.append(NEW_PASSWORD_NOTE.format(seat=seat))
    elif has_moved and session.record.player(seat).method.password:
        session.notes.append("its password went there too: --auth password makes another")


def _desk_files(session: Session, change: PlayerChange, new_row: SeatedPlayer) -> dict[str, bytes]:
    """Return the desk files after the change: addresses, and emails with a new password or to a replaced player."""
    seat = change.seat
    new_players = update_players(session.players, change, new_row)
    messages = _farewell_messages(session, new_players.seats[seat], seat)
    if change.auth_method == PASSWORD.name:
        if not new_players.seats[seat].address:
            problem = f"the password of {new_row.label} goes out by email, and there is no address"
            raise Refused("known/no-address", problem, "--address ADDRESS")
        player, password = with_new_password(new_players.seats[seat])
        new_players = new_players._replace(seats={**new_players.seats, seat: player})
        messages.append(password_message(session.label, player, seat, password, session.time))
    files = {PLAYERS_FILE: addresses(session, new_players)}
    for message in messages:
        files |= build_outbox_files(session.record.game, session.codes_secret, new_players.referee, message)
    return files


def _farewell_messages(session: Session, new_person: Person, seat: str) -> list[Message]:
    """Return the last email to a replaced player. It says who plays now, and nothing about the game.

    Return an empty list if nobody is replaced or if old and new player have the same address.
    """
    old_person = session.players.seats[seat]
    old_name = session.record.player(seat).name
    if old_name == new_person.name or old_person.has_address(new_person.address):
        return []
    values = {"label": session.label, "player": old_name, "seat": seat, "name": new_person.name}
    text = render("replaced.txt", **values)
    subject = REPLACED_SUBJECT.format(label=session.label, player=new_person.name, seat=seat)
    file_name = f"replaced-{session.record.n:04d}-{seat}"
    id_part = f"replaced.{seat}.{b64(state_hash_of(session.newest.raw))[:8]}"
    parent_id = last_report_id(session, seat)
    return [message_to_seat(session, seat, text, subject, file_name=file_name, id_part=id_part, parent_id=parent_id)]


def list_changes(change: PlayerChange) -> tuple[str, ...]:
    """Return the names of what changes. Raises BadInput ``player/…`` if nothing changes or a value is invalid."""
    if change.auth_method and change.auth_method not in IDENTIFICATION_METHODS:
        problem = f"a player is not identified by {change.auth_method[:20]!r}"
        raise BadInput("player/known", problem, f"choose one of {', '.join(IDENTIFICATION_METHODS)}")
    if (change.auth_method == KEY.name) != bool(change.key):
        hint = "give both: --auth key --key KEY, with the public key that the player's pbem shows"
        raise BadInput("player/key", "--key and --auth key go together", hint)
    if change.language and change.language not in LANGUAGES:
        problem = f"emails are not written in {change.language[:20]!r}"
        raise BadInput("player/language", problem, f"choose one of {', '.join(LANGUAGES)}")
    values = (change.name, change.address, change.language, change.auth_method)
    changes = [name for name, value in zip(PLAYER_FACTS, values, strict=True) if value]
    if not changes:
        problem = "there is nothing to change"
        raise BadInput("player/nothing", problem, "give --name, --address, --language or --auth")
    return tuple(changes)


def replace_row(record: StateRecord, change: PlayerChange, changes: tuple[str, ...]) -> SeatedPlayer:
    """Return the seat's row after the change: its player, as the next state would list them."""
    old_row = record.player(change.seat)
    name = parse_person(change.name, change.seat).name if change.name else old_row.name
    auth_method = change.auth_method or old_row.method_name
    key = b""
    if change.key:
        key = _parse_key(change.key)
    elif IDENTIFICATION_METHODS[auth_method].key:
        key = old_row.key
    if key and any(player.key == key for player in record.people if player.seat != old_row.seat):
        raise BadInput("player/key", "another seat has this key", "each player needs a key of their own")
    since = record.n + 1 if voids_old_orders(changes) else old_row.orders_since
    return SeatedPlayer(old_row.seat, auth_method, key, since, name)


def _parse_key(text: str) -> bytes:
    """Return a public key. Raises BadInput ``player/key`` if it is not one, or a weak one."""
    try:
        key = unb64(text, 32)
    except BadInput:
        key = b""
    if not key or key in SMALL_ORDER:
        raise BadInput("player/key", "that is not a public key", "a key has 43 letters and digits")
    return key


def update_players(players: Players, change: PlayerChange, new_row: SeatedPlayer) -> Players:
    """Return the content of desk/players.toml after the change."""
    old_person = players.seats[change.seat]
    address = change.address or old_person.address
    contact = parse_person(f"{new_row.name},{address}", change.seat)
    new_person = old_person._replace(
        name=contact.name, address=contact.address, language=change.language or old_person.language
    )
    return players._replace(seats={**players.seats, change.seat: new_person})
