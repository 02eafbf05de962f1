"""What a player answers before the deal: lines to send, and what is read in an answer.

What lives here: writing and reading the lines `join …` and `open …`, the plain line, and judging
an answer. What must never be here: files, another seat's answer, a roster before it is closed.
Laws: what is said of an answer is a function of that answer and of the public states (P2); the last
good one counts until the roster is closed; what a mail program does to blanks and line ends does
no harm. Source: docs/SPECIFICATION.md section 6; decision 0005.
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

MAX_LINE_LETTERS = 120  #: letters of a plain line
LETTERS_PER_LINE = 43  #: letters of base64url on a line: 32 bytes, or half a signature
COMMANDS = ("withdraw", "resend", "help")
#: a clear yes, in the languages of the rulebooks and a few words around it
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
    """What one mail was taken for. One of the four is there, or none: it is a letter.

    ``row`` is what is kept: a row of the roster, or of the deal.
    """

    row: str = ""
    command: str = ""
    why: Sentence | None = None  #: why nothing of it is kept
    decline_line: str = ""  #: he does not play: the line that says so


def format_join_lines(answer: RosterEntry) -> tuple[str, ...]:
    """An answer with a key, as its player sends it."""
    signature = b64(answer.signature)
    values = ("key", b64(answer.key)), ("commit", b64(answer.commitment))
    halves = ("sig", signature[:LETTERS_PER_LINE]), ("sig", signature[LETTERS_PER_LINE:])
    return tuple(f"join {word} {value}" for word, value in (*values, *halves))


def format_open_lines(opening: OpenedContribution) -> tuple[str, ...]:
    """A contribution, opened, as its player sends it: whoever reads it knows r."""
    signature = b64(opening.signature)
    return (
        f"open r {b64(opening.random_bytes)}",
        f"open sig {signature[:LETTERS_PER_LINE]}",
        f"open sig {signature[LETTERS_PER_LINE:]}",
    )


def read_invitation_answer(
    record: StateRecord, genesis_hash: bytes, seat: str, own_lines: list[str], lines_below: list[str]
) -> JoiningAnswer:
    """An answer to the invitation: ``own_lines`` lines of the player, those ``lines_below`` his cut line.

    What stands below counts only where he wrote nothing himself: then he sent it on, quoted.
    """
    written_lines = [line for line in own_lines if line.strip()]
    text = _join_to_one_line(written_lines or lines_below)
    if (_KEY_LINE_START.search(text) and "join" in text.lower()) or _JOIN_WORD.match(first_plain_line(written_lines)):
        return _read_key_answer(record, genesis_hash, seat, text)
    if command := _find_allowed_command(written_lines, COMMANDS):
        return JoiningAnswer(command=command)
    contribution_texts = [match[1] for line in written_lines if (match := _GIVE.fullmatch(line.strip()))]
    is_accepted = bool(contribution_texts) or any(map(accepts_invitation, written_lines))
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


def accepts_invitation(line: str) -> bool:
    """Whether a line says that its player plays, and nothing else, politeness apart."""
    words = [word for word in re.findall(r"\w+", normalize_line(line)) if not POLITE.fullmatch(word)]
    yes_words = [word for word in words if _YES.fullmatch(word)]
    return bool(yes_words) and "?" not in line and all(word in yes_words or _GLADLY.fullmatch(word) for word in words)


def find_decline_line(lines: list[str]) -> str:
    """The line that says that its player does not play, and nothing else, politeness apart; else
    "".
    """
    for line in lines:
        words = [word for word in re.findall(r"\w+", normalize_line(line)) if not POLITE.fullmatch(word)]
        if words and words != ["sorry"] and "?" not in line and all(map(_NO.fullmatch, words)):
            return first_plain_line([line])
    return ""


def is_joining_answer(line: str) -> bool:
    """Whether a line is one that an invitation or a roster asks for."""
    match = _GIVE.fullmatch(line.strip()) or _KEY_LINE_START.search(line) or _JOIN_WORD.match(line)
    return bool(match) or accepts_invitation(line) or bool(find_decline_line([line]))


def _find_allowed_command(lines: list[str], allowed_commands: tuple[str, ...]) -> str:
    """What the first line asks for, where it may be asked now; else ""."""
    command = find_command(lines[0].strip().lower()) if lines else None
    return command if command and (command in allowed_commands or is_rules_command(command)) else ""


def is_rules_command(command: str | None) -> bool:
    """Whether a rule is asked for: everybody may read them."""
    return command is not None and command.partition(" ")[0] == "rules"


def first_plain_line(lines: Iterable[str]) -> str:
    """The first line that says anything, as all will read it: its blanks made one, cut at 120.

    A greeting says nothing, unless there is nothing else.
    """
    safe_lines = (line for line in lines if not mentions_password(line))
    texts = [" ".join("".join(c if c.isprintable() else " " for c in safe_line).split()) for safe_line in safe_lines]
    nonempty_texts = [text for text in texts if text]
    text = next((line for line in nonempty_texts if not _GREETING.fullmatch(line)), "".join(nonempty_texts[:1]))
    return text if len(text) <= MAX_LINE_LETTERS else text[:MAX_LINE_LETTERS].rsplit(" ", 1)[0].rstrip()


def _join_to_one_line(lines: Iterable[str]) -> str:
    """What a mail program broke, marked or indented, as one line of words."""
    return " ".join(" ".join(line.lstrip("> \t\xa0").split()) for line in lines)


def _collect_values(pattern: re.Pattern[str], text: str) -> dict[str, list[str]]:
    """The values of each word, each once, in the order they came."""
    values_by_word: dict[str, list[str]] = {}
    for word, value in pattern.findall(text):
        values = values_by_word.setdefault(word.lower(), [])
        if value not in values:
            values.append(value)
    return values_by_word


def _read_key_answer(record: StateRecord, genesis_hash: bytes, seat: str, text: str) -> JoiningAnswer:
    values_by_word = _collect_values(_JOIN, text)
    if len(values_by_word.get("key", ())) > 1:
        return JoiningAnswer(why=say(sentences.TWO_KEYS))
    try:
        (key,), (commitment,), (first_half, second_half) = (values_by_word[word] for word in ("key", "commit", "sig"))
        answer = RosterEntry(seat, SEALED, unb64(key, 32), unb64(commitment, 32), unb64(first_half + second_half, 64))
    except (KeyError, ValueError, BadInput):
        return JoiningAnswer(why=say(sentences.JOIN_CUT))
    if contribution.is_genuine_join(genesis_hash, answer):
        return JoiningAnswer(row=answer.row())
    for other in record.setup.seats:
        if contribution.is_genuine_join(genesis_hash, answer._replace(seat=other)):
            return JoiningAnswer(why=say(sentences.KEY_OF_ANOTHER, seat=other))
    return JoiningAnswer(why=say(sentences.WRONG_JOIN))


def read_roster_answer(
    record: StateRecord,
    genesis_hash: bytes,
    roster_hash: bytes,
    seat: str,
    own_lines: list[str],
    lines_below: list[str],
) -> JoiningAnswer:
    """An answer to the roster: the contribution, opened; checked before it is kept."""
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
    values_by_word = _collect_values(_OPEN, text)
    try:
        (contribution_value,), (first_half, second_half) = (values_by_word["r"], values_by_word["sig"])
        opening = OpenedContribution(seat, unb64(contribution_value, 32), unb64(first_half + second_half, 64))
    except (KeyError, ValueError, BadInput):
        return JoiningAnswer(why=say(sentences.OPEN_CUT))
    fault = contribution.find_opening_fault(genesis_hash, roster_hash, opening, record.roster)
    if fault:
        return JoiningAnswer(why=say(sentences.WRONG_OPENING))
    return JoiningAnswer(row=OPENED_ROW.write_row(opening))
