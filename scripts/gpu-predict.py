#!/usr/bin/env python3
"""Predicts the time of an evaluation on an H200 from the assembly of the kernels: the tables of docs/gpu.md.

    scripts/gpu-predict.py                   print the tables
    scripts/gpu-predict.py --write FILE      put them into FILE, between its lines <!-- gpu-predict ... -->
    scripts/gpu-predict.py --check FILE      exit status 1 if a number there is more than a tenth off, and
                                             the tables are of the same release of nvcc

Needs nvcc and nvdisasm: on PATH, in /usr/local/cuda/bin, named by the environment variables NVCC and NVDISASM, or
nvdisasm from the Python package nvidia-cuda-nvdisasm. The exit status is 77 without them. Counts are facts of the
assembly. Times are predictions: scripts/gpu_sass.py times the rounds of a loop; the constants and functions below
make an evaluation of rounds. A kernel takes START plus the longer of the times of its rounds and of its bytes.
`--root DIR` reads the kernels of another checkout.
"""
import math
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import gpu_sass  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SMS, CLOCK = 132, 1.98e9      # multiprocessors, Hz
REGISTERS, QUARTERS = 65536, 4  # of a multiprocessor
CACHE, CACHE_RATE = 50e6, 5.5e12  # bytes, bytes/s: second level
MEMORY_RATE, MEMORY_TIME = 4.3e12, 479  # bytes/s, cycles
START = 1.5e-6   # s, between two kernels of a graph: from the last block of one to the first block of the next
PIECES, LONERS, GROUP, WARP = 128, 512, 4, 32  # kernels/cuda/system.h
THREADS, SHORT, LONG = 33792, 3, 64            # src/backend/cuda/run.c
SPAN, PAIR = 27 * 8, 32                        # bytes
# Bytes per link, averaged over the four stages of a step: state and places; state, base and sum; scratch.
CONDENSED, ADVANCED, SCRATCH = 64, 208, 96
# Likewise for revolute links of arms: states read three times and advanced, and places; scratch held, scratch moved.
ARM_LINKS, ARM_ADVANCED, ARM_SCRATCH, ARM_MOVED = 7, 116, 120, 304

# role: kernel, function, key in BESIDE of the functions that its rounds leave out
FUNCTIONS = {
    'condense': ('condense_bare_pieces', 'narrow_over', 'open inner'),
    'condense first': ('condense_bare_pieces', 'narrow_over', 'open first'),
    'take': ('condense_bare_pieces', 'take_span', None),
    'compose': ('condense_bare_pieces', 'compose_pair', None),
    'compose level': ('condense_bare_pieces', 'compose_pair', None),
    'open': ('accelerate_bare_pieces', 'close_pair', 'close'),
    'open level': ('accelerate_bare_pieces', 'close_pair', 'close'),
    'inward again': ('accelerate_bare_pieces', 'narrow_over', 'inner'),
    'inward first': ('accelerate_bare_pieces', 'narrow_over', 'first'),
    'outward': ('accelerate_bare_pieces', 'narrow_outward', 'inner'),
    'outward first': ('accelerate_bare_pieces', 'narrow_outward', 'first'),
    'bush condense': ('bare_condense', 'narrow_over', 'inner'),
    'bush inward': ('bare_accelerate', 'narrow_over', 'inner'),
    'bush outward': ('bare_accelerate', 'narrow_outward', 'inner'),
    'arm frames': ('accelerate', 'wide_outward_frames', 'arm'),
    'arm inward': ('accelerate', 'wide_inward', 'arm'),
    'arm outward': ('accelerate', 'wide_finish_type', 'arm'),
}
KERNELS = {'condense_bare_pieces': PIECES, 'accelerate_bare_pieces': PIECES, 'bare_condense': WARP,
           'bare_accelerate': WARP}  # threads of a block
