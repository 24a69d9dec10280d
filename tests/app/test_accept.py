"""`simulate accept`: bands for a contract, the kit that measures a delivered cluster, and who is to blame."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import execute
from app.planning.acceptance import accept_kit
from models.planning.acceptance import expected_of_parts
from models.scenario import Scenario
from profiles.loading.loader import load
from tests.app.conftest import Type
from tests.app.kit_results import fio, results, warp

CLUSTER = """
[profile]
title = "Three servers"
[cluster.groups.servers]
count = 3
[cluster.groups.servers.server]
use = "hdd-25gbe"
bays.data.count = 4
controller = { read_bandwidth = "800 MB/s" }
[planning]
filesystem_overhead = 0
"""
STORE = """
[storage]
use = "minio"
servers = "servers"
parity = 2
[cluster.groups.clients]
server = "hdd-25gbe"
count = 1
[workload]
kind = "requests"
clients = "clients"
threads = 8
count = 500
mix = { GET = { action = "get", size = "1 MiB" }, PUT = { action = "put", size = "1 MiB" } }
"""
HDFS = """
[storage]
use = "hdfs"
servers = "servers"
[workload]
kind = "storing"
data = "1 TB"
"""
PLAN = """
kind = "plan"
title = "A small store"
[requirements]
stored = "10 TB"
start = "2027-01-01"
years = 1
[candidates.one]
servers = "hdd-25gbe"
count = "3..4:1"
storage = "hdfs"
"""
FAST = ("--interval", "none", "--workers", "1")
Data = dict[str, Any]
Judge = Callable[..., tuple[int, Data]]
Tool = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """Return the path of a profile with a store on hard drives."""
    (tmp_path / "store.toml").write_text(CLUSTER + STORE)
    return str(tmp_path / "store.toml")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a kit that was written for a store on hard drives."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "store.toml").write_text(CLUSTER + STORE)
    assert execute(("accept", str(folder / "store.toml"), *FAST, "--write", str(folder / "kit"))) == 0
    return folder / "kit"


@pytest.fixture
def kit(made: Path, tmp_path: Path) -> Data:
    """Return the contract of a kit that each test has for itself."""
    shutil.copytree(made, tmp_path / "kit")
    contract: Data = json.loads((tmp_path / "kit/contract.json").read_text())["data"]
    return contract


@pytest.fixture
def judge(type_: Type, mine: str, kit: Data, tmp_path: Path) -> Judge:
    """Return a function that judges results, those that are measured in place of what is expected."""

    def judged(**measured: float) -> tuple[int, Data]:
        folder = results(kit, tmp_path / "results", {name.replace("_", "-"): value for name, value in measured.items()})
        ended = type_("accept", mine, str(folder), *FAST, "--format", "json")
        return ended.status, json.loads(ended.out)

    return judged


def of(data: Data, name: str) -> Data:
    return next(test for test in data["tests"] if test["name"] == name)


def test_parts_follow_from_the_profile_and_the_wide_band_holds_the_narrow_one(type_: Type, mine: str) -> None:
    ended = type_("accept", mine, *FAST, "--format", "json")
    assert (ended.status, ended.err) == (0, "")
    data = json.loads(ended.out)
    assert (data["schema"], data["is_accepted"], data["verdict"]) == ("headroom.accept/1", None, [])
    alone, together = of(data, "servers-data-read"), of(data, "servers-server-read")
    assert together["expected"] == 800e6
    assert of(data, "servers-server-write")["expected"] == 4 * of(data, "servers-data-write")["expected"]
    for test in data["tests"]:
        narrow, wide = test["bands"]
        assert wide["low"] < narrow["low"] < test["expected"] < narrow["high"] < wide["high"]
        assert (narrow["level"], wide["level"]) == (0.8, 0.95)
        assert test["why"]
    assert any("assumed" in reason for reason in alone["why"])
    assert not any("drive." in reason or "nic." in reason or "models/" in reason for reason in alone["why"])


def test_no_band_of_requests_goes_above_what_the_cards_of_their_clients_carry(type_: Type, mine: str) -> None:
    data = json.loads(type_("accept", mine, *FAST, "--format", "json").out)
    card = of(data, "clients-network-10")["expected"]
    for name in ("put", "get"):
        assert of(data, name)["bands"][1]["high"] <= max(1.05 * card, of(data, name)["expected"])


def test_groups_whose_names_differ_in_signs_alone_have_tests_of_their_own(tmp_path: Path) -> None:
    names = ("a b", "a+b", "A-b", "a")
    groups = "".join(f"[cluster.groups.{json.dumps(name)}]\ncount = 4\nserver = 'hdd-25gbe'\n" for name in names)
    (tmp_path / "p.toml").write_text(f'extends = "growth-hdfs"\n{groups}', encoding="utf-8")
    tests = [test.name.casefold() for test in expected_of_parts(load(f"{tmp_path / 'p.toml'}", Scenario).scenario)]
    assert len(set(tests)) == len(tests)


def test_what_was_expected_is_accepted(judge: Judge) -> None:
    status, data = judge()
    assert (status, data["is_accepted"], data["problems"]) == (0, True, [])
    assert data["verdict"] == ["Accepted: all 11 tests pass."]
    assert {test["verdict"] for test in data["tests"]} == {"pass"}


@pytest.mark.parametrize(
    ("measured", "text"),
    [
        ({"servers_data_read": 50e6}, "a drive of 'data' alone is too slow (reads): the drive itself"),
        ({"servers_server_write": 100e6}, "while each alone passes: the controller"),
        ({"servers_data_write": 9e6, "servers_server_write": 36e6}, "as one of them is alone: mend the drives first"),
        ({"servers_network_10": 1e9}, "the card or the switch"),
        ({"servers_network_1": 1e8}, "one connection is too slow while many together pass"),
        ({"get": 1e6}, "all parts pass: the configuration"),
        ({"get": 1e6, "servers_network_10": 1e8}, "so are parts: mend servers-network-10 first"),
    ],
)
def test_the_part_to_blame_follows_from_what_passes(judge: Judge, measured: dict[str, float], text: str) -> None:
    status, data = judge(**measured)
    assert (status, data["is_accepted"]) == (1, False)
    assert text in " ".join(data["verdict"])


def test_what_is_too_good_is_told_and_does_not_fail(judge: Judge) -> None:
    status, data = judge(servers_data_read=2e9)
    assert (status, data["is_accepted"]) == (0, True)
    assert of(data, "servers-data-read")["verdict"] == "too good"
    assert "a cache" in " ".join(data["verdict"])


def test_half_of_the_results_are_told_and_not_accepted(type_: Type, mine: str, kit: Data, tmp_path: Path) -> None:
    folder = results(kit, tmp_path / "results")
    for path in folder.glob("*network*"):
        path.unlink()
    ended = type_("accept", mine, str(folder), *FAST)
    assert ended.status == 1
    assert "Not yet accepted: of 11 tests, 4 were not measured" in " ".join(ended.out.split())
    assert "servers-network-1" in ended.out


def test_a_failed_load_without_its_parts_blames_nobody(type_: Type, mine: str, kit: Data, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results/get").write_text(json.dumps(warp("GET", 1e6)))
    ended = type_("accept", mine, str(tmp_path / "results"), *FAST)
    assert ended.status == 1
    assert "Nobody can tell why before these are measured: servers-data-read" in " ".join(ended.out.split())


def test_a_load_that_tells_no_kit_is_judged_by_its_objects_and_threads_and_told(
    type_: Type, mine: str, kit: Data, tmp_path: Path
) -> None:
    (tmp_path / "get").write_text(json.dumps(warp("GET", 1e6)))
    data = json.loads(type_("accept", mine, str(tmp_path / "get"), *FAST, "--format", "json").out)
    assert of(data, "get")["measured"] == 1e6
    assert "tells no kit: taken for this one" in json.dumps(data)


def test_of_several_results_of_a_test_the_worst_counts(type_: Type, mine: str, kit: Data, tmp_path: Path) -> None:
    folder = results(kit, tmp_path / "results")
    (folder / "another-drive").write_text(json.dumps(fio(f"servers-data-read@{kit['kit']}", 50e6)))
    data = json.loads(type_("accept", mine, str(folder), *FAST, "--format", "json").out)
    test = of(data, "servers-data-read")
    assert (test["measured"], test["verdict"]) == (50e6, "fail")
    assert "the worst of 2" in test["source"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (fio("servers-data-read@0badcafe", 200e6), "measured with kit 0badcafe, and this is"),
        (
            {**warp("GET", 1e9), "commandline": "warp get --bucket headroom-accept-0badcafe-17"},
            "with kit 0badcafe, and",
        ),
        (fio("servers-server-read@{kit}", 800e6, drives=3), "drives: 3, expected 4"),
        (fio("servers-data-read@{kit}", 200e6, depth=64), "requests under way: 64, expected 8"),
        (fio("other-read@{kit}", 200e6), "no test of this kit has this name"),
        (warp("GET", 1e9, size=2.0**26), "bytes of an object: 67,108,864, expected 1,048,576"),
        (warp("GET", 1e9, threads=64), "threads: 64, expected 8"),
    ],
)
def test_results_that_are_not_of_this_kit_are_told_and_not_judged(
    type_: Type, mine: str, kit: Data, tmp_path: Path, written: Data, text: str
) -> None:
    folder = results(kit, tmp_path / "results")
    (folder / "wrong").write_text(json.dumps(written).replace("{kit}", kit["kit"]))
    ended = type_("accept", mine, str(folder), *FAST)
    assert ended.status == 1
    assert text in " ".join(ended.out.split())
    assert "Accepted: all 11 tests pass." in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (None, "", "no file"),
        ("empty", "", "the file is empty"),
        ("note", "hello\n", "not known: expected what a program wrote"),
        ("cut", '{"fio version": "fio-3.35", "jobs": [{"jobn', "JSON syntax"),
        ("job", "headroom-accept: terasort@1234 failed\n", "terasort failed: see the log"),
        ("job", "headroom-accept: hello\n", "expected 'headroom-accept: TEST@KIT SECONDS s'"),
    ],
)
def test_results_that_cannot_be_read_are_refused_with_the_way_out(
    type_: Type, mine: str, tmp_path: Path, name: str | None, text: str, expected: str
) -> None:
    (tmp_path / "results").mkdir()
    if name:
        (tmp_path / "results" / name).write_text(text)
    ended = type_("accept", mine, str(tmp_path / "results"), *FAST)
    assert (ended.status, ended.out) == (2, "")
    assert expected in " ".join(ended.err.split())


def test_hadoop_jobs_test_hdfs_and_their_times_are_read(type_: Type, tmp_path: Path) -> None:
    (tmp_path / "hdfs.toml").write_text(CLUSTER + HDFS)
    words = ("accept", str(tmp_path / "hdfs.toml"), *FAST, "--data", "20 GB")
    assert type_(*words, "--write", str(tmp_path / "kit")).status == 0
    script = (tmp_path / "kit/work.sh").read_text()
    assert "terasort -D mapreduce.job.reduces=" in script
    assert " 200000000 " in script
    contract = json.loads((tmp_path / "kit/contract.json").read_text())["data"]
    jobs = ["teragen", "terasort", "testdfsio-write", "testdfsio-read"]
    assert [test["name"] for test in contract["tests"] if test["layer"] == "work"] == jobs
    folder = results(contract, tmp_path / "kit/results", {"terasort": 99999})
    ended = type_(*words, str(folder), "--format", "json")
    data = json.loads(ended.out)
    assert (ended.status, of(data, "terasort")["verdict"], of(data, "teragen")["verdict"]) == (1, "fail", "pass")


def test_work_that_a_setting_limits_is_told_as_it_tells_little_of_the_hardware(type_: Type, tmp_path: Path) -> None:
    yarn = 'framework = { use = "yarn", servers = "servers", off_switch = 0, containers = 2 }'
    few, many = tmp_path / "few.toml", tmp_path / "many.toml"
    few.write_text(
        CLUSTER + HDFS.replace('kind = "storing"\ndata = "1 TB"', f'use = "terasort"\ninput = "1 TB"\n{yarn}')
    )
    many.write_text(few.read_text().replace("containers = 2", "containers = 64"))
    words = ("accept", str(few), *FAST, "--data", "5 GB")
    told, other = json.loads(type_(*words, "--format", "json").out)["warnings"]
    assert told.startswith("terasort: limited by a setting, not by hardware, for ")
    assert told.endswith(
        "2 at a time on a server with 64 hardware threads: more of them use the others (workload.framework.containers)."
    )
    assert other.endswith("while maps wait; begin them later (workload.framework.slowstart).")
    assert told in " ".join(type_(*words).out.split())
    assert json.loads(type_("accept", str(many), *words[2:], "--format", "json").out)["warnings"] == []


def test_of_a_plan_the_option_that_it_decides_for_is_accepted(type_: Type, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    ended = type_("accept", str(tmp_path / "plan.toml"), *FAST, "--data", "20 GB", "--format", "json")
    assert (ended.status, ended.err) == (0, "")
    assert of(json.loads(ended.out), "servers-data-read")["expected"] > 0


def test_results_that_are_not_there_are_told_before_anything_is_simulated(type_: Type, tmp_path: Path) -> None:
    ended = type_("accept", "no-such-profile", str(tmp_path / "nowhere"))
    assert (ended.status, ended.err) == (
        2,
        f"{tmp_path}/nowhere: cannot be read: no such file or directory; name one that is there\n",
    )


BAD_KITS = {
    "kit": "cannot write into '{}': it is not empty; name a new folder",
    "file": "cannot write into '{}': it is no folder; name a new folder",
    "gone/kit": "cannot write into '{}': '{}' does not exist; name a new folder",
    "n" * 300: "cannot write into '{}': file name too long; name a new folder",
}


@pytest.mark.parametrize("name", BAD_KITS)
def test_a_kit_goes_into_a_new_folder_only_which_is_told_before_anything_is_simulated(
    name: str, type_: Type, tmp_path: Path
) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "mine").write_text("kept")
    (tmp_path / "file").write_text("kept")
    folder = tmp_path / name
    ended = type_("accept", "no-such-profile", "--write", str(folder))
    assert (ended.status, ended.err) == (2, f"--write: {BAD_KITS[name].format(folder, folder.parent)}\n")
    assert (tmp_path / "kit" / "mine").read_text() == (tmp_path / "file").read_text() == "kept"


def test_an_answer_is_not_written_among_the_files_of_a_kit(type_: Type, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "kit")
    (tmp_path / "kit").mkdir()
    files = {"--output": f"{tmp_path}/kit/contract.json", "--report": f"{tmp_path}/link/README.md"}
    words = (word for named in files.items() for word in named)
    ended = type_("accept", "no-such-profile", "--write", str(tmp_path / "kit"), *words)
    told = [
        f"{option}: '{name}' lies in the folder of the kit; name a file elsewhere\n" for option, name in files.items()
    ]
    assert (ended.status, ended.err) == (2, "".join(told))
    assert not any((tmp_path / "kit").iterdir())


def test_a_kit_is_not_mixed_with_what_came_into_its_folder_meanwhile(
    type_: Type, mine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, made = tmp_path / "kit", accept_kit.kit

    def slow(*about: Any) -> Any:
        folder.mkdir()
        (folder / "contract.json").write_text("of another program")
        return made(*about)

    monkeypatch.setattr(accept_kit, "kit", slow)
    ended = type_("accept", mine, *FAST, "--write", str(folder))
    assert ended.err.startswith(f"--write: cannot write into '{folder}': it is not empty; name a new folder\n")
    assert (folder / "contract.json").read_text() == "of another program"
    assert "Three servers" in ended.out


def test_a_kit_is_not_written_with_results_nor_with_data_that_is_none(type_: Type, mine: str, tmp_path: Path) -> None:
    ended = type_("accept", mine, str(tmp_path), "--write", str(tmp_path / "kit"))
    assert (ended.status, "goes not with RESULTS" in ended.err) == (2, True)
    assert type_("accept", mine, "--data", "many").status == 2
    assert type_("accept", mine, "--data", "0 GB").err == "--data: must be greater than 0 (got '0 GB')\n"


FIO = """#!/bin/sh
for each in "$@"; do
  case $each in --output=*) echo "$HEADROOM_FOLDERS$HEADROOM_FOLDER" >"${each#--output=}" ;; esac
