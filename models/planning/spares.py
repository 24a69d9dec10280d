"""How many spare parts are kept: the base stock under failures that come at random.

Source of the rule: base-stock level under Poisson demand, such as Zipkin, Foundations of Inventory Management, 2000,
6.2.
"""

from __future__ import annotations

import math
from statistics import NormalDist

MANY = 500.0
"""Failures on average from which on their number is taken for normal: the two differ by less than one in a hundred."""


def spare_parts(mean: float, confidence: float) -> int:
    """Return the least number that is enough with a probability, where so many fail on average (Poisson)."""
    if not confidence:
        return 0
    if mean > MANY:
        return math.ceil(NormalDist(mean, math.sqrt(mean)).inv_cdf(confidence))
    term = total = math.exp(-mean)
    number = 0
    while total < confidence:
        number += 1
        term *= mean / number
        total += term
    return number
