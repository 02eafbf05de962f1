"""Tests of pbem/bots."""
