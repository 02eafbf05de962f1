"""Changed states, chains, report blocks: always found, before anything is parsed. P1, P5, P7."""
