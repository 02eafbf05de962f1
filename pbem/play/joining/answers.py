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

from pbem.chain.contributions import NONE, OPENED_ROW, PLAIN, SEALED, Joined, Opened
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.engine.row import Sentence, say
from pbem.errors import BadInput
from pbem.mail.identity import speaks_of_password
from pbem.notation.commands import ask_in
from pbem.notation.tokens import POLITE, plain
from pbem.play import sentences as said
from pbem.play.joining import contribution

LONGEST = 120  #: letters of a plain line
HALF = 43  #: letters of base64url on a line: 32 bytes, or half a signature
ASKS = ("withdraw", "resend", "help")
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
_VALUE = rf"([A-Za-z0-9_-]{{{HALF}}})(?![A-Za-z0-9_-])"
_JOIN = re.compile(rf"\b(?i:join) (?i:(key|commit|sig)) {_VALUE}")
_OPEN = re.compile(rf"\b(?i:open) (?i:(r|sig)) {_VALUE}")
_MEANT = re.compile(r"(?i)\b(join (?:key|commit|sig)|open (?:r|sig)) [\w-]{20}")
_HALF_JOIN = re.compile(r"(?i)join (key|commit|sig)\b")


class JoiningAnswer(NamedTuple):
    """What one mail was taken for. One of the four is there, or none: it is a letter.

    ``row`` is what is kept: a row of the roster, or of the deal.
    """

    row: str = ""
    ask: str = ""
    why: Sentence | None = None  #: why nothing of it is kept
    no: str = ""  #: he does not play: the line that says so


def join_lines(joined: Joined) -> tuple[str, ...]:
    """An answer with a key, as its player sends it."""
    sig = b64(joined.sig)
    values = ("key", b64(joined.key)), ("commit", b64(joined.commitment))
    halves = ("sig", sig[:HALF]), ("sig", sig[HALF:])
    return tuple(f"join {word} {value}" for word, value in (*values, *halves))


def open_lines(opened: Opened) -> tuple[str, ...]:
    """A contribution, opened, as its player sends it: whoever reads it knows r."""
    sig = b64(opened.sig)
    return f"open r {b64(opened.r)}", f"open sig {sig[:HALF]}", f"open sig {sig[HALF:]}"


def to_invitation(
    record: StateRecord, head: bytes, seat: str, own: list[str], below: list[str]
) -> JoiningAnswer:
    """An answer to the invitation: ``own`` lines of the player, those ``below`` his cut line.

    What stands below counts only where he wrote nothing himself: then he sent it on, quoted.
    """
    written = [line for line in own if line.strip()]
    text = _one_line(written or below)
    if (_MEANT.search(text) and "join" in text.lower()) or _HALF_JOIN.match(plain_line(written)):
        return _with_key(record, head, seat, text)
    if ask := _asked_for(written, ASKS):
        return JoiningAnswer(ask=ask)
    given = [found[1] for line in written if (found := _GIVE.fullmatch(line.strip()))]
    yes = bool(given) or any(map(accepts, written))
    no = declines(written)
    if no and yes:
        return JoiningAnswer(why=say(said.BOTH))
    if no:
        return JoiningAnswer(no=no)
    if yes and record.player(seat).way.key:
        return JoiningAnswer(why=say(said.PLAYED_WITH_KEY))
    if len(given) > 1:
        return JoiningAnswer(why=say(said.GIVES_TWICE))
    if given:
        return JoiningAnswer(row=Joined(seat, PLAIN, text=plain_line(given)).row())
    return JoiningAnswer(row=Joined(seat, NONE).row() if yes else "")


def accepts(line: str) -> bool:
    """Whether a line says that its player plays, and nothing else, politeness apart."""
    words = [word for word in re.findall(r"\w+", plain(line)) if not POLITE.fullmatch(word)]
    yes = [word for word in words if _YES.fullmatch(word)]
    return (
        bool(yes)
        and "?" not in line
        and all(word in yes or _GLADLY.fullmatch(word) for word in words)
    )


