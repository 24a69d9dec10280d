"""Quantiles for the intervals of requests, without scipy, whose import alone takes a fifth of a second of each run."""

from __future__ import annotations

import math

OF_BATCHES = {
    2: 6.016663104427929,
    3: 3.1824463052837078,
    4: 2.6589123472044034,
    5: 2.4469118511449786,
    6: 2.333039626864974,
    7: 2.262157162798205,
}
"""97.5 % quantiles of Student's t by batches that overlap, with 1.5 degrees of freedom each but the first. Source:
scipy.special.stdtrit."""
NORMAL = 1.960
"""97.5 % quantile of the normal distribution. Source: any table of it."""
CLOSE = 1e-12
"""Part of a quantile by which the last step changes it at most. Assumption: far less than one request of 10^7."""
STEPS = 64
"""Steps at most. Source: halving what the quantile lies in so often leaves less than the last digit of it."""
TERMS = 100_000
"""Terms of the fraction at most. Assumption: ten times those of 10^9 requests, whose number grows with the root."""
ROUNDING = 1e-15
"""What rounding leaves of a factor of 1."""
TINY = 1e-300
"""What stands for a divisor of 0 in Lentz's method. Source: Numerical Recipes, 5.2."""


def beta_quantile(a: float, b: float, part: float) -> float:
    """Return where the beta distribution of `a` and `b`, both above 0, reaches a part of all, between 0 and 1.

    By Newton's method, which begins where the normal distribution of the same mean and variance reaches 2.5 or 97.5 %.
    The distribution only grows, so each value of it narrows what the quantile lies in. Where a step would lead out of
    that, or the distribution is too flat for one, half of it is left: what comes of it lies there in any case.
    """
    mean = a / (a + b)
    spread = math.sqrt(mean * (1 - mean) / (a + b + 1))
    low, high = 0.0, 1.0
    x = mean + math.copysign(NORMAL, part - 0.5) * spread
    if not low < x < high:
        x = mean if low < mean < high else 0.5
    for _ in range(STEPS):
        below, slope = _beta(a, b, x)
        low, high = (low, x) if below > part else (x, high)
        step = (below - part) / slope if slope > 0 else math.inf
        if abs(step) <= CLOSE * x:
            break
        x = x - step if low < x - step < high else (low + high) / 2
        if not low < x < high:
            break  # nothing lies between two neighbours
    return min(max(x, low), high)


def _beta(a: float, b: float, x: float) -> tuple[float, float]:
    """Return the beta distribution and its density at `x`, between 0 and 1.

    Source: NIST Digital Library of Mathematical Functions, 8.17.22; where the fraction converges slowly, 8.17.4.
    """
    whole = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - whole)
    is_low = x < (a + 1) / (a + b + 2)
    below = front / a * _fraction(a, b, x) if is_low else 1 - front / b * _fraction(b, a, 1 - x)
    return below, front / (x * (1 - x))


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method.

    Source: NIST Digital Library of Mathematical Functions, 8.17.22 and 3.10.
    """
    c, d = 1.0, 1 / _divisor(1 - (a + b) * x / (a + 1))
    product = d
    for m in range(1, TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _divisor(1 + even * d)
        c = _divisor(1 + even / c)
        product *= c * d
        d = 1 / _divisor(1 + odd * d)
        c = _divisor(1 + odd / c)
        product *= c * d
        if abs(c * d - 1) <= ROUNDING:
            break
    return product


def _divisor(value: float) -> float:
    return value if abs(value) > TINY else TINY
