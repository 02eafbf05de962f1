"""HTML to lines of text, with what is quoted marked as such.

What must never be here: mail structure, codes, orders.
Law: linear time on any input: html.parser is quadratic on tags and comments that never close, so
those are taken out before it sees them.
Source: FORMAT.md section 3 ("else the HTML as text"); class names as the mail programs write them.
"""

import re
from html.parser import HTMLParser
from typing import NamedTuple

from pbem.mail.quotation import DEEPEST

_ENDS_LINE = re.compile(
    "address|article|blockquote|body|br|center|d[dlt]|div|fieldset|footer|form|h[1-6]|header|hr"
    "|li|ol|p|pre|section|table|tbody|tr|ul"
)
_VOID = re.compile("area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr")
# Gmail, Yahoo, Proton, Thunderbird (the line above the quote), Zoho, Outlook
_QUOTING = re.compile(
    r"gmail_quote|gmail_attr|gmail_extra|yahoo_quoted|protonmail_quote|moz-cite-prefix|zmail_extra"
    r"|divRplyFwdMsg|OLK_SRC_BODY"
)
_SIGNING = re.compile("(?:gmail|moz|protonmail)[_-]signature")
_HIDDEN = re.compile(
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|max-height|opacity)\s*:\s*0*\.?0+(?![\d.]))",
    re.IGNORECASE,
)
_TAG_OR_LESS = re.compile(r"<(/?[a-zA-Z][^<>]{0,4000}>)?")
_LONG_NUMBER = re.compile("&#[xX]?[0-9a-fA-F]{9,}")  # int() refuses 5,000 digits
_STRUCK = re.compile("s|del|strike")
_STRIKES = re.compile(r"text-decoration(?:-line)?\s*:[^;]{0,80}line-through", re.IGNORECASE)
_SKIPPED = ("style", "script", "title", "template", "svg")


def html_lines(html: str) -> list[str]:
    """The lines a reader would see, blank ones left out; `>` before those that are quoted."""
    parser = _Parser()
    parser.feed(_tamed(html))
    parser.close()
    parser.end_line()
    return parser.lines


def _tamed(html: str) -> str:
    """Without comments, styles and scripts; a `<` that opens no tag becomes text."""
    html = _without(html, re.compile("<!--"), re.compile("-->"))
    for tag in _SKIPPED:
        opening = re.compile(rf"<{tag}\b", re.IGNORECASE)
        html = _without(html, opening, re.compile(rf"</{tag}\b[^<>]{{0,80}}>", re.IGNORECASE))
    html = _LONG_NUMBER.sub("\ufffd", html)
    html = re.sub(r"<[!?][^<>]{0,4000}>", "", html)
    return _TAG_OR_LESS.sub(lambda m: m[0] if m[1] else "&lt;", html)


def _without(html: str, start: re.Pattern[str], end: re.Pattern[str]) -> str:
    kept, at = [], 0
    while opening := start.search(html, at):
        kept.append(html[at : opening.start()])
        closing = end.search(html, opening.end())
        at = (closing or opening).end()
        if closing is None:  # never closed: let the rest be read, for an order may stand in it
            break
    return "".join(kept) + html[at:]


def _quotes(name: str, value: str) -> bool:
    """Whether this attribute of a tag says that a quotation begins."""
    if name == "name":
        return value == "quote"
    return name in ("class", "id") and _QUOTING.search(value) is not None


class _State(NamedTuple):
    """What a tag is to all that it holds, or how often those that are open are that."""

    quotes: int = 0  #: by a class of a mail program
    blocks: int = 0  #: as a blockquote
    struck: int = 0
    hidden: int = 0

    @classmethod
    def of(cls, tag: str, attrs: list[tuple[str, str | None]]) -> "_State":
        """That of a tag."""
        filled = [(name, value or "") for name, value in attrs]
        styles = [value for name, value in filled if name == "style"]
        struck = _STRUCK.fullmatch(tag) or any(map(_STRIKES.search, styles))
        hidden = "hidden" in dict(filled) or any(map(_HIDDEN.search, styles))
        quotes = any(_quotes(*attr) for attr in filled)
        return cls(quotes, tag == "blockquote", bool(struck), hidden)

    def with_tag(self, other: "_State", sign: int = 1) -> "_State":
        """With a tag that opens, or without one that closes."""
        return _State(*(mine + sign * its for mine, its in zip(self, other, strict=True)))


class _Parser(HTMLParser):
    """Collects lines while tags open and close."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._words: list[str] = []
        self._open: list[tuple[str, _State]] = []
        self._count: dict[str, int] = {}
        self._now = _State()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if _ENDS_LINE.fullmatch(tag):
            self.end_line()
        elif tag in ("td", "th"):
            self._words.append(" ")
        if _VOID.fullmatch(tag):
            return
        if any(name == "class" and _SIGNING.search(value or "") for name, value in attrs):
            self.end_line()
            self._words.append("--")
            self.end_line()
        state = _State.of(tag, attrs)
        self._open.append((tag, state))
        self._count[tag] = self._count.get(tag, 0) + 1
        self._now = self._now.with_tag(state)

    def handle_endtag(self, tag: str) -> None:
        if _ENDS_LINE.fullmatch(tag):
            self.end_line()
        if not self._count.get(tag):
            return  # closes nothing: do not search the stack for it
        while self._open:
            name, state = self._open.pop()
            self._count[name] -= 1
            self._now = self._now.with_tag(state, -1)
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._now.hidden:
            return
        if self._now.struck and data.strip():
            self._words.append("~~")  # as in plain text: what is crossed out holds an email back
        if self._count.get("pre"):
            first, *more = data.split("\n")
            self._words.append(first)
            for piece in more:
                self.end_line()
                self._words.append(piece)
        else:
            # Not str.split(): a no-break space is no line filling and stays.
            self._words.append(re.sub(r"[ \t\r\n\f]+", " ", data))

    def end_line(self) -> None:
        text = "".join(self._words).strip(" \t")
        self._words = []
        if text and not text.isspace():
            depth = min(self._now.blocks, DEEPEST) or min(self._now.quotes, 1)
            self.lines.append(f"{'>' * depth} {text}"[not depth :])
