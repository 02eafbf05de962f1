"""The words around orders, in the five languages of the players: what people say besides.

What must never be here: the words of any game (``spoken`` of its Grammar brings them), what says
nothing (filler.py), what may turn or hold orders (doubts.py).
Each key is a class (classes.py), each value its words and phrases, apart by `|`;
accents may be left out, but of one marked `=`. A later class comes before an earlier one. What is
``whole`` says nothing in a whole answer, and may be talk elsewhere.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from pbem.files.language.classes import Kind

TALK: dict[Kind, str] = {
    "more": (
        "also|too|as well|auch|noch|zusätzlich|außerdem|ebenfalls|aussi|également|encore|anche"
        "|pure|inoltre|is|szintén|még"
    ),
    "first": (
        "first|firstly|first of all|at first|to start with|to begin with|1st|first action"
        "|my first action|action one|action 1|erst|zuerst|zuallererst|erstmal|erst mal|zunächst"
        "|als erstes|als erste|erste aktion|aktion 1|d'abord|tout d'abord|en premier|premièrement"
        "|première action|prima|per prima|per primo|per prima cosa|come prima cosa|prima azione"
        "|először|először is|előbb|elsőként|első akció"
    ),
    "add": (
        "another|another one|one more|noch eine|noch einen|noch ne|un autre|une autre|encore un"
        "|encore une|un altro|un'altra|ancora uno|ancora una|még egy|még egyet"
    ),
    "open": (
        "col|coi|mi|ci|ab|upon|szeretném|szeretném megépíteni|i've decided to|i have decided to"
        "|j'aimerais|je souhaite|mi piacerebbe|desidero|ich will|will ich|ich werde|werde ich"
        "|werde|the|le|la|les|l|il|lo|gli|der|die|das|dem|den|el|az|a|an|my|on|in|at|into|onto|of"
        "|with|auf|nach|im|ins|am|bei|beim|zu|zum|zur|von|vom|mit|mein|meine|meinen|meinem|meiner"
        "|eine|ein|einen|einem|einer|un|une|de|du|d|des|sur|en|dans|au|aux|vers|avec|mon|mes|su"
        "|sul|sulla|sull|sui|sugli|nel|nella|nell|al|alla|all|di|del|della|dell|con|mio|mia|miei"
        "|mie|uno|una|egy|i'd like to|i would like to|i want to|i'm going to|i am going to"
        "|going to|would like to|i will|i'll|i'd|ich möchte|möchte|je voudrais|je veux|je vais"
        "|vorrei|voglio|szeretnék|szeretnék rakni"
    ),
    "to": "to|thru|=à",
    "and": (
        "et après|et apres|after this|nach diesem|après cela|après ça|dopo di che|dopo questo"
        "|ezután|and|then|and then|after that|und|dann|und dann|danach|anschließend|sowie|et"
        "|puis|et puis|ensuite|e|ed|poi|e poi|dopo|és|s|aztán|azután|utána|és aztán|majd"
        "|valamint|plus|plusz|u"
    ),
    "for": "for|as|für|als|pour|comme|per|come",
    "later": (
        "prossimo giro|al prossimo giro|nel prossimo giro|per il prossimo giro|later|for later"
        "|next turn|my next turn|in my next turn|for my next turn|on my next turn|for next turn"
        "|for the next turn|next round|next time|in advance|nächste runde|nächster zug"
        "|mein nächster zug|für meinen nächsten zug|meinen nächsten zug|im nächsten zug"
        "|in meinem nächsten zug|nächstes mal|nächsten zug|für den nächsten zug"
        "|in der nächsten runde|für die nächste runde|beim nächsten mal|für später|später"
        "|vorsorglich|im voraus|prochain tour|au prochain tour|pour le prochain tour"
        "|mon prochain tour|pour mon prochain tour|à mon prochain tour|tour prochain|plus tard"
        "|pour plus tard|la prochaine fois|tour suivant|au tour suivant|pour le tour suivant"
        "|d'avance|d avance|par avance|prossimo turno|al prossimo turno|nel prossimo turno"
        "|per il prossimo turno|il prossimo turno|nel mio prossimo turno|per il mio prossimo turno"
        "|turno prossimo|più tardi|per dopo|in anticipo|la prossima volta|következő körben"
        "|a következő körben|következő körömben|a következő körömben|a következő körre"
        "|következő körömre|a következő körömre|jövő körben|később|későbbre|előre"
    ),
    "when": (
        "when|quand|lorsque|quando|amikor|mikor|whenever|wann immer|immer wenn|each time"
        "|une fois que"
    ),
    "if": (
        "if|wenn|falls|sobald|once|as soon as|si|dès que|se|appena|non appena|qualora|ha|amint"
        "|only when|nur falls|seulement quand|uniquement si|solo quando|soltanto se|csak akkor"
        "|csak amikor|solo si|sólo si|solo cuando|in case|just in case|au cas où|au cas ou"
        "|nel caso|nel caso in cui|für den fall dass|im fall dass|falls je|abban az esetben ha"
        "|amennyiben"
    ),
    "due": (
        "gets turned up|is turned up|gets revealed|is revealed|aufgedeckt wird|est retourné"
        "|est retournée|viene girata|viene rivelata|viene scoperta|felfordul|felfordítják|felfedik"
        "|è piena|sarà piena|appena piena|tele van|tele lesz|lezárják|si riempie|elkészül"
        "|beteljesül|teljesül|megtelik|voll werden sollte|est complétée|sera complétée|est remplie"
        "|est achevée|è completata|viene riempita|komplett ist|komplett wird|is filled|gets filled"
        "|has been completed|has to be scored|se remplit|se complète|se ferme|se termine|gets full"
        "|fills up|fills|gets finished|gets complete|completes|goes off|so weit ist|es so weit ist"
        "|se riempie|comes up|come up|is scored|gets scored|is complete|is completed|is full"
        "|is finished|is done|is resolved|resolves|is asked|is asked for|it is asked for|they ask"
        "|they ask me|they ask me about|i am asked about|i'm asked about|you ask me about"
        "|i am asked|i'm asked|you ask|you ask me|is counted|they ask about|you ask about"
        "|drankommt|dran kommt|dran ist|an der reihe ist|an die reihe kommt|gewertet wird"
        "|abgerechnet wird|fertig ist|fertig wird|voll ist|voll wird|gefragt wird|gefragt werde"
        "|vollständig ist|sera comptée|est comptée|sera finie|est finie|sera complète|est complète"
        "|est terminée|sera terminée|sera pleine|est pleine|on me demande|on me le demande"
        "|viene contata|sarà contata|si conta|è completa|sarà completa|è finita|sarà finita"
        "|viene valutata|si chiude|viene chiusa|is closed|closes|geschlossen wird|voll sein sollte"
        "|est fermée|si risolve|mi chiedono|viene conteggiata|si completa|viene completata"
        "|kerül sorra|sorra kerül|sorra kerülök|kész|kész van|kész lesz|értékelik"
        "|értékelésre kerül|betelik|kérdezik|megkérdezik|befejeződik|lezárul|gets completed"
        "|get completed|becomes complete|turns up|turned up|gets closed|zugeht|zu ist"
        "|abgeschlossen ist|abgeschlossen wird|vollendet wird|vollendet ist|gewertet|est décomptée"
        "|sera décomptée|serait décomptée|est comptabilisée|se fermerait|se fermera|sera fermée"
        "|venga conteggiata|si conteggia|si calcola|si chiuda|si completi|kiértékelésre kerül"
        "|értékeljük|elkészült|bezárul|lesz kész|készül el|finishes|zumacht|abschließt|abschliesst"
        "|fertig macht|vollmacht|ferme|termine|finit|complète|remplit|finira|finirait|terminera"
        "|chiude|finisce|completa|riempie|chiuda|riempia|finisca|befejezi|betölti|lezárja|bezárja"
        "|schließt|schliesst|closes it|finishes it|completes it"
    ),
    "whole": (
        "parto con|start on|start at|start in|begin on|begin at|open on|open at|open with"
        "|comincio da|inizio da|parto da|je commence en|je commence sur|ich beginne auf"
        "|ich fange auf|begin with|start with|starting with|i'll begin with|i'll start with"
        "|i start with|i begin with|opening with|ich beginne mit|ich fange an mit|ich fange mit"
        "|je commence avec|je commence par|comincio con|inizio con|apro con|kezdek|kezdem"
        "|will be mine|lesz az enyém|lesznek az enyém"
    ),
    # how often, which is no place: `wall S1 twice`
}

#: numbers and how often, by their canonical text
NUMBERS = {
    "2": "two|zwei|deux|due|két|kettő|kettőt",
    "2x": "twice|two times|zweimal|deux fois|due volte|kétszer",
    "3x": "thrice|three times|dreimal|trois fois|tre volte|háromszor",
    "3": "three|drei|trois|tre|három",
    "4": "four|vier|quatre|quattro|négy",
    "5": "five|fünf|cinq|cinque|öt",
    "6": "six|sechs",
    "7": "seven|sieben|sept|sette|hét",
}
