"""Reads what the compiler made of the CUDA kernels: loops, their instructions, and how long warps wait for them.

The assembly has the schedule of the compiler: each instruction says how many cycles the warp stalls after
it (the latency of all arithmetic except roots and reciprocals), which of six barriers it frees when its
result is ready, and which barriers it waits for. Only the times of other instructions are assumed here:
TIMES. Warps that share a quarter of a multiprocessor share its units: HOLDS.
"""
import glob
import importlib.util
import os
import re
import shutil
import subprocess

# Cycles until a result is ready. Latencies of an H100: Luo et al., arXiv 2402.13499.
TIMES = {'near': 40, 'far': 263, 'LDS': 30, 'SHFL': 30, 'MUFU': 40, 'BAR': 30, 'LDC': 30, 'other': 20}
# Cycles that an instruction holds a unit shared by the warps of a quarter: 16 lanes for double precision,
# four for roots. Loads and stores (256 bytes per warp) go through one port of 128 bytes per cycle, which the
# four quarters share: 8 cycles if all quarters are at work, else the 4 that the compiler leaves between two
# accesses. Shared memory uses the same port; it reads equal addresses of the lanes of a group once.
HOLDS = {'DFMA': ('double', 2), 'DMUL': ('double', 2), 'DADD': ('double', 2), 'DSETP': ('double', 2),
         'MUFU': ('root', 8), 'LDG': ('memory', 4), 'STG': ('memory', 4), 'LDS': ('memory', 2),
         'STS': ('memory', 2), 'SHFL': ('memory', 2)}
TAKEN = 10  # additional cycles when a branch is taken
SLOW = 40   # instructions: longer blocks with a call are more than the slow path of a division
KINDS = ('DFMA', 'DMUL', 'DADD', 'DSETP', 'MUFU', 'LDG', 'STG', 'LDS', 'STS')


def tool(name):
    """The path of a program of the toolkit, there or in a Python package of NVIDIA; or None."""
    given = os.environ.get(name.upper(), '')
    known = [given, shutil.which(name) or '', f'/usr/local/cuda/bin/{name}']
    packages = importlib.util.find_spec('nvidia')
    for folder in packages.submodule_search_locations if packages else ():
        known += glob.glob(f'{folder}/*/bin/{name}')
    return next((p for p in known if p and os.access(p, os.X_OK)), None)


def compiler():
    """The version of nvcc."""
    told = subprocess.run([tool('nvcc'), '--version'], check=True, capture_output=True, text=True).stdout
    return re.search(r'release ([\d.]+)', told).group(1)


def compile_kernels(root, source, folder, *options):
    """The registers of each kernel, and the assembly of the file."""
    cubin = os.path.join(folder, os.path.basename(source) + '.cubin')
    told = subprocess.run(
        [tool('nvcc'), '-arch=sm_90', '-std=c++17', '-lineinfo', '-cubin', '-Xptxas=-v', f'-I{root}',
         f'-I{root}/src', f'-I{root}/include', *options, '-o', cubin, os.path.join(root, source)],
        check=True, capture_output=True, text=True).stderr
    registers = {n: int(r) for n, r in
                 re.findall(r"entry function '(\w+)'.*?Used (\d+) registers", told, re.S)}
    text = subprocess.run([tool('nvdisasm'), '-gi', '-hex', '-c', cubin], check=True,
                          capture_output=True, text=True).stdout
    return registers, text


def functions_of(root, folder='kernels'):
    """file -> [(first line, last line, name)] of the functions, found by the layout of the sources."""
    found = {}
    for path, _, files in os.walk(os.path.join(root, folder)):
        for name in files:
            rows, start = [], None
            for number, line in enumerate(open(os.path.join(path, name)), 1):
                head = re.match(r'[A-Za-z][\w\s*<>,()]*?\b(\w+)\(', line)
                if head and not line.rstrip().endswith(';'):
                    start = (number, head.group(1))
                elif line.startswith('}') and start:
                    rows.append((start[0], number, start[1]))
                    start = None
            found[name] = rows
    return found


