"""Days on which a player is away, as they write them: ``absent 20 Dec to 3 Jan``, ``I am away next
week``, ``present``.

What must never be here: what is done about it; today, which comes in as a value.
Laws: total and linear; a line of which one word is not known says no days; what is certain to be
about an absence and has no one meaning is ``UNCLEAR``, and never fewer days in silence.
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
UNCLEAR = f"{ABSENT} ?"  #: it may be about an absence, and nobody can tell its days
OPEN = "?"  #: in place of the last day where none is named
TODAY, WEEK = "today", "next week"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
#: by month and by weekday their names in five languages, without accents; of a month its
#: beginning will do, where it is the beginning of no other
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
    """By each name of a weekday, and each beginning of a name of one month, its short name."""
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
#: what else may stand in such a line; what stands for nothing is "", of itself or beside days
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
#: what makes a line with such a word one about an absence: days, or who says so
_DATES = re.compile(rf"\b(?:\d{{1,2}} (?:[a-z]+ )?{_TO} \d|\d{{1,2}} {_M}|{_M} \d|{_W}|{TODAY}|tomorrow|{WEEK})\b")
_ABSENCE_START = re.compile(rf"{ABSENT}\b|(?:.*[^a-z'])?(?:{_I_AM}) (?:{_PHRASES['away']})(?![a-z'])")
_SENTENCE, _MAX_SENTENCES = re.compile(r"(?<=[.!;])\s+"), 8  #: of a line that are looked at
_MAX_LETTERS, _MAX_WORDS = 100, 20  #: of a line about an absence
_MAX_AHEAD = timedelta(days=366)  #: nobody plans farther; a day without a year may be just over
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


class Absence(NamedTuple):
    """Days on which a player is away, the first and the last."""

    first: date
    last: date


def find_absence(line: str) -> str | None:
    """``absent 20 dec .. 3 jan``, of days that are named as a player may, or ``present``, of a
    plain line (small letters, single blanks); None if it is none. ``absent 20 dec .. ?``: it does
    not say until when.
    """
    if line == PRESENT:
        return PRESENT
    other_words = _words_besides_absence(line)
    span = _find_span(other_words) if other_words is not None else None
    return f"{ABSENT} {span[0]} .. {span[1]}" if span else None


def find_absence_sentence(text: str) -> tuple[str, str, str] | None:
    """The days that ``find_absence`` finds in one sentence of a line, that sentence, and the line
    without it; None where it finds none. The longest counts: a dot behind a number may end none.
    """
    ends = [0, *(end.end() for end in islice(_SENTENCE.finditer(text), _MAX_SENTENCES)), len(text)]
    for begin, end in sorted(combinations(ends, 2), key=lambda span: span[0] - span[1]):
        command = find_absence(normalize_line(text[begin:end]))
        if command and command != PRESENT:
            return command, text[begin:end], f"{text[:begin]}{text[end:]}"
    return None


def find_unclear_absence(line: str) -> str | None:
    """``UNCLEAR`` of a plain line that is nothing else and may tell when a player is away, with the
    days that it names, if these are clear: ``absent ? 10 dec .. 16 dec``; None if it does not.
    """
    other_words = _words_besides_absence(line)
    if other_words is None or (
        other_words and not (_DATES.search(other_words) or _ABSENCE_START.match(_fold_accents(line)))
    ):
        return None
    span_match = next(filter(None, (days.search(other_words) for days in (_OF_MONTH, _MONTH_OF, _FULL_SPAN))), None)
    days = _find_span(span_match[0]) if span_match else None
    return f"{UNCLEAR} {days[0]} .. {days[1]}" if days else UNCLEAR


def is_unclear(command: str) -> bool:
    """Whether it is what ``find_unclear_absence`` gives."""
    return command.startswith(UNCLEAR)


def is_absence(command: str) -> bool:
    """Whether it is what ``find_absence`` gives, or ``find_unclear_absence``."""
    return command.partition(" ")[0] in (ABSENT, PRESENT)


def resolve_absence(command: str, today: date) -> Absence | None:
    """The days that are meant by what ``find_absence`` gave, on ``today``; None where there are none
    of these, or in another order.
    """
    first, _, last = command.removeprefix(f"{ABSENT} ").partition(" .. ")
    try:
        begin = _resolve_day(first, today - timedelta(days=30), today).first
        absence = Absence(begin, _resolve_day(last, begin, today).last)
    except (ValueError, OverflowError):  # also where ``today`` is in the first month of all
        return None
    return absence if absence.first <= absence.last and absence.first - today <= _MAX_AHEAD else None


def resolve_absence_begin(command: str, today: date) -> date | None:
    """The first day where ``find_absence`` found no last one; None for any other ask."""
    first, _, last = command.removeprefix(f"{ABSENT} ").partition(" .. ")
    absence = resolve_absence(f"{ABSENT} {first} .. {first}", today) if last == OPEN else None
    return absence.first if absence else None


@lru_cache(maxsize=16)  # a line is looked at by some who ask
def _words_besides_absence(line: str) -> str | None:
    """What a line says besides that somebody is away; None where it does not say that."""
    is_short = len(line) <= _MAX_LETTERS and line.count(" ") < _MAX_WORDS
    line = _fold_accents(line) if is_short else ""
    if not _AWAY.search(line):
        return None
    return " ".join(word for word in _normalize_words(line) if word != "away")


def _fold_accents(line: str) -> str:
    """Without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", line) if not unicodedata.combining(c))


