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

from pbem.chain.clock import Clock, Due
from pbem.chain.contributions import NONE, Joined, Opened, read_joined
from pbem.chain.loaded_game import Next, Seals, check_decodes, next_link, written
from pbem.chain.people import Seated
from pbem.chain.referees import Referees
from pbem.chain.rulings.kind import CLOSE
from pbem.chain.rulings.kinds import ruling_words
from pbem.chain.signed_state import head_of, head_words
from pbem.chain.sources import REPLY
from pbem.chain.state_record import CLOSED, DEAL, PHASES, StateRecord, Setup, config_of
from pbem.crypto.encoding import b64, game_id
from pbem.crypto.keys import RefereeKey
from pbem.crypto.tokens import Words, commit_secret, deal_key, stream_table
from pbem.engine.decision import ALL
from pbem.engine.hidden import shuffled
from pbem.engine.row import Row
from pbem.engine.settings import Config
from pbem.errors import Refused
from pbem.mail.set_apart import marked
from pbem.play.deadlines.next_clock import clock_after, facts_of
from pbem.play.deadlines.options import in_sentences
from pbem.play.joining.contribution import seated
from pbem.play.pending_file import decode_hand
from pbem.play.pending_orders import Hand
from pbem.play.waiting import Waits, waits_of

if TYPE_CHECKING:
    from pbem.engine.game import Game


def waited_for(record: StateRecord, answers: dict[str, str]) -> tuple[str, ...]:
    """The seats from which an answer is still to come, before the deal. ``answers`` by seat."""
    joined = (answer.seat for answer in record.roster if answer.sealed)
    asked = record.setup.seats if record.phase == "genesis" else joined
    return tuple(seat for seat in asked if not answers.get(seat))


def roster_of(record: StateRecord, answers: dict[str, str]) -> tuple[Joined, ...]:
    """The rows of the roster, of the seats that have answered."""
    given = (answers.get(seat) for seat in record.setup.seats)
    return tuple(read_joined(row) for row in given if row)


def one_key(roster: tuple[Joined, ...]) -> tuple[str, ...]:
    """The seats that gave the same key as another; none if each has its own."""
    keys = [answer.key for answer in roster if answer.sealed]
    return tuple(answer.seat for answer in roster if answer.sealed and keys.count(answer.key) > 1)


def answers_in(desk: Mapping[str, bytes], record: StateRecord) -> dict[str, str]:
    """The answers in the files of hands, as far as a desk is here, by seat. Each is secret."""
    return {seat: hand.answer for seat, hand in _hands(desk, record).items()}


def declined_in(desk: Mapping[str, bytes], record: StateRecord) -> dict[str, str]:
    """Who does not play, as he said it, by seat."""
    return {seat: hand.declined for seat, hand in _hands(desk, record).items() if hand.declined}


def _hands(desk: Mapping[str, bytes], record: StateRecord) -> dict[str, Hand]:
    return {seat: decode_hand(desk[seat], seat) for seat in record.setup.seats if seat in desk}


#: what a seat is waited for, as `status` and its kin name it
WAITS = {"genesis": "invitation", "roster": "opening"}
SAID = {
    "genesis": "It waits for {} to answer the invitation",
    "roster": "It waits for {} to open what they give to the deal",
}
TEMPLATES = {"genesis": "invitation.txt", "roster": "roster.txt", CLOSED: "closed.txt"}


def values(
    record: StateRecord, head: bytes, game: "Game", label: str, seat: str, code: str, signed: str
) -> dict[str, Any]:
    """Everything the templates of this phase may use; ``seat`` is "" for the spectators."""
    setup = record.setup
    players = {player.seat: player for player in record.people}
    return {
        "label": label,
        "title": game.title,
        "seat": seat,
        "player": players[seat].name if seat else "",
        "way": players[seat].identified if seat else "",
        "code": "" if record.phase == CLOSED else code,
        "seats": [(player.seat, player.name) for player in record.people],
        "names": {player.seat: player.name for player in record.people},
        "options": [*settled(game, dict(setup.options)), *in_sentences(record.clock)],
        "drawn": dict(setup.options).get("seats") == "drawn",
        "kind": setup.kind,
        "rulings_of": setup.rulings,
        "notices": [row.plain() for row in game.notices(config_of(record))],
        "round": setup.round,
        "previous": setup.previous,
        "roster": [gave(record, answer).plain() for answer in record.roster],
        "with_keys": [players[answer.seat].name for answer in record.roster if answer.sealed],
        "asked": any(answer.seat == seat and answer.sealed for answer in record.roster),
        "secret": b64(record.secret) if record.secret else "",
        "rulings": [ruling_words(ruling) for ruling in record.rulings],
        "head": b64(head),
        "head_words": head_words(head),
        "block": signed,
    }


