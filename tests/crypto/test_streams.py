"""Words are a function of (KD, pile, j) alone; every seat stands in the table."""

import pytest

from pbem.crypto.tokens import DealWords, deal_key, deal_table

HEAD, SECRET = bytes(32), bytes(range(32))
ROWS = [("north", b"r" * 32), ("south", b"")]


def test_the_order_of_asking_changes_nothing() -> None:
    straight, mixed = DealWords(SECRET), DealWords(SECRET)
    wanted = {(pile, j): straight(pile, j) for pile in ("threat", "deck/red") for j in range(20)}
    asked = list(wanted) * 2
    asked.sort(key=lambda key: (key[1] * 7 % 11, key[0]))
    assert all(mixed(*key) == wanted[key] for key in asked)
    assert len(set(wanted.values())) == len(wanted)


def test_a_word_before_the_first_is_our_bug() -> None:
    with pytest.raises(ValueError, match="negative"):
        DealWords(SECRET)("threat", -1)


def test_the_table_hangs_on_everything_in_it() -> None:
    tables = [
        deal_table(HEAD, ROWS),
        deal_table(b"h" * 32, ROWS),
        deal_table(HEAD, ROWS[::-1]),
        deal_table(HEAD, ROWS[:1]),
        deal_table(HEAD, [("north", b"r" * 31), ("south", b"")]),
        deal_table(HEAD, [("north", b""), ("south", b"r" * 32)]),
    ]
    assert len(set(tables)) == len(tables)
    assert len({deal_key(SECRET, t) for t in tables}) == len(tables)
    assert deal_key(HEAD, tables[0]) != deal_key(SECRET, tables[0])


def test_a_seat_stands_once() -> None:
    with pytest.raises(ValueError, match="once"):
        deal_table(HEAD, [("north", b"a"), ("north", b"b")])


def test_a_head_or_table_of_another_length_is_our_bug() -> None:
    for wrong in (b"", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="32 bytes"):
            deal_table(wrong, ROWS)
        with pytest.raises(ValueError, match="32 bytes"):
            deal_key(SECRET, wrong)
