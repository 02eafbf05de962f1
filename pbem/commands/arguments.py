"""Arguments and options that several commands share, each with one line of help.

What must never be here: an option of a single command; the use of an option.
"""

from pathlib import Path
from typing import Annotated

import typer

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="A game's folder.")]
Root = Annotated[Path, typer.Argument(metavar="ROOT", help="A game's folder, or a folder of games.")]
Roots = Annotated[list[Path], typer.Argument(metavar="ROOT...", help="Games' folders, or folders of games.")]
OptionalRoots = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[ROOT...]", help="Games' folders, or folders of games. Default: this folder."),
]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write.")]
PageFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write it as a page for a browser.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen, and change nothing.")]
GameOptions = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game. See pbem games.")
]
