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

    A command can print it for you: write unlock = ["pass", "show", "pbem"] into home.toml in your
    PBEM_HOME. It unlocks your own key only, not the recovery key.
    """
    place = keys.the_home()
    keys.the_key(place)  # there is one, and its old passphrase is known
    roots = keys.roots_of(place)
    paths = keys.replace_keys(place, roots, "" if remove else keys.new_passphrase(keys.NEW_FILE))
    what = "no longer has a passphrase" if remove else "is locked with the new passphrase"
    lines = [f"{path} {what}." for path in paths]
    if not remove and keys.unlock_command(place):
        settings = place.path / keys.SETTINGS
        lines.append(f"The command in {settings} must print the new passphrase from now on.")
    lines.append("Copies elsewhere are unchanged, so copy these files again.")
    return Result({"locked": not remove, "keys": [str(path) for path in paths]}, "\n".join(lines))
