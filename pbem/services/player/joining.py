"""Joins a game with a player's own key, on the player's machine, offline.

A player with a key answers two emails. In the answer to the invitation they seal a contribution to the
shuffle, by its hash. The roster then lists all answers, and the player opens the contribution to it.
Not allowed here: anything of a referee; a key in any output.
Laws: a key is on the drive before its answer is printed. A contribution is opened to one roster only,
which contains it. An email is used only after its block, signature and states are checked.
Source: docs/SPECIFICATION.md sections 5, 6 and 10; decision 0005.
"""

import os
from pathlib import Path
from typing import NamedTuple

from pbem.chain.people import RosterEntry
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import game_id
from pbem.disk.home import Home, hold_keyrings, keyring_path, list_keyrings, read_keyring, write_keyring
from pbem.disk.system import is_file
from pbem.disk.whole import read, read_input, state_file_name
from pbem.errors import BadInput, PbemError, Refused
from pbem.mail.every_text import read_mail_texts
from pbem.mail.parsed import parse_email, strip_auto_submitted
from pbem.play.joining import contribution
from pbem.play.joining.answers import MAX_LINE_LETTERS, first_plain_line, format_join_lines, format_open_lines
from pbem.play.joining.contribution import (
    CONTRIBUTION_SIZE,
    Keyring,
    compute_commitment,
    make_join_answer,
    open_contribution,
)
from pbem.proof.verify.verify import Chain, check_chain
from pbem.report.block import Block, require_blocks
from pbem.services.session.keys import open_home
from pbem.services.session.newest import find_seat

MAX_EMAIL_SIZE = 4 * 1024 * 1024
SAVE_HINT = "save the referee's email as a file, with its attachments"
STATE_PREFIX = b"pbem = "
VIEW_MARKER = b"\n[view]\n"  #: in a view file, which only reports have
LAST_ROUND_STATE = 2  #: the last state before the game is dealt or cancelled


class Invitation(NamedTuple):
    """A genuine invitation or roster, for one seat."""

    game: str
    seat: str
    code: str  #: "" if it came without an email
    genesis_hash: bytes
    state_hash: bytes  #: of the newest state in it
    roster: tuple[RosterEntry, ...] | None  #: None in an invitation
    is_closed: bool  #: whether the round was cancelled
    chain: Chain  #: up to that state, verified


def read_invitation(file_name: str, seat: str) -> Invitation:
    """Read the invitation or roster in an email, text or state. Looks for missing states beside the file."""
    data = read_input(file_name, MAX_EMAIL_SIZE)
    if data.startswith(STATE_PREFIX):
        states = _add_states_beside(file_name, {_state_number(data): data})
        return _verify_invitation(states, None, seat, code="")
    email = parse_email(strip_auto_submitted(data))
    block = _newest_block(data)
    if block.n > LAST_ROUND_STATE or any(VIEW_MARKER in attachment.data for attachment in email.attachments):
        raise _dealt_error()
    states = {
        _state_number(attachment.data): attachment.data
        for attachment in email.attachments
        if attachment.data.startswith(STATE_PREFIX)
    }
    code = email.codes[0] if email.codes else ""
    return _verify_invitation(_add_states_beside(file_name, states), block, seat, code)


def _newest_block(data: bytes) -> Block:
    """Return the newest signed block in the texts of an email. Raises Refused if its signature does not fit."""
    block = max(require_blocks("\n".join(read_mail_texts(data).texts)), key=lambda candidate: candidate.n)
    if not block.is_genuine():
        raise Refused("join/not-genuine", "this email was changed after the referee signed it", SAVE_HINT)
    return block


def _state_number(raw: bytes) -> int:
    """Return the number that a state gives itself in its second line, as in ``n = 2``. It is not verified yet."""
    _, _, after_first_line = raw[:40].partition(b"\n")
    second_line, _, _ = after_first_line.partition(b"\n")
    text = second_line.removeprefix(b"n = ")
    if not text.isdigit():
        raise BadInput("join/file", "this is neither the referee's email nor a state", SAVE_HINT)
    return int(text)


