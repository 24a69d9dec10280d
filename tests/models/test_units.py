"""Quantities as text: what is read, what is refused with which words, and how values are shown."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from models.units import alternatives, convert, format, format_duration, parse, unit


@pytest.mark.parametrize(
    ("text", "dimension_unit", "value"),
    [
        ("205 MB/s", "B/s", 2.05e8),
        ("25 Gbit/s", "B/s", 3.125e9),
        ("25 Gb/s", "B/s", 3.125e9),
        ("25 Gbps", "B/s", 3.125e9),
        ("128 MiB/s", "B/s", 128 * 2**20),
        ("1 kB", "B", 1e3),
        ("64KiB", "B", 64 * 1024),
        (" 2 PiB ", "B", 2.0 * 2**50),
        ("8 bit", "B", 1),
        ("8 b", "B", 1),
        ("1 Mibit", "B", 2**17),
        ("2EB", "B", 2e18),
        ("2e3 B", "B", 2000),
        ("8.5 ms", "s", 8.5e-3),
        ("20 µs", "s", 20e-6),
        ("20 μs", "s", 20e-6),  # the Greek letter
        ("20 us", "s", 20e-6),
        ("3 ns", "s", 3e-9),
        ("15 min", "s", 900),
        ("2 h", "s", 7200),
        ("1 d", "s", 86400),
        ("1 y", "s", 8760 * 3600),
        ("1 month", "h", 730),
        ("7200 rpm", "rpm", 7200),
        ("3000 IOPS", "1/s", 3000),
        ("150 1/s", "IOPS", 150),
        ("700000/s", "1/s", 700_000),
        ("6 /min", "1/s", 0.1),
        ("2.3 GHz", "Hz", 2.3e9),
        ("1.2 kW", "W", 1200),
        ("1 kWh", "J", 3.6e6),
        ("1 kWh", "W-h", 1000),
        ("0.28 EUR/kWh", "EUR/kWh", 0.28),
        ("23 USD/TB-month", "USD/GB-month", 0.023),
        ("0.023 USD/GB/month", "USD/GB-month", 0.023),
        ("0.005 USD/1000", "USD", 5e-6),
        ("3.2 ns/B", "s/B", 3.2e-9),
        ("5 s/GB", "s/B", 5e-9),
        ("1.4 %/y", "1/y", 0.014),
        ("30 %", "1", 0.3),
        ("0.3", "1", 0.3),
        ("-5 MB/s", "B/s", -5e6),
    ],
)
def test_a_text_is_read_to_the_last_bit(text: str, dimension_unit: str, value: float) -> None:
    assert parse(text, dimension_unit) == value


RATE = "expected a rate such as '205 MB/s' or '25 Gbit/s'"
SIZE = "expected a size such as '64 MiB' or '2 TB'"
PER_SECOND = "expected a number per second such as '3000 IOPS' or '150 1/s'"
TIME = "expected a time such as '8 ms' or '15 min'"


@pytest.mark.parametrize(
    ("text", "dimension_unit", "message"),
    [
        ("fast", "B/s", f"{RATE} (got 'fast')"),
        ("", "B/s", f"{RATE} (got '')"),
        ("1,5 MB/s", "B/s", f"{RATE} (got '1,5 MB/s'); did you mean '1.5 MB/s'?"),
        ("1,5TB", "B", f"{SIZE} (got '1,5TB'); did you mean '1.5TB'?"),
        ("1 000 GB", "B", f"{SIZE} (got '1 000 GB'); did you mean '1000 GB'?"),
        ("1'000 000,5 GB", "B", f"{SIZE} (got '1'000 000,5 GB'); did you mean '1000000.5 GB'?"),
        ("15000,000 GB", "B", f"{SIZE} (got '15000,000 GB')"),
        ("1,5 parsec", "B", f"{SIZE} (got '1,5 parsec')"),
        ("10 G", "B/s", f"{RATE} (got '10 G'); did you mean 'GB/s' or 'Gbit/s'?"),
        ("3T", "B", f"{SIZE} (got '3T'); did you mean 'TB' or 'Tbit'?"),
        ("1e999 B/s", "B/s", f"{RATE} (got '1e999 B/s')"),
        ("205", "B/s", f"{RATE} (got '205'): the unit is missing"),
        ("205 mb/s", "B/s", f"{RATE} (got '205 mb/s'); did you mean 'MB/s' or 'Mbit/s'?"),
        ("205 MBps", "B/s", f"{RATE} (got '205 MBps'); did you mean 'MB/s' or 'Mbit/s'?"),
        ("25 gbit/s", "B/s", f"{RATE} (got '25 gbit/s'); did you mean 'Gbit/s'?"),
        ("25 Gb", "B/s", f"{RATE} (got '25 Gb'); did you mean '25 Gbit/s'?"),
        ("205 MB", "B/s", f"{RATE} (got '205 MB'); did you mean '205 MB/s'?"),
        ("5 s", "B/s", f"{RATE} (got '5 s'): 's' is a time"),
        ("5 USD/h", "B/s", f"{RATE} (got '5 USD/h'): 'USD/h' measures something else"),
        ("64 KB", "B", f"{SIZE} (got '64 KB'); did you mean 'kB' or 'KiB'?"),
        ("5 XB", "B", f"{SIZE} (got '5 XB')"),
        ("64 mib", "B", f"{SIZE} (got '64 mib'); did you mean 'MiB'?"),
        ("500 Gb", "B", f"{SIZE} (got '500 Gb'): 'Gb' is bits; did you mean 'GB' or 'Gbit'?"),
        ("12 %", "B", f"{SIZE} (got '12 %'): '%' is a number or a percentage"),
        ("10 seconds", "s", f"{TIME} (got '10 seconds'); did you mean 's'?"),
        ("10 MS", "s", f"{TIME} (got '10 MS'); did you mean 'ms'?"),
        ("5 iops", "1/s", f"{PER_SECOND} (got '5 iops'); did you mean 'IOPS'?"),
        ("5 GHz", "1/s", f"{PER_SECOND} (got '5 GHz'): 'GHz' is a clock rate"),
        ("5 USD", "EUR", "expected an amount in EUR such as '1200 EUR' (got '5 USD'): 'USD' is an amount in USD"),
        ("5 $", "USD", "expected an amount in USD such as '1200 USD' (got '5 $'); did you mean 'USD'?"),
        ("3", "USD/h", "expected a quantity in USD/h such as '1.5 USD/h' (got '3'): the unit is missing"),
        ("often", "1", "expected a number or a percentage such as '0.3' or '30 %' (got 'often')"),
    ],
)
def test_a_wrong_text_is_refused_with_what_was_expected_and_the_nearest_right_unit(
    text: str, dimension_unit: str, message: str
) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the words are compared whole
        parse(text, dimension_unit)
    assert str(caught.value) == message


def test_an_unknown_unit_is_no_unit_of_a_field() -> None:
    with pytest.raises(ValueError, match="unknown unit 'parsec'"):
        unit("B/parsec")


@pytest.mark.parametrize(
    ("value", "dimension_unit", "text"),
    [
        (1.26e9, "B/s", "1.26 GB/s"),
        (512 * 2**20, "B", "536.9 MB"),
        (999.96e6, "B", "1 GB"),
        (0.5, "B", "0.5 B"),
        (-5e6, "B/s", "-5 MB/s"),
        (0, "B", "0 B"),
        (math.inf, "B/s", "inf B/s"),
        (8.3e-4, "s", "830 µs"),
        (16745.3, "s", "16745 s"),
        (3.2e-9, "s/B", "3.2 ns/B"),
        (2.3e9, "Hz", "2.3 GHz"),
        (0.023, "USD/GB-month", "0.023 USD/GB-month"),
        (410000.37, "USD", "410000 USD"),
        (3000, "IOPS", "3000 IOPS"),
        (5 / 6, "1", "0.8333"),
    ],
)
def test_a_value_is_shown_with_a_decimal_prefix_and_four_digits(value: float, dimension_unit: str, text: str) -> None:
    assert format(value, dimension_unit) == text


@given(st.floats(1e-3, 1e18), st.sampled_from(["B", "B/s", "s", "s/B", "W", "Hz", "1", "USD/GB-month"]))
def test_what_is_shown_reads_as_the_value_to_the_digits_shown(value: float, dimension_unit: str) -> None:
    assert parse(format(value, dimension_unit, 12), dimension_unit) == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize(
    ("text", "name", "converted"),
    [
        ("100 MB/s", "Gbit/s", "0.8 Gbit/s"),
        ("25 Gb/s", "MB/s", "3125 MB/s"),
        ("128 MiB", "B", "134217728 B"),
        ("5 ms", "us", "5000 us"),
        ("30 %", "1", "0.3"),
        ("0.3", "%", "30 %"),
        ("1 ns/B", "s/GB", "1 s/GB"),
    ],
)
def test_a_quantity_is_written_in_another_unit(text: str, name: str, converted: str) -> None:
    assert convert(text, name) == converted
    assert name in alternatives(text)


def test_a_quantity_is_not_written_in_a_unit_of_something_else() -> None:
    with pytest.raises(ValueError, match="expected a time"):
        convert("100 MB/s", "s")
    assert alternatives("7200 rpm") == alternatives("unlimited") == ()


@given(st.floats(1e-6, 1e15), st.sampled_from(["128 MiB", "100 MB/s", "8 ms", "30 %"]), st.data())
def test_a_quantity_in_another_unit_is_the_same(value: float, like: str, data: st.DataObject) -> None:
    own = like.partition(" ")[2]
    other = data.draw(st.sampled_from(alternatives(like)))
    assert parse(convert(f"{value!r} {own}", other), own) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (0.012, "12 ms"),
        (0.83, "0.83 s"),
        (12.34, "12.3 s"),
        (59.96, "1 min 0 s"),
        (1005.2, "16 min 45 s"),
        (3599.6, "1 h 0 min"),
        (7380, "2 h 3 min"),
        (86399, "1 d 0 h"),
        (273600, "3 d 4 h"),
        (-70, "-1 min 10 s"),
        (math.inf, "unbounded"),
    ],
)
def test_a_duration_is_shown_in_its_two_largest_units(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize("text", ["1500000 USD", "1,500,000 USD", "1.5 M USD", "1,500 k USD", "1,500,000.0 USD"])
def test_money_is_read_as_it_is_printed_and_as_people_write_it(text: str) -> None:
    assert parse(text, "USD") == 1.5e6


@pytest.mark.parametrize("text", ["1,5 USD", "1,50,000 USD", "15000,000 USD", "1.5 m USD", "1500000"])
def test_a_comma_that_parts_no_thousands_and_money_without_a_currency_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected an amount in USD"):
        parse(text, "USD")


def test_a_number_with_commas_is_written_in_another_unit() -> None:
    assert convert("1,500 GB", "TB") == "1.5 TB"