class Instruction:
    def __init__(self, text, control, inside):
        self.inside = inside  # the functions that it comes from
        guard = re.match(r'@!?U?P\w+\s+', text)
        self.guarded = guard is not None
        text = text[guard.end():] if guard else text
        self.op, _, self.rest = text.partition(' ')
        self.name = self.op.split('.')[0]
        target = re.search(r'`\((\S+)\)', self.rest)
        self.target = target.group(1) if target else None
        self.stall = control & 15
        self.lets_go = control >> 5 & 7    # the barrier that its result frees, 7: none
        self.has_read = control >> 8 & 7   # the barrier that is freed when its operands are read
        self.waits = [b for b in range(6) if control >> 11 + b & 1]


class Kernel:
    def __init__(self):
        self.code, self.labels = [], {}


def kernels(text, functions):
    """name -> Kernel"""
    found, kernel, pending, inside, fresh = {}, None, None, frozenset(), []
    for line in text.split('\n'):
        section = re.match(r'\s*\.section\s+\.text\.(\S+?),', line)
        if section:
            kernel = found.setdefault(section.group(1), Kernel())
        if kernel is None:
            continue
        place = re.match(r'\s*//## File "([^"]+)", line (\d+)', line)
        label = re.match(r'(\.L_x_\d+|\$\S+):\s*$', line)
        code = re.match(r'\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;?\s*/\* 0x[0-9a-f]{16} \*/', line)
        word = re.match(r'\s*/\* 0x([0-9a-f]{16}) \*/', line)
        if place:
            fresh.append((os.path.basename(place.group(1)), int(place.group(2))))
        elif label:
            kernel.labels[label.group(1)] = len(kernel.code)
        elif code:
            if fresh:
                inside = {n for f, at in fresh for a, b, n in functions.get(f, ()) if a <= at <= b}
                fresh = []
            pending = code.group(1)
        elif word and pending:
            kernel.code.append(Instruction(pending, int(word.group(1), 16) >> 41, inside))
            pending = None
    return found


# ---- rounds of loops -----------------------------------------------------------------------


def is_beside(block, beside):
    """Whether most of a block is of the functions `beside`, and no stage of a step before the last is in it."""
    return 2 * sum(bool(i.inside & beside) for i in block) > len(block) and not any(
        'rk4_stage' in i.inside for i in block)


def offset_of(load):
    found = re.search(r'\+(-?0x[0-9a-f]+)\]', load.rest)
    return int(found.group(1) if found else '0', 16)


def loads_own_constants(block):
    """Whether a block only loads constants of which each lane has its own; equal links share one record."""
    return all(i.name != 'DFMA' for i in block) and any(own_constant(i) for i in block)


def own_constant(i):
    return i.name == 'LDG' and 'link_load' in i.inside and offset_of(i) >= 256


def left_out(block, beside):
    """Whether a round jumps over a block: blocks mostly of the functions `beside`, constants of links that differ,
    slow paths of divisions, and blocks that neither multiply nor store, such as links beside and the ends of short
    pieces."""
    if is_beside(block, beside) or loads_own_constants(block):
        return True
    names = [i.name for i in block]
    useful = 'DFMA' in names or 'DMUL' in names or 'STG' in names or 'EXIT' in names
    return 'CALL' in names and len(block) < SLOW or not useful and (names.count('DADD') >= 20 or 'DSETP' in names)


def round_of(kernel, first, last, beside):
    """The instructions of one round of the loop first..last, with inner loops once, without the functions `beside`."""
    trace, at = [], first
    while at <= last:
        i = kernel.code[at]
        goal = kernel.labels.get(i.target, -1) if i.name == 'BRA' else -1
        jumps = at + 1 < goal <= last and (not i.guarded or left_out(kernel.code[at + 1:goal], beside))
        if not (i.guarded and own_constant(i)):
            trace.append((i, jumps))
        at = goal if jumps else at + 1
    return trace


