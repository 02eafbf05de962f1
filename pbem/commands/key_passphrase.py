"""``pbem key passphrase``: lock the keys on this machine, or unlock them for good."""

from typing import Annotated

import typer

from pbem.commands.key import file_of
from pbem.crypto.keys import parse_key
from pbem.crypto.locked import unlock
from pbem.disk.home import Home
from pbem.errors import OurFault
from pbem.result import Result
from pbem.services.session.newest import key_in, key_text, the_home, the_key
from pbem.services.session.passphrase import NEW_FILE, new_passphrase, unlocked, unlocked_alike

KEYS = ("acting", "recovery")


def run(
    remove: Annotated[
        bool, typer.Option("--remove", help="Keep the keys without a passphrase.")
    ] = False,
) -> Result:
    """Set or change the passphrase of the keys that lie here; it is asked for twice.

    Without a terminal: PBEM_PASSPHRASE_FILE names a file with the old one, PBEM_NEW_PASSPHRASE_FILE
    one with the new one. Copies elsewhere keep the passphrase that they have.
    """
    place = the_home()
    the_key(place)  # there is one, and its old passphrase is known
    roots = _roots(place)
    fresh = "" if remove else new_passphrase(NEW_FILE)
    for name, root in roots.items():
        text = file_of(root, fresh)
        if (unlock(text, fresh) if fresh else parse_key(text)) != root:
            raise OurFault("key/read-back", "the key does not read back as it was", "report this")
        place.replace_key(name, text.encode())
    paths = [str(place.key_path(name)) for name in roots]
    what = "has no passphrase any more" if remove else "is locked with the new passphrase"
    lines = [f"{path} {what}." for path in paths]
    lines.append("Copies of the keys elsewhere are as they were: copy these files again.")
    return Result({"locked": not remove, "keys": paths}, "\n".join(lines))


def _roots(place: Home) -> dict[str, bytes]:
    """The secret of each key that lies here; one passphrase of both is asked for once."""
    found: dict[str, bytes] = {}
    first = ""
    for name in KEYS:
        data, path = place.read_key(name), place.key_path(name)
        if data is None:
            continue
        text = key_text(data, path)
        if not text.startswith("pbem-locked-"):
            key_in(text, path)  # names the file, if it is damaged
            found[name] = parse_key(text)
        elif not first:
            first, found[name] = text, unlocked(text, str(path))
        else:
            found[name] = unlocked_alike(text, str(path), first)
    return found
