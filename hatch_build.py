"""Build hook: compiles the templates, and writes the man page and the shell completions of a wheel.

Not allowed here: a setting of the Jinja environment (pbem/report/render.py has those), or a sentence of the
man page (it is the help of each command).
Law: an installed pbem never compiles a template (it would cost 14 ms a run); same tree, same bytes.
Jinja writes names in the order of a set, so all is made in a process with a fixed hash seed. That process imports
pbem, so the dependencies of pbem are those of its build (`require-runtime-dependencies` in pyproject.toml).
An editable install gets nothing from here: it reads ../templates as they are.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = "_compiled_templates"  #: as pbem/report/render.py looks for it
# Where man, bash, zsh and fish look for the files of a program.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/pbem",
    "zsh": "share/zsh/site-functions/_pbem",
    "fish": "share/fish/vendor_completions.d/pbem.fish",
}
MAN_PAGE = "share/man/man1/pbem.1"
PLAIN = r"\&"  #: what follows is text for man(7), whatever it begins with
OF_EVERY_COMMAND = {"--json", "--help"}  #: options that the man page leaves out: its description names both


class BuildData(BuildHookInterface[Any]):
    """Adds pbem/_compiled_templates/ and share/ to every wheel that is not an editable one."""

    PLUGIN_NAME = "custom"
    folder = ""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files in a folder of our own and have them put into the wheel."""
        if version == "editable":
            return
        self.folder = tempfile.mkdtemp(prefix="pbem-build-")
        subprocess.run(  # noqa: S603 - this very file
            [sys.executable, __file__, self.root, self.folder],
            env={**os.environ, "PYTHONHASHSEED": "0"},
            check=True,
        )
        compiled, data = Path(self.folder, COMPILED), Path(self.folder, "data")
        for module in sorted(compiled.iterdir()):
            build_data["force_include"][str(module)] = f"pbem/{COMPILED}/{module.name}"
        for name in (MAN_PAGE, *COMPLETIONS.values()):
            build_data["shared_data"][str(data / name)] = name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        del version, build_data, artifact_path
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


class ManFormatter:
    """Takes the help of a command from Typer, as its HelpFormatter does, and writes it for man(7)."""

    width = sys.maxsize  #: man(7) breaks the lines

    def __init__(self, **_: Any) -> None:
        self.parts: list[str] = []

    def write_usage(self, prog: str, args: str = "") -> None:
        """Write the heading of a command."""
        self.parts.append(f".SS {_roff(f'{prog} {args}')}\n")

    def write_paragraph(self) -> None:
        """Do nothing: ``write_text`` begins a paragraph."""

    def write_text(self, text: str) -> None:
        """Write paragraphs, which empty lines divide."""
        self.parts += [f".PP\n{_roff(part)}\n" for part in re.split(r"\n\s*\n", text)]

    @contextmanager
    def indentation(self) -> Iterator[None]:
        """Do nothing: man(7) indents."""
        yield

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Name what is neither an argument nor an option."""
        if name not in ("Arguments", "Options"):
            self.parts.append(f".SS {_roff(name)}\n")
        yield

    def write_dl(self, rows: Sequence[tuple[str, str]]) -> None:
        """Write a list of words with their meanings."""
        for word, meaning in rows:
            if not OF_EVERY_COMMAND & {*word.split(", ")}:
                self.parts.append(f".TP\n.B {_roff(word)}\n{_roff(meaning)}\n")

    def getvalue(self) -> str:
        """Return the whole text."""
        return "".join(self.parts)


def _roff(text: str) -> str:
    r"""Return text for man(7): one line, which is no request, with `words to type` in bold."""
    escaped = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return PLAIN + re.sub("`(.*?)`", r"\\fB\1\\fR", escaped)


def compile_templates(root: str, folder: Path) -> None:
    """Compile the templates of the project in ``root`` into ``folder``."""
    from pbem.report.render import environment

    environment(str(Path(root) / "templates")).compile_templates(str(folder), zip=None, ignore_errors=False)


def man_page() -> str:
    """Return the man page: what `pbem --help` and each `pbem help COMMAND` print."""
    from typer.core import TyperCommand

    from pbem import __version__
    from pbem.cli import COMMANDS, run

    TyperCommand.context_class.formatter_class = ManFormatter  # type: ignore[assignment]

    def help_of(command: str) -> str:
        with redirect_stdout(io.StringIO()) as printed:
            if run([*command.split(), "--help"]) != 0:
                sys.exit(f"there is no help of `pbem {command}`")
        return printed.getvalue()

    usage, _, text = help_of("").partition(f".SS {_roff('Commands')}")[0].partition("\n")
    _, summary, text = text.split("\n", 2)
    lines = [f'.TH PBEM 1 "" "pbem {__version__}"']
    lines += [".SH NAME", rf"pbem \- {summary.removeprefix(PLAIN).rstrip('.')}"]
    lines += [".SH SYNOPSIS", usage.removeprefix(".SS "), ".SH DESCRIPTION", text.strip()]
    lines += [".SH COMMANDS", *(help_of(command).strip() for command in COMMANDS)]
    return "\n".join(lines) + "\n"


def completion(shell: str) -> str:
    """Return Typer's script that completes pbem in ``shell``, for a folder from which the shell loads it by itself."""
    from typer._completion_shared import get_completion_script

    from pbem.cli import COMPLETION_VARIABLE

    script: str = get_completion_script(prog_name="pbem", complete_var=COMPLETION_VARIABLE, shell=shell) + "\n"
    if shell == "zsh":  # it runs the file at the first Tab, which must complete that Tab, too
        registration = "compdef _pbem_completion pbem\n"
        if not script.endswith(registration):
            sys.exit(f"Typer's script for zsh does not end with {registration}")
        script = script.removesuffix(registration) + '_pbem_completion "$@"\n'
    return script


def main(root: str, folder: str) -> None:
    """Make all files of the wheel that are made, below ``folder``."""
    sys.path.insert(0, root)
    compile_templates(root, Path(folder, COMPILED))
    texts = {MAN_PAGE: man_page(), **{path: completion(shell) for shell, path in COMPLETIONS.items()}}
    for name, text in texts.items():
        path = Path(folder, "data", name)
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
