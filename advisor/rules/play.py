"""Play of the cards: what is legal, who wins a trick, a line of play checked card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.cards import Strain, card_code, format_cards
from advisor.errors import InputError
from advisor.rules.contracts import Contract

FIRST_HAND = 0
DEALER = 3


def leader_of_first_trick(contract: Contract) -> int:
    """The seat that plays the first card: the first hand, whatever is played.

    In all-passes the talon may fix the suit or lead before him (`replay_all_pass`).

    Notes
    -----
    Source: rules.md 1.4.
    """
    return FIRST_HAND


def legal_cards(hand: int, led_suit: int | None, strain: int = Strain.NT) -> int:
    """The part of a hand that may be played.

    Follow suit; without that suit play a trump, any trump; otherwise anything. Nobody has to beat.

    Parameters
    ----------
    hand : int
        Card mask.
    led_suit : int or None
        ``None`` on lead.
    strain : int
        Trump suit 0..3, or 4 for no trump, misère and all-passes.

    Returns
    -------
    int
        Card mask.

    Notes
    -----
    Source: rules.md 1.5.
    """
    if led_suit is None:
        return hand
    trumps = _suit_of(hand, strain) if strain != Strain.NT else 0
    return _suit_of(hand, led_suit) or trumps or hand


def trick_winner(cards: Sequence[int], strain: int = Strain.NT, led_suit: int | None = None) -> int:
    """The index of the winning card, cards in the order played.

    The highest trump, else the highest card of the suit led. `led_suit` differs from the first
    card's suit only under a turned talon card; where nobody follows that, the first card wins.

    Notes
    -----
    Source: rules.md 1.5; for the talon 1.6.
    """
    led = cards[0] >> 3 if led_suit is None else led_suit

    def strength(card: int) -> int:
        suit, rank = card >> 3, card & 7
        return 8 + rank if suit == strain else rank if suit == led else -1

    return max(range(len(cards)), key=lambda i: strength(cards[i]))


def replay_line(
    hands: Sequence[int], strain: int, leader: int, cards: Sequence[int]
) -> tuple[int, ...]:
    """Play cards in the order given and count tricks by seat.

    Parameters
    ----------
    hands : sequence of int
        Card masks of the three seats; the declarer's after his discard.
    strain : int
        0..4; 4 for misère.
    leader : int
        Seat that leads to the first trick.
    cards : sequence of int
        Card numbers, three a trick; a last trick that is not complete counts for nobody.

    Returns
    -------
    tuple of int
        Tricks of seats 0, 1, 2.

    Raises
    ------
    InputError
        A card that its player does not hold, or may not play; the message numbers the trick.

    Notes
    -----
    Source: rules.md 1.4, 1.5.
    """
    left = list(hands)
    tricks = [0, 0, 0]
    for number, start in enumerate(range(0, len(cards), 3), 1):
        played = cards[start:start + 3]
        winner = _play_trick(left, leader, played, strain, None, number)
        if len(played) == 3:
            leader = (leader + winner) % 3
            tricks[leader] += 1
    return tuple(tricks)


def replay_all_pass(
    hands: Sequence[int], cards: Sequence[int], talon: Sequence[int] = (), *,
    talon_plays: bool = False,
) -> tuple[int, ...]:
    """An all-pass deal (распасы): like `replay_line`, with the talon cards opened in turn.

    The first hand plays first to each trick under a talon card and leads to the one after them.

    Parameters
    ----------
    hands, cards : sequence of int
        As in `replay_line`; talon cards are not among `cards`.
    talon : sequence of int
        Talon cards in the order turned; empty where the talon stays closed.
    talon_plays : bool
        True at a table of four, where each talon card is a real lead of the dealer's; false at
        a table of three, where it only fixes the suit to be followed. A suit that nobody
        holds then gives the trick to the first hand.

    Returns
    -------
    tuple of int
        Tricks of seats 0, 1, 2 and the dealer.

    Raises
    ------
    InputError
        As in `replay_line`.

    Notes
    -----
    Source: rules.md 1.4, 1.6.
    """
    left = list(hands)
    tricks = [0, 0, 0, 0]
    leader = FIRST_HAND
    for number, start in enumerate(range(0, len(cards), 3), 1):
        played = cards[start:start + 3]
        turned = talon[number - 1] if number <= len(talon) else None
        led = None if turned is None else turned >> 3
        winner = _play_trick(left, leader, played, Strain.NT, led, number)
        if len(played) < 3:
            break
        seat = (leader + winner) % 3
        if turned is not None and talon_plays and trick_winner([turned, *played]) == 0:
            seat = DEALER
        tricks[seat] += 1
        leader = FIRST_HAND if turned is not None else seat
    return tuple(tricks)


def _suit_of(mask: int, suit: int) -> int:
    return mask & (0xFF << 8 * suit)


def _seats_from(leader: int) -> Iterator[int]:
    return ((leader + i) % 3 for i in range(3))


def _play_trick(
    left: list[int], leader: int, played: Sequence[int], strain: int, led: int | None, number: int
) -> int:
    """Take the cards of one trick out of the hands `left`; the index of the winning card."""
    suit = led
    for seat, card in zip(_seats_from(leader), played, strict=False):
        _check(left[seat], card, legal_cards(left[seat], suit, strain), seat, number)
        left[seat] ^= 1 << card
        suit = card >> 3 if suit is None else suit
    return trick_winner(played, strain, led)


def _check(hand: int, card: int, legal: int, seat: int, number: int) -> None:
    if legal >> card & 1:
        return
    template = (
        "trick {trick}: hand {hand} may not play {card}; legal cards: {legal}"
        if hand >> card & 1 else
        "trick {trick}: hand {hand} does not hold {card}; legal cards: {legal}"
    )
    raise InputError(template, trick=number, hand=seat + 1, card=card_code(card),
                     legal=format_cards(legal) or "none")
