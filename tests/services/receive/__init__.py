"""How a player is known: by his key, his password, the code of his mail, the referee's word."""
