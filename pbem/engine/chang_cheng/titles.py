"""What facts and questions are called, for who corrects, and for who reads or waits.

Source: FORMAT.md, "The position of chang-cheng"; a number in braces is a word of the row.
"""

TITLES = {
    "seats": "the turn order",
    "boards_allowed": "the number of boards that may lie on the table",
    "dealt": "the state of the deal",
    "boards": "the boards on the table",
    "boards.*": "board {0}",
    "box": "the boards in the box",
    "box.*": "a board in the box",
    "squares": "the walls",
    "squares.*": "square {0}",
    "squares.*.1": "whose wall stands on {0}",
    "squares.*.2": "what stands on {0}",
    "provinces": "the provinces",
    "provinces.*": "province {0}",
    "provinces.*.1": "the reputation counter of {0}",
    "regions": "the regions",
    "regions.*": "the threat counter (place in the pile) of {0}",
    "regions.*.1": "the threat counter (place in the pile) of {0}",
    "turned": "the threat counters that are turned up",
    "turned.*": "the threat counter at place {0} of the pile, turned up",
    "turned.*.1": "the threat counter at place {0} of the pile, turned up",
    "colours": "points and cards",
    "colours.*": "points and cards of {0}",
    "colours.*.1": "the points of {0}",
    "colours.*.hand": "the number of cards in the hand of {0}",
    "colours.*.out": "the cards of {0} that are out of the game",
    "colours.*.reserve": "the square that the tower of {0} keeps",
    "looked": "who has looked at which threat counters",
    "looked.*": "the threat counters (places in the pile) that {0} has looked at",
    "looked.*.1": "the threat counters (places in the pile) that {0} has looked at",
    "cards": "the cards that lie face down",
    "cards.*": "the card of {1} that lies face down in {2}",
    "cards.*.1": "whose card it is that lies face down in {2}",
    "cards.*.2": "the province in which a card of {1} lies face down",
    "emperors": "the number of provinces scored since a board joined",
    "turn": "the number of the turn",
    "seat": "whose turn it is",
    "stage": "what is asked now",
    "skips": "the number of turns skipped in a row",
    "events": "the events in play",
    "colour": "the colour that is played this turn",
    "keepers": "the colours whose tower may keep a square",
    "neutral": "where a neutral wall may go",
    "first": "the first step of this turn",
    "scoring": "the province that is being scored",
    "queue": "the provinces still to be scored",
    "ended_by": "the rule that ended the game",
}

#: words of a row that a correction may name: their numbers, from 0
NAMES = {
    "squares.*.owner": "1",
    "squares.*.wall": "2",
    "provinces.*.reputation": "1",
    "regions.*.threat": "1",
    "colours.*.points": "1",
    "cards.*.owner": "1",
    "cards.*.province": "2",
}

#: questions whose kind alone says little to who waits for the answer
QUESTIONS = {
    "second": "second wall or card, after the one in {about}",
    "colour": "colour of this turn",
    "board": "place of board {about}",
    "neutral": "neutral wall",
}
