"""What the first report of a game names: inferred boards, house rulings of the options chosen.

Law: a house ruling, marked [R] in the rules, that the chosen options bring in is named here.
Source: docs/DESIGN.md "A report"; CC-3, CC-4, CC-41, CC-50, CC-60 to CC-62.
"""

from pbem.engine.chang_cheng.editions import EDITIONS, edition_of
from pbem.engine.chang_cheng.editions import RULINGS as VERSIONS
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
