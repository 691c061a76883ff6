#!/usr/bin/env python3
"""Tables of docs/peers.md from what scripts/peers.sh measured.

    scripts/peers_table.py peers.json                 print them
    scripts/peers_table.py peers.json --write FILE    put them into FILE, between its lines <!-- peers ... -->
"""
import json
import re
import sys

AGREED = 1e-9
WRONG = 1e-3


def time(seconds):
    for unit, size in (('s', 1.0), ('ms', 1e-3), ('µs', 1e-6)):
        if seconds >= size:
            return f'{seconds / size:.3g} {unit}'
    return f'{seconds / 1e-9:.3g} ns'


def label(race):
    name = race['system'].split('-')
    family, hinge, links = name[0], name[1], int(name[2])
    if len(name) > 3:
        return f'{name[4]} arms of {links}, {hinge}'
    return f'{"tree" if family == "random" else family}, {hinge}, {links:,}'


def names(races):
    return list(dict.fromkeys(peer['name'] for race in races for peer in race['peers']))


def of(race, name):
    return next((peer for peer in race['peers'] if peer['name'] == name), {})


def ratios(races):
    """Per system Riccatree's time and the ratio of every peer, half the distance of its quartiles in percent."""
    lines = ['| system | Riccatree | ' + ' | '.join(names(races)) + ' |',
             '|---|---:|' + '---:|' * len(names(races))]
    for race in races:
        cells = []
        for name in names(races):
            peer = of(race, name)
            if 'ratio' in peer:
                low, high = peer['quartiles']
                cell = f'{peer["ratio"]:.3g} ± {50 * (high - low) / peer["ratio"]:.1f} %'
                right = peer['difference'] is not None and peer['difference'] <= WRONG
                cells.append(cell if right else f'*{cell}*')
            else:
                cells.append('')
        own = sorted(peer['riccatree_seconds'] for peer in race['peers'] if 'ratio' in peer)
        own = time(own[len(own) // 2]) if own else ''
        lines.append(f'| {label(race)} | {own} | ' + ' | '.join(cells) + ' |')
    return lines


def differences(races):
    lines = ['| system | ' + ' | '.join(names(races)) + ' |', '|---|' + '---:|' * len(names(races))]
    for race in races:
        cells = []
        for name in names(races):
            peer = of(race, name)
            found = peer.get('difference')
            cell = 'not finite' if found is None else f'{found:.0e}' if found else '0'
            agreed = found is not None and found <= AGREED
            cells.append('' if 'left_out' in peer else cell if agreed else f'**{cell}**')
        lines.append(f'| {label(race)} | ' + ' | '.join(cells) + ' |')
    return lines


def conditions(measured):
    races = measured['races']
    lines = [f'{measured["processor"]}, {measured["compiler"]}, commit {measured["commit"]}, {measured["date"]};'
             f' {races[0]["rounds"]} rounds of slices of {1000 * measured["slice"]:.0f} ms.', '',
             f'- Riccatree {races[0]["riccatree"]}']
    for name in names(races):
        peer = next((p for p in (of(race, name) for race in races) if 'call' in p), of(races[0], name))
        lines.append(f'- {name} {peer["version"]}: {peer.get("call", "nothing runs")}')
    out = []
    for name in names(races):
        left = [f'{label(race)}: {of(race, name)["left_out"]}' for race in races if 'left_out' in of(race, name)]
        out += [f'- {name}: {"; ".join(left)}'] if left else []
    return lines + (['', 'Left out:', ''] + out if out else [])


def put(text, tables):
    for name, lines in tables.items():
        text = re.sub(rf'(<!-- peers {name} -->\n).*?(?=<!-- end -->)',
                      lambda found: found.group(1) + '\n' + '\n'.join(lines) + '\n\n', text, flags=re.S)
    return text


def main(words):
    if len(words) not in (2, 4) or len(words) == 4 and words[2] != '--write':
        sys.exit(__doc__)
    with open(words[1]) as file:
        measured = json.load(file)
    tables = {'ratios': ratios(measured['races']), 'differences': differences(measured['races']),
              'conditions': conditions(measured)}
    if len(words) == 2:
        for lines in tables.values():
            print('\n'.join(lines), end='\n\n')
        return
    with open(words[3]) as file:
        text = file.read()
    with open(words[3], 'w') as file:
        file.write(put(text, tables))


main(sys.argv)
