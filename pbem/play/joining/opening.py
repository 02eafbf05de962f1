"""Open a game: genesis, roster and deal (states 0 to 2), and cancelled rounds; and what players read about them.

The genesis says what is played and commits to the referee's secret. The roster lists the players' answers to the
invitation. The deal depends on the secret, the roster and what players contribute, so nobody has a choice after the
genesis. A round is one attempt to start a game. A cancelled round publishes its secret. What everybody reads depends
only on the states, so pbem can write it again (P2, P8).

Not allowed here: files; randomness (the secret is an argument); reading answers
(answers.py); in what players read, an unsigned answer, an address, or the secret of an open round.
Source: docs/SPECIFICATION.md sections 5 and 6; decision 0005; P4.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import Clock, SeatClock
from pbem.chain.loaded_game import check_decodes
from pbem.chain.next_record import NextRecordInputs, build_next_record, sign_record
from pbem.chain.people import NONE, OpenedContribution, RosterEntry, SeatedPlayer, read_roster_entry
from pbem.chain.referees import RefereeKeys
from pbem.chain.rulings.kind import CLOSE
from pbem.chain.rulings.kinds import describe_ruling
from pbem.chain.seals import Seals
from pbem.chain.signed_state import state_hash_of, state_hash_words
from pbem.chain.sources import REPLY
from pbem.chain.state_record import CLOSED, DEAL, PHASES, Setup, StateRecord, config_of
from pbem.crypto.encoding import b64, game_id
from pbem.crypto.keys import RefereeKey
from pbem.crypto.tokens import DealWords, commit_secret, deal_key, deal_table
from pbem.engine.decision import ALL
from pbem.engine.hidden import shuffle_pile
from pbem.engine.row import N_, Row
from pbem.engine.settings import ARCHIVE, Config
from pbem.errors import Refused
from pbem.mail.identity import mark_words
from pbem.play.deadlines.next_clock import clock_inputs_of, make_next_clock
from pbem.play.deadlines.options import describe_clock
from pbem.play.joining.contribution import seat_players
from pbem.play.pending_file import decode_pending
from pbem.play.pending_orders import PendingOrders
from pbem.play.waiting import AwaitedRow, awaited_rows

if TYPE_CHECKING:
    from pbem.engine.game import Game


def list_unanswered_seats(record: StateRecord, answers: dict[str, str]) -> tuple[str, ...]:
    """Return the seats whose answer is still missing before the deal. ``answers`` are by seat."""
    joined_seats = (answer.seat for answer in record.roster if answer.is_sealed)
    asked_seats = record.setup.seats if record.phase == "genesis" else joined_seats
    return tuple(seat for seat in asked_seats if not answers.get(seat))


def roster_of(record: StateRecord, answers: dict[str, str]) -> tuple[RosterEntry, ...]:
    """Return the rows of the roster for the seats that have answered."""
    rows = (answers.get(seat) for seat in record.setup.seats)
    return tuple(read_roster_entry(row) for row in rows if row)


def seats_sharing_key(roster: tuple[RosterEntry, ...]) -> tuple[str, ...]:
    """Return the seats that joined with the same key as another seat."""
    keys = [answer.key for answer in roster if answer.is_sealed]
    return tuple(answer.seat for answer in roster if answer.is_sealed and keys.count(answer.key) > 1)


def read_answers(pending_files: Mapping[str, bytes], record: StateRecord) -> dict[str, str]:
    """Return the answers by seat, "" for none, from the files of pending orders. Each is secret."""
    return {seat: pending.joining_row for seat, pending in _read_pending(pending_files, record).items()}


def read_declined(pending_files: Mapping[str, bytes], record: StateRecord) -> dict[str, str]:
    """Return the line in which each player declined, by seat."""
    return {
        seat: pending.decline_line
        for seat, pending in _read_pending(pending_files, record).items()
        if pending.decline_line
    }


def _read_pending(pending_files: Mapping[str, bytes], record: StateRecord) -> dict[str, PendingOrders]:
    return {seat: decode_pending(pending_files[seat], seat) for seat in record.setup.seats if seat in pending_files}


#: by phase, what a seat is asked, as `status` and other commands name it
AWAITED_KINDS = {"genesis": "invitation", "roster": "opening"}
WAIT_SENTENCES = {
    "genesis": N_("It waits for {players} to answer the invitation"),
    "roster": N_("It waits for {players} to open their additions to the shuffle"),
}
ROUND_CANCELLED = N_("The round was cancelled ({reason})")
READY_TO_DEAL = N_("All have answered: pbem resolve deals")
READY_FOR_ROSTER = N_("All have answered: pbem resolve goes on to the deal")
DECLINES = N_('{player} declines: "{line}"')
NEXT_ROUND = N_(
    "cancel the round with `pbem amend {directory} close --reason TEXT`, "
    "then begin the next with `pbem new NEW --after {directory}{player_option}`"
)
SUBJECTS = {
    "genesis": N_("You are invited to {title} ({label})"),
    "roster": N_("{label}: what each player added to the shuffle"),
    CLOSED: N_("{label}: this round is cancelled"),
}
OPENING_SUBJECT = N_("{label}: please open your addition to the shuffle")
TEMPLATES = {"genesis": "invitation.txt", "roster": "roster.txt", CLOSED: "closed.txt"}


def make_template_values(
    record: StateRecord, state_hash: bytes, game: "Game", label: str, seat: str, code: str, signed_block: str
) -> dict[str, Any]:
    """Return all values for the templates of this phase. ``seat`` is "" in the email to the spectators."""
    setup = record.setup
    players = {player.seat: player for player in record.people}
    return {
        "label": label,
        "title": game.title,
        "seat": seat,
        "player": players[seat].name if seat else "",
        "way": players[seat].method_name if seat else "",
        "code": "" if record.phase == CLOSED else code,
        "seats": [(player.seat, player.name) for player in record.people],
        "names": {player.seat: player.name for player in record.people},
        "options": [*describe_options(game, dict(setup.options)), *describe_clock(record.clock)],
        "drawn": dict(setup.options).get("seats") == "drawn",
        "kind": setup.kind,
        "rulings_of": setup.rules_version,
        "notices": [row.plain() for row in game.notices(config_of(record))],
        "round": setup.round,
        "previous": setup.previous,
        "roster": [make_answer_row(record, answer).plain() for answer in record.roster],
        "with_keys": [players[answer.seat].name for answer in record.roster if answer.is_sealed],
        "asked": any(answer.seat == seat and answer.is_sealed for answer in record.roster),
        "secret": b64(record.secret) if record.secret else "",
        "rulings": [describe_ruling(ruling) for ruling in record.rulings],
        "head": b64(state_hash),
        "head_words": state_hash_words(state_hash),
        "block": signed_block,
    }


def describe_options(game: "Game", chosen_values: Mapping[str, str]) -> list[str]:
    """Return a sentence for each option that the referee chose, if the option has one."""
    options = (*game.options, ARCHIVE)
    sentences = (option.sentence(chosen_values[option.name]) for option in options if option.name in chosen_values)
    return [text for text in sentences if text]


def make_answer_row(record: StateRecord, answer: RosterEntry) -> Row:
    """Return the answer of a seat, for everybody, as a row for the template macro ``gave_KIND``."""
    facts = {"player": record.player(answer.seat).name, "seat": answer.seat}
    if answer.is_sealed:
        # as `pbem orders join` printed it, so that players can compare it
        facts |= {"key": b64(answer.key), "commit": b64(answer.commitment)}
    text_facts = {"line": answer.text, "words": mark_words(answer.text)}
    return Row(answer.contribution, facts | (text_facts if answer.text else {}))


def email_subject_of(mail_values: Mapping[str, Any], phase: str) -> str:
    """Return the subject of the email, without its reply code."""
    is_asked_to_open = phase == "roster" and mail_values["asked"]
    subject = OPENING_SUBJECT if is_asked_to_open else SUBJECTS.get(phase, SUBJECTS[CLOSED])
    return subject.format(label=mail_values["label"], title=mail_values["title"])


def next_round_hint(directory: object, seat: str = "") -> str:
    """Return what the referee can do if the round cannot be dealt because ``seat`` has no player."""
    player_option = f" --player {seat}=NAME,ADDRESS" if seat else ""
    return NEXT_ROUND.format(directory=directory, player_option=player_option)


def describe_declined(record: StateRecord, lines_by_seat: Mapping[str, str]) -> list[str]:
    """Return a sentence for the referee about each player who declined, with the player's own line."""
    return [DECLINES.format(player=record.player(seat).label, line=line) for seat, line in lines_by_seat.items()]


