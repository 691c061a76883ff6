#!/usr/bin/env python3
"""Tables of docs/peers.md from what scripts/peers.sh measured, of one run or several.

    scripts/peers_table.py peers-1.json ...                   print them
    scripts/peers_table.py --write FILE peers-1.json ...      put them into FILE, between its lines <!-- peers ... -->
"""
import json
import re
import statistics
import sys

AGREED, WRONG = 1e-9, 1e-3  # difference of accelerations


def time(seconds):
    for unit, size in (('s', 1.0), ('ms', 1e-3), ('µs', 1e-6)):
        if seconds >= size:
            return f'{seconds / size:.3g} {unit}'
    return f'{seconds / 1e-9:.3g} ns'


def label(system):
    system, _, threads = system.partition(' on ')
    if threads:
        return f'{label(system)}, {threads}'
    name = system.split('-')
    family, hinge, links = name[0], name[1], int(name[2])
    if len(name) > 3:
        return f'{name[4]} arms of {links}, {hinge}'
    return f'{"tree" if family == "random" else family}, {hinge}, {links:,}'


def name_of(race):
    """The system; threads behind it where Riccatree has several."""
    threads = race.get('threads', 1)
    return race['system'] + (f' on {threads} threads' if threads > 1 else '')


def by_clock(peer):
    """What other programs take adds to times of the clock: of these the least count."""
    if 'least' in peer:
        own = peer['least'][1]
        return dict(peer, ratio=peer['least'][0] / own, riccatree_seconds=own)
    return peer


def sort(runs):
    """{system: {peer: what each run has of it}}"""
    found = {}
    for run in runs:
        for race in run['races']:
            for peer in map(by_clock, race['peers']) if race.get('threads', 1) > 1 else race['peers']:
                found.setdefault(name_of(race), {}).setdefault(peer['name'], []).append(peer)
    return found


def ran(peers):
    return [peer for peer in peers if 'ratio' in peer]


def worst(peers):
    """The largest difference; None: something was not finite."""
    found = [peer['difference'] for peer in peers]
    return None if None in found else max(found)


def ratios(found, names):
    lines = ['| system | Riccatree | ' + ' | '.join(names) + ' |', '|---|---:|' + '---:|' * len(names)]
    for system, peers in found.items():
        own = [peer['riccatree_seconds'] for name in names for peer in ran(peers.get(name, []))]
        cells = [label(system), time(min(own)) if own else '']
        for name in names:
            here = ran(peers.get(name, []))
            values = [peer['ratio'] for peer in here]
            cell = ''
            if values:
                cell = f'{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})'
                difference = worst(here)
                cell = cell if difference is not None and difference <= WRONG else f'*{cell}*'
            cells.append(cell)
        lines.append('| ' + ' | '.join(cells) + ' |')
    return lines


def differences(found, names):
    lines = ['| system | ' + ' | '.join(names) + ' |', '|---|' + '---:|' * len(names)]
    for system, peers in found.items():
        cells = [label(system)]
        for name in names:
            here = ran(peers.get(name, []))
            difference = worst(here) if here else 0.0
            cell = 'not finite' if difference is None else f'{difference:.0e}' if difference else '0'
            agreed = difference is not None and difference <= AGREED
            cells.append('' if not here else cell if agreed else f'**{cell}**')
        lines.append('| ' + ' | '.join(cells) + ' |')
    return lines


def conditions(runs, found, names):
    first = runs[0]
    lines = [f'{first["processor"]}, {first["compiler"]}, {first["date"]}; {len(runs)} runs of'
             f' {first["races"][0]["rounds"]} rounds of slices of {1000 * first["slice"]:.0f} ms.', '',
             f'- Riccatree {first["races"][0]["riccatree"]}']
    out = []
    for name in names:
        peers = [(system, peer) for system in found for peer in found[system].get(name, [])]
        calls = {f'{name} {peer["version"]}: {peer["call"]}' for _, peer in peers if 'call' in peer}
        lines += [f'- {text}' for text in sorted(calls)]
        left = {system: peer['left_out'] for system, peer in peers if 'left_out' in peer}
        out += [f'- {name}: ' + '; '.join(f'{label(s)}: {why}' for s, why in left.items())] if left else []
    return lines + (['', 'Left out:', ''] + out if out else [])


def put(text, tables):
    for name, lines in tables.items():
        text = re.sub(rf'(<!-- peers {name} -->\n).*?(?=<!-- end -->)',
                      lambda match: match.group(1) + '\n' + '\n'.join(lines) + '\n\n', text, flags=re.S)
    return text


def main(words):
    target = words[1] if words[:1] == ['--write'] else None
    paths = words[2:] if target else words
    if not paths:
        sys.exit(__doc__)
    runs = []
    for path in paths:
        with open(path) as file:
            runs.append(json.load(file))
    found = sort(runs)
    names = list(dict.fromkeys(name for peers in found.values() for name in peers))
    tables = {'ratios': ratios(found, names), 'differences': differences(found, names),
              'conditions': conditions(runs, found, names)}
    if target is None:
        for lines in tables.values():
            print('\n'.join(lines), end='\n\n')
        return
    with open(target) as file:
        text = put(file.read(), tables)
    with open(target, 'w') as file:
        file.write(text)


main(sys.argv[1:])
