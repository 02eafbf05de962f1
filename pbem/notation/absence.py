"""Read the days on which a player is away: ``absent 20 Dec to 3 Jan``, ``I am away next week``.

A line is first read into a command that names the days, and the command is later resolved to dates. Any text is read
in linear time. If days are unclear, the command is ``UNCLEAR``: pbem never reads fewer days than the player meant.

Not allowed here: what follows from an absence; today's date, which is an argument.
Source: FORMAT.md "Notation"; docs/REFEREE.md "Deadlines".
"""

import re
import unicodedata
from datetime import date, timedelta
from functools import lru_cache
from itertools import combinations, islice
from typing import NamedTuple

from pbem.notation.tokens import normalize_line

ABSENT, PRESENT = "absent", "present"  #: the first word of a command; `present` ends an absence
UNCLEAR = f"{ABSENT} ?"  #: perhaps an absence, but its days are unclear
OPEN = "?"  #: in a command, in place of a missing last day
TODAY, WEEK = "today", "next week"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
#: The names of each month and weekday in five languages, without accents. The beginning of a month
#: is enough if no other month begins so.
_MONTH_NAMES = (
    "january|januar|jaenner|janner|janvier|gennaio",
    "february|februar|feber|fevrier|febbraio",
    "march|maerz|marz|mars|marzo|marcius",
    "april|avril|aprile|aprilis",
    "may|mai|maggio|majus",
    "june|juni|juin|giugno|junius",
    "july|juli|juillet|luglio|julius",
    "august|aout|agosto|augusztus",
    "september|septembre|settembre|szeptember",
    "october|oktober|octobre|ottobre",
    "november|novembre",
    "december|dezember|decembre|dicembre",
)
_WEEKDAY_NAMES = (
    "mon|monday|montag|lundi|lunedi|hetfo",
    "tue|tues|tuesday|dienstag|mardi|martedi|kedd",
    "wed|wednesday|mittwoch|mercredi|mercoledi|szerda",
    "thu|thur|thurs|thursday|donnerstag|jeudi|giovedi|csutortok",
    "fri|friday|freitag|vendredi|venerdi|pentek",
    "sat|saturday|samstag|sonnabend|samedi|sabato|szombat",
    "sun|sunday|sonntag|dimanche|domenica|vasarnap",
)


def _short_names() -> dict[str, str]:
    """Return the short name (`dec`, `mon`) of each weekday and of each unambiguous beginning of a month."""
    day_names: dict[str, str] = {}
    months_by_prefix: dict[str, set[str]] = {}
    for day, names in zip(WEEKDAYS, _WEEKDAY_NAMES, strict=True):
        day_names |= dict.fromkeys(names.split("|"), day)
    for month, names in zip(MONTHS, _MONTH_NAMES, strict=True):
        for name in names.split("|"):
            for end in range(3, len(name) + 1):
                months_by_prefix.setdefault(name[:end], set()).add(month)
    month_names = {prefix: next(iter(months)) for prefix, months in months_by_prefix.items() if len(months) == 1}
    return month_names | day_names


