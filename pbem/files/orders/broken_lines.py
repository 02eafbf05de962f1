"""Lines that a mail program, or a hasty player, broke: made one again where plain words go on.

What must never be here: what a line says (speech.py); lines in notation, which are never joined.
Law: each line once, in order, under the number of its first part.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Callable, Iterable, Iterator

from pbem.files.orders.speech import Listener

_WRAPPED, _LONGEST = 50, 2000  #: letters of a line that a mail program may have broken off


def joined(
    lines: Iterable[tuple[int, str]], hears: Listener, notation: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, those made one that belong together; ``notation``: whether a
    line is an order, or a command, as it stands.
    """
    waiting: tuple[int, str] | None = None
    for number, text in lines:
        if waiting and _goes_on(waiting[1].strip(), text.strip(), hears, notation):
            waiting = (waiting[0], f"{waiting[1].rstrip()} {text.strip()}")
            continue
        if waiting:
            yield waiting
        waiting = (number, text)
    if waiting:
        yield waiting


def _goes_on(first: str, then: str, hears: Listener, notation: Callable[[str], bool]) -> bool:
    if not first or not then or not hears.able:
        return False
    if hears.words_alone(first, "word"):  # `wall`, and `A10` below it
        return hears.words_alone(then, "name") and not notation(first)
    if hears.denies(first) and notation(then):
        return True
    broken = _WRAPPED <= len(first) <= _LONGEST and first[-1] not in ".!?:;"
    if not broken or then[0] in "-*•>" or not hears.goes_on(first, then):
        return False
    return not notation(first) and not notation(then)
