"""One small file of each format, written by hand, with names that no profile may hold."""

from __future__ import annotations

import json

from tests.profiles import event_logs
from tests.profiles.imports import hadoop_fixtures, query_fixtures, report_fixtures, stream_fixtures, trino_fixtures
from tests.profiles.imports.times import clf, rfc3339

SECRETS = ("secret", "192.0.2.77", "SN123456", "02:42:ac:11:00:02")
"""What tells the user's systems, in all fixtures."""

LSCPU = {
    "lscpu": [
        {"field": "Architecture:", "data": "x86_64"},
        {
            "field": "CPU(s):",
            "data": "64",
            "children": [{"field": "On-line CPU(s) list:", "data": "0-63"}],
        },
        {
            "field": "Vendor ID:",
            "data": "AuthenticAMD",
            "children": [
                {
                    "field": "Model name:",
                    "data": "AMD EPYC 7763 64-Core Processor",
                    "children": [
                        {"field": "Thread(s) per core:", "data": "2"},
                        {"field": "Core(s) per socket:", "data": "16"},
                        {"field": "Socket(s):", "data": "2"},
                    ],
                }
            ],
        },
    ]
}
DRIVE = {"type": "disk", "rm": False, "rota": True, "tran": "sas", "model": "ST16000NM", "serial": "SN123456"}
LSBLK = {
    "blockdevices": [
        {
            "name": "sda",
            "size": 480103981056,
            **DRIVE,
            "rota": False,
            "children": [{"name": "sda1", "mountpoint": "/"}],
        },
        *({"name": f"sd{letter}", "size": 16000900661248, **DRIVE, "mountpoint": "/secret/key"} for letter in "bcde"),
        {"name": "sr0", "size": 1073741312, "type": "rom", "rm": True},
    ]
}
LINK = {"operstate": "UP", "link_type": "ether", "mtu": 9000, "address": "02:42:ac:11:00:02"}
BONDED = {"master": "bond0", "linkinfo": {"info_slave_kind": "bond"}}
IP_LINK = [
    {"ifindex": 1, "ifname": "lo", "mtu": 65536, "operstate": "UNKNOWN", "link_type": "loopback"},
    {"ifindex": 2, "ifname": "eth0", **LINK, **BONDED},
    {"ifindex": 3, "ifname": "eth1", **LINK, **BONDED},
    {"ifindex": 4, "ifname": "bond0", **LINK, "linkinfo": {"info_kind": "bond"}},
]
ETHTOOL = """\
Settings for eth0:
\tSpeed: 25000Mb/s
\tDuplex: Full
\tLink detected: yes
Settings for eth9:
\tSpeed: Unknown!
\tLink detected: no
"""
SMARTCTL = {
    "json_format_version": [1, 0],
    "smartctl": {"version": [7, 3], "exit_status": 64},
    "device": {"name": "/dev/sdb", "protocol": "ATA"},
    "serial_number": "SN123456",
    "user_capacity": {"bytes": 16000900661248},
    "rotation_rate": 7200,
    "interface_speed": {
        "max": {"string": "6.0 Gb/s", "units_per_second": 60, "bits_per_unit": 100000000},
        "current": {"string": "3.0 Gb/s", "units_per_second": 30, "bits_per_unit": 100000000},
    },
}
NVME_LIST = {
    "Devices": [
        {"DevicePath": "/dev/nvme0n1", "ModelNumber": "X", "SerialNumber": "SN123456", "PhysicalSize": 3840755982336},
        {"Subsystems": [{"Controllers": [{"Namespaces": [{"NameSpace": "nvme1n1", "PhysicalSize": 3840755982336}]}]}]},
    ]
}
DMIDECODE = """\
# dmidecode 3.2
Handle 0x0004, DMI type 4, 48 bytes
Processor Information
\tVersion: AMD EPYC 7763 64-Core Processor
\tStatus: Populated, Enabled
\tCore Count: 16
\tThread Count: 32
\tCharacteristics:
\t\t64-bit capable

Handle 0x0011, DMI type 17, 40 bytes
Memory Device
\tSize: 32 GB
\tSerial Number: SN123456

Handle 0x0012, DMI type 17, 40 bytes
Memory Device
\tSize: No Module Installed
"""
MEMINFO = "MemTotal:       263841234 kB\nMemFree:        1000 kB\nvm.dirty_ratio = 30\n"
NODE = """\
Name: 192.0.2.77:9866 (secret-host-{n})
Hostname: secret-host-{n}
Decommission Status : Normal
Configured Capacity: 191980000000000 (174.60 TB)
DFS Used: 63000000000000 (57.30 TB)
Non DFS Used: 0 (0 B)
DFS Remaining: 128980000000000 (117.31 TB)
Last contact: Mon Nov 02 10:00:00 UTC 2026

"""
HDFS = (
    "Configured Capacity: 575940000000000 (523.81 TB)\nDFS Used: 189000000000000 (171.89 TB)\n\nLive datanodes (3):\n\n"
    + "".join(NODE.format(n=n) for n in (1, 2, 3))
    + "Dead datanodes (1):\n\n"
    + NODE.format(n=4)
)
MINIO_DRIVE = {"endpoint": "http://secret-host:9000/data1", "state": "ok", "totalspace": 7681501126656}
MINIO = {
    "status": "success",
    "info": {
        "mode": "online",
        "deploymentID": "secret-host",
        "usage": {"size": 120000000000000},
        "backend": {"backendType": "Erasure", "standardSCParity": 4, "totalSets": [2], "totalDrivesPerSet": [16]},
        "servers": [
            {"state": "online", "endpoint": "secret-host", "drives": [MINIO_DRIVE] * 8, "mem_stats": {"Total": 2**38}}
            for _ in range(4)
        ],
    },
}
OSD = {"type": "osd", "device_class": "hdd", "kb": 15625879552, "utilization": 40.0, "status": "up", "reweight": 1.0}
CEPH_OSD = {
    "nodes": [
        {"id": -1, "name": "default", "type": "root", "children": [-2, -3, -4]},
        *(
            {"id": -2 - host, "name": f"secret-host-{host}", "type": "host", "children": [2 * host, 2 * host + 1]}
            for host in range(3)
        ),
        *({"id": number, "name": f"osd.{number}", **OSD} for number in range(5)),
        {"id": 5, "name": "osd.5", **OSD, "utilization": 80.0},
    ]
}
CEPH_DF = {
    "stats": {"total_bytes": 9e15, "total_used_raw_bytes": 3e15},
    "pools": [{"name": "secret-bucket", "stats": {"stored": 1e15, "bytes_used": 3e15}}],
}


