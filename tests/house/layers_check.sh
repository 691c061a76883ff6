#!/usr/bin/env bash
# Dependencies point one way, also those through public functions: every symbol that an object file of the libraries needs is
# defined in its own room, or in one listed before it in rooms.txt.
# usage: layers_check.sh FOLDER_OF_OBJECTS...
set -uo pipefail
order=$(sed -nE 's#^((src|kernels)/[^:]*):.*#\1#p' "$(dirname "${BASH_SOURCE[0]}")/rooms.txt")
for objects in "$@"; do
    cd "$objects" || exit 1
    for room in $order; do
        [[ ! -d $room ]] || find "$room" -name '*.o' -exec nm -A {} + |
            sed -nE "s|^([^:]*):.* ([A-Zi]) ([^ ]+)\$|\2 \3 $room \1|p"
    done
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
