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


def reference_all_pass(
    hands: tuple[int, int, int], leader: int, talon: tuple[int, ...] = (), plays: bool = False
) -> tuple[int, ...]:
    """Tricks of the three and the dealer if each looks after himself, by looking at every line.

    ``talon``: the cards turned, in order. A player minds his own tricks; among equals he gives
    as many as he can to the next, then to the one after him.
    """

    @cache
    def value(
        hands: tuple[int, int, int], to_lead: int, turned: tuple[int, ...], played: tuple[int, ...]
    ) -> tuple[int, ...]:
        if len(played) == 3:
            winner = all_pass_winner(to_lead, played, turned, plays)
            following = leader if turned else winner
            rest = value(hands, following, turned[1:], ())
            return tuple(rest[seat] + (seat == winner) for seat in range(4))
        seat = (to_lead + len(played)) % 3
        led = turned[0] if turned else played[0] if played else None
        results = []
        for card in legal_cards(cards_of(hands[seat]), led, 4):
            left = list(hands)
            left[seat] ^= 1 << card
            results.append(value((left[0], left[1], left[2]), to_lead, turned, (*played, card)))
        if not results:
            return (0, 0, 0, 0)
        return min(results, key=lambda t: (t[seat], -t[(seat + 1) % 3], -t[(seat + 2) % 3]))

    return value(hands, leader, talon, ())


def all_pass_winner(
    leader: int, played: tuple[int, ...], turned: tuple[int, ...], plays: bool
) -> int:
    """Seat that wins, 3 the dealer; a turned card names the suit and may compete (rules.md 1.6)."""
    if not turned:
        return trick_winner(leader, list(played), 4)
    entrants = [(card, (leader + place) % 3) for place, card in enumerate(played)]
    if plays:
        entrants.append((turned[0], 3))
    of_suit = [entrant for entrant in entrants if entrant[0] // 8 == turned[0] // 8]
    return max(of_suit)[1] if of_suit else leader
