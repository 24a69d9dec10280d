"""Sobol indices: the same as SALib computes, and those of functions of which they are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from SALib.analyze import sobol as analysis
from SALib.sample import sobol as sampling

from simulator.studies.saltelli import Floats, design, indices

MEASURES: dict[str, Callable[[Floats], Floats]] = {
    "sum": lambda points: points @ np.arange(1, points.shape[1] + 1) + points[:, 0] ** 2,
    "step": lambda points: (points[:, 0] > 0.9).astype(float),
    "one point alone": lambda points: (np.arange(len(points)) == 1).astype(float),
}


def problem(inputs: int) -> dict[str, object]:
    return {"num_vars": inputs, "names": [str(i) for i in range(inputs)], "bounds": [[0.0, 1.0]] * inputs}


@pytest.mark.parametrize(("inputs", "base", "seed"), [(1, 8, 0), (3, 16, 5), (7, 64, 1)])
def test_a_design_has_the_same_bytes_as_that_of_salib(inputs: int, base: int, seed: int) -> None:
    theirs = sampling.sample(problem(inputs), base, calc_second_order=False, seed=seed)
    assert design(inputs, base, seed).tobytes() == theirs.tobytes()


@pytest.mark.filterwarnings("ignore:Constant values")  # of resamples without the one point
@pytest.mark.parametrize("measure", MEASURES)
def test_indices_are_those_of_salib_to_the_last_bit(measure: str) -> None:
    measures = MEASURES[measure](design(3, 32, seed=2))
    theirs = analysis.analyze(problem(3), measures, calc_second_order=False, seed=7)
    columns = (map(float, theirs[name]) for name in ("S1", "S1_conf", "ST", "ST_conf"))
    assert indices(measures, 3, seed=7) == list(zip(*columns, strict=True))


def test_an_input_of_which_nothing_depends_has_no_influence() -> None:
    points = design(2, 64, seed=0)
    _, (alone, _, total, _) = indices(points[:, 0], 2, seed=1)
    assert alone == pytest.approx(0.0)
    assert total == pytest.approx(0.0)
