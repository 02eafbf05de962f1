"""A commitment opens to one value in one slot of one game; two opening keys are strangers."""

from pbem.crypto.tokens import commit, opening_key, opens_commitment

S, HEAD = bytes(range(32)), bytes(32)


def test_opens_to_its_value_alone() -> None:
    k = opening_key(S, "game", "2/threat/07", HEAD, "+2")
    c = commit("game", "2/threat/07", k, "+2")
    assert opens_commitment(c, "game", "2/threat/07", k, "+2")
    assert not opens_commitment(c, "game", "2/threat/07", k, "+3")
    assert not opens_commitment(c, "game", "2/threat/08", k, "+2")
    assert not opens_commitment(c, "other", "2/threat/07", k, "+2")
    assert not opens_commitment(c, "game", "2/threat/07", k + b"\0", "+2")
    assert not opens_commitment(c[:-1], "game", "2/threat/07", k, "+2")
    assert not opens_commitment(b"", "game", "2/threat/07", k, "+2")


def test_an_opening_key_hangs_on_everything_in_it() -> None:
    keys = {
        opening_key(S, "game", "s", HEAD, "+2"),
        opening_key(HEAD, "game", "s", HEAD, "+2"),
        opening_key(S, "other", "s", HEAD, "+2"),
        opening_key(S, "game", "t", HEAD, "+2"),
        opening_key(S, "game", "s", S, "+2"),
        opening_key(S, "game", "s", HEAD, "+3"),
    }
    assert len(keys) == 6


def test_text_and_its_bytes_are_one_value() -> None:
    k = opening_key(S, "game", "s", HEAD, "長城")
    assert k == opening_key(S, "game", "s", HEAD, "長城".encode())
    assert opens_commitment(commit("game", "s", k, "長城"), "game", "s", k, "長城".encode())
