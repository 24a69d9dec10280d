"""What stands in racks, counted by kinds of them, is what a count of one server after the other finds."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from models.planning.materials import bill_of_materials
from models.planning.racks import loads_of, put_up
from tests.models.planning.test_components import prices
from tests.models.planning.test_materials import deal, machine

counts = st.integers(1, 60)


@given(counts, counts, counts, st.integers(1, 70))
def test_racks_hold_what_one_server_after_the_other_brings(first: int, later: int, others: int, racks: int) -> None:
    asked = deal({"workers": (first, machine()), "masters": (others, machine(chassis="large"))})
    workers = asked.cluster.groups["workers"].with_more(later, machine(chassis="large"))
    cluster = asked.cluster.model_copy(update={"groups": asked.cluster.groups | {"workers": workers}})
    stands, _, _ = put_up(cluster, prices())
    heights, links = [0] * racks, [0] * racks
    for stand in stands:
        for place in stand.places:
            heights[place % racks] += stand.height
            links[place % racks] += stand.links
    loads = loads_of(stands, racks)
    assert [rack for load in loads for rack in load.racks] == list(range(racks))
    assert [load.height for load in loads for _ in load.racks] == heights
    assert [load.links for load in loads for _ in load.racks] == links
    assert len(loads) <= 2 * len(stands) + 1


def test_a_hundred_thousand_servers_stand_in_few_kinds_of_racks() -> None:
    """40 of a unit, with a leaf and at most one spine, fill 42 units: 2,500 racks, the last of which has one less."""
    asked = deal({"workers": (99_999, machine())}, oversubscription=20.0)
    bought = bill_of_materials(asked)
    stands, number, notes = put_up(asked.cluster, prices())
    assert (len(bought.racks), number, notes) == (2500, 2500, [])
    assert [len(load.racks) for load in loads_of(stands, number)] == [2499, 1]
    assert [sum(slot.group == "workers" for slot in rack.slots) for rack in bought.racks] == [40] * 2499 + [39]
    assert sum(rack.power for rack in bought.racks) == pytest.approx(bought.power)
