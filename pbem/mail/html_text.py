"""Turn HTML into lines of text, and mark the quoted ones.

Not allowed here: the structure of an email, codes, orders.
Source: FORMAT.md section 3 ("else the HTML as text"); class names as the mail programs write them.
"""

import re
from html.parser import HTMLParser
from typing import NamedTuple

from pbem.mail.quotation import DEEPEST_QUOTE

_ENDS_LINE = re.compile(
    "address|article|blockquote|body|br|center|d[dlt]|div|fieldset|footer|form|h[1-6]|header|hr"
    "|li|ol|p|pre|section|table|tbody|tr|ul"
)
_VOID_TAG = re.compile("area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr")
# Gmail, Yahoo, Proton, Thunderbird (the line above the quote), Zoho, Outlook
_QUOTE_CLASS = re.compile(
    r"gmail_quote|gmail_attr|gmail_extra|yahoo_quoted|protonmail_quote|moz-cite-prefix|zmail_extra"
    r"|divRplyFwdMsg|OLK_SRC_BODY"
)
_SIGNATURE_CLASS = re.compile("(?:gmail|moz|protonmail)[_-]signature")
_HIDDEN_STYLE = re.compile(
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|max-height|opacity)\s*:\s*0*\.?0+(?![\d.]))",
    re.IGNORECASE,
)
_TAG_OR_LESS_THAN = re.compile(r"<(/?[a-zA-Z][^<>]{0,4000}>)?")
_LONG_NUMBER = re.compile("&#[xX]?[0-9a-fA-F]{9,}")  # int() refuses 5,000 digits
_STRUCK_TAG = re.compile("s|del|strike")
_STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s*:[^;]{0,80}line-through", re.IGNORECASE)
_SKIPPED_TAGS = ("style", "script", "title", "template", "svg")


def html_lines(html: str) -> list[str]:
    """The lines that a reader would see; quoted lines begin with `>`. Linear time."""
    parser = _Parser()
    parser.feed(_clean_html(html))
    parser.close()
    parser.end_line()
    return parser.lines


def _clean_html(html: str) -> str:
    """The HTML without comments, styles and scripts; a `<` that opens no tag becomes text.

    html.parser takes quadratic time on tags and comments that are never closed.
    """
    html = _remove_spans(html, re.compile("<!--"), re.compile("-->"))
    for tag in _SKIPPED_TAGS:
        opening = re.compile(rf"<{tag}\b", re.IGNORECASE)
        html = _remove_spans(html, opening, re.compile(rf"</{tag}\b[^<>]{{0,80}}>", re.IGNORECASE))
    html = _LONG_NUMBER.sub("\ufffd", html)
    html = re.sub(r"<[!?][^<>]{0,4000}>", "", html)
    return _TAG_OR_LESS_THAN.sub(lambda m: m[0] if m[1] else "&lt;", html)


def _remove_spans(html: str, start: re.Pattern[str], end: re.Pattern[str]) -> str:
    pieces, offset = [], 0
    while opening := start.search(html, offset):
        pieces.append(html[offset : opening.start()])
        closing = end.search(html, opening.end())
        offset = (closing or opening).end()
        if closing is None:  # never closed: read what follows, since it may be an order
            break
    return "".join(pieces) + html[offset:]


def _begins_quotation(name: str, value: str) -> bool:
    """Whether this attribute of a tag marks the beginning of a quotation."""
    if name == "name":
        return value == "quote"
    return name in ("class", "id") and _QUOTE_CLASS.search(value) is not None


class _TagState(NamedTuple):
    """What a tag means for its content; or, for all open tags, how often each applies."""

    quotes: int = 0  #: by the class of a mail program
    blocks: int = 0  #: by a blockquote
    struck: int = 0
    hidden: int = 0

    @classmethod
    def from_tag(cls, tag: str, attrs: list[tuple[str, str | None]]) -> "_TagState":
        """The state that a tag brings."""
        filled = [(name, value or "") for name, value in attrs]
        styles = [value for name, value in filled if name == "style"]
        struck = _STRUCK_TAG.fullmatch(tag) or any(map(_STRUCK_STYLE.search, styles))
        hidden = "hidden" in dict(filled) or any(map(_HIDDEN_STYLE.search, styles))
        quotes = any(_begins_quotation(*attr) for attr in filled)
        return cls(quotes, tag == "blockquote", bool(struck), hidden)

    def with_tag(self, other: "_TagState", sign: int = 1) -> "_TagState":
        """The state after a tag opens (``sign`` 1) or closes (-1)."""
        return _TagState(*(count + sign * change for count, change in zip(self, other, strict=True)))


class _Parser(HTMLParser):
    """Collects lines while tags open and close."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._pieces: list[str] = []
        self._open_tags: list[tuple[str, _TagState]] = []
        self._open_counts: dict[str, int] = {}
        self._current = _TagState()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if _ENDS_LINE.fullmatch(tag):
            self.end_line()
        elif tag in ("td", "th"):
            self._pieces.append(" ")
        if _VOID_TAG.fullmatch(tag):
            return
        if any(name == "class" and _SIGNATURE_CLASS.search(value or "") for name, value in attrs):
            self.end_line()
            self._pieces.append("--")
            self.end_line()
        state = _TagState.from_tag(tag, attrs)
        self._open_tags.append((tag, state))
        self._open_counts[tag] = self._open_counts.get(tag, 0) + 1
        self._current = self._current.with_tag(state)

    def handle_endtag(self, tag: str) -> None:
        if _ENDS_LINE.fullmatch(tag):
            self.end_line()
        if not self._open_counts.get(tag):
            return  # it closes no tag: do not search the stack for it
        while self._open_tags:
            name, state = self._open_tags.pop()
            self._open_counts[name] -= 1
            self._current = self._current.with_tag(state, -1)
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._current.hidden:
            return
        if self._current.struck and data.strip():
            self._pieces.append("~~")  # as in plain text, a struck-out order holds the email
        if self._open_counts.get("pre"):
            first_piece, *later_pieces = data.split("\n")
            self._pieces.append(first_piece)
            for piece in later_pieces:
                self.end_line()
                self._pieces.append(piece)
        else:
            # Not str.split(): a no-break space is no padding and stays.
            self._pieces.append(re.sub(r"[ \t\r\n\f]+", " ", data))

    def end_line(self) -> None:
        text = "".join(self._pieces).strip(" \t")
        self._pieces = []
        if text and not text.isspace():
            depth = min(self._current.blocks, DEEPEST_QUOTE) or min(self._current.quotes, 1)
            self.lines.append(f"{'>' * depth} {text}"[not depth :])
