"""What is asked, in words, as the seat may hear it; and what the first report of a game says.

Law: a question is made of a View; nothing else is within reach. Sentences about events:
event_text.py.
"""

from typing import Any

from pbem.engine.great_wall.legal import legal
from pbem.engine.great_wall.parts import HORSEMAN, NAMES, number_of
from pbem.engine.great_wall.site import an, joined
from pbem.engine.great_wall.state import Public, View
from pbem.engine.great_wall.turn import foresee


def ask(view: View) -> dict[str, Any]:
    """The question for the View's seat: a sentence, choices grouped by their word, an example."""
    lines = legal(view)
    if not lines:
        return {}
    taking = view.public.site >= 0
    return {
        "heading": "A MARKER FOR YOU." if taking else "YOUR TURN.",
        "text": _marker_question(view.public) if taking else _action_question(view),
        "choices": _takes(lines) if taking else _actions(lines),
        "example": lines[-1:] if taking else _example(view, lines),
        "hint": _after_marker(view.public) if taking else _hint(view),
    }


def _marker_question(public: Public) -> str:
    site, name = public.sites[public.site], NAMES[public.site]
    others = [
        f"{seat} {number}"
        for seat, number in zip(public.rules.seats, site.influence, strict=True)
        if number is not None
    ]
    values = sorted(set(site.free))
    which = f"the {values[0]} or the {values[1]}" if len(values) == 2 else an(str(values[0]))
    return (
        f"You are ahead at {name} ({', '.join(others)}). Take one of its markers, {which}, and put "
        f"it on a card of yours there. Its value then counts against you at {name}; it is yours "
        "when the other marker is won."
    )


def _after_marker(public: Public) -> str:
    """What else the same mail may say."""
    if public.stage == "final":
        return ""
    return "Your two actions may stand below it, each on a line of its own."


def _takes(lines: tuple[str, ...]) -> list[str]:
    """``take S1 7 on: 1 3``."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        start, _, card = line.rpartition(" ")
        groups.setdefault(start, []).append(card)
    return [f"{start}: {' '.join(cards)}" for start, cards in groups.items()]


def _actions(lines: tuple[str, ...]) -> list[str]:
    """``draw``, ``play S1 or S2: wall, wall wall``, ``play S1 dragon over: 2 3``."""
    plays: dict[str, list[str]] = {}
    overs: dict[str, list[str]] = {}
    horsemen = []
    for line in lines:
        word, _, rest = line.partition(" ")
        site, _, cards = rest.partition(" ")
        if word == "horseman":
            horsemen.append(site)
        elif " over " in cards:
            overs.setdefault(site, []).append(cards.rpartition(" ")[2])
        elif word == "play":
            plays.setdefault(cards, []).append(site)
    shown = ["draw"] if lines[0] == "draw" else []
    if plays:  # what can be played on one open site can be played on any
        shown.append(f"play {joined(next(iter(plays.values())), 'or')}: {', '.join(plays)}")
    shown += [f"play {site} dragon over: {' '.join(cards)}" for site, cards in overs.items()]
    return [*shown, f"horseman: {' '.join(horsemen)}"] if horsemen else shown


def _action_question(view: View) -> str:
    public = view.public
    seat = public.seat
    text = "Two actions, please." if public.stage == "second" else "Your second action, please."
    if not public.held[seat]:
        text += " You have no card in hand: you must draw."
    elif not public.decks[seat]:
        text += " Your deck is empty: you must play."
    else:
        each = "Each" if public.stage == "second" else "It"
        text += f" {each} is a draw, or one or more cards of one kind on one site."
    if public.caller >= 0:
        text += f" {public.rules.seats[public.caller].capitalize()} has called the last turn: "
        text += "this is your last one."
    return text


def _hint(view: View) -> str:
    if not number_of(view.hand, HORSEMAN):
        return ""
    when = "before either action" if view.public.stage == "second" else "before this action"
    return f"A horseman may be played besides, {when}: `horseman {_first_open(view.public)}`."


def _first_open(public: Public) -> str:
    return next(name for name, site in zip(NAMES, public.sites, strict=False) if site.free)


def _example(view: View, lines: tuple[str, ...]) -> list[str]:
    """One legal answer to copy; with a second line where the turn wants one."""
    plays = [line for line in lines if line.startswith("play ")]
    first = plays[0] if plays else lines[0]
    after = foresee(view, first) if view.public.stage == "second" else None
    if after is None or after.public.stage != "third" or after.public.turns != view.public.turns:
        return [first]
    following = legal(after)
    return [first, following[0]] if following else [first]


NOTICES = (
    (
        "What the rulebook leaves open is decided by house rulings, marked [R] in "
        "`pbem rules great-wall`; among them: sites are examined in the order of their numbers "
        "(GW-10), at each you take or win once in an examination (GW-14), and there is no pass "
        "(GW-22)."
    ),
    ("The rulebook is read in its French edition; the names of colours and cards are ours."),
)
