"""The rulings that change who plays or signs: a player, how to reach or authenticate them, keys.

Not allowed here: a player's address or password; key files; signatures of the succession.
Laws: the ruling names everything that changes about a player, since nobody would look for it
elsewhere. The state has a new referee's name; only the players' emails have the address.
Source: docs/SPECIFICATION.md sections 5 (succession) and 9 (rulings); docs/DESIGN.md P6.
"""

import re
from collections.abc import Iterable, Mapping

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.names import is_valid_name
from pbem.chain.people import SeatedPlayer
from pbem.chain.referees import ACTING, APPOINTMENT_WORDS, RECOVERY, RefereeKeys
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.kind import GameAt, RulingBasis, RulingKind, StateLookup, advance_questions
from pbem.chain.seals import Seals
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64
from pbem.crypto.signing import key_id
from pbem.engine.row import Row

WrappedSecrets = tuple[tuple[str, bytes], ...]


def build_hand_over_basis(
    position: LoadedGame, row: RefereeKeys, wraps: WrappedSecrets, reason: str, name: str = ""
) -> RulingBasis:
    """Return the basis for the keys of a referee called ``name``, with the secret wrapped for them."""
    operands = (("by", row.appointed_by), ("acting", key_id(row.acting)), *([("name", name)] if name else []))
    return _basis_with_referees(position, row, wraps, KEYS.make_ruling(reason, *operands))


def _basis_with_referees(position: LoadedGame, row: RefereeKeys, wraps: WrappedSecrets, ruling: Ruling) -> RulingBasis:
    updated_record = position.record._replace(referees=(*position.record.referees, row), wrapped_secrets=wraps)
    return RulingBasis(updated_record, position.state, (ruling,))


LAST_SIGNED = "last"  #: the kind of row in the last report that the old key signs


def hand_over_rows(record: StateRecord, address: str, seat: str, public_key: bytes) -> list[Row]:
    """Return the rows about new keys for a report that the key ``public_key`` signs; none without
    such. ``seat`` is "" for the report to everybody.
    """
    ruling = next((ruling for ruling in record.rulings if ruling.name == KEYS.name), None)
    if ruling is None:
        return []
    name, row = ruling.operand("name"), record.referees[-1]
    can_write = name and seat and address
    rows = [Row("write_to", {"name": name, "address": address})] if can_write else []
    # these rows explain the signature at the end of the report
    appointed_row = Row("recovered") if row.appointed_by == RECOVERY else Row("appointed")
    signature_row = appointed_row if public_key == row.acting else Row(LAST_SIGNED, {"key": b64(row.acting)})
    return [*rows, signature_row, Row("check")]


def _keys_in_words(ruling: Ruling) -> str:
    appointment = APPOINTMENT_WORDS.get(ruling.operand("by"), APPOINTMENT_WORDS[ACTING])
    name = ruling.operand("name")
    subject = f"{name} is the referee" if name else "the referee has another key"
    return f"{subject} from now on, appointed {appointment}: key {ruling.operand('acting')}"


def _rebuild_keys(position: LoadedGame, record: StateRecord, _: GameAt, __: Seals) -> RulingBasis:
    """Return the basis from the new row, whose signature `verify` checks."""
    return _basis_with_referees(position, record.referees[-1], record.wrapped_secrets, record.rulings[0])


def _find_keys_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    row, ruling = record.referees[-1], record.rulings[0]
    operands = (ruling.operand("by"), ruling.operand("acting"))
    if len(record.referees) != len(previous.referees) + 1 or operands != (row.appointed_by, key_id(row.acting)):
        return "appoints another referee than its ruling says"
    if [name for name, _ in record.wrapped_secrets] != [key_id(row.acting), key_id(row.recovery)]:
        return "wraps the secret to others than its referees"
    return ""


def _are_keys_operands_valid(ruling: Ruling) -> bool:
    name = ruling.operand("name")
    return not name or is_valid_name(name)


KEYS = RulingKind(
    "keys",
    describe=_keys_in_words,
    rebuild_basis=_rebuild_keys,
    operand_forms=("by acting", "by acting name"),
    are_operands_valid=_are_keys_operands_valid,
    find_fault=_find_keys_fault,
    changes_referee=True,
)

#: what a ruling can change about a player, in the order it lists them
PLAYER_FACTS = ("name", "address", "language", "known")


def make_player_ruling(
    seat: str, changed_facts: tuple[str, ...], method_name: str, language: str, reason: str
) -> Ruling:
    """Return the ruling that everybody reads: what changes about the player of a seat."""
    operands = (("seat", seat), ("what", ",".join(changed_facts)), ("known", method_name), ("language", language))
    return PLAYER.make_ruling(reason, *(pair for pair in operands if pair[1]))


def build_seating_basis(position: LoadedGame, player: SeatedPlayer, ruling: Ruling) -> RulingBasis:
    """Return the basis for a new player at a seat, or for another method of authentication."""
    record = position.record
    people = tuple(player if seated_player.seat == player.seat else seated_player for seated_player in record.people)
    updated_record = record._replace(people=people)
    if player.orders_since == record.n + 1:  # orders written before are void
        updated_record = advance_questions(updated_record, frozenset({player.seat}))
    return RulingBasis(updated_record, position.state, (ruling,))


