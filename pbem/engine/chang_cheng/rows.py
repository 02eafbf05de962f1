"""What happened, and what a first report names: a row each, as one seat may have it.

Law: a row is made of an event (public) and a View (the hearer's), or of the options; nothing else
is in reach. The sentences are in templates/chang-cheng/words.txt. Source: P10, decision 0008.
"""

from typing import Any

from pbem.engine.chang_cheng.editions import EDITIONS, edition_of
from pbem.engine.chang_cheng.editions import RULINGS as VERSIONS
from pbem.engine.chang_cheng.layout import KINDS
from pbem.engine.chang_cheng.state import View
from pbem.engine.event import Event
from pbem.engine.row import Row
from pbem.engine.settings import Config

NUMBERS = frozenset(
    ("cards", "counter", "number", "provinces", "regions", "tower", "value", "walls")
)
LISTS = frozenset(("boards", "box", "counters"))
PARTIES = frozenset(("colour", "seat", "victim", "owner", "owner_a", "owner_b"))
GROUPS = frozenset(("losers", "safe", "seats", "winners"))
COUNTS = frozenset(("counts", "points"))


def event_row(happened: Event, view: View) -> Row:
    """What the View's seat may hear of an event; ``known`` is what it alone knows, or None."""
    facts = {name: _fact(name, text, view) for name, text in happened.facts if name != "slot"}
    if happened.kind in ("card", "looked"):
        facts["known"] = _known(dict(happened.facts)["slot"], view)
    elif happened.kind == "double":
        facts["points"] = happened.points[0][1]
    elif happened.kind == "over":
        facts["ended_by"] = happened.ruling
    return Row(happened.kind.replace("-", "_"), facts)


def _fact(name: str, text: str, view: View) -> Any:
    """A fact as plain data: what it is can be told from its name."""
    many = [] if text in ("-", "nobody", "") else text.split(",")
    if name in PARTIES:
        return party(text, view)
    if name in GROUPS:
        return [party(colour, view) for colour in many]
    if name in COUNTS:
        pairs = [pair.split(":") for pair in many]
        return [party(colour, view) | {"number": int(number)} for colour, number in pairs]
    if name in LISTS:
        return many
    return int(text) if name in NUMBERS else text


def party(colour: str, view: View) -> dict[str, Any]:
    """A colour, and the seat that plays it: "" for neutral walls."""
    rules = view.public.rules
    owners = dict(zip(rules.colours, rules.owner, strict=True))
    return {"colour": colour, "seat": owners.get(colour, colour)}


def _known(slot: str, view: View) -> str | int | None:
    """The value of a slot if the View's own seat knows it."""
    if view.seat is None:
        return None
    for card, kind in zip(view.public.cards, view.kinds, strict=True):
        if card.slot == slot and kind is not None:
            return KINDS[kind]
    prefix = f"{view.public.rules.dealt}/threat/"
    return view.threat[int(slot[len(prefix) :])] if slot.startswith(prefix) else None


def notices(config: Config) -> tuple[Row, ...]:
    """What a first report names: what is inferred, house rulings, the edition, older rulings."""
    edition, variant = config.option("edition"), config.option("variant")
    found = [*_inferred(config), Row("house_rulings")]
    if edition != "en":
        differs = _differs(config)
        title = EDITIONS[edition].title
        found += [Row("edition" if differs else "edition_alike", {"title": title}), *differs]
    if older := _older(config):
        found += [Row("older_rulings", {"version": config.rulings}), *older]
    found += [Row(f"variant_{variant.replace('-', '_')}")] if variant != "plain" else []
    found += [Row("events")] if config.option("events") not in ("", "none") else []
    return tuple(found)


def _differs(config: Config) -> list[Row]:
    """What this game plays otherwise than en."""
    edition = edition_of(config.option("edition"), config.rulings)
    neutral = edition.neutral_with_wall and config.option("variant") == "neutral"
    found = {
        "reserve_seen": not edition.reserve_named,
        "swap_elsewhere": edition.swap_elsewhere,
        "board_at_once": edition.board_at_once,
        "neutral_with_wall": neutral,
    }
    rows = [Row(f"differs_{name}") for name, true in found.items() if true]
    if edition.only_longest and _dominance(config):
        rows.append(Row("differs_only_longest", {"tower": edition.tower_in_run}))
    return rows


def _dominance(config: Config) -> bool:
    """Whether the event of CC-51 is in play, or may be."""
    return config.option("events").startswith("drawn") or "B" in config.option("events")


def _older(config: Config) -> list[Row]:
    """What this game plays otherwise than a game begun today (decision 0006)."""
    name = config.option("edition")
    then, now = edition_of(name, config.rulings), edition_of(name, VERSIONS[0])
    found = {
        "tower_in_run": then.tower_in_run != now.tower_in_run and _dominance(config),
        "second_reckoned": then.second_reckoned,
    }
    return [Row(f"older_{name}") for name, true in found.items() if true]


def _inferred(config: Config) -> list[Row]:
    """What is not the publisher's, unless the referee gave what their own copy has."""
    sides, counters = bool(config.option("sides")), bool(config.option("counters"))
    if sides and counters:
        return []
    return [Row("inferred_counters" if sides else "inferred_boards" if counters else "inferred")]
