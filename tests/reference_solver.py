"""A deliberately dumb open-card solver: plain recursion on sets of cards, no cuts, no cleverness.

It shares nothing with the package, so that an error would have to be made twice.
Cards are bits ``8 * suit + rank``; seats are columns, column 0 the declarer.
"""

from functools import cache


def cards_of(mask: int) -> list[int]:
    """Numbers 0..31 of the cards in a mask, ascending."""
    return [card for card in range(32) if mask >> card & 1]


def legal_cards(hand: list[int], led: int | None, strain: int) -> list[int]:
    """Follow suit; without it play a trump; without that play anything (rules.md 1.5)."""
    if led is None:
        return hand
    follow = [card for card in hand if card // 8 == led // 8]
    trumps = [card for card in hand if card // 8 == strain]
    return follow or trumps or hand


def trick_winner(leader: int, played: list[int], strain: int) -> int:
    """Seat that wins the trick whose cards were played in order from ``leader``."""

    def power(card: int) -> tuple[bool, bool, int]:
        return card // 8 == strain, card // 8 == played[0] // 8, card % 8

    best = max(range(3), key=lambda place: power(played[place]))
    return (leader + best) % 3


def reference_tricks(
    hands: tuple[int, int, int], strain: int, leader: int, misere: bool = False
) -> int:
    """Declarer's tricks by full minimax (few cards only: it looks at every line)."""

    @cache
    def value(hands: tuple[int, int, int], leader: int, played: tuple[int, ...]) -> int:
        if len(played) == 3:
            winner = trick_winner(leader, list(played), strain)
            return (winner == 0) + value(hands, winner, ())
        seat = (leader + len(played)) % 3
        led = played[0] if played else None
        results = []
        for card in legal_cards(cards_of(hands[seat]), led, strain):
            left = list(hands)
            left[seat] ^= 1 << card
            results.append(value((left[0], left[1], left[2]), leader, (*played, card)))
        if not results:
            return 0
        return max(results) if (seat == 0) != misere else min(results)

    return value(hands, leader, ())
