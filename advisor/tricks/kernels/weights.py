"""Weights of the move order.

Found by trying random changes and keeping those that left fewer positions to visit, on a few
hundred random and declarer's deals and misères. They change the time, never the result.
"""

import numpy as np

POSITIVE = 1 << 12  # added to every score, so that items sort by it

# Leads. Rows: declarer to lead, declarer next, declarer last; each in no trump, in a side suit, in
# the trump suit. Three more for misères.
# Columns: the card known first in its suit (ace, in a misère seven) is led, is kept, is with the
# next hand, with the last.
HOLDER = np.array(
    [
        [35, -10, 25, 10],  # declarer, no trump
        [70, 30, 20, 15],  # declarer, side suit
        [60, -20, 40, -55],  # declarer, trumps
        [40, 40, 50, 55],  # declarer next, no trump
        [50, 10, 35, 75],  # declarer next, side suit
        [70, -15, 20, 55],  # declarer next, trumps
        [15, 35, 60, 50],  # declarer last, no trump
        [50, 20, 45, 40],  # declarer last, side suit
        [40, -5, 65, 0],  # declarer last, trumps
        [30, 30, 85, 70],  # misère, declarer
        [70, 45, 40, 30],  # misère, declarer next
        [50, 40, 30, 40],  # misère, declarer last
    ],
    np.int64,
)
# For each card in the suit; for the suit's last and first card in the hand; if the next hand, the
# last hand is void (and can ruff, if it is a side suit); if the lead did it before in this trick.
LENGTH = np.array([8, 2, 0, 3, -1, -6, 5, 1, 0, -5, 1, -6], np.int64)
LAST = np.array([-5, -25, -15, -70, -5, -10, -5, 0, -5, 28, 0, 20], np.int64)
FIRST = np.array([10, 5, 0, 0, 0, 5, 0, 20, 0, 0, -35, -5], np.int64)
NEXT_VOID = np.array([-25, -10, -35, -10, -80, -25, -40, 45, 15, -45, -55, 10], np.int64)
LAST_VOID = np.array([-40, -20, -55, -25, 25, 0, -10, -85, -5, -30, -20, -25], np.int64)
KILLER_SCORE = np.array([30, 30, 30, 0, 0, 0, 60, 60, 60, 20, 50, 40], np.int64)

# Discards: a defender's in no trump, with trumps, in a misère; then the declarer's. For each step
# from the card known first; for each card in the suit, own and of all; if the first is not held.
DISCARD_RANK = np.array([18, 0, 5, 1, 1, 0], np.int64)
DISCARD_LENGTH = np.array([2, 18, -3, 8, 9, -3], np.int64)
DISCARD_LEFT = np.array([7, -5, -1, -1, -3, 1], np.int64)
DISCARD_NO_TOP = np.array([2, 8, 8, -2, 0, 10], np.int64)
