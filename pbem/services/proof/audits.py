"""``pbem audit``: games gone through again, each by itself, and against the others given with it.

What lives here: finding what there is to audit, reading a folder, the audit of each with all that
an archive holds for people (``words_of``), whether two files have one history. What must never be
here: what makes a game honest, the values of a transcript (moderator/audit); what is said of it.
Laws: it needs no referee, no key and no desk: one that is there is the referee's own; the same
states, secret and versions give the same bytes, so that an audit can compare them.
Source: docs/SPECIFICATION.md section 12; decision 0010.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem import __version__, catalog
from pbem.disk.folder import SECRET, GameFolder
from pbem.disk.whole import read, read_if_there, read_input
from pbem.engine.rulebook import paragraph
from pbem.errors import BadInput, PbemError
from pbem.moderator.audit import archive
from pbem.moderator.audit.archive import Archive, Words
from pbem.moderator.audit.audit import CONTRADICTED, Audit, TrustAnchors, audit
from pbem.moderator.audit.findings import Replay, SignedState
from pbem.moderator.audit.told import Letter, game_of, what_was_told
from pbem.moderator.audit.transcript import Values, heading, told, unreadable
from pbem.moderator.chain.link import Link
from pbem.moderator.verify.together import HERE_BEFORE, History, history_of, parting
from pbem.render import render
from pbem.services.proof.seen import remember, remembered
from pbem.services.proof.verification import is_archive
from pbem.services.session.newest import playing
from pbem.services.session.session import values_kept

if TYPE_CHECKING:
    from pbem.engine.game import Game


def look_into(contents: Archive, known: TrustAnchors) -> Audit:
    """The audit of one game."""
    return audit(contents, rules, known, words_of, pieces)


def contents_of(folder: GameFolder) -> Archive:
    """A game's folder, as if it were an archive: states and secret; all of one that was unpacked.

    In an unpacked one nothing is taken from a desk: what its manifest tells of is checked.
    """
    states = {n: folder.state(n) or b"" for n in folder.numbers()}
    data = read_if_there(folder.root / "secret", 1024)
    found = {name: read_if_there(folder.root / name, LIMIT) for name in archive.FOR_PEOPLE}
    manifest = read_if_there(folder.root / archive.MANIFEST, LIMIT)
    told = found[archive.TRANSCRIPT] is not None
    words = {name: text for name, text in found.items() if told and text is not None}
    torn = told != (manifest is not None)
    text = read_if_there(folder.root / archive.HANDS, LIMIT)
    hands = archive.hands_of(text) if text is not None else None
    if data is None and manifest is None and (folder.root / "desk").is_dir():
        data, hands = folder.desk_file(SECRET), hands_kept(folder)
    secret, listed = archive.secret_of(data) if data is not None else b"", manifest or b""
    return Archive(states, secret, Words(archive.made_by(listed), words), listed, hands, torn)


def hands_kept(folder: GameFolder) -> dict[int, dict[str, str]]:
    """What waited before each state, as the desk has it; one that is lost is not there."""
    kept = {n: values_kept(folder, n) for n in folder.numbers()}
    return {n: values for n, values in kept.items() if values is not None}


_PACKAGE = Path(__file__).parents[2]
#: in an installed pbem, and in a checkout
_SPECIFICATIONS = (
    _PACKAGE / archive.SPECIFICATION,
    _PACKAGE.parent / "docs" / archive.SPECIFICATION,
)


def rules(link: Link) -> tuple["Game", str]:
    """The rules a game is played by, and the version they come from here."""
    return playing(link), catalog.distribution(link.setup.kind)[1]


def pieces(link: Link) -> "Game | None":
    """The game by its name alone."""
    try:
        return catalog.load(link.setup.kind)
    except PbemError:
        return None


def words_of(replay: Replay | None, states: Mapping[int, SignedState]) -> Words:
    """All files for people; with all that was hidden where the game was played again."""
    game = rules(states[max(states)].link)[0]
    about = {**heading(game, states), "open": replay is not None}
    specification = next(path for path in _SPECIFICATIONS if path.is_file())
    files = {
        archive.README: render("archive_readme.txt", **about).encode(),
        archive.RULES: catalog.rules(game.kind).encode(),
        archive.SPECIFICATION: read(specification, 1 << 20),
        archive.TRANSCRIPT: transcript_of(replay, states),
    }
    # a plug-in's package stands behind pbem, since it has words too
    name, version = catalog.distribution(game.kind)
    own = f"pbem {__version__}"
    return Words(own if name == "pbem" else f"{own}, {name} {version}", files)


def transcript_of(replay: Replay | None, states: Mapping[int, SignedState]) -> bytes:
    """The plain text of a game; Unreadable where a state tells of what its game does not know."""
    game = rules(states[max(states)].link)[0]
    rulebook, folders = catalog.rules(game.kind), catalog.templates(game.kind)
    values = told(game, replay, states, lambda number: paragraph(rulebook, number) or "")

    def make(values: Values) -> str:
        return render("transcript.txt", *folders, **values)

    try:
        return make(values).encode()
    except PbemError as error:
        raise unreadable(values, make) or error from None


LIMIT = 64 << 20
#: the line that the block of a report or receipt begins with, also in a mail
REPORT = (
    rb"(?m)^[> ]*(?:(?:receipt )?pbem 1 [a-z2-7]{26} |"
    rb"\[pbem [0-9A-Z]{4}-[0-9A-Z]{4}\]|Subject: .*\[pbem )"
)
#: by game: the files seen with it, and the states in each
Seen = dict[str, list[tuple[Path, History]]]


class Audited(NamedTuple):
    """One game: its audit, or why it cannot be read; and what other files given have of it."""

    path: Path
    found: Audit | PbemError
    parted: str = ""  #: the verdict where another file has other states of the same game
    why: str = ""


def audits(paths: Sequence[Path], known: TrustAnchors) -> list[Audited]:
    """Every game and archive that is named or lies in a folder that is named."""
    given = [path for one in paths for path in _inside(one)]
    games = [path for path in given if not is_letter(path)]
    letters: dict[Path, Letter | PbemError] = {}
    for path in given:
        if path not in games:
            letters[path] = _letter(path)
    read = [one for one in letters.values() if isinstance(one, Letter)]
    seen: Seen = {}
    found = [_one(path, known, seen, read) for path in games]
    here = {one.found.game for one in found if isinstance(one.found, Audit)}
    for path, letter in letters.items():
        if isinstance(letter, PbemError):
            found.append(Audited(path, letter))
        elif (letter.blocks or not here) and not here & {*map(game_of, letter.blocks)}:
            found.append(Audited(path, _of_no_game(path)))
    return found


def _one(path: Path, known: TrustAnchors, seen: Seen, letters: Sequence[Letter]) -> Audited:
    try:
        contents = _contents(path)
        found = look_into(contents, known)
    except PbemError as error:
        return Audited(path, error)
    parted = _parted(path, found, seen)
    if item := what_was_told(contents.states, found.game, found.replay, letters):
        found = found._replace(items=(*found.items, item))
    return Audited(path, found, *parted)


def is_letter(path: Path) -> bool:
    """Whether a file is an email, a report or a receipt, or a mailbox of them."""
    if path.is_dir() or not path.is_file():
        return False
    data = read_input(str(path), LIMIT)
    return data[257:262] != b"ustar" and bool(re.search(REPORT, data))


def _letter(path: Path) -> Letter | PbemError:
    from pbem.services.proof.letters import signed_blocks

    try:
        blocks, receipts = signed_blocks(read_input(str(path), LIMIT))
    except PbemError as error:
        return error
    return Letter(str(path), (*blocks, *receipts))


def _of_no_game(path: Path) -> BadInput:
    way = f"name the game's archive or folder too: `pbem audit GAME {path}`"
    return BadInput("audit/report", "this is an email or a report, not an archive", way)


def _inside(path: Path) -> list[Path]:
    """What there is to audit: a file, a game's folder, or what a folder holds of both."""
    if not path.is_dir() or GameFolder(path).is_game():
        return [path]
    found = [
        one
        for one in sorted(path.iterdir())
        if not one.name.startswith(".")
        and (GameFolder(one).is_game() if one.is_dir() else is_archive(one) or is_letter(one))
    ]
    if not found:
        why = f"there is no game and no archive in {path}"
        raise BadInput("audit/none", why, "name an archive; `pbem archive` makes them")
    return found


