"""Tests of pbem/proof."""
