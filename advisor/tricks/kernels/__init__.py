"""Compiled search. For users there is :mod:`advisor.tricks.solver`; importing this compiles nothing."""
