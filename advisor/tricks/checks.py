"""Checks of what comes into the solver; a message names the first offending row."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

CARD_COUNT = 32
HAND_SIZE = 10
NO_TRUMP = 4
SEATS = 3


def checked_deals(
    hands: ArrayLike, strain: ArrayLike, leader: ArrayLike, misere: bool
) -> tuple[NDArray[np.uint32], NDArray[np.int8], NDArray[np.int8]]:
    """Hands, strains and leaders as contiguous arrays of one length.

    Raises
    ------
    ValueError
        If anything is out of shape or out of range.
    """
    masks = checked_hands(hands)
    rows = len(masks)
    strains = checked_column(strain, rows, NO_TRUMP, "strain")
    leaders = checked_column(leader, rows, SEATS - 1, "leader")
    if misere:
        _refuse(
            strains != NO_TRUMP, strains, "a misère is played without trumps (strain 4), strain"
        )
    return masks, strains, leaders


def checked_deal(
    hands: ArrayLike, strain: int, leader: int, misere: bool
) -> tuple[tuple[int, int, int], int, int]:
    """Hands, strain and leader of a single deal, as Python's numbers.

    Raises
    ------
    ValueError
        If anything is out of shape or out of range.
    """
    given = np.asarray(hands)
    if given.shape != (SEATS,):
        raise ValueError(f"hands must have shape ({SEATS},), found {given.shape}")
    masks, strains, leaders = checked_deals(given[np.newaxis], strain, leader, misere)
    first, second, third = masks[0].tolist()
    return (first, second, third), int(strains[0]), int(leaders[0])


def checked_discards(
    twelve: int, defenders: ArrayLike
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The 66 discards from twelve cards, and the three hands after each.

    Raises
    ------
    ValueError
        If the hands do not have twelve, ten and ten different cards.
    """
    cards, others = np.asarray(twelve), np.asarray(defenders)
    if cards.ndim:
        raise ValueError(f"twelve must be one mask, found shape {cards.shape}")
    if others.shape != (SEATS - 1,):
        raise ValueError(f"defenders must have shape ({SEATS - 1},), found {others.shape}")
    held = int(_whole_numbers(cards, "twelve"))
    if held < 0 or held >> CARD_COUNT:
        raise ValueError(f"masks must fit 32 bits, twelve {held}")
    if held.bit_count() != HAND_SIZE + 2:
        raise ValueError(f"twelve cards expected, found {held.bit_count()}")
    singles = [1 << card for card in range(CARD_COUNT) if held >> card & 1]
    discards = np.array([x | y for x, y in combinations(singles, 2)], np.uint32)
    hands = np.empty((len(discards), SEATS), _whole_numbers(others, "defenders").dtype)
    hands[:, 0] = held ^ discards
    hands[:, 1:] = others
    return discards, checked_hands(hands)


def checked_hands(hands: ArrayLike) -> NDArray[np.uint32]:
    """Masks of three disjoint hands of equal size 1..10 in each row.

    Raises
    ------
    ValueError
        If anything is out of shape or out of range.
    """
    given = np.asarray(hands)
    if given.shape in ((0,), (0, SEATS)):
        return np.empty((0, SEATS), np.uint32)
    if given.ndim != 2 or given.shape[1] != SEATS:
        raise ValueError(f"hands must have shape (n, 3), found {given.shape}")
    wide = _whole_numbers(given, "hands")
    _refuse(
        ((wide < 0) | (wide >> CARD_COUNT != 0)).any(axis=1), wide, "masks must fit 32 bits, hands"
    )
    masks = np.ascontiguousarray(wide.astype(np.uint32))
    first, second, third = masks.T
    overlap = (first & second) | (first & third) | (second & third)
    _refuse(overlap != 0, masks, "a card is in two hands:")
    sizes = np.bitwise_count(masks)
    _refuse((sizes != sizes[:, :1]).any(axis=1), sizes, "hands must be of equal size, sizes are")
    _refuse(
        (sizes[:, 0] < 1) | (sizes[:, 0] > HAND_SIZE), sizes[:, 0], "1 to 10 cards a hand, found"
    )
    return masks


def checked_column(values: ArrayLike, rows: int, highest: int, name: str) -> NDArray[np.int8]:
    """A scalar or a column of ``rows`` whole numbers 0..highest.

    Raises
    ------
    ValueError
        If the length or a value does not fit.
    """
    given = np.asarray(values)
    if given.ndim > 1 or (given.ndim == 1 and len(given) != rows):
        raise ValueError(f"{name} must be a scalar or have shape ({rows},), found {given.shape}")
    if given.size == 0:
        return np.empty(rows, np.int8)
    wide = np.broadcast_to(_whole_numbers(given, name), (rows,))
    _refuse((wide < 0) | (wide > highest), wide, f"{name} must be 0..{highest}, found")
    return np.ascontiguousarray(wide.astype(np.int8))


def checked_seats(
    strains: ArrayLike, leaders: ArrayLike, misere: bool
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Lists of strains and leaders to be combined.

    Raises
    ------
    ValueError
        If a value is out of range.
    """
    strain_list = np.atleast_1d(np.asarray(strains))
    leader_list = np.atleast_1d(np.asarray(leaders))
    checked = checked_column(strain_list, len(strain_list), NO_TRUMP, "strain")
    if misere:
        _refuse(
            checked != NO_TRUMP, checked, "a misère is played without trumps (strain 4), strain"
        )
    return checked, checked_column(leader_list, len(leader_list), SEATS - 1, "leader")


def checked_talon(talon: ArrayLike | None, hands: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Two single cards for each row that are in none of its hands.

    Raises
    ------
    ValueError
        If the talon is missing, out of shape, or not two further cards; or if the hands have
        fewer than two cards.
    """
    if talon is None:
        raise ValueError("this mode needs the talon")
    given = np.asarray(talon)
    if given.size == 0 and len(hands) == 0:
        return np.empty((0, 2), np.uint32)
    if given.shape != (len(hands), 2):
        raise ValueError(f"talon must have shape ({len(hands)}, 2), found {given.shape}")
    wide = _whole_numbers(given, "talon")
    _refuse(
        ((wide < 1) | (wide >> CARD_COUNT != 0)).any(axis=1), wide, "talon must be cards, found"
    )
    cards = wide.astype(np.uint32)
    _refuse(
        (np.bitwise_count(cards) != 1).any(axis=1), cards, "talon must be two single cards, found"
    )
    taken = np.bitwise_or.reduce(hands, axis=1)
    both = cards[:, 0] | cards[:, 1]
    _refuse((cards[:, 0] == cards[:, 1]) | (both & taken != 0), cards, "a talon card is in use:")
    sizes = np.bitwise_count(hands[:, 0])
    _refuse(sizes < 2, sizes, "two cards a hand at least with a talon, found")
    return np.ascontiguousarray(cards)


def _whole_numbers(given: NDArray[np.generic], name: str) -> NDArray[np.integer]:
    """As int64, or as uint64 where they may not fit; both compare alike with what is allowed."""
    if given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, found {given.dtype}")
    return given.astype(np.uint64 if given.dtype == np.uint64 else np.int64)


def _refuse(bad: NDArray[np.bool_], found: NDArray[np.generic], message: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"row {row}: {message} {found[row].tolist()}")
