"""Imports run one way, and the engine is pure. Source: docs/DESIGN.md law 1, decision 0001."""

import ast
import sys
from pathlib import Path

from . import tree

# The house from the ground up. A room knows rooms of the storeys below its own, and nothing else.
STOREYS = (
    {"errors", "lazy_stdlib"},
    {"engine", "crypto", "result", "clock", "formats"},
    {"disk", "catalog", "report.render"},
    {"mail"},
    {"notation"},
    {"bots"},
    {"chain"},
    {"chain.rulings"},
    {"play.deadlines"},
    {"play"},
    {"play.proposals", "play.joining", "report"},
    {"proof", "proof.verify"},
    {"proof.audit"},
    {"services.session", "services.sentences"},
    {"services.recipients", "services.html", "services.prove"},
    {"services.outbox"},
    {"services.reports"},
    {"services.receipts", "services.messages", "services.chronicle"},
    {"services.lost_orders"},
    {"services.lock"},
    {"services.open"},
    {"services.amend"},
    {"services.receive", "services.resolve"},
    {"services.player", "services.demo"},
    {"transport"},
    {"commands"},
    {"cli"},
    {"front"},
    {"__main__"},
)
FLOOR = {room: floor for floor, rooms in enumerate(STOREYS) for room in rooms}
# Values in, values out: these rooms reach no drive, no template, no installed game.
PURE_ROOMS = ("engine", "crypto", "formats", "mail", "notation", "chain", "play", "report", "proof")
OUTSIDE = {"disk", "report.render", "catalog", "result", "bots"}
# rooms that are made of rooms
HOUSES = {"chain", "play", "proof", "services"}

# Third-party packages, and who may know them. What is not named here is not a dependency.
LIBRARIES = {
    "typer": {"cli", "commands", "services", "result"},
    "jinja2": {"report"},
    "markupsafe": {"report"},  # comes with jinja2, which escapes by it
    "cryptography": {"crypto"},
    "tomli_w": {"formats"},
    "distributed": {"services"},  # an extra, looked for where somebody asks for a cluster
}

# The engine: values in, values out. Everything else of the standard library is out of its reach.
PURE = {
    "__future__", "abc", "array", "bisect", "collections", "contextlib", "dataclasses", "enum",
    "fractions", "functools", "heapq", "itertools", "math", "operator", "re", "string", "types",
    "typing",
}  # fmt: skip
# hashlib is pure as well; hidden.py needs it to draw.
PURE_IN = {"pbem.engine.hidden": {"hashlib", "hmac"}}
# A game's maps and texts lie beside its code; reading them is Python's own import machinery.
IMPURE_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}

# What is imported inside functions, by file, and why: milliseconds saved by a start that does not
# need it, the median of nine on an idle machine; or what else keeps it from the top.
LATE = {
    "catalog.py": "importlib.metadata looks for plug-ins: 10.6; the rest comes with it",
    "report/render.py": "Jinja: 18.9",
    "crypto/keys.py": "ciphers and slow hashes, for locked keys and passwords alone: 1.8",
    "crypto/tokens.py": "ciphers, where nothing is sealed or opened: 1.4",
    "disk/mailboxes.py": "the library's mailboxes, where single emails are received: 9",
    "formats/toml.py": "tomllib: 1.7",
    "play/deadlines/options.py": "difflib, where a name is misspelt: 1.9",
    "chain/rulings/correct.py": "the laws of games: 5.1",
    "services/reports.py": "the audit of a game, where its archive is emailed: 150",
    "services/prove/audit.py": "bots, where none played",
    "services/prove/inputs.py": "emails, where none is given: 14.0",
    "services/prove/verify.py": "emails, where none is given: 14.0; keys: 2.1",
    "services/prove/workers.py": "process pools: 19.0, for many audits alone; Dask, an extra",
    "services/receive/submission.py": "what reads prose, where there is none: 3.1",
    "services/receive/play.py": "what proposes orders, where none are held: 1.2",
    "services/receive/receive.py": "answers to an invitation, after the deal: 5.9 (processor time)",
    "services/session/needs.py": "a deal that is over, an undo that nobody is asked about: 7.5",
    "services/resolve/resolve.py": "undo, rounds and bots, where there is none: 3.0",
    "proof/verify/pending_orders.py": "bisect, where no receipt is given",
    "chain/clock_words.py": "zones, where nothing is due",
    "commands/show.py": "ciphers and secrets, without --secret: 4.0; a deal that is over: 3.4",
    "commands/status.py": "as services/session/needs.py",
    "cli.py": "traceback, for faults of ours alone; completion, where a shell asks; wildcards, on Windows",
    "front.py": "--version loads nothing else",
}


