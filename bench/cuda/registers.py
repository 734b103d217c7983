#!/usr/bin/env python3
"""Compiles the programs of a folder once more for each architecture, and prints what ptxas says of their kernels: how
many there are, the most registers and static shared memory of one, and how many spill. Ends with status 1 if any does.

    bench/cuda/registers.py compile_commands.json bench/cuda sm_80 sm_90
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

KERNEL = re.compile(
    r"Compiling entry function '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers(.*?)\n",
    re.S,
)


def without_outputs(words):
    """The compiler and its options, but for what names files, architectures and dependencies."""
    kept, skip = [], False
    for word in words:
        if skip or word in ("-c", "-MD", "-MT", "-MF", "-o", "-x", "cu", "-dc") or word.startswith("--generate-code"):
            skip = word in ("-MT", "-MF", "-o")
        elif not word.endswith(".cu"):
            kept.append(word)
    return kept


def kernels_of(entry, arch):
    command = without_outputs(shlex.split(entry["command"]))
    command += [f"-arch={arch}", "-cubin", "-Xptxas", "-v", "-o", "/dev/null", entry["file"]]
    run = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return KERNEL.findall(run.stderr)


def main(commands, folder, *architectures):
    folder = Path(folder).resolve()
    spilling = 0
    for entry in json.loads(Path(commands).read_text()):
        file = Path(entry["file"])
        if file.parent != folder or file.suffix != ".cu":
            continue
        for arch in architectures:
            kernels = kernels_of(entry, arch)
            if not kernels:
                continue
            shared = [int(n) for *_, rest in kernels for n in re.findall(r"(\d+) bytes smem", rest)]
            spills = [name for name, stores, loads, *_ in kernels if int(stores) + int(loads)]
            spilling += len(spills)
            print(
                f"{file.stem:12}{arch}: {len(kernels):3} kernels, at most {max(int(k[3]) for k in kernels):3} registers, "
                f"{max(shared, default=0):4} bytes of static shared memory, {len(spills) or 'no'} spills",
                *spills,
                sep="\n  ",
                flush=True,
            )
    return spilling > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
