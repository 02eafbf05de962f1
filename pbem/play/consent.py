"""Ask players whether the referee may undo states of the game, and record what each has answered.

An undo needs the consent of every player that it asks. Each question has its own reply codes, so a late `yes`
counts only for the question that it answers. services/amend/consent.py reads the emails.

Not allowed here: files, emails; what one player answered, in words for another.
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
from pbem.engine.row import N_, Sentence, say
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.mail.identity import GAME_ID
from pbem.notation.asks import NO, VOTES, YES
from pbem.notation.lines import DoubtfulLine, ParsedOrders
from pbem.play.reply_codes import code_of
from pbem.play.sentences import BOTH, ELSEWHERE

AGREES = N_("you agree that the game goes back from state {newest_state} to state {target_state}")
DISAGREES = N_("you do not agree that the game goes back from state {newest_state} to state {target_state}")
UNDO_REFUSED = N_("{players} said no to the undo: pbem amend {directory} undo closes the question")
UNDO_AGREED = N_("all agreed to the undo; the next `pbem tick` or `pbem resolve {directory}` does it")
UNDO_AWAITED = N_("waits for {players} to say whether the undo may be done")


class UndoQuestionId(NamedTuple):
    """The values from which the reply codes of a question are made."""

    number: int
    target_state: int
    state_hash: str


class UndoReply(NamedTuple):
    """What pbem knows of the question about an undo that an email answers, by its reply code."""

    code: str
    is_open: bool  #: the question is not over
    answer: str = ""  #: the seat's answer so far
    is_asked_again: bool = False  #: the question is over, and another email asks the seat again


class Consent(NamedTuple):
    """An undo that players are asked about. Only the referee may see it."""

    target_state: int
    #: of the state that the undo goes back from (base64url); if the game goes on, the question lapses
    state_hash: str
    reason: str
    answers: tuple[tuple[str, str], ...]  #: (seat, `yes`, `no` or "" for no answer yet) of all seats that are asked
    number: int = 1  #: counts all such questions of this game, dropped ones too
    past_ids: tuple[UndoQuestionId, ...] = ()  #: of earlier questions, the newest last
    signatures: tuple[tuple[str, str], ...] = ()  #: (seat, signature of its answer), for seats with keys

    @property
    def act(self) -> str:
        """Return the act that players agree to, as they sign it: `undo to=12`."""
        return UNDO.make_ruling("", ("to", str(self.target_state))).act

    def signed_votes(self, record: StateRecord) -> tuple[Vote, ...]:
        """Return the signed consents, as they appear in the state that follows ``record``."""
        yes_signatures = {seat: signature for seat, signature in self.signatures if dict(self.answers)[seat] == YES}
        seats = (player.seat for player in record.people if player.key and player.seat in yes_signatures)
        return tuple(Vote(seat, YES, unb64(yes_signatures[seat], 64)) for seat in seats)

    def is_asked(self, seat: str) -> bool:
        return seat in dict(self.answers)

    def with_answer(self, seat: str, answer: str, signature: str) -> "Consent":
        """Return the question with a seat's new answer. ``signature`` is "" for a seat without a key."""
        answers = dict(self.answers)
        if seat in answers:
            answers[seat] = answer
        signatures = {row_seat: old_signature for row_seat, old_signature in self.signatures if row_seat != seat}
        if signature:
            signatures[seat] = signature
        return self._replace(answers=tuple(answers.items()), signatures=tuple(signatures.items()))

    def seats_answering(self, answer: str) -> tuple[str, ...]:
        """Return the seats that have given this answer; for "", those that have not answered."""
        return tuple(seat for seat, seat_answer in self.answers if seat_answer == answer)

    @property
    def is_complete(self) -> bool:
        """Return whether all agree. A dropped question has no answers and is never complete."""
        return bool(self.answers) and all(answer == YES for _, answer in self.answers)

    @property
    def id(self) -> UndoQuestionId:
        """Return the values from which the reply codes of its emails are made."""
        return UndoQuestionId(self.number, self.target_state, self.state_hash)

    def as_dropped(self) -> "Consent":
        """Return the question with nobody asked. It is stored so that its number is not used again."""
        return self._replace(answers=(), signatures=())


class UndoQuestion(NamedTuple):
    """What a player with a key signs an answer to."""

    game: str
    seat: str
    act: str
    state_hash: str  #: base64url, of the state that the act would follow

    def describe_answer(self, answer: str, newest_state: int) -> str:
        """Return the sentence that a player agrees to by signing this answer, `yes` or `no`.

        ``newest_state`` is the number of the newest state that the player has. The only question
        that pbem asks is an undo to an older state, from the deal on. For any other question, which
        may be forged, the result is "", and the player's tool must refuse to sign.
        """
        act_name, _, target_state = self.act.partition(" to=")  # an act is written like `undo to=12`
        is_undo = act_name == UNDO.name and bool(STATE_NUMBER.fullmatch(target_state))
        if not is_undo or not DEAL <= int(target_state) < newest_state:
            return ""
        sentence = AGREES if answer == YES else DISAGREES
        return sentence.format(newest_state=newest_state, target_state=target_state)

    def to_text(self) -> str:
        """Return the question as lines of an email, in which the player's tool finds it."""
        return f"asking pbem 1 {self.game}\n{self.seat} {self.act}\nhead {self.state_hash}"

    def sign_answer(self, answer: str, key: PrivateKey) -> str:
        """Return the signature "pbem/1/consent" of an answer, base64url."""
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
    """Return the only question in these lines, even if quoted or wrapped; None if there is none, or more than one."""
    words = " ".join(" ".join(text.lstrip("> \t\xa0").split()) for text in texts)
    questions = {UndoQuestion(*match) for match in _UNDO_QUESTION.findall(words)}
    return questions.pop() if len(questions) == 1 else None


