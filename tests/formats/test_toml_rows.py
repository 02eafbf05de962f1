"""What the quick reader of our own TOML takes, tomllib takes the same; the rest it leaves alone."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.formats.toml import dump, parse_own_spelling

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"

plain = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\\", include_characters="\n"), max_size=9
)
value = st.one_of(plain, st.booleans(), st.integers(min_value=-(10**17), max_value=10**17), st.lists(plain, max_size=4))
key = st.text("abcXYZ019_-", min_size=1, max_size=5)


fields = st.dictionaries(key, value, max_size=4)


@given(fields, fields, st.dictionaries(key, fields, min_size=1, max_size=3))
def test_what_we_write_is_read(top: dict[str, object], inner: dict[str, object], deep: dict[str, object]) -> None:
    document = {**top, "position": inner, "seats": {**inner, **deep}, "players": deep}
    assert parse_own_spelling(dump(document)) == document


PIECES = [
    "a", "b.c", '"q"', " = ", "=", "1", "-0", "+1", "01", "1_0", "1.5", "true", "[]", "[ ]", "[\n",
    '    "x",\n', '    "x"\n', '"x"', "'x'", '"""', '"\\n"', '"a\\""', '"\\\\n"', "]",
    "[t]", "[t.u]", "[u]", "[t.u.v]",
    "[[t]]", "[ t ]", "\n", "\r\n", "[t]\n", "[t.u]\n", "[u.t]\n", "u = 1\n", "\t",
    "# c", " ", "é", "\x00", "{}", "1979-05-27", '    "a,\n    b",\n',
]  # fmt: skip
lines = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(st.one_of(lines, lines.map(lambda text: f'a = "x"\n{text}\nb = [\n    "y",\n]\n')))
def test_what_it_reads_tomllib_reads_the_same(text: str) -> None:
    found = parse_own_spelling(text)
    if found is not None:
        assert tomllib.loads(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\na = 2\n", "[t]\na = 1\n[t]\n", 't = 1\n[t]\n', 'a = "\\u0041"\n', "a = 01\n",
        "[t.u]\n[t]\n", "[t.u]\n[t.u]\n", "[t]\nu = 1\n[t.u]\n", "t = 1\n[t.u]\n",
        "[t.u.v]\n", "[t . u]\n", 'a = ["x"]\n', "a = 1",
        'a = "x" # c\n', "\ufeffa = 1\n", 'a = "\t"\n', "a = 1\r\n",
    ],
)  # fmt: skip
def test_any_other_spelling_is_left_to_tomllib(text: str) -> None:
    assert parse_own_spelling(text) is None


@pytest.mark.parametrize("game", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_every_state_of_an_example_is_read_quickly(game: str) -> None:
    for path in (EXAMPLES / game / "states").iterdir():
        text = path.read_text("utf-8")
        assert parse_own_spelling(text) == tomllib.loads(text)
