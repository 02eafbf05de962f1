"""``make bench``: whole processes against a bare interpreter, and rates inside one process.

What lives here: clocks and the table that is printed. Not allowed here: a goal (cases.py), a
failure because of a time: the exit code is 0 whatever comes out.
Method (CONTRIBUTING.md "Measuring"): an installed pbem with its bytecode, no PYTHON* variables,
cases and the bare interpreter in turn inside each round, the median of the ratios of the rounds.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import inside
import post_bench
from cases import CASES, Case

ROUNDS = 15
BIN = Path(sys.executable).parent


def clocked(command: list[str | Path], folder: Path) -> float:
    """Milliseconds for one process; it must end well. Its keys lie in ``folder``/home."""
    given = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**given, "PBEM_HOME": str(folder / "home")}
    begin = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return (time.perf_counter() - begin) * 1000


def ready(case: Case, folder: Path) -> None:
    """Lay down what a case needs, from nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if case.prepare:
        case.prepare(BIN / "pbem", folder)


def possible(case: Case, folder: Path) -> str:
    """Try a case once, which also fills the page cache; why not, if it cannot be run."""
    try:
        ready(case, folder)
        clocked([BIN / "pbem", *case.arguments], folder)
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or error.stdout or b"").decode(errors="replace").splitlines()
        return lines[0] if lines else f"exit code {error.returncode}"
    return ""


def measure(cases: list[Case], root: Path, rounds: int) -> dict[str, list[float]]:
    """Milliseconds per round of every case, and of the bare interpreter under ""."""
    times: dict[str, list[float]] = {"": [], **{case.name: [] for case in cases}}
    for _ in range(rounds):
        times[""].append(clocked([sys.executable, "-c", "pass"], root))
        for case in cases:
            if case.fresh:
                ready(case, root / case.name)
            times[case.name].append(clocked([BIN / "pbem", *case.arguments], root / case.name))
    return times


def main() -> None:
    """Measure everything that can be run here and print it."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as name:
        root = Path(name)
        reasons = {case.name: possible(case, root / case.name) for case in CASES}
        times = measure([case for case in CASES if not reasons[case.name]], root, rounds)
        bare = times[""]
        print(f"python -c pass: {statistics.median(bare):.1f} ms, {rounds} rounds\n")
        print(f"{'whole process':28}{'ms':>8}{'x bare':>8}{'goal':>8}")
        for case in CASES:
            if reasons[case.name]:
                print(f"{case.name:28}  not run: {reasons[case.name]}")
                continue
            took = times[case.name]
            ratio = statistics.median(t / b for t, b in zip(took, bare, strict=True))
            late = "" if ratio <= case.goal else "  over"
            print(f"{case.name:28}{statistics.median(took):8.1f}{ratio:8.2f}{case.goal:8.1f}{late}")
        print(f"\n{'inside one process':28}{'':8}{'':8}{'goal':>12}")
        for line in inside.lines(root):
            print(line)
        print()
        for line in post_bench.lines(root, clocked):
            print(line)


if __name__ == "__main__":
    main()
