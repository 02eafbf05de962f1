"""HTML to lines of text, with what is quoted marked as such.

What must never be here: mail structure, codes, orders.
Law: linear time on any input: html.parser is quadratic on tags and comments that never close, so
those are taken out before it sees them.
Source: FORMAT.md section 3 ("else the HTML as text"); class names as the mail programs write them.
"""

import re
from html.parser import HTMLParser
from typing import NamedTuple

_ENDS_LINE = re.compile(
    "address|article|blockquote|body|br|center|d[dlt]|div|fieldset|footer|form|h[1-6]|header|hr"
    "|li|ol|p|pre|section|table|tbody|tr|ul"
)
_VOID = re.compile("area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr")
# Gmail, Yahoo, Proton, Thunderbird (the line above the quote), Zoho, Outlook; gmail_signature
# is what stands after `-- `.
_QUOTING = re.compile(
    r"gmail_quote|gmail_attr|gmail_extra|gmail_signature|yahoo_quoted|protonmail_quote"
    r"|protonmail_signature|moz-cite-prefix|moz-signature|zmail_extra|divRplyFwdMsg|OLK_SRC_BODY"
)
_TAG_OR_LESS = re.compile(r"<(/?[a-zA-Z][^<>]{0,4000}>)?")
_LONG_NUMBER = re.compile("&#[xX]?[0-9a-fA-F]{9,}")  # int() refuses 5,000 digits
_STRUCK = re.compile("s|del|strike")
_STRIKES = re.compile(r"text-decoration(?:-line)?\s*:[^;]{0,80}line-through", re.IGNORECASE)
_SKIPPED = ("style", "script", "title", "template", "svg")


class TextLine(NamedTuple):
    """A line of text, and whether it stood inside a quotation."""

    text: str
    quoted: bool


def html_lines(html: str) -> list[TextLine]:
    """The lines a reader would see, blank ones left out."""
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


def _quotes(name: str, value: str | None) -> bool:
    """Whether this attribute of a tag says that a quotation begins."""
    if name == "name":
        return value == "quote"
    return name in ("class", "id") and _QUOTING.search(value or "") is not None


def _strikes(tag: str, attrs: list[tuple[str, str | None]]) -> bool:
    """Whether what this tag holds is struck out."""
    styles = (value or "" for name, value in attrs if name == "style")
    return bool(_STRUCK.fullmatch(tag)) or any(map(_STRIKES.search, styles))


class _Parser(HTMLParser):
    """Collects lines while tags open and close."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[TextLine] = []
        self._words: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []
        self._count: dict[str, int] = {}
        self._quotes = 0
        self._struck = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if _ENDS_LINE.fullmatch(tag):
            self.end_line()
        elif tag in ("td", "th"):
            self._words.append(" ")
        if _VOID.fullmatch(tag):
            return
        quoting = tag == "blockquote" or any(_quotes(*attr) for attr in attrs)
        struck = _strikes(tag, attrs)
        self._open.append((tag, quoting, struck))
        self._struck += struck
        self._count[tag] = self._count.get(tag, 0) + 1
        self._quotes += quoting

    def handle_endtag(self, tag: str) -> None:
        if _ENDS_LINE.fullmatch(tag):
            self.end_line()
        if not self._count.get(tag):
            return  # closes nothing: do not search the stack for it
        while self._open:
            name, quoting, struck = self._open.pop()
            self._count[name] -= 1
            self._quotes -= quoting
            self._struck -= struck
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._struck and data.strip():
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
            self.lines.append(TextLine(text, self._quotes > 0))
