"""Opening a game: genesis, roster and deal, links 0 to 2; giving a round up; what is told of them.

What must never be here: files, randomness (the secret comes in), the reading of what players
answered (answers.py); in what is told, an answer that is not in a signed state yet, an address, the
secret before its round is closed.
Laws: no choice is left after the genesis; a round that is given up opens its secret. What everybody
is told is a function of the states alone, so that it can be written again (P2, P8).
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
from pbem.engine.row import Row
from pbem.engine.settings import Config
from pbem.errors import Refused
from pbem.mail.set_apart import mark_words
from pbem.play.deadlines.next_clock import clock_inputs_of, make_next_clock
from pbem.play.deadlines.options import describe_clock
from pbem.play.joining.contribution import seat_players
from pbem.play.pending_file import decode_pending
from pbem.play.pending_orders import PendingOrders
from pbem.play.waiting import AwaitedRow, awaited_rows

if TYPE_CHECKING:
    from pbem.engine.game import Game


def list_unanswered_seats(record: StateRecord, answers: dict[str, str]) -> tuple[str, ...]:
    """The seats from which an answer is still to come, before the deal. ``answers`` by seat."""
    joined_seats = (answer.seat for answer in record.roster if answer.is_sealed)
    asked_seats = record.setup.seats if record.phase == "genesis" else joined_seats
    return tuple(seat for seat in asked_seats if not answers.get(seat))


def roster_of(record: StateRecord, answers: dict[str, str]) -> tuple[RosterEntry, ...]:
    """The rows of the roster, of the seats that have answered."""
    rows = (answers.get(seat) for seat in record.setup.seats)
    return tuple(read_roster_entry(row) for row in rows if row)


def seats_sharing_key(roster: tuple[RosterEntry, ...]) -> tuple[str, ...]:
    """The seats that gave the same key as another; none if each has its own."""
    keys = [answer.key for answer in roster if answer.is_sealed]
    return tuple(answer.seat for answer in roster if answer.is_sealed and keys.count(answer.key) > 1)


def read_answers(pending_files: Mapping[str, bytes], record: StateRecord) -> dict[str, str]:
    """The answers in the files of hands, as far as a desk is here, by seat. Each is secret."""
    return {seat: pending.answer for seat, pending in _read_pending(pending_files, record).items()}


def read_declined(pending_files: Mapping[str, bytes], record: StateRecord) -> dict[str, str]:
    """Who does not play, as he said it, by seat."""
    return {
        seat: pending.declined for seat, pending in _read_pending(pending_files, record).items() if pending.declined
    }


def _read_pending(pending_files: Mapping[str, bytes], record: StateRecord) -> dict[str, PendingOrders]:
    return {seat: decode_pending(pending_files[seat], seat) for seat in record.setup.seats if seat in pending_files}


#: what a seat is waited for, as `status` and its kin name it
AWAITED_KINDS = {"genesis": "invitation", "roster": "opening"}
WAIT_SENTENCES = {
    "genesis": "It waits for {} to answer the invitation",
    "roster": "It waits for {} to open what they give to the deal",
}
TEMPLATES = {"genesis": "invitation.txt", "roster": "roster.txt", CLOSED: "closed.txt"}


def make_template_values(
    record: StateRecord, state_hash: bytes, game: "Game", label: str, seat: str, code: str, signed_block: str
) -> dict[str, Any]:
    """Everything the templates of this phase may use; ``seat`` is "" for the spectators."""
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
    """What the referee chose, in sentences."""
    option_sentences = (
        option.sentence(chosen_values[option.name]) for option in game.options if option.name in chosen_values
    )
    return [text for text in option_sentences if text]


def make_answer_row(record: StateRecord, answer: RosterEntry) -> Row:
    """What a seat answered, as all read it: the macro ``gave_KIND``."""
    facts = {"player": record.player(answer.seat).name, "seat": answer.seat}
    if answer.is_sealed:
        # as `pbem orders join` printed it: it is to be compared by eye
        facts |= {"key": b64(answer.key), "commit": b64(answer.commitment)}
    text_facts = {"line": answer.text, "words": mark_words(answer.text)}
    return Row(answer.contribution, facts | (text_facts if answer.text else {}))


def email_subject_of(mail_values: Mapping[str, Any], phase: str) -> str:
    """The subject of its mail, but for its code."""
    subjects = {"genesis": "you are invited", "roster": "who gave what to the deal"}
    if phase == "roster" and mail_values["asked"]:
        return f"{mail_values['label']}: open your contribution"
    return f"{mail_values['label']}: {subjects.get(phase, 'this round is cancelled')}"


def next_round_hint(directory: object, seat: str = "") -> str:
    """What the referee types where the round cannot be dealt, for want of a player at ``seat``."""
    player_option = f" --player {seat}=NAME,ADDRESS" if seat else ""
    cancel_text = f"cancel the round with `pbem amend {directory} close --reason TEXT`"
    return f"{cancel_text}, then begin the next with `pbem new NEW --after {directory}{player_option}`"


def describe_declined(record: StateRecord, lines_by_seat: Mapping[str, str]) -> list[str]:
    """Who does not play, for the referee; ``lines_by_seat``: by seat, the player's own line."""
    return [f'{record.player(seat).label} declines: "{line}"' for seat, line in lines_by_seat.items()]


def list_awaited_before_deal(record: StateRecord, seats: Iterable[str]) -> tuple[AwaitedRow, ...]:
    """The seats whose answer is missing, as ``--json`` has them; none where the round is closed."""
    return awaited_rows(record, seats, AWAITED_KINDS[record.phase]) if record.phase in AWAITED_KINDS else ()


