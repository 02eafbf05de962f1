"""Is this genuine? Signatures, the chain, openings and report blocks, from public keys alone.

What lives here: checks on bytes, each finding said in one line. What must never be here: the
secret,
the rules of a game, files.
Law: it needs nothing that is not public; what it could not check it says.
Source: construction.md "verify"; P1, P5, P7.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from pbem.crypto.commitments import check_opening
from pbem.crypto.encoding import b64, game_id, unb64
from pbem.crypto.signing import key_id
from pbem.errors import Refused
from pbem.moderator import chain
from pbem.moderator.block import Block
from pbem.moderator.document import Link


class Chain(NamedTuple):
    """A verified run of links: heads by number, and what the last one holds."""

    game: str
    key: bytes
    heads: dict[int, bytes]
    first: int
    last: Link | None
    openings: int
    from_genesis: bool
    made: dict[str, tuple[int, bytes]]  #: slot to the link that made it and its commitment


def genesis_key(raw: bytes) -> bytes:
    """The acting key a genesis names, if it signed the genesis with it."""
    claimed = chain.vouched(raw)
    if claimed.n != 0:
        raise Refused(
            "verify/not-genesis",
            f"this is state {claimed.n}, not the genesis",
            "the genesis is states/0000.toml",
        )
    return claimed.setup.acting


def check_chain(states: Mapping[int, bytes], key: bytes | None, game: str | None) -> Chain:
    """Check every state there is, in order. ``key`` and ``game``: what the asker knows for sure.

    Refused with the number of the first state that is wrong, and why. A gap is refused too: states
    may be missing at the beginning only (then the key must be known).
    """
    numbers = sorted(states)
    first = numbers[0]
    if first == 0:
        key = _from_genesis(states[0], key, game)
        game = game_id(states[0])
    elif key is None:
        raise Refused(
            "verify/no-key",
            f"states before {first} are missing, so it cannot be told who may sign this game",
            "add states/0000.toml, or the referee's public key: --key",
        )
    found = Chain(game or "", key or b"", {}, first, None, 0, first == 0, {})
    for n in numbers:
        found = _one_more(found, n, states[n])
    return found


def _from_genesis(raw: bytes, key: bytes | None, game: str | None) -> bytes:
    named = genesis_key(raw)
    if key is not None and key != named:
        raise Refused(
            "verify/other-key",
            f"the genesis is of key {key_id(named)}, not of {key_id(key)}",
            "is it this referee's game?",
        )
    if game is not None and game != game_id(raw):
        raise Refused(
            "verify/other-game",
            f"the genesis is of game {game_id(raw)}, not of {game}",
            "is it the right folder?",
        )
    return named


def _one_more(so_far: Chain, n: int, raw: bytes) -> Chain:
    """The next state of the chain, checked against the one before."""
    what = f"state {n}"
    link = chain.genuine(raw, so_far.key, what)
    if link.n != n:
        raise _wrong(n, f"calls itself state {link.n}")
    if n == 0:
        return so_far._replace(heads={0: chain.head_of(raw)}, last=link)
    game = so_far.game or link.game
    if link.game != game:
        raise _wrong(n, "belongs to another game")
    before = so_far.last
    if before is not None:
        if before.n != n - 1:
            raise _wrong(n - 1, "is missing")
        if link.prev != b64(so_far.heads[n - 1]):
            raise _wrong(
                n, f"does not follow this state {n - 1}: one of the two is from another history"
            )
        if link.setup != before.setup:
            raise _wrong(n, "changes what was settled in the genesis")
    _check_heads(link, before, so_far.heads)
    _check_slots(link, before)
    _keep(so_far.made, link, before)
    number = so_far.openings + len(link.openings)
    heads = {**so_far.heads, n: chain.head_of(raw)}
    return so_far._replace(game=game, heads=heads, last=link, openings=number)


def _wrong(n: int, what: str) -> Refused:
    return Refused(
        "verify/chain",
        f"state {n} {what}",
        "compare with the copies of others; somebody's chain was rewritten",
    )


def _check_heads(link: Link, before: Link | None, heads: Mapping[int, bytes]) -> None:
    """The head before each link that made a slot is the chain's own, as far as it is here."""
    _once(link.n, [f"the head before {m}" for m, _ in link.heads])
    told = dict(before.heads) if before else {}
    for m, head in link.heads:
        if not 0 < m <= link.n:
            raise _wrong(link.n, f"names a head before state {m}")
        own = unb64(link.prev, 32) if m == link.n else None
        known = own or heads.get(m - 1) or told.get(m)
        if head != known and (known or before):
            raise _wrong(link.n, f"names another head before state {m} than this chain has")


def _maker(n: int, slot: str) -> int:
    """The link that made a slot, by its name."""
    maker = _maker_or_none(slot)
    if maker is None or maker > n:
        raise _wrong(n, f"has {slot}, which no state up to it can have made")
    return maker


def _maker_or_none(slot: str) -> int | None:
    text = slot.partition("/")[0]
    return int(text) if re.fullmatch("[1-9][0-9]{0,5}", text) else None


def _keep(made: dict[str, tuple[int, bytes]], link: Link, before: Link | None) -> None:
    """Remember every commitment: the first state that is here also has those of states missing."""
    if before is None:
        told = [(one.slot, one.commitment) for one in link.sealed]
        told += [(one.slot, one.commitment) for one in link.openings]
        made.update((slot, (_maker(link.n, slot), c)) for slot, c in told)
    for slot, commitment in link.commits:
        made[slot] = link.n, commitment


