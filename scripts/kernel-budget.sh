#!/usr/bin/env bash
# Compares what the compiler makes of the CUDA kernels with kernels/cuda/budget.txt: registers of a thread on each
# architecture and the warps that then fit on a multiprocessor; no stack, no spills. Kernels of one thread, with rotors and of
# riccati may have stack, except the bare ones. Compiles all kernels, which takes a few minutes on two processors. The exit
# status is 77, skipped, without nvcc or if its release is not that of the table.
# usage: kernel-budget.sh [--write | ARCHITECTURE...]     --write: writes the table anew; 90: checks sm_90 alone
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

table=kernels/cuda/budget.txt
architectures=(80 90 100)
if (($# > 0)) && [[ $1 != --write ]]; then
    architectures=("$@")
fi

nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc || true)
if [[ -z $nvcc ]]; then
    echo "kernel budget: skipped, no nvcc"
    exit 77
fi
release=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
written=$(sed -n 's/^# CUDA \([0-9.]*\)$/\1/p' "$table" 2>/dev/null || true)
if [[ ${1:-} != --write && $release != "$written" ]]; then
    echo "kernel budget: skipped, the table is for CUDA ${written:-nothing}, this is CUDA $release"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
codes=()
for architecture in "${architectures[@]}"; do
    codes+=(-gencode "arch=compute_$architecture,code=sm_$architecture")
done
compile() {
    local own="$work/$(basename "$1" .cu)"
    mkdir "$own"
    "$nvcc" -fatbin "${codes[@]}" -std=c++17 -O3 -DNDEBUG -I. -Iinclude -Xptxas -v --keep --keep-dir "$own" \
        -o "$own/fatbin" "$1" >"$own/said" 2>&1 || { cat "$own/said"; touch "$work/failed"; }
}
for file in kernels/cuda/*.cu; do
    while (($(jobs -rp | wc -l) >= $(nproc))); do
        wait -n || true
    done
    compile "$file" &
done
wait
[[ ! -e $work/failed ]] || exit 1
cat "$work"/*/said >"$work/ptxas"
cat "$work"/*/*.ptx >"$work/ptx"

# One line per kernel and architecture: kernel, architecture, registers, stack, spills, shared bytes, threads
# of a block (0: no launch bounds).
awk '
    FNR == NR {
        if (match($0, /\.entry +[A-Za-z0-9_]+/)) { n = split(substr($0, RSTART, RLENGTH), w, " "); entry = w[n] }
        if ($1 == ".maxntid") threads[entry] = $2 + 0
        next
    }
    /Compiling entry function/ { split($0, w, "\047"); kernel = w[2]; on = substr(w[4], 4) }
    /bytes stack frame/ { stack = $1; spills = $5 + $9 }
    / Used [0-9]+ registers/ {
        shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0
        sub(/.* Used /, "")
        print kernel, on, $1 + 0, stack, spills, shared, threads[kernel] + 0
    }' "$work/ptx" "$work/ptxas" | sort -k1,1 -k2,2n >"$work/found"

# Warps that fit, computed as in cuda_occupancy.h: warps get registers in units of 256 from four quarters of
# 16384 each; at most 32 blocks and 64 warps; shared memory of 164 or 228 KiB, of which each block loses one KiB.
awk '
    function least(a, b) { return a < b ? a : b }
    {
        a_warp = int(($3 * 32 + 255) / 256) * 256
        in_block = $7 > 0 ? int(($7 + 31) / 32) : 1
        blocks = least(32, int(least(64, int(16384 / a_warp) * 4) / in_block))
        if ($6 > 0) blocks = least(blocks, int(($2 == 80 ? 164 : 228) * 1024 / ($6 + 1024)))
        print $0, blocks * in_block
    }' "$work/found" >"$work/fitting"

if [[ ${1:-} == --write ]]; then
    {
        echo "# What the compiler makes of the CUDA kernels; scripts/kernel-budget.sh checks and writes it. Threads of"
        echo "# a block; registers of a thread and warps that fit on a multiprocessor, on sm_80, sm_90 and sm_100."
        echo "# CUDA $release"
        awk '
            { key = sprintf("%-24s %4d", $1, $7); if (!(key in row)) order[++n] = key }
            { row[key] = row[key] sprintf("   %4d %3d", $3, $8) }
            END { for (i = 1; i <= n; i++) print order[i] row[order[i]] }' "$work/fitting"
    } >"$table"
fi

awk -v table="$table" '
    function wrong(text) { print "kernel budget: " text; breaches++ }
    FNR == NR {
        if ($1 !~ /^#/ && NF > 0) {
            listed[$1] = 1; threads[$1] = $2
            registers[$1, 80] = $3; warps[$1, 80] = $4
            registers[$1, 90] = $5; warps[$1, 90] = $6
            registers[$1, 100] = $7; warps[$1, 100] = $8
        }
        next
    }
    {
        seen[$1] = 1
        own = $1 " on sm_" $2
        if ($4 + $5 > 0 && ($1 !~ /junction|armed|riccati/ || $1 ~ /bare/))
            wrong(own ": " $4 " bytes of stack, " $5 " of spills; the kernel must use registers only")
        if ($7 == 0) wrong($1 ": give the kernel __launch_bounds__, the threads of its block")
        if (!($1 in listed)) {
            if (!missing[$1]++)
                wrong($1 " is not in " table "; add it: scripts/kernel-budget.sh --write")
        } else if ($3 > registers[$1, $2] || $8 < warps[$1, $2] || $7 != threads[$1]) {
            wrong(own ": " $3 " registers in blocks of " $7 ", " $8 " warps fit; the budget is " \
                registers[$1, $2] " in blocks of " threads[$1] ", " warps[$1, $2] " warps. Make it " \
                "smaller, or accept it by scripts/kernel-budget.sh --write and say why in the commit")
        }
        kernels[$1] = 1
    }
    END {
        for (kernel in listed)
            if (!(kernel in seen)) wrong(kernel " is in " table ", but there is no such kernel; remove it")
        for (kernel in kernels) count++
        if (count == 0) wrong("the output of the compiler has no kernels")
        if (breaches > 0) exit 1
        print "kernel budget: " count " kernels are within the budget on sm_" on
    }' on="${architectures[*]}" "$table" "$work/fitting"
