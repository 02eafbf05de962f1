"""What cannot be read is not taken for what is missing.

A handler that catches what the system refuses (CannotRead, PbemError, OSError or more), and does
not raise in its turn, stands in a table with its reason; so does a look at the drive that answers
"not there" where it cannot look. What reads no drive (the other rooms) needs none.
Source: docs/decisions/0028-cannot-be-read.md.
"""

import ast
from collections.abc import Iterator

from . import tree

ROOMS = ("disk", "services", "transport", "commands")
ROOT_FILES = ("catalog.py", "cli.py", "front.py", "result.py")
#: catching one of these catches a file that cannot be read
WIDE = {"CannotRead", "PbemError", "OSError", "PermissionError", "Exception", "BaseException"}
#: what says no, or gives nothing, where the system cannot look
BLIND = {"exists", "lexists", "isdir", "isfile", "is_dir", "is_file", "rglob", "glob", "iterdir"}

TOLD = "it tells why, in the place of what could not be done; the others go on"
LEFT = "what is left over does no harm, and goes the next time"
PURE = "nothing in the block reads a file of a game or the home"
HANDLERS = {
    "cli.py _run_reporting_errors": TOLD,
    "commands/completion.py _autocompletion": "what a shell completes: nothing is done with it",
    "commands/doctor.py _check_game": TOLD,
    "commands/doctor.py _find_folders": TOLD,
    "commands/doctor.py _guarded": TOLD,
    "commands/doctor.py _registered_paths": TOLD,
    "commands/doctor.py _try_mail": TOLD,
    "commands/receive.py _receive_saved": TOLD,
    "commands/receive.py select_usable_games": TOLD,
    "commands/restore.py _restore_file": TOLD,
    "commands/script.py _play_or_error": PURE,
    "commands/status.py _table_row": TOLD,
    "commands/status.py _terminal_width": "how wide a terminal is",
    "disk/folder.py GameFolder commit": LEFT,
    "disk/folder.py GameFolder remove_leftovers": LEFT,
    "disk/games.py _find_games_in": TOLD,
    "disk/games.py was_moved": "taken for a copy, which asks for `adopt`",
    "disk/home.py Home remove_leftovers": LEFT,
    "disk/idle.py read_idle": "a game not known to be idle is looked at",
    "disk/idle.py fingerprint_of": "a game not known to be idle is looked at",
    "disk/mailboxes.py _locked_mbox": "a spool that others write, which we may only read",
    "disk/modes.py _close_to_others": "a drive without modes; it is looked at again, and told",
    "disk/modes.py _belongs_to_others": "a drive that gives files to somebody else",
    "disk/drive.py check_drive": "another command holds the lock: by its error's number alone",
    "disk/system.py _try_lock": "another command holds the lock: by its error's number alone",
    "disk/system.py mark_busy": "a drive without locks: the file beside is swept a day later",
    "disk/system.py patiently": "Windows: another program holds the file; after a second it is told",
    "disk/system.py remove_temps": LEFT,
    "disk/system.py sweep_temps": LEFT,
    "disk/system.py sync": "macOS: where it cannot wait for the drive, fsync does",
    "disk/system.py sync_folder": "drives without the notion, by the error's number alone",
    "disk/system.py removed_on_failure": LEFT,
    "disk/whole.py _claim_name": "drives without links, by the error's number alone",
    "disk/whole.py create": LEFT,
    "disk/whole.py link_if_same": "an older file that cannot be linked is written once more, whole",
    "front.py end_process": "standard output is gone",
    "front.py main": "standard output is gone",
    "transport/fetch.py _store_if_wanted": TOLD,
    "transport/fetch.py _fetch_account": TOLD,
    "transport/headers.py build_mail_filter": TOLD,
    "transport/fetch.py fetch_all": TOLD,
    "transport/headers.py _addresses": PURE,
    "transport/headers.py content_digest": PURE,
    "transport/imap.py open_imap": "a server's line; it is being closed",
    "transport/send.py _SendingRun _begin": TOLD,
    "transport/send.py _SendingRun _result_if_not_now": TOLD,
    "transport/send.py _prepare_outbox": TOLD,
    "transport/send.py _SendingRun send_queue": TOLD,
    "transport/send.py send_all": TOLD,
    "transport/smtp.py ProgramCarrier deliver": "the program could not be run: its answer says so",
    "transport/smtp.py SmtpCarrier deliver": "a server's line: its answer says so",
    "transport/smtp.py open_smtp": "a server's line; it is being closed",
    "transport/tick.py _send_alarm": TOLD,
    "transport/tick.py _resolve_all": "writes what is idle; a game not known to be is looked at",
    "transport/tick.py _collect": TOLD,
    "transport/tick.py _back_up_all": TOLD,
    "transport/tick.py tick": TOLD,
    "transport/account_trial.py _WayTrial run": TOLD,
    "transport/account_trial.py reach_accounts": TOLD,
    "transport/account_trial.py try_account": TOLD,
    "transport/scheduler.py _output_of": "no timer is known then, and `pbem doctor` says so",
    "result.py _write": "standard output is gone",
    "services/receive/find_game.py Games _games_of_code": "any code may be of that game, which is asked then",
    "services/receive/receive.py _receive_failed": TOLD,
    "services/receive/receive.py receive_file": TOLD,
    "services/receive/receive.py _read_and_receive": TOLD,
    "services/receive/receive.py _advise": TOLD,
    "services/player/joining.py list_keys": TOLD,
    "services/prove/audit.py examine": TOLD,
    "services/prove/inputs.py _read_email": PURE,
    "services/prove/inputs.py list_inputs": TOLD,
    "services/receive/find_game.py Games _all_secrets": "its emails wait; the game tells why when it is played",
    "services/prove/inputs.py is_archive": "it is no archive then, and what reads it tells why",
    "services/prove/verify.py _games_in": "it is one row then, which tells",
    "services/prove/verify.py _is_game_or_archive": "the order of the rows; its row tells",
    "services/prove/verify.py _verify_part": TOLD,
    "services/prove/verify.py _split_path": TOLD,
    "services/resolve/resolve.py try_act": TOLD,
    "services/amend/restore.py restore_backup": TOLD,
    "services/session/folders.py _admit": TOLD,
    "services/session/folders.py _recognizes_own_folder": "it is not borne out, and asks for `adopt`",
    "services/session/folders.py _open_folder": TOLD,
    "services/session/folders.py open_games": TOLD,
}
LOOKS = {
    "catalog.py template_folders": "what a plug-in brings along",
    "catalog.py _read_word_table": "what a game brings along",
    "commands/demo.py _free_folder": "a demo of its own; what is there is not written over",
    "commands/tick.py _install_result": "it is only shown, and the folder may come later",
    "services/prove/audit.py make_texts": "what pbem itself brings along",
}


