"""One point of a study, and what is kept of it once it is simulated.

A point is known by its key: whoever asks for the same scenario, seed and replications of the same program again gets
the stored answer. What a scenario says beside the run (title, prices, failure rates) is no part of the key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from models.problem import RefusalError, shortened
from models.scenario import Scenario
from models.values import value
from simulator import interrupts
from simulator.clock import Cancelled
from simulator.fault_log import told
from simulator.result import Bottleneck, GroupResult, Result, StageResult, check_times
from simulator.run import simulate
from simulator.studies.periods import by_periods

T = TypeVar("T")
KINDS: dict[object, Any] = {"str": str, "int": int, "float": float | int}
"""What the kinds of a row may be in JSON, by their names."""
LONGEST_WHOLE = 300
"""Digits of a whole number in JSON. Source: IEEE 754: a double reaches 10^308."""
BESIDE_THE_RUN = {"profile", "growth", "prices"}


@value(kw_only=True)
class Point:
    """One scenario of a study; `values` are the keys that the study varies, as texts, in its order.

    With a `tolerance` it is simulated faster and not exactly, as `simulate` says, and one period stands for those that
    follow; with 0 exactly, however large it is.
    """

    scenario: Scenario
    values: tuple[tuple[str, str], ...] = ()
    profile: str = ""
    seed: int = 0
    replications: int = 1
    tolerance: float | None = None

    @property
    def key(self) -> str:
        """The name of the answer: equal for points whose answers must be equal, in hexadecimal digits."""
        failures = self.scenario.failures
        beside = BESIDE_THE_RUN if failures is not None and failures.is_in_run else BESIDE_THE_RUN | {"failures"}
        loosely = (f"{self.tolerance}",) if self.tolerance is not None else ()
        asked = (engine(), f"{self.seed}", f"{self.replications}", *loosely)
        with interrupts.held():  # pydantic tells a Ctrl+C as an error of its own
            stated = self.scenario.model_dump_json(exclude=beside)
        parts = (*asked, stated)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@value(kw_only=True)
class Answer:
    """What is kept of a result: everything but the series and the single resources. `Result` says what each is."""

    duration: float
    durations: tuple[float, ...]
    interval: tuple[float, float] | None
    bottleneck: Bottleneck
    next_bottleneck: Bottleneck | None
    metrics: dict[str, tuple[float, str]]
    stages: tuple[StageResult, ...]
    groups: tuple[GroupResult, ...]
    capacity: dict[str, float]
    warnings: tuple[str, ...]
    leading: dict[str, tuple[float, ...]]
    works: int = 0

    @classmethod
    def of(cls, result: Result) -> Answer:
        """Return what is kept of a result."""
        return cls(**{entry.name: getattr(result, entry.name) for entry in fields(cls)})

    @classmethod
    def from_json(cls, text: str) -> Answer:
        """Return the answer that `to_json` wrote.

        Raises:
            ValueError: the text is none, or says what no run comes to.
        """
        try:
            parsed = cls._of_data(json.loads(text, parse_constant=_infinite, parse_int=_whole))
            check_times(parsed.duration, parsed.durations, parsed.stages)
        except json.JSONDecodeError:
            raise ValueError("it is no JSON") from None
        except KeyError as error:
            raise ValueError(f"it has no {error}"[:100]) from None
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError):
            raise ValueError("a part of it is missing, beyond all bounds, or of another kind") from None
        return parsed

    @classmethod
    def _of_data(cls, data: dict[str, Any]) -> Answer:
        return cls(
            duration=_number(data["duration"]),
            durations=tuple(map(_number, data["durations"])),
            interval=_pair(data["interval"]) if data["interval"] else None,
            bottleneck=_row(Bottleneck, data["bottleneck"]),
            next_bottleneck=_bottleneck(data["next_bottleneck"]),
            metrics={name: (_number(value), str(unit)) for name, (value, unit) in data["metrics"].items()},
            stages=tuple(
                _row(StageResult, row | {"bottleneck": _bottleneck(row["bottleneck"])}) for row in data["stages"]
            ),
            groups=tuple(_row(GroupResult, row) for row in data["groups"]),
            capacity={name: _number(value) for name, value in data["capacity"].items()},
            warnings=tuple(map(str, data["warnings"])),
            leading={name: tuple(map(_number, values)) for name, values in data["leading"].items()},
            works=int(_number(data["works"])),
        )

    def to_json(self) -> str:
        """Return the answer as JSON text, from which an equal one can be made."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))


@value()
class PointFailure:
    """Why a point has no answer. `is_fault`: the program failed, not the scenario."""

    reason: str
    is_fault: bool = False


def answer(point: Point, should_stop: Callable[[], bool] | None = None) -> Answer | PointFailure:
    """Simulate a point; what goes wrong is an answer, too, so that one bad point does not end a study.

    Raises:
        Cancelled: `should_stop` said so.
        KeyboardInterrupt: this process met a signal, whatever a library made of it.
    """

    def run(scenario: Scenario) -> Result:
        return simulate(
            scenario,
            profile=point.profile,
            seed=point.seed,
            replications=point.replications,
            should_stop=should_stop,
            tolerance=point.tolerance,
            is_compared=not point.tolerance,
        )

    try:
        result = by_periods(point.scenario, run) if point.tolerance else run(point.scenario)
    except Cancelled:
        raise
    except RefusalError as error:
        return PointFailure(str(error))
    except Exception as error:
        if interrupts.met():
            raise KeyboardInterrupt from error
        return PointFailure(told(error), is_fault=True)
    return Answer.of(result)


def _infinite(constant: str) -> float:
    """Return what JSON has no word for; a latency may grow without end, and nothing is no number."""
    if constant == "NaN":
        raise ValueError("a value is no number")
    return float(constant)


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_WHOLE:
        raise ValueError(f"a whole number has {len(digits):,} digits")
    return int(digits)


@cache
def engine() -> str:
    """Return what names this program among others: its version, and a digest of the code that makes the numbers."""
    root = Path(__file__).parent.parent.parent
    files = sorted(path for floor in ("models", "simulator") for path in (root / floor).rglob("*.py"))
    text = b"\0".join(path.read_bytes() for path in files)
    return f"{version('headroom')}+{hashlib.blake2b(text, digest_size=8).hexdigest()}"


def _bottleneck(data: dict[str, Any] | None) -> Bottleneck | None:
    return _row(Bottleneck, data) if data else None


def _row(kind: type[T], data: dict[str, Any]) -> T:
    """Return a row of a result as it was written.

    Raises:
        TypeError: a part of it is missing or unknown.
        ValueError: a part of it is of another kind.
    """
    for name, of in kind.__annotations__.items():
        if of in KINDS and name in data and not isinstance(data[name], KINDS[of]):
            raise ValueError(f"its {name} is {shortened(repr(data[name]))}")
    return kind(**data)


def _number(value: object) -> float:
    if not isinstance(value, float | int):
        raise ValueError(f"{shortened(repr(value))} is no number")
    return float(value)


def _pair(values: Sequence[object]) -> tuple[float, float]:
    low, high = map(_number, values)
    return low, high
