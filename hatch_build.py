"""Build hook: compiles templates/ to Python modules inside the wheel.

What lives here: the hook alone. What must never be here: a setting of the Jinja environment. Those
stand in pbem/report/render.py and are imported from there, so that what was compiled is what is loaded.
Law: an installed pbem never compiles a template (it would cost 14 ms a run); same tree, same bytes.
An editable install gets nothing from here: it reads ../templates as they are.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTemplates(BuildHookInterface[Any]):
    """Adds pbem/_compiled_templates/ to every wheel that is not an editable one."""

    PLUGIN_NAME = "custom"
    folder = ""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a folder of our own and have it put into the wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from pbem.report.render import COMPILED, environment
        finally:
            sys.path.remove(str(root))
        self.folder = tempfile.mkdtemp(prefix="pbem-templates-")
        environment(str(root / "templates")).compile_templates(
            self.folder, zip=None, ignore_errors=False
        )
        for module in sorted(Path(self.folder).iterdir()):
            build_data["force_include"][str(module)] = f"pbem/{COMPILED}/{module.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        del version, build_data, artifact_path
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
