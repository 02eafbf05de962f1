"""``pbem doctor``: checks what pbem relies on, and says what to type where something is wrong."""

import platform
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Annotated, NamedTuple

from typer import Argument, Option

from pbem import __version__
from pbem.chain.clock import HOUR, check_instant, epoch_seconds
from pbem.chain.clock_words import count_text, instant_in_prose, zone_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.clock import now
from pbem.commands.status import age_text, list_troubles
from pbem.crypto.signing import key_id
from pbem.disk.drive import check_drive
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games
from pbem.disk.home import SUBFOLDERS, Home
from pbem.disk.journal import EmailStatus, message_files, read_last_tick
from pbem.disk.modes import refuse_shared
from pbem.disk.system import is_folder
from pbem.engine.row import join_with_and
from pbem.errors import TYPED_PREFIXES, BadInput, PbemError, as_sentence
from pbem.result import RED, Result, show_progress
from pbem.services.session.folders import restore_undecided_error
from pbem.services.session.keys import find_home, is_locked, no_key_error, public_keys_of, recovery_public_keys
from pbem.services.session.needs import GameNeeds, read_needs
from pbem.services.session.worklist import find_late_tick
from pbem.transport.account_trial import MOST_SECONDS, WayResult, reach_accounts
from pbem.transport.accounts import Account, load_accounts
from pbem.transport.scheduler import INSPECT_COMMANDS, find_schedulers

WIDTH, HEIGHT = 80, 24  #: of a screen
RECENT = HOUR // 2  #: a timer that runs has run within so many seconds
SKEW = 5 * 60  #: seconds by which the clocks of two machines may differ
MIN_FREE = 100 << 20  #: bytes that must be free on a drive
PROBED_ZONE = "Europe/Rome"  #: every copy of the time zone data has it
GAME = "game "  #: how the subject of a check of one game begins


class Check(NamedTuple):
    """What was found about one subject."""

    subject: str
    fact: str
    is_good: bool = True
    mend: str = ""  #: what to do: a command to type, or a sentence without its full stop; advice if it is good


class CheckedGame(NamedTuple):
    """A game's folder, and what the game needs if it can be read."""

    folder: GameFolder
    needs: GameNeeds | None
    checks: Sequence[Check]  #: what is wrong with it


def run(
    roots: Annotated[
        list[Path] | None,
        Argument(metavar="[ROOT...]", help="Folders of games. Default: every game that you play on this machine."),
    ] = None,
    offline: Annotated[bool, Option("--offline", help="Do not connect to mail servers.")] = False,
) -> Result:
    """Check what pbem relies on, and say what to type where something is wrong.

    It looks at your keys, mail accounts, timer, clock, drives and games. It logs in to your mail
    servers, but sends no email. It changes nothing and does not ask for the passphrase of your key.
    The exit code is 1 if something is wrong.
    """
    home, time = find_home(), now()
    checks = [_version_check(), *_guarded("home", _home_checks, home)]
    folders, folder_checks = _find_folders(home, roots or ())
    games = [_check_game(folder, home, time) for folder in folders]
    records = {game.folder.root: game.needs.record for game in games if game.needs}
    accounts, ways, mail_checks = _try_mail(home, offline)
    checks += mail_checks
    checks += _guarded("timer", _timer_checks, home, accounts, records.values(), time)
    checks += _guarded("system clock", _clock_checks, home, records, ways, time)
    checks += _guarded("drive", _drive_checks, home, folders)
    checks += [*folder_checks, *_guarded("mail", _broken_email_checks, home)]
    known_facts = {check.fact for check in checks}  # no game can be read without the key
    checks += [check for game in games for check in game.checks if check.fact not in known_facts]
    if not any(game.checks for game in games):
        checks.append(Check("games", f"{count_text(len(games), 'game')}; no problem" if games else "none yet"))
    return _result(checks)


def _result(checks: Sequence[Check]) -> Result:
    """Return the screen, with what is wrong first, then advice."""
    problems = [check for check in checks if not check.is_good]
    good_checks = sorted((check for check in checks if check.is_good), key=lambda check: not check.mend)
    good_lines = [line for check in good_checks for line in _check_lines("- " if check.mend else "ok", check)]
    lines, colours = list[str](), dict[int, str]()
    for index, check in enumerate(problems):
        check_lines = _check_lines("! ", check)
        if index and check.subject.startswith(GAME) and _height([*lines, *check_lines, *good_lines]) >= HEIGHT:
            lines.append(f"!  and {count_text(len(problems) - index, 'more problem')}: pbem doctor --json lists all")
            break
        colours[len(lines)] = RED
        lines += check_lines
    lines += good_lines
    rows = [
        {"subject": check.subject, "good": check.is_good, "said": check.fact, "mend": check.mend} for check in checks
    ]
    text = "\n".join(lines if problems else [*lines, "Nothing is wrong."])
    return Result({"good": not problems, "checks": rows}, text, int(bool(problems)), colours=colours)