def list_awaited_before_deal(record: StateRecord, seats: Iterable[str]) -> tuple[AwaitedRow, ...]:
    """Return the ``--json`` rows of these seats, whose answers are missing; () in a closed round."""
    return awaited_rows(record, seats, AWAITED_KINDS[record.phase]) if record.phase in AWAITED_KINDS else ()


def describe_waiting(record: StateRecord, seats: tuple[str, ...]) -> str:
    """Return a sentence that says whom the game waits for. ``seats`` have not answered."""
    if record.phase == CLOSED:
        return ROUND_CANCELLED.format(reason=record.rulings[0].reason)
    if not seats:
        return READY_TO_DEAL if record.n else READY_FOR_ROSTER
    players = ", ".join(record.player(seat).label for seat in seats)
    return WAIT_SENTENCES[record.phase].format(players=players)


class SignedRecord(NamedTuple):
    """The record of a state, and its signed file."""

    record: StateRecord
    data: bytes


class DealContribution(NamedTuple):
    """What a seat contributes to the deal."""

    seat: str
    data: bytes
    deal_class: str


class GamePlan(NamedTuple):
    """Everything that the referee decides about a new game."""

    config: Config
    player_names: tuple[str, ...]  #: in the order of seats
    recovery: bytes  #: the recovery referee's public keys: signing, and wrapping
    recovery_wrap: bytes
    wraps: tuple[tuple[str, bytes], ...]
    version: str
    time: str
    clock: Clock = Clock()
    identifications: tuple[str, ...] = ()  #: how each player is identified, in the order of seats
    round: int = 1
    previous_genesis: str = "none"  #: hash (base64url) of the genesis that this one replaces


