"""Letters: what players write to the referee besides orders, kept until it is read, and answered.

What lives here: ``KeptLetter``; the unread ones of a game; the answer to one. What must never be
here: which words of an email are a letter (services/receive/message.py); the letters of an account,
which no game took (disk/journal.py).
Laws: a letter has no effect on a game; it is kept once, under the hash of its email; what waits to
be read is the name of its folder, and nothing else knows it.
Source: docs/decisions/0017-letters.md.
"""

from typing import Any, NamedTuple

from pbem.crypto.encoding import digest
from pbem.disk.folder import GameFolder, Mark
from pbem.errors import BadInput, Refused
from pbem.mail.compose import mail_date
from pbem.mail.set_apart import marked
from pbem.report.render import render
from pbem.services.outbox import send_of, to_seat
from pbem.services.recipients import last_id
from pbem.services.session.session import Session

LEAST = 4  #: letters of a hash by which a letter is called on a screen
_HEAD = ("From", "Date", "Message-ID", "X-Pbem-Arrived", "X-Pbem-Player")


class KeptLetter(NamedTuple):
    """The words of one email. Private: the referee's alone."""

    name: str  #: ``red-`` and the hash of the email
    player: str  #: who wrote it: another may play there now
    sender: str  #: the address that it came from; "" if none was given
    time: str  #: when it came
    id: str  #: the Message-ID of the email; "" where it has none that may be named
    lines: tuple[str, ...]

    @property
    def seat(self) -> str:
        return self.name.rpartition("-")[0]

    def encode(self) -> bytes:
        """As an email that any program shows."""
        values = self.sender, mail_date(self.time), self.id, self.time, self.player
        rows = [f"{key}: {value}" for key, value in zip(_HEAD, values, strict=True) if value]
        rows += ["MIME-Version: 1.0", 'Content-Type: text/plain; charset="utf-8"']
        rows += ["Content-Transfer-Encoding: 8bit"]
        return "\n".join([*rows, "", *self.lines, ""]).encode()

    @classmethod
    def decode(cls, name: str, data: bytes) -> "KeptLetter":
        """Read it back; of a file that was altered what is there."""
        head, _, text = data.decode("utf-8", "replace").partition("\n\n")
        rows = dict(row.partition(": ")[::2] for row in head.split("\n"))
        sender, _, known, time, player = (rows.get(key, "") for key in _HEAD)
        return cls(name, player, sender, time, known, tuple(text.rstrip("\n").split("\n")))


def letters_of(folder: GameFolder, *marks: Mark) -> list[KeptLetter]:
    """Those of a game with these marks, the oldest first."""
    found = ((mark, name) for mark in marks for name in folder.messages(mark))
    kept = (KeptLetter.decode(name, folder.message(mark, name) or b"") for mark, name in found)
    return sorted(kept, key=lambda one: (one.time, one.name))


def were_read(folder: GameFolder, letters: list[KeptLetter]) -> None:
    """They were shown to the referee. Where there is none, nothing is touched."""
    for one in letters:
        with folder.lock():
            if folder.message(Mark.LETTER, one.name) is not None:
                folder.move(one.name, Mark.LETTER, Mark.READ)


def letter_called(folder: GameFolder, name: str) -> KeptLetter:
    """The one whose name begins like this. Refused ``letters/none``, ``letters/several``."""
    every = letters_of(folder, Mark.LETTER, Mark.READ)
    found = [one for one in every if name and one.name.startswith(name)]
    if len(found) != 1:
        what = "several letters begin" if found else "there is no letter that begins"
        code = "letters/several" if found else "letters/none"
        raise Refused(code, f"{what} with {name}", f"`pbem letters {folder.root} --all` shows them")
    return found[0]


def answer(session: Session, letter: KeptLetter, text: str) -> str:
    """Put an answer into the outbox: in the letter's thread, to its player's own address, with the
    code by which a reply is read. Its name. Under the lock.

    BadInput ``letters/empty``; Refused ``letters/no-address``, ``letters/other-player``.
    """
    words, seat = text.strip(), letter.seat
    player, person = session.link.player(seat), session.players.seats[seat]
    if not words:
        way = "write your answer into a file, and name it with `--text FILE`"
        raise BadInput("letters/empty", "the answer has no words", way)
    if letter.player != player.name:
        why = f"{letter.player} wrote it, and {player.name} plays {seat} now"
        raise Refused("letters/other-player", why, "answer from your email program")
    if not person.address:
        why = f"no email address is known of {player.shown}"
        raise Refused("letters/no-address", why, "tell them yourself")
    # the same answer to the same letter is the same email, also where older ones were deleted
    name = f"letter-{letter.name}-{digest(words.encode()).hex()[:8]}"
    code = session.code(seat)
    values: dict[str, Any] = {"label": session.label, "player": player.name, "seat": seat}
    values |= {"code": code, "referee": session.players.referee.name}
    values |= {"words": marked(words), "quoted": marked("\n".join(letter.lines))}
    text = render("letter.txt", *session.templates, **values)
    about = f"{session.label}: an answer from your referee"
    follows = letter.id or last_id(session, seat)
    of = session, seat, text, about
    send_of(session, to_seat(*of, file=name, called=name, code=code, follows=follows))
    return name
