"""Rules of games as pure functions: no files, clock, randomness, TOML, cryptography or printing."""