def open_game(plan: GamePlan, game: "Game", key: RefereeKey, secret: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the files of states 0 to 2, dealt without contributions. The secret must be new: it decides the deal."""
    genesis = open_round(plan, game, key, secret)
    empty_answers = tuple(RosterEntry(seat, NONE) for seat in plan.config.seats)
    roster = close_roster(genesis.record, genesis.data, empty_answers, key, plan.time)
    return genesis.data, roster.data, deal(roster.record, roster.data, (), game, key, secret, plan.time)


def open_round(plan: GamePlan, game: "Game", key: RefereeKey, secret: bytes) -> SignedRecord:
    """Make the genesis (state 0), which says what is played, by whom, and who may sign."""
    setup = Setup(
        kind=game.kind,
        rules_version=plan.config.rulings,
        version=plan.version,
        seats=plan.config.seats,
        options=plan.config.options,
        commit=commit_secret(secret),
        round=plan.round,
        previous=plan.previous_genesis,
    )
    referees = RefereeKeys(0, key.public, key.wrap_public, plan.recovery, plan.recovery_wrap)
    identifications = plan.identifications or (REPLY.name,) * len(plan.player_names)
    players = tuple(
        SeatedPlayer(seat, identification, b"", 0, name)
        for seat, identification, name in zip(plan.config.seats, identifications, plan.player_names, strict=True)
    )
    clock_rows = tuple(SeatClock(seat, "", plan.clock.time_bank, 0) for seat in plan.config.seats)
    clock = plan.clock._replace(seats=clock_rows)
    record = StateRecord(
        n=0,
        game="",  # the game's id is made from the genesis itself
        previous_hash="",
        phase=PHASES[0],
        time=plan.time,
        setup=setup,
        referees=(referees,),
        wrapped_secrets=plan.wraps,
        people=players,
        clock=clock,
    )
    return SignedRecord(record, sign_record(record, key))


def close_roster(
    genesis_record: StateRecord, genesis_data: bytes, answers: tuple[RosterEntry, ...], key: RefereeKey, time: str
) -> SignedRecord:
    """Make the roster (state 1) from the answers to the invitation, which are in the order of seats. Raises Refused
    ``join/no-key`` if a seat that needs a key joined without one.
    """
    for player, answer in zip(genesis_record.people, answers, strict=True):
        if player.method.key and not answer.is_sealed:
            problem = f"{player.name} ({player.seat}) is to be identified by a key, but joined without a key"
            hint = "ask for an answer made by `pbem orders join`, or cancel the round"
            raise Refused("join/no-key", problem, hint)
    record = make_roster_record(genesis_record, genesis_data, answers, time)
    return SignedRecord(record, sign_record(record, key))


def make_roster_record(
    genesis_record: StateRecord, genesis_data: bytes, answers: tuple[RosterEntry, ...], time: str
) -> StateRecord:
    """Return the unsigned record of the roster (state 1)."""
    return genesis_record._replace(
        n=1,
        game=game_id(genesis_data),
        previous_hash=b64(state_hash_of(genesis_data)),
        phase=PHASES[1],
        time=max(time, genesis_record.time),
        people=seat_players(genesis_record.people, answers),
        roster=answers,
    )


def list_contributions(
    roster_record: StateRecord, openings: tuple[OpenedContribution, ...]
) -> tuple[DealContribution, ...]:
    """Return the contribution of each seat to the deal, in the order of seats. All must be opened."""
    contributions_by_seat = {opening.seat: opening.random_bytes for opening in openings}
    return tuple(
        DealContribution(
            answer.seat,
            contributions_by_seat[answer.seat] if answer.is_sealed else answer.text.encode(),
            answer.deal_class,
        )
        for answer in roster_record.roster
    )


def deal_piles(
    config: Config, game: "Game", secret: bytes, roster_hash: bytes, contributions_by_seat: Mapping[str, bytes]
) -> dict[str, tuple[str, ...]]:
    """Shuffle every pile from the secret, roster and contributions. Return each in the order drawn; this is secret."""
    stream = DealWords(deal_key(secret, deal_table(roster_hash, list(contributions_by_seat.items()))))
    return {pile.name: shuffle_pile(stream, pile.name, pile.items) for pile in game.piles(config)}


def deal(
    roster_record: StateRecord,
    roster_data: bytes,
    openings: tuple[OpenedContribution, ...],
    game: "Game",
    key: RefereeKey,
    secret: bytes,
    time: str,
) -> bytes:
    """Return the file of state 2, the first position, dealt from the secret and every contribution."""
    seals = Seals(secret, roster_record.game, 2, state_hash_of(roster_data))
    record, state = make_deal_record(roster_record, state_hash_of(roster_data), openings, game, secret, time, seals)
    record = record._replace(clock=make_next_clock(roster_record, record, clock_inputs_of(game, state)))
    check_decodes(record, state, seals, game)
    return sign_record(record, key)


def make_deal_record(
    roster_record: StateRecord,
    roster_hash: bytes,
    openings: tuple[OpenedContribution, ...],
    game: "Game",
    secret: bytes,
    time: str,
    seals: Seals,
) -> tuple[StateRecord, Any]:
    """Return the record of state 2, and the first State of the game, after the roster with this hash."""
    contributions = list_contributions(roster_record, openings)
    config = config_of(roster_record)
    data_by_seat = {contribution.seat: contribution.data for contribution in contributions}
    dealt_piles = deal_piles(config, game, secret, roster_hash, data_by_seat)
    state, events = game.setup(config, dealt_piles, 2)
    # the slots of a pile are numbered by place (game.py, Pile), so their values are known here
    values_by_slot = {
        f"2/{name}/{index:02d}": value for name, pile in dealt_piles.items() for index, value in enumerate(pile)
    }
    opened_values = {slot: values_by_slot[slot] for event in events for viewer, slot in event.opens if viewer == ALL}
    record_before = roster_record._replace(
        contributions=tuple((contribution.seat, contribution.deal_class) for contribution in contributions)
    )
    inputs = NextRecordInputs(DEAL, roster_record.game, roster_hash, PHASES[DEAL], time, record_before, opened_values)
    record = build_next_record(inputs, game, state, (), events, seals)
    return record._replace(opened_contributions=openings), state


def give_up_round(
    last_record: StateRecord, last_data: bytes, secret: bytes, reason: str, key: RefereeKey, time: str
) -> bytes:
    """Return the file of the state that cancels a round before its deal, and publishes the secret for all to check."""
    game = last_record.game or game_id(last_data)
    record = make_closed_record(last_record, game, state_hash_of(last_data), secret, reason, time)
    return sign_record(record, key)


def make_closed_record(
    last_record: StateRecord, game: str, last_hash: bytes, secret: bytes, reason: str, time: str
) -> StateRecord:
    """Return the unsigned record of the state that cancels a round, after ``last_record`` with this hash."""
    return last_record._replace(
        n=last_record.n + 1,
        game=game,
        previous_hash=b64(last_hash),
        phase=CLOSED,
        time=max(time, last_record.time),
        roster=(),
        secret=secret,
        rulings=(CLOSE.make_ruling(reason),),
    )
