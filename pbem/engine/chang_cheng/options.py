"""What the referee can choose when he opens a game, as ``pbem games`` lists it.

What lives here: the list. The checks are in configuration.py; what is chosen is read by rules.py
and box.py. Source: CC-1, CC-6, CC-50, CC-60 to CC-62, R-2, R-3.
"""

from pbem.engine.chang_cheng.editions import EDITIONS
from pbem.engine.settings import MISSED, SEATS, Option

VARIANTS = ("plain", "neutral", "two-colour")
PAIRS = "blue+green,red+violet"

OPTIONS = (
    Option(
        "edition",
        "en",
        ", ".join(edition.title for edition in EDITIONS.values()),
        "CC-15",
        "the rulebook played by; they differ in CC-15, CC-26, CC-31, CC-51 and CC-60",
        tuple((name, f"It is played by {edition.book}.") for name, edition in EDITIONS.items()),
    ),
    Option(
        "variant",
        "plain",
        "plain (CC-62), neutral (CC-60), two-colour (CC-61); the last two for two players",
        "CC-62",
        "the variant for two players: without neutral walls, with them, or two colours each",
        (
            ("plain", "Each player has one colour, and all walls are those of players."),
            ("neutral", "Walls of a neutral colour, which nobody plays, are placed too (CC-60)."),
            ("two-colour", "Each player has two colours (CC-61)."),
        ),
    ),
    Option(
        "pairs",
        PAIRS,
        "two pairs of colours; a player is named by one colour of his pair",
        "CC-61",
        "which colours go together in the variant two-colour",
        (("", ""), ("*", "The two colours of a player: {} (CC-61).")),
    ),
    Option(
        "events",
        "none",
        "none; one or two of A, B, C, D, such as A or A,C; drawn-1, drawn-2 (hu: none or two)",
        "CC-50",
        "events that pay at the end or show counters, chosen or drawn with the deal",
        (
            ("none", "There are no events."),
            ("drawn-1", "One of the events A to D is drawn with the deal (CC-50 to CC-53)."),
            ("drawn-2", "Two of the events A to D are drawn with the deal (CC-50 to CC-53)."),
            ("*", "In play, of the events A to D (CC-50 to CC-53): {}."),
        ),
    ),
    Option(
        "boards",
        "drawn",
        "drawn, or one side of each board: two on the table from left to right, then the box in "
        "its order, such as 4b,3b,1a,2a",
        "CC-6",
        "which boards are used, and in which order they join",
        (
            ("drawn", "The boards, and the order in which they join, are drawn (CC-6)."),
            ("*", "The boards from left to right, then those that join: {} (CC-6)."),
        ),
    ),
    Option(
        "sides",
        "",
        "boards as id:provinces:regions, such as 1a:3,4,4:5,3,3, apart by blanks; "
        "`pbem new --boards FILE` reads them from a file (docs/BOARDS.md)",
        "CC-31",
        "the boards of your own copy in place of the inferred ones",
        (("", ""), ("*", "Provinces and regions are those of the referee's copy: {} (CC-31).")),
    ),
    Option(
        "counters",
        "",
        "15 digits/15 digits, reputation and threat; `pbem new --boards FILE` reads them, too",
        "CC-3",
        "the counters of your own copy in place of the inferred ones",
        (("", ""), ("*", "Reputation and threat counters of the referee's copy: {} (CC-3).")),
    ),
    Option(
        "seats",
        "named",
        "named, drawn",
        "R-3",
        "turn order as the players are named, or drawn",
        SEATS,
    ),
    Option(
        "missed",
        "wait",
        "wait, default",
        "R-2",
        "whether a missed turn may be played by default",
        MISSED,
    ),
)
#: settled only where they are given: they mean nothing otherwise
SELDOM = ("pairs", "sides", "counters")
