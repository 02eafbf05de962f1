"""Who may follow whom as a referee. Source: docs/SPECIFICATION.md section 5, Succession."""

import pytest

from pbem.chain.referees import ACTING, RECOVERY, RefereeKeys, find_succession_fault, keys_in_force
from pbem.crypto.keys import RefereeKey, new_root

GAME = "zkriwwpgkz3uj7tkcwzjb7trv6"
FIRST, RESCUER, THIEF, AFTER = (RefereeKey(new_root()) for _ in range(4))


def appointed(since: int, whose: RefereeKey, by: str = "", key: RefereeKey = FIRST) -> RefereeKeys:
    halves = (whose.public, whose.wrap_public, RESCUER.public, RESCUER.wrap_public)
    row = RefereeKeys(since, *halves)
    return row.sign_row(by, key.signing, GAME) if by else row


@pytest.mark.parametrize(
    ("since", "by", "n", "good"),
    [(6, RECOVERY, 6, True), (5, RECOVERY, 5, False), (6, ACTING, 5, False), (7, ACTING, 6, True)],
)
def test_a_thief_who_hands_over_in_every_state_does_not_shut_out_the_recovery_key(
    since: int, by: str, n: int, *, good: bool
) -> None:
    """Found by a verifier written from the text alone: their row had the number of the next."""
    known = (appointed(0, FIRST), appointed(6, THIEF, ACTING, FIRST))
    signer = RESCUER if by == RECOVERY else THIEF
    row = appointed(since, AFTER, by, signer)
    assert (find_succession_fault((*known, row), known, GAME, n) == "") == good
    if good:
        assert [keys_in_force((*known, row), m) for m in (5, since)] == [known[0], row]
