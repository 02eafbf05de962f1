"""Name the options of a game's clock, with the sentences for players about each.

Not allowed here: how a value is read (options.py). A command that lists options loads only
this module.
Source: docs/REFEREE.md "Deadlines"; R-2.
"""

from pbem.engine.row import N_
from pbem.engine.settings import MISSED, Option

MISSED_TURN_RULE = "R-2"  #: the rule about missed turns
DEFAULT_WITH_CLOCK = "default, by the clock"  #: what `missed=default` means with deadlines


def _sentences_for(sentence: str) -> tuple[tuple[str, str], ...]:
    """Return what an option says to players: nothing without a value, else this sentence."""
    return (("", ""), ("*", sentence))


#: in the order in which a state has them
CLOCK_OPTIONS = (
    Option(
        "turn", "", "a span: 3d, 36h or 1d12h", MISSED_TURN_RULE, "how long a player has for a turn",
        _sentences_for(N_("A turn has {value}, and the first one twice as long.")),
    ),
    Option(
        "choice", "", "a span", MISSED_TURN_RULE, "and for a choice while another turn goes on",
        _sentences_for(N_("A choice while another player's turn goes on has {value}.")),
    ),
    Option(
        "slots", "", "days and hours: mon thu 19:00", MISSED_TURN_RULE,
        "fixed times in place of turn, choice, at and days",
        _sentences_for(N_(
            "Answers are due on {value}: at the first of these times that leaves at least 12 hours. "
            "Each player's first turn is due one time later."
        )),
    ),
    Option(
        "at", "", "an hour: 20:00", MISSED_TURN_RULE, "the time of day of every deadline",
        _sentences_for(N_("Every deadline is at {value}.")),
    ),
    Option(
        "zone", "", "such as Europe/Rome; without it UTC", MISSED_TURN_RULE, "the time zone of these",
        _sentences_for(N_("Days and hours are those of {value}.")),
    ),
    Option(
        "days", "", "mon-fri, or mon wed fri", MISSED_TURN_RULE, "the days on which something is due",
        _sentences_for(N_("Deadlines are only on {value}.")),
    ),
    Option(
        "off", "", "2026-12-24..2027-01-01; several with commas", MISSED_TURN_RULE, "days without deadlines",
        _sentences_for(N_("There are no deadlines on {value}.")),
    ),
    Option(
        "bank", "", "a span", MISSED_TURN_RULE, "each player's time bank, used when a span is over",
        _sentences_for(N_("Each player has a time bank of {value}, used automatically in whole hours.")),
    ),
    Option(
        "grace", "", "a span", MISSED_TURN_RULE, "how long after that a turn is missed",
        _sentences_for(N_("A turn is missed {value} after that.")),
    ),
    Option(
        "regret", "", "minutes: 10m", MISSED_TURN_RULE, "how long orders can be replaced; without it 10m",
        _sentences_for(N_("You can replace your orders for {value} before they are played.")),
    ),
    Option(
        "remind", "", "spans: 1d, 2h", MISSED_TURN_RULE, "how long before a deadline to remind",
        _sentences_for(N_("You are reminded {value} before a deadline.")),
    ),
    MISSED._replace(
        allowed="wait, default, bot",
        said=(
            *MISSED.said,
            (DEFAULT_WITH_CLOCK, N_("A missed turn is played by a fixed rule (R-2).")),
            ("bot", N_("A missed turn is played by a bot.")),
        ),
    ),
    Option(
        "strikes", "", "a number", MISSED_TURN_RULE, "turns missed in a row that open the seat",
        (
            *_sentences_for(N_("{value} missed turns in a row open the seat to another player.")),
            ("1", N_("One missed turn opens the seat to another player.")),
        ),
    ),
)  # fmt: skip
CLOCK_OPTION_NAMES = tuple(option.name for option in CLOCK_OPTIONS)
