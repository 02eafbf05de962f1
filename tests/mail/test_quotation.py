"""Whose text a line is: the player's words are found, whatever the mail program puts around them."""

import html
import textwrap
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadInput
from pbem.mail.parsed import divide_lines, parse_email
from pbem.mail.quotation import LineOwner
from pbem.mail.text import Line
from pbem.services.receive.message import looks_automatic

CODE = "X741-75E8"
SENT = f"""\
You lead 12–8–3.
[pbem {CODE}] Write your answer above this line.
autumn - Chang Cheng - Ann, you play red

YOUR TURN. Choose an action. An action is two walls in two provinces, two cards in two provinces, \
a card and then a wall in the same province, the double wall, or the tower. Write each order on \
its own line.

You may write:
wall: A1, A2, A3, A5, A6, A8, A9, A10, A11, B1, B3, B4, B5, B6, B7, B8, B9, B10, B11
card warrior: AP1, AP2, AP3, BP1, BP2, BP3
draw

For example:
    wall A1
    wall A5

WHAT HAPPENED SINCE YOUR LAST REPORT
- Ann (red) placed a wall on A4. (CC-10)
- Ben (green) looked at the threat counter of AM2 (it is 3). (CC-17)

THE BOARD, FROM LEFT TO RIGHT
AP1  +4: A1 free, A2 free, A3 free, A4 red
AP2  +1: A5 free, A6 free, A7 green

Check words: rihih-nikik-posof. Every player's report of this turn should show the same ones.
pbem 1 yt7xcx2mty5x6n5zubj5kuraah red 2 2
sig UgZhqe1FOJSGhe0oKBIF4i8hfK3XB2OW7qaa05dkdOb-71NvmU_yRzhuTcc_Wvnm-XCno_dTx1DtbyegeoRYCA
"""
AT_END = SENT.partition("\n\n")[2] + f"[pbem {CODE}]\n"
RECEIPT = f"""\
2 orders accepted. Your turn is complete. You don't need to do anything else.
[pbem {CODE}] Write your answer above this line.
autumn - Ann, you play red

- accepted: wall A6
- accepted: wall B9

Your pending orders:
wall A6
wall B9
Your orders for this turn are normally played 10 minutes after your latest email.
"""
SHORT = f"Your choice is noted.\n[pbem {CODE}] Write your answer above this line.\nautumn - Ann, you play red\n"
BLOCK = f"""\
From: Rita <rita@example.org>
Sent: Friday, November 27, 2026 6:51 PM
To: Ann <ann@example.org>
Subject: autumn: your turn [pbem {CODE}]
"""
#: what programs put above a quotation, in as many languages as there are here
ATTRIBUTIONS = """\
On Fri, Nov 27, 2026 at 3:59 PM, rita@example.org wrote:
On 27 Nov 2026, at 14:13, Rita <rita@example.org> wrote:
On Fri, Nov 27, 2026 at 3:59\u202fPM Rita who has a long name <rita@example.org>|wrote:
Am Fr., 27. Nov. 2026 um 15:59 Uhr schrieb Rita <rita@example.org>:
Le ven. 27 nov. 2026 à 15:59, Rita <rita@example.org> a écrit :
Il giorno ven 27 nov 2026 alle ore 15:59 Rita <|rita@example.org> ha scritto:
Rita <rita@example.org> ezt írta (időpont: 2026. nov. 27., P, 15:59):
Friday, November 27, 2026, 6:51:30 PM, you wrote:
Rita schrieb:
Rita wrote:
Quoting Rita <rita@example.org>:
Rita <rita@example.org> kirjoitti 27.11.2026 kello 18.51:
Op 27 nov. 2026, om 18:51 heeft Rita <rita@example.org> het volgende geschreven:
pt., 27 lis 2026 o 18:51 Rita <rita@example.org> napisał(a):
fre. 27. nov. 2026 kl. 18:51 skrev Rita <rita@example.org>:
Em sex., 27 de nov. de 2026 às 15:59, Rita <rita@example.org> escreveu:
Vào 18:51, Th 6, 27 thg 11, 2026 Rita <rita@example.org> đã viết:
2026年11月27日(金) 18:51 Rita <rita@example.org>:
Rita <rita@example.org> 于2026年11月27日周五 18:51写道：
---- On Fri, 27 Nov 2026 18:51:30 +0100 Rita <rita@example.org> wrote ----
2026-11-27 18:51 időpontban Rita ezt írta:
Em 27/11/2026 18:51, Rita escreveu:
""".splitlines()
HEAD = {"From": "Ann <ann@example.org>", "To": "Rita <rita@example.org>"}


