"""A fact has one home: who adds a way to identify a player, or a ruling, adds one row.

The laws: the name of a way stands in the table of the ways, that of a source of orders beside it,
that of a ruling in the file of its kind; elsewhere these words mean another thing, which the tables
here say.
"""

import ast
import re

import pytest

from . import tree

WAYS = ("key", "reply", "password", "typed")
HOME = "pbem/chain/sources.py"
#: by module, what else the words in it mean
ELSEWHERE = {
    "pbem/cli.py": "a command",
    "pbem/commands/orders/join.py": "a field of an answer",
    "pbem/commands/amend/player.py": "a word for the referee",
    "pbem/crypto/tokens.py": "a label under which a key is made",
    "pbem/mail/identity.py": "the word before a password",
    "pbem/notation/lines.py": "a word that may be quoted of any email",
    "pbem/chain/people.py": "a column of a row; what a seat gave to the deal",
    "pbem/play/joining/answers.py": "a word of the line by which a player joins",
    "pbem/play/joining/opening.py": "a value of a template",
    "pbem/report/block.py": "a word of a signed block",
    "pbem/report/receipt_block.py": "a word of a signed block",
    "pbem/report/players.py": "a field of desk/players.toml",
    "pbem/chain/rulings/people.py": "a value of a template",
    "pbem/services/open/new_game.py": "a value of a template",
}


def words_of(name: str) -> set[str]:
    """The texts in a module, but for docstrings."""
    nodes = ast.walk(tree.parsed(tree.ROOT / name))
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


#: of how an order came; `ruling` is a field of far too much to be looked for
SOURCES = ("signed", "forced", "default")
#: by module, what else the words in it mean
NO_SOURCE = {
    "pbem/notation/move_file.py": "a word of a move file",
    "pbem/proof/audit/audit.py": "an item of an audit",
    "pbem/proof/audit/findings.py": "an item of an audit",
    "pbem/proof/audit/orders.py": "an item of an audit",
    "pbem/proof/audit/proven.py": "an item of an audit",
    "pbem/proof/audit/without_rules.py": "an item of an audit",
    "pbem/chain/clock.py": "what a clock does when time is up",
    "pbem/play/consent.py": "a field of desk/consent.toml",
}


@pytest.mark.parametrize(("words", "others", "apart"), [(WAYS, ELSEWHERE, ()), (SOURCES, NO_SOURCE, ("pbem/engine/",))])
def test_a_way_or_a_source_is_named_in_one_module(
    words: tuple[str, ...], others: dict[str, str], apart: tuple[str, ...]
) -> None:
    """How a player is identified; how an order came, but for games, whose words are their own."""
    names = [path.relative_to(tree.ROOT).as_posix() for path in tree.modules()]
    found = {name for name in names if words_of(name) & {*words} and not name.startswith(apart)}
    assert found == {HOME, *others}


def test_what_players_read_of_a_way_is_in_one_template() -> None:
    named = re.compile(rf"""["']({"|".join(WAYS)})["']""")
    folder = tree.ROOT / "templates"
    found = {p.name for p in folder.rglob("*.txt") if named.search(p.read_text("utf-8"))}
    assert found == {"identified.txt"}


@pytest.mark.parametrize("switch", ["key", "password", "code"])
def test_each_switch_of_a_way_tells_some_from_others(switch: str) -> None:
    from pbem.chain.sources import IDENTIFICATION_METHODS as TABLE

    assert {getattr(way, switch) for way in TABLE.values()} == {True, False}


#: of each kind of ruling, the file that it has in pbem/chain/rulings
RULINGS = {
    "undo": "undo.py",
    "correct": "correct.py",
    "player": "people.py",
    "keys": "people.py",
    "note": "kind.py",
    "restore": "../ruling_row.py",  # states and reports name the newest one
    "close": "kind.py",
    "void": "kind.py",
    "end": "kind.py",
    "clock": "clock.py",
    "extend": "clock.py",
    "pause": "clock.py",
    "resume": "clock.py",
}
#: by module, what else these words mean in it
NO_RULING = {
    "pbem/cli.py": "a command",
    "pbem/commands/games.py": "a field of an answer",
    "pbem/commands/history.py": "a field of an answer",
    "pbem/commands/key.py": "a field of an answer",
    "pbem/commands/orders/join.py": "a field of an answer",
    "pbem/commands/status.py": "a column, and a field of an answer",
    "pbem/crypto/signing.py": "a kind of signature",
    "pbem/disk/home.py": "a folder",
    "pbem/proof/audit/replay.py": "a table of a state",
    "pbem/proof/audit/transcript.py": "a value of a template",
    "pbem/chain/clock.py": "a table of a state",
    "pbem/chain/state_record.py": "a table of a state",
    "pbem/chain/referees.py": "a kind of signature",
    "pbem/play/joining/opening.py": "a value of a template",
    "pbem/report/block.py": "a line of a block",
    "pbem/report/receipt_block.py": "a line of a block",
    "pbem/report/build.py": "a kind of sentence",
    "pbem/report/report.py": "a value of a template",
    "pbem/proof/verify/verify.py": "a kind of fault",
    "pbem/play/waiting.py": "what a seat is asked",
    "pbem/services/prove/audit_report.py": "a field of a line",
    "pbem/services/open/new_game.py": "a value of a template",
    "pbem/services/messages.py": "a value of a template",
    "pbem/services/receipts.py": "a value of a template",
    "pbem/services/chronicle.py": "a field of an answer",
    "pbem/services/resolve/deadlines.py": "a value of a template",
    "pbem/services/resolve/resolve.py": "what a seat is asked",
    "pbem/services/resolve/result.py": "what a seat is asked",
    "pbem/services/session/needs.py": "what a seat is asked",
    "pbem/services/amend/consent.py": "a value of a template",
    "pbem/services/amend/player.py": "a value of a template",
}


def test_a_kind_of_ruling_is_named_in_its_file() -> None:
    """But for games, whose players and cards are another thing."""
    names = [path.relative_to(tree.ROOT).as_posix() for path in tree.modules()]
    found = {name: words_of(name) & {*RULINGS} for name in names if "pbem/engine/" not in name}
    homes = dict[str, set[str]]()
    for kind, file in RULINGS.items():
        name = f"pbem/chain/rulings/{file}".replace("rulings/../", "")
        homes.setdefault(name, set()).add(kind)
    assert {name for name, there in found.items() if there} == {*homes, *NO_RULING}
    assert {name: found[name] for name in homes} == homes


def test_the_table_of_rulings_has_each_kind() -> None:
    from pbem.chain.rulings.kinds import KINDS

    assert KINDS.keys() == RULINGS.keys()