def describe_waiting(record: StateRecord, seats: tuple[str, ...]) -> str:
    """Whom the game waits for, in a sentence; ``seats`` are those whose answer is not there."""
    if record.phase == CLOSED:
        return f"The round was cancelled ({record.rulings[0].reason})"
    if not seats:
        return f"All have answered: pbem resolve {'deals' if record.n else 'goes on to the deal'}"
    return WAIT_SENTENCES[record.phase].format(", ".join(record.player(seat).label for seat in seats))


class GamePlan(NamedTuple):
    """What the referee has decided; nothing is left open after it."""

    config: Config
    player_names: tuple[str, ...]  #: players' names, in the order of the seats
    recovery: bytes  #: the recovery referee's public keys: signing, and wrapping
    recovery_wrap: bytes
    wraps: tuple[tuple[str, bytes], ...]
    version: str
    time: str
    clock: Clock = Clock()  #: what was chosen of it
    identifications: tuple[str, ...] = ()  #: by what each player is identified, in the order of seats
    round: int = 1
    previous_genesis: str = "none"  #: head (b64) of the genesis that this one replaces


def open_game(plan: GamePlan, game: "Game", key: RefereeKey, secret: bytes) -> tuple[bytes, bytes, bytes]:
    """The files of links 0, 1 and 2, dealt at once: nobody gives anything to the deal.

    The secret must be fresh: whoever knows it knows the deal.
    """
    genesis_record, genesis_data = open_round(plan, game, key, secret)
    empty_answers = tuple(RosterEntry(seat, NONE) for seat in plan.config.seats)
    roster_record, roster_data = close_roster(genesis_record, genesis_data, empty_answers, key, plan.time)
    return (genesis_data, roster_data, deal(roster_record, roster_data, (), game, key, secret, plan.time))


def open_round(plan: GamePlan, game: "Game", key: RefereeKey, secret: bytes) -> tuple[StateRecord, bytes]:
    """The genesis: what is played, by whom, and who may sign."""
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
    record = StateRecord(0, "", "", PHASES[0], plan.time, setup, (referees,), plan.wraps, players, clock=clock)
    return record, sign_record(record, key)


def close_roster(
    genesis_record: StateRecord, genesis_data: bytes, answers: tuple[RosterEntry, ...], key: RefereeKey, time: str
) -> tuple[StateRecord, bytes]:
    """Link 1: what each seat answered to the invitation, in the order of seats.

    Refused ``join/no-key`` where a seat that must join with a key has not.
    """
    for seat, answer in zip(genesis_record.people, answers, strict=True):
        if seat.method.key and not answer.is_sealed:
            player = f"{seat.name} ({seat.seat})"
            problem = f"{player} is to be identified by a key, but joined without a key"
            hint = "ask for an answer made by `pbem orders join`, or cancel the round"
            raise Refused("join/no-key", problem, hint)
    record = make_roster_record(genesis_record, genesis_data, answers, time)
    return record, sign_record(record, key)


def make_roster_record(
    genesis_record: StateRecord, genesis_data: bytes, answers: tuple[RosterEntry, ...], time: str
) -> StateRecord:
    """What link 1 says."""
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
) -> tuple[tuple[str, bytes, str], ...]:
    """(seat, its bytes for the table, its class) in the order of seats; all must be there."""
    contributions_by_seat = {opening.seat: opening.random_bytes for opening in openings}
    return tuple(
        (
            answer.seat,
            contributions_by_seat[answer.seat] if answer.is_sealed else answer.text.encode(),
            answer.deal_class,
        )
        for answer in roster_record.roster
    )


def deal_piles(
    config: Config, game: "Game", secret: bytes, roster_hash: bytes, contributions_by_seat: Mapping[str, bytes]
) -> dict[str, tuple[str, ...]]:
    """Every pile in the order drawn, from the secret, the roster's head and what each seat gave.

    Secrecy: the moderator alone, until the secret is opened at the end.
    """
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
    """Link 2: the first position, from the secret and every contribution (``roster_data``: the roster)."""
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
    """What link 2 says, and the first State, after the roster with this head."""
    contribution_rows = list_contributions(roster_record, openings)
    config = config_of(roster_record)
    dealt_piles = deal_piles(
        config, game, secret, roster_hash, {seat: contribution for seat, contribution, _ in contribution_rows}
    )
    state, events = game.setup(config, dealt_piles, 2)
    # a pile's slots are numbered by place (game.py, Pile), so their values are known here
    values_by_slot = {
        f"2/{name}/{index:02d}": value for name, pile in dealt_piles.items() for index, value in enumerate(pile)
    }
    opened_values = {slot: values_by_slot[slot] for event in events for viewer, slot in event.opens if viewer == ALL}
    record_before = roster_record._replace(
        contributions=tuple((seat, contribution_kind) for seat, _, contribution_kind in contribution_rows)
    )
    next_state = NextRecordInputs(
        DEAL, roster_record.game, roster_hash, PHASES[DEAL], time, record_before, opened_values
    )
    return build_next_record(next_state, game, state, (), events, seals)._replace(opened_contributions=openings), state


def give_up_round(
    last_record: StateRecord, last_data: bytes, secret: bytes, reason: str, key: RefereeKey, time: str
) -> bytes:
    """The link that closes a round before its deal: it opens the secret, so that all can check."""
    game = last_record.game or game_id(last_data)
    record = make_closed_record(last_record, game, state_hash_of(last_data), secret, reason, time)
    return sign_record(record, key)


def make_closed_record(
    last_record: StateRecord, game: str, last_hash: bytes, secret: bytes, reason: str, time: str
) -> StateRecord:
    """What that link says, after ``last_record`` with its head."""
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
