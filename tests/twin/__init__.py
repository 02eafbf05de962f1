"""P2, no leak: two worlds that a seat cannot tell apart, and all that it is told in each."""