def declines(written: list[str]) -> str:
    """The line that says that its player does not play, and nothing else, politeness apart; else
    "".
    """
    for line in written:
        words = [word for word in re.findall(r"\w+", plain(line)) if not POLITE.fullmatch(word)]
        if words and words != ["sorry"] and "?" not in line and all(map(_NO.fullmatch, words)):
            return plain_line([line])
    return ""


def is_answer(line: str) -> bool:
    """Whether a line is one that an invitation or a roster asks for."""
    given = _GIVE.fullmatch(line.strip()) or _MEANT.search(line) or _HALF_JOIN.match(line)
    return bool(given) or accepts(line) or bool(declines([line]))


def _asked_for(written: list[str], known: tuple[str, ...]) -> str:
    """What the first line asks for, where it may be asked now; else ""."""
    ask = ask_in(written[0].strip().lower()) if written else None
    return ask if ask and (ask in known or is_rules(ask)) else ""


def is_rules(ask: str | None) -> bool:
    """Whether a rule is asked for: everybody may read them."""
    return ask is not None and ask.partition(" ")[0] == "rules"


def plain_line(lines: Iterable[str]) -> str:
    """The first line that says anything, as all will read it: its blanks made one, cut at 120.

    A greeting says nothing, unless there is nothing else.
    """
    clean = (line for line in lines if not speaks_of_password(line))
    texts = [" ".join("".join(c if c.isprintable() else " " for c in x).split()) for x in clean]
    said = [text for text in texts if text]
    text = next((line for line in said if not _GREETING.fullmatch(line)), "".join(said[:1]))
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0].rstrip()


def _one_line(lines: Iterable[str]) -> str:
    """What a mail program broke, marked or indented, as one line of words."""
    return " ".join(" ".join(line.lstrip("> \t\xa0").split()) for line in lines)


def _values(pattern: re.Pattern[str], text: str) -> dict[str, list[str]]:
    """The values of each word, each once, in the order they came."""
    found: dict[str, list[str]] = {}
    for word, value in pattern.findall(text):
        values = found.setdefault(word.lower(), [])
        if value not in values:
            values.append(value)
    return found


def _with_key(record: StateRecord, head: bytes, seat: str, text: str) -> JoiningAnswer:
    found = _values(_JOIN, text)
    if len(found.get("key", ())) > 1:
        return JoiningAnswer(why=say(said.TWO_KEYS))
    try:
        (key,), (commit,), (first, second) = (found[word] for word in ("key", "commit", "sig"))
        joined = Joined(seat, SEALED, unb64(key, 32), unb64(commit, 32), unb64(first + second, 64))
    except (KeyError, ValueError, BadInput):
        return JoiningAnswer(why=say(said.JOIN_CUT))
    if contribution.genuine(head, joined):
        return JoiningAnswer(row=joined.row())
    for other in record.setup.seats:
        if contribution.genuine(head, joined._replace(seat=other)):
            return JoiningAnswer(why=say(said.KEY_OF_ANOTHER, seat=other))
    return JoiningAnswer(why=say(said.WRONG_JOIN))


def to_roster(
    record: StateRecord, head0: bytes, head1: bytes, seat: str, own: list[str], below: list[str]
) -> JoiningAnswer:
    """An answer to the roster: the contribution, opened; checked before it is kept."""
    written = [line for line in own if line.strip()]
    if ask := _asked_for(written, ASKS[1:]):
        return JoiningAnswer(ask=ask)
    if not any(answer.seat == seat and answer.sealed for answer in record.roster):
        return JoiningAnswer(why=say(said.ROSTER_CLOSED))
    text = _one_line(written or below)
    if not _MEANT.search(text):
        return JoiningAnswer(why=say(said.NO_OPENING))
    if "open" not in text.lower():
        return JoiningAnswer(why=say(said.JOIN_AGAIN))
    found = _values(_OPEN, text)
    try:
        (r,), (first, second) = found["r"], found["sig"]
        opened = Opened(seat, unb64(r, 32), unb64(first + second, 64))
    except (KeyError, ValueError, BadInput):
        return JoiningAnswer(why=say(said.OPEN_CUT))
    wrong = contribution.wrong_opening(head0, head1, opened, record.roster)
    if wrong:
        return JoiningAnswer(why=say(said.WRONG_OPENING))
    return JoiningAnswer(row=OPENED_ROW.row(opened))
