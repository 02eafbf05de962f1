"""The text of one vector: ``name: value`` lines, and what pbem makes of it.

Bytes stand in hex; a ``part`` or ``row`` says its type first; a ``text`` is a JSON string, since
what it spells may end in blanks. ``expect`` is a value, ``true``, ``false`` or ``refused <code>``.
"""

import json
from collections.abc import Callable

from pbem.chain.signed_state import state_hash_words
from pbem.crypto import encoding, keys, secret, signing, tokens
from pbem.errors import BadInput, Refused

Fields = dict[str, list[str]]


def write(comment: str, fields: list[tuple[str, str]], expect: str) -> str:
    """Give a vector's text."""
    lines = [("comment", comment), *fields, ("expect", expect)]
    return "".join(f"{name}: {value}\n" for name, value in lines)


def read(text: str) -> Fields:
    """Give the values of each name, in order."""
    fields: Fields = {}
    for line in text.splitlines():
        name, _, value = line.partition(": ")
        fields.setdefault(name, []).append(value)
    return fields


def parts(fields: Fields) -> list[encoding.Part]:
    """Give the ``part`` lines as values."""
    kinds: dict[str, Callable[[str], encoding.Part]] = {"hex": bytes.fromhex, "text": str, "number": int}
    split = [line.partition(" ") for line in fields.get("part", [])]
    return [kinds[kind](value) for kind, _, value in split]


def rows(fields: Fields) -> list[tuple[str, bytes]]:
    """Give the ``row`` lines: a seat and its contribution in hex."""
    split = [line.partition(" ") for line in fields.get("row", [])]
    return [(seat, bytes.fromhex(value)) for seat, _, value in split]


def outcome(fields: Fields) -> str:
    """Give what pbem answers to a vector, written as in ``expect``."""
    one = {name: values[0] for name, values in fields.items()}
    try:
        answer = OPERATIONS[one["op"]](fields, one)
    except (BadInput, Refused) as refusal:
        return f"refused {refusal.code}"
    if isinstance(answer, bool):
        return str(answer).lower()
    return answer.hex() if isinstance(answer, bytes) else answer


def _hex(one: dict[str, str], *names: str) -> list[bytes]:
    return [bytes.fromhex(one[name]) for name in names]


def _words(fields: Fields, one: dict[str, str]) -> str:
    s, head1 = _hex(one, "secret", "head1")
    words = tokens.DealWords(tokens.deal_key(s, tokens.deal_table(head1, rows(fields))))
    return " ".join(str(words(one["pile"], j)) for j in range(12))


def _verify(fields: Fields, one: dict[str, str]) -> bool:
    public, signature = _hex(one, "public", "signature")
    return signing.verify(public, one["kind"], signature, *parts(fields))


def _sign(fields: Fields, one: dict[str, str]) -> bytes:
    private = signing.private_key(bytes.fromhex(one["seed"]))
    return signing.sign(private, one["kind"], *parts(fields))


def _opening_key(_: Fields, one: dict[str, str]) -> bytes:
    s, head = _hex(one, "secret", "head")
    return tokens.opening_key(s, one["game"], one["slot"], head, one["value"])


def _commit(_: Fields, one: dict[str, str]) -> bytes:
    return tokens.commit(one["game"], one["slot"], bytes.fromhex(one["k"]), one["value"])


def _check_opening(_: Fields, one: dict[str, str]) -> bool:
    c, k = _hex(one, "commitment", "k")
    return tokens.opens_commitment(c, one["game"], one["slot"], k, one["value"])


def _sealer(one: dict[str, str]) -> tokens.Sealer:
    n = int(one["n"])
    s, head = _hex(one, "secret", "head")
    return tokens.Sealer(tokens.state_key(s, one["game"], n, head), one["game"], n)


def _seal(_: Fields, one: dict[str, str]) -> str:
    return _sealer(one).seal(one["slot"], bytes.fromhex(one["value"]), int(one["size"]))


def _open(_: Fields, one: dict[str, str]) -> bytes:
    return _sealer(one).open(one["slot"], one["token"], int(one["size"]))


def _unwrap(_: Fields, one: dict[str, str]) -> bytes:
    root, wrapped = _hex(one, "root", "wrapped")
    return secret.unwrap(wrapped, keys.RefereeKey(root).wrapping)


def _referee(_: Fields, one: dict[str, str]) -> str:
    referee = keys.RefereeKey(bytes.fromhex(one["root"]))
    return f"{referee.public.hex()} {referee.wrap_public.hex()} {referee.id}"


def _unb64(_: Fields, one: dict[str, str]) -> bytes:
    return encoding.unb64(json.loads(one["text"]), int(one["length"]))


def _locked(one: dict[str, str]) -> tuple[bytes, str, bytes]:
    root, fresh = _hex(one, "root", "fresh")
    return root, json.loads(one["passphrase"]), fresh


OPERATIONS: dict[str, Callable[[Fields, dict[str, str]], bytes | str | bool]] = {
    "pae": lambda fields, _: encoding.pae(*parts(fields)),
    "prf": lambda fields, one: encoding.prf(*_hex(one, "key"), *parts(fields)),
    "unb64": _unb64,
    "game-id": lambda _, one: encoding.game_id(*_hex(one, "file")),
    "key-id": lambda _, one: signing.key_id(*_hex(one, "public")),
    "sign": _sign,
    "verify": _verify,
    "words": _words,
    "opening-key": _opening_key,
    "commit": _commit,
    "check-opening": _check_opening,
    "seal": _seal,
    "open": _open,
    "commit-secret": lambda _, one: tokens.commit_secret(*_hex(one, "secret")),
    "unwrap": _unwrap,
    "referee": _referee,
    "head-words": lambda _, one: state_hash_words(*_hex(one, "head")),
    "lock": lambda _, one: json.dumps(keys.lock_key(*_locked(one))),
    "unlock": lambda _, one: keys.unlock_key(json.loads(one["text"]), json.loads(one["passphrase"])),
    "format-key": lambda _, one: json.dumps(keys.format_key(*_hex(one, "root"))),
    "parse-key": lambda _, one: keys.parse_key(json.loads(one["text"])),
}
