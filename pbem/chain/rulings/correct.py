"""The ruling `correct`: it changes a public fact, or a hidden value, of the position.

Not allowed here: files; a hidden value in a ruling, a message or a report.
Laws: a correction must give a possible position and must not change what a pile was made of. A
corrected hidden value gets a new slot; the old commitment stays, and nothing is dealt again.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/DESIGN.md P5, P10; decision 0005.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame, hidden_values
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.fields import (
    canonical_path,
    describe_allowed,
    describe_fact,
    describe_slot,
    edit_fact,
    find_similar_paths,
    is_same_position,
    list_differing_words,
)
from pbem.chain.rulings.kind import (
    GameAt,
    RulingBasis,
    RulingKind,
    StateLookup,
    commitments_by_slot,
    void_written_orders,
)
from pbem.chain.seals import Seals
from pbem.chain.state_record import StateRecord
from pbem.engine.optional_parts import misfit, piles_now
from pbem.engine.settings import EncodedState, Pile
from pbem.errors import BadInput, PbemError, Refused

SLOT_KIND = "corrected"  #: the kind of the slots for corrected values
MAX_FACT_LENGTH = 200  #: characters of a new value
MAX_ITEMS_LISTED = 12  #: the most kinds of item in a pile that a message lists
MAX_NAMES_LISTED = 8  #: the most similar names that a message lists


class Correction(NamedTuple):
    """A correction that the referee asks for: the path of a public fact or a hidden slot, and its
    value. Secrecy: the new value of a hidden slot is only for the moderator.
    """

    field: str
    new_value: str


def parse_correction(text: str) -> Correction:
    """Return the correction in ``FIELD=NEW``, as the referee types it; BadInput ``correct/shape``."""
    field, separator, new_value = text.partition("=")
    field, new_value = field.strip(), " ".join(new_value.split())
    is_field_valid = bool(field) and " " not in field and field.isprintable()
    if not separator or not is_field_valid or len(new_value) > MAX_FACT_LENGTH or not new_value.isprintable():
        hint = 'for example "squares.A5=red single", "turn=7" or "2/threat/07=3"'
        raise BadInput("correct/shape", "a correction is FIELD=NEW on one line", hint)
    return Correction(field, new_value)


def is_hidden_correction(ruling: Ruling) -> bool:
    """Whether a ruling corrects a hidden value; then its operands are only slots."""
    return ruling.name == CORRECT.name and bool(ruling.operand("slot"))


def describe_corrections(record: StateRecord) -> list[str]:
    """Describe what a state corrected, as everybody may read it."""
    return [CORRECT.full_text(ruling) for ruling in record.rulings if ruling.name == CORRECT.name]


def build_correction_basis(position: LoadedGame, changes: Iterable[Correction], reason: str) -> RulingBasis:
    """Return the basis of the state with these corrections; Refused or BadInput ``correct/…``."""
    changes = tuple(changes)
    values = hidden_values(position.game, position.state)
    public, rulings, replaced = position.record.position, list[Ruling](), dict[str, str]()
    for change in changes:
        if change.field in values:
            if change.field in replaced or values[change.field] == change.new_value:
                raise _no_change_error(change.field)
            _check_in_pile(position, change)
            values[change.field] = change.new_value
            new_slot = f"{position.record.n + 1}/{SLOT_KIND}/{len(replaced) + 1}"
            old_slot = position.record.current_slot(change.field)
            operands = ("slot", change.field), ("old", old_slot), ("new", new_slot)
            replaced[change.field] = new_slot
        else:
            field = canonical_path(position.game, change.field)
            public, old_value = _edit_position(position, public, field, change)
            if old_value == change.new_value:
                raise _no_change_error(change.field)
            operands = ("field", field), ("old", old_value), ("new", change.new_value)
        rulings.append(CORRECT.make_ruling(reason, *operands))
    try:
        state = _call_game(position.game.decode, position.config, public, values)
        _check_playable(position, state, public, values)
    except Refused as error:
        fields = (change.field for change in changes if change.field not in values)
        allowed_values = "; ".join(filter(None, (describe_allowed(position.game, public, path) for path in fields)))
        hint = f"what is allowed: {allowed_values}; {TOGETHER_HINT}" if allowed_values else TOGETHER_HINT
        raise Refused(error.code, error.message, hint) from None
    check_piles(position, state, replaced)
    return build_corrected_basis(position, state, tuple(rulings), replaced)


def build_corrected_basis(
    position: LoadedGame, state: Any, rulings: tuple[Ruling, ...], replaced: Mapping[str, str]
) -> RulingBasis:
    """Return the basis with another State; ``replaced`` maps corrected slots to their new slots."""
    record = void_written_orders(position.record)
    replacements = dict(record.replaced_slots) | dict(replaced)
    return RulingBasis(record._replace(replaced_slots=tuple(sorted(replacements.items()))), state, rulings)


def _edit_position(
    position: LoadedGame, public: Mapping[str, Any], field: str, change: Correction
) -> tuple[dict[str, Any], str]:
    """Change a fact as ``edit_fact`` does; the error for a missing fact suggests similar ones."""
    try:
        return edit_fact(public, field, change.new_value)
    except BadInput as error:
        if error.code != "correct/field":
            raise
        key, *path = field.split(".")
        similar_paths = find_similar_paths(position.game, public, change.field) if key in public else []
        shown_paths = similar_paths[:MAX_NAMES_LISTED]
        examples = ", ".join([*shown_paths, "…"] if len(similar_paths) > len(shown_paths) else shown_paths)
        hint = f"for example {examples}; `pbem show DIR --json` has the position"
        if not similar_paths and key in public:
            hint = f"it has none now; {describe_allowed(position.game, public, '.'.join([key, *path[:1]]))}"
        elif not similar_paths:
            titles = (f"{key} ({describe_fact(position.game, public, key)})" for key in public)
            hint = f"there are {', '.join(titles)}; `pbem show DIR --secret` has the hidden slots"
        raise BadInput(error.code, error.message, hint) from None


def _check_in_pile(position: LoadedGame, change: Correction) -> None:
    """Refuse a value that the pile of its slot never held."""
    pile_name = pile_of(change.field)
    for pile in position.game.piles(position.config):
        if pile.name == pile_name and change.new_value not in pile.items:
            hint = f"it has {', '.join(sorted(set(pile.items)))}"
            raise Refused("correct/not-in-pile", f"the pile {pile_name} has no such thing", hint)


TOGETHER_HINT = "correct all that belongs together at once: FIELD=NEW FIELD=NEW …"


def _check_playable(position: LoadedGame, state: Any, public: Mapping[str, Any], values: Mapping[str, str]) -> None:
    """Refuse a State that is not what the corrections ask for, or from which the game cannot go on."""
    encoded: EncodedState = _call_game(position.game.encode, state)
    hidden = {slot: thing.for_sealing() for slot, thing in encoded.hidden.items()}
    if hidden != values:
        raise Refused("correct/hidden", "other things would be hidden then", TOGETHER_HINT)
    if not is_same_position(encoded.public, public, position.record.position):
        raise Refused("correct/no-position", "the position would contradict itself", TOGETHER_HINT)

    from pbem.engine import laws

    # laws of a single position need a random source but draw nothing
    place = laws.LawContext(position.game, position.config, state, lambda bound: 0 * bound)
    if any(_breaks_law(law, place) for law in laws.POSITION_LAWS):
        raise Refused("correct/laws", "the game could not go on from that position", TOGETHER_HINT)


def _call_game(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call the game; Refused ``correct/no-position`` if it cannot make a position of the values."""
    try:
        return function(*arguments)
    except (PbemError, ValueError, LookupError, TypeError, AttributeError):
        message = "that would not be a position of this game"
        raise Refused("correct/no-position", message, TOGETHER_HINT) from None


