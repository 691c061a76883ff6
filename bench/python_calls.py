"""What a call from Python costs over the same call in C: one step, forward dynamics, and a state that is set.

Both sides have the same small chain and take turns, slice by slice, each timed in processor time of its thread, so that what else
the machine does slows down both. Shown are medians of the slices and of the differences, and the quartiles of these.

usage: python3 bench/python_calls.py [BUILD] [--smoke]      BUILD: build/release, with its Python package and
                                                            bench/python_calls; --smoke: a few calls, to see that all works
"""

import pathlib
import statistics
import subprocess
import sys
import time

SMOKE = "--smoke" in sys.argv
BUILD = pathlib.Path(next((word for word in sys.argv[1:] if word != "--smoke"), "build/release")).resolve()
sys.path.insert(0, str(BUILD / "python"))
import riccatree as rt  # noqa: E402

SLICES, CALLS = (3, 10) if SMOKE else (101, 2000)
DT = 1e-3


def timed(call, count):
    """Nanoseconds of the thread, a call; the loop itself taken off."""
    start = time.thread_time_ns()
    for _ in range(count):
        call()
    middle = time.thread_time_ns()
    for _ in range(count):
        pass
    return (middle - start - (time.thread_time_ns() - middle)) / count


def compare(bodies):
    sim = rt.chain(bodies, hinge="revolute", perturb=0.1).solver()
    q, v = sim.q, sim.v
    out = sim.forward(q, v)
    calls = {
        "step(dt, 1)": ("step", lambda: sim.step(DT, 1)),
        "forward(q, v)": ("forward", lambda: sim.forward(q, v)),
        "forward(q, v, out=a)": ("forward", lambda: sim.forward(q, v, out=out)),
        "set(q, v)": ("set", lambda: sim.set(q, v)),
    }
    with subprocess.Popen([BUILD / "bench/python_calls", str(bodies)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, bufsize=1) as c_side:
        for name, (in_c, call) in calls.items():
            rounds = []
            for _ in range(SLICES):
                c_side.stdin.write(f"{in_c} {CALLS}\n")
                of_c = float(c_side.stdout.readline())
                rounds.append((of_c, timed(call, CALLS)))
            over = [of_python - of_c for of_c, of_python in rounds]
            low, middle, high = statistics.quantiles(over, n=4)
            of_c, of_python = (statistics.median(side) for side in zip(*rounds))
            print(f"| {name}, {bodies} | {of_c / 1e3:.2f} | {of_python / 1e3:.2f} | {middle / 1e3:.2f} ({low / 1e3:.2f} to "
                  f"{high / 1e3:.2f}) |", flush=True)
        c_side.stdin.close()


print(f"Python {sys.version.split()[0]}, riccatree {rt.__version__}, {SLICES} slices of {CALLS} calls; us of processor time a call\n")
print("| call, bodies | C | Python | over C |\n|---|---:|---:|---:|")
for bodies in (1, 7):
    compare(bodies)
