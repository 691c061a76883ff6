#!/usr/bin/env python3
"""Makes Table 1 of seed 000: one evaluation of its branch system at growing sizes by our methods and by ordinary ones.

    scripts/seed_table.py [--riccatree PROGRAM] [--elements N,N,...] [--seconds S] [--gigabytes G] [--out FOLDER] [--simulate T]

N counts bodies and hinges, as the paper does: (N + 1) / 2 bodies. For each size `riccatree compare branch` runs in separate
processes: with the sparse augmented system (lagrange, the reference of all errors) and the plain transfer matrix product, and with
the dense reduction (augmented, seed 004 eq. 28), all on one thread. A process has S seconds and G gigabytes. A method that has
exceeded these limits or has lost all digits (an error of 1 or more) is not run at larger sizes. The script writes seed-table.md,
seed-table-time.svg and seed-table-error.svg to FOLDER; without FOLDER it prints the table.

With --simulate the script runs whole simulations of T seconds from rest instead of evaluations, as in the paper: `riccatree run` by
both of our sweeps, with steps of 1 ms, on one thread. Times are processor times of whole processes. Errors are drifts of the energy
over the largest exchange. The script writes only seed-runs.md to FOLDER.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

from loglog import picture

ELEMENTS = [13, 19, 31, 41, 51, 63, 127, 255, 511, 999, 1999, 3999, 9999, 19999, 39999, 66667, 199999]
# name in the figures: entry of compare, and the reference that the command names
METHODS = {
    "plain transfer": ("transfer", "lagrange"),
    "riccati": ("riccati serial", "none"),
    "abi": ("abi serial", "none"),
    "dense": ("augmented", "augmented"),
    "sparse augmented": ("lagrange", "lagrange"),
}
COLOURS = {"plain transfer": "#c22", "riccati": "#247", "abi": "#2a7", "dense": "#a60", "sparse augmented": "#74a"}
RUNS = ("riccati", "abi")
LOST = 1.0  # an error that leaves no digit
AGAIN = 1.0  # s: the command of one size and reference is repeated within this time


def printed(options, words):
    """The JSON of a command and "", or None and the limit that the command exceeded."""
    limit = int(options.gigabytes * 2**30)
    command = [options.riccatree, *words, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds, check=False,
                              env=dict(os.environ, OPENBLAS_NUM_THREADS="1"),
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    except subprocess.TimeoutExpired:
        return None, f"{options.seconds:g} s"
    if done.returncode != 0:
        if done.returncode > 0 and "memory" not in done.stderr:
            sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
        return None, f"{options.gigabytes:g} GB"
    return json.loads(done.stdout), ""


def compare(options, bodies, reference):
    """Entries by name and the base, or None and the limit that was exceeded."""
    found, limit = printed(options, ["compare", "branch", "--bodies", str(bodies), "--perturb", "0.3", "--repeat", "5",
                                     "--reference", reference])
    if found is None:
        return None, limit
    return {entry["name"]: entry for entry in found["entries"]}, found["base"]


def simulate(options):
    """{method: [(N, seconds, drift, note)]}"""
    rows = {name: [] for name in RUNS}
    for elements in options.elements:
        for name, of in rows.items():
            if of and of[-1][1] is None:
                continue
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            found, limit = printed(options, ["run", "branch", "--bodies", str((elements + 1) // 2), "--dt", "1e-3", "--t-end",
                                             str(options.simulate), "--method", name, "--threads", "1"])
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if found is None:
                of.append((elements, None, None, limit))
            else:
                seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
                of.append((elements, seconds, found["energy_drift_relative"], ""))
        print(f"N = {elements}", file=sys.stderr)
    return rows


def compare_again(options, bodies, reference):
    """Repeats the comparison for a second. Each command times its references once; the least time counts."""
    start = time.monotonic()
    found, base = compare(options, bodies, reference)
    while found is not None and time.monotonic() - start < AGAIN:
        for name, entry in (compare(options, bodies, reference)[0] or {}).items():
            if entry["available"] and found[name]["available"]:
                found[name]["seconds"] = min(found[name]["seconds"], entry["seconds"])
    return found, base


def error_of(name, entries, base):
    """The error relative to lagrange, if it is there. If another reference is the base, its error is the difference of lagrange from it."""
    if entries[name]["name"] == "lagrange":
        return None
    if base == "lagrange":
        return entries[name]["largest"]
    if base == name and "lagrange" in entries and entries["lagrange"]["available"]:
        return entries["lagrange"]["largest"]
    return None


def measure(options):
    """{method: [(N, seconds, error, note)]}"""
    rows = {name: [] for name in METHODS}
    ended = set()
    for elements in options.elements:
        found = {}
        for reference in ("lagrange", "augmented", "none"):
            wanted = [name for name in METHODS if METHODS[name][1] in (reference, "none")]
            if any(METHODS[name][1] == reference and name not in ended for name in wanted):
                found[reference] = compare_again(options, (elements + 1) // 2, reference)
        for name, (entry, reference) in METHODS.items():
            if name in ended:
                continue
            entries, base = found["lagrange"] if "lagrange" in found and found["lagrange"][0] else found["none"]
            if reference != "none":
                entries, base = found[reference]
            if entries is None or not entries[entry]["available"]:
                rows[name].append((elements, None, None, base if entries is None else "its range"))
                ended.add(name)
                continue
            error = error_of(entry, entries, base)
            rows[name].append((elements, entries[entry]["seconds"], error, ""))
            if error is not None and not error < LOST or entries[entry]["seconds"] > options.seconds:
                ended.add(name)
        print(f"N = {elements}", file=sys.stderr)
    return rows


def time_text(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def cell(row):
    _, seconds, error, note = row
    if seconds is None:
        return f"over {note}"
    if error is None:
        return time_text(seconds)
    return f"{time_text(seconds)}, {'no digit' if not error < LOST else f'{error:.0e}'}"


def table(rows):
    lines = ["| N | bodies | freedoms | " + " | ".join(rows) + " |", "|" + " ---: |" * (3 + len(rows))]
    for elements in sorted({row[0] for of in rows.values() for row in of}):
        bodies = (elements + 1) // 2
        cells = [next((cell(row) for row in rows[name] if row[0] == elements), "") for name in rows]
        lines.append(f"| {elements:,} | {bodies:,} | {3 * bodies:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--riccatree", default="build/release/riccatree")
    parser.add_argument("--elements", type=lambda text: [int(n) for n in text.split(",")], default=ELEMENTS)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--gigabytes", type=float, default=4.0)
    parser.add_argument("--out")
    parser.add_argument("--simulate", type=float, metavar="T")
    options = parser.parse_args()
    rows = simulate(options) if options.simulate else measure(options)
    text = table(rows)
    if options.out is None:
        print(text, end="")
        return
    times = [(name, [(n, s) for n, s, _, _ in of if s is not None]) for name, of in rows.items()]
    errors = [(name, [(n, max(e, 1e-17)) for n, _, e, _ in of if e is not None]) for name, of in rows.items()]
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    if options.simulate:
        (folder / "seed-runs.md").write_text(text)
        return
    (folder / "seed-table.md").write_text(text)
    (folder / "seed-table-time.svg").write_text(picture([c for c in times if c[1]], COLOURS, "N", "s an evaluation", -6, 2))
    (folder / "seed-table-error.svg").write_text(picture([c for c in errors if c[1]], COLOURS, "N", "error", -17, 3))


if __name__ == "__main__":
    main()
