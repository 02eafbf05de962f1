"""Puts the Typer app together, for one command line at a time.

What must never be here: anything a command does, an import of what only one command needs.
Laws: only the module of the command asked for is imported, for ``pbem --help`` none at all; every
failure is one line and the way out, never a traceback, never a value.
Source: docs/DESIGN.md "Command line", "Speed".
"""

import functools
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from pbem.errors import BadInput, OurFault, PbemError, Refused, notices
from pbem.result import Result, show, show_error, show_notice

# words on the command line: (module in pbem/commands:function, line in the list of commands).
# The function's docstring is the command's own help; `--json` is added to each of them here.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo:run", "Play a whole game with bots, through real files."),
    "games": ("games:run", "List the games installed here."),
    "rules": ("rules:run", "Explain the rules of a game."),
    "key new": ("key:run_new", "Make the referee's keys."),
    "key passphrase": ("key:run_passphrase", "Set, change or remove the key's passphrase."),
    "key show": ("key:run_show", "Show the public half of the key."),
    "new": ("new:run", "Start a game."),
    "people list": ("people:run_list", "List the people in your address book."),
    "people add": ("people:run_add", "Add a person."),
    "people remove": ("people:run_remove", "Remove a person."),
    "status": ("status:run", "Say whom each game waits for, and since when."),
    "show": ("show:run", "Show the public board."),
    "history": ("history:run", "Tell a game turn by turn."),
    "legal": ("legal:run", "List the legal orders, one per line."),
    "receive": ("receive:run", "Take players' emails and write the receipts."),
    "resolve": ("resolve:run", "Play the waiting orders and write the reports."),
    "post add": ("account:run_add", "Add an account that fetches and sends email."),
    "post try": ("account:run_try", "Try an account both ways."),
    "tick": ("tick:run", "Fetch, play and send, for a timer to run."),
    "fetch": ("fetch:run", "Fetch players' emails from the account and take them."),
    "letters": ("messages:run", "Show what players wrote to you, or answer it."),
    "send": ("send:run", "Send the emails that wait in the outbox."),
    "outbox": ("outbox:run", "List the emails to be sent, or write them into one file."),
    "sent": ("outbox:run_sent", "File emails that you sent by hand."),
    "report": ("report:run", "Write a player's report again."),
    "amend undo": ("amend.undo:run", "Undo orders: pbem amend DIR undo."),
    "amend correct": ("amend.correct:run", "Correct a fact: pbem amend DIR correct FIELD=NEW."),
    "amend player": ("amend.player:run", "Change who plays at a seat, or how they are reached."),
    "amend note": ("amend.note:run", "Tell all players something, for the record."),
    "amend keys": ("amend.keys:run", "Hand a game over to another referee's key."),
    "amend clock": ("amend.clock:run_clock", "Change the deadlines: pbem amend DIR clock turn=3d."),
    "amend extend": ("amend.clock:run_extend", "Give one player more time, or all."),
    "amend pause": ("amend.clock:run_pause", "Stop the clock of a game for some days."),
    "amend resume": ("amend.clock:run_resume", "End a pause before its time."),
    "amend close": ("amend.close:run", "Close a game for good and open its secret."),
    "verify": ("verify:run", "Check that states, openings and report blocks are genuine."),
    "archive": ("archive:run", "Write a game that is over into one file, as proof."),
    "audit": ("audit:run", "Play a game again: was it honest?"),
    "backup": ("backup:run", "Write games, desks and all, into one file."),
    "restore": ("restore:run", "Bring back a backup."),
    "adopt": ("adopt:run", "Play a game in this folder, and in no copy of it."),
    "script run": ("script:run_run", "Play a script through the rules."),
    "orders list": ("orders.check:run_list", "List what you may order now."),
    "orders check": ("orders.check:run_check", "Check your orders before you send them."),
    "orders sign": ("orders.check:run_sign", "Sign your orders with your key."),
    "orders join": ("orders.join:run_join", "Join a game with a key of your own."),
    "orders show": ("orders.join:run_show", "List your keys, and for which games they are."),
}
COMPLETING = "_PBEM_COMPLETE"  #: set by the shell when it wants completions
STOPPED = 130  #: what shells expect after Ctrl-C; Typer too gives this number
GROUPS = {
    "amend": "Rulings: pbem amend DIR RULING. Each is a state of its own, and all players read it.",
    "key": "The referee's key.",
    "people": "Your address book; without a command, list it.",
    "post": "Accounts that fetch and send email.",
    "script": "Games written down as a list of orders.",
    "orders": "For players: your own orders, from your report, offline.",
}


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line, print its answer, and return the exit code."""
    arguments = [*arguments[1:], "--help"] if arguments[:1] == ["help"] else list(arguments)
    arguments = _act_first(arguments) or ["--help"]
    if arguments in (["people"], ["people", "--json"]):
        arguments.insert(1, "list")
    notices.clear()
    code = _carried_out(arguments)
    for notice in notices:
        show_notice(notice)
    return code


def _carried_out(arguments: list[str]) -> int:
    """Its answer printed, or why there is none."""
    try:
        return _parse_and_run(arguments)
    except PbemError as error:
        told = error
    except (KeyboardInterrupt, typer.Abort):
        told = Refused("cli/stopped", "stopped")
    except typer.TyperException as error:
        told = _usage(error, _words(arguments))
    except OSError as error:
        told = _unusable(error)
    except Exception as error:  # noqa: BLE001 (the last net: no traceback reaches a user)
        told = _our_fault(error)
    code = show_error(told, "--json" in arguments)
    return STOPPED if told.code == "cli/stopped" else code


def _parse_and_run(arguments: list[str]) -> int:
    _check_act(arguments)
    command = typer.main.get_command(_app(_words(arguments)))
    try:
        code = command.main(args=arguments, prog_name="pbem", standalone_mode=False)
    except SystemExit as stop:  # shell completion ends like this
        code = stop.code
    if code == STOPPED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _act_first(arguments: list[str]) -> list[str]:
    """``amend DIR ACT`` as it is told to people, in the order in which it is read."""
    if arguments[:1] == ["amend"] and len(arguments) > 2:
        folder, act = arguments[1:3]
        if f"amend {act}" in COMMANDS and not folder.startswith("-"):
            return ["amend", act, folder, *arguments[3:]]
    return arguments


def _check_act(arguments: list[str]) -> None:
    """BadInput ``cli/usage`` where a ruling names no act: a folder is not taken for one."""
    words = [word for word in arguments[1:] if not word.startswith("-")][:2]
    known = any(f"amend {word}" in COMMANDS for word in words)
    helped = not words and {"--help", "-h"} & {*arguments}
    if arguments[:1] != ["amend"] or known or helped:
        return
    acts = ", ".join(name.partition(" ")[2] for name in COMMANDS if name.startswith("amend "))
    what = f"there is no ruling {words[1][:40]!r}" if words[1:] else "choose what to amend"
    raise BadInput("cli/usage", f"{what}; the rulings are {acts}", "pbem help amend")


def _words(arguments: list[str]) -> str:
    """The command asked for, as it stands in the table; "" where none can be told."""
    if COMPLETING in os.environ:
        arguments = _under_the_cursor()
    words = [word for word in arguments if not word.startswith("-")][:2]
    if words[:1] and words[0] not in GROUPS:
        del words[1:]
    name = " ".join(words)
    return name if name in COMMANDS else ""


def _under_the_cursor() -> list[str]:
    """The words that the shell wants completed. A ruling's are put in the order they are read."""
    name = "COMP_WORDS" if "COMP_WORDS" in os.environ else "_TYPER_COMPLETE_ARGS"
    program, *words = os.environ.get(name, "").split(" ")
    words = _act_first(words)
    if words[:1] == ["amend"] and len(words) == 3 and f"amend {words[1]}" not in COMMANDS:
        del words[1]  # the act is what is completed
        os.environ["COMP_CWORD"] = str(len(words))
    os.environ[name] = " ".join([program, *words])
    return words