_SHORT_NAMES = _short_names()
_I_AM = (
    "i(?:'?m| am|'ll be| will be)|we(?:'re| are|'ll be| will be)|ich bin|wir sind|je (?:suis|serai)"
    "|nous sommes|sono|saro|siamo|vagyok|leszek"
)
_I_GO = "i(?:'?m| am) going|i go|ich (?:fahre|gehe)|je pars|vado|parto|megyek"
#: Other phrases in a line about an absence. The key "" has phrases that change nothing.
_PHRASES = {
    "away": r"absent(?:e?s?|i)|away|abwesend|verreist|weg|assent[ei]|tavol|szabadsagon"
    r"|(?:sono|saro) via|elutazom|nem (?:vagyok|leszek) itthon"
    r"|(?:on )?(?:holidays?|vacation)|(?:i[mn] )?(?:urlaub|ferien)|(?:en )?(?:vacances|conges?)"
    r"|(?:in )?(?:vacanza|ferie)",
    WEEK: "next week|(?:die )?nachste woche|(?:la )?semaine prochaine"
    "|(?:la )?(?:settimana prossima|prossima settimana)|(?:a )?jovo heten",
    TODAY: "today|heute|aujourd'hui|oggi|ma",
    "tomorrow": "tomorrow|morgen|demain|domani|holnap",
    "from": "from|vom|von|ab|du|dall?|da",
    "to": "to|un?till?|til|through|thru|bis|au|jusqu'(?:au?|en)|fino (?:al?|all')|al|tol",
    "": f"{_I_AM}|{_I_GO}|on|the|of|inclusive|included|einschliesslich|inclus|compris[ei]?"
    "|zum|am|den|der|le|la|il|please|thanks|thank you|sorry|danke|bitte|merci|grazie|koszonom",
}
_AWAY = re.compile(rf"(?<![a-z'])(?:{_PHRASES['away']})(?![a-z'])")
_PHRASE_PATTERN = re.compile(
    "|".join(rf"(?P<c{number}>(?<![a-z'])(?:{phrases})(?![a-z']))" for number, phrases in enumerate(_PHRASES.values()))
)
_DATED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})(?:\.\s?(\d{4})|\.|(?![\d.]))")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|er)\b|\b(\d{1,2})-(?=tol\b|ig\b)")
_TOKEN = re.compile(r"\d{4}-\d{2}-\d{2}|\d+|[a-z']+|\.\.|[^\s.,!*_`\"]")
_M, _W = f"(?:{'|'.join(MONTHS)})", f"(?:{'|'.join(WEEKDAYS)})"
_DAY_PATTERN = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}} {_M}(?: \d{{4}})?|{_M} \d{{1,2}}(?: \d{{4}})?"
    rf"|{_W}|{TODAY}|tomorrow|{WEEK})"
)
_TO = r"(?:to|-|\.\.)"
_FULL_SPAN = re.compile(rf"(?:from )?({_DAY_PATTERN}) {_TO} ({_DAY_PATTERN})")
_OF_MONTH = re.compile(rf"(?:from )?(\d{{1,2}}) {_TO} (\d{{1,2}}) ({_M})((?: \d{{4}})?)")
_MONTH_OF = re.compile(rf"(?:from )?({_M}) (\d{{1,2}}) {_TO} (\d{{1,2}})((?: \d{{4}})?)")
_UNTIL = re.compile(rf"to ({_DAY_PATTERN})")
_FROM = re.compile(rf"from ({_DAY_PATTERN})")
#: Dates, or words such as `I am away`, show that a line is about an absence.
_DATES = re.compile(rf"\b(?:\d{{1,2}} (?:[a-z]+ )?{_TO} \d|\d{{1,2}} {_M}|{_M} \d|{_W}|{TODAY}|tomorrow|{WEEK})\b")
_ABSENCE_START = re.compile(rf"{ABSENT}\b|(?:.*[^a-z'])?(?:{_I_AM}) (?:{_PHRASES['away']})(?![a-z'])")
_SENTENCE, _MAX_SENTENCES = re.compile(r"(?<=[.!;])\s+"), 8  #: sentences of a line that are read
_MAX_LETTERS, _MAX_WORDS = 100, 20  #: a longer line is not about an absence
_MAX_AHEAD = timedelta(days=366)  #: a first day further ahead is not an absence
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


class Absence(NamedTuple):
    """The first and the last day on which a player is away."""

    first: date
    last: date


class _NamedSpan(NamedTuple):
    """The first and the last day, as a line names them."""

    first: str
    last: str


