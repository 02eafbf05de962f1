"""Rules of games as pure functions, without files, clock, randomness, TOML, cryptography or printing."""
