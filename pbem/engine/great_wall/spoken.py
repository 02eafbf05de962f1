"""The words of orders as people say them, in the five languages of the players.

Each key is what a word means in an order ("": nothing), each value its ways of being said, apart by
`|`. Accents may be left out, but of one marked `=`. Source: the rulebooks, and docs/decisions/0019.
"""

SPOKEN = {
    "play": (
        "játék|játszom ki|játszok ki|i'm playing|i am playing|plays|playing|put down|lay|lege|leg"
        "|spiele|spiel|ausspielen|lege aus|spiele aus|joue|je joue|pose|je pose|jouer|poser|gioco"
        "|metto|gioca|cala|calo|metti|kijátszom|kijátszok|lerakok|lerakom|leteszek|leteszem"
        "|kiteszem|játszom|játszok|rakok|teszek"
    ),
    "draw": (
        "kérek még egy kártyát a húzópaklimból|kérek még egy lapot a pakliból"
        "|un'altra carta dal mazzo per favore|another card from my deck please"
        "|one card from my deck please|a card from my deck please"
        "|eine karte von meinem stapel bitte|noch eine karte vom stapel bitte"
        "|une carte s'il te plaît|une carte svp|noch eine karte bitte|noch eine karte ziehen"
        "|eine weitere karte ziehen|encore une carte svp|un'altra carta per favore|una pescata"
        "|pescata|je pioche encore une carte|preferisco pescare|je préfère piocher"
        "|ich ziehe lieber|another card from my deck|one more card from my deck"
        "|i take another card|take another card|i'll take another card|card please|a card please"
        "|one card please|and a card please|another card please|one more card please|another draw"
        "|one more draw|draw 1|1 draw|ich nehme noch eine karte|nehme noch eine karte|karte bitte"
        "|eine karte bitte|und bitte eine karte|ich nehme eine karte vom stapel|1 ziehen"
        "|tirer une carte|en tire une|j'en tire une|encore une carte s'il te plaît|ne pesco una"
        "|una carta per favore|egy lapot kérek|kérek egy kártyát|kérek még egy lapot"
        "|kérek még egy kártyát|még egy lapot kérek|egy kártyát kérek|az egyiket felhúzom"
        "|húzok a pakliból|e poi una carta dal mio mazzo|prendo una carta dal mio mazzo"
        "|je prends une carte de mon paquet|prends une carte de mon paquet|je tire|kérek egy lapot"
        "|felveszek egy kártyát|felveszek egy kártyát a paklimból|felveszek egy lapot a paklimból"
        "|zieh nochmal|ziehe nochmal|zieh noch mal|nochmal ziehen|zieh nochmal ne karte"
        "|zieh nochmal eine karte|ziehe nochmal eine karte|zieh ne karte|zieh noch ne karte"
        "|draw again|draw once more|pioche à nouveau|pioche encore une fois|pesco di nuovo"
        "|pesco ancora una volta|megint húzok|húzok megint|még egyszer húzok|draw another one"
        "|draw another|draw another card|draw one more|draw one more card|ziehe noch eine"
        "|ziehe noch eine karte|ziehe noch mal|pioche encore|pioche encore une"
        "|pioche encore une carte|pioche une autre carte|pesco ancora|pesco ancora una"
        "|pesco ancora una carta|húzok még egyet|húzok még egy lapot|and one card from the deck"
        "|and a card from the deck|then a card from the deck|then one card from the deck"
        "|and then a card from the deck|und eine karte vom stapel|dann eine karte vom stapel"
        "|und dann eine karte vom stapel|und eine karte vom nachziehstapel"
        "|et une carte de la pioche|puis une carte de la pioche|e una carta dal mazzo"
        "|poi una carta dal mazzo|e poi una carta dal mazzo|és egy lapot a pakliból"
        "|aztán egy lapot a pakliból|take a card|take one card|i take a card|i take one card"
        "|i take a card from my deck|i take a card from the deck|take a card from my deck"
        "|take a card from the deck|deal me a card|give me a card"
        "|nehme eine karte vom nachziehstapel|nehme eine karte vom stapel|nehme ich eine karte"
        "|nehme ich eine karte vom stapel|nehme ich eine karte vom nachziehstapel|ziehe ich nach"
        "|ziehe ich eine karte|ziehe ich|je prends une carte|prends une carte"
        "|je prends une carte de la pioche|je tire une carte|prendo una carta"
        "|prendo una carta dal mazzo|pesco un'altra carta|pesco un'altra|veszek egy lapot"
        "|felhúzok egy lapot|felveszek egy lapot|one card drawn|then one from the deck"
        "|and one from the deck|and then one from the deck|dann eine vom stapel"
        "|und eine vom stapel|und dann eine vom stapel|puis une de la pioche|et une de la pioche"
        "|poi una dal mazzo|e una dal mazzo|e poi una dal mazzo|aztán egyet a pakliból"
        "|és egyet a pakliból|draw from the deck|draw one from the deck|pesco dal mazzo"
        "|ich nehme eine karte|nehme eine karte|ziehe eine|eine ziehen|húznék|húznék egyet"
        "|húznék egy lapot|huzok|i pick up a card|drawing a card|draws|drawing|draw a card"
        "|draw one card|draw one|draw cards|pick up a card|ziehen|ziehe|zieh|ziehe eine karte"
        "|karte ziehen|eine karte ziehen|nachziehen|ziehe nach|ziehe karten|pioche|piocher"
        "|je pioche|pioche une carte|piocher une carte|pioches|tire une carte|pesco|pescare|pesca"
        "|pesco una carta|pescate|pescare una carta|pescando|húzok|húzás|húzni|húz|húzok egy lapot"
        "|húzok egyet|lapot húzok|egy lapot húzok|laphúzás|húzok egy kártyát|húzok lapot"
    ),
    "take": (
        "i take|ich nehme|je prends|io prendo|i'll have|i'd like|veszem el|elvenném|kérném"
        "|i'll go for|takes|taking|i'll take|choose|nehme|nimm|nehmen|prends|prendre|prendo"
        "|prendere|prendi|elveszem|veszem|elvenni"
    ),
    "wall": "egy fallal|falamat|utolsó falam|falam|mauren|mauer|mur|muraille|muro|fal|falat",
    "gate": "tor|das tor|porte|la porte|porta|portone|kapu|kaput|kapum|kapumat",
    "watchtower": (
        "watch tower|watch-tower|tower|wachturm|wachtturm|turm|tour de guet|tour|torre di guardia"
        "|torre|torretta|őrtorony|őrtornyot|torony|tornyot"
    ),
    "guard": (
        "=őrség|=őrséget|orseg|orseget|wachmann|wachtposten|wache|wächter|wachposten|garde|guardia"
        "|=őr|=őrt|=őröm|őrömet|egy őrt|őrömre|őröm|az őröm|őrömhöz|egyetlen őrömre"
    ),
    "horseman": "rider|reiter|cavalier|cavaliere|lovas|lovast|lovasom|lovasomat",
    "noble": (
        "adligen|adeligen|edlen|edelmanns|nobleman|adliger|adlige|edelmann|adeliger|edler|nobile"
        "|nemes|nemest|nemesem|nemesember"
    ),
    "dragon": "drache|drago|sárkány|sárkányt|sárkányom",
    # several, nobody knows how many but by a number before it, or by what is possible
    "wall|walls": "fallal|walls|mauern|murs|muri|falak|falakat|falaim|falaimat",
    "gate|gates": "gates|tore|portes|kapuk|kapukat|kapuim|kapuimat",
    "watchtower|watchtowers": (
        "watchtowers|watch towers|towers|wachtürme|türme|tours|torri|tornyok|tornyokat"
    ),
    "guard|guards": "guards|wachen|gardes|guardie|=őrök|=őröket|őreim|őreimet",
    "horseman|horsemans": "horsemen|riders|reitern|cavaliers|cavalieri|lovasok|lovasokat",
    "noble|nobles": "nobles|noblemen|edelleute|nobili|nemesek|nemeseket",
    "dragon|dragons": "dragons|drachen|draghi|sárkányok|sárkányokat",
    "over": "over the|über|par-dessus|au-dessus|par dessus|sopra|copre|fölé|rá",
    "1": (
        "la une|le un|auf die eins|egyes|egyest|egyesre|az egyes|eins|first card|erste karte"
        "|only card|the only card|einzige karte|meine einzige karte|one on|one to|one at"
        "|one goes to|one goes on|one onto|and one on|eine auf|eine nach|einen auf"
        "|eine auf die|une sur|un sur|un en|une en|un à|uno su|uno in|una su|una in|egyet az"
        "|egyet a|egyet|egy az|the last one on|the last one to|the last on|the last to"
        "|die letzte auf|die letzte nach|le dernier sur|le dernier en|l'ultimo in|l'ultimo su"
        "|l'ultimo nel|az utolsót az|az utolsó az"
    ),
    "2": (
        "tutte e due|tutti e due|tutt'e due|tous les deux|toutes les deux|alle beide"
        "|alle zwei|mind a két|both|both of|beide|beiden|les deux|mes deux|entrambi|entrambe"
        "|i due|mindkét|2-est|kettőst|kettes|kettest|kettesre|both my actions are"
        "|both actions are|both my actions|both actions|beide aktionen|in both actions"
        "|with both actions|with both my actions|in beiden aktionen|mit beiden aktionen"
        "|je zwei aktionen|con entrambe le azioni|in tutte e due le azioni|entrambe le azioni"
        "|avec mes deux actions|avec chacune de mes deux actions|mes deux actions sont"
        "|mindkét akcióm|mindkét akciómmal|mindkét akcióban"
    ),
    "2x": (
        "wachenpaar|double|pair of|a pair of|couple of|a couple of|doppel|doppelte|doppelten"
        "|doppelter|une paire de|paire de|doppio|doppia|un paio di|paio di|una coppia di|coppia di"
        "|dupla|duplán"
    ),
    "3": "hármas|hármast|hármasra",
    "4": "négyes|négyest|négyesre",
    "5": "ötös|ötöst|ötösre",
    "6": "hatos|hatost|hatosra",
    # places, and what tells one
    "middle": (
        "middle site|the middle site|in the middle|mitte|die mitte|mittlere|mittleren"
        "|mittlere stelle|mittleren stelle|mittlere baustelle|milieu|du milieu|site du milieu"
        "|chantier du milieu|site central|centre|mezzo|nel mezzo|di mezzo|in mezzo|centrale"
        "|sito centrale|cantiere centrale|középső|középsőre|középső hely|középső helyre"
        "|középső helyszínre|középre"
    ),
    # besides two actions
    "extra": (
        "free of charge|for free|for nothing|gratis|gratuit|gratuitement|gratuita|gratuito"
        "|ingyen|ingyenes|kostenlos|kostet nichts|kostet ja nichts|kostet keine aktion"
        "|it's free|it is free|costs no action|which is free|sans action|as an extra|extra"
        "|besides|als extra|en plus|en bonus|in più|come extra|pluszban|ráadásnak"
        "|before my actions|vor meinen aktionen|vor den aktionen|avant mes actions"
        "|avant les actions|prima delle azioni|prima delle mie azioni|az akcióim előtt"
        "|az akciók előtt"
    ),
    "empty": (
        "where nobody is|nobody is there|where nobody else is|nobody else is there"
        "|da ist sonst niemand|da liegt sonst niemand|wo sonst niemand ist|wo niemand ist"
        "|wo niemand liegt|il n'y a personne|il n'y a personne là-bas|où il n'y a personne"
        "|non c'è nessuno|dove non c'è nessuno|ahol nincs senki|nincs ott senki"
        "|where there is nobody|where no one is|empty site|the empty site|leer|leere stelle"
        "|die leere stelle|leeren stelle|leere stätte|leeren stätte|site vide|le site vide|vide"
        "|sito vuoto|il sito vuoto|vuoto|sito senza carte|il sito senza carte|üres|üres hely"
        "|üres helyre|üres helyszín|üres helyszínre|az üres helyre|empty"
    ),
    "S1": (
        "stätte 1|stätte eins|erste stätte|ersten stätte|site numéro 1|location 1|az s1 helyszínre"
        "|posto 1|luogo 1|ort 1|ort eins|erster ort|ersten ort|first site|the first site"
        "|erste stelle|ersten stelle|ersten platz|premier site|premier chantier|primo sito"
        "|primo cantiere|első hely|első helyre|első helyszín|első helyszínre|site 1|site one"
        "|stelle 1|stelle eins|baustelle 1|bauplatz 1|platz 1|site un|le site 1|chantier 1"
        "|cantiere 1|sito 1|sito uno|egyes helyszín|egyes helyszínre|egyes hely|egyes helyre"
        "|1-es helyszín|1-es helyszínre|1-es hely|1-es helyre"
    ),
    "S2": (
        "stätte 2|stätte zwei|zweite stätte|zweiten stätte|site numéro 2|location 2|posto 2"
        "|luogo 2|ort 2|ort zwei|zweiter ort|zweiten ort|second site|the second site|zweite stelle"
        "|zweiten stelle|zweiten platz|deuxième site|deuxième chantier|secondo sito"
        "|secondo cantiere|második hely|második helyre|második helyszín|második helyszínre|site 2"
        "|site two|stelle 2|stelle zwei|baustelle 2|bauplatz 2|platz 2|site deux|le site 2"
        "|chantier 2|cantiere 2|sito 2|sito due|kettes helyszín|kettes helyszínre|kettes hely"
        "|kettes helyre|2-es helyszín|2-es helyszínre|2-es hely|2-es helyre"
    ),
    "S3": (
        "stätte 3|stätte drei|dritte stätte|dritten stätte|site numéro 3|location 3|posto 3"
        "|luogo 3|ort 3|ort drei|dritter ort|dritten ort|third site|the third site|dritte stelle"
        "|dritten stelle|dritten platz|troisième site|troisième chantier|terzo sito|terzo cantiere"
        "|harmadik hely|harmadik helyre|harmadik helyszín|harmadik helyszínre|site 3|site three"
        "|stelle 3|stelle drei|baustelle 3|bauplatz 3|platz 3|site trois|le site 3|chantier 3"
        "|cantiere 3|sito 3|sito tre|hármas helyszín|hármas helyszínre|hármas hely|hármas helyre"
        "|3-as helyszín|3-as helyszínre|3-as hely|3-as helyre"
    ),
    "S4": (
        "stätte 4|stätte vier|vierte stätte|vierten stätte|site numéro 4|location 4|posto 4"
        "|luogo 4|ort 4|ort vier|vierter ort|vierten ort|fourth site|the fourth site|vierte stelle"
        "|vierten stelle|vierten platz|quatrième site|quatrième chantier|quarto sito"
        "|quarto cantiere|negyedik hely|negyedik helyre|negyedik helyszín|negyedik helyszínre"
        "|site 4|site four|stelle 4|stelle vier|baustelle 4|bauplatz 4|platz 4|site quatre"
        "|le site 4|chantier 4|cantiere 4|sito 4|sito quattro|négyes helyszín|négyes helyszínre"
        "|négyes hely|négyes helyre|4-es helyszín|4-es helyszínre|4-es hely|4-es helyre"
    ),
    "": (
        "sito|al sito|sul sito|nel sito|hely|helyre|helyszínt|helyszínre|helyszínen|lapomat"
        "|a helyszínre|stätte|location|luogo|put it on|lege sie auf|lege ihn auf|lege es auf"
        "|leg sie auf|je le pose sur|je le mets sur|lo metto sul|lo metto sulla"
        "|la metto sulla|onto|lapra|a lapra|kártyára|card|cards|marker|markers|karte|karten"
        "|plättchen|marqueur|marqueurs|jeton|carte|carta|segnalino|segnalini|lap|lapot|lapom"
        "|jelző|jelzőt|kártya|kártyát|site|sites|chantier|platz|baustelle|cantiere|helyszín"
        "|lege ihn|rakom|teszem|place|straight away|right away|gleich|sofort|tout de suite"
        "|subito|rögtön|as my two actions|my two actions|meine zwei aktionen"
        "|meine beiden aktionen|mes deux actions|mes 2 actions|le mie due azioni|a két akcióm"
        "|my two actions are|my actions are|meine aktionen sind|meine zwei aktionen sind"
        "|meine beiden aktionen sind|mes actions sont|le mie azioni sono"
        "|le mie due azioni sono|az akcióim|my actions|meine aktionen|mes actions"
        "|le mie azioni|azioni"
    ),
}
