"""The arrays in which the fluid solver keeps its state, one record a row.

A CLASS is a set of works with equal demands and tag: they always run at one rate, so the solver sees one variable.
A PACE belongs to each class and says how far its members are. A USE is one class on one resource; the uses of a class
lie side by side, those of a resource form a linked list. A MEMBER is one work; the members of a class form a pairing
heap by the progress at which they end. The PLACES are a binary heap of the classes by the time at which their first
member ends; after a solve that touched many of them they are in no order until one is needed.

All is per unit of weight: amounts, bounds and rates are divided by the weight of a work and costs multiplied by it.
So rates are shares, and equal sharing of them is sharing by weight. Indices of -1 mean none; those that always name a
row are unsigned, which saves numba a look whether they count from the end (a tenth of a shuffle).

What the solver reads of a class fills one cache line of 64 bytes; what it reads of a resource fills two, one a step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NONE = -1
LINE = 64  # bytes of a cache line of the common processors

CLASS = np.dtype(
    [
        ("bound", "f8"),  # the most a member could get were it alone: own cap, or capacity / cost
        ("rate", "f8"),  # of each member, units per second
        ("next_rate", "f8"),
        ("mark", "i4"),  # of the last solve in which it took part
        ("frozen", "i4"),  # the last filling that stopped it
        ("count", "i4"),  # members
        ("first", "u4"),  # of its uses
        ("uses", "u4"),
        ("loose", "i4"),  # solve: uses of resources that take no part
        ("held", "i4"),  # saturated resource that sets the rate; -1: it goes at its bound
        ("next_held", "i4"),
        ("bound_by", "i4"),  # resource that sets the bound; -1: its own cap
        ("place", "i4"),  # in the heap of places
    ],
    align=True,
)

PACE = np.dtype(
    [
        ("progress", "f8"),  # integral of the rate up to `since`
        ("since", "f8"),
        ("target", "f8"),  # progress at which the first member ends
        ("own", "f8"),  # its own cap
        ("weight", "f8"),
        ("top", "i4"),  # the first member to end
        ("tag", "i4"),
        ("cap", "i4"),  # number of its own cap among the limits of the blame table
        ("limit", "i4"),  # number of the present limit there
        ("code", "i4"),  # of its demand
        ("like", "i4"),  # next class with the same head; the next one of the free classes
    ],
    align=True,
)

PLACE = np.dtype([("ends", "f8"), ("owner", "i4")], align=True)

USE = np.dtype(
    [
        ("cost", "f8"),
        ("resource", "u4"),
        ("owner", "i4"),  # its class; -1 while the row is free
        ("next", "i4"),  # of its resource; of the first of a free block: the next free block of as many
        ("previous", "i4"),
    ],
    align=True,
)

GROWER = np.dtype([("owner", "u4"), ("use", "u4")])  # solve: a class that takes part, and its use of a resource

MEMBER = np.dtype(
    [
        ("target", "f8"),  # progress of its class at which it ends
        ("amount", "f8"),
        ("sequence", "i8"),
        ("owner", "i4"),  # its class; -1 once it has ended
        ("child", "i4"),
        ("sibling", "i4"),  # the next one of the free members
        ("frame", "i4"),  # what goes on when it has ended
        ("step", "i4"),  # that it carries out
        ("ended", "i4"),  # list: frames of the members that ended in this instant
    ],
    align=True,
)

RESOURCE = np.dtype(
    [
        # a cache line for `fill`, and for what follows
        ("capacity", "f8"),  # with the present number of users
        ("room", "f8"),  # solve: capacity that is not yet given out
        ("pull", "f8"),  # solve: sum of cost of the members that still grow
        ("level", "f8"),  # solve: rate at which it is saturated
        ("full", "f8"),  # solve: pull when last summed up
        ("free", "i4"),  # solve: classes that still grow
        ("is_full", "i4"),  # solve: it stops some of them
        ("holds", "i4"),  # classes whose rate it sets
        ("links", "i4"),  # classes that use it
        ("steps", "i4"),  # number of its capacities
        ("group", "i4"),  # number of its group among the limits of the blame table
        # one for `enter`
        ("first_room", "f8"),  # solve: room at the start
        ("first_pull", "f8"),  # solve: pull at the start
        ("least_bound", "f8"),  # solve: of the classes that take part
        ("usage", "f8"),  # that its users bring at their rates
        ("load", "f8"),  # that they would bring at their bounds
        ("mark", "i4"),  # of the last solve in which it took part
        ("is_tight", "i4"),  # its users could ask for more than its capacity
        ("start", "i4"),  # solve: place in `growers` of the first use whose class takes part
        ("chained", "i4"),  # solve: number of them
        ("freed", "i4"),  # solve: those whose rate it set before
        ("change", "i4"),  # in this instant: NO_CHANGE, LOSS, or GAIN if it gained a work or its capacity changed
        # one for the books
        ("most", "f8"),  # capacity over all numbers of users
        ("since", "f8"),
        ("used", "f8"),  # integral of usage up to `since`
        ("busy", "f8"),  # integral of usage / capacity up to `since`, s
        ("done", "f8"),  # sum of amount * cost of the ended works
        ("bytes", "f8"),  # sum of amount * bytes of the ended works
        ("head", "i4"),  # use at the head of its list
        ("table", "i4"),  # first of its capacities
        ("users", "i4"),  # works
        ("updates", "i4"),  # of load and usage since they were last summed up
    ],
    align=True,
)

BUCKET = np.dtype(
    [
        ("baseline", "f8"),  # capacity without credits
        ("full", "f8"),  # capacity with them
        ("size", "f8"),  # most credits, in units of the resource
        ("credits", "f8"),  # those at `since`
        ("used", "f8"),  # of the resource, up to `since`
        ("since", "f8"),
        ("turn", "f8"),  # when they are used up, or back
        ("resource", "i4"),
        ("is_empty", "i4"),  # the resource has its baseline
    ],
    align=True,
)

CLASS_LIST = np.dtype(
    [
        ("rate", "f8"),  # of the class in this row of `classes`, here for a quick search; -1.0 once it is closed
        ("todo", "u4"),  # classes that take part in the present solve
        ("fresh", "u4"),  # classes opened in this instant; after these have entered, those that `enter_all` found
    ]
)

RESOURCE_LIST = np.dtype(
    [
        ("todo", "u4"),  # resources that take part in the present solve
        ("queue", "u4"),  # those not yet saturated, a binary heap by `level`
        ("changed", "u4"),  # resources that gained or lost a work in this instant
    ]
)

STATE = np.dtype(
    [
        ("width", "f8"),  # of a time bin of the recorder, s
        ("tolerance", "f8"),  # part of a work that may be undone when it ends together with another; 0: all is exact
        ("next_end", "f8"),  # when the next member ends
        ("next_turn", "f8"),  # when the credits of a resource are next used up, or back
        ("merged", "i8"),  # works that ended so
        ("sequence", "i8"),  # works started so far
        ("solves", "i8"),
        ("rates", "i8"),  # computed in all solves
        ("mark", "i4"),  # of the present solve: what carries it takes part
        ("filling", "i4"),  # number of the present filling
        ("moves", "i4"),  # works that came or went since all rates were shared anew, where there is a tolerance
        ("queued", "i4"),  # classes that have a place
        ("is_ordered", "i4"),  # the places are a heap
        ("nearby", "i4"),  # so many classes may be freed one after the other in a solve
        ("wide", "i4"),  # solves that shall not begin with what is nearby, since that grew too many before
        ("is_wide", "i4"),  # the last solve freed a large part of all classes
        ("rows", "i4"),  # of classes that are or have been in use
        ("member_rows", "i4"),  # the same of members
        ("use_rows", "i4"),  # and of uses
        ("most_needs", "i4"),  # uses of any demand
        ("free_class", "i4"),  # heads of the lists of those that are free again
        ("free_member", "i4"),
        ("busy_classes", "i4"),  # those in use
        ("busy_members", "i4"),
        ("is_settled", "i4"),  # nothing has changed since the next end was found
        ("next_at", "i4"),  # place of the class whose first member ends next
        ("changed", "i4"),  # lengths of the lists
        ("fresh", "i4"),
        ("many", "i4"),
        ("tight", "i4"),
        ("growers", "i4"),  # rows of `growers` that are given to resources
        ("fault", "i4"),  # what broke a law of conservation, one of the codes below
        ("culprit", "i4"),  # class or resource that did
    ],
    align=True,
)

# Changes
NO_CHANGE, LOSS, GAIN = 0, 1, 2

# Faults
OVERLOAD = 1  # a resource gives more than its capacity
STARVED = 2  # a class has rate 0
UNSERVED = 3  # a member ended with less or more than its amount


class Tables(NamedTuple):
    """The tables that the functions of the kernel hand on to each other."""

    state: Any  # one row, of STATE
    classes: Any
    paces: Any
    places: Any
    uses: Any
    moved: Any  # bytes of each use
    growers: Any  # those of a resource side by side, so that one can be asked for before it is its turn
    growing: Any  # solve: places in `growers` of those of a resource that still grow; as many as there are classes
    members: Any
    heads: Any  # of each remainder of a demand's code: the first class of such a demand; as many as there are classes
    blocks: Any  # of each number of uses: the first use of a free block of as many
    resources: Any
    buckets: Any  # of resources with credits
    class_list: Any
    resource_list: Any
    capacities: Any  # of all resources by their number of users, one after the other
    bins: Any  # busy seconds, of shape (resources, bins)
    blame: Any  # seconds, of shape (tags, limits)


def rows(number: int, kind: np.dtype[Any]) -> np.ndarray[Any, np.dtype[Any]]:
    """Return empty rows that begin at a cache line; what names an owner has none."""
    raw = np.zeros(number * kind.itemsize + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    table = raw[start : start + number * kind.itemsize].view(kind)
    if kind.names and "owner" in kind.names and kind["owner"].kind == "i":  # unsigned ones always have an owner
        table["owner"] = NONE
    return table
