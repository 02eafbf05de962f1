"""Days on which a player is away, as players write them: ``absent 20 Dec to 3 Jan``, ``I am away
next week``.

Any text is read in linear time. Unclear days are ``UNCLEAR``; they are never understood as fewer
days than the player meant.

What must never be here: what follows from an absence; today's date, which is an argument.
Source: docs/NOTATION.md; docs/CLOCK.md.
"""

import re
import unicodedata
from datetime import date, timedelta
from functools import lru_cache
from itertools import combinations, islice
from typing import NamedTuple

from pbem.notation.tokens import normalize_line

ABSENT, PRESENT = "absent", "present"
UNCLEAR = f"{ABSENT} ?"  #: perhaps an absence, but its days are unclear
OPEN = "?"  #: in place of a missing last day
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
    """The short name for each name of a weekday and each unambiguous beginning of a month."""
    day_names, months_by_prefix = dict[str, str](), dict[str, set[str]]()
    for day, names in zip(WEEKDAYS, _WEEKDAY_NAMES, strict=True):
        day_names |= dict.fromkeys(names.split("|"), day)
    for month, names in zip(MONTHS, _MONTH_NAMES, strict=True):
        for name in names.split("|"):
            for end in range(3, len(name) + 1):
                months_by_prefix.setdefault(name[:end], set()).add(month)
    return {prefix: min(months) for prefix, months in months_by_prefix.items() if len(months) == 1} | day_names


_SHORT = _short_names()
_I_AM = (
    "i(?:'?m| am|'ll be| will be)|we(?:'re| are|'ll be| will be)|ich bin|wir sind|je (?:suis|serai)"
    "|nous sommes|sono|saro|siamo|vagyok|leszek"
)
_I_GO = "i(?:'?m| am) going|i go|ich (?:fahre|gehe)|je pars|vado|parto|megyek"
#: Other phrases in such a line. The key "" has phrases without a meaning of their own.
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
#: Dates, or words for who is away, show that a line is about an absence.
_DATES = re.compile(rf"\b(?:\d{{1,2}} (?:[a-z]+ )?{_TO} \d|\d{{1,2}} {_M}|{_M} \d|{_W}|{TODAY}|tomorrow|{WEEK})\b")
_ABSENCE_START = re.compile(rf"{ABSENT}\b|(?:.*[^a-z'])?(?:{_I_AM}) (?:{_PHRASES['away']})(?![a-z'])")
_SENTENCE, _MAX_SENTENCES = re.compile(r"(?<=[.!;])\s+"), 8  #: sentences of a line that are read
_MAX_LETTERS, _MAX_WORDS = 100, 20  #: of a line about an absence
_MAX_AHEAD = timedelta(days=366)  #: nobody plans further ahead; a day without a year may just be over
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
    """The absence in a plain line as a command: ``absent 20 dec .. 3 jan``, or ``present``.

    The line has small letters and single blanks. None if it says anything else; ``absent 20 dec ..
    ?`` if it does not say until when.
    """
    if line == PRESENT:
        return PRESENT
    other_words = _words_besides_absence(line)
    span = _find_span(other_words) if other_words is not None else None
    return f"{ABSENT} {span.first} .. {span.last}" if span else None


def find_absence_sentence(text: str) -> str | None:
    """The absence in one sentence of a line, as a command; None if there is none.

    The longest match counts, since the dot after a number may not end a sentence.
    """
    ends = [0, *(end.end() for end in islice(_SENTENCE.finditer(text), _MAX_SENTENCES)), len(text)]
    for begin, end in sorted(combinations(ends, 2), key=lambda span: span[0] - span[1]):
        command = find_absence(normalize_line(text[begin:end]))
        if command and command != PRESENT:
            return command
    return None


def find_unclear_absence(line: str) -> str | None:
    """``UNCLEAR`` for a plain line that may say only when a player is away; otherwise None.

    Clear days in it are added: ``absent ? 10 dec .. 16 dec``.
    """
    other_words = _words_besides_absence(line)
    if other_words is None:
        return None
    if other_words and not _DATES.search(other_words) and not _ABSENCE_START.match(_fold_accents(line)):
        return None
    span_match = next(filter(None, (days.search(other_words) for days in (_OF_MONTH, _MONTH_OF, _FULL_SPAN))), None)
    span = _find_span(span_match[0]) if span_match else None
    return f"{UNCLEAR} {span.first} .. {span.last}" if span else UNCLEAR


