"""What happened, in one sentence an event, as one seat may hear it.

Law: a sentence is made of an event (public) and a View (the hearer's); nothing else is in reach.
Every kind of event has a sentence; the ruling stands beside it in a report. Source: P10.
"""

from pbem.engine.chang_cheng.editions import EDITIONS, edition_of
from pbem.engine.chang_cheng.editions import RULINGS as VERSIONS
from pbem.engine.chang_cheng.layout import KINDS
from pbem.engine.chang_cheng.state import View
from pbem.engine.event import Event
from pbem.engine.settings import Config

INFERRED = (
    "{what} not the publisher's: the rulebooks' text does not give them, so they are inferred "
    "(docs/BOARDS.md)."
)
RULINGS = (
    "What the rulebooks leave open is decided by house rulings, marked [R] in "
    "`pbem rules chang-cheng`; among them: scores may go below 0 (CC-4), a game in which "
    "everybody must skip ends (CC-41)."
)
EDITION = "The edition is {title}. It differs from the English one in this: {differs}."
ALIKE = "The edition is {title}. In what this game uses it plays like the English one."
OLDER = (
    "This game was begun under the rulings of {rulings}, and they hold to its end. They "
    "differ from today's in this: {differs}."
)
VARIANTS = {
    "neutral": "Neutral walls (CC-60) count as a colour that nobody plays (CC-28); after a skipped "
    "turn one may be placed anywhere, in the first turn of the game none.",
    "two-colour": "Each player has two colours and plays one of them each turn (CC-61); a draw "
    "that the best single colour does not decide is won by both.",
}
EVENTS = (
    "Events pay after the Mongol attack, in the order A B C; neutral walls take no part in them, "
    "but interrupt a run (CC-51)."
)


def notices(config: Config) -> tuple[str, ...]:
    """A sentence or two each, for everybody."""
    edition, variant = config.option("edition"), config.option("variant")
    found = [*_inferred(config), RULINGS]
    if edition != "en":
        title, differs = EDITIONS[edition].title, "; ".join(_differs(config))
        found.append((EDITION if differs else ALIKE).format(title=title, differs=differs))
    older = "; ".join(_older(config))
    if older:
        found.append(OLDER.format(rulings=config.rulings, differs=older))
    if variant in VARIANTS:
        found.append(VARIANTS[variant])
    if config.option("events") not in ("", "none"):
        found.append(EVENTS)
    return tuple(found)


def _differs(config: Config) -> list[str]:
    """What this game plays otherwise than en."""
    edition, found = edition_of(config.option("edition"), config.rulings), []
    if not edition.reserve_named:
        found.append("the square a tower keeps is not named, but looked at afresh (CC-15)")
    if edition.swap_elsewhere:
        found.append("a mandarin swaps with a wall of another province (CC-26)")
    if edition.board_at_once:
        found.append("a board joins as soon as the third Emperor lies (CC-31)")
    if edition.only_longest and _dominance(config):
        tower = ", a tower counted as two" if edition.tower_in_run > 1 else ""
        found.append(f"dominance pays for the longest run of all alone{tower} (CC-51)")
    if edition.neutral_with_wall and config.option("variant") == "neutral":
        found.append("after a card and a wall the neutral wall goes in the same province (CC-60)")
    return found


def _dominance(config: Config) -> bool:
    """Whether the event of CC-51 is in play, or may be."""
    return config.option("events").startswith("drawn") or "B" in config.option("events")


def _older(config: Config) -> list[str]:
    """What this game plays otherwise than one begun today (decision 0006)."""
    name, found = config.option("edition"), []
    then, now = edition_of(name, config.rulings), edition_of(name, VERSIONS[0])
    if then.tower_in_run != now.tower_in_run and _dominance(config):
        found.append("a tower counts as one where the longest run is looked for (CC-51)")
    if then.second_reckoned:
        text = "a first wall is refused if only a square that it opens would be left for a second"
        found.append(f"{text} (CC-12)")
    return found


def _inferred(config: Config) -> list[str]:
    """What is not the publisher's, unless the referee gave his own."""
    if config.option("sides"):
        counters = "How many counters there are of each value is"
        return [] if config.option("counters") else [INFERRED.format(what=counters)]
    if config.option("counters"):
        return [INFERRED.format(what="The boards are")]
    both = "The boards, and how many counters there are of each value, are"
    return [INFERRED.format(what=both)]


