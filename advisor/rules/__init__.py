"""The game itself: contracts, auction, play, conventions, scoring."""