def find_absence(line: str) -> str | None:
    """Return the absence in a plain line as a command: ``absent 20 dec .. 3 jan``, or ``present``.

    The line has small letters and single blanks. If it does not say until when, the command is
    ``absent 20 dec .. ?``. Returns None if the line says anything else.
    """
    if line == PRESENT:
        return PRESENT
    span_words = _words_besides_away(line)
    span = _find_span(span_words) if span_words is not None else None
    return f"{ABSENT} {span.first} .. {span.last}" if span else None


def find_absence_sentence(text: str) -> str | None:
    """Return the absence in one sentence of a line, as a command; None if there is none. A dot after a number may not
    end a sentence (`20. 12.`), so longer parts of the line are tried first.
    """
    ends = [0, *(end.end() for end in islice(_SENTENCE.finditer(text), _MAX_SENTENCES)), len(text)]
    for begin, end in sorted(combinations(ends, 2), key=lambda span: span[0] - span[1]):
        command = find_absence(normalize_line(text[begin:end]))
        if command and command != PRESENT:
            return command
    return None


def find_unclear_absence(line: str) -> str | None:
    """Return ``UNCLEAR`` for a plain line that may say only when a player is away; otherwise None. If the line has
    clear days, they are added: ``absent ? 10 dec .. 16 dec``.
    """
    other_words = _words_besides_away(line)
    if other_words is None:
        return None
    has_evidence = _DATES.search(other_words) or _ABSENCE_START.match(_fold_accents(line))
    if other_words and not has_evidence:
        return None
    matches = (pattern.search(other_words) for pattern in (_OF_MONTH, _MONTH_OF, _FULL_SPAN))
    span_match = next((match for match in matches if match), None)
    span = _find_span(span_match[0]) if span_match else None
    return f"{UNCLEAR} {span.first} .. {span.last}" if span else UNCLEAR


def is_unclear(command: str) -> bool:
    """Return whether the command comes from ``find_unclear_absence``."""
    return command.startswith(UNCLEAR)


def is_absence(command: str) -> bool:
    """Return whether the command comes from ``find_absence`` or ``find_unclear_absence``."""
    return command.partition(" ")[0] in (ABSENT, PRESENT)


def resolve_absence(command: str, today: date) -> Absence | None:
    """Return the dates that a command from ``find_absence`` means on the day ``today``. Returns None if they do not
    exist, end before they begin, or begin over a year ahead.
    """
    first, _, last = command.removeprefix(f"{ABSENT} ").partition(" .. ")
    try:
        begin = _resolve_day(first, today - timedelta(days=30), today).first
        absence = Absence(begin, _resolve_day(last, begin, today).last)
    except (ValueError, OverflowError):  # OverflowError: ``today`` is in the first month of the calendar
        return None
    return absence if absence.first <= absence.last and absence.first - today <= _MAX_AHEAD else None


def resolve_absence_begin(command: str, today: date) -> date | None:
    """Return the first day of a command without a last day; None for any other command."""
    first, _, last = command.removeprefix(f"{ABSENT} ").partition(" .. ")
    absence = resolve_absence(f"{ABSENT} {first} .. {first}", today) if last == OPEN else None
    return absence.first if absence else None


@lru_cache(maxsize=16)  # several callers read the same line
def _words_besides_away(line: str) -> str | None:
    """Return the words of a line without `away`: ``20 dec to 3 jan``. None if it does not say that anyone is away."""
    is_short = len(line) <= _MAX_LETTERS and line.count(" ") < _MAX_WORDS
    line = _fold_accents(line) if is_short else ""
    if not _AWAY.search(line):
        return None
    return " ".join(word for word in _normalize_words(line) if word != "away")


