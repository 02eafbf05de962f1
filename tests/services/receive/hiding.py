"""Mails with a password put anywhere into them, and looking for it afterwards.

What lives here: ways to write four words and to wrap a mail around them; what is left of them.
Not allowed here: pbem's own way of finding them.
"""

import base64
import html
import quopri
import re
from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

ALIKE = {"a": "а", "i": "і", "o": "о", "s": "ѕ", "p": "р", "k": "к", "t": "т", "h": "һ", "j": "ј"}
BACK = str.maketrans({other: ours for ours, other in ALIKE.items()})
BEFORE = (
    "", "password ", "Password: ", "PASSWORD=", "passwords ", "Passwort: ", "mot de passe : ",
    "jelszó: ", "contraseña ", "pw: ", "my words are ", "wall A7, password ", "p a s s w o r d ",
)  # fmt: skip
BETWEEN = (" ", "  ", "-", " - ", ", ", "\xa0", "\n", "\n> ", "\n>> > ", ".\n\n", "", "\t", "_")
PLACES = (
    "own", "quoted", "deep", "below", "subject", "folded subject", "coded subject", "from",
    "header", "message id", "html", "html beside text", "entities", "entities in text", "text file",
    "picture", "move file", "escapes", "comment", "broken move file", "unknown key", "calendar",
    "mail in the mail", "two move files", "cut short",
)  # fmt: skip


@st.composite
def spelt(draw: st.DrawFn, word: str) -> str:
    """The words in front of which something may stand, written in some way."""
    text = draw(st.sampled_from(BETWEEN)).join(word.split())
    if draw(st.booleans()):
        text = draw(st.sampled_from([str.upper, str.title]))(text)
    if draw(st.integers(0, 3)) == 0:
        text = "".join(ALIKE.get(c, c) if draw(st.booleans()) else c for c in text)
    if draw(st.integers(0, 5)) == 0:
        at = draw(st.integers(1, len(text) - 1))
        text = text[:at] + draw(st.sampled_from(["\u200b", "\u00ad", "\u0301", " "])) + text[at:]
    return draw(st.sampled_from(BEFORE)) + text + draw(st.sampled_from(["", ".", " x", " Thanks"]))


@st.composite
def mails(draw: st.DrawFn, word: str, code: str) -> bytes:
    """A mail with the right code (or move file), and the password at one place or two."""
    number = draw(st.integers(0, 10**9))
    text = draw(spelt(word))
    place = draw(st.sampled_from(PLACES))
    also = f"\npassword {word}" if draw(st.booleans()) else ""  # then it counts
    how = draw(st.sampled_from(["7bit", "quoted-printable", "base64"]))
    return Made(code, number, also, how).at(place, text)