WARP_HEADER = "idx\tthread\top\tclient_id\tn_objects\tbytes\tendpoint\tfile\terror\tstart"
WARP_HEADER += "\tfirst_byte\tlast_byte\tend\tduration_ns\tcat"


def warp(count: int = 40, threads: int = 4, seconds: float = 0.1) -> str:
    """Return warp's list of requests: threads that each send one after the other."""
    lines = [WARP_HEADER]
    for number in range(count):
        start = number // threads * seconds
        cells = (number, number % threads, "GET", "c1", 1, 1048576, "http://secret-host", "secret/key", "")
        ends = (rfc3339(start), rfc3339(start), rfc3339(start + seconds), rfc3339(start + seconds))
        lines.append("\t".join(map(str, (*cells, *ends, int(seconds * 1e9), 0))))
    return "\n".join([*lines, "# warp get --host=secret-host", ""])


TIMES = {"dur_avg_millis": 40, "dur_median_millis": 38, "dur_90_millis": 60, "dur_99_millis": 90, "merged_entries": 2}
WARP_JSON = {
    "v": 2,
    "commandline": "warp get --host=secret-host",
    "final": True,
    "by_op_type": {
        "GET": {
            "total_requests": 5000,
            "total_objects": 5000,
            "total_errors": 0,
            "total_bytes": 5000 * 2**20,
            "concurrency": 32,
            "clients": ["secret-host", "b"],
            "start_time": rfc3339(0),
            "end_time": rfc3339(10),
            "throughput": {"measure_duration_millis": 10000, "bytes": 5000 * 2**20, "objects": 5000, "ops": 5000},
            "requests_by_client": {"secret-host": [{"single_sized_requests": TIMES}]},
        }
    },
}
WARP_ANALYZED = {
    "type": "single",
    "mixed": False,
    "operations": [
        {
            "type": "PUT",
            "skipped": False,
            "start_time": rfc3339(0),
            "end_time": rfc3339(10),
            "objects_per_operation": 1,
            "concurrency": 20,
            "hosts": 4,
            "single_sized_requests": {**TIMES, "merged_entries": 0, "obj_size": 2**20, "requests": 1000},
            "throughput": {"measure_duration_millis": 10000, "average_bps": 100 * 2**20, "average_ops": 100},
        }
    ],
}
RESPONSE = {"avg": 50000000, "p50": 48000000, "p90": 80000000, "p99": 120000000, "p999": 200000000}
SIDE = {"throughputPerSec": 32 * 2**30, "objectsPerSec": 512, "responseTime": RESPONSE}
SPEED = {"version": "x", "servers": 8, "disks": 64, "size": 2**26, "PUTStats": SIDE, "GETStats": SIDE}
SPEEDTEST = "\n".join(json.dumps({**SPEED, "concurrent": threads}) for threads in (16, 32))
COSBENCH = "\n".join(
    [
        "Stage,Op-Name,Op-Type,Op-Count,Byte-Count,Avg-ResTime,Avg-ProcTime,60%-ResTime,80%-ResTime,90%-ResTime,"
        "95%-ResTime,99%-ResTime,100%-ResTime,Throughput,Bandwidth,Succ-Ratio,Status,Detailed Status",
        *(
            f"{stage},{name},{name},{numbers},completed,waiting @ x"
            for stage, name, numbers in (
                ("s1-prepare", "prepare", "100,6400000,10,9,10,10,20,20,30,40,100,6400000,100%"),
                ("s2-secret-host", "read", "8000,512000000,20,18,20,20,30,40,60,90,800,51200000,100%"),
                ("s2-secret-host", "write", "2000,128000000,80,78,80,90,100,120,160,190,200,12800000,100%"),
            )
        ),
        "",
    ]
)
ELBENCHO_ROW = {
    "ISO date": "2026-11-02",
    "label": "secret-host",
    "path type": "bucket",
    "paths": "1",
    "hosts": "2",
    "threads": "16",
    "file size": "4194304",
    "block size": "4194304",
    "direct IO": "0",
    "random": "0",
    "IO depth": "1",
    "operation": "READ",
    "time ms [first]": "9000",
    "time ms [last]": "10000",
    "MiB/s [first]": "900",
    "MiB/s [last]": "800",
    "MiB [last]": "8000",
    "Ent lat us [avg]": "40000",
    "command": "elbencho --s3 secret-bucket secret/key",
}
ON_DRIVES = {"path type": "file", "paths": "4", "hosts": "1", "threads": "8", "direct IO": "1", "operation": "WRITE"}
ELBENCHO = "".join(
    ",".join(cells) + "\n"
    for cells in (
        list(ELBENCHO_ROW),
        ELBENCHO_ROW.values(),
        {**ELBENCHO_ROW, **ON_DRIVES, "block size": "1048576", "IO depth": "8"}.values(),
    )
)
S3_BENCHMARK = """\
Wasabi benchmark program v2.0
Parameters: url=http://secret-host, bucket=secret-bucket, region=x, duration=10, threads=16, loops=1, size=4M
Loop 1: PUT time 10.0 secs, objects = 500, speed = 200MB/sec, 50.0 operations/sec. Slowdowns = 0
Loop 1: GET time 10.0 secs, objects = 1000, speed = 400MB/sec, 100.0 operations/sec. Slowdowns = 0
"""


