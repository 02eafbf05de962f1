"""At the end of a run: how often the twins differed, and which leak was found by what."""

from typing import Any

import pytest

SHOWN = ("twins", "planted")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """A line for every count and every planted leak."""
    rows: dict[str, list[str]] = {what: [] for what in SHOWN}
    for result in terminalreporter.stats.get("passed", ()):
        for what, text in getattr(result, "user_properties", ()):
            if what in rows:
                rows[what].append(str(text))
    for what, title in zip(SHOWN, ("twins a seat cannot tell apart", "planted leaks, each found")):
        if rows[what]:
            terminalreporter.section(title)
            for text in rows[what]:
                terminalreporter.write_line(text)


@pytest.fixture
def say(record_property: Any) -> Any:
    """Put a line into the summary, from whatever process a test runs in."""
    return record_property
