"""The result of one played deal, and whether it can have happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from advisor.errors import InputError
from advisor.rules.contracts import Contract, Kind
from advisor.rules.conventions import Convention

SEATS = (0, 1, 2)
DEALER = 3
TRICKS = 10


class Reply(Enum):
    """What a defender says to a game: whist (вист), pass (пас), half-whist (полвиста)."""

    WHIST = "whist"
    PASS = "pass"
    HALF = "half"


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended.

    Parameters
    ----------
    contract : Contract
    declarer : int or None
        Seat 0..2; none in an all-pass.
    replies : pair of Reply or None
        The two defenders', clockwise from the declarer, as they stand at the end; the second in
        this order is the one who whisted second. None for misère and all-pass; for a ten that is
        checked they may be left out.
    tricks : tuple of int or None
        By seat 0..2, and the dealer's as a fourth in a four-handed all-pass. None where nothing
        was played.
    players : int
        3 or 4; with four the dealer sits out as seat 3.
    talon : int
        Mask of the two talon cards, 0 if unknown; it only matters where the talon is paid.
    all_pass_number : int
        First, second, third ... all-pass in a row, from 1.
    """

    contract: Contract
    declarer: int | None = None
    replies: tuple[Reply, Reply] | None = None
    tricks: tuple[int, ...] | None = None
    players: int = 3
    talon: int = 0
    all_pass_number: int = 1

    @property
    def defenders(self) -> tuple[int, int]:
        """The defenders' seats, clockwise from the declarer."""
        declarer = self.declarer or 0
        return (declarer + 1) % 3, (declarer + 2) % 3

    def whisters(self) -> tuple[int, ...]:
        """Seats that whisted, in the order they did; both where a checked ten names none."""
        if self.replies is None:
            return self.defenders
        said = tuple(seat for seat, reply in zip(self.defenders, self.replies, strict=True)
                     if reply is Reply.WHIST)
        return said or self.defenders


def check(result: DealResult, convention: Convention) -> None:
    """Raise the first of `problems` as an InputError."""
    for _, error in problems(result, convention):
        raise error


def problems(result: DealResult, convention: Convention) -> Iterator[tuple[str, InputError]]:
    """What cannot be so in a result, each with the field at fault."""
    if result.players not in (3, 4):
        yield "players", InputError("found {found} players, expected 3 or 4", found=result.players)
    if result.talon and result.talon.bit_count() != 2:
        yield "talon", InputError("found {found} cards in the talon, expected 2",
                                  found=result.talon.bit_count())
    if result.all_pass_number < 1:
        yield "all_pass_number", InputError("found all-pass number {found}, expected 1 or more",
                                            found=result.all_pass_number)
    yield from _declarer_problems(result)
    yield from _reply_problems(result, convention)
    yield from _trick_problems(result, convention)


def _declarer_problems(result: DealResult) -> Iterator[tuple[str, InputError]]:
    if result.contract.kind is Kind.ALL_PASS:
        if result.declarer is not None:
            yield "declarer", InputError("an all-pass has no declarer")
    elif result.declarer not in SEATS:
        yield "declarer", InputError("the declarer is missing; expected seat 1, 2 or 3")


def _reply_problems(
    result: DealResult, convention: Convention
) -> Iterator[tuple[str, InputError]]:
    contract, replies = result.contract, result.replies
    if not contract.is_game:
        if replies is not None:
            yield "replies", InputError("nobody whists on {contract}; leave the whist out",
                                        contract=contract)
    elif replies is None:
        if not _is_checked_ten(contract, convention):
            yield "replies", InputError("the whist is missing; expected the two defenders' replies")
    elif convention.both_must_whist(contract) and replies != (Reply.WHIST, Reply.WHIST):
        yield "replies", InputError("both defenders must whist on 6S in the convention "
                                    "{convention}; expected whist whist",
                                    convention=convention.name)
    elif Reply.HALF in replies:
        yield from _half_problems(contract, replies, convention)


def _half_problems(
    contract: Contract, replies: tuple[Reply, Reply], convention: Convention
) -> Iterator[tuple[str, InputError]]:
    if convention.half_whist == "off":
        yield "replies", InputError("there is no half-whist in the convention {convention}",
                                    convention=convention.name)
    elif contract.level not in (6, 7):
        yield "replies", InputError("found a half-whist on {contract}, expected one on a six or a "
                                    "seven only", contract=contract)
    elif replies == (Reply.HALF, Reply.PASS):
        if not convention.first_may_half:
            yield "replies", InputError("only the second defender may say half in the convention "
                                        "{convention}, after the first passed",
                                        convention=convention.name)
    elif replies != (Reply.PASS, Reply.HALF):
        yield "replies", InputError("a half-whist stands only where the other defender passed; a "
                                    "half-whister whose partner took the whist back has passed")


def _trick_problems(
    result: DealResult, convention: Convention
) -> Iterator[tuple[str, InputError]]:
    tricks, contract, replies = result.tricks, result.contract, result.replies
    checked_ten = _is_checked_ten(contract, convention)
    played = not contract.is_game or (replies is not None and Reply.WHIST in replies)
    if tricks is None:
        if played or (checked_ten and replies is None):
            yield "tricks", InputError("the tricks are missing; expected those of seats 1 2 3")
        return
    if not played and not checked_ten:
        yield "tricks", InputError("nobody whisted, so no tricks were played; leave the tricks out")
        return
    with_dealer = result.players == 4 and contract.kind is Kind.ALL_PASS
    if len(tricks) not in ((3, 4) if with_dealer else (3,)):
        yield "tricks", InputError("found {found} numbers of tricks, expected {expected}",
                                   found=len(tricks), expected="3 or 4" if with_dealer else "3")
    elif min(tricks) < 0 or sum(tricks) != TRICKS:
        yield "tricks", InputError("the tricks sum to {found}, expected 10", found=sum(tricks))
    elif len(tricks) == 4:
        most = 2 if convention.all_pass_talon == "plays" else 0
        if tricks[DEALER] > most:
            yield "tricks", InputError("the dealer has {found} tricks, expected at most {most}",
                                       found=tricks[DEALER], most=most)


def _is_checked_ten(contract: Contract, convention: Convention) -> bool:
    return contract.level == 10 and convention.ten == "checked"
