"""Putting the advice to the test: policies at one table, and predictions against what happens."""
