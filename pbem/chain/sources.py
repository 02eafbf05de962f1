"""Two tables: where an order in a state came from, and how pbem authenticates a player.

Only this module knows a source or a method by name. Other code reads the flags of ``Source`` and
``IdentificationMethod``. What players read about a method is in ``templates/identified.txt``.
Not allowed here: which player uses a method (people.py); how an email shows it.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md sections 6 and 9.
"""

import re
from typing import Final, NamedTuple


class Source(NamedTuple):
    """Where an order in a state came from. It is public."""

    name: str  #: in a state
    proof: str  #: what a transcript says of who vouches for it
    audit_label: str = ""  #: what an audit calls such orders; "" if they do not rest on the referee's word
    screen_label: str = ""  #: what the referee reads when it is played; "" for nothing
    answered_for_player: bool = False  #: the rules answered for the player
    for_missed_turn: bool = False  #: the turn was missed
    rule: str = ""  #: the rule that answered for the player

    @property
    def is_players_own(self) -> bool:
        """Whether the player chose it, although some of these rest on the referee's word."""
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
    """Return the source that a state calls ``name``; KeyError if there is none."""
    return BY_BOT if BOT_SOURCE.fullmatch(name) else SOURCES[name]


class IdentificationMethod(NamedTuple):
    """How pbem authenticates a player."""

    name: str  #: its name in a state, and as a referee types it
    label: str  #: as in "identified by …", which everybody reads
    sources: tuple[str, ...]  #: where orders of its player may come from; their own email first
    key: bool = False  #: they join with a key; only what they sign counts
    password: bool = False  #: it needs an address to send the password to; it counts before the deal too
    code: bool = False  #: from the deal on, the code in an email is proof enough

    @property
    def description(self) -> str:
        """What everybody reads about it."""
        return f"identified by {self.label}"


KEY: Final = IdentificationMethod("key", "a key", (SIGNED.name,), key=True)
REPLY: Final = IdentificationMethod("reply", "the code in each email", (REPLIED.name, BY_REFEREE.name), code=True)
PASSWORD: Final = IdentificationMethod("password", "a password", (WITH_PASSWORD.name, BY_REFEREE.name), password=True)
TYPED: Final = IdentificationMethod("typed", "the referee's word", (BY_REFEREE.name,))

IDENTIFICATION_METHODS: Final = {method.name: method for method in (KEY, REPLY, PASSWORD, TYPED)}
