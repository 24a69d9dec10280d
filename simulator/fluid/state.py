"""The arrays in which the fluid solver keeps its state, one record a row.

A CLASS is a set of works with equal demands and tag: they always run at one rate, so the solver sees one variable. The
TERMS of a class are what its works ask for. A USE is one class on one resource; the uses of a class lie side by side,
and so do the USERS of a resource, which are these classes. A MEMBER is one work; the members of a class form a pairing
heap by the progress at which they end. The PLACES are a binary heap of the classes by the time at which their first
member ends; after a solve that touched many of them they are in no order until one is needed.

All is per unit of weight: amounts, bounds and rates are divided by the weight of a work and costs multiplied by it.
So rates are shares, and equal sharing of them is sharing by weight. Indices of -1 mean none; those that always name a
row are unsigned, which saves numba a look whether they count from the end (a tenth of a shuffle).

A class fills a cache line of 64 bytes, a user half of one, and a resource two: one for the solver, one for the books.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NONE = -1
LINE = 64  # bytes of a cache line of the common processors

CLASS = np.dtype(
    [
        ("rate", "f8"),  # of each member, units per second
        ("progress", "f8"),  # integral of the rate up to `since`
        ("since", "f8"),
        ("target", "f8"),  # progress at which the first member ends
        ("count", "i4"),  # members
        ("top", "i4"),  # the first of them to end
        ("first", "u4"),  # of its uses
        ("uses", "u4"),
        ("held", "i4"),  # saturated resource that sets the rate; -1: it goes at its bound
        ("place", "i4"),  # in the heap of places
        ("tag", "i4"),
        ("limit", "i4"),  # number of the present limit among those of the blame table
    ],
    align=True,
)

TERMS = np.dtype(
    [
        ("bound", "f8"),  # the most a member could get were it alone: own cap, or capacity / cost
        ("least", "f8"),  # of the bound and the levels of what it uses, where that is more than two resources
        ("second", "f8"),  # the same without the resource with the least level
        ("lowest", "i4"),  # the resource with the least level
        ("ties", "i4"),  # at least so many others have the second one
        ("near", "i4"),  # saturated resources that it uses, where it uses more than two
        ("mark", "i4"),  # of the last solve after which its rate was looked up
        ("bound_by", "i4"),  # resource that sets the bound; -1: its own cap
    ],
    align=True,
)

KIND = np.dtype(
    [
        ("own", "f8"),  # its own cap
        ("weight", "f8"),
        # what its resources are to be told at the end of the instant
        ("done", "f8"),  # by members that ended
        ("ended", "f8"),  # amounts of these
        ("more", "i4"),  # members that came, less those that went
        ("is_noted", "i4"),
        ("cap", "i4"),  # number of its own cap among the limits of the blame table
        ("code", "i4"),  # of its demand
        ("asked", "i4"),  # row of the needs of a demand that is KEPT and the same; -1: none is known
        ("like", "i4"),  # next class with the same head; the next one of the free classes
    ],
    align=True,
)

KEPT = 12
"""Kind of a demand whose rows stay as they are until Python forgets them, and says so to the classes. It comes behind
the kinds of steps, which are numbered from 0."""

PLACE = np.dtype([("ends", "f8"), ("owner", "i4")], align=True)

USE = np.dtype(
    [
        ("cost", "f8"),
        ("resource", "u4"),
        ("owner", "i4"),  # its class; -1 while the row is free
        ("at", "u4"),  # of its row of `users`
        ("place", "i4"),  # in `near`, if its resource is there; of the first of a free block: the next one of as many
    ],
    align=True,
)

USER = np.dtype(
    [
        ("weight", "f8"),  # sum of cost of the members of a class that uses a resource
        ("bound", "f8"),  # of the class
        ("other", "i4"),  # the only other resource that the class uses; ALONE, SEVERAL or MANY
        ("owner", "u4"),  # the class
        ("use", "u4"),
        ("next", "i4"),  # of the first of a free block: the next free block of its size
    ],
    align=True,
)
ALONE, SEVERAL, MANY = -1, -2, -3
WIDE = 64  # Assumption: so many uses are MANY, of which the least levels are sought by blocks
NEW = -2  # held by nothing so far

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
        ("share", "f4"),  # of a second that counts for what it is a part of
    ],
    align=True,
)

RESOURCE = np.dtype(
    [
        # a cache line for the solver
        ("capacity", "f8"),  # with the present number of users
        ("usage", "f8"),  # that its users bring at their rates
        ("since", "f8"),  # of the books
        ("was", "f8"),  # solve: level before it
        ("head", "u4"),  # of its users
        ("links", "u4"),  # classes that use it
        ("space", "u4"),  # of them for which there are rows
        ("mark", "i4"),  # of the last solve that looked at it
        ("is_waiting", "i4"),  # solve: its level may be another
        ("is_changed", "i4"),  # in this instant: it gained or lost a work, or its capacity changed
        ("steps", "i4"),  # number of its capacities
        ("group", "i4"),  # number of its group among the limits of the blame table
        # one for the books
        ("most", "f8"),  # capacity over all numbers of users
        ("used", "f8"),  # integral of usage up to `since`
        ("busy", "f8"),  # integral of usage / capacity up to `since`, s
        ("done", "f8"),  # sum of amount * cost of the ended works
        ("bytes", "f8"),  # sum of amount * bytes of the ended works
        ("table", "i4"),  # first of its capacities
        ("users", "i8"),  # works
        ("updates", "i8"),  # of usage since it was last summed up
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

RESOURCE_LIST = np.dtype(
    [
        ("key", "f8"),  # by which the queue is ordered
        ("todo", "u4"),  # resources whose level the present solve looked at
        ("queue", "u4"),  # those of them that wait, a binary heap by level
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
        ("rates", "i8"),  # that changed in all solves
        ("levels", "i8"),  # computed in all solves
        ("mark", "i4"),  # of the present solve
        ("queued", "i4"),  # classes that have a place
        ("is_ordered", "i4"),  # the places are a heap
        ("rows", "i4"),  # of classes that are or have been in use
        ("member_rows", "i4"),  # the same of members
        ("use_rows", "i4"),  # and of uses
        ("user_rows", "i4"),  # and of users
        ("most_space", "i4"),  # of any resource, for its users
        ("most_needs", "i4"),  # uses of any demand
        ("free_class", "i4"),  # heads of the lists of those that are free again
        ("free_member", "i4"),
        ("busy_classes", "i4"),  # those in use
        ("busy_members", "i4"),
        ("is_settled", "i4"),  # nothing has changed since the next end was found
        ("next_at", "i4"),  # place of the class whose first member ends next
        ("changed", "i4"),  # lengths of the lists
        ("fresh", "i4"),
        ("noted", "i4"),
        ("touched", "i4"),  # of resources to do
        ("waiting", "i4"),  # of the queue
        ("fault", "i4"),  # what broke a law of conservation, one of the codes below
        ("culprit", "i4"),  # class or resource that did
    ],
    align=True,
)

# Faults
OVERLOAD = 1  # a resource gives more than its capacity
STARVED = 2  # a class has rate 0
UNSERVED = 3  # a member ended with less or more than its amount
UNSETTLED = 4  # the levels of resources went round in a circle


class Tables(NamedTuple):
    """The tables that the functions of the kernel hand on to each other."""

    state: Any  # one row, of STATE
    classes: Any
    terms: Any
    kinds: Any
    shares: Any  # of each class: the shares of its members together
    places: Any
    uses: Any
    moved: Any  # bytes of each use
    near: Any  # from the row of the first use of a class on: the saturated resources that it uses
    near_uses: Any  # from the same row on: the uses of these
    minima: Any  # from the same row on, for a class of many uses: what no level in each block of them is below
    users: Any  # those of a resource side by side
    spaces: Any  # of each power of two: the first user of a free block of as many
    levels: Any  # of each resource: the rate of those that it stops; infinite while it is not saturated
    settled: Any  # the same of those that are saturated and do not wait, minus infinity of all others
    members: Any
    heads: Any  # of each remainder of a demand's code: the first class of such a demand; as many as there are classes
    blocks: Any  # of each number of uses: the first use of a free block of as many
    resources: Any
    buckets: Any  # of resources with credits
    fresh: Any  # classes opened in this instant
    noted: Any  # classes that members joined or left in this instant
    resource_list: Any
    concerned: Any  # solve: rows of those users of one resource whom its new level concerns; as many as there are users
    capacities: Any  # of all resources by their number of users, one after the other
    bins: Any  # busy seconds, of shape (bins, resources): those of one time lie side by side
    blame: Any  # seconds, of shape (tags, limits)


def rows(number: int, kind: np.dtype[Any]) -> np.ndarray[Any, np.dtype[Any]]:
    """Return empty rows that begin at a cache line; what names an owner has none."""
    raw = np.zeros(number * kind.itemsize + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    table = raw[start : start + number * kind.itemsize].view(kind)
    if kind.names and "owner" in kind.names and kind["owner"].kind == "i":  # unsigned ones always have an owner
        table["owner"] = NONE
    return table
