"""What the clauses of a sentence are, at a View: orders, talk, or what is left out; and whether a
word turns them.

What must never be here: what a word means (files/language); anything that is not a function of the
player's View and of his own lines (P2).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, permutations
from typing import TYPE_CHECKING, Any

from pbem.files.language.classes import (
    APOLOGIES,
    AROUND,
    BINDING,
    CONTRARY,
    ENDS,
    INSTEAD,
    NEGATES,
    NO_TALK,
    ORDERS,
    REPLACES,
    STRANGE,
    TURNS_AT_VIEW,
    Kinds,
)
from pbem.files.language.grammar import Grammar
from pbem.files.language.phrases import Clause, Phrase, has
from pbem.files.language.tokens import bare, canonical_name
from pbem.files.language.words import Word

if TYPE_CHECKING:
    from pbem.engine.game import Game

_PUT_OFF: Kinds = frozenset(["defer", "stop", "tomorrow", "day", "later", "post"])
#: of a clause that says nothing; one more of something is said of orders
_CHAT: Kinds = AROUND - {"add"} | BINDING | STRANGE | {"keep", "same"}
#: no sentence that is true of what stands behind it has one of these
_HEADS_NOT: Kinds = NEGATES | REPLACES | {"sorry", "more", "add", "later"}
_LONG = 4  #: strange words of a sentence that can hardly be an order
_ENDING = 3  #: letters of an ending: Ben's


class Clauses:
    """The clauses of an email, at a View."""

    def __init__(
        self, game: "Game", view: Any, grammar: Grammar, others: Mapping[str, str], loosely: bool
    ) -> None:
        """``others``: the names of the other players, and their seats; ``loosely``: of what may
        turn a sentence only the contrary counts, for what is offered.
        """
        self._game, self._view, self._grammar = game, view, grammar
        self._others = {
            bare(word): seat for name, seat in others.items() for word in name.casefold().split()
        }
        self._loosely = loosely
        self._legal = [order.split() for order in game.legal(view)]
        self._effects = grammar.words & grammar.vocabulary  #: what a question may be about
        self._could_order = cache(self._could_be)
        #: whether what is asked now is what a card does
        self._asked_of_a_card = all(order[0] in self._effects for order in self._legal)
        self._seats = {seat for seat, _ in game.scores(view)}
        #: whether numbers tell what is ordered: `where the 5 lies`
        self._numbers_tell = any(meant.isdigit() for meant, _ in grammar.spoken)

    def told(self, words: Clause) -> bool:
        """Whether another player is named."""
        return any(map(self._of_others, words))

    def without_talk(self, phrase: Phrase) -> Phrase:
        """Without clauses that say nothing of orders, and what is behind `because`."""
        kept, named = list[Clause](), False  #: a place is named in what is kept
        for at, clause in enumerate(phrase.clauses):
            why = next((i for i, word in enumerate(clause) if word.kind == "why"), None)
            if why is not None and not self._may_order(Phrase(0, (clause[why:],))):
                kept += [clause[:why]] if why else []
                named = named or has(clause[:why], "name")
                if not self._may_order(Phrase(0, phrase.clauses[at + 1 :])):
                    break
                continue
            kinds = {word.kind for word in clause}
            told = self.told(clause)
            if told and "sorry" in kinds and kinds <= {"sorry", "fill", "unknown", "chat"}:
                continue  # `sorry, Ben`
            clause = self._without_beside(clause, named)
            strange = sum(word.kind in STRANGE for word in clause)
            counts = named and strange > 1 and not self._numbers_tell  # `that is three points`
            says_nothing = kinds <= (_CHAT | {"num"} if counts else _CHAT)
            chat = says_nothing and (strange > ("keep" in kinds) or "same" in kinds)
            if told or not chat:
                kept.append(clause)
                named = named or has(clause, "name")
        return phrase._replace(clauses=tuple(kept))

    def _without_beside(self, clause: Clause, named: bool) -> Clause:
        """Without what tells only what a place is beside: `next to my B4`; ``named``: a place is
        named before the clause.
        """
        at = next((i for i, word in enumerate(clause) if word.kind == "beside"), len(clause))
        tail = Phrase(0, (clause[at:],))
        clear = named and all(word.kind in AROUND for word in clause[:at])
        clear = clear or has(clause[:at], "name")
        return clause[:at] if clear and not self._may_order(tail) else clause

    def without_left(self, phrase: Phrase, first: bool) -> tuple[Phrase, list[str]]:
        """Without clauses that say what is kept, left open, or not ordered; and what they name.
        ``first``: nothing is said before, so that `no cards` corrects nothing.
        """
        kept, left = list[Clause](), list[str]()
        parts = [part for clause in phrase.clauses for part in self._around_keep(clause)]
        instead = phrase.kinds & INSTEAD
        for i, clause in enumerate(parts):
            said = sum(word.kind in ORDERS for word in clause)
            if said > 1 and not has(clause, "name"):  # `flood -2 as I said`
                clause = tuple(word for word in clause if word.kind != "same")
            words = [word for word in clause if word.kind == "word"]
            none = next((one for one in words if self._grammar.spell((one.text, "none"))), None)
            if put_off(clause):
                continue
            if instead or not has(clause, "word", "name"):
                kept.append(clause)
            elif none and _stays(clause) and self._may_do_nothing(none.text):
                kept.append((none, Word("word", "none")))
            elif has(clause, "defer") or (not none and _keeps(clause)):
                left += [text for word in clause for text in texts(word)]
            elif not has(clause, "name") and _negated(clause, not (i or first), not none):
                done = [one for one in words if one.text.endswith(" none")]  # `no neutral wall`
                done = [none, Word("word", "none")] if none else done
                kept += [tuple(done)] if done else []
                left += [] if done else [one.text for one in words if one.text != "none"]
            else:
                kept.append(clause)
        return phrase._replace(clauses=tuple(kept)), left

    def _around_keep(self, clause: Clause) -> Iterator[Clause]:
        """What it orders, and what it says is kept: `draw, and keep the gate`, `I keep the gate and
        draw`.
        """
        kept = next((i for i, word in enumerate(clause) if word.kind == "keep"), len(clause))
        link = next((i for i in range(kept - 1, 0, -1) if clause[i].kind not in AROUND), 0)
        link = link if link and clause[link].kind == "and" else 0
        then = next((i for i in range(kept, len(clause)) if clause[i].kind == "and"), len(clause))
        if kept < len(clause) and link and has(clause[:link], "word", "name"):
            yield clause[:link]
            yield clause[kept:]
        elif any(w.kind == "name" or self._grammar.spell((w.text,)) for w in clause[then:]):
            yield clause[:then]
            yield clause[then:]
        else:
            yield clause

    def _may_do_nothing(self, word: str) -> bool:
        """Whether nothing is an answer, and this is of the action, or as good as asked about."""
        soon = any(one.order == f"{word} none" for one in self._game.soon(self._view))
        return soon or word not in self._effects

    def may_wait(self, phrase: Phrase) -> bool:
        """Whether a sentence may be about a question that is yet to come."""
        named = any(not self._game.why_never(self._view, name) for name in phrase.names)
        return named and not self._effects.isdisjoint(words_of(phrase))

    def is_deed(self, phrase: Phrase) -> bool:
        """Whether it tells what a card does when its turn comes: `warrior to AP2, remove A5` orders
        no wall.
        """
        return "deed" in phrase.kinds and not self._asked_of_a_card

    def vague(self, phrase: Phrase) -> bool:
        """Whether it is not said which way a number counts: `my flood lowers it by 2`."""
        words = phrase.words
        at = next((i for i, word in enumerate(words) if word.text in self._effects), len(words))
        bare = [word.text for word in words[at:] if word.kind == "num" and word.text.isdigit()]
        counts = any(self._grammar.spell((words[at].text, f"+{number}")) for number in bare)
        return counts and self.may_wait(phrase)

    def asks(self, phrase: Phrase) -> bool:
        """Whether it asks about a question that is yet to come: that is not offered either."""
        return "?" in phrase.mark and self.may_wait(phrase)

    def turned(self, phrase: Phrase, waits: bool) -> bool:
        """Whether a sentence with a word of an order may not mean it."""
        kinds, words = phrase.kinds, phrase.words
        timed = bool(kinds & {"when", "if"})
        if waits and self.told(words) and ("if" in kinds or len({*phrase.names}) > 1):
            return True  # `if Ben fills it`, `Ben's A4`
        if self.vague(phrase) or (waits and self.told(words) and "num" in kinds):
            return True  # `Ben's flood will make it 2 less`
        if self._loosely:
            return bool(kinds & CONTRARY) or (timed and not waits) or self.asks(phrase)
        states = self._states(phrase)
        if self.is_deed(phrase) and not waits:
            return True
        turns = TURNS_AT_VIEW - ({"tells"} if waits or states else set())
        turns -= {"cond"} if words[-1].kind == "cond" else set()  # `as before`
        turns -= {"rather"} if kinds & (REPLACES | APOLOGIES) else set()
        if "?" in phrase.mark or kinds & turns or words[-1].kind in BINDING:
            return True
        due = "due" in kinds and not (timed or states)
        return (timed and not waits) or due or self._unclear(phrase)

    def _states(self, phrase: Phrase) -> bool:
        """Whether it names only what cannot be ordered, and so tells of it: `BP1 is full then`."""
        words = frozenset(words_of(phrase))
        clear = bool(phrase.names) and "word" not in phrase.kinds and not self._could_order(words)
        return clear and not self.may_be_talk(phrase)

    def heads(self, phrase: Phrase, first: bool) -> bool:
        """Whether a sentence tells what stands below it: `two cards:`, `blue:`; ``first``: or
        behind it, where nothing is named before: `Only walls this turn.`
        """
        clear = phrase.kinds.isdisjoint(TURNS_AT_VIEW - {"tells"}) and not self.told(phrase.words)
        words = tuple(word for word in words_of(phrase) if not word.isdigit())
        alone = self._grammar.spell(words) is not None  # `draw`, `both actions: draw`
        first = first and not alone
        heads = phrase.mark == ":" or (first and "?" not in phrase.mark and not phrase.aside)
        clear = clear and (phrase.mark == ":" or phrase.kinds.isdisjoint(_HEADS_NOT))
        return heads and phrase.says and not phrase.names and clear

    def may_be_talk(self, phrase: Phrase) -> bool:
        """Whether no order that may be given can be made of a sentence, and some of its words are
        of no order.
        """
        if not phrase.says or phrase.kinds & NO_TALK:
            return False
        words, kinds, named = frozenset(words_of(phrase)), phrase.kinds, bool(phrase.names)
        strange = sum(word.kind in STRANGE for word in phrase.words)
        several = any("|" in word.text and word.kind == "word" for word in phrase.words)
        if several or self._could_order(words) or (words <= {"none"} and strange < _LONG - 1):
            return False
        if any(word.kind == "unknown" and _has_digit(word.text) for word in phrase.words):
            return False  # `wall A1O`
        if self._of_a_card(phrase) or self._grammar.spell(tuple(words_of(phrase))):
            return False
        if "?" in phrase.mark:
            return strange > 2 and not (named and kinds & {"or", "rather", "turn"})
        told = self.told(phrase.words)
        if not told and phrase.words[0].kind in ("and", "more"):  # `and the tower too`
            return False
        if told or kinds & TURNS_AT_VIEW:
            enough = strange >= (2 if named else _LONG)
            return enough and not kinds & (ENDS | {"or", "rather"})
        signs = words <= self._seats  # `Ann / red`
        return strange > (not signs)

    def of_others(self, phrase: Phrase) -> Phrase:
        """With another player's name as his seat, where it only tells whose the one wall is that a
        card is for, and without the name of the only other player in a condition, where it says no
        more than that somebody completes what is asked about.
        """
        there = [x for x in {*phrase.names} if self._game.why_never(self._view, x)]
        whose = len(there) == 1 and self._of_a_card(phrase)
        alone = len({*self._others.values()}) == 1 and self.may_wait(phrase)
        found = list[Clause]()
        for clause in phrase.clauses:
            timed = has(clause, "when", "if")
            if timed and alone and has(clause, "due") and has(clause, "name"):
                clause = tuple(word for word in clause if not self._seat_of(word))
            elif whose and not timed:
                clause = tuple(
                    Word("word", seat) if (seat := self._seat_of(word)) else word for word in clause
                )
            found.append(clause)
        return phrase._replace(clauses=tuple(found))

    def _of_others(self, word: Word) -> bool:
        """Whether a word is the name of another player, with an ending or without."""
        return bool(self._seat_of(word))

    def _seat_of(self, word: Word) -> str:
        """The seat of the player whose name this is; "" where it is none."""
        text = word.text if word.kind == "unknown" else ""
        for name, seat in self._others.items():
            end = text[len(name) :]
            if text.startswith(name) and (not end or len(end) <= _ENDING < len(text)):
                return seat
        return ""

    def _unclear(self, phrase: Phrase) -> bool:
        """Whether a sentence without a word that turns it may not be an order all the same."""
        kinds, words = phrase.kinds, phrase.words
        alone = any(self._grammar.spell((word,)) for word in words_of(phrase))
        if any(self._adds(clause, alone) for clause in phrase.clauses):
            return True
        free = "word" not in kinds and any(word.kind == "fill" and word.text for word in words)
        too = "more" in kinds and not kinds.isdisjoint(("mend", *APOLOGIES))
        if free or too:  # `A5 and B2 free`, `wait, B6 too`
            return True
        order = [word.kind for word in words if word.kind != "open"]
        range_ = ("name", "to", "name") in zip(order, order[1:], order[2:], strict=False)
        return range_ and not any({*phrase.names} <= {*line} for line in self._legal)

    def _adds(self, clause: Clause, alone: bool) -> bool:
        """Whether a clause may say more than it names, or turn that: `wall B5 on hold`, `the rest
        on S2`, `and one more`, `I refuse a wall on A5`; ``alone``: the sentence has an order of one
        word, and one more of it is clear.
        """
        strange = [word for word in clause if word.kind in ("unknown", "chat")]
        if not has(clause, "word", "name"):
            return has(clause, "add") and not (alone and not strange)
        others = all(map(self._of_others, strange))
        return not others or (has(clause, "rest") and has(clause, "name"))

    def _may_order(self, phrase: Phrase) -> bool:
        """Whether an order, for now or for a question to come, may be made of a phrase."""
        return self._of_a_card(phrase) or self._could_order(frozenset(words_of(phrase)))

    def _of_a_card(self, phrase: Phrase) -> bool:
        """Whether it tells what a card does somewhere: `the traitor tears down B4`."""
        return bool(phrase.names) and not self._effects.isdisjoint(words_of(phrase))

    def _could_be(self, words: frozenset[str]) -> bool:
        """Whether an order can be made of these words: one that may be given now, or of a word, or
        of two that name no place: `the new board goes to the right`.
        """
        spelt = ((word,) for word in words), permutations(sorted(filter(str.islower, words)), 2)
        alone = any(map(self._grammar.spell, chain(*spelt)))
        return alone or any({*(order[1:] or order)} <= words for order in self._legal)


def texts(word: Word) -> list[str]:
    if word.kind not in ORDERS:
        return []
    return [canonical_name(word.text)] if word.kind == "name" else word.text.split()


def words_of(phrase: Phrase) -> Iterator[str]:
    """All that a sentence says of orders; of `a|b` both."""
    for word in phrase.words:
        if word.kind in ORDERS:
            for text in texts(word):
                yield from text.split("|")


def put_off(clause: Clause) -> bool:
    """Whether it says that the rest comes later."""
    return has(clause, "rest", "second") and has(clause, *_PUT_OFF)


def _stays(clause: Clause) -> bool:
    """Whether it says that something does nothing: `the mandarin stays`."""
    return _keeps(clause) and has(clause, "keep") and not has(clause, "name")


def _keeps(clause: Clause) -> bool:
    """Whether it says that something stays as it is, and nothing else of that."""
    same = has(clause, "same") and not has(clause, "name")
    return (same or has(clause, "keep")) and not has(clause, "num", "when", "if", "due")


def _negated(clause: Clause, corrects: bool, none: bool) -> bool:
    """Whether it says that something is not ordered; if it ``corrects``, `no gate` may be `no: the
    gate`; ``none``: `niente carte`, where no order has this word.
    """
    no = has(clause[corrects:], *NEGATES) or has(clause, "without")
    words = [word.text for word in clause if word.kind == "word"]
    return no or (none and words[:1] == ["none"] and len(words) > 1)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
