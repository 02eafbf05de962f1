"""What a referee types, and what was missing or misleading in the answer.

Each was found by readers who ran games from the command line alone. Source: docs/DESIGN.md P11,
"Command line"; docs/json.schema.json.
"""

import json
import re
from pathlib import Path

import pytest

from pbem import cli

TWO = ["--game", "chang-cheng", "--player", "red=Ann", "--player", "blue=Bob Ray", "--deal"]
Capture = pytest.CaptureFixture[str]


def typed(line: str, *more: str) -> int:
    return cli.run([*line.split(), *more])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Path:
    """A folder with a key of its own beside it and the game ``g`` in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    assert typed("key new") == 0
    assert typed("new g", *TWO) == 0
    capsys.readouterr()
    return tmp_path


def mail(folder: Path, name: str, text: str) -> str:
    report = (folder / "g" / "desk" / "reports" / "0002" / "red.txt").read_text("utf-8")
    code = report[report.index("[pbem ") :][:18]
    (folder / name).write_text(f"{text}\n{code}\n", encoding="utf-8")
    return name


def test_a_game_without_the_referees_address_says_so(here: Path, capsys: Capture) -> None:
    """Emails went out from `Referee <pbem@localhost>` in silence."""
    address = ["--player", "red=Ann,ann@example.org", "--player", "blue=Bob"]
    assert typed("new a --game chang-cheng --deal", *address) == 0
    said = capsys.readouterr().out
    assert "your address is missing, so nobody can reply" in said
    assert "a/desk/players.toml" in said
    assert "a/desk/outbox" in said
    people = here / "a" / "desk" / "players.toml"
    text = people.read_text("utf-8").replace('address = ""', 'address = "rita@example.org"', 1)
    people.write_text(text, encoding="utf-8")
    assert "pbem adopt a" in said
    assert typed("adopt a") == 0
    assert typed("report a --player red") == 0  # the way it names works
    newest = max((here / "a" / "desk" / "outbox").iterdir(), key=lambda path: path.stat().st_mtime)
    assert "rita@example.org" in newest.read_text("utf-8")


def test_a_folder_of_games_has_no_outbox(here: Path, capsys: Capture) -> None:
    """Found by a new user in 2026-11: `outbox games/` said that it was empty while an email of a game waited."""
    assert typed("new h", *TWO) == 0
    capsys.readouterr()
    for line in ("outbox .", "sent . 0002-red.eml"):
        assert typed(line) == 2
        assert "is a folder of games, not a game. Name one of them" in capsys.readouterr().err
    assert typed("outbox h") == 0


def test_no_outbox_is_named_where_no_email_was_written(here: Path, capsys: Capture) -> None:
    assert typed("new a", *TWO) == 0
    assert "outbox" not in capsys.readouterr().out
    assert not (here / "a" / "desk" / "outbox").exists()


def test_a_backup_replaces_no_other(here: Path, capsys: Capture) -> None:
    assert typed("backup g -o g.tar.gz") == 0
    before = (here / "g.tar.gz").read_bytes()
    assert typed("new h", *TWO) == 0
    capsys.readouterr()
    assert typed("backup h -o g.tar.gz") == 1
    assert "g.tar.gz already exists" in capsys.readouterr().err
    assert (here / "g.tar.gz").read_bytes() == before


@pytest.mark.parametrize("line", ["resolve .", "resolve g", "receive g x", "legal g"])
def test_another_home_says_that_the_games_have_another_key(
    here: Path, line: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """It said `try: pbem key new`, which would have made matters worse."""
    monkeypatch.setenv("PBEM_HOME", str(here / "elsewhere"))
    assert typed(line) == 2
    said = capsys.readouterr().err
    assert "signed with another key" in said
    assert "Set PBEM_HOME" in said
    assert "key new" not in said


def test_no_game_inside_another(here: Path, capsys: Capture) -> None:
    assert typed("new g/inner", *TWO) == 1
    assert "is inside the game" in capsys.readouterr().err
    assert not (here / "g" / "inner").exists()


def test_games_are_found_four_folders_deep(here: Path, capsys: Capture) -> None:
    """From two levels up, status left games out in silence."""
    (here / "a" / "b" / "c").mkdir(parents=True)
    (here / "g").rename(here / "a" / "b" / "c" / "g")
    assert typed("status .") == 0
    assert "a/b/c/g  Ann (red)" in capsys.readouterr().out
    (here / "a" / "b" / "c" / "d").mkdir()
    (here / "a" / "b" / "c" / "g").rename(here / "a" / "b" / "c" / "d" / "g")
    assert typed("status .") == 2
    assert "4 folders deep" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["resolve g --missed", "amend g undo --to"])
def test_an_option_without_its_value_leads_to_the_help_of_its_command(here: Path, line: str, capsys: Capture) -> None:
    del here
    assert typed(line) == 2
    command = "amend DIR undo" if line.startswith("amend") else "resolve"
    assert f"(try: pbem {command} --help)" in capsys.readouterr().err


@pytest.mark.parametrize("act", ["undo", "correct", "player", "keys", "close"])
def test_help_says_that_a_reason_is_required(act: str, capsys: Capture) -> None:
    assert typed(f"amend {act} --help") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "--reason TEXT Why, for all players to read. Required" in said


def test_going_back_to_a_state_that_is_not_there(here: Path, capsys: Capture) -> None:
    """`undo --to 99` said that nothing was played yet, whatever was."""
    assert typed("receive g", mail(here, "m", "wall A1")) == 0
    assert typed("resolve g") == 0
    capsys.readouterr()
    assert typed("amend g undo --to 99 --reason wrong") == 2
    assert "no state 99 to go back to. You can go back only to 2." in capsys.readouterr().err


def test_an_audit_of_two_files_says_all_of_each(here: Path, capsys: Capture) -> None:
    assert typed("amend g close --reason enough") == 0
    assert typed("archive g -o a.tar") == 0
    (here / "b.tar").write_bytes((here / "a.tar").read_bytes())
    capsys.readouterr()
    assert typed("audit a.tar b.tar") == 0
    said = capsys.readouterr().out
    for name in ("a.tar", "b.tar"):
        assert f"{name}: proven" in said
        assert f"{name}: game " in said
    assert said.count("  proven: ") > 10


def test_receive_counts_what_became_of_each(here: Path, capsys: Capture) -> None:
    files = [mail(here, "m", "wall A1"), mail(here, "n", "hello"), mail(here, "o", "wall Z9")]
    (here / "p").write_text("no code\n", encoding="utf-8")
    assert typed("receive g", *files, "p") == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "4 emails: 1 accepted, 1 without orders, 1 refused, 1 ignored"


def test_an_email_without_orders_is_no_failure_and_refused_orders_are(here: Path) -> None:
    """The rule of docs/json.schema.json, which each case had of its own."""
    assert typed("receive g", mail(here, "m", "hello Rita")) == 0
    assert typed("receive g", mail(here, "n", "wall Z9")) == 1
    assert typed("receive g", mail(here, "o", "wall A1")) == 0
    assert typed("resolve g") == 0
    assert typed("receive g", mail(here, "p", "many thanks")) == 0
    assert typed("receive g", mail(here, "q", "wall A2")) == 1


def test_games_of_another_referee_are_one_line(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """Eighteen games of another referee gave eighteen recipes to take them over."""
    monkeypatch.setenv("PBEM_HOME", str(here / "other"))
    for line, more in (("key new", []), ("new h", TWO), ("new i", TWO)):
        assert typed(line, *more) == 0
    monkeypatch.setenv("PBEM_HOME", str(here / "home"))
    capsys.readouterr()
    assert typed("receive .", mail(here, "m", "wall A1")) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[-1] == "note: pbem skipped 2 games of another referee"
    assert "recover" not in said


@pytest.mark.parametrize("more", [["--deal"], []], ids=["dealt", "invited"])
def test_waits_for_has_one_shape(here: Path, more: list[str], capsys: Capture) -> None:
    del here
    line = ["new", "h", *TWO[:-1], *more, "--json"]
    for words in (line, ["status", "h", "--json"], ["show", "h", "--json"], ["resolve", "h"]):
        capsys.readouterr()
        assert cli.run(words if "--json" in words else [*words, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        rows = found.get("waits_for") or found["games"][0]["waits_for"]
        assert list(rows[0])[:4] == ["seat", "player", "what", "about"]
        assert (rows[0]["seat"], rows[0]["player"]) == ("red", "Ann")


def test_show_secret_begins_with_the_hands(here: Path, capsys: Capture) -> None:
    """It showed a hundred slots and no hand."""
    people = [*TWO[2:6], "--deal"]
    assert typed("new w --game great-wall", *people) == 0
    for name, hand in (("g", "warrior, traitor"), ("w", r"\w+(, | \(\d\))")):
        capsys.readouterr()
        assert typed(f"show {name} --secret") == 0
        said = capsys.readouterr().out
        hands = said[said.index("HANDS") : said.index("HIDDEN ITEMS")]
        assert re.search(f"Ann \\(red\\): .*{hand}", hands)
        slots = said[said.index("HIDDEN ITEMS") :].splitlines()[1:]
        known = ["known to" in line for line in slots]
        assert known == sorted(known, reverse=True)
    assert here.exists()


def test_help_is_a_word_too(capsys: Capture) -> None:
    for words, same in (("help", "--help"), ("help amend undo", "amend undo --help")):
        assert typed(words) == 0
        first = capsys.readouterr().out
        assert typed(same) == 0
        assert capsys.readouterr().out == first
    assert typed("help rezolve") == 2


@pytest.mark.parametrize("name", ["ann", "Ann", "red", "RED"])
def test_a_seat_is_its_colour_or_its_player(here: Path, name: str, capsys: Capture) -> None:
    del here
    assert typed("legal g --player", name) == 0
    assert capsys.readouterr().out.startswith("wall A1\n")
    assert typed("report g --player", name) == 0
    assert "Ann, you play red" in capsys.readouterr().out
    assert typed("amend g player", name, "--name", "Zoe", "--reason", "Ann left") == 0
    assert typed("legal g --player bob") == 1
    assert "Bob Ray (blue) has nothing to decide" in capsys.readouterr().out
    assert typed("legal g --player bo") == 2
    assert "The seats are Zoe (red), Bob Ray (blue)." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("show ", "g"),
        ("status ", "g"),
        ("legal g --player ", "red blue Ann"),  # no name that a shell would take apart
        ("resolve g --missed b", "blue"),
        ("amend g pl", "player"),
        ("amend g player ", "red blue Ann"),
        ("rules ch", "chang-cheng"),
        ("rules chang-cheng CC-60", "CC-60"),
        ("legal nowhere --player ", ""),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_games_seats_and_rules(
    here: Path, line: str, offered: str, shell: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Completion knew the commands and nothing after them; in zsh and fish not even options."""
    del here
    monkeypatch.setenv("_PBEM_COMPLETE", f"complete_{shell}")
    if shell == "bash":
        monkeypatch.setenv("COMP_WORDS", f"pbem {line}")
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" "))))
    else:
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", f"pbem {line}")
    cli.run([])
    found = (
        re.findall(r'^(?:_arguments.*\(\(|)"(.*?)"', capsys.readouterr().out, re.MULTILINE)
        if shell == "zsh"
        else capsys.readouterr().out.splitlines()
    )
    assert " ".join(found) == offered
