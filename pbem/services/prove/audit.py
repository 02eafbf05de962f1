"""``pbem audit``: games gone through again, each by itself, and against the others given with it.

What lives here: reading a folder, the audit of each with all that an archive holds for people
(``words_of``), whether two files have one history. What must never be here: what was given
(inputs.py); what makes a game honest, the values of a transcript (proof/audit); what is said of
it.
Laws: it needs no referee, no key and no desk: one that is there is the referee's own; the same
states, secret and versions give the same bytes, so that an audit can compare them.
Source: docs/SPECIFICATION.md section 12; decision 0010.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from pbem import __version__, catalog
from pbem.chain.referees import Referees
from pbem.chain.sources import BY_BOT
from pbem.chain.state_record import StateRecord
from pbem.disk.folder import SECRET, GameFolder
from pbem.disk.system import is_folder
from pbem.disk.whole import read, read_if_there
from pbem.engine.rulebook import paragraph
from pbem.errors import BadInput, PbemError, Refused
from pbem.proof.audit import archive
from pbem.proof.audit.archive import Archive, Words
from pbem.proof.audit.audit import CONTRADICTED, Audit, TrustAnchors, audit
from pbem.proof.audit.findings import Replay, SignedState
from pbem.proof.audit.reports import what_was_told
from pbem.proof.audit.saved_emails import Letter
from pbem.proof.audit.transcript import Values, heading, told, unreadable
from pbem.proof.verify.histories import History, Seen, history_of, parting
from pbem.report.render import render
from pbem.services.prove.inputs import LIMIT, Given, Letters
from pbem.services.prove.workers import on_cluster, on_every_core
from pbem.services.session.newest import playing
from pbem.services.session.session import values_kept

if TYPE_CHECKING:
    from pbem.bots.player import Choose
    from pbem.engine.game import Game


def look_into(contents: Archive, known: TrustAnchors, letters: Sequence[Letter] = ()) -> Audit:
    """The audit of one game; ``letters``: what was given besides."""
    return audit(contents, rules, known, words_of, pieces, letters, bot_of)


def bot_of(source: str) -> "Choose | None":
    """The bot that an order's source names, where it is here in that version."""
    from pbem.bots.player import NAMED  # few games ever have one
    from pbem.play.bot_draws import NAME

    here = source == f"{BY_BOT.name}:{NAME}:{__version__}"
    return NAMED[NAME] if here else None


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
    if data is None and manifest is None and is_folder(folder.root / "desk"):
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


def rules(record: StateRecord) -> tuple["Game", str]:
    """The rules a game is played by, and the version they come from here."""
    return playing(record), catalog.distribution(record.setup.kind)[1]


def pieces(record: StateRecord) -> "Game | None":
    """The game by its name alone."""
    try:
        return catalog.load(record.setup.kind)
    except (BadInput, Refused):
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


FEW = 3  #: are audited here: before other processes had begun, they are done


class Examined(NamedTuple):
    """What a job finds out of one game, and no more than is needed of it."""

    path: Path
    found: Audit | PbemError  #: without states and replay
    history: History = History({})
    refused: dict[str, PbemError] = {}  # noqa: RUF012  (letters that prove nothing, by path)


class Audited(NamedTuple):
    """One game: its audit, or why it cannot be read; and what other files given have of it."""

    path: Path
    found: Audit | PbemError
    parted: str = ""  #: the verdict where another file has other states of the same game
    why: str = ""
    again: bool = False  #: this of a file that was told of before


def audits(
    given: Iterable[Given],
    known: TrustAnchors,
    letters: Letters = MappingProxyType({}),
    many: bool = False,
    cluster: str = "",
) -> Iterator[Audited]:
    """Each of them in turn, however many: what is kept of one is its path and its heads. Then the
    letters that are of none of them.

    ``many``: on every core. ``cluster``: the address of one, if it is done there.
    """
    read = tuple(one for one in letters.values() if isinstance(one, Letter))
    job = partial(examined, known, read)
    if cluster:
        found = on_cluster(cluster, job, given, lambda one: len(one[1]) if _is_data(one) else 0)
    else:
        found = on_every_core(job, given) if many else map(job, given)
    seen: Histories = {}
    refused = dict[str, PbemError]()
    for one in found:
        refused |= one.refused
        mine, others = _parted(one, seen)
        yield Audited(one.path, one.found, *mine)
        yield from others
    told = any(letter.blocks for letter in read)
    for path, letter in letters.items():
        if isinstance(letter, PbemError):
            yield Audited(path, letter)
        elif str(path) in refused:
            yield Audited(path, refused[str(path)])
        elif (letter.blocks or not seen) and not seen.keys() & {one.game for one in letter.blocks}:
            if letter.named or not seen:
                yield Audited(path, _of_no_game(path))
        elif letter.unread.missing or not (letter.blocks or (letter.unread.own and told)):
            yield Audited(path, _bare(letter))