FILES = tree.each(tree.modules())


def _room(module: str) -> str:
    parts = module.split(".")[1:]
    inner = ".".join(parts[:2])
    return inner if inner in FLOOR else parts[0] if parts else ""


@FILES
def test_a_room_knows_only_the_rooms_below(path: Path) -> None:
    here = _room(tree.dotted(path))
    for line, module in tree.imports(path):
        there = _room(module)
        if module.split(".")[0] != "pbem" or there in {here, "__version__", ""} or not here:
            continue
        assert FLOOR[there] < FLOOR[here], f"{path}:{line}: {here} must not know {there}"
        if here.split(".")[0] in PURE_ROOMS and here != "report.render":
            assert there not in OUTSIDE, f"{path}:{line}: {here} is pure, and {there} is not"


@tree.each(tree.ours())
def test_an_import_leads_to_a_file_of_this_checkout(path: Path) -> None:
    """A checker of types would look into the installed pbem, which may be an older one."""
    for line, module in tree.imports(path):
        parts = module.split(".")
        if parts[0] == "pbem" and len(parts) > 2:
            place = tree.ROOT.joinpath(*parts[:-1])
            there = place.with_suffix(".py").is_file() or place.joinpath("__init__.py").is_file()
            assert there, f"{path}:{line}: there is no {module}"


@FILES
def test_only_the_front_of_a_command_asks_the_time(path: Path) -> None:
    here = _room(tree.dotted(path))
    for line, module in tree.imports(path):
        asks = module.startswith("pbem.clock") or module == "time"
        stopwatch = here == "disk" and module == "time"  # a lock is waited for
        allowed = stopwatch or here in {"commands", "clock"}
        assert not asks or allowed, f"{path}:{line}: the time comes in as text"


@FILES
def test_imports_stand_at_the_top(path: Path) -> None:
    name = path.relative_to(tree.PACKAGE).as_posix()
    late = [
        inner.lineno
        for outer in ast.walk(tree.parsed(path))
        if isinstance(outer, ast.FunctionDef)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert bool(late) == (name in LATE), f"{path}: lines {late}: lift them, or measure and tell why"


#: commands that fetch or send email
WITH_TRANSPORT = {"account", "doctor", "fetch", "outbox", "send", "tick"}


def test_no_command_that_plays_or_looks_at_a_game_knows_a_mail_server() -> None:
    """But for `new`, which knows to whom the accounts belong."""
    known = {
        path
        for path in tree.modules()
        if "commands" in path.relative_to(tree.PACKAGE).parts
        and any(module.startswith("pbem.transport") for _, module in tree.imports(path))
    }
    assert {path.stem for path in known} == {"new", *WITH_TRANSPORT}


SESSION_MADE = "services/session/session.py"


@FILES
def test_a_session_is_replaced_and_never_written_into(path: Path) -> None:
    if path.relative_to(tree.PACKAGE).as_posix() == SESSION_MADE:
        return
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            written = isinstance(node.ctx, ast.Store) or node.attr == "__dict__"
            assert not written or node.value.id != "session", f"{path}:{node.lineno}: replace it"


@FILES
def test_libraries_stay_in_their_rooms(path: Path) -> None:
    here = _room(tree.dotted(path)).split(".")[0]
    for line, module in tree.imports(path):
        top = module.split(".")[0]
        if top == "pbem" or top in sys.stdlib_module_names:
            continue
        assert top in LIBRARIES, f"{path}:{line}: {top} is no dependency of pbem"
        assert here in LIBRARIES[top], f"{path}:{line}: {here} must not know {top}"


@tree.each([p for p in tree.modules() if "engine" in p.parts])
def test_the_engine_is_pure(path: Path) -> None:
    allowed = PURE | {"pbem"} | PURE_IN.get(tree.dotted(path), set())
    for line, module in tree.imports(path):
        assert module.split(".")[0] in allowed, f"{path}:{line}: the engine must not know {module}"
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in IMPURE_CALLS, f"{path}:{node.lineno}: {node.func.id}()"


def test_every_room_is_known() -> None:
    inner = {x.parent for x in tree.modules() if x.parent.parent.name in HOUSES}
    found = {_room(tree.dotted(path)) for path in tree.modules()} - {""}
    assert found | {f"{x.parent.name}.{x.name}" for x in inner} <= FLOOR.keys() | {"services"}
