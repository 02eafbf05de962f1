"""Tests of pbem/play."""
