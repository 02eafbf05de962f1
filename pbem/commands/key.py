"""``pbem key``: the referee's keys."""

from typing import Annotated

import typer

from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey, new_root
from pbem.crypto.signing import key_id
from pbem.disk.home import Home
from pbem.result import Result
from pbem.services.session import keys


def run_new(
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase",
            help="Lock both keys with a passphrase: pbem asks, or reads PBEM_PASSPHRASE_FILE.",
        ),
    ] = False,
) -> Result:
    """Make the referee's two keys: one to work with, one to keep elsewhere."""
    place, secret = keys.the_home(), keys.new_passphrase(keys.FILE) if passphrase else ""
    roots = {"acting": new_root(), "recovery": new_root()}
    paths = keys.keep_keys(place, roots, secret)
    acting = RefereeKey(roots["acting"])
    lines = [
        f"Your key is {acting.id}.",
        (
            f"It is in {paths['acting']} and signs your games. Keep a second "
            "copy (a USB stick will do)."
        ),
        (
            f"The recovery key is in {paths['recovery']}. It can take your games over if "
            "the first is lost."
        ),
        "Move the recovery key off this machine; games go on without it.",
        "Anyone who has either file can read everything hidden in your games."
        if not secret
        else "Anyone who has either file and the passphrase can read everything hidden in your "
        "games. Nobody can recover a forgotten passphrase.",
    ]
    data = {"id": acting.id, "acting": str(paths["acting"]), "recovery": str(paths["recovery"])}
    return Result(data, "\n".join(lines))


def run_show(
    export: Annotated[
        bool,
        typer.Option(
            "--export",
            help="Print only the public line, which another referee needs to hand you a game.",
        ),
    ] = False,
) -> Result:
    """Show the public half of the key, where its files are, and what to copy where."""
    place = keys.the_home()
    acting = keys.publics_of(place, "acting")
    if acting is None:
        raise keys.no_key(place)
    public, line = b64(acting[0]), " ".join(map(b64, acting))
    there = place.read_key("recovery") is not None
    locked = keys.is_locked(place)
    data = {
        "id": key_id(acting[0]),
        "public": public,
        "acting": str(place.key_path("acting")),
        "recovery": str(place.key_path("recovery")) if there else None,
        "locked": locked,
        "export": line,
    }
    if export:
        return Result(data, line)
    where = "is still in" if there else "is no longer on this machine (well done); it was in"
    if not there and place.read_key(keys.PUBLIC) is None:  # nothing shows that there ever was one
        where = "and its public half are missing, so you cannot open games; they belong in"
    lines = [
        f"Your key is {key_id(acting[0])}; its public half is {public}.",
        f"It is in {place.key_path('acting')}. Keep a second copy.",
        f"The recovery key {where} {place.key_path('recovery')}.",
        *_copies(place, there, locked),
    ]
    return Result(data, "\n".join(lines))


def _copies(place: Home, there: bool, locked: bool) -> list[str]:
    """What to copy where, and what for."""
    recovery = (
        f"2. {place.key_path('recovery')}: move it off this machine, to two places that do not "
        "burn together."
        if there
        else "2. The recovery key: keep it in two places that do not burn together."
    )
    return [
        "What to copy where:",
        f"1. {place.key_path('acting')}: copy it to a USB stick. It lets you go on elsewhere.",
        f"{recovery} If key 1 is lost, it appoints a new one: pbem amend DIR keys --recover FILE.",
        f"3. {place.key_path(keys.PUBLIC)}: copy it with 1. Without it you cannot open a new game.",
        "4. Each game's folder, desk/ and all: pbem backup ROOT -o FILE.",
        "The keys are locked with a passphrase: keep that apart from them."
        if locked
        else "The keys have no passphrase: pbem key passphrase sets one.",
    ]


def run_passphrase(
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
