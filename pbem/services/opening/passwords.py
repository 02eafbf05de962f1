"""Passwords of players: how each is to be known, making one, telling it to its player alone.

What lives here: ``checked``, ``made``, ``tell``. What must never be here: a password in an answer
to the referee, in ``--json``, in any file but the one mail that brings it to its player.
Source: decision 0005; docs/DESIGN.md P6.
"""

from pbem.crypto.encoding import game_id
from pbem.crypto.passwords import new_password, new_salt, password_hash
from pbem.disk.folder import GameFolder
from pbem.errors import BadInput, Refused
from pbem.moderator.chain.people import KNOWN
from pbem.moderator.report.players import Person, Players
from pbem.services.post.outbox import Message, Post, Template, send
from pbem.services.session.session import label_of

PASSWORD = "password"  # noqa: S105  (the word, not one of them)


def checked(known: dict[str, str], people: dict[str, Person], deal: bool) -> tuple[str, ...]:
    """How each player is known, in the order of seats; BadInput or Refused ``known/…``."""
    for seat, how in known.items():
        if seat not in people:
            seats = ", ".join(people)
            raise BadInput(
                "players/seat", f"there is no seat {seat[:20]!r} in this game", f"seats: {seats}"
            )
        ways = ", ".join(KNOWN)
        if how not in KNOWN:
            raise BadInput(
                "known/how",
                f"{how[:20]!r} is no way to know a player",
                f"one of {ways}",
            )
        if how == "key" and deal:
            raise Refused(
                "known/no-joining",
                f"{seat} cannot be known by a key: a key comes when its player joins",
                "leave --deal away: the players are invited then",
            )
        if how == PASSWORD and not people[seat].address:
            raise BadInput(
                "known/no-address",
                f"the password of {seat} has no way to its player: it goes out by mail alone",
                f"add his address: --player {seat}={people[seat].name},ADDRESS",
            )
    return tuple(known.get(seat, "reply") for seat in people)


def made(
    people: dict[str, Person], how: tuple[str, ...]
) -> tuple[dict[str, Person], dict[str, str]]:
    """The people with the hashes of fresh passwords, and the passwords themselves, by seat."""
    words: dict[str, str] = {}
    found = dict(people)
    for seat, known in zip(people, how, strict=True):
        if known == PASSWORD:
            found[seat], words[seat] = with_new(people[seat])
    return found, words


def with_new(one: Person) -> tuple[Person, str]:
    """A player with a fresh password, and the password. It is kept nowhere."""
    word = new_password()
    return one._replace(password=password_hash(word, new_salt())), word


def tell(
    folder: GameFolder, genesis: bytes, people: Players, words: dict[str, str], time: str
) -> None:
    """A mail to each of these players with his password, desk/outbox/password-SEAT.eml."""
    for seat, word in words.items():
        tell_one(folder, game_id(genesis), people, seat, word, time)


def tell_one(
    folder: GameFolder, game: str, people: Players, seat: str, word: str, time: str
) -> None:
    """The one mail that has the password of a seat."""
    label, one = label_of(folder.root), people.seats[seat]
    values = {"label": label, "player": one.name, "seat": seat, "password": word}
    message = Message(
        to=one,
        words=Template("password.txt", values),
        about=f"{label}: your password",
        file=f"password-{seat}",
        id=f"password.{seat}.{new_salt().hex()[:12]}",
        time=time,
    )
    send(Post(folder, game, people.referee), message)
