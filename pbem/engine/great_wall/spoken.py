"""The words of orders as people say them, in the five languages of the players.

Each key is what a word means in an order ("": nothing), each value its ways of being said, apart by
`|`. Accents may be left out, but of one marked `=`. Source: the rulebooks, and docs/decisions/0019.
"""

SPOKEN = {
    "play": (
        "i'm playing|i am playing|plays|playing|put down|lay|lege|leg|spiele|spiel|ausspielen"
        "|lege aus|spiele aus|joue|je joue|pose|je pose|jouer|poser|gioco|metto|gioca|cala|calo"
        "|metti|kijátszom|kijátszok|lerakok|lerakom|leteszek|leteszem|kiteszem|játszom|játszok"
        "|rakok|teszek"
    ),
    "draw": (
        "ich nehme eine karte|nehme eine karte|ziehe eine|eine ziehen|húznék|húznék egyet"
        "|húznék egy lapot|huzok|i pick up a card|drawing a card|draws|drawing|draw a card"
        "|draw one card|draw one|draw cards|pick up a card|ziehen|ziehe|zieh|ziehe eine karte"
        "|karte ziehen|eine karte ziehen|nachziehen|ziehe nach|ziehe karten|pioche|piocher"
        "|je pioche|pioche une carte|piocher une carte|pioches|tire une carte|pesco|pescare|pesca"
        "|pesco una carta|pescata|pescate|pescare una carta|pescando|húzok|húzás|húzni|húz"
        "|húzok egy lapot|húzok egyet|lapot húzok|egy lapot húzok|laphúzás|húzok egy kártyát"
        "|húzok lapot"
    ),
    "take": (
        "i take|ich nehme|je prends|io prendo|i'll have|i'd like|kérem|veszem el|elvenném|kérném"
        "|i'll go for|takes|taking|i'll take|choose|nehme|nimm|nehmen|prends|prendre|prendo"
        "|prendere|prendi|elveszem|veszem|elvenni"
    ),
    "wall": "walls|mauer|mauern|mur|murs|muraille|muro|muri|fal|falat|falak|falakat",
    "gate": (
        "gates|tor|tore|das tor|porte|portes|la porte|porta|portone|kapu|kaput|kapuk|kapum|kapumat"
    ),
    "watchtower": (
        "watchtowers|watch tower|watch towers|watch-tower|tower|towers|wachturm|wachtturm|turm"
        "|tour de guet|tour|torre di guardia|torre|torretta|őrtorony|őrtornyot|torony|tornyot"
    ),
    "guard": (
        "guards|wache|wachen|wächter|wachposten|garde|gardes|guardia|guardie|=őr|=őrt|=őrök|=őröm"
        "|őrömet|őröket|egy őrt"
    ),
    "horseman": (
        "horsemen|rider|riders|reiter|reitern|cavalier|cavaliers|cavaliere|cavalieri|lovas|lovast"
        "|lovasok|lovasom|lovasomat"
    ),
    "noble": (
        "nobles|nobleman|adliger|adlige|edelmann|adeliger|edler|nobile|nobili|nemes|nemest"
        "|nemesem|nemesember"
    ),
    "dragon": "dragons|drache|drachen|drago|draghi|sárkány|sárkányt|sárkányom",
    "over": "over the|über|par-dessus|au-dessus|par dessus|sopra|copre|fölé|rá",
    "on": (
        "put it on|lege sie auf|lege ihn auf|lege es auf|leg sie auf|je le pose sur"
        "|je le mets sur|lo metto sul|lo metto sulla|la metto sulla|onto|auf|sur|on card"
        "|on the card|auf die karte|auf karte|sur la carte|sur carte|sur ma carte|sulla carta"
        "|sulla|sull|sul|su|lapra|a lapra|kártyára"
    ),
    "1": (
        "la une|le un|auf die eins|egyes|egyest|egyesre|az egyes|eins|first card|erste karte"
        "|only card|the only card|einzige karte|meine einzige karte"
    ),
    "2": "2-est|kettőst|kettes|kettest|kettesre",
    "3": "hármas|hármast|hármasra",
    "4": "négyes|négyest|négyesre",
    "5": "ötös|ötöst|ötösre",
    "6": "hatos|hatost|hatosra",
    "": (
        "card|cards|marker|markers|karte|karten|plättchen|marqueur|marqueurs|jeton|carte|carta"
        "|segnalino|segnalini|lap|lapot|lapom|jelző|jelzőt|kártya|kártyát|site|sites|chantier"
        "|platz|baustelle|cantiere|helyszín|lege ihn|rakom|teszem|place"
    ),
}
