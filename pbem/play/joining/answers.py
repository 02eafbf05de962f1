"""Write and read what players answer before the deal: yes, no, and the lines `give:`, `join …`, `open …`.

A player with a key joins by lines `join …`, which commit to a secret contribution to the deal.
Lines `open …` publish it after everybody has joined. How pbem replies depends only on the answer
and on public states (P2). Mail programs may change blanks and line ends without harm.

Not allowed here: files; another seat's answer; a roster before it is closed.
Source: docs/SPECIFICATION.md section 6; decision 0005.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.chain.people import NONE, OPENED_ROW, PLAIN, SEALED, OpenedContribution, RosterEntry
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.engine.row import Sentence, say
from pbem.errors import BadInput
from pbem.mail.identity import mentions_password
from pbem.notation.commands import find_command
from pbem.notation.tokens import POLITE, normalize_line
from pbem.play import sentences
from pbem.play.joining import contribution

MAX_LINE_LETTERS = 120  #: of the player's text after `give:`, or of the line in which they decline
LETTERS_PER_LINE = 43  #: letters of base64url on a line: 32 bytes, or half a signature
COMMANDS = ("withdraw", "resend", "help")
#: A clear yes in the languages of the rulebooks, and words that may go with it.
_YES = re.compile("yes|yep|yeah|join|oui|si|sì|igen|ja")
_GLADLY = re.compile(
    "i|do|will|play|in|am|im|sure|of|course|with|pleasure|gladly|volontiers|bien|certo|volentieri"
    "|gern|gerne|natürlich|szívesen"
)
_GIVE = re.compile(r"(?i)\W{0,3}give\s{0,3}:\s*(\S.*)")
_GREETING = re.compile(
    r"(?i)(hi|hello|hey|dear|hallo|liebe|lieber|ciao|salve|bonjour|salut|szia|kedves|servus|moin)"
    r"(\b[^,!:.]{0,30}[,!:.]|)"
)
_NO = re.compile("no|nope|nein|non|nem|sorry")
_VALUE = rf"([A-Za-z0-9_-]{{{LETTERS_PER_LINE}}})(?![A-Za-z0-9_-])"
_JOIN = re.compile(rf"\b(?i:join) (?i:(key|commit|sig)) {_VALUE}")
_OPEN = re.compile(rf"\b(?i:open) (?i:(r|sig)) {_VALUE}")
_KEY_LINE_START = re.compile(r"(?i)\b(join (?:key|commit|sig)|open (?:r|sig)) [\w-]{20}")
_JOIN_WORD = re.compile(r"(?i)join (key|commit|sig)\b")


class JoiningAnswer(NamedTuple):
    """What one email answers. If no field is set, the email is a message to the referee."""

    row: str = ""  #: the answer as a row of the roster or of the deal, to be stored
    command: str = ""
    why: Sentence | None = None  #: why the answer is refused
    decline_line: str = ""  #: the line in which the player declines


def format_join_lines(answer: RosterEntry) -> tuple[str, ...]:
    """Return the lines `join …` of an answer with a key, as its player sends them."""
    signature = b64(answer.signature)
    values = ("key", b64(answer.key)), ("commit", b64(answer.commitment))
    halves = ("sig", signature[:LETTERS_PER_LINE]), ("sig", signature[LETTERS_PER_LINE:])
    return tuple(f"join {word} {value}" for word, value in (*values, *halves))


def format_open_lines(opening: OpenedContribution) -> tuple[str, ...]:
    """Return the lines `open …` of an opened contribution. Anyone who reads them knows the contribution."""
    signature = b64(opening.signature)
    return (
        f"open r {b64(opening.random_bytes)}",
        f"open sig {signature[:LETTERS_PER_LINE]}",
        f"open sig {signature[LETTERS_PER_LINE:]}",
    )


def read_invitation_answer(
    record: StateRecord, genesis_hash: bytes, seat: str, own_lines: list[str], lines_below: list[str]
) -> JoiningAnswer:
    """Read the answer to an invitation from the player's ``own_lines``.

    ``lines_below`` are below the line that marks where the quoted email begins. They count only if
    the player wrote nothing above it, because then the `join …` lines may be in the quotation.
    """
    written_lines = [line for line in own_lines if line.strip()]
    text = _join_to_one_line(written_lines or lines_below)
    has_key_lines = _KEY_LINE_START.search(text) and "join" in text.lower()
    if has_key_lines or _JOIN_WORD.match(first_plain_line(written_lines)):
        return _read_key_answer(record, genesis_hash, seat, text)
    if command := _find_allowed_command(written_lines, COMMANDS):
        return JoiningAnswer(command=command)
    contribution_texts = [match[1] for line in written_lines if (match := _GIVE.fullmatch(line.strip()))]
    is_accepted = bool(contribution_texts) or any(accepts_invitation(line) for line in written_lines)
    decline_line = find_decline_line(written_lines)
    if decline_line and is_accepted:
        return JoiningAnswer(why=say(sentences.BOTH))
    if decline_line:
        return JoiningAnswer(decline_line=decline_line)
    if is_accepted and record.player(seat).method.key:
        return JoiningAnswer(why=say(sentences.PLAYED_WITH_KEY))
    if len(contribution_texts) > 1:
        return JoiningAnswer(why=say(sentences.GIVES_TWICE))
    if contribution_texts:
        return JoiningAnswer(row=RosterEntry(seat, PLAIN, text=first_plain_line(contribution_texts)).row())
    return JoiningAnswer(row=RosterEntry(seat, NONE).row() if is_accepted else "")


def _words_without_courtesy(line: str) -> list[str]:
    """Return the words of a line, without polite ones."""
    return [word for word in re.findall(r"\w+", normalize_line(line)) if not POLITE.fullmatch(word)]


def accepts_invitation(line: str) -> bool:
    """Return whether a line says yes to the invitation and nothing else: `Yes please, gladly!`."""
    words = _words_without_courtesy(line)
    yes_words = [word for word in words if _YES.fullmatch(word)]
    has_only_yes = all(word in yes_words or _GLADLY.fullmatch(word) for word in words)
    return bool(yes_words) and has_only_yes and "?" not in line


def find_decline_line(lines: list[str]) -> str:
    """Return the first line that says no to the invitation and nothing else; "" if there is none."""
    for line in lines:
        words = _words_without_courtesy(line)
        has_only_no = bool(words) and all(_NO.fullmatch(word) for word in words)
        if has_only_no and words != ["sorry"] and "?" not in line:
            return first_plain_line([line])
    return ""


def is_joining_answer(line: str) -> bool:
    """Return whether a line answers an invitation or a roster."""
    match = _GIVE.fullmatch(line.strip()) or _KEY_LINE_START.search(line) or _JOIN_WORD.match(line)
    return bool(match) or accepts_invitation(line) or bool(find_decline_line([line]))


def _find_allowed_command(lines: list[str], allowed_commands: tuple[str, ...]) -> str:
    """Return the command in the first line, if it is allowed now; otherwise ""."""
    command = find_command(lines[0].strip().lower()) if lines else None
    return command if command and (command in allowed_commands or is_rules_command(command)) else ""


def is_rules_command(command: str | None) -> bool:
    """Return whether a command asks for the text of a rule, which everybody may read."""
    return command is not None and command.partition(" ")[0] == "rules"


def first_plain_line(lines: Iterable[str]) -> str:
    """Return the first line with text, with single blanks, cut at ``MAX_LINE_LETTERS``; "" if there is none.

    All players will read it, so a line that mentions a password is left out. A greeting counts only
    if there is no other line.
    """
    safe_lines = (line for line in lines if not mentions_password(line))
    texts = [" ".join("".join(c if c.isprintable() else " " for c in safe_line).split()) for safe_line in safe_lines]
    nonempty_texts = [text for text in texts if text]
    other_texts = (text for text in nonempty_texts if not _GREETING.fullmatch(text))
    first_text = next(other_texts, nonempty_texts[0] if nonempty_texts else "")
    if len(first_text) <= MAX_LINE_LETTERS:
        return first_text
    return first_text[:MAX_LINE_LETTERS].rsplit(" ", 1)[0].rstrip()


def _join_to_one_line(lines: Iterable[str]) -> str:
    """Return the lines as one, so that it does not matter how a mail program wrapped, quoted or indented them."""
    return " ".join(" ".join(line.lstrip("> \t\xa0").split()) for line in lines)


def _collect_values(pattern: re.Pattern[str], text: str) -> dict[str, list[str]]:
    """Return the values behind each word (`key`, `sig` …) that the pattern finds, in order, without repetition."""
    values_by_word: dict[str, list[str]] = {}
    for word, value in pattern.findall(text):
        values = values_by_word.setdefault(word.lower(), [])
        if value not in values:
            values.append(value)
    return values_by_word


def _read_key_answer(record: StateRecord, genesis_hash: bytes, seat: str, text: str) -> JoiningAnswer:
    """Read the lines `join …`, and verify their signature for this genesis and seat."""
    values_by_word = _collect_values(_JOIN, text)
    if len(values_by_word.get("key", ())) > 1:
        return JoiningAnswer(why=say(sentences.TWO_KEYS))
    answer = _parse_key_answer(seat, values_by_word)
    if answer is None:
        return JoiningAnswer(why=say(sentences.JOIN_CUT))
    if contribution.is_genuine_join(genesis_hash, answer):
        return JoiningAnswer(row=answer.row())
    for other in record.setup.seats:
        if contribution.is_genuine_join(genesis_hash, answer._replace(seat=other)):
            return JoiningAnswer(why=say(sentences.KEY_OF_ANOTHER, seat=other))
    return JoiningAnswer(why=say(sentences.WRONG_JOIN))


def _parse_key_answer(seat: str, values_by_word: dict[str, list[str]]) -> RosterEntry | None:
    """Return the answer that has these values; None if a value is missing or damaged."""
    try:
        (key,), (commitment,), (first_half, second_half) = (values_by_word[word] for word in ("key", "commit", "sig"))
        signature = unb64(first_half + second_half, 64)
        return RosterEntry(seat, SEALED, key=unb64(key, 32), commitment=unb64(commitment, 32), signature=signature)
    except (KeyError, ValueError, BadInput):
        return None


def read_roster_answer(
    record: StateRecord,
    genesis_hash: bytes,
    roster_hash: bytes,
    seat: str,
    own_lines: list[str],
    lines_below: list[str],
) -> JoiningAnswer:
    """Read the answer to a roster, which is an opened contribution, and verify it."""
    written_lines = [line for line in own_lines if line.strip()]
    if command := _find_allowed_command(written_lines, COMMANDS[1:]):
        return JoiningAnswer(command=command)
    if not any(answer.seat == seat and answer.is_sealed for answer in record.roster):
        return JoiningAnswer(why=say(sentences.ROSTER_CLOSED))
    text = _join_to_one_line(written_lines or lines_below)
    if not _KEY_LINE_START.search(text):
        return JoiningAnswer(why=say(sentences.NO_OPENING))
    if "open" not in text.lower():
        return JoiningAnswer(why=say(sentences.JOIN_AGAIN))
    opening = _parse_opening(seat, _collect_values(_OPEN, text))
    if opening is None:
        return JoiningAnswer(why=say(sentences.OPEN_CUT))
    if contribution.find_opening_fault(genesis_hash, roster_hash, opening, record.roster):
        return JoiningAnswer(why=say(sentences.WRONG_OPENING))
    return JoiningAnswer(row=OPENED_ROW.write_row(opening))


def _parse_opening(seat: str, values_by_word: dict[str, list[str]]) -> OpenedContribution | None:
    """Return the opened contribution that has these values; None if a value is missing or damaged."""
    try:
        (contribution_value,), (first_half, second_half) = values_by_word["r"], values_by_word["sig"]
        return OpenedContribution(seat, unb64(contribution_value, 32), unb64(first_half + second_half, 64))
    except (KeyError, ValueError, BadInput):
        return None
