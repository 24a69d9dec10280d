"""The exact words for each mistake that a profile can hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, field_validator, model_validator

from models.problem import ProblemError, refusal
from models.quantity import Model, Quantity, part, quantity, setting
from models.scenario import Scenario
from profiles.loading.catalog import Catalog
from profiles.loading.loader import load

LONG = "a whole number has thousands of digits; shorten it"
DEEP = "tables or arrays lie more than 50 deep within each other; take some away"


class Disk(Model):
    seq_read: Quantity = quantity("B/s", "Sequential read rate.", gt=0)
    seq_write: Quantity = quantity("B/s", "Sequential write rate.", default="1 GB/s", ge=1e6, examples=["150 MB/s"])
    size: Quantity | None = quantity("B", "Size.", default=None)


class Network(Model):
    mtu: int = setting("Bytes a packet.", default=1500, gt=0, le=9000)
    jumbo: bool = setting("Jumbo frames.", default=False)
    name: str = setting("Name.", default="lan")
    share: Quantity = quantity("1", "Part of it that is ours.", default=1, lt=2)
    version: Literal[4, 6] = setting("Version of IP.", default=4)
    weight: float = setting("Weight.", default=1.0)
    lanes: int | Literal["all"] = setting("Lanes.", default="all")

    @model_validator(mode="after")
    def _jumbo_frames_fit(self) -> Network:
        if self.jumbo and self.mtu < 9000:
            raise refusal("", "jumbo frames need an mtu of 9000")
        return self


class Hdfs(Model):
    system: Literal["hdfs"] = setting("Storage system.")
    replication: int = setting("Replicas.", default=3)
    servers: str = setting("Server group.", default="workers")

    @field_validator("replication")
    @classmethod
    def _is_odd(cls, value: int) -> int:
        if value % 2 == 0:
            raise refusal("", f"must be odd (got {value})")
        return value


class Minio(Model):
    system: Literal["minio"] = setting("Storage system.")
    parity: int = setting("Parity shards.", examples=[4])


class Root(Model):
    racks: int = setting("Racks.", ge=1)
    disk: tuple[Disk, ...] = part("drives", "Drives.")
    storage: Annotated[Hdfs | Minio, Field(discriminator="system")] = part("storage", "Storage system.")
    networks: dict[str, Network] = setting("Networks by name.", default={})
    backup: Disk | None = part("drives", "Backup drive.", default=None)

    @model_validator(mode="after")
    def _parts_fit(self) -> Root:
        if isinstance(self.storage, Hdfs):
            if self.storage.replication > 9:
                raise refusal("storage.replication", "more than there are servers", value=self.storage.replication)
            if self.storage.servers != "workers":
                raise refusal("storage.servers", "no such group", value=self.storage.servers)
        if self.racks > 99:
            raise refusal("", "too much for the hall: use fewer racks")
        if self.backup and not self.disk:
            raise refusal("backup", "there is nothing to back up")
        return self


Complain = Callable[[str], list[str]]

GOOD = 'racks = 1\ndisk = ["nearline"]\nstorage = "hdfs"\n'


@pytest.fixture
def complain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Complain:
    """Return the complaints about a text that stands in the file bad.toml, beside a catalog of two parts."""
    shipped = Catalog(tmp_path / "shipped")
    files = {
        "drives/nearline.toml": 'seq_read = "205 MB/s"',
        "drives/incomplete.toml": '[profile]\ntitle = "x"',
        "storage/hdfs.toml": 'system = "hdfs"\nreplication = 3',
        "benchmarks/sort.toml": GOOD,
        "benchmarks/round.toml": 'extends = "../../round.toml"',
    }
    for name, text in files.items():
        (shipped.root / name).parent.mkdir(parents=True, exist_ok=True)
        (shipped.root / name).write_text(text, encoding="utf-8")
    (tmp_path / "round.toml").write_text('extends = "round"', encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def complain(text: str) -> list[str]:
        Path("bad.toml").write_text(text, encoding="utf-8")
        return refusals(lambda: load("bad.toml", Root, catalog=shipped))

    return complain


def refusals(call: Callable[[], object]) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        call()
    return [str(problem) for problem in caught.value.problems]


RATE = "expected a rate such as '205 MB/s' or '25 Gbit/s'"
SIZE = "expected a size such as '64 MiB' or '2 TB'"
KINDS = (
    "expected text that starts with a kind, 'measured', 'documented', 'published', "
    "'prior', 'fitted', 'chosen' or 'assumed', and a colon"
)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        # keys
        ("rack = 2", "bad.toml:4: rack: unknown key; did you mean 'racks'?"),
        (
            "zzz = 2",
            "bad.toml:4: zzz: unknown key; known here: 'racks', 'disk', 'storage', 'networks', 'backup'",
        ),
        (
            'backup = {seq_raed = "1 B/s", seq_read = "1 B/s"}',
            "bad.toml:4: backup.seq_raed: unknown key; did you mean 'seq_read'?",
        ),
        ("[backup]", 'bad.toml:4: backup.seq_read: missing: Sequential read rate; for example seq_read = "205 MB/s"'),
        (
            "backup = 'incomplete'",
            'drives/incomplete.toml: seq_read: missing: Sequential read rate; for example seq_read = "205 MB/s"',
        ),
        ("racks = 2", "bad.toml:4: racks: given twice; keep one"),
        ("[networks.a]\nmtu = 1\nmtu = 2", "bad.toml:6: networks.a.mtu: given twice; keep one"),
        *(
            (
                f"[networks.a]\nserver = 'small'\n{below}",
                f"bad.toml:6: networks.a.{key}: networks.a.server is named already, as 'small';"
                ' to change keys of it, name it within: use = "small" in [networks.a.server]',
            )
            for below, key in (
                ("[networks.a.server.cpu]", "server.cpu"),
                ("[networks.a.server]", "server"),
                ("server.cpu.cores = 4", "server.cpu.cores"),
            )
        ),
        ("[networks.a]\n[networks.b]\n[networks.a]", "bad.toml:6: networks.a: given twice; keep one"),
        # units
        ("backup.seq_read = 'fast'", f"bad.toml:4: backup.seq_read: {RATE} (got 'fast')"),
        ("backup.seq_read = 205", f"bad.toml:4: backup.seq_read: {RATE} (got 205): the unit is missing"),
        ("backup.seq_read = '205'", f"bad.toml:4: backup.seq_read: {RATE} (got '205'): the unit is missing"),
        ("backup.seq_read = '25 Gb'", f"bad.toml:4: backup.seq_read: {RATE} (got '25 Gb'); did you mean '25 Gbit/s'?"),
        (
            "backup.seq_read = '2 mb/s'",
            f"bad.toml:4: backup.seq_read: {RATE} (got '2 mb/s'); did you mean 'MB/s' or 'Mbit/s'?",
        ),
        ("backup.seq_read = true", f"bad.toml:4: backup.seq_read: {RATE} (got true)"),
        ("backup.seq_read = []", "bad.toml:4: backup.seq_read: expected a number (got an array)"),
        ("backup = {seq_read = '1 B/s', size = '5 s'}", f"bad.toml:4: backup.size: {SIZE} (got '5 s'): 's' is a time"),
        # bounds
        ("backup.seq_read = '-5 MB/s'", "bad.toml:4: backup.seq_read: must be greater than 0 (got '-5 MB/s')"),
        (
            "backup = {seq_read = '1 B/s', seq_write = '1 kB/s'}",
            "bad.toml:4: backup.seq_write: must be at least 1 MB/s (got '1 kB/s')",
        ),
        ("networks.a.mtu = -9000", "bad.toml:4: networks.a.mtu: must be greater than 0 (got -9000)"),
        ("networks.a.mtu = 9001", "bad.toml:4: networks.a.mtu: must be at most 9,000 (got 9001)"),
        ("networks.a.share = '200 %'", "bad.toml:4: networks.a.share: must be less than 2 (got '200 %')"),
        # types
        ("networks.a.mtu = 12.5", "bad.toml:4: networks.a.mtu: expected a whole number (got 12.5)"),
        ("networks.a.mtu = 1.25e1", "bad.toml:4: networks.a.mtu: expected a whole number (got 12.5)"),
        ("networks.a.mtu = '12'", "bad.toml:4: networks.a.mtu: expected a whole number (got '12')"),
        ("networks.a.mtu = true", "bad.toml:4: networks.a.mtu: expected a whole number (got true)"),
        *(
            (
                f"networks.a.lanes = {value}",
                f"bad.toml:4: networks.a.lanes: expected a whole number (got {got}); or expected 'all' (got {got})",
            )
            for value, got in (("[]", "an array"), ("['all']", "an array"), ("{a = 1}", "a table"), ("2.5", "2.5"))
        ),
        ("networks.a.jumbo = 1", "bad.toml:4: networks.a.jumbo: expected true or false (got 1)"),
        ("networks.a.name = 3", "bad.toml:4: networks.a.name: expected text in quotes (got 3)"),
        (
            "networks.a.version = '6'",
            "bad.toml:4: networks.a.version: expected 4 or 6 (got '6'); a number stands without quotes",
        ),
        ("networks.a.weight = '3'", "bad.toml:4: networks.a.weight: expected a number (got '3')"),
        ("networks.a.weight = inf", "bad.toml:4: networks.a.weight: expected a finite number (got inf)"),
        ("networks.a.version = 5", "bad.toml:4: networks.a.version: expected 4 or 6 (got 5)"),
        ("networks.a = 5", "bad.toml:4: networks.a: expected a table (got 5)"),
        ("networks = 5", "bad.toml:4: networks: expected a table (got 5)"),
        ("backup = 5", "bad.toml:4: backup: expected a table or the name of a file in drives (got 5)"),
        # names
        ("backup = 'nearlin'", "bad.toml:4: backup: nothing is named 'nearlin' in 'drives'; did you mean 'nearline'?"),
        (
            "backup = 'flash'",
            "bad.toml:4: backup: nothing is named 'flash' in 'drives'; there are incomplete, nearline",
        ),
        ("backup = './nearline.toml'", "bad.toml:4: backup: no such file: './nearline.toml'; did you mean 'nearline'?"),
        ("backup = './rond.toml'", "bad.toml:4: backup: no such file: './rond.toml'; did you mean 'round.toml'?"),
        ("backup = {use = 3}", "bad.toml:4: backup.use: expected a name or a path in quotes"),
        (
            "backup = {use = ''}",
            "bad.toml:4: backup.use: nothing is named '' in 'drives'; there are incomplete, nearline",
        ),
        (
            "extends = 'srot'",
            "bad.toml:4: extends: no profile is named 'srot'; did you mean 'sort'?",
        ),
        ("extends = ['sort']", "bad.toml:4: extends: expected a name or a path in quotes"),
        ("extends = 'bad.toml'", "bad.toml:4: extends: leads back to itself: bad.toml -> bad.toml"),
        (
            "extends = 'round'",
            "round.toml:1: extends: leads back to itself: benchmarks/round.toml -> round.toml -> benchmarks/round.toml",
        ),
        # sources
        ("source = 'guess: mine'", f"bad.toml:4: source: {KINDS} (got 'guess: mine')"),
        ("source = 'measured:'", f"bad.toml:4: source: {KINDS} (got 'measured:')"),
        ("networks.a.source = 3", f"bad.toml:4: networks.a.source: {KINDS} (got 3)"),
        (
            "sources.rack = 'fitted: x'",
            "bad.toml:4: sources.rack: there is no such key beside it; did you mean 'racks'?",
        ),
        ("sources = 'fitted: x'", "bad.toml:4: sources: expected a table with an entry a key"),
        # complaints of the models themselves
        ("networks.a.jumbo = true", "bad.toml:4: networks.a: jumbo frames need an mtu of 9000"),
        # syntax
        ("x = = 3", "bad.toml:4: TOML syntax, column 5: invalid value"),
        ("x = [1,\n", "bad.toml:5: TOML syntax, end of file: invalid value"),
        (f"\nx = {'9' * 5000}", f"bad.toml:5: TOML syntax, column 5: {LONG}"),
        (f"\nx = 0x{'f' * 5000}\ny = 1", f"bad.toml:5: TOML syntax, column 5: {LONG}"),
        (f"x = '{'9' * 5000}'\ny = {'9' * 5000}", f"bad.toml:5: TOML syntax, end of file: {LONG}"),
        (f"\nx = {'[' * 60}{']' * 60}\ny = 1", f"bad.toml:5: TOML syntax, column 5: {DEEP}"),
        (f"\nx = {'{a = ' * 5000}1{'}' * 5000}", f"bad.toml:5: TOML syntax, column 5: {DEEP}"),
        (
            "x = 205 MB/s # fast",
            "bad.toml:4: TOML syntax, column 9: expected newline or end of document after a statement;"
            ' text needs quotes: "205 MB/s"',
        ),
    ],
)
def test_a_mistake_is_named_with_its_place_and_the_way_out(complain: Complain, text: str, complaint: str) -> None:
    assert complain(GOOD + text) == [complaint]


@pytest.mark.parametrize(
    ("storage", "complaint"),
    [
        (
            "system = 'hdsf'",
            "bad.toml:4: storage.system: expected 'hdfs' or 'minio' (got 'hdsf'); did you mean 'hdfs'?",
        ),
        ("parity = 3", "bad.toml:3: storage.system: missing: Storage system; one of 'hdfs' or 'minio'"),
        ("system = 'minio'", "bad.toml:3: storage.parity: missing: Parity shards; for example parity = 4"),
        ("use = 'hdfs'\nreplicas = 2", "bad.toml:5: storage.replicas: unknown key; did you mean 'replication'?"),
        ("use = 'hdfs'\nreplication = 2", "bad.toml:5: storage.replication: must be odd (got 2)"),
        ("use = 'hdfs'\nreplication = 11", "bad.toml:5: storage.replication: more than there are servers (got 11)"),
        ("use = 'hdfs'\nservers = 'x'", "bad.toml:5: storage.servers: no such group (got 'x')"),
    ],
)
def test_a_mistake_in_a_table_of_several_kinds_is_one_complaint(
    complain: Complain, storage: str, complaint: str
) -> None:
    assert complain(f"racks = 1\ndisk = ['nearline']\n[storage]\n{storage}") == [complaint]


def test_a_complaint_about_a_whole_profile_names_its_file(complain: Complain) -> None:
    assert complain(GOOD.replace("1", "100", 1)) == ["bad.toml: too much for the hall: use fewer racks"]


def test_a_complaint_about_a_part_stands_where_the_part_is_named(complain: Complain) -> None:
    text = 'racks = 1\ndisk = []\nstorage = "hdfs"\nbackup = "nearline"'
    assert complain(text) == ["bad.toml:4: backup: there is nothing to back up"]


def test_all_that_is_missing_is_told_with_its_meaning(complain: Complain) -> None:
    assert complain("") == [
        "bad.toml: disk: missing: Drives; write tables [[disk]]",
        "bad.toml: racks: missing: Racks; for example racks = 1",
        "bad.toml: storage: missing: Storage system; name one of 'hdfs', or write a table",
    ]


def test_the_problems_of_all_files_are_raised_at_once(complain: Complain) -> None:
    Path("part.toml").write_text("seq_read = '1 kb/S'", encoding="utf-8")
    Path("broken.toml").write_text("seq_read = ", encoding="utf-8")
    text = (
        'extends = "srot"\ndisk = ["part.toml", "broken.toml", "nearlin"]\n\nracks = 0\n[storage]\nuse = "hdfs"\nx = 1'
    )
    assert complain(text) == [
        "bad.toml:1: extends: no profile is named 'srot'; did you mean 'sort'?",
        "bad.toml:2: disk.2: nothing is named 'nearlin' in 'drives'; did you mean 'nearline'?",
        "bad.toml:4: racks: must be at least 1 (got 0)",
        "bad.toml:7: storage.x: unknown key; known here: 'system', 'replication', 'servers'",
        "broken.toml:1: is no TOML, and so no part",
        f"part.toml:1: seq_read: {RATE} (got '1 kb/S'); did you mean 'kB/s' or 'kbit/s'?",
    ]


def test_a_part_that_is_used_twice_is_complained_about_once(complain: Complain) -> None:
    assert complain(GOOD.replace('"nearline"', '"incomplete", "incomplete"')) == [
        'drives/incomplete.toml: seq_read: missing: Sequential read rate; for example seq_read = "205 MB/s"'
    ]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("srot", "no profile is named 'srot'; did you mean 'sort'?"),
        ("baad.toml", "no such file: 'baad.toml'; did you mean 'bad.toml'?"),
        ("sort.toml", "no such file: 'sort.toml'; did you mean 'sort'?"),
        ("elsewhere/x.toml", "no such file: 'elsewhere/x.toml'"),
    ],
)
def test_a_profile_that_is_not_there_is_named_with_the_nearest_that_is(
    complain: Complain, name: str, complaint: str
) -> None:
    complain("")
    assert refusals(lambda: load(name, Root, catalog=Catalog(Path("shipped")))) == [complaint]


def test_a_file_that_is_not_text_is_refused(complain: Complain) -> None:
    Path("raw.toml").write_bytes(b"\xff\xfe")
    complaint = "raw.toml: cannot be read: it is not UTF-8 text: unpack it, or save it as such"
    assert refusals(lambda: load("raw.toml", Root)) == [complaint]


def test_a_key_that_nobody_declares_is_told_where_it_names_a_part(tmp_path: Path) -> None:
    path, hardware = tmp_path / "mine.toml", 'cluster = "hepix-servers"\nstorage = "hepix-server"\n'
    path.write_text(f'{hardware}[workload]\nuse = "cmssw"\nengine = "presto-emr"\n', encoding="utf-8")
    with pytest.raises(ProblemError, match=r"mine.toml:5: workload.engine: unknown key"):
        load(str(path), Scenario)


def test_ranges_of_a_part_that_an_unknown_key_names_are_not_told_as_wrong(tmp_path: Path) -> None:
    path, parts = tmp_path / "mine.toml", 'cluster = "12-h1"\nstorage = "hdfs"\n'
    path.write_text(f'{parts}[workload]\nuse = "testdfsio-write"\nframework = "yarn"\n', encoding="utf-8")
    told = refusals(lambda: load(str(path), Scenario))
    assert [line for line in told if "profile" not in line] == [line for line in told if "mine.toml:5" in line]
    assert any("workload.framework: unknown key" in line for line in told)


@pytest.mark.parametrize(
    ("key", "way_out"),
    [
        ("workers", "did you mean 'cluster.groups.workers'?"),
        ("input", "did you mean 'workload.input'?"),
        (
            "cluster.count",
            "did you mean 'cluster.groups.workers.count' or 'cluster.groups.workers.server.bays.data.count'?",
        ),
        ("storrage", "did you mean 'storage'?"),
    ],
)
def test_a_key_that_is_set_by_its_last_name_is_told_with_all_of_it(key: str, way_out: str) -> None:
    with pytest.raises(ProblemError) as told:
        load("hdfs-terasort", Scenario, {key: "24"})
    assert f"{told.value}" == f"--set: {key}: unknown key; {way_out}"


def test_a_table_that_needs_few_keys_is_asked_for_with_them() -> None:
    """An erasure code is often written as 4+2."""
    with pytest.raises(ProblemError) as refused:
        load("durability-ceph", Scenario, {"storage.erasure_code": "4+2"})
    assert [str(problem) for problem in refused.value.problems] == [
        "--set: storage.erasure_code: expected a table that has k and m (got '4+2')"
    ]
