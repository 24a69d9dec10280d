"""The files of an acceptance kit: jobs for fio, and a script of POSIX shell for drives, network and work.

A script writes only into folders that it makes itself below those that a user names, and removes nothing else; it
refuses devices, folders that are not there, and drives without room. Each test carries the mark of its kit, by which
results of another one are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Template

from app.planning.acceptance.accept_work import Work
from app.reports.acceptance.accept_document import AcceptReport, document
from app.reports.forms.documents import render
from models.planning.acceptance import RAMP, SPAN, TIME, Expected

ROOM = 1.1
"""Free bytes that a test asks for, as a multiple of its file. Assumption."""
MINUTES = 5
"""Minutes of a load of requests. Assumption: enough that the slowest hundredth is known."""
HEAD = """\
#!/bin/sh
# $title
# Written by `simulate accept --write`. Results go into the folder results beside this script.
set -eu
here=$$(CDPATH= cd "$$(dirname "$$0")" && pwd)
results="$$here/results"
fail() { echo "$$0: $$*" >&2; exit 2; }
fresh() {
  mkdir -p "$$results"
  n=1
  while [ -e "$$results/$$1-$$n.$$2" ]; do n=$$((n + 1)); done
  file="$$results/$$1-$$n"
}
need() { command -v "$$1" >/dev/null 2>&1 || fail "$$1 is not installed: install it, then run this again"; }
"""
FOLDERS = """\
# Makes a folder of our own below one that the user names, into which alone fio writes.
folder() {
  [ -b "$$1" ] && fail "$$1 is a device: name a folder on a file system, nothing writes to devices"
  [ -d "$$1" ] || fail "$$1 is not there: name a folder on the drive"
  [ -w "$$1" ] || fail "$$1 cannot be written"
  case $$1 in *:*|*'$$'*|*' '*) fail "$$1: fio takes no ':', '$$' and blanks in names" ;; esac
  free=$$(df -Pk "$$1" | awk 'NR == 2 { print $$4 }')
  [ "$$free" -ge $room ] || fail "$$1 has $$free KiB free, and the test needs $room"
  mkdir "$$1/headroom-accept" || fail "$$1/headroom-accept is there: a test runs, or one was cut off; remove it"
  made="$$made $$1/headroom-accept"
}
made=
clean() { for each in $$made; do rm -rf "$$each"; done; }
trap clean EXIT
trap 'exit 130' INT TERM
"""
DRIVES = """\
need fio
[ $$# -eq 2 ] || fail "usage: sh drives.sh KIND FOLDER, with KIND one of: $kinds"
[ -f "$$here/$$1.fio" ] || fail "no such kind: $$1; there are: $kinds"
folder "$$2"
fresh "$$1" json
HEADROOM_FOLDER="$$2/headroom-accept" fio --output-format=json --output="$$file.json" "$$here/$$1.fio"
echo "written: $$file.json"
"""
SERVER = """\
need fio
kind=$${1:-}
case $$kind in
$cases
  *) fail "usage: sh server.sh SERVER FOLDER..., a folder on each drive, with SERVER one of: $kinds" ;;
esac
shift
[ $$# -eq "$$count" ] || fail "$$kind has $$count drives: name a folder on each of them (got $$#)"
places= folders=
for each in "$$@"; do
  folder "$$each"
  place=$$(df -Pk "$$each" | awk 'NR == 2 { print $$1 }')
  case " $$places " in *" $$place "*) fail "$$each lies on the same drive as another one: $$place" ;; esac
  places="$$places $$place"
  folders="$$folders$${folders:+:}$$each/headroom-accept"
done
fresh "$$kind-server" json
HEADROOM_FOLDERS="$$folders" fio --output-format=json --output="$$file.json" "$$here/$$kind-server.fio"
echo "written: $$file.json"
"""
NETWORK = """\
need iperf3
kind=$${1:-}
case $$kind in
$cases
  *) fail "usage: sh network.sh SERVER HOST, where HOST runs: iperf3 -s; with SERVER one of: $kinds" ;;
