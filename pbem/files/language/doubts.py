"""The words that may turn orders, hold them off, correct them or take them back, in the five
languages of the players.

What must never be here: what a sentence of them does (speech.py; moderator/words/clauses.py).
A class, and its words and phrases apart by `|`, as in talk.py; these come before those of talk.py.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from pbem.files.language.classes import Kind

DOUBTS: dict[Kind, str] = {
    "sorry": (
        "sorry|so sorry|my apologies|apologies|désolé|désolée|dsl|navré|navrée|mi spiace"
        "|mi dispiace|spiacente|scusami|tut mir leid|tschuldigung|sorry sorry|bocsi|elnézést"
        "|sajnálom|ne haragudj|pardon|excuse me|excusez-moi|entschuldigung|entschuldige|verzeihung"
        "|scusa|scusate|bocsánat|bocs|oops|ups|hoppá|ach"
    ),
    "turn": (
        "void|now void|in theory|in der theorie|elméletileg|roughly|approximately|ungefähr|circa"
        "|en gros|più o meno|nagyjából|körülbelül|in my dreams|in your dreams|im traum"
        "|dans mes rêves|nei miei sogni|barring objections|tom permitting|permitting|placeholder"
        "|as a placeholder|platzhalter|nur so ein gedanke|just a thought|juste une idée"
        "|solo un'idea|csak egy ötlet|rejected|abgelehnt|refusé|rifiutato|elutasítva|one wall only"
        "|just a wall|only a wall|nur eine mauer|un seul mur|un solo muro|csak egy fal"
        "|current favourite|favourite so far|favoured|coming soon|demnächst|emergency|notfall"
        "|urgence|emergenza|vész esetére|in an emergency|una carta dal mazzo|un'altra dal mazzo"
        "|una dal mazzo|egy lapot a pakliból|egy lap a pakliból|a card from the deck"
        "|a card from my deck|one card from the deck|one from the deck|eine karte vom stapel"
        "|eine vom stapel|karte vom stapel|une carte de la pioche|une de la pioche|1st choice"
        "|2nd choice|3rd choice|first choice|third choice|erste wahl|zweite wahl|dritte wahl"
        "|premier choix|deuxième choix|second choix|prima scelta|seconda scelta|első választás"
        "|második választás|anything but|anything except|alles außer|alles nur nicht|tout sauf"
        "|tutto tranne|just one|one only|only one|nur eine|nur einen|un seul|une seule|una sola"
        "|uno solo|csak egy|csak egyet|optional|backup|ersatz|second choice|last resort"
        "|wahrscheinlich|vermutlich|probabilmente|valószínűleg|on hold|tbd|tba|postponed|skipped"
        "|preferred|i think|mellett|is it|is this|is that|are these|are they|il pose|il joue"
        "|il met|il place|il construit|il va|il veut|the other game|anderes spiel|anderen spiel"
        "|andere partie|anderen partie|autre partie|l'autre partie|altra partita|l'altra partita"
        "|másik játék|másik játékban|másik parti|you choose|you decide|your choice|du entscheidest"
        "|entscheide du|such dir aus|à toi de choisir|tu choisis|choisis pour moi|scegli tu"
        "|decidi tu|te döntesz|válassz te|döntsd el|one of|one of these|any of|eine von|einer von"
        "|eins von|l'un de|l'une de|un de ces|uno di|uno dei|una delle|i suppose|i believe"
        "|glaube ich|ich glaube|ich denke|je crois|je pense|credo|penso|azt hiszem|never|don't"
        "|dont|doesn't|doesnt|won't|wont|can't|cant|cannot|couldn't|shouldn't|wouldn't|isn't"
        "|except|maybe|perhaps|possibly|probably|might|may|could|would|should i|shall i|can i"
        "|whether|undecided|otherwise|nie|niemals|außer|vielleicht|evtl|eventuell|könnte|würde"
        "|soll ich|sonst|ansonsten|andernfalls|ob|weder|wohl|egal|jamais|sauf|excepté|peut-être"
        "|peut être|probablement|pourrais|devrais|aurais|hésite|j'hésite|sinon|autrement|mai"
        "|niente|tranne|eccetto|salvo|forse|magari|potrei|dovrei|altrimenti|soha|sohasem|kivéve"
        "|talán|esetleg|lehet|különben|sem|tell|ask|asked|asks|sag|sage|fragt|dis|dites|demande"
        "|chiedi|chiede|mondd|kéri|says|said|wrote|writes|told|tells|thinks|wants|plans|suggests"
        "|sagt|sagte|schreibt|schrieb|meint|meinte|dit|disait|écrit|veut|pense|propose|dice|diceva"
        "|ha detto|scrive|vuole|pensa|propone|mondja|mondta|írta|írja|üzeni|akarja|szerint"
        "|suggested|wanted|planned|=où|=ő|i wait|i'm waiting|ich warte|aspetto|várok|várom|do i"
        "|do we|do you|does he|does she|does it|should it|take down|takes down|taking down"
        "|i take down|tear down|pull down|reiße|reiße ab|abreißen|remove|removes|old orders"
        "|old order|previous orders|previous order|plan|plan a|plan b|option|options|alternative"
        "|alternatives|alternativ|variante|variant|piano b|legal are|depends|depends on|it depends"
        "|kommt darauf an|kommt drauf an|hängt davon ab|ça dépend|dipende|attól függ|whichever"
        "|either one|subject to|pending|hopefully|hypothetical|hypothetically|purely hypothetical"
        "|theoretisch|hypothetisch|en théorie|in teoria|elméletben|must move first|unsure|unsicher"
        "|bin unsicher|pas sûr|pas sûre|non sono sicuro|non sono sicura|nem biztos|dois-je|devo"
    ),
    "beside": (
        "next to|neben|à côté de|à côté|accanto a|right beside|right next to|just next to"
        "|just beside|directly beside|directly next to|adjacent to|next door to|close to|right by"
        "|direkt neben|gleich neben|genau neben|juste à côté de|juste à côté|tout près de|près de"
        "|à côté du|juste à côté du|accanto al|accanto alla|vicino a|vicino al|vicino alla"
        "|proprio accanto a|proprio accanto al|subito accanto a|beside"
    ),
    "rather": (
        "rather|instead|actually|lieber|doch|stattdessen|plutôt|finalement|piuttosto|invece"
        "|al posto|inkább|hanem|mégis|better|besser|mieux|meglio|jobban|prefer|i prefer"
        "|à la place|en échange"
    ),
    "apart": (
        "thank you for|thanks for|danke für|merci pour|grazie per|köszönöm a|i am|i'm|you are"
        "|you're"
    ),
    "once": (
        "following round|következő körre|record|as a record|already played|already done"
        "|schon erledigt|bereits erledigt|schon gespielt|már megvan|déjà joué|già giocato"
        "|già fatto|alter zug|mein alter zug|alte befehle|alten befehle|vecchie mosse"
        "|le mie vecchie mosse|vecchi ordini|miei vecchi ordini|i miei vecchi ordini"
        "|anciens ordres|mes anciens ordres|old move|my old move|régi lépésem|régi parancsaim"
        "|della settimana scorsa|de la semaine dernière|múlt heti|e g|z b|par ex|as an example"
        "|last turn|last time|last round|yesterday|yesterday's|letzte runde|letztes mal"
        "|letzten zug|letzter zug|mein letzter zug|gestern|dernier tour|hier soir|scorso turno"
        "|turno scorso|ieri|l'ultima volta|múltkor|előző kör|előző körben|tegnap|example"
        "|an example|for example|beispiel|zum beispiel|exemple|par exemple|esempio|per esempio"
        "|példa|például|imagine|suppose|supposing"
    ),
    "tomorrow": (
        "holnapra|péntekre|hétfőre|keddre|szerdára|csütörtökre|szombatra|vasárnapra|tomorrow"
        "|morgen|demain|domani|holnap|mañana"
    ),
    "day": (
        "monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|weekend|the weekend"
        "|next week|next month|evening|afternoon|midnight|noon|january|february|april|june|july"
        "|august|september|october|november|december|montag|dienstag|mittwoch|donnerstag|freitag"
        "|samstag|sonnabend|sonntag|woche|wochenende|dem wochenende|nächste woche|nächsten monat"
        "|abend|nachmittag|januar|februar|juni|juli|oktober|dezember|lundi|mardi|mercredi|jeudi"
        "|vendredi|samedi|dimanche|semaine|week-end|le week-end|la semaine prochaine"
        "|semaine prochaine|le mois prochain|soir|après-midi|lunedì|martedì|mercoledì|giovedì"
        "|venerdì|sabato|domenica|settimana|fine settimana|dopo il fine settimana"
        "|la settimana prossima|settimana prossima|la prossima settimana|il mese prossimo|sera"
        "|pomeriggio|hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap|hétfőn|kedden|szerdán"
        "|csütörtökön|pénteken|szombaton|hétvégén|hétvége|hétvége után|jövő héten|jövő hét"
        "|jövő hónapban|este|délután|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
        "|el lunes|el viernes|fin de semana|después del fin de semana|la próxima semana"
        "|la semana que viene"
    ),
    "cond": (
        "unless|until|till|before|after|as long as|provided|assuming|depending|even if|only if"
        "|only once|not before|nachdem|bevor|bis|solange|vorausgesetzt|tant que|avant|après"
        "|à moins|pourvu|finché|prima di|prima che|dopo che|dopo aver|a meno|miután|mielőtt|amíg"
        "|hacsak|only after|provided that|on condition that|given that|erst nach|erst nachdem"
        "|sofern|seulement après|à condition|solo dopo|solo dopo che|purché|a condizione"
        "|csak miután|feltéve|después|después de|antes de|a menos que|siempre que|hasta que"
        "|en caso de"
    ),
    "or": "or|either|oder|entweder|ou|ou bien|soit|o|oppure|ovvero|vagy|vagypedig|akár",
    "why": (
        "where it beats|because|because of|cause|since|so that|which|which means|that way|so as to"
        "|weil|denn|damit|womit|wodurch|sodass|so dass|da ja|parce|car|puisque|comme ça|ce qui"
        "|pour que|ainsi|perché|poiché|siccome|così|il che|in modo da|in modo che|mert|mivel|hogy"
        "|így|ami|amivel|ezzel"
    ),
    "quit": (
        "resign|i resign|i'm resigning|surrender|i surrender|i concede|concede|give up|i give up"
        "|it's a draw|it is a draw|call it a draw|offer a draw|agree to a draw|a draw offer"
        "|gebe auf|ich gebe auf|ich kapituliere|ich biete remis|remis|unentschieden|j'abandonne"
        "|abandonne|je capitule|partie nulle|match nul|mi arrendo|abbandono|mi ritiro|pareggio"
        "|patta|feladom|megadom magam|döntetlen|me rindo|abandono|empate|tablas"
    ),
    "keep": (
        "i'm saving|i'm saving my|i am saving|keep|keeping keeps|i keep|i'll keep|save|saving"
        "|hold on to|hang on to|hanging on to|hold back|holding back|leave|leaves|leaving"
        "|leave out|stays|stay|stays put|as it is|as they are|as is|what i said|what i said before"
        "|untouched|behalte|behalt|behalten|behalte ich|aufheben|hebe|heb|heben|hebe auf|spare"
        "|spar|bleibt|bleiben|bleibe|lass|lasse|lassen|wie es ist|garde|je garde|gardons|garder"
        "|conserve|je conserve|laisse|laisser|laissez|reste|restent|comme c'est|tel quel"
        "|telle quelle|tengo|la tengo|lo tengo|conservo|risparmio|lascia|lascio|lasciamo|lasciate"
        "|resta|restano|rimane|rimangono|com'è|come sta|come stanno|megtartom|tartom|tartogatom"
        "|meghagyom|marad|maradjon|hagyd|hagyom|ahogy van|ahogy volt|kézben"
    ),
    "same": (
        "like before|as i said before|as i said|like i said|as i told you|as already said"
        "|as announced|as planned|same as before|still the same|wie gehabt|wie gesagt|wie bisher"
        "|wie vorher|wie schon gesagt|wie angekündigt|wie geplant|gilt weiterhin|gilt weiter"
        "|comme avant|comme je l'ai dit|comme dit|comme déjà dit|comme prévu|comme annoncé"
        "|come prima|come detto|come già detto|come previsto|come annunciato|mint eddig"
        "|ahogy mondtam|ahogy írtam|ahogy eddig|as before"
    ),
    "defer": (
        "decide|i decide|i'll decide|i will decide|we'll decide|to decide|deciding|think about"
        "|have to think|need to think|think over|think it over|have to think about it"
        "|rather be asked|can wait|will wait|has to wait|have to wait|must wait|not sure about"
        "|overthink|ponder|überlege|überleg|überlegen|überlege ich mir|überlege mir|entscheide"
        "|entscheide ich|entscheiden|entscheid ich|muss warten|kann warten|müssen warten"
        "|denke ich noch nach|schau ich mir an|je réfléchis|réfléchir|déciderai|je déciderai"
        "|je décide|décider|attendra|attendront|peut attendre|on verra|je verrai|ci penso"
        "|ci devo pensare|penserò|penso io|me lo penso|ci penserò|decido|deciderò|decideremo"
        "|decidere|aspetterà|può aspettare|vedremo|gondolkodom|gondolkozom|gondolkodnom|eldöntöm"
        "|döntök|átgondolom|meggondolom|várhat|ráér|később döntök"
    ),
    "second": (
        "the other one|other one|the second one|second one|the second|my second|my other"
        "|the remaining one|the second wall|the other wall|my second wall|second wall|other wall"
        "|das andere|die andere|den anderen|die zweite|den zweiten|das zweite|die zweite mauer"
        "|die andere mauer|l'autre|le second|la seconde|le deuxième|la deuxième|le second mur"
        "|l'autre mur|le deuxième mur|l'altro|l'altra|il secondo|la seconda|il secondo muro"
        "|l'altro muro|a másikat|másikat|a másodikat|második falat|a második falat|a másik falat"
    ),
    "rest": (
        "rest|the rest|the others|the remaining|my actions|the actions|my two actions"
        "|everything else|all else|der rest|den rest|die anderen|die beiden aktionen"
        "|beide aktionen|die aktionen|meine aktionen|die übrigen|alles andere|alles weitere"
        "|le reste|les autres|la suite|il resto|gli altri|le altre|a többit|a többi|többit|többi"
        "|all the others|all others|die restlichen|den restlichen|a maradék|maradék|a maradékot"
        "|tutti gli altri|tous les autres|alle anderen"
    ),
    "without": (
        "pas de|pas d|kein|keine|keinen|keinem|keiner|keines|ohne|sans|nessun|nessuno|nessuna"
        "|senza|nincs|nélkül|without|decline|i decline|verzichte|verzichte auf|ich verzichte"
        "|renonce|je renonce|rinuncio|lemondok|nor|neither|nope"
    ),
    "no": "no|not|nein|nicht|non|pas|nem|ne|n",
    "than": (
        "instead of|rather than|statt|anstatt|plutôt que|plutôt qu|au lieu|au lieu de|au lieu du"
        "|anziché|invece di|al posto di"
    ),
    "not it": "helyett",
    "mend": (
        "strike that|scratch that|ou plutôt non|oder besser nein|make that|make it|i mean"
        "|i meant|ich meine|ich meinte|je veux dire|je voulais dire|voglio dire|úgy értem"
        "|correction|korrektur|correzione|javítás|no wait|wait|warte|attends|attendez"
        "|non attends|aspetta|aspettate|várj|anzi|wait no|no i mean|no i meant|sorry i mean"
        "|sorry i meant|correct that|correct that to|let me correct that|halt|hupps"
        "|quatsch nein|sollte heißen|soll heißen|ich wollte sagen|rettifica|volevo dire"
        "|errata|javítok|mármint|akarom mondani|illetve nem|azaz|vagyis inkább|no aspetta"
        "|nein halt|non pardon|ach nein|no sorry|nem bocs|quatsch|illetve nem is|nein quatsch"
    ),
    "cancel": (
        "withdraw|scratch|forget the|forget about|vergiss das|oublie le|dimentica il|felejtsd el a"
        "|ignore|ignore if|scrap|scrap that|scrap it|scrap what|forget that|forget this|forget it"
        "|ignore that|ignore it|ignore my|take back|withdraw my|cancel|cancel that|cancel my"
        "|vergiss|vergesst|vergessen sie|streich|streichen|stornieren|ziehe zurück|nehme zurück"
        "|zurücknehmen|zurückziehen|annule|annuler|annulez|oublie|oubliez|reprends mon ordre"
        "|annulla|annullate|annullare|ignora|ritiro|ritirare|visszavonom|visszaveszem|töröld"
        "|töröljétek|felejtsd el|felejtse el|disregard|please disregard|disregard this"
        "|disregard that|disregard the above|ignore this|ignore the above|ignore these"
        "|please ignore|ignore everything|ignoriere|ignoriert|bitte ignorieren|ignorieren"
        "|ne tenez pas compte|ne tiens pas compte|ne pas tenir compte|ignorez|ignore ce"
        "|non considerare|non tenere conto|ignorate|hagyd figyelmen kívül|hagyja figyelmen kívül"
        "|ne vedd figyelembe|no walls at all|nothing at all"
    ),
    "back": (
        "scrap what i sent|scrap what i sent you|scrap what i wrote|scrap my last mail"
        "|scrap my last email|scrap my last message|scrap my previous mail"
        "|scrap my previous email|scrap my earlier mail|scrap my earlier email"
        "|scrap everything i sent|scrap my waiting orders|scrap all my waiting orders"
        "|ignore what i sent|ignore what i sent you|ignore what i wrote|ignore my last mail"
        "|ignore my last email|ignore my last message|ignore my previous mail"
        "|ignore my previous email|ignore my earlier mail|ignore my earlier email"
        "|ignore everything i sent|ignore my waiting orders|ignore all my waiting orders"
        "|cancel what i sent|cancel what i sent you|cancel what i wrote|cancel my last mail"
        "|cancel my last email|cancel my last message|cancel my previous mail"
        "|cancel my previous email|cancel my earlier mail|cancel my earlier email"
        "|cancel everything i sent|cancel my waiting orders|cancel all my waiting orders"
        "|disregard what i sent|disregard what i sent you|disregard what i wrote"
        "|disregard my last mail|disregard my last email|disregard my last message"
        "|disregard my previous mail|disregard my previous email|disregard my earlier mail"
        "|disregard my earlier email|disregard everything i sent|disregard my waiting orders"
        "|disregard all my waiting orders|forget what i sent|forget what i sent you"
        "|forget what i wrote|forget my last mail|forget my last email|forget my last message"
        "|forget my previous mail|forget my previous email|forget my earlier mail"
        "|forget my earlier email|forget everything i sent|forget my waiting orders"
        "|forget all my waiting orders|withdraw what i sent|withdraw what i sent you"
        "|withdraw what i wrote|withdraw my last mail|withdraw my last email"
        "|withdraw my last message|withdraw my previous mail|withdraw my previous email"
        "|withdraw my earlier mail|withdraw my earlier email|withdraw everything i sent"
        "|withdraw my waiting orders|withdraw all my waiting orders|alles streichen|streich alles"
        "|streiche alles|streicht alles|alles zurücknehmen|nehme alles zurück"
        "|ignoriere meine letzte mail|vergiss meine letzte mail|vergesst meine letzte mail"
        "|ignoriert meine letzte mail|vergiss was ich geschickt habe"
        "|streiche was ich geschickt habe|streich was ich geschickt habe"
        "|annuler ce que j'ai envoyé|d'annuler ce que j'ai envoyé|annule ce que j'ai envoyé"
        "|annulez ce que j'ai envoyé|oublie ce que j'ai envoyé|oubliez ce que j'ai envoyé"
        "|ignore mon dernier message|ignore mon dernier mail|ignorez mon dernier message"
        "|ignorez mon dernier mail|annulla quello che ho mandato"
        "|annulla tutto quello che ho mandato|ignora la mia ultima mail|ignora la mail di prima"
        "|dimentica la mia ultima mail|töröld amit küldtem|töröld amit eddig küldtem"
        "|töröljétek amit küldtem|töröljétek amit eddig küldtem|felejtsd el amit küldtem"
        "|hagyd figyelmen kívül az előző levelem|hagyjátok figyelmen kívül az előző levelemet"
        "|take back my order|take back my orders|take back my move|take back all my orders"
        "|withdraw my order|withdraw my orders|withdraw my move|withdraw all my orders"
        "|cancel my order|cancel my orders|cancel my move|cancel all my orders"
        "|nehme meine befehle zurück|nehme meinen befehl zurück|nehme meinen zug zurück"
        "|ziehe meine befehle zurück|ziehe meinen zug zurück|meine befehle zurücknehmen"
        "|meinen zug zurücknehmen|meinen befehl zurücknehmen|nimm meinen zug zurück"
        "|nimm meine befehle zurück|nehmt meinen zug zurück|streiche meine befehle"
        "|streich meinen zug|streiche meinen zug|annule mon ordre|annule mes ordres"
        "|annule mon coup|annulez mon ordre|annulez mes ordres|annulez mon coup|retire mon ordre"
        "|retire mes ordres|retire mon coup|je reprends mon ordre|je reprends mes ordres"
        "|je reprends mon coup|annulla il mio ordine|annulla i miei ordini|annulla la mia mossa"
        "|annullate il mio ordine|annullate i miei ordini|annullate la mia mossa"
        "|ritiro il mio ordine|ritiro i miei ordini|ritiro la mia mossa|visszavonom a parancsomat"
        "|visszavonom a parancsaimat|visszavonom a lépésemet|visszaveszem a parancsomat"
        "|visszaveszem a parancsaimat|visszaveszem a lépésemet"
    ),
}
