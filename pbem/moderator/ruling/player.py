"""Who plays at a seat, from now on: another person, another address, another way to know him.

What lives here: what a referee may change of a player, the row it makes, the ruling that says so.
What must never be here: an address in a ruling or a row; files.
Law: where it changes how a player is known, orders written before count no more; who is replaced
tells the next one nothing but what the seat knows.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md section 9.
"""

from typing import NamedTuple

from pbem.crypto.encoding import unb64
from pbem.crypto.signing import SMALL_ORDER
from pbem.errors import BadInput, PbemError
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.people import KNOWN, Seated
from pbem.moderator.chain.ruling import OF_A_PLAYER, Ruling
from pbem.moderator.report.players import Players, person
from pbem.moderator.turn.hand import Hand

LANGUAGES = ("en",)  #: there are templates for: no other may be told to all as done


class Wanted(NamedTuple):
    """What the referee typed; "" leaves a thing as it is."""

    seat: str
    name: str = ""
    address: str = ""
    language: str = ""
    known: str = ""
    key: str = ""


def changed(link: Link, wanted: Wanted) -> tuple[str, ...]:
    """What is to be other than it is; BadInput ``player/…`` where that is nothing, or no sense."""
    if wanted.known and wanted.known not in KNOWN:
        raise BadInput(
            "player/known", f"a player is not known by {wanted.known[:20]!r}", " | ".join(KNOWN)
        )
    if (wanted.known == "key") != bool(wanted.key):
        raise BadInput(
            "player/key",
            "a key and `--known key` go together",
            "--known key --key KEY, where KEY is the public key that his pbem shows",
        )
    if wanted.language and wanted.language not in LANGUAGES:
        raise BadInput(
            "player/language",
            f"mails are not written in {wanted.language[:20]!r}",
            ", ".join(LANGUAGES),
        )
    what = [name for name in OF_A_PLAYER if getattr(wanted, name)]
    if not what:
        raise BadInput(
            "player/nothing",
            "nothing is to be changed",
            "--name, --address, --language or --known, and --reason",
        )
    old = link.player(wanted.seat)
    if wanted.name and wanted.name.lower() in {
        player.name.lower() for player in link.people if player.seat != old.seat
    }:
        raise BadInput("player/twice", "another player has this name", "add an initial")
    return tuple(what)


def replaced(link: Link, wanted: Wanted, what: tuple[str, ...]) -> Seated:
    """The row of the seat from now on."""
    old = link.player(wanted.seat)
    name = person(wanted.name, wanted.seat).name if wanted.name else old.name
    known = wanted.known or old.known
    key = _key(wanted.key) if wanted.key else old.key if known == "key" else b""
    if key and any(player.key == key for player in link.people if player.seat != old.seat):
        raise BadInput("player/key", "another seat has this key", "each player has his own")
    since = link.n + 1 if {*what} - {"language"} else old.since
    return Seated(old.seat, known, key, since, name)


def _key(text: str) -> bytes:
    try:
        key = unb64(text, 32)
    except PbemError:
        key = b""
    if not key or key in SMALL_ORDER:
        raise BadInput(
            "player/key", "that is no public key", "43 letters and digits, as his pbem shows them"
        )
    return key


def counting_anew(hand: Hand) -> Hand:
    """The hand of a seat whose key is another: whoever has the new one counts his orders from 1.

    What was written before is void by its head (``since``), whatever number it has.
    """
    return hand._replace(nr=0, seen=0)


def people(old: Players, wanted: Wanted, player: Seated) -> Players:
    """desk/players.toml with the change."""
    before = old.seats[wanted.seat]
    there = wanted.address or before.address
    fresh = person(f"{player.name},{there}", wanted.seat)
    now = before._replace(
        name=fresh.name, address=fresh.address, language=wanted.language or before.language
    )
    return old._replace(seats={**old.seats, wanted.seat: now})


def ruling_of(wanted: Wanted, what: tuple[str, ...], reason: str) -> Ruling:
    """What all are told: the seat, and what of its player is another; no address."""
    operands: tuple[tuple[str, str], ...] = (("seat", wanted.seat), ("what", ",".join(what)))
    if wanted.known:
        operands = (*operands, ("known", wanted.known))
    if wanted.language:
        operands = (*operands, ("language", wanted.language))
    return Ruling("player", operands, reason)