def with_next_number(previous: Consent | None, consent: Consent) -> Consent:
    """Return a new question with the next number, and with the ids of all earlier questions."""
    if previous is None:
        return consent
    return consent._replace(number=previous.number + 1, past_ids=(*previous.past_ids, previous.id))


def undo_code(question_id: UndoQuestionId, desk_secret: bytes, game: str, seat: str) -> str:
    """Return the reply code of the email that asks this seat."""
    return code_of(
        desk_secret, game, seat, f"undo {question_id.number} {question_id.target_state} {question_id.state_hash}"
    )


def read_current_consent(data: bytes | None, newest_state: bytes, seats: tuple[str, ...]) -> Consent | None:
    """Return the question at the newest state; None if there is none, or if it was for another state.

    ``data`` is the file desk/consent.toml, if it exists. Raises BadInput ``consent/damaged``, also
    for a seat that the game does not have.
    """
    consent = decode(data) if data else None
    if consent is None:
        return None
    was_dropped = not consent.answers
    if was_dropped or consent.state_hash != b64(state_hash_of(newest_state)):
        return None
    if not {seat for seat, _ in consent.answers} <= {*seats}:
        raise _damaged_error("desk/consent.toml names a seat that is not in this game")
    return consent


def describe_consent(consent: Consent, names: dict[str, str], directory: str) -> str:
    """Tell the referee whose answer is missing, or what happens to the undo now."""

    def name_seats(answer: str) -> str:
        return ", ".join(f"{names[seat]} ({seat})" for seat in consent.seats_answering(answer))

    if consent.seats_answering(NO):
        return UNDO_REFUSED.format(players=name_seats(NO), directory=directory)
    if consent.is_complete:
        return UNDO_AGREED.format(directory=directory)
    return UNDO_AWAITED.format(players=name_seats(""))


def encode(consent: Consent) -> bytes:
    """Return the content of the file desk/consent.toml."""
    answer_rows = [f"{seat} {answer or '-'}" for seat, answer in consent.answers]
    header = {"pbem": 1, "number": consent.number, "to": consent.target_state, "head": consent.state_hash}
    past_rows = [f"{past_id.number} {past_id.target_state} {past_id.state_hash}" for past_id in consent.past_ids]
    document = {**header, "reason": consent.reason, "answers": answer_rows, "past": past_rows}
    return state_file.dump(document | {"signed": [" ".join(row) for row in consent.signatures]})


def decode(data: bytes) -> Consent:
    """Read a question from its file. Raises BadInput ``consent/damaged``."""
    try:
        reader = TableReader(state_file.parse(data), "desk/consent.toml")
        reader.number("pbem", 1, 1)
        rows = [row.split(" ") for row in reader.rows("answers")]
        answers = tuple((seat, "" if answer == "-" else answer) for seat, answer in rows)
        if not all(answer in (*VOTES, "") for _, answer in answers):
            raise ValueError
        past_rows = [row.split(" ") for row in reader.maybe_rows("past") or ()]
        signature_rows = [row.split(" ") for row in reader.maybe_rows("signed") or ()]
        past_ids = (UndoQuestionId(int(number), int(target), state_hash) for number, target, state_hash in past_rows)
        consent = Consent(
            target_state=reader.number("to", 2, 999_999),
            state_hash=reader.text("head"),
            reason=reader.text("reason"),
            answers=answers,
            number=reader.maybe_number("number", 1, 999_999) or 1,
            past_ids=tuple(past_ids),
            signatures=tuple(
                (seat, b64(unb64(signature, 64))) for seat, signature in signature_rows if seat in dict(answers)
            ),
        )
        reader.refuse_unknown_keys()
    except (BadInput, ValueError):
        raise _damaged_error("desk/consent.toml is damaged") from None
    return consent


def _damaged_error(problem: str) -> BadInput:
    hint = "put it back from a backup; else delete it, make old answers void by a note"
    return BadInput("consent/damaged", problem, f"{hint} (pbem amend DIR note TEXT), and ask again")


def hold_double_vote(parsed_orders: ParsedOrders) -> ParsedOrders:
    """Return the parsed email; if it says both `yes` and `no`, without these votes and held."""
    says_both = {*VOTES} <= {*parsed_orders.commands}
    return _hold_votes(parsed_orders, say(BOTH)) if says_both else parsed_orders


def find_single_vote(parsed_orders: ParsedOrders) -> str:
    """Return the vote of an email that says `yes` or `no` and has no other command or order; otherwise ""."""
    has_other_content = parsed_orders.now or parsed_orders.later or parsed_orders.doubtful_lines
    has_single_vote = parsed_orders.commands in ((YES,), (NO,))
    return parsed_orders.commands[0] if has_single_vote and not has_other_content else ""


def hold_stray_vote(parsed_orders: ParsedOrders) -> ParsedOrders:
    """Return the parsed email, which does not answer an undo question; if it votes, without the vote and held."""
    has_vote = bool({*VOTES} & {*parsed_orders.commands})
    return _hold_votes(parsed_orders, say(ELSEWHERE)) if has_vote else parsed_orders


def _hold_votes(parsed_orders: ParsedOrders, why: Sentence) -> ParsedOrders:
    """Remove the votes, and hold the email for the reason ``why``."""
    commands = tuple(command for command in parsed_orders.commands if command not in VOTES)
    return parsed_orders._replace(
        commands=commands, doubtful_lines=(*parsed_orders.doubtful_lines, DoubtfulLine(0, "", why))
    )
