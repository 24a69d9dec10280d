"""Reports of benchmarks and summaries of systems, as text and as JSON."""

from __future__ import annotations

import json

from tests.profiles.imports.times import rfc3339

DFSIO = """\
----- TestDFSIO ----- : write
            Date & time: Mon Nov 02 10:00:00 UTC 2026
        Number of files: 64
 Total MBytes processed: 65536
      Throughput mb/sec: 21.5
 Average IO rate mb/sec: 22.1
  IO rate std deviation: 1.8
     Test exec time sec: 75.5
2026-11-02 10:10:00,000 INFO fs.TestDFSIO: ----- TestDFSIO ----- : read
2026-11-02 10:10:00,000 INFO fs.TestDFSIO:         Number of files: 64
2026-11-02 10:10:00,000 INFO fs.TestDFSIO:  Total MBytes processed: 65536.0
2026-11-02 10:10:00,000 INFO fs.TestDFSIO:      Test exec time sec: 40.25
"""
IOR = """\
IOR-3.3.0: MPI Coordinated Test of Parallel I/O
Command line        : ior -w -r -F -o secret/key
Options:
api                 : POSIX
test filename       : secret/key
access              : single-shared-file
nodes               : 4
tasks               : 32
xfersize            : 1 MiB
blocksize           : 2 GiB
aggregate filesize  : 64 GiB

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
write     4096.00    4096.0     0.007       2097152    1024.00    0.002      15.9       0.001      16.00      0
read      8192.00    8192.0     0.004       2097152    1024.00    0.001      7.9        0.001      8.00       0
"""
IO500 = """\
IO500 version io500-isc23 (standard)
[RESULT]       ior-easy-write       33.850000 GiB/s : time 458.300 seconds
[RESULT]    mdtest-easy-write      120.500000 kIOPS : time 300.100 seconds
[RESULT] BW   phase 3            ior_easy_read               41.200 GB/s : time 210.00 seconds
[SCORE ] Bandwidth 5.1 GiB/s : IOPS 44.2 kiops : TOTAL 15.0
"""
HIBENCH = """\
Type         Date       Time     Input_data_size      Duration(s)          Throughput(bytes/s)  Throughput/node
HadoopTerasort 2026-11-02 10:00:00 32000000000          160.000              200000000            50000000
"""
VDBENCH = """\
* secret-host
tod timestamp Run Interval reqrate rate MB/sec bytes/io read% resp read_resp write_resp
10:00:01.000 1 rd1_secret-host 1 max 900.0 3.51 4096 100.00 1.20 1.20 0.00
10:00:02.000 2 rd1_secret-host avg_2-3 max 1000.0 3.90625 4096 100.00 1.50 1.50 0.00
"""


def ops_log(count: int = 60) -> str:
    """Return an ops log of a gateway with a request each half second, each third an upload."""
    lines = []
    for number in range(count):
        is_put = number % 3 == 0
        sizes = {"bytes_sent": 0 if is_put else 2**20, "bytes_received": 2**20 if is_put else 0, "object_size": 2**20}
        names = {"bucket": "secret-bucket", "remote_addr": "192.0.2.77", "uri": "GET /secret/key HTTP/1.1"}
        operation = {"operation": "put_obj" if is_put else "get_obj", "http_status": "200", "error_code": ""}
        lines.append(json.dumps({"time": rfc3339(number * 0.5), **names, **operation, **sizes, "total_time": 25}))
    return "\n".join([*lines, ""])


def access_log(count: int = 60) -> str:
    """Return the log of a gateway with a request each half second, each third a listing, among other lines."""
    lines = ["2026-11-02T10:00:00.000+0000 7fc49be9a710  0 framework: beast"]
    for number in range(count):
        at, half = number // 2, number % 2 * 500
        request = "GET /secret-bucket?list-type=2 HTTP/1.1" if number % 3 == 0 else "GET /secret/key HTTP/1.1"
        clock = f"02/Nov/2026:10:00:{at:02d}.{half:03d} +0000"
        begin = (
            f"2026-11-02T10:00:{at:02d}.{half:03d}+0000 7fc49be9a710  1 beast: 0x7fc49be9a710: 192.0.2.77 - secret-user"
        )
        lines.append(f'{begin} [{clock}] "{request}" 200 1048576 - "agent/1.0 (x)" - latency=0.025000000s')
    return "\n".join([*lines, ""])


def _metric(name: str, values: list[float], period: int = 300) -> dict[str, object]:
    times = [rfc3339(period * number) for number in range(len(values))]
    return {"Id": "m1", "Label": f"secret-bucket {name}", "Timestamps": times[::-1], "Values": values[::-1]}


