#!/usr/bin/env bash
# riccatree compare --reference dense: with an accelerator, and with each of its parts missing in turn, which gives one line with
# advice.
# usage: t58_dense_cli.sh RICCATREE JSON_GET EMULATED_FOLDER STAND_INS_FOLDER
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"
emulated=$3
stand_ins=$4
compare=(compare random --bodies 30 --perturb 1)

# ---- all there
export RICCATREE_PLUGINS=$emulated LD_LIBRARY_PATH=$stand_ins
works "${compare[@]}" --reference dense --json
equals base dense
equals entries.7.name dense
equals entries.7.available true
equals entries.7.repeats 1
for entry in 0 1 2 3 4 6; do
    holds "entries.$entry.largest" 'x < 1e-10'
done
holds entries.4.largest 'x < 1e-14'
works "${compare[@]}" --reference dense
shows '^dense +0\.00e\+00'

# ---- opened only on demand
works "${compare[@]}" --json
equals entries.# 7
works "${compare[@]}" --reference none --json
equals entries.# 4

# ---- no plugin, no device
mkdir none
RICCATREE_PLUGINS=$work/none refuses 2 '^riccatree: dense: no accelerator for dense systems: cuda cannot run here: it was not built, or its plugin is not beside the library; use the reference lagrange, which needs none$' \
    "${compare[@]}" --reference dense
RCT_EMULATION="device=none" refuses 2 \
    '^riccatree: dense: no accelerator for dense systems: cuda cannot run here: no NVIDIA GPU; use the reference lagrange, which needs none$' \
    "${compare[@]}" --reference dense

# ---- no library, a damaged one, or another one
for name in libcusolver.so.12 libcusolver.so.11; do
    echo nothing >"none/$name"
done
missing='^riccatree: dense: dense systems on the device need cuSOLVER, and no libcusolver.so.12 or .11 can be loaded; install the libraries of CUDA or set LD_LIBRARY_PATH to their directory$'
LD_LIBRARY_PATH=$work/none:$stand_ins refuses 2 "$missing" "${compare[@]}" --reference dense
cp "$stand_ins/libcublas.so.13" none/libcusolver.so.12
LD_LIBRARY_PATH=$work/none:$stand_ins refuses 2 "$missing" "${compare[@]}" --reference dense

# ---- a call that the library refuses
for call in getrf getrs; do
    CUSOLVER_WRONG=$call refuses 1 \
        "^riccatree: dense: cuSOLVER failed: cusolverDnD$call would not take its argument 2\$" \
        "${compare[@]}" --reference dense
done

# ---- too large, no memory on the device, the device lost
refuses 2 '^riccatree: dense: 36000 unknowns are too many for a dense matrix, which has at most 32760; ' \
    compare chain --bodies 4000 --reference dense --backend cpu
RCT_EMULATION="memory=65536" refuses 1 '^riccatree: dense: the device does not have 1 MB for a dense system; use a smaller model$' \
    "${compare[@]}" --reference dense --backend cpu
RCT_EMULATION="lose_at_call=12" refuses 1 '^riccatree: (dense: )?backend cuda failed while ' \
    "${compare[@]}" --reference dense --backend cpu
finish