#: by kind of event; words in braces are its facts, and what ``_filled_in`` adds
SENTENCES = {
    "dealt": "On the table lie the boards {boards}; in the box: {box}. "
    "Reputation counters: {counters}.",
    "seated": "Turn order as drawn: {seats}.",
    "wall": "{Colour} placed a wall on {square}.",
    "double": "{Colour} placed the double wall on {left} and {right}: {points} for touching "
    "{provinces} and {regions}.",
    "tower": "{Colour} placed the tower on {square}{reserving}.",
    "card": "{Colour} laid a card face down in {province}{known}.",
    "looked": "{Seat} looked at the threat counter of {region}{known}.",
    "completed": "{province} is complete.",
    "turned": "{Colour}'s card in {province} is the {kind}.",
    "cancelled": "The {kind} lies {times} in {province}: all of them go out without effect.",
    "warrior": "{Colour}'s warrior removed {victim}'s {kind} in {province}.",
    "warrior-alone": "{Colour}'s warrior found no other card in {province}.",
    "traitor-break": "{Colour}'s traitor broke {owner}'s wall on {square}.",
    "traitor-counter": "{Colour}'s traitor took the threat counter of {region} away, unseen.",
    "traitor-none": "{Colour}'s traitor found nothing to harm in {province}.",
    "flood": "{Colour}'s flood: {province} is worth 2 {change}.",
    "builder": "{Colour}'s builder: {effect}.",
    "master-builder": "{Colour}'s master builder counts as two walls more in {province}.",
    "mandarin": "{Colour}'s mandarin swapped the walls on {a} ({owner_a}) and {b} ({owner_b}).",
    "mandarin-none": "{Colour}'s mandarin in {province} swapped nothing.",
    "in-play": "The event {event} is in play: {text}",
    "colour": "{Seat} plays {colour} this turn.",
    "neutral": "{Seat} placed a neutral wall on {square}.",
    "neutral-none": "{Seat} placed no neutral wall.",
    "observed": "The threat counter of {region} is turned up: {counter}.",
    "diplomacy": "Diplomacy, an unbroken wall in most provinces. Provinces: {counted}. {result}.",
    "dominance": "Dominance, the longest unbroken run{how}: {counted}.{pays} {result}.",
    "reward": "Imperial reward, cards never played. Cards: {counted}. {result}.",
    "board": "{Seat} added board {board} on the {side} as board {letter}. "
    "Its reputation counters: {counters}.",
    "skipped": "{Seat} could do nothing: the turn is skipped.",
    "scored": "{province} is worth {value}: {made}. Walls counted: {counted}. {result}.",
    "attack": "{region}, threat {counter}. Unbroken walls: {counted}.{sheltered} {result}.",
    "over": "{ended}",
    "won": "{who} {verb}.",
}

ENDED = {
    "CC-40": "No empty square is left: the game is over, and the Mongols attack.",
    "CC-41": "Every player in a row had to skip: the game is over, and the Mongols attack.",
}
IN_PLAY = {
    "A": "4 points at the end for an unbroken wall in most provinces.",
    "B": "a point at the end for each square of the longest unbroken run.",
    "C": "2 points at the end for each card never played.",
    "D": "a square that is taken turns its region's threat counter up for all.",
}
#: CC-51, by what a tower counts for: what was counted, and what is paid if that is not the same
RUNS = {
    "1": {"how": ". Squares", "pays": ""},
    "2": {
        "how": " of all, with a tower counted as two. Runs so counted",
        "pays": " The longest pays a point for each of its squares, and a tower is one square.",
    },
}
TIMES = {"2": "twice", "3": "three times", "4": "four times"}


def tell(happened: Event, view: View) -> str:
    """One sentence about an event, as this View's seat may hear it."""
    facts: dict[str, str] = dict(happened.facts)
    for name in ("colour", "seat"):
        facts[name.capitalize()] = facts.get(name, "").capitalize()
    facts["kind"] = facts.get("kind", "").replace("-", " ")
    return SENTENCES[happened.kind].format_map(facts | _filled_in(happened, facts, view))


