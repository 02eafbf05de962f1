"""What in an email greets, thanks, takes leave, or says who wrote it: nothing to be answered.

What must never be here: what is an order.
Source: docs/decisions/0017-letters.md, docs/decisions/0019-orders-in-plain-words.md.
"""

import re
from collections.abc import Sequence

from pbem.files.language.tokens import POLITE, bare, plain

#: how a line of up to four words begins that only greets, thanks or takes leave
GREETING = re.compile(
    "(?:hi|hello|hey|dear|hallo|liebe[rs]?|ciao|salve|bonjour|bonsoir|salut|chère?|car[oa]|szia"
    "|sziasztok|kedves|servus|moin|hola|buongiorno|buonasera|thanks|thank|thx|ty|cheers|danke|merci"
    "|grazie|kösz|köszi|köszönöm|best|kind|warm|regards|wishes|greetings|bye|see|yours|love|lg|mfg"
    "|vg|gru(?:ss|ß)|grüße|viele|schöne|herzliche|tschüss?|cordialement|amicalement|amitiés|bien à"
    "|à (?:bientôt|plus)|bises|saluti|cordiali|un saluto|a presto|üdv|üdvözlettel|puszi"
    "|mit (?:freundlichen|besten|lieben)|have (?:fun|a nice)|enjoy"
    "|viel (?:spa(?:ss|ß)|glück|erfolg)"
    "|sok szerencsét|jó játékot|buon (?:divertimento|gioco)|bon (?:jeu|courage|week-end|dimanche)"
    "|bonne (?:semaine|partie|continuation|fin)|buona (?:partita|domenica|continuazione)"
    "|(?:good|guten?|schönen|bonne?|buona?|jó|szép) (?:morning|evening|afternoon|day|night|luck"
    "|weekend|tag|morgen|abend|nacht|sonntag|soirée|journée|nuit|chance|week-end|giornata|serata"
    r"|notte|fortuna|napot|estét|reggelt|hétvégét))\b"
)
_NAME = re.compile(r"[^\W\d]+[,.!]?")
#: one that opens an email
_SALUTES = re.compile(
    r"(?:hi|hello|hey|dear|hallo|liebe[rs]?|guten (?:tag|morgen|abend)|servus|moin|ciao|salve"
    r"|buongiorno|buonasera|bonjour|bonsoir|salut|chère?s?|car[oaie]|szia|sziasztok|kedves|hola"
    r"|querid[oa]s?)\b"
)
#: when an email was written, as programs put it above one
_STAMP = re.compile(r"\b20\d\d\b.{0,20}\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}[:.h]\d\d\b.{0,20}\b20\d\d\b")
_STAMPED = 10  #: words of such a line
#: until when one takes leave, and how one greets in the evening
_UNTIL = re.compile(
    r"(?:bis|à|a|see you|until|till)(?: on| am| next| zum)? (?:\w+(?:day|tag|di|dì)|morgen|demain"
    r"|domani|tomorrow|sabato|domenica|mittwoch|wochenende|dimanche)"
    r"|bis (?:bald|dann|denne|später|demnächst|neulich|die tage|nächste\w* \w+"
    r"|zu[mr] (?:nächsten |nächste )?\w+)"
    r"|(?:until|till) (?:then|soon|later|(?:the |our )?next (?!e?mail|message)\w+)"
    r"|see you (?:at|in|on|for) (?:\w+ )?\w+"
    r"|à (?:la|notre) prochaine(?: \w+)?|à la \w+ prochaine|a következő \w+ig"
    r"|(?:ci vediamo )?alla prossima(?: \w+)?"
    r"|(?:'?n )?abend|evening|afternoon"
)
#: how to reach somebody: a telephone number of seven digits or more, an address, of the web too
_CONTACT = re.compile(
    r"(?:[^\W\d]+\.?\s*:?\s*){0,2}\(?[+0](?:[\s()./-]*\d){6,}\)?"
    r"|(?:tel|tél|cell|mob|mobile?|gsm|phone|fax|handy|port|portable)\.?\s*:?\s*"
    r"\d(?:[\s()./-]*\d){6,}"
    r"|\S+@\S+\.\w+|(?:https?://|www\.)\S+"
)
_STREET = re.compile(r"\d+ ?\w? ?,? [^\W\d]{3}.*|\d{4,5} [^\W\d]{3}.*|[^\W\d][^\d]{4,} \d+ ?\w?")
_LINE = 80  #: letters of a line of an address
_POSTSCRIPT = re.compile(r"p\.?\s?s\b")
_OK = re.compile("ok|okay|sorry|done|d'accord|va bene|rendben")
#: what greets one more, and what says who writes
_AND_OTHERS = "(?:and|und|et|ed?|es|hi|hello|hallo)"
_WRITES = r"(?:this is|it's|hier ist|hier spricht|ici|c'est|qui e|sono|io sono|itt|en vagyok)"
_YES = re.compile(
    "yes|yep|yeah|ok|okay|exactly|agreed|this|ditto|ja|jo|jawohl|genau|einverstanden|oui|exact"
    "|celui|celle|cela|sì|si|esatto|questo|questa|igen|pontosan|ezt"
)
_AND_SO = re.compile(
    "so|auch|too|also|one|please|do|it|that|aussi|ci|là|anche|is|bitte|diese[nrs]?"
)
_FAREWELL = re.compile(
    r"(?:(?:with )?(?:all the )?(?:best|kind|warm|many|friendly)?\s?(?:regards|wishes|greetings)"
    r"|best|cheers|bye|yours|love|take care|see you|sincerely|lg|mfg|vg|bg|ta|servus|tschüss?"
    r"|besten dank und|(?:\w+ )?(?:gru(?:ss|ß)|gruesse|grüße)|mit (?:freundlichen|besten|lieben)"
    r"|schönen (?:abend|tag)|ihre?|cordialement|cdlt"
    r"|amicalement|amitiés|bien (?:à vous|cordialement)"
    r"|bises|à bientôt|a\+|merci et bonne|tchao|je vous embrasse|ciao+|a presto"
    r"|tuo affezionato"
    r"|(?:un |cordiali |distinti |tanti )?salut[io]|üdv|üdvözlettel|tisztelettel"
    r"|puszi|minden jót|(?:met )?(?:vriendelijke |hartelijke )?groet(?:en|jes)?|saludos|atentamente"
    r"|pozdrawiam|mvh|hälsningar|(?:med )?(?:venlig |vennlig )?hilsen)\b"
)


