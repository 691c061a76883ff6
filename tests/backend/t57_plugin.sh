#!/usr/bin/env bash
# The start without an accelerator, in every way it can be absent: no plugin, a damaged or a foreign one, no device, no driver.
# `backends` gives the reason; --backend auto computes on the cpu and says so in one line; --backend cuda is refused.
# usage: t57_plugin.sh RICCATREE JSON_GET EMULATED_FOLDER ODD_FOLDER REAL_PLUGIN STUB_DRIVER
#   REAL_PLUGIN: as nvcc built it, STUB_DRIVER: the toolkit's libcuda.so; either may be no file
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"
emulated=$3
odd=$4
real=$5
stub=$6
whole=$emulated/libriccatree_cuda.so

# told REASON: `backends` gives this reason for the missing cuda backend, as text and as JSON.
told() {
    works backends
    shows "^cuda +not available: $1\$"
    shows '^cpu +available$'
    works backends --json
    equals backends.0.name cuda
    equals backends.0.available false
    expect "reason $(get backends.0.reason)" grep -qE "^$1\$" <(get backends.0.reason)
    equals backends.1.available true
}

# absent REASON [BODIES]: and a run continues on the cpu, with one line, unless --backend cuda is given.
absent() {
    told "$1"
    run run branch --bodies "${2:-334}" --t-end 0.002 --backend auto --json
    expect "exit status $status, not 0" test "$status" = 0
    equals backend cpu
    expect "stderr is not one line" one_line
    expect "stderr is not the reason" grep -qE "^riccatree: warning: cuda: $1; falling back to the cpu\$" err
    refuses 2 "^riccatree: backend \"cuda\" cannot run here: $1; use auto or cpu\$" \
        run branch --bodies 34 --t-end 0.002 --backend cuda
    works run branch --bodies 34 --t-end 0.002 # nobody asked
}

gone='it was not built, or its plugin is not beside the library'
damaged='its plugin is damaged; build or install it again'
unloadable='its plugin cannot be loaded; build it again on this machine'
foreign='its plugin is from another build; build it together with the library'
driverless='no NVIDIA driver, or one too old for this build'

# ---- no plugin, or a damaged one
mkdir plugins
export RICCATREE_PLUGINS=$work/plugins
absent "$gone" 33334
RICCATREE_PLUGINS=$work/nowhere told "$gone"
RICCATREE_PLUGINS=$(printf '/x%.0s' {1..3000}) told "$gone"

size=$(stat -c %s "$whole")
for ((k = 0; k < 40; k++)); do
    lengths+=("$((size * k / 40))")
done
lengths+=(1 63 64 65 200 "$((size - 64))" "$((size - 1))")
for length in "${lengths[@]}"; do
    head -c "$length" "$whole" >plugins/libriccatree_cuda.so
    run backends
    expect "of $length bytes: exit status $status" test "$status" = 0
    expect "of $length bytes: not called damaged" grep -q "^cuda .*$damaged" out
done
absent "$damaged"
echo 'not a plugin, but a text of some length' >plugins/libriccatree_cuda.so
absent "$damaged"
chmod 000 plugins/libriccatree_cuda.so
[[ -r plugins/libriccatree_cuda.so ]] || told "$gone"
rm plugins/libriccatree_cuda.so
mkdir plugins/libriccatree_cuda.so
told "$damaged"

# ---- foreign plugins
for kind in version layout build; do
    RICCATREE_PLUGINS=$odd/$kind absent "$foreign"
done
for kind in symbol unresolved; do
    RICCATREE_PLUGINS=$odd/$kind absent "$unloadable"
done

# ---- an intact plugin, and no device
export RICCATREE_PLUGINS=$emulated
RCT_EMULATION="device=none" absent 'no NVIDIA GPU' 33334
RCT_EMULATION="device=driverless" absent "$driverless"
RCT_EMULATION="device=stub" absent "$driverless"
RCT_EMULATION="lose_at_call=1" told 'the NVIDIA driver does not answer; nvidia-smi may say why'
works backends
shows '^cuda +available$'
works run branch --bodies 34 --t-end 0.002 --backend auto --json
equals backend cpu
works backends branch --bodies 34
shows '^cuda +available, [0-9.]+ us an evaluation \(predicted\)$'
shows '^cpu +available, [0-9.]+ us an evaluation \(predicted\)$'
export RCT_EMULATION="multiprocessors=132"
works info branch --bodies 33334 --threads 1 --json
equals backend cuda
unset RCT_EMULATION
refuses 2 '^riccatree: --bodies is for the predictions of a model; give a MODEL or a FAMILY$' backends --bodies 34
refuses 2 'neither a file nor a family' backends brnch

# ---- several devices
export RCT_EMULATION="devices=2"
works backends
for name in cuda cuda:0 cuda:1 cpu; do
    shows "^$name +available\$"
done
works backends --json
equals backends.# 4
equals backends.2.name cuda:1
works run branch --bodies 34 --t-end 0.002 --backend cuda:1 --json
equals backend cuda
refuses 2 '^riccatree: there is no backend "cuda:2"; use auto or one that `riccatree backends` lists$' \
    run branch --bodies 34 --t-end 0.002 --backend cuda:2
unset RCT_EMULATION

# ---- the plugin that nvcc made
if [[ ! -f $real ]]; then
    echo "the plugin of nvcc: skipped, not built"
elif unset RCT_EMULATION && RICCATREE_PLUGINS=${real%/*} "$riccatree" backends | grep -q '^cuda *available'; then
    echo "the plugin of nvcc without a driver: skipped, this machine has one"
else
    RICCATREE_PLUGINS=${real%/*} absent "($driverless|no NVIDIA GPU)" 33334
    if [[ -f $stub ]]; then
        mkdir stubs
        ln -s "$stub" stubs/libcuda.so.1
        ln -s "$stub" stubs/libcuda.so
        RICCATREE_PLUGINS=${real%/*} LD_LIBRARY_PATH=$work/stubs absent "$driverless"
    fi
    size=$(stat -c %s "$real")
    rmdir plugins/libriccatree_cuda.so
    for ((k = 1; k <= 10; k++)); do
        head -c "$((size * k / 10 - 1))" "$real" >plugins/libriccatree_cuda.so
        RICCATREE_PLUGINS=$work/plugins run backends
        expect "cut to $k tenths: not called damaged" grep -q "^cuda .*$damaged" out
    done
fi
finish
