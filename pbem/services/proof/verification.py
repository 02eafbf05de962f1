"""``pbem verify``: what is genuine in folders, archives, single states, reports and receipts.

What lives here: telling what a path holds, the verdict on it as a row of the answer. What must
never be here: what makes a chain or a block genuine (moderator/verify); the rules of a game.
Law: who knows the game's id, or the referee's public key, finds out any change, without a secret.
Source: docs/SPECIFICATION.md section 12; docs/JSON.md "verify".
"""

from pathlib import Path
from typing import Any

from pbem.crypto.encoding import game_id
from pbem.crypto.signing import key_id
from pbem.disk.folder import GameFolder
from pbem.disk.reading import read, read_input
from pbem.errors import BadInput, PbemError, Refused
from pbem.files.ustar import refuse_others
from pbem.moderator.chain import people
from pbem.moderator.chain.signed_state import (
    genuine_link,
    head_words,
    self_signed_link,
    state_number,
    succession,
)
from pbem.moderator.report import block
from pbem.moderator.report.block import ReceiptBlock, find_blocks, find_receipt_blocks
from pbem.moderator.verify.together import Given, check_block, check_receipt, same_game
from pbem.moderator.verify.verify import check_chain, follows, genesis_key
from pbem.services.proof.archive import is_archive, verify_archive
from pbem.services.session.keys import own_public, the_home

LIMIT = 4 * 1024 * 1024
ABOVE = "only the block at its foot is signed, not the text above"


def verdicts(paths: list[Path], key: bytes | None, game: str | None) -> list[dict[str, Any]]:
    """A row for each path, in their order; ``exit`` in it is its exit code."""
    chains = Given()
    # folders and archives first: the reports given with them are compared with their chains
    whole = [path.is_dir() or is_archive(path) for path in paths]
    ordered = sorted(range(len(paths)), key=lambda i: not whole[i])
    found = {i: _one(paths[i], key, game, chains) for i in ordered}
    return [_round(found[i], chains) for i in range(len(paths))]


def _one(path: Path, key: bytes | None, game: str | None, chains: Given) -> dict[str, Any]:
    """One path's verdict: genuine, not genuine, or unreadable."""
    try:
        says, data = (
            _folder(path, key, game, chains) if path.is_dir() else _file(path, key, game, chains)
        )
    except Refused as error:
        return _not_genuine(str(path), error)
    except PbemError as error:
        return {
            "path": str(path),
            "verdict": "unreadable",
            "code": error.code,
            "says": error.line(),
            "exit": error.exit_code,
        }
    return {"path": str(path), "verdict": "genuine", **data, "says": says, "exit": 0}


def _not_genuine(path: str, error: Refused) -> dict[str, Any]:
    gone = error.code == "verify/lost"  # by a ruling: no part of this game now, and no forgery
    return {
        "path": path,
        "verdict": "lost" if gone else "not genuine",
        "code": error.code,
        "says": f"{'LOST' if gone else 'NOT genuine'}: {error.line()}",
        "exit": 1,
    }


def _round(row: dict[str, Any], chains: Given) -> dict[str, Any]:
    """A whole game's verdict, with what is to be said of the round before it."""
    known = chains.get(row.get("game", ""))
    if "last" not in row or known is None or known.last is None:
        return row
    if known.last.setup.round == 1 and known.last.setup.previous == "none":
        return row

    try:
        return row | {"says": row["says"] + follows(known, chains)}
    except Refused as error:
        return _not_genuine(row["path"], error)


def _folder(
    path: Path, key: bytes | None, game: str | None, chains: Given
) -> tuple[str, dict[str, Any]]:
    folder = GameFolder(path)
    states = {n: folder.state(n) or b"" for n in folder.numbers()}
    newest = folder.newest_file()
    if not states and newest is None:
        raise BadInput(
            "game/none",
            f"there is no game in {path}",
            "name a game's folder, a state file or a report",
        )
    if not states:
        says, data = _state(path / "game.toml", newest or b"", key or _own_key(), game, chains)
        if known := key or _own_key():
            chains.keep(str(path), check_chain({data["n"]: newest or b""}, known, game))
        return says, data
    found = check_chain(states, key or (None if 0 in states else _own_key()), game)
    last = max(states)
    if newest is not None and newest != states[last]:
        raise Refused(
            "verify/newest",
            f"game.toml is not state {last}",
            "if a command was cut short, the referee's next command repairs it",
        )
    chains.keep(str(path), found)
    in_words = head_words(found.heads[last])
    data = {"game": found.game, "first": found.first, "last": last, "openings": found.openings}
    data["words"] = in_words
    states_said = (
        f"genuine: game {found.game}, states {found.first} to {last}, {found.openings} "
        f"openings, signed by key {key_id(found.key)}, state {last} in words: {in_words}"
    )
    ruled = [
        f"{one.name} (state {n})" for n, link in sorted(found.links.items()) for one in link.rulings
    ]
    if ruled:
        states_said += f"; rulings of the referee: {', '.join(ruled)}"
    data["rulings"] = ruled
    if not found.from_genesis:
        states_said += f"; states before {found.first} are missing and were not checked"
    return states_said, data


