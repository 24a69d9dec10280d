"""Absorbing Markov chains: the mean time until a system of failing and repaired components loses data.

A state is how many components of each kind are down. Failures lead further down, a repair of each kind with one down
leads back, and some failures lead to loss. States are eliminated one by one (Grassmann, Taksar and Heyman 1985): all
terms are positive and nothing is subtracted, so that every digit holds even where the mean time is 1e30 times a repair.

Covers exponential times only. One repair of a kind is under way at a time, as in the closed forms of the literature:
a second failed drive waits for the first, which is on the safe side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

State = tuple[int, ...]
"""How many components of each kind are down."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Like components: how many, the drives that one takes with it, its mean time to failure and to repair (s)."""

    count: int
    drives: int
    mttf: float
    mttr: float


@dataclass(frozen=True, slots=True)
class Loss:
    """When data is lost: chances, 0 to 1, in a state.

    `by_failure(state, kind)` is that of one more failure of a kind, `in_repair(state)` that of a repair which meets an
    unreadable sector. States of which `is_deepest(state)` holds lose data with the next failure.
    """

    by_failure: Callable[[State, int], float]
    in_repair: Callable[[State], float]
    is_deepest: Callable[[State], bool]


def mean_time_to_loss(kinds: Sequence[Kind], loss: Loss) -> float:
    """Return the mean time (s) from all components up to the first loss of data; infinite if none can come."""
    kinds = [kind for kind in kinds if kind.count and kind.mttf < float("inf")]
    states = _states(kinds, loss)
    number = {state: i for i, state in enumerate(states)}
    rates, lost = np.zeros((len(states), len(states))), np.zeros(len(states))
    for state, i in number.items():
        for k, kind in enumerate(kinds):
            if state[k] < kind.count:
                rate = (kind.count - state[k]) / kind.mttf
                chance = 1.0 if loss.is_deepest(state) else loss.by_failure(state, k)
                lost[i] += rate * chance
                if chance < 1:
                    rates[i, number[_moved(state, k, 1)]] += rate * (1 - chance)
            if state[k]:
                chance = loss.in_repair(state)
                lost[i] += chance / kind.mttr
                rates[i, number[_moved(state, k, -1)]] += (1 - chance) / kind.mttr
    return time_to_absorption(rates, lost)


def time_to_absorption(rates: NDArray[np.float64], lost: NDArray[np.float64]) -> float:
    """Return the mean time (s) from state 0 to absorption.

    `rates` of shape (states, states) are those between states (1/s), `lost` of shape (states,) those to absorption.
    """
    rates, lost, weights = rates.copy(), lost.copy(), np.ones(len(lost))
    for state in range(len(lost) - 1, 0, -1):
        total = rates[state, :state].sum() + lost[state]
        share = rates[:state, state] / total
        rates[:state, :state] += np.outer(share, rates[state, :state])
        lost[:state] += share * lost[state]
        weights[:state] += share * weights[state]
    return float(weights[0] / lost[0]) if lost[0] > 0 else float("inf")


def _states(kinds: Sequence[Kind], loss: Loss) -> list[State]:
    """Return all states that can be reached without loss, all up first."""
    states: dict[State, None] = {(0,) * len(kinds): None}
    waiting = list(states)
    while waiting:
        state = waiting.pop(0)
        if loss.is_deepest(state):
            continue
        for k, kind in enumerate(kinds):
            further = _moved(state, k, 1)
            if further[k] <= kind.count and loss.by_failure(state, k) < 1 and further not in states:
                states[further] = None
                waiting.append(further)
    return list(states)


def _moved(state: State, kind: int, step: int) -> State:
    return (*state[:kind], state[kind] + step, *state[kind + 1 :])
