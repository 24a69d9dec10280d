"""The arrays in which the fluid solver keeps its state, one record a row.

A CLASS is a set of works with equal demands and tag: they always run at one rate, so the solver sees one variable.
A USE is one class on one resource; the uses of a class lie side by side, those of a resource form a linked list.
A MEMBER is one work; the members of a class form a pairing heap by the progress at which they end.

Some columns are lists of their own that happen to be as long as the table (`queue`, `todo`, ...); what they hold is
named in the comment. Indices of -1 mean none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NONE = -1


class Tables(NamedTuple):
    """The tables that the functions of the kernel hand on to each other."""

    state: Any  # one row, of STATE
    classes: Any
    uses: Any
    members: Any
    resources: Any
    capacities: Any  # of all resources by their number of users, one after the other
    bins: Any  # busy seconds, of shape (resources, bins)
    blame: Any  # seconds, of shape (tags, limits)


STATE = np.dtype(
    [
        ("width", "f8"),  # of a time bin of the recorder, s
        ("mark", "i8"),  # of the present solve: what carries it takes part
        ("sequence", "i8"),  # works started so far
        ("solves", "i8"),
        ("rates", "i8"),  # computed in all solves
        ("queued", "i4"),  # classes in the queue of ends
        ("changed", "i4"),  # resources that gained or lost a work in this instant
        ("fresh", "i4"),  # classes opened in this instant
        ("many", "i4"),  # classes that take part in the present solve
        ("tight", "i4"),  # resources that take part in the present solve
        ("fault", "i4"),  # what broke a law of conservation, one of the codes below
        ("culprit", "i4"),  # class, resource or member that did
    ],
    align=True,
)

CLASS = np.dtype(
    [
        ("weight", "f8"),
        ("bound", "f8"),  # the most a member could get were it alone: own cap, or capacity / cost
        ("rate", "f8"),  # of each member, units per second
        ("share", "f8"),  # rate / weight
        ("next_rate", "f8"),
        ("progress", "f8"),  # integral of the rate up to `since`
        ("since", "f8"),
        ("ends", "f8"),  # when the first member ends at the present rate
        ("mark", "i8"),
        ("count", "i4"),  # members
        ("first", "i4"),  # of its uses
        ("uses", "i4"),
        ("top", "i4"),  # member that ends first
        ("held", "i4"),  # saturated resource that sets the rate; -1: it goes at its bound
        ("next_held", "i4"),
        ("bound_by", "i4"),  # resource that sets the bound; -1: its own cap
        ("cap", "i4"),  # number of its own cap among the limits of the blame table
        ("tag", "i4"),
        ("is_frozen", "i4"),
        ("place", "i4"),  # in the queue of ends
        ("queue", "i4"),  # list: classes as a binary heap by `ends`
        ("todo", "i4"),  # list: classes that take part in the present solve
        ("fresh", "i4"),  # list: classes opened in this instant
    ],
    align=True,
)

USE = np.dtype(
    [
        ("cost", "f8"),
        ("bytes", "f8"),
        ("resource", "i4"),
        ("owner", "i4"),  # its class; -1 while the row is free
        ("chain", "i4"),  # solve: next use of the same resource whose class takes part
        ("next", "i4"),
        ("previous", "i4"),
    ],
    align=True,
)

MEMBER = np.dtype(
    [
        ("target", "f8"),  # progress of its class at which it ends
        ("amount", "f8"),
        ("sequence", "i8"),
        ("owner", "i4"),  # its class; -1 once it has ended
        ("child", "i4"),
        ("sibling", "i4"),
        ("ended", "i4"),  # list: members that ended in this instant
        ("emptied", "i4"),  # list: the class that each left empty, or -1
    ],
    align=True,
)

RESOURCE = np.dtype(
    [
        ("capacity", "f8"),  # with the present number of users
        ("most", "f8"),  # over all numbers of users
        ("load", "f8"),  # that its users would bring at their bounds
        ("usage", "f8"),  # that they bring at their rates
        ("since", "f8"),
        ("used", "f8"),  # integral of usage up to `since`
        ("busy", "f8"),  # integral of usage / capacity up to `since`, s
        ("done", "f8"),  # sum of amount * cost of the ended works
        ("bytes", "f8"),  # sum of amount * bytes of the ended works
        ("room", "f8"),  # solve: capacity that is not yet given out
        ("pull", "f8"),  # solve: sum of cost * weight of the members that still grow
        ("full", "f8"),  # solve: pull at its start
        ("level", "f8"),  # solve: share at which it is saturated
        ("mark", "i8"),
        ("table", "i4"),  # first of its capacities
        ("steps", "i4"),  # number of them
        ("users", "i4"),  # works
        ("links", "i4"),  # classes
        ("holds", "i4"),  # classes whose rate it sets
        ("head", "i4"),  # use at the head of its list
        ("chain", "i4"),  # solve: first use whose class takes part
        ("chained", "i4"),  # solve: number of them
        ("free", "i4"),  # solve: those that still grow
        ("freed", "i4"),  # solve: those whose rate it set before
        ("is_full", "i4"),  # solve: it stops some of them
        ("updates", "i4"),  # of load and usage since they were last summed up
        ("is_tight", "i4"),  # its users could ask for more than its capacity
        ("is_changed", "i4"),
        ("has_grown", "i4"),  # it gained a work in this instant, or its capacity changed
        ("group", "i4"),  # number of its group among the limits of the blame table
        ("changed", "i4"),  # list: resources that changed in this instant
        ("todo", "i4"),  # list: resources that take part in the present solve
        ("queue", "i4"),  # list: those not yet saturated, a binary heap by `level`
    ],
    align=True,
)

# Faults
OVERLOAD = 1  # a resource gives more than its capacity
STARVED = 2  # a class has rate 0
UNSERVED = 3  # a member ended with less or more than its amount
