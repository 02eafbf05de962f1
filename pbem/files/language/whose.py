"""What tells that orders are somebody else's, a pattern for each language of the players.

What must never be here: the words around orders (talk.py).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

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