done
"""
DF = """#!/bin/sh
echo head
echo "disk-of-$2 1 1 ${FREE:-99999999999} 1 /"
"""
WARP = """#!/bin/sh
echo "$@" >>"$LOG"
[ "$1" = analyze ] && echo '{}' && exit
while [ "$1" != --benchdata ]; do shift; done
: >"$2.csv.zst"
"""
HDFS_TOOL = """#!/bin/sh
echo "$@" >>"$LOG"
case "$*" in "dfs -test -e "*) [ -n "${THERE:-}" ] ;; esac
"""
HADOOP = """#!/bin/sh
echo "$@" >>"$LOG"
case "$*" in *terasort*) exit 1 ;; esac
"""


@pytest.fixture
def tools(tmp_path: Path) -> Tool:
    """Return a function that runs a script of a kit with programs that write down what they were asked."""
    folder = tmp_path / "tools"
    folder.mkdir()
    texts = {"fio": FIO, "df": DF, "warp": WARP, "hdfs": HDFS_TOOL, "hadoop": HADOOP}
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)

    def run(script: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        path = f"{folder}:{os.environ['PATH']}"
        variables = {"PATH": path, "LOG": str(tmp_path / "log"), "HEADROOM_FOLDER": "", "HEADROOM_FOLDERS": ""}
        command = ["sh", str(tmp_path / "kit" / script), *words]
        return subprocess.run(command, env=variables | more, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def shell(kit: Data, tools: Tool) -> Tool:
    """Return a function that runs a script of the kit of a store."""

    def run(script: str, *words: str, free: str = "99999999999") -> subprocess.CompletedProcess[str]:
        return tools(script, *words, FREE=free)

    return run


def test_requests_go_to_a_bucket_of_their_own(kit: Data, tools: Tool, tmp_path: Path) -> None:
    assert "set WARP_HOST" in tools("store.sh").stderr
    done = tools("store.sh", WARP_HOST="store:9000")
    assert (done.returncode, done.stderr) == (0, "")
    put, analyzed, get, _ = (tmp_path / "log").read_text().splitlines()
    assert put.startswith(f"put --bucket headroom-accept-{kit['kit']}-")
    assert put.endswith("--obj.size 1048576B --concurrent 8")
    assert analyzed.startswith("analyze --json ")
    assert get.startswith("get --bucket headroom-accept-")
    assert sorted(path.name for path in (tmp_path / "kit/results").iterdir()) == ["get-1.json", "put-1.json"]
    assert (tmp_path / "kit/results/get-1.json").read_text().startswith(f"headroom-accept: get@{kit['kit']}\n")


def test_jobs_run_in_a_folder_of_their_own_and_a_failed_one_is_told(type_: Type, tools: Tool, tmp_path: Path) -> None:
    (tmp_path / "hdfs.toml").write_text(CLUSTER + HDFS)
    words = ("accept", str(tmp_path / "hdfs.toml"), *FAST, "--data", "20 GB")
    assert type_(*words, "--write", str(tmp_path / "kit")).status == 0
    jar = str(tmp_path / "hdfs.toml")
    assert "set EXAMPLES" in tools("work.sh", "/tmp").stderr
    assert "is there: remove it" in tools("work.sh", "/tmp", EXAMPLES=jar, TESTS=jar, THERE="1").stderr
    (tmp_path / "log").unlink()
    done = tools("work.sh", "/tmp", EXAMPLES=jar, TESTS=jar)
    assert (done.returncode, done.stderr) == (0, "")
    asked = (tmp_path / "log").read_text().splitlines()
    changed = [line for line in asked if "-mkdir" in line or "-rm" in line]
    assert changed == ["dfs -mkdir /tmp/headroom-accept", "dfs -rm -r -skipTrash /tmp/headroom-accept"]
    ended = type_(*words, str(tmp_path / "kit/results"))
    assert ended.status == 1
    assert "terasort failed: see the log of the job" in " ".join(ended.out.split())


def test_scripts_work_in_folders_of_their_own_and_leave_everything_else(shell: Tool, tmp_path: Path) -> None:
    drives = [tmp_path / f"drive-{i}" for i in range(4)]
    for drive in drives:
        drive.mkdir()
        (drive / "data").write_text("precious")
    done = shell("drives.sh", "servers-data", str(drives[0]))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "kit/results/servers-data-1.json").read_text() == f"{drives[0]}/headroom-accept\n"
    assert shell("drives.sh", "servers-data", str(drives[1])).returncode == 0
    assert (tmp_path / "kit/results/servers-data-2.json").is_file()
    done = shell("server.sh", "servers", *map(str, drives))
    assert (done.returncode, done.stderr) == (0, "")
    folders = (tmp_path / "kit/results/servers-server-1.json").read_text()
    assert folders == ":".join(f"{drive}/headroom-accept" for drive in drives) + "\n"
    assert [[path.name for path in drive.iterdir()] for drive in drives] == [["data"]] * 4


def test_scripts_refuse_devices_missing_folders_full_drives_and_another_number_of_them(
    shell: Tool, tmp_path: Path
) -> None:
    (tmp_path / "here").mkdir()
    here = str(tmp_path / "here")
    assert "is not there" in shell("drives.sh", "servers-data", str(tmp_path / "nowhere")).stderr
    assert "usage: sh drives.sh" in shell("drives.sh").stderr
    assert "no such kind: data; there are: servers-data" in shell("drives.sh", "data", here).stderr
    assert "KiB free, and the test needs" in shell("drives.sh", "servers-data", here, free="1000").stderr
    assert "servers has 4 drives" in shell("server.sh", "servers", here).stderr
    (tmp_path / "here/headroom-accept").mkdir()
    (tmp_path / "here/headroom-accept/mine").write_text("precious")
    assert "is there: a test runs" in shell("drives.sh", "servers-data", here).stderr
    assert (tmp_path / "here/headroom-accept/mine").is_file()


def test_every_script_of_a_kit_is_posix_shell(kit: Data, tmp_path: Path) -> None:
    for path in (tmp_path / "kit").glob("*.sh"):
        assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0
