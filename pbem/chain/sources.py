"""How an order came into a state, and what its player is identified by: the two tables.

It is the only place that knows either by its name: code reads a switch of ``Source`` or of
``Seated.way``, and what players read of a way is in ``templates/identified.txt``.
What must never be here: who is identified so (people.py); how an email shows it.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md sections 6 and 9.
"""

import re
from typing import Final, NamedTuple


class Source(NamedTuple):
    """How an order came into a state. All may know it."""

    name: str  #: in a state
    proof: str  #: in a transcript: whose word there is for it
    audit_label: str = ""  #: in an audit, behind a number; "" for what is not the referee's word
    screen_label: str = ""  #: for the referee, when it is played; "" where nothing is said of it
    answered_for_player: bool = False  #: it was answered for the player, by the rules
    for_missed_turn: bool = False  #: it was answered because the turn was missed
    rule: str = ""  #: the ruling by which it was answered for the player

    @property
    def is_players_own(self) -> bool:
        """Whether it is the player's doing; of some that is the referee's word."""
        return not self.answered_for_player and not self.for_missed_turn


SIGNED: Final = Source("signed", "signed by the player", screen_label="signed")
REPLIED: Final = Source("reply", "by reply, the referee's word", "by reply")
WITH_PASSWORD: Final = Source("password", "by password, the referee's word", "by password", "by password")
BY_REFEREE: Final = Source("typed", "typed by the referee, their word", "typed by the referee", "typed by you")
_ONLY, _MISSED = "nothing else was possible", "the turn was missed"
FORCED: Final = Source("forced", _ONLY, screen_label=_ONLY, answered_for_player=True, rule="R-1")
DEFAULT: Final = Source(
    "default", _MISSED, screen_label="by default", answered_for_player=True, for_missed_turn=True, rule="R-2"
)
RULED: Final = Source("ruling", "by a ruling", answered_for_player=True)

BY_BOT: Final = Source("bot", "chosen by a bot", "chosen by a bot", "by a bot", for_missed_turn=True)

SOURCES: Final = {
    source.name: source for source in (SIGNED, REPLIED, WITH_PASSWORD, BY_REFEREE, FORCED, DEFAULT, RULED)
}
#: ``bot:NAME:VERSION``
BOT_SOURCE: Final = re.compile(r"bot:[A-Za-z0-9._-]{1,60}:[A-Za-z0-9.+!-]{1,30}")


def source_of(name: str) -> Source:
    """That of an entry; KeyError where there is none of that name."""
    return BY_BOT if BOT_SOURCE.fullmatch(name) else SOURCES[name]


class IdentificationMethod(NamedTuple):
    """What a player is identified by."""

    name: str  #: in a state, and behind ``--auth``
    label: str  #: for all to read: "identified by …"
    sources: tuple[str, ...]  #: how an order of its player may come; their own email first
    key: bool = False  #: they join with a key, and only what they sign counts
    password: bool = False  #: it needs an address for the password, and counts before the deal too
    code: bool = False  #: from the deal on, the code of an email is proof enough

    @property
    def description(self) -> str:
        """For all to read."""
        return f"identified by {self.label}"


KEY: Final = IdentificationMethod("key", "a key", (SIGNED.name,), key=True)
REPLY: Final = IdentificationMethod("reply", "the code in each email", (REPLIED.name, BY_REFEREE.name), code=True)
PASSWORD: Final = IdentificationMethod("password", "a password", (WITH_PASSWORD.name, BY_REFEREE.name), password=True)
TYPED: Final = IdentificationMethod("typed", "the referee's word", (BY_REFEREE.name,))

IDENTIFICATION_METHODS: Final = {way.name: way for way in (KEY, REPLY, PASSWORD, TYPED)}
