"""Whether somebody says in plain words that he plays, or that he does not, in five languages.

What must never be here: the lines that an invitation asks for (answers.py); what becomes of a yes.
Law: a condition, a question or both a yes and a no are neither: one is asked again.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

import re

from pbem.files.language.tokens import bare, plain


def _phrases(*rows: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{bare('|'.join(rows))})(?![\w'])")


#: says it whatever follows
_YES = _phrases(
    "yes|yep|yeah|yup|(?:i )?join(?=\\s*$)|i'll join|i will join|count me in|(?:i'm|im"
    "|i am) in(?! \\w)|deal me in|sign me up|i'll play|i will play|i'm playing"
    "|i play|i accept|absolutely|definitely|sure|of course|ok|okay|sounds good|sounds great"
    "|let's go|gladly|with pleasure",
    "ja|jawohl|klar|na klar|natürlich|selbstverständlich|(?:ich )?bin dabei|dabei"
    "|ich spiele mit|spiele mit|ich mache mit|mache mit|spiel mit|mach mit"
    "|mit vergnügen|auf jeden fall|einverstanden|ich nehme an|ich nehme teil",
    "oui|ouais|d'accord|bien sûr|je participe|je joue|je suis partante?|partante?|j'en suis"
    "|je suis des vôtres|comptez sur moi|compte sur moi|ça marche"
    "|ça roule|avec plaisir|avec grand plaisir|j'accepte|je suis de la partie|comptez-moi",
    "si|certo|certamente|ci sono|ci sto|contami|contatemi|conta su di me|contate su di me"
    "|va bene|d'accordo|gioco|gioco anch'io|partecipo|accetto|eccomi"
    "|con piacere|sono dei vostri",
    "igen|persze|benne vagyok|rendben|játszom|játszok|jövök|számíthatsz rám"
    "|számíthattok rám|számítsatok rám|oké|naná|természetesen|örömmel|elfogadom|beszállok",
)
#: says it, if no `but` follows
_GLADLY = _phrases(
    "love to|happy to|glad to|delighted",
    "gern|gerne|sehr gern|sehr gerne",
    "volontiers|ravie?|ravis",
    "volentieri|molto volentieri",
    "szívesen|nagyon szívesen",
)
_NO = _phrases(
    "(?:can't|cant|cannot|can not|couldn't|won't be able to|unable to"
    "|not able to) (?:take part|play|join|make it|participate|be part)|not this time"
    "|count me out|i'm out|i am out|(?:have to|must|i|i'll|i will) (?:decline|pass"
    "|sit this one out)|no time|not interested|don't have (?:the )?time|without me|bow out",
    "absagen|sage ab|leider nicht|leider nein|diesmal nicht|dieses mal nicht|ohne mich"
    "|keine zeit|bin raus|nicht mitspielen|nicht mitmachen|nicht teilnehmen|nicht dabei"
    "|verzichten",
    "pas cette fois(?:-ci)?|sans moi|je decline|decliner|pas le temps|ne (?:peux|pourrai"
    "|vais|pourrais) (?:\\w+ )?pas (?:participer|jouer|venir|être|pouvoir)|pas participer"
    "|pas jouer|passe mon tour|pas disponible",
    "non posso|non ce la faccio|stavolta no|questa volta no|senza di me|declino"
    "|non ho tempo|devo rinunciare|rinuncio|non riesco|devo declinare|passo",
    "nem érek rá|nem tudok (?:\\w+ )?(?:részt venni|játszani|jönni)|most nem|ezúttal nem"
    "|nélkülem|kihagyom|nincs időm|passzolom|nem játszom|sajnos nem|lemondanom|lemondom",
)
_FLAT_NO = re.compile(r"\W*(?:sorry,? )?(?:no|nope|nein|non|nem)(?=\s*[,:]|\s*$)")
_NEVER_MIND = _phrases(
    "(?:no, |nein, |non, |nem, )?(?:no problem|no problems|no worries|no doubt"
    "|kein problem|kein thema|pas de problème|pas de souci|nessun problema|nem probléma|nem gond)"
)
_TURNS = _phrases(
    "if|unless|maybe|perhaps|might|depends|depending|not sure|unsure|think about|once"
    "|provided|before|until|would have|should i",
    "wenn|falls|vielleicht|eventuell|evtl|kommt darauf an|sofern|vorausgesetzt|nicht sicher"
    "|überlege|überlegen|sobald|vor|bevor",
    "si (?!si\\b)|peut-être|peut être|à condition|ça dépend|pas sûre?|pas certaine?"
    "|réfléchir|réfléchis|hésite|avant",
    "se|forse|magari|dipende|a patto|a condizione|non so|non sono sicur[oa]|ci penso|purché",
    "ha|talán|esetleg|attól függ|ha csak|nem tudom|nem biztos|meggondolom|gondolkodom|előtt",
)
_NOT = _phrases("not|no|never|don't|nicht|kein|keine|nein|pas|jamais|non|nem|ne|mai")
_BUT = _phrases(
    "but|aber|mais|ma|però|de|würde|would|aimerais|voudrais|vorrei|piacerebbe|szeretnék|érdekelne|only|nur|csak|seulement|solo"
)
_ENDS = re.compile(r"[.!;\n]|(?<=\?)")


def willing(written: list[str]) -> bool | None:
    """True for a yes, False for a no, None for neither; of the ``written`` lines of a player."""
    sentences = [one for one in _ENDS.split(bare("\n".join(map(plain, written)))) if one.strip()]
    agreed, declined, open_ = False, False, False
    for index, text in enumerate(sentences):
        text = _NEVER_MIND.sub(" ", text)
        turned = "?" in text or _TURNS.search(_without_yes(text, index)) is not None
        no = bool(_NO.search(text) or _FLAT_NO.match(text))
        gladly = _GLADLY.search(text) is not None
        yes = (_YES.search(text) or gladly) and not no and not _NOT.search(text)
        open_ = (
            open_
            or (turned and not no)
            or (gladly and not _YES.search(text) and bool(_BUT.search(text)))
        )
        declined = declined or (no and not turned)
        agreed = agreed or bool(yes and not turned)
    if declined and not agreed:
        return False
    return True if agreed and not declined and not open_ else None


def _without_yes(text: str, index: int) -> str:
    """An Italian `si` is a yes where the answer begins with it."""
    return re.sub(r"^\s*si\b", " ", text) if not index else text
