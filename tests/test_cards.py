"""Reading and printing cards, English and Russian (rules.md 8)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import (
    DECK,
    RANKS_EN,
    RANKS_RU,
    SUITS_EN,
    SUITS_RU,
    Suit,
    card_code,
    cards_of,
    format_cards,
    format_hand,
    holding,
    parse_cards,
    ranks_text,
)
from advisor.errors import InputError

EXAMPLE = "SA SK SQ S9 CA C8 DK D10 D7 H8"
MASKS = st.integers(1, DECK)
CARD_LISTS = st.lists(st.integers(0, 31), min_size=1, max_size=12, unique=True)
MAY_BE_TEN = "column {column}: 'T' may be a ten or the Russian ace here; write 10 for a ten"
MAY_BE_CLUBS = "column {column}: 'Т' may be the ace or clubs here; write the suit with a colon"


def codes(text: str, like: str = "") -> str:
    return format_cards(parse_cards(text, like))


def refusal(text: str, like: str = "") -> str:
    with pytest.raises(InputError) as caught:
        parse_cards(text, like)
    return str(caught.value)


def attempt(text: str, like: str = "") -> tuple[int, InputError | None]:
    try:
        return parse_cards(text, like), None
    except InputError as error:
        return 0, error


# --- notations -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "♠AKQ9 ♣A8 ♦K107 ♥8",
    "♠AKQ9♣A8♦K107♥8",
    "♠ A K Q 9 ♣ A 8 ♦ K 10 7 ♥ 8",
    "♤AKQ9 ♧A8 ♢K107 ♡8",
    "♠\ufe0fAKQ9 ♣\ufe0fA8 ♦\ufe0fK107 ♥\ufe0f8",
    "\ufeff♠AKQ9 ♣A8 ♦K107 ♥8",
    "♠:AKQ9 ♣:A8 ♦:K107 ♥:8",
    "♠ - AKQ9, ♣ - A8, ♦ - K107, ♥ - 8",
    "S:AKQ9 C:A8 D:KT7 H:8",
    "S: A, K, Q, 9; C: A, 8; D: K, 10, 7; H: 8",
    "s:akq9 c:a8 d:kt7 h:8",
    "S:AKQ9 C:A8 D:KX7 H:8",
    "S:AKQ9 C:A8 D:KХ7 H:8",
    "S:AKQ9C:A8D:K107H:8",
    "SAKQ9 CA8 DK107 H8",
    "SAKQ9CA8DKT7H8",
    "s a k q 9 c a 8 d k 10 7 h 8",
    "S - AKQ9 C - A8 D - KT7 H - 8",
    "SA SK SQ S9 CA C8 DK D10 D7 H8",
    "As Ks Qs 9s Ac 8c Kd 10d 7d 8h",
    "AsKsQs9sAc8cKdTd7d8h",
    "AS,KS,QS,9S/AC,8C/KD,XD,7D/8H",
    "A♠ K♠ Q♠ 9♠ A♣ 8♣ K♦ 10♦ 7♦ 8♥",
    "A♠K♠Q♠9♠A♣8♣K♦T♦7♦8♥",
    "П:ТКД9 Т:Т8 Б:К107 Ч:8",
    "П: Т, К, Д, 9; Т: Т, 8; Б: К, 10, 7; Ч: 8",
    "п:ткд9 т:т8 б:кх7 ч:8",
    "♠ТКД9 ♣Т8 ♦К107 ♥8",
    "ПТКД9 ТТ8 БК107 Ч8",
    "ПТКД9, ТТ8, БК107, Ч8",
    "П ТКД9 Т Т8 Б К107 Ч 8",
    "ПТКД9ТТ8БК107Ч8",
    "п т к д 9 т т 8 б к 10 7 ч 8",
    "Тп Кп Дп 9п Тт 8т Кб 10б 7б 8ч",
    "Тп Кп дП 9п ТТ 8Т Кб Хб 7Б 8ч",
    "ТпКпДп9пТт8тКб10б7б8ч",
    "Т♠ К♠ Д♠ 9♠ Т♣ 8♣ К♦ 10♦ 7♦ 8♥",
    "туз пик, король пик, дама пик, 9 пик, туз треф, 8 треф, король бубен, 10б, семак бубен, 8ч",
    "Пики: Т К Д 9, трефы: Т 8, бубны: К 10 7, черви: 8",
])
def test_notations_of_one_hand(text):
    assert codes(text) == EXAMPLE


def test_public_sample_with_mixed_case():
    """rules.md 8: rank first, then suit, whatever the case."""
    assert codes("кп Дп вп 9П 8П Тт Кт Дт 8Т") == "SK SQ SJ S9 S8 CA CK CQ C8"


@pytest.mark.parametrize(("text", "found"), [
    ("7 Т, 8 П", "S8 C7"),
    ("7Т 8П", "S8 C7"),
    ("П: Т, К, Д, 7", "SA SK SQ S7"),
    ("ТТК П7", "S7 CA CK"),
    ("ТТКП", "SK CA"),
    ("ТТ8 ПТК", "SA SK CA C8"),
    ("Тп Тт Тб Тч", "SA CA DA HA"),
    ("Т8 ПТ", "SA C8"),
    ("П - Ч Т", "HA"),
    ("П- ТТ8", "CA C8"),
    ("б7тТ", "CA D7"),
    ("Тт 7п 7т", "S7 CA C7"),
])
def test_russian_ace_or_clubs_by_position(text, found):
    assert codes(text) == found


@pytest.mark.parametrize(("text", "column"), [
    ("П К Д 9 Т Т 8", 9), ("ПКТТ8", 3), ("П - ТКД9 Т - Т8", 5), ("П - Т8 Ч7", 5),
])
def test_russian_ace_or_clubs_undecided(text, column):
    assert refusal(text).startswith(MAY_BE_CLUBS.format(column=column))


@pytest.mark.parametrize(("text", "found"), [
    ("Tп Kп", "SA SK"),              # Latin T, K
    ("ПT Чx", "SA H10"),             # Latin T, x
    ("♠TK ♥Д", "SA SK HQ"),          # Latin T, K beside a Russian queen
    ("♠ТК ♥В", "SA SK HJ"),          # the Cyrillic jack
    ("♠ТК ♥B", "SA SK HJ"),          # Latin B, no English card
    ("♠ТК ♥Q", "SK S10 HQ"),         # Cyrillic Т, К
    ("Аs Кs", "SA SK"),              # Cyrillic А, К
    ("Aс Kс", "CA CK"),              # Cyrillic с
    ("Н:АК С:7", "C7 HA HK"),        # Cyrillic Н, А, К, С
    ("♠T7 ♥A", "S10 S7 HA"),
    ("♠1О7", "S10 S7"),              # the letter О
    ("♠КХ7", "SK S10 S7"),           # the same cards in both languages
])
def test_look_alikes_follow_the_whole_entry(text, found):
    assert codes(text) == found


@pytest.mark.parametrize(("text", "column"), [
    ("♠ТК97", 2), ("♠TK97", 2), ("♠97 ♥T", 6), ("♠7 ♥К Х Т", 9), ("ТТ", 1), ("Тт Кт", 1),
    ("7 Т", 3), ("Т: Т8", 1), ("T", 1),
])
def test_only_look_alikes_are_asked_about(text, column):
    assert refusal(text).startswith(MAY_BE_TEN.format(column=column))


def test_another_entry_of_the_writer_decides():
    assert codes("7Т ТТ", like="Тп 8ч") == "CA C7"
    assert codes("♠T ♥7", like="♠AKQ") == "S10 H7"
    assert codes("♠Т ♥7", like="♠ДВ") == "SA H7"
    assert refusal("♠T", like="♠K97").startswith(MAY_BE_TEN.format(column=2))
    assert refusal("♠T", like="♠AВ").startswith(MAY_BE_TEN.format(column=2))


@pytest.mark.parametrize(("text", "english", "russian", "column"), [
    ("Тп As", "S", "П", 5),
    ("QsДп", "Q", "Д", 3),
    ("♠AKQ9 ♣ТВ", "Q", "В", 9),
    ("♠КВ ♥А", "А", "В", 6),
    ("Ап Кп", "А", "П", 2),
    ("S:AK Ч:7", "S", "Ч", 6),
])
def test_two_languages_in_one_entry(text, english, russian, column):
    assert refusal(text) == (f"column {column}: '{english}' is an English letter and '{russian}' a "
                             "Russian one; write all cards in one notation")


@pytest.mark.parametrize("text", [
    "♠AK ♣- ♦10 ♥8", "♠AK ♦10 ♥8", "♠AK ♣ ♦10 ♥8", "S:AK C:- D:10 H:8", "S:AK C: D:10 H:8",
    "SAK C- D10 H8", "SAK C - D10 H8", "♠AK ♣— ♦10 ♥8",
])
def test_voids(text):
    assert codes(text) == "SA SK D10 H8"


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "told"), [
    ("", "column 1: no cards found; expected cards such as ♠AKQ9 or As"),
    (" , ", "column 1: no cards found"),
    ("-", "column 1: no cards found"),
    ("♠♣♦♥", "column 1: no cards found"),
    ("S:", "column 1: no cards found"),
    ("♠AKZ", "column 4: 'Z' is not a rank; expected 7 8 9 10 J Q K A or 7 8 9 10 В Д К Т"),
    ("♠AKQB", "column 5: 'B' is not a rank"),
    ("S2", "column 2: '2' is not a rank"),
    ("6♠", "column 1: '6' is not a rank"),
    ("♠0", "column 2: '0' is not a rank"),
    ("♠1", "column 2: '1' is not a rank; expected 10"),
    ("♠AK 1", "column 5: '1' is not a rank; expected 10"),
    ("ПТ*К", "column 3: '*' is not a rank"),
    ("S:AK E:7", "column 6: 'E' is not a suit; expected S C D H or ♠ ♣ ♦ ♥"),
    ("Тп К7", "column 5: '7' is not a suit; expected П Т Б Ч or ♠ ♣ ♦ ♥"),
    ("Д:К", "column 1: 'Д' is not a suit"),
    (":A", "column 1: a suit is missing before ':'; expected S C D H"),
    ("As K", "column 4: a suit is missing behind 'K'; expected S C D H"),
    ("A♠ 10", "column 4: a suit is missing behind '10'"),
    ("SAK H", "column 5: no ranks behind the suit 'H'; expected 7 8 9 10 J Q K A or - for none"),
    ("П", "column 1: no ranks behind the suit 'П'; expected 7 8 9 10 В Д К Т or - for none"),
    ("♠AKA", "column 4: the card SA stands twice"),
    ("As Ks As", "column 7: the card SA stands twice"),
    ("♠10 X", "column 5: the card S10 stands twice"),
    ("ПТК ПТ", "column 6: the card SA stands twice"),
    ("ТК8 ПТZ", "column 7: 'Z' is not a rank"),
    ("Тп Тz", "column 5: 'Z' is not a suit; expected П Т Б Ч or ♠ ♣ ♦ ♥"),
])
def test_refusals_with_their_column(text, told):
    assert refusal(text).startswith(told)


@given(st.text("♠♥:-SCDHПТБЧAKQJTXТКДВХАС710 ,", max_size=14))
def test_any_text_gives_cards_or_a_placed_refusal(text):
    mask, error = attempt(text)
    if error is None:
        assert 0 < mask <= DECK
    else:
        assert 1 <= (error.column or 0) <= max(1, len(text))
        assert str(error).startswith(f"column {error.column}: ")


# --- printing and round trips --------------------------------------------------------------------


@given(MASKS, st.booleans())
def test_english_round_trip(mask, symbols):
    assert parse_cards(format_hand(mask, symbols=symbols)) == mask
    assert parse_cards(format_cards(mask)) == mask


@given(MASKS, st.booleans())
def test_russian_round_trip(mask, symbols):
    """Where no letter shows the language, the parser asks, and another entry answers."""
    text = format_hand(mask, "ru", symbols=symbols)
    assert parse_cards(text, "Дп") == mask
    if set(text) & set("ВДПБЧ") or "Т" not in text:
        assert parse_cards(text) == mask
    else:
        assert "may be a ten or the Russian ace" in refusal(text)


@given(CARD_LISTS, st.sampled_from(["en", "ru"]), st.sampled_from(["", " ", ", "]), st.booleans(),
       st.randoms(use_true_random=False))
def test_single_cards_in_any_order_and_case(cards, lang, sep, last, random):
    ranks, suits = (RANKS_RU, SUITS_RU) if lang == "ru" else (RANKS_EN, SUITS_EN)
    words = [ranks[c & 7] + suits[c >> 3] if last else suits[c >> 3] + ranks[c & 7] for c in cards]
    text = sep.join(random.choice((word.upper(), word.lower())) for word in words)
    mask = sum(1 << c for c in cards)
    found, error = attempt(text, "Дп" if lang == "ru" else "As")
    if lang == "en" or sep or error is None:
        assert (found, error) == (mask, None)
    else:
        assert "may be the ace or clubs" in str(error)


@given(MASKS)
def test_a_set_is_its_cards(mask):
    assert sum(1 << c for c in cards_of(mask)) == mask
    assert list(cards_of(mask)) == sorted(cards_of(mask))
    assert sum(holding(mask, suit) << 8 * suit for suit in Suit) == mask
    assert format_cards(mask).split() == [
        card_code(c) for c in sorted(cards_of(mask), key=lambda c: (c >> 3, -c))]


def test_printing():
    mask = parse_cards("♠AK ♦10 ♥8")
    assert format_hand(mask) == "♠AK ♦10 ♥8"
    assert format_hand(mask, symbols=False) == "S:AK D:10 H:8"
    assert format_hand(mask, "ru") == "♠ТК ♦10 ♥8"
    assert format_hand(mask, "ru", symbols=False) == "П:ТК Б:10 Ч:8"
    assert ranks_text(0) == "-"
    assert ranks_text(0b1000_1001, "ru", " ") == "Т 10 7"
    assert [suit.symbol for suit in Suit] == ["♠", "♣", "♦", "♥"]


@pytest.mark.parametrize("text", ["A" * 300_000, "П" * 300_000, "ТУЗ" * 100_000])
def test_a_long_text_is_refused_without_delay(text):
    """In time that grew with the square of the length this would take hours."""
    with pytest.raises(InputError):
        parse_cards(text)


def test_a_card_word_ends_where_its_letters_end():
    assert parse_cards("туз пик, Король♠") == parse_cards("As Ks")
    with pytest.raises(InputError, match="'У' is not a suit"):
        parse_cards("тузы пик")