def _once(n: int, slots: list[str]) -> None:
    """A slot is sealed or opened, and once."""
    twice = (
        {slot for slot in slots if slots.count(slot) > 1} if len(set(slots)) < len(slots) else ()
    )
    if twice:
        raise _wrong(n, f"has {min(twice)} twice")


def _check_slots(link: Link, before: Link | None) -> None:
    """P5: a commitment stays with its slot, new ones are this link's, and openings fit them."""
    _once(link.n, [slot for slot, _ in link.commits])
    _once(link.n, [one.slot for one in link.sealed] + [one.slot for one in link.openings])
    new = dict(link.commits)
    known = {one.slot: one.commitment for one in before.sealed} if before else None
    for slot in new:
        if slot.partition("/")[0] != str(link.n):
            raise _wrong(link.n, f"commits to {slot}, which is not of this state")
    held = dict(new) if known is None else {**known, **new}
    own = f"{link.n}/"  # what this state made it commits to, whatever came before
    for one in link.sealed:
        told = known is not None or one.slot.startswith(own)
        if told and held.get(one.slot) != one.commitment:
            raise _wrong(link.n, f"has another commitment for {one.slot} than before")
    for opening in link.openings:
        told = known is not None or opening.slot.startswith(own)
        if told and held.get(opening.slot) != opening.commitment:
            raise _wrong(link.n, f"opens {opening.slot} against another commitment than was made")
        if not check_opening(opening.commitment, link.game, opening.slot, opening.k, opening.value):
            raise _wrong(link.n, f"opens {opening.slot} with a value that was not committed")
    if known is not None:
        gone = set(held) - {one.slot for one in link.sealed} - {one.slot for one in link.openings}
        if gone:
            raise _wrong(link.n, f"drops {min(gone)} without opening it")


def check_block(found: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What one report's block says, checked; Refused where it is forged or of another history."""
    name = f"the report of state {found.n} for {found.seat}"
    if not found.genuine():
        raise Refused(
            "verify/report",
            f"{name} was changed after it was signed",
            "take it again from the mail",
        )
    if key is not None and found.key != key:
        raise Refused(
            "verify/other-key",
            f"{name} is signed by key {key_id(found.key)}, not by {key_id(key)}",
            "is it this referee's game?",
        )
    known = chains.get(found.game)
    if known is None:
        return (
            f"{name} is signed by key {key_id(found.key)}; not compared with a chain "
            "(give the game's folder too)"
        )
    if found.key != known.key:
        raise Refused(
            "verify/other-key",
            f"{name} is signed by another key than the game",
            "somebody else wrote it",
        )
    head = known.heads.get(found.n)
    if head is None and found.n >= known.first:
        raise Refused(
            "verify/not-there",
            f"{name}: the chain here has no state {found.n}",
            "the chain was cut, or it is an older copy",
        )
    if head is not None and head != found.head:
        raise Refused(
            "verify/rewritten",
            f"{name} belongs to another history than these states: they were rewritten",
            "keep both: together they prove it",
        )
    _check_commits(name, found, known)
    said = _check_openings(name, found, known)
    if head is None:
        here = f"is signed by the game's key; state {found.n} is not here to compare it with"
        return f"{name} {here}{said}"
    return f"{name} belongs to this chain{said}"


def _check_commits(name: str, found: Block, known: Chain) -> None:
    """The ``commit`` lines are the commitments made in this link: each, once, and no other."""
    if found.n in known.heads:
        made = {slot: c for slot, (n, c) in known.made.items() if n == found.n}
    else:  # the state is missing: what later ones still have of it is compared
        made = {slot: known.made.get(slot, (0, c))[1] for slot, c in found.commits}
    told = dict(found.commits)
    wrong = [slot for slot in {**made, **told} if made.get(slot) != told.get(slot)]
    if wrong or len(told) != len(found.commits):
        raise Refused(
            "verify/commitments",
            f"{name} has other new commitments than state {found.n}"
            + (f": {min(wrong)}" if wrong else ""),
            "keep both: together they prove that one of them lies",
        )


def _check_openings(name: str, found: Block, known: Chain) -> str:
    """P5: every opening against what was committed when it was dealt; how many could be checked."""
    checked = 0
    for slot, value, k in found.openings:
        n, commitment = known.made.get(slot, (_maker_or_none(slot), None))
        if commitment is None and n is not None and n < known.first:
            continue  # its commitment was in a state that is missing, and is open since
        if commitment is None or n is None or n > found.n:
            raise Refused(
                "verify/opening",
                f"{name} opens {slot}, which no state up to it commits to",
                "keep both: together they prove that one of them lies",
            )
        if not check_opening(commitment, found.game, slot, k, value):
            raise Refused(
                "verify/opening",
                f"{name} opens {slot} with a value that was not committed",
                "keep it and the states: together they prove that the referee told a lie",
            )
        checked += 1
    left = len(found.openings) - checked
    said = f", {_counted(checked)} checked" if checked else ""
    if left:
        said += f"; {_counted(left)} not checked: the states that committed to them are missing"
    return said


def _counted(number: int) -> str:
    return f"{number} opening" if number == 1 else f"{number} openings"