def mail(text: str, subtype: str = "plain") -> bytes:
    found = EmailMessage()
    for name, value in {**HEAD, "Subject": f"Re: autumn [pbem {CODE}]"}.items():
        found[name] = value
    found.set_content(text, subtype=subtype, cte="base64")
    return found.as_bytes()


def whose(data: bytes, *sent: str, orders: tuple[str, ...] = ()) -> dict[LineOwner, list[str]]:
    """The owner of each line that is not blank; the first pass knows no sent messages."""
    letter = parse_email(data)
    lines = (*letter.own_lines, *letter.quoted_lines, *letter.interleaved_lines, *letter.signature_lines)
    found = divide_lines(
        sorted(line for line in lines if line.number),
        letter.headers,
        ((text,) for text in sent),
        is_instruction=lambda text: text in orders,
    )
    return {kind: [x.text.strip() for x in said if x.text.strip()] for kind, said in found.items()}


def marked(text: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines())


def wrapped(text: str) -> str:
    """As a program that marks lines before it wraps them."""
    lines = (textwrap.wrap(f"> {line}", 72) or [">"] for line in text.splitlines())
    return "\n".join(chain.from_iterable(lines)) + "\n"


def refilled(text: str) -> str:
    """As a program that wraps lines before it marks them."""
    return marked("\n".join("\n".join(textwrap.wrap(x, 60) or [""]) for x in text.splitlines()))


QUOTED: dict[str, Callable[[str], str]] = {"marked": marked, "wrapped": wrapped, "re": refilled}
OWN, ORDERS = "wall A5\nwall B7\n", ["wall A5", "wall B7"]


@pytest.mark.parametrize("said", ATTRIBUTIONS)
@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("quoted", [*QUOTED.values(), str])
@pytest.mark.parametrize("ours", [SENT, AT_END], ids=["code first", "code last"])
def test_orders_above_an_attribution(said: str, blank: str, quoted: Callable[[str], str], ours: str) -> None:
    above = said.replace("|", "\n")
    text = f"Hi Rita,\n\n{OWN}\n{above}\n{blank}{quoted(ours)}"
    found = whose(mail(text), ours)
    assert found[LineOwner.OWN] == ["Hi Rita,", *ORDERS]
    assert not found[LineOwner.INTERLEAVED] + found[LineOwner.SIGNATURE]


@pytest.mark.parametrize("own", [[], ["yes"], ["wall A5", "wall B7"]])
@pytest.mark.parametrize("said", ["", "Am Fr., 27. Nov. 2026 schrieb Rita:\n", "Rita wrote:\n\n"])
@pytest.mark.parametrize("ours", [SENT, RECEIPT, SHORT], ids=["report", "receipt", "short"])
def test_the_news_of_an_email_is_ours(own: list[str], said: str, ours: str) -> None:
    """It is above the line that says where an answer goes, which a program may quote without marks."""
    text = "".join(f"{line}\n" for line in own)
    for blank in ("", "\n"):
        found = whose(mail(f"{text}\n{said}{ours.replace(chr(10), chr(10) + blank)}"), ours)
        assert (found[LineOwner.OWN], found[LineOwner.INTERLEAVED]) == (own, [])


@pytest.mark.parametrize("quoted", QUOTED.values(), ids=QUOTED)
@pytest.mark.parametrize("own", [["wall A1", "wall A5"], ["draw"], ["wall A5", "Good luck, Rita"]])
def test_answers_below_and_between_marked_lines(quoted: Callable[[str], str], own: list[str]) -> None:
    """Even if they equal our example."""
    said = "\n".join(own)
    for at in ("For example:\n    wall A1\n    wall A5\n", "card warrior: AP1, AP2", "pbem 1 yt7x"):
        first, middle, last = SENT.partition(at)
        quotation = f"{quoted(first)}{said}\n{quoted(middle + last)}"
        assert whose(mail(f"Rita wrote:\n{quotation}"), SENT)[LineOwner.OWN] == own
    for blank in ("", "\n"):
        assert whose(mail(f"{quoted(SENT)}{blank}{said}\n"), SENT)[LineOwner.OWN] == own
    example = SENT.partition("WHAT HAPPENED")[0]
    found = whose(mail(f"{quoted(example)}{said}\n"), SENT)
    assert found[LineOwner.OWN] == own


