"""The scaffolding of other test folders, for a game that is none of theirs.

What lives here: ``package``, which loads a folder of tests/ as a package of a name of its own. (The
tests run with nothing of the checkout on the path, so they cannot import each other.)
"""

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

TESTS = Path(__file__).parents[1]


def module(folder: str, name: str) -> ModuleType:
    """``tests/<folder>/<name>.py``; its relative imports work."""
    top = f"beside_{folder}"
    if top not in sys.modules:
        place = TESTS / folder
        init = str(place / "__init__.py")
        spec = spec_from_file_location(top, init, submodule_search_locations=[str(place)])
        assert spec is not None
        assert spec.loader is not None
        sys.modules[top] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[top])
    return import_module(f"{top}.{name}")