def settled(game: "Game", chosen: Mapping[str, str]) -> list[str]:
    """What the referee chose, in sentences."""
    told = (one.sentence(chosen[one.name]) for one in game.options if one.name in chosen)
    return [text for text in told if text]


def gave(record: StateRecord, answer: Joined) -> Row:
    """What a seat answered, as all read it: the macro ``gave_KIND``."""
    facts = {"player": record.player(answer.seat).name, "seat": answer.seat}
    if answer.sealed:
        # as `pbem orders join` printed it: it is to be compared by eye
        facts |= {"key": b64(answer.key), "commit": b64(answer.commitment)}
    words = {"line": answer.text, "words": marked(answer.text)}
    return Row(answer.gave, facts | (words if answer.text else {}))


def subject(told: Mapping[str, Any], phase: str) -> str:
    """The subject of its mail, but for its code."""
    what = {"genesis": "you are invited", "roster": "who gave what to the deal"}
    if phase == "roster" and told["asked"]:
        return f"{told['label']}: open your contribution"
    return f"{told['label']}: {what.get(phase, 'this round is cancelled')}"


def anew(where: object, seat: str = "") -> str:
    """What the referee types where the round cannot be dealt, for want of a player at ``seat``."""
    other = f" --player {seat}=NAME,ADDRESS" if seat else ""
    ends = f"cancel the round with `pbem amend {where} close --reason TEXT`"
    return f"{ends}, then begin the next with `pbem new NEW --after {where}{other}`"


def declined(record: StateRecord, said: Mapping[str, str]) -> list[str]:
    """Who does not play, for the referee; ``said``: by seat, the player's own line."""
    return [f'{record.player(seat).shown} declines: "{line}"' for seat, line in said.items()]


def waits_for(record: StateRecord, seats: Iterable[str]) -> tuple[Waits, ...]:
    """The seats whose answer is missing, as ``--json`` has them; none where the round is closed."""
    return waits_of(record, seats, WAITS[record.phase]) if record.phase in WAITS else ()


def waits(record: StateRecord, seats: tuple[str, ...]) -> str:
    """Whom the game waits for, in a sentence; ``seats`` are those whose answer is not there."""
    if record.phase == CLOSED:
        return f"The round was cancelled ({record.rulings[0].reason})"
    if not seats:
        return f"All have answered: pbem resolve {'deals' if record.n else 'goes on to the deal'}"
    return SAID[record.phase].format(", ".join(record.player(seat).shown for seat in seats))


class Plan(NamedTuple):
    """What the referee has decided; nothing is left open after it."""

    config: Config
    names: tuple[str, ...]  #: players' names, in the order of the seats
    recovery: bytes  #: the recovery referee's public keys: signing, and wrapping
    recovery_wrap: bytes
    wraps: tuple[tuple[str, bytes], ...]
    version: str
    time: str
    clock: Clock = Clock()  #: what was chosen of it
    identified: tuple[str, ...] = ()  #: by what each player is identified, in the order of seats
    round: int = 1
    previous: str = "none"  #: head (b64) of the genesis that this one replaces


def open_game(
    plan: Plan, game: "Game", key: RefereeKey, secret: bytes
) -> tuple[bytes, bytes, bytes]:
    """The files of links 0, 1 and 2, dealt at once: nobody gives anything to the deal.

    The secret must be fresh: whoever knows it knows the deal.
    """
    first, genesis = open_round(plan, game, key, secret)
    nothing = tuple(Joined(seat, NONE) for seat in plan.config.seats)
    second, roster = close_roster(first, genesis, nothing, key, plan.time)
    return genesis, roster, deal(second, roster, (), game, key, secret, plan.time)


def open_round(
    plan: Plan, game: "Game", key: RefereeKey, secret: bytes
) -> tuple[StateRecord, bytes]:
    """The genesis: what is played, by whom, and who may sign."""
    setup = Setup(
        kind=game.kind,
        rulings=plan.config.rulings,
        version=plan.version,
        seats=plan.config.seats,
        options=plan.config.options,
        commit=commit_secret(secret),
        round=plan.round,
        previous=plan.previous,
    )
    keys = Referees(0, key.public, key.wrap_public, plan.recovery, plan.recovery_wrap)
    ways = plan.identified or (REPLY.name,) * len(plan.names)
    players = tuple(
        Seated(seat, how, b"", 0, name)
        for seat, how, name in zip(plan.config.seats, ways, plan.names, strict=True)
    )
    rows = tuple(Due(seat, "", plan.clock.bank, 0) for seat in plan.config.seats)
    clock = plan.clock._replace(seats=rows)
    record = StateRecord(
        0, "", "", PHASES[0], plan.time, setup, (keys,), plan.wraps, players, clock=clock
    )
    return record, written(record, key)