@pytest.mark.parametrize("above", [BLOCK, f"-----Original Message-----\n{BLOCK}", "Rita wrote:\n"])
@pytest.mark.parametrize("own", [["wall B7"], ["wall A1", "wall A5"], ["draw"]])
def test_what_stands_between_unmarked_lines(above: str, own: list[str]) -> None:
    said = "\n".join(own)
    for at in ("\nWHAT HAPPENED", "card warrior: AP1, AP2", "sig Ug"):
        first, middle, last = SENT.partition(at)
        text = f"wall A5\n\n{above}\n{first}{said}\n{middle}{last}"
        found = whose(mail(text), SENT)
        assert (found[LineOwner.OWN], found[LineOwner.INTERLEAVED]) == (["wall A5"], own)
    assert whose(mail(f"{above}\n{SENT}\n{said}\n"), SENT)[LineOwner.INTERLEAVED] == own


def test_what_somebody_else_wrote_is_nobody_s() -> None:
    """Another player's words, an older email of the player, an unknown receipt."""
    old = BLOCK.replace("Rita <rita", "Ann <ann").replace("your turn", "RE: your turn")
    block = f"From: Ben <ben@example.org>\nDate: Fri, 27 Nov 2026 18:51\nSubject: [pbem {CODE}]\n"
    texts = [
        f"Thanks\n\n{old}\nwall A6\nwall B9\n\n{BLOCK}\n{SENT}",
        f"Thanks\n\n{BLOCK}\n{RECEIPT}\nsig {'x' * 86}\n",
        f"Thanks\n\n{block}\nYou could wall A5, or draw.\nwall A5\n",
        f"Thanks\n\nBen wrote on 27 Nov 2026:\n{marked('wall A5')}",
        f"Thanks\n\nOn 27 Nov 2026, Ann wrote:\n{marked(f'wall A5{chr(10) * 2}Rita wrote:')}" + marked(marked(SENT)),
        "Thanks\n\nOn 27 Nov 2026 at 18:51 Ben <ben@example.org> wrote:\n\nwall A5\n",
    ]
    for text in texts:
        found = whose(mail(text), SENT)
        assert found[LineOwner.OWN] == ["Thanks"], text


@pytest.mark.parametrize(
    ("typed", "own"),
    [
        ("wall B7 On Fri, rita@example.org wrote:", True),
        ("wall B7 Am Fr., 27. Nov. 2026 um 15:59 Uhr schrieb Rita <rita@example.org>:", True),
        ("When is the deadline? On Fri, rita@example.org wrote:", True),
        ("withdraw On Fri, Nov 27, 2026 at 3:59 PM, Rita <rita@example.org> wrote:", True),
        ("Thanks a lot, I will answer tonight On Fri, rita@example.org wrote:", True),
        ("W dniu pt., 27 lis 2026 o 18:51 Rita <rita@example.org> napisał(a):", False),
        ("See you at 20:00, Rita", True),
        ("Thanks, Rita!", True),
    ],
)
def test_what_stands_on_the_line_of_an_attribution_is_given_whole(typed: str, own: bool) -> None:
    found = whose(mail(f"wall A5\n{typed}\n{marked(SENT)}"), SENT, orders=("withdraw",))
    assert found[LineOwner.OWN] == ["wall A5", typed][: 1 + own]


def test_below_a_signature() -> None:
    found = whose(mail(f"wall A5\n\n-- \nAnn\nlater:\nwall B9\n\n{BLOCK}\n{SENT}"), SENT)
    assert (found[LineOwner.OWN], found[LineOwner.SIGNATURE]) == (["wall A5"], ["Ann", "later:", "wall B9"])
    found = whose(mail(f"-- \nAnn\n\n{OWN}\nRita wrote:\n{marked(SENT)}\nwall B1\n"), SENT)
    assert (found[LineOwner.OWN], found[LineOwner.SIGNATURE]) == (["wall B1"], ["Ann", *ORDERS])
    found = whose(mail(f"wall A5\n{marked(SENT)}_______\nClub list\nwall B1\n"), SENT)
    assert (found[LineOwner.OWN], found[LineOwner.SIGNATURE]) == (["wall A5"], ["Club list", "wall B1"])


def as_page(text: str) -> str:
    return "<br>".join(html.escape(line) for line in text.splitlines())


