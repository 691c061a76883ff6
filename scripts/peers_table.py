#!/usr/bin/env python3
"""Makes the tables of docs/peers.md from the measurements of scripts/peers.sh, of one run or several.

    scripts/peers_table.py peers-1.json ...                   print them
    scripts/peers_table.py --write FILE peers-1.json ...      put them into FILE, between its lines <!-- peers ... -->, and pictures
                                                              of chains into its folder, figures/peers-*.svg

Systems with loops have tables of their own, <!-- peers closed ... -->.
"""
import json
import pathlib
import re
import statistics
import sys

from loglog import picture

AGREED, WRONG = 1e-9, 1e-3  # difference of accelerations


def time(seconds):
    for unit, size in (('s', 1.0), ('ms', 1e-3), ('µs', 1e-6)):
        if seconds >= size:
            return f'{seconds / size:.3g} {unit}'
    return f'{seconds / 1e-9:.3g} ns'


def number(ratio):
    return f'{ratio:.3g}' if ratio < 1000 else f'{ratio:,.0f}'


def label(system):
    system, _, more = system.partition(' on ')
    if more:
        return f'{label(system)}, {more}'
    name = system.split('-')
    family, hinge, links = name[0], name[1], int(name[2])
    if family == 'necklace':
        return f'necklace of {links:,}'
    if family == 'fourbars':
        return f'{int(name[4]):,} four-bars apart' if len(name) > 3 else f'{links // 2:,} four-bars side by side'
    many = f'{int(name[4]):,} ' if len(name) > 3 else ''
    if family in ('arm', 'humanoid'):
        return f'{many}{family}s' if many else f'{family}, {links} links'
    return f'{many}chains of {links}, {hinge}' if many else f'{"tree" if family == "random" else family}, {hinge}, {links:,}'


def name_of(race):
    """The name of the system, followed by the number of threads of Riccatree if it is above 1, or by "a model each" if peers have
    one model per part."""
    threads = race.get('threads', 1)
    more = f'{threads} threads' if threads > 1 else 'a model each' if race.get('apart') else ''
    return race['system'] + (f' on {more}' if more else '')


def by_clock(peer):
    """With several threads, times are by the clock and contain the time of other programs, so the least times count."""
    if 'least' in peer:
        own = peer['least'][1]
        return dict(peer, ratio=peer['least'][0] / own, riccatree_seconds=own)
    return peer


def sort(runs):
    """{system: {peer: its results in each run}}"""
    found = {}
    for run in runs:
        for race in run['races']:
            if 'seconds' in race:  # the time of Riccatree, where no peer runs
                found.setdefault(name_of(race), {})[''] = [{'riccatree_seconds': race['seconds']}]
            for peer in map(by_clock, race['peers']) if race.get('threads', 1) > 1 else race['peers']:
                found.setdefault(name_of(race), {}).setdefault(peer['name'], []).append(peer)
    return found


def ran(peers):
    return [peer for peer in peers if 'ratio' in peer]


def worst(peers):
    """The largest difference, or None if one was not finite."""
    found = [peer['difference'] for peer in peers]
    return None if None in found else max(found)


def difference_of(peers):
    difference = worst(peers)
    return 'not finite' if difference is None else f'{difference:.0e}' if difference else '0'


def ratios(found, names, closed=False):
    lines = ['| system | Riccatree | ' + ' | '.join(names) + ' |', '|---|---:|' + '---:|' * len(names)]
    for system, peers in found.items():
        own = [peer['riccatree_seconds'] for several in peers.values() for peer in several if 'riccatree_seconds' in peer]
        cells = [label(system), time(min(own)) if own else '']
        for name in names:
            here = ran(peers.get(name, []))
            values = [peer['ratio'] for peer in here]
            spread = values if len(values) > 1 else [value for peer in here for value in peer['quartiles']]
            cell = ''
            if values:
                cell = f'{number(statistics.median(values))} ({number(min(spread))} to {number(max(spread))})'
                difference = worst(here)
                cell = cell if difference is not None and difference <= WRONG else f'*{cell}*'
                cell += f'; {difference_of(here)}' if closed else ''
            cells.append(cell)
        lines.append('| ' + ' | '.join(cells) + ' |')
    return lines


def differences(found, names):
    lines = ['| system | ' + ' | '.join(names) + ' |', '|---|' + '---:|' * len(names)]
    for system, peers in found.items():
        cells = [label(system)]
        for name in names:
            here = ran(peers.get(name, []))
            difference = worst(here) if here else None
            cell = difference_of(here) if here else ''
            agreed = not here or (difference is not None and difference <= AGREED)
            cells.append(cell if agreed else f'**{cell}**')
        lines.append('| ' + ' | '.join(cells) + ' |')
    return lines


