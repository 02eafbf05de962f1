"""Example games as archives, and states changed and signed anew.

What lives here: the examples with their secrets, an audit of bytes in hand, one leaf of a document
changed. Not allowed here: an expectation.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.chain.rulings.kinds import check_operands
from pbem.chain.signed_state import read_verified_record, sign_state, state_hash_of
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.keys import RefereeKey, parse_key
from pbem.formats import state_file
from pbem.play.pending_file import encode_committed_values
from pbem.proof.audit.archive import TRANSCRIPT, Archive, ArchiveTexts, read_pending
from pbem.proof.audit.audit import Audit, TrustAnchors
from pbem.proof.audit.findings import Replay, ReplayedState, SignedState
from pbem.proof.audit.replay import replay_state
from pbem.services.prove.audit import audit_archive, load_rules

GAMES = Path(__file__).parents[3] / "examples" / "games"
EXAMPLES = sorted(path.parent.name for path in GAMES.glob("*/game.toml"))
THIEF = RefereeKey(b"t" * 32)
Leaf = tuple[str | int, ...]
#: a transcript that says something else
OTHER_WORDS = ArchiveTexts("pbem 0", {TRANSCRIPT: b"x\n"})


def key_of(name: str) -> RefereeKey:
    """The acting referee of an example."""
    path = GAMES / name / "throw-away-keys" / "acting.key"
    return RefereeKey(parse_key(path.read_text(encoding="ascii")))


def example(name: str) -> Archive:
    """The states and the secret of an example."""
    folder = GAMES / name
    states = {int(path.stem): path.read_bytes() for path in folder.glob("states/*.toml")}
    text = (folder / "throw-away-keys" / "secret").read_text(encoding="ascii").strip()
    hands = read_pending((folder / "hands").read_bytes())
    return Archive(dict(sorted(states.items())), unb64(text, 32), pending_values=hands)


def with_hands(game: Path, source: Path) -> None:
    """The desk of an example has what waited before each state."""
    (game / "desk" / "hands").mkdir()
    for n, values in read_pending((source / "hands").read_bytes()).items():
        (game / "desk" / "hands" / f"{n}.toml").write_bytes(encode_committed_values(values))


def audited(states: dict[int, bytes], secret: bytes, hands: Any = None) -> Audit:
    """The audit of these states, and of what waited where it is given."""
    return audit_archive(Archive(states, secret, pending_values=hands), TrustAnchors())


def signed(raw: bytes, key: RefereeKey) -> SignedState:
    """A state taken apart, as an audit does it."""
    record = check_operands(read_verified_record(raw, key.public))
    return SignedState(state_file.split(raw).body, record, state_hash_of(raw))


def replayed(contents: Archive, key: RefereeKey, *others: RefereeKey) -> Replay:
    """The whole game, played again and found right; by other referees too, who went on."""
    first = read_verified_record(contents.states[0], key.public)
    past = dict[int, ReplayedState]()
    run = Replay(load_rules(first)[0], contents.secret, contents.states[0], past, {}, contents.pending_values)
    for raw in contents.states.values():
        replay_state(run, signed(raw, signer(raw, key, *others)))
    return run


def signer(raw: bytes, *keys: RefereeKey) -> RefereeKey:
    """Which of these signed a state."""
    name = state_file.split(raw).key
    return next(key for key in keys if key.id == name)


def document_of(raw: bytes) -> dict[str, Any]:
    """What a state says."""
    return state_file.parse(state_file.split(raw).body)


def leaves(value: Any, path: Leaf = ()) -> Iterator[Leaf]:
    """The way to every number and every word of every text in a document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    elif isinstance(value, str):
        yield from ((*path, at) for at in range(len(value.split(" "))))
    else:
        yield path


def kind_of(document: dict[str, Any], path: Leaf) -> tuple[str, ...]:
    """What sort of leaf it is: the same word of another row is of the same."""
    value: Any = document
    found = []
    for part in path:
        if isinstance(value, str):
            name, sign, _ = value.split(" ")[int(part)].partition("=")
            found.append(name.partition(":")[0] if sign else str(part))
        else:
            if isinstance(value, dict):
                found.append(str(part))
            value = value[part]
            if path[0] in ("events", "rulings") and isinstance(value, str):
                found.append(value.partition(" ")[0])
    return tuple(found)


def altered(document: dict[str, Any], path: Leaf) -> dict[str, Any]:
    """The document with that one leaf changed: a number by one, a word in its last character."""
    copy = {k: copied(v) for k, v in document.items()}
    if path[0] == "time":  # another time, and not no time at all
        seconds = copy["time"][-3:-1]
        return copy | {"time": f"{copy['time'][:-3]}{(int(seconds) + 1) % 60:02d}Z"}
    place: Any = copy
    way = list(path)
    while len(way) > 1 and not isinstance(place[way[0]], str):
        place = place[way.pop(0)]
    old = place[way[0]]
    if isinstance(old, int):
        place[way[0]] = old + 1
    else:
        words = old.split(" ")
        words[int(way[1])] = other_text(words[int(way[1])])
        place[way[0]] = " ".join(words)
    return copy


def copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: copied(v) for k, v in value.items()}
    return list(value) if isinstance(value, list) else value


def other_text(text: str) -> str:
    """Another text of the same shape: the last letter or digit is another one."""
    for at in range(len(text) - 1, -1, -1):
        if text[at].isalnum():
            return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
    return text + "A"


def resigned(document: dict[str, Any], key: RefereeKey) -> bytes:
    """The state of a document, signed by whoever holds ``key``."""
    body = state_file.dump({**document, "pbem": 1})
    body = body.replace(b"pbem = 1\n", f"pbem = {document['pbem']}\n".encode(), 1)
    return sign_state(body, key.signing, key.public)


def dumped(document: dict[str, Any]) -> bytes | None:
    """The body of any document, also of one that pbem would not write; None where TOML cannot."""
    import tomli_w

    try:
        return tomli_w.dumps(document).encode()
    except (TypeError, ValueError, UnicodeError):
        return None


def b64_of(data: bytes) -> str:
    """As a report shows it."""
    return b64(data)
