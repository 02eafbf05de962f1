"""Mutation testing of the rules, by hand: ``python -m tests.mutants --help`` (CONTRIBUTING.md)."""
