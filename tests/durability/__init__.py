"""Kills, full drives, races, lost files: what a referee's machine does to real games. P8."""
