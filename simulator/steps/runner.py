"""The Python side of the step loop: what it is asked for, and whom it calls back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import Struct
from typing import Any

import numpy as np

from models.work import Step
from simulator.compiled import entry
from simulator.fluid.activities import Activities
from simulator.fluid.state import NONE
from simulator.steps.loop import SPARE, go
from simulator.steps.state import (
    AWAIT,
    BEGIN,
    BEGUN,
    CALL_AT,
    CALLBACK,
    DELAY,
    EXECUTE,
    FINISH,
    GIVE_BACK,
    GO_ON,
    GOES_ON,
    HELD,
    PLAN,
    REACH,
    SIDES,
    WORDS,
    WRITE_BEHIND,
)
from simulator.steps.tables import FRAME_AT, STEP_AT, StepTables
from simulator.steps.writer import StepWriter

Done = Callable[[], object]

ENDS_BY_ITSELF = (DELAY, WRITE_BEHIND, AWAIT)
"""What an attempt that was ended leaves under way; a frame that holds room for it gives the room back at its end."""

_WORDS = Struct(f"{WORDS}d")


class StepRunner:
    """Steps that are planned or under way on the works of a run."""

    def __init__(self, activities: Activities) -> None:
        self.activities = activities
        self.tables = StepTables(len(activities.known))
        self._writer = StepWriter(self.tables, activities)
        self._tags = 0
        self._callbacks: list[Done] = []
        self._free_callbacks: list[int] = []
        self._begun = self._length = 0  # words of the inbox: those that the loop knows, all
        self._go = entry(go)

    @property
    def waited(self) -> dict[int, float]:
        """Seconds that steps with a tag waited for room in pools, summed over them."""
        waited = self.tables.all.waited
        return {int(tag): float(waited[tag]) for tag in np.flatnonzero(waited)}

    def waited_for(self, tag: int) -> float:
        """Return the seconds that steps with a tag waited for room in pools, summed over them."""
        waited = self.tables.all.waited
        return float(waited[tag]) if tag < len(waited) else 0.0

    def go(self, now: float, event: float) -> tuple[int, float, int]:
        """Let the loop go on from `now`, up to an event of Python at the most.

        Returns why it is back, the time, and the callback that is due.
        """
        begun, end, self._begun = self._begun, self._length, self._length
        why, time, callback, is_clear = self._go(self.activities.tables, self.tables.all, begun, end, now, event)
        if is_clear:
            self._begun = self._length = 0
            if self._writer.is_full and why in (CALLBACK, PLAN):
                self._writer.keep_needed()
        return why, time, callback

    def execute(self, step: Step, done: Done, tag: int, attempt: int = NONE) -> None:
        """Let a step begin in this instant; `done` is called when it has ended."""
        if tag + SIDES > self._tags:
            self.reach_tag(tag)
        first, many = self._writer.write(step)
        self._ask(EXECUTE, first, many, self._callback(done), tag, attempt)

    def begin(self, step: Step, frame: int) -> None:
        """Let a step begin in this instant as a part of what is under way."""
        first, many = self._writer.write(step)
        self._ask(BEGIN, first, many, frame)

    def end_repeat(self, frame: int) -> None:
        """Let what is under way go on in this instant behind the repeat that is its present part."""
        self.tables.all.frames["at"][frame] += 1
        self.finish(frame)

    def finish(self, frame: int) -> None:
        """Let what is under way go on in this instant, as if its present part were done."""
        self._ask(FINISH, frame)

    def reach(self, milestone: str) -> None:
        """Let what awaits a milestone go on in this instant, and whatever will await it."""
        self._ask(REACH, self._writer.milestone(milestone))

    def call_at(self, time: float, action: Done) -> None:
        """Call a function at a time (s)."""
        self._ask(CALL_AT, time, self._callback(action))

    def take_callback(self, number: int) -> Done:
        """Return the callback that is due, and forget it."""
        done, self._callbacks[number] = self._callbacks[number], _nobody
        self._free_callbacks.append(number)
        return done

    def asked(self) -> tuple[Step | None, int]:
        """Return the step that is to be planned or rescued, None for a plain work, and for which frame."""
        words = self.tables.loop
        return self._writer.shared(words[STEP_AT]), words[FRAME_AT]

    def make_room(self) -> None:
        """Double the tables in which the loop found too few free rows."""
        self.activities.make_room(SPARE)
        loop = self.tables.all.loop[0]
        for name, used in (("frames", loop["busy"]), ("calls", loop["calls"]), ("todo", loop["depth"])):
            size = len(getattr(self.tables.all, name))
            if used + SPARE > size:
                self.tables.grow(size, name)

    def lose(self, resources: set[int]) -> None:
        """Let no work begin on some resources."""
        self._set_lost(resources, True)

    def restore(self, resources: set[int]) -> None:
        """Let works begin on some resources again."""
        self._set_lost(resources, False)

    def _set_lost(self, resources: set[int], is_lost: bool) -> None:
        tables = self.tables.all
        tables.is_lost[sorted(resources)] = is_lost
        tables.loop["losses"] = np.count_nonzero(tables.is_lost)

    def begin_attempt(self, number: int) -> None:
        """Let the steps of an attempt go on."""
        if number >= len(self.tables.all.is_alive):
            self.tables.grow(number, "is_alive")
        self.tables.all.is_alive[number] = True

    def end_attempt(self, number: int, now: float) -> None:
        """Let nothing of an attempt go on, and take its works away."""
        self.tables.all.is_alive[number] = False
        frames, members = self.tables.all.frames, self.activities.tables.members
        for member in self.activities.in_order(frames["attempt"][members["frame"]] == number):
            self.activities.withdraw(member, now)
        for frame in self._holders(number):
            self.finish(frame)

    def _holders(self, attempt: int) -> list[int]:
        """Return the frames of an attempt that hold room while nothing that goes on would give it back."""
        tables = self.tables.all
        frames = tables.frames
        held = np.flatnonzero((frames["attempt"] == attempt) & (frames["kind"] == HELD) & (frames["phase"] == GOES_ON))
        if not len(held):
            return []
        todo = tables.todo[: tables.loop[0]["depth"]]
        on_stack = set(todo["row"][np.isin(todo["kind"], (GO_ON, BEGUN, GIVE_BACK))].tolist())
        waiting = {row for room in set(frames["room"][held].tolist()) for row in self._line(tables.rooms[room])}
        parts = tables.steps["kind"][frames["first"][held]]
        return [
            row
            for row, part in zip(held.tolist(), parts.tolist(), strict=True)
            if part not in ENDS_BY_ITSELF and row not in on_stack and row not in waiting
        ]

    def attempt_of(self, frame: int) -> int:
        """Return the attempt that a frame belongs to, NONE if none."""
        return int(self.tables.all.frames["attempt"][frame])

    def withdraw(self, member: int, now: float) -> tuple[Step | None, float, int]:
        """End a work before it is done; return it, what is left of its amount, and for which frame it was done.

        A plain work is returned as None.
        """
        row = self.activities.tables.members[member]
        step, frame = self._writer.shared(row["step"]), int(row["frame"])
        return step, self.activities.withdraw(member, now), frame

    @property
    def held(self) -> dict[str, float]:
        """What is held of each pool, by its name."""
        rooms = zip(self._writer.pools, self.tables.all.rooms, strict=False)
        return {pool.name: float(room["capacity"] - room["free"]) for pool, room in rooms}

    def waits(self) -> Iterator[str]:
        """Yield in words who waits for what."""
        tables = self.tables.all
        for name, row in self._writer.milestones.items():
            line = self._line(tables.milestones[row])
            if line:
                yield f"{len(line)} wait for the milestone {name!r}"
        for pool, room in zip(self._writer.pools, tables.rooms, strict=False):
            line = self._line(room)
            if line:
                amount = float(tables.frames["amount"][line[0]])
                yield f"{len(line)} wait for room in {pool.name!r}: {amount} of which {float(room['free'])} is free"

    def _line(self, place: Any) -> list[int]:
        """Return the frames that wait in a line."""
        frames: list[int] = []
        frame = int(place["head"])
        while frame >= 0:
            frames.append(frame)
            frame = int(self.tables.all.frames["next"][frame])
        return frames

    def _ask(self, what: int, a: float, b: float = 0, c: float = 0, d: float = 0, e: float = 0) -> None:
        """Put something into the inbox."""
        at = self._length
        self._length = at + WORDS
        if self._length > len(self.tables.inbox):
            self.tables.grow(self._length, "inbox")
        _WORDS.pack_into(self.tables.inbox, 8 * at, what, a, b, c, d, e)

    def _callback(self, done: Done) -> int:
        """Return a number for a callback."""
        if self._free_callbacks:
            number = self._free_callbacks.pop()
            self._callbacks[number] = done
            return number
        self._callbacks.append(done)
        return len(self._callbacks) - 1

    def reach_tag(self, tag: int) -> None:
        """Let works have tags up to this one, and what drains behind them: it takes time, so better once for many."""
        last = tag + SIDES - 1
        if last < self._tags:
            return
        self._tags = last + 1
        self.activities.reach_tag(last)
        if last >= len(self.tables.all.waited):
            self.tables.grow(last, "waited")


def _nobody() -> None:
    """Stand for a callback that has been called, so that it does not keep alive what waited for it."""
