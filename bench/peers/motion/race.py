#!/usr/bin/env python3
"""Times of motions to errors, of Riccatree and other programs: every method by ever finer settings, each run in a process of
its own, until its error is as small as asked for or it takes more processor time than allowed.

    race.py ropes|rods FOLDER [SMALL LARGE JOBS [CASE...]]
    race.py again FILE FOLDER TIMES

FOLDER has ropes_simbody, and the packages in venv and python; SMALL and LARGE: limits of small and large systems (s), of all
that a process does; JOBS: methods side by side; CASE: by its number from 0, in place of all. It prints JSON (docs/peers.md,
scripts/motion_tables.py). `again`: in FILE, that JSON, the runs that count, of every method the fastest with each error asked for,
are timed so often more, one after the other."""
import concurrent.futures
import datetime
import json
import math
import os
import pathlib
import platform
import resource
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
TOLERANCES = [10 ** (-k / 2) for k in range(2, 23)]
STEPS = [0.02 / 2**k for k in range(18)]
LARGE = 1000  # links or elements
SMALL_LIMIT, LARGE_LIMIT = 10.0, 120.0  # s
MEMORY = 16  # GB


class Ropes:
    """Errors: of the turn of any link, rad. The reference is that of Riccatree at a tolerance far below; that others come to it shows in
    their errors."""

    goals = (1e-3, 1e-4, 1e-6)
    names = ('links', 'stiffness', 'damping')
    cases = [(links, k, c) for links in (100, 10_000) for k in (1e4, 1e6) for c in (0.0, 10.0, 1e3)]
    contenders = [('riccatree', 'implicit', TOLERANCES), ('riccatree', 'dopri5', TOLERANCES), ('riccatree', 'rk4', STEPS),
                  ('simbody', 'bdf', TOLERANCES), ('drake', 'radau3', TOLERANCES), ('drake', 'implicit_euler', TOLERANCES),
                  ('drake', 'velocity_implicit_euler', TOLERANCES), ('mujoco', 'implicit', STEPS), ('mujoco', 'implicitfast', STEPS)]
    packages = {'drake': 'drake', 'mujoco': 'mujoco'}

    @staticmethod
    def reference(case):
        if case[2] == 0.0:
            return 'riccatree', 'dopri5', 1e-10
        return 'riccatree', 'implicit', 1e-8 if case[0] >= LARGE else 1e-9

    @staticmethod
    def error(outcome, reference):
        return largest([abs(x - y) for x, y in zip(outcome['turns'], reference['turns'], strict=True)])


class Rods:
    """Errors: of the place of any node, as a part of the deflection of the end; the reference is that of Riccatree by many elements."""

    goals = (1e-2, 1e-3)
    names = ('elements',)
    cases = [(100,), (10_000,)]
    contenders = [('riccatree', 'implicit', TOLERANCES), ('riccatree', 'dopri5', TOLERANCES), ('pyelastica', 'PositionVerlet', STEPS),
                  ('dismech', 'ImplicitEuler', STEPS)]
    packages = {'pyelastica': 'pyelastica', 'dismech': 'dismech'}
    fine = 400

    @classmethod
    def reference(cls, case):
        return 'riccatree', 'implicit', 1e-4, (cls.fine,)

    @staticmethod
    def error(outcome, reference):
        off = [math.hypot(x - x0, z - z0) for s, x, z in zip(outcome['along'], outcome['x'], outcome['z'], strict=True) if s >= 0
               for x0, z0 in [between(reference, s)]]
        return largest(off) / abs(reference['z'][-1])


def largest(off):
    return max(off) if all(map(math.isfinite, off)) else math.nan


def between(curve, at):
    """x and z of a curve by even steps `along` from 0, by four of its points (Lagrange)."""
    count = len(curve['along']) - 1
    place = at / curve['along'][-1] * count
    first = min(max(int(place) - 1, 0), count - 3)
    found = [0.0, 0.0]
    for k in range(first, first + 4):
        weight = math.prod((place - j) / (k - j) for j in range(first, first + 4) if j != k)
        found = [found[0] + weight * curve['x'][k], found[1] + weight * curve['z'][k]]
    return found


def command(kind, folder, program, method, setting, case):
    numbers = [repr(setting), *(f'{x:g}' for x in case)]
    if program == 'simbody':
        return [folder / 'ropes_simbody', method, *numbers]
    return [folder / 'venv/bin/python', HERE / f'{kind}.py', program, method, *numbers]


