"""Builds the Typer app for one command line, runs it, and turns every failure into one line.

``pbem amend DIR RULING`` is the only command with an argument before its subcommand. Typer cannot read
that, so this module turns it around.
Not allowed here: the work of a command; an import that only one command needs.
Only the module of the requested command is imported, and none for ``pbem --help``.
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

# Command: (module in pbem/commands:function, summary in `pbem --help`).
# The function's docstring is the command's own help. This module adds `--json` to each.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo:run", "Play a whole game with bots, through real files."),
    "doctor": ("doctor:run", "Check your keys, mail, timer, clock, drives and games."),
    "games": ("games:run", "List the games installed here."),
    "rules": ("rules:run", "Explain the rules of a game."),
    "key new": ("key:run_new", "Make the referee's keys."),
    "key passphrase": ("key:run_passphrase", "Set, change or remove the key's passphrase."),
    "key show": ("key:run_show", "Show the public half of the key."),
    "new": ("new:run", "Start a game."),
    "people list": ("people:run_list", "List the people in your address book."),
    "people add": ("people:run_add", "Add a person."),
    "people remove": ("people:run_remove", "Remove a person."),
    "status": ("status:run", "Show whom each game waits for, and since when."),
    "show": ("show:run", "Show the public board."),
    "history": ("history:run", "Show a game turn by turn."),
    "legal": ("legal:run", "List the legal orders, one per line."),
    "receive": ("receive:run", "Import players' emails and write the receipts."),
    "resolve": ("resolve:run", "Play the pending orders and write the reports."),
    "account add": ("account:run_add", "Add a mail account."),
    "account list": ("account:run_list", "List your mail accounts."),
    "account remove": ("account:run_remove", "Remove a mail account."),
    "account try": ("account:run_try", "Test a mail account: send an email and fetch it."),
    "tick": ("tick:run", "Fetch, play and send, from a timer."),
    "fetch": ("fetch:run", "Fetch players' emails from the mail account and import them."),
    "messages": ("messages:run", "Show players' messages to you, or answer one."),
    "send": ("send:run", "Send the emails in the outbox."),
    "outbox": ("outbox:run", "List the emails in the outbox, or write them into one file."),
    "sent": ("outbox:run_sent", "File emails that you sent by hand."),
    "report": ("report:run", "Write a player's report again."),
    "amend undo": ("amend.undo:run", "Undo orders: pbem amend DIR undo."),
    "amend correct": ("amend.ruling:run_correct", "Correct a fact: pbem amend DIR correct FIELD=NEW."),
    "amend player": ("amend.player:run", "Change who plays at a seat, or how they are reached."),
    "amend note": ("amend.ruling:run_note", "Tell all players something, for the record."),
    "amend keys": ("amend.keys:run", "Hand a game over to another referee."),
    "amend clock": ("amend.clock:run_clock", "Change the deadlines: pbem amend DIR clock turn=3d."),
    "amend extend": ("amend.clock:run_extend", "Give one player, or all, more time."),
    "amend pause": ("amend.clock:run_pause", "Stop a game's clock for some days."),
    "amend resume": ("amend.clock:run_resume", "End a pause early."),
    "amend close": ("amend.close:run", "Close a game for good and publish its secret."),
    "verify": ("verify:run", "Check that states, openings and report blocks are genuine."),
    "archive": ("archive:run", "Write a game that is over into one file, as proof."),
    "audit": ("audit:run", "Replay a game: was it honest?"),
    "backup": ("backup:run", "Write games with their private folders into one file."),
    "restore": ("restore:run", "Restore a backup."),
    "adopt": ("adopt:run", "Play a game in this folder and in no other copy."),
    "script run": ("script:run_run", "Play a script through the rules."),
    "orders list": ("orders.check:run_list", "List what you may order now."),
    "orders check": ("orders.check:run_check", "Check your orders before you send them."),
    "orders sign": ("orders.check:run_sign", "Sign your orders with your key."),
    "orders join": ("orders.join:run_join", "Join a game with a key of your own."),
    "orders show": ("orders.join:run_show", "List your keys and their games."),
}
COMPLETION_VARIABLE = "_PBEM_COMPLETE"  #: the shell sets it to ask for completions
EXIT_INTERRUPTED = 130  #: what shells expect after Ctrl-C; Typer returns it too
GROUP_HELP = {
    "amend": "Rulings: pbem amend DIR RULING. Each makes a new state, and all players read it.",
    "key": "The referee's key.",
    "people": "Your address book; without a command, list it.",
    "account": "Mail accounts: how pbem fetches and sends email; without a command, list them.",
    "script": "Games written as a list of orders.",
    "orders": "For players: check and sign orders offline.",
}


def run(arguments: Sequence[str]) -> int:
    """Run one command line, print its result and notices, and return the exit code."""
    arguments = [*arguments[1:], "--help"] if arguments[:1] == ["help"] else list(arguments)
    arguments = _put_ruling_first(arguments) or ["--help"]
    if arguments[:1] in (["people"], ["account"]) and arguments[1:] in ([], ["--json"]):
        arguments.insert(1, "list")
    notices.clear()
    code = _run_reporting_errors(arguments)
    for notice in notices:
        show_notice(notice)
    return code


def _run_reporting_errors(arguments: list[str]) -> int:
    """Print the result, or the error as one line. Return the exit code."""
    try:
        return _parse_and_run(arguments)
    except PbemError as error:
        reported_error = error
    except (KeyboardInterrupt, typer.Abort):
        reported_error = Refused("cli/stopped", "stopped")
    except typer.TyperException as error:
        reported_error = _usage_error(error, _command_name(arguments))
    except OSError as error:
        reported_error = _unusable_file_error(error)
    except Exception as error:  # noqa: BLE001 - the last net: no traceback reaches a user
        reported_error = _unexpected_error(error)
    code = show_error(reported_error, "--json" in arguments)
    return EXIT_INTERRUPTED if reported_error.code == "cli/stopped" else code


def _parse_and_run(arguments: list[str]) -> int:
    _check_ruling(arguments)
    command = typer.main.get_command(_build_app(_command_name(arguments)))
    try:
        code = command.main(args=arguments, prog_name="pbem", standalone_mode=False)
    except SystemExit as stop:  # this is how shell completion ends
        code = stop.code
    if code == EXIT_INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _put_ruling_first(arguments: list[str]) -> list[str]:
    """Reorder ``amend DIR RULING``, as people type it, to ``amend RULING DIR``, as Typer reads it."""
    if arguments[:1] == ["amend"] and len(arguments) > 2:
        folder, ruling = arguments[1:3]
        if f"amend {ruling}" in COMMANDS and not folder.startswith("-"):
            return ["amend", ruling, folder, *arguments[3:]]
    return arguments


def _check_ruling(arguments: list[str]) -> None:
    """Raise BadInput ``cli/usage`` for ``amend`` without a ruling: Typer would take the folder for one."""
    words = [word for word in arguments[1:] if not word.startswith("-")][:2]
    is_known = any(f"amend {word}" in COMMANDS for word in words)
    asks_for_help = not words and {"--help", "-h"} & {*arguments}
    if arguments[:1] != ["amend"] or is_known or asks_for_help:
        return
    rulings = ", ".join(name.partition(" ")[2] for name in COMMANDS if name.startswith("amend "))
    problem = f"there is no ruling {words[1][:40]!r}" if words[1:] else "choose what to amend"
    raise BadInput("cli/usage", f"{problem}; the rulings are {rulings}", "pbem help amend")


def _command_name(arguments: list[str]) -> str:
    """Return the requested command as ``COMMANDS`` spells it, or "" if there is none."""
    if COMPLETION_VARIABLE in os.environ:
        arguments = _words_to_complete()
    words = [word for word in arguments if not word.startswith("-")][:2]
    if words[:1] and words[0] not in GROUP_HELP:
        del words[1:]
    name = " ".join(words)
    return name if name in COMMANDS else ""


def _words_to_complete() -> list[str]:
    """Return the words that the shell wants completed, in Typer's order. Updates the shell's variables."""
    variable = "COMP_WORDS" if "COMP_WORDS" in os.environ else "_TYPER_COMPLETE_ARGS"
    program, *words = os.environ.get(variable, "").split(" ")
    words = _put_ruling_first(words)
    if words[:1] == ["amend"] and len(words) == 3 and f"amend {words[1]}" not in COMMANDS:
        del words[1]  # the ruling is being completed
        os.environ["COMP_CWORD"] = str(len(words))
    os.environ[variable] = " ".join([program, *words])
    return words


def _build_app(command_name: str) -> typer.Typer:
    """Return the app with the requested command, or with the names and summaries of all if ``command_name`` is ""."""
    app = _new_typer(
        inspect.getdoc(_root_callback), add_completion=not command_name or COMPLETION_VARIABLE in os.environ
    )
    app.callback()(_root_callback)
    groups: dict[str, typer.Typer] = {}
    for name in [command_name] if command_name else COMMANDS:
        target, summary = COMMANDS[name]
        first_word, _, second_word = name.partition(" ")
        if second_word and first_word not in groups:
            groups[first_word] = _new_typer(
                GROUP_HELP[first_word], usage_metavar="DIR RULING" if first_word == "amend" else None
            )
            app.add_typer(groups[first_word], name=first_word)
        parent = groups[first_word] if second_word else app
        command = _load_command(target) if command_name else _unloaded_command
        command_class = _AmendCommand if first_word == "amend" else TyperCommand
        parent.command(second_word or first_word, cls=command_class, help=None if command_name else summary)(command)
    return app


class _AmendCommand(TyperCommand):
    """A ruling. Its usage line shows the folder first, as people type it."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write Typer's usage line with DIR moved before the ruling."""
        group, _, ruling = ctx.command_path.rpartition(" ")
        pieces = [piece for piece in self.collect_usage_pieces(ctx) if piece.strip("{}") != "DIR"]
        formatter.write_usage(f"{group} DIR {ruling}", " ".join(pieces))


