"""Preferans bidding advisor."""