def is_unclear(command: str) -> bool:
    """Whether the command comes from ``find_unclear_absence``."""
    return command.startswith(UNCLEAR)


def is_absence(command: str) -> bool:
    """Whether the command comes from ``find_absence`` or ``find_unclear_absence``."""
    return command.partition(" ")[0] in (ABSENT, PRESENT)


def resolve_absence(command: str, today: date) -> Absence | None:
    """The days that a command from ``find_absence`` means on ``today``. None if there are no such
    days or they end before they begin.
    """
    first, _, last = command.removeprefix(f"{ABSENT} ").partition(" .. ")
    try:
        begin = _resolve_day(first, today - timedelta(days=30), today).first
        absence = Absence(begin, _resolve_day(last, begin, today).last)
    except (ValueError, OverflowError):  # OverflowError: ``today`` is in the first month of all
        return None
    return absence if absence.first <= absence.last and absence.first - today <= _MAX_AHEAD else None


def resolve_absence_begin(command: str, today: date) -> date | None:
    """The first day of a command without a last day; None for any other command."""
    first, _, last = command.removeprefix(f"{ABSENT} ").partition(" .. ")
    absence = resolve_absence(f"{ABSENT} {first} .. {first}", today) if last == OPEN else None
    return absence.first if absence else None


@lru_cache(maxsize=16)  # several callers read the same line
def _words_besides_absence(line: str) -> str | None:
    """What a line says besides that the player is away; None if it does not say that."""
    is_short = len(line) <= _MAX_LETTERS and line.count(" ") < _MAX_WORDS
    line = _fold_accents(line) if is_short else ""
    if not _AWAY.search(line):
        return None
    return " ".join(word for word in _normalize_words(line) if word != "away")


def _fold_accents(line: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", line) if not unicodedata.combining(c))


def _normalize_words(line: str) -> list[str]:
    """The words of a line, with ``dec`` for each name of the month, ``mon`` for the weekday."""
    line = line.replace("\N{EN DASH}", "-").replace("ß", "ss")
    line = _DATED.sub(_date_in_words, _ORDINAL.sub(r"\1\2 ", line))
    phrase_line = _PHRASE_PATTERN.sub(lambda m: f" {[*_PHRASES][int((m.lastgroup or 'c')[1:])]} ", line)
    return [_SHORT.get(token, token) for token in _TOKEN.findall(phrase_line)]


def _date_in_words(match: re.Match[str]) -> str:
    """``20.12.`` and ``20.12.2026``: with dots, the day comes first in every language."""
    day, month, year = match.groups(default="")
    is_month = 0 < int(month) <= len(MONTHS)
    return f" {day} {MONTHS[int(month) - 1]} {year} " if is_month else match[0]


def _find_span(text: str) -> _NamedSpan | None:
    """The first and the last day in these words, as they are named there."""
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
    """The day, or days, that a text means: the first from ``earliest`` on if it has no year.

    ValueError if there is none, or if it could be today as well as a week later.
    """
    text = " ".join(_normalize_words(text))
    if not re.fullmatch(_DAY_PATTERN, text):
        raise ValueError(text)
    if text == WEEK:
        monday = today + _WEEK - today.weekday() * _DAY
        return Absence(monday, monday + 6 * _DAY)
    if text in (TODAY, "tomorrow"):
        day = today + (text != TODAY) * _DAY
    elif text in WEEKDAYS:
        day = _resolve_weekday(text, max(earliest, today), today)
    else:
        day = _resolve_date(text, earliest)
    return Absence(day, day)


def _resolve_weekday(name: str, earliest: date, today: date) -> date:
    day = earliest + (WEEKDAYS.index(name) - earliest.weekday()) % 7 * _DAY
    if day == today:
        raise ValueError(name)
    return day


def _resolve_date(text: str, earliest: date) -> date:
    """``2026-12-20``, ``20 dec`` or ``dec 20 2026``."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return date.fromisoformat(text)
    words = text.split(" ")
    month = next(MONTHS.index(word) + 1 for word in words if word.isalpha())
    day, *year = (int(word) for word in words if word.isdigit())
    if year:
        return date(year[0], month, day)
    years = (earliest.year, earliest.year + 1)
    dates = [date(year, month, day) for year in years if _is_day(year, month, day)]
    return next(candidate for candidate in [*dates, date.max] if candidate >= earliest)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
