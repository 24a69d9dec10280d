"""What the cards of a cluster show: for each of its parts a few keys and the parts that it names. Knows no Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, auto
from pathlib import Path

from app.gui.session.profile_tree import UNSET, Entry
from models.scenario import Scenario
from profiles.loading.loader import Loaded

MOST = 7
"""Keys of a card, the first of its table: enough to tell a part. All keys stand beside the cards."""
GROUPS, SERVER = "cluster.groups", "server"
OF_SERVER = (("Cores", "cpu.cores"), ("Memory", "memory.size"), ("Network card", "nic.bandwidth"))
TABLES = {
    "cluster.network": "Network",
    "storage": "Storage",
    "client": "Client of the storage",
    "workload": "Workload",
    "prices": "Prices",
    "growth": "Growth",
    "failures": "Failures",
    "rebalance": "Rebalance",
    "planning": "Operating rules",
}
ITEMS = {"workloads": "Workload", "growth.expansions": "Expansion", "failures.faults": "Fault"}
OWN, NOT_SET = "of its own", "none"


class Can(Flag):
    """What can be done with what a card shows, besides changing values."""

    NOTHING = 0
    REMOVE = auto()
    ADD_GROUP = auto()
    ADD_BAY = auto()
    ADD_WORKLOAD = auto()
    ADD_EXPANSION = auto()


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a part: its label, its key, the folder of the parts that may stand there, and which one does."""

    label: str
    key: str
    folder: str
    part: str


@dataclass(frozen=True, slots=True)
class Section:
    """One card: fields as (label, key)."""

    title: str
    key: str
    slots: tuple[Slot, ...]
    fields: tuple[tuple[str, str], ...]
    can: Can = Can.NOTHING


def sections(root: Entry, loaded: Loaded[Scenario]) -> list[Section]:
    """Return the cards of a profile, in the order of the work; none for a table of which there is nothing to show."""
    known = {entry.key: entry for entry in root.walk()}
    shown = [_group(entry, known, loaded) for entry in _below(known, GROUPS)]
    for key, title in TABLES.items():
        if key in known:
            shown.append(_table(title, known[key], loaded))
        shown += [
            _table(f"{ITEMS[name]} {item.name}", item, loaded) for name in ITEMS for item in _items(known, name, key)
        ]
    return [section for section in shown if section.slots or section.fields or section.can]


def _items(known: dict[str, Entry], key: str, table: str) -> list[Entry]:
    """Return the items of an array that stand behind the card of a table."""
    return _below(known, key) if key.partition(".")[0].rstrip("s") == table.rstrip("s") else []


def _below(known: dict[str, Entry], key: str) -> list[Entry]:
    return known[key].children if key in known else []


def _group(entry: Entry, known: dict[str, Entry], loaded: Loaded[Scenario]) -> Section:
    server = f"{entry.key}.{SERVER}"
    bays = _below(known, f"{server}.bays")
    wanted = [("Servers", f"{entry.key}.count"), *((label, f"{server}.{key}") for label, key in OF_SERVER)]
    wanted += [(f"Drives in {bay.name}", f"{bay.key}.count") for bay in bays]
    slots = [_slot("Server", known[server], loaded)]
    slots += [_slot(f"Drive in {bay.name}", known[f"{bay.key}.drive"], loaded) for bay in bays]
    fields = tuple((label, key) for label, key in wanted if key in known)
    return Section(f"Servers: {entry.name}", entry.key, tuple(slots), fields, Can.REMOVE | Can.ADD_GROUP | Can.ADD_BAY)


def _table(title: str, entry: Entry, loaded: Loaded[Scenario]) -> Section:
    leaves = [child for child in entry.children if child.is_leaf and not child.declared.folder]
    slots = [_slot("Part", entry, loaded)] if entry.declared.folder and not entry.name.isdecimal() else []
    slots += [_slot(child.name.capitalize(), child, loaded) for child in entry.children if child.declared.folder]
    fields = tuple((label_of(leaf.name), leaf.key) for leaf in leaves[:MOST])
    return Section(title, entry.key, tuple(slots), fields, _can(entry))


def _can(entry: Entry) -> Can:
    if entry.key == "growth" and not entry.is_leaf:
        return Can.REMOVE | Can.ADD_EXPANSION
    if entry.key == "workload":
        return Can.ADD_WORKLOAD
    if entry.key.startswith("workloads."):
        return Can.ADD_WORKLOAD | Can.REMOVE
    is_needed = entry.key in {"storage", "cluster.network"} or entry.is_leaf
    return Can.NOTHING if is_needed else Can.REMOVE


def label_of(name: str) -> str:
    """Return the name of a key as words: "Block size"."""
    return name.replace("_", " ").capitalize().replace("cpu", "CPU").replace("Cpu", "CPU")


def _slot(label: str, entry: Entry, loaded: Loaded[Scenario]) -> Slot:
    return Slot(label, entry.key, entry.declared.folder, _part(entry, loaded))


def _part(entry: Entry, loaded: Loaded[Scenario]) -> str:
    """Return the part that most values of a table come from, by its name; that it is the profile's own; or none."""
    if entry.is_leaf:
        return NOT_SET if entry.typed == UNSET else entry.typed
    files = Counter(_files(entry.key, loaded))
    named = [file for file, _ in files.most_common() if file.startswith(f"{entry.declared.folder}/")]
    return Path(named[0]).stem if named else OWN


def _files(key: str, loaded: Loaded[Scenario]) -> Iterator[str]:
    return (file for name, (file, _) in loaded.origin.items() if name.startswith(f"{key}."))
