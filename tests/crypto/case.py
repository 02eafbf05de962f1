"""What vectors are made of: the names and keys all of them use, and changing one field."""

Fields = list[tuple[str, str]]
# Name, comment, fields, expect. Where expect is None the vector takes what pbem answers.
Case = tuple[str, str, Fields, str | None]

SECRET, HEAD, OTHER_HEAD = bytes(range(32)), bytes(range(32, 64)), bytes(range(64, 96))
SEED, ROOT, OTHER_ROOT = bytes(range(96, 128)), bytes(range(128, 160)), bytes(range(160, 192))
GAME, OTHER_GAME = "mfzwizltmfzwizltmfzwizltaa", "mfzwizltmfzwizltmfzwizltab"
SLOT, OTHER_SLOT = "2/threat/07", "2/threat/08"
KINDS = ("state", "join", "opening", "order", "consent", "receipt", "report", "keys", "archive")


def change(fields: Fields, **new: str) -> Fields:
    """Give the fields with some of them replaced."""
    return [(name, new.get(name, value)) for name, value in fields]
