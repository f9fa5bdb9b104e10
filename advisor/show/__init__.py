"""Reports and pictures; nothing here computes."""
