#!/usr/bin/env bash
# Dependencies point one way: what an object file of the library needs is defined in its own folder, or in one that
# stands before it in the order below.
# usage: layers_check.sh FOLDER_OF_OBJECTS
set -uo pipefail
order='src/core src/model src/import kernels src/topology src/backend src/operators src/closure src/dynamics src/integrate
    src/ranks src/ensemble src/record src/reference'
cd "$1" || exit 1
for layer in $order; do
    find "$layer" -name '*.o' -exec nm -A {} + | sed -nE "s|^([^:]*):.* ([A-Zi]) ([^ ]+)\$|\2 \3 $layer \1|p"
done | awk -v order="$order" '
    BEGIN { count = split(order, name); for (i = 1; i <= count; i++) place[name[i]] = i }
    $1 == "U" { symbol[++needs] = $2; from[needs] = $3; object[needs] = $4; next }
    { home[$2] = $3; defined++ }
    END {
        for (i = 1; i <= needs; i++) {
            if (symbol[i] in home && place[home[symbol[i]]] > place[from[i]]) {
                printf "layers_check: %s uses %s of %s\n", object[i], symbol[i], home[symbol[i]]
                bad++
            }
        }
        printf "%d symbols defined, %d needed, %d the wrong way\n", defined, needs, bad
        exit bad > 0 || defined < 500
    }'
