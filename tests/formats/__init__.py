"""Tests of pbem/formats."""
