"""Leaks, to be planted one at a time: what each does wrong, and the patch that does it.

What lives here: PLANTED. Each must make the twin test, or the look at the real seals, fail.
Not allowed here: a leak the product has.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from typing import Any, NamedTuple
from unittest.mock import patch

from pbem.chain import next_record, seals
from pbem.chain.next_record import ExecutedOrder
from pbem.crypto import tokens
from pbem.crypto.encoding import b64, unb64
from pbem.engine import chang_cheng
from pbem.engine.chang_cheng import ChangCheng
from pbem.engine.chang_cheng.layout import KINDS
from pbem.engine.chang_cheng.state import State, View
from pbem.engine.decision import Event, Question, Refusal, Step
from pbem.engine.row import Row, Sentence, say
from pbem.play import resolution, validation
from pbem.services import outbox, receipts, recipients, reports
from pbem.services.receive import play_receipt, receive
from pbem.services.session import history, session

from .fake_seals import FakeSeals, everywhere
from .private import Private, Worded, all_with_passwords
from .signing import Signing, all_with_keys
from .worlds import ByCommands, World


class Plant(NamedTuple):
    """One leak: its name, how it is planted, which look must find it."""

    name: str
    planted: AbstractContextManager[Any]
    found_by: str = "twins"
    world: type[World] = World
    seed: int = 0  #: of the trial that found it last time, which is tried first


class Knowing(ChangCheng):
    """A game whose every method can look at the truth last seen. That is the mistake."""

    truth: State

    def view(self, state: State, seat: str | None) -> View:
        self.truth = state
        return super().view(state, seat)

    def others(self, view: View) -> int:
        """The hand of another seat."""
        colour = 0 if view.seat else 1
        return self.truth.hands[colour] or 0


class ForgottenField(Knowing):
    def encode_view(self, view: View) -> dict[str, Any]:
        return {**super().encode_view(view), "pile": [str(one) for one in self.truth.threat]}


class ForgottenLook(Knowing):
    """The view's own pile holds the first counter, looked at or not."""

    def view(self, state: State, seat: str | None) -> View:
        view = super().view(state, seat)
        return view._replace(threat=(state.threat[0], *view.threat[1:]))


class EventNamesCard(Knowing):
    def event_row(self, happened: Event, view: View) -> Row:
        row = super().event_row(happened, view)
        for card, kind in zip(self.truth.public.cards, self.truth.kinds, strict=True):
            if happened.kind == "card" and ("slot", card.slot) in happened.facts:
                row = row._replace(facts={**row.facts, "known": KINDS[kind or 0]})
        return row


class CardsSorted(Knowing):
    """Cards in a province lie in the order of their kinds: as they were put back on the table."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        table = step.state.public.draft()
        rows = sorted(zip(step.state.kinds, table.cards, strict=True), key=lambda row: row[0] or 0)
        table.cards = tuple(card for _, card in rows)
        kinds = tuple(kind for kind, _ in rows)
        return Step(step.state._replace(public=table.frozen(), kinds=kinds), step.events)


class SlotByValue(Knowing):
    """A card's slot ends in its kind, not in its number."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        if not line.startswith("card "):
            return step
        table = step.state.public.draft()
        new = next((card for card in table.cards if card not in state.public.cards), None)
        if new is None:
            return step
        slot = f"{link}/card/{new.colour}{KINDS.index(line.split()[1])}"
        table.cards = tuple(c._replace(slot=slot) if c == new else c for c in table.cards)
        events = tuple(
            one._replace(
                facts=tuple((k, slot if v == new.slot else v) for k, v in one.facts),
                opens=tuple((who, slot if s == new.slot else s) for who, s in one.opens),
            )
            for one in step.events
        )
        return Step(step.state._replace(public=table.frozen()), events)


class RefusalTells(Knowing):
    def check(self, view: View, line: str) -> Refusal | None:
        refused = super().check(view, line)
        if refused and self.others(view) & 4:
            told = f"{refused.sentence}, and beware of a flood"
            return refused._replace(sentence=Sentence("{told}", {"told": told}))
        return refused


class ForcedByHand(Knowing):
    """R-1 taken at its word: one order alone is legal, and only a hidden hand says so."""

    def questions(self, view: View) -> tuple[Question, ...]:
        colour = self.truth.public.colour
        one = not (self.truth.hands[colour] or 0) & 0b000001
        return tuple(each._replace(forced=each.forced or one) for each in super().questions(view))


class ShownByHand(Knowing):
    """The public part of a state tells how high the others' cards are."""

    def encode(self, state: State) -> Any:
        found = super().encode(state)
        return found._replace(public={**found.public, "strength": state.hands[0] or 0})

    def decode(self, config: Any, public: Any, values: Any) -> State:
        return super().decode(config, {k: v for k, v in public.items() if k != "strength"}, values)