def examined(known: TrustAnchors, letters: Sequence[Letter], given: Given) -> Examined:
    """The job: a function of the bytes, the trusted keys and this version of pbem."""
    path, data = given
    try:
        if isinstance(data, PbemError):
            raise data
        contents = _contents(path, data)
        found = look_into(contents, known, letters)
    except PbemError as error:
        return Examined(path, error)
    item, refused = what_was_told(contents.states, found.game, found.replay, letters)
    found = found._replace(items=(*found.items, item)) if item else found
    wrong = {item.name for item in found.items if item.verdict == CONTRADICTED}
    sound = {} if wrong & {"states", "referees", "chain"} else found.states
    heads = {n: state.head for n, state in sound.items()}
    history = history_of({n: state.link for n, state in sound.items()}, heads)
    return Examined(path, found._replace(link=None, replay=None, states={}), history, refused)


def _is_data(given: Given) -> TypeGuard[tuple[Path, bytes]]:
    return isinstance(given[1], bytes)


def _of_no_game(path: Path) -> BadInput:
    way = f"name the game's archive or folder too: `pbem audit GAME {path}`"
    return BadInput("audit/report", "this is an email or a report, not an archive", way)


def _bare(letter: Letter) -> Refused:
    """Of a letter that nothing, or not all of it, could be held against its game."""
    those = f"not all of it could be compared: {letter.unread.words()}"
    if not letter.blocks:
        those = "it has no signed block, so nothing was compared"
    way = "an invitation has none; if the report is an attached file, save that, and name it here"
    return Refused("audit/no-block", those, way)


def _contents(path: Path, data: bytes | None) -> Archive:
    if data is None:
        return contents_of(GameFolder(path))
    return archive.unpack(data)


#: by game: the files seen with it, and what each tells; 67 bytes a state
Histories = dict[str, list[tuple[Path, bytes, tuple[Referees, ...]]]]


def _parted(one: Examined, seen: Histories) -> tuple[tuple[str, str], list[Audited]]:
    """(verdict, why) where another file has other states of the same game; and the same of each
    file that was told of before.
    """
    found, mine = one.found, one.history
    if isinstance(found, PbemError):
        return ("", ""), []
    known, said, others = seen.setdefault(found.game, []), ("", ""), list[Audited]()
    for path, packed, rows in known:
        theirs = History(_unpacked(packed), rows)
        said = max(said, _beside(path, theirs, mine))
        if any(again := _beside(one.path, mine, theirs)):
            others.append(Audited(path, found, *again, again=True))
    packed = _packed(mine.states)
    if (packed, mine.rows) not in (those[1:] for those in known):
        known.append((one.path, packed, mine.rows))
    return said, others


def _beside(other: Path, theirs: History, mine: History) -> tuple[str, str]:
    """(verdict, why) of what is given beside another file."""
    parted = parting(theirs, mine)
    if parted is None or parted.genuine:
        return "", ""
    why = f"{parted.words(str(other))} ({parted.hint})"
    return "not checked" if parted.ruled else CONTRADICTED, why


def _packed(states: Mapping[int, Seen]) -> bytes:
    rows = (n.to_bytes(3, "big") + x.head + (x.knows or bytes(32)) for n, x in states.items())
    return b"".join(rows)


def _unpacked(data: bytes) -> dict[int, Seen]:
    rows = (data[at : at + 67] for at in range(0, len(data), 67))
    return {
        int.from_bytes(row[:3], "big"): Seen(row[3:35], row[35:].strip(b"\0") and row[35:])
        for row in rows
    }
