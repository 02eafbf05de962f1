"""Checks a player's orders as the referee's pbem will check them, and signs them.

Both need the view file that came with the player's report: the game as this player may see it. The keyring
of a seat, on the player's machine, has its key and the number of the last email signed with it.
Not allowed here: making a key (joining.py).
Laws: a number is on the drive before its signature is printed, and is used once. The signed text is read
back, and must contain exactly what was signed.
Source: docs/SPECIFICATION.md section 9; decision 0005; pbem/formats/FORMAT.md.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import catalog
from pbem.crypto.encoding import digest, unb64
from pbem.disk.home import hold_keyrings, keyring_path, read_keyring, write_keyring
from pbem.disk.system import is_file, stat_or_none
from pbem.disk.whole import read_input
from pbem.engine.settings import SPECTATORS
from pbem.errors import BadInput, OurFault, PbemError, Refused, naming_file, notices
from pbem.formats import toml
from pbem.formats.toml import TableReader
from pbem.mail.every_text import read_mail_texts
from pbem.mail.identity import GAME_ID, canonical_code
from pbem.mail.parsed import MAIL_LIMIT, parse_email, strip_auto_submitted
from pbem.mail.text import decode
from pbem.notation.move_file import MAX_EMAIL_NUMBER, MAX_TOOL_LEAP, OrderSignatures, write_move_file, write_signatures
from pbem.play import signed_orders
from pbem.play.consent import find_single_vote, find_undo_question, hold_double_vote
from pbem.play.joining import contribution
from pbem.play.pending_orders import PendingOrders, format_signed_line
from pbem.play.proposals.proposals import find_proposal
from pbem.play.proposals.prose import Reader, read_prose
from pbem.play.signed_orders import MAX_SIGNED_BYTES, list_signed_lines
from pbem.play.validate_email import OrdersResult, validate_orders
from pbem.play.validation import EmailContext
from pbem.report.block import Block, require_blocks
from pbem.report.receipt import BAD_OUTCOMES, verdict_lines
from pbem.services.prove.verdicts import Verdict
from pbem.services.prove.verify import verify_paths
from pbem.services.receive.message import ReceivedEmail, grammar_of, parse_orders, read_message, redivide_lines
from pbem.services.receive.prose import lexicon_of
from pbem.services.session.keys import open_home

if TYPE_CHECKING:
    from pbem.engine.game import Game

MAX_VIEW_SIZE = 1024 * 1024
USE_EMAIL_AGAIN = "use the view file from the email of your report again"
USE_WHOLE_EMAIL = "use the whole email of your newest report, which is signed, in place of its view file"


class ViewFile(NamedTuple):
    """The content of a view file: a game as one player may see it."""

    game: "Game"
    view: Any
    seat: str
    state_hash: str
    code: str
    done_orders: tuple[str, ...]  #: the orders of this turn that are played already
    game_id: str
    rules_version: str
    last_number: int  #: the highest email number that the referee's pbem has seen
    state_number: int
    is_vouched: bool = False  #: whether the referee signed this very file


def read_view_file(path: Path) -> ViewFile:
    """Read a view file, which may also be attached to an email or quoted in it.

    Raises BadInput ``view/…`` if there is none, and Refused ``view/changed`` if its report was signed
    with another one.
    """
    data = read_input(str(path), MAX_VIEW_SIZE)
    text, raw = _find_view_text(data)
    if "[view]" not in text:
        problem = f"{path} is neither a view file nor the email of a report"
        raise BadInput("view/none", problem, "use the file SEAT.view.toml that came with your report")
    with naming_file(path, USE_EMAIL_AGAIN):
        view_file = _parse_view_file(toml.load(text, "view"))
    return view_file._replace(is_vouched=_is_vouched(view_file, raw, _find_signed_blocks(path, data)))


def _find_view_text(data: bytes) -> tuple[str, bytes]:
    """Return the text of a view file and its exact bytes, which are b"" if it is only quoted in an email."""
    if data.removeprefix(b"\xef\xbb\xbf").startswith(b"pbem = "):
        return decode(data), data
    try:
        email = parse_email(strip_auto_submitted(data))
    except BadInput:
        return "", b""
    view_attachments = [attachment.data for attachment in email.attachments if b"[view]" in attachment.data]
    if view_attachments:
        return decode(view_attachments[0]), view_attachments[0]
    lines = [line.lstrip("> \t\xa0") for line in email.text().split("\n")]
    first_line = next((i for i, line in enumerate(lines) if line.startswith("pbem = 1")), len(lines))
    text = "\n".join(lines[first_line:])
    return text, b""


def _find_signed_blocks(path: Path, data: bytes) -> list[Block]:
    """Return the signed blocks in the file itself and in the report or email of the same name beside it."""
    stem = path.name.removesuffix(".toml").removesuffix(".view")
    neighbours = (path.with_name(f"{stem}{suffix}") for suffix in (".txt", ".eml"))
    texts = [data, *(read_input(str(neighbour), MAIL_LIMIT) for neighbour in neighbours if is_file(neighbour))]
    blocks: list[Block] = []
    for raw_text in texts:
        with suppress(BadInput):
            blocks += require_blocks("\n".join(read_mail_texts(raw_text).texts))
    return blocks


def _is_vouched(view_file: ViewFile, raw: bytes, blocks: list[Block]) -> bool:
    """Return whether the referee signed this view file with a report.

    ``raw``: its bytes, or b"" if unknown. ``blocks``: signed blocks, which name the files of their report
    by hash. Raises Refused ``view/changed`` if the report of this view file names another one.
    """
    expected_ids = (view_file.game_id, view_file.seat, unb64(view_file.state_hash, 32))
    referee_key = b""  # any key will do, unless the player's keyring knows the referee's
    own_blocks = [
        block for block in blocks if (block.game, block.seat, block.state_hash) == expected_ids and block.is_genuine()
    ]
    with suppress(BadInput):  # this player has no keyring
        keyring = read_keyring(open_home(), view_file.game_id, view_file.seat) or b""
        referee_key = contribution.decode_keyring(keyring, view_file.game_id, view_file.seat).referee_key
    referee_blocks = [block for block in own_blocks if referee_key in (b"", block.key)]
    named_digests = {sha for signed_block in referee_blocks or own_blocks for _, sha in signed_block.files}
    if raw and own_blocks and digest(raw) not in named_digests:
        problem = "this view file was changed: its report was signed with another one"
        raise Refused("view/changed", problem, USE_EMAIL_AGAIN)
    return bool(raw and referee_blocks)


def _parse_view_file(document: dict[str, Any]) -> ViewFile:
    """Read the fields of a view file. Raises BadInput if one is wrong, or Refused for other rules."""
    reader = TableReader(document, "")
    reader.number("pbem", 1, 1)
    kind, seat, code, state_hash = (reader.text(key) for key in ("kind", "seat", "code", "head"))
    state_number = reader.number("n", 0, 999_999)
    game_id = reader.text("game")
    rules_version = reader.text("rulings")
    last_number = reader.number("nr", 0, MAX_EMAIL_NUMBER)
    seats = tuple(row.partition(" ")[0] for row in reader.rows("seats"))
    options = tuple((name, value) for name, _, value in (row.partition("=") for row in reader.rows("options")))
    done_orders = tuple(reader.rows("done"))
    reader.table("view")
    if reader.has_key("standings"):  # for people and programs; pbem makes them from the View
        reader.table("standings")
    reader.refuse_unknown_keys()
    _check_ids(game_id, code if seat != SPECTATORS else None, state_hash)
    game = catalog.load_with_rules(kind, rules_version, "use the pbem that your referee uses")
    config = game.configure(seats, dict(options), rules_version)
    if seat not in (*seats, SPECTATORS):
        raise BadInput("view/seat", "its seat is not a seat of its game")
    view = game.decode_view(config, document["view"])
    return ViewFile(game, view, seat, state_hash, code, done_orders, game_id, rules_version, last_number, state_number)


def _check_ids(game_id: str, code: str | None, state_hash: str) -> None:
    """Check the fields that tie a view file to its report. ``code`` is None for spectators, who get none."""
    if not re.fullmatch(GAME_ID, game_id):
        raise BadInput("view/game", "its `game` is not the id of a game", USE_EMAIL_AGAIN)
    if code is not None and canonical_code(code) != code:
        raise BadInput("view/code", "its `code` is not a code such as K7Q2-9F3A", USE_EMAIL_AGAIN)
    try:
        unb64(state_hash, 32)
    except BadInput:
        raise BadInput("view/head", "its `head` is not the hash of a state", USE_EMAIL_AGAIN) from None


CORRECT_HINT = "correct these lines; `pbem orders check` says more"


class OrderCheck(NamedTuple):
    """What the referee's pbem will say about a player's orders."""

    view_file: ViewFile
    validation: OrdersResult
    is_other_report: bool  #: whether the orders have the code of another report
    has_key: bool  #: whether the key of the seat is here, so that its orders can be signed
    verdicts: list[Verdict]  #: on the newest report and the older ones
    proposed_orders: tuple[str, ...] = ()  #: what the orders may mean, if they are not valid


def check_orders(view_path: Path, file_name: str, older_paths: Sequence[Path] = ()) -> OrderCheck:
    """Check the orders in a file. ``older_paths``: older reports, to compare with the newest."""
    view_file = read_view_file(view_path)
    if older_paths and view_path.suffix == ".toml":
        problem = f"{view_path} alone is not signed, so there is nothing to compare"
        raise BadInput("view/alone", problem, "use the whole email of your newest report")
    message = redivide_lines(read_message(read_input(file_name, MAIL_LIMIT)))
    is_other_report = bool(message.codes) and view_file.code not in message.codes
    verdicts = verify_paths([view_path, *older_paths], None, view_file.game_id) if older_paths else []
    validation = _validate(view_file, message)
    proposed_orders = validation.parsed_orders.proposed_commands
    if not validation.is_accepted:
        reader = _prose_reader(view_file)
        proposed_orders = (
            *find_proposal(reader, _question_of(view_file), validation.parsed_orders),
            *proposed_orders,
        )
    has_key = _has_key(view_file)
    return OrderCheck(view_file, validation, is_other_report, has_key, verdicts, proposed_orders)


def _validate(view_file: ViewFile, message: ReceivedEmail, for_signing: bool = False) -> OrdersResult:
    """Validate the orders in an email as the referee's pbem will.

    Raises BadInput ``view/position`` if a damaged view file makes the game fail.
    """
    try:
        parsed_orders = parse_orders(message, grammar_of(view_file.game))
        # any number other than 0 stands for an email that will be signed
        question = _question_of(view_file)._replace(email_number=int(for_signing))
        return validate_orders(
            view_file.game,
            question,
            PendingOrders(forced_orders=view_file.done_orders),
            read_prose(_prose_reader(view_file), parsed_orders),
        )
    except Exception as error:  # a signed view file is not damaged, so the fault is elsewhere
        if view_file.is_vouched or isinstance(error, PbemError):
            raise
        problem = "the view file is damaged: no game comes to the position in it"
        raise BadInput("view/position", problem, USE_EMAIL_AGAIN) from error


def _question_of(view_file: ViewFile) -> EmailContext:
    has_legal_orders = bool(view_file.game.legal(view_file.view))
    return EmailContext(view_file.view, has_legal_orders, view_file.state_hash)


def _prose_reader(view_file: ViewFile) -> Reader:
    return Reader(view_file.game, view_file.view, grammar_of(view_file.game), lexicon_of(view_file.game))


def _has_key(view_file: ViewFile) -> bool:
    if view_file.seat == SPECTATORS:
        return False
    return stat_or_none(keyring_path(open_home(), view_file.game_id, view_file.seat)) is not None


class SignedText(NamedTuple):
    """Orders or an answer, signed."""

    view_file: ViewFile
    lines: list[str]
    number: int  #: of the email; 0 for an answer
    text: str  #: what the player sends


def sign_orders(view_path: Path, file_name: str) -> SignedText:
    """Sign the orders in a file, or the answer to a question. Raises Refused ``sign/…`` if a line is invalid."""
    view_file = read_view_file(view_path)
    message = redivide_lines(read_message(read_input(file_name, MAIL_LIMIT)))
    answer = find_single_vote(hold_double_vote(parse_orders(message, grammar_of(view_file.game))))
    if answer:
        return _sign_answer(view_file, message, answer)
    lines = _lines_to_sign(view_file, message)
    signatures, text = _sign_lines(view_file, lines, message.is_move_file)
    return SignedText(view_file, lines, signatures.email_number, text)


def _sign_answer(view_file: ViewFile, message: ReceivedEmail, answer: str) -> SignedText:
    """Sign the answer to the question about an undo that is quoted in the email. It has no number."""
    question = find_undo_question(line.text for line in (*message.lines, *message.lines_below))
    if question is None or not message.codes:
        problem = f"the file says `{answer}`, and not what to"
        hint = "write it at the top of your reply, and keep the email that asks you quoted below it"
        raise Refused("sign/no-question", problem, hint)
    if (question.game, question.seat, question.state_hash) != (view_file.game_id, view_file.seat, view_file.state_hash):
        problem = "that email does not ask you, or the game has gone on since"
        hint = "use the view file of your newest report; a newer email may ask you again"
        raise Refused("sign/other-question", problem, hint)
    meaning = question.describe_answer(answer, view_file.state_number)
    if not meaning:
        problem = f"the email asks you to agree to `{question.act}`, which pbem asks nobody"
        raise Refused("sign/other-act", problem, "nothing is signed; ask the referee what it means")
    notices[f"by signing this, {meaning}; if the email says otherwise, do not send it"] = None
    keyring = contribution.decode_keyring(_read_own_keyring(view_file), view_file.game_id, view_file.seat)
    numbered_signatures = ((1, question.sign_answer(answer, keyring.signing)),)
    block = write_signatures(
        OrderSignatures(view_file.game_id, view_file.seat, 0, view_file.state_hash, numbered_signatures)
    )
    text = "".join(f"{part}\n" for part in (answer, "", block, "", f"[pbem {message.codes[0]}]"))
    return SignedText(view_file, [f"{answer}: {meaning}"], 0, text)


def _read_own_keyring(view_file: ViewFile) -> bytes:
    """Return the keyring of the seat. Raises BadInput ``keyring/none`` if it is not on this machine."""
    home = open_home()
    data = read_keyring(home, view_file.game_id, view_file.seat)
    if data is None:
        problem = f"there is no key for {view_file.seat} in {home.path / 'players' / view_file.game_id}"
        raise BadInput("keyring/none", problem, "sign where you joined; `pbem orders join` made the key there")
    return data


def _lines_to_sign(view_file: ViewFile, message: ReceivedEmail) -> list[str]:
    """Return the lines to sign, as the referee's pbem writes them. Raises Refused ``sign/…`` if one is invalid."""
    if message.codes and view_file.code not in message.codes:
        problem = "the orders have the code of another report than the view file"
        raise Refused("sign/other-report", problem, "use the view file of that report")
    validation = _validate(view_file, message, for_signing=True)
    bad_verdicts = [verdict for verdict in validation.verdicts if verdict.outcome in BAD_OUTCOMES]
    if bad_verdicts:
        raise Refused("sign/not-good", f"nothing is signed: {verdict_lines(bad_verdicts)[0]}", CORRECT_HINT)
    groups = validation.pending.groups
    order_lines = [format_signed_line(group, order) for group in groups for order in group.playable_orders]
    lines = [*order_lines, *validation.commands]
    if not lines:
        raise Refused("sign/nothing", "there is no order in it", "write one order per line")
    for line in lines:
        if len(line.encode()) > MAX_SIGNED_BYTES:
            problem = f"`{line}` is longer than {MAX_SIGNED_BYTES} letters"
            raise Refused("sign/too-long", problem, "write it in shorter words")
    return lines


