"""`simulate import`: files of the user's own systems become profiles, with measured beside simulated."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.planning.importing import read, run
from app.reports.forms import document_text
from app.reports.import_document import ImportReport, Made, document
from app.reports.prediction_report import Assumption
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load
from tests.app.conftest import Type
from tests.profiles.imports.fixtures import FIXTURES, SECRETS

EXAMPLES = SHIPPED.root / "measurements/examples"
SERVER = ("lscpu", "lsblk", "ip link", "ethtool", "meminfo", "sysstat")


Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes fixtures into a folder, each under a name that tells nothing."""

    def written(*names: str, folder: str = "in") -> str:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for number, name in enumerate(names):
            (tmp_path / folder / f"secret-host-{number}").write_text(FIXTURES[name])
        return str(tmp_path / folder)

    return written


def test_files_become_a_profile_that_is_run_beside_what_was_measured(type_: Type, write: Write, tmp_path: Path) -> None:
    store, load_file = write("mc admin info", folder="a"), write("warp", folder="b")
    server = write(*SERVER, folder="c")
    out = tmp_path / "mine"
    ended = type_("import", store, load_file, server, "--output", str(out), "--format", "json", "--interval", "none")
    assert (ended.status, ended.err) == (0, "")
    data = json.loads(ended.out)
    assert [made["file"] for made in data["profiles"]] == ["profile.toml"]
    cluster = load(out / "profile.toml", Scenario).scenario.cluster
    group = cluster.groups["servers"]
    assert (group.count, group.server.cpu.cores, group.server.cpu.speed) == (4, 32, 0.86)
    assert (group.server.bays["data"].count, group.server.bays["data"].drive.capacity) == (4, 16.0009e12)
    assert group.server.nic.bandwidth == 3.125e9
    rows = {(row["about"], row["measure"]): row for row in data["profiles"][0]["compared"]}
    assert rows["GET", "throughput"]["measured"] == pytest.approx(40 * 2**20)
    assert rows["GET", "throughput"]["simulated"] > 0
    assert rows["cpu", "utilisation"]["source"] == "measured: sysstat 1:1"


def test_nothing_of_the_users_systems_goes_into_a_profile(write: Write) -> None:
    report, _ = read([write(*FIXTURES)])
    text = "".join(made.text for made in report.profiles)
    assert "measured: " in text
    assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("name", FIXTURES)
def test_a_file_by_itself_leaves_no_name_in_its_profiles(write: Write, name: str) -> None:
    report, _ = read([write(name)])
    text = "".join(made.text for made in report.profiles)
    assert [secret for secret in SECRETS if secret in text] == []