def close_roster(
    before: StateRecord, genesis: bytes, joined: tuple[Joined, ...], key: RefereeKey, time: str
) -> tuple[StateRecord, bytes]:
    """Link 1: what each seat answered to the invitation, in the order of seats.

    Refused ``join/no-key`` where a seat that must join with a key has not.
    """
    for seat, answer in zip(before.people, joined, strict=True):
        if seat.way.key and not answer.sealed:
            who = f"{seat.name} ({seat.seat})"
            wrong = f"{who} is to be identified by a key, but joined without a key"
            hint = "ask for an answer made by `pbem orders join`, or cancel the round"
            raise Refused("join/no-key", wrong, hint)
    record = roster_link(before, genesis, joined, time)
    return record, written(record, key)


def roster_link(
    before: StateRecord, genesis: bytes, joined: tuple[Joined, ...], time: str
) -> StateRecord:
    """What link 1 says."""
    return before._replace(
        n=1,
        game=game_id(genesis),
        prev=b64(head_of(genesis)),
        phase=PHASES[1],
        time=max(time, before.time),
        people=seated(before.people, joined),
        roster=joined,
    )


def contributions(
    roster: StateRecord, opened: tuple[Opened, ...]
) -> tuple[tuple[str, bytes, str], ...]:
    """(seat, its bytes for the table, its class) in the order of seats; all must be there."""
    r = {contribution.seat: contribution.r for contribution in opened}
    return tuple(
        (one.seat, r[one.seat] if one.sealed else one.text.encode(), one.given)
        for one in roster.roster
    )


def piles_dealt(
    config: Config, game: "Game", secret: bytes, head: bytes, given: Mapping[str, bytes]
) -> dict[str, tuple[str, ...]]:
    """Every pile in the order drawn, from the secret, the roster's head and what each seat gave.

    Secrecy: the moderator alone, until the secret is opened at the end.
    """
    stream = Words(deal_key(secret, stream_table(head, list(given.items()))))
    return {pile.name: shuffled(stream, pile.name, pile.items) for pile in game.piles(config)}


def deal(
    roster: StateRecord,
    raw: bytes,
    opened: tuple[Opened, ...],
    game: "Game",
    key: RefereeKey,
    secret: bytes,
    time: str,
) -> bytes:
    """Link 2: the first position, from the secret and every contribution (``raw``: the roster)."""
    seals = Seals(secret, roster.game, 2, head_of(raw))
    record, state = dealt_link(roster, head_of(raw), opened, game, secret, time, seals)
    record = record._replace(clock=clock_after(roster, record, facts_of(game, state)))
    check_decodes(record, state, seals, game)
    return written(record, key)


def dealt_link(
    roster: StateRecord,
    head: bytes,
    opened: tuple[Opened, ...],
    game: "Game",
    secret: bytes,
    time: str,
    seals: Seals,
) -> tuple[StateRecord, Any]:
    """What link 2 says, and the first State, after the roster with this head."""
    given = contributions(roster, opened)
    config = config_of(roster)
    dealt = piles_dealt(config, game, secret, head, {seat: what for seat, what, _ in given})
    state, events = game.setup(config, dealt, 2)
    # a pile's slots are numbered by place (game.py, Pile), so their values are known here
    lies = {f"2/{name}/{i:02d}": v for name, pile in dealt.items() for i, v in enumerate(pile)}
    values = {slot: lies[slot] for one in events for who, slot in one.opens if who == ALL}
    before = roster._replace(contributions=tuple((seat, what) for seat, _, what in given))
    made = Next(DEAL, roster.game, head, PHASES[DEAL], time, before, values)
    return next_link(made, game, state, (), events, seals)._replace(opened=opened), state


def give_up(
    before: StateRecord, raw: bytes, secret: bytes, reason: str, key: RefereeKey, time: str
) -> bytes:
    """The link that closes a round before its deal: it opens the secret, so that all can check."""
    game = before.game or game_id(raw)
    record = given_up_link(before, game, head_of(raw), secret, reason, time)
    return written(record, key)


def given_up_link(
    before: StateRecord, game: str, head: bytes, secret: bytes, reason: str, time: str
) -> StateRecord:
    """What that link says, after ``before`` with its head."""
    return before._replace(
        n=before.n + 1,
        game=game,
        prev=b64(head),
        phase=CLOSED,
        time=max(time, before.time),
        roster=(),
        secret=secret,
        rulings=(CLOSE.ruling(reason),),
    )
