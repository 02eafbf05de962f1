"""The words of orders as people say them, in the five languages of the players.

Each key is what a word means in an order ("": nothing; `a|b`: one of the two, the question tells;
`?a`: that, in a whole answer alone; `a:` what it does, which says nothing more beside it),
each value its ways of being said, apart by `|`. Accents may be left out.
Source: the rulebooks, and docs/decisions/0019-orders-in-plain-words.md.
"""

from pbem.engine.chang_cheng.spoken_effects import EFFECTS

SPOKEN = EFFECTS | {
    "wall": (
        "mru|mruri|fla|mauerr|mrur|maure|waal|falamat|falaim|falaimat|fallal|egy fallal|falakkal"
        "|falamnak|egy fal|mura|maurn|muri normali|muro normale|mur normal|murs normaux"
        "|normale mauern|normale mauer|normal wall|normal walls|ordinary walls|ordinary wall"
        "|plain walls|rendes fal|muro semplice|muri semplici|egyszerű falak|mur de départ"
        "|startmauer|anfangsmauer|muro iniziale|muro di partenza|kezdő fal|kezdőfal|kezdő falam"
        "|starting wall|opening wall|walls|a wall|sima fal|sima falat|einfache mauer"
        "|einfache mauern|einzelne mauer|einzelne mauern|single wall|single walls|mauer|mauern"
        "|mauerstück|mauerstücke|mauerteil|wand|mauerchen|mur|murs|muret|section de mur"
        "|sections de mur|muraille|mur simple|murs simples|muro|muri|muro singolo|muri singoli"
        "|muretto|fal|falat|falak|falakat|falam|egy falat|egyszerű fal|falra|additional wall"
        "|an additional wall|extra wall|an extra wall|one extra wall|zusätzliche mauer"
        "|eine zusätzliche mauer|weitere mauer|eine weitere mauer|extra mauer|eine mauer mehr"
        "|mur supplémentaire|un mur supplémentaire|mur additionnel|un mur additionnel|mur de plus"
        "|un mur de plus|un de mes murs|section supplémentaire|muro aggiuntivo|un muro aggiuntivo"
        "|muro in più|un muro in più|plusz fal|plusz egy fal|plusz egy falnak|plusz falnak"
        "|eggyel több fal|falként|falnak|a falamnak|a wall of mine|one of my walls"
        "|eine mauer von mir|un mio muro"
    ),
    "card": (
        "cards|action card|action cards|karte|karten|aktionskarte|aktionskarten|carte|cartes"
        "|carte action|cartes action|carta|carte azione|carta azione|lap|lapot|lapok|lapom|kártya"
        "|kártyát|kártyák|akciólap|akciólapot"
    ),
    "double": (
        "muraglia doppia|la muraglia doppia|dupla falát|dbl|doubel|dopio|long wall|the long wall"
        "|lange mauer|die lange mauer|long mur|le long mur|mur long|muro lungo|il muro lungo"
        "|hosszú fal|hosszú falat|a hosszú fal|muraille double|ma muraille double|dupla falamat"
        "|a dupla falamat|kettős fal|a kettős fal|kettős falat|a kettős falat|duplám|duplámat"
        "|duplámmal|a duplámmal|meine doppelte mauer|doppel wall|mur double à cheval sur"
        "|muro doppio a cavallo di|muro doppio a cavallo tra|doppel zwischen|doppelmauer zwischen"
        "|die doppelte zwischen|double between|double wall between|double across"
        "|double wall across|double over|mur double entre|double entre|muro doppio fra"
        "|muro doppio tra|doppio fra|doppio tra|a duplát|duplát|dupla falat|doubles|double wall"
        "|double walls|doppelmauer|doppelmauern|doppelte mauer|doppelte|doppel|doppelwand"
        "|doppelstück|mur double|double mur|double section|section double|la double|muro doppio"
        "|doppio muro|doppio|doppia|doppia muraglia|dupla|dupla fal|dupla falam|duplafal"
        "|duplafalat"
    ),
    "tower": (
        "toronynak|tore|torre mia|tornyomnak|twr|a torony|a tornyot|elle se dresse|tornyommal"
        "|toronnyal|towers|turm|türme|den turm|tour|la tour|ma tour|torre|torri|torony|tornyot"
        "|tornyom|tornyomat|toronyt"
    ),
    "neutral": (
        "neutral one|the neutral one|neutrale mauern|die neutralen mauern|neutralen mauern"
        "|eine neutrale mauer|a neutral wall|murs neutres|les murs neutres|le mur neutre"
        "|un mur neutre|muri neutri|i muri neutri|il muro neutro|un muro neutro|semleges falak"
        "|a semleges fal|a semleges falak|a semleges falat|semleges falról|a semlegeset|semlegeset"
        "|quello neutrale|quello grigio|grey one|grey wall|gray wall|the grey|graue mauer|mur gris"
        "|muro grigio|szürke fal|szürke falat|neutral wall|neutral walls|neutrale mauer|neutrale"
        "|neutraler|neutralen|neutrales|neutrale wand|mur neutre|neutre|le neutre|muro neutrale"
        "|muro neutro|neutro|semleges|semleges fal|semleges falat|semlegest|a semleges"
        "|neutralen stein|neutraler stein|einen neutralen stein|neutral stone|pierre neutre"
        "|pietra neutra|semleges kő"
    ),
    "neutral none": (
        "neutral wall stays in the box|the neutral wall stays in the box"
        "|a semleges fal marad a dobozban|semleges fal marad a dobozban"
        "|il muro neutro lo lascio nella scatola|le mur neutre reste dans la boîte"
        "|mur neutre reste dans la boîte|die neutralen mauern bleiben in der schachtel"
        "|i don't want a neutral wall|don't want a neutral wall|i do not want a neutral wall"
        "|do not want a neutral wall|i don't want the neutral wall|skip the neutral"
        "|skip the neutral wall|skip neutral|i skip the neutral|i skip the neutral wall"
        "|i'll skip the neutral|i'll skip the neutral wall|pass on the neutral"
        "|pass on the neutral one|pass on the neutral wall|i'll pass on the neutral"
        "|i'll pass on the neutral one|i'll pass on the neutral wall|i pass on the neutral wall"
        "|leave out the neutral|leave out the neutral wall|i don't place a neutral wall"
        "|i don't place a neutral|don't place a neutral wall|i won't place a neutral wall"
        "|i am not placing a neutral wall|not placing a neutral wall|not placing a neutral"
        "|i don't use the neutral|die neutrale lasse ich weg|die neutrale lass ich weg"
        "|die neutrale mauer lasse ich weg|eine neutrale mauer will ich nicht"
        "|eine neutrale will ich nicht|eine neutrale mauer will ich danach nicht"
        "|neutrale mauer setze ich keine|ich setze keine neutrale|ich setze keine neutrale mauer"
        "|ich setze keinen neutralen|neutral lasse ich weg|auf die neutrale verzichte ich"
        "|je laisse tomber le neutre|laisse tomber le neutre|laisse tomber le mur neutre"
        "|je ne pose pas de neutre|je ne pose pas de mur neutre|je ne mets pas de mur neutre"
        "|je ne mets pas de neutre|je ne place pas de mur neutre|salto il neutro"
        "|il neutro lo salto|il neutro stavolta lo salto|non metto il neutro|non metto muri neutri"
        "|non metto nessun neutro|non piazzo il neutro|a semlegeset kihagyom"
        "|a semlegeset most kihagyom|semlegest kihagyom|a semleges falról lemondok"
        "|semleges falról lemondok|semleges falat most nem rakok|nem teszek semleges falat"
        "|semleges falat nem teszek|nem teszek le semleges falat|i decline neutral"
        "|neutral i decline|no grey|no grey one|no grey wall|no gray wall|neutral setze ich nichts"
        "|neutral setz ich nichts|neutral setz ich nix|neutral nix|neutral nichts|kein grauer"
        "|keine graue|keine graue mauer|no neutral|no neutral wall|no neutrals|neutral wall none"
        "|without neutral wall|without a neutral wall|neutral no|keine neutrale"
        "|keine neutrale mauer|kein neutraler|ohne neutrale|ohne neutrale mauer|neutrale keine"
        "|neutrale mauer keine|pas de neutre|pas de mur neutre|aucun mur neutre|aucun neutre"
        "|sans neutre|sans mur neutre|neutre aucun|neutre non|mur neutre aucun|mur neutre non"
        "|niente neutro|niente muro neutro|niente muro neutrale|nessun muro neutro"
        "|nessun muro neutrale|nessun neutro|neutro no|neutrale no|muro neutro no|muro neutrale no"
        "|senza neutro|senza muro neutro|neutro nessuno|semleges nem|semleges nincs"
        "|semleges fal nem|semleges fal nincs|nincs semleges|nincs semleges fal|semleges nélkül"
        "|semleges falat nem rakok|semleges falat nem|semlegest nem|nem rakok semlegest"
        "|semleges nem kell|semleges most nem kell|nem kell semleges"
    ),
    "pass": "i pass|passe|ich passe|je passe|passo|passzolok|passz|skip|aussetzen",
    "colour": "color|colours|colors|farbe|couleur|colore|szín|színe|színem|színnel",
    "board": (
        "neues spielbrett|1a|1b|2a|2b|3a|3b|4a|4b|board 1a|board 1b|board 2a|board 2b|brett 3b"
        "|brett 3a|brett 4a|brett 4b|plan 3b|plan 3a|plan 4a|plan 4b|plateau 3b|plateau 4b"
        "|tabellone 3b|tabellone 4b|3b tábla|next board|the next board|extra board|the extra board"
        "|board 3b|board 4a|board 4b|board 3a|third board|the third board|nächste brett"
        "|das nächste brett|zusätzliche brett|das zusätzliche brett|weitere brett|das neue brett"
        "|dem neuen brett|neuen brett|plateau supplémentaire|le plateau supplémentaire"
        "|le nouveau plateau|il nuovo tabellone|tabellone nuovo|il tabellone nuovo|plancia nuova"
        "|nuova plancia|la nuova plancia|la plancia nuova|plancia in più|la plancia in più"
        "|plancia da aggiungere|az új tábla|az új táblát|új táblát|plusz tábla|a plusz tábla"
        "|plusz táblának|tablanak|táblának|new board|the new board|brett|neues brett|neue brett"
        "|spielplan|plateau|nouveau plateau|tabellone|nuovo tabellone|mappa|nuova mappa|plancia"
        "|tabella|tábla|új tábla|táblát|játéktábla|játéktáblát"
    ),
    "left": (
        "wird links angelegt|links angelegt|bal szélre|a bal szélre|se place à gauche"
        "|se met à gauche|lo voglio a sinistra|a sinistra la voglio|on the left side"
        "|to the left side|on the left hand side|on the left-hand side|at the left side"
        "|auf der linken seite|auf die linke seite|kommt auf die linke seite|sur la gauche"
        "|sur le côté gauche|alla sinistra|sulla sinistra|the left|left end|the left end|left side"
        "|the left side|left hand side|the left hand side|left-hand side|the left-hand side"
        "|at the left end|linken seite|die linke seite|der linken seite|ganz links|linkes ende"
        "|linke ende|links dran|links an|links anlegen|côté gauche|du côté gauche|le côté gauche"
        "|lato sinistro|il lato sinistro|sul lato sinistro|dal lato sinistro|a sx|sx|bal oldalt"
        "|bal oldalon|a bal oldalra|balról|to the left|on the left|links|nach links|linke seite"
        "|gauche|à gauche|a sinistra|sinistra|bal|balra|bal oldal|bal oldalra"
    ),
    "right": (
        "wird rechts angelegt|rechts angelegt|jobb szélre|a jobb szélre|se place à droite"
        "|se met à droite|lo voglio a destra|on the right side|to the right side"
        "|on the right hand side|on the right-hand side|at the right side|auf der rechten seite"
        "|auf die rechte seite|kommt auf die rechte seite|sur la droite|sur le côté droit"
        "|alla destra|sulla destra|the right|right end|the right end|right side|the right side"
        "|right hand side|the right hand side|right-hand side|the right-hand side|at the right end"
        "|rechten seite|die rechte seite|der rechten seite|rechts dran|rechts an|rechts anlegen"
        "|côté droit|du côté droit|le côté droit|lato destro|il lato destro|sul lato destro"
        "|dal lato destro|a dx|dx|jobb oldalt|jobb oldalon|a jobb oldalra|jobbról|to the right"
        "|on the right|rechts|nach rechts|rechte seite|droite|à droite|a destra|destra|jobb|jobbra"
        "|jobb oldal|jobb oldalra"
    ),
    "red": (
        "rote mauer|roten mauer|red wall|red one|mur rouge|muro rosso|piros fal|piros falat|rot"
        "|rote|roten|rotes|roter|rouge|rouges|rosso|rossa|rossi|piros|pirosat|pirossal|vörös"
        "|vöröset|vörössel"
    ),
    "blue": (
        "blaue mauer|blue wall|blue one|mur bleu|muro blu|kék fal|kék falat|blau|blaue|blauen"
        "|blaues|bleu|bleue|bleus|blu|kék|kéket|kékkel"
    ),
    "green": (
        "grüne mauer|grünen mauer|green wall|green one|mur vert|muro verde|zöld fal|zöld falat"
        "|grün|grüne|grünen|grünes|vert|verte|verts|verde|verdi|zöld|zöldet|zölddel"
    ),
    "violet": (
        "violette mauer|lila mauer|violet wall|purple wall|mur violet|muro viola|lila fal"
        "|lila falat|violett|violette|violetten|lila|purple|violets|viola|lilát|lilával|ibolya"
        "|mauve"
    ),
    # only in a whole answer: `I am red` may be talk
    "?red": (
        "i am red|i'm red|i'll be red|red plays|ich bin rot|bin ich rot|rot spielt|je suis rouge"
        "|rouge joue|sono rosso|rosso gioca|piros vagyok|piros leszek|piros játszik"
    ),
    "?blue": (
        "i am blue|i'm blue|i'll be blue|blue plays|ich bin blau|bin ich blau|blau spielt"
        "|je suis bleu|bleu joue|sono blu|blu gioca|kék vagyok|kék leszek|kék játszik"
    ),
    "?green": (
        "i am green|i'm green|i'll be green|green plays|ich bin grün|bin ich grün|grün spielt"
        "|je suis vert|vert joue|sono verde|verde gioca|zöld vagyok|zöld leszek|zöld játszik"
    ),
    "?violet": (
        "i am violet|i'm violet|i'll be violet|violet plays|ich bin violett|bin ich violett"
        "|violett spielt|je suis violet|violet joue|sono viola|viola gioca|lila vagyok"
        "|lila leszek|lila játszik"
    ),
    "warrior": (
        "warriors|krieger|den krieger|kriegers|guerrier|guerriers|guerriero|guerrieri|harcos"
        "|harcost|harcosom|harcosomat|harcosommal|harcossal|harcosra|guerriero mio|a harcosommal"
        "|a harcossal"
    ),
    "traitor": (
        "traitors|traitor's|verräter|verräters|traître|traîtres|traditore|traditori|áruló|árulót"
        "|árulóm|árulómat|árulómmal|árulóval|árulóra|az árulómmal|az árulóval|traditrice"
    ),
    "flood": (
        "árvizemet|áradásomat|inondazione mia|linondation|linondazione|innondation|innondazione"
        "|floods|flut|fluten|überschwemmung|überflutung|hochwasser|inondation|inondations|crue"
        "|inondazione|inondazioni|alluvione|áradás|áradást|áradásom|árvíz|árvizet|árvizem|özönvíz"
        "|áradásommal|áradással|árvízzel|árvizemmel"
    ),
    "builder|master-builder": (
        "baumeister|építőmester|építőmestert|építész|építészt|építészem|építészemet|építésszel"
        "|építészemmel|építészre|építésznek|építőmesterem|építőmesteremet"
    ),
    "builder": (
        "builders|bauarbeiter|maurer|maçon|bâtisseur|constructeur|costruttore|muratore|építő"
        "|építőt|építőm|építőmet|építőmunkás|kőműves|kőművest|építővel|építőmmel|kőművesem"
        "|kőművesemet|muratore mio"
    ),
    "master-builder": (
        "master builder|masterbuilder|architect|oberbaumeister|meisterbaumeister|großbaumeister"
        "|architekt|maître bâtisseur|maître-bâtisseur|maître constructeur|maître maçon|architecte"
        "|architetto|capomastro|mastro costruttore|maestro costruttore|mesterépítő|mesterépítőt"
        "|építésvezető|építésvezetőt|főépítész|főépítészt|főépítészem|főépítészemet|főépítésszel"
        "|főépítészre"
    ),
    "mandarin": (
        "mandarins|mandarine|mandarino|mandarini|mandarint|mandarinom|mandarinomat|mandarin swaps"
        "|mandarin swap|mandarin to swap|mandarin tauscht|mandarin échange|mandarino scambia"
        "|mandarin cserél|mandarin megcseréli|hivatalnok|hivatalnokom|a hivatalnok|a hivatalnokom"
        "|hivatalnokot|funzionario|funzionari|il funzionario|funzionario scambia|hivatalnokomat"
        "|hivatalnokkal|hivatalnokommal|hivatalnokra|mandarinra|mandarinnal|mandarinommal"
        "|mandarino scambi|mandarin permute|mandarin swapping"
    ),
    "mandarin none": (
        "mandarino non scambia nulla|mandarino non fa nulla|mandarino non fa niente"
        "|mandarin ne fait rien|mandarin does nothing|mandarin tut nichts"
        "|mandarin does not swap anything|mandarin doesn't swap anything"
        "|mandarin semmit nem cserél|mandarin nem csinál semmit|mandarin bleibt"
        "|mandarin bleibt ruhig|mandarin stays|mandarin stays put|mandarin stays home"
        "|mandarin ne bouge pas|mandarin ne bouge|mandarin ne bouge rien|mandarino sta fermo"
        "|mandarino resta fermo|mandarino non si muove|mandarin marad"
        "|mandarin soll nichts tauschen|mandarin bleibt untätig|mandarin macht nichts"
        "|mandarin reste tranquille|mandarin reste|mandarin swaps nothing|mandarin does not swap"
        "|mandarin doesn't swap|mandarin no swap|mandarin tauscht nicht|mandarin tauscht nichts"
        "|mandarin n'échange rien|mandarin n'échange pas|mandarino non scambia"
        "|mandarino non scambia niente|mandarin nem cserél|mandarin nem cserél semmit"
        "|hivatalnok nem cserél|hivatalnok nem cserél semmit|hivatalnok nem csinál semmit"
        "|funzionario non scambia nulla|funzionario non scambia niente|funzionario non fa niente"
        "|funzionario non fa nulla|mandarin won't swap|mandarin won't swap anything"
        "|mandarin will not swap anything|mandarin will do nothing|mandarin will not do anything"
        "|mandarin won't do anything|mandarin ne fera rien|mandarin n'échangera rien"
        "|mandarino non farà nulla|mandarino non scambierà nulla"
    ),
    "reserve": (
        "qu'elle garde|e tiene|tiene|foglalás|lefoglalt mező|reservierung|le fenntartva|res"
        "|kept for|is kept|is the square i want kept|the square i want kept|held for|held for me"
        "|held for green|held for red|held for blue|held for violet|is kept for|is kept for me"
        "|is reserved for one of my walls|reserved for one of my walls"
        "|bleibt für eine mauer von mir reserviert|für eine mauer von mir reserviert"
        "|soll frei bleiben|soll für mich frei bleiben|möchte ich reserviert haben|ich reserviere"
        "|reserviertes feld ist|reserviertes feld|die reserve ist|und als reserve|réservation"
        "|réservation en|la réservation|je me réserve|que je me réserve"
        "|réservée pour un de mes murs|réservé pour un de mes murs|la case gardée est|case gardée"
        "|la case qu'elle réserve est|la riserva|resta riservata a me|riservata a me"
        "|tengo per un mio muro|per un mio muro|come casella riservata prendo"
        "|come casella riservata|casella riservata|foglalom le|foglalom le vele|le foglalom"
        "|fenntartott mező|a fenntartott mező|tartom fenn a falamnak|fenntartva nekem|gardee"
        "|gardée|gardé|lefoglalom|lefoglalva|lefoglalok|si prenota|prenoto|prenota|reservee"
        "|bleibt reserviert|bleibt frei|bleibt für mich|reste réservé|reste réservée"
        "|resta riservata|resta riservato|stays reserved|remains reserved|is reserved|stays free"
        "|remains free|ist reserviert|est réservée|è riservata|elle garde|elle réserve|qui garde"
        "|qui réserve|che tiene|che riserva|which keeps|that keeps|which reserves|en me réservant"
        "|me réservant|réservant|tartom fenn|tartom szabadon|mi tengo|reservierte feld ist"
        "|das reservierte feld ist|reserved square is|the reserved square is"
        "|the square i reserve is|la case réservée est|la casella riservata è|a foglalt mező"
        "|held back|hold back|holding back|behalte|behalt|behalten|behalte ich|aufheben|hebe|heb"
        "|hebe auf|reservierte|reserviertes|reservierten|soll reservieren|as reserve"
        "|as the reserve|als reserve|en réserve|comme réserve|come riserva|riservata|tartalékba"
        "|tartaléknak|je réserve|je garde libre|garder libre|let it keep|let it reserve|gardera"
        "|gardera la case|et gardera|tieni|tieni libera|tieni libero|tenga|tenga libera|tartsa"
        "|tartsa fenn|tartsa szabadon|soll freihalten|hält frei|reserves|reserving|reserved|keep"
        "|keeps|keeping|it should keep|should keep|and keep|saving|reserviere|reserviert"
        "|reservieren|freihalten|halte|bleibt|frei halten|réserve|réserver|réservé|réservée"
        "|en réservant|je garde|garde|gardant|reste|riserva|riservo|riservando|riservare|riservato"
        "|tengo|tenendo|resta|rimane|foglalja|foglalom|fenntartom|fenntartva|tartalék|foglalt"
        "|maradjon|marad|stays mine|remains mine|kept for me|bleibt mir|bleibt meins"
        "|bleibt für mich frei|me reste réservée|resta mia|rimane mia|resta per me"
        "|maradjon az enyém|marad az enyém|reserved square|the reserved square"
        "|das reservierte feld|la case réservée|case réservée sera celle de"
        "|la case réservée sera celle de|la casella riservata|foglalt mező|freizuhalten"
        "|mir aufheben|and hold|hold for me|please hold|should hold"
    ),
    "": (
        "halfway|tartományt|a tartomány|across|spanning|tutto coperto|tutte coperte|alles verdeckt"
        "|beide verdeckt|all face down|both face down|both hidden|tout caché|lefelé fordítva"
        "|lefelé|counts as|count as|zählt als|compte comme|vale come|conta come|számít|counts as a"
        "|compte comme un|conta come un|falnak számít|face down|facedown|hidden|verdeckt"
        "|face cachée|cachée|cachées|coperta|coperte|coperto|képpel lefelé|lefordítva|free|frei"
        "|freibleiben|für mich frei|libre|vuota|libera|libero|szabad|szabadon|falhely|falhelyre"
        "|province|provinz|provinces|provincia|tartomány|tartományba|region|région|regione"
        "|territorio|régió|simple|simples|singoli|singolo|for the majority|in the majority"
        "|towards the majority|bei der mehrheit|für die mehrheit|zur mehrheit|pour la majorité"
        "|per la maggioranza|nella maggioranza|a többségnél|a többséghez|a többségbe|be counted as"
        "|should be counted as|treat as|treats as|stand in as|stands in as|to count as|counting as"
        "|counts|count|zählen|soll zählen|behandeln|werten|soll gelten|gilt als|compter|comptera"
        "|comptera comme|doit compter|doit compter comme|compter comme|considère|considérer|sera"
        "|conta|contare|contare come|va contato|va contato come|conti come|considera|számítson"
        "|számíts|számold|tekintsd|számítsd|vale|valga|valere|vale un|vaut|vaudra|vaudra un|vaille"
        "|at scoring|at the scoring|at the scoring of|on scoring|when scoring|scored"
        "|bei der wertung|bei der wertung von|wertung|die wertung|wertung von|au décompte"
        "|au décompte de|décompte|décompte de|au moment du décompte|al conteggio|al conteggio di"
        "|conteggio|al momento del conteggio|értékelésekor|az értékelésekor|értékelése"
        "|értékelésénél|kiértékelésekor|kiértékelésénél|the province|that province|its value"
        "|seinen wert|ihren wert|sa valeur|il suo valore|az értékét|thanks to|dank|grâce à"
        "|grazie al|grazie alla|jóvoltából|by means of|mit hilfe von"
    ),
}
