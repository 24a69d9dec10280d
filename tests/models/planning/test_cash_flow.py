"""What is paid in which year sums up to the cost over all years, and to its present value."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from models.planning.cash_flow import cash_flow
from models.planning.cost import Cost
from models.planning.payments import Purchase, Terms
from models.planning.prices import CloudStorePrice

LOTS = (
    Purchase("now", None, 0.0, 100_000.0, 7_000.0, once=3_000.0, maintenance=8_000.0),
    Purchase("later", None, 1.3, 20_000.0, 900.0),
)


def cost(life: float, rate: float = 0.06, store: CloudStorePrice | None = None) -> Cost:
    """Return a cost of two lots of machines that live so many years."""
    return Cost(
        items=(),
        purchases=LOTS,
        power=0.0,
        rack_units=0.0,
        servers=1,
        terms=Terms(life, rate, price_decline=0.1, residual_value=0.15),
        date="",
        unpriced=(),
        store=store,
        stock=lambda years: 1e12 * (1 + years),
        asked=50.0,
    )


@pytest.mark.parametrize("life", [2.0, 2.5, 5.0])
@pytest.mark.parametrize("years", [1.0, 3.0, 4.5, 7.0])
@pytest.mark.parametrize("rate", [0.0, 0.06])
def test_years_sum_up_to_the_cost_and_to_what_it_is_worth_now(life: float, years: float, rate: float) -> None:
    told = cost(life, rate)
    flow = cash_flow(told, years)
    assert sum(year.paid for year in flow) == pytest.approx(told.over(years))
    assert sum(year.present for year in flow) == pytest.approx(told.present(years))
    assert (flow[0].start, flow[-1].end) == (0.0, years)
    assert all(one.end == other.start for one, other in pairwise(flow))


def test_what_a_rented_store_asks_grows_with_what_it_keeps() -> None:
    told = cost(5.0, store=CloudStorePrice.model_validate({"stored": "0.02 USD/GB-month"}))
    flow = cash_flow(told, 3.0)
    assert sum(year.paid for year in flow) == pytest.approx(told.over(3.0))
    assert flow[1].running < flow[2].running


def test_machines_are_bought_again_in_the_year_after_they_are_written_off() -> None:
    alone = replace(cost(2.0, 0.0), purchases=LOTS[:1])
    bought = [year.bought for year in cash_flow(alone, 4.0)]
    assert bought == pytest.approx([103_000.0, 0.0, 100_000.0 * 0.9**2, 0.0])


def test_machines_that_replace_others_are_maintained_at_the_price_that_they_had() -> None:
    alone = replace(cost(2.0, 0.0), purchases=LOTS[:1])
    running = [year.running for year in cash_flow(alone, 4.0)]
    first, later = 7_050.0 + 8_000.0, 7_050.0 + 8_000.0 * 0.9**2  # 50 of them for what is asked of a store
    assert running == pytest.approx([first, first, later, later])
