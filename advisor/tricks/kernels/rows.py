# mypy: disable-error-code="arg-type"
"""Loops over deals."""

import numpy as np

from advisor.tricks.kernels.cards import count, inner
from advisor.tricks.kernels.jit import Bytes, Ints, Masks, Places, compiled
from advisor.tricks.kernels.search import can_take, first_guess, tricks
from advisor.tricks.kernels.table import NODES, begin


@compiled(
    "void(int64[::1], uint16[::1], uint32[:, ::1], int8[::1], int8[::1],"
    " int64, int8[::1], int64[::1])"
)
def solve_rows(
    mem: Ints,
    places: Places,
    hands: Masks,
    strain: Bytes,
    leader: Bytes,
    misere: int,
    out: Bytes,
    nodes: Ints,
) -> None:
    """Solve deals one by one; ``nodes`` receives the positions visited."""
    for row in range(hands.shape[0]):
        begin(mem, np.int64(strain[row]), misere)
        mem[NODES] = 0
        h0 = inner(np.int64(hands[row, 0]), misere)
        h1 = inner(np.int64(hands[row, 1]), misere)
        h2 = inner(np.int64(hands[row, 2]), misere)
        out[row] = tricks(mem, places, h0, h1, h2, np.int64(leader[row]), first_guess(mem, h0))
        nodes[row] = mem[NODES]


@compiled(
    "void(int64[::1], uint16[::1], uint32[:, ::1], int8[::1], int8[::1],"
    " int64, int8[::1], int64[::1])"
)
def caught_rows(
    mem: Ints,
    places: Places,
    hands: Masks,
    strain: Bytes,
    leader: Bytes,
    misere: int,
    out: Bytes,
    nodes: Ints,
) -> None:
    """As ``solve_rows``, but only whether the declarer takes a trick at all: 0 or 1."""
    for row in range(hands.shape[0]):
        begin(mem, np.int64(strain[row]), misere)
        mem[NODES] = 0
        h0 = inner(np.int64(hands[row, 0]), misere)
        h1 = inner(np.int64(hands[row, 1]), misere)
        h2 = inner(np.int64(hands[row, 2]), misere)
        out[row] = can_take(mem, places, h0, h1, h2, np.int64(leader[row]), 1, count(h0))
        nodes[row] = mem[NODES]