def attempt(kind, folder, limit, program, method, setting, case):
    """What comes out of one run: its JSON, or why there is none."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY * 10**9, MEMORY * 10**9))
    environment = dict(os.environ, PYTHONPATH=str(folder / 'python'), PYTHONDONTWRITEBYTECODE='1',
                       **{name: '1' for name in ('OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'NUMBA_NUM_THREADS')})
    done = subprocess.run(command(kind, folder, program, method, setting, case), capture_output=True, text=True, env=environment,
                          preexec_fn=bound, cwd=folder)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if -done.returncode == signal.SIGXCPU:
        return {'left_out': f'more than {limit:g} s', 'over': True}
    if 'MemoryError' in done.stderr or 'bad_alloc' in done.stderr or -done.returncode == signal.SIGKILL:
        return {'left_out': f'more than {MEMORY} GB', 'over': True}
    return {'left_out': (done.stderr.strip().splitlines() or [f'status {done.returncode}'])[-1][:200]}


def ladder(rules, kind, folder, limit, contender, case, reference):
    """Runs by ever finer settings."""
    program, method, settings = contender
    runs = []
    for setting in settings:
        outcome = attempt(kind, folder, limit, program, method, setting, case)
        run = {'setting': setting}
        if 'seconds' in outcome:
            error = float(rules.error(outcome, reference))
            run |= {'seconds': outcome['seconds'], 'error': error if math.isfinite(error) else None}
        else:
            run['left_out'] = outcome['left_out']
        runs.append(run)
        print(kind, case, program, method, run, file=sys.stderr, flush=True)
        if outcome.get('over') or (run.get('error') or 1.0) <= min(rules.goals):
            break
    return runs


def race(rules, kind, folder, limit, jobs, case, slow):
    """`slow`: what went over a limit by its first setting in a system of this size, and is not tried again."""
    first, by, setting, *own = rules.reference(case)
    reference = attempt(kind, folder, 3600, first, by, setting, own[0] if own else case)
    print(kind, case, 'reference', reference['seconds'], file=sys.stderr, flush=True)

    def runs_of(contender):
        program, method, settings = contender
        if program == 'riccatree' and method != 'implicit' and case[0] >= LARGE:
            return [{'setting': settings[0], 'left_out': 'not tried: explicit steps of a large stiff system are short'}]
        if (program, method, case[0]) in slow:
            return [{'setting': settings[0], 'left_out': slow[program, method, case[0]] + ' in another system of this size'}]
        runs = ladder(rules, kind, folder, limit, contender, case, reference)
        if runs[0].get('left_out', '').startswith('more than'):
            slow[program, method, case[0]] = runs[0]['left_out']
        return runs

    with concurrent.futures.ThreadPoolExecutor(jobs) as side_by_side:
        found = [{'program': program, 'method': method, 'runs': runs} for (program, method, _), runs
                 in zip(rules.contenders, side_by_side.map(runs_of, rules.contenders), strict=True)]
    return dict(zip(rules.names, case)) | {'reference': {'program': first, 'method': by, 'setting': setting}, 'limit': limit,
                                           'contenders': found}


def counting(contender, goals):
    """The runs of a method that are the fastest with an error asked for."""
    good = [run for run in contender['runs'] if run.get('error') is not None]
    fastest = [min((run for run in good if run['error'] <= goal), key=lambda run: run['seconds'], default=None) for goal in goals]
    return [run for run in good if any(run is other for other in fastest)]


def again(path, folder, times):
    path, folder = pathlib.Path(path), pathlib.Path(folder).resolve()
    kind, results = path.name.split('-')[0].split('.')[0], json.loads(path.read_text())
    rules = {'ropes': Ropes, 'rods': Rods}[kind]
    for case in results['cases']:
        for contender in case['contenders']:
            for run in counting(contender, results['goals']):
                outcomes = [attempt(kind, folder, 10 * case['limit'], contender['program'], contender['method'], run['setting'],
                                    [case[name] for name in rules.names]) for _ in range(int(times))]
                run['again'] = [outcome['seconds'] for outcome in outcomes]
                print(kind, contender['program'], contender['method'], run, file=sys.stderr, flush=True)
    results['again'] = {'date': datetime.date.today().isoformat(), 'commit': commit()}
    path.write_text(json.dumps(results, indent=1) + '\n')


def commit():
    """Runs renew docs and results themselves."""
    dirty = subprocess.run(('git', 'diff', '--quiet', 'HEAD', '--', '.', ':!docs', ':!bench/results')).returncode
    return said('git', 'describe', '--always', '--abbrev=12', '--exclude=*') + ('-dirty' if dirty else '')


def versions(rules, folder):
    python = folder / 'venv/bin/python'
    found = {name: said(python, '-c', f'import importlib.metadata; print(importlib.metadata.version("{package}"))') or 'absent'
             for name, package in rules.packages.items()}
    simbody = said('dpkg-query', '-W', '-f', '${Version}', 'libsimbody-dev') or 'absent'
    return found | ({'simbody': simbody} if rules is Ropes else {})


def said(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout.strip()


def main(kind, folder, small=SMALL_LIMIT, large=LARGE_LIMIT, jobs=1, *chosen):
    rules, folder = {'ropes': Ropes, 'rods': Rods}[kind], pathlib.Path(folder).resolve()
    cases, slow = [rules.cases[int(number)] for number in chosen] or rules.cases, {}
    processor = [line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')][0]
    print(json.dumps({
        'date': datetime.date.today().isoformat(), 'processor': processor, 'python': platform.python_version(),
        'commit': commit(), 'versions': versions(rules, folder),
        'goals': rules.goals, 'cases': [race(rules, kind, folder, float(large if case[0] >= LARGE else small), int(jobs), case, slow)
                                        for case in cases]}, indent=1))


again(*sys.argv[2:]) if sys.argv[1] == 'again' else main(*sys.argv[1:])
