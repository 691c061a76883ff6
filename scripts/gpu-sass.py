#!/usr/bin/env python3
"""What the compiler made of the CUDA kernels, and how long one warp would wait for it: a prediction.

    nvcc -arch=sm_90 -std=c++17 -cubin -I. -Isrc -Iinclude -o abi.cubin kernels/cuda/abi.cu
    nvdisasm -c abi.cubin > abi.sass
    scripts/gpu-sass.py abi.sass [KERNEL...]

For every loop that computes: instructions of one round by kind, and the cycles of one round for 1, 2 and 4
warps that share a quarter of a multiprocessor, each issuing in order: an instruction waits for its
operands and for its unit. Counts are facts of the file; cycles are predictions with the times below.
Blocks that are jumped over and hold a call (the slow path of a division) or neither a product nor a
store (links beside, the ends of short pieces) are left out; the rest runs as it stands.
"""
import re
import sys

LATENCY = {'fp64': 8, 'mufu': 20, 'alu': 5, 'setp': 10, 'constant': 30, 'near': 35, 'far': 270}
UNIT = {'fp64': 2, 'mufu': 8, 'load': 4, 'store': 4}  # cycles a warp holds it
JUMP, BARRIER, SIDE = 12, 30, 20  # SIDE: sums in a block without products that may be left out
KINDS = ('DFMA', 'DMUL', 'DADD', 'DSETP', 'MUFU', 'LDG', 'STG', 'other')


def kernels(path):
    """name -> (instructions, label -> index)"""
    found, name = {}, None
    for line in open(path):
        section = re.match(r'\s*\.section\s+\.text\.(\S+?),', line)
        if section:
            name = section.group(1)
            found[name] = ([], {})
        label = re.match(r'(\.L_x_\d+|\$\S+):\s*$', line)
        code = re.match(r'\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;', line)
        if name and label:
            found[name][1][label.group(1)] = len(found[name][0])
        elif name and code:
            found[name][0].append(code.group(1))
    return found


class Instruction:
    def __init__(self, text):
        guard = re.match(r'@(!?)(U?P\w+)\s+', text)
        self.guard = guard.group(2) if guard else None
        self.negated = bool(guard and guard.group(1))
        text = text[guard.end():] if guard else text
        self.op, _, rest = text.partition(' ')
        self.name = self.op.split('.')[0]
        target = re.search(r'`\((\S+)\)', rest)
        self.target = target.group(1) if target else None
        self.parts = [] if self.target else [p.strip() for p in rest.split(',')]
        self.read_operands()

    def read_operands(self):
        name, wide = self.name, 4 if '.128' in self.op else 2
        stores = name in ('STG', 'STS', 'RED', 'REDG')
        pairs = name in ('DFMA', 'DMUL', 'DADD', 'DSETP')
        self.writes, self.reads = [], []
        for place, part in enumerate(self.parts):
            predicates = re.findall(r'\bU?P\d\b', part)
            registers = [(u, int(n)) for u, n in re.findall(r'\b(U?)R(\d+)\b', part)]
            first = place == 0 and not stores
            if predicates:
                early = place < 2 and (place == 0 or name.endswith('SETP') or 'R' in self.parts[0])
                (self.writes if early and not stores else self.reads).extend(predicates)
            for kind, number in registers:
                memory = '[' in part
                if first and not memory:
                    width = 2 if pairs or '.WIDE' in self.op or name == 'CS2R' else 1
                    width = wide if '.64' in self.op or '.128' in self.op else width
                    self.writes += [f'{kind}R{number + k}' for k in range(width)]
                else:
                    width = 2 if pairs or '.64' in part or stores and '.64' in self.op else 1
                    self.reads += [f'{kind}R{number + k}' for k in range(width)]
        if self.guard:
            self.reads.append(self.guard)

    def kind(self):
        return self.name if self.name in KINDS else 'other'


def leave_out(block):
    names = [i.name for i in block]
    if 'CALL' in names:
        return True
    useful = 'DFMA' in names or 'DMUL' in names or 'STG' in names or 'EXIT' in names
    return not useful and (names.count('DADD') >= SIDE or 'DSETP' in names)


def trace_of(code, labels, first, last):
    """The instructions of one round of the loop first..last, inner loops once."""
    trace, at = [], first
    while at <= last:
        i = code[at]
        trace.append(i)
        goal = labels.get(i.target, -1) if i.name == 'BRA' else -1
        if goal > at + 1 and goal <= last and (not i.guard or leave_out(code[at + 1:goal])):
            at = goal
        else:
            at += 1
    return trace