METRICS = {
    "GetRequests": [3000.0, 6000.0],
    "BytesDownloaded": [3e9, 6e9],
    "PutRequests": [600.0, 400.0],
    "BytesUploaded": [6e9, 4e9],
    "BucketSizeBytes": [1e12, 2e12],
    "TotalRequestLatency": [20.0, 40.0],
}
CLOUDWATCH = {"MetricDataResults": [_metric(name, values) for name, values in METRICS.items()], "Messages": []}
FSCK = """\
Connecting to namenode via http://secret-host:9870/fsck?ugi=hdfs&path=%2F
FSCK started by hdfs from /192.0.2.77 for path /secret/key at Mon Nov 02 10:00:00 UTC 2026
Status: HEALTHY
 Number of data-nodes:\t4
 Number of racks:\t\t2
Replicated Blocks:
 Total size:\t5120000000000 B (Total open files size: 279711 B)
 Total files:\t40000
 Total blocks (validated):\t60000 (avg. block size 85333333 B)
 Default replication factor:\t3
Erasure Coded Block Groups:
 Total size:\t1000000000000 B
 Total files:\t20000
"""
DISTRIBUTION = """\
Size\tNumFiles
0\t10
2097152\t90
Processed 0 inodes.
totalFiles = 100
totalDirectories = 7
totalBlocks = 95
totalSpace = 180000000
maxFileSize = 2097152
"""
LSPCI = """\
3b:00.0 Ethernet controller: Mellanox Technologies MT27800 Family [ConnectX-5]
\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 8GT/s (ok), Width x8 (downgraded)
5e:00.0 Non-Volatile memory controller: Samsung Electronics Co Ltd NVMe SSD
\t\tSerial Number: SN123456
\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x4, ASPM L1
\t\tLnkSta:\tSpeed 8GT/s, Width x4
00:1f.0 ISA bridge: Intel Corporation C621
"""


def terse(version: int = 3) -> str:
    """Return a line of fio's short form: 1000 reads of 4 KiB a second, each in 1 ms, 8 ms at most of a hundred."""
    times = ";".join(f"{name}%={value}" for name, value in (("50.000000", 900), ("99.000000", 8000)))
    side = f"40000;4000;1000;10000;0;0;0;0;500;9000;1000.0;10.0;{times}{';0%=0' * 18};0;0;0;0;0;0;0;0;0"
    side += ";10;0;0;0;0;0" if version == 5 else ""
    idle = ";".join("0" for _ in side.split(";"))
    return f"{version};fio-3.28;secret/key;0;0;{side};{idle};1%;2%;3;4;5;100%\n"


def fio_log(seconds: int = 60, cache: int = 20) -> str:
    """Return a log of fio: writes of 500 MB/s into a cache, then of 125 MB/s."""
    rates = (500_000 if second < cache else 125_000 for second in range(seconds))
    return "".join(f"{1000 * second + 5}, {rate}, 1, 131072\n" for second, rate in enumerate(rates))


FIO_TEXT = """r: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32
fio-3.28
Starting 4 processes

r: (groupid=0, jobs=4): err= 0: pid=1234: Mon Nov  2 10:00:00 2026
  read: IOPS=95.2k, BW=372MiB/s (390MB/s)(21.8GiB/60001msec)
    slat (nsec): min=1200, max=45000, avg=2100.50, stdev=300.00
    clat (usec): min=62, max=4121, avg=333.43, stdev=51.80
     lat (usec): min=64, max=4130, avg=335.50, stdev=51.90
    clat percentiles (usec):
     |  1.00th=[  200],  5.00th=[  250], 50.00th=[  330], 90.00th=[  420],
     | 99.00th=[  510], 99.90th=[  900], 99.99th=[ 2000]
  cpu          : usr=3.32%, sys=12.54%, ctx=11923, majf=0, minf=14
  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.2%, 16=0.4%, 32=99.2%, >=64=0.0%

Disk stats (read/write):
  nvme0n1: ios=5712000/12, merge=0/3, ticks=1900000/4, in_queue=1900004, util=99.90%
"""
FIO_2_TEXT = """old: (g=0): rw=read, bs=1M-1M/1M-1M/1M-1M, ioengine=libaio, iodepth=8
fio-2.2.10

old: (groupid=0, jobs=1): err= 0: pid=120932: Fri Jun 19 01:21:02 2020
  read : io=8014.0MB, bw=136198KB/s, iops=133, runt= 60253msec
    clat (msec): min=11, max=1660, avg=240.35, stdev=325.71
"""

FIXTURES = {
    "fio text": FIO_TEXT,
    "TestDFSIO": DFSIO,
    "fio --minimal": terse(),
    "IOR": IOR,
    "IO500": IO500,
    "HiBench report": HIBENCH,
    "vdbench": VDBENCH,
    "RGW ops log": ops_log(),
    "RGW access log": access_log(),
    "CloudWatch": json.dumps(CLOUDWATCH),
    "hdfs oiv": DISTRIBUTION,
}