def _breaks_law(law: Any, place: Any) -> bool:
    """Whether the position breaks a law. What broke is not shown: it may quote a hidden value."""
    try:
        return law(place) is not None
    except Exception:  # noqa: BLE001 - a position that a game cannot bear is no position
        return True


def _no_change_error(field: str) -> BadInput:
    message = f"{field} would not change, or is named twice"
    return BadInput("correct/nothing", message, "leave it out")


def _correction_in_words(ruling: Ruling) -> str:
    field, old_text, new_text = (ruling.operand(name) for name in ("field", "old", "new"))
    if is_hidden_correction(ruling):
        return f"what lies hidden in {ruling.operand('slot')} is corrected (from now on: {new_text})"
    return f"{field} is corrected from `{old_text or 'nothing'}` to `{new_text or 'nothing'}`"


def _describe_correction(ruling: Ruling, previous: StateRecord, _: StateRecord, lookup: StateLookup) -> str:
    if not is_hidden_correction(ruling):
        field, values = ruling.operand("field"), (ruling.operand("old"), ruling.operand("new"))
        if changes := list_differing_words(lookup.game, previous.position, field, *values):
            return "; ".join(f"{c.title}: corrected from `{c.old_word}` to `{c.new_word}`" for c in changes)
        old_value, new_value = (f"`{value}`" if value else "nothing" for value in values)
        title = describe_fact(lookup.game, previous.position, field)
        return f"{title}: corrected from {old_value} to {new_value}"
    slot = ruling.operand("slot")
    title, number = describe_slot(lookup.game, previous.position, slot), previous.n
    old_value, new_value = lookup.hidden_value(number, slot), lookup.hidden_value(number + 1, slot)
    if old_value and new_value:
        return f"{title}, which lay hidden: corrected from {old_value} to {new_value}"
    places = f"in the states: {slot}, from now on {ruling.operand('new')}"
    return f"{title} is corrected; it lies hidden, its values are shown at the end ({places})"


