"""Asking players whether an undo may be: what is asked, and what each has answered.

What lives here: Consent, its file (desk/consent.toml), the codes of its mails, their headlines;
`yes` and `no` in a mail are read in services/amend/consent.py.
What must never be here: files, mails; anything that goes into a state.
Laws: what one player answered is told to no other; an answer is about one asking, which has codes
of its own: a late `yes` to an asking that is over counts for no other, not even for the same undo.
Source: decision 0005 ("Consent lies in desk/ until it is complete").
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.chain.rulings.kind import STATE
from pbem.chain.rulings.undo import UNDO
from pbem.chain.signed_state import head_of
from pbem.chain.state_record import DEAL, StateRecord, Vote
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.engine.row import Sentence, say
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.mail.identity import GAME_ID
from pbem.notation.asks import NO, VOTES, YES
from pbem.notation.lines import Sheet, Suspect
from pbem.play.reply_codes import code_of
from pbem.play.sentences import BOTH, ELSEWHERE


class AskingId(NamedTuple):
    """An asking that is over: what its codes were made of."""

    number: int
    to: int
    head: str


class Asking(NamedTuple):
    """What a mail's code says of it: it answers an asking."""

    code: str
    open: bool  #: players are still asked this
    answer: str = ""  #: what the seat has answered so far
    anew: bool = False  #: it is over, and the seat is asked again, by another mail


class Consent(NamedTuple):
    """An undo that players are asked about. Secrecy: the referee alone."""

    to: int
    head: str  #: of the state it goes back from, b64: with another newest state it lapses
    reason: str
    answers: tuple[tuple[str, str], ...]  #: (seat, `yes`, `no` or "") of all who are asked
    number: int = 1  #: of all the askings in this game, dropped ones too
    past: tuple[AskingId, ...] = ()  #: the askings before, the newest last
    signed: tuple[tuple[str, str], ...] = ()  #: (seat, signature of its answer), of seats with keys

    @property
    def act(self) -> str:
        """What is agreed to, as it is signed."""
        return UNDO.ruling("", ("to", str(self.to))).act

    def votes(self, record: StateRecord) -> tuple[Vote, ...]:
        """The signed consents, as they stand in the state of the ruling after ``record``."""
        given = {seat: sig for seat, sig in self.signed if dict(self.answers)[seat] == YES}
        seats = (player.seat for player in record.people if player.key and player.seat in given)
        return tuple(Vote(seat, YES, unb64(given[seat], 64)) for seat in seats)

    def asks(self, seat: str) -> bool:
        return seat in dict(self.answers)

    def with_answer(self, seat: str, answer: str, sig: str) -> "Consent":
        """With the answer of a seat, signed where it has a key; the last one counts."""
        rows = ((who, answer if who == seat else old) for who, old in self.answers)
        signed = [row for row in self.signed if row[0] != seat] + ([(seat, sig)] if sig else [])
        return self._replace(answers=tuple(rows), signed=tuple(signed))

    def given(self, answer: str) -> tuple[str, ...]:
        """Who has answered so ("" for: not yet)."""
        return tuple(seat for seat, said in self.answers if said == answer)

    @property
    def complete(self) -> bool:
        """Nobody is asked in an asking that was dropped: it is never complete."""
        return bool(self.answers) and all(said == YES for _, said in self.answers)

    @property
    def id(self) -> AskingId:
        """What the codes of its mails are made of."""
        return AskingId(self.number, self.to, self.head)

    def dropped(self) -> "Consent":
        """Nobody is asked any longer; that there was this asking is remembered."""
        return self._replace(answers=(), signed=())


class Asked(NamedTuple):
    """What a player with a key signs an answer to."""

    game: str
    seat: str
    act: str
    head: str  #: b64, of the state that the act would follow

    def meaning(self, answer: str, n: int) -> str:
        """What that answer says, in words, where state ``n`` is the newest; "" of what pbem asks
        nobody: a player's tool signs nothing else.
        """
        name, _, to = self.act.partition(" to=")
        if name != UNDO.name or not STATE.fullmatch(to) or not DEAL <= int(to) < n:
            return ""
        agrees = "agree" if answer == YES else "do not agree"
        return f"you {agrees} that the game goes back from state {n} to state {to}"

    def text(self) -> str:
        """For the mail that asks: the player's tool finds it there."""
        return f"asking pbem 1 {self.game}\n{self.seat} {self.act}\nhead {self.head}"

    def signed(self, answer: str, key: PrivateKey) -> str:
        """Sig("pbem/1/consent", …), b64."""
        return b64(sign(key, "consent", *self._parts(answer)))

    def genuine(self, answer: str, sig: str, key: bytes) -> bool:
        try:
            return verify(key, "consent", unb64(sig, 64), *self._parts(answer))
        except BadInput:
            return False

    def _parts(self, answer: str) -> tuple[str | bytes, ...]:
        return self.game, unb64(self.head, 32), self.seat, self.act, answer


