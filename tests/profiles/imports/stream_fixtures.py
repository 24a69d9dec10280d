"""Traces of many jobs, in formats of archives."""

from __future__ import annotations


def swim(count: int = 300, gap: int = 20) -> str:
    """Return a trace in which small maps, shuffles and generators take turns, and each hundredth job is large."""
    lines = []
    for number in range(count):
        taken, shuffled, made = ((4e6, 0, 2e6), (2e8, 1e8, 5e7), (0, 0, 3e7))[number % 3]
        if number % 100 == 99:
            taken, shuffled, made = 8e10, 4e10, 4e9
        at = number * gap
        lines.append(f"job{number}\t{at}\t{gap}\t{taken:.0f}\t{shuffled:.0f}\t{made:.0f}\tsecret/key\n")
    return "".join(lines)


def swf(count: int = 40, gap: int = 600) -> str:
    """Return a trace of a batch system of 4 nodes of 8 processors: jobs on one processor and on sixteen take turns."""
    lines = ["; Version: 2.2", "; Computer: secret-host", "; MaxNodes: 4", "; MaxProcs: 32", ";"]
    for number in range(count):
        run, processors = (300, 1) if number % 2 else (1200, 16)
        lines.append(
            f"{number + 1} {number * gap} 30 {run} {processors} {run - 60} -1 {processors} -1 -1 1 1 1 -1 -1 1 -1 -1"
        )
    lines.append(f"{count + 1} {count * gap} 5 -1 8 -1 -1 8 -1 -1 5 1 1 -1 -1 1 -1 -1")
    return "\n".join([*lines, ""])


def alibaba(count: int = 30, gap: int = 60) -> str:
    """Return the tasks of jobs in which two maps and a reduce behind them take turns with a task by itself."""
    lines = []
    for number in range(count):
        at = 1000 + number * gap
        if number % 2:
            lines.append(f"task_secret{number},4.0,j_{number},1,Terminated,{at},{at + 20},200.0,0.5")
            continue
        lines.append(f"R3_1_2,1.0,j_{number},1,Terminated,{at + 30},{at + 40},50.0,0.49")
        lines += [f"M{place},10.0,j_{number},1,Terminated,{at},{at + 30},100.0,0.39" for place in (1, 2)]
    lines.append(f"M1,1.0,j_{count},1,Failed,5,9,100.0,0.4")
    return "\n".join([*lines, ""])


def google(count: int = 30, gap: int = 60) -> str:
    """Return events of jobs of two tasks, each of which runs for 40 s on a sixteenth of the largest machine."""
    lines = []
    for number in range(count):
        for event, later in ((0, 0), (1, 5), (4, 45)):
            at = (600 + number * gap + later) * 10**6
            machine = "" if event == 0 else "4155527081"
            lines += [
                f"{at},,34183{number},{task},{machine},{event},secret-user=,3,9,0.0625,0.07,0.0004,0" for task in (0, 1)
            ]
    lines.append(f"{9000 * 10**6},,99,0,4155527081,2,secret-user=,3,9,0.0625,0.07,0.0004,0")
    return "\n".join([*lines, ""])


FIXTURES = {
    "SWIM trace": swim(),
    "Standard Workload Format": swf(),
    "Alibaba trace": alibaba(),
    "Google trace": google(),
}
