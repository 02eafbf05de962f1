"""Tests of the house itself: its walls, its names, its front door, its wheel."""