def has_new_player(record: StateRecord, seat: str | None) -> bool:
    """Whether a ruling of this state put another player at the seat."""
    return any(_names_new_player(ruling, seat) for ruling in record.rulings if ruling.name == PLAYER.name)


def _names_new_player(ruling: Ruling, seat: str | None) -> bool:
    return ruling.operand("seat") == seat and "name" in _changed_facts(ruling)


def _changed_facts(ruling: Ruling) -> list[str]:
    return ruling.operand("what").split(",")


def voids_old_orders(changed_facts: Iterable[str]) -> bool:
    """Whether these changes make older orders void: another person, or another authentication."""
    return bool({*changed_facts} & {"name", "known"})


def _are_player_operands_valid(ruling: Ruling) -> bool:
    changed_facts, operands = _changed_facts(ruling), dict(ruling.operands)
    is_ordered = changed_facts == [name for name in PLAYER_FACTS if name in changed_facts]
    if not is_ordered or ("known" in operands) != ("known" in changed_facts):
        return False
    if "language" not in operands:
        return True
    return "language" in changed_facts and bool(_LANGUAGE_TAG.fullmatch(operands["language"]))


#: a language, perhaps with a country: de, pt-BR
_LANGUAGE_TAG = re.compile("[a-z]{2,3}(?:-[A-Z]{2})?")


def _player_in_words(ruling: Ruling) -> str:
    facts_text = ", ".join(_changed_facts(ruling)).replace("known", "how they are identified")
    return f"the player of {ruling.operand('seat')}: {facts_text} changed"


def _describe_player(ruling: Ruling, previous: StateRecord, record: StateRecord, _: StateLookup) -> str:
    """Describe what changes about a player, old and new; of an address only that it changes."""
    seat, changed_facts = ruling.operand("seat"), _changed_facts(ruling)
    old_player, new_player = previous.player(seat), record.player(seat)
    identification = _describe_identification(old_player, new_player, "known" in changed_facts)
    changes = ["another email address"] if "address" in changed_facts else []
    if "language" in changed_facts:
        language = ruling.operand("language")
        changes.append(f"emails in {language}" if language else "emails in another language")
    if old_player.name != new_player.name:
        details = [
            identification or f"{new_player.method.description}, as before",
            *(f"with {text}" for text in changes),
        ]
        return f"{new_player.name} plays {seat} from now on in place of {old_player.name}, {', '.join(details)}"
    clauses = [f"has {' and '.join(changes)}"] if changes else []
    clauses += [f"is {identification}"] if identification else []
    return f"{new_player.name} ({seat}) {' and '.join(clauses) or 'stays as before'} from now on"


def _describe_identification(old_player: SeatedPlayer, new_player: SeatedPlayer, is_settled_again: bool) -> str:
    """Describe how a player is now authenticated, if that changed or ``is_settled_again``; else ""."""
    if old_player.method != new_player.method:
        return f"{new_player.method.description} (before: by {old_player.method.label})"
    if old_player.key != new_player.key:
        return "identified by another key than before"
    return f"{new_player.method.description}, settled again" if is_settled_again else ""


def _rebuild_player(position: LoadedGame, record: StateRecord, _: GameAt, __: Seals) -> RulingBasis | None:
    """Return the basis with the seat's row as the state has it."""
    ruling = record.rulings[0]
    seat = ruling.operand("seat")
    return build_seating_basis(position, record.player(seat), ruling) if seat in record.setup.seats else None


def _find_player_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    ruling = record.rulings[0]
    seat, changed_facts = ruling.operand("seat"), _changed_facts(ruling)
    if seat not in record.setup.seats:
        return "rules on a seat that there is not"
    player, old_player = record.player(seat), previous.player(seat)
    is_method_changed = (player.method_name, player.key) != (old_player.method_name, old_player.key)
    is_undisclosed = (player.name != old_player.name and "name" not in changed_facts) or (
        is_method_changed and "known" not in changed_facts
    )
    if is_undisclosed or ("known" in changed_facts and ruling.operand("known") != player.method_name):
        return f"changes the player of {seat} otherwise than it says"
    if not voids_old_orders(changed_facts) and player != old_player:
        return f"changes the player of {seat} though it speaks of address and language alone"
    if voids_old_orders(changed_facts) and player.orders_since != record.n:
        return f"lets old orders count for the new player of {seat}"
    return ""


PLAYER = RulingKind(
    "player",
    describe=_player_in_words,
    rebuild_basis=_rebuild_player,
    operand_forms=("seat what", "seat what known", "seat what language", "seat what known language"),
    are_operands_valid=_are_player_operands_valid,
    describe_in_full=_describe_player,
    find_fault=_find_player_fault,
    reopens_secrets=_names_new_player,
    changes_player=True,
)
