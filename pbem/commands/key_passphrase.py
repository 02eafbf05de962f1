"""``pbem key passphrase``: lock the keys on this machine, or unlock them for good."""

from typing import Annotated

import typer

from pbem.result import Result
from pbem.services.session import keys


def run(
    remove: Annotated[
        bool, typer.Option("--remove", help="Keep the keys without a passphrase.")
    ] = False,
) -> Result:
    """Set or change the passphrase of your keys. pbem asks for it twice.

    Without a terminal, PBEM_PASSPHRASE_FILE names a file with the old passphrase, and
    PBEM_NEW_PASSPHRASE_FILE a file with the new one. Copies elsewhere keep the old passphrase.
    """
    place = keys.the_home()
    keys.the_key(place)  # there is one, and its old passphrase is known
    roots = keys.roots_of(place)
    paths = keys.replace_keys(place, roots, "" if remove else keys.new_passphrase(keys.NEW_FILE))
    what = "no longer has a passphrase" if remove else "is locked with the new passphrase"
    lines = [f"{path} {what}." for path in paths]
    lines.append("Copies elsewhere are unchanged, so copy these files again.")
    return Result({"locked": not remove, "keys": [str(path) for path in paths]}, "\n".join(lines))
