"""Orders as people type them: the same order in other words, and slips of the finger.

What lives here: ``typed``, ``standing``, ``slip``. What must never be here: mail; which order is
good.
Law: what ``typed`` gives means the order it was given (docs/NOTATION.md, FORMAT.md section 3).
"""

from collections.abc import Callable, Sequence

#: a number from 0 to ``bound`` - 1, each as likely
Below = Callable[[int], int]

# What a card of this kind may be told before it is turned up, whatever lies on the table then.
_EFFECTS = {"flood": ("flood -2", "flood +2"), "builder": ("builder value", "builder wall")}


def typed(lines: Sequence[str], below: Below) -> list[str]:
    """The orders, as somebody may type them in a mail."""
    if len(lines) > 1 and not below(6):
        return [(" and ", ", ", "; ")[below(3)].join(lines)]
    manner = below(12)
    return [_one(line, manner, number) for number, line in enumerate(lines, 1)]


def _one(line: str, manner: int, number: int) -> str:
    head, _, last = line.rpartition(" ")
    styles = {
        0: line.upper(),
        1: f"{line.capitalize()}.",
        2: f"- {line}",
        3: f"{number}. {line}",
        4: f"{head}   {last}" if head else line,
        5: f"{head} {last[0]} {last[1:]}" if last[0].isalpha() and last[1:].isdigit() else line,
        6: f"{line} please",
        7: line.replace("-", "\N{MINUS SIGN}") if " -" in line else f"* {line}",
        8: line.replace(" ", "\N{NO-BREAK SPACE}"),
    }
    return styles.get(manner, line)


def standing(lines: Sequence[str], below: Below) -> tuple[list[str], list[str]]:
    """What a player says at once of cards he lays: (the lines with ``then``, lines for later)."""
    now, later = [], []
    for line in lines:
        words = line.split()
        effects = _EFFECTS.get(words[1]) if words[0] == "card" and len(words) == 3 else None
        manner = below(3) if effects else 2
        if effects is None or manner == 2:
            now.append(line)
            continue
        effect = effects[below(2)]
        if manner:
            now.append(line)
            later.append(f"when {words[2]}: {effect}")
        else:
            now.append(f"{line} then {effect.split()[1]}")
    return now, later


def slip(line: str) -> str:
    """The order with one letter too few in its first word; nobody can be sure what it means."""
    return line[:2] + line[3:]