def _own_key() -> bytes | None:
    """This machine's referee key, if there is one: it vouches for his own games."""
    try:
        return own_public(the_home())
    except PbemError:
        return None


def _file(
    path: Path, key: bytes | None, game: str | None, chains: Given
) -> tuple[str, dict[str, Any]]:
    if is_archive(path):
        return verify_archive(path, key, game, chains)
    data = read_input(str(path), LIMIT)
    refuse_others(data)
    if data.startswith(b"pbem = "):
        return _state(path, data, key, game, chains)
    return _report(data, key, game, chains)


def _state(
    path: Path, raw: bytes, key: bytes | None, game: str | None, chains: Given
) -> tuple[str, dict[str, Any]]:
    """A single state: by the key given, by the genesis near it, by our own key."""
    near = _genesis_near(path)
    known = key or (genesis_key(near) if near else None) or _own_key()
    if known is None:
        known = genesis_key(raw) if b"\nn = 0\n" in raw[:40] else None
    if known is None:
        raise BadInput(
            "verify/no-key",
            "it is not known here who may sign this state",
            "add --key, or put states/0000.toml beside it",
        )
    if near and not key:
        known = _in_force(near, raw)
    link = genuine_link(raw, known)
    found = check_chain({link.n: raw}, known, game)
    if game is not None and found.game != game:
        raise Refused(
            "verify/other-game",
            f"this is a state of game {found.game}, not of {game}",
            "is it the right file?",
        )
    if near is not None and link.n and link.game != check_chain({0: near}, None, None).game:
        raise Refused(
            "verify/other-game",
            "it is not of the game whose states/0000.toml is beside it",
            "is it the right file?",
        )
    chains.agrees(found)
    says = (
        f"genuine: state {link.n} of game {found.game}, signed by key {key_id(known)}; "
        "the states before it were not checked"
    )
    return says, {"game": found.game, "n": link.n}


def _in_force(genesis: bytes, raw: bytes) -> bytes:
    """Whose signature a single state needs, by the referees it names after the first one."""
    first = self_signed_link(genesis).referees[0]
    rows = succession(raw, first, game_id(genesis))
    return people.in_force(rows, state_number(raw)).acting


def _genesis_near(path: Path) -> bytes | None:
    for place in (path.parent / "0000.toml", path.parent / "states" / "0000.toml"):
        if place.is_file() and place != path:
            return read(place, LIMIT)
    return None


def _report(
    data: bytes, key: bytes | None, game: str | None, chains: Given
) -> tuple[str, dict[str, Any]]:
    from pbem.files.mail.letter import read_letter, unmarked

    letter = read_letter(unmarked(data))
    text = "\n".join(line.text for line in sorted((*letter.lines, *letter.below)))
    receipts = find_receipt_blocks(text)
    if receipts and not any(block.FIRST.match(line.strip("> ")) for line in text.split("\n")):
        return _receipts(receipts, key, game, chains)
    found = find_blocks(text)
    for one in found:
        same_game("report", one.game, [game] if game else chains)
    says = "; ".join(check_block(one, chains, key) for one in found)
    says += f"; {_receipts(receipts, key, game, chains)[0]}" if receipts else ""
    says += f"; {ABOVE}"
    return f"genuine: {says}", {"game": found[0].game, "n": found[0].n, "seat": found[0].seat}


def _receipts(
    found: list[ReceiptBlock], key: bytes | None, game: str | None, chains: Given
) -> tuple[str, dict[str, Any]]:
    for one in found:
        same_game("receipt", one.receipt.game, [game] if game else chains)
    says = "; ".join(check_receipt(one, chains, key) for one in found)
    first = found[0].receipt
    return f"genuine: {says}", {"game": first.game, "nr": first.nr, "seat": first.seat}
