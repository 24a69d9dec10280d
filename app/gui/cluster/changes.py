"""Changes of what a profile consists of: a part of its own, and groups, bays, workloads and expansions more or fewer.

Each takes the tables of a profile's text, and the whole profile with its parts in place (`Loaded.resolved`); it
returns other tables. Where something of a named part is to go, the part is taken over into the text first. Knows no Qt.
"""

from __future__ import annotations

from copy import deepcopy

from app.gui.session.tables import Keys, Tables, at, dropped, free, put

WORKLOAD, WORKLOADS, EXPANSIONS = "workload", "workloads", ("growth", "expansions")
BAY = {"drive": "nvme", "count": 1}
"""The bay that is added. Assumption: what is added is a fast drive for what is local."""
ADDED = 4
"""Servers of the expansion that is added. Assumption: as many as a rack is often extended by."""


def own(tables: Tables, whole: Tables, keys: Keys) -> Tables:
    """Let the text state a part itself, so that all of it can be changed."""
    return put(tables, keys, at(whole, keys))


def without(tables: Tables, whole: Tables, keys: Keys) -> Tables:
    """Take a table away, whoever states it."""
    above = [at(tables, keys[:depth]) for depth in range(1, len(keys))]
    if at(tables, keys) is None or any(isinstance(level, str) or "use" in level for level in above):
        tables = own(tables, whole, keys[:1])
    return dropped(tables, keys)


def with_group(tables: Tables, whole: Tables, like: str) -> Tables:
    """Add servers like those of a group."""
    groups = at(whole, ("cluster", "groups"))
    return put(tables, ("cluster", "groups", free(like, groups)), groups[like])


def with_bay(tables: Tables, whole: Tables, group: str) -> Tables:
    """Add a bay to the servers of a group."""
    bays: Keys = ("cluster", "groups", group, "server", "bays")
    return put(tables, (*bays, free("extra", at(whole, bays) or {})), BAY)


def with_workload(tables: Tables, whole: Tables) -> Tables:
    """Add a workload like the last one; one that was alone gets a name."""
    changed = deepcopy(tables)
    entries = changed.get(WORKLOADS)
    if entries is None:
        alone = changed.pop(WORKLOAD, None) or at(whole, (WORKLOAD,))
        entries = changed[WORKLOADS] = [{"name": "first", **({"use": alone} if isinstance(alone, str) else alone)}]
    names = {f"{entry.get('name')}" for entry in entries}
    entries.append({**deepcopy(entries[-1]), "name": free("another", names)})
    return changed


def with_expansion(tables: Tables, whole: Tables) -> Tables:
    """Add servers on a later day: a year after the last ones, or after the start."""
    known = list(at(tables, EXPANSIONS) or at(whole, EXPANSIONS) or [])
    last = f"{known[-1]['date'] if known else at(whole, ('growth', 'start'))}"
    added = {"date": f"{int(last[:4]) + 1}{last[4:]}", "servers": ADDED}
    return put(tables, EXPANSIONS, [*known, added])
