"""What a sentence of an email does to it: which hold it back, where nobody understands the whole.

What must never be here: how a line is cut into sentences (speech.py), what may be ordered (the
moderator), the words themselves (doubts.py, talk.py).
Laws: total, and the same for the same sentence.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbem.engine.row import say
from pbem.files import sentences
from pbem.files.language.classes import (
    BETWEEN,
    CLEAN,
    CONDITIONS,
    DANGLING,
    DENIES,
    HALTS,
    MILD,
    STRANGE_OR_DAY,
    TAKES_BACK,
    TIMES,
    TURNS,
    Kind,
    Kinds,
)
from pbem.files.language.phrases import Clause, Phrase, has

_WHEN: Kinds = frozenset(["later", "once", "tomorrow"])  #: another time
_DAYS: Kinds = frozenset(["day", "tomorrow"])
_FEW = 2  #: unknown words around a name or an order that may yet be one
HALF = 6  #: words of a line that says `I would never play`, and an order is below it
SAYS = 4  #: words of `Ben wrote:`, and of what can hardly be about something else
_TOLD = 6  #: words that are not known around one that stops
_BOUND = 4  #: words of a condition that are not known
_SHORT = 12  #: words of a sentence that takes back what was sent

CANCEL, ELSES = say(sentences.CANCEL), say(sentences.SOMEBODY_ELSES)
OTHER_WORDS, PARTLY = say(sentences.OTHER_WORDS), say(sentences.PARTLY)
TAKEN_BACK = say(sentences.TAKEN_BACK)
_QUESTION, _TURNED = say(sentences.QUESTION), say(sentences.TURNED)


def judged(phrase: Phrase, clauses: Sequence[Clause]) -> Phrase:
    """With what a sentence does to the email: its ``clauses`` as they were typed."""
    kinds = [word.kind for clause in clauses for word in clause]
    if not TAKES_BACK.isdisjoint(kinds) and {"cancel", "back"} & {*kinds} and len(kinds) <= _SHORT:
        clear = "back" in kinds and {*kinds} <= BETWEEN | {"back", "sorry", "defer"}
        return phrase._replace(doubt=CANCEL, back=clear and "?" not in phrase.mark)
    if not {"word", "name"} & {*kinds}:
        return _about_nothing(phrase, clauses)
    body, reason = _without_reason(clauses)
    if any(_like_order(clause) or has(clause, *TAKES_BACK) for clause in reason):
        return phrase._replace(doubt=OTHER_WORDS, beside="orders")
    body = [clause for clause in body if clause]
    if not body and any(has(clause, "name") for clause in reason):  # `So I close CP1 with C3`
        return phrase._replace(doubt=OTHER_WORDS, beside="orders")
    if not any(map(_has_orders, body)):
        return _doubtful(phrase, body)
    phrase = phrase._replace(talk=bool(reason))
    if phrase.aside or "?" in phrase.mark or _turned(body):
        return phrase._replace(doubt=_QUESTION if "?" in phrase.mark else _TURNED)
    return phrase._replace(doubt=PARTLY)


def _bound(clauses: Sequence[Clause], mark: str) -> bool:
    """Whether a sentence is a day and nothing else, or a condition that nothing hangs on in it."""
    parts = [[word.kind for word in clause if word.kind not in BETWEEN] for clause in clauses]
    kinds, *others = [part for part in parts if part] or [[]]
    if others or not kinds or "?" in mark:
        return False
    only = _DAYS | CONDITIONS | {"no", "num", "turn", "for"}
    days = not _DAYS.isdisjoint(kinds) and {*kinds} <= only
    return days or (kinds[0] in CONDITIONS and 0 < strange_in(kinds) <= _BOUND)


def strange_in(kinds: Iterable[str]) -> int:
    return sum(kind in STRANGE_OR_DAY for kind in kinds)


def _holds_off(clause: Clause) -> bool:
    """Whether a clause says by itself that the orders are not to be played."""
    kinds = [word.kind for word in clause if word.kind not in BETWEEN]
    stops = not (TAKES_BACK - {"mend"}).isdisjoint(kinds) or kinds[:1] == ["mend"]
    return stops and strange_in(kinds) <= _FEW


def _about_nothing(phrase: Phrase, clauses: Sequence[Clause]) -> Phrase:
    """A sentence without a word or a place of an order: it may take back what others say."""
    mark = phrase.mark
    kinds = [word.kind for clause in clauses for word in clause]
    said = [kind for kind in _up_to(kinds, "why") if kind not in BETWEEN]
    if kinds == ["cond"]:  # `Solange` is a name, too; it binds nothing
        return phrase._replace(talk=True)
    alone = "num" in kinds and {*kinds} <= BETWEEN | {"num"} and len(kinds) <= SAYS
    if alone and not (phrase.aside or {"?", ":"} & {*mark}):  # `the 4`
        return phrase._replace(doubt=PARTLY, beside="spoken", near=True)
    if mark != ":" and "?" not in mark and _says_when_or_not(kinds):
        return phrase._replace(doubt=TAKEN_BACK, beside="orders")
    turns, strange = any(map(_turns_orders, clauses)) and "?" not in mark, strange_in(said)
    back = not TAKES_BACK.isdisjoint(said) or said[:1] == ["or"]
    intro = back and {*said} & (TAKES_BACK | DENIES) == {"mend"}
    holds = _bound(clauses, mark) or any(map(_holds_off, clauses))
    holds = holds or (not HALTS.isdisjoint(said) and strange <= _TOLD)
    if holds or (back and strange <= _FEW) or (turns and not strange):
        return phrase._replace(doubt=TAKEN_BACK, beside="orders", intro=intro)
    if back or (
        turns and (strange <= _FEW or "if" in said or (mark == ":" and len(kinds) <= SAYS))
    ):
        return phrase._replace(doubt=TAKEN_BACK, beside="spoken")
    odd = (strange and len(kinds) < SAYS) or not TIMES.isdisjoint(said)
    if mark == ":" and odd and len(kinds) <= HALF:  # `Ben:`, `Yesterday:`, and orders below it
        return phrase._replace(doubt=OTHER_WORDS, beside="orders")
    adds = not ({"more", "add"}.isdisjoint(kinds) or strange or {"?", ":"} & {*mark})
    if adds and {*kinds} <= CLEAN and len(kinds) <= SAYS:  # `the second one too`
        return phrase._replace(doubt=OTHER_WORDS, beside="orders")
    heading = mark == ":" and "later" in said and {*said} <= CLEAN
    return phrase._replace(heading=heading, talk=bool({*said} - {"sorry"}) and not heading)


def _says_when_or_not(kinds: Sequence[str]) -> bool:
    """Whether a sentence may put orders off, or turn them, in few words that nobody knows: `Next
    turn.`, `That's an example.`, `I'd never do that!`.
    """
    strange = sum(kind in ("unknown", "tells") for kind in kinds)
    when = strange < _FEW + ("once" in kinds) and not _WHEN.isdisjoint(kinds)
    turns = strange <= _FEW and not (DENIES - {"beside", "mend", "defer"}).isdisjoint(kinds)
    return "chat" not in kinds and (when or turns)


def _turns_orders(clause: Clause) -> bool:
    """Whether a clause may turn orders: `Not so`; not what is about something else: `No mercy`."""
    kinds = _up_to([word.kind for word in clause], "why")
    return not (DENIES - (MILD if "chat" in kinds else frozenset())).isdisjoint(kinds)


def _up_to(kinds: list[Kind], kind: Kind) -> list[Kind]:
    return kinds[: kinds.index(kind)] if kind in kinds else kinds


def _clean(clause: Clause) -> bool:
    return all(word.kind in CLEAN for word in clause)


def _has_orders(clause: Clause) -> bool:
    return _clean(clause) and has(clause, "word", "name")


def _like_order(clause: Clause) -> bool:
    """Whether a place stands right behind the word of an order."""
    kinds = [word.kind for word in clause if word.kind not in BETWEEN]
    return ("word", "name") in pairwise(kinds)


def _turned(clauses: Sequence[Clause]) -> bool:
    """Whether a word, known or not, may turn the orders of a sentence; or `A5 to A8`."""
    first = next(at for at, clause in enumerate(clauses) if _has_orders(clause))
    sorry = any(has(clause, "sorry") for clause in clauses[first:])
    kinds = [word.kind for clause in clauses for word in clause if word.kind != "open"]
    range_ = ("name", "to", "name") in zip(kinds, kinds[1:], kinds[2:], strict=False)
    open_end = clauses[-1][-1].kind in DANGLING
    return sorry or open_end or range_ or not all(map(_clean, clauses))


def _doubtful(phrase: Phrase, clauses: Sequence[Clause]) -> Phrase:
    """A sentence without clean orders: whether it holds the email back, beside others or at all."""
    found: list[Phrase] = []
    for clause in clauses:
        named, stops = has(clause, "name"), has(clause, "stop", "quit", "mend")
        if not (named or stops or has(clause, "word")):
            continue
        turned, asks = has(clause, *TURNS), "?" in phrase.mark
        unknown = strange_in([word.kind for word in clause])
        both, few = named and has(clause, "word"), unknown <= _FEW
        if both or few or stops or ((turned or asks) and (named or unknown <= 2 * _FEW)):
            why = _TURNED if turned or asks else OTHER_WORDS
            strong = few and not asks and (both or len(clause) <= _FEW)
            turns = has(clause, *DENIES) and (named or few)
            weak = "orders" if turns or both or (named and few) else "spoken"
            near = few and not asks
            found.append(phrase._replace(doubt=why, beside="" if strong else weak, near=near))
    return min(found, key=lambda one: one.beside, default=phrase._replace(talk=True))


def _without_reason(clauses: Sequence[Clause]) -> tuple[list[Clause], list[Clause]]:
    """The clauses up to `because`, and those from there on."""
    for at, clause in enumerate(clauses):
        why = next((i for i, word in enumerate(clause) if word.kind == "why"), None)
        if why is not None:
            return [*clauses[:at], clause[:why]], [clause[why:], *clauses[at + 1 :]]
    return [*clauses], []