def _sign_lines(view_file: ViewFile, lines: list[str], is_move_file: bool) -> tuple[OrderSignatures, str]:
    """Sign the lines. Return the signatures and the text to send, as a move file or as lines of an email.

    The number of the signatures is on the drive before this returns. It is not used up if the text does
    not read back.
    """
    home = open_home()
    _read_own_keyring(view_file)
    with hold_keyrings(home, view_file.game_id):
        data = read_keyring(home, view_file.game_id, view_file.seat) or b""
        keyring = contribution.decode_keyring(data, view_file.game_id, view_file.seat)
        keyring = keyring._replace(last_email_number=_next_number(view_file, keyring.last_email_number))
        context = signed_orders.SigningContext(
            view_file.game_id, view_file.seat, keyring.last_email_number, view_file.state_hash, view_file.rules_version
        )
        signatures = signed_orders.sign_orders(context, lines, keyring.signing)
        if is_move_file:
            text = write_move_file(view_file.code, tuple(lines), signatures=signatures).decode()
        else:
            parts = (*lines, "", write_signatures(signatures), "", f"[pbem {view_file.code}]")
            text = "".join(f"{part}\n" for part in parts)
        _check_reads_back(text, lines, signatures, view_file)
        write_keyring(home, view_file.game_id, view_file.seat, contribution.encode_keyring(keyring))
    return signatures, text


