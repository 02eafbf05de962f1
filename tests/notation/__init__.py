"""Tests of pbem/notation."""