def _check_lines(mark: str, check: Check) -> list[str]:
    """Return the line of a check, and below it what to do. Neither is broken, so that it can be copied."""
    lines = [f"{mark} {check.subject}: {check.fact}"]
    if check.mend:
        lines.append(f"   type: {check.mend}" if check.mend.startswith(_TYPED) else f"   {as_sentence(check.mend)}")
    return lines


def _height(lines: Iterable[str]) -> int:
    """Return how many lines these take on a terminal."""
    return sum(-(-len(line) // WIDTH) for line in lines)


_TYPED = (*TYPED_PREFIXES, *(command.partition(" ")[0] for command in INSPECT_COMMANDS.values()))


def _guarded(subject: str, check: Callable[..., Iterable[Check]], *arguments: object) -> list[Check]:
    """Return the checks, or the error that they raise as one."""
    try:
        return [*check(*arguments)]
    except PbemError as error:
        return [_failed(subject, error)]


def _failed(subject: str, error: PbemError) -> Check:
    return Check(subject, error.message, False, error.hint)


def _version_check() -> Check:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Check("version", f"pbem {__version__}, Python {platform.python_version()}, {system}")


def _home_checks(home: Home) -> Iterator[Check]:
    """Yield whether the home is private, and where its two keys are."""
    if not is_folder(home.path):
        yield Check("home", f"there is no {home.path} yet", False, "pbem key new")
        return

    yield from _guarded("home", _privacy_checks, home)
    yield from _guarded("acting key", _key_checks, home)


def _privacy_checks(home: Home) -> Iterator[Check]:
    refuse_shared(home.path)
    yield Check("home", f"{home.path}, which only you can use")


def _key_checks(home: Home) -> Iterator[Check]:
    public_keys = public_keys_of(home, "acting")
    if public_keys is None:
        raise no_key_error(home)
    protection = "it has a passphrase" if is_locked(home) else "it has no passphrase"
    yield Check("acting key", f"{key_id(public_keys[0])}; {protection}")
    yield from _guarded("recovery key", _recovery_key_checks, home)


def _recovery_key_checks(home: Home) -> Iterator[Check]:
    recovery_public_keys(home)
    if home.read_key("recovery") is None:
        yield Check("recovery key", "moved off this machine, so pbem cannot see its copies")
    else:
        mend = "copy it to two places that do not burn together, then delete it here"
        yield Check("recovery key", f"still on this machine: {home.key_path('recovery')}", mend=mend)


def _try_mail(home: Home, offline: bool) -> tuple[list[Account], list[WayResult], list[Check]]:
    """Return the accounts that fetch or send, what became of logging in to them, and the checks of both."""
    try:
        accounts = [account for account in load_accounts(home).values() if account.ways]
    except PbemError as error:
        return [], [], [_failed("mail", error)]
    if not accounts:
        return [], [], [Check("mail", "no mail account; you fetch and send by hand")]
    if offline:
        return accounts, [], [Check("mail", f"{count_text(len(accounts), 'account')}, not tried (--offline)")]
    show_progress(f"Connecting to your mail servers, for up to {MOST_SECONDS:.0f} seconds …")
    ways = reach_accounts(accounts)
    checks = [
        Check(f"mail {way.name}", f"{way.url_text} works")
        if way.error is None
        else _failed(f"mail {way.name}", way.error)
        for way in ways
    ]
    return accounts, ways, checks


def _timer_checks(
    home: Home, accounts: Sequence[Account], records: Iterable[StateRecord], time: str
) -> Iterator[Check]:
    """Yield whether a timer starts `pbem tick`, and whether that ran lately."""
    names, last_time = find_schedulers(), read_last_tick(home).time
    age = RECENT + 1
    ran_text = "it has not run yet"
    with suppress(ValueError):  # it never ran, or the record of the last run is damaged
        age = epoch_seconds(time) - epoch_seconds(check_instant(last_time))
        ran_text = f"it last ran {age_text(age)} ago"
    timer_text = f"`pbem tick` is started by {join_with_and(names)}" if names else "nothing starts `pbem tick`"
    needs_timer = accounts or any(record.clock.has_deadlines and record.phase != CLOSED for record in records)
    if names and age > RECENT:
        yield Check("timer", f"{timer_text}; {ran_text}", False, INSPECT_COMMANDS[names[0]])
    elif find_late_tick(home, time) or (not last_time and needs_timer):
        yield Check("timer", f"{timer_text}; {ran_text}", False, "pbem tick ROOT --install")
    else:
        yield Check("timer", f"{timer_text}; {ran_text}")


def _clock_checks(home: Home, records: Mapping[Path, StateRecord], ways: Iterable[WayResult], time: str) -> list[Check]:
    """Compare the clock with times that have passed already, and look for the data of the time zones."""
    past_times = [(f"a state of {root} was saved", record.time) for root, record in records.items()]
    past_times += [(f"the newest email of {way.name.partition(' ')[0]} arrived", way.newest_arrival) for way in ways]
    past_times.append(("`pbem tick` last ran", read_last_tick(home).time))
    now_text = instant_in_prose(time)
    checks = []
    for what, past_time in past_times:
        with suppress(ValueError):
            if past_time and epoch_seconds(check_instant(past_time)) > epoch_seconds(time) + SKEW:
                fact = f"it says {now_text}, but {what} at {instant_in_prose(past_time)}"
                checks.append(Check("system clock", fact, False, "set the clock of this machine"))
                break
    for zone in sorted({PROBED_ZONE, *(record.clock.zone for record in records.values())}):
        try:
            zone_of(zone)
        except BadInput as error:
            checks.append(Check("time zones", error.message, False, "pip install tzdata"))
    return checks or [Check("system clock", f"{now_text}; time zones are known")]


def _drive_checks(home: Home, folders: Sequence[GameFolder]) -> Iterator[Check]:
    """Yield whether the drives of the home and the games have room, and can lock and rename files."""
    drives = set[int]()

    def check(path: Path, lock_name: str, subfolders: Iterable[str]) -> Iterator[Check]:
        drive, free = check_drive(path, lock_name, subfolders)
        if drive not in drives:
            drives.add(drive)
            yield _space_check(path, free)

    if is_folder(home.path):
        yield from _guarded("drive", check, home.path, "lock", SUBFOLDERS)
    for folder in folders:
        yield from _guarded("drive", check, folder.root, "desk/lock", ("states",))


def _space_check(path: Path, free: int) -> Check:
    size = f"{free / 1e9:.1f}"
    if free < MIN_FREE:
        way = "free some space; a full drive stops every command that writes"
        return Check("drive", f"{size} GB free at {path}", False, way)
    return Check("drive", f"{size} GB free at {path}; locks and renaming work")


def _broken_email_checks(home: Home) -> Iterator[Check]:
    """Yield the emails that pbem failed to process."""
    paths = sorted(message_files(home, EmailStatus.BROKEN))
    for folder, group in groupby(paths, key=lambda path: path.parent):
        fact = f"pbem could not process {count_text(len([*group]), 'email')}"
        mend = f"read why in {folder}; then give each file to `pbem receive`, and delete it"
        yield Check(f"mail {folder.parent.name}", fact, False, mend)


def _find_folders(home: Home, roots: Sequence[Path]) -> tuple[list[GameFolder], list[Check]]:
    """Return the games in these folders, or those that are played here. A game that was moved away is left out."""
    checks = list[Check]()
    folders = dict[Path, GameFolder]()
    for root in roots or _registered_paths(home, checks):
        try:
            games, notes = find_games(root)
        except PbemError as error:
            checks.append(_failed(f"{GAME}{root}", error))
            continue
        checks += [Check(f"{GAME}{root}", note, False) for note in notes]
        games = games or ([] if roots else [GameFolder(root)])
        folders |= {folder.root.resolve(): folder for folder in games}
    return [folders[path] for path in sorted(folders)], checks


def _registered_paths(home: Home, checks: list[Check]) -> list[Path]:
    """Return the folders in which games are played here, as short as they can be typed."""
    paths, here = list[Path](), Path.cwd()
    try:
        games = home.registered_games()
    except PbemError as error:
        checks.append(_failed("games", error))
        return []
    for game in games:
        try:
            registration = home.read_registration(game)
            if registration is not None and is_folder(path := registration.path):
                paths.append(path.relative_to(here) if path.is_relative_to(here) else path)
        except PbemError as error:
            checks.append(_failed(f"{GAME}{game}", error))
    return paths


def _check_game(folder: GameFolder, home: Home, time: str) -> CheckedGame:
    """Find out what is wrong with a game. It needs no key."""
    root = str(folder.root)
    subject = f"{GAME}{root}"
    try:
        needs = read_needs(folder, home, Counter())
        checks = [Check(subject, trouble.fact, False, trouble.mend) for trouble in list_troubles(needs, root, time)]
        registration = home.read_registration(needs.record.game)
        if registration and registration.is_undecided and registration.path == folder.root.resolve():
            checks.append(_failed(subject, restore_undecided_error(folder.root)))
        if fact := folder.describe_unfinished():
            fact, _, mend = fact.partition("; ")
            checks.append(Check(subject, fact, False, mend))
    except PbemError as error:
        return CheckedGame(folder, None, [_failed(subject, error)])
    return CheckedGame(folder, needs, checks)
