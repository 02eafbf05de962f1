"""Arguments and options that several commands share, each with its one line of help.

What must never be here: an option of one command alone, what is done with any.
"""

from pathlib import Path
from typing import Annotated

import typer

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="A game's folder.")]
Root = Annotated[Path, typer.Argument(metavar="ROOT", help="A game's folder, or a folder of games.")]
Roots = Annotated[list[Path], typer.Argument(metavar="ROOT...", help="Games' folders, or folders of games.")]
OptionalRoots = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[ROOT...]", help="Games' folders, or folders of games; without it, this folder."),
]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write it.")]
PageFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Write it as a page for a browser, too.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")]
GameOptions = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; see pbem games.")
]