def s3_access_log(count: int = 300, gap: float = 2.0) -> str:
    """Return an access log of S3 with a request every `gap` seconds: three reads, a write, a HEAD of nothing."""
    lines = []
    for number in range(count):
        at = clf(number * gap)
        kind = number % 5
        operation, rest = (
            ("REST.GET.OBJECT", "200 - 1048576 1048576 50 20")
            if kind < 2
            else ("REST.GET.OBJECT", "206 - 4096 67108864 12 10")
            if kind == 2
            else ("REST.PUT.OBJECT", "200 - - 8388608 90 30")
            if kind == 3
            else ("REST.HEAD.OBJECT", "404 NoSuchKey 300 - 9 -")
        )
        uri = '"GET /secret/key?a="b c HTTP/1.1"'
        lines.append(
            f"79a5 secret-bucket [{at}] 192.0.2.77 secret-host ABC {operation} secret/key {uri} {rest} "
            '"-" ""Mozilla/5.0 (X)" - hostid SigV4 ECDHE AuthHeader secret-host TLSv1.2 - -'
        )
    return "\n".join(lines) + "\n"


def web_log(count: int = 100) -> str:
    """Return a combined log whose lines end in the seconds that a request took."""
    lines = []
    for number in range(count):
        at = clf(number)
        lines.append(f'192.0.2.77 - secret-host [{at}] "GET /secret/key HTTP/1.1" 200 65536 "-" "curl" 0.025')
    return "\n".join(lines) + "\n"