class Made:
    """A mail around a text."""

    def __init__(self, code: str, number: int, also: str, how: str) -> None:
        self.code, self.number, self.also, self.how = code, number, also, how

    def at(self, place: str, text: str) -> bytes:
        one = " ".join(text.split("\n"))
        line = one.replace('"', "")[:50]
        move = f'pbem = 1\ncode = "{self.code}"\norders = ["wall A7", "wall B5"{{}}]\n'
        orders = f"wall A7\nwall B5{self.also}\n"
        coded = base64.b64encode(one.encode()).decode()
        plain = {
            "own": f"{orders}{text}\n", "quoted": orders + quoted(text, "> "),
            "deep": orders + quoted(text, "> >> "), "below": f"{orders}[pbem {self.code}]\n{text}",
            "entities in text": orders + entities(text),
        }  # fmt: skip
        if place in plain:
            return self.mail([("text/plain", plain[place])])
        heads = {
            "subject": f"Subject: Re: {one} [pbem {self.code}]",
            "folded subject": f"Subject: [pbem {self.code}]\n {text.replace(chr(10), ' ')}",
            "coded subject": f"Subject: [pbem {self.code}] =?utf-8?b?{coded}?=",
            "from": f'From: "{one}" <{re.sub("[^a-z.]+", ".", one.lower())}@x.org>',
            "header": f"X-Note: {one}\nX-Coded: =?utf-8?b?{coded}?=",
            "message id": f"Message-ID: <{re.sub('[^a-z]+', '.', one.lower())}{self.number}@x>",
        }
        if place in heads:
            return self.mail([("text/plain", orders)], heads[place])
        page = f"<p>wall A7<br>wall B5{self.also.replace(chr(10), '<br>')}</p><p>{text}</p>"
        parts = {
            "html": [("text/html", page)],
            "html beside text": [("text/plain", orders), ("text/html", page)],
            "entities": [("text/plain", orders), ("text/html", f"<p>{entities(text)}")],
            "text file": [("text/plain", orders), ("text/plain; name=notes.txt", text)],
            "picture": [("text/plain", orders), ("image/png; name=a.png", f"\x89PNG {text}")],
            "calendar": [("text/plain", orders), ("text/calendar", text)],
            "move file": [("application/toml; name=a.toml", move.format(f', "{line}"'))],
            "escapes": [("application/toml; name=a.toml", move.format(f', "{escapes(line)}"'))],
            "comment": [("application/toml; name=a.toml", f"# {one}\n{move.format('')}")],
            "unknown key": [("application/toml; name=a.toml", f'{move.format("")}"{line}" = 1\n')],
            "broken move file": [("application/toml; name=a.toml", f"{move.format('')}{one}\n")],
            "mail in the mail": [
                ("text/plain", orders), ("message/rfc822", f"Subject: {one}\n\n{text}\n"),
            ],
            "two move files": [
                ("text/plain", text), ("application/toml; name=a.toml", move.format("")),
                ("application/toml; name=b.toml", move.format("")),
            ],
            "cut short": [("text/plain", orders), ("text/plain", f"{text} ????")],
        }  # fmt: skip
        made = self.mail(parts[place])
        return made[:-40] if place == "cut short" and self.how == "base64" else made

    def mail(self, parts: list[tuple[str, str]], head: str = "") -> bytes:
        given = {line.split(":")[0].lower() for line in head.split("\n") if head}
        usual = {
            "from": "From: bob@example.org", "subject": f"Subject: Re: [pbem {self.code}]",
            "message-id": f"Message-ID: <{self.number}@x>",
        }  # fmt: skip
        heads = [value for name, value in usual.items() if name not in given] + [head] * bool(head)
        kind = "alternative" if any(k == "text/html" for k, _ in parts[1:]) else "mixed"
        heads += ["MIME-Version: 1.0", f'Content-Type: multipart/{kind}; boundary="=_b"']
        body = "".join(f"--=_b\n{self.part(kind, text)}\n" for kind, text in parts)
        return ("\n".join(heads) + f"\n\n{body}--=_b--\n").encode()

    def part(self, kind: str, text: str) -> str:
        how = "7bit" if kind.startswith("message/") else self.how
        data = text.encode()
        coded = {
            "7bit": text, "base64": base64.encodebytes(data).decode(),
            "quoted-printable": quopri.encodestring(data).decode(),
        }[how]  # fmt: skip
        label = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        return f"Content-Type: {label}\nContent-Transfer-Encoding: {how}\n\n{coded}"


def quoted(text: str, mark: str) -> str:
    return "\n".join(f"{mark}{line}" for line in text.split("\n")) + "\n"


def entities(text: str) -> str:
    return "".join(f"&#{ord(c)};" if c.isalpha() else html.escape(c) for c in text)


def escapes(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" if c.isalpha() else " " for c in text)


def letters(text: str) -> str:
    return re.sub("[^a-z]", "", text.translate(BACK).lower())


def forms(data: bytes) -> Iterator[str]:
    """What a reader could make of some bytes."""
    text = data.decode("utf-8", "replace")
    yield letters(text)
    yield letters(quopri.decodestring(data).decode("utf-8", "replace"))
    yield letters(html.unescape(text))
    if "\\u" in text:
        yield letters(re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text))
    for block in re.findall(r"(?:[A-Za-z0-9+/]{20,}\s?)+={0,2}", text):
        joined = "".join(block.split()).rstrip("=")
        for cut in range(4):
            whole = joined[cut:][: len(joined[cut:]) // 4 * 4]
            yield letters(base64.b64decode(whole).decode("utf-8", "replace"))


def shown_in(data: bytes, word: str) -> bool:
    return any(letters(word) in one for one in forms(data))


def holding(root: Path, word: str, but: set[Path]) -> list[str]:
    """The files below ``root`` in which the password can be read, those ``but`` not looked at."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and path not in but)
    return [str(path.relative_to(root)) for path in files if shown_in(path.read_bytes(), word)]
