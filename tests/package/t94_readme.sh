#!/usr/bin/env bash
# The promises of README.md and its pages. The program of docs/c.md is examples/pendulum.c, compiles without warnings and prints
# the lines shown. examples/user_force.c and attach.c agree with the closed form, forward.c with inverse dynamics. run.c prints
# the lines of docs/c.md, ensemble.c those of docs/ensemble.md, with and without a file of results. Command lines run as they are
# written. The tables of comparisons with other libraries are those of docs/peers.md. Every relative link of the documents leads
# to a file.
# usage: t94_readme.sh BUILD_FOLDER   (CC and CFLAGS are respected; works in BUILD_FOLDER/tests/readme)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
work=$build/tests/readme
read -ra flags <<<"${CFLAGS:-}"

fail() {
    echo "t94_readme: $1" >&2
    exit 1
}

# block LANGUAGE DOCUMENT: the blocks of DOCUMENT that are fenced as LANGUAGE.
block() {
    awk -v open="\`\`\`$1" '$0 == "```" { on = 0 } on; $0 == open { on = 1 }' "$root/$2"
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"

block c docs/c.md >pendulum.c
diff "$root/examples/pendulum.c" pendulum.c || fail "the program in docs/c.md is not the example"
# program NAME: made of NAME.c here
program() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror "${flags[@]}" -I"$root/include" "$1.c" \
        -L"$build" -lriccatree -lm -Wl,-rpath,"$build" -o "$1"
}

# shown_in DOCUMENT: DOCUMENT shows every line of the input.
shown_in() {
    local line
    while IFS= read -r line; do
        grep -qxF -- "    $line" "$root/$1" || fail "$1 does not show \"$line\""
    done
}

program pendulum
./pendulum | tee lines
[[ $(wc -l <lines) == 10 ]] || fail "the pendulum did not print ten lines"
{ head -1 lines && tail -1 lines; } | shown_in docs/c.md

cp "$root/examples/user_force.c" .
program user_force
./user_force | tee lines
[[ $(wc -l <lines) == 5 ]] || fail "user_force did not print five lines"
awk '$7 != $10 || $7 >= 0 { exit 1 }' lines || fail "user_force does not agree with the closed form"

cp "$root/examples/attach.c" .
program attach
./attach | tee lines
[[ $(wc -l <lines) == 4 ]] || fail "attach did not print four lines"
awk '{ split($0, part, /  energy /); sub(/.*momentum /, "", part[1]); was[NR] = part[1] }
     was[NR] != was[1] || $(NF - 3) != $(NF - 1) { exit 1 }' lines ||
    fail "attach loses momentum or does not agree with the closed form"

cp "$root/examples/run.c" .
program run
./run | tee lines
[[ $(wc -l <lines) == 3 ]] || fail "run did not print three lines"
shown_in docs/c.md <lines

cp "$root/examples/forward.c" .
program forward
./forward "$root/examples/arm7.urdf" | tee lines
[[ $(wc -l <lines) == 3 ]] || fail "forward did not print three lines"
awk '{ for (i = NF - 7; i < NF; i++) { if (/^held/ && $i != 0 || /^driven/ && $i != 1) exit 1 } }' lines ||
    fail "efforts of inverse dynamics do not come to the accelerations they are for"
if ./forward nowhere.urdf >said 2>words; then fail "forward found an arm that is not there"; fi

# Members fail in any order.
cp "$root/examples/ensemble.c" .
program ensemble
./ensemble | sort | tee lines
[[ $(wc -l <lines) == 9 ]] || fail "ensemble did not print nine lines"
shown_in docs/ensemble.md <lines
./ensemble results.h5 | sort | diff lines - || fail "ensemble prints other lines when it writes a file"
"$build/riccatree" summary results.h5 | tee said
for line in '^members +1000 from 0 on, complete$' '^  ok +995$'; do
    grep -qE "$line" said || fail "the file of ensemble does not hold what it printed"
done
if ./ensemble results.h5 >said 2>words; then fail "ensemble wrote over older results"; fi
if ./ensemble nowhere/results.h5 >said 2>words; then fail "ensemble wrote where no folder is"; fi
grep -q '^ensemble: nowhere/results.h5: cannot create the file' words || fail "ensemble does not say why"

ln -s "$root/examples" examples
for page in README.md docs/command-line.md; do
    block sh $page >commands
    grep -q . commands || fail "$page shows no command lines"
    while read -r program arguments; do
        [[ $program == riccatree ]] || fail "not a command line of riccatree: $program $arguments"
        read -ra words <<<"$arguments"
        "$build/riccatree" "${words[@]}" >said </dev/null || fail "failed: riccatree $arguments"
    done <commands
done

# rows DOCUMENT: SYSTEM, LIBRARY and the median from its tables of other libraries, one per line, separated by tabs.
rows() {
    awk -F ' *[|] *' -v OFS='\t' '/^[|] system [|] Riccatree/ { for (i = 3; i < NF; i++) library[i] = $i; on = 1; next }
        !/^[|]/ { on = 0 }
        on && !/^[|]-/ { for (i = 3; i < NF; i++) { sub(/ [(].*[)]/, "", $i); sub(/;.*/, "", $i); print $2, library[i], $i } }' "$root/$1"
}
rows docs/peers.md | sort -u >measured
rows README.md | sort -u >shown
[[ $(wc -l <shown) -ge 40 ]] || fail "README.md does not stand beside other libraries"
[[ -z $(comm -13 measured shown) ]] || fail "not in docs/peers.md: $(comm -13 measured shown)"

for document in "$root"/*.md "$root"/docs/*.md "$root"/examples/*.md; do
    for link in $(grep -oE '\]\([^)]+\)' "$document" | sed 's/^](//; s/[)]$//; s/#.*//'); do
        [[ $link == *://* || -e ${document%/*}/$link ]] || fail "$document links to $link"
    done
done
