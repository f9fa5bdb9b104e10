"""Deals of the unseen cards, consistent with what was heard."""