def _app(asked: str) -> typer.Typer:
    """The app with the one command asked for, or with the names alone of all of them."""
    app = _typer(add_completion=not asked or COMPLETING in os.environ)
    app.callback()(_root)
    groups: dict[str, typer.Typer] = {}
    for name in [asked] if asked else COMMANDS:
        target, line = COMMANDS[name]
        first, _, second = name.partition(" ")
        if second and first not in groups:
            groups[first] = _typer(GROUPS[first], ways="DIR RULING" if first == "amend" else None)
            app.add_typer(groups[first], name=first)
        place = groups[first] if second else app
        command = _command(target) if asked else _name_only
        kind = _Act if first == "amend" else TyperCommand
        place.command(second or first, cls=kind, help=None if asked else line)(command)
    return app


class _Act(TyperCommand):
    """A ruling: its usage stands in the order in which people type it, the folder first."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Typer's own line, but for the place of the folder."""
        group, _, act = ctx.command_path.rpartition(" ")
        pieces = [piece for piece in self.collect_usage_pieces(ctx) if piece.strip("{}") != "DIR"]
        formatter.write_usage(f"{group} DIR {act}", " ".join(pieces))


def _typer(about: str = "", add_completion: bool = False, ways: str | None = None) -> typer.Typer:
    return typer.Typer(
        help=about or None,
        subcommand_metavar=ways,
        add_completion=add_completion,
        rich_markup_mode=None,  # rich costs 65 ms
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,  # locals hold keys
        context_settings={"help_option_names": ["--help", "-h"]},
    )


