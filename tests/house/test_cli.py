"""The command line: what is printed where, and the exit code, for every way to end."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem import cli
from pbem.errors import BadInput, OurFault, Refused
from pbem.result import Result, show

SECRET = "great dragon at A5"


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., Result]], None]:
    """Put another function in the place of ``pbem games``."""

    def put(function: Callable[..., Result]) -> None:
        monkeypatch.setattr("pbem.commands.games.run", function)

    return put


def raising(error: BaseException) -> Callable[..., Result]:
    def run() -> Result:
        raise error

    return run


@pytest.mark.parametrize("line", ["", "--help", "-h", "key --help", "games --help"])
def test_help_is_an_answer(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(line.split()) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Usage: pbem")
    assert not err


def test_help_names_every_command_and_group(capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["--help"])
    out = capsys.readouterr().out
    for name, (_, line) in cli.COMMANDS.items():
        first, _, second = name.partition(" ")
        assert f"\n  {first} " in out
        assert second or line in out


def test_every_group_has_a_command_and_a_line() -> None:
    assert {name.split()[0] for name in cli.COMMANDS if " " in name} == set(cli.GROUP_HELP)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_can_be_loaded_and_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*name.split(), "--help"]) == 0
    out = capsys.readouterr().out
    assert f"Usage: pbem {name.replace('amend ', 'amend DIR ')} " in out
    assert "--json" in out


@pytest.mark.parametrize("line", ["amend undo --help", "amend g undo --help", "amend g undo -h"])
def test_a_ruling_explains_itself_in_the_order_it_is_typed(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Found by a review of rulings: usage had the act first, and `amend g dance` named no act."""
    assert cli.run(line.split()) == 0
    assert capsys.readouterr().out.startswith("Usage: pbem amend DIR undo [OPTIONS]\n")


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("gams", "no such command 'gams'. Did you mean 'games'?", "pbem --help"),
        ("key", "choose a command of `pbem key`: new, passphrase, show", "pbem key --help"),
        ("key nwe", "no such command 'nwe'. Did you mean 'new'?", "pbem key --help"),
        ("games --foo", "no such option: --foo", "pbem games --help"),
        ("games x", "got unexpected extra argument(s) (x)", "pbem games --help"),
    ],
)
def test_usage_errors(line: str, message: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(line.split()) == 2
    assert capsys.readouterr() == ("", f"pbem: {message} (try: {hint})\n")
    assert cli.run([*line.split(), "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["code"] == "cli/usage"
    assert not err


@pytest.mark.parametrize(("error", "code"), [(Refused, 1), (BadInput, 2), (OurFault, 3)], ids=["no", "input", "fault"])
def test_errors_of_ours(
    error: type[OurFault], code: int, games: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    games(raising(error("x/y", "an é that\nis \x1b[31mred", "the way out")))
    assert cli.run(["games"]) == code
    assert capsys.readouterr() == ("", "pbem: an é that is \ufffd[31mred. The way out.\n")
    assert cli.run(["games", "--json"]) == code
    out = json.loads(capsys.readouterr().out)
    expected = {"code": "x/y", "message": "an é that\nis \x1b[31mred", "hint": "the way out"}
    assert out == {"error": expected}


def test_any_other_failure_names_its_place_and_no_value(
    games: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    games(raising(KeyError(SECRET)))
    assert cli.run(["games"]) == 3
    out, err = capsys.readouterr()
    assert err.startswith("pbem: this is our fault: KeyError in ")
    assert " in pbem.cli, line " in err
    assert len(err.splitlines()) == 1
    monkeypatch.setenv("PBEM_TRACEBACK", "1")
    assert cli.run(["games"]) == 3
    long = capsys.readouterr().err
    assert len(long.splitlines()) > 5
    assert SECRET not in out + err + long


def test_what_the_system_refuses_is_told(games: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    games(raising(PermissionError(13, "Permission denied", "mygame")))
    assert cli.run(["games"]) == 2
    assert capsys.readouterr().err.startswith("pbem: 'mygame': permission denied. Check ")


def test_ctrl_c(games: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    games(raising(KeyboardInterrupt()))
    assert cli.run(["games"]) == 130
    assert capsys.readouterr() == ("", "pbem: stopped\n")


def test_an_answer_as_text_and_as_json(games: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    games(lambda: Result({"z": "é", "a": 1}, "é\x1b]0;x", 1))
    assert cli.run(["games"]) == 1
    assert capsys.readouterr().out == "é\ufffd]0;x\n"
    assert cli.run(["games", "--json"]) == 1
    out = capsys.readouterr().out
    assert list(json.loads(out)) == ["z", "a"]
    assert "é" in out


def pbem(*arguments: str, **settings: str) -> subprocess.CompletedProcess[bytes]:
    """Run pbem in a process of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "pbem", *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **settings},
    )


def test_version() -> None:
    assert pbem("--version").stdout.startswith(b"pbem 0.")
    assert json.loads(pbem("--version", "--json").stdout)["version"].startswith("0.")
    assert pbem("-V").returncode == 0


def test_the_exit_code_reaches_the_shell() -> None:
    assert pbem("no-such").returncode == 2


def test_an_output_that_knows_no_umlauts() -> None:
    done = pbem("rules-of-Görlitz", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 2
    assert done.stderr.startswith(b"pbem: no such command 'rules-of-G?rlitz'")
    document = pbem("rules-of-Görlitz", "--json", PYTHONIOENCODING="ascii").stdout
    assert "Görlitz" in json.loads(document)["error"]["message"]


def test_json_on_a_narrow_output(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="ascii") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        show(Result({"name": "Zoë"}, ""), as_json=True)
    assert json.loads((tmp_path / "out").read_text(encoding="ascii")) == {"name": "Zoë"}


def test_a_closed_pipe_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pbem", "games"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_in_json_turns_the_direction_of_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    odd = "".join(map(chr, (0x7F, 0x85, 0x9B, 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F),
                            *range(0x2066, 0x206A), 0xFEFF, 0xD800)))  # fmt: skip
    for encoding in ("utf-8", "ascii"):
        with (tmp_path / "out").open("w", encoding=encoding) as stream:
            monkeypatch.setattr(sys, "stdout", stream)
            show(Result({"name": f"Zoë {odd} 牌"}, ""), as_json=True)
        text = (tmp_path / "out").read_text(encoding=encoding)
        assert not set(odd) & set(text)
        assert json.loads(text) == {"name": f"Zoë {odd} 牌"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("words", ["games", "--version", "--version --json"])
def test_a_full_disk_is_told(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pbem", *words.split()], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"pbem: the answer cannot be written: ")


@pytest.mark.parametrize(
    ("line", "expected"), [("pbem ga", {"games"}), ("pbem key n", {"new"}), ("pbem games --j", {"--json"})]
)
def test_completion(line: str, expected: set[str]) -> None:
    done = pbem(_PBEM_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(line.split()) - 1))
    assert set(done.stdout.decode().split()) == expected