SAME = ('take', 'compose', 'compose level', 'open', 'open level')  # in both methods
# In inner rows no path begins. In first rows pieces continue others, and no row is inboard.
BESIDE = {
    None: frozenset(),
    'close': frozenset(('reach_pair', 'abi_reach_by_column')),
    'inner': frozenset(('sweep_note', 'narrow_add_twigs', 'narrow_clear', 'narrow_hang_beside',
                        'narrow_hang_others', 'narrow_leave', 'narrow_leave_points', 'narrow_leave_results',
                        'narrow_on_trunk', 'narrow_pose_gather', 'narrow_pose_select', 'narrow_reaching', 'rk4_last_stage')),
    'first': frozenset(('wide_handle_select', 'wide_handle_store', 'sweep_note', 'narrow_add_twigs',
                        'narrow_hang_others', 'narrow_leave_beside', 'narrow_leave_points',
                        'narrow_leave_results', 'narrow_leave_twigs', 'narrow_next', 'narrow_on_trunk',
                        'narrow_reaching_others', 'narrow_record', 'rk4_last_stage')),
    # Nothing acts on arms, and no path hangs on them.
    'arm': frozenset(('path_above', 'path_kid_share', 'path_leave', 'path_leave_at', 'path_leave_frame',
                      'path_leave_motion', 'path_leave_share', 'path_reaching', 'rk4_last_stage', 'row_act',
                      'row_keep_action', 'row_keep_wrench', 'row_write_results', 'sweep_note', 'wide_add_kids',
                      'wide_law_add')),
}
PREFETCHED = ('condense', 'inward again')  # all that they load from far
# Open ends leave only the gains of side paths.
GAINS = {'abi_gain_of', 'mat3_store', 'narrow_keeps_turn', 'scratch_row', 'sweep_of_group'}
BESIDE.update({f'open {k}': BESIDE[k] | GAINS for k in ('inner', 'first')})
# kernels/cuda/*_{method}.cu: options of the compiler. Arms have the case of revolute hinges alone.
SOURCES = {'pieces': (), 'bare': (), 'plain': ('-DONE_HINGE=RCT_HINGE_REVOLUTE',)}


class Method:
    """The rounds and registers of the kernels of a method."""

    def __init__(self, root, name, folder):
        self.name, self.registers, found = name, {}, {}
        functions = gpu_sass.functions_of(root)
        for source, options in SOURCES.items():
            registers, text = gpu_sass.compile_kernels(root, f'kernels/cuda/{source}_{name}.cu', folder, *options)
            self.registers.update(registers)
            found.update(gpu_sass.kernels(text, functions))
        whole = f'rct_accelerate_{name}'  # with the cases of all hinges
        self.registers[whole] = self.budget(root, whole)
        self.code = {kernel: 16e-3 * len(found[f'rct_{kernel}_{name}'].code) for kernel in KERNELS}
        self.rounds = {role: self.round(found[f'rct_{kernel}_{name}'], role, function, BESIDE[beside])
                       for role, (kernel, function, beside) in FUNCTIONS.items()}
        self.known = {}

    @staticmethod
    def budget(root, kernel):
        with open(os.path.join(root, 'kernels/cuda/budget.txt')) as file:
            return int(re.search(rf'^{kernel} +\d+ +\d+ +\d+ +(\d+)', file.read(), re.M).group(1))

    @staticmethod
    def round(kernel, role, function, beside):
        if role == 'take':
            return gpu_sass.straight(kernel, function)
        return gpu_sass.find_round(kernel, function, needs='BAR' if role.endswith('level') else None,
                                   beside=beside)

    def cycles(self, role, warps, far=263, crowded=False):
        key = (role, max(warps, 1), far, crowded)
        if key not in self.known:
            self.known[key] = gpu_sass.cycles(self.rounds[role], *key[1:])
        return self.known[key]

    def resident(self, kernel, threads):
        """The number of blocks that a multiprocessor holds."""
        used = math.ceil(self.registers[f'rct_{kernel}_{self.name}'] / 8) * 8
        return REGISTERS // (used * threads)


# ---- kernels -------------------------------------------------------------------------------


def waves(blocks, resident):
    """The numbers of blocks that a multiprocessor holds one after the other, until all have run."""
    while blocks > 0:
        now = min(blocks, resident * SMS)
        yield math.ceil(now / SMS)
        blocks -= now


