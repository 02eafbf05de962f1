"""Vectors of what hides something: commitments, tokens, the secret, key files.

Each fault changes one thing of the good case above it.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterator

from .case import (
    GAME,
    HEAD,
    OTHER_GAME,
    OTHER_HEAD,
    OTHER_ROOT,
    OTHER_SLOT,
    ROOT,
    SECRET,
    SEED,
    SLOT,
    Case,
    Fields,
    change,
)
from .oracle import b64, hpke_seal, pae, prf, sha, token


def hidden_cases() -> Iterator[Case]:
    """Give them all."""
    for family in (commitments, tokens, secrets, key_files, locked_keys, words_of_heads):
        yield from family()


def commitments() -> Iterator[Case]:
    base = [("game", GAME), ("slot", SLOT), ("value", "+2")]
    fields = [("op", "opening-key"), ("secret", SECRET.hex()), ("head", HEAD.hex()), *base]
    yield "opening-key", "k of one slot", fields, None
    k = prf(SECRET, b"pbem/1/open", GAME.encode(), SLOT.encode(), HEAD, b"+2")
    c = sha(pae(b"pbem/1/commit", GAME.encode(), SLOT.encode(), k, b"+2"))
    yield "commit", "C of one slot", [("op", "commit"), ("k", k.hex()), *base], None
    good = [("op", "check-opening"), ("commitment", c.hex()), ("k", k.hex()), *base]
    yield "check-opening-good", "opens", good, "true"
    faults = {
        "slot": change(good, slot=OTHER_SLOT),
        "game": change(good, game=OTHER_GAME),
        "value": change(good, value="+3"),
        "key": change(good, k=SEED.hex()),
        "key-cut": change(good, k=k[:-1].hex()),
        "commitment": change(good, commitment=SEED.hex()),
    }
    for name, fields in faults.items():
        yield f"check-opening-fault-{name}", "one thing is not as committed", fields, "false"


def tokens() -> Iterator[Case]:
    base = [("secret", SECRET.hex()), ("head", HEAD.hex()), ("game", GAME), ("n", "7")]
    base += [("slot", SLOT)]
    values = {"short": b"+2", "full": b"x" * 32, "inner-nul": b"a\0b", "empty": b""}
    for name, value in values.items():
        fields = [("op", "seal"), *base, ("size", "32"), ("value", value.hex())]
        yield f"seal-{name}", "a value in 32 bytes", fields, None
    fields = [("op", "seal"), *base, ("size", "256"), ("value", b"card ? AP2".hex())]
    yield "seal-order", "an order in 256 bytes", fields, None
    kn = prf(SECRET, b"pbem/1/seal", GAME.encode(), b"7", HEAD)
    text = token(kn, GAME.encode(), b"7", SLOT.encode(), b"+2", 32)
    good = [("op", "open"), *base, ("size", "32"), ("token", text)]
    yield "open-good", "opens", good, b"+2".hex()
    for name, fault in token_faults(good, text, kn).items():
        yield f"open-fault-{name}", "does not open", fault, "refused token/does-not-open"


def token_faults(good: Fields, text: str, kn: bytes) -> dict[str, Fields]:
    return {
        "slot": change(good, slot=OTHER_SLOT),
        "game": change(good, game=OTHER_GAME),
        "link": change(good, n="8"),
        "head": change(good, head=OTHER_HEAD.hex()),
        "secret": change(good, secret=SEED.hex()),
        "size": change(good, size="256"),
        "cut": change(good, token=text[:-1]),
        "cut-by-a-byte": change(good, token=text[:-4]),
        "longer": change(good, token=text + "AAAA"),
        "blank": change(good, token=f" {text}"),
        "padded": change(good, token=text + "===="),
        "nonce": change(good, token="A" * 16 + text[16:]),
        "sealed-byte": change(good, token=text[:20] + "AAAA" + text[24:]),
        "tag": change(good, token=text[:-4] + "AAAA"),
        "foreign-nonce": change(good, token=_foreign_nonce(kn)),
        "empty": change(good, token=""),
    }


def _foreign_nonce(kn: bytes) -> str:
    """Seal as the cipher would, under the right key, but with a nonce that is not the formula's."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    bound_to = pae(b"pbem/1/token", GAME.encode(), b"7", SLOT.encode())
    padded = b"+2" + bytes(30)
    return b64(bytes(12) + ChaCha20Poly1305(prf(kn, b"key")).encrypt(bytes(12), padded, bound_to))


def secrets() -> Iterator[Case]:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    fields = [("op", "commit-secret"), ("secret", SECRET.hex())]
    yield "commit-secret", "commit_S", fields, None
    private = X25519PrivateKey.from_private_bytes(prf(ROOT, b"pbem/1/referee/wrap"))
    public = private.public_key().public_bytes_raw()
    info = pae(b"pbem/1/wrap", b"game secret", public)
    wrapped = hpke_seal(SEED, public, info, SECRET)
    good = [("op", "unwrap"), ("root", ROOT.hex()), ("wrapped", wrapped.hex())]
    yield "unwrap-good", "S, wrapped with a known ephemeral key", good, SECRET.hex()
    flipped = wrapped[:-1] + bytes([wrapped[-1] ^ 1])
    faults = {
        "other-referee": change(good, root=OTHER_ROOT.hex()),
        "flipped": change(good, wrapped=flipped.hex()),
        "cut": change(good, wrapped=wrapped[:-1].hex()),
        "empty": change(good, wrapped=""),
        "small-order": change(good, wrapped=(bytes(32) + wrapped[32:]).hex()),
        "no-info": change(good, wrapped=hpke_seal(SEED, public, b"", SECRET).hex()),
        "short": change(good, wrapped=hpke_seal(SEED, public, info, SECRET[:31]).hex()),
    }
    for name, fault in faults.items():
        yield f"unwrap-fault-{name}", "does not unwrap", fault, "refused secret/does-not-unwrap"


