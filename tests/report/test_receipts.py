"""How a receipt is stored with the orders. Source: pbem/services/receipts.py."""

import pytest

from pbem.errors import BadInput
from pbem.services.receipts import StoredReceipt

TIME = "2026-11-21T10:00:00Z"
FORMS = {
    f"autumn: 1 order accepted [pbem K7Q2-9F3A]\n{TIME}\nKept.\nAll of it.\n": StoredReceipt(
        "K7Q2-9F3A", "autumn: 1 order accepted", TIME, False, "Kept.\nAll of it.\n"
    ),
    f"autumn: no order found [pbem K7Q2-9F3A]\n{TIME} resend <1@x>\n\n": StoredReceipt(
        "K7Q2-9F3A", "autumn: no order found", TIME, True, "\n", "<1@x>"
    ),
    f"a [pbem b]: closed\n{TIME} <1@x>\n": StoredReceipt("", "a [pbem b]: closed", TIME, False, "", "<1@x>"),
    f"autumn: the game is over\n{TIME} resend\n": StoredReceipt("", "autumn: the game is over", TIME, True, ""),
}


@pytest.mark.parametrize("form", FORMS)
def test_there_and_back(form: str) -> None:
    assert StoredReceipt.decode(form, "red") == FORMS[form]
    assert FORMS[form].encode() == form


@pytest.mark.parametrize("form", ["x", "x\n", "x\n\ntext", f"x\n{TIME} twice\ntext"])
def test_a_damaged_one_names_its_seat(form: str) -> None:
    with pytest.raises(BadInput) as caught:
        StoredReceipt.decode(form, "red")
    assert caught.value.code == "document/row"
    assert "red" in caught.value.message
