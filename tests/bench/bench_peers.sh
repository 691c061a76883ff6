#!/usr/bin/env bash
# bench_peers without peers: it writes all systems, races one against a stand-in, and reports peers that are missing or fail.
# usage: bench_peers.sh BENCH_PEERS PEER_STAND_IN
set -uo pipefail
program=$1 peer=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# says STATUS PATTERN COMMAND...: exits with this status, and the output matches the pattern.
says() {
    local wanted=$1 pattern=$2 status
    shift 2
    "$@" >"$work/said" 2>&1
    status=$?
    if [[ $status != "$wanted" ]] || ! tr '\n' ' ' <"$work/said" | grep -qE -- "$pattern"; then
        echo "bench_peers: $*: exit status $status, said: $(cat "$work/said")"
        wrong=1
    fi
}

says 0 'chain-revolute-1.txt.*chain-ball-33334.txt.*branch-ball-33334.txt.*random-revolute-1000.txt.*arm-revolute-7.txt.*humanoid-revolute-31.txt.*chain-revolute-7-times-512.txt.*humanoid-revolute-31-times-1000.txt' \
    "$program" write open "$work" 40000
[[ ! -e $work/chain-ball-1000000.txt ]] || { echo "bench_peers: more bodies than asked for" && wrong=1; }
says 0 'fourbars-revolute-21.txt.*fourbars-revolute-3-times-10000.txt.*necklace-ball-10000.txt' "$program" write closed "$work"
file=$work/chain-ball-4.txt
race=("$program" race "$file" 1 3 1e-4)
says 0 '^\{"system": "chain-ball-4", "bodies": 4, "freedoms": 12, "loops": 0, "apart": 0, "threads": 1, "rounds": 3, .*"difference": 0, .*"ratio": ' \
    "${race[@]}" "$peer"
says 0 '"threads": 2, .*"difference": 0, .*"ratio": ' "$program" race "$file" 2 3 1e-4 "$peer"
says 0 '"difference": 0\.' env PEER_DOES=other "${race[@]}" "$peer"
says 0 '"difference": null' env PEER_DOES=none "${race[@]}" "$peer"
says 0 "\"left_out\": \"no 'chain-ball-4' here\"" env PEER_DOES=refuse "${race[@]}" "$peer"
says 0 '"left_out": "its call fails"' env PEER_DOES=fail "${race[@]}" "$peer"
says 0 '"left_out": "it asks for more than 17 GB"' \
    env PEER_DOES=refuse "$program" race <(sed '1s/chain-ball-4/bad_alloc/' "$file") 1 3 1e-4 "$peer"
says 0 '"freedoms": 36, .*"difference": 0, .*"ratio": ' "$program" race "$work/humanoid-revolute-31.txt" 1 3 1e-4 "$peer"
says 0 '"bodies": 3584, .*"apart": 1, .*"difference": [0-9.e-]+, .*"ratio": ' \
    "$program" apart "$work/chain-revolute-7-times-512.txt" 1 3 1e-4 "$peer"
closed=("$work/fourbars-revolute-3-times-10.txt" 1 3 1e-4 "$peer")
says 0 '"freedoms": 30, "loops": 10, "apart": 0, .*"difference": 0, .*"ratio": ' "$program" race "${closed[@]}"
says 0 '"loops": 10, "apart": 1, .*"difference": [0-9.e-]+, .*"ratio": ' "$program" apart "${closed[@]}"
says 0 '"loops": 10, .*"peers": \[ *\]' env PEER_DOES=trees "$program" race "${closed[@]}"
says 0 "\"left_out\": \"no 'fourbars-revolute-3-times-10' here\"" env PEER_DOES=refuse "$program" apart "${closed[@]}"
says 0 '"left_out": "its call fails"' env PEER_DOES=fail "$program" apart "${closed[@]}"
says 0 'left out: .*absent.so: .*"riccatree": "[^"]*", "seconds": [0-9.e-]+, "peers": \[ *\]' "${race[@]}" "$work/absent.so"
says 0 'left out: .*bench_peer_here.*"peers": \[ *\]' "${race[@]}" libm.so.6
says 1 'absent.txt: No such file' "$program" race "$work/absent.txt" 1 3 1e-4
says 1 'chain-revolute-1.txt: No such file' "$program" write open "$work/absent"
says 1 'mass' "$program" race <(sed '3s/ 1 0 0 -0.5 / -1 0 0 -0.5 /' "$file") 1 3 1e-4
for words in '' write "write $work" "write shut $work" "write open $work 0" 'race x' "race $file 1 0 1" "race $file 1 65 1" "race $file 1 3 0" "race $file 0 3 1" 'sing x'; do
    # shellcheck disable=SC2086
    says 2 'usage: bench_peers write open.closed FOLDER .MOST. . bench_peers race.apart FILE' "$program" $words
done
exit $wrong
