"""Measure how long large files take to be read: `python tests/benchmarks/imports.py FOLDER`, which keeps the files.

Writes 10 million lines of an access log of S3 (4 GB) and an event log of Spark of 1 GB, reads each in a process of its
own, and prints CPU seconds and the most memory. `--part 0.01` writes a hundredth of both.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.profiles import event_logs
from tests.profiles.imports.times import clf

LINES, BYTES = 10_000_000, 10**9
AGENTS = (
    '"aws-sdk-java/1.12.262 Linux/5.10 OpenJDK_64-Bit_Server_VM/25.372"',
    '""Mozilla/5.0 (X11; Linux x86_64)"',
    '"-"',
)
KINDS = (
    ("REST.GET.OBJECT", "GET", "200 - {size} {size} {time} {first}"),
    ("REST.GET.OBJECT", "GET", "206 - {part} {size} {time} {first}"),
    ("REST.PUT.OBJECT", "PUT", "200 - - {size} {time} {first}"),
    ("REST.HEAD.OBJECT", "HEAD", "404 NoSuchKey 300 - {first} -"),
    ("REST.GET.BUCKET", "GET", "200 - 5120 - {first} -"),
    ("S3.EXPIRE.OBJECT", "", "- - - {size} - -"),
)
READ = """
import resource, sys, time
from profiles.imports.opening import sources
from profiles.imports.reading import findings
begin = time.process_time()
with sources(sys.argv[1:]) as files:
    told = [*findings(files)[0].told()]
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{time.process_time() - begin:.1f} s CPU, at most {most:.0f} MiB: {', '.join(told)}")
"""


def requests(count: int) -> Iterator[str]:
    """Yield lines of an access log: sizes and times of every order, keys of every length, one in a thousand odd."""
    rng = random.Random(0)
    for number in range(count):
        operation, method, form = KINDS[min(int(rng.expovariate(1.0) * 2), 5)]
        size = int(rng.lognormvariate(12, 3))
        time = int(rng.lognormvariate(3, 1))
        key = "/".join(f"{rng.getrandbits(40):x}" for _ in range(rng.randint(1, 6)))
        request = f'"{method} /bucket/{key}?versionId=x HTTP/{"1.1" if number % 1000 else "1.0"}"' if method else '"-"'
        numbers = form.format(size=size, part=size // 3, time=time, first=time // 2)
        head = f"79a59df900b949e5 bucket [{clf(number * 0.01)}] 192.0.2.3 arn:aws:iam::1:user/x 3E57427F33A59F07"
        tail = f'"-" {rng.choice(AGENTS)} - h0stid+/= SigV4 ECDHE-RSA-AES128 AuthHeader b.s3.amazonaws.com TLSv1.2 - -'
        yield f"{head} {operation} {key} {request} {numbers} {tail}\n"


def events(size: int) -> Iterator[str]:
    """Yield lines of an event log of about so many bytes: stages of a thousand tasks with their accumulators."""
    yield from (f"{line}\n" for line in event_logs.BEGIN)
    written, stage = 0, 0
    names = [{"ID": number, "Name": f"internal.metrics.{number}", "Update": number} for number in range(20)]
    while written < size:
        begin = stage * 2000
        lines = [event_logs.job(stage, [stage], begin)]
        lines += [
            event_logs.task(stage, begin, begin + 1000 + task, cpu=900, input=1e6, update=names) for task in range(1000)
        ]
        lines.append(event_logs.completed(stage, 1000, begin, begin + 2000))
        text = "\n".join([*lines, ""])
        written, stage = written + len(text), stage + 1
        yield text


def main() -> None:
    """Write the files that are not there, and read them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", type=float, default=1.0)
    asked = parser.parse_args()
    made = {"s3-access.log": requests(int(LINES * asked.part)), "spark-events": events(int(BYTES * asked.part))}
    for name, lines in made.items():
        path = asked.folder / f"{name}-{asked.part:g}"
        if not path.exists():
            with path.open("w", encoding="utf-8") as file:
                file.writelines(lines)
        answer = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True)
        print(f"{name}: {path.stat().st_size / 1e6:,.0f} MB, {answer.stdout.strip()}")


if __name__ == "__main__":
    main()
