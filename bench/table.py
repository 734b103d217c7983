#!/usr/bin/env python3
"""Prints one table a family of benchmarks from the file that bench/collect.py wrote.

    bench/table.py RESULTS.json

Columns are the row's name, its least time, and each counter: x_... are times over those of others, so lower is better.
"""

import json
import re
import sys

# What Google Benchmark appends to a name about how it measured.
MANNER = re.compile(r"/(min_time|min_warmup_time|repeats|iterations):[\d.]+|/(real|manual|process)_time")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
FIRST = ["x_copy", "x_hand", "x_matmul", "x_torch", "x_torch_compile", "x_jax", "x_paddle", "x_eigen"]
SHOWN = re.compile(r"x_|.*_x_|of_copy|GFLOP/s|grad_over_value|.*GFLOP/s|.*ns$")


def in_words(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size or unit == "ns":
            return f"{seconds / size:.3g} {unit}"


def order(column):
    at = FIRST.index(column) if column in FIRST else len(FIRST)
    return (column.startswith("x_") or "_x_" in column, column == "x_fastest", at, column)


def seconds_of(row):
    return row["real_time"] * UNITS[row["time_unit"]]


def table_of(rows):
    """Lines of cells, the first one with the names of the columns."""
    columns = sorted({k for row in rows for k, v in row.items() if isinstance(v, float) and SHOWN.match(k)}, key=order)
    if "of_copy" in columns:
        columns.insert(0, "GB/s")
    table = [["", "time", *columns]]
    for row in rows:
        name = MANNER.sub("", row["name"])
        if row.get("error_occurred"):
            table.append([name, "error: " + row.get("error_message", "")] + [""] * len(columns))
            continue
        numbers = [f"{row[c]:.{2 if row[c] < 100 else 0}f}" if c in row else "" for c in columns]
        table.append([name, in_words(seconds_of(row)), *numbers])
    return table


def families_of(results):
    families = {}
    for row in results["benchmarks"]:
        families.setdefault(row["family"], []).append(row)
    return families


def main(file):
    with open(file) as f:
        results = json.load(f)
    for family, rows in families_of(results).items():
        table = table_of(rows)
        table[0][0] = family
        widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
        for line in table:
            cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
            print("  ".join(cells).rstrip())
        print()
    print(f"{len(results['benchmarks'])} rows; written to {file}")


if __name__ == "__main__":
    main(*sys.argv[1:])