def _normalize_words(line: str) -> list[str]:
    """The words of a line as they stand in this module: a month is ``dec``, a weekday ``mon``."""
    line = line.replace("\N{EN DASH}", "-").replace("ß", "ss")
    line = _DATED.sub(_date_in_words, _ORDINAL.sub(r"\1\2 ", line))
    phrase_line = _PHRASE_PATTERN.sub(lambda m: f" {[*_PHRASES][int((m.lastgroup or 'c')[1:])]} ", line)
    return [_SHORT.get(token, token) for token in _TOKEN.findall(phrase_line)]


def _date_in_words(match: re.Match[str]) -> str:
    """``20.12.`` and ``20.12.2026``: the day comes first wherever dots are written."""
    day, month, year = match.groups(default="")
    is_month = 0 < int(month) <= len(MONTHS)
    return f" {day} {MONTHS[int(month) - 1]} {year} " if is_month else match[0]


def _find_span(text: str) -> tuple[str, str] | None:
    """The first and the last day of such words, as they were named."""
    if text.endswith(" ig"):  # Hungarian says `to` behind the day, after `from` or without it
        text = text.removesuffix(" ig") if " to " in text else f"to {text.removesuffix(' ig')}"
    if match := _FULL_SPAN.fullmatch(text):
        is_same_day = match[1] == match[2] and ".." not in text
        if is_same_day and match[1] in (*WEEKDAYS, WEEK):  # a week later?
            return None
        return match[1], match[2]
    if match := _OF_MONTH.fullmatch(text):
        first, last, month, year = match.groups()
    elif match := _MONTH_OF.fullmatch(text):
        month, first, last, year = match.groups()
    elif match := _UNTIL.fullmatch(text):
        return TODAY, match[1]
    elif match := _FROM.fullmatch(text):
        return match[1], OPEN
    else:
        return (text, text) if re.fullmatch(_DAY_PATTERN, text) else None
    is_ascending = int(first) <= int(last)
    return (f"{first} {month}{year}", f"{last} {month}{year}") if is_ascending else None


def _resolve_day(text: str, earliest: date, today: date) -> Absence:
    """The day that is meant, or the days: the first such from ``earliest`` on, if it has no year;
    ValueError if there is none, or if it may be today or in a week.
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
    """``2026-12-20``, ``20 dec``, ``dec 20 2026``."""
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