def test_pages() -> None:
    first, middle, last = SENT.partition("\nWHAT HAPPENED")
    quote = f"<blockquote>{as_page(first)}<div>wall B7</div>{as_page(middle + last)}</blockquote>"
    page = f'<div>wall A5</div><div class="gmail_quote">Rita wrote:{quote}</div>'
    found = whose(mail(page, "html"), SENT)
    assert (found[LineOwner.OWN], found[LineOwner.INTERLEAVED]) == (["wall A5"], ["wall B7"])
    hidden = ("hidden", "style='display:none'", "style='font-size:0px;color:red'")
    for how in (*hidden, "style='FONT-SIZE: 0'", "style='mso-hide:all'", "style='opacity:0.0'"):
        page = f"<div {how}>wall A5<p>wall A6</p></div><div style='font-size:0.9em'>wall B7</div>"
        assert whose(mail(page, "html"))[LineOwner.OWN] == ["wall B7"]


LINES = ["wall A5", "wall B7", "draw", "wall A1", "later:", "Not sure this is clever", "withdraw"]
LINES += ["A longer line of which nobody can say that it stands in the report, Rita", "yes", "ok :)"]


def apart(text: str) -> list[int]:
    """Between which of its lines a player writes: after a whole paragraph."""
    lines = text.splitlines()
    return [i for i in range(3, len(lines)) if not lines[i - 1]] + [len(lines)]


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_exactly_the_player_s_lines_come_out(data: st.DataObject) -> None:
    own = data.draw(st.lists(st.sampled_from(LINES), max_size=4))
    between = data.draw(st.lists(st.sampled_from(LINES), max_size=3))
    ours = data.draw(st.sampled_from([SENT, AT_END]))
    said = data.draw(st.sampled_from(ATTRIBUTIONS)).replace("|", "\n")
    ways: list[Callable[[str], str]] = [*QUOTED.values(), str]
    quoted = data.draw(st.sampled_from(ways))
    lines, at = ours.splitlines(), data.draw(st.sampled_from(apart(ours)))
    first, last = "\n".join(lines[:at]), "\n".join(lines[at:])
    inside = "".join(f"{line}\n" for line in between)
    top = "".join(f"{line}\n" for line in own)
    if data.draw(st.booleans()):
        first, last = (f"<blockquote>{as_page(x)}</blockquote>" for x in (first, last))
        page = f"{as_page(top)}<div>{as_page(said)}</div>{first}{as_page(inside)}{last}"
        found, loose = whose(mail(page, "html"), ours), False
    else:
        text = f"{top}\n{said}\n\n{quoted(first)}\n{inside}\n{quoted(last)}"
        found, loose = whose(mail(text), ours), quoted is str
    assert found[LineOwner.OWN] == (own if loose else own + between)
    assert found[LineOwner.INTERLEAVED] == (between if loose else [])


def pieces() -> Iterator[str]:
    """Texts that make a comparison slow: our words repeated, and in every order."""
    words = SENT.split()
    yield from (SENT, SENT[::-1], " ".join(words[::-1]), "wall A1\nwall A5\n", "Rita wrote:\n> a\n")
    yield from (" ".join(map(" ".join, combinations(words[:40], 2))), f"{BLOCK}\n", "@:\n", "\n> a\n")


