"""``pbem key``: the referee's keys."""

from typing import Annotated

from typer import Option

from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey, new_root
from pbem.crypto.signing import key_id
from pbem.disk.home import Home
from pbem.result import Result
from pbem.services.session import keys


def run_new(
    with_passphrase: Annotated[
        bool, Option("--passphrase", help="Lock both keys with a passphrase, which pbem asks for.")
    ] = False,
) -> Result:
    """Make the referee's two keys: one to use, and a recovery key to store elsewhere."""
    passphrase = keys.ask_new_passphrase(keys.PASSPHRASE_FILE) if with_passphrase else ""
    roots = {"acting": new_root(), "recovery": new_root()}
    paths = keys.write_new_keys(keys.open_home(), roots, passphrase)
    acting_key = RefereeKey(roots["acting"])
    lines = [
        f"Your key is {acting_key.id}.",
        f"It is in {paths['acting']} and signs your games. Keep a second copy (a USB stick will do).",
        f"The recovery key is in {paths['recovery']}. It can take over your games if the first key is lost.",
        "Move the recovery key off this machine. Games do not need it to continue.",
        "Anyone who has either file can read everything hidden in your games."
        if not passphrase
        else "Anyone who has either file and the passphrase can read everything hidden in your "
        "games. Nobody can recover a forgotten passphrase.",
    ]
    data = {"id": acting_key.id, "acting": str(paths["acting"]), "recovery": str(paths["recovery"])}
    return Result(data, "\n".join(lines))


def run_show(
    export_only: Annotated[bool, Option("--export", help="Print only the public line, for another referee.")] = False,
) -> Result:
    """Show the public half of the key, where its files are, and what to copy where."""
    home = keys.open_home()
    public_halves = keys.public_keys_of(home, "acting")
    if public_halves is None:
        raise keys.no_key_error(home)
    signing_half, _ = public_halves
    export_line = " ".join(map(b64, public_halves))
    has_recovery_key = home.read_key("recovery") is not None
    has_passphrase = keys.is_locked(home)
    data = {
        "id": key_id(signing_half),
        "public": b64(signing_half),
        "acting": str(home.key_path("acting")),
        "recovery": str(home.key_path("recovery")) if has_recovery_key else None,
        "locked": has_passphrase,
        "export": export_line,
    }
    if export_only:
        return Result(data, export_line)
    lines = [
        f"Your key is {data['id']}. Its public half is {data['public']}.",
        f"It is in {home.key_path('acting')}. Keep a second copy.",
        *_copy_advice(home, has_recovery_key, has_passphrase),
    ]
    return Result(data, "\n".join(lines))


def _copy_advice(home: Home, has_recovery_key: bool, has_passphrase: bool) -> list[str]:
    """Return lines that say which files to copy where, and why."""
    return [
        "What to copy where:",
        f"1. {home.key_path('acting')}: copy it to a USB stick. It lets you continue on another machine.",
        f"2. {home.key_path('recovery')}: move it off this machine, to two places that do not burn together."
        " If key 1 is lost, it appoints a new one: pbem amend DIR keys --recover FILE."
        if has_recovery_key
        else "2. The recovery key: keep it in two places that do not burn together."
        " If key 1 is lost, it appoints a new one: pbem amend DIR keys --recover FILE.",
        f"3. {home.key_path(keys.RECOVERY_PUBLIC)}: copy it with 1. Without it you cannot open a new game.",
        "4. Each game's folder with desk/: pbem backup ROOT -o FILE.",
        "The keys are locked with a passphrase. Store it in another place."
        if has_passphrase
        else "The keys have no passphrase. `pbem key passphrase` sets one.",
    ]


def run_passphrase(remove: Annotated[bool, Option("--remove", help="Remove the passphrase.")] = False) -> Result:
    """Set or change the passphrase of your keys. pbem asks for it twice.

    Without a terminal, PBEM_PASSPHRASE_FILE names a file with the old passphrase, and
    PBEM_NEW_PASSPHRASE_FILE a file with the new one. Copies of the keys keep the old passphrase.

    A command can print it for you: write unlock = ["pass", "show", "pbem"] into home.toml in your
    PBEM_HOME. It unlocks your own key, but not the recovery key.
    """
    home = keys.open_home()
    keys.load_acting_key(home)  # refuses a missing key or a wrong old passphrase
    roots = keys.read_roots(home)
    paths = keys.replace_keys(home, roots, "" if remove else keys.ask_new_passphrase(keys.NEW_PASSPHRASE_FILE))
    change = "no longer has a passphrase" if remove else "is locked with the new passphrase"
    lines = [f"{path} {change}." for path in paths]
    if not remove and keys.unlock_command(home):
        settings = home.path / keys.SETTINGS_FILE
        lines.append(f"The command in {settings} must print the new passphrase from now on.")
    lines.append("Other copies are unchanged, so copy these files again.")
    return Result({"locked": not remove, "keys": [str(path) for path in paths]}, "\n".join(lines))