_VERSION = typer.Option("--version", "-V", help="Show the version and exit.")


def _root(version: Annotated[bool, _VERSION] = False) -> None:
    """Referee play-by-email games: signed game files, orders by reply, a report for each player.

    `pbem help COMMAND` explains a command. Every command takes --json.
    """
    del version  # answered in front.py, before anything here was imported


def _name_only() -> None:
    """Stands for a command in the list of commands."""
    raise OurFault("cli/not-loaded", "the command was not loaded")


def _command(target: str) -> Callable[..., int]:
    """Load one command and give it ``--json`` and a printer."""
    module, _, name = target.partition(":")
    function: Callable[..., Result] = getattr(import_module(f"pbem.commands.{module}"), name)
    signature = inspect.signature(function, eval_str=True)
    if COMPLETING in os.environ:
        from pbem.commands.completion import with_offers

        with_offers(signature.parameters.values(), _under_the_cursor())

    @functools.wraps(function)
    def answer(*, json: bool, **values: Any) -> int:
        return show(function(**values), json)

    parameters = [*signature.parameters.values(), _JSON]
    answer.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return answer


_FLAG = Annotated[bool, typer.Option("--json", help="Answer as one JSON document.")]
_JSON = inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=_FLAG)


def _usage(error: typer.TyperException, asked: str) -> PbemError:
    """What was typed makes no sense; the words are Typer's, the form is ours."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else f"pbem {asked}".rstrip()
    path = path.replace("pbem amend ", "pbem amend DIR ")
    group = path.rpartition(" ")[2]
    if message == "Missing command" and group in GROUPS:
        known = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{group} ")]
        message = f"choose a command of `{path}`: {', '.join(known)}"
    return BadInput("cli/usage", message[:1].lower() + message[1:], f"{path} --help")


def _unusable(error: OSError) -> PbemError:
    place = f"{str(error.filename)!r}: " if error.filename is not None else ""
    reason = (error.strerror or type(error).__name__).lower()
    hint = "check the name, its permissions and the disk"
    return BadInput("file/unusable", f"{place}{reason}", hint)


def _our_fault(error: Exception) -> PbemError:
    """The type and the place, never a value: those may be somebody's hidden cards."""
    from pbem.catalog import fault, traceback_wanted

    if traceback_wanted():
        _print_places(error)
    return fault(error, "run it again with PBEM_TRACEBACK=1, which prints nothing hidden")


def _print_places(error: BaseException | None) -> None:
    """The traceback without the messages, which may quote values; Python prints no locals."""
    import traceback

    while error is not None:
        sys.stderr.write(f"{type(error).__name__}\n")
        traceback.print_tb(error.__traceback__)
        error = error.__cause__ or error.__context__
