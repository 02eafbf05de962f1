"""What happened, in one sentence an event, as one seat may hear it.

Law: a sentence is made of an event (public) and a View (the hearer's); nothing else is in reach.
Every kind of event has a sentence; the ruling stands beside it in a report. Source: P10.
"""

from pbem.engine.event import Event
from pbem.engine.great_wall.parts import KINDS
from pbem.engine.great_wall.site import an, beside_noble, counted, joined, reckoned
from pbem.engine.great_wall.state import View

#: by kind of event; words in braces are its facts, and what ``_filled_in`` adds
SENTENCES = {
    "seated": "Turn order as drawn: {names}.",
    "hand": "{Seat} drew {number} cards to begin with{known}.",
    "pair": "{site} has the markers {one} and {other}.",
    "discarded": "Two equal markers, {value} and {value}, came up for {site}: they leave the game.",
    "closed": "The reserve is empty: {site} is closed.",
    "drew": "{Seat} drew a card{known}.",
    "played": "{Seat} played {cards} on {site} ({numbers}){covering}.",
    "horseman": "{Seat} played a horseman besides, on {site} ({numbers}).",
    "took": "{Seat} is ahead at {site} ({reckoning}) and took the {marker}, on card {card}, "
    "{the_kind}. It counts against {seat} there from now on.",
    "won": "{Seat} is ahead at {site} ({reckoning}) and won the {marker}{placed_by}. "
    "The cards of {site} leave the game.",
    "called": "{Seat} has neither hand nor deck left and calls the last turn: the others have one "
    "more turn each, then everybody examines once more.",
    "over": "{ended}{lost_too}",
    "winners": "{who} {verb} ({standing}).",
}
ENDED = {
    "GW-30": "No free marker is left: the game is over.",
    "GW-31": "Everybody has examined for the last time: the game is over.",
}


def tell(happened: Event, view: View) -> str:
    """One sentence about an event, as this View's seat may hear it."""
    facts: dict[str, str] = dict(happened.facts)
    facts["Seat"] = facts.get("seat", "").capitalize()
    return SENTENCES[happened.kind].format_map(facts | _filled_in(happened, facts, view))


def _filled_in(happened: Event, facts: dict[str, str], view: View) -> dict[str, str]:
    """The words that are not among the facts, for the kinds that need some."""
    kind = happened.kind
    if kind in ("hand", "drew"):
        return {"known": _known(happened, facts["seat"], view)}
    if kind in ("played", "horseman"):
        return _played(facts)
    if kind in ("took", "won"):
        return _examined(facts)
    if kind == "seated":
        return {"names": facts["seats"].replace(",", ", ")}
    if kind == "over":
        return {"ended": ENDED[happened.ruling], "lost_too": _lost(facts["lost"])}
    return _winners(facts) if kind == "winners" else {}


def _known(happened: Event, seat: str, view: View) -> str:
    """What was drawn, for the seat that drew it: a slot's place is the card's place in the deck."""
    if view.seat is None or view.public.rules.seats[view.seat] != seat:
        return ""
    places = [int(slot.rpartition("/")[2]) for _, slot in happened.opens]
    words = [KINDS[view.drawn[place]] for place in places]
    return f": {joined([an(word) for word in words] if len(words) == 1 else words)}"


def _played(facts: dict[str, str]) -> dict[str, str]:
    number, first = int(facts["number"]), int(facts["first"])
    numbers = f"card {first}" if number == 1 else f"cards {first} to {first + number - 1}"
    covering = ""
    if "over" in facts:
        whose = f"{facts['owner']}'s {facts['covered']}"
        covering = f" over card {facts['over']}, {whose}, which is out of play now"
    cards = an(facts["kind"]) if number == 1 else counted(number, facts["kind"])
    return {"cards": cards, "numbers": numbers, "covering": covering}


def _examined(facts: dict[str, str]) -> dict[str, str]:
    """Why somebody is ahead, and who gets what."""
    noble = "; a noble is in play, so each card counts 1" if beside_noble(facts["made"]) else ""
    found = {"reckoning": "; ".join(reckoned(facts["made"])) + noble}
    if "kind" in facts:
        found["the_kind"] = an(facts["kind"])
    if "other" in facts:
        mine = facts["other"] == facts["seat"]
        who = "the" if mine else f"{facts['other']} won the"
        where = "on a card of the same colour" if mine else "on its card"
        found["placed_by"] = f", and {who} {facts['placed']} {where}"
    return found


def _lost(text: str) -> str:
    """``blue:7,green:3``: the markers that lay on cards."""
    if text == "-":
        return ""
    lost = [f"{seat} {an(marker)}" for seat, marker in _pairs(text)]
    return f" Markers on cards are lost: {joined(lost)}."


def _winners(facts: dict[str, str]) -> dict[str, str]:
    names = [name.capitalize() for name in facts["winners"].split(",")]
    standing = ", ".join(f"{seat} {points}" for seat, points in _pairs(facts["points"]))
    verb = "won" if len(names) == 1 else "won together"
    return {"who": joined(names), "verb": verb, "standing": standing}


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(part.split(":")[0], part.split(":")[1]) for part in text.split(",")]
