"""Finds rules in a game's RULES.md by their numbers.

Not allowed here: a rule, a game's name. The paragraph of a rule starts with its number, as
``- **CC-15** ``, or as ``- **CC-H-it** `` for a rule that only one edition has. It ends before the
next such paragraph, a heading or an empty line.
"""

import re

_RULE_START = re.compile(r"^- \*\*([A-Z]+-[0-9A-Za-z]+(?:-[a-z]+)?)\*\*\s+", re.MULTILINE)
_RULE_END = re.compile(r"\n(?=- \*\*|\s*\n|#)")
_SENTENCE_BREAK = re.compile(r"(?<=\.)\s")


def list_rule_numbers(text: str) -> tuple[str, ...]:
    """Return every rule number of a RULES.md, in the order of the file."""
    return tuple(_RULE_START.findall(text))


def find_paragraph(text: str, number: str) -> str | None:
    """Return the paragraph of a rule as one line without its number; None if there is no such number.

    Players type the number, so lower case is fine.
    """
    for match in _RULE_START.finditer(text):
        if match[1].upper() == number.upper():
            following_text = text[match.end() :]
            end = _RULE_END.search(following_text)
            return " ".join(following_text[: end.start() if end else len(following_text)].split())
    return None


def find_first_sentence(text: str, number: str) -> str | None:
    """Return the first sentence of a rule, for the foot of a report; None if there is no such number."""
    rule_text = find_paragraph(text, number)
    if rule_text is None:
        return None
    sentence_break = _SENTENCE_BREAK.search(rule_text)
    if sentence_break is None:
        return rule_text
    first_sentence, remainder = rule_text[: sentence_break.start()], rule_text[sentence_break.end() :]
    mark, bracket, _ = remainder.partition("]")  # a mark such as [R 3] belongs to the sentence before it
    return f"{first_sentence} {mark}]" if bracket and mark.startswith("[R") else first_sentence
