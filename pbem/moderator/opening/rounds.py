"""What everybody is told before the deal: the invitation, the roster, and a round given up.

What lives here: the values of their templates, their block and subject. What must never be here: an
answer that is not in a signed state yet, an address, the secret before its round is closed.
Law: a function of the states alone, so that it can be written again (P2, P8).
Source: docs/SPECIFICATION.md sections 5 and 6; decision 0005; P4.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pbem.crypto.encoding import b64
from pbem.crypto.signing import PrivateKey
from pbem.engine.row import Row
from pbem.moderator.chain.link import CLOSED, Link, config_of
from pbem.moderator.chain.people import SILENT, Joined, read_joined
from pbem.moderator.chain.signed_state import head_words
from pbem.moderator.report.block import write_block
from pbem.moderator.report.rows import Waits, waits_of
from pbem.moderator.ruling.kinds import ruling_words
from pbem.moderator.turn.hand import Hand, decode_hand

if TYPE_CHECKING:
    from pbem.engine.game import Game


def waited_for(link: Link, answers: dict[str, str]) -> tuple[str, ...]:
    """The seats from which an answer is still to come, before the deal. ``answers`` by seat."""
    if link.phase == "genesis":
        return tuple(seat for seat in link.setup.seats if not answers.get(seat))
    asked = (answer.seat for answer in link.roster if answer.sealed)
    return tuple(seat for seat in asked if not answers.get(seat))


def roster_of(link: Link, answers: dict[str, str], missed: frozenset[str]) -> tuple[Joined, ...]:
    """The roster from what lies in hand; a seat that is ``missed`` did not answer."""
    return tuple(
        read_joined(answers[seat]) if answers.get(seat) and seat not in missed
        else Joined(seat, SILENT)
        for seat in link.setup.seats
    )  # fmt: skip


def one_key(roster: tuple[Joined, ...]) -> tuple[str, ...]:
    """The seats that gave the same key as another; none if each has its own."""
    keys = [answer.key for answer in roster if answer.sealed]
    return tuple(answer.seat for answer in roster if answer.sealed and keys.count(answer.key) > 1)


def answers_in(desk: Mapping[str, bytes], link: Link) -> dict[str, str]:
    """The answers in the files of hands, as far as a desk is here, by seat. Each is secret."""
    return {seat: hand.answer for seat, hand in _hands(desk, link).items()}


def declined_in(desk: Mapping[str, bytes], link: Link) -> dict[str, str]:
    """Who does not play, as he said it, by seat."""
    return {seat: hand.declined for seat, hand in _hands(desk, link).items() if hand.declined}


def _hands(desk: Mapping[str, bytes], link: Link) -> dict[str, Hand]:
    return {seat: decode_hand(desk[seat], seat) for seat in link.setup.seats if seat in desk}


#: what a seat is waited for, as `status` and its kin name it
WAITS = {"genesis": "invitation", "roster": "opening"}
WAITS_SAID = {
    "genesis": "answers to the invitation from",
    "roster": "contributions to be opened by",
}
TEMPLATES = {"genesis": "invitation.txt", "roster": "roster.txt", CLOSED: "closed.txt"}


def values(
    link: Link, head: bytes, game: "Game", label: str, seat: str, code: str, signed: str
) -> dict[str, Any]:
    """Everything the templates of this phase may use; ``seat`` is "" for the spectators."""
    setup = link.setup
    people = {player.seat: player for player in link.people}
    return {
        "label": label,
        "title": game.title,
        "seat": seat,
        "player": people[seat].name if seat else "",
        "way": people[seat].identified if seat else "",
        "code": "" if link.phase == CLOSED else code,
        "seats": [(player.seat, player.name) for player in link.people],
        "names": {player.seat: player.name for player in link.people},
        "options": settled(game, dict(setup.options)),
        "drawn": dict(setup.options).get("seats") == "drawn",
        "kind": setup.kind,
        "rulings_of": setup.rulings,
        "notices": [row.plain() for row in game.notices(config_of(link))],
        "round": setup.round,
        "previous": setup.previous,
        "roster": [gave(link, answer).plain() for answer in link.roster],
        "with_keys": [people[answer.seat].name for answer in link.roster if answer.sealed],
        "asked": any(answer.seat == seat and answer.sealed for answer in link.roster),
        "secret": b64(link.secret) if link.secret else "",
        "rulings": [ruling_words(ruling) for ruling in link.rulings],
        "head": b64(head),
        "head_words": head_words(head),
        "block": signed,
    }


def settled(game: "Game", chosen: Mapping[str, str]) -> list[str]:
    """What the referee chose, in sentences."""
    told = (
        option.sentence(chosen[option.name]) for option in game.options if option.name in chosen
    )
    return [text for text in told if text]


def gave(link: Link, answer: Joined) -> Row:
    """What a seat answered, as all read it: the macro ``gave_KIND``."""
    facts = {"player": link.player(answer.seat).name, "seat": answer.seat}
    if answer.sealed:
        # as `pbem orders join` printed it: it is to be compared by eye
        facts |= {"key": b64(answer.key), "commit": b64(answer.commitment)}
    return Row(answer.gave, facts | ({"line": answer.text} if answer.text else {}))


def signed_block(link: Link, head: bytes, name: str, signing: PrivateKey, public: bytes) -> str:
    """The block of a report of this link; there is nothing to open in it."""
    return write_block(link.game, name, link.n, head, (), (), signing, public)


def subject(told: Mapping[str, Any], phase: str) -> str:
    """The subject of its mail, but for its code."""
    what = {"genesis": "you are invited", "roster": "who gave what to the deal"}
    if phase == "roster" and told["asked"]:
        return f"{told['label']}: open your contribution"
    return f"{told['label']}: {what.get(phase, 'this round is given up')}"


def anew(where: object, seat: str = "") -> str:
    """What the referee types where the round cannot be dealt, for want of a player at ``seat``."""
    other = f" --player {seat}=NAME,ADDRESS" if seat else ""
    return (
        f"pbem amend {where} close --reason TEXT gives the round up, "
        f"pbem new NEW --after {where}{other} begins anew"
    )


def declined(link: Link, said: Mapping[str, str]) -> list[str]:
    """Who does not play, for the referee; ``said``: by seat, the player's own line."""
    return [f'{link.player(seat).name} ({seat}) declines: "{line}"' for seat, line in said.items()]


def waits_for(link: Link, seats: Iterable[str]) -> tuple[Waits, ...]:
    """The seats whose answer is missing, as ``--json`` has them; none where the round is closed."""
    return waits_of(link, seats, WAITS[link.phase]) if link.phase in WAITS else ()


def waits(link: Link, seats: tuple[str, ...]) -> str:
    """Whom the game waits for, in a sentence; ``seats`` are those whose answer is not there."""
    if link.phase == CLOSED:
        return f"The round was given up ({link.rulings[0].reason})"
    if not seats:
        return f"All answers are there: pbem resolve {'deals' if link.n else 'closes the roster'}"
    names = ", ".join(f"{link.player(seat).name} ({seat})" for seat in seats)
    return f"It waits for {WAITS_SAID[link.phase]} {names}"
