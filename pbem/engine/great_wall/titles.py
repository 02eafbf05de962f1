"""What facts and questions are called, for who corrects, and for who reads or waits.

Source: FORMAT.md, "The position of great-wall"; a number in braces is a word of the row.
"""

TITLES = {
    "seats": "the turn order",
    "dealt": "the state of the deal",
    "sites": "the sites",
    "sites.*": "the free markers of {0}",
    "sites.*.free": "the free markers of {0}",
    "cards": "the cards on the sites",
    "cards.*": "card {1} on {0}",
    "cards.*.1": "the number of a card on {0}",
    "cards.*.2": "whose card {1} on {0} is",
    "cards.*.3": "the kind of card {1} on {0}",
    "cards.*.over": "the card that card {1} on {0} covers",
    "cards.*.marker": "the marker on card {1} on {0}",
    "colours": "the cards and markers of the players",
    "colours.*": "the cards and markers of {0}",
    "colours.*.deck": "the number of cards in the deck of {0}",
    "colours.*.hand": "the number of cards in the hand of {0}",
    "colours.*.played": "the cards that {0} has played",
    "colours.*.won": "the markers that {0} has won",
    "drawn": "the number of markers that have left the reserve",
    "reserve": "the number of markers in the reserve",
    "discarded": "the markers that left the game in pairs",
    "turn": "the number of the turn",
    "seat": "whose turn it is",
    "stage": "what is asked now",
    "site": "the site whose marker is to be taken",
    "caller": "who has called the last turn",
    "ended_by": "the rule that ended the game",
}

#: words of a row that a correction may name: their numbers, from 0
NAMES = {"cards.*.number": "1", "cards.*.owner": "2", "cards.*.kind": "3"}

#: questions whose kind alone says little to who waits for the answer
QUESTIONS = {
    "second": "first of two actions",
    "third": "second of two actions",
    "marker": "marker at {about}",
}
