#!/bin/sh
# headroom-collect: what `simulate import` wants to know of servers, in one archive. It reads and changes nothing.
#
#   sh headroom-collect.sh                 this server, into headroom-collect.tar.gz
#   sh headroom-collect.sh HOST HOST ...   other servers by ssh (as root, for memory modules and drives)
#
# Names of hosts, serial numbers and addresses are left out: servers are called server-01, server-02, ... What the
# archive holds is text: look at it before you pass it on.
set -u
umask 077

# Runs on each server. Every output stands behind a line "#: NAME".
ASK='
part() { command -v "$2" >/dev/null 2>&1 || return 0; name=$1; shift; echo "#: $name"; "$@" 2>/dev/null; echo; }
part lscpu.json lscpu -J
part lsblk.json lsblk -J -b -o NAME,TYPE,SIZE,ROTA,TRAN,RM,MODEL,VENDOR,MOUNTPOINT
part ip-link.json ip -j -d link
part nvme-list.json nvme list -o json
part meminfo.txt sed -n 1p /proc/meminfo
part sysctl.txt sysctl vm.dirty_ratio vm.dirty_background_ratio
part dmidecode.txt dmidecode -t 4 -t 17
echo "#: ethtool.txt"
for path in /sys/class/net/*/device; do
    [ -e "$path" ] || continue
    link=${path%/device}
    ethtool "${link##*/}" 2>/dev/null
done
if command -v smartctl >/dev/null 2>&1; then
    for drive in $(smartctl --scan 2>/dev/null | sed "s/ .*//"); do
        echo "#: smartctl-${drive##*/}.json"
        smartctl -j -i -H -A "$drive" 2>/dev/null
    done
fi
if command -v lspci >/dev/null 2>&1; then
    echo "#: lspci.txt"
    lspci -vv 2>/dev/null | grep -E "^[0-9a-f]+:|Lnk(Cap|Sta):"
fi
part sadf.json sadf -j -- -u ALL -d -n DEV
'

# Leaves out what tells a machine or its owner.
CLEAN='
s/"\(serial[a-z_]*\|SerialNumber\|uuid\|UUID\|wwn\|eui64\|nguid\|NQN\|HostNQN\|HostID\|address\|broadcast\|permaddr\|nodename\|ifalias\|logical_unit_id\)" *: *"[^"]*"/"\1": ""/g
s/^\([[:space:]]*\)\(Serial Number\|Asset Tag\|UUID\|Locator\|Bank Locator\|Part Number\):.*/\1\2:/
s/\([0-9a-fA-F]\{2\}:\)\{5\}[0-9a-fA-F]\{2\}/00:00:00:00:00:00/g
s/\([0-9]\{1,3\}\.\)\{3\}[0-9]\{1,3\}/0.0.0.0/g
'

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
number=0

take() { # the output of one server, on stdin
    number=$((number + 1))
    folder=$(printf '%s/collected/server-%02d' "$work" "$number")
    mkdir -p "$folder"
    sed "$CLEAN" | awk -v folder="$folder" '
        /^#: / { file = folder "/" substr($0, 4); next }
        file != "" { print > file }'
}

if [ $# -eq 0 ]; then
    sh -c "$ASK" > "$work/answer"
    take < "$work/answer"
fi
for host; do
    if printf '%s\n' "$ASK" | ssh -o BatchMode=yes "$host" sh > "$work/answer"; then
        take < "$work/answer"
    else
        echo "headroom-collect: $host does not answer" >&2
    fi
done

# What the cluster as a whole says, where its tools are installed here. Names are replaced by numbers.
whole="$work/collected/cluster"
mkdir -p "$whole"
if command -v hdfs >/dev/null 2>&1; then
    hdfs dfsadmin -report 2>/dev/null | awk '
        /^Name: / { print "Name: node " ++n; next } /^(Hostname|Rack): / { next } { print }' > "$whole/hdfs.txt"
fi
if command -v ceph >/dev/null 2>&1; then
    ceph osd df tree -f json 2>/dev/null | sed 's/"type":"host"/&/; s/"name":"[^"]*"/"name":""/g' > "$whole/ceph-osd.json"
    ceph df -f json 2>/dev/null | sed 's/"name":"[^"]*"/"name":""/g' > "$whole/ceph-df.json"
fi
if command -v mc >/dev/null 2>&1 && [ -n "${MC_ALIAS:-}" ]; then
    mc admin info --json "$MC_ALIAS" 2>/dev/null |
        sed 's/"\(endpoint\|path\|uuid\|deploymentID\|drive_path\)" *: *"[^"]*"/"\1": ""/g' > "$whole/minio.json"
fi
find "$work/collected" -type f -size 0 -exec rm -f {} +
tar -C "$work" -czf headroom-collect.tar.gz collected &&
    echo "headroom-collect.tar.gz: $number servers; now: simulate import headroom-collect.tar.gz --output my-cluster"
