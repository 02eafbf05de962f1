"""Tests of the room of cryptography."""