class Warp:
    def __init__(self):
        self.at, self.free, self.ready, self.guarded = 0, 0, {}, {}


def near_loads(trace):
    """Loads of records that neighbours share, found by fields less than a row of lanes apart."""
    near = set()
    for n, i in enumerate(trace):
        if i.name == 'LDG':
            address = re.search(r'\[(R\d+)\S*?\]$', i.parts[-1].split('desc')[-1])
            offset = re.search(r'\+(-?0x[0-9a-f]+)\]', i.parts[-1])
            base = address.group(1) if address else i.parts[-1]
            if '.64' not in i.op or offset and int(offset.group(1), 16) % 256:
                near.add((base, i.guard, i.negated))
                near.add(n)
    return {n for n, i in enumerate(trace) if i.name == 'LDG' and
            (n in near or (re.search(r'\[(R\d+)', i.parts[-1].split('desc')[-1]).group(1) if
                           re.search(r'\[(R\d+)', i.parts[-1].split('desc')[-1]) else '',
                           i.guard, i.negated) in near)}


def cost(i, n, near):
    """unit, latency"""
    name = i.name
    if name in ('DFMA', 'DMUL', 'DADD'):
        return 'fp64', LATENCY['fp64']
    if name == 'DSETP':
        return 'fp64', LATENCY['setp']
    if name == 'MUFU':
        return 'mufu', LATENCY['mufu']
    if name == 'LDG':
        return 'load', LATENCY['near' if n in near else 'far']
    if name == 'STG':
        return 'store', 0
    if name in ('LDC', 'ULDC', 'S2R', 'S2UR', 'R2UR'):
        return None, LATENCY['constant']
    if name == 'BAR':
        return None, BARRIER
    return None, LATENCY['setp'] if name in ('ISETP', 'FSETP', 'PLOP3') else LATENCY['alu']


def alternative(warp, i):
    """Whether a load is the other half of one just made under the opposite predicate."""
    if i.name != 'LDG' or not i.guard:
        return False
    before = warp.guarded.get(i.writes[0])
    warp.guarded[i.writes[0]] = (i.guard, i.negated)
    return before == (i.guard, not i.negated)


def finish(trace, warps, rounds):
    """When the last of the warps has gone `rounds` times round, and what the first one waited for."""
    near, units, waits = near_loads(trace), {}, {}
    team, size, now = [Warp() for _ in range(warps)], len(trace), 0
    while any(w.at < rounds * size for w in team):
        best = None
        for w in team:
            if w.at < rounds * size:
                i = trace[w.at % size]
                unit, latency = cost(i, w.at % size, near)
                late = max(((w.ready.get(r, (0, ''))) for r in i.reads), default=(0, ''))
                at = max(w.free, now, units.get(unit, 0), late[0])
                if best is None or (at, w.at) < (best[0], best[1].at):
                    best = (at, w, i, unit, latency, late)
        at, w, i, unit, latency, late = best
        if w is team[0] and at > w.free:
            why = late[1] if late[0] == at else 'unit'
            waits[why] = waits.get(why, 0) + (at - w.free) / rounds
        if not alternative(w, i):
            for r in i.writes:
                w.ready[r] = (at + latency, unit or 'other')
            units[unit] = at + UNIT[unit] if unit else 0
        w.free = at + (JUMP if i.name == 'BRA' else BARRIER if i.name == 'BAR' else 1)
        now, w.at = at + 1, w.at + 1
    return now, waits


def cycles(trace, warps):
    """Of one round, once the first two are over."""
    return (finish(trace, warps, 6)[0] - finish(trace, warps, 2)[0]) / 4


def main():
    for name, (texts, labels) in kernels(sys.argv[1]).items():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        code = [Instruction(t) for t in texts]
        print(name)
        for last, i in enumerate(code):
            first = labels.get(i.target, last + 1) if i.name == 'BRA' else last + 1
            if first > last:
                continue
            trace = trace_of(code, labels, first, last)
            count = {k: sum(1 for j in trace if j.kind() == k) for k in KINDS}
            if count['DFMA'] < 10:
                continue
            print('  %5d..%-5d %5d:' % (first, last, len(trace)),
                  ' '.join('%s %d' % (k, count[k]) for k in KINDS if count[k]),
                  '| cycles', ' '.join('%.0f' % cycles(trace, w) for w in (1, 2, 4)), '| waits',
                  ' '.join('%s %.0f' % w for w in sorted(finish(trace, 1, 6)[1].items())))


main()
