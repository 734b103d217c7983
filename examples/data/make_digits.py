#!/usr/bin/env python3
"""Writes digits_images.npy and digits_labels.npy from the copy of the data that scikit-learn carries.

    python3 -m pip install numpy scikit-learn
    python3 make_digits.py            # writes beside this file; the result is the same bytes every time
    python3 make_digits.py --check    # compares the files beside this one with the package's data

See README.md for the source, the licence and the format.
"""

import argparse
import gzip
import hashlib
import io
import sys
from importlib import resources
from pathlib import Path

import numpy as np

SOURCE_SHA256 = "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22"


def digits():
    """(images 1797 x 64, labels 1797) as uint8, in the order of the source file."""
    packed = (resources.files("sklearn.datasets.data") / "digits.csv.gz").read_bytes()
    found = hashlib.sha256(packed).hexdigest()
    if found != SOURCE_SHA256:
        sys.exit(f"make_digits: scikit-learn's digits.csv.gz has changed (sha256 {found})")
    rows = np.loadtxt(io.BytesIO(gzip.decompress(packed)), delimiter=",")
    assert rows.shape == (1797, 65) and (rows == np.round(rows)).all()
    images, labels = rows[:, :64].astype(np.uint8), rows[:, 64].astype(np.uint8)
    assert images.max() == 16 and labels.max() == 9
    return images, labels


def npy_bytes(array):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(array), version=(1, 0))
    return out.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    here = Path(__file__).resolve().parent
    images, labels = digits()
    for name, array in (("digits_images.npy", images), ("digits_labels.npy", labels)):
        content = npy_bytes(array)
        if not check:
            (here / name).write_bytes(content)
        elif (here / name).read_bytes() != content:
            sys.exit(f"make_digits: {name} differs from the package's data")
        print(f"{name}: {array.shape}, {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
