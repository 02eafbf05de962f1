"""Numbers and names in sentences: ``2 horsemen``, ``Red, Green and Blue``."""

PLURALS = {"horseman": "horsemen"}


def counted(number: int, what: str) -> str:
    """``1 wall``, ``2 horsemen``."""
    return f"{number} {what if number == 1 else PLURALS.get(what, f'{what}s')}"


def an(what: str) -> str:
    """``a wall``, ``an 8``: no card's name begins with a vowel."""
    return f"{'an' if what == '8' else 'a'} {what}"


def joined(names: list[str], last: str = "and") -> str:
    """``red``, ``red and green``, ``red, green and blue``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def reckoned(made: str) -> list[str]:
    """A reckoning (reckoning.py) in words, a line a colour: ``blue -1 = 3 walls 3 - marker 4``."""
    return [] if made == "-" else [_colour(part) for part in made.split(",")]


def _colour(part: str) -> str:
    seat, _, summands = part.partition(":")
    total, text = 0, ""
    for summand in summands.split("+"):
        kind, number, worth = summand.split(".")
        total += int(worth)
        if text:
            text += " - " if int(worth) < 0 else " + "
        word = kind if number == "1" else counted(int(number), kind)
        text += f"{word} {abs(int(worth))}"
    return f"{seat} {total} = {text}"


def beside_noble(made: str) -> bool:
    """Whether a noble is in play where this was reckoned, so that each card counts 1 (GW-24)."""
    return "noble." in made
