"""Whole sentences with values in braces: why an order is refused, and the lines of the table."""

from pbem.engine.row import N_

OVER = N_("the game is over")
NO_SEAT = N_("only a player who has a seat can bid")
BID_IS_IN = N_("your bid for {lot} has been played and cannot change")
SPELT = N_("write it as `{line}`")
NOT_A_BID = N_("write `bid` and a token you have left: {tokens}")
NO_LOT = N_("there is no {name}; the lots are L1 to L{last}")
SOLD = N_("{name} has been sold")
ASKED_ALREADY = N_("your bid for {name} has been played")
GONE = N_("you do not have token {token}, and no token comes back")

LOT_FOR_SALE = N_("{name}  worth {worth}: for sale now")
LOT_SOLD = N_("{name}  worth {worth}: to {buyer}")
PILE = N_("Goods in the pile: {number}")
TOKENS = N_("{seat}: tokens {tokens}")
HAS_BID = N_("{seat}: tokens {tokens}; has bid")
TO_BID = N_("{seat}: tokens {tokens}; to bid")