def key_files() -> Iterator[Case]:
    root = [("root", ROOT.hex())]
    yield "referee", "signing key, wrapping key, short name", [("op", "referee"), *root], None
    yield "format-key", "a key file", [("op", "format-key"), *root], None
    check = sha(pae(b"pbem/1/referee/check", ROOT))[:4].hex()
    first, second = "pbem-referee-key 1", b64(ROOT)
    text = f"{first}\n{second}\n{check}\n"
    good = {
        "plain": text,
        "no-last-line-end": text[:-1],
        "windows": "\ufeff" + text.replace("\n", "\r\n"),
        "blanks": text.replace("\n", " \t\n") + "\n \n",
    }
    for name, kept in good.items():
        yield f"parse-key-{name}", "the same root", _key_file(kept), ROOT.hex()
    faults = {
        "not-a-key-empty": "",
        "not-a-key-mail": f"Hello\n{text}",
        "not-a-key-indented": f" {text}",
        "not-a-key-joined": text.replace("\n", ""),
        "version": text.replace(" 1\n", " 2\n"),
        "cut-one-line": f"{first}\n",
        "cut-no-check": f"{first}\n{second}\n",
        "cut-more": f"{text}{check}\n",
        "root-short": text.replace(second, second[:-1]),
        "root-long": text.replace(second, second + "A"),
        "root-letter": text.replace(second, "+" + second[1:]),
        "root-stray-bits": text.replace(second, second[:-1] + chr(ord(second[-1]) + 1)),
        "mistyped-root": text.replace(second, "A" + second[1:]),
        "mistyped-check": text.replace(check, "00000000"),
        "mistyped-case": text.replace(check, check.upper()),
    }
    for name, kept in faults.items():
        code = "not-a-key" if name.startswith("not-a-key") else name.partition("-")[0]
        yield f"parse-key-fault-{name}", "not this text", _key_file(kept), f"refused key/{code}"


def _key_file(text: str) -> Fields:
    return [("op", "parse-key"), ("text", json.dumps(text))]


def words_of_heads() -> Iterator[Case]:
    for name, head in (("first", bytes(range(32))), ("high", bytes(255 - i for i in range(32)))):
        fields = [("op", "head-words"), ("head", head.hex())]
        yield f"head-words-{name}", "twelve bytes of a head in six words", fields, None


PHRASE = "zoë reads 12 maps"  #: in NFC


def locked_keys() -> Iterator[Case]:
    """A key file under a passphrase. Each costs half a second: so it shall a thief."""
    fresh = bytes(range(200, 228))
    text = locked(ROOT, ROOT, fresh)
    fields = [("op", "lock"), ("root", ROOT.hex()), ("fresh", fresh.hex())]
    fields.append(("passphrase", json.dumps(PHRASE)))
    yield "lock", "under a passphrase: scrypt, then ChaCha20-Poly1305", fields, json.dumps(text)
    spelt = unicodedata.normalize("NFD", PHRASE)
    yield "unlock-spelt-otherwise", "the passphrase in NFD", unlocking(text, spelt), ROOT.hex()
    wrong = "refused passphrase/wrong"
    yield "unlock-fault-passphrase", "another", unlocking(text, "zoe reads 12 maps"), wrong
    other = locked(ROOT, OTHER_ROOT, fresh)
    yield "unlock-fault-publics", "its public halves are another's", unlocking(other, PHRASE), wrong
    cut = text.replace("\n", "\n\n", 1)
    yield "unlock-fault-line", "five lines", unlocking(cut, PHRASE), "refused key/cut"


def unlocking(text: str, phrase: str) -> Fields:
    return [("op", "unlock"), ("text", json.dumps(text)), ("passphrase", json.dumps(phrase))]


def locked(root: bytes, named: bytes, fresh: bytes) -> str:
    """The file, by section 4; ``named``: whose public halves stand in it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    sign = Ed25519PrivateKey.from_private_bytes(prf(named, b"pbem/1/referee/sign"))
    wrap = X25519PrivateKey.from_private_bytes(prf(named, b"pbem/1/referee/wrap"))
    publics = [key.public_key().public_bytes_raw() for key in (sign, wrap)]
    salt, nonce = fresh[:16], fresh[16:]
    slow = {"n": 1 << 17, "r": 8, "p": 1, "dklen": 32, "maxmem": 1 << 28}
    key = hashlib.scrypt(PHRASE.encode(), salt=salt, **slow)
    bound = pae(b"pbem/1/referee/locked", salt, *publics)
    box = ChaCha20Poly1305(key).encrypt(nonce, root, bound)
    rows = ("pbem-locked-referee-key 1", " ".join(map(b64, publics)), b64(salt), b64(nonce + box))
    return "".join(f"{row}\n" for row in rows)