def found() -> Iterator[tuple[str, str]]:
    for path in tree.modules():
        name = path.relative_to(tree.PACKAGE).as_posix()
        if name.startswith(tuple(f"{room}/" for room in ROOMS)) or name in ROOT_FILES:
            yield from in_module(name, tree.parsed(path))


def in_module(name: str, module: ast.AST) -> Iterator[tuple[str, str]]:
    """Where (``file function``, of the outermost function), and what: "handler" or "look"."""
    for place in ast.iter_child_nodes(module):
        where = f"{name} {place.name}" if isinstance(place, DEFINED) else name
        if isinstance(place, ast.ClassDef):
            yield from in_module(where, place)
            continue
        for node in ast.walk(place):
            if isinstance(node, ast.ExceptHandler) and wide(node.type) and not raises(node.body):
                yield where, "handler"
            if isinstance(node, ast.Call) and called(node.func) == "suppress":
                if any(wide(argument) for argument in node.args):
                    yield where, "handler"
            elif isinstance(node, ast.Call) and is_blind(node.func):
                yield where, "look"


DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def called(function: ast.AST) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def is_blind(function: ast.expr) -> bool:
    """A method of Path or of os.path; not the function of ours that raises (disk/system.py)."""
    of = called(function.value) if isinstance(function, ast.Attribute) else "system"
    return called(function) in BLIND and of != "system"


def wide(caught: ast.expr | None) -> bool:
    names = {called(node) for node in ast.walk(caught)} if caught else {"BaseException"}
    return bool(names & WIDE)


def raises(body: list[ast.stmt]) -> bool:
    """Whether whatever happens in it, an error leaves it."""
    leaves = any(isinstance(node, ast.Return | ast.Continue) for one in body for node in ast.walk(one))
    return isinstance(body[-1], ast.Raise) and not leaves


def test_what_cannot_be_read_is_told() -> None:
    """Each handler and each look that is not in the table; and each row that is of none."""
    there = set(found())
    table = {(where, "handler") for where in HANDLERS} | {(where, "look") for where in LOOKS}
    assert sorted(there - table) == []
    assert sorted(table - there) == []


def test_the_code_is_read_aright() -> None:
    text = """
def one():
    with suppress(PbemError):
        two()
    try:
        two()
    except (BadInput, OSError) as error:
        raise Refused() from error
    return path.exists() or system.is_file(path) or is_file(path)
class Three:
    def four():
        try:
            two()
        except Missing:
            return None
        except:
            pass
"""
    assert set(in_module("pbem/x.py", ast.parse(text))) == {
        ("pbem/x.py one", "handler"),
        ("pbem/x.py one", "look"),
        ("pbem/x.py Three four", "handler"),
    }