def test_a_count_beyond_all_numbers_is_refused_by_its_key(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "told.txt"
    path.write_text(re.sub(r"Thread Count: \d+", f"Thread Count: {'9' * 310}", FIXTURES["dmidecode"]))
    ended = type_("import", str(path), "--output", str(tmp_path / "mine"))
    assert "cpu.threads: must be at most 100,000" in " ".join(ended.out.split())


def test_a_size_beyond_all_numbers_is_refused_by_its_key(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "told.txt"
    path.write_text(re.sub(r"(filesize  : )\d+", rf"\g<1>{'9' * 400}", FIXTURES["IOR"]))
    ended = type_("import", str(path), "--output", str(tmp_path / "mine"))
    assert "workload.size: expected a size" in " ".join(ended.out.split())


def test_check_writes_and_runs_nothing(type_: Type, write: Write, tmp_path: Path) -> None:
    ended = type_("import", write("lsblk"), "--check", "--output", str(tmp_path / "mine"))
    assert (ended.status, ended.err) == (0, "")
    assert "4 x drive" in ended.out
    assert 'capacity = "16.0009 TB"' in ended.out
    assert not (tmp_path / "mine").exists()


def test_without_a_folder_for_its_profiles_an_import_is_refused(type_: Type, write: Write) -> None:
    ended = type_("import", write("lsblk"))
    assert (ended.status, ended.err) == (2, "--output: missing: name a folder for profiles, or state --check\n")


def test_a_profile_is_not_overwritten_unasked(type_: Type, write: Write, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/profile.toml").write_text("mine")
    ended = type_("import", write("lsblk"), "--output", str(tmp_path / "mine"))
    assert (ended.status, (tmp_path / "mine/profile.toml").read_text()) == (2, "mine")
    assert "exists; use --force" in ended.err


def test_a_file_that_is_not_known_is_told_and_the_rest_is_read(type_: Type, write: Write, tmp_path: Path) -> None:
    (tmp_path / "note").write_text("hello\n")
    ended = type_("import", write("lsblk"), str(tmp_path / "note"), "--check")
    assert ended.status == 1
    assert f"{tmp_path}/note: not known" in " ".join(ended.out.split())
    assert "4 x drive" in ended.out


def test_what_is_wrong_with_many_files_alike_is_told_once(type_: Type, write: Write, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"note-{number}").write_text("hello\n")
    ended = type_("import", write("lsblk"), *(str(path) for path in sorted(tmp_path.glob("note-*"))), "--check")
    assert " ".join(ended.out.split()).count("not known: expected") == 1
    assert "(and 4 more)" in ended.out


def test_files_that_say_nothing_are_refused(type_: Type, tmp_path: Path) -> None:
    (tmp_path / "note").write_text("hello\n")
    assert type_("import", str(tmp_path / "note"), "--check").status == 2


def test_why_nothing_of_a_file_is_used_is_told_where_no_other_says_anything(type_: Type, tmp_path: Path) -> None:
    log = tmp_path / "run_clat.log"
    log.write_text("".join(f"{time}, 104056, 0, 0\n" for time in range(250, 60_000, 250)))
    ended = type_("import", str(log), "--check")
    assert ended.status == 2
    assert "import fio's JSON, which tells it" in ended.err


def test_equal_servers_are_one_group_and_the_odd_one_is_told(write: Write, tmp_path: Path) -> None:
    for number in range(6):
        write("lscpu", "lsblk", folder=f"in/{number}")
    odd = tmp_path / "in/5/secret-host-1"
    odd.write_text(odd.read_text().replace('"name": "sdc"', '"name": "sdc", "mountpoint": "/"', 1))
    odd.write_text(odd.read_text().replace('"mountpoint": "/secret/key"', '"mountpoint": "/"', 1))
    report, _ = read([str(tmp_path / "in")])
    assert "count = 6" in report.profiles[0].text
    assert report.odd == ["1 of 6 servers differs: hdd of 16 TB 3 instead of 4; taken as the others"]


def test_what_two_files_say_differently_is_shown_with_what_was_taken(write: Write, tmp_path: Path) -> None:
    assert read([write("meminfo", "dmidecode")])[0].clashes == [
        ("memory.size", "270.173 GB (meminfo 1:1)", "34.3597 GB (dmidecode 1:12)")
    ]


def test_a_count_beyond_all_numbers_that_another_file_says_differently_is_told_with_both(write: Write) -> None:
    folder = Path(write("lscpu", "dmidecode"))
    told = folder / "secret-host-1"
    told.write_text(re.sub(r"Thread Count: \d+", f"Thread Count: {'9' * 310}", told.read_text()))
    ((_, taken, other),) = [clash for clash in read([str(folder)])[0].clashes if clash[0] == "cpu.threads"]
    assert sum("9" * 310 in text for text in (taken, other)) == 1


def test_rates_of_drives_stand_beside_the_model_that_is_fitted_to_them(write: Write) -> None:
    report, _ = read([write("fio", "iperf3 -J", "lsblk")])
    assert {row.measured: row.error for row in report.rates} == pytest.approx({250e6: 0, 240e6: 0, 2.9375e9: 0})
    assert 'read_bandwidth = "250 MB/s"' in report.profiles[0].text
    assert 'capacity = "16.0009 TB"' in report.profiles[0].text


def test_a_profile_that_cannot_be_run_says_why_and_ends_nothing(write: Write, tmp_path: Path) -> None:
    report, made = read([write("warp")])
    text = report.profiles[0].text.replace("threads = 4", "threads = 0")
    broken = replace(report, profiles=[replace(report.profiles[0], text=text)])
    ran = run(broken, made, seed=0, interval="none")
    assert [problem.key for problem in ran.profiles[0].problems] == ["workload.threads"]
    assert (broken.is_wrong, ran.is_wrong) == (False, True)


def test_the_collector_is_a_shell_script_that_gathers_this_machine(type_: Type, tmp_path: Path) -> None:
    script = type_("import", "--collector").out
    (tmp_path / "collect").write_text(script)
    done = subprocess.run(["sh", "collect"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("headroom-collect.tar.gz: 1 servers")
    report, _ = read([str(tmp_path / "headroom-collect.tar.gz")])
    assert any(file.says for file in report.files)


def hourly(text: str, night: float = 80.0) -> str:
    """Return sadf's JSON with a busy night: a sample for each hour of a day."""
    data = json.loads(text)
    (host,) = data["sysstat"]["hosts"]
    sample = host["statistics"][0]
    host["statistics"] = [
        {
            **sample,
            "timestamp": {**sample["timestamp"], "time": f"{hour:02d}:30:00"},
            "disk": [{"disk-device": "sda", "util-percent": night if hour < 6 else 20.0}],
        }
        for hour in range(24)
    ]
    return json.dumps(data)


def test_how_busy_servers_were_is_drawn_over_the_run_and_kept_as_background_if_asked(
    type_: Type, write: Write, tmp_path: Path
) -> None:
    folder = write("mc admin info", "warp")
    (tmp_path / "in/sadf").write_text(hourly(FIXTURES["sysstat"]))
    words = ("import", folder, "--format", "json", "--interval", "none", "--output")
    made = json.loads(type_(*words, str(tmp_path / "plain")).out)["profiles"][0]
    kept = json.loads(type_(*words, str(tmp_path / "kept"), "--background").out)["profiles"][0]
    drives = {busy["of"]: busy for busy in made["utilization"]}["drives"]
    assert drives["measured"] == [0.8] * 6 + [0.2] * 18
    assert len(set(drives["simulated"])) == 1
    assert "background" not in made["toml"]
    background = load(tmp_path / "kept/profile.toml", Scenario).scenario.cluster.groups["servers"].server.background
    assert background.drives == (0.8,) * 6 + (0.2,) * 18
    beside = {busy["of"]: busy for busy in kept["utilization"]}["drives"]
    assert all(with_work >= alone for with_work, alone in zip(beside["simulated"], beside["measured"], strict=True))
    assert "utilisation" not in {row["measure"] for row in kept["compared"]}
    assert {row["measure"] for row in made["compared"]} >= {"utilisation", "throughput"}


def test_one_measurement_tells_all_that_is_assumed_of_a_part_and_the_table_says_what_is_left() -> None:
    def assumed(key: str, share: float) -> Assumption:
        return Assumption(key=key, kind="prior", source="", unit="s", low=1, likely=2, high=3, share=share)

    drive, card = "cluster.groups.a.server.bays.data.drive", "cluster.groups.a.server.nic"
    assumptions = [
        assumed(f"{drive}.read_chunk", 0.3),
        assumed(f"{card}.window", 0.25),
        assumed(f"{drive}.write_chunk", 0.2),
    ]
    made = Made("profile.toml", "x", "", assumptions=[*assumptions, assumed("storage.ack_time", 0.01)])
    first, second = ImportReport(files=[], profiles=[made]).to_measure
    assert first.keys == f"{drive}.read_chunk, {drive}.write_chunk"
    assert first.share == pytest.approx(0.5)
    assert (second.keys, second.share) == (f"{card}.window", 0.25)
    half = Made("profile.toml", "x", "", assumptions=assumptions[:1])
    page = document_text.render(document(ImportReport(files=[], profiles=[half])))
    assert "Together they do not halve the interval: 84 % is left" in page


def test_parts_are_written_as_calibrate_writes_them(type_: Type, tmp_path: Path) -> None:
    files = [str(EXAMPLES / name) for name in ("nvme-fio.json", "iperf3-8-connections.json")]
    drive, server = str(tmp_path / "drive.toml"), str(tmp_path / "server.toml")
    made = type_("import", *files, "--drive", drive, "--server", server)
    assert (made.status, made.err) == (0, "")
    written = Path(drive).read_text(), Path(server).read_text()
    again = type_("calibrate", *files, "--output", drive, "--server-output", server, "--force")
    assert again.out == made.out
    assert (Path(drive).read_text(), Path(server).read_text()) == written
    refused = type_("import", *files, "--drive", drive, "--check")
    assert (refused.status, "writes parts and no profile" in refused.err) == (2, True)