def _dealt_error() -> Refused:
    hint = "answer your newest report; `pbem orders list VIEW` says what you may order"
    return Refused("join/dealt", "this game is dealt, so you need not join", hint)


def _add_states_beside(file_name: str, states: dict[int, bytes]) -> dict[int, bytes]:
    """Add missing states up to the newest one in ``states`` from the folder of the file, and return them all."""
    folder = Path(file_name).parent
    last_number = min(max(states, default=LAST_ROUND_STATE), LAST_ROUND_STATE)
    for number in range(last_number + 1):
        for path in (folder / state_file_name(number), folder / "states" / state_file_name(number)):
            if number not in states and file_name != "-" and is_file(path):
                states[number] = read(path, MAX_EMAIL_SIZE)
    return states


def _verify_invitation(states: dict[int, bytes], block: Block | None, seat: str, code: str) -> Invitation:
    """Verify the states of an invitation, and that its email's ``block`` (None without an email) is about them."""
    state_number = block.n if block else max(states)
    if state_number > LAST_ROUND_STATE:  # refused before the check below uses memory for that many states
        raise _dealt_error()
    states = {number: raw for number, raw in states.items() if number <= state_number}
    if set(states) != set(range(state_number + 1)):
        missing = ", ".join(f"{i:04d}.toml" for i in range(state_number + 1) if i not in states)
        raise BadInput("join/states", f"{missing} is not attached to it, nor beside it", SAVE_HINT)
    chain = check_chain(states, None, None)
    record = chain.last_record
    state_hash = chain.state_hashes[state_number]
    if block and (block.game, block.state_hash, block.key) != (game_id(states[0]), state_hash, chain.key):
        problem = "the email and its states do not belong together"
        raise Refused("join/other-states", problem, "use both from the same email of the referee")
    if record is None or record.is_dealt:
        raise _dealt_error()
    seat = find_seat(record, seat) if seat else ""
    own_seat = block.seat if block else seat
    if own_seat not in record.setup.seats or (seat and seat != own_seat):
        seats = ", ".join(player.label for player in record.people)
        problem = f"nothing here says that you play {seat}" if seat else "the seat is missing"
        hint = f"use your own email; if you have only a state, add --seat SEAT, one of {seats}"
        raise BadInput("join/seat", problem, hint)
    roster = record.roster if record.phase == "roster" else None
    is_closed = record.phase == CLOSED
    genesis_hash = chain.state_hashes[0]
    return Invitation(chain.game, own_seat, code, genesis_hash, state_hash, roster, is_closed, chain)


SAME_MACHINE_HINT = "run it where you joined: the same machine, the same PBEM_HOME"


class JoinAnswer(NamedTuple):
    """What the player sends to the referee."""

    invitation: Invitation  #: what it answers
    lines: tuple[str, ...]
    key_path: Path | None  #: the file of the key, if there is one


def join(file_name: str, text: str, seat: str) -> JoinAnswer:
    """Answer the invitation or the roster in a file. ``text``: a line to join with; "" to join with a key."""
    invitation = read_invitation(file_name, seat)
    if invitation.is_closed:
        problem = "this round was cancelled, so there is nothing to join"
        raise Refused("join/given-up", problem, "wait for the next round")
    if invitation.roster is None:
        return _plain_answer(invitation, text) if text else _join_with_key(invitation)
    if text:
        raise BadInput("join/text", "a line goes only with the answer to the invitation", "leave --text out")
    return _open_contribution(invitation)


