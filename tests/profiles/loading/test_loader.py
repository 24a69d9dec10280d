"""Profiles from text to model: parts, `extends`, overrides, sources, and back to text."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import pytest
from pydantic import Field

from models.problem import ProblemError
from models.quantity import Model, Quantity, part, quantity, setting
from profiles.loading.catalog import Catalog
from profiles.loading.loader import Loaded, Variants, dump, load, load_text
from profiles.text.provenance import Source

ROOT = Path(__file__).parents[3]


class Drive(Model):
    read_bandwidth: Quantity = quantity("B/s", "Sequential read rate.", gt=0)
    seek_time: Quantity = quantity("s", "Mean seek.", default="8 ms", ge=0)


class Bay(Model):
    drive: Drive = part("drives", "The drive.")
    count: int = setting("Drives.", ge=1)


class Server(Model):
    memory: Quantity = quantity("B", "Main memory.", gt=0)
    bays: dict[str, Bay] = setting("Drives by bay.", default={})
    spare: tuple[Drive, ...] = part("drives", "Spare drives.", default=())


class Hdfs(Model):
    system: Literal["hdfs"] = setting("Storage system.")
    replication: int = setting("Replicas.", default=3, ge=1)


class Minio(Model):
    system: Literal["minio"] = setting("Storage system.")
    parity: int = setting("Parity shards.", ge=1)
    steps: tuple[Annotated[Quantity, quantity("s", "Time of one step.", ge=0)], ...] = setting("Steps.", default=())


class Header(Model):
    title: str = setting("Title.", default="")
    documented: str | None = setting("Id of the documented outcome.", default=None, inherited=False)


class Scenario(Model):
    profile: Header = setting("How it is listed.", default=Header())
    server: Server = part("servers", "The server.")
    storage: Annotated[Hdfs | Minio, Field(discriminator="system")] = part("storage", "The storage system.")


SHIPPED = {
    "drives/nearline.toml": """
        source = "published: data sheet"
        read_bandwidth = "250 MB/s"
        seek_time = "8.5 ms"
        """,
    "drives/fast.toml": """
        read_bandwidth = "3 GB/s"
        seek_time = "20 us"
        source = "measured: fio"
        """,
    "servers/dense.toml": """
        [profile]
        title = "Dense"

        [sources]
        memory = "published: price list"

        [bays.data]
        drive = "nearline"
        count = 24
        """,
    "storage/hdfs.toml": 'system = "hdfs"\nreplication = 3\nsource = "documented: defaults"',
    "benchmarks/sort.toml": """
        server = "dense"

        [profile]
        title = "Sort"
        documented = "sort/1"

        [storage]
        use = "hdfs"
        replication = 2
        """,
}


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Write files into the current directory, beside a catalog of small parts in shipped/."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(line.strip() for line in text.splitlines()), encoding="utf-8")
        return path

    for name, text in SHIPPED.items():
        write(f"shipped/{name}", text)
    write("shipped/servers/dense.toml", 'memory = "256 GB"\n' + SHIPPED["servers/dense.toml"])
    monkeypatch.chdir(tmp_path)
    return write


@pytest.fixture
def shipped(tmp_path: Path, write: object) -> Catalog:
    return Catalog(tmp_path / "shipped")


@pytest.fixture
def read(write: Callable[[str, str], Path], shipped: Catalog) -> Callable[..., Loaded[Scenario]]:
    """Load a text as the file mine.toml of the current directory, with overrides."""

    def read(text: str, overrides: Mapping[str, str] = MappingProxyType({})) -> Loaded[Scenario]:
        return load(write("mine.toml", text), Scenario, overrides, catalog=shipped)

    return read


Read = Callable[..., Loaded[Scenario]]
Write = Callable[[str, str], Path]


def complaints(call: Callable[[], object]) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        call()
    return [str(problem) for problem in caught.value.problems]


# --- parts


def test_a_name_stands_for_the_file_of_that_part(shipped: Catalog) -> None:
    server = load("sort", Scenario, catalog=shipped).scenario.server
    assert server.memory == 256e9
    assert server.bays["data"].count == 24
    assert server.bays["data"].drive == Drive(read_bandwidth=250e6, seek_time=8.5e-3)


def test_keys_beside_use_change_the_named_part(shipped: Catalog) -> None:
    assert load("sort", Scenario, catalog=shipped).scenario.storage == Hdfs(system="hdfs", replication=2)


def test_each_item_of_an_array_may_be_a_name_or_a_table(read: Read) -> None:
    loaded = read("""
        storage = "hdfs"
        [server]
        use = "dense"
        spare = ["nearline", {use = "fast", seek_time = "0 s"}, {read_bandwidth = "1 MB/s"}]
        """)
    assert [drive.read_bandwidth for drive in loaded.scenario.server.spare] == [250e6, 3e9, 1e6]
    assert [drive.seek_time for drive in loaded.scenario.server.spare] == [8.5e-3, 0, 8e-3]


def test_a_part_may_be_a_path_that_starts_at_the_file_that_names_it(read: Read, write: Write) -> None:
    write("parts/drives/mine.toml", 'read_bandwidth = "100 MB/s"')
    write("parts/server.toml", 'memory = "1 GB"\nspare = ["./drives/mine.toml"]')
    loaded = read('server = "parts/server.toml"\nstorage = "hdfs"')
    assert loaded.scenario.server.spare[0].read_bandwidth == 100e6


def test_a_name_that_does_not_ship_may_be_a_neighbouring_file(read: Read, write: Write) -> None:
    write("tiny.toml", 'memory = "1 GB"')
    assert read('server = "tiny"\nstorage = "hdfs"').scenario.server.memory == 1e9


def test_a_part_may_extend_another_part(read: Read, write: Write) -> None:
    write("bigger.toml", 'extends = "dense"\nmemory = "1 TB"')
    server = read('server = "bigger"\nstorage = "hdfs"').scenario.server
    assert (server.memory, server.bays["data"].count) == (1e12, 24)


def test_a_byte_order_mark_and_carriage_returns_are_taken(write: Write, shipped: Catalog) -> None:
    path = write("mine.toml", "")
    path.write_bytes(b'\xef\xbb\xbfread_bandwidth = "1 MB/s"\r\nseek_time = "1 ms"\r\n')
    loaded = load(path, Drive, catalog=shipped)
    assert loaded.scenario == Drive(read_bandwidth=1e6, seek_time=1e-3)
    assert loaded.origin["seek_time"] == ("mine.toml", 2)


def test_a_part_can_be_loaded_by_itself(shipped: Catalog) -> None:
    loaded = load("fast", Drive, folders=("drives",), catalog=shipped)
    assert loaded.scenario == Drive(read_bandwidth=3e9, seek_time=20e-6)


# --- extends


def test_tables_of_an_extending_file_join_those_it_extends(read: Read) -> None:
    scenario = read('extends = "sort"\n[server.bays.data]\ncount = 12').scenario
    assert scenario.server.bays["data"].count == 12
    assert scenario.server.bays["data"].drive.read_bandwidth == 250e6


def test_a_named_part_replaces_the_part_of_the_extended_file_whole(read: Read, write: Write) -> None:
    write("tiny.toml", 'memory = "1 GB"')
    assert read('extends = "sort"\nserver = "tiny"').scenario.server.bays == {}
    assert read('extends = "sort"\nserver = {use = "tiny", memory = "2 GB"}').scenario.server.bays == {}


def test_extends_reaches_over_several_files(read: Read, write: Write) -> None:
    write("a.toml", 'extends = "sort"\n[server]\nmemory = "1 GB"\nspare = ["fast"]')
    write("b.toml", 'extends = "a.toml"\n[server]\nspare = []\n[server.bays.data]\ncount = 2')
    server = read('extends = "./b.toml"\n[server.bays.data]\ndrive = "fast"').scenario.server
    assert (server.memory, server.spare) == (1e9, ())
    assert server.bays["data"] == Bay(drive=Drive(read_bandwidth=3e9, seek_time=20e-6), count=2)


def test_another_kind_of_storage_does_not_inherit_the_keys_of_the_first(read: Read) -> None:
    text = 'extends = "sort"\n[storage]\nsystem = "minio"\nparity = 4'
    assert read(text).scenario.storage == Minio(system="minio", parity=4)


def test_what_belongs_to_its_own_file_is_not_inherited(read: Read) -> None:
    header = read('extends = "sort"').scenario.profile
    assert header == Header(title="Sort", documented=None)


# --- overrides


def test_an_override_is_read_as_toml_or_else_as_text(read: Read) -> None:
    scenario = read(
        'extends = "sort"', {"server.memory": "512 GiB", "server.bays.data.count": "12", "storage.replication": "1"}
    ).scenario
    assert scenario.server.memory == 512 * 2**30
    assert scenario.server.bays["data"].count == 12
    assert scenario.storage == Hdfs(system="hdfs", replication=1)


@pytest.mark.parametrize("text", ["12e0", "12.0", "1.2e1"])
def test_a_count_may_be_written_with_an_exponent(read: Read, text: str) -> None:
    server = read('extends = "sort"', {"server.bays.data.count": text}).scenario.server
    assert type(server.bays["data"].count) is int
    assert server.bays["data"].count == 12
    again = read(f'extends = "sort"\n[server.bays.data]\ncount = {text}\nranges.count = [6, 24]')
    assert again.ranges["server.bays.data.count"].is_whole


def test_an_override_may_name_another_part_and_change_it(read: Read, write: Write) -> None:
    write("tiny.toml", 'memory = "1 GB"')
    server = read('extends = "sort"', {"server": "tiny", "server.spare": '["fast"]'}).scenario.server
    assert server == Server(memory=1e9, spare=(Drive(read_bandwidth=3e9, seek_time=20e-6),))


def test_an_override_reaches_into_arrays_by_index(read: Read) -> None:
    text = 'extends = "sort"\n[server]\nspare = ["fast", "fast"]'
    loaded = read(text, {"server.spare.1.seek_time": "1 s"})
    assert [drive.seek_time for drive in loaded.scenario.server.spare] == [20e-6, 1]


def test_an_override_may_fill_a_table_that_the_profile_leaves_out(read: Read) -> None:
    assert read('server = "dense"\nstorage = "hdfs"', {"profile.title": "Mine"}).scenario.profile.title == "Mine"


def test_a_name_that_looks_like_a_number_stays_text(read: Read) -> None:
    assert read('extends = "sort"', {"profile.title": "2020"}).scenario.profile.title == "2020"


def test_overriding_the_kind_of_storage_drops_the_keys_of_the_first(read: Read) -> None:
    scenario = read('extends = "sort"', {"storage.system": "minio", "storage.parity": "4"}).scenario
    assert scenario.storage == Minio(system="minio", parity=4)


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("server.memroy", "1 GB", "--set: server.memroy: unknown key; did you mean 'memory'?"),
        ("sevrer.memory", "1 GB", "--set: sevrer: unknown key; did you mean 'server'?"),
        ("server.memory.x", "1", "--set: server.memory: has no keys of its own"),
        ("server.spare.2.seek_time", "1 s", "--set: server.spare.2: there is no such entry; they are numbered 0 to 0"),
        ("server.bays.root.count", "1", "--set: server.bays.root: there is no such entry; there are data"),
        ("server.bays.dta.count", "1", "--set: server.bays.dta: there is no such entry; did you mean 'data'?"),
        ("server..memory", "1 GB", "--set: server..memory: expected a key such as cluster.network.racks"),
        ("server.memory", "-1 GB", "--set: server.memory: must be greater than 0 (got '-1 GB')"),
        ("server.use", "dense", "--set: server.use: a part is named by its own key: server=dense"),
        ("server", "tinny", "--set: server: nothing is named 'tinny' in 'servers'; there is dense"),
        (
            "server.memory",
            "12",
            "--set: server.memory: expected a size such as '64 MiB' or '2 TB' (got 12): the unit is missing",
        ),
    ],
)
def test_a_wrong_override_names_the_command_line(read: Read, key: str, value: str, complaint: str) -> None:
    text = 'extends = "sort"\n[server]\nspare = ["fast"]'
    assert complaints(lambda: read(text, {key: value})) == [complaint]


# --- sources


def test_a_number_has_its_own_source_or_that_of_the_nearest_table(read: Read) -> None:
    sources = read("""
        source = "assumed: by me"
        [server]
        memory = "1 GB"
        [server.bays.data]
        source = "documented: page 3"
        count = 4
        drive = "nearline"
        [[server.spare]]
        read_bandwidth = "1 MB/s"
        seek_time = "1 ms"
        sources = {seek_time = "measured: dd: twice"}
        [storage]
        system = "hdfs"
        """).sources
    assert {key: str(source) for key, source in sources.items()} == {
        "server.memory": "assumed: by me",
        "server.bays.data.count": "documented: page 3",
        "server.bays.data.drive.read_bandwidth": "published: data sheet",
        "server.bays.data.drive.seek_time": "published: data sheet",
        "server.spare.0.read_bandwidth": "assumed: by me",
        "server.spare.0.seek_time": "measured: dd: twice",
        "storage.system": "assumed: by me",
    }
    assert sources["server.bays.data.drive.seek_time"] == Source("published", "data sheet", "drives/nearline.toml")


def test_a_changed_number_does_not_keep_the_source_of_the_number_it_replaces(read: Read) -> None:
    loaded = read('extends = "sort"\n[server.bays.data.drive]\nread_bandwidth = "1 GB/s"', {"storage.replication": "1"})
    assert "server.bays.data.drive.read_bandwidth" not in loaded.sources
    assert loaded.sources["server.bays.data.drive.seek_time"].kind == "published"
    assert str(loaded.sources["storage.replication"]) == "assumed: set on the command line"


def test_numbers_without_a_source_are_listed(read: Read) -> None:
    loaded = read('extends = "sort"\n[storage]\nsystem = "minio"\nparity = 4\nsteps = ["1 s"]')
    assert loaded.unsourced == ("server.bays.data.count", "storage.parity", "storage.steps.0")


def test_every_value_knows_its_file_and_line(read: Read) -> None:
    loaded = read('extends = "sort"\n\n[server]\nmemory = "1 GB"', {"storage.replication": "1"})
    assert loaded.origin["server.memory"] == ("mine.toml", 4)
    assert loaded.origin["server.bays.data.drive.seek_time"] == ("drives/nearline.toml", 4)
    assert loaded.origin["storage.replication"] == ("--set", None)


# --- back to text


@pytest.mark.parametrize(
    "overrides",
    [
        {},
        {"server.memory": "512 GiB", "server.spare": '["fast", {read_bandwidth = "1 GB/s"}]'},
        {"server.spare": '["fast", "fast"]', "server.spare.1.seek_time": "1 s"},
        {"storage.system": "minio", "storage.parity": "4", "storage.steps": '["1 s", "2 s"]', "storage.steps.0": "3 s"},
    ],
)
def test_a_dumped_profile_loads_as_it_was(shipped: Catalog, overrides: dict[str, str]) -> None:
    first = load("sort", Scenario, overrides, catalog=shipped)
    again = load_text(dump(first.resolved), Scenario, catalog=shipped)
    assert again.scenario == first.scenario
    assert again.resolved == first.resolved
    assert again.values == first.values
    assert again.unsourced == first.unsourced
    assert {k: str(v) for k, v in again.sources.items()} == {k: str(v) for k, v in first.sources.items()}


def test_a_resolved_profile_keeps_the_units_as_typed(shipped: Catalog) -> None:
    loaded = load("sort", Scenario, {"server.memory": "512 GiB"}, catalog=shipped)
    assert loaded.resolved["server"]["memory"] == "512 GiB"
    assert loaded.values["server.bays.data.drive.read_bandwidth"] == "250 MB/s"
    assert loaded.resolved["server"]["bays"]["data"]["drive"]["source"] == "published: data sheet"


# --- start


def test_reading_profiles_imports_no_heavy_library() -> None:
    ask = "import sys, profiles.loading.loader; print(*{name.partition('.')[0] for name in sys.modules})"
    answer = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"numpy", "scipy", "simpy", "PySide6", "tomlkit"} & set(answer.stdout.split()) == set()


def test_variants_of_a_profile_are_what_it_says_with_each_change(write: Write, shipped: Catalog) -> None:
    path = write("mine.toml", 'server = "dense"\nstorage = "hdfs"\n')
    variants = Variants(str(path), Scenario, catalog=shipped)
    for change in (
        {},
        {"storage.replication": "2"},
        {"storage.system": "minio", "storage.parity": "2"},
        {"server.memory": "1 GB"},
    ):
        assert variants.load(change) == load(path, Scenario, change, catalog=shipped)


def test_variants_of_a_text_are_those_of_its_file(write: Write, shipped: Catalog) -> None:
    text = 'server = "dense"\nstorage = "hdfs"\n'
    path = write("mine.toml", text)
    variants = Variants.of_text(text, Scenario, path=path, catalog=shipped)
    assert variants.load({"storage.replication": "2"}) == load(
        path, Scenario, {"storage.replication": "2"}, catalog=shipped
    )


def test_a_variant_tells_what_is_wrong_with_its_file_and_its_change(write: Write, shipped: Catalog) -> None:
    path = write("mine.toml", 'server = "smal"\nstorage = "hdfs"\n')
    variants = Variants(str(path), Scenario, catalog=shipped)
    for _ in range(2):
        messages = complaints(lambda: variants.load({"storage.replication": "0"}))
        assert len(messages) == 2
        assert messages[0].startswith("--set: storage.replication: must be at least 1")
        assert "nothing is named 'smal'" in messages[1]