def _game(game: ChangCheng) -> AbstractContextManager[Any]:
    return patch.object(chang_cheng, "GAME", game)


@contextmanager
def _forced_in_the_moderator() -> Iterator[None]:
    """Not the game says it is forced: the moderator looks whether a hand leaves a choice."""
    answer = resolution._ResolutionRun.answer

    def leaky(self: Any, question: Question) -> bool:
        view = self.game.view(self.state, question.seat)
        lines = self.game.legal(view)
        kinds = {line.split()[1] for line in lines if line.startswith("card ")}
        if kinds and "flood" not in kinds:
            self.play_for_seat(view, ExecutedOrder(question.seat, "forced", lines[0], ""))
            return True
        return answer(self, question)

    with patch.object(resolution._ResolutionRun, "answer", leaky):
        yield


@contextmanager
def _forged_answered() -> Iterator[None]:
    """A mail of nobody's is answered by what the first seat holds."""
    from . import worlds

    real = receive.receive_email

    def leaky(games: Any, name: str, message: Any) -> Any:
        verdict = real(games, name, message)
        held = games.sessions[0].position.state.hands[0] or 0
        if verdict.kind == "unknown" and held & 1:
            return verdict._replace(summary=f"{verdict.summary} (but it would have been legal)")
        return verdict

    with patch.object(worlds, "receive_email", leaky):
        yield


@contextmanager
def _mailed_by_others() -> Iterator[None]:
    """A report goes out because of what another player chose."""
    real, plans, chosen = recipients.is_report_due, recipients.plan_reports, set[str]()

    def leaky(position: Any, reader: Any, known: Any) -> bool:
        return real(position, reader, known) or "every" in chosen

    def seen(of: Any, readers: Any, anyway: bool) -> Any:
        chosen.clear()
        chosen.update(hand.report_choice for hand in of.pending_by_seat.values())
        return plans(of, readers, anyway)

    with patch.object(recipients, "is_report_due", leaky), patch.object(recipients, "plan_reports", seen):
        yield


@contextmanager
def _hands_counted() -> Iterator[None]:
    """Every report says how many orders the others have in hand."""
    real = reports.list_readers

    def leaky(of: Any) -> Any:
        number = sum(len(one.orders) for one in of.pending_by_seat.values())
        note = f"{number} orders are in hand."
        return [r._replace(pending=r.pending._replace(notes=(*r.pending.notes, note))) for r in real(of)]

    with patch.object(reports, "list_readers", leaky):
        yield


def with_more(kept: Any, text: str) -> Any:
    """A receipt that says more."""
    return kept._replace(text=kept.text + text)


@contextmanager
def _others_orders_weighed() -> Iterator[None]:
    """A mail is refused if it would clash with an order that somebody else has in hand."""
    real = play_receipt.build_receipt

    def leaky(case: Any, *more: Any) -> Any:
        others = [one for who, one in case.session.pending_by_seat.items() if who != case.seat]
        clash = any(one.orders for one in others)
        return with_more(real(case, *more), ("Somebody was quicker.\n" if clash else ""))

    with everywhere(play_receipt.build_receipt, leaky):
        yield


@contextmanager
def _file_named() -> Iterator[None]:
    """A note for the referee, named after the card last laid down, beside game.toml."""
    real = session.Session.save

    def leaky(self: Any, made: Any, *more: Any, **named: Any) -> Any:
        after = real(self, made, *more, **named)
        kinds = made.position.state.kinds
        if kinds:
            (self.folder.root / f"last-{KINDS[kinds[-1]]}.txt").write_bytes(b"")
        return after

    with patch.object(session.Session, "save", leaky):
        yield


@contextmanager
def _order_in_clear() -> Iterator[None]:
    """The entry of an order has the words its player wrote."""
    real = next_record._entry

    def leaky(made: Any, number: int, one: Any, by: Any) -> Any:
        return real(made, number, one, by)._replace(public_words=one.line)

    with patch.object(next_record, "_entry", leaky):
        yield


@contextmanager
def _bare_digest() -> Iterator[None]:
    """A commitment is the digest of the value: six kinds of card are six guesses."""
    real = next_record.build_next_record

    def leaky(made: Any, game: Any, state: Any, *more: Any) -> Any:
        record = real(made, game, state, *more)
        hidden = game.encode(state).hidden
        bare = {slot: sha256(one.for_sealing().encode()).digest() for slot, one in hidden.items()}
        commits = tuple((slot, bare.get(slot, c)) for slot, c in record.new_commitments)
        sealed = tuple(one._replace(commitment=bare[one.slot]) for one in record.sealed_values)
        return record._replace(new_commitments=commits, sealed_values=sealed)

    with patch.object(resolution, "build_next_record", leaky):
        yield