def _new_typer(help_text: str | None, add_completion: bool = False, usage_metavar: str | None = None) -> typer.Typer:
    return typer.Typer(
        help=help_text,
        subcommand_metavar=usage_metavar,
        add_completion=add_completion,
        rich_markup_mode=None,  # rich costs 65 ms
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,  # locals hold keys
        context_settings={"help_option_names": ["--help", "-h"]},
    )


_VERSION_OPTION = typer.Option("--version", "-V", help="Show the version and exit.")


def _root_callback(version: Annotated[bool, _VERSION_OPTION] = False) -> None:
    """Referee play-by-email games: signed game files, orders by reply, a report for each player.

    `pbem help COMMAND` explains a command. Every command takes --json.
    """
    del version  # front.py answers it before importing this module


def _unloaded_command() -> None:
    """Stand in for each command in ``pbem --help``, which shows only its name and summary."""
    raise OurFault("cli/not-loaded", "the command was not loaded")


def _load_command(target: str) -> Callable[..., int]:
    """Import one command. Return a function that also takes ``--json``, prints the result and returns the exit code.

    ``target``: the module and the function, as in ``COMMANDS``.
    """
    module, _, name = target.partition(":")
    function: Callable[..., Result] = getattr(import_module(f"pbem.commands.{module}"), name)
    signature = inspect.signature(function, eval_str=True)
    if COMPLETION_VARIABLE in os.environ:
        from pbem.commands.completion import add_completers

        add_completers(signature.parameters.values(), _words_to_complete())

    @functools.wraps(function)
    def run_and_show(*, json: bool, **values: Any) -> int:
        if os.name == "nt":
            _expand_wildcards(signature, values)
        return show(function(**values), json)

    parameters = [*signature.parameters.values(), _JSON_PARAMETER]
    run_and_show.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run_and_show


