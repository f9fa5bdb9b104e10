"""From deals to expected scores and the choice among calls."""
