#!/usr/bin/env python3
"""Runs benchmark programs and other libraries in turns, and joins what they say into one file.

    bench/collect.py RESULTS.json [--processes N] [--threads N] [--seconds S] [--filter REGEX] [--quick] [--alone]
                     [--cuda] PROGRAM...

Each round is a new process of ours and then one of each library (bench/peers) with the same jobs. The file is in Google
Benchmark's format. Of each row it has the least and the median time of the rounds, likewise those of the libraries, and
x_LIBRARY, the ratio of the least times; x_fastest is that to the fastest of the others. Ratios that a program measures
itself (x_copy, x_hand ...) are the medians of the rounds.
"""

import argparse
import json
import platform
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))
import run as peers  # noqa: E402

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# Ratios to what is no other library.
NO_PEERS = {"x_copy", "x_hand", "x_matmul", "x_std", "x_libmvec", "x_xsimd", "x_sleef", "x_sleef_u35", "x_replay"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--filter", default=".")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--alone", action="store_true", help="without other libraries")
    parser.add_argument("--cuda", action="store_true", help="the programs and the libraries run on a GPU")
    return parser.parse_args()


def run_program(program, given, out):
    """What one process says; None if the filter leaves no row."""
    rows = f"--benchmark_filter={given.filter}"
    listed = subprocess.run([program, "--benchmark_list_tests", rows], capture_output=True, text=True).stdout
    if not listed.strip():
        return None
    settings = peers.environment(given.threads, given.cuda) | {
        "PRIMAL_BENCH_THREADS": str(given.threads),
        "PRIMAL_BENCH_SECONDS": str(given.seconds),
    }
    command = [program, rows, f"--benchmark_out={out}", "--benchmark_out_format=json"]
    if given.quick:
        command.append("--benchmark_min_time=0.001")
        settings["PRIMAL_BENCH_QUICK"] = "1"
    run = subprocess.run(command, env=settings, cwd=Path(out).parent, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{run.stdout}{run.stderr}\n{program} failed")
    return json.loads(Path(out).read_text())


def processor():
    """What the system calls the processor, and its vector registers."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    flags = fields.get("flags", "").split()
    vectors = [word for flag, word in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags]
    name = f"{fields.get('model name', platform.machine())} (family {fields.get('cpu family', '?')}"
    return f"{name}, model {fields.get('model', '?')}{', ' + vectors[0] if vectors else ''})"


def compiler_of(program):
    """The compiler that made it, as the program itself says."""
    comment = subprocess.run(["readelf", "-p", ".comment", program], capture_output=True, text=True).stdout
    found = re.findall(r"(GCC: .*|.*clang version [\d.]+)", comment)
    return re.sub(r"GCC: \(.*?\)", "g++", found[0]).strip() if found else "unknown compiler"


def gpu():
    """What the driver calls the GPU."""
    ask = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "--id=0"]
    return subprocess.run(ask, capture_output=True, text=True).stdout.strip() if shutil.which(ask[0]) else "unknown"


def joined(rounds, times):
    """One row from those of all rounds; times has the seconds of every round by job and peer."""
    row = dict(rounds[0])
    if row.get("error_occurred"):
        return row
    row["real_time"] = min(r["real_time"] for r in rounds)
    row["median_time"] = statistics.median(r["real_time"] for r in rounds)
    for key, value in row.items():
        if isinstance(value, float) and key not in ("real_time", "median_time", "cpu_time"):
            row[key] = statistics.median(r[key] for r in rounds)
    ours = row["real_time"] * UNITS[row["time_unit"]]
    row["peers"] = {
        peer: {"least": min(seconds), "median": statistics.median(seconds)}
        for (job, peer), seconds in times.items()
        if job == row.get("label")
    }
    for peer, seconds in row["peers"].items():
        row["x_" + peer] = ours / seconds["least"]
    others = [row[key] for key in row if key.startswith("x_") and key not in NO_PEERS]
    if others:
        row["x_fastest"] = max(others)
    return row


def main():
    given = arguments()
    found = {} if given.alone or given.quick else peers.pythons()
    results = {"benchmarks": []}
    versions = {}
    folder = Path(given.results).resolve().parent / "rows"
    folder.mkdir(exist_ok=True)
    for program in [Path(p).resolve() for p in given.programs]:
        family = program.name.removeprefix("bench.")
        rounds, times = {}, {}
        for number in range(given.processes):
            print(f"-- {family}, round {number + 1}", file=sys.stderr, flush=True)
            said = run_program(program, given, folder / f"{family}.{number}.json")
            if said is None:
                break
            results.setdefault("context", said["context"])
            for row in said["benchmarks"]:
                rounds.setdefault(row["name"], []).append(row)
            jobs = list(dict.fromkeys(row["label"] for row in said["benchmarks"] if row.get("label")))
            for peer in peers.PEERS:
                for line in peers.results(peer, jobs, given.threads, given.seconds, found, given.cuda):
                    times.setdefault((line["job"], peer), []).append(line["seconds"])
                    versions[peer] = line["version"]
        results["benchmarks"] += [joined(r, times) | {"family": family} for r in rounds.values()]
    if not results["benchmarks"]:
        sys.exit(f"no benchmark matches '{given.filter}'")
    results["context"] |= {
        "processes": given.processes,
        "threads": given.threads,
        "seconds": given.seconds,
        "peers": versions,
        "processor": processor(),
        "compiler": compiler_of(Path(given.programs[0])),
    }
    if given.cuda:
        results["context"]["gpu"] = gpu()
    Path(given.results).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