def mc_trace(count: int = 60) -> str:
    """Return a trace of MinIO as mc prints it."""
    return "".join(
        json.dumps(
            {
                "host": "secret-host",
                "time": rfc3339(number * 0.5),
                "api": "s3.GetObject" if number % 3 else "s3.PutObject",
                "path": "/secret-bucket/secret/key",
                "statusCode": 200,
                "callStats": {"rx": 2**20, "tx": 2**20, "duration": 20000000},
            }
        )
        + "\n"
        for number in range(count)
    )


def storagegrid(count: int = 60) -> str:
    """Return audit messages of StorageGRID."""
    return "".join(
        f'2026-11-02 [AUDT:[RSLT(FC32):SUCS][TIME(UI64):50000][SAIP(IPAD):"192.0.2.77"]'
        f'[S3BK(CSTR):"secret-bucket"]'
        f'[S3KY(CSTR):"secret/key"][CSIZ(UI64):1048576]'
        f"[ATIM(UI64):{1639144425532503 + 500000 * number}][ATYP(FC32):SGET]]\n"
        for number in range(count)
    )


CPU = {"cpu": "all", "usr": 30.0, "sys": 10.0, "iowait": 5.0, "idle": 55.0}
SAMPLE = {
    "timestamp": {"date": "2026-11-02", "time": "10:00:00", "interval": 60},
    "cpu-load": [CPU, {**CPU, "cpu": "0"}],
    "disk": [{"disk-device": "sda", "util-percent": 80.0}, {"disk-device": "sda1", "util-percent": 10.0}],
    "network": {"net-dev": [{"iface": "lo", "ifutil-percent": 0.0}, {"iface": "eth0", "ifutil-percent": 20.0}]},
}
SADF = {"sysstat": {"hosts": [{"nodename": "secret-host", "number-of-cpus": 64, "statistics": [SAMPLE, SAMPLE]}]}}
BUSY = {"disk_device": "sdb", "util": 50.0}
IOSTAT = {
    "sysstat": {
        "hosts": [
            {
                "nodename": "secret-host",
                "number-of-cpus": 64,
                "statistics": [
                    {"avg-cpu": {"user": 1.0, "iowait": 0.0, "idle": 99.0}, "disk": []},
                    {
                        "avg-cpu": {"user": 60.0, "iowait": 0.0, "idle": 40.0},
                        "disk": [BUSY],
                    },
                ],
            }
        ]
    }
}
PROMETHEUS = {
    "status": "success",
    "data": {
        "resultType": "matrix",
        "result": [
            {
                "metric": {"__name__": "node_cpu_seconds_total", "instance": "secret-host", "cpu": "0", "mode": "idle"},
                "values": [[0, "100"], [60, "130"], [120, "10"], [180, "40"]],
            },
            {
                "metric": {"__name__": "node_disk_io_time_seconds_total", "instance": "secret-host", "device": "sda"},
                "values": [[0, "5"], [60, "20"]],
            },
        ],
    },
}
PAGE = """\
# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.
# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="idle"} 800
node_cpu_seconds_total{cpu="0",mode="user"} 200
node_memory_MemTotal_bytes 2.7e+11
"""
FIO = {
    "fio version": "fio-3.28",
    "global options": {"direct": "1", "bs": "1M"},
    "jobs": [
        {
            "jobname": name,
            "groupid": group,
            "error": 0,
            "job options": {"rw": name, "filename": "/dev/secret-disk", "iodepth": "8"},
            "read": {"bw_bytes": 250e6, "runtime": 60000},
            "write": {"bw_bytes": 240e6, "runtime": 60000},
        }
        for group, name in enumerate(("read", "write"))
    ],
}
IPERF3 = {
    "start": {"test_start": {"protocol": "TCP", "num_streams": 8}, "connected": [{"remote_host": "192.0.2.77"}]},
    "end": {"sum_sent": {"bits_per_second": 23.5e9}},
}

