"""Speculative execution: when a copy of a slow task starts on another server.

Spark calls an attempt slow that runs for a multiple of the median time of the tasks that have ended. Hadoop estimates
by its progress when an attempt will end, and copies the one that gains most if a new one of the mean time would end
sooner. No attempt of the model reports progress, so that the rule of Spark stands for both; what bounds the copies is
Hadoop's own. A copy takes a slot only where no task waits for it.

Source: Apache Spark, TaskSetManager.checkSpeculatableTasks; Apache Hadoop, DefaultSpeculator, StartEndTimesBase.
"""

from __future__ import annotations

from models.quantity import Model, Quantity, quantity, setting
from models.speculation import Speculation


class HadoopSpeculation(Model):
    """Copies of slow tasks in MapReduce, one map and one reduce at a look."""

    quantile: float = setting(
        "Part of a stage's tasks that has ended when copies may start (StartEndTimesBase: 0.05).",
        default=0.05,
        ge=0,
        le=1,
    )
    multiplier: float = setting(
        "Times the median time of those that an attempt runs before it counts as slow.",
        default=1.5,
        gt=1,
        source="assumed: spark.speculation.multiplier of Spark 2 and 3 in place of Hadoop's estimate, which acts "
        "sooner on attempts that are slow from the start",
        between=(1.1, 3.0),
    )
    interval: Quantity = quantity(
        "s",
        "Least time after a look that started no copy (mapreduce.job.speculative.retry-after-no-speculate).",
        default="1 s",
        gt=0,
    )
    pause: Quantity = quantity(
        "s",
        "Least time after a look that started one (mapreduce.job.speculative.retry-after-speculate).",
        default="15 s",
        gt=0,
    )
    minimum_allowed: int = setting(
        "Copies of maps, or of reduces, that there may be at once in any case "
        "(mapreduce.job.speculative.minimum-allowed-tasks).",
        default=10,
        ge=0,
    )
    cap_total: float = setting(
        "Part of all maps, or reduces, that may have a copy at once, if that is more "
        "(mapreduce.job.speculative.speculative-cap-total-tasks).",
        default=0.01,
        ge=0,
        le=1,
    )
    cap_running: float = setting(
        "Part of the running ones that may, if that is more (mapreduce.job.speculative.speculative-cap-running-tasks).",
        default=0.1,
        ge=0,
        le=1,
    )

    @property
    def rule(self) -> Speculation:
        """What a stage does by these settings."""
        return Speculation(
            self.quantile,
            self.multiplier,
            self.interval,
            self.pause,
            at_once=1,
            least=self.minimum_allowed,
            of_all=self.cap_total,
            of_running=self.cap_running,
        )


class SparkSpeculation(Model):
    """Copies of slow tasks in Spark, as many as there are free slots."""

    quantile: float = setting(
        "Part of a stage's tasks that has ended when copies may start (spark.speculation.quantile; since 4.0: 0.9).",
        default=0.75,
        ge=0,
        le=1,
    )
    multiplier: float = setting(
        "Times the median time of those that an attempt runs before it counts as slow "
        "(spark.speculation.multiplier; since 4.0: 3).",
        default=1.5,
        gt=1,
    )
    interval: Quantity = quantity(
        "s", "Least time between two looks (spark.speculation.interval).", default="100 ms", gt=0
    )

    @property
    def rule(self) -> Speculation:
        """What a stage does by these settings."""
        return Speculation(self.quantile, self.multiplier, self.interval, self.interval)
