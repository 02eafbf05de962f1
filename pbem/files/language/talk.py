"""The words around orders, in the five languages of the players: what people say besides.

What must never be here: the words of any game (``spoken`` of its Grammar brings them).
Each key is a class (words.py; digits are numbers), each value its words and phrases, apart by `|`;
accents may be left out, but of one marked `=`. A later class comes before an earlier one. What is
``whole`` says nothing in a whole answer, and may be talk elsewhere.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

CLASSES = {
    "tells": (
        "explain|erkläre|erklär|explique|expliquez|spiega|magyarázd|hurt|hurts|tente|tentent|reizt"
        "|reizen|piace|piacciono|tetszenek|gefällt|gefallen|plaît|wow|why not|warum nicht"
        "|pourquoi pas|perché no|miért ne|yourself|himself|herself|themselves|soll|sollte|should|vs"
        "|x|puts|leave|leaves|lass|lasse|laisse|lascia|hagyd|nur|jouerais|schöne|schönen|baut|setzt"
        "|legt|spielt|nimmt|zieht|ended|a draw then|is|are|was|were|isn't|aren't|be|been|being|has"
        "|had|have had|having|does|did|he|she|they|him|them all|your|yours|his|her|hers|their"
        "|theirs|it's his|looks|look|looked|seems|seem|feels|mine|taken|free|closed|gone|nobody"
        "|everybody|somebody|someone|anyone|versus|delete|swap|see|saw|watch|hate|hates|like|likes"
        "|love|loves|fear|dread|dreamt|dreamed|dream|wished|wish|hope|regret|regrets|missed|lost"
        "|lose|skip|avoid|avoids|discuss|about|regarding|re|preferably|ideally|idea|me|between|from"
        "|and so on|wait for|played|drew|built|placed|laid|put down by|picture|line|bus|test|live"
        "|lived|was going to|used to|ist|sind|war|waren|wäre|wären|gewesen|hat|hatte|hatten|hätte"
        "|hätten|habe|haben|er|ihr|euer|dein|deine|deinen|deiner|sein|seine|seinen|ihre|ihren|ihm"
        "|ihnen|du|euch|dir|dich|wurde|wurden|wird|mag|hasse|liebe|fürchte|bereue|löschen|lösche"
        "|ansehen|schau|schaue|sehe|weg|kaputt|zwischen|am liebsten|über|wollte|wohne|träume"
        "|träumte|vergesse|tauschen|tausche|gebaut|gesetzt|gespielt|gezogen|est|sont|était|étaient"
        "|sera|seront|serait|il|elle|ils|elles|tu|vous|ton|ta|tes|votre|vos|son|sa|ses|leur|leurs|a"
        "|ont|avait|avaient|avais|ai|c'est|c'était|voulais|aimais|aime|déteste|regrette|échange"
        "|entre|de préférence|libres|hier|pioché|joué|posé|disparu|rêvé|supprime|regarde|vois|è"
        "|sono|era|erano|sarà|saranno|sarebbe|ha|hanno|aveva|avevano|avevo|avrei|ho|lui|lei|loro"
        "|tuo|tua|tuoi|tue|vostro|vostra|suo|sua|suoi|sue|mette|gioca|piazza lui|volevo|odio|amo"
        "|rimpiango|scambia|scambio|da|tra|fra|preferibilmente|messo|giocato|pescato|perso|sognato"
        "|cancella|guarda|vedo|van|vannak|volt|voltak|lesz|lesznek|lenne|lennének|ő|ők|te|ti|tiéd"
        "|övé|neked|neki|nekik|szeretem|utálom|törlöd|cseréld|csere|között|tetszik|bánom|láttam"
        "|nézd"
    ),
    "fill": (
        "az enyém|fang|fange|fang an|ta|no idea|put me down|put me down for|ps|keine ahnung"
        "|aucune idée|nessuna idea|mach mal|und schon|i guess|aktion 1|aktion 2|action 1|action 2"
        "|azione 1|azione 2|akció 1|akció 2|oh dear|let me see|my very last|my last|meine letzte"
        "|mein letzter|meinen letzten|ma dernière|mon dernier|la mia ultima|il mio ultimo|az utolsó"
        "|pour ouvrir|tant qu'à faire|mehr nicht|metto giù|stehen|otherwise nothing|sonst nichts"
        "|sinon rien|rien d'autre|altrimenti niente|nient'altro|semmi más|my last card"
        "|meine letzte karte|ma dernière carte|la mia ultima carta|az utolsó lapom|beides"
        "|both of them|for starters|gets|receives|erect|construct|build up|put up|pop|stick"
        "|i'm placing|i shall place|shall place|i shall|to build|to place|to put|to play|to begin"
        "|to finish|to be clear|afterwards|straight after|right after that|not much time"
        "|keep it short|here we go|here goes|short and sweet|business as usual|bekommt|kriegt"
        "|errichte|errichten|errichtet|baut sich|hinstellen|mauere|dann eben|einfach|los geht's"
        "|los geht es|hinlegen|ablegen|lege ab|hinein|drauf|wie folgt|keine zeit|wenig zeit|in eile"
        "|in aller kürze|pour commencer|pour ma part|de mon côté|j'ajoute|ajoute|construirai"
        "|bâtirai|dépose|je dépose|déposer|installe|installer|place-le|je place|reçoit|se dressera"
        "|s'élèvera|pas le temps|en vitesse|vite fait|per cominciare|per iniziare|intanto"
        "|innanzitutto|colloco|collocare|sistemo|aggiungo|edifico|da parte mia|riceve|di fretta"
        "|poco tempo|di corsa|építem fel|építek fel|felépítek|felhúzok|felhúzom|odateszek|odateszem"
        "|odarakok|odarakom|elhelyezek|elhelyezem|beteszek|berakok|ráteszek|lenne|kezdésnek|kap"
        "|letenni|lerakni|kirakni|megépíteni|kijátszani|ugyanoda|ugyanott|röviden|sietek|gonna"
        "|gonna go|lets|dann halt|also halt|halt noch|gleich noch|gleich noch ne|gleich noch eine"
        "|gleich dort|und ne|gleich daneben|pour ne pas vous faire attendre"
        "|damit ihr nicht warten müsst|so you don't have to wait|per non farvi aspettare"
        "|das steht fest|das steht schon fest|hmm|hm|euh|ähm|äh|uh|oh|ah|haha|hehe|for me|für mich"
        "|pour moi|per me|nekem|it should|er soll|sie soll|take|takes|also gut|na gut|nehme|nimm"
        "|prends|prendo|leszek|whatever happens|whatever the others do|no matter what|in any case"
        "|auf jeden fall|quoi qu'il arrive|in ogni caso|mindenképp|free for me|köszi|kösz|köszönöm"
        "|köszönöm szépen|előre is köszönöm|i'm going for|i am going for|i'd say|i would say"
        "|number one|number two|number|i'd go with|i would go with|i'd go for|followed by"
        "|i'm playing|i am playing|i'm building|i have chosen|i've chosen|i'll have"
        "|i'd like to have|i choose to|in that order|respectively|first of all|to start|sagen wir"
        "|würde sagen|ich würde sagen|ich sage|gefolgt von|jeweils eine|je eine|je einen|ich wähle"
        "|ich habe gewählt|wähle|der reihe nach|und danke|danke schön|vielen dank|ich hätte gern"
        "|disons|je dirais|je choisis|j'ai choisi|suivi de|suivi d'un|on fait|on va faire|on met"
        "|on joue|on pose|merci beaucoup|merci d'avance|chacun|dans l'ordre|direi|diciamo|ho scelto"
        "|seguito da|grazie mille|grazie in anticipo|facciamo|mettiamo|giochiamo|nell'ordine"
        "|rispettivamente|egy-egy|egyet-egyet|mondjuk|választok|választottam|legyen most|kérném"
        "|kérnék egy|kérnék egyet|rakjunk|tegyünk|sorrendben|jó lesz|i|this|here|here is|here are"
        "|here's|i'd like|i would like|let me|let's|let us|will|put|place|build|set|lay|play|choose"
        "|go|goes|use|add|one|ones|other|both|each|second|third|finally|lastly|next|again|now|just"
        "|only|simply|so|ok|okay|well|for this turn|this turn|this time|this round|for now"
        "|for the moment|for the moment only|my move|my turn|my action|my orders|my order|move"
        "|moves|turn|action|actions|order|orders|of course|done|it|them|mine are|my answer|answer"
        "|in this game|it is|i go|i choose|i put|i place|i build|i set|i use|as my action"
        "|this is my move|please do|would like|by the way|btw|i think i'll|i think i will"
        "|i guess i'll|i guess i will|then i'll|then i will|i think i'll go with|do|does|doing"
        "|playing|placing|building|putting|setting|laying|today|tonight|there|down|my choice|choice"
        "|i've decided on|i have decided on|i decided on|i opt for|can't wait|cannot wait"
        "|can not wait|not bad|no problem|no worries|why not|without delay|no doubt|not only"
        "|and that's it|that's it|that's all|that is all|nothing else|nicht schlecht|kein problem"
        "|warum nicht|pas mal|pas de problème|pourquoi pas|non male|nessun problema|perché no"
        "|nem rossz|nem probléma|miért ne|im moment|momentan|andere|anderen|anderer|anderes"
        "|ich entscheide mich für|ich nehme|wäre|wären|mache|mach|machen|dort|dorthin|dazu"
        "|und das wars|das wars|das ist alles|placer|poser|mettre|construire|bâtir|jouer|poserai"
        "|mettrai|jouerai|placerai|fais|ferai|faire|pose-le|autres|là|aujourd'hui|je me décide pour"
        "|c'est tout|et c'est tout|mettere|piazzare|giocare|costruire|posizionare|posiziona|piazza"
        "|metterò|giocherò|piazzerò|costruirò|faccio|fare|altri|altre|oggi|lì|basta così|è tutto"
        "|e basta|teszem|rakom|lerakom|leteszek|leteszem|építem|helyezek|helyezem|tennék|tenném"
        "|raknék|raknám|építenék|rakni|tenni|építeni|rakj|tegyél|helyezzük|ma|ott|ennyi|ez minden"
        "|nálam|ich|meins|setze|setz|setzen|baue|bau|bauen|lege|leg|legen|spiele|spiel|spielen"
        "|stelle|stell|stellen|platziere|ich würde gern|ich würde gerne|würde gern|würde gerne"
        "|jeweils|beide|beiden|mal|jetzt|heute|nun|es|sie|ihn|und zwar|zwar|diesmal|diese runde"
        "|dieses mal|für diese runde|in diesem zug|für diesen zug|mein zug|meine züge|zug|züge"
        "|erste|ersten|erstes|erster|zweite|zweiten|zweites|zweiter|weitere|weiteren|kommt|kommen"
        "|hin|geht|gehen|neue|neues|neuen|neuer|gern|gerne|anschließend noch|aus|zuletzt"
        "|zum schluss|schließlich|einmal|bitte sehr|je|j|joue|pose|mets|construis|bâtis|choisis"
        "|enfin|pour finir|pour ce tour|pour ce tour-ci|ce tour|ce tour-ci|cette fois|cette fois-ci"
        "|pour cette fois|voici|voilà|mon coup|mes coups|mon tour|mon action|coup|premier|première"
        "|deuxième|seconde|autre|nouveau|nouvelle|donc|alors|bon|bref|allez|ici|va|vont"
        "|s il te plaît|s il vous plaît|stp|svp|slt|merci|tout simplement|simplement|ce sera"
        "|et voilà|même chose|io|con il|metto|metti|gioco|piazzo|costruisco|posiziono|pongo|scelgo"
        "|per favore|per piacere|infine|allora|dunque|quindi|perciò|ecco|la mia mossa|mossa|mosse"
        "|turno|questo turno|per questo turno|questa volta|stavolta|per adesso|per ora|solo"
        "|soltanto|altro|altra|primo|secondo|entrambi|tutti e due|nuovo|nuova|vanno|ci"
        "|la mia azione|azione|mi sa|dai|bene|vai|egyet|until then|bis dahin|d ici là"
        "|fino ad allora|addig|meg|kérem|kérek|kérnék|legyen|teszek|rakok|építek|lerakok|játszom"
        "|játszok|választom|ebben a körben|most|itt|lépésem|lépés|a lépésem|akcióm|mindkettő"
        "|mindkettőt|első|második|új|ide|oda|jön|kerül|megy|akkor|tehát|hát|nos|lécci|megyek|mellé"
        "|pedig|harmadik|egyik|másik|másikat|jöjjön|kerüljön|menjen|végül|erre a körre|ez"
    ),
    "more": (
        "also|too|as well|another|another one|one more|first|auch|noch|noch eine|noch einen"
        "|zusätzlich|außerdem|ebenfalls|zuerst|erstmal|erst mal|zunächst|aussi|également|encore"
        "|d'abord|tout d'abord|un autre|une autre|anche|pure|inoltre|prima|per prima cosa|un altro"
        "|un'altra|is|szintén|még|még egy|még egyet|először|először is|noch ne"
    ),
    "open": (
        "szeretném|szeretném megépíteni|i've decided to|i have decided to|j'aimerais|je souhaite"
        "|mi piacerebbe|desidero|ich will|will ich|ich werde|werde ich|werde|the|le|la|les|l|il|lo"
        "|gli|der|die|das|dem|den|el|az|a|an|my|on|in|at|into|onto|of|with|auf|nach|im|ins|am|bei"
        "|beim|zu|zum|zur|von|vom|mit|mein|meine|meinen|meinem|meiner|eine|ein|einen|einem|einer|un"
        "|une|de|du|d|des|sur|en|dans|à|au|aux|vers|avec|mon|mes|su|sul|sulla|sull|sui|sugli|nel"
        "|nella|nell|al|alla|all|di|del|della|dell|con|mio|mia|miei|mie|uno|una|egy|i'd like to"
        "|i would like to|i want to|i'm going to|i am going to|going to|would like to|i will|i'll"
        "|i'd|ich möchte|möchte|je voudrais|je veux|je vais|vorrei|voglio|szeretnék|szeretnék rakni"
    ),
    "to": "to|thru|=à",
    "and": (
        "and|then|and then|after that|und|dann|und dann|danach|anschließend|sowie|et|puis|et puis"
        "|ensuite|e|ed|poi|e poi|dopo|és|s|aztán|azután|utána|és aztán|majd|valamint|plus|plusz"
    ),
    "for": "for|as|für|als|pour|comme|per|come",
    "later": (
        "later|for later|next turn|my next turn|in my next turn|for my next turn|on my next turn"
        "|for next turn|for the next turn|next round|next time|in advance|nächste runde"
        "|nächster zug|mein nächster zug|für meinen nächsten zug|meinen nächsten zug"
        "|im nächsten zug|in meinem nächsten zug|nächstes mal|nächsten zug|für den nächsten zug"
        "|in der nächsten runde|für die nächste runde|beim nächsten mal|für später|später"
        "|vorsorglich|im voraus|prochain tour|au prochain tour|pour le prochain tour"
        "|mon prochain tour|pour mon prochain tour|à mon prochain tour|tour prochain|plus tard"
        "|pour plus tard|la prochaine fois|tour suivant|au tour suivant|pour le tour suivant"
        "|d'avance|d avance|par avance|prossimo turno|al prossimo turno|nel prossimo turno"
        "|per il prossimo turno|il prossimo turno|nel mio prossimo turno|per il mio prossimo turno"
        "|turno prossimo|più tardi|per dopo|in anticipo|la prossima volta|következő körben"
        "|a következő körben|következő körömben|a következő körömben|következő körre"
        "|a következő körre|következő körömre|a következő körömre|jövő körben|később|későbbre|előre"
    ),
    "when": "when|quand|lorsque|quando|amikor|mikor",
    "if": (
        "if|wenn|falls|sobald|once|as soon as|si|dès que|se|appena|non appena|qualora|ha|amint"
        "|only when|nur wenn|nur falls|erst wenn|seulement si|seulement quand|uniquement si|solo se"
        "|solo quando|soltanto se|csak ha|csak akkor|csak amikor|solo si|sólo si|solo cuando"
    ),
    "due": (
        "se remplit|se complète|se ferme|se termine|gets full|fills up|fills|gets finished"
        "|gets complete|completes|goes off|so weit ist|es so weit ist|se riempie|comes up|come up"
        "|is scored|gets scored|is complete|is completed|is full|is finished|is done|is resolved"
        "|resolves|is asked|is asked for|it is asked for|they ask|they ask me|they ask me about"
        "|i am asked about|i'm asked about|you ask me about|i am asked|i'm asked|you ask|you ask me"
        "|is counted|asked|they ask about|you ask about|drankommt|dran kommt|dran ist"
        "|an der reihe ist|an die reihe kommt|gewertet wird|abgerechnet wird|fertig ist|fertig wird"
        "|voll ist|voll wird|gefragt wird|gefragt werde|vollständig ist|sera comptée|est comptée"
        "|sera finie|est finie|sera complète|est complète|est terminée|sera terminée|sera pleine"
        "|est pleine|on me demande|on me le demande|viene contata|sarà contata|si conta|è completa"
        "|sarà completa|è finita|sarà finita|viene valutata|si chiude|viene chiusa|is closed|closes"
        "|geschlossen wird|voll sein sollte|est fermée|si risolve|mi chiedono|viene conteggiata"
        "|si completa|viene completata|kerül sorra|sorra kerül|sorra kerülök|kész|kész van"
        "|kész lesz|értékelik|értékelésre kerül|betelik|kérdezik|megkérdezik|befejeződik|lezárul"
    ),
    "sorry": (
        "sorry|pardon|excuse me|excusez-moi|entschuldigung|entschuldige|verzeihung|scusa|scusate"
        "|bocsánat|bocs|oops|ups|hoppá|ach|ach nein"
    ),
    "turn": (
        "i think|next to|beside|neben|à côté de|à côté|accanto a|mellett|is it|is this|is that"
        "|are these|are they|il pose|il joue|il met|il place|il construit|il va|il veut|other game"
        "|another game|the other game|anderes spiel|anderen spiel|andere partie|anderen partie"
        "|autre partie|l'autre partie|altra partita|l'altra partita|másik játék|másik játékban"
        "|másik parti|you choose|you decide|your choice|du entscheidest|entscheide du|such dir aus"
        "|à toi de choisir|tu choisis|choisis pour moi|scegli tu|decidi tu|te döntesz|válassz te"
        "|döntsd el|one of|one of these|any of|eine von|einer von|eins von|l'un de|l'une de"
        "|un de ces|uno di|uno dei|una delle|i suppose|i believe|glaube ich|ich glaube|ich denke"
        "|je crois|je pense|credo|penso|azt hiszem|never|don't|dont|doesn't|doesnt|won't|wont|can't"
        "|cant|cannot|couldn't|shouldn't|wouldn't|isn't|nope|neither|nor|without|except|maybe"
        "|perhaps|possibly|probably|might|may|could|would|should i|shall i|can i|whether|undecided"
        "|otherwise|kein|keine|keinen|keinem|keiner|keines|nie|niemals|ohne|außer|vielleicht|evtl"
        "|eventuell|könnte|würde|soll ich|sonst|ansonsten|andernfalls|ob|weder|wohl|egal|jamais"
        "|sans|sauf|excepté|peut-être|peut être|probablement|pourrais|devrais|aurais|hésite"
        "|j'hésite|sinon|autrement|mai|niente|nessun|nessuno|nessuna|senza|tranne|eccetto|salvo"
        "|forse|magari|potrei|dovrei|altrimenti|soha|sohasem|nincs|kivéve|nélkül|talán|esetleg"
        "|lehet|különben|sem|se|tell|ask|asked|asks|sag|sage|fragt|dis|dites|demande|chiedi|chiede"
        "|mondd|kéri|says|said|wrote|writes|told|tells|thinks|wants|plans|suggests|sagt|sagte"
        "|schreibt|schrieb|meint|meinte|dit|disait|écrit|veut|pense|propose|dice|diceva|ha detto"
        "|scrive|vuole|pensa|propone|mondja|mondta|írta|írja|üzeni|akar|akarja|szerint|suggested"
        "|wanted|planned|=où|=ő|i wait|i'm waiting|ich warte|j'attends|aspetto|várok|várom|do i"
        "|do we|do you|does he|does she|does it|should it|take down|takes down|taking down"
        "|i take down|tear down|pull down|reiße|reiße ab|abreißen|remove|removes|old orders"
        "|old order|old move|previous orders|previous order|plan|plan a|plan b|option|options"
        "|alternative|alternatives|alternativ|variante|variant|piano b|legal are|depends|depends on"
        "|it depends|kommt darauf an|kommt drauf an|hängt davon ab|ça dépend|dipende|attól függ"
        "|whichever|either one|subject to|pending|hopefully|hypothetical|hypothetically"
        "|purely hypothetical|theoretisch|hypothetisch|en théorie|in teoria|elméletben"
        "|must move first|unsure|unsicher|bin unsicher|pas sûr|pas sûre|non sono sicuro"
        "|non sono sicura|nem biztos|dois-je|devo"
    ),
    "rather": (
        "rather|instead|actually|lieber|doch|stattdessen|plutôt|finalement|piuttosto|invece"
        "|al posto|inkább|hanem|mégis|better|besser|mieux|meglio|jobban|prefer|i prefer|à la place"
        "|en échange"
    ),
    "apart": (
        "thank you for|thanks for|danke für|merci pour|grazie per|köszönöm a|last turn|last time"
        "|last round|yesterday|letzte runde|letztes mal|letzten zug|gestern|dernier tour|hier soir"
        "|scorso turno|turno scorso|ieri|előző kör|tegnap|example|beispiel|exemple|esempio|példa"
        "|imagine|suppose|supposing|i am|i'm|you are|you're"
    ),
    "tomorrow": "tomorrow|morgen|demain|domani|holnap|mañana",
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
        "|jövő hónapban|este|délután|lunes|martes|miércoles|jueves|viernes|sábado|domingo|el lunes"
        "|el viernes|fin de semana|después del fin de semana|la próxima semana|la semana que viene"
    ),
    "cond": (
        "unless|until|till|before|after|as long as|provided|assuming|depending|in case|even if"
        "|only if|only once|not before|nachdem|bevor|bis|solange|vorausgesetzt|tant que|avant|après"
        "|à moins|au cas|pourvu|finché|prima di|prima che|dopo che|dopo aver|a meno|nel caso|miután"
        "|mielőtt|amíg|hacsak|only after|provided that|on condition that|given that|erst nach"
        "|erst nachdem|sofern|seulement après|à condition|au cas où|solo dopo|solo dopo che|purché"
        "|a condizione|csak miután|feltéve|después|después de|antes de|en caso de|a menos que"
        "|siempre que|hasta que"
    ),
    "or": "or|either|oder|entweder|ou|ou bien|soit|o|oppure|ovvero|vagy|vagypedig|akár",
    "why": (
        "because|because of|cause|since|so that|weil|denn|damit|parce|car|puisque|comme ça|perché"
        "|poiché|siccome|così|mert|mivel"
    ),
    "stop": (
        "final version|version finale|versione finale|endgültige version|as discussed"
        "|wie besprochen|comme convenu|come concordato|pick whichever|you wrote|hang on thats mine"
        "|tbc|just an idea|another game|other game|je réfléchis|nachdenken|drüber nachdenken"
        "|gondolkodom|only the last|just the last|just the first|just the second|just one of"
        "|only one of|the first only|the second only|the last only|one is enough|nur die letzte"
        "|nur den ersten|nur den zweiten|nur den letzten|nur das erste|nur das letzte"
        "|nur eine davon|bloß die erste|bloß die zweite|seulement la première|seulement la deuxième"
        "|seulement la dernière|seulement le dernier|que la première|que la dernière|que le dernier"
        "|juste le premier|juste la première|solo l'ultimo|solo l'ultima|soltanto il primo"
        "|soltanto la prima|soltanto l'ultimo|csak az utolsó|csak az elsőt|csak a másodikat"
        "|csak az utolsót|csak a második|the last one|the last is|die letzte ist|the first is"
        "|the second is|the first one is|the second one is|i will confirm|i'll confirm|will confirm"
        "|bestätige noch|noch bestätigen|je confirmerai|à confirmer|confermerò|da confermare"
        "|megerősítem még|undo|undo it|undo that|wrong|falsch|faux|sbagliato|rossz|mistake|fehler"
        "|erreur|errore|tévedés|hiba|take it back|take that back|i take back|only the first"
        "|only the second|nur die erste|nur die zweite|seulement le premier|que le premier"
        "|solo il primo|solo la prima|csak az első|a joke|ein witz|une blague|same for|dasselbe"
        "|dieselben|pareil pour|stesso per|ugyanaz|ugyanezt|no way|not yet|never ever|noch nicht"
        "|non ancora|még nem|auf keinen fall|jamais de la vie|to be confirmed|bestätige|think again"
        "|let me think|think about it|überlege es mir|réfléchir|ci penso|meggondolom|átgondolom"
        "|kidding|joking|just a joke|only a test|just testing|this is a test|a test|nur ein test"
        "|testmail|war ein witz|c'est un test|pour rire|je plaisante|una prova|scherzo|scherzavo"
        "|csak teszt|csak vicc|vicceltem|not final|preliminary|provisional|draft|vorläufig"
        "|provisoire|provvisorio|ideiglenes|cioè|hold on|never mind|nevermind|on second thought"
        "|on second thoughts|changed my mind|or not|maybe not|don't do|do not do|don't play"
        "|do not play|let me sleep|not sure|i'm unsure|stopp|stop|quatsch|doch nicht|lieber nicht"
        "|oder doch|nochmal überlegen|laisse tomber|en fait non|pas encore|lascia stare"
        "|lascia perdere|ci ripenso|várjatok|várjon|mégse|mégsem|inkább ne|még ne|just teasing"
        "|teasing|only teasing|still thinking|still pondering|i'm pondering|pondering|hold this"
        "|please hold|hold your horses|wait for my|warte noch|noch warten|bitte warten"
        "|bitte noch warten|warten bitte|until you hear|until i|next mail|next email|second mail"
        "|replaces this one|replaces this|can't decide|cannot decide|can't make up"
        "|kann mich nicht entscheiden|entwurf|ein entwurf|nur ein entwurf|brouillon|un brouillon"
        "|juste un brouillon|bozza|una bozza|solo una bozza|vázlat|piszkozat|csak egy terv|egy terv"
        "|example only|just an example|only an example|nur ein beispiel|just for fun|vorbehaltlich"
        "|unter vorbehalt|sous réserve|en attente|con riserva|in attesa|fenntartással"
        "|subject to change|said nobody|nobody ever|pick one|choose one|such dir|such es dir"
        "|let me know first|see my next|yeah right|as if|do not use|don't use|don't enter"
        "|do not enter|nicht eintragen|noch nicht eintragen|nicht werten|bitte nicht werten"
        "|ne pas jouer|ne joue pas|ne jouez pas|non giocare|non eseguire|ne játszd|ne rakd"
        "|what would you say|what do you think|resign|i resign|i'm resigning|surrender|i surrender"
        "|i concede|concede|give up|i give up|it's a draw|it is a draw|call it a draw|offer a draw"
        "|agree to a draw|a draw offer|gebe auf|ich gebe auf|ich kapituliere|ich biete remis|remis"
        "|unentschieden|j'abandonne|abandonne|je capitule|partie nulle|match nul|mi arrendo"
        "|abbandono|mi ritiro|pareggio|patta|feladom|megadom magam|döntetlen|me rindo|abandono"
        "|empate|tablas|have doubts|second thoughts|nicht sicher|bin mir nicht sicher"
        "|mir nicht sicher|j'ai un doute|non sono più sicuro|non sono più sicura"
        "|mon prochain message|prochain message|mia prossima mail|prossima mail|meine nächste mail"
        "|nächste mail|következő levelemre|következő levelem|tentative|tentatively|unter umständen"
        "|à voir|da vedere|még meglátjuk"
    ),
    "no": "no|not|nein|nicht|non|pas|nem|ne|n",
    "than": (
        "instead of|rather than|statt|anstatt|plutôt que|plutôt qu|au lieu|au lieu de|au lieu du"
        "|anziché|invece di|al posto di"
    ),
    "not it": "helyett",
    "mend": (
        "ou plutôt non|oder besser nein|make that|make it|i mean|i meant|ich meine|ich meinte"
        "|je veux dire|je voulais dire|voglio dire|úgy értem|correction|korrektur|correzione"
        "|javítás|no wait|wait|warte|attends|attendez|non attends|aspetta|aspettate|várj|anzi"
        "|wait no|no i mean|no i meant|sorry i mean|sorry i meant|correct that|correct that to"
        "|let me correct that|halt|hupps|quatsch nein|sollte heißen|soll heißen|ich wollte sagen"
        "|rettifica|volevo dire|errata|javítok|mármint|akarom mondani|illetve nem"
    ),
    "cancel": (
        "ignore|ignore if|scrap|scrap that|scrap it|scrap what|forget that|forget this|forget it"
        "|ignore that|ignore it|ignore my|take back|withdraw my|cancel|cancel that|cancel my"
        "|vergiss|vergesst|vergessen sie|streich|streichen|stornieren|ziehe zurück|nehme zurück"
        "|zurücknehmen|zurückziehen|annule|annuler|annulez|oublie|oubliez|retire mon ordre"
        "|reprends mon ordre|annulla|annullate|annullare|ignora|ritiro|ritirare|visszavonom"
        "|visszaveszem|töröld|töröljétek|felejtsd el|felejtse el|disregard|please disregard"
        "|disregard this|disregard that|disregard the above|ignore this|ignore the above"
        "|ignore these|please ignore|ignore everything|ignoriere|ignoriert|bitte ignorieren"
        "|ignorieren|ne tenez pas compte|ne tiens pas compte|ne pas tenir compte|ignorez|ignore ce"
        "|non considerare|non tenere conto|ignorate|hagyd figyelmen kívül|hagyja figyelmen kívül"
        "|ne vedd figyelembe|no walls at all|nothing at all|forget what i wrote|forget what i sent"
    ),
    "back": (
        "take back my order|take back my orders|take back my move|take back all my orders"
        "|withdraw my order|withdraw my orders|withdraw my move|withdraw all my orders"
        "|cancel my order|cancel my orders|cancel my move|cancel all my orders"
        "|nehme meine befehle zurück|nehme meinen befehl zurück|nehme meinen zug zurück"
        "|ziehe meine befehle zurück|ziehe meinen zug zurück|meine befehle zurücknehmen"
        "|meinen zug zurücknehmen|meinen befehl zurücknehmen|nimm meinen zug zurück"
        "|nimm meine befehle zurück|nehmt meinen zug zurück|streiche meine befehle"
        "|streich meinen zug|streiche meinen zug|annule mon ordre|annule mes ordres|annule mon coup"
        "|annulez mon ordre|annulez mes ordres|annulez mon coup|retire mon ordre|retire mes ordres"
        "|retire mon coup|je reprends mon ordre|je reprends mes ordres|je reprends mon coup"
        "|annulla il mio ordine|annulla i miei ordini|annulla la mia mossa|annullate il mio ordine"
        "|annullate i miei ordini|annullate la mia mossa|ritiro il mio ordine|ritiro i miei ordini"
        "|ritiro la mia mossa|visszavonom a parancsomat|visszavonom a parancsaimat"
        "|visszavonom a lépésemet|visszaveszem a parancsomat|visszaveszem a parancsaimat"
        "|visszaveszem a lépésemet"
    ),
    "whole": (
        "parto con|start on|start at|start in|begin on|begin at|open on|open at|open with"
        "|comincio da|inizio da|parto da|je commence en|je commence sur|ich beginne auf"
        "|ich fange auf|begin with|start with|starting with|i'll begin with|i'll start with"
        "|i start with|i begin with|opening with|ich beginne mit|ich fange an mit|ich fange mit"
        "|je commence avec|je commence par|comincio con|inizio con|apro con|kezdek|kezdem"
        "|will be mine|lesz az enyém|lesznek az enyém"
    ),
    "2": ("twice|two times|zweimal|deux fois|due volte|kétszer|two|zwei|deux|due|két|kettő|kettőt"),
    "3": "three|drei|trois|tre|három",
    "4": "four|vier|quatre|quattro|négy",
    "5": "five|fünf|cinq|cinque|öt",
    "6": "six|sechs",
    "7": "seven|sieben|sept|sette|hét",
}

#: what tells whose move stands beside it, a pattern for each language: not the writer's own
SOMEBODY_ELSES = (
    (
        r"\b(?:(?:this|that|it|here) is|(?:that|it|here)'?s|(?:these|those|here) are) (?:(?!(?:m"
        r"y|our|today|tonight|everyone|it|let|that)\b)(?:\w+'?s|\w+s'|her|their) (?:\w+ )?(?:mov"
        r"es?|orders?|turn|actions?)\b|(?:the )?(?:moves?|orders?|turn|actions?) (?:of|from|for)"
        r" (?!(?:the|this|my|me|now|our|today)\b)\w)|\b(?:on behalf of|on \w+'s behalf|in \w+'s "
        r"name)\b"
    ),
    (
        r"\b(?:das|dies|dieses|hier|es) (?:ist|sind) (?:(?!(?:ein|kein|unser|das|dies)\w*\b)(?:"
        r"\w+s|sein\w*|ihr\w*) (?:zug|züge|befehle?|aktion(?:en)?)\b|(?:der |die )?(?:zug|züge|b"
        r"efehle?|aktion(?:en)?) von (?!(?:mir|heute|uns)\b)\w)|\bim namen von\b|\bin \w+s namen"
        r"\b"
    ),
    (
        r"\b(?:c'est|ce sont|voici|voilà) (?:(?:le |la |les |l')?(?:coups?|ordres?|tour|actions?"
        r") (?:de |d'|du )(?!(?:moi|jeu)\b)\w|(?:son|sa|ses) (?:coups?|ordres?|tour|actions?)\b)"
        r"|\b(?:au nom de|de la part de)\b"
    ),
    (
        r"\b(?:sono|è|ecco) (?:la |le |il |gli |l')?(?:moss[ae]|ordin[ei]|turno|azion[ei]) di (?"
        r"!(?:oggi|me|gioco)\b)\w|\b(?:a nome di|da parte di|per conto di)\b"
    ),
    (
        r"\b(?:ezek|ez|itt van|itt vannak) (?:az? )?(?!(?:én|mai)\b)\w+ (?:lépése|lépései|paranc"
        r"sai|köre|akciói?)\b|\b\w+ nevében\b"
    ),
)