_ASKING = re.compile(
    rf"asking pbem 1 ({GAME_ID}) (\S{{1,60}}) (\S.{{0,200}}?) head ([A-Za-z0-9_-]{{43}})(?![\w-])"
)


def asking_in(texts: Iterable[str]) -> Asked | None:
    """What a mail asks, quoted or not, however its lines were broken; None where it asks nothing.

    With two of them nobody could tell which is answered: then there is none either.
    """
    words = " ".join(" ".join(text.lstrip("> \t\xa0").split()) for text in texts)
    found = {Asked(*match) for match in _ASKING.findall(words)}
    return found.pop() if len(found) == 1 else None


def after(before: Consent | None, asked: Consent) -> Consent:
    """A new asking: its number, and so its codes, are those of no asking before."""
    if before is None:
        return asked
    return asked._replace(number=before.number + 1, past=(*before.past, before.id))


def code(asking: AskingId, desk_secret: bytes, game: str, seat: str) -> str:
    """The code of the mail by which a seat is asked, and of none else."""
    return code_of(desk_secret, game, seat, f"undo {asking.number} {asking.to} {asking.head}")


def current(data: bytes | None, newest: bytes, seats: tuple[str, ...]) -> Consent | None:
    """What is asked at the newest state; None where nothing is, or it has lapsed.

    ``seats``: of the game; BadInput ``consent/damaged`` where one is asked that it has not.
    """
    found = decode(data) if data else None
    if not found or not found.answers or found.head != b64(head_of(newest)):
        return None
    if not {seat for seat, _ in found.answers} <= {*seats}:
        raise _damaged("desk/consent.toml names a seat that is not in this game")
    return found


def about(asked: Consent, names: dict[str, str], where: str) -> str:
    """For the referee: whose answer is missing, or what comes of the undo now."""

    def told(answer: str) -> str:
        return ", ".join(f"{names[seat]} ({seat})" for seat in asked.given(answer))

    if asked.given(NO):
        return f"{told(NO)} said no to the undo: pbem amend {where} undo closes the question"
    if asked.complete:
        return f"all agreed to the undo: pbem resolve {where} does it"
    return f"waits for {told('')} to say whether the undo may be done"


def encode(consent: Consent) -> bytes:
    """desk/consent.toml."""
    rows = [f"{seat} {said or '-'}" for seat, said in consent.answers]
    head = {"pbem": 1, "number": consent.number, "to": consent.to, "head": consent.head}
    past = [f"{old.number} {old.to} {old.head}" for old in consent.past]
    document = {**head, "reason": consent.reason, "answers": rows, "past": past}
    return state_file.dump(document | {"signed": [" ".join(row) for row in consent.signed]})


def decode(data: bytes) -> Consent:
    """Read it back; BadInput ``consent/damaged``."""
    try:
        reader = TableReader(state_file.parse(data), "desk/consent.toml")
        reader.number("pbem", 1, 1)
        rows = [row.split(" ") for row in reader.rows("answers")]
        answers = tuple((seat, "" if said == "-" else said) for seat, said in rows)
        if not all(said in (*VOTES, "") for _, said in answers):
            raise ValueError
        old = [row.split(" ") for row in reader.maybe_rows("past") or ()]
        signed = [row.split(" ") for row in reader.maybe_rows("signed") or ()]
        found = Consent(
            reader.number("to", 2, 999_999),
            reader.text("head"),
            reader.text("reason"),
            answers,
            reader.maybe_number("number", 1, 999_999) or 1,
            tuple(AskingId(int(number), int(to), head) for number, to, head in old),
            tuple((seat, b64(unb64(sig, 64))) for seat, sig in signed if seat in dict(answers)),
        )
        reader.done()
    except (BadInput, ValueError):
        raise _damaged("desk/consent.toml is damaged") from None
    return found


def _damaged(what: str) -> BadInput:
    hint = "put it back from a backup; else delete it, make old answers void by a note"
    return BadInput("consent/damaged", what, f"{hint} (pbem amend DIR note TEXT), and ask again")


def one_answer(sheet: Sheet) -> Sheet:
    """The mail with at most one answer among what it asks; where there are two, none counts."""
    return _doubted(sheet, say(BOTH)) if {*VOTES} <= {*sheet.asks} else sheet


def vote_of(sheet: Sheet) -> str:
    """The answer of a mail that says `yes` or `no` and asks or orders nothing besides; else ""."""
    other = sheet.first or sheet.later or sheet.suspects
    return sheet.asks[0] if sheet.asks in ((YES,), (NO,)) and not other else ""


def elsewhere(sheet: Sheet) -> Sheet:
    """`yes` in a mail that answers another question than the undo its player is asked about."""
    return _doubted(sheet, say(ELSEWHERE)) if {*VOTES} & {*sheet.asks} else sheet


def _doubted(sheet: Sheet, why: Sentence) -> Sheet:
    asks = tuple(ask for ask in sheet.asks if ask not in VOTES)
    return sheet._replace(asks=asks, suspects=(*sheet.suspects, Suspect(0, "", why)))
