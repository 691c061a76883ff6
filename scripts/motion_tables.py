#!/usr/bin/env python3
"""Makes the tables of motions in docs/peers.md from the measurements of bench/peers/motion/race.py.

    scripts/motion_tables.py ropes.json                   print them
    scripts/motion_tables.py --write FILE ropes.json      put them into FILE, between its lines <!-- peers ropes ... -->, and pictures
                                                          of times over errors into its folder, figures/ropes-*.svg

The name of the JSON file begins with the kind, ropes or rods."""
import json
import pathlib
import re
import statistics
import sys

from loglog import picture

NAMES = {('simbody', 'bdf'): 'Simbody CPodes', ('drake', 'radau3'): 'Drake radau3', ('drake', 'implicit_euler'): 'Drake implicit_euler',
         ('drake', 'velocity_implicit_euler'): 'Drake velocity_implicit_euler', ('mujoco', 'implicit'): 'MuJoCo implicit',
         ('mujoco', 'implicitfast'): 'MuJoCo implicitfast', ('pyelastica', 'PositionVerlet'): 'PyElastica',
         ('dismech', 'ImplicitEuler'): 'Py-DiSMech'}  # fmt: skip
COLOURS = dict(zip(NAMES.values(), ('#74a', '#888', '#555', '#bbb', '#a60', '#da6', '#247', '#2a7'), strict=True)) | {
    'Riccatree implicit': '#c22', 'Riccatree dopri5': '#e88', 'Riccatree rk4': '#fbb'}  # fmt: skip
OWN = 'riccatree'


def name_of(contender):
    program, method = contender['program'], contender['method']
    return f'Riccatree {method}' if program == OWN else NAMES[program, method]


def time(seconds):
    return f'{seconds:.3g} s' if seconds >= 1 else f'{1000 * seconds:.3g} ms'


def times(contender):
    return [run for run in contender['runs'] if run.get('error') is not None]


def within(contender, goal):
    """All times (s) of the fastest run with an error of at most `goal`, or None."""
    run = min((run for run in times(contender) if run['error'] <= goal), key=lambda run: run['seconds'], default=None)
    return run and [run['seconds'], *run.get('again', [])]


def spread(seconds):
    """The text of a cell: the median, and the least and largest time."""
    if len(seconds) == 1:
        return time(seconds[0])
    least, most = (time(end(seconds)) for end in (min, max))
    alike = least.split()[1] == most.split()[1] == time(statistics.median(seconds)).split()[1]
    return f'{time(statistics.median(seconds))} ({least.split()[0] if alike else least} to {most.split()[0] if alike else most})'


def why_not(contender):
    """The text of a cell where the error was not reached."""
    last = contender['runs'][-1].get('left_out', '')
    return '' if last == 'not tried' else '> ' + ' '.join(last.split()[2:4]) if last.startswith('more than') else 'not reached'


def best(contenders, goal):
    found = [(seconds, name_of(c)) for c in contenders for seconds in [within(c, goal)] if seconds is not None]
    return min(found, key=lambda pair: statistics.median(pair[0]), default=None)


def label(kind, case):
    if kind == 'rods':
        return [f'{case["elements"]:,}']
    return [f'{case["links"]:,}', f'{case["stiffness"]:.0e}'.replace('e+0', 'e'), f'{case["damping"]:g}']


def row(kind, case, goal, names):
    ours = [c for c in case['contenders'] if c['program'] == OWN]
    own = best(ours, goal)
    others = {name_of(c): c for c in case['contenders'] if c['program'] != OWN}
    first = best(others.values(), goal)
    cells = [*label(kind, case), f'{goal:g}', f'{spread(own[0])}, {own[1].split()[1]}' if own else why_not(ours[0])]
    for name in names:
        seconds = within(others[name], goal)
        cells.append(spread(seconds) if seconds is not None else why_not(others[name]))
    over = any(cell.startswith('>') and cell.endswith(' s') for cell in cells[-len(names):])
    ahead = ''
    if own and (first or over):
        mine = statistics.median(own[0])
        ahead = f'{statistics.median(first[0]) / mine:.3g}' if first else f'> {case["limit"] / mine:.3g}'
    return '| ' + ' | '.join([*cells, ahead]) + ' |'


def results(kind, run):
    names = list(dict.fromkeys(name_of(c) for case in run['cases'] for c in case['contenders'] if c['program'] != OWN))
    heads = ['elements'] if kind == 'rods' else ['links', 'k', 'c']
    lines = ['| ' + ' | '.join([*heads, 'error', 'Riccatree', *names, 'ahead']) + ' |',
             '|' + '---:|' * (len(heads) + len(names) + 3)]
    return lines + [row(kind, case, goal, names) for case in run['cases'] for goal in run['goals']]


def conditions(run):
    limits = {next(iter(case.values())): case['limit'] for case in run['cases']}
    return [f'{run["processor"]}, {run["date"]}, commit {run["commit"]}. One thread. ' + ', '.join(
        f'{name} {version}' for name, version in run['versions'].items()) + '. Limits: ' + ', '.join(
        f'{limit:g} s for {size:,}' for size, limit in limits.items()) + '.' + (
        f' The counted runs: medians of {1 + repeated(run)}, all but the first on {run["again"]["date"]}, commit {run["again"]["commit"]}.'
        if 'again' in run else '')]


def repeated(run):
    return max(len(r.get('again', [])) for case in run['cases'] for c in case['contenders'] for r in c['runs'])


def draw(folder, kind, run):
    for case in run['cases']:
        curves = [(name_of(c), sorted((max(r['error'], 1e-12), r['seconds']) for r in times(c) if r['error'] < 1.0))
                  for c in case['contenders']]
        curves = [curve for curve in curves if curve[1]]
        name = '-'.join([kind, *(x.replace(',', '') for x in label(kind, case))])
        across = 'error, rad' if kind == 'ropes' else 'error over the deflection'
        (folder / f'{name}.svg').write_text(picture(curves, COLOURS, across, 'processor time, s', -4, 3))


def main(words):
    target = words[1] if words[:1] == ['--write'] else None
    paths = words[2:] if target else words
    if len(paths) != 1:
        sys.exit(__doc__)
    path = pathlib.Path(paths[0])
    kind, run = path.name.split('-')[0].split('.')[0], json.loads(path.read_text())
    tables = {f'{kind} conditions': conditions(run), f'{kind} results': results(kind, run)}
    if target is None:
        for lines in tables.values():
            print('\n'.join(lines), end='\n\n')
        return
    page = pathlib.Path(target)
    (page.parent / 'figures').mkdir(exist_ok=True)
    draw(page.parent / 'figures', kind, run)
    text = page.read_text()
    for name, lines in tables.items():
        text = re.sub(rf'(<!-- peers {name} -->\n).*?(?=<!-- end -->)',
                      lambda match, lines=lines: match.group(1) + '\n' + '\n'.join(lines) + '\n\n', text, flags=re.S)
    page.write_text(text)


main(sys.argv[1:])
