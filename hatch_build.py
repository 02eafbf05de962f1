"""Build hook: compiles templates/ to Python modules inside the wheel.

What lives here: the hook alone. Not allowed here: a setting of the Jinja environment. Those
stand in pbem/report/render.py and are imported from there, so that what was compiled is what is loaded.
Law: an installed pbem never compiles a template (it would cost 14 ms a run); same tree, same bytes.
Jinja writes names in the order of a set, so the compiler runs in a process with a fixed hash seed.
An editable install gets nothing from here: it reads ../templates as they are.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = "_compiled_templates"  #: as pbem/report/render.py looks for it


class CompileTemplates(BuildHookInterface[Any]):
    """Adds pbem/_compiled_templates/ to every wheel that is not an editable one."""

    PLUGIN_NAME = "custom"
    folder = ""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a folder of our own and have it put into the wheel."""
        if version == "editable":
            return
        self.folder = tempfile.mkdtemp(prefix="pbem-templates-")
        subprocess.run(  # noqa: S603 - this very file
            [sys.executable, __file__, self.root, self.folder],
            env={**os.environ, "PYTHONHASHSEED": "0"},
            check=True,
        )
        for module in sorted(Path(self.folder).iterdir()):
            build_data["force_include"][str(module)] = f"pbem/{COMPILED}/{module.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        del version, build_data, artifact_path
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def compile_templates(root: str, folder: str) -> None:
    """Compile the templates of the project in ``root`` into ``folder``."""
    sys.path.insert(0, root)
    from pbem.report.render import environment

    environment(str(Path(root) / "templates")).compile_templates(folder, zip=None, ignore_errors=False)


if __name__ == "__main__":
    compile_templates(*sys.argv[1:])
