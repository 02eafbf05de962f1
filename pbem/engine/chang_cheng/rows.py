"""What is to be said, before it has any words: events, the question, notices.

Law: a row is made of an event (public) and a View (the hearer's), or of the options; nothing else
is in reach. The sentences are in templates/chang-cheng/words.txt. Source: P10, decision 0008.
"""

from typing import Any

from pbem.engine.chang_cheng.editions import EDITIONS, edition_of
from pbem.engine.chang_cheng.editions import RULINGS as VERSIONS
from pbem.engine.chang_cheng.layout import KINDS, MANDARIN
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.chang_cheng.turn import foresee
from pbem.engine.decision import Event
from pbem.engine.row import Asking, Row, grouped
from pbem.engine.settings import Config


def ask(view: View) -> Asking | None:
    """The question for the View's seat: choices grouped by their word, an example."""
    lines = legal(view)
    if not lines:
        return None
    kind, facts = _question(view)
    hint = Row(kind, _pieces(view.public)) if kind in ("action", "colour") else None
    if view.public.stage == "card":
        hint = Row(kind, facts)
    return Asking(kind, facts, grouped(lines, _alike), _example(view, lines), hint)


def _alike(words: list[str]) -> int:
    """``wall``: ``A5``, ``A7``; ``card flood``: ``AP1``, ``AP2``."""
    return 2 if words[0] == "card" or (words[0] == "traitor" and len(words) == 3) else 1


def _pieces(public: Public) -> dict[str, Any]:
    """Whether the pieces are explained: to each seat once, when it has its first whole action."""
    rules = public.rules
    first = 1 < public.turns <= 1 + len(rules.own)
    return {"first": first, "reserve": rules.edition.reserve_named}


def _question(view: View) -> tuple[str, dict[str, Any]]:
    public = view.public
    if public.stage == "card" and public.scoring is not None:
        where = public.layout.provinces[public.scoring.province]
        kind, number = public.scoring.cards[0]
        facts: dict[str, Any] = {"province": where, "colour": played_as(view, number)}
        if kind == MANDARIN:
            facts["elsewhere"] = public.rules.edition.swap_elsewhere
        return KINDS[kind].replace("-", "_"), facts
    if public.stage in ("neutral", "colour"):
        return public.stage, {}
    if public.stage == "board":
        return "board", {"board": public.box[0].id}
    colour = played_as(view, public.colour)
    if public.stage == "second":
        here = public.layout.provinces[public.where]
        return f"second_after_{public.first}", {"province": here, "colour": colour}
    if public.turns == 1:
        return "first_turn", {"colour": colour}
    return "action" if public.asked.can.complete else "incomplete_action", {"colour": colour}


def played_as(view: View, colour: int) -> str:
    """The colour's name, where its seat has two (CC-61); "" where it has one."""
    rules = view.public.rules
    return rules.colours[colour] if len(rules.own[0]) > 1 else ""


def _example(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """One legal answer to copy; with the lines that follow where the turn wants some."""
    answer, seen = [lines[0]], view
    while seen.public.stage in ("colour", "action"):
        after = foresee(seen, answer[-1])
        if after is None or after.public.stage not in ("action", "second") or not legal(after):
            break
        if after.public.turns != view.public.turns:
            break
        answer, seen = [*answer, legal(after)[0]], after
    return tuple(answer)


NUMBERS = ("cards", "counter", "number", "provinces", "regions", "tower", "value", "walls")
LISTS = ("boards", "box", "counters")
PARTIES = ("colour", "seat", "victim", "owner", "owner_a", "owner_b")
GROUPS = ("losers", "safe", "seats", "winners")
COUNTS = ("counts", "points")


def event_row(happened: Event, view: View) -> Row:
    """What the View's seat may hear of an event; ``known`` is what it alone knows, or None."""
    facts = {name: _fact(name, text, view) for name, text in happened.facts if name != "slot"}
    if happened.kind in ("card", "looked"):
        facts["known"] = _known(dict(happened.facts)["slot"], view)
    elif happened.kind == "double":
        facts["points"] = happened.points[0][1]
    elif happened.kind == "over":
        facts["ended_by"] = happened.ruling
    elif happened.kind == "dealt":  # the others never leave the box (CC-30), and no board says them
        join = view.public.rules.boards - len(facts["boards"])
        facts["box"] = facts["box"][: max(0, join)]
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
    sides, counters = bool(config.option("sides")), bool(config.option("counters"))
    # what is not the publisher's, unless the referee gave what their own copy has
    inferred = "inferred_counters" if sides else "inferred_boards" if counters else "inferred"
    found = [] if sides and counters else [Row(inferred)]
    found.append(Row("house_rulings"))
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
