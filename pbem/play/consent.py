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

from pbem.chain.rulings.kind import STATE_NUMBER
from pbem.chain.rulings.undo import UNDO
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import DEAL, StateRecord, Vote
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.engine.row import Sentence, say
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.mail.identity import GAME_ID
from pbem.notation.asks import NO, VOTES, YES
from pbem.notation.lines import DoubtfulLine, ParsedOrders
from pbem.play.reply_codes import code_of
from pbem.play.sentences import BOTH, ELSEWHERE


class UndoQuestionId(NamedTuple):
    """An asking that is over: what its codes were made of."""

    number: int
    target_state: int
    state_hash: str


class UndoReply(NamedTuple):
    """What a mail's code says of it: it answers an asking."""

    code: str
    is_open: bool  #: players are still asked this
    answer: str = ""  #: what the seat has answered so far
    is_asked_again: bool = False  #: it is over, and the seat is asked again, by another mail


class Consent(NamedTuple):
    """An undo that players are asked about. Secrecy: the referee alone."""

    target_state: int
    state_hash: str  #: of the state it goes back from, b64: with another newest state it lapses
    reason: str
    answers: tuple[tuple[str, str], ...]  #: (seat, `yes`, `no` or "") of all who are asked
    number: int = 1  #: of all the askings in this game, dropped ones too
    past_ids: tuple[UndoQuestionId, ...] = ()  #: the askings before, the newest last
    signatures: tuple[tuple[str, str], ...] = ()  #: (seat, signature of its answer), of seats with keys

    @property
    def act(self) -> str:
        """What is agreed to, as it is signed."""
        return UNDO.make_ruling("", ("to", str(self.target_state))).act

    def signed_votes(self, record: StateRecord) -> tuple[Vote, ...]:
        """The signed consents, as they stand in the state of the ruling after ``record``."""
        yes_signatures = {seat: signature for seat, signature in self.signatures if dict(self.answers)[seat] == YES}
        seats = (player.seat for player in record.people if player.key and player.seat in yes_signatures)
        return tuple(Vote(seat, YES, unb64(yes_signatures[seat], 64)) for seat in seats)

    def is_asked(self, seat: str) -> bool:
        return seat in dict(self.answers)

    def with_answer(self, seat: str, answer: str, signature: str) -> "Consent":
        """With the answer of a seat, signed where it has a key; the last one counts."""
        rows = ((row_seat, answer if row_seat == seat else old_answer) for row_seat, old_answer in self.answers)
        signatures = [row for row in self.signatures if row[0] != seat] + ([(seat, signature)] if signature else [])
        return self._replace(answers=tuple(rows), signatures=tuple(signatures))

    def seats_answering(self, answer: str) -> tuple[str, ...]:
        """Who has answered so ("" for: not yet)."""
        return tuple(seat for seat, seat_answer in self.answers if seat_answer == answer)

    @property
    def is_complete(self) -> bool:
        """Nobody is asked in an asking that was dropped: it is never complete."""
        return bool(self.answers) and all(answer == YES for _, answer in self.answers)

    @property
    def id(self) -> UndoQuestionId:
        """What the codes of its mails are made of."""
        return UndoQuestionId(self.number, self.target_state, self.state_hash)

    def as_dropped(self) -> "Consent":
        """Nobody is asked any longer; that there was this asking is remembered."""
        return self._replace(answers=(), signatures=())


class UndoQuestion(NamedTuple):
    """What a player with a key signs an answer to."""

    game: str
    seat: str
    act: str
    state_hash: str  #: b64, of the state that the act would follow

    def describe_answer(self, answer: str, newest_state: int) -> str:
        """What that answer says, in words, where state ``newest_state`` is the newest; "" of what pbem asks
        nobody: a player's tool signs nothing else.
        """
        name, _, target_state = self.act.partition(" to=")
        if (
            name != UNDO.name
            or not STATE_NUMBER.fullmatch(target_state)
            or not DEAL <= int(target_state) < newest_state
        ):
            return ""
        agrees = "agree" if answer == YES else "do not agree"
        return f"you {agrees} that the game goes back from state {newest_state} to state {target_state}"

    def to_text(self) -> str:
        """For the mail that asks: the player's tool finds it there."""
        return f"asking pbem 1 {self.game}\n{self.seat} {self.act}\nhead {self.state_hash}"

    def sign_answer(self, answer: str, key: PrivateKey) -> str:
        """Sig("pbem/1/consent", …), b64."""
        return b64(sign(key, "consent", *self._parts(answer)))

    def is_genuine(self, answer: str, signature: str, key: bytes) -> bool:
        try:
            return verify(key, "consent", unb64(signature, 64), *self._parts(answer))
        except BadInput:
            return False

    def _parts(self, answer: str) -> tuple[str | bytes, ...]:
        return self.game, unb64(self.state_hash, 32), self.seat, self.act, answer


_UNDO_QUESTION = re.compile(
    rf"asking pbem 1 ({GAME_ID}) (\S{{1,60}}) (\S.{{0,200}}?) head ([A-Za-z0-9_-]{{43}})(?![\w-])"
)


def find_undo_question(texts: Iterable[str]) -> UndoQuestion | None:
    """What a mail asks, quoted or not, however its lines were broken; None where it asks nothing.

    With two of them nobody could tell which is answered: then there is none either.
    """
    words = " ".join(" ".join(text.lstrip("> \t\xa0").split()) for text in texts)
    questions = {UndoQuestion(*match) for match in _UNDO_QUESTION.findall(words)}
    return questions.pop() if len(questions) == 1 else None