DD = """user@secret-host:~$ dd if=/secret/key of=/dev/null bs=16M count=64 iflag=direct
64+0 records in
64+0 records out
1073741824 bytes (1.1 GB, 1.0 GiB) copied, 5.36871 s, 200 MB/s
$ dd if=/dev/zero of=/secret/key bs=16M count=64 oflag=direct
1073741824 bytes (1.1 GB, 1.0 GiB) copied, 6.7 s, 160 MB/s
"""
IOZONE = """$ iozone -t 4 -I -i 0 -i 1 -r 1M -s 4G -F /secret/d{1..4}/tmp
Write: 655 MB/sec
Read: 800 MB/sec
"""
IPERF3_TEXT = """$ iperf3 -c secret-host -P 2
Connecting to host secret-host, port 5201
[  5] local 192.0.2.77 port 5201 connected to 192.0.2.77 port 5201
[  5]   0.00-1.00   sec  1.95 GBytes  8.38 Gbits/sec    0             sender
[  7]   0.00-1.00   sec  1.95 GBytes  8.37 Gbits/sec    0             sender
[SUM]   0.00-1.00   sec  3.90 GBytes  16.7 Gbits/sec    0             sender
"""

FIXTURES: dict[str, str] = {
    "dd": DD,
    "iozone": IOZONE,
    "iperf3": IPERF3_TEXT,
    "hdfs fsck": report_fixtures.FSCK,
    "acceptance kit": "headroom-accept: terasort@1a2b3c4d 1112 s\n",
    "lscpu": json.dumps(LSCPU, indent=3),
    "lsblk": json.dumps(LSBLK, indent=3),
    "ip link": json.dumps(IP_LINK),
    "ethtool": ETHTOOL,
    "smartctl": json.dumps(SMARTCTL, indent=2),
    "nvme list": json.dumps(NVME_LIST, indent=2),
    "dmidecode": DMIDECODE,
    "meminfo": MEMINFO,
    "hdfs dfsadmin": HDFS,
    "mc admin info": json.dumps(MINIO),
    "ceph osd": json.dumps(CEPH_OSD),
    "ceph df": json.dumps(CEPH_DF),
    "warp": warp(),
    "warp summary": json.dumps(WARP_JSON, indent=2),
    "mc perf": SPEEDTEST,
    "COSBench": COSBENCH,
    "elbencho": ELBENCHO,
    "s3-benchmark": S3_BENCHMARK,
    "S3 access log": s3_access_log(),
    "web log": web_log(),
    "mc admin trace": mc_trace(),
    "StorageGRID audit": storagegrid(),
    "sysstat": json.dumps(SADF, indent=1),
    "Prometheus": json.dumps(PROMETHEUS),
    "fio": json.dumps(FIO, indent=1),
    "iperf3 -J": json.dumps(IPERF3, indent=1),
    **event_logs.FIXTURES,
    **hadoop_fixtures.FIXTURES,
    **report_fixtures.FIXTURES,
    **stream_fixtures.FIXTURES,
    **trino_fixtures.FIXTURES,
    **query_fixtures.FIXTURES,
}
"""A file of each format, by the name of the format."""
ONLY_TOLD = {"lspci": report_fixtures.LSPCI, "fio log": report_fixtures.fio_log(), "not read": "NAME  MAJ:MIN RM\n"}
"""Files of formats that give nothing to a profile by themselves."""