def _filled_in(happened: Event, facts: dict[str, str], view: View) -> dict[str, str]:
    """The words that are not among the facts, for the kinds that need some."""
    kind = happened.kind
    if kind in ("card", "looked"):
        value = known_value(facts["slot"], view)
        return {"known": f" (it is {value})" if value else ""}
    if kind == "double":
        return _double(facts, happened.points[0][1])
    if kind == "tower":
        return {"reserving": f"; it keeps {facts['reserves']}" if "reserves" in facts else ""}
    if kind == "cancelled":
        return {"times": TIMES[facts["number"]]}
    if kind == "flood":
        return {"change": "more" if facts["value"] == "+2" else "less"}
    if kind == "builder":
        here = facts["province"]
        more = f"{here} is worth 2 more"
        return {"effect": more if facts["effect"] == "value" else f"one wall more counts in {here}"}
    return _at_the_count(happened, facts)


def _at_the_count(happened: Event, facts: dict[str, str]) -> dict[str, str]:
    """The words of scoring, attack and end."""
    kind = happened.kind
    if kind == "scored":
        return _scored(facts)
    if kind == "attack":
        return _attack(facts)
    if kind in ("diplomacy", "dominance", "reward"):
        words = {"counted": _counted(facts["counts"]), "result": _gains(facts["points"])}
        return words | RUNS[facts.get("tower", "1")]
    if kind == "in-play":
        return {"text": IN_PLAY[facts["event"]]}
    if kind == "over":
        return {"ended": ENDED[happened.ruling]}
    if kind == "won":
        names = facts["winners"].split(",")
        return {"who": _named(names), "verb": "won" if len(names) == 1 else "won together"}
    if kind in ("dealt", "board", "seated"):
        spaced = {key: value.replace(",", ", ") for key, value in facts.items()}
        return spaced | {"box": spaced["box"].replace("-", "none")} if "box" in facts else spaced
    return {}


def _double(facts: dict[str, str], points: int) -> dict[str, str]:
    return {
        "points": f"{points} points",
        "provinces": _number(facts["provinces"], "province"),
        "regions": _number(facts["regions"], "region"),
    }


def _scored(facts: dict[str, str]) -> dict[str, str]:
    made = f"{_number(facts['walls'], 'wall')}, counter {facts['counter']}"
    if facts["cards"] != "+0":
        made += f", cards {facts['cards']}"
    winners = _names(facts["winners"])
    verb = "score" if len(winners) == 1 else "each score"
    result = _who_did(winners, verb, facts["value"])
    return {"made": made, "counted": _counted(facts["counts"]), "result": result}


def _attack(facts: dict[str, str]) -> dict[str, str]:
    safe, losers = _names(facts["safe"]), _names(facts["losers"])
    verb = "is" if len(safe) == 1 else "are"
    return {
        "counted": _counted(facts["counts"]),
        "sheltered": f" {_named(safe)} {verb} safe: the tower stands there." if safe else "",
        "result": _who_did(losers, "lose" if len(losers) == 1 else "each lose", facts["counter"]),
    }


def _gains(points: str) -> str:
    """``Red gains 4, Green gains 3``, ``Nobody gains``."""
    pairs = [pair.split(":") for pair in _names(points)]
    gains = ", ".join(f"{colour.capitalize()} gains {number}" for colour, number in pairs)
    return gains or "Nobody gains"


def _who_did(names: list[str], verb: str, number: str) -> str:
    """``Red scores 6``, ``Red and Green each score 6``, ``Nobody scores``."""
    single = f"{verb.removeprefix('each ')}s"
    if not names:
        return f"Nobody {single}"
    return f"{_named(names)} {verb if len(names) > 1 else single} {number}"


def _names(text: str) -> list[str]:
    """Colours of a fact; none for ``-`` and ``nobody``."""
    return [] if text in ("-", "nobody", "") else text.split(",")


def _counted(text: str) -> str:
    """``red:2,blue:1`` as ``red 2, blue 1``."""
    return ", ".join(pair.replace(":", " ") for pair in _names(text)) or "none"


def _number(number: str, what: str) -> str:
    return f"{number} {what}{'' if number == '1' else 's'}"


def _named(names: list[str]) -> str:
    """``Red``, ``Red and Green``, ``Red, Green and Blue``."""
    names = [name.capitalize() for name in names]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def known_value(slot: str, view: View) -> str:
    """The value of a slot if the View's own seat knows it, else ""."""
    if view.seat is None:
        return ""
    for card, kind in zip(view.public.cards, view.kinds, strict=True):
        if card.slot == slot and kind is not None:
            return f"the {KINDS[kind].replace('-', ' ')}"
    prefix = f"{view.public.rules.dealt}/threat/"
    if slot.startswith(prefix):
        value = view.threat[int(slot[len(prefix) :])]
        return "" if value is None else str(value)
    return ""
