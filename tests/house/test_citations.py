"""A citation names a document of this repository, and a place in it (docs/DESIGN.md law 11).

Looked at: every file that people write and read. Not looked at: what pbem itself wrote (the games
in examples/, the vectors).
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from .tree import ROOT

FOLDERS = (".ci", "benchmarks", "docs", "examples", "pbem", "templates", "tests")
ENDINGS = {"", ".md", ".py", ".toml", ".txt"}
WRITTEN_BY_PBEM = ("examples/games/*/*", "tests/vectors/games/*", "tests/vectors/crypto/*")

# What looks like a citation of ours and is none: file → what it may say.
ELSEWHERE = {
    "pbem/crypto/signing.py": {"ed25519/README.md"},  # of C2SP/CCTV, which it names
    "pyproject.toml": {"pbem/SPECIFICATION.md"},  # its place in the wheel
    "tests/house/test_citations.py": {"*"},  # its own bad examples
}

DOCUMENT = re.compile(r"[\w.*<>/-]*[\w>*-]\.md\b")
SECTIONS = re.compile(r"`?,? sections? (\d+(?:(?:, | and )\d+)*)")
QUOTES = re.compile(r'`?,? \(?("[^"]+"(?:, "[^"]+")*)')
DECISION = re.compile(r"[Dd]ecisions?(?: note)?[ /](\d{4})(?: and (\d{4}))?")
PROMISES = re.compile(r"\bP(\d{1,2})\b(?: to P?(\d{1,2})\b)?")
LAW = re.compile(r"\blaw (\d+)\b")


def _written_by_people(path: str) -> bool:
    made = any(fnmatchcase(path, pattern) for pattern in WRITTEN_BY_PBEM)
    return not made or path.endswith("README.md")


@cache
def texts() -> dict[str, str]:
    """Path → text, of all files that may cite."""
    paths = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        paths += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    named = {path.relative_to(ROOT).as_posix(): path for path in paths}
    found: dict[str, str] = {}
    for name in sorted(named):
        if named[name].suffix in ENDINGS and _written_by_people(name):
            found[name] = named[name].read_bytes().decode("utf-8", errors="replace")
    return found


@cache
def documents() -> tuple[str, ...]:
    """All documents of the repository."""
    return tuple(name for name in texts() if name.endswith(".md"))


def resolved(cited: str, here: str) -> list[str]:
    """The documents that are meant: from the root, from where it is cited, or by the end alone."""
    wanted = re.sub(r"<[^<>]*>", "*", cited).removeprefix("/")
    while wanted.startswith(("./", "../")):
        wanted = wanted.partition("/")[2]
    beside = f"{Path(here).parent.as_posix()}/{wanted}"
    if beside in documents():
        return [beside]
    return [name for name in documents() if fnmatchcase(f"/{name}", f"*/{wanted}")]


def _one_line(text: str) -> str:
    """The text with comment signs, line ends and doubled blanks taken away."""
    return re.sub(r"\s+", " ", re.sub(r"\n\s*(?:#:?|-|>)? ?", " ", text))


@cache
def _plain(name: str) -> str:
    return _one_line(texts()[name]).casefold()


def _of_a_document(line: str, here: str) -> Iterator[str]:
    for match in DOCUMENT.finditer(line):
        if any(fnmatchcase(match[0], known) for known in ELSEWHERE.get(here, ())):
            continue
        meant = resolved(match[0], here)
        if not meant:
            yield f"{match[0]}: there is no such document"
            continue
        if sections := SECTIONS.match(line, match.end()):
            for number in re.findall(r"\d+", sections[1]):
                if not any(f"\n## {number}. " in texts()[name] for name in meant):
                    yield f"{match[0]} section {number}: there is no such section"
        if quotes := QUOTES.match(line, match.end()):
            for quote in re.findall(r'"([^"]+)"', quotes[1]):
                if not any(quote.casefold() in _plain(name) for name in meant):
                    yield f'{match[0]} "{quote}": it does not say so'


def _of_a_number(line: str) -> Iterator[str]:
    design = texts()["docs/DESIGN.md"]
    for match in PROMISES.finditer(line):
        for number in filter(None, match.groups()):
            if f"\n- **P{number} " not in design:
                yield f"P{number}: docs/DESIGN.md has no such promise"
    laws = design.partition("\n## Laws of the house")[2].partition("\n## ")[0]
    for match in LAW.finditer(line):
        if f"\n{match[1]}. " not in laws:
            yield f"law {match[1]}: docs/DESIGN.md has no such law"
    for match in DECISION.finditer(line):
        for number in filter(None, match.groups()):
            if not any((ROOT / "docs" / "decisions").glob(f"{number}-*.md")):
                yield f"decision {number}: docs/decisions has no such decision"


def faults(text: str, here: str) -> list[str]:
    """Every citation in a text that leads nowhere."""
    line = _one_line(text)
    own = [] if "*" in ELSEWHERE.get(here, ()) else [*_of_a_number(line)]
    return [*_of_a_document(line, here), *own]


def test_every_citation_leads_somewhere() -> None:
    found = [f"{name}: {fault}" for name, text in texts().items() for fault in faults(text, name)]
    assert not found, "\n".join(found)


def test_every_promise_names_the_folders_whose_tests_can_fail() -> None:
    part = texts()["docs/DESIGN.md"].partition("\n## Promises")[2].partition("\n## ")[0]
    promises = re.findall(r"^- \*\*P(\d+) (.*?)(?=^- \*\*P|\Z)", part, re.MULTILINE | re.DOTALL)
    assert [int(number) for number, _ in promises] == list(range(1, 13))
    for number, text in promises:
        folders = re.findall(r"`(tests/[\w/]+)/`", text)
        assert folders, f"P{number} names no folder"
        assert all((ROOT / folder).is_dir() for folder in folders), f"P{number}"


def named_falsely(text: str) -> list[str]:
    """Every "`NAME` in `file`" of a text where no such file has that name at its top, and every
    module named that there is not. A file is told by the end of its path, a part by ``<…>``.
    """
    modules = [f"/{name}" for name in texts() if name.endswith(".py")]
    found = []
    for file in re.findall(r"`([\w/<>]+\.py)`", text):
        if not any(fnmatchcase(name, f"*/{re.sub('<.*?>', '*', file)}") for name in modules):
            found.append(f"{file}: there is no such file")
    for name, file in re.findall(r"`(\w+)` in `([\w/]+\.py)`", text):
        own = re.compile(rf"^(?:(?:def|class) )?{name}\b", re.MULTILINE)
        if not any(own.search(texts()[one[1:]]) for one in modules if one.endswith(f"/{file}")):
            found.append(f"{name}: {file} has no such name")
    return found


def test_what_contributing_names_in_a_file_is_there() -> None:
    assert named_falsely(texts()["CONTRIBUTING.md"]) == []


def test_a_name_that_a_file_has_not_is_found() -> None:
    names = "`pop_next_order` in `play/pending_orders.py`, `KEYS` in `receive.py`"
    text = f"{names}, `amend_<kind>.py`, `orders/<kind>.py`"
    assert named_falsely(text) == ["amend_<kind>.py: there is no such file", "KEYS: receive.py has no such name"]


@pytest.mark.parametrize(
    "good",
    [
        'Source: docs/SPECIFICATION.md sections 5, 7 and 9; FORMAT.md "Signed orders"; P1 to P12.',
        "Source: FORMAT.md section 3; RULES.md; pbem/engine/<game>/RULES.md; docs/decisions/0001.",
        'Source: FORMAT.md ("takes back all\nunused lines"); decision 0001, law 11.',
    ],
)
def test_a_good_citation_is_left_alone(good: str) -> None:
    assert faults(good, "pbem/cli.py") == []


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ("Source: construction.md.", "construction.md: there is no such document"),
        ("# rules/DESIGN.md", "rules/DESIGN.md: there is no such document"),
        ("FORMAT.md section\n# 99", "FORMAT.md section 99: there is no such section"),
        ("SPECIFICATION.md sections 5 and 44", "SPECIFICATION.md section 44: there is no such section"),
        ('FORMAT.md "Signed horses"', 'FORMAT.md "Signed horses": it does not say so'),
        ("kept (P13)", "P13: docs/DESIGN.md has no such promise"),
        ("P4 to P14", "P14: docs/DESIGN.md has no such promise"),
        ("docs/DESIGN.md law 70", "law 70: docs/DESIGN.md has no such law"),
        ("see decision\n0099", "decision 0099: docs/decisions has no such decision"),
        ("docs/decisions/0098", "decision 0098: docs/decisions has no such decision"),
    ],
)
def test_a_bad_citation_is_found(bad: str, fault: str) -> None:
    assert faults(bad, "pbem/cli.py") == [fault]


def _anchors(name: str) -> set[str]:
    """The places of a document that a link can name, as web pages of repositories make them."""
    headings = re.findall(r"^#+ (.*)$", texts()[name], re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(text: str, here: str) -> list[str]:
    """Relative links of a document that lead to no file, or to no heading of it."""
    found: list[str] = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if ":" in path:
            continue
        place = (ROOT / here).parent / path if path else ROOT / here
        if not place.exists():
            found.append(link)
        elif anchor:
            name = place.resolve().relative_to(ROOT.resolve()).as_posix()
            found += [link] * (anchor not in _anchors(name))
    return found


@pytest.mark.parametrize("name", documents())
def test_relative_links_resolve(name: str) -> None:
    assert broken_links(texts()[name], name) == []


def test_a_broken_link_is_found() -> None:
    text = "[a](NOTHING.md) [b](DESIGN.md#no-such) [c](#nor-this) [d](DESIGN.md#words) [e](x:y)"
    assert broken_links(text, "docs/EMAIL.md") == ["NOTHING.md", "DESIGN.md#no-such", "#nor-this"]
