"""Is a ruling what it says, and is there none where there is none? From the public rows alone.

What lives here: what each ruling may change, and that nothing else changes without an order. What
must never be here: the secret, the rules of a game, files.
Laws: a ruling makes a link of its own; an undo has the rows of the state it names, byte for byte;
a correction changes the field it names; the others leave the game as it is.
Source: docs/SPECIFICATION.md sections 9 and 12; amendment.py, which makes these links.
"""

import re
from collections.abc import Mapping
from typing import Any

from pbem.crypto.signing import key_id
from pbem.crypto.tokens import commit_secret
from pbem.errors import PbemError
from pbem.moderator.chain.link import CLOSED, PHASES, Link
from pbem.moderator.chain.people import Seated
from pbem.moderator.chain.ruling import Ruling, corrects_hidden


def wrong_ruling(link: Link, before: Link | None, links: Mapping[int, Link]) -> str:
    """What is wrong with what a link rules, or changes without a ruling; "" if nothing."""
    wrong = _closing(link) or _dealing(link)
    if wrong or before is None or not before.dealt or not link.dealt:
        return wrong
    if link.setup != before.setup:  # other seats, perhaps: nothing can be compared
        return "changes what was settled in the genesis"
    return _ruled(link, before, links) if link.rulings else _without(link, before)


def _closing(link: Link) -> str:
    """The last link opens the secret, and says so."""
    names = {ruling.name for ruling in link.rulings}
    if link.phase != CLOSED:
        return "has the ruling `close` and does not close the game" if "close" in names else ""
    if commit_secret(link.secret) != link.setup.commit:
        return "opens another secret than the genesis committed to"
    if names != {"close"}:
        return "closes the game without the ruling that does"
    return "closes the game twice" if link.rulings[1:] else ""


def _dealing(link: Link) -> str:
    """In the deal nothing is played or ruled yet."""
    if link.phase != PHASES[2]:
        return ""
    if link.entries or link.rulings or link.replaced:
        return "has orders or rulings in the deal"
    nothing = tuple((seat, 0) for seat in link.setup.seats)
    return "" if link.answered == nothing else "counts answers before the first order"


def _ruled(link: Link, before: Link, links: Mapping[int, Link]) -> str:
    """A ruling, in a link of its own."""
    names = {ruling.name for ruling in link.rulings}
    if len(names) != 1 or (len(link.rulings) > 1 and names != {"correct"}):
        return "has two different rulings"
    if link.entries or link.events or link.openings:
        return "has a ruling together with orders"
    name = link.rulings[0].name
    wrong = _keys(link, before, name) or _people(link, before, name)
    if wrong:
        return wrong
    if name == "restore" and link.rulings[0].operand("from") != str(before.n):
        return "goes on from another state than the one before it"
    if name == "undo":
        return _undo(link, before, links)
    if name == "correct":
        return _correct(link, before)
    return "" if _as_before(link, before) else f"changes the game under the ruling `{name}`"


def _without(link: Link, before: Link) -> str:
    """No ruling: orders alone change the game."""
    if not link.entries:
        return "has neither an order nor a ruling"
    if link.referees != before.referees or link.people != before.people:
        return "changes who plays or who may sign, without a ruling"
    if link.replaced != before.replaced:
        return "replaces a hidden value without a ruling"
    given = {entry.source for entry in link.entries}
    if "default" in given and dict(link.setup.options).get("missed") != "default":
        return "gives an order by default, in a game that waits for a missed turn (R-2)"
    told = dict(before.answered)
    for entry in link.entries:
        told[entry.seat] = told.get(entry.seat, 0) + 1
    same = link.answered == tuple(told.items())
    return "" if same else "counts other answers than it has orders"


def _rows(link: Link) -> dict[str, bytes]:
    return {sealed.slot: sealed.commitment for sealed in link.sealed}


def _as_before(link: Link, before: Link) -> bool:
    """The game stands as it stood: what is public, what is hidden, what stands in for what."""
    return (
        link.position == before.position
        and _rows(link) == _rows(before)
        and link.replaced == before.replaced
        and not link.commits
    )


