"""Joining in two steps, by commands on real files: fair for who joins with a key (P4, P8, P2)."""

import importlib.util
import sys
from pathlib import Path

if "durability" not in sys.modules:  # its games, where pbem is tested as installed
    _where = Path(__file__).parents[2] / "durability"
    _spec = importlib.util.spec_from_file_location(
        "durability", _where / "__init__.py", submodule_search_locations=[str(_where)]
    )
    assert _spec is not None
    assert _spec.loader is not None
    sys.modules["durability"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["durability"])
games = importlib.import_module("durability.games")