def _apply_correction(previous: StateRecord, ruling: Ruling) -> StateRecord:
    """Return the record with a public correction applied, so that the next one finds its rows."""
    try:
        position, _ = edit_fact(previous.position, ruling.operand("field"), ruling.operand("new"))
    except PbemError:  # not a public fact
        return previous
    return previous._replace(position=position)


def _rebuild_basis(position: LoadedGame, record: StateRecord, _: GameAt, seals: Seals) -> RulingBasis | None:
    """Rebuild the basis with the hidden values as they are now sealed. Only the referee can say
    whether a value is right; ``build_correction_basis`` checks the piles.
    """
    tokens = {sealed.slot: sealed.token for sealed in record.sealed_values}
    changes = []
    try:
        for ruling in record.rulings:
            field, new_value = ruling.operand("field"), ruling.operand("new")
            if is_hidden_correction(ruling):
                field, new_value = ruling.operand("slot"), seals.open(new_value, tokens[new_value])
            changes.append(Correction(field, new_value))
    except (PbemError, KeyError, UnicodeDecodeError):
        return None
    return build_correction_basis(position, changes, record.rulings[0].reason)


def _find_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    """Check that exactly the named facts and slots changed."""
    return _find_hidden_fault(record, previous) or _find_public_fault(record, previous)


def _find_hidden_fault(record: StateRecord, previous: StateRecord) -> str:
    """Check that each corrected hidden value has a new slot, created in this state."""
    replaced = dict(previous.replaced_slots)
    sealed = commitments_by_slot(previous)
    new_commitments = dict(record.new_commitments)
    for number, ruling in enumerate(filter(is_hidden_correction, record.rulings), 1):
        slot, old_slot, new_slot = (ruling.operand(key) for key in ("slot", "old", "new"))
        is_new_slot = new_slot == f"{record.n}/{SLOT_KIND}/{number}" and new_slot in new_commitments
        is_current_slot = previous.current_slot(slot) == old_slot and slot not in dict(previous.replaced_slots).values()
        if not is_new_slot or not is_current_slot or old_slot not in sealed:
            return f"corrects {slot} otherwise than it says"
        replaced[slot] = new_slot
        del sealed[old_slot]
        sealed[new_slot] = new_commitments.pop(new_slot)
    is_same = commitments_by_slot(record) == sealed and record.replaced_slots == tuple(sorted(replaced.items()))
    return "" if is_same and not new_commitments else "replaces another hidden value than it says"