def each(runs, key):
    """The values of `key` in all runs, each value once."""
    return ' and '.join(dict.fromkeys(run[key] for run in runs))


def conditions(runs, found, names):
    first = runs[0]
    commits = each(runs, 'commit')
    lines = [f'{each(runs, "processor")}, {each(runs, "compiler")}, {each(runs, "date")};'
             f' {"one run" if len(runs) == 1 else f"{len(runs)} runs"} with'
             f' {first["races"][0]["rounds"]} rounds of {1000 * first["slice"]:.0f} ms slices.', '',
             f'- Riccatree {first["races"][0]["riccatree"]}, commit{"s" if " " in commits else ""} {commits}']
    out = []
    for name in names:
        peers = [(system, peer) for system in found for peer in found[system].get(name, [])]
        calls = {f'{name} {peer["version"]}: {peer["call"]}' for _, peer in peers if 'call' in peer}
        lines += [f'- {text}' for text in sorted(calls)]
        left = {system: peer['left_out'] for system, peer in peers if 'left_out' in peer}
        out += [f'- {name}: ' + '; '.join(f'{label(s)}: {why}' for s, why in left.items())] if left else []
    return lines + (['', 'Left out:', ''] + out if out else [])


def of_kind(runs, kind):
    """The runs, reduced to the races of systems with loops or of those without."""
    kept = [dict(run, races=[race for race in run['races'] if (race.get('loops', 0) > 0) == bool(kind)]) for run in runs]
    return [run for run in kept if run['races']]


def tables_of(kind, runs):
    if not runs:
        return {}
    found = sort(runs)
    names = sorted({name for peers in found.values() for name in peers if name})
    tables = {'ratios': ratios(found, names, bool(kind)), 'conditions': conditions(runs, found, names)}
    if not kind:
        tables['differences'] = differences(found, names)
    return {kind + name: lines for name, lines in tables.items()}


def put(text, tables):
    for name, lines in tables.items():
        text = re.sub(rf'(<!-- peers {name} -->\n).*?(?=<!-- end -->)',
                      lambda match: match.group(1) + '\n' + '\n'.join(lines) + '\n\n', text, flags=re.S)
    return text


COLOURS = {'Riccatree': '#c22', 'MuJoCo': '#a60', 'Pinocchio LOCAL': '#247', 'Pinocchio WORLD': '#69c', 'RBDL': '#2a7',
           'Simbody': '#74a', 'Bullet': '#e90', 'Drake': '#888'}  # fmt: skip


def chain_of(name, hinge):
    """The number of links if the system is a chain on such hinges by one thread, else 0."""
    words = name.split('-')
    return int(words[2]) if words[:2] == ['chain', hinge] and len(words) == 3 and words[2].isdigit() else 0


def curves_of(found, hinge):
    """For chains: the times of a call per body, and the differences of accelerations from those of Riccatree: [(name, [(links, y)])]"""
    times, differences = {}, {}
    for system, peers in found.items():
        links = chain_of(system, hinge)
        for name, several in peers.items() if links else ():
            for peer in several:
                if 'riccatree_seconds' in peer:
                    times.setdefault('Riccatree', {}).setdefault(links, []).append(peer['riccatree_seconds'] / links)
            for peer in ran(several):
                times.setdefault(name, {}).setdefault(links, []).append(peer['seconds'] / links)
                if peer['difference'] is not None:
                    differences.setdefault(name, {}).setdefault(links, []).append(max(peer['difference'], 1e-17))
    return [[(name, sorted((links, statistics.median(of)) for links, of in curve.items())) for name, curve in all.items()]
            for all in (times, differences)]  # fmt: skip


def draw(folder, runs):
    folder.mkdir(exist_ok=True)
    found = sort(of_kind(runs, ''))
    for hinge in ('revolute', 'ball'):
        times, differences = curves_of(found, hinge)
        if times:
            (folder / f'peers-{hinge}-time.svg').write_text(picture(times, COLOURS, 'links', 's per call and body', -8, -3))
            (folder / f'peers-{hinge}-difference.svg').write_text(
                picture(differences, COLOURS, 'links', 'difference of accelerations', -17, 3))


def main(words):
    target = words[1] if words[:1] == ['--write'] else None
    paths = words[2:] if target else words
    if not paths:
        sys.exit(__doc__)
    runs = []
    for path in paths:
        with open(path) as file:
            runs.append(json.load(file))
    tables = {}
    for kind in ('', 'closed '):
        tables.update(tables_of(kind, of_kind(runs, kind)))
    if target is None:
        for lines in tables.values():
            print('\n'.join(lines), end='\n\n')
        return
    draw(pathlib.Path(target).parent / 'figures', runs)
    with open(target) as file:
        text = put(file.read(), tables)
    with open(target, 'w') as file:
        file.write(text)


main(sys.argv[1:])