esac
[ $$# -eq 2 ] || fail "usage: sh network.sh SERVER HOST"
case $$(iperf3 --version | head -n 1) in
  *" 3."[0-9]" "*|*" 3.1"[0-5]*) echo "$$0: before 3.16 iperf3 has one thread, which ends at 20 to 40 Gbit/s" >&2 ;;
esac
for connections in $connections; do
  fresh "$$kind-network-$$connections" json
  iperf3 -c "$$2" -P "$$connections" -t $time -O $ramp -J -T "$$kind-network-$$connections@$mark" >"$$file.json"
  echo "written: $$file.json"
done
"""
STORE = """\
need warp
[ -n "$${WARP_HOST:-}" ] || fail "set WARP_HOST, WARP_ACCESS_KEY and WARP_SECRET_KEY, as warp reads them"
[ $clients -eq 1 ] || [ -n "$${WARP_CLIENTS:-}" ] || fail "set WARP_CLIENTS to $clients machines that run: warp client"
bucket="headroom-accept-$mark-$$(date +%s)"
run() {
  name=$$1
  shift
  fresh "$$name" json
  warp "$$name" --bucket "$$bucket" --duration ${minutes}m --no-color --benchdata "$$file" \\
    $${WARP_CLIENTS:+--warp-client "$$WARP_CLIENTS"} "$$@"
  echo "headroom-accept: $$name@$mark" >"$$file.json"
  warp analyze --json "$$file".*.zst >>"$$file.json"
  rm -f "$$file".*.zst
  echo "written: $$file.json"
}
$runs
"""
HADOOP = """\
need hadoop
need hdfs
[ $$# -eq 1 ] || fail "usage: EXAMPLES=PATH TESTS=PATH sh work.sh /FOLDER/IN/HDFS"
[ -f "$${EXAMPLES:-}" ] || fail "set EXAMPLES to the path of hadoop-mapreduce-examples-*.jar"
[ -f "$${TESTS:-}" ] || fail "set TESTS to the path of hadoop-mapreduce-client-jobclient-*-tests.jar"
hdfs dfs -test -d "$$1" || fail "$$1 is no folder in HDFS"
hdfs dfs -test -e "$$1/headroom-accept" && fail "$$1/headroom-accept is there: remove it, or name another folder"
place="$$1/headroom-accept"
hdfs dfs -mkdir "$$place"
clean() { hdfs dfs -rm -r -skipTrash "$$place" >/dev/null; }
trap clean EXIT
trap 'exit 130' INT TERM
run() {
  name=$$1
  shift
  fresh "$$name" txt
  start=$$(date +%s)
  if "$$@" >"$$here/$$name.log" 2>&1; then
    echo "headroom-accept: $$name@$mark $$(($$(date +%s) - start)) s" >"$$file.txt"
  else
    echo "headroom-accept: $$name@$mark failed" >"$$file.txt"
  fi
  cat "$$file.txt"
}
$runs
"""
CONTRACT = (".md", ".json")
"""Forms of the contract in a kit."""
JOBS = {"read": "read", "write": "write", "random": "randread"}
"""What the name of a test of a drive ends in, and the rw of fio."""


def kit(report: AcceptReport, works: Sequence[Work]) -> dict[str, bytes]:
    """Return the files of a kit by name: job files, scripts, and the contract."""
    files = scripts([test.expected for test in report.tests], works, report.kit)
    contract = document(report)
    return {
        **{name: text.encode() for name, text in files.items()},
        **{f"contract{suffix}": render(contract, suffix) for suffix in CONTRACT},
    }


def scripts(tests: Sequence[Expected], works: Sequence[Work], mark: str) -> dict[str, str]:
    """Return the job files and scripts of a kit by name; `mark` tells it from others."""
    drives = _by_file([test for test in tests if test.layer == "drive"], "-read", "-write", "-random")
    servers = _by_file([test for test in tests if test.layer == "server"], "-server-read", "-server-write")
    networks = list(dict.fromkeys(test.group for test in tests if test.layer == "network"))
    files = {f"{name}.fio": _fio(name, many, mark, "HEADROOM_FOLDER") for name, many in drives.items()}
    files |= {f"{name}-server.fio": _fio(name, many, mark, "HEADROOM_FOLDERS") for name, many in servers.items()}
    room = {"room": round(ROOM * SPAN / 1024)}
    if drives:
        files["drives.sh"] = _script("One drive of each kind, alone", FOLDERS + DRIVES, kinds=", ".join(drives), **room)
    if servers:
        counts = _cases({name: f"count={many[0].drives}" for name, many in servers.items()})
        text, kinds = FOLDERS + SERVER, ", ".join(servers)
        files["server.sh"] = _script("All drives of a server at once", text, cases=counts, kinds=kinds, **room)
    if networks:
        files["network.sh"] = _network(networks, tests, mark)
    return files | _of_works(works, mark)


def _by_file(tests: Sequence[Expected], *ends: str) -> dict[str, list[Expected]]:
    """Return tests by their name without what they end in."""
    by_file: dict[str, list[Expected]] = {}
    for test in tests:
        end = next(end for end in ends if test.name.endswith(end))
        by_file.setdefault(test.name.removesuffix(end), []).append(test)
    return by_file


def _fio(name: str, tests: Sequence[Expected], mark: str, folder: str) -> str:
    """Return the jobs of a file of fio, one after the other."""
    lines = [f"; {name}: written by `simulate accept --write`; files only, below the folder that the script makes"]
    lines += ["[global]", "ioengine=libaio", "direct=1", f"size={SPAN / 2**20:.0f}M", f"directory=${{{folder}}}"]
    lines += ["time_based=1", f"runtime={TIME:.0f}", f"ramp_time={RAMP:.0f}", "filename_format=test.$jobnum"]
    for test in tests:
        lines += ["", f"[{test.name}@{mark}]", "stonewall", f"rw={JOBS[test.name.rpartition('-')[2]]}"]
        lines += [f"bs={'4k' if test.is_random else '1M'}", f"iodepth={test.depth}", f"numjobs={test.drives}"]
    return "\n".join(lines) + "\n"


def _network(networks: Sequence[str], tests: Sequence[Expected], mark: str) -> str:
    counts = dict.fromkeys(f"{test.connections}" for test in tests if test.layer == "network")
    return _script(
        "The network between two servers",
        NETWORK,
        cases=_cases(dict.fromkeys(networks, ":")),
        kinds=", ".join(networks),
        connections=" ".join(counts),
        time=f"{TIME:.0f}",
        ramp=f"{RAMP:.0f}",
        mark=mark,
    )


def _of_works(works: Sequence[Work], mark: str) -> dict[str, str]:
    requests, jobs = [work for work in works if work.action], [work for work in works if work.command]
    files = {}
    if requests:
        runs = "\n".join(
            f"run {work.action} --obj.size {work.size:.0f}B --concurrent {work.threads}" for work in requests
        )
        values = {"clients": requests[0].clients, "minutes": MINUTES, "runs": runs, "mark": mark}
        files["store.sh"] = _script("Requests to the whole store", STORE, **values)
    if jobs:
        runs = "\n".join(f"run {work.name} {work.command.replace('@', '$place')}" for work in jobs)
        files["work.sh"] = _script("Jobs on the whole cluster", HADOOP, runs=runs, mark=mark)
    return files


def _cases(commands: Mapping[str, str]) -> str:
    return "\n".join(f"  {name}) {command} ;;" for name, command in commands.items())


def _script(title: str, body: str, **values: object) -> str:
    return Template(HEAD + body).substitute(title=title, **values)
