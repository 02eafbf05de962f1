"""Older states of a game that its referee has open: verified, as a game, in words.

What lives here: looking back from the newest state. What must never be here: a change of the game.
Law: an older state counts where the newest one vouches for it, as far as it tells.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from pbem.crypto.encoding import unb64
from pbem.errors import PbemError, Refused, naming
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.position import Position, Seals, opened
from pbem.moderator.chain.signed_state import genuine_link, head_of
from pbem.services.session.newest import signer
from pbem.services.session.session import Session


def older(session: Session, n: int) -> Link:
    """The link of an older state, verified; Refused where it is not here."""
    name = f"states/{n:04d}.toml"
    raw = session.folder.state(n)
    if raw is None:
        raise Refused(
            "game/state-missing",
            f"{name} is not here",
            "put it back from a backup, or from a copy of the folder",
        )
    with naming(name):
        link = genuine_link(raw, signer(session.folder, raw, session.trusted), f"state {n}")
    if (link.n, link.game) != (n, session.link.game) or not _on_chain(session, link, raw):
        raise Refused(
            "state/number", f"{name} is not the state {n} of this game", "pbem verify says more"
        )
    return link


def _on_chain(session: Session, link: Link, raw: bytes) -> bool:
    """As far as the newest state tells: it names the head before each slot's link."""
    told = {made - 1: head for made, head in session.link.heads}
    if link.n == session.link.n - 1:
        return unb64(session.link.prev, 32) == head_of(raw)
    return told.get(link.n, head_of(raw)) == head_of(raw)


def at(session: Session, link: Link) -> Position:
    """The game as it was at an older link."""
    seals = Seals(session.secret, link.game, link.n, unb64(link.prev, 32))
    return opened(link, b"", seals, session.game)


def sat_before(session: Session, seat: str) -> str:
    """Whose place the player of a seat has taken with the newest state; "" where nobody's.

    Where the state before is lost, it is not known whose.
    """
    link = session.link
    for one in link.rulings:
        if one.name == "player" and one.operand("seat") == seat and "name" in one.operand("what"):
            try:
                return older(session, link.n - 1).player(seat).name
            except PbemError:
                return "the player before"
    return ""


def in_full(session: Session, link: Link) -> tuple[str, ...]:
    """Every ruling of a state in words for all, with what was taken back and who was there."""
    from pbem.moderator.ruling.in_words import Sight, rulings_in_full  # few states have a ruling

    def earlier(n: int) -> Link | None:
        if n == session.link.n:
            return session.link
        try:
            return older(session, n)
        except PbemError:  # it is lost, or another: the ruling is told without it
            return None

    return rulings_in_full(link, Sight(session.game, earlier))
