"""Containers that jobs share: who has tasks that wait gets what falls free, in the order of a scheduler's policy.

A container takes the part of its server that its job says: a job with four slots on a server takes a quarter of it with
each. The first in the order who waits for a larger container than there is room for keeps the server waiting, as YARN
does when it reserves. What a job waits for while others hold containers is booked on those.

A job begins with its master, in a container as well, which takes its turn as the tasks of others do, and goes with the
job. Those of a queue hold a part of it at most, but one always begins. Source: Apache Hadoop,
LeafQueue.activateApplications, FSLeafQueue.canRunAppAM. Not covered: a master whose server is lost.

Executors stay with their job without a task, too, for a time or to its end; such a job takes all that is free. Source:
Apache Spark, ExecutorAllocationManager and YarnAllocator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from models.handout import ROUNDING
from models.jobs.schedule import DEFAULT_QUEUE, Schedule
from models.jobs.scheduler import Scheduler
from models.units import format_duration
from simulator.engine import Engine
from simulator.jobs.claim import NOBODY, Claim
from simulator.jobs.handout import Handing
from simulator.jobs.heartbeats import Heartbeats
from simulator.jobs.run import JobRun
from simulator.jobs.waits import Waits

HEARTBEAT = 1.0
"""Seconds until a job that keeps all takes what is free: jobs that begin in the same second share by the policy.
Source: Apache Hadoop, yarn.resourcemanager.nodemanagers.heartbeat-interval-ms."""


class Containers:
    """The containers of all servers, and the runs that have a claim to them."""

    def __init__(self, engine: Engine, scheduler: Scheduler, slots: Sequence[Sequence[int]]) -> None:
        self._engine, self._scheduler = engine, scheduler
        servers = [any(places) for places in zip(*slots, strict=True)]
        self._room = [1.0 if is_there else 0.0 for is_there in servers]
        self._total = float(sum(servers))
        self._claims: dict[JobRun, Claim] = {}
        self._joined = 0
        self._waits = Waits()
        self._held_in: dict[str, float] = {}  # of each queue, until one of its claims moves
        self._kinds: dict[tuple[tuple[float, ...], str], int] = {}  # of claims with such parts, in such a queue
        self._headrooms: dict[int, int] = {}  # of each kind of claim, until any moves
        self._example: Handing | None = None
        self._is_in_turn = True
        self._watching: list[JobRun] = []
        self._since = 0.0
        self.heartbeats = Heartbeats()
        self.kept_out: dict[str, float] = {}  # seconds in which masters of a queue kept others from beginning

    def join(self, run: JobRun, entry: Schedule) -> Claim:
        """Give a run a claim to containers, so many of which would fill each server."""
        self._account()
        job = run.job
        parts = tuple(1 / many if many else 0.0 for many in job.slots)
        queue, master = entry.queue or DEFAULT_QUEUE, job.master or NOBODY
        kind = self._kinds.setdefault((parts, queue), len(self._kinds))
        most = self._scheduler.queue(queue).maximum_capacity if self._scheduler.policy == "capacity" else math.inf
        claim = Claim(entry, queue, kind, self._joined, parts, most * self._total + ROUNDING, master, keeps=job.keeps)
        claim.row = self._waits.enter()
        self._claims[run] = claim
        self._headrooms.clear()
        self._joined += 1
        self._look_around()
        return claim

    def _look_around(self) -> None:
        """Note who watches for slow tasks, whether it is the turn of whoever came first, and who tells of heartbeats.

        That is what hands out tasks of any where all have begun and get theirs alike; else nobody does.
        """
        self._watching = [run for run in self._claims if any(stage.speculation for stage in run.job.stages)]
        handouts = [run.job.handout for run in self._claims]
        has_begun = all(claim.begin is None for claim in self._claims.values())
        is_alike = has_begun and all(handout == handouts[0] for handout in handouts)
        self._example = next(iter(self._claims)).handing if handouts and is_alike else None
        policy, queues = self._scheduler.policy, set(self._queues())
        is_first_come = len(queues) <= 1 and all(self._scheduler.queue(queue).order == "fifo" for queue in queues)
        self._is_in_turn = policy == "fifo" or (policy == "capacity" and is_first_come)

    def begin(self, run: JobRun) -> None:
        """Start a run once there is a container for its master."""
        claim = self._claims[run]
        if math.isinf(claim.keeps):
            self._engine.call_after(HEARTBEAT, partial(self._grab, run, claim))
        if claim.master is NOBODY:
            run.start()
            return
        claim.begin = run.start
        self._look_around()
        self.spread(run)

    def _grab(self, run: JobRun, claim: Claim) -> None:
        """Let a run that keeps all take what is free, unless it has ended."""
        claim.grabs = True
        if run in self._claims:
            self.spread(run)

    def leave(self, run: JobRun) -> None:
        """Take the claim of a run away that has ended; what it still holds falls free."""
        self._account()
        claim = self._claims.pop(run)
        self._settle(claim)
        self._held_in.clear()
        self._headrooms.clear()
        self._look_around()
        for node, many in claim.on.items():
            self._room[node] += many * claim.parts[node]
        if claim.stands_on is not None:
            self._room[claim.stands_on] += claim.master.parts[claim.stands_on]
        if any(other.begin is not None for other in self._claims.values()):
            self.spread(run)
        for node in {**claim.on, **({} if claim.stands_on is None else {claim.stands_on: 0})}:
            self._fill(node)

    def spread(self, run: JobRun) -> None:
        """Start tasks that wait, one a node in turn."""
        self._ask(run)
        self._account()
        nodes = list(self._claims[run].idle) if run in self._claims else []
        while nodes:
            nodes = [node for node in nodes if self._use_again(run, node)]
        nodes = list(range(len(self._room)))
        while nodes:
            nodes = [node for node in nodes if self._start(node)]

    def fill(self, run: JobRun, node: int) -> None:
        """Start tasks that wait on a node, of the run itself first in containers that it keeps."""
        self._ask(run)
        self._account()
        while self._use_again(run, node):
            pass
        self._fill(node)

    def _ask(self, run: JobRun) -> None:
        """Note whether a run has tasks that wait for containers."""
        if run in self._claims:
            self._waits.wait(self._claims[run].row, is_waiting=run.waiting > 0)

    def _offer(self, run: JobRun, node: int) -> bool:
        """Start a waiting task of a run on a node; return whether there was one."""
        is_taken = run.offer(node)
        if is_taken:
            self._ask(run)
        return is_taken

    def _use_again(self, run: JobRun, node: int) -> bool:
        """Start a task of a run in a container that it keeps on a node; return whether there was one."""
        claim = self._claims.get(run)
        if claim is None or not claim.idle.get(node) or not run.waiting:
            return False
        since = claim.idle[node].pop()
        if self._offer(run, node):
            return True
        claim.idle[node].append(since)
        return False

    def _keep(self, claim: Claim, node: int) -> None:
        """Keep a container on a node that has no task."""
        now = self._engine.now
        claim.idle.setdefault(node, []).append(now)
        if math.isfinite(claim.keeps):
            self._engine.call_after(claim.keeps, partial(self._let_go, claim, node, now))

    def _let_go(self, claim: Claim, node: int, since: float) -> None:
        """Give a container back that has had no task since a time (s)."""
        if claim in self._claims.values() and since in claim.idle.get(node, ()):
            self._account()
            claim.idle[node].remove(since)
            self._move(claim, node, -1)
            self._fill(node)

    def give(self, run: JobRun, node: int) -> None:
        """Take a container back."""
        self._account()
        claim = self._claims.get(run)
        if claim is not None and claim.on.get(node, 0) > 0:
            if claim.keeps:
                self._keep(claim, node)
            else:
                self._move(claim, node, -1)

    def lose(self, node: int) -> None:
        """Let a node run nothing any more, and count what ran there as gone."""
        self._account()
        for claim in self._claims.values():
            self._hold(claim, claim.held - claim.on.pop(node, 0) * claim.parts[node])
            claim.idle.pop(node, None)
            if claim.stands_on == node:
                self._hold(claim, claim.held - claim.master.parts[node])
                claim.stands_on = None
        self._room[node] = -1.0

    def headroom(self, run: JobRun) -> int:
        """Return how many more containers a run may have now, as if what is free were on one server.

        Source: Apache Hadoop, FSAppAttempt.getHeadroom and LeafQueue.getHeadroom.
        """
        claim = self._claims[run]
        headroom = self._headrooms.get(claim.kind)
        if headroom is None:
            rooms = zip(self._room, claim.parts, strict=True)
            free = sum(max(room, 0.0) / part for room, part in rooms if part)
            left = self._most(claim.queue) - self._held_by(claim.queue) / self._total
            headroom = self._headrooms[claim.kind] = math.floor(max(min(free, left * claim.whole), 0.0) + ROUNDING)
        return headroom

    def spare(self, run: JobRun, other: int) -> int | None:
        """Take a container where most room is, of the servers on which no other run waits for some."""
        self._account()
        own = self._claims[run]
        if kept := [node for node, since in own.idle.items() if since and node != other]:
            own.idle[kept[0]].pop()
            return kept[0]
        waiting = [claim for job_run, claim in self._claims.items() if job_run.waiting]

        def is_spare(node: int) -> bool:
            has_room = node != other and own.parts[node] <= self._room[node] + ROUNDING
            return has_room and self._may_take(own, node) and not any(self._may_take(claim, node) for claim in waiting)

        spare = [node for node in range(len(self._room)) if is_spare(node)]
        if run.waiting or not spare:
            return None
        node = max(spare, key=self._room.__getitem__)
        self._move(own, node, 1)
        return node

    def _may_take(self, claim: Claim, node: int) -> bool:
        """Tell whether a claim has containers of a server, and one more is within what its queue may hold."""
        part = claim.parts[node]
        return part > 0 and self._held_by(claim.queue) + part <= claim.most

    def _fill(self, node: int) -> None:
        while self._start(node):
            pass
        for run in self._watching:
            run.look_out()

    def _start(self, node: int) -> bool:
        """Start the task on a node whose turn it is; return whether there was one."""
        if not self._has_room(node) or (self._example is not None and self._example.waits(node)):
            return False
        for run, claim in self._in_order():
            part = claim.parts[node]
            if claim.begin is not None:
                if not part or claim.master.parts[node] > 1 or not self._may_begin(claim):
                    continue
                if claim.master.parts[node] <= self._room[node] + ROUNDING:
                    self._begin(claim, node, claim.begin)
                    return True
                return False
            if not self._may_take(claim, node):
                continue
            if part > self._room[node] + ROUNDING:
                return False
            if self._example is None and run.handing is not None and run.handing.waits(node):
                continue
            is_taken = self._offer(run, node)
            if is_taken or claim.grabs:
                self._move(claim, node, 1)
                if not is_taken:
                    self._keep(claim, node)
                return True
        return False

    def _has_room(self, node: int) -> bool:
        """Tell whether any claim or master fits into what is left of a node, without a look at whose turn it is."""
        room = self._room[node] + ROUNDING
        return any(
            claim.parts[node] > 0 and (claim.parts[node] if claim.begin is None else claim.master.parts[node]) <= room
            for claim in self._claims.values()
        )

    def _begin(self, claim: Claim, node: int, begin: Callable[[], None]) -> None:
        """Give the master of a run a container on a node, and begin the run."""
        self._room[node] -= claim.master.parts[node]
        self._hold(claim, claim.held + claim.master.parts[node])
        claim.stands_on, claim.begin = node, None
        self._look_around()
        begin()

    def _may_begin(self, claim: Claim) -> bool:
        """Tell whether the masters of a queue leave room for one more; one always begins."""
        others = [other for other in self._claims.values() if other.queue == claim.queue]
        standing = [other.master.memory for other in others if other.stands_on is not None]
        step, share = claim.master.step, self._scheduler.masters(claim.queue) * self._share(claim.queue) * self._total
        limit = math.ceil(share / step - ROUNDING) * step
        return not standing or sum(standing) + claim.master.memory <= limit + ROUNDING

    def _share(self, queue: str) -> float:
        """Return the part of all containers that a queue has a claim to."""
        names = set(self._queues()) if self._scheduler.policy == "fair" else {*self._scheduler.names}
        return self._scheduler.claim(queue) / sum(map(self._scheduler.claim, {*names, queue}))

    def _move(self, claim: Claim, node: int, sign: int) -> None:
        claim.on[node] = claim.on.get(node, 0) + sign
        self._hold(claim, max(claim.held + sign * claim.parts[node], 0.0))
        self._room[node] -= sign * claim.parts[node]

    def _hold(self, claim: Claim, held: float) -> None:
        """Let a claim hold so much (servers)."""
        claim.held = held
        self._waits.hold(claim.row, held)
        self._held_in.pop(claim.queue, None)
        self._headrooms.clear()

    def _most(self, queue: str) -> float:
        """Return the part of all containers that a queue may hold: its share, or what its maximum is."""
        match self._scheduler.policy:
            case "fair":
                return self._scheduler.claim(queue) / sum(map(self._scheduler.claim, self._queues()))
            case "capacity":
                return self._scheduler.queue(queue).maximum_capacity
            case "fifo":
                return 1.0

    def _held_by(self, queue: str) -> float:
        held = self._held_in.get(queue)
        if held is None:
            held = sum(claim.held for claim in self._claims.values() if claim.queue == queue)
            self._held_in[queue] = held
        return held

    def _in_order(self) -> Iterable[tuple[JobRun, Claim]]:
        """Return the runs that ask for a container, the one first whose turn it is."""
        asking = (
            (run, claim) for run, claim in self._claims.items() if claim.begin is not None or claim.grabs or run.waiting
        )
        if self._is_in_turn:
            return asking
        policy, claims = self._scheduler.policy, {name: self._scheduler.claim(name) for name in set(self._queues())}
        # a queue without a claim has what nobody else asks for
        held = {name: self._held_by(name) / of if of > ROUNDING else math.inf for name, of in claims.items()}

        def turn(turn_of: tuple[JobRun, Claim]) -> tuple[float, float, int]:
            claim = turn_of[1]
            is_fair = policy == "fair" or self._scheduler.queue(claim.queue).order == "fair"
            return held[claim.queue], claim.held / claim.entry.share if is_fair else 0.0, claim.number

        return sorted(asking, key=turn)

    def _queues(self) -> Iterator[str]:
        return iter({claim.queue for claim in self._claims.values()})

    def _account(self) -> None:
        """Book the time since the last change on those for whom others waited."""
        elapsed, self._since = self._engine.now - self._since, self._engine.now
        if elapsed <= 0:
            return
        kept_out = [claim for claim in self._claims.values() if claim.begin is not None]
        if kept_out:
            holders = [claim for claim in self._claims.values() if claim.held > 0]
            for claim in kept_out:
                self._book_kept_out(claim, elapsed, holders)
        self._waits.book(elapsed, self._total)

    def _settle(self, claim: Claim) -> None:
        """Book what a claim that leaves waited for others that are still there, and they for it."""
        for other in self._claims.values():
            for waiting, holding in ((claim, other), (other, claim)):
                if seconds := self._waits.of(waiting.row, holding.row):
                    name = holding.entry.name
                    waiting.waited[name] = waiting.waited.get(name, 0.0) + seconds
        self._waits.leave(claim.row)

    def _book_kept_out(self, claim: Claim, elapsed: float, holders: Sequence[Claim]) -> None:
        """Book a time in which others kept a run from beginning: all of it on them."""
        others = [other for other in holders if other is not claim]
        total = sum(other.held for other in others)
        if not self._may_begin(claim):
            self.kept_out[claim.queue] = self.kept_out.get(claim.queue, 0.0) + elapsed
        for other in others:
            name = other.entry.name
            claim.waited[name] = claim.waited.get(name, 0.0) + elapsed * other.held / total


def kept_out(seconds: Mapping[str, float]) -> tuple[str, ...]:
    """Return in words how long jobs of each queue waited as application masters of others held all that these may."""
    return tuple(
        f"jobs of queue {queue} waited {format_duration(time)} in all for application masters of others to end:"
        f" scheduler.queues.{queue}.maximum_am lets more run at once"
        for queue, time in seconds.items()
    )
