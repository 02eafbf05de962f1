"""``pbem key``: the referee's keys."""

from typing import TYPE_CHECKING

from pbem.commands.result import Result
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.disk.home import Home

PUBLIC = "recovery-public"


def run_new() -> Result:
    """Make the referee's two keys: one to work with, one to keep elsewhere."""
    from pbem.commands.newest import the_home
    from pbem.crypto.keys import RefereeKey, new_root

    roots = {"acting": new_root(), "recovery": new_root()}
    paths = keep_keys(the_home(), roots)
    acting = RefereeKey.from_root(roots["acting"])
    lines = [
        f"Your key is {acting.id}.",
        (
            f"It lies in {paths['acting']}: games are signed with it. Keep a second "
            "copy (a USB stick will do)."
        ),
        (
            f"The recovery key lies in {paths['recovery']}: it can read your games if "
            "the first is lost."
        ),
        "Move the recovery key to another place than this machine; games go on without it here.",
        "Whoever has either file can read every hidden token of your games.",
    ]
    data = {"id": acting.id, "acting": str(paths["acting"]), "recovery": str(paths["recovery"])}
    return Result(data, "\n".join(lines))


def keep_keys(place: "Home", roots: dict[str, bytes]) -> dict[str, "Path"]:
    """Write both key files, and the recovery key's public half, which stays here. Their paths."""
    from pbem.crypto.encoding import b64
    from pbem.crypto.keys import RefereeKey, format_key

    paths = {name: place.write_key(name, format_key(root).encode()) for name, root in roots.items()}
    recovery = RefereeKey.from_root(roots["recovery"])
    place.write_key(PUBLIC, f"{b64(recovery.public)} {b64(recovery.wrap_public)}\n".encode())
    return paths


def run_show() -> Result:
    """Show the public half of the key, and where its files lie."""
    from pbem.commands.newest import the_home, the_key
    from pbem.crypto.encoding import b64

    place = the_home()
    key = the_key(place)
    there = place.key_path("recovery").exists()
    where = "still lies in" if there else "is not on this machine any more (well done); it was in"
    lines = [
        f"Your key is {key.id}; its public half is {b64(key.public)}.",
        f"It lies in {place.key_path('acting')}. Keep a second copy.",
        f"The recovery key {where} {place.key_path('recovery')}.",
    ]
    data = {
        "id": key.id,
        "public": b64(key.public),
        "acting": str(place.key_path("acting")),
        "recovery": str(place.key_path("recovery")) if there else None,
    }
    return Result(data, "\n".join(lines))


def recovery_publics(place: "Home") -> tuple[bytes, bytes]:
    """The recovery referee's public signing and wrapping keys, which stay when his key is
    moved away.
    """
    from pbem.crypto.encoding import unb64

    data = place.read_key(PUBLIC)
    if data is None:
        raise BadInput(
            "key/no-recovery",
            f"there is no {place.key_path(PUBLIC)}",
            (
                "put it back from a copy; if no game was opened yet, delete the keys "
                "and type pbem key new"
            ),
        )
    try:
        first, second = data.decode("ascii").split()
        return unb64(first, 32), unb64(second, 32)
    except (ValueError, BadInput):
        raise BadInput(
            "key/recovery", f"{place.key_path(PUBLIC)} is damaged", "put it back from a copy"
        ) from None
