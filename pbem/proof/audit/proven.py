"""The texts of the items of an audit that nothing contradicts.

Not allowed here: a check.
Law: a text says what rests on the referee's word alone (P6).
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from pbem.chain.clock_words import count_text
from pbem.chain.people import CLASS_WORDS, OPENED
from pbem.chain.referees import APPOINTMENT_WORDS
from pbem.chain.rulings.kind import END
from pbem.chain.sources import BY_BOT, DEFAULT, SIGNED, SOURCES, Source, source_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.signing import key_id
from pbem.engine.row import join_with_and
from pbem.proof.audit import sentences
from pbem.proof.audit.findings import Replay, SignedState, outcome_at


def describe_proven(states: Mapping[int, SignedState], replay: Replay | None, is_known: bool) -> dict[str, str]:
    """Return a text for each item, by name, to be shown if nothing contradicts it."""
    if not states:
        return {"states": ""}
    last_record = states[max(states)].record
    texts = {
        "container": "packed as pbem packs it, its list signed by the referee",
        "states": f"{count_text(len(states), 'state')}, each signed by the referee in force",
        "referees": _describe_referees(states, is_known),
        "chain": "each state follows the one before it; none is missing or rewritten",
        "contributions": _describe_contributions(states),
        "openings": _describe_openings(sum(len(state.record.openings) for state in states.values())),
        "secret": "it is the one that the game was opened with",
        "deal": "every pile follows from the secret and the additions to the shuffle",
        "sealed": "every hidden thing in every state is what was dealt or played",
        "signed": _describe_sources(states),
        "orders": "played again by the rules, every state came out byte for byte",
        "hands": _describe_pending(replay) + _describe_word(last_record),
        "rulings": _describe_rulings(states),
        "result": describe_result(replay, states),
        "transcript": "it says what the states say",
    }
    if last_record.is_dealt:
        return texts
    return texts | dict.fromkeys(("deal", "sealed", "signed", "orders", "hands", "openings"), "there was none")


def stated_items(states: Mapping[int, SignedState]) -> frozenset[str]:
    """Return the names of the items that rest in part on the referee's word (P6)."""
    if not states or not states[max(states)].record.is_dealt:
        return frozenset()
    counts = _count_sources(states)
    has_referees_word = any(source.audit_label for source in counts) or _was_missed_by_clock(states, counts)
    names = {"signed"} if has_referees_word else set[str]()
    if _describe_word(states[max(states)].record):
        names.add("hands")
    return frozenset(names)


def _describe_word(record: StateRecord) -> str:
    """Return the clause about players who sign nothing, or "": only the referee says what they sent."""
    names = [player.name for player in record.people if not player.method.key]
    return f"; of what {join_with_and(names)} sent it is the referee's word" if names else ""


def _describe_referees(states: Mapping[int, SignedState], is_known: bool) -> str:
    """Return which keys signed the game. ``is_known``: whether the user named a key or game id that matches."""
    referees = states[max(states)].record.referees
    texts = [f"opened by key {key_id(referees[0].acting)}"]
    texts += [
        f"from state {row.since} on {key_id(row.acting)} (appointed {APPOINTMENT_WORDS[row.appointed_by]})"
        for row in referees[1:]
    ]
    return ", ".join(texts) + ("" if is_known else "; you named no key: compare it, or the game's id, yourself")


def _describe_contributions(states: Mapping[int, SignedState]) -> str:
    """Return what each seat added to the shuffle, and to whom this proves that the deal was fair."""
    last_record = states[max(states)].record
    contribution_by_seat = dict(last_record.contributions)
    names = {player.seat: player.name for player in states[0].record.people}
    if not last_record.is_dealt:  # no state has a deal, but one may have a roster
        answers = [(row.seat, row.contribution) for state in states.values() for row in state.record.roster]
        if not answers:
            is_closed = last_record.phase == CLOSED
            return "there was no deal, and no roster" if is_closed else "there is no deal, and no roster"
        gifts_text = _describe_gifts(names, answers)
        if last_record.phase == CLOSED:
            return f"there was no deal: {gifts_text}"
        return f"there is no deal: {gifts_text}"
    gifts_text = _describe_gifts(names, contribution_by_seat.items())
    if sealed_names := [
        names.get(seat, seat) for seat, contribution in contribution_by_seat.items() if contribution == OPENED
    ]:
        sentence = sentences.FAIR_TO_ONE if len(sealed_names) == 1 else sentences.FAIR_TO_SOME
        return sentence.format(gifts=gifts_text, names=join_with_and(sealed_names))
    if set(contribution_by_seat.values()) == {"none"}:
        return sentences.NOTHING_ADDED
    return sentences.DEALT_ALONE.format(gifts=gifts_text)