def with_next_number(previous: Consent | None, consent: Consent) -> Consent:
    """A new asking: its number, and so its codes, are those of no asking before."""
    if previous is None:
        return consent
    return consent._replace(number=previous.number + 1, past_ids=(*previous.past_ids, previous.id))


def undo_code(question_id: UndoQuestionId, desk_secret: bytes, game: str, seat: str) -> str:
    """The code of the mail by which a seat is asked, and of none else."""
    return code_of(
        desk_secret, game, seat, f"undo {question_id.number} {question_id.target_state} {question_id.state_hash}"
    )


def read_current_consent(data: bytes | None, newest_state: bytes, seats: tuple[str, ...]) -> Consent | None:
    """What is asked at the newest state; None where nothing is, or it has lapsed.

    ``seats``: of the game; BadInput ``consent/damaged`` where one is asked that it has not.
    """
    consent = decode(data) if data else None
    if not consent or not consent.answers or consent.state_hash != b64(state_hash_of(newest_state)):
        return None
    if not {seat for seat, _ in consent.answers} <= {*seats}:
        raise _damaged_error("desk/consent.toml names a seat that is not in this game")
    return consent


def describe_consent(consent: Consent, names: dict[str, str], directory: str) -> str:
    """For the referee: whose answer is missing, or what comes of the undo now."""

    def name_seats(answer: str) -> str:
        return ", ".join(f"{names[seat]} ({seat})" for seat in consent.seats_answering(answer))

    if consent.seats_answering(NO):
        return f"{name_seats(NO)} said no to the undo: pbem amend {directory} undo closes the question"
    if consent.is_complete:
        return f"all agreed to the undo: pbem resolve {directory} does it"
    return f"waits for {name_seats('')} to say whether the undo may be done"


def encode(consent: Consent) -> bytes:
    """desk/consent.toml."""
    answer_rows = [f"{seat} {answer or '-'}" for seat, answer in consent.answers]
    header = {"pbem": 1, "number": consent.number, "to": consent.target_state, "head": consent.state_hash}
    past_rows = [f"{past_id.number} {past_id.target_state} {past_id.state_hash}" for past_id in consent.past_ids]
    document = {**header, "reason": consent.reason, "answers": answer_rows, "past": past_rows}
    return state_file.dump(document | {"signed": [" ".join(row) for row in consent.signatures]})


def decode(data: bytes) -> Consent:
    """Read it back; BadInput ``consent/damaged``."""
    try:
        reader = TableReader(state_file.parse(data), "desk/consent.toml")
        reader.number("pbem", 1, 1)
        rows = [row.split(" ") for row in reader.rows("answers")]
        answers = tuple((seat, "" if answer == "-" else answer) for seat, answer in rows)
        if not all(answer in (*VOTES, "") for _, answer in answers):
            raise ValueError
        past_rows = [row.split(" ") for row in reader.maybe_rows("past") or ()]
        signature_rows = [row.split(" ") for row in reader.maybe_rows("signed") or ()]
        consent = Consent(
            reader.number("to", 2, 999_999),
            reader.text("head"),
            reader.text("reason"),
            answers,
            reader.maybe_number("number", 1, 999_999) or 1,
            tuple(
                UndoQuestionId(int(number), int(target_state), state_hash)
                for number, target_state, state_hash in past_rows
            ),
            tuple((seat, b64(unb64(signature, 64))) for seat, signature in signature_rows if seat in dict(answers)),
        )
        reader.refuse_unknown_keys()
    except (BadInput, ValueError):
        raise _damaged_error("desk/consent.toml is damaged") from None
    return consent


def _damaged_error(problem: str) -> BadInput:
    hint = "put it back from a backup; else delete it, make old answers void by a note"
    return BadInput("consent/damaged", problem, f"{hint} (pbem amend DIR note TEXT), and ask again")


def doubt_double_vote(parsed_orders: ParsedOrders) -> ParsedOrders:
    """The mail with at most one answer among what it asks; where there are two, none counts."""
    return _doubt_votes(parsed_orders, say(BOTH)) if {*VOTES} <= {*parsed_orders.commands} else parsed_orders


def find_single_vote(parsed_orders: ParsedOrders) -> str:
    """The answer of a mail that says `yes` or `no` and asks or orders nothing besides; else ""."""
    has_other_content = parsed_orders.now or parsed_orders.later or parsed_orders.doubtful_lines
    return parsed_orders.commands[0] if parsed_orders.commands in ((YES,), (NO,)) and not has_other_content else ""


def doubt_stray_vote(parsed_orders: ParsedOrders) -> ParsedOrders:
    """`yes` in a mail that answers another question than the undo its player is asked about."""
    return _doubt_votes(parsed_orders, say(ELSEWHERE)) if {*VOTES} & {*parsed_orders.commands} else parsed_orders


def _doubt_votes(parsed_orders: ParsedOrders, why: Sentence) -> ParsedOrders:
    commands = tuple(command for command in parsed_orders.commands if command not in VOTES)
    return parsed_orders._replace(
        commands=commands, doubtful_lines=(*parsed_orders.doubtful_lines, DoubtfulLine(0, "", why))
    )
