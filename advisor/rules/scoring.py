"""What one deal writes: pool (пуля), mountain (гора) and whists (висты), and their net value.

Source: rules.md 3 and 4. Whole amounts are ints, the rare halves are Fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from advisor.cards import Rank, cards_of
from advisor.rules.contracts import Kind
from advisor.rules.conventions import GAME_VALUE, MISERE_VALUE, Convention
from advisor.rules.deal import DEALER, SEATS, TRICKS, DealResult, Reply, check
from advisor.rules.settlement import Amount, balance, number

__all__ = ["DEALER", "Amount", "DealResult", "Entries", "Reply", "entries_json", "net",
           "net_floats", "score", "talon_units"]
K = TypeVar("K", int, tuple[int, int])


@dataclass(frozen=True, slots=True)
class Entries:
    """What a deal writes; seats 0, 1, 2, and 3 for the dealer of a table of four.

    Attributes
    ----------
    pool, mountain : mapping of seat to points
    whists : mapping of (writer, on whom) to whists
    """

    pool: dict[int, Amount] = field(default_factory=dict)
    mountain: dict[int, Amount] = field(default_factory=dict)
    whists: dict[tuple[int, int], Amount] = field(default_factory=dict)


def _add(column: dict[K, Amount], key: K, amount: Amount) -> None:
    if amount:
        column[key] = column.get(key, 0) + amount


def score(result: DealResult, convention: Convention) -> Entries:
    """Score one deal.

    Raises
    ------
    InputError
        A result that cannot be so, such as tricks that do not sum to ten.

    Examples
    --------
    >>> from advisor.rules.contracts import parse_contract
    >>> from advisor.rules.conventions import load_convention
    >>> seven = DealResult(parse_contract("7H"), 0, (Reply.WHIST, Reply.PASS), (7, 2, 1))
    >>> score(seven, load_convention("sochi")).whists
    {(1, 0): 12}
    """
    check(result, convention)
    entries = Entries()
    if result.contract.kind is Kind.ALL_PASS:
        _score_all_pass(entries, result, convention)
    elif result.contract.kind is Kind.MISERE:
        _score_misere(entries, result, convention)
    else:
        _score_game(entries, result, convention)
    return entries


def _score_game(entries: Entries, result: DealResult, convention: Convention) -> None:
    """Rules.md 4.2."""
    declarer, level = _declarer(result), result.contract.level
    _pay_talon(entries, result, convention)
    if result.tricks is None:
        _add(entries.pool, declarer, GAME_VALUE[level])
        _score_unplayed(entries, result, convention)
        return
    undertricks = level - result.tricks[declarer]
    if undertricks > 0:
        _add(entries.mountain, declarer, convention.undertrick(level) * undertricks)
        _score_failure(entries, result, convention, undertricks)
    else:
        _add(entries.pool, declarer, GAME_VALUE[level])
        _write_whists(entries, result, convention)
        _fine_whisters(entries, result, convention)


def _score_unplayed(entries: Entries, result: DealResult, convention: Convention) -> None:
    """Whists without play: a half-whist, or half the duty to the last defender (3.1, 3.4)."""
    level = result.contract.level
    writer = None
    for seat, reply in zip(result.defenders, result.replies or (), strict=False):
        if reply is Reply.HALF:
            writer = seat
    if writer is None and convention.both_pass == "s0_right_defender":
        writer = result.defenders[1]
    if writer is not None and level <= 7:
        half_duty = convention.duty(level) // 2
        _add(entries.whists, (writer, _declarer(result)), half_duty * convention.whist_price(level))


def _write_whists(entries: Entries, result: DealResult, convention: Convention) -> None:
    """Tricks of the defence: a lone whister's are all his (3.1)."""
    tricks, declarer = result.tricks or (), _declarer(result)
    price, whisters = convention.whist_price(result.contract.level), result.whisters()
    for seat in whisters:
        taken = tricks[seat] if len(whisters) == 2 else TRICKS - tricks[declarer]
        _add(entries.whists, (seat, declarer), price * taken)