def seconds(cycles, traffic):
    """traffic: (bytes, whether they come from memory)"""
    moved = sum(b / (MEMORY_RATE if far else CACHE_RATE) for b, far in traffic)
    return max(cycles / CLOCK, moved), 'bytes' if moved > cycles / CLOCK else 'waits'


def sweep(method, kernel, blocks, warps, rounds, far):
    """Cycles of a kernel whose blocks have `warps` warps; rounds: (role, times, active warps of a block), or a
    function of the number of blocks on a multiprocessor."""
    total = 0
    for b in waves(blocks, method.resident(kernel, warps * WARP)):
        for one in rounds:
            if callable(one):
                total += one(b)
                continue
            role, times, active = one
            at_work = b * active
            total += times * method.cycles(role, math.ceil(at_work / QUARTERS),
                                           gpu_sass.TIMES['far'] if role in PREFETCHED else far,
                                           at_work >= QUARTERS)
    return total


def levels_of(method, role, pairs, threads, blocks=1):
    """Cycles of levels with `pairs` pairs in a block, with `blocks` blocks on a multiprocessor."""
    total = 0
    for count in pairs:
        warps = min(math.ceil(count * GROUP / WARP), threads // WARP) * blocks
        rounds = math.ceil(count * GROUP / threads)
        at = (math.ceil(warps / QUARTERS), gpu_sass.TIMES['far'], warps >= QUARTERS)
        total += method.cycles(f'{role} level', *at) + (rounds - 1) * method.cycles(role, *at)
    return total


def copy(size, threads, blocks=1, far=263):
    """Cycles to copy `size` bytes per block between shared and global memory, 16 bytes per thread at once."""
    return far + math.ceil(size / 16 / threads) * 2 * 8 * math.ceil(threads / WARP * blocks / QUARTERS)


def halves(spans):
    """The pairs of each level, until one span is left."""
    while spans > 1:
        yield spans // 2
        spans = math.ceil(spans / 2)


def upper_levels(method, spans, threads, opened=None):
    """Cycles of one block that composes and opens the upper levels; it opens at most `opened` pairs of a level."""
    pairs = list(halves(spans))
    total = copy(spans * SPAN + sum(pairs) * PAIR, threads)
    total += levels_of(method, 'compose', pairs, threads)
    return total + levels_of(method, 'open', [min(n, opened or n) for n in pairs], threads), len(pairs)


def piece_length(links):
    return max(SHORT, min(LONG, math.ceil(links / THREADS)))


class Evaluation:
    """A chain of `links` links in pieces of `length`."""

    def __init__(self, method, links, length):
        pieces = math.ceil(links / length)
        pieces = math.ceil(pieces / 16) * 16 if pieces > 16 else pieces
        steps = math.ceil(links / pieces)
        blocks = math.ceil(pieces / PIECES)
        by_block = blocks <= SMS
        held = links * (56 * 3 + SCRATCH) + 2 * pieces * SPAN
        far = held > CACHE
        time = MEMORY_TIME if far else gpu_sass.TIMES['far']
        lower = list(halves(min(PIECES, pieces)))
        held, warps = min(PIECES, pieces), math.ceil(min(PIECES, pieces) / WARP)
        spans = (2 * held - 1) * SPAN
        condense = sweep(method, 'condense_bare_pieces', blocks, PIECES // WARP,
                         [('condense', steps - 1, warps), ('condense first', 1, warps), ('take', 1, warps),
                          lambda b: levels_of(method, 'compose', lower, PIECES, b) + copy(spans, PIECES, b)],
                         time)
        upper, self.levels = upper_levels(method, blocks, *((PIECES, 1) if by_block else (LONERS,)))
        accelerate = sweep(method, 'accelerate_bare_pieces', blocks, PIECES // WARP,
                           [lambda b: 2 * time + copy(spans, PIECES, b, time) +
                            levels_of(method, 'open', lower, PIECES, b),
                            ('inward again', steps - 1, warps), ('inward first', 1, warps),
                            ('outward', steps - 1, warps), ('outward first', 1, warps)], time)
        spans *= blocks
        self.levels += len(lower)
        resident = min(method.resident('accelerate_bare_pieces', PIECES) * SMS, blocks) * PIECES
        spills = resident * steps * SCRATCH > CACHE
        self.length, self.pieces, self.far = steps, pieces, far
        self.parts = {
            'condense': seconds(condense, [(links * CONDENSED + spans, far)]),
            'upper levels': seconds(upper, []),
            'accelerate': seconds(accelerate, [(links * ADVANCED + spans, far),
                                               (2 * links * SCRATCH, spills)])}
        self.launches = 2 if by_block else 3

    def add_side_trees(self, method):
        """The two links beside the chain of the branch system: two more rows, condensed and outward, for the
        warp that has them."""
        rows = sum(2 * method.cycles(work, 1) for work in ('condense', 'outward'))
        self.parts['side trees'] = (rows / CLOCK, 'waits')
        return self

    def total(self):
        return sum(t for t, _ in self.parts.values()) + START * self.launches


def batch(method, kernel, rounds, systems, held, moved):
    """Small systems, one for each lane, in one launch: seconds, and which of the two bounds holds. held, moved: bytes
    of a system."""
    far = systems * held > CACHE
    time = MEMORY_TIME if far else gpu_sass.TIMES['far']
    return seconds(sweep(method, kernel, math.ceil(systems / WARP), 1, rounds, time), [(systems * moved, far)])


def chains(method, systems, links=32):
    return batch(method, 'bare_accelerate', [('bush inward', links, 1), ('bush outward', links, 1)], systems,
                 links * (56 * 3 + SCRATCH), links * (ADVANCED + 2 * SCRATCH))


def arms(method, systems):
    rounds = [(f'arm {pass_}', ARM_LINKS, 1) for pass_ in ('frames', 'inward', 'outward')]
    return batch(method, 'accelerate', rounds, systems, ARM_LINKS * (16 * 3 + ARM_SCRATCH),
                 ARM_LINKS * (ARM_ADVANCED + ARM_MOVED))


# ---- tables --------------------------------------------------------------------------------


def row(*cells):
    return '| ' + ' | '.join(str(c) for c in cells) + ' |'


def table(head, rows):
    return [row(*head), row(*(['---'] + ['---:'] * (len(head) - 1)))] + [row(*r) for r in rows] + ['']


def rounds_table(methods):
    head = ['a round of', 'DFMA', 'DMUL', 'DADD', 'roots', 'loads', 'stores', 'shared', 'all',
            'flops', '1 warp', '2', '3']
    rows = []
    for m in methods:
        for role, trace in m.rounds.items():
            if m.name == 'riccati' and role in SAME:
                continue
            n = gpu_sass.counts(trace)
            rows.append([f'{m.name}: {role}', n['DFMA'], n['DMUL'], n['DADD'], n['MUFU'], n['LDG'],
                         n['STG'], n['LDS'] + n['STS'], len(trace), 2 * n['DFMA'] + n['DMUL'] + n['DADD']] +
                        [round(m.cycles(role, w)) for w in (1, 2, 3)])
    return table(head, rows)


def registers_table(methods, release):
    rows = []
    for m in methods:
        for kernel, threads in KERNELS.items():
            name = f'rct_{kernel}_{m.name}'
            rows.append([name, m.registers[name], m.resident(kernel, threads) * threads // WARP,
                         round(m.code[kernel])])
    return table([f'nvcc {release}: kernel', 'registers', 'warps of a multiprocessor', 'code, kB'], rows)


def us(part):
    time, why = part
    return f'{1e6 * time:.1f}' + (' (bytes)' if why == 'bytes' else '')


def systems_table(methods):
    head = ['system', 'links a piece', 'levels', 'condense', 'upper levels', 'accelerate', 'side trees',
            'launches', 'together, us']
    rows = []
    for name, links in (('branch, 33,334', 33334), ('chain, 33,334', 33334), ('chain, 1,000,000', 1000000)):
        for m in methods:
            e = Evaluation(m, links, piece_length(links))
            e = e.add_side_trees(m) if name.startswith('branch') else e
            rows.append([f'{name}, {m.name}', e.length, e.levels] +
                        [us(e.parts[k]) if k in e.parts else '' for k in
                         ('condense', 'upper levels', 'accelerate', 'side trees')] +
                        [f'{e.launches} x {1e6 * START:.1f}', f'{1e6 * e.total():.0f}'])
    return table(head, rows)


def lengths_table(methods):
    lengths = (1, 2, 3, 5, 8, 15, 30, 60)
    rows = []
    for links in (33334, 1000000):
        for m in methods:
            rows.append([f'{links:,}, {m.name}'] +
                        [f'{1e6 * Evaluation(m, links, k).total():.0f}' for k in lengths])
    return table(['chain; us with links a piece of'] + [str(k) for k in lengths], rows)


def batches_table(methods, of, numbers, head, each=1):
    """each: what is counted of a system"""
    rows = []
    for m in methods:
        for systems in numbers:
            part = of(m, systems)
            total = part[0] + START
            rows.append([f'{systems:,}, {m.name}', us(part), f'{1e6 * total:.0f}',
                         f'{1e-9 * systems * each / total:.2f}'])
    return table([head[0], 'accelerate', 'together, us', head[1]], rows)


def predict(root):
    with tempfile.TemporaryDirectory() as folder:
        methods = [Method(root, name, folder) for name in ('abi', 'riccati')]
    return {'registers': registers_table(methods, gpu_sass.compiler()), 'rounds': rounds_table(methods),
            'systems': systems_table(methods), 'lengths': lengths_table(methods),
            'batches': batches_table(methods, chains, (1000, 10000, 60000, 100000),
                                     ('chains of 32 links', 'G bodies/s'), 32),
            'arms': batches_table(methods, arms, (1000, 10000, 100000, 1000000), ('arms of 7 links', 'G arms/s'))}


# ---- files ---------------------------------------------------------------------------------


def put(text, tables):
    for name, lines in tables.items():
        text = re.sub(rf'(<!-- gpu-predict {name} -->\n).*?(?=<!-- end -->)',
                      lambda found: found.group(1) + '\n' + '\n'.join(lines) + '\n', text, flags=re.S)
    return text


def numbers(cell):
    return [float(n) for n in re.findall(r'\d+\.?\d*', cell.replace(',', ''))]


def check(text, tables):
    """The rows of the file that are missing or differ by more than a tenth."""
    wrong = []
    release = re.search(r'nvcc ([\d.]+): kernel', text)
    if release and release.group(1) != gpu_sass.compiler():
        print(f'gpu-predict: the tables are for nvcc {release.group(1)}, not compared')
        return wrong
    for name, lines in tables.items():
        found = re.search(rf'<!-- gpu-predict {name} -->\n(.*?)<!-- end -->', text, re.S)
        theirs = [line for line in found.group(1).split('\n') if line] if found else []
        mine = [line for line in lines if line]
        if len(theirs) != len(mine):
            wrong.append(f'{name}: {len(theirs)} rows, not {len(mine)}')
        for a, b in zip(theirs, mine):
            pairs = list(zip(numbers(a), numbers(b)))
            if len(numbers(a)) != len(numbers(b)) or any(abs(x - y) > 0.1 * y + 0.1 for x, y in pairs):
                wrong.append(f'{name}: now {b}')
    return wrong


def main():
    words = sys.argv[1:]
    options = dict(zip(words[::2], words[1::2]))
    if len(words) % 2 or any(o not in ('--root', '--write', '--check') for o in options):
        print(__doc__)
        return 2
    for name in ('nvcc', 'nvdisasm'):
        if gpu_sass.tool(name) is None:
            print(f'gpu-predict: skipped, {name} was not found; set {name.upper()} to its path')
            return 77
    tables = predict(options.get('--root', ROOT))
    if '--write' in options:
        with open(options['--write']) as file:
            text = file.read()
        with open(options['--write'], 'w') as file:
            file.write(put(text, tables))
        return 0
    if '--check' in options:
        with open(options['--check']) as file:
            wrong = check(file.read(), tables)
        if wrong:
            wrong.append(f'gpu-predict: update it with --write {options["--check"]} and check its text')
        print('\n'.join(wrong) if wrong else f'gpu-predict: nothing wrong in {options["--check"]}')
        return 1 if wrong else 0
    print('\n'.join(line for lines in tables.values() for line in lines))
    return 0


sys.exit(main())
