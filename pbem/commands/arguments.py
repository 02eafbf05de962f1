"""Arguments and options that several commands share, each with one line of help.

Not allowed here: an option of a single command; the use of an option.
"""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

Directory = Annotated[Path, Argument(metavar="DIR", help="A game's folder.")]
Root = Annotated[Path, Argument(metavar="ROOT", help="A game's folder, or a folder of games.")]
Roots = Annotated[list[Path], Argument(metavar="ROOT...", help="Games' folders, or folders of games.")]
OptionalRoots = Annotated[
    list[Path] | None, Argument(metavar="[ROOT...]", help="Folders of games. Default: this folder.")
]
Output = Annotated[Path, Option("-o", "--output", metavar="FILE", help="The file to write.")]
PageFile = Annotated[Path | None, Option(metavar="FILE", help="Also write it as a page for a browser.")]
DryRun = Annotated[bool, Option("--dry-run", help="Show what would happen, and change nothing.")]
GameOptions = Annotated[list[str] | None, Option(metavar="NAME=VALUE", help="An option of the game. See pbem games.")]
