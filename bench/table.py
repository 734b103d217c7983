#!/usr/bin/env python3
"""Joins the results of several Google Benchmark programs into one file and one table.

    bench/table.py RESULTS.json ROWS.json...

Columns are the row's name, its time, and each counter whose name begins with x_: ratios of one run,
lower is better.
"""

import json
import re
import sys

# What Google Benchmark appends to a name about how it measured.
MANNER = re.compile(r"/(min_time|min_warmup_time|repeats|iterations):[\d.]+|/(real|manual|process)_time")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def rows_of(results):
    """One row a benchmark: the median where it was repeated, else the run itself."""
    repeated = {b["run_name"] for b in results["benchmarks"] if b.get("run_type") == "aggregate"}
    for b in results["benchmarks"]:
        if b.get("run_type") == "aggregate":
            if b.get("aggregate_name") == "median":
                yield b["run_name"], b
        elif b.get("run_name", b["name"]) not in repeated:
            yield b.get("run_name", b["name"]), b


def in_words(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size or unit == "ns":
            return f"{seconds / size:.3g} {unit}"


def main(out, *files):
    joined = {}
    for file in files:
        with open(file) as f:
            results = json.load(f)
        joined.setdefault("context", results["context"])
        joined.setdefault("benchmarks", []).extend(results["benchmarks"])
    with open(out, "w") as f:
        json.dump(joined, f, indent=2)
        f.write("\n")

    rows = list(rows_of(joined))
    ratios = sorted({key for _, b in rows for key in b if key.startswith("x_")},
                    key=lambda k: ({"x_copy": 0, "x_hand": 1}.get(k, 2), k))
    table = [["benchmark", "time", *ratios]]
    for name, b in rows:
        if b.get("error_occurred"):
            table.append([MANNER.sub("", name), "error: " + b.get("error_message", "")] + [""] * len(ratios))
            continue
        time = in_words(b["real_time"] * UNITS[b["time_unit"]])
        table.append([MANNER.sub("", name), time] + [f"{b[r]:.2f}" if r in b else "" for r in ratios])

    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    for line in table:
        cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
        print("  ".join(cells).rstrip())
    print(f"{len(rows)} rows; written to {out}")


if __name__ == "__main__":
    main(*sys.argv[1:])
