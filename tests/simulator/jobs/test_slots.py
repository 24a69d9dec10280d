"""Which task a free slot runs next."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from models.work import Delay, Stage
from simulator.jobs.slots import TaskQueue


def queue(tasks: int, racks: list[int], preferred: list[list[int]] | None = None) -> TaskQueue:
    places = None if preferred is None else np.array(preferred, dtype=np.int32)
    return TaskQueue(Stage("map", tasks, lambda task, node, moment: Delay(0.0), places), racks)


def taken(waiting: TaskQueue, *nodes: int) -> list[int | None]:
    return [waiting.take(node) for node in nodes]


def test_without_preferences_the_oldest_task_is_next() -> None:
    assert taken(queue(3, [0, 0]), 1, 0, 1) == [0, 1, 2]


def test_a_queue_with_nothing_left_answers_none() -> None:
    waiting = queue(1, [0])
    assert taken(waiting, 0, 0) == [0, None]
    assert waiting.left == 0
    assert queue(0, [0]).take(0) is None


def test_a_node_takes_the_tasks_whose_data_it_holds_first() -> None:
    waiting = queue(4, [0, 0], [[0], [1], [0], [1]])
    assert taken(waiting, 1, 1, 0, 0) == [1, 3, 0, 2]


def test_any_replica_makes_a_task_local() -> None:
    assert taken(queue(2, [0, 0, 0], [[0, 1], [1, 2]]), 2, 1) == [1, 0]


def test_a_node_without_tasks_of_its_own_takes_one_from_its_rack() -> None:
    racks = [0, 1, 0, 1]
    assert taken(queue(3, racks, [[0], [0], [1]]), 3, 2) == [2, 0]


def test_a_node_whose_rack_has_no_tasks_takes_the_oldest() -> None:
    assert taken(queue(3, [0, 1], [[0], [0], [0]]), 1, 1, 0) == [0, 1, 2]


def test_a_task_taken_elsewhere_is_not_offered_again_to_its_own_node() -> None:
    waiting = queue(2, [0, 0], [[0], [0]])
    assert taken(waiting, 1, 0, 0) == [0, 1, None]


@given(
    places=st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=2), max_size=40),
    nodes=st.lists(st.integers(0, 5), min_size=40, max_size=40),
    racks=st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
def test_every_task_is_offered_once_and_none_is_preferred_to_a_nearer_one(
    places: list[list[int]], nodes: list[int], racks: list[int]
) -> None:
    waiting = queue(len(places), racks, places) if places else queue(0, racks)
    left = set(range(len(places)))

    def distance(task: int, node: int) -> int:
        if node in places[task]:
            return 0
        return 1 if racks[node] in {racks[place] for place in places[task]} else 2

    for node in nodes:
        task = waiting.take(node)
        if not left:
            assert task is None
            continue
        assert task in left
        nearest = min(distance(offered, node) for offered in left)
        assert task == min(offered for offered in left if distance(offered, node) == nearest)
        left.remove(task)
        assert waiting.left == len(left)


@pytest.mark.parametrize("tasks", [10, 1000])
def test_tasks_without_preferences_are_offered_once_in_their_order(tasks: int) -> None:
    waiting = queue(tasks, [0, 1])
    assert taken(waiting, *([0, 1] * (tasks // 2))) == list(range(tasks))


def test_a_task_put_back_is_found_once_by_a_node_that_has_its_data() -> None:
    waiting = queue(3, [0, 0, 0], [[0, 1], [0, 2], [0, 2]])
    assert taken(waiting, 0, 0, 0) == [0, 1, 2]
    waiting.put_back(0)
    waiting.put_back(1)
    assert waiting.left == 2
    assert [waiting.take_here(node) for node in (2, 2, 1, 0)] == [1, None, 0, None]
    assert waiting.left == 0
    assert waiting.take(0) is None


def test_a_task_put_back_twice_is_taken_twice() -> None:
    waiting = queue(1, [0, 0], [[0]])
    for _ in range(3):
        assert waiting.take(1) == 0
        waiting.put_back(0)
        assert waiting.take_here(0) == 0
        waiting.put_back(0)
    assert taken(waiting, 1, 1) == [0, None]