def _keys(link: Link, before: Link, name: str) -> str:
    if (link.referees != before.referees) != (name == "keys"):
        return f"has the ruling `{name}`, which does not fit its keys"
    if name != "keys":
        return ""
    row, ruling = link.referees[-1], link.rulings[0]
    told = (ruling.operand("by"), ruling.operand("acting"))
    if len(link.referees) != len(before.referees) + 1 or told != (row.by, key_id(row.acting)):
        return "appoints another referee than its ruling says"
    if [name for name, _ in link.wraps] != [key_id(row.acting), key_id(row.recovery)]:
        return "wraps the secret to others than its referees"
    return ""


def _people(link: Link, before: Link, name: str) -> str:
    """Who plays, from when on his orders count, and the questions that are void."""
    n, everybody = link.n, set(link.setup.seats)
    void = everybody if name in ("undo", "correct") else set()
    free = ""
    if name == "player":
        free = link.rulings[0].operand("seat")
        if free not in everybody:
            return "rules on a seat that there is not"
        void = {free} if link.player(free).since == n else set()
    for player, old in zip(link.people, before.people, strict=True):
        told = old._replace(since=n) if player.seat in void else old
        if player != told and not (player.seat == free and player.since == told.since):
            return f"changes the player of {player.seat} otherwise than it rules"
        if player.seat == free and (wrong := _told(link.rulings[0], player, old)):
            return wrong
        if player.seat == free and player.since != n and not _language_alone(link.rulings[0]):
            return f"lets old orders count for the new player of {player.seat}"
    counts = tuple((seat, number + (seat in void)) for seat, number in before.answered)
    return "" if link.answered == counts else "counts other answers than it has orders"


def _told(ruling: Ruling, player: Seated, old: Seated) -> str:
    """Whether the ruling says all that it changed of a player: nobody else would look for it."""
    what = ruling.operand("what").split(",")
    known = (player.identified, player.key) != (old.identified, old.key)
    silent = (player.name != old.name and "name" not in what) or (known and "known" not in what)
    if silent or ("known" in what and ruling.operand("known") != player.identified):
        return f"changes the player of {player.seat} otherwise than it says"
    if _language_alone(ruling) and player != old:
        return f"changes the player of {player.seat} though it speaks of his language alone"
    return ""


def _language_alone(ruling: Ruling) -> bool:
    """Whether his mails are in another language, and nothing of him is another."""
    return ruling.operand("what") == "language"


def _undo(link: Link, before: Link, links: Mapping[int, Link]) -> str:
    to = link.rulings[0].operand("to")
    if not re.fullmatch("[1-9][0-9]{0,5}", to) or not 2 <= int(to) < before.n:
        return "undoes to a state that is none"
    target = links.get(int(to))
    if target is None:
        return ""  # it is missing here, which is told of the states before the first
    return "" if _as_before(link, target) else f"is not what its undo says: the state {to} again"


def _correct(link: Link, before: Link) -> str:
    """The fields it names and no others; a hidden value by a new slot, made in this state."""
    from pbem.moderator.ruling import correction

    position: Mapping[str, Any] = before.position
    replaced, sealed, new = dict(before.replaced), _rows(before), dict(link.commits)
    for ruling in link.rulings:
        if corrects_hidden(ruling):
            slot, old, other = (ruling.operand(key) for key in ("slot", "old", "new"))
            if before.stands_for(slot) != old or old not in sealed or other not in new:
                return f"corrects {slot} otherwise than it says"
            replaced[slot] = other
            del sealed[old]
            sealed[other] = new.pop(other)
            continue
        field, new_text = ruling.operand("field"), ruling.operand("new")
        try:
            position, old = correction.edited(position, field, new_text)
        except PbemError:
            return f"corrects {field}, which there is not"
        if old != ruling.operand("old"):
            return f"corrects {field} and says wrongly what it was"
    if new or _rows(link) != sealed or dict(link.replaced) != replaced:
        return "replaces another hidden value than it says"
    return "" if correction.same(link.position, position) else "corrects more than it says"