def _fine_whisters(entries: Entries, result: DealResult, convention: Convention) -> None:
    """The mountain of whisters who together took fewer tricks than they owe (3.2, 3.5)."""
    tricks, level, whisters = result.tricks or (), result.contract.level, result.whisters()
    duty, fine = convention.duty(level, len(whisters)), convention.whist_fine(level)
    short = duty - (TRICKS - tricks[_declarer(result)])
    if short <= 0:
        return
    if len(whisters) == 1:
        _add(entries.mountain, whisters[0], fine * short)
    elif level >= 8:
        for seat in whisters if convention.liability_8_10 == "both" else whisters[1:]:
            _add(entries.mountain, seat, fine)
    else:
        cap = short if convention.shortfall_cap == "pair_deficit" else duty
        for seat in whisters:
            _add(entries.mountain, seat, fine * min(max(0, duty // 2 - tricks[seat]), cap))


def _score_failure(
    entries: Entries, result: DealResult, convention: Convention, undertricks: int
) -> None:
    """Whists and consolation on a declarer who went down (4.2.3)."""
    declarer, whisters = _declarer(result), result.whisters()
    _write_whists(entries, result, convention)
    consolation = convention.consolation_price(result.contract.level) * undertricks
    for seat in result.defenders:
        if seat in whisters or convention.consolation_passer:
            _add(entries.whists, (seat, declarer), consolation)
    if len(whisters) == 1 and convention.lone_whister == "gentleman":
        together = sum(entries.whists.pop((seat, declarer), 0) for seat in result.defenders)
        for seat in result.defenders:
            _add(entries.whists, (seat, declarer), _part(together, 2))
    if result.players == 4 and convention.consolation_dealer:
        _add(entries.whists, (DEALER, declarer), consolation)


def _score_misere(entries: Entries, result: DealResult, convention: Convention) -> None:
    """Rules.md 4.3."""
    declarer, tricks = _declarer(result), result.tricks or ()
    caught = tricks[declarer]
    if not caught:
        _add(entries.pool, declarer, MISERE_VALUE)
        return
    _add(entries.mountain, declarer, convention.misere_trick * caught)
    for seat in range(result.players):
        if seat != declarer and (seat != DEALER or convention.consolation_dealer):
            _add(entries.whists, (seat, declarer), convention.misere_consolation * caught)


def _score_all_pass(entries: Entries, result: DealResult, convention: Convention) -> None:
    """Rules.md 4.4."""
    tricks = result.tricks or ()
    if result.players == 4 and len(tricks) == 3:
        tricks = (*tricks, 0)
    price = convention.all_pass_trick(result.all_pass_number)
    if convention.all_pass_record == "whists":
        _write_all_pass_whists(entries, tricks, price)
    else:
        for seat, taken in enumerate(tricks):
            _add(entries.mountain, seat, price * taken)
    for seat, taken in enumerate(tricks):
        if not taken and (seat != DEALER or convention.zero_bonus_dealer):
            _add_zero_bonus(entries, seat, price, convention)


def _write_all_pass_whists(entries: Entries, tricks: tuple[int, ...], price: int) -> None:
    """Rostov: those with the fewest tricks share the whists on each of the others."""
    fewest = min(tricks[seat] for seat in SEATS)
    lowest = [seat for seat in SEATS if tricks[seat] == fewest]
    for writer in lowest:
        for on in SEATS:
            if on not in lowest:
                _add(entries.whists, (writer, on), _part(price * tricks[on], len(lowest)))


def _add_zero_bonus(entries: Entries, seat: int, price: int, convention: Convention) -> None:
    if convention.zero_bonus == "pool_price":
        _add(entries.pool, seat, price)
    elif convention.zero_bonus == "pool_point":
        _add(entries.pool, seat, 1)
    elif convention.zero_bonus == "mountain_price":
        _add(entries.mountain, seat, -price)
    elif convention.zero_bonus == "mountain_two_prices":
        _add(entries.mountain, seat, -2 * price)


def talon_units(talon: int) -> int:
    """Tricks that a paid talon counts for (rules.md 4.5).

    Two aces 3; ace and king of one suit 2; one ace 1; king and queen of one suit 1.
    """
    if not talon:
        return 0
    (low_suit, low), (high_suit, high) = (divmod(card, 8) for card in cards_of(talon))
    aces = (low == Rank.ACE) + (high == Rank.ACE)
    if aces == 2:
        return 3
    if low_suit == high_suit and (low, high) == (Rank.KING, Rank.ACE):
        return 2
    return int(aces == 1 or (low_suit == high_suit and (low, high) == (Rank.QUEEN, Rank.KING)))


def _pay_talon(entries: Entries, result: DealResult, convention: Convention) -> None:
    """The talon bonus, made or not: the dealer's, or each opponent's half at a table of three."""
    if not result.talon or convention.talon_bonus == "off":
        return
    unit = 10 if convention.talon_bonus_unit == "ten_whists" \
        else convention.whist_price(result.contract.level)
    bonus, declarer = unit * talon_units(result.talon), _declarer(result)
    if result.players == 4:
        _add(entries.whists, (DEALER, declarer), bonus)
    elif convention.talon_bonus == "opponents_half":
        for seat in result.defenders:
            _add(entries.whists, (seat, declarer), _part(bonus, 2))


def _declarer(result: DealResult) -> int:
    assert result.declarer is not None
    return result.declarer


def _part(amount: Amount, parts: int) -> Amount:
    share = Fraction(amount, parts)
    return share.numerator if share.denominator == 1 else share


def net(entries: Entries, convention: Convention, players: int) -> tuple[Fraction, ...]:
    """Net whists of one deal by seat, the dealer of four last; their sum is zero.

    Source: rules.md 5.1.
    """
    return balance(*_rows(entries, players), convention.pool_point)


def net_floats(entries: Entries, convention: Convention, players: int) -> tuple[float, ...]:
    """The same as `net`, fast and not exact; for averages over many deals."""
    pool, mountain, whists = _rows(entries, players)
    point = convention.pool_point
    value = [float(point * p - 10 * m) for p, m in zip(pool, mountain, strict=True)]
    mean = sum(value) / players
    value = [v - mean for v in value]
    for (writer, on), amount in whists.items():
        value[writer] += float(amount)
        value[on] -= float(amount)
    return tuple(value)


def _rows(entries: Entries, players: int) -> tuple[
    list[Amount], list[Amount], Mapping[tuple[int, int], Amount]
]:
    seats = range(players)
    return ([entries.pool.get(seat, 0) for seat in seats],
            [entries.mountain.get(seat, 0) for seat in seats], entries.whists)


def entries_json(entries: Entries, net: tuple[Fraction, ...]) -> dict[str, Any]:
    """Entries and their net value as a JSON object; seats "1", "2", "3", "dealer"."""
    names = ("1", "2", "3", "dealer")
    return {
        "pool": {names[seat]: number(points) for seat, points in sorted(entries.pool.items())},
        "mountain": {names[seat]: number(points)
                     for seat, points in sorted(entries.mountain.items())},
        "whists": [{"from": names[writer], "on": names[on], "amount": number(amount)}
                   for (writer, on), amount in sorted(entries.whists.items())],
        "net": {name: round(float(value), 4) for name, value in zip(names, net, strict=False)},
        "net_exact": {name: str(value) for name, value in zip(names, net, strict=False)},
    }