def _plain_answer(invitation: Invitation, text: str) -> JoinAnswer:
    """Return an answer without a key, which adds a line of text to the shuffle."""
    line = first_plain_line([text])
    if line != " ".join(text.split()):
        problem = f"the line may have {MAX_LINE_LETTERS} letters and must not begin with `password`"
        raise BadInput("join/line", problem, 'for example --text "a quick brown fox"')
    return JoinAnswer(invitation, ("yes", f"give: {line}"), None)


def _join_with_key(invitation: Invitation) -> JoinAnswer:
    """Make a key and a contribution, unless this machine has them, and answer with them."""
    home = open_home()
    with hold_keyrings(home, invitation.game):
        keyring = _load_keyring(home, invitation)
        if keyring is None or not keyring.contribution:
            base_keyring = keyring or contribution.Keyring(invitation.game, invitation.seat, os.urandom(32))
            keyring = base_keyring._replace(
                contribution=os.urandom(CONTRIBUTION_SIZE), referee_key=invitation.chain.key
            )
            write_keyring(home, invitation.game, invitation.seat, contribution.encode_keyring(keyring))
    join_row = make_join_answer(
        invitation.genesis_hash, invitation.seat, keyring.contribution, keyring.signing, keyring.public
    )
    return JoinAnswer(invitation, format_join_lines(join_row), keyring_path(home, invitation.game, invitation.seat))


def _load_keyring(home: Home, invitation: Invitation) -> Keyring | None:
    data = read_keyring(home, invitation.game, invitation.seat)
    return None if data is None else contribution.decode_keyring(data, invitation.game, invitation.seat)


def _open_contribution(invitation: Invitation) -> JoinAnswer:
    """Open the contribution to the first roster that contains it, and to no other (P4)."""
    home = open_home()
    state_hash = invitation.state_hash
    if read_keyring(home, invitation.game, invitation.seat) is None:
        problem = f"there is no key here for {invitation.seat} of game {invitation.game}"
        raise Refused("join/no-key", problem, SAME_MACHINE_HINT)
    with hold_keyrings(home, invitation.game):
        keyring = _load_keyring(home, invitation)
        if keyring is None or not _is_sealed_in_roster(invitation, keyring):
            problem = "this roster does not hold what you sealed, so nothing is opened"
            hint = "keep this signed email, ask the referee, and warn the other players"
            raise Refused("join/not-in-roster", problem, hint)
        if keyring.opened_roster_hash not in (b"", state_hash):
            problem = "you have already opened your addition to the shuffle for another roster of this game"
            hint = "keep both emails; together they prove that there were two rosters"
            raise Refused("join/second-roster", problem, hint)
        if not keyring.opened_roster_hash:
            keyring = keyring._replace(opened_roster_hash=state_hash, referee_key=invitation.chain.key)
            write_keyring(home, invitation.game, invitation.seat, contribution.encode_keyring(keyring))
    opening_row = open_contribution(state_hash, invitation.seat, keyring.contribution, keyring.signing)
    return JoinAnswer(invitation, format_open_lines(opening_row), keyring_path(home, invitation.game, invitation.seat))


def _is_sealed_in_roster(invitation: Invitation, keyring: Keyring) -> bool:
    """Return whether the roster has this player's key and the hash of their contribution."""
    own_row = next((row for row in invitation.roster or () if row.seat == invitation.seat), None)
    if own_row is None or not own_row.is_sealed or not keyring.contribution or own_row.key != keyring.public:
        return False
    return own_row.commitment == compute_commitment(invitation.genesis_hash, invitation.seat, keyring.contribution)


def list_keys(home: Home) -> list[tuple[str, str, Keyring | PbemError]]:
    """List the player keys on this machine: game, seat, and the keyring or the error if it cannot be read."""
    keys: list[tuple[str, str, Keyring | PbemError]] = []
    for game, seat in list_keyrings(home):
        try:
            data = read_keyring(home, game, seat) or b""
            keys.append((game, seat, contribution.decode_keyring(data, game, seat)))
        except PbemError as error:
            keys.append((game, seat, error))
    return keys
