"""Every reader of bytes that come from elsewhere, by itself, with mutated bytes: a result, or one
error in a line. Whole commands with the same: test_mutated.py.

How many: tests/sizes.py; a million of them at once: ``python -m badinput.test_readers 1000000``.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sizes import size

from pbem import catalog
from pbem.chain.rulings.kinds import check_operands
from pbem.chain.state_record import read_record
from pbem.crypto.signing import private_key, public_key
from pbem.engine.random_play import deal_piles
from pbem.errors import PbemError
from pbem.formats import state_file
from pbem.play.pending_file import decode_pending, encode_pending, parse_committed_value
from pbem.play.proposals.proposals import find_proposal
from pbem.play.proposals.prose import Reader, read_prose
from pbem.play.validation import EmailContext
from pbem.proof.audit.archive import Archive, pack, unpack
from pbem.report import players
from pbem.report.block import parse_blocks
from pbem.report.receipt_block import parse_receipt_blocks
from pbem.services.receive.message import (
    grammar_of,
    lines_for_referee,
    parse_orders,
    read_message,
    referee_message_lines,
)
from pbem.services.receive.prose import lexicon_of

from .test_mutated import TEXTS, mutated, odd_body

ROOT = Path(__file__).parents[2] / "examples" / "games" / "great-wall-3"
GAMES = [catalog.load(kind) for kind in ("chang-cheng", "great-wall")]


def opened(game: Any) -> Any:
    """A player's View of a game that has just begun."""
    config = game.configure(game.seats[:2], {})
    state = game.setup(config, deal_piles(game, config, Random(1).randrange), 1).state
    return game.view(state, game.questions(game.view(state, None))[0].seat)


VIEWS = {game.kind: opened(game) for game in GAMES}


def mail(data: bytes) -> None:
    message = read_message(data)
    for game in GAMES:
        sheet = parse_orders(message, grammar_of(game))
        reader = Reader(game, VIEWS[game.kind], grammar_of(game), lexicon_of(game), has_deadlines=True)
        sheet = read_prose(reader, sheet)
        find_proposal(reader, EmailContext(VIEWS[game.kind], True, ""), sheet)
        referee_message_lines(lines_for_referee(message, sheet), "Ann")


def state(data: bytes) -> None:
    check_operands(read_record(state_file.parse(state_file.split(data).body)))


def body(data: bytes) -> None:
    check_operands(read_record(state_file.parse(data)))


def blocks(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    parse_blocks(text)
    parse_receipt_blocks(text)


def hand(data: bytes) -> None:
    decode_pending(data, "red")


def value(data: bytes) -> None:
    """What waited, as a state commits to it: ValueError is its one error."""
    try:
        parse_committed_value(data.decode("utf-8", "replace"))
    except ValueError:
        return


def archive(data: bytes) -> None:
    unpack(data)


def people(data: bytes) -> None:
    players.decode(data, ("red", "blue"))


def _mails() -> list[bytes]:
    head = "From: Bob <bob@example.org>\nSubject: [pbem K7Q2-9F3A]\nContent-Type: {}\n\n{}"
    filled = ((kind, text.replace("{north}", "K7Q2-9F3A")) for kind, text in TEXTS.items())
    return [head.format(kind, text).encode() for kind, text in filled]


def packed() -> bytes:
    """A small archive."""
    states = dict(enumerate(STATES))
    key = private_key(b"a" * 32)
    contents = Archive(states, b"s" * 32, pending_values={})
    return pack(contents, "a" * 26, key, public_key(key))


STATES = [path.read_bytes() for path in sorted((ROOT / "states").iterdir())[::7]]
HANDS = (ROOT / "hands").read_text("utf-8").split("\nhand ")
VALUES = ["\n".join(one.strip().split("\n")[1:]) for one in HANDS]
PEOPLE = b'[referee]\nname = "R"\naddress = "r@x"\n[red]\nname = "A"\naddress = "a@x"\n'
#: how bytes are read, good ones, and how they are altered
READERS: dict[str, tuple[Callable[[bytes], None], list[bytes]]] = {
    "mails": (mail, _mails()),
    "states": (state, STATES),
    "bodies": (body, [state_file.split(one).body for one in STATES]),
    "blocks": (blocks, [path.read_bytes() for path in sorted(ROOT.rglob("r*/*.txt"))[:20]]),
    "hands": (hand, [encode_pending(parse_committed_value(one)) for one in VALUES]),
    "values": (value, [one.encode() for one in VALUES]),
    "people": (people, [PEOPLE]),
    "archives": (archive, [packed()]),
}


@pytest.mark.parametrize("name", READERS)
def test_a_reader_gives_a_result_or_one_error(name: str) -> None:
    tried(name, range(size("mutated bytes for readers")))


def tried(name: str, seeds: range) -> None:
    """Mutated bytes for a reader; whatever is raised but a PbemError is its fault."""
    reader, good = READERS[name]
    for seed in seeds:
        below = Random(seed)
        alter = odd_body if name == "bodies" and below.randrange(2) else mutated
        data = alter(below.choice(good), below)
        said = ""
        try:
            reader(data)
        except PbemError as error:
            said = error.as_line()
        except Exception as error:
            raise AssertionError((name, seed, data)) from error
        assert "\n" not in said, (name, seed, data)


if __name__ == "__main__":
    for number, each in enumerate(READERS):
        share = int(sys.argv[1]) // len(READERS)
        tried(each, range(number * share, (number + 1) * share))
        print(each, share, "good")
