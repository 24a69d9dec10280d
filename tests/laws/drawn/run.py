"""`make drawn`: profiles drawn of all that the library has, held to the laws, and how many held.

python -m tests.laws.drawn.run --first 0 --count 200
python -m tests.laws.drawn.run --show 17

A profile is known by its number, which replays it; `--show` prints it, for `simulate --profile` to run.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
import traceback
from collections import Counter

from tests.laws.drawn.hold import hold
from tests.laws.drawn.profiles import text


class LongError(BaseException):
    """A profile takes longer than anybody waits."""


def main() -> int:
    """Hold profiles to the laws; return 1 if any breaks one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--patience", type=float, default=120, help="seconds of a processor after which one is left")
    parser.add_argument("--show", type=int)
    asked = parser.parse_args()
    if asked.show is not None:
        print(text(asked.show))
        return 0
    signal.signal(signal.SIGPROF, _leave)
    counts = Counter[str]()
    for number in range(asked.first, asked.first + asked.count):
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, asked.patience)
        became, told = _became(number)
        signal.setitimer(signal.ITIMER_PROF, 0)
        counts.update(became)
        print(f"{number} {told} [{time.process_time() - begun:.1f} s]", flush=True)
    print("\n".join(f"{count:6} {name}" for name, count in counts.most_common()))
    return int(any(name not in {"drawn", "held", "refused", "left"} for name in counts))


def _became(number: int) -> tuple[list[str], str]:
    try:
        held = hold(number)
    except LongError:
        return ["drawn", "left"], "left: it takes too long"
    except Exception:
        return ["drawn", "crashed"], f"crashed\n{traceback.format_exc()}"
    if held.refused:
        return ["drawn", "refused"], f"refused: {held.refused.splitlines()[0][:200]}"
    if held.broken:
        laws = {re.sub(r"[\d.:%+/()-]+", "#", law) for law in held.broken}
        return ["drawn", "broken", *laws], f"BROKEN {held.about}: {'; '.join(held.broken)}"
    return ["drawn", "held"], f"held: {held.about}"


def _leave(*_: object) -> None:
    raise LongError


if __name__ == "__main__":
    sys.exit(main())