def _fold_accents(line: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", line) if not unicodedata.combining(c))


def _normalize_words(line: str) -> list[str]:
    """Return the words of a line, with short names for months and weekdays, and keys of ``_PHRASES`` for phrases."""
    line = line.replace("\N{EN DASH}", "-").replace("ß", "ss")
    line = _DATED.sub(_date_in_words, _ORDINAL.sub(r"\1\2 ", line))
    phrase_line = _PHRASE_PATTERN.sub(_key_of_phrase, line)
    return [_SHORT_NAMES.get(token, token) for token in _TOKEN.findall(phrase_line)]


def _key_of_phrase(match: re.Match[str]) -> str:
    """Return the key of ``_PHRASES`` for a matched phrase. The matched group, as `c2`, has its position."""
    position = int((match.lastgroup or "c")[1:])
    return f" {tuple(_PHRASES)[position]} "


def _date_in_words(match: re.Match[str]) -> str:
    """Return `20 dec` for `20.12.`: with dots, the day comes first in every language."""
    day, month, year = match.groups(default="")
    is_month = 0 < int(month) <= len(MONTHS)
    return f" {day} {MONTHS[int(month) - 1]} {year} " if is_month else match[0]


def _find_span(text: str) -> _NamedSpan | None:
    """Return the first and last day that these words name and nothing else; None if they say anything else."""
    if text.endswith(" ig"):  # Hungarian says `to` after the day, with or without `from`
        text = text.removesuffix(" ig") if " to " in text else f"to {text.removesuffix(' ig')}"
    if match := _FULL_SPAN.fullmatch(text):
        is_same_day = match[1] == match[2] and ".." not in text
        if is_same_day and match[1] in (*WEEKDAYS, WEEK):  # it could mean a week later
            return None
        return _NamedSpan(match[1], match[2])
    if match := _OF_MONTH.fullmatch(text):
        first, last, month, year = match.groups()
    elif match := _MONTH_OF.fullmatch(text):
        month, first, last, year = match.groups()
    elif match := _UNTIL.fullmatch(text):
        return _NamedSpan(TODAY, match[1])
    elif match := _FROM.fullmatch(text):
        return _NamedSpan(match[1], OPEN)
    else:
        return _NamedSpan(text, text) if re.fullmatch(_DAY_PATTERN, text) else None
    is_ascending = int(first) <= int(last)
    return _NamedSpan(f"{first} {month}{year}", f"{last} {month}{year}") if is_ascending else None


def _resolve_day(text: str, earliest: date, today: date) -> Absence:
    """Return the day, or the week, that a text means. Without a year, it is the first from ``earliest`` on. Raises
    ValueError if there is none, or if a weekday could be today or a week later.
    """
    text = " ".join(_normalize_words(text))
    if not re.fullmatch(_DAY_PATTERN, text):
        raise ValueError(text)
    if text == WEEK:
        monday = today + _WEEK - today.weekday() * _DAY
        return Absence(monday, monday + 6 * _DAY)
    if text in (TODAY, "tomorrow"):
        day = today if text == TODAY else today + _DAY
    elif text in WEEKDAYS:
        day = _resolve_weekday(text, max(earliest, today), today)
    else:
        day = _resolve_date(text, earliest)
    return Absence(day, day)


def _resolve_weekday(name: str, earliest: date, today: date) -> date:
    """Return the first such weekday from ``earliest`` on. Raises ValueError if it is today."""
    day = earliest + (WEEKDAYS.index(name) - earliest.weekday()) % 7 * _DAY
    if day == today:
        raise ValueError(name)
    return day


def _resolve_date(text: str, earliest: date) -> date:
    """Return the date of ``2026-12-20``, ``20 dec`` or ``dec 20 2026``. Raises ValueError if there is none."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return date.fromisoformat(text)
    words = text.split(" ")
    month = next(MONTHS.index(word) + 1 for word in words if word.isalpha())
    day, *year = (int(word) for word in words if word.isdigit())
    if year:
        return date(year[0], month, day)
    years = (earliest.year, earliest.year + 1)
    dates = [date(year, month, day) for year in years if _is_day(year, month, day)]
    # without such a date in these years (`29 feb`), the last day of the calendar: too far ahead for an absence
    return next((candidate for candidate in dates if candidate >= earliest), date.max)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