@contextmanager
def _size_by_value() -> Iterator[None]:
    """A token as long as what it hides."""
    real = FakeSeals.seal

    def leaky(self: FakeSeals, slot: str, value: str) -> str:
        return real(self, slot, value)[: 60 + len(value)]

    def opened(self: FakeSeals, slot: str, token: str, size: int) -> Any:
        return self._book.values[self._n, slot]

    with patch.object(FakeSeals, "seal", leaky), patch.object(FakeSeals, "_opened", opened):
        yield


@contextmanager
def _no_padding() -> Iterator[None]:
    """The real seals, without padding."""

    def seal(self: Any, slot: str, value: bytes, size: int = 0) -> str:
        nonce = self._nonce(slot, value)
        return b64(nonce + self._cipher.encrypt(nonce, value, self._associated_data(slot)))

    with patch.object(tokens.Sealer, "seal", seal), patch.object(tokens, "unb64", lambda token, size: unb64(token)):
        yield


@contextmanager
def _orders_not_padded() -> Iterator[None]:
    def seal_order(self: Any, slot: str, value: bytes) -> str:
        return b64(b"." * 28 + value)

    def open_order(self: Any, slot: str, token: str) -> bytes:
        return unb64(token)[28:]

    with (
        patch.object(seals.Seals, "seal_order", seal_order),
        patch.object(seals.Seals, "open_order", open_order),
    ):
        yield


@contextmanager
def _hands_otherwise(committed: Callable[[str], bytes | None]) -> Iterator[None]:
    """What a state commits to of the hands is this; None: as it is."""
    real = next_record.build_next_record

    def leaky(made: Any, *more: Any) -> Any:
        record = real(made, *more)
        told = {seat: committed(made.pending_by_seat.get(seat, "")) for seat, _ in record.pending_commitments}
        return record._replace(
            pending_commitments=tuple((seat, told[seat] or c) for seat, c in record.pending_commitments)
        )

    with patch.object(resolution, "build_next_record", leaky):
        yield


def _bare_hand(value: str) -> bytes:
    return sha256(value.encode()).digest()


def _nothing_for_nothing(value: str) -> bytes | None:
    return None if value else bytes(32)


@contextmanager
def _hands_the_same() -> Iterator[None]:
    """The real seals: a hand is committed to by what is in it and its seat, in whatever state."""
    real = seals.Seals.commit

    def leaky(self: Any, slot: str, value: str | bytes, head_before: bytes) -> tuple[bytes, bytes]:
        if "/hand/" in slot:
            return bytes(32), sha256(repr((slot.partition("/")[2], value)).encode()).digest()
        return real(self, slot, value, head_before)

    with patch.object(seals.Seals, "commit", leaky):
        yield


@contextmanager
def _commit_without_key() -> Iterator[None]:
    """The real seals, committing by slot and value alone."""

    def commit(self: Any, slot: str, value: str | bytes, head_before: bytes) -> tuple[bytes, bytes]:
        return bytes(32), sha256(repr((slot, value)).encode()).digest()

    with patch.object(seals.Seals, "commit", commit):
        yield


@contextmanager
def _sealed_the_same() -> Iterator[None]:
    """One key for all links: a token that stays says that its value stayed, and where."""
    real = tokens.state_key

    def leaky(secret: bytes, game: str, n: int, prev: bytes) -> bytes:
        return real(secret, game, 0, bytes(32))

    def bound(self: Any, slot: str) -> bytes:
        return slot.encode()

    with patch.object(seals, "state_key", leaky), patch.object(tokens.Sealer, "_associated_data", bound):
        yield


@contextmanager
def _lax_intake() -> Iterator[None]:
    """A line that cannot be foreseen is judged by the truth."""
    real = validation._why_refused
    knowing = chang_cheng.GAME = Knowing()  # restored below

    def leaky(game: Any, view: Any, order: str, turn: int) -> Sentence | None:
        why = real(game, view, order, turn)
        return why and say("{why} ({hand})", why=why, hand=knowing.truth.hands[0])

    with patch.object(validation, "_why_refused", leaky):
        try:
            yield
        finally:
            chang_cheng.GAME = ChangCheng()


@contextmanager
def _threads_tell() -> Iterator[None]:
    """The headers of a mail tell whether anybody has orders in hand."""
    real = outbox.send_message

    def leaky(of: Any, message: Any) -> None:
        busy = any(hand.orders for hand in of.pending_by_seat.values())
        real(of, message._replace(parent_id="") if busy else message)

    with everywhere(real, leaky):
        yield


@contextmanager
def _votes_counted() -> Iterator[None]:
    """A receipt says how many have voted."""
    real = play_receipt.build_receipt

    def leaky(case: Any, *more: Any) -> Any:
        votes = (case.session.folder.read_desk_file("consent.toml") or b"").count(b" yes")
        return with_more(real(case, *more), f"{votes} agreed.\n")

    with everywhere(play_receipt.build_receipt, leaky):
        yield


