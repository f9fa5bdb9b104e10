"""Compiled search; importing the package alone compiles nothing."""
