"""Work that is drawn: any that ships, as much of it as a few servers do in some minutes of the simulated time."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random

from models.jobs.kinds import Workload
from models.jobs.workload import WorkloadModel
from profiles.loading import catalog
from profiles.text.schema import Shape
from tests.laws.drawn.library import ENTRIES, OF_TESTS, Data, decodes, fitting, part, shipped

GIGABYTE = 1e9
MODELS = (model for model in Shape(Workload).models if issubclass(model, WorkloadModel))
KINDS = {f"{kind}": model for model in MODELS for kind in Shape(model.model_fields["kind"].annotation).choices}
NOT_TIMED = {"storing"}
"""What is only kept takes no time."""


def work(draw: Random, workers: int, *, is_alone: bool) -> tuple[Data, Data | None]:
    """Return a workload of a few servers, and the client with which it ships, if any."""
    if draw.random() < 0.7:
        job, client = deepcopy(draw.choice(_parts()[draw.choice([*_parts()])])), None
    else:
        profile = shipped(draw.choice(ENTRIES))
        job, client = profile.get("workload", {}), profile.get("client")
    kind = job.get("kind", "")
    if kind not in KINDS or kind in NOT_TIMED or not (is_alone or _may_be_beside(kind)):
        return work(draw, workers, is_alone=is_alone)
    for key in ("framework", "engine", "tool"):
        _run_by(draw, job, kind, key)
    if sized := SIZES.get(kind):
        sized(draw, job, workers)
    return job, client


@cache
def _parts() -> dict[str, list[Data]]:
    """Return the workloads of the library by kind, so that a kind of many parts is drawn no more often."""
    every = [part("workload", name) for name in catalog.names("workloads")] + [*OF_TESTS]
    return {kind: [job for job in every if job["kind"] == kind] for kind in KINDS if kind not in NOT_TIMED}


def _may_be_beside(kind: str) -> bool:
    """Tell whether a kind does not refuse to run beside others."""
    return KINDS[kind].check_beside is WorkloadModel.check_beside


def _run_by(draw: Random, job: Data, kind: str, key: str) -> None:
    """Let another part of the library run a workload, where one may; always where it names none."""
    model = KINDS[kind]
    if key not in model.model_fields or (key in job and draw.random() < 0.5):
        return
    names = fitting(model, key)
    if key == "engine" and "file_format" in model.model_fields:
        file_format = job.get("file_format", model.model_fields["file_format"].default)
        names = tuple(name for name in names if decodes(name, file_format))
    is_needed = key in job or model.model_fields[key].is_required()
    if names and (is_needed or draw.random() < 0.3):
        job[key] = {"use": draw.choice(names)}


def _amount(draw: Random, workers: int) -> float:
    return workers * 2 ** draw.uniform(0, 4) * GIGABYTE


def _bytes(amount: float) -> str:
    return f"{amount:.0f} B"


def _mapreduce(draw: Random, job: Data, workers: int) -> None:
    amount = _amount(draw, workers)
    containers = draw.choice((1, 4, 8, 16))
    if "generated" in job:
        job["generated"] = _bytes(amount)
        job["maps"] = draw.randint(1, 2 * workers * containers)
    else:
        job["input"] = _bytes(amount)
        if "file_size" in job:
            reduces = draw.randint(1, 2 * workers * containers) - 0.5  # a hundredth more makes no further one of a few
            job["file_size"] = _bytes(amount / reduces)
        elif draw.random() < 0.5 and job.get("reduces") != 0:
            job["reduces"] = draw.randint(1, 2 * workers * containers)
    job["framework"] |= {"containers": containers} if draw.random() < 0.7 else {}
    job["framework"] |= {"slowstart": draw.choice((0.05, 0.8, 1.0))} if draw.random() < 0.3 else {}


def _spark(draw: Random, job: Data, workers: int) -> None:
    data = sum(float(f"{table['size']}".split()[0]) for table in job["tables"].values())
    if data > 50:  # GB
        job["scale"] = draw.choice((0.001, 0.003))
        job["queries"] = [draw.choice(job["queries"])]
    _executors(draw, job, workers)


def _executors(draw: Random, job: Data, workers: int) -> None:
    job["framework"] |= {"executors": draw.choice((1, 2)), "cores": draw.choice((1, 2, 4, 8))}


def _copy(draw: Random, job: Data, workers: int) -> None:
    job["size"] = _bytes(_amount(draw, workers))
    job["files"] = draw.choice((1, 7, 56, 300))
    job.pop("sample", None)
    if draw.random() < 0.7:
        job["origin"] = {"use": draw.choice(catalog.names("storage"))}


def _bulk(draw: Random, job: Data, workers: int) -> None:
    job["processes"] = draw.choice((1, 4, 8, 32))
    job["size"] = _bytes(_amount(draw, workers) / workers / job["processes"])
    job["passes"] = draw.choice((1, 1, 1, 2))
    if "block" in job or draw.random() < 0.2:  # each is asked for by itself
        job["block"] = draw.choice(("64 KiB", "1 MiB", "4 MiB"))
        job["depth"] = draw.choice((1, 4, 32))
        if job["block"] == "64 KiB":
            job["size"] = _bytes(2e9 / job["processes"])


def _requests(draw: Random, job: Data, workers: int) -> None:
    job.pop("duration", None)
    job["count"], job["precision"] = 6000, 0.02
    if "rate" not in job:
        job["threads"] = draw.choice((1, 4, 16, 64, 256))
    job.pop("data", None)


def _lakehouse(draw: Random, job: Data, workers: int) -> None:
    job["scale"], job["precision"] = 0.01, 0.02
    for key in ("gets", "opens", "probes", "lists"):
        if job.get(key):
            job[key] = max(job[key] // 100, 1)


def _loop(draw: Random, job: Data, workers: int) -> None:
    job["run_time"] = "60 s"  # beside other work there is no sample
    job["sample"], job["data"] = "4 s", _bytes(_amount(draw, workers))
    job["jobs"] = draw.choice((1, 8, 20, 64))


def _observed(draw: Random, job: Data, workers: int) -> None:
    _executors(draw, job, workers)


SIZES: dict[str, Callable[[Random, Data, int], None]] = {
    "mapreduce": _mapreduce,
    "spark": _spark,
    "observed": _observed,
    "copy": _copy,
    "bulk-io": _bulk,
    "requests": _requests,
    "lakehouse": _lakehouse,
    "event-loop": _loop,
}
"""What makes a workload of each kind as small as a few servers; one of a kind that is not here stays as it ships."""