def _expand_wildcards(signature: inspect.Signature, values: dict[str, Any]) -> None:
    """Replace `*.eml` in lists of arguments by the files, as shells do elsewhere. A word without a match stays."""
    from glob import glob

    for name, parameter in signature.parameters.items():
        options = getattr(parameter.annotation, "__metadata__", ())
        if values[name] and any(str(option.metavar).rstrip("]").endswith("...") for option in options):
            paths = {word: sorted(glob(str(word).replace("[", "[[]"))) for word in values[name]}
            values[name] = [type(word)(path) for word in values[name] for path in paths[word] or [word]]


_JSON_FLAG = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]
_JSON_PARAMETER = inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=_JSON_FLAG)


def _usage_error(error: typer.TyperException, command_name: str) -> PbemError:
    """Return Typer's message for a wrong command line as a BadInput, with the command's ``--help`` as hint."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else f"pbem {command_name}".rstrip()
    path = path.replace("pbem amend ", "pbem amend DIR ")
    group = path.rpartition(" ")[2]
    if message == "Missing command" and group in GROUP_HELP:
        subcommands = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{group} ")]
        message = f"choose a command of `{path}`: {', '.join(subcommands)}"
    return BadInput("cli/usage", message[:1].lower() + message[1:], f"{path} --help")


def _unusable_file_error(error: OSError) -> PbemError:
    location = f"{str(error.filename)!r}: " if error.filename is not None else ""
    reason = (error.strerror or type(error).__name__).lower()
    hint = "check the name, its permissions and the disk"
    return BadInput("file/unusable", f"{location}{reason}", hint)


def _unexpected_error(error: Exception) -> PbemError:
    """Return an error with the type and location of another. It has no values, which may be hidden cards."""
    from pbem.catalog import is_traceback_wanted, unexpected_fault

    if is_traceback_wanted():
        _print_traceback(error)
    return unexpected_fault(error, "run it again with PBEM_TRACEBACK=1, which prints nothing hidden")


def _print_traceback(error: BaseException | None) -> None:
    """Print the traceback without messages, which may quote hidden values."""
    import traceback

    while error is not None:
        sys.stderr.write(f"{type(error).__name__}\n")
        traceback.print_tb(error.__traceback__)
        error = error.__cause__ or error.__context__