@pytest.mark.parametrize("piece", [*pieces()], ids=range(len([*pieces()])))
@pytest.mark.parametrize("quoted", [str, marked])
def test_a_mebibyte_is_divided_in_a_moment(piece: str, quoted: Callable[[str], str]) -> None:
    text = quoted(piece * (900_000 // len(piece)))
    lines = [Line(n, line) for n, line in enumerate(text.splitlines()[:30_000])]
    start = time.process_time()
    divide_lines(lines, parse_email(mail("x")).headers, [(SENT,), (AT_END, RECEIPT)])
    assert time.process_time() - start < 10  # five times what the slowest takes


@pytest.mark.parametrize(
    ("subject", "automatic"),
    [
        ("Vacation: autumn [pbem X741-75E8]", True),
        ("Resposta automática: autumn: your turn [pbem X741-75E8]", True),
        ("Re: autumn: your turn [pbem X741-75E8]", False),
        ("Antwort: autumn: your turn", False),
        ("Re: [Club] autumn: your turn", False),
        ("withdraw Re: autumn", False),
        ("autumn [pbem X741-75E8]", False),
        ("wall A5 please: autumn", False),
    ],
)
def test_what_looks_automatic(subject: str, automatic: bool) -> None:
    assert looks_automatic(subject, "autumn") == automatic


def part(text: str, name: str = "", how: str = "", kind: str = "text/plain") -> str:
    named = f'; name="{name}"' if name else ""
    how = f'Content-Disposition: {how}; filename="{name}"\n' if how else ""
    return f"--b\nContent-Type: {kind}{named}\n{how}\n{text}\n"


def mixed(*parts: str, kind: str = "mixed") -> bytes:
    head = f"From: ann@example.org\nSubject: x\nContent-Type: multipart/{kind}; boundary=b\n\n"
    return (head + "".join(parts) + "--b--\n").encode()


@pytest.mark.parametrize(
    ("data", "own", "not_read"),
    [
        (mixed(part("wall A5"), part("wall B7", "ATT00001.txt", "attachment")), ORDERS, ()),
        (mixed(part("wall A5"), part("wall B7", "Part 1.2", "inline")), ORDERS, ()),
        (mixed(part("wall A5"), part("wall B7", "o.txt")), ORDERS, ()),
        (mixed(part("wall A5"), part("wall B7", "o.txt", "attachment")), ORDERS[:1], ("o.txt",)),
        (mixed(part("wall A5"), part("x", "o.doc", "attachment", "application/msword")),
         ORDERS[:1], ("o.doc",)),
        (mixed(part("wall A5"), part("x", "a.png", "inline", "image/png")), ORDERS[:1], ()),
        (mixed(part("wall A5"), *(part("x", "a.bin", "attachment", "a/b") for _ in range(20))),
         ORDERS[:1], ("a.bin",) * 10),
        (mixed(part("Please view the page."), part(as_page(OWN), kind="text/html"),
               kind="alternative"), ORDERS, ()),
        (mixed(part(marked(SENT)), part(as_page(OWN), kind="text/html"), kind="alternative"),
         ORDERS, ()),
        (mixed(part(OWN), part(f"<b>{as_page(OWN)}</b>", kind="text/html"), kind="alternative"),
         ORDERS, ()),
        (mixed(part(OWN), part("<img>", kind="text/html"), kind="alternative"), ORDERS, ()),
    ],
    ids=range(11),
)  # fmt: skip
def test_parts(data: bytes, own: list[str], not_read: tuple[str, ...]) -> None:
    letter = parse_email(data)
    assert [line.text for line in letter.own_lines if line.text] == own
    assert letter.unread_files == not_read


@pytest.mark.parametrize(
    "body",
    ["d2FsbCBBNQo=\nd2FsbCBCNwo=\n", "d2FsbCBBNQp3YWxsIEI3Cg==\n\n_____\nA list\nb@c.example\n",
     "d2FsbCBBNQp3YWxsIEI3Cg==\n--\nA list\n", "d2FsbCBBNQp3\n\nYWxsIEI3Cg==\n"],
    ids=range(4),
)  # fmt: skip
def test_base64_in_runs_and_with_text_behind(body: str) -> None:
    head = "From: a@b\nSubject: x\nContent-Transfer-Encoding: base64\n\n"
    assert [line.text for line in parse_email((head + body).encode()).own_lines if line.text] == ORDERS


def test_signed_is_not_encrypted() -> None:
    head = "From: a@b\nSubject: x\nContent-Type: application/pkcs7-mime; smime-type="
    with pytest.raises(BadInput, match="signed in a form that pbem cannot read"):
        parse_email(f"{head}signed-data\n\nx".encode())
    with pytest.raises(BadInput, match="encrypted"):
        parse_email(f"{head}enveloped-data\n\nx".encode())


@pytest.mark.parametrize("cut", range(1, 12))
def test_what_is_marked_is_never_the_player_s_own(cut: int) -> None:
    """An attack of November 2026 found it: another's order inside a sentence of ours counted as the
    player's.
    """
    words = SENT.partition("WHAT HAPPENED")[2].split()
    first, last = " ".join(words[:cut]), " ".join(words[cut : cut + 12])
    text = "What does he mean?\n\nOn 27 Nov 2026, Ben <ben@example.org> wrote:\n"
    for order in ("wall B5", "yes", "withdraw"):
        found = whose(mail(f"{text}{marked(f'{first}{chr(10)}{order}{chr(10)}{last}')}"), SENT)
        assert order not in found[LineOwner.OWN]
