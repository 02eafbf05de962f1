"""Tests of pbem/mail."""
