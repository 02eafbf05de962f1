"""Bytes as words that people can say: five letters for 16 bits, consonants and vowels in turn.

What lives here: ``spoken`` and its alphabet. What must never be here: what the bytes are.
Law: 65,536 words, all different, of one length; no list of words is shipped.
Source: decision 0005; proquints (Wilkerson, arXiv:0901.4016), whose alphabet this is.
"""

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"


def spoken(data: bytes) -> tuple[str, ...]:
    """A word for every two bytes, ValueError for an odd number: ``7f 00 00 01`` is lusab babad."""
    if len(data) % 2:
        raise ValueError("words are made of two bytes each")
    return tuple(_word(int.from_bytes(data[at : at + 2], "big")) for at in range(0, len(data), 2))


def _word(number: int) -> str:
    return (
        CONSONANTS[number >> 12]
        + VOWELS[number >> 10 & 3]
        + CONSONANTS[number >> 6 & 15]
        + VOWELS[number >> 4 & 3]
        + CONSONANTS[number & 15]
    )