def is_greeting(line: str) -> bool:
    """Whether a line of prose only greets, thanks or takes leave: nobody asks what became of it."""
    text = plain(line).strip(" *_-")
    words = re.findall(r"\w+", text)
    alone = all(map(POLITE.fullmatch, words)) or _OK.fullmatch(text.rstrip(" .,!"))
    greets = len(words) <= 4 and GREETING.match(text) is not None
    return bool(alone) or greets or takes_leave(text) or is_contact(text)


def agrees(line: str) -> bool:
    """Whether a line says yes, and nothing else: `ja, so.` below a quoted line answers that."""
    words = [word for word in re.findall(r"\w+", plain(line)) if not POLITE.fullmatch(word)]
    yes = [word for word in words if _YES.fullmatch(word)]
    return bool(yes) and all(word in yes or _AND_SO.fullmatch(word) for word in words)


def takes_leave(text: str) -> bool:
    """Whether a plain sentence takes leave, and be it until a day: `Bis Freitag!` binds nothing."""
    said = text.strip(" .,!")
    return (_UNTIL.fullmatch(said) or _FAREWELL.fullmatch(said)) is not None


def is_contact(text: str) -> bool:
    """Whether a line says how to reach who wrote it, and nothing else: `Tel. 01632 960114`."""
    return len(text) <= _LINE and _CONTACT.fullmatch(text.strip(" *_-.|")) is not None


def above_signature(lines: Sequence[str]) -> int:
    """How many of a player's lines stand above his farewell, or above his name below the rest. A
    postscript is read, and all above it.
    """
    texts = [plain(line).strip(" *_-") for line in lines]
    end = max((i + 1 for i, text in enumerate(texts) if text), default=0)
    if any(_POSTSCRIPT.match(text) for text in texts):
        return end
    first = next((i for i, text in enumerate(texts) if text), 0)
    for i in range(end - 1, first, -1):
        if len(texts[i].split()) <= 6 and (_FAREWELL.match(texts[i]) or takes_leave(texts[i])):
            return i
    last = end - 1
    while last > first and (not texts[last] or is_contact(texts[last]) or is_street(texts[last])):
        last -= 1
    names = lines[last].split() if end else []
    named = 0 < len(names) <= 3 and all(name[0].isupper() for name in names)
    return last if named and names[-1][-1] not in "?!:" else end


def is_street(text: str) -> bool:
    """Whether a line says where somebody lives: `12 rue des Lilas`, `75011 Paris`."""
    return len(text) <= _LINE and _STREET.fullmatch(text) is not None


def older_email(rows: Sequence[tuple[int, str]]) -> int:
    """From which line on an older email may be read that no mark tells from the answer: at a
    salutation that opens a paragraph or a name below a farewell, under something that is said; or
    at a date with an hour, if no marked quotation was below it. The number of ``rows``, which are
    numbered as in the email, if none.
    """
    lines = [line for _, line in rows]
    texts = [plain(line).strip(" *_-") for line in lines]
    own = any(map(_POSTSCRIPT.match, texts))
    said = False
    for i, text in enumerate(texts):
        marked = any(number > rows[i][0] + 1 for number, _ in rows[i + 1 : i + 2])
        stamped = not marked and len(text.split()) <= _STAMPED and _STAMP.search(text)
        opens = said and not texts[i - 1] and is_greeting(text) and _SALUTES.match(text)
        if opens or stamped:
            return i
        if said and not own and (end := _signed(lines, texts, i)):
            return end
        said = said or bool(text and not _SALUTES.match(text))
    return len(lines)


def _signed(lines: Sequence[str], texts: Sequence[str], i: int) -> int:
    """Where a farewell that begins here, and the name below it or behind it, ends; 0 if none."""
    farewell = _FAREWELL.match(texts[i])
    if not farewell:
        return 0
    behind = len(re.findall(r"\w+", texts[i][farewell.end() :]))
    below = next((j for j in range(i + 1, len(lines)) if texts[j]), i)
    at, names = (i, lines[i].split()[-behind:]) if behind else (below, lines[below].split())
    named = len(names) <= 2 and all(map(_NAME.fullmatch, names)) and names[0][0].isupper()
    return at + 1 if named and (behind or below > i) else 0


def greets(text: str, name: str) -> bool:
    """Whether a line begins with a greeting of this person, and of nobody else."""
    said = re.match(rf"([^\W\d]+) {re.escape(name)}\b(?!,? {_AND_OTHERS}\b)", bare(plain(text)))
    return bool(said and _SALUTES.fullmatch(said[1]))


def is_by(text: str, name: str) -> bool:
    """Whether a line says that this person writes: `This is Ben`."""
    return bool(re.search(rf"\b{_WRITES} {re.escape(name)}\b(?!'s)", bare(plain(text))))
