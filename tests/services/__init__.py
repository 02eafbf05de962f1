"""Tests of pbem/services."""
