#!/usr/bin/env bash
# riccatree check: a recording, an ensemble and a checkpoint that are intact, damaged, of an older version, or being written; and
# operations refused while another run writes.
# usage: t94_check.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

# flip FILE AT: changes this byte.
flip() {
    local old
    old=$(od -An -j"$2" -N1 -tu1 "$1")
    printf "\\x$(printf %x $((old ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# ---- whole
works run chain --bodies 5 --t-end 0.02 --frames 5 --out a.h5 --checkpoint a.ck --checkpoint-every 3
works ensemble chain --bodies 3 --members 4 --perturb 0.1 --t-end 0.01 --out e.h5
works check a.h5
shows '^kind +recording$'
shows '^frames +5 of 5, complete$'
shows '^checked +the whole file is as it was written$'
works check a.h5 --json
equals kind recording
equals room 5
equals written 5
equals complete true
equals checked true
works check e.h5
shows '^kind +ensemble$'
shows '^members +4 of 4, complete$'
works check a.ck
shows '^kind +checkpoint$'

# ---- damaged: bytes of numbers, of the structure, of the seal; cut short
for file in a.h5 e.h5; do
    size=$(stat -c %s "$file")
    for at in 3 20 600 5000 $((size / 2)) $((size - 3)); do
        cp "$file" bad.h5
        flip bad.h5 "$at"
        refuses 2 '^riccatree: bad.h5: is ' check bad.h5
    done
    head -c $((size / 3)) "$file" >bad.h5
    refuses 2 'bad.h5: is damaged, or was changed by another program: its seal is broken' check bad.h5
done
flip a.ck 1500
refuses 2 'a.ck: is damaged: its checksum is' check a.ck
echo '{}' >text
refuses 2 'text: is not a recording, an ensemble, a model in HDF5 or a checkpoint: it does not begin like' check text
refuses 2 'none.h5: ' check none.h5
refuses 2 'check needs a FILE' check

# ---- of an older version: read, with a warning
for file in recording ensemble; do
    run check "$here/../record/older/$file.h5"
    expect "exit status $status, not 0" test "$status" = 0
    shows '^checked +no: it has no checksums$'
    expect "no warning" grep -qE '^riccatree: warning: .*/older/.*\.h5 has no checksums' err
done
run summary "$here/../record/older/ensemble.h5"
expect "exit status $status, not 0" test "$status" = 0
expect "no warning" grep -qE '^riccatree: warning: .*ensemble.h5 has no checksums' err

# ---- while it is written
"$riccatree" run chain --bodies 9 --t-end 100000 --frames 100000 --out live.h5 --checkpoint live.ck --checkpoint-every 10 \
    >live.out 2>&1 &
process=$!
for ((i = 0; i < 600; i++)); do
    [[ ! -e live.ck ]] || break
    sleep 0.1
done
refuses 2 'live.ck: another run writes this checkpoint; wait until that run is done' resume live.ck
refuses 2 'live.ck: another run writes this checkpoint' run chain --checkpoint live.ck --overwrite
refuses 2 'live.h5: another process writes to it' run chain --out live.h5 --overwrite
works check live.h5
shows '^frames +[0-9]+ of 100000, incomplete$'
kill -KILL "$process"
wait "$process" 2>/dev/null
works check live.h5
works run chain --bodies 9 --t-end 0.02 --checkpoint live.ck --overwrite
expect "a part or a lock is left" test -z "$(find . -name '*.part' -o -name '*.lock')"

# ---- replaced files keep their mode
for file in a.h5 live.ck; do
    chmod 600 "$file"
done
works run chain --bodies 5 --t-end 0.02 --out a.h5 --checkpoint live.ck --overwrite
for file in a.h5 live.ck; do
    expect "$file has another mode" test "$(stat -c %a "$file")" = 600
done
finish