def _contents(path: Path) -> Archive:
    if path.is_dir():
        return contents_of(GameFolder(path))
    data = read_input(str(path), LIMIT)
    return archive.unpack(data)


def _parted(path: Path, found: Audit, seen: Seen) -> tuple[str, str]:
    """(verdict, why) where another file has other states of the same game, or this machine has seen
    others: was one rewritten?
    """
    mine = history_of(
        {n: state.link for n, state in found.states.items()},
        {n: state.head for n, state in found.states.items()},
    )
    known = [(str(other), theirs, False) for other, theirs in seen.get(found.game, ())]
    if found.game:
        known.append((HERE_BEFORE, remembered(found.game).states, True))
    seen.setdefault(found.game, []).append((path, mine))
    excused = ("", "")
    for other, theirs, before in known:
        parted = parting(theirs, mine)
        if parted is None or (before and parted.lost and parted.here):
            continue
        why = f"{parted.words(other)} ({parted.hint})"
        if not parted.lost:
            return "contradicted", why
        excused = ("not checked", why)
    wrong = {item.name for item in found.items if item.verdict == CONTRADICTED}
    if found.link is not None and 0 in mine and not wrong & {"states", "referees", "chain"}:
        remember(found.game, [row.acting for row in found.link.referees], mine)
    return excused