def find_round(kernel, function, least=10, needs=None, beside=frozenset()):
    """A round of the smallest loop that has most code of a function, at least `least` products and, if given, the
    instruction `needs`; without the functions `beside`."""
    best, all_of_it = None, sum(function in i.inside for i in kernel.code)
    for last, i in enumerate(kernel.code):
        first = kernel.labels.get(i.target, last + 1) if i.name == 'BRA' else last + 1
        body = kernel.code[first:last + 1]
        mine = 2 * sum(function in j.inside for j in body) > all_of_it
        has = needs is None or any(j.name == needs for j in body)
        products = sum(j.name == 'DFMA' and not j.inside & beside for j in body)
        if mine and has and products >= least and (
                best is None or len(body) < best[1] - best[0]):
            best = (first, last + 1)
    if best is None:
        raise SystemExit(f'gpu-predict: no loop of {function} in the assembly')
    return round_of(kernel, best[0], best[1] - 1, beside)


def straight(kernel, function):
    """The code of a function without loops."""
    mine = [n for n, i in enumerate(kernel.code) if function in i.inside]
    return round_of(kernel, mine[0], mine[-1], frozenset())


def counts(trace):
    names = [i.name for i, _ in trace]
    return {k: names.count(k) for k in KINDS}


def near_loads(trace):
    """Loads that hit the first level of cache: of records that lanes or neighbours share, recognized by fields
    that are less than a row of lanes apart."""
    set_at, loads = {}, []  # where each register was written last; loads with their addresses
    for n, (i, _) in enumerate(trace):
        if i.name == 'LDG':
            base = re.search(r'\[(R\d+)', i.rest)
            loads.append((n, i, base and (base.group(1), set_at.get(base.group(1)))))
        result = re.match(r'(?:P\d+, )?(R\d+)', i.rest)
        if result and i.name not in ('STG', 'STS', 'CCTL', 'BRA'):
            set_at[result.group(1)] = n

    def row(i):
        return '.64' in i.op and offset_of(i) % 256 == 0
    shared = {base for _, i, base in loads if '.64' in i.op and not row(i)}
    return {n for n, i, base in loads if '.64' not in i.op or not row(i) or base in shared}


def finish(trace, warps, rounds, far, crowded):
    """Cycles until the last warp has finished `rounds` rounds."""
    near, units, size, now = near_loads(trace), {}, len(trace), 0
    more = {'memory': 4 if crowded else 0}
    at, free, freed = [0] * warps, [0] * warps, [[0] * 8 for _ in range(warps)]
    while min(at) < rounds * size:
        best = None
        for w in range(warps):
            if at[w] < rounds * size:
                i = trace[at[w] % size][0]
                unit = HOLDS.get(i.name, (None, 0))[0]
                start = max([free[w], now, units.get(unit, 0)] + [freed[w][b] for b in i.waits])
                if best is None or (start, at[w]) < best[:2]:
                    best = (start, at[w], w)
        start, n, w = best
        i, jumps = trace[n % size]
        unit, hold = HOLDS.get(i.name, (None, 0))
        name = ('near' if n % size in near else 'far') if i.name == 'LDG' else i.name
        time = far if name == 'far' else TIMES.get(name, TIMES['other'])
        freed[w][i.lets_go] = max(freed[w][i.lets_go], start + time)
        freed[w][i.has_read] = max(freed[w][i.has_read], start + TIMES['other'])
        if unit:
            units[unit] = start + hold + more.get(unit, 0)
        again = n % size == size - 1
        stop = TIMES['BAR'] if i.name == 'BAR' else 0
        free[w] = start + max(i.stall, 1, stop) + (TAKEN if jumps or again else 0)
        now, at[w] = start + 1, n + 1
    return max(max(free), now)


def cycles(trace, warps, far=TIMES['far'], crowded=False):
    """Cycles of one round of all warps of a quarter, after the first round; `far`: cycles of a load from the
    second level of cache or from memory; `crowded`: all quarters of the multiprocessor are at work."""
    last, first = finish(trace, warps, 4, far, crowded), finish(trace, warps, 1, far, crowded)
    return (last - first) / 3