def _find_public_fault(record: StateRecord, previous: StateRecord) -> str:
    """Check that the position is the previous one with the named facts changed."""
    position: Mapping[str, Any] = previous.position
    for ruling in record.rulings:
        if is_hidden_correction(ruling):
            continue
        field, previous_position = ruling.operand("field"), position
        try:
            position, old_value = edit_fact(position, field, ruling.operand("new"))
        except PbemError:
            return f"corrects {field}, which there is not"
        if old_value != ruling.operand("old"):
            return f"corrects {field} and says wrongly what it was"
        if position == previous_position:
            return f"corrects {field}, and it is as it was"
    is_same = is_same_position(record.position, position, previous.position)
    return "" if is_same else "corrects more than it says"


CORRECT = RulingKind(
    "correct",
    describe=_correction_in_words,
    rebuild_basis=_rebuild_basis,
    operand_forms=("field old new", "slot old new"),
    describe_in_full=_describe_correction,
    find_fault=_find_fault,
    apply=_apply_correction,
    reopens_secrets=lambda ruling, _: not is_hidden_correction(ruling),
    is_repeatable=True,
    voids_orders=True,
    changes_position=True,
    rewrites_history=True,
)


def find_pile_fault(position: LoadedGame, state: Any, rulings: Sequence[Ruling]) -> str:
    """Describe how the corrections in ``rulings`` make a pile or the box impossible, or ""."""
    corrections = [ruling for ruling in rulings if ruling.name == CORRECT.name]
    slots = [ruling.operand("slot") for ruling in corrections if is_hidden_correction(ruling)]
    try:
        if corrections:
            check_piles(position, state, slots)
    except Refused as error:
        return error.message
    return ""


def check_piles(position: LoadedGame, state: Any, slots: Iterable[str]) -> None:
    """Refuse a State whose piles hold other items than before, or that has more than the box.
    ``slots`` are the corrected slots; the hint names one in the pile, but no value. Raises Refused
    ``correct/pile`` or ``correct/box``.
    """
    if message := misfit(position.game, state):  # this depends only on public facts, so an audit may say it
        raise Refused("correct/box", message, "`pbem show DIR --json` says what is where")
    old_piles, new_piles = pile_contents(position, position.state), pile_contents(position, state)
    piles: Mapping[str, Pile] = {p.name: p for p in position.game.piles(position.config)}
    for name in sorted(old_piles.keys() | new_piles.keys()):
        if old_piles.get(name) == new_piles.get(name):
            continue
        slot = next((changed_slot for changed_slot in slots if pile_of(changed_slot) == name), "")
        hint = f"swap two things: {slot}=… and the place that holds what you put there"
        hint = hint if slot else "correct the hidden place of the other thing as well"
        problem = f"the pile {name} {_describe_contents(piles.get(name))}, and that would change"
        raise Refused("correct/pile", problem, hint)


def pile_contents(position: LoadedGame, state: Any) -> dict[str, Counter[str]]:
    """Return what every pile holds in a State. Secrecy: only for the moderator."""
    names = {pile.name for pile in position.game.piles(position.config)}
    contents_by_pile: dict[str, Counter[str]] = {}
    for slot, hidden_value in position.game.encode(state).hidden.items():
        pile = pile_of(slot)
        if pile in names:
            contents_by_pile.setdefault(pile, Counter())[hidden_value.for_sealing()] += 1
    full_piles = piles_now(position.game, state)
    return contents_by_pile | {name: Counter(things) for name, things in full_piles.items()}


def pile_of(slot: str) -> str:
    """Return the name of the pile that a slot of the deal belongs to."""
    return slot.partition("/")[2].rpartition("/")[0]


def _describe_contents(pile: Pile | None) -> str:
    if pile is None:
        return "has each of its things once"
    item_counts = Counter(pile.items)
    if len(item_counts) > MAX_ITEMS_LISTED:
        return f"was made of {len(pile.items)} things"
    count_words = {1: "once", 2: "twice"}
    items_text = (f"{item} ({count_words.get(count, f'{count} times')})" for item, count in sorted(item_counts.items()))
    return f"was made of {', '.join(items_text)}"
