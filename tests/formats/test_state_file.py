"""The frame of a state: one byte off is noticed, and told in one line."""

import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadInput, OurFault
from pbem.formats import state_file
from pbem.formats.state_file import dump, join, parse, split

KEY = "k" * 21 + "A"
SIG = "s" * 85 + "Q"
BODY = dump({"n": 3, "boards": ["A5 free", "A6 blue"], "seats": {"red": "Ann"}})
FILE = join(BODY, KEY, SIG)


def test_there_and_back() -> None:
    assert split(FILE) == (BODY, KEY, SIG)
    assert parse(BODY) == {"pbem": 1, "n": 3, "boards": ["A5 free", "A6 blue"], "seats": {"red": "Ann"}}
    assert BODY.startswith(b"pbem = 1\n")
    assert dump(parse(BODY)) == BODY
    assert FILE.endswith(f'\n[signature]\nkey = "{KEY}"\nsig = "{SIG}"\n'.encode())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "state/empty"),
        (b"pbem = 1\n" + b"x" * state_file.SIZE_LIMIT, "state/too-large"),
        (b"\xef\xbb\xbf" + FILE, "state/bom"),
        (FILE.decode().encode("utf-16"), "state/bom"),
        (FILE.replace(b"\n", b"\r\n"), "state/crlf"),
        (FILE[:-1], "state/truncated"),
        (FILE[:-60], "state/truncated"),
        (FILE[: len(BODY) - 4], "state/truncated"),
        (BODY, "state/no-signature"),
        (FILE + b"\n", "state/trailing"),
        (FILE + b"x", "state/trailing"),
        (FILE.replace(b"kkkk", b"kk+k", 1), "state/signature"),
        (FILE.replace(b'A"\nsig', b'B"\nsig'), "state/signature"),
        (FILE.replace(b"pbem = 1", b"pbem = 2"), "state/version"),
        (FILE.replace(b"pbem = 1", b"Pbem = 1"), "state/not-a-state"),
        (b"From: a@b\n\nhi", "state/not-a-state"),
    ],
)
def test_mishaps_are_told_apart(data: bytes, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        split(data)
    assert caught.value.code == code
    assert caught.value.hint
    assert caught.value.as_line().isprintable()


def test_any_byte_of_the_tail_counts() -> None:
    for at in range(len(BODY), len(FILE)):
        changed = bytearray(FILE)
        changed[at] ^= 1
        try:
            assert split(bytes(changed)) != split(FILE)
        except BadInput:
            continue


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (BODY + b"\r\n", "state/crlf"),
        (BODY + b"\x00", "state/nul-bytes"),
        (BODY + b"\xff", "state/not-utf8"),
        (b"n = 1\n", "state/not-a-state"),
        (b"pbem = 1\nn = \n", "state/toml"),
        (b"pbem = 1\nn = 1\nn = 2\n", "state/toml"),
        (b"pbem = 1\na = " + b"[" * 5000, "state/toml"),
        (b"pbem = 1\na = " + b"9" * 5000, "state/toml"),
    ],
)
def test_a_body_that_is_none(body: bytes, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(body)
    assert caught.value.code == code


def test_an_error_names_its_line_and_quotes_nothing() -> None:
    with pytest.raises(BadInput) as caught:
        parse(b"pbem = 1\na = 1\nsecret hunter2\n")
    assert "line 3" in caught.value.message
    assert "hunter2" not in caught.value.as_line()


@pytest.mark.parametrize("value", [1.5, None, (1, 2), b"x", {"a": 1.0}, [None], {1: "x"}, {"": 1}, 2**63, "\ud800"])
def test_what_is_not_written(value: object) -> None:
    with pytest.raises(OurFault):
        dump({"x": value})


@pytest.mark.parametrize("document", [{"pbem": 2}, {"pbem": True}, {"signature": {}}])
def test_keys_that_are_the_frame_s(document: dict[str, typing.Any]) -> None:
    with pytest.raises(OurFault):
        dump(document)


def test_a_misspelt_signature_is_not_joined() -> None:
    with pytest.raises(OurFault):
        join(BODY, KEY[:-1], SIG)


_VALUES = st.recursive(
    st.text(max_size=12) | st.integers(-(2**63), 2**63 - 1) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=6), _VALUES, max_size=5))
def test_any_document_comes_back(document: dict[str, typing.Any]) -> None:
    document.pop("pbem", None)
    document.pop("signature", None)
    body = dump(document)
    assert parse(body) == {"pbem": 1, **document}
    assert body.endswith(b"\n")
    assert not body.endswith(b"\n\n")
    assert split(join(body, KEY, SIG)).body == body


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.integers(0, len(FILE)))
def test_any_bytes_are_split_or_refused(data: bytes, at: int) -> None:
    for whole in (data, b"pbem = 1\n" + data, FILE[:at] + data + FILE[at:]):
        try:
            body, key, sig = split(whole)
        except BadInput:
            continue
        assert join(body, key, sig) == whole
