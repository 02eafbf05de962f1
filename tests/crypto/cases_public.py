"""Vectors of what hides nothing: joining, text forms, signatures, the words of a deal.

Each fault changes one thing of the good case above it.
"""

import json
from collections.abc import Iterator

from .case import HEAD, KINDS, ROOT, SECRET, SEED, Case, change
from .oracle import pae


def public_cases() -> Iterator[Case]:
    """Give them all, but for the keys of small order, which make_vectors adds."""
    for family in (hashes, encodings, signatures, deals):
        yield from family()


def hashes() -> Iterator[Case]:
    lists = {
        "none": [],
        "empty": ["text "],
        "two": ["text ab", "text c"],
        "two-shifted": ["text a", "text bc"],
        "number": ["text slot", "number 41"],
        "letters": ["text Größe 長城"],
        "bytes": ["hex 00ff80", "hex "],
    }
    for name, lines in lists.items():
        parts = [("part", line) for line in lines]
        joined = [("op", "pae"), *parts]
        yield f"pae-{name}", "parts joined with their number and lengths", joined, None
        keyed = [("op", "prf"), ("key", SECRET.hex()), *parts]
        yield f"prf-{name}", "HMAC-SHA256 over the PAE of the parts", keyed, None


def encodings() -> Iterator[Case]:
    good = [("op", "unb64"), ("length", "4"), ("text", json.dumps("-_8AAQ"))]
    yield "unb64-good", "four bytes, both letters that differ from base64", good, "fbff0001"
    faults = {
        "padded": "-_8AAQ==",
        "plus": "+/8AAQ",
        "stray-bits": "-_8AAR",
        "line-end": "-_8AAQ\n",
        "blank": "-_8A AQ",
        "letter": "-_8AÄQ",
        "long": "-_8AAQA",
        "short": "-_8A",
        "one-letter-over": "-_8AA",
        "empty": "",
    }
    for name, text in faults.items():
        fields = change(good, text=json.dumps(text))
        yield f"unb64-fault-{name}", "one spelling only", fields, "refused crypto/base64"
    file = b"pbem = 1\n".hex()
    game = [("op", "game-id"), ("file", file)]
    yield "game-id", "base32 of SHA-256 of the file, 26 letters", game, None
    key = [("op", "key-id"), ("public", SEED.hex())]
    yield "key-id", "the short name of a key", key, None


def signatures() -> Iterator[Case]:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes(SEED)
    public = private.public_key().public_bytes_raw()
    parts = [("part", "text lines"), ("part", "number 7"), ("part", f"hex {HEAD.hex()}")]
    for kind in KINDS:
        fields = [("op", "sign"), ("kind", kind), ("seed", SEED.hex()), *parts]
        yield f"sign-{kind}", "Ed25519 over the PAE of type and parts", fields, None
    signature = private.sign(pae(b"pbem/1/order", b"lines", b"7", HEAD))
    good = [("op", "verify"), ("kind", "order"), ("public", public.hex())]
    good += [("signature", signature.hex()), *parts]
    yield "verify-good", "genuine", good, "true"
    faults = {
        "swapped-type": change(good, kind="receipt"),
        "other-key": change(good, public=SEED.hex()),
        "key-cut": change(good, public=public[:-1].hex()),
        "signature-cut": change(good, signature=signature[:-1].hex()),
        "signature-long": change(good, signature=signature.hex() + "00"),
        "no-signature": change(good, signature=""),
        "s-plus-order": change(good, signature=_s_plus_order(signature).hex()),
        "part-missing": good[:-1],
        "part-added": [*good, ("part", "text ")],
        "parts-joined": [*good[:-3], ("part", "text lines7"), good[-1]],
    }
    for name, fields in faults.items():
        yield f"verify-fault-{name}", "not genuine", fields, "false"


def _s_plus_order(signature: bytes) -> bytes:
    """Add the group's order to S: another text of one signature, equal by arithmetic."""
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(signature[32:], "little") + order
    return signature[:32] + s.to_bytes(32, "little")


def deals() -> Iterator[Case]:
    base = [("op", "words"), ("secret", SECRET.hex()), ("head1", HEAD.hex())]
    piles = ("threat", "deck/red")
    tables = {
        "opened": [f"north {SEED.hex()}", f"south {ROOT.hex()}"],
        "mixed": [f"north {SEED.hex()}", f"south {b'my own words'.hex()}", "west "],
        "none": ["north ", "south "],
    }
    for name, lines in tables.items():
        rows = [("row", line) for line in lines]
        for pile in piles:
            fields = [*base, *rows, ("pile", pile)]
            name_of_file = f"words-{name}-{pile.replace('/', '-')}"
            yield name_of_file, "words 0 to 11 of a pile: three blocks of four", fields, None