def _describe_gifts(names: Mapping[str, str], contributions: Iterable[tuple[str, str]]) -> str:
    return "; ".join(
        f"{names.get(seat, seat)} ({seat}): {CLASS_WORDS[contribution]}" for seat, contribution in contributions
    )


def _describe_pending(replay: Replay | None) -> str:
    if replay is None or not replay.lost_numbers:
        return sentences.PENDING_ORDERS_USED
    return sentences.PENDING_ORDERS_LOST.format(states=count_text(len(replay.lost_numbers), "state"))


def _describe_sources(states: Mapping[int, SignedState]) -> str:
    """Return how many orders their players signed, and how many rest on the referee's word (P6)."""
    counts = _count_sources(states)
    rule_count = sum(number for source, number in counts.items() if source.answered_for_player)
    counted_sources = [source for source in (*SOURCES.values(), BY_BOT) if counts[source] and source.audit_label]
    word_texts = [f"{counts[source]} {source.audit_label}" for source in counted_sources]
    texts = [f"{counts[SIGNED]} signed by their players"] if counts[SIGNED] else []
    by_rules = sentences.GIVEN_BY_CLOCK if _was_missed_by_clock(states, counts) else sentences.GIVEN_BY_RULES
    texts += [by_rules.format(number=rule_count)] if rule_count else []
    texts += [f"{', '.join(word_texts)}, for which there is the referee's word"] if word_texts else []
    return "; ".join(texts) or "there was none"


def _count_sources(states: Mapping[int, SignedState]) -> Counter[Source]:
    """Count the orders from each source."""
    records = [state.record for state in states.values()]
    return Counter(source_of(entry.source) for record in records for entry in record.entries)


def _was_missed_by_clock(states: Mapping[int, SignedState], counts: Counter[Source]) -> bool:
    """Return whether some turns were missed, and only the referee's clock shows it."""
    return bool(counts[DEFAULT]) and any(state.record.clock.has_deadlines for state in states.values())


def _describe_rulings(states: Mapping[int, SignedState]) -> str:
    number = sum(len(state.record.rulings) for state in states.values())
    if not number:
        return "there was none; nothing changed but by the rules"
    return "1 ruling did what it says" if number == 1 else f"{number} rulings did what they say"


def describe_result(replay: Replay | None, states: Mapping[int, SignedState]) -> str:
    """Return the scores and the winners of a game that is over or closed; "" if not, or not replayed to there."""
    last_number = max(states)
    if replay is None or last_number not in replay.past_states:
        return ""
    outcome = outcome_at(replay, last_number)
    names = {player.seat: player.name for player in states[last_number].record.people}
    if outcome is None:
        if states[last_number].record.phase != CLOSED:
            return ""
        end_texts = [END.describe(ruling) for ruling in states[last_number].record.rulings if ruling.name == END.name]
        text = end_texts[0] if end_texts else "closed by the referee before its end"
        state = replay.past_states[last_number].state
        if state is None:  # before the deal
            return text
        scores = replay.game.scores(replay.game.view(state, None))
        return "; ".join([text, f"points then: {_describe_points(names, scores)}"])
    winners = join_with_and([names[seat] for seat in outcome.winners])
    return f"{_describe_points(names, outcome.scores)}; {winners} won"


def _describe_points(names: Mapping[str, str], scores: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{names[seat]} ({seat}) {points}" for seat, points in scores)


def _describe_openings(number: int) -> str:
    return f"{count_text(number, 'thing')} turned up, each what was hidden before"