def _next_number(view_file: ViewFile, last_here: int) -> int:
    """Return the number of the next signed orders. Raises Refused ``sign/number…`` if the numbers do not fit.

    ``last_here``: the last number signed on this machine. The report may know a higher one, if the player
    also signs elsewhere. An unsigned view file could invent it, and so use up all numbers.
    """
    last_in_report = view_file.last_number
    new_key_hint = "ask the referee for a new key at your seat"
    if last_here >= MAX_EMAIL_NUMBER:
        problem = f"the key of {view_file.seat} has signed orders number {last_here}, the last there is"
        raise Refused("sign/numbers", problem, new_key_hint)
    if last_in_report > last_here and not view_file.is_vouched:
        problem = f"the view file says that your last orders were number {last_in_report}, here {last_here}"
        raise Refused("sign/number", problem, USE_WHOLE_EMAIL)
    if last_in_report >= MAX_EMAIL_NUMBER or last_in_report > last_here + MAX_TOOL_LEAP:
        problem = f"your last orders were number {last_in_report}, those signed here number {last_here}"
        raise Refused("sign/numbers", problem, new_key_hint)
    return max(last_here, last_in_report) + 1


def _check_reads_back(text: str, lines: list[str], signatures: OrderSignatures, view_file: ViewFile) -> None:
    """Raise OurFault unless the referee's pbem would read exactly the signed lines in the text."""
    message = read_message(text.encode())
    lines_read: Any = [line for _, line in list_signed_lines(parse_orders(message, grammar_of(view_file.game)))]
    if (lines_read, message.order_signatures, message.codes) != (lines, (signatures,), (view_file.code,)):
        raise OurFault("sign/read-back", "the signed text does not read back", "report this")
