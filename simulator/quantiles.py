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
STEPS = 32
"""Steps at most. Assumption: three times what any quantile of up to 10^7 requests takes, unless rounding is coarser."""
ROUNDING = 1e-15
"""What rounding leaves of a factor of 1."""


def beta_quantile(a: float, b: float, is_upper: bool) -> float:
    """Return where the beta distribution of `a` and `b`, both above 0, reaches 2.5 %, or 97.5 %.

    By Newton's method, which begins where the normal distribution of the same mean and variance reaches that. Where
    this or a step leads out of what the quantile is known to lie in, as near 1 with few requests above, halves that.
    """
    mean, part = a / (a + b), 0.975 if is_upper else 0.025
    spread = math.sqrt(mean * (1 - mean) / (a + b + 1))
    low, high = 0.0, 1.0
    x = mean + (NORMAL if is_upper else -NORMAL) * spread
    if not low < x < high:
        x = mean
    whole = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    for _ in range(STEPS):
        slope = math.exp(a * math.log(x) + b * math.log1p(-x) - whole)
        below = slope / a * _fraction(a, b, x) if x < mean else 1 - slope / b * _fraction(b, a, 1 - x)
        low, high = (low, x) if below > part else (x, high)
        step = (below - part) * x * (1 - x) / slope
        if abs(step) <= CLOSE * x:
            return x - step
        x = x - step if low < x - step < high else (low + high) / 2
        if not low < x < high:
            break
    return x


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method.

    Source: NIST Digital Library of Mathematical Functions, 8.17.22 and 3.10.
    """
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    product, factor, m = d, 0.0, 0
    while abs(factor - 1) > ROUNDING:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            c, d = 1 + term / c, 1 / (1 + term * d)
            factor = c * d
            product *= factor
    return product
