# mypy: disable-error-code="arg-type, no-any-return"
"""All-pass in the middle of a trick: what a player can be made to take from there."""

from advisor.tricks.kernels.all_pass import take_turned, turned_winner
from advisor.tricks.kernels.cards import beats, count, first_of_runs, legal, suit_of
from advisor.tricks.kernels.jit import Ints, Places, compiled


@compiled(
    "int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64,"
    " int64, int64, int64)"
)
def take_after(
    mem: Ints,
    places: Places,
    a: int,
    b: int,
    c: int,
    d: int,
    x: int,
    y: int,
    z: int,
    need: int,
    n: int,
    card: int,
    later: int,
    plays: int,
) -> int:
    """``take_turned`` in the middle of a trick: ``x``, ``y``, ``z`` are on the table, 0 if not yet.

    The cards on the table are still in the hands of those who played them.
    """
    union = a | b | c | (card | later if plays else 0)
    led = suit_of(card) if card else 0
    left_a = x if x else first_of_runs(a, union) & legal(a, led, 0)
    val_a = 0 if d != 0 else 1
    while left_a and val_a == (0 if d != 0 else 1):
        p = left_a & -left_a
        left_a ^= p
        asked = led if card else suit_of(p)
        left_b = y if y else first_of_runs(b, union) & legal(b, asked, 0)
        val_b = 0 if d != 1 else 1
        while left_b and val_b == (0 if d != 1 else 1):
            q = left_b & -left_b
            left_b ^= q
            left_c = z if z else first_of_runs(c, union) & legal(c, asked, 0)
            val_c = 0 if d != 2 else 1
            while left_c and val_c == (0 if d != 2 else 1):
                r = left_c & -left_c
                left_c ^= r
                if card:
                    winner = turned_winner(p, q, r, led, card, plays)
                else:
                    second = beats(q, p, 0, 1)
                    winner = 2 if beats(r, q if second else p, 0, 1) else (1 if second else 0)
                rest = need - (1 if winner == d else 0)
                if rest <= 0:
                    val_c = 1
                elif rest > n - 1:
                    val_c = 0
                elif card or winner == 0:
                    val_c = take_turned(
                        mem, places, a ^ p, b ^ q, c ^ r, d, rest, n - 1, later, later & 0, plays
                    )
                elif winner == 1:
                    val_c = take_turned(
                        mem, places, b ^ q, c ^ r, a ^ p, (d + 2) % 3, rest, n - 1, later,
                        later & 0, plays
                    )
                else:
                    val_c = take_turned(
                        mem, places, c ^ r, a ^ p, b ^ q, (d + 1) % 3, rest, n - 1, later,
                        later & 0, plays
                    )
            val_b = val_c
        val_a = val_b
    return val_a


@compiled(
    "int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64,"
    " int64, int64)"
)
def at_most_after(
    mem: Ints,
    places: Places,
    a: int,
    b: int,
    c: int,
    d: int,
    x: int,
    y: int,
    z: int,
    card: int,
    later: int,
    plays: int,
    guess: int,
) -> int:
    """``at_most`` in the middle of a trick, this trick included; ``guess`` is asked first."""
    n = count(a)
    low = 0
    high = n
    need = min(max(guess, 1), n)
    while low < high:
        if take_after(mem, places, a, b, c, d, x, y, z, need, n, card, later, plays):
            low = need
            need += 1
        else:
            high = need - 1
            need -= 1
    return low