@contextmanager
def _votes_reported() -> Iterator[None]:
    """A report has a note while somebody is against an undo."""
    real = reports.list_readers

    def leaky(of: Any) -> Any:
        against = b' no"' in (of.folder.read_desk_file("consent.toml") or b"")
        notes = ("Somebody said no.",) if against else ()
        return [r._replace(pending=r.pending._replace(notes=(*r.pending.notes, *notes))) for r in real(of)]

    with patch.object(reports, "list_readers", leaky):
        yield


@contextmanager
def _seen_with_values() -> Iterator[None]:
    """An undo says what the counters show."""
    real = history.undo_effects_for

    def leaky(of: Any, wanted: Any, seat: str) -> Any:
        told = real(of, wanted, seat)
        return told._replace(seen=(*told.seen, f"{of.position.state.threat}"))

    with everywhere(history.undo_effects_for, leaky):
        yield


@contextmanager
def _passwords_weighed() -> Iterator[None]:
    """The fixed answer has something of what all seats' passwords are."""
    real = receipts.write_receipt

    def leaky(of: Any, seat: str, one: Any) -> str:
        weight = sum(sum(x.password.encode()) for x in of.players.seats.values()) % 10
        return real(of, seat, one._replace(newest_receipt=f"{one.newest_receipt}({weight})\n"))

    with all_with_passwords(), everywhere(receipts.write_receipt, leaky):
        yield


@contextmanager
def _signed_orders_counted() -> Iterator[None]:
    """A receipt says whether anybody else has signed orders in hand."""
    real = play_receipt.build_receipt

    def leaky(case: Any, *more: Any) -> Any:
        hands = case.session.pending_by_seat.items()
        others = [
            one for who, one in hands if who != case.seat and any(k.signature for p in one.groups for k in p.orders)
        ]
        return with_more(real(case, *more), ("Others signed.\n" if others else ""))

    with all_with_keys(), everywhere(play_receipt.build_receipt, leaky):
        yield


PLANTED = (
    Plant("a receipt that counts the votes on an undo", _votes_counted(), world=Private),
    Plant("a report that tells of a vote", _votes_reported(), world=Private),
    Plant("an undo that tells what was seen", _seen_with_values(), world=ByCommands),
    Plant("a fixed answer that weighs the passwords", _passwords_weighed(), world=Worded),
    Plant("a receipt that knows of others' signatures", _signed_orders_counted(), world=Signing, seed=7),
    Plant("a forgotten field in the view file: the threat pile", _game(ForgottenField())),
    Plant("a counter in the View that nobody looked at", _game(ForgottenLook()), seed=2),
    Plant("an event's sentence names a card that lies face down", _game(EventNamesCard())),
    Plant("cards in the public part sorted by kind", _game(CardsSorted()), seed=1),
    Plant("a slot numbered by value", _game(SlotByValue()), seed=1),
    Plant("a refusal that depends on another's hand", _game(RefusalTells()), seed=2),
    Plant("a question forced by what a hidden hand holds", _game(ForcedByHand()), seed=1),
    Plant("the public part weighs a hand", _game(ShownByHand()), seed=1),
    Plant("an answer forced in the moderator by a hidden hand", _forced_in_the_moderator(), seed=1),
    Plant("a forged mail answered by a hidden hand", _forged_answered(), seed=2),
    Plant("a report that counts others' orders in hand", _hands_counted()),
    Plant("an email that hangs on what another player chose", _mailed_by_others(), world=Private, seed=7),
    Plant("a header that knows of others' orders in hand", _threads_tell()),
    Plant("a receipt that knows of others' orders in hand", _others_orders_weighed(), seed=3),
    Plant("a mail judged by the truth, not by the View", _lax_intake(), seed=2),
    Plant("a file name that tells a card", _file_named()),
    Plant("an entry with the order in clear", _order_in_clear(), seed=1),
    Plant("a commitment made past the seals: H(value)", _bare_digest()),
    Plant("a commitment to a hand made past the seals: H(value)", _hands_otherwise(_bare_hand)),
    Plant("no commitment where no orders wait", _hands_otherwise(_nothing_for_nothing), seed=14),
    Plant("real commitments to hands without a key", _hands_the_same(), "seals"),
    Plant("a token as long as its value", _size_by_value(), seed=1),
    Plant("real tokens without padding", _no_padding(), "seals"),
    Plant("real order tokens without padding", _orders_not_padded(), "seals"),
    Plant("real commitments without a key", _commit_without_key(), "seals"),
    Plant("real tokens the same in every link", _sealed_the_same(), "seals"),
)
