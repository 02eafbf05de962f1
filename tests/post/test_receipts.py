"""The form in which a receipt is kept with the orders. Source: pbem/services/post.py."""

import pytest

from pbem.errors import BadInput
from pbem.services.post import KeptReceipt

TIME = "2026-11-21T10:00:00Z"
FORMS = {
    f"[pbem K7Q2-9F3A] autumn: received\n{TIME}\nKept.\nAll of it.\n": KeptReceipt(
        "K7Q2-9F3A", "autumn: received", TIME, False, "Kept.\nAll of it.\n"
    ),
    f"[pbem K7Q2-9F3A] autumn: not kept\n{TIME} resend\n\n": KeptReceipt(
        "K7Q2-9F3A", "autumn: not kept", TIME, True, "\n"
    ),
    f"autumn: the game is over\n{TIME} resend\n": KeptReceipt(
        "", "autumn: the game is over", TIME, True, ""
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_there_and_back(form: str) -> None:
    assert KeptReceipt.decode(form, "red") == FORMS[form]
    assert FORMS[form].encode() == form


@pytest.mark.parametrize("form", ["x", "x\n", "x\n\ntext", f"x\n{TIME} twice\ntext"])
def test_a_damaged_one_names_its_seat(form: str) -> None:
    with pytest.raises(BadInput) as caught:
        KeptReceipt.decode(form, "red")
    assert caught.value.code == "document/row"
    assert "red" in caught.value.message
