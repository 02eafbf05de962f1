"""``python -m tests.mutants chang_cheng``: see CONTRIBUTING.md, Mutants."""

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import hypothesis
import pytest

from . import fresh
from .making import Mutant, mutants_of
from .quick import Quick

ENGINE = Path(__file__).parents[2] / "pbem" / "engine"
TESTS = Path(__file__).parents[1] / "engine"
#: quick tests, the same in every run; the laws of Hypothesis are for what lives
QUICK = {
    "chang_cheng": "told_chang_cheng told_openings words spelling misread answers meaning layout"
    " prospects soon setup editions rulebook cases scripts short_walk",
    "great_wall": "told_great_wall told_openings words_great_wall order_great_wall"
    " script_great_wall guess_great_wall rulebook cases_great_wall scripts",
}
BIG = ("cases", "scripts", "short_walk")
PYTEST = ["-q", "-s", "--tb=no", "--assert=plain", "-p", "no:xdist", "-p", "no:logging"]
PYTEST += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded by then


class Settings:
    """Hypothesis tries the same examples each time, and makes none smaller."""

    def pytest_sessionstart(self) -> None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutants", deadline=None, database=None, derandomize=True, phases=phases)
        hypothesis.settings.load_profile("mutants")


def main() -> None:
    """Try the mutants; a line of JSON for each, then the sums."""
    asked = _arguments()
    folder = ENGINE / asked.game
    before = {p.stem: p.read_text(encoding="utf-8") for p in sorted(folder.glob("*.py"))}
    mutants = _chosen(folder, sorted(before), asked)
    print(f"{len(mutants)} mutants", flush=True)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text("", encoding="utf-8")
    results: dict[str, str] = {}

    def report(mutant: Mutant, result: str, killer: str) -> None:
        results[mutant.name] = result
        row = {"mutant": mutant.name, "result": result, "by": killer.rpartition("/")[2]}
        row["change"] = mutant.change(before[mutant.name.partition(".")[0]])
        with asked.out.open("a", encoding="utf-8") as file:
            print(json.dumps(row), file=file)
        if len(results) % 100 == 0:
            print(time.strftime("%H:%M"), dict(Counter(results.values())), flush=True)

    late = _quickly(folder, mutants, report, asked)
    tests = _tests(asked)
    small = [name for name in tests if not any(big in name for big in BIG)]
    rounds = [tests[:2], small, tests]  # the quickest first
    for number, mutant in enumerate(late):
        result = "lived"
        for names in rounds:
            if not number and _fresh(_unchanged(mutant, before), names) != "lived":
                raise SystemExit("the tests fail without any mutant")
            result = _fresh(mutant, names) if result == "lived" else result
        report(mutant, result, "")
    total = Counter(results.values())
    share = 100 * (1 - total["lived"] / max(1, len(results)))
    print(f"{len(results)} tried, {dict(total)}, {share:.1f} % killed")


def _fresh(mutant: Mutant, names: Sequence[str]) -> str:
    return fresh.tried(mutant, [*PYTEST, *names], [Settings()])


def _chosen(folder: Path, stems: Sequence[str], asked: Any) -> list[Mutant]:
    """All mutants, or those asked for."""
    only = tuple(asked.only.split(","))
    files = tuple(f"{name.partition('.')[0]}" for name in only if name)
    mutants = [
        mutant
        for stem in stems
        if stem in files or not files
        for mutant in mutants_of(folder / f"{stem}.py", f"pbem.engine.{asked.game}")
        if mutant.name.startswith(only) and (asked.tables or mutant.function)
        if not (asked.tables_only and mutant.function)
    ]
    if asked.again:
        lines = asked.again.read_text(encoding="utf-8").splitlines()
        dead = {row["mutant"] for row in map(json.loads, lines) if row["result"] != "lived"}
        mutants = [mutant for mutant in mutants if mutant.name not in dead]
    if asked.sample and asked.sample < len(mutants):
        mutants = Random(asked.seed).sample(mutants, asked.sample)
    return mutants


def _unchanged(mutant: Mutant, before: dict[str, str]) -> Mutant:
    return mutant._replace(source=before[mutant.name.partition(".")[0]])


def _quickly(folder: Path, mutants: Sequence[Mutant], report: Any, asked: Any) -> list[Mutant]:
    """In a process of its own, for this one must not load the game. Returns what is left to do."""
    reader, writer = os.pipe()
    inside = [mutant for mutant in mutants if mutant.function]
    left = [mutant for mutant in mutants if not mutant.function]
    pid = os.fork() if inside else 0
    if inside and not pid:
        os.close(reader)
        with open(writer, "w", encoding="utf-8") as pipe:
            found: dict[str, str] = {}

            def note(mutant: Mutant, result: str, killer: str) -> None:
                place = mutant.name.rpartition(" ")[0]
                early = result == "early" or (place in quick.early and result == "lived")
                found[mutant.name] = "early" if early else result
                print(mutant.name, found[mutant.name], killer, sep="\t", file=pipe, flush=True)

            quick = Quick(folder, inside, note, asked.most)
            code = pytest.main([*PYTEST, *_tests(asked)], [Settings(), quick])
        os._exit(int(code))
    os.close(writer)
    by_name = {mutant.name: mutant for mutant in inside}
    with open(reader, encoding="utf-8") as pipe:
        for line in pipe:
            name, result, killer = line.rstrip("\n").split("\t")
            if result == "early":
                left.append(by_name[name])
            else:
                report(by_name[name], result, killer)
    return left if asked.tables else []


def _tests(asked: Any) -> list[str]:
    names = asked.tests.split(",") if asked.tests else QUICK[asked.game].split()
    return [str(TESTS / f"test_{name}.py") for name in names]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("game", choices=("chang_cheng", "great_wall"))
    parser.add_argument("--sample", type=int, help="so many of them, drawn by chance")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", default="", help="names that begin so: turn.apply,placing")
    parser.add_argument("--again", type=Path, help="but those killed in this file of results")
    parser.add_argument("--most", type=float, default=1.0, help="seconds of tests for each mutant")
    parser.add_argument("--tests", help="of tests/engine: laws,random")
    parser.add_argument("--no-tables", dest="tables", action="store_false", help="functions only")
    parser.add_argument("--tables-only", action="store_true", help="what is outside functions")
    parser.add_argument("--out", type=Path, default=Path("build/mutants.jsonl"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
